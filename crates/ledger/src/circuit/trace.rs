//! The values of a circuit's slots: what each transaction finds.

use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point};
use curve::{AdditiveGroup, AffineRepr, CurveGroup, Field};
use snark::schnorr::{challenge, challenge_scalar};

use super::Claim;
use crate::machine::{Machine, Signed, State, Touched};
use crate::statement::Statement;
use crate::token::{Account, Index, Kind, Operation, Refusal, Token, Transaction};

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

/// What a slot does: at most one is 1, none in a transfer. Values for a witness, or cells of a circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selectors<T> {
    /// Nothing.
    pub padding: T,
    /// Opens an account.
    pub create: T,
    /// Issues.
    pub mint: T,
    /// Destroys.
    pub burn: T,
}

impl From<Kind> for Selectors<bool> {
    fn from(kind: Kind) -> Self {
        let [create, mint, burn] = [Kind::Create, Kind::Mint, Kind::Burn].map(|of| of == kind);
        Self { padding: false, create, mint, burn }
    }
}

/// The values of a slot. They are elements of the field: the circuit is what says that they are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// The kind.
    pub selectors: Selectors<bool>,
    /// The number of the account that signs and pays.
    pub from: Fr,
    /// That of the other account: of a burn the same one.
    pub to: Fr,
    /// What is moved.
    pub amount: Fr,
    /// The second signed word: the memo, or the new key's first coordinate.
    pub word: Fr,
    /// The account that signs.
    pub sender: Found,
    /// The other account, after the sender has paid. Of a new one the key that it gets, and zeros.
    pub other: Found,
    /// Challenge and response.
    pub signature: (u128, Scalar),
}

/// A batch in the slots of a circuit.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Transactions, then padding.
    pub slots: Vec<Slot>,
    /// The touched cells.
    pub statement: Statement<Token>,
    /// The fee of the chain.
    pub fee: u64,
    /// The account that mints.
    pub issuer: Index,
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
    /// If it does not fit into the slots, or has a transaction that the rules refuse.
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
            let (from, to) = (signed.transaction.from, signed.transaction.other());
            let before = touched.read(state, &[from, to]);
            let refused = |refusal| Unprovable::Refused { position, refusal };
            touched.apply(machine, state, &signed.transaction).map_err(refused)?;
            let now = 2 * position as u64 + 1;
            let last =
                [(from, now), (to, now + 1)].map(|(index, time)| times.insert(index, time).unwrap_or(0));
            let slot = slot(machine, signed, before, last).map_err(refused)?;
            list.push(slot);
        }
        let padding_time = pad(&mut list, slots, machine.domain().element());
        let statement = touched.statement(machine);
        let times = statement.cells.iter().map(|change| times[&change.key] as u32).collect();
        let Token { fee, issuer, .. } = *machine;
        Ok(Self { slots: list, statement, fee, issuer, times, padding_time, context: [0; 32] })
    }

    /// What a verifier is told.
    #[must_use]
    pub fn claim(&self) -> Claim<'_> {
        let Self { statement, times, .. } = self;
        let Self { fee, issuer, padding_time, context, .. } = *self;
        Claim { statement, fee, issuer, times, padding_time, context }
    }
}

/// The slot of a transaction that the rules accept, with the accounts before it and the times of the last accesses to them.
fn slot(
    machine: &Token,
    signed: &Signed<Transaction>,
    before: Vec<Option<Account>>,
    [sent, credited]: [u64; 2],
) -> Result<Slot, Refusal> {
    let Signed { transaction, signature } = signed;
    let (from, to) = (transaction.from, transaction.other());
    let operation = &transaction.operation;
    let [Some(sender), other] = &before[..] else { return Err(Refusal::UnknownSender(from.0)) };
    let sender = Found::of(sender, sent);
    let other = match (operation, other) {
        (Operation::Create { key, .. }, None) => {
            let key = (key.x(), key.y());
            Found { key, time: credited, ..Found::default() }
        }
        (_, Some(_)) if from == to => {
            let debit = Fr::from(machine.debit(operation)?);
            Found { balance: sender.balance - debit, nonce: sender.nonce + Fr::ONE, time: credited, ..sender }
        }
        (_, Some(account)) => Found::of(account, credited),
        (_, None) => return Err(Refusal::UnknownRecipient(to.0)),
    };
    Ok(Slot {
        selectors: operation.kind().into(),
        from: Fr::from(from.0),
        to: Fr::from(to.0),
        amount: Fr::from(operation.amount()),
        word: transaction.message().0[1],
        sender,
        other,
        signature: (signature.challenge, signature.response),
    })
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
            selectors: Selectors { padding: true, ..Selectors::default() },
            sender: found(last),
            other: found(2 * i as u64 + 1),
            signature,
            ..Slot::default()
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
