//! The effect of a batch on the network: the smaller of two encodings.
//!
//! ```text
//!  list   0 u8 | count varint | transactions without what the state knows
//!  delta  1 u8 | count varint | keys, increasing | changes, in the order of the keys
//! ```
//! Which cells are touched is read without a state; the statement is read against the state before the batch, and both encodings give the same
//! one. (notes: ledger-codec)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use super::{Canonical, Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::machine::{Compact, MAX_CELLS, State, Touched};
use crate::statement::{BatchSize, Change, Statement};
use crate::store::Digest;

/// The smaller encoding of what transactions do, whose statement is given.
#[must_use]
pub fn encode<M: Compact>(machine: &M, transactions: &[M::Transaction], statement: &Statement<M>) -> Vec<u8> {
    let [list, delta] = [encode_list(machine, transactions), encode_delta(machine, statement)];
    if list.len() <= delta.len() { list } else { delta }
}

/// The effect as transactions.
#[must_use]
pub fn encode_list<M: Compact>(machine: &M, transactions: &[M::Transaction]) -> Vec<u8> {
    let mut w = Writer::new();
    w.u8(0);
    write_varint(&mut w, transactions.len() as u64);
    for transaction in transactions {
        machine.write_effect(transaction, &mut w);
    }
    w.finish()
}

/// The effect as changes of cells.
#[must_use]
pub fn encode_delta<M: Compact>(machine: &M, statement: &Statement<M>) -> Vec<u8> {
    let mut w = Writer::new();
    w.u8(1);
    write_varint(&mut w, statement.cells.len() as u64);
    let mut before = None;
    for change in &statement.cells {
        machine.write_key(before, change.key, &mut w);
        before = Some(change.key);
    }
    for change in &statement.cells {
        machine.write_change(change, &mut w);
    }
    w.finish()
}

/// An effect that was read as far as it can be without a state.
#[derive(Debug)]
pub struct Effect<'a, M: Compact> {
    keys: Vec<M::Key>,
    content: Content<'a, M::Transaction>,
}

#[derive(Debug)]
enum Content<'a, T> {
    List(Vec<T>),
    Delta(&'a [u8]),
}

impl<'a, M: Compact> Effect<'a, M> {
    /// Reads an effect of a batch of some size.
    ///
    /// # Errors
    /// If the bytes are not one, or touch a cell twice.
    pub fn read(machine: &M, size: BatchSize, bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(bytes);
        match r.u8().ok_or(SHORT)? {
            0 => Self::read_list(machine, size, r),
            1 => Self::read_delta(machine, size, r),
            _ => Err(Malformed("an effect is a list (0) or a delta (1)")),
        }
    }

    fn read_list(machine: &M, size: BatchSize, mut r: Reader<'a>) -> Result<Self, Malformed> {
        let count = count(size.slots(), &mut r)?;
        let list = (0..count).map(|_| machine.read_effect(&mut r)).collect::<Result<Vec<_>, _>>()?;
        r.finish().ok_or(Malformed("bytes follow the effect"))?;
        let keys: BTreeSet<_> = list.iter().flat_map(|transaction| machine.cells(transaction)).collect();
        Ok(Self { keys: keys.into_iter().collect(), content: Content::List(list) })
    }

    fn read_delta(machine: &M, size: BatchSize, mut r: Reader<'a>) -> Result<Self, Malformed> {
        let (mut keys, mut before) = (Vec::new(), None);
        for _ in 0..count(size.slots() * MAX_CELLS, &mut r)? {
            let key = machine.read_key(before, &mut r)?;
            if before.is_some_and(|before| before >= key) {
                return Err(Malformed("the cells of a batch are not distinct and in order"));
            }
            keys.push(key);
            before = Some(key);
        }
        let changes = r.bytes(r.remaining()).ok_or(SHORT)?;
        Ok(Self { keys, content: Content::Delta(changes) })
    }

    /// The touched cells, distinct and in order.
    pub fn keys(&self) -> &[M::Key] {
        &self.keys
    }

    /// The transactions of a list, without what the state knows.
    pub fn transactions(&self) -> Option<&[M::Transaction]> {
        match &self.content {
            Content::List(list) => Some(list),
            Content::Delta(_) => None,
        }
    }

    /// The statement that the effect has in a state. No signature is checked, and no proof.
    ///
    /// # Errors
    /// If it has none.
    pub fn statement(&self, machine: &M, state: &impl State<M>) -> Result<Statement<M>, Malformed> {
        match &self.content {
            Content::List(list) => {
                let mut touched = Touched::default();
                for transaction in list {
                    let mut transaction = transaction.clone();
                    let cells = touched.read(state, &machine.cells(&transaction));
                    machine.complete(&mut transaction, &cells);
                    let refused = |_| Malformed("the rules refuse a transaction of the batch in this state");
                    touched.apply(machine, state, &transaction).map_err(refused)?;
                }
                Ok(touched.statement(machine))
            }
            Content::Delta(bytes) => {
                let mut r = Reader::new(bytes);
                let mut change = |&key| {
                    let before = state.cell(&key);
                    let after = machine.read_change(before.as_ref(), &mut r)?;
                    Ok(Change { key, before, after })
                };
                let cells = self.keys.iter().map(&mut change).collect::<Result<_, Malformed>>()?;
                r.finish().ok_or(Malformed("bytes follow the effect"))?;
                Ok(Statement { domain: machine.domain(), cells })
            }
        }
    }
}

/// A count from 1 to `most`; every one of what it counts has at least one byte.
fn count(most: usize, r: &mut Reader<'_>) -> Result<usize, Malformed> {
    let count = usize::try_from(read_varint(r)?).unwrap_or(usize::MAX);
    match count {
        0 => Err(Malformed("an effect of nothing")),
        _ if count > most => Err(Malformed("more than the batch has room for")),
        _ if count > r.remaining() => Err(SHORT),
        _ => Ok(count),
    }
}

/// The digest of the values of cells before a batch: what a replica compares with its own before it looks at the proof.
pub fn digest_before<M: Compact>(machine: &M, state: &impl State<M>, keys: &[M::Key]) -> Digest {
    let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 values before a batch");
    hash.update(&machine.domain().0);
    // A hash of many bytes at once is several times as fast as one of many short pieces.
    let mut all = Writer::with_capacity(128 * keys.len());
    for key in keys {
        let mut w = Writer::with_capacity(128);
        key.write(&mut w);
        let before = state.cell(key);
        w.u8(u8::from(before.is_some()));
        if let Some(before) = before {
            before.write(&mut w);
        }
        all.sized(&w.finish());
    }
    hash.update(&all.finish());
    *hash.finalize().as_bytes()
}
