//! Provers that deviate from the rules in one thing.

use curve::PrimeField;
use snark::r1cs::{Builder, Circuit};

use super::differential::{executed, forced};
use super::*;
use crate::statement::Change;

const PRODUCTS: Result<(), &str> = Err("memory: products");
const UNSIGNED: Result<(), &str> = Err("schnorr: challenge");

/// Transactions that the rules refuse, all of them signed by the accounts' keys, with balances and nonces that would follow.
#[test]
fn transactions_that_the_rules_refuse_have_no_proof() {
    let minted = Err("slot: mint by the issuer");
    let mut redirected = transfer([3, 4], 1, 30);
    redirected.transaction.operation = Operation::Transfer { to: Index(0), amount: 1, memo: 1 ^ 0xabcd };
    let cases = [
        (vec![transfer([3, 3], 0, 30)], Err("slot: amount is not 0")),
        (vec![mint([0, 0], 0, 0)], Err("slot: amount is not 0")),
        (vec![transfer([3, 4], 99, 30)], PRODUCTS),
        (vec![transfer([3, 4], 1, 31)], UNSIGNED),
        (vec![transfer([77, 3], 1, 0)], UNSIGNED),
        (vec![redirected], UNSIGNED),
        // To an account that does not exist.
        (vec![transfer([3, 77], 1, 30)], PRODUCTS),
        (vec![mint([0, 77], 1, 0)], PRODUCTS),
        // Mints by others, and of more than the issuer holds.
        (vec![mint([3, 4], 1, 30)], minted),
        (vec![create([4, NEW], 50, 40), mint([NEW, 3], 1, 0)], minted),
        (vec![mint([0, 4], 501, 0)], PRODUCTS),
        (vec![mint([0, 4], u64::MAX, 0)], PRODUCTS),
        // Burns of more than is held, and of what the fee needs.
        (vec![burn(3, 101, 30)], PRODUCTS),
        (vec![burn(3, 99, 30)], PRODUCTS),
        (vec![burn(77, 1, 0), burn(3, 1, 30)], UNSIGNED),
        // Creates: over an account, over oneself, twice, of more than is held, used before.
        (vec![create([4, 3], 1, 40)], PRODUCTS),
        (vec![create([4, 4], 1, 40)], PRODUCTS),
        (vec![create([4, NEW], 1, 40), create([4, NEW], 1, 41)], PRODUCTS),
        (vec![create([4, NEW], 1, 40), create([3, NEW], 1, 30)], PRODUCTS),
        (vec![create([3, NEW], 99, 30)], PRODUCTS),
        (vec![transfer([4, NEW], 1, 40), create([4, NEW], 1, 41)], PRODUCTS),
        (vec![create([4, NEW], 9, 40), transfer([NEW, 3], 8, 0)], PRODUCTS),
        (vec![create([4, NEW], 9, 40), transfer([NEW, 3], 1, 1)], UNSIGNED),
        // A transaction twice, and two in the wrong order.
        (vec![transfer([3, 4], 5, 30), transfer([3, 4], 5, 30)], UNSIGNED),
        (vec![transfer([4, 3], 1, 41), transfer([4, 4], 1, 40)], UNSIGNED),
    ];
    for (batch, label) in cases {
        assert!(!executed(&batch), "{batch:?}");
        assert_eq!(verdict(&forced(&batch, 2)), label, "{batch:?}");
    }
}

fn changed(change: impl Fn(&mut Trace)) -> Result<(), &'static str> {
    let mut trace = trace();
    change(&mut trace);
    verdict(&trace)
}

/// The account after the batch: 0 is the issuer, 1 is account 3, 2 is account 4, 3 the new one.
fn after(trace: &mut Trace, cell: usize) -> &mut Account {
    trace.statement.cells[cell].after.as_mut().expect("an account")
}

