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
    let restore = |data: Vec<B>, nodes: Vec<u8>| prover.restore(data, nodes).unwrap();
    let mut restored = restore(data.clone(), lean.nodes().to_vec());
    for witness in [&mut lean, &mut restored] {
        assert_eq!(witness.commitment(), whole.commitment());
        assert!(prover.open(witness, forms(), b"label") == expected);
    }
    // Another node is another root; another entry proves nothing.
    let mut nodes = lean.nodes().to_vec();
    nodes[39] ^= 1;
    assert_ne!(restore(data.clone(), nodes).commitment(), whole.commitment());
    let mut other = data;
    other[1023] += B::ONE;
    let mut other = restore(other, lean.nodes().to_vec());
    let (claims, proof) = prover.open(&mut other, forms(), b"label");
    assert!(scheme.verify(whole.commitment(), &claims, &proof).is_err());
}

pub(super) fn witnesses_open_without_a_codeword<P: Preset>() {
    for (regime, log_parts) in [(Regime::UniqueDecoding, 0), (JOHNSON, 3)] {
        let params = Params { log_parts, ..small(P::FIELDS, 0, regime) };
        opens_alike::<P::Family, P::Base, P::Challenge>(params);
    }
}

/// What no witness can be restored from is an error, and no panic: the parts may come from a file.
pub(super) fn parts_of_no_witness_are_refused<P: Preset>() {
    let plain = small(P::FIELDS, 0, Regime::UniqueDecoding);
    let refused = |params: &Params, count: usize, more: usize| {
        let scheme = SchemeOf::<P>::new(params.clone(), &ANY).unwrap();
        let prover = Prover::new(&scheme);
        let nodes = vec![0; prover.node_bytes() + more];
        prover.restore(entries(count), nodes).map(drop).map_err(|e| e.reason().to_owned())
    };
    assert_eq!(refused(&plain, 1 << 10, 0), Ok(()));
    let bytes = SchemeOf::<P>::new(plain.clone(), &ANY).map(|s| Prover::new(&s).node_bytes()).unwrap();
    for (count, more) in [((1 << 10) - 1, 0), (1 << 11, 0), (1 << 10, 1)] {
        let nodes = bytes + more;
        let reason = format!("{count} entries and {nodes} bytes of nodes are no witness of these parameters");
        assert_eq!(refused(&plain, count, more), Err(reason));
    }
    for params in [Params { hidden_openings: 1, ..plain.clone() }, Params { polynomials: 2, ..plain }] {
        let reason = "a witness is restored of one polynomial without hiding";
        assert_eq!(refused(&params, 1 << 10, 0), Err(reason.to_owned()), "{params:?}");
    }
}
