//! Files about tables, from a stranger.

use super::driver::{input, run};
use tenfold::statement::{TableContext, TableDescription};
use tenfold::{Claim, CommitmentFile, Dataset, Options, Policy};

#[test]
fn fuzz_tables() {
    let columns = ["price", "amount"].map(|name| Dataset::from_u64s(vec![3, 1, 4]).named(name));
    let data = Dataset::from_columns(columns).unwrap();
    let (commitment, mut witness) = tenfold::commit(&data, &Options::proven_bits(100)).unwrap();
    let proof = witness.open(&[Claim::Row(1), Claim::Mean]).unwrap().to_bytes();
    let product = witness.open(&[Claim::Product("price", "amount")]).unwrap().to_bytes();
    let weights = Dataset::from_u64s(vec![2, 7, 1]);
    let weighted = witness.open(&[Claim::Mean, Claim::Weighted(&weights)]).unwrap().to_bytes();
    let committed = commitment.to_bytes();
    let description = commitment.description.encode();
    let context = [&description[..], &[1]].concat();
    let policy = Policy::at_least(0).self_contained();
    let by_weights = Policy::at_least(0).self_contained().weights(&weights);
    assert!(tenfold::verify(&weighted, &by_weights).is_ok());
    assert!(tenfold::verify(&proof, &policy).is_ok() && tenfold::verify(&product, &policy).is_ok());
    run("fuzz_tables", |rng| {
        let bytes = input(rng, &[&committed, &proof, &product, &weighted, &description, &context]);
        let holds = [&policy, &by_weights].iter().any(|policy| tenfold::verify(&bytes, policy).is_ok());
        let known = [&proof, &product, &weighted].contains(&&bytes);
        assert!(!holds || known, "accepted something else");
        let read = CommitmentFile::from_bytes(&bytes);
        assert!(read.as_ref().map_or(true, |c| c.to_bytes() == bytes), "two encodings of one commitment");
        let table = TableDescription::decode(&bytes);
        assert!(table.as_ref().is_none_or(|t| t.encode() == bytes), "two encodings of one table");
        let contexts = [false, true].map(|weighted| TableContext::decode(&bytes, weighted));
        for context in contexts.iter().flatten() {
            assert!(context.encode() == bytes, "two encodings of one context");
        }
        holds || read.is_ok() || table.is_some() || contexts.iter().any(Option::is_some)
    });
}
