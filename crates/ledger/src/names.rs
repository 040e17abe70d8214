//! A registry of names: the machine to copy.
//!
//! A machine is five things, and this file has them in their order: the rules ([`Names`]), the cells ([`Name`], [`Entry`]), the transactions ([`Transaction`]), the
//! transition ([`Machine::apply`]), and what is signed ([`Machine::message`]). Everything else follows: plain execution, statements, blocks, leases, the log and the
//! index. A machine with a circuit has a proof too; without one its blocks are plain.
//!
//! Names belong to keys. Whoever registers a name signs with the key that will own it; an owner writes a value of 31 bytes, gives the name away, or
//! releases it. A name that was released keeps its counter, so that no old signature is of use when it is registered again.
//!
//! (notes: ledger-machine)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::machine::{Compact, Machine};
use crate::signature::{Message, PublicKey};
use curve::grumpkin::{Fq, decode_fq, from_words};
use curve::{BigInteger, PrimeField};

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// Tells apart registries with the same rules.
    pub chain: u64,
    /// The fewest letters of a name.
    pub shortest: u8,
}

/// A name: 1 to 31 of the characters `a` to `z`, `0` to `9` and `-`, and zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name([u8; 31]);

/// What a registry has on a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who has it, if anybody.
    pub owner: Option<PublicKey>,
    /// Any 31 bytes: a digest, an address.
    pub value: [u8; 31],
    /// The number of transactions on it.
    pub counter: u32,
}

/// A transaction on a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The name.
    pub name: Name,
    /// The number of transactions on it before.
    pub counter: u32,
    /// What to do.
    pub action: Action,
}

/// What a transaction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Takes a free name. Signed by this key.
    Register(PublicKey),
    /// Writes the value.
    Write([u8; 31]),
    /// Gives the name to this key.
    Give(PublicKey),
    /// Makes the name free.
    Release,
}

/// The reason that a transaction is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Shorter than the rules allow.
    #[error("the name has fewer than {0} letters")]
    TooShort(u8),
    /// Somebody has it.
    #[error("the name is taken")]
    Taken,
    /// Nobody has it.
    #[error("nobody has the name")]
    Free,
    /// A transaction was left out, or comes twice.
    #[error("the counter is {found}, the name's next one is {expected}")]
    Counter {
        /// The name's.
        expected: u32,
        /// The transaction's.
        found: u32,
    },
    /// No further transaction has a number.
    #[error("the name has used up its counter")]
    UsedUp,
}

impl Name {
    /// A name from text.
    ///
    /// # Errors
    /// If it is empty, too long, or has another character.
    pub fn new(text: &str) -> Result<Self, Malformed> {
        let mut name = [0; 31];
        let part = name.get_mut(..text.len()).ok_or(Malformed("a name of more than 31 letters"))?;
        part.copy_from_slice(text.as_bytes());
        Self::from_array(name)
    }

    fn from_array(name: [u8; 31]) -> Result<Self, Malformed> {
        let length = name.iter().position(|letter| *letter == 0).unwrap_or(name.len());
        let (letters, rest) = name.split_at(length);
        let known = |letter: &u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let right = !letters.is_empty() && letters.iter().all(known) && rest.iter().all(|zero| *zero == 0);
        if right { Ok(Self(name)) } else { Err(Malformed("no name: a to z, 0 to 9 and - alone")) }
    }

    fn letters(&self) -> usize {
        self.0.iter().filter(|letter| **letter != 0).count()
    }
}

impl Canonical for Names {
    fn write(&self, w: &mut Writer) {
        w.u64(self.chain);
        w.u8(self.shortest);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { chain: r.u64().ok_or(SHORT)?, shortest: r.u8().ok_or(SHORT)? })
    }
}

impl Canonical for Name {
    fn write(&self, w: &mut Writer) {
        w.bytes(&self.0);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Self::from_array(r.array().ok_or(SHORT)?)
    }
}

