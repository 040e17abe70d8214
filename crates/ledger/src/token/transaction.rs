//! Transactions of the token machine, and the words that are signed.
//!
//! ```text
//!  w0 = kind + 2^8 from + 2^40 to + 2^72 amount + 2^136 nonce      168 bits: kind 8, from 32, to 32, amount 64, nonce 32
//!  w1 = memo (64 bits), or the new account's key.x
//! ```
//! Of a burn `to` is `from`. Kinds are 1 create, 2 mint, 3 transfer, 4 burn; 0 is padding, which is signed by nobody. The words determine the
//! transaction, because `key.x` determines a key. (notes: ledger-token)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use super::Index;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::signature::{Message, PublicKey};
use curve::Zero;
use curve::grumpkin::Fq;

/// A transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The account that pays and signs.
    pub from: Index,
    /// The number of its transactions before this one.
    pub nonce: u32,
    /// What it does.
    pub operation: Operation,
}

/// What a transaction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Opens an account.
    Create {
        /// Its number.
        to: Index,
        /// Its first balance.
        amount: u64,
        /// Its key.
        key: PublicKey,
    },
    /// Issues.
    Mint {
        /// To this account.
        to: Index,
        /// So much.
        amount: u64,
        /// Any number, for whoever reads the transaction.
        memo: u64,
    },
    /// Pays.
    Transfer {
        /// To this account.
        to: Index,
        /// So much.
        amount: u64,
        /// Any number, for whoever reads the transaction.
        memo: u64,
    },
    /// Destroys.
    Burn {
        /// So much.
        amount: u64,
        /// Any number, for whoever reads the transaction.
        memo: u64,
    },
}

/// Numbers of the operations, in messages and encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// [`Operation::Create`].
    Create = 1,
    /// [`Operation::Mint`].
    Mint = 2,
    /// [`Operation::Transfer`].
    Transfer = 3,
    /// [`Operation::Burn`].
    Burn = 4,
}

impl Operation {
    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Create { .. } => Kind::Create,
            Self::Mint { .. } => Kind::Mint,
            Self::Transfer { .. } => Kind::Transfer,
            Self::Burn { .. } => Kind::Burn,
        }
    }

    /// The amount.
    #[must_use]
    pub fn amount(&self) -> u64 {
        match self {
            Self::Create { amount, .. }
            | Self::Mint { amount, .. }
            | Self::Transfer { amount, .. }
            | Self::Burn { amount, .. } => *amount,
        }
    }
}

impl Transaction {
    /// The account that is credited.
    #[must_use]
    pub fn to(&self) -> Option<Index> {
        match self.operation {
            Operation::Create { to, .. } | Operation::Mint { to, .. } | Operation::Transfer { to, .. } => {
                Some(to)
            }
            Operation::Burn { .. } => None,
        }
    }

    /// The account beside the sender that a proof accesses: of a burn the sender again.
    #[must_use]
    pub fn other(&self) -> Index {
        self.to().unwrap_or(self.from)
    }

    /// The signed words.
    #[must_use]
    pub fn message(&self) -> Message {
        let [from, to] = [self.from, self.other()].map(|index| u64::from(index.0));
        let (amount, nonce) = (self.operation.amount(), u64::from(self.nonce));
        let low = self.operation.kind() as u64 | from << 8 | to << 40;
        let middle = to >> 24 | amount << 8;
        let high = amount >> 56 | nonce << 8;
        let packed = curve::grumpkin::from_words([low, middle, high]);
        let second = match &self.operation {
            Operation::Create { key, .. } => key.x(),
            Operation::Mint { memo, .. }
            | Operation::Transfer { memo, .. }
            | Operation::Burn { memo, .. } => Fq::from(*memo),
        };
        Message([packed, second, Fq::zero()])
    }
}

/// ```text
///  kind u8 | from u32 | nonce varint | to u32, but of a burn | amount varint | memo varint, or key 64
/// ```
impl Canonical for Transaction {
    fn write(&self, w: &mut Writer) {
        w.u8(self.operation.kind() as u8);
        self.from.write(w);
        write_varint(w, u64::from(self.nonce));
        if let Some(to) = self.to() {
            to.write(w);
        }
        write_varint(w, self.operation.amount());
        match &self.operation {
            Operation::Create { key, .. } => key.write(w),
            Operation::Mint { memo, .. }
            | Operation::Transfer { memo, .. }
            | Operation::Burn { memo, .. } => {
                write_varint(w, *memo);
            }
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let kind = r.u8().ok_or(SHORT)?;
        let from = Index::read(r)?;
        let nonce = u32::try_from(read_varint(r)?).map_err(|_| Malformed("a nonce of more than 32 bits"))?;
        let operation = match kind {
            1 => Operation::Create { to: Index::read(r)?, amount: read_varint(r)?, key: PublicKey::read(r)? },
            2 => Operation::Mint { to: Index::read(r)?, amount: read_varint(r)?, memo: read_varint(r)? },
            3 => Operation::Transfer { to: Index::read(r)?, amount: read_varint(r)?, memo: read_varint(r)? },
            4 => Operation::Burn { amount: read_varint(r)?, memo: read_varint(r)? },
            _ => return Err(Malformed("an unknown kind of transaction")),
        };
        Ok(Self { from, nonce, operation })
    }
}
