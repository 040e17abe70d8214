//! How much of a batch travels: encodings that leave out what a replica knows.

use super::{Machine, State};
use crate::codec::{Canonical, Malformed, Reader, Writer};
use crate::statement::{Call, Change, Statement};

/// Encodings of the effect of a batch, as a list of transactions without what has no effect, or as the cells that change. The defaults leave
/// nothing out.
///
/// Laws: what [`read_effect`](Self::read_effect) and [`complete`](Self::complete) give has the effect of the transaction that was written, in the state before it;
/// [`read_change`](Self::read_change) gives the value after; both accept nothing but what was written, one encoding for each value.
pub trait Compact: Machine {
    /// Appends what has an effect.
    fn write_effect(&self, transaction: &Self::Transaction, w: &mut Writer) {
        transaction.write(w);
    }

    /// Reads what [`Self::write_effect`] wrote. Reads at least one byte.
    ///
    /// # Errors
    /// If it is no such encoding.
    fn read_effect(&self, r: &mut Reader<'_>) -> Result<Self::Transaction, Malformed> {
        Self::Transaction::read(r)
    }

    /// Fills in what the state says of a transaction without what has no effect.
    fn complete(&self, _transaction: &mut Self::Transaction, _cells: &[Option<Self::Value>]) {}

    /// Appends the change of a cell, whose key is known.
    fn write_change(&self, change: &Change<Self>, w: &mut Writer) {
        w.u8(u8::from(change.after.is_some()));
        if let Some(after) = &change.after {
            after.write(w);
        }
    }

    /// Reads the value after a change.
    ///
    /// # Errors
    /// If it is no encoding of a change of this value.
    fn read_change(
        &self,
        before: Option<&Self::Value>,
        r: &mut Reader<'_>,
    ) -> Result<Option<Self::Value>, Malformed> {
        let _ = before;
        match r.u8() {
            Some(0) => Ok(None),
            Some(1) => Self::Value::read(r).map(Some),
            _ => Err(Malformed("a change that begins neither with 0 nor with 1")),
        }
    }

    /// The cells that a contract's call changes, whose proof is checked by others. Machines without such a contract take no calls.
    ///
    /// # Errors
    /// If it is no call, or none in this state.
    fn called(&self, _state: &impl State<Self>, _call: &Call) -> Result<Statement<Self>, Malformed> {
        Err(Malformed("a call of a contract, which this machine has not"))
    }

    /// Appends a key after a smaller one.
    fn write_key(&self, _before: Option<Self::Key>, key: Self::Key, w: &mut Writer) {
        key.write(w);
    }

    /// Reads what [`Self::write_key`] wrote.
    ///
    /// # Errors
    /// If it is no such encoding.
    fn read_key(&self, _before: Option<Self::Key>, r: &mut Reader<'_>) -> Result<Self::Key, Malformed> {
        Self::Key::read(r)
    }
}
