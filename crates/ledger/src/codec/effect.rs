//! The effect of a batch on the network: the smaller of two encodings.
//!
//! ```text
//!  list   0 u8 | count varint | transactions without what the state knows
//!  delta  1 u8 | count varint | keys, increasing | changes, in the order of the keys
//! ```
//! Both are read against the state before the batch, and give the same statement. (notes: ledger-codec)

use super::{Canonical, Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::machine::{Compact, MAX_CELLS, State, Touched};
use crate::statement::{BatchSize, Change, Statement};

/// The smaller encoding of what transactions do, whose statement is given.
///
/// # Panics
/// If the statement is not that of the transactions.
pub fn encode<M: Compact>(machine: &M, transactions: &[M::Transaction], statement: &Statement<M>) -> Vec<u8> {
    let [list, delta] = [encode_list(machine, transactions), encode_delta(machine, statement)];
    if list.len() <= delta.len() { list } else { delta }
}

/// The effect as transactions.
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

/// The statement that an effect has in a state: no signature is checked, and no proof.
///
/// # Errors
/// If the bytes are no effect of a batch of this size in this state.
pub fn decode<M: Compact>(
    machine: &M,
    state: &impl State<M>,
    size: BatchSize,
    bytes: &[u8],
) -> Result<Statement<M>, Malformed> {
    let mut r = Reader::new(bytes);
    let statement = match r.u8().ok_or(SHORT)? {
        0 => read_list(machine, state, size, &mut r),
        1 => read_delta(machine, state, size, &mut r),
        _ => Err(Malformed("an effect is a list (0) or a delta (1)")),
    }?;
    r.finish().ok_or(Malformed("bytes follow the effect"))?;
    Ok(statement)
}

fn read_list<M: Compact>(
    machine: &M,
    state: &impl State<M>,
    size: BatchSize,
    r: &mut Reader<'_>,
) -> Result<Statement<M>, Malformed> {
    let mut touched = Touched::default();
    for _ in 0..count(size.slots(), r)? {
        let mut transaction = machine.read_effect(r)?;
        let cells = touched.read(state, &machine.cells(&transaction));
        machine.complete(&mut transaction, &cells);
        let refused = |_| Malformed("the rules refuse a transaction of the batch in this state");
        touched.apply(machine, state, &transaction).map_err(refused)?;
    }
    Ok(touched.statement(machine))
}

fn read_delta<M: Compact>(
    machine: &M,
    state: &impl State<M>,
    size: BatchSize,
    r: &mut Reader<'_>,
) -> Result<Statement<M>, Malformed> {
    let (mut keys, mut before) = (Vec::new(), None);
    for _ in 0..count(size.slots() * MAX_CELLS, r)? {
        let key = machine.read_key(before, r)?;
        if before.is_some_and(|before| before >= key) {
            return Err(Malformed("the cells of a batch are not distinct and in order"));
        }
        keys.push(key);
        before = Some(key);
    }
    let mut change = |key| {
        let before = state.cell(&key);
        let after = machine.read_change(before.as_ref(), r)?;
        Ok(Change { key, before, after })
    };
    let cells = keys.into_iter().map(&mut change).collect::<Result<_, _>>()?;
    Ok(Statement { domain: machine.domain(), cells })
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

/// The digest of the values before a batch: what a replica compares with its own before it looks at the proof.
pub fn digest_before<M: Compact>(statement: &Statement<M>) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 values before a batch");
    hash.update(&statement.domain.0);
    for change in &statement.cells {
        let mut w = Writer::new();
        change.key.write(&mut w);
        w.u8(u8::from(change.before.is_some()));
        if let Some(before) = &change.before {
            before.write(&mut w);
        }
        let bytes = w.finish();
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    *hash.finalize().as_bytes()
}
