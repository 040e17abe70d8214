//! Thrift's compact encoding, as far as Parquet's page headers and schemas need it: structures of numbers and structures.
//!
//! The crate `parquet` decodes headers itself, and allocates by what they say; these are read to check that first.

/// Structures within structures that a header has.
const MAX_DEPTH: u32 = 12;
/// Fields of a structure that are kept.
const KEPT: usize = 16;

/// Fields of a structure by their numbers; booleans are 1 and 0.
#[derive(Default)]
pub struct Fields {
    numbers: [Option<i64>; KEPT],
    structures: Vec<(usize, Self)>,
}

impl Fields {
    /// A number.
    pub fn number(&self, id: usize) -> Option<i64> {
        self.numbers.get(id).copied().flatten()
    }

    /// A structure.
    pub fn structure(&self, id: usize) -> Option<&Self> {
        self.structures.iter().find(|(at, _)| *at == id).map(|(_, fields)| fields)
    }
}

/// Reads from the front of its bytes; everything is `None` where they are no such encoding.
pub struct Compact<'a>(pub &'a [u8]);

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The head of a field: its number, and the kind of its value; no kind at the end of the structure.
    fn head(&mut self, last: i64) -> Option<(i64, u8)> {
        let byte = self.byte()?;
        let (delta, kind) = (byte >> 4, byte & 15);
        let id = if delta == 0 && kind != 0 { self.signed()? } else { last.checked_add(delta.into())? };
        Some((id, kind))
    }

    /// A structure.
    pub fn structure(&mut self) -> Option<Fields> {
        self.structure_in(MAX_DEPTH)
    }

    fn structure_in(&mut self, depth: u32) -> Option<Fields> {
        let (mut fields, mut last) = (Fields::default(), 0);
        loop {
            let (id, kind) = self.head(last)?;
            last = id;
            let id = usize::try_from(id).unwrap_or(usize::MAX);
            let number = match kind {
                0 => return Some(fields),
                1 => Some(1),
                2 => Some(0),
                12 => {
                    let inner = self.structure_in(depth.checked_sub(1)?)?;
                    if id < KEPT && fields.structure(id).is_none() {
                        fields.structures.push((id, inner));
                    }
                    continue;
                }
                kind => self.value(kind, depth)?,
            };
            if let Some(place) = fields.numbers.get_mut(id) {
                *place = number;
            }
        }
    }

    /// A value that is no boolean and no structure of its own: its number, if it is one.
    fn value(&mut self, kind: u8, depth: u32) -> Option<Option<i64>> {
        match kind {
            3 => return Some(Some(i64::from(self.byte()? as i8))),
            4..=6 => return Some(Some(self.signed()?)),
            7 => self.skip(8)?,
            8 => {
                let length = self.unsigned()?;
                self.skip(length)?;
            }
            9 | 10 => {
                let (count, kind) = self.list()?;
                for _ in 0..count {
                    match kind {
                        1 | 2 => self.skip(1)?,
                        12 => drop(self.structure_in(depth.checked_sub(1)?)?),
                        kind => drop(self.value(kind, depth.checked_sub(1)?)?),
                    }
                }
            }
            _ => return None,
        }
        Some(None)
    }

    /// The head of a list: how many elements it has, which are no more than bytes, and their kind.
    fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
        (count <= self.0.len() as u64).then_some((count, byte & 15))
    }

    /// Checks a schema in a file's metadata before it is decoded: groups no deeper than `depth`, with no more members than
    /// there are elements. (Decoders go into groups by recursion, and make room for as many members as they state.)
    pub fn check_schema(mut self, depth: usize) -> Option<()> {
        const SCHEMA: i64 = 2;
        const MEMBERS: usize = 5;
        let mut last = 0;
        loop {
            let (id, kind) = self.head(last)?;
            last = id;
            match (id, kind) {
                (_, 0) => return None,
                (SCHEMA, 9) => break,
                (_, 1 | 2) => {}
                (_, 12) => drop(self.structure()?),
                (_, kind) => drop(self.value(kind, MAX_DEPTH)?),
            }
        }
        let (count, _) = self.list()?;
        let mut open: Vec<i64> = Vec::new();
        for _ in 0..count {
            let members = self.structure()?.number(MEMBERS).unwrap_or(0);
            if !(0..=count as i64).contains(&members) {
                return None;
            }
            open.push(members);
            while open.last() == Some(&0) {
                open.pop();
                if let Some(left) = open.last_mut() {
                    *left -= 1;
                }
            }
            if open.len() > depth {
                return None;
            }
        }
        Some(())
    }
}
