//! The claim that a verifier needs, and the witness that a prover keeps.

use super::verbs::committed;
use iop::security::Policy as BitPolicy;
use pcs::pip::Secret;
use tenfold::any::Mode;
use tenfold::prove::Setup;
use tenfold::verify::Refused;
use tenfold::{
    Claim, Claimed, Dataset, EntrySize, Error, Options, Policy, ProofFile, Verdict, Witness, search,
};

fn verdict(data: &Dataset, options: &Options, claims: &[Claim<'_>]) -> Verdict {
    let (commitment, mut witness) = committed(data, options);
    let proof = witness.open(claims).unwrap();
    let weights = Dataset::from_u64s(vec![1, 2, 3]);
    let policy = Policy::at_least(100).about(&commitment);
    let weighted = claims.iter().any(|claim| matches!(claim, Claim::Weighted(_)));
    tenfold::verify(&proof.to_bytes(), &if weighted { policy.weights(&weights) } else { policy }).unwrap()
}

fn expects(verdict: &Verdict, text: &str) -> Result<(), String> {
    verdict.expect(&text.parse().unwrap()).map_err(|e| e.to_string())
}

/// A proof of row 0 holds, and is none of row 1 though its value is the same.
#[test]
fn a_claim_that_is_needed_is_that_one() {
    let options = Options::proven_bits(100);
    let data = Dataset::from_decimals(["7", "7", "-0.5"]).unwrap().named("x");
    let rows = verdict(&data, &options, &[Claim::Row(0)]);
    assert_eq!(rows.value_of(&Claimed::Row(0)).unwrap().exact(), "7.0");
    let refused = rows.value_of(&Claimed::Row(1)).unwrap_err();
    assert_eq!(refused.to_string(), "the proof says nothing of row 1; what it says first: row 0 of x is 7.0");
    for other in [Claimed::Entry(0), Claimed::Padding(0), Claimed::Sum, Claimed::WeightedSum] {
        assert!(matches!(rows.value_of(&other), Err(Error::NotClaimed { .. })), "{other}");
    }
    assert_eq!(expects(&rows, "row:0"), Ok(()));
    assert_eq!(expects(&rows, "row:0=7.00"), Ok(()));
    let refused = expects(&rows, "row:0=8").unwrap_err();
    assert_eq!(refused, "the proof is of another value than 8: row 0 of x is 7.0");
    assert!(expects(&rows, "row:1=7").is_err() && expects(&rows, "sum").is_err());

    let sums = verdict(&data, &options, &[Claim::Mean]);
    for met in ["sum=13.5", "mean", "mean=9/2", "mean=27/6", "mean=4.5"] {
        assert_eq!(expects(&sums, met), Ok(()), "{met}");
    }
    assert!(expects(&sums, "mean=4.51").is_err());
    let integers = Dataset::from_u64s(vec![5, 6, 7]);
    let weights = Dataset::from_u64s(vec![1, 2, 3]);
    let by = verdict(&integers, &options, &[Claim::Weighted(&weights)]);
    assert_eq!(expects(&by, "weighted-sum=38"), Ok(()));
    assert!(by.claims[0].weights.is_some() && expects(&by, "sum=38").is_err());
    let bytes = Dataset::from_bytes(vec![9; 40]);
    let entry = verdict(&bytes, &options.entries(EntrySize::Bytes), &[Claim::Row(3)]);
    assert_eq!((expects(&entry, "entry:3=9"), entry.claims[0].weights), (Ok(()), None));
    assert!(expects(&entry, "row:3=9").is_err() && expects(&entry, "entry:3=0x9").is_err());
}

/// Weights as canonical bytes prove what the numbers do, by another name.
#[test]
fn canonical_weights_are_the_numbers() {
    let data = Dataset::from_decimals(["1.5", "-2", "4"]).unwrap().named("x");
    let weights = Dataset::from_decimals(["1", "-0.25", "2"]).unwrap().named("w");
    let options = Options::proven_bits(100).field(tenfold::dataset::Base::KoalaBear);
    let (commitment, mut witness) = committed(&data, &options);
    let proof = witness.open(&[Claim::Weighted(&weights), Claim::Mean]).unwrap().to_bytes();
    let policy = Policy::at_least(100).about(&commitment);
    let elements = [100u32, 0x7f00_0001 - 25, 200].map(u32::to_le_bytes).concat();
    let [named, canonical] = [policy.weights(&weights), policy.canonical_weights(&elements, 2)]
        .map(|policy| tenfold::verify(&proof, &policy).unwrap());
    for wanted in ["weighted-sum=10", "weighted-mean=40/11"] {
        assert_eq!([expects(&named, wanted), expects(&canonical, wanted)], [Ok(()), Ok(())], "{wanted}");
    }
    let text = |verdict: &Verdict| verdict.claims.iter().map(ToString::to_string).collect::<Vec<_>>();
    let renamed =
        text(&named).iter().map(|claim| claim.replace("by w", "by the given weights")).collect::<Vec<_>>();
    assert_eq!(text(&canonical), renamed);
    let refused = |bytes: &[u8]| tenfold::verify(&proof, &policy.canonical_weights(bytes, 2)).unwrap_err();
    assert!(matches!(refused(&elements[4..]), Error::Refused(Refused::Weights { given: 2, entries: 3 })));
    assert!(matches!(
        refused(&[&elements[4..], &elements[..4]].concat()),
        Error::Refused(Refused::OtherWeights)
    ));
    assert!(matches!(tenfold::verify(&proof, &policy).unwrap_err(), Error::NoWeights));

    let bytes = Dataset::from_bytes(vec![9; 40]).named("f");
    let weights = Dataset::from_bytes((0..40).collect()).named("w");
    let (commitment, mut witness) = committed(&bytes, &Options::proven_bits(100).entries(EntrySize::Bytes));
    let proof = witness.open(&[Claim::Weighted(&weights)]).unwrap().to_bytes();
    let policy = Policy::at_least(100).about(&commitment);
    let given: Vec<u8> = (0..40).collect();
    let [named, canonical] = [policy.weights(&weights), policy.canonical_weights(&given, 0)]
        .map(|policy| tenfold::verify(&proof, &policy).unwrap());
    assert_eq!(named.value_of(&Claimed::InnerProduct), canonical.value_of(&Claimed::InnerProduct));
    assert_eq!(text(&canonical)[0], text(&named)[0].replace("of w is", "of the given weights is"));
    let refused = tenfold::verify(&proof, &policy.canonical_weights(&given, 1)).unwrap_err();
    assert_eq!(
        refused,
        Error::Refused(Refused::WeightsScale { given: 1, stated: 0 }),
        "bytes have no decimals"
    );
}

/// The decimals of weights move the point of their sum: they are the verifier's, as the weights are, and not the prover's.
#[test]
fn decimals_of_weights_are_the_verifiers() {
    let data = Dataset::from_u64s(vec![5, 6, 7]).named("x");
    let options = Options::proven_bits(100).field(tenfold::dataset::Base::KoalaBear);
    let (commitment, mut witness) = committed(&data, &options);
    let elements = [1u32, 2, 3].map(u32::to_le_bytes).concat();
    let scales = [["1", "2", "3"], ["0.1", "0.2", "0.3"], ["0.01", "0.02", "0.03"]];
    let weights = scales.map(|texts| Dataset::from_decimals(texts).unwrap());
    let policy = Policy::at_least(100).about(&commitment);
    for (stated, (of_prover, sum)) in (0..).zip(weights.iter().zip(["38", "3.8", "0.38"])) {
        let proof = witness.open(&[Claim::Weighted(of_prover), Claim::Mean]).unwrap().to_bytes();
        for (given, of_verifier) in (0..).zip(&weights) {
            for policy in [policy.canonical_weights(&elements, given), policy.weights(of_verifier)] {
                let verdict = tenfold::verify(&proof, &policy);
                if given != stated {
                    assert_eq!(verdict.unwrap_err(), Error::Refused(Refused::WeightsScale { given, stated }));
                    continue;
                }
                let verdict = verdict.unwrap();
                assert_eq!(verdict.value_of(&Claimed::WeightedSum).unwrap().exact(), sum);
                assert_eq!(expects(&verdict, "weighted-mean=19/3"), Ok(()));
            }
        }
    }
}

/// A secret that was given is counted where it is kept, or there is no proof.
#[test]
fn a_secret_that_was_given_is_counted() {
    let data = Dataset::from_u64s((0..64).collect());
    let params = search::choose(&data, &Options::proven_bits(100).hiding(2)).unwrap();
    let policy = BitPolicy::at_least(100);
    let setup = Setup::new(&policy, Mode::Hiding(Secret::from_os()));
    let mut witness = Witness::commit(&data, params, setup).unwrap();
    assert_eq!(witness.open(&[Claim::Row(5)]), Err(Error::Uncounted));
    assert_eq!(witness.openings_left(), Some(2), "nothing was proven");
    let mut counts = Vec::new();
    for row in [5, 6] {
        let store = |opening: &tenfold::prove::Counted<'_>, _| {
            counts.push(opening.secret.used());
            Ok::<(), ()>(())
        };
        witness.open_counted(&[Claim::Row(row)], store).unwrap();
    }
    assert_eq!(counts, [1, 2]);
    // One that nobody else has is counted by its witness.
    let (_, mut witness) = committed(&data, &Options::proven_bits(100).hiding(1));
    assert!(witness.open(&[Claim::Row(5)]).is_ok());
}

