use super::*;
use crate::Invalid;
use crate::circuit::challenges::keccak;

/// Two batches, one of them with padding: the contract's state is what replicas compute, and its event says so.
#[test]
fn batches_are_accepted_in_their_order_and_replicas_follow() {
    let (first, second) = &*SECOND;
    let mut ledger = Ledger::new();
    assert_eq!(ledger.head(), ledger.last);
    assert_eq!(ledger.evm.view(&ledger.contract.clone(), "domain"), ledger.token.domain().word());
    assert_eq!(ledger.submit(second), reason("InvalidProof"), "before its turn");
    for (submission, height) in [(first, 1), (second, 2)] {
        assert_eq!(Submission::from_calldata(&submission.calldata()).as_ref(), Ok(submission));
        let outcome = ledger.submit(submission);
        ledger.follow(submission).unwrap();
        assert_eq!(ledger.head(), ledger.last);
        assert_eq!(ledger.last.height(), height);
        let Outcome::Success { log: Some((topics, data)), .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(topics[0].0, super::export::number(height as usize));
        assert_eq!((&data[..24], &data[24..]), (&ledger.last.0[8..], &[0; 8][..]));
        assert_eq!(ledger.submit(submission), reason("InvalidProof"), "a second time");
    }
    let balances = [1, 2, 3, 5].map(|number| i128::from(ledger.cells[&Index(number)].balance) - (1 << 40));
    let fee = i128::from(FEE);
    assert_eq!(balances, [70 - 500 - 60_000 - 2 * fee, 500, -70 - fee, 60_000]);
}

/// The contract alone does not know balances: a batch from invented values is accepted there. Replicas ignore it, and go on from what it left of the head.
#[test]
fn a_batch_of_invented_values_is_accepted_by_the_contract_and_ignored_by_replicas() {
    let mut ledger = Ledger::new();
    let honest = ledger.cells.clone();
    ledger.cells.get_mut(&Index(1)).unwrap().balance = 1 << 50;
    let forged = ledger.prove(&[ledger.transfer([1, 2], 1 << 49)]);
    ledger.cells = honest.clone();
    assert!(accepted(&ledger.submit(&forged)));
    let refused = Invalid("the rules refuse a transaction of the batch in this state");
    assert_eq!(ledger.follow(&forged), Err(refused));
    assert_eq!(ledger.cells, honest);
    assert_eq!(ledger.head(), ledger.last);
    let next = ledger.prove(&[ledger.transfer([1, 2], 5)]);
    assert!(accepted(&ledger.submit(&next)));
    assert_eq!(ledger.follow(&next), Ok(()));
}

/// A claim, a quotient or times of other values make the replica ignore what a contract accepted: none of them needs a proof that is wrong.
#[test]
fn replicas_compare_claim_quotient_and_times_with_their_own() {
    let (first, _) = &*SECOND;
    let ledger = Ledger::new();
    let verdict = |submission: &Submission| submission.statement(&ledger.target(), &ledger.cells).map(|_| ());
    assert_eq!(verdict(first), Ok(()));
    let values = Err(Invalid("a batch about other values than those of this state"));
    let claim = Submission { claim: keccak(b"other"), ..first.clone() };
    assert_eq!(verdict(&claim), values);
    let mut other = first.clone();
    other.quotient[31] ^= 1;
    let quotient =
        Err(Invalid("a quotient that is not that of the batch's cells, for this contract at this head"));
    assert_eq!(verdict(&other), quotient);
    other = first.clone();
    other.binding[0][31] ^= 1;
    assert_eq!(verdict(&other), quotient, "another challenge");
    let mut changed = ledger.cells.clone();
    changed.get_mut(&Index(2)).unwrap().balance += 1;
    assert_eq!(first.statement(&ledger.target(), &changed).map(|_| ()), values);
    let list = &first.payload[1..];
    let times = [&[1, list.len() as u8], list, &[0, 4, 2, 4]].concat();
    assert_eq!(
        verdict(&Submission { payload: times, ..first.clone() }),
        Err(Invalid("a batch about other values than those of this state")),
    );
    for end in 0..first.payload.len() {
        assert!(verdict(&Submission { payload: first.payload[..end].to_vec(), ..first.clone() }).is_err());
    }
    let longer = Submission { payload: [&first.payload[..], &[0]].concat(), ..first.clone() };
    assert!(verdict(&longer).is_err());
}

#[test]
fn payloads_in_blobs_are_read_back_and_have_one_form() {
    for length in [0, 1, 26, 27, 28, 10_000, BLOB_CAPACITY] {
        let payload: Vec<u8> = (0..length).map(|i| (i * 7 + 1) as u8).collect();
        let mut blob = to_blob(&payload).unwrap();
        assert_eq!(blob.len(), BLOB_BYTES);
        assert_eq!(from_blob(&blob), Ok(payload));
        blob[32 * (length / 31)] = 1;
        assert!(from_blob(&blob).is_err(), "an element above 31 bytes");
    }
    assert!(to_blob(&[0; BLOB_CAPACITY + 1]).is_err());
    assert!(from_blob(&[0; BLOB_BYTES - 32]).is_err());
}

/// The hash of the payload's blob is bound as that of calldata is, and the two are not taken for each other.
#[test]
fn a_payload_in_a_blob_is_accepted_with_its_blob_alone() {
    fn versioned(payload: &[u8]) -> Word {
        let mut hash = keccak(payload);
        hash[0] = 1;
        hash
    }
    let mut ledger = Ledger::new();
    let target = Target { blob: Some(versioned), ..ledger.target() };
    let batch = [ledger.transfer([1, 2], 500)];
    let submission = prove(key(), &target, &ledger.cells, &batch, &mut rng(5)).unwrap();
    let (hash, next) = (versioned(&submission.payload), target.next(&submission));
    let data = submission.blob_calldata();
    let (contract, read) =
        (ledger.contract, Submission::from_blob_calldata(&data, submission.payload.clone()));
    assert_eq!(read, Ok(submission.clone()));
    assert_eq!(ledger.evm.call(&contract, &data), reason("NotOneBlob"));
    assert_eq!(ledger.evm.call_with_blobs(&contract, &data, &[hash, hash]), reason("NotOneBlob"));
    let mut other = hash;
    other[31] ^= 1;
    assert_eq!(ledger.evm.call_with_blobs(&contract, &data, &[other]), reason("InvalidProof"));
    assert_eq!(ledger.submit(&submission), reason("InvalidProof"), "the payload in calldata");
    let longer = [&data[..], &[0]].concat();
    assert_eq!(ledger.evm.call_with_blobs(&contract, &longer, &[hash]), reason("NotCanonical"));
    assert!(Submission::from_blob_calldata(&longer, vec![]).is_err());
    assert!(accepted(&ledger.evm.call_with_blobs(&contract, &data, &[hash])));
    assert_eq!(ledger.head(), next);
}

/// The contract is a part of the rules: of their bytes, and of the domain.
#[test]
fn rules_with_a_contract_have_one_encoding_and_their_own_domain() {
    use crate::codec::{Canonical, Malformed};
    let token = Ledger::new().token;
    let bytes = token.to_bytes();
    assert_eq!(bytes.len(), 20 + 1 + 8 + 20);
    assert_eq!(Token::from_bytes(&bytes), Ok(token));
    let mut bad = bytes.clone();
    bad[20] = 2;
    assert_eq!(Token::from_bytes(&bad), Err(Malformed("a chain has no contract (0) or one (1)")));
    assert!((0..bytes.len()).all(|end| Token::from_bytes(&bytes[..end]).is_err()));
    let contract = token.contract.unwrap();
    let mut address = contract.address;
    address[19] ^= 1;
    let contracts = [
        None,
        token.contract,
        Some(Contract { chain_id: 1, ..contract }),
        Some(Contract { address, ..contract }),
    ];
    let domains = contracts.map(|contract| Token { contract, ..token }.domain().0);
    let different: std::collections::BTreeSet<_> = domains.into_iter().collect();
    assert_eq!(different.len(), 4);
}
