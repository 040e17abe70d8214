//! Witnesses without a codeword, and those that are restored: the same proofs.

use super::*;

/// Opens by a whole witness, a lean one and a restored one, and compares every byte.
fn opens_alike<B: TwoAdic, E: ExtensionOf<B>>(params: Params) {
    let scheme = Scheme::<B, E>::new(params, &ANY).unwrap();
    let mut prover = Prover::new(&scheme);
    let data: Vec<B> = entries(1 << 10);
    let forms = || vec![TensorForm::point(&point(10))];
    let mut whole = prover.commit(data.clone());
    let expected = prover.open(&mut whole, forms(), b"label");
    let mut lean = prover.commit_lean(data.clone());
    assert!(lean.memory() < whole.memory() / 3, "{} {}", lean.memory(), whole.memory());
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

#[test]
fn every_inner_argument_opens_without_a_codeword() {
    for regime in [Regime::UniqueDecoding, JOHNSON] {
        for fields in [Fields::KoalaBear4, Fields::Goldilocks2, Fields::Mersenne61x2] {
            let base = small(fields, 0, regime);
            let inners = [base.inner.clone(), Inner::Chain(vec![1, 2, 1, 1]), Inner::TwoChains];
            for inner in inners {
                let max_forms = if inner == Inner::TwoChains { 1 } else { 8 };
                if inner == Inner::TwoChains && regime != Regime::UniqueDecoding {
                    continue;
                }
                let params = Params { inner, max_forms, ..base.clone() };
                with_fields!(fields, B, E => opens_alike::<B, E>(params));
            }
        }
    }
}

#[test]
#[should_panic = "openly"]
fn a_hiding_commitment_keeps_no_lean_witness() {
    let scheme =
        Scheme::<Goldilocks, Goldilocks2>::new(small(Fields::Goldilocks2, 1, Regime::UniqueDecoding), &ANY);
    let scheme = scheme.unwrap();
    Prover::new(&scheme).commit_lean(entries(1 << 10));
}
