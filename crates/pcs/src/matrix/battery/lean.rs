//! Witnesses without a codeword, and those that are restored: the same proofs.

use super::*;
use crate::fields::Family;

/// Opens by a whole witness, a lean one and a restored one, and compares every byte.
pub(crate) fn opens_alike<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let (variables, prime) = (params.variables(), params.fields.family() == Family::Prime);
    let scheme = Scheme::<F, B, E>::new(params, &ANY).unwrap();
    let mut prover = Prover::new(&scheme);
    let data: Vec<B> = entries(1 << 10);
    let forms = || vec![TensorForm::point(&point(variables))];
    let mut whole = prover.commit(data.clone());
    let expected = prover.open(&mut whole, forms(), b"label");
    let mut lean = prover.commit_lean(data.clone());
    // Over binary fields a whole witness drops what it can recompute.
    let part = if prime { 3 } else { 1 };
    assert!(lean.memory() <= whole.memory() / part, "{} {}", lean.memory(), whole.memory());
    assert_eq!((lean.message(), lean.nodes().len()), (&data[..], prover.node_bytes()));
    let mut restored = prover.restore(data.clone(), lean.nodes().to_vec());
    for witness in [&mut lean, &mut restored] {
        assert_eq!(witness.commitment(), whole.commitment());
        assert!(prover.open(witness, forms(), b"label") == expected);
    }
    // Another node is another root; another entry proves nothing.
    let mut nodes = lean.nodes().to_vec();
    nodes[39] ^= 1;
    assert_ne!(prover.restore(data.clone(), nodes).commitment(), whole.commitment());
    let mut other = data;
    other[1023] += B::ONE;
    let mut other = prover.restore(other, lean.nodes().to_vec());
    let (claims, proof) = prover.open(&mut other, forms(), b"label");
    assert!(scheme.verify(whole.commitment(), &claims, &proof).is_err());
}

pub(super) fn witnesses_open_without_a_codeword<P: Preset>() {
    for (regime, log_parts) in [(Regime::UniqueDecoding, 0), (JOHNSON, 3)] {
        let params = Params { log_parts, ..small(P::FIELDS, 0, regime) };
        opens_alike::<P::Family, P::Base, P::Challenge>(params);
    }
}