#[test]
fn a_witness_is_kept_as_bytes() {
    let data = Dataset::from_u64s((0..500).collect());
    let options = Options::proven_bits(128);
    let (commitment, witness) = committed(&data, &options);
    let kept = witness.to_bytes().unwrap();
    let policy = Policy::at_least(128);
    let mut restored = Witness::from_bytes(&kept, &commitment, &policy).unwrap();
    let proof = restored.open(&[Claim::Sum]).unwrap();
    let verdict = tenfold::verify(&proof.to_bytes(), &policy.about(&commitment)).unwrap();
    assert_eq!(expects(&verdict, "sum=124750"), Ok(()));
    let refused = |bytes: &[u8], policy| match Witness::from_bytes(bytes, &commitment, &policy) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut changed = kept.clone();
    changed[100] ^= 1;
    let all = [&kept[..kept.len() - 1], &[&kept[..], &[0]].concat(), &changed, b"TNFD", &[]];
    for bytes in all {
        assert!(refused(bytes, policy).starts_with("the witness is refused: "), "{}", refused(bytes, policy));
    }
    assert!(refused(&kept, Policy::at_least(200)).starts_with("the parameters are refused"));
    let (other, _) = committed(&Dataset::from_u64s((1..501).collect()), &options);
    let of_other = Witness::from_bytes(&kept, &other, &policy).map(drop).unwrap_err();
    assert_eq!(of_other.to_string(), "the witness is refused: it is the witness of another commitment");
    let (_, hiding) = committed(&data, &options.hiding(1));
    assert_eq!(hiding.to_bytes(), None);
}

#[test]
fn a_proof_file_is_read_as_it_was_written() {
    let (commitment, mut witness) = committed(&Dataset::from_u64s(vec![5, 6]), &Options::proven_bits(100));
    let proof = witness.open(&[Claim::Row(0)]).unwrap();
    let bytes = proof.to_bytes();
    assert_eq!(ProofFile::from_bytes(&bytes), Ok(proof));
    assert!(ProofFile::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(ProofFile::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    let refused = ProofFile::from_bytes(&commitment.to_bytes()).unwrap_err();
    assert_eq!(refused.to_string(), "this file is of another kind: it is no proof about data");
}
