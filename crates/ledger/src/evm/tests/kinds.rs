//! Batches of all kinds of transactions.

use super::payload::explicit;
use super::*;
use crate::circuit::Trace;
use crate::circuit::groth16::ProofError;
use crate::codec::effect::encode_delta;
use crate::machine::Touched;
use crate::token::Mix;

const PARAMS: Params = Params { lanes: 1, timeout: 0, plain: 1 };

/// Both forms of a payload, of batches of all lengths, say what the circuit's trace says: cells and times.
#[test]
fn payloads_of_all_kinds_are_read_as_what_was_proven() {
    const ROOM: usize = 12;
    let mix = Mix { creates: 30, mints: 25, burns: 25 };
    let mut forms = std::collections::BTreeSet::new();
    for count in (1..=ROOM).chain([ROOM; 12]) {
        let seed = forms.len() as u64 * 100 + count as u64;
        let mut workload = Workload::new(seed, 5, FEE).with_mix(mix);
        let genesis = workload.genesis(PARAMS);
        let (token, cells): (_, Cells) = (genesis.machine, genesis.cells.into_iter().collect());
        let batch: Vec<_> = (0..count).map(|_| workload.transaction()).collect();
        let trace = Trace::of(&token, &cells, &batch, ROOM).unwrap();
        let payload = Payload::encode(&token, &batch, &trace);
        forms.insert((payload[0], batch.iter().any(|signed| signed.transaction.to().is_none())));
        for bytes in [payload, explicit(&encode_delta(&token, &trace.statement), &trace)] {
            let read = Payload::read(&token, ROOM, &bytes).unwrap();
            let (statement, times, padding) = read.statement(&token, &cells).unwrap();
            assert_eq!(statement, trace.statement);
            assert_eq!((times, padding), (&trace.times[..], trace.padding_time));
        }
    }
    assert!(forms.len() > 1, "{forms:?}");
}

#[test]
fn creates_mints_and_burns_are_accepted_and_followed() {
    let mut ledger = Ledger::new();
    let secret = Secret::from_seed(&[3; 32]);
    let new = Index(20);
    let signed = |ledger: &Ledger, from: Index, nonce, operation| {
        let workload = workload();
        let secret = if from == new { &secret } else { workload.secret(from.0) };
        ledger.sign(secret, Transaction { from, nonce, operation })
    };
    let create = Operation::Create { to: new, amount: 500, key: secret.public() };
    let mint = Operation::Mint { to: new, amount: 60, memo: 1 };
    let transfer = Operation::Transfer { to: Index(2), amount: 100, memo: 2 };
    let burn = Operation::Burn { amount: 7, memo: 3 };
    let batches = [[(Index(1), 0, create), (Index(0), 0, mint)], [(new, 0, transfer), (new, 1, burn)]];
    for batch in batches {
        let batch = batch.map(|(from, nonce, operation)| signed(&ledger, from, nonce, operation));
        let mut executed = Touched::default();
        batch.iter().try_for_each(|signed| executed.execute(&ledger.token, &ledger.cells, signed)).unwrap();
        let submission = ledger.prove(&batch);
        let statement = submission.statement(&ledger.target(), &ledger.cells);
        assert_eq!(statement, Ok(executed.statement(&ledger.token)));
        assert!(accepted(&ledger.submit(&submission)));
        ledger.follow(&submission).unwrap();
        assert_eq!(ledger.head(), ledger.last);
    }
    let account = &ledger.cells[&new];
    assert_eq!((account.balance, account.nonce), (500 + 60 - 100 - 7 - 2 * FEE, 2));
}

/// More slots than a batch has: replicas could not read the payload, hence nothing is proven.
#[test]
fn what_replicas_cannot_read_is_not_proven() {
    let ledger = Ledger::new();
    let target = Target { slots: 1025, ..ledger.target() };
    let batch = [ledger.transfer([1, 2], 500)];
    let refused = prove(key(), &target, &ledger.cells, &batch, &mut rng(5));
    let Err(ProofError::Refused(invalid)) = refused else { panic!("{refused:?}") };
    assert_eq!(invalid, crate::Invalid("no batch has so many slots"));
}
