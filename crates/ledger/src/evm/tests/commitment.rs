//! The contract for a key with committed cells.

use super::*;
use crate::circuit::groth16::tests::committed_key;

fn proven() -> (Ledger, Submission, Submission) {
    let ledger = Ledger::for_key(Evm::new(), committed_key());
    let prove_batch = |batch: &[Signed<Transaction>]| {
        prove(committed_key(), &ledger.target(), &ledger.cells, batch, &mut rng(5)).unwrap()
    };
    let first = prove_batch(&[ledger.transfer([1, 2], 500), ledger.transfer([3, 1], 70)]);
    let other = prove_batch(&[ledger.transfer([1, 5], 60_000)]);
    (ledger, first, other)
}

/// One point more than a key with a digest has, one public input less; nothing of the commitment can be changed.
#[test]
fn batches_with_commitments_are_accepted_and_nothing_else() {
    let (mut ledger, first, other) = proven();
    assert_eq!(Submission::from_calldata(&first.calldata()).as_ref(), Ok(&first));
    let invalid = reason("InvalidProof");
    let mut refused = |binding: [Word; 2], what: &str| {
        let bad = Submission { binding, ..first.clone() };
        assert_eq!(ledger.submit(&bad), invalid, "{what}");
        assert!(bad.statement(&ledger.target(), &ledger.cells).is_err(), "{what}: another challenge");
    };
    let [x, y] = first.binding;
    refused(other.binding, "the commitment of another batch");
    refused([[0; 32]; 2], "the identity");
    refused([x, [0; 32]], "no point");
    refused([y, x], "no point");
    let minus = {
        use curve::bn254::Fq;
        use curve::{BigInteger, PrimeField};
        let minus = -Fq::from_be_bytes_mod_order(&y);
        Word::try_from(minus.into_bigint().to_bytes_be()).unwrap()
    };
    refused([x, minus], "the opposite point");
    refused([first.proof[0], first.proof[1]], "A");
    // The other batch's proof for this one's commitment, and the other way round.
    let moved = Submission { proof: other.proof, ..first.clone() };
    assert_eq!(ledger.submit(&moved), invalid);
    let data = first.calldata();
    let contract = ledger.contract;
    for at in (4 + 32..4 + 4 * 32).step_by(7) {
        let mut bad = data.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(matches!(ledger.evm.call(&contract, &bad), Outcome::Revert(_)), "byte {at}");
    }
    let too_little = ledger.evm.call_with_gas(&contract, &data, 250_000);
    assert_eq!(too_little, reason("TooLittleGas"));
    assert!(accepted(&ledger.submit(&first)));
    ledger.follow(&first).unwrap();
    assert_eq!(ledger.head(), ledger.last);
    assert_eq!(ledger.submit(&first), invalid, "a second time");
}

/// A key whose eta is no point of the group, and one with a commitment for the contract with a root.
#[test]
fn keys_with_a_commitment_have_points_of_their_own() {
    let token = Token { contract: None, ..Ledger::new().token };
    let export = insecure(committed_key().verifying(), &token, SLOTS, GENESIS).unwrap();
    // The key, `ic`, rules, constants, genesis; five points of the inputs; one constant.
    let code = export.creation.len() - 32 * (22 + 1 + 2 * 5 + 2);
    for word in 14..18 {
        let mut creation = export.creation.clone();
        creation[code + 32 * word + 31] ^= 1;
        assert_eq!(Evm::new().deploy(&creation), reason("InvalidKey"), "word {word}");
    }
    let mut without = export.creation.clone();
    without[code + 32 * 14..code + 32 * 18].fill(0);
    assert_eq!(Evm::new().deploy(&without), reason("InvalidKey"), "another number of inputs");
    let root = super::export::unchecked::root(committed_key().verifying(), &token, 64, GENESIS);
    assert_eq!(Evm::new().deploy(&root.creation), reason("InvalidKey"));
}
