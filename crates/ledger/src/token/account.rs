//! Accounts, and their names.

use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::signature::PublicKey;

/// The number of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub u32);

impl Canonical for Index {
    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        u32::read(r).map(Self)
    }
}

/// An account: 76 bytes, the key (64), the balance and the next nonce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Signs for the account, and never changes.
    pub key: PublicKey,
    /// What the account owns, in the smallest unit.
    pub balance: u64,
    /// The number of transactions that it has sent.
    pub nonce: u32,
}

impl Canonical for Account {
    fn write(&self, w: &mut Writer) {
        self.key.write(w);
        w.u64(self.balance);
        w.u32(self.nonce);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let key = PublicKey::read(r)?;
        Ok(Self { key, balance: r.u64().ok_or(SHORT)?, nonce: r.u32().ok_or(SHORT)? })
    }
}
