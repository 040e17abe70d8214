//! Thrift's compact encoding, as far as Parquet's page headers and schemas need it: structures of numbers, texts and structures.
//!
//! The crate `parquet` decodes metadata itself, and allocates by what they say; they are read to check that first.

/// Structures within structures that a header has.
const MAX_DEPTH: u32 = 12;
/// Fields of a structure that are kept.
const KEPT: usize = 16;

/// Kinds of values.
const BYTE: u8 = 3;
const TEXT: u8 = 8;
pub const LIST: u8 = 9;
pub const STRUCTURE: u8 = 12;

/// Returns true for a number of 16, 32 or 64 bits.
pub fn is_number(kind: u8) -> bool {
    matches!(kind, 4..=6)
}

/// The kind of a field that a decoder knows. It reads a value of that kind, whatever the encoding calls it, so that another kind
/// would put it out of step with who skips the field by what it is called.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A field that the decoder skips by its kind.
    Any,
    Boolean,
    /// A number of 16, 32 or 64 bits, which are encoded alike.
    Number,
    Byte,
    Text,
    /// The kinds of its first fields, in the order of their numbers.
    Structure(&'static [Self]),
}

impl Shape {
    fn admits(self, kind: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Boolean => matches!(kind, 1 | 2),
            Self::Number => is_number(kind),
            Self::Byte => kind == BYTE,
            Self::Text => kind == TEXT,
            Self::Structure(_) => kind == STRUCTURE,
        }
    }

    fn fields(self) -> &'static [Self] {
        if let Self::Structure(fields) = self { fields } else { &[] }
    }
}

/// Fields of a structure by their numbers; booleans are 1 and 0.
#[derive(Default)]
pub struct Fields {
    numbers: [Option<i64>; KEPT],
    /// Bytes of texts.
    lengths: [Option<u64>; KEPT],
    structures: Vec<(usize, Self)>,
}

impl Fields {
    /// A number.
    pub fn number(&self, id: usize) -> Option<i64> {
        self.numbers.get(id).copied().flatten()
    }

    /// The bytes of a text.
    pub fn length(&self, id: usize) -> Option<u64> {
        self.lengths.get(id).copied().flatten()
    }

    /// A structure.
    pub fn structure(&self, id: usize) -> Option<&Self> {
        self.structures.iter().find(|(at, _)| *at == id).map(|(_, fields)| fields)
    }
}

/// A value of a field that is no structure.
enum Value {
    Number(i64),
    /// Bytes of a text.
    Text(u64),
    Other,
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

    /// A number.
    pub fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The head of a field: its number, and the kind of its value; no kind at the end of the structure. Numbers rise, as every
    /// encoder writes them, and have 15 bits, which is what decoders keep of them.
    pub fn head(&mut self, last: i64) -> Option<(i64, u8)> {
        let byte = self.byte()?;
        let (delta, kind) = (byte >> 4, byte & 15);
        if kind == 0 {
            return Some((last, 0));
        }
        let id = if delta == 0 { self.signed()? } else { last.checked_add(delta.into())? };
        (id > last && id <= i16::MAX.into()).then_some((id, kind))
    }

    /// A structure, whose first fields may have to be of some kinds.
    pub fn structure(&mut self, shapes: &[Shape]) -> Option<Fields> {
        self.structure_in(shapes, MAX_DEPTH)
    }

    fn structure_in(&mut self, shapes: &[Shape], depth: u32) -> Option<Fields> {
        let (mut fields, mut last) = (Fields::default(), 0);
        loop {
            let (id, kind) = self.head(last)?;
            if kind == 0 {
                return Some(fields);
            }
            last = id;
            let id = usize::try_from(id).ok()?;
            let shape = shapes.get(id - 1).copied().unwrap_or(Shape::Any);
            if !shape.admits(kind) {
                return None;
            }
            let value = match kind {
                1 => Value::Number(1),
                2 => Value::Number(0),
                STRUCTURE => {
                    let inner = self.structure_in(shape.fields(), depth.checked_sub(1)?)?;
                    if id < KEPT {
                        fields.structures.push((id, inner));
                    }
                    continue;
                }
                kind => self.value(kind, depth)?,
            };
            match value {
                _ if id >= KEPT => {}
                Value::Number(number) => fields.numbers[id] = Some(number),
                Value::Text(length) => fields.lengths[id] = Some(length),
                Value::Other => {}
            }
        }
    }

    /// A value that is no boolean and no structure of its own. (Booleans in lists are not read: they take a byte each, and the crate
    /// skips none.)
    fn value(&mut self, kind: u8, depth: u32) -> Option<Value> {
        match kind {
            BYTE => return Some(Value::Number(i64::from(self.byte()? as i8))),
            kind if is_number(kind) => return Some(Value::Number(self.signed()?)),
            7 => self.skip(8)?,
            TEXT => {
                let length = self.unsigned()?;
                self.skip(length)?;
                return Some(Value::Text(length));
            }
            LIST | 10 => {
                let (count, kind) = self.list()?;
                for _ in 0..count {
                    let depth = depth.checked_sub(1)?;
                    if kind == STRUCTURE {
                        self.structure_in(&[], depth)?;
                    } else {
                        self.value(kind, depth)?;
                    }
                }
            }
            _ => return None,
        }
        Some(Value::Other)
    }

    /// The head of a list: how many elements it has, which are no more than bytes, and their kind.
    pub fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
        (count <= self.0.len() as u64).then_some((count, byte & 15))
    }
}