#[test]
fn what_is_found_is_what_was_left() {
    assert_eq!(changed(|_| ()), Ok(()));
    // Account 3 as it was before the batch, although it has received since; a balance that is not there; a new account with a history.
    let stale = |t: &mut Trace| {
        t.slots[4].sender = Found { time: 0, balance: Fr::from(100u64), ..t.slots[4].sender };
    };
    assert_eq!(changed(stale), PRODUCTS);
    assert_eq!(changed(|t| t.slots[2].sender.balance += Fr::ONE), PRODUCTS);
    assert_eq!(changed(|t| t.slots[2].other.nonce += Fr::ONE), PRODUCTS);
    assert_eq!(changed(|t| t.slots[0].other.nonce += Fr::ONE), PRODUCTS);
    assert_eq!(changed(|t| t.slots[0].other.balance += Fr::ONE), PRODUCTS);
    let history = |t: &mut Trace| {
        t.slots[0].other.balance += Fr::ONE;
        t.slots[1].other.balance += Fr::ONE;
        t.slots[2].sender.balance += Fr::ONE;
        after(t, 3).balance += 1;
    };
    assert_eq!(changed(history), PRODUCTS);
    // More than there is, as a negative amount in the other direction.
    assert_eq!(changed(|t| t.slots[2].amount = -Fr::from(5u64)), UNSIGNED);
}

#[test]
fn what_was_not_signed_is_not_done() {
    for slot in 0..5 {
        assert_eq!(changed(|t| t.slots[slot].amount += Fr::ONE), UNSIGNED);
        let word = changed(|t| t.slots[slot].word += Fr::ONE);
        assert_eq!(word, if slot == 0 { Err("slot: key that was signed") } else { UNSIGNED });
        let to = changed(|t| t.slots[slot].to += Fr::ONE);
        assert_eq!(to, if slot == 4 { Err("slot: burn of one's own") } else { UNSIGNED });
    }
    // Every kind passed off as every other one, and as padding.
    let kinds = [Kind::Create, Kind::Mint, Kind::Transfer, Kind::Burn].map(Selectors::from);
    let padding = Selectors { padding: true, ..Selectors::default() };
    for slot in 0..6 {
        for selectors in kinds.into_iter().chain([padding]) {
            let verdict = changed(|t| t.slots[slot].selectors = selectors);
            assert_eq!(verdict.is_ok(), selectors == trace().slots[slot].selectors, "{slot} {selectors:?}");
        }
    }
    // Where nothing but the number of the kind stops it: the issuer's mint to itself as its transfer, and the other way round, without the fee.
    let confused = |batch: Signed<Transaction>, as_if: Signed<Transaction>| {
        let mut trace = forced(&[as_if], 2);
        trace.slots[0].signature = (batch.signature.challenge, batch.signature.response);
        verdict(&trace)
    };
    assert_eq!(confused(transfer([0, 0], 5, 0), mint([0, 0], 5, 0)), UNSIGNED);
    assert_eq!(confused(mint([0, 0], 5, 0), transfer([0, 0], 5, 0)), UNSIGNED);
    assert_eq!(confused(transfer([3, 3], 5, 30), burn(3, 5, 30)), UNSIGNED);
}

/// A transfer of the issuer to itself as a mint and a burn at once: the signed number is 2 + 4 - 3 = 3, that of a transfer, and there is no fee.
#[test]
fn a_slot_is_of_one_kind() {
    let mut trace = forced(&[transfer([0, 0], 1, 0)], 2);
    assert_eq!(verdict(&trace), Ok(()));
    trace.slots[0].selectors = Selectors { mint: true, burn: true, ..Selectors::default() };
    trace.slots[0].other.balance = Fr::from(499u64);
    after(&mut trace, 0).balance = 499;
    assert_eq!(verdict(&trace), Err("slot: one kind"));
}

