//! What a batch publishes: its effect, and the times that its proof is about.

use crate::Invalid;
use crate::circuit::Trace;
use crate::codec::effect::{Effect, encode_delta, encode_list};
use crate::codec::{Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::machine::{Machine as _, Signed, State};
use crate::statement::{BatchSize, Statement};
use crate::token::{Index, Token, Transaction};

/// The published bytes of a batch, read as far as they can be without a state.
#[derive(Debug)]
pub struct Payload<'a> {
    effect: Effect<'a, Token>,
    /// For each cell, then for the padding account.
    times: (Vec<u32>, u32),
}

/// The times if the transaction in slot `i` accesses `from` at `2 i + 1` and `to` (a burn `from` again) at `2 i + 2`, and padding fills the other slots.
fn times(transactions: &[Transaction], keys: &[Index], slots: usize) -> (Vec<u32>, u32) {
    let mut times = vec![0; keys.len()];
    for (transaction, i) in transactions.iter().zip(0u32..) {
        let other = transaction.to().unwrap_or(transaction.from);
        for (index, time) in [(transaction.from, 2 * i + 1), (other, 2 * i + 2)] {
            let at = keys.binary_search(&index).ok();
            if let Some(last) = at.and_then(|at| times.get_mut(at)) {
                *last = time;
            }
        }
    }
    (times, if transactions.len() < slots { 2 * slots as u32 } else { 0 })
}

/// The price of bytes in calldata: a zero is a token, another byte four (EIP-7623).
pub(super) fn tokens(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| if *byte == 0 { 1 } else { 4 }).sum()
}

impl<'a> Payload<'a> {
    /// The encoding with the fewest tokens of calldata: the list or the changes.
    #[must_use]
    pub fn encode(machine: &Token, batch: &[Signed<Transaction>], trace: &Trace) -> Vec<u8> {
        let transactions: Vec<_> = batch.iter().map(|signed| signed.transaction.clone()).collect();
        let keys: Vec<Index> = trace.statement.cells.iter().map(|change| change.key).collect();
        let list = encode_list(machine, &transactions);
        let follows = times(&transactions, &keys, trace.slots.len());
        let list = if follows == (trace.times.clone(), trace.padding_time) {
            [&[0], &list[..]].concat()
        } else {
            explicit(&list, trace)
        };
        let delta = explicit(&encode_delta(machine, &trace.statement), trace);
        if tokens(&list) <= tokens(&delta) { list } else { delta }
    }

    /// Reads the payload of a batch with so many slots.
    ///
    /// # Errors
    /// If the bytes are not one.
    pub fn read(machine: &Token, slots: usize, bytes: &'a [u8]) -> Result<Self, Malformed> {
        let size = BatchSize::fitting(slots).ok_or(Malformed("no batch has so many slots"))?;
        let mut r = Reader::new(bytes);
        match r.u8().ok_or(SHORT)? {
            0 => {
                let rest = r.bytes(r.remaining()).ok_or(SHORT)?;
                let effect = Effect::read(machine, size, rest)?;
                let list = effect.transactions().ok_or(Malformed("changes without times"))?;
                let times = times(list, effect.keys(), slots);
                Ok(Self { effect, times })
            }
            1 => {
                let length = usize::try_from(read_varint(&mut r)?).unwrap_or(usize::MAX);
                let effect = Effect::read(machine, size, r.bytes(length).ok_or(SHORT)?)?;
                let padding = time(&mut r)?;
                let times = effect.keys().iter().map(|_| time(&mut r)).collect::<Result<Vec<_>, _>>()?;
                r.finish().ok_or(Malformed("bytes follow the payload"))?;
                let list = effect.transactions();
                if list
                    .is_some_and(|list| self::times(list, effect.keys(), slots) == (times.clone(), padding))
                {
                    return Err(Malformed("times that follow from the list"));
                }
                Ok(Self { effect, times: (times, padding) })
            }
            _ => Err(Malformed("a payload without times (0) or with times (1)")),
        }
    }

    /// The statement in the state of a replica, with the times.
    pub(super) fn statement(
        &self,
        machine: &Token,
        state: &impl State<Token>,
    ) -> Result<(Statement<Token>, &[u32], u32), Invalid> {
        let statement = self.effect.statement(machine, state).map_err(|malformed| Invalid(malformed.0))?;
        assert_eq!(statement.domain, machine.domain());
        let (times, padding) = &self.times;
        Ok((statement, times, *padding))
    }
}

/// The payload with its times.
pub(super) fn explicit(effect: &[u8], trace: &Trace) -> Vec<u8> {
    let mut w = Writer::new();
    w.u8(1);
    write_varint(&mut w, effect.len() as u64);
    w.bytes(effect);
    for time in [trace.padding_time].iter().chain(&trace.times) {
        write_varint(&mut w, u64::from(*time));
    }
    w.finish()
}

fn time(r: &mut Reader<'_>) -> Result<u32, Malformed> {
    u32::try_from(read_varint(r)?).map_err(|_| Malformed("a time of more than 32 bits"))
}
