//! The token machine's batches without what a replica knows: nonces, which the state has, and memos, which have no effect.
//!
//! ```text
//!  transaction  head varint (4 from + kind - 1) | to varint, but of a burn | amount varint | key 64, of a create
//!  key          varint (the number less the one before, less 1; the first one itself)
//!  change       new account:  0 u8 | key 64 | balance varint | nonce varint
//!               otherwise:    head varint (1 + 2 more nonces + (1 if the balance is less)) | difference varint
//! ```
//! A balance that stays is no less one. Who sends raises a nonce and who receives gets 1 or more, so an account that stays as it is was not touched. (notes: ledger-codec)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use super::{Account, Index, Kind, Operation, Token, Transaction};
use crate::codec::{Canonical, Malformed, Reader, Writer, read_varint, write_varint};
use crate::machine::{Compact, State};
use crate::signature::PublicKey;
use crate::statement::{Call, Change, Statement};

impl Compact for Token {
    fn called(&self, state: &impl State<Self>, call: &Call) -> Result<Statement<Self>, Malformed> {
        crate::evm::statement(self, state, call)
    }

    fn write_effect(&self, t: &Transaction, w: &mut Writer) {
        write_varint(w, u64::from(t.from.0) << 2 | (t.operation.kind() as u64 - 1));
        if let Some(to) = t.to() {
            write_varint(w, u64::from(to.0));
        }
        write_varint(w, t.operation.amount());
        if let Operation::Create { key, .. } = &t.operation {
            key.write(w);
        }
    }

    fn read_effect(&self, r: &mut Reader<'_>) -> Result<Transaction, Malformed> {
        let head = read_varint(r)?;
        let from = narrow(head >> 2)?;
        let operation = match head & 3 {
            0 => Operation::Create {
                to: narrow(read_varint(r)?)?,
                amount: read_varint(r)?,
                key: PublicKey::read(r)?,
            },
            1 => Operation::Mint { to: narrow(read_varint(r)?)?, amount: read_varint(r)?, memo: 0 },
            2 => Operation::Transfer { to: narrow(read_varint(r)?)?, amount: read_varint(r)?, memo: 0 },
            _ => Operation::Burn { amount: read_varint(r)?, memo: 0 },
        };
        Ok(Transaction { from, nonce: 0, operation })
    }

    fn complete(&self, t: &mut Transaction, cells: &[Option<Account>]) {
        if let Some(Some(sender)) = cells.first() {
            t.nonce = sender.nonce;
        }
    }

    fn write_change(&self, change: &Change<Self>, w: &mut Writer) {
        let after = change.after.as_ref().expect("accounts do not end");
        let Some(before) = &change.before else {
            w.u8(0);
            after.key.write(w);
            write_varint(w, after.balance);
            return write_varint(w, u64::from(after.nonce));
        };
        assert!(before.nonce <= after.nonce && before.key == after.key, "nonces grow, and keys stay");
        let less = after.balance < before.balance;
        write_varint(w, 1 + (u64::from(after.nonce - before.nonce) << 1) + u64::from(less));
        write_varint(w, after.balance.abs_diff(before.balance));
    }

    fn read_change(
        &self,
        before: Option<&Account>,
        r: &mut Reader<'_>,
    ) -> Result<Option<Account>, Malformed> {
        let head = read_varint(r)?;
        let Some(before) = before else {
            if head != 0 {
                return Err(Malformed("a change of an account that does not exist"));
            }
            let key = PublicKey::read(r)?;
            return Ok(Some(Account { key, balance: read_varint(r)?, nonce: narrow(read_varint(r)?)?.0 }));
        };
        let head = head.checked_sub(1).ok_or(Malformed("a new account that exists already"))?;
        let difference = read_varint(r)?;
        if head == 0 && difference == 0 {
            return Err(Malformed("an account that is touched and stays as it is"));
        }
        let balance = match head & 1 {
            0 => before.balance.checked_add(difference),
            _ if difference == 0 => return Err(Malformed("a balance that is less by 0")),
            _ => before.balance.checked_sub(difference),
        };
        let nonce = before.nonce.checked_add(narrow(head >> 1)?.0);
        let (Some(balance), Some(nonce)) = (balance, nonce) else {
            return Err(Malformed("a balance or nonce out of range"));
        };
        Ok(Some(Account { balance, nonce, ..before.clone() }))
    }

    fn write_key(&self, before: Option<Index>, key: Index, w: &mut Writer) {
        let gap = before.map_or(key.0, |before| key.0 - before.0 - 1);
        write_varint(w, u64::from(gap));
    }

    fn read_key(&self, before: Option<Index>, r: &mut Reader<'_>) -> Result<Index, Malformed> {
        let gap = read_varint(r)?;
        let first = before.map_or(0, |before| u64::from(before.0) + 1);
        narrow(first.checked_add(gap).ok_or(Malformed("a number of more than 32 bits"))?)
    }
}

fn narrow(x: u64) -> Result<Index, Malformed> {
    u32::try_from(x).map(Index).map_err(|_| Malformed("a number of more than 32 bits"))
}

/// Kinds are numbered from 1 on, without a gap: two bits hold one.
const _: () = assert!(Kind::Create as u8 == 1 && Kind::Burn as u8 == 4);
