//! The values of a circuit's slots: what each transfer finds.

use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point};
use curve::{AdditiveGroup, AffineRepr, CurveGroup};
use snark::schnorr::{challenge, challenge_scalar};

use super::Claim;
use crate::machine::{Machine, Signed, State, Touched};
use crate::statement::Statement;
use crate::token::{Account, Index, Operation, Refusal, Token, Transaction};

/// What an access finds: an account, and the time of the last access to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The balance.
    pub balance: Fr,
    /// The nonce.
    pub nonce: Fr,
    /// The key's coordinates.
    pub key: (Fr, Fr),
    /// 0 for a cell that no slot has accessed.
    pub time: u64,
}

/// The values of a slot. They are elements of the field: the circuit is what says that they are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Nothing is transferred.
    pub padding: bool,
    /// The sender's number.
    pub from: Fr,
    /// The recipient's.
    pub to: Fr,
    /// What is transferred.
    pub amount: Fr,
    /// The transaction's memo.
    pub memo: Fr,
    /// The sender's account.
    pub sender: Found,
    /// The recipient's account, after the sender has paid.
    pub recipient: Found,
    /// Challenge and response.
    pub signature: (u128, Scalar),
}

/// A batch in the slots of a circuit.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Transfers, then padding.
    pub slots: Vec<Slot>,
    /// The touched cells.
    pub statement: Statement<Token>,
    /// When each cell was last accessed.
    pub times: Vec<u32>,
    /// When the padding account was.
    pub padding_time: u32,
    /// What else the proof is bound to: see [`Claim::context`].
    pub context: [u8; 32],
}

/// The reason that a batch has no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unprovable {
    /// More transactions than slots.
    #[error("{transactions} transactions do not fit into {slots} slots")]
    TooMany {
        /// There are so many.
        transactions: usize,
        /// And so many slots.
        slots: usize,
    },
    /// A transaction of another kind.
    #[error("transaction {0} is no transfer: there is a circuit of transfers alone")]
    NotTransfer(usize),
    /// The rules refuse a transaction.
    #[error("transaction {position}: {refusal}")]
    Refused {
        /// Its position.
        position: usize,
        /// Why.
        refusal: Refusal,
    },
}

impl Found {
    fn of(account: &Account, time: u64) -> Self {
        let key = (account.key.x(), account.key.y());
        Self { balance: Fr::from(account.balance), nonce: Fr::from(account.nonce), key, time }
    }
}

impl Trace {
    /// Executes a batch by the machine's rules. Signatures are not checked: of a wrong one there is no proof.
    ///
    /// # Errors
    /// If it does not fit into the slots, has a transaction that is no transfer, or one that the rules refuse.
    pub fn of(
        machine: &Token,
        state: &impl State<Token>,
        batch: &[Signed<Transaction>],
        slots: usize,
    ) -> Result<Self, Unprovable> {
        if batch.len() > slots {
            return Err(Unprovable::TooMany { transactions: batch.len(), slots });
        }
        let mut touched = Touched::default();
        let mut times: BTreeMap<Index, u64> = BTreeMap::new();
        let mut list = Vec::with_capacity(slots);
        for (position, signed) in batch.iter().enumerate() {
            let Operation::Transfer { to, amount, memo } = signed.transaction.operation else {
                return Err(Unprovable::NotTransfer(position));
            };
            let from = signed.transaction.from;
            let read = touched.read(state, &[from, to]);
            let refused = |refusal| Unprovable::Refused { position, refusal };
            touched.apply(machine, state, &signed.transaction).map_err(refused)?;
            let [Some(sender), Some(recipient)] = &read[..] else {
                return Err(refused(Refusal::UnknownRecipient(to.0)));
            };
            let debit = machine.debit(&signed.transaction.operation).map_err(refused)?;
            let now = 2 * position as u64 + 1;
            let mut access = |index, time| times.insert(index, time).unwrap_or(0);
            let sender_found = Found::of(sender, access(from, now));
            let mut recipient_found = Found::of(recipient, access(to, now + 1));
            if from == to {
                recipient_found.balance -= Fr::from(debit);
                recipient_found.nonce += Fr::from(1u64);
            }
            list.push(Slot {
                padding: false,
                from: Fr::from(from.0),
                to: Fr::from(to.0),
                amount: Fr::from(amount),
                memo: Fr::from(memo),
                sender: sender_found,
                recipient: recipient_found,
                signature: (signed.signature.challenge, signed.signature.response),
            });
        }
        let padding_time = pad(&mut list, slots, machine.domain().element());
        let statement = touched.statement(machine);
        let times = statement.cells.iter().map(|change| times[&change.key] as u32).collect();
        Ok(Self { slots: list, statement, times, padding_time, context: [0; 32] })
    }

    /// What a verifier is told.
    #[must_use]
    pub fn claim(&self, fee: u64) -> Claim<'_> {
        let Self { statement, times, padding_time, context, .. } = self;
        Claim { statement, fee, times, padding_time: *padding_time, context: *context }
    }
}

/// Fills up with padding. Returns the time of the last access to the padding account.
fn pad(list: &mut Vec<Slot>, slots: usize, domain: Fr) -> u32 {
    if list.len() == slots {
        return 0;
    }
    let base = Point::generator();
    let signature = padding_signature(domain);
    let mut last = 0;
    for i in list.len()..slots {
        let found = |time| Found { balance: Fr::ZERO, nonce: Fr::ZERO, key: (base.x, base.y), time };
        list.push(Slot {
            padding: true,
            from: Fr::ZERO,
            to: Fr::ZERO,
            amount: Fr::ZERO,
            memo: Fr::ZERO,
            sender: found(last),
            recipient: found(2 * i as u64 + 1),
            signature,
        });
        last = 2 * i as u64 + 2;
    }
    last as u32
}

/// A signature of nothing by the key whose secret is 1.
fn padding_signature(domain: Fr) -> (u128, Scalar) {
    let base = Point::generator();
    let mut nonce = Scalar::from(1u64);
    loop {
        let commitment = (base * nonce).into_affine();
        if let Some(c) = challenge(domain, commitment.x, base.x, &[Fr::ZERO, Fr::ZERO]) {
            return (c, nonce + challenge_scalar(c));
        }
        nonce += Scalar::from(1u64);
    }
}
