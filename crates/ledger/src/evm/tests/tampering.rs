use super::*;
use curve::bn254::{Fq, Fr};

/// Behind the selector: claim, binding, quotient, proof, offset.
const PROOF: usize = 4;

fn word_at(data: &mut [u8], index: usize) -> &mut [u8] {
    &mut data[4 + 32 * index..36 + 32 * index]
}

/// Adds a big-endian number to a word, if the sum has 256 bits.
fn add(word: &mut [u8], number: &[u8]) -> bool {
    let mut carry = 0;
    for (to, from) in word.iter_mut().rev().zip(number) {
        carry += u16::from(*to) + u16::from(*from);
        *to = carry as u8;
        carry >>= 8;
    }
    carry == 0
}

fn modulus<F: curve::PrimeField>() -> Vec<u8> {
    curve::BigInteger::to_bytes_le(&F::MODULUS)
}

#[test]
fn every_bit_of_the_call_is_checked() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    let (contract, data) = (ledger.contract, first.calldata());
    let padded = 4 + 14 * 32 + first.payload.len()..data.len();
    for at in (0..data.len()).step_by(11).chain((35..data.len()).step_by(32)).chain(padded) {
        let mut bad = data.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(matches!(ledger.evm.call(&contract, &bad), Outcome::Revert(_)), "byte {at}");
    }
    for end in (0..data.len()).step_by(13).chain([data.len() - 32, data.len() - 1]) {
        assert!(matches!(ledger.evm.call(&contract, &data[..end]), Outcome::Revert(_)), "{end} bytes");
    }
    for more in [1, 32, 64] {
        let longer = [&data[..], &vec![0; more]].concat();
        assert_eq!(ledger.evm.call(&contract, &longer), reason("NotCanonical"), "{more} more bytes");
        assert!(Submission::from_calldata(&longer).is_err());
    }
    // The payload behind a gap, as the interface allows and the contract does not.
    let mut moved = data.clone();
    word_at(&mut moved, 12)[31] = (14 * 32u16) as u8;
    moved.splice(4 + 13 * 32..4 + 13 * 32, [0; 32]);
    assert_eq!(ledger.evm.call(&contract, &moved), reason("NotCanonical"));
    assert!(Submission::from_calldata(&moved).is_err());
    assert!(accepted(&ledger.evm.call(&contract, &data)), "what was never changed");
}

/// Each public input that is calldata, with the order added; each coordinate, with the modulus added.
#[test]
fn numbers_have_one_encoding() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    let (contract, data) = (ledger.contract, first.calldata());
    for index in 1..PROOF + 8 {
        let mut bad = data.clone();
        let (order, error) =
            if index < PROOF { (modulus::<Fr>(), "NotReduced") } else { (modulus::<Fq>(), "InvalidProof") };
        assert!(add(word_at(&mut bad, index), &order), "two encodings fit into 256 bits");
        assert_eq!(ledger.evm.call(&contract, &bad), reason(error), "word {index}");
    }
}

#[test]
fn points_are_on_their_curves_and_not_the_identity() {
    let (first, second) = &*SECOND;
    let mut ledger = Ledger::new();
    let mut refused = |proof: [Word; 8], what: &str| {
        let bad = Submission { proof, ..first.clone() };
        assert_eq!(ledger.submit(&bad), reason("InvalidProof"), "{what}");
    };
    let zeroed = |range: core::ops::Range<usize>| {
        let mut proof = first.proof;
        proof[range].fill([0; 32]);
        proof
    };
    refused(zeroed(0..2), "A is the identity");
    refused(zeroed(2..6), "B is the identity");
    refused(zeroed(6..8), "C is the identity");
    refused(zeroed(0..8), "all are");
    let mut proof = first.proof;
    proof[7] = proof[6];
    refused(proof, "C off the curve");
    proof = first.proof;
    proof.swap(2, 3);
    refused(proof, "B off the curve");
    proof = first.proof;
    [proof[2], proof[3], proof[4], proof[5]] = outside();
    refused(proof, "B outside the subgroup");
    for (range, what) in [(0..2, "A"), (2..6, "B"), (6..8, "C")] {
        proof = first.proof;
        proof[range.clone()].copy_from_slice(&second.proof[range]);
        refused(proof, what);
    }
}