impl Canonical for Entry {
    fn write(&self, w: &mut Writer) {
        w.u8(u8::from(self.owner.is_some()));
        if let Some(owner) = &self.owner {
            owner.write(w);
        }
        w.bytes(&self.value);
        w.u32(self.counter);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let owner = match r.u8() {
            Some(0) => None,
            Some(1) => Some(PublicKey::read(r)?),
            _ => return Err(Malformed("an entry begins with 0 or 1")),
        };
        Ok(Self { owner, value: r.array().ok_or(SHORT)?, counter: r.u32().ok_or(SHORT)? })
    }
}

impl Canonical for Transaction {
    fn write(&self, w: &mut Writer) {
        w.u8(self.action.kind());
        self.name.write(w);
        w.u32(self.counter);
        match &self.action {
            Action::Register(key) | Action::Give(key) => key.write(w),
            Action::Write(value) => w.bytes(value),
            Action::Release => {}
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let kind = r.u8().ok_or(SHORT)?;
        let (name, counter) = (Name::read(r)?, r.u32().ok_or(SHORT)?);
        let action = match kind {
            1 => Action::Register(PublicKey::read(r)?),
            2 => Action::Write(r.array().ok_or(SHORT)?),
            3 => Action::Give(PublicKey::read(r)?),
            4 => Action::Release,
            _ => return Err(Malformed("an unknown kind of transaction")),
        };
        Ok(Self { name, counter, action })
    }
}

impl Action {
    fn kind(&self) -> u8 {
        match self {
            Self::Register(_) => 1,
            Self::Write(_) => 2,
            Self::Give(_) => 3,
            Self::Release => 4,
        }
    }
}

impl Machine for Names {
    const NAME: &'static str = "names";
    type Key = Name;
    type Value = Entry;
    type Transaction = Transaction;
    type Refusal = Refusal;

    fn cells(&self, t: &Transaction) -> Vec<Name> {
        vec![t.name]
    }

    fn signer(&self, t: &Transaction, cells: &[Option<Entry>]) -> Result<PublicKey, Refusal> {
        match (&t.action, cells.first().and_then(Option::as_ref)) {
            (Action::Register(key), _) => Ok(*key),
            (_, Some(Entry { owner: Some(owner), .. })) => Ok(*owner),
            _ => Err(Refusal::Free),
        }
    }

    /// `w0 = kind + 2^8 counter + 2^40 (1 if the key's y is odd)`, `w1` the name, `w2` the value or the key's x.
    fn message(&self, t: &Transaction) -> Message {
        let (last, odd) = match &t.action {
            Action::Register(key) | Action::Give(key) => (key.x(), key.y().into_bigint().is_odd()),
            Action::Write(value) => (element(value), false),
            Action::Release => (from_words([0; 3]), false),
        };
        let head = u64::from(t.action.kind()) | u64::from(t.counter) << 8 | u64::from(odd) << 40;
        Message([from_words([head, 0, 0]), element(&t.name.0), last])
    }

    fn apply(&self, t: &Transaction, cells: &mut [Option<Entry>]) -> Result<(), Refusal> {
        if t.name.letters() < usize::from(self.shortest) {
            return Err(Refusal::TooShort(self.shortest));
        }
        let free = Entry { owner: None, value: [0; 31], counter: 0 };
        let [cell] = cells else { return Err(Refusal::Free) };
        let entry = cell.clone().unwrap_or(free);
        if t.counter != entry.counter {
            return Err(Refusal::Counter { expected: entry.counter, found: t.counter });
        }
        let counter = entry.counter.checked_add(1).ok_or(Refusal::UsedUp)?;
        let (owner, value) = match (&t.action, entry.owner) {
            (Action::Register(_), Some(_)) => return Err(Refusal::Taken),
            (Action::Register(key), None) => (Some(*key), [0; 31]),
            (_, None) => return Err(Refusal::Free),
            (Action::Write(value), owner) => (owner, *value),
            (Action::Give(key), _) => (Some(*key), entry.value),
            (Action::Release, _) => (None, [0; 31]),
        };
        *cell = Some(Entry { owner, value, counter });
        Ok(())
    }
}

/// Batches leave nothing out.
impl Compact for Names {}

/// 31 bytes as an element.
fn element(bytes: &[u8; 31]) -> Fq {
    let mut padded = [0; 32];
    padded[..31].copy_from_slice(bytes);
    decode_fq(&padded).expect("31 bytes are reduced")
}
