//! Below the Johnson radius a root alone does not bind: the out-of-domain values with it do. (notes: sec-ood)

use crate::fields::Fields;
use crate::matrix::{Commitment, Inner, Params, Prime, Prover, RoundParams, Scheme, battery};
use crate::ring_switching::Entries;
use field::{ExtensionOf, Goldilocks, Goldilocks2};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};

const LOG_SIZE: u32 = 10;

/// A quarter of the tries with two queries go through.
fn params() -> Params {
    Params {
        fields: Fields::Goldilocks2,
        hash: Hash::Blake3,
        regime: Regime::Johnson { multiplicity: 8 },
        entries: Entries::Whole,
        log_size: LOG_SIZE,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 2, grinding: 0, fold_grinding: 0 },
        inner: Inner::Recursion(vec![]),
    }
}

/// A word that has the rows of two codewords in turn is half a radius from each: its root is opened to an entry of the one message and of the
/// other. Their commitments differ all the same, and neither's proof holds for the other's.
#[test]
fn one_root_is_opened_to_two_messages() {
    let scheme = Scheme::<Prime, Goldilocks, Goldilocks2>::new(params(), &Policy::at_least(0)).unwrap();
    let (prover, shape) = (Prover::new(&scheme), scheme.layout().first.shape);
    let all: Vec<Goldilocks> = battery::entries(2 << LOG_SIZE);
    let messages: Vec<&[Goldilocks]> = all.chunks(1 << LOG_SIZE).collect();
    let codewords: Vec<Vec<Goldilocks>> =
        messages.iter().map(|message| shape.commit(message, Vec::new()).into_blocks().concat()).collect();
    let rows = 0..codewords[0].len() / shape.width;
    let word: Vec<Goldilocks> =
        rows.flat_map(|row| &codewords[row % 2][row * shape.width..][..shape.width]).copied().collect();
    let form = || TensorForm::<Goldilocks2>::index(17, LOG_SIZE as usize);
    let opened: Vec<(Commitment<Goldilocks2>, _, Vec<u8>)> = messages
        .iter()
        .map(|message| {
            let mut witness = prover.witness(message.to_vec(), shape.commit_codeword(word.clone()), None);
            let commitment = witness.commitment().clone();
            let mut tries = (0..200u8).map(|context| prover.open(&mut witness, vec![form()], &[context]));
            let valid = tries.find(|(claims, proof)| scheme.verify(&commitment, claims, proof).is_ok());
            let (claims, proof) = valid.expect("two queries that meet the message's own rows");
            assert_eq!(claims.values, [[form().apply(&Goldilocks2::lift_slice(message))]]);
            (commitment, claims, proof)
        })
        .collect();
    let [(first, claims, proof), (second, other_claims, other_proof)] = &opened[..] else { unreachable!() };
    assert_eq!(first.root, second.root);
    assert_ne!(claims.values, other_claims.values);
    assert_ne!(first.out_of_domain, second.out_of_domain);
    assert_ne!(first.to_bytes(), second.to_bytes());
    assert!(scheme.verify(second, claims, proof).is_err());
    assert!(scheme.verify(first, other_claims, other_proof).is_err());
}
