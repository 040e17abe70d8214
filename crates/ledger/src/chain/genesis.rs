//! The first record: rules, parameters and the first cells.
//!
//! ```text
//!  "TNFGEN" 1 u16 | name length u8, name | rules | lanes u8 | timeout u32 | plain u16 | cells u32 | keys and values, keys increasing
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use super::block::MAX_PLAIN;
use super::lease::MAX_LANES;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::machine::Machine;

const MAGIC: [u8; 8] = *b"TNFGEN\x01\0";

/// What a chain begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genesis<M: Machine> {
    /// The machine with its rules.
    pub machine: M,
    /// The ledger's parameters.
    pub params: Params,
    /// The first cells, in increasing order of their keys.
    pub cells: Vec<(M::Key, M::Value)>,
}

/// Parameters of a ledger, whatever its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Lanes on which provers work side by side, from 1 to 16.
    pub lanes: u8,
    /// Blocks without a batch after which a lane is open; 0 where lanes are always open.
    pub timeout: u32,
    /// The most transactions that a block has replicas execute, from 1 to 1024.
    pub plain: u16,
}

impl<M: Machine> Canonical for Genesis<M> {
    fn write(&self, w: &mut Writer) {
        w.bytes(&MAGIC);
        w.u8(M::NAME.len() as u8);
        w.bytes(M::NAME.as_bytes());
        self.machine.write(w);
        w.u8(self.params.lanes);
        w.u32(self.params.timeout);
        w.bytes(&self.params.plain.to_le_bytes());
        w.u32(u32::try_from(self.cells.len()).expect("a genesis has fewer than 2^32 cells"));
        for (key, value) in &self.cells {
            key.write(w);
            value.write(w);
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        if r.array() != Some(MAGIC) {
            return Err(Malformed("no genesis of this version"));
        }
        let name = r.u8().and_then(|length| r.bytes(usize::from(length))).ok_or(SHORT)?;
        if name != M::NAME.as_bytes() {
            return Err(Malformed("the genesis is of another machine"));
        }
        let machine = M::read(r)?;
        let (lanes, timeout) = (r.u8().ok_or(SHORT)?, r.u32().ok_or(SHORT)?);
        let plain = r.array().map(u16::from_le_bytes).ok_or(SHORT)?;
        if !(1..=MAX_LANES).contains(&lanes) || !(1..=MAX_PLAIN).contains(&plain) {
            return Err(Malformed(
                "parameters out of range: lanes are from 1 to 16, plain transactions of a block from 1 to 1024",
            ));
        }
        let mut cells: Vec<(M::Key, M::Value)> = Vec::new();
        for _ in 0..r.u32().ok_or(SHORT)? {
            let key = M::Key::read(r)?;
            if cells.last().is_some_and(|(before, _)| *before >= key) {
                return Err(Malformed("the cells of a genesis are not distinct and in order"));
            }
            cells.push((key, M::Value::read(r)?));
        }
        machine.check_genesis(&cells)?;
        Ok(Self { machine, params: Params { lanes, timeout, plain }, cells })
    }
}