/// A burn whose signed word names another account, of which there is no transaction.
#[test]
fn a_burn_names_its_own_account() {
    let honest = burn(3, 5, 30);
    let mut trace = forced(&[honest.clone(), transfer([4, 3], 1, 40)], 2);
    assert_eq!(verdict(&trace), Ok(()));
    let mut words = words(&honest.transaction);
    words[0] += Fr::from(1u64 << 40);
    let signature = sign(secret(3), TOKEN.domain().element(), &words);
    let four = &state()[&Index(4)];
    let found = |time| Found {
        balance: four.balance.into(),
        nonce: four.nonce.into(),
        key: (four.key.x(), four.key.y()),
        time,
    };
    let slot = &mut trace.slots[0];
    (slot.to, slot.other, slot.signature) =
        (Fr::from(4u64), found(0), (signature.challenge, signature.response));
    trace.slots[1].sender = found(2);
    trace.slots[1].other.time = 1;
    assert_eq!(verdict(&trace), Err("slot: burn of one's own"));
}

#[test]
fn new_accounts_have_the_key_that_was_signed() {
    // Another key, in the slots and in the claim, whose owner then signs.
    let swap = |t: &mut Trace| {
        let key = public(8);
        for slot in [0, 1] {
            t.slots[slot].other.key = (key.x(), key.y());
        }
        t.slots[2].sender.key = (key.x(), key.y());
        let signature = sign(secret(8), TOKEN.domain().element(), &words(&batch()[2].transaction));
        t.slots[2].signature = (signature.challenge, signature.response);
        after(t, 3).key = key;
    };
    assert_eq!(changed(swap), Err("slot: key that was signed"));
    assert_eq!(changed(|t| (swap(t), t.slots[0].word = public(8).x()).1), UNSIGNED);
    assert_eq!(changed(|t| after(t, 3).key = public(8)), PRODUCTS);
    // The negative of the key, for which the same secret signs: the claim has the point with an even y, and no other.
    let negative = |t: &mut Trace| {
        for slot in [0, 1] {
            t.slots[slot].other.key.1 = -t.slots[slot].other.key.1;
        }
        t.slots[2].sender.key.1 = -t.slots[2].sender.key.1;
        let signature = sign(-secret(NEW), TOKEN.domain().element(), &words(&batch()[2].transaction));
        t.slots[2].signature = (signature.challenge, signature.response);
    };
    assert_eq!(changed(negative), PRODUCTS);
    let point = -*public(NEW).point();
    assert!(PublicKey::from_point(point).is_err());
}

#[test]
fn accounts_are_opened_by_creates_alone() {
    // A transfer and a mint to a number without an account, which the claim opens with a key of the prover's.
    let open = |t: &mut Trace, balance| {
        let key = public(NEW);
        t.slots[0].other.key = (key.x(), key.y());
        let account = Account { key, balance, nonce: 0 };
        t.statement.cells.push(Change { key: Index(NEW), before: None, after: Some(account) });
        t.times.push(2);
    };
    for unopened in [transfer([3, NEW], 5, 30), mint([0, NEW], 5, 0)] {
        let mut trace = forced(&[unopened], 2);
        open(&mut trace, 5);
        assert_eq!(verdict(&trace), PRODUCTS);
    }
    // The claim says that there was no account where there is one: its balance would be lost.
    assert_eq!(changed(|t| t.statement.cells[1].before = None), PRODUCTS);
    // A create whose claim says that the account was there, with nothing in it.
    let there = |t: &mut Trace| {
        let key = public(NEW);
        t.statement.cells[3].before = Some(Account { key, balance: 0, nonce: 0 });
    };
    assert_eq!(changed(there), PRODUCTS);
    // An account without a key signs for itself: any slope is that of (0, 0) through (0, 0). It has no balance to pay with.
    let keyless = |t: &mut Trace| {
        let time = t.slots[0].other.time;
        t.slots[2].sender = Found { time, ..Found::default() };
    };
    assert!(changed(keyless).is_err());
}

