//! Witnesses without a codeword, and those that are restored: the same proofs, for entries of every kind.

use super::*;

fn opens_alike<B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let scheme = Scheme::<B, E>::new(params, &ANY).unwrap();
    let mut prover = Prover::new(&scheme);
    let data: Vec<B> = elements(1 << 10, 1);
    let forms = || vec![TensorForm::point(&point(scheme.params().variables()))];
    let mut whole = prover.commit(data.clone());
    let expected = prover.open(&mut whole, forms(), b"label");
    let mut lean = prover.commit_lean(data.clone());
    let mut restored = prover.restore(data.clone(), lean.nodes().to_vec());
    for witness in [&mut lean, &mut restored] {
        assert_eq!(witness.commitment(), whole.commitment());
        assert!(prover.open(witness, forms(), b"label") == expected);
    }
    let mut other = data;
    other[1023] += B::ONE;
    let mut other = prover.restore(other, lean.nodes().to_vec());
    let (claims, proof) = prover.open(&mut other, forms(), b"label");
    assert!(scheme.verify(whole.commitment(), &claims, &proof).is_err());
}

#[test]
fn every_kind_of_entry_opens_without_a_codeword() {
    for fields in Fields::BINARY {
        for entries in [Entries::Whole, Entries::Bits, Entries::Bytes] {
            let params = Params { entries, ..small(fields, 0, JOHNSON) };
            with_binary_fields!(fields, B, E => opens_alike::<B, E>(params));
        }
    }
}