/// A point of the second group's curve that is outside of the subgroup.
fn outside() -> [Word; 4] {
    use curve::bn254::{Fq2, G2};
    let point = (1u64..)
        .filter_map(|x| G2::get_point_from_x_unchecked(Fq2::new(Fq::from(x), Fq::from(1u64)), false))
        .find(|point| !point.is_in_correct_subgroup_assuming_on_curve());
    let point = point.unwrap();
    [point.x.c1, point.x.c0, point.y.c1, point.y.c0].map(|x| snark::groth16::word(&x))
}

/// The proof is of one chain id, one address, one fee, one genesis and one key.
#[test]
fn a_proof_is_of_one_contract() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    ledger.evm.fork(1);
    assert_eq!(ledger.submit(first), reason("WrongChain"));
    ledger.evm.fork(machine::CHAIN);
    let mut second = Ledger::with(ledger.evm);
    assert_eq!(second.submit(first), reason("InvalidProof"), "another address");
    let mut evm = Evm::new();
    evm.fork(5);
    let mut other = Ledger::with(evm);
    assert_eq!(other.contract.address, ledger.contract.address);
    assert_eq!(other.submit(first), reason("InvalidProof"), "deployed on another chain");
    let rules = Token { contract: None, ..ledger.token };
    let fees = Token { fee: FEE + 1, ..rules };
    let issuer = Token { issuer: Index(1), ..rules };
    for (token, genesis, what) in
        [(fees, GENESIS, "fee"), (issuer, GENESIS, "rules"), (rules, [8; 32], "genesis")]
    {
        let export = insecure(key().verifying(), &token, SLOTS, genesis).unwrap();
        let mut evm = Evm::new();
        assert!(accepted(&evm.deploy(&export.creation)));
        assert_eq!(evm.call(&ledger.contract, &first.calldata()), reason("InvalidProof"), "{what}");
    }
}

/// Code that runs under another address, as behind a proxy, accepts nothing.
#[test]
fn a_proxy_is_another_contract() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    let proxy = ledger.evm.deploy_forwarder(&ledger.contract.clone(), true);
    assert_eq!(ledger.evm.call(&proxy, &first.calldata()), reason("WrongChain"));
    assert!(accepted(&ledger.submit(first)));
}

/// A batch that is copied and sent through a contract, or an account with code that calls itself, would be accepted and be in no transaction's input.
#[test]
fn a_batch_is_accepted_as_a_transaction_alone() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    refuses_indirect_calls(&mut ledger.evm, &ledger.contract, &first.calldata(), "height");
}

/// Refuses a call through contracts, and takes it in the end.
pub(super) fn refuses_indirect_calls(evm: &mut Evm, contract: &Contract, data: &[u8], view: &str) {
    let wrapper = evm.deploy_forwarder(contract, false);
    let payer = evm.payer();
    assert_eq!(evm.call(&wrapper, data), reason("NotDirect"), "from a contract");
    let seen = evm.view(contract, view);
    evm.delegate(Some(&wrapper));
    assert_eq!(evm.view(&payer, view), seen, "calls pass");
    assert_eq!(evm.call(&payer, data), reason("NotDirect"), "from the sender's own code");
    assert_eq!(evm.call(contract, data), reason("NotDirect"), "from a sender with code");
    evm.delegate(None);
    assert!(accepted(&evm.call(contract, data)));
}