#[test]
fn padding_is_no_account() {
    // A slot that is passed off as padding still is no padding account.
    let pass_off = |t: &mut Trace| {
        let (padding, slot) = (t.slots[5], t.slots[0]);
        t.slots[0] =
            Slot { from: slot.from, to: slot.to, sender: Found { time: 0, ..slot.sender }, ..padding };
    };
    assert_eq!(changed(pass_off), UNSIGNED);
    // From the padding account, whose secret is known to all: the signature is right.
    for operation in [
        Operation::Transfer { to: Index(3), amount: 5, memo: 0 },
        Operation::Mint { to: Index(3), amount: 5, memo: 0 },
        Operation::Create { to: Index(3), amount: 5, key: public(3) },
    ] {
        let from_padding = |t: &mut Trace| {
            let transaction = Transaction { from: Index(0), nonce: 0, operation: operation.clone() };
            let words = words(&transaction);
            let signature = sign(Scalar::ONE, TOKEN.domain().element(), &words);
            let slot = &mut t.slots[5];
            (slot.selectors, slot.to, slot.amount) =
                (operation.kind().into(), Fr::from(3u64), Fr::from(5u64));
            (slot.word, slot.signature) = (words[1], (signature.challenge, signature.response));
            slot.other.key = (public(3).x(), public(3).y());
        };
        assert_eq!(changed(from_padding), PRODUCTS, "{operation:?}");
    }
}

#[test]
fn claims_are_bound_and_checked() {
    assert_eq!(changed(|t| after(t, 1).balance += 1), PRODUCTS);
    assert_eq!(changed(|t| after(t, 2).nonce += 1), PRODUCTS);
    assert_eq!(changed(|t| after(t, 3).nonce += 1), PRODUCTS);
    assert_eq!(changed(|t| after(t, 3).balance += 1), PRODUCTS);
    assert_eq!(changed(|t| t.statement.cells[1].before.as_mut().unwrap().balance += 1), PRODUCTS);
    assert_eq!(changed(|t| t.statement.cells[3].key.0 += 1), PRODUCTS);
    assert_eq!(changed(|t| t.times[3] += 1), PRODUCTS);
    assert_eq!(changed(|t| t.padding_time = 0), PRODUCTS);
    assert_eq!(changed(|t| t.statement.domain.0[0] ^= 1), UNSIGNED);
    assert_eq!(changed(|t| t.issuer.0 += 1), Err("slot: mint by the issuer"));
    assert_eq!(changed(|t| t.fee -= 1), PRODUCTS);
    let forget = |t: &mut Trace| {
        t.statement.cells.pop();
        t.times.pop();
    };
    assert_eq!(changed(forget), PRODUCTS);
    let invalid = |change: fn(&mut Trace)| changed(change).expect_err("the claim is refused");
    assert_eq!(invalid(|t| t.times.push(1)), "not one time for each touched cell");
    assert_eq!(
        invalid(|t| t.statement.cells[1].key = t.statement.cells[0].key),
        "the touched cells are not in strictly increasing order"
    );
    assert_eq!(
        invalid(|t| t.statement.cells[0].after = None),
        "an account is closed, which no transaction does"
    );
    assert_eq!(invalid(|t| after(t, 0).key = public(3)), "an account changes its key");
    let rich = |t: &mut Trace| {
        t.statement
            .cells
            .iter_mut()
            .filter_map(|c| c.before.as_mut())
            .for_each(|account| account.balance = 1 << 63);
    };
    assert_eq!(changed(rich), Err("the touched accounts together hold 2^64 or more"));
}

/// Fee and issuer are one public input, which has other parts if their ranges are not checked.
#[test]
fn fee_and_issuer_have_their_ranges() {
    struct Parts(Fr);
    impl Circuit<Fr> for Parts {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let _ = rules(builder, Fr::from(7u64 + (5 << 32)), self.0);
        }
    }
    let verdict = |fee: Fr| Assignment::of(&Parts(fee)).violated.map(|violated| violated.label);
    assert_eq!(verdict(Fr::from(5u64)), None);
    for other in [4u64, 6, 0] {
        assert_eq!(verdict(Fr::from(other)), Some("rules: issuer"));
    }
    // Issuer 8 instead of 7.
    let fee = Fr::from(5u64) - Fr::from(1u64 << 32).inverse().unwrap();
    assert!(fee.into_bigint().0[1] > 0);
    assert_eq!(verdict(fee), Some("rules: fee"));
}