/// Whatever gas a caller leaves: a batch whose proof holds is not said to be invalid.
#[test]
fn a_right_proof_is_not_invalid_for_want_of_gas() {
    let (first, _) = &*SECOND;
    let mut ledger = Ledger::new();
    let (contract, data) = (ledger.contract, first.calldata());
    let mut refused = 0;
    for gas in (60_000..).step_by(1_900) {
        match ledger.evm.call_with_gas(&contract, &data, gas) {
            Outcome::Success { .. } => break,
            Outcome::Halt => (),
            outcome => {
                assert_eq!(outcome, reason("TooLittleGas"), "{gas} gas");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused} limits");
}

/// A contract for another circuit would accept what its own does not prove, or nothing.
#[test]
fn keys_of_other_circuits_are_not_exported() {
    use crate::Invalid;
    use crate::circuit::groth16::tests::committed_key;
    use crate::circuit::root::groth16::tests::key as root_key;
    use crate::circuit::root::{Shape, tests::SHAPE};
    let token = Token { contract: None, ..Ledger::new().token };
    let [replicas, root] = [key().verifying(), root_key().verifying()];
    let verdict = |key, slots| insecure(key, &token, slots, GENESIS).map(|_| ());
    let other = Err(Invalid("a key of another circuit than that of the contract's batches"));
    assert_eq!(verdict(replicas, SLOTS), Ok(()));
    assert_eq!(verdict(committed_key().verifying(), SLOTS), Ok(()));
    assert_eq!(verdict(committed_key().verifying(), SLOTS + 1), other, "other slots");
    assert_eq!(verdict(replicas, SLOTS + 1), other, "other slots");
    assert_eq!(verdict(root, SLOTS), other, "a key of root mode");
    for slots in [0, 1025] {
        assert_eq!(verdict(replicas, slots), Err(Invalid("no batch has so many slots")));
    }
    let verdict = |key, shape| insecure_root(key, &token, shape, GENESIS).map(|_| ());
    let shape = |slots, entries, path| Shape::new(slots, entries, 1, path).unwrap();
    assert_eq!(verdict(root, SHAPE), Ok(()));
    assert_eq!(verdict(root, shape(4, 8, 1)), other, "other slots");
    assert_eq!(verdict(root, shape(2, 4, 2)), other, "another tree");
    assert_eq!(verdict(replicas, SHAPE), other, "a key of batches for replicas");
    let sizes = Err(Invalid("the contract has a power of two of slots, and two entries for each"));
    assert_eq!([verdict(root, shape(3, 6, 1)), verdict(root, shape(2, 2, 1))], [sizes, sizes]);
    let local = Err(Invalid("a key of a local setup: whoever made it can prove anything"));
    assert_eq!(export(replicas, &token, SLOTS, GENESIS).map(|_| ()), local);
    assert_eq!(export_root(root, &token, SHAPE, GENESIS).map(|_| ()), local);
}

/// Words of the constructor's arguments: a contract for a key that is none is not deployed.
#[test]
fn keys_with_the_identity_or_no_points_are_refused() {
    let token = Token { contract: None, ..Ledger::new().token };
    let export = insecure(key().verifying(), &token, SLOTS, GENESIS).unwrap();
    let code = export.creation.len() - 32 * (22 + 1 + 2 * 6 + 2);
    let attempt = |words: core::ops::Range<usize>, with: &dyn Fn(&mut [u8])| {
        let mut creation = export.creation.clone();
        with(&mut creation[code + 32 * words.start..code + 32 * words.end]);
        Evm::new().deploy(&creation)
    };
    let zero = |words: &mut [u8]| words.fill(0);
    for words in [0..2, 2..6, 6..10, 10..14] {
        assert_eq!(attempt(words, &zero), reason("InvalidKey"));
    }
    for point in 0..6 {
        assert_eq!(attempt(23 + 2 * point..25 + 2 * point, &zero), reason("InvalidKey"), "IC {point}");
    }
    for word in 0..14 {
        assert_eq!(attempt(word..word + 1, &|words| words[31] ^= 1), reason("InvalidKey"), "word {word}");
    }
    // A commitment is said to be there, whose public inputs are others, and a point that is none.
    for word in 14..18 {
        assert_eq!(attempt(word..word + 1, &|words| words[31] ^= 1), reason("InvalidKey"), "word {word}");
    }
    let constant = attempt(36..37, &|words| words.fill(255));
    assert_eq!(constant, reason("NotReduced"));
}
