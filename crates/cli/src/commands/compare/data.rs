//! The data that `compare` commits to: a column, or the bytes of a file.

use crate::args::{Common, EntriesChoice, Input};
use crate::commands::blob::source::Source;
use crate::commands::{COMPARED_BYTES_PER_ROW, Opened};
use crate::data::{Base, Column, Format, Options, read};
use crate::exit::Failure;
use crate::progress::Progress;
use crate::units;
use std::borrow::Cow;

/// The data to commit to.
pub enum Data {
    /// Numbers.
    Numbers(Column),
    /// Bytes, with the name of their file.
    Bytes(String, Vec<u8>),
}

impl Data {
    /// Reads the data of a command.
    pub fn load(input: &Input, common: &Common, progress: &mut Progress) -> Result<Self, Failure> {
        let opened = Opened::input(input, common, progress)?;
        let data = if opened.is_bytes() {
            let source = Source::of(opened.source, common)?;
            Self::Bytes(source.name.clone(), source.bytes()?)
        } else {
            Self::Numbers(opened.column(input, (common, COMPARED_BYTES_PER_ROW), 1, None)?)
        };
        progress.end();
        Ok(data)
    }

    /// Name of the column or file.
    pub fn name(&self) -> &str {
        match self {
            Self::Numbers(column) => &column.name,
            Self::Bytes(name, _) => name,
        }
    }

    /// The size in words.
    pub fn size(&self) -> String {
        match self {
            Self::Numbers(column) => {
                let (rows, padded) = (column.rows() as u64, column.padded_rows() as u64);
                format!("{} rows, padded to {}", units::count(rows), units::count(padded))
            }
            Self::Bytes(_, bytes) => format!("{} bytes", units::count(bytes.len() as u64)),
        }
    }

    /// BLAKE3 of the source.
    pub fn digest(&self) -> [u8; 32] {
        match self {
            Self::Numbers(column) => column.source_digest,
            Self::Bytes(_, bytes) => *blake3::hash(bytes).as_bytes(),
        }
    }

    /// Returns true if a field holds every row.
    pub fn fits(&self, base: Base) -> bool {
        match self {
            Self::Numbers(column) => column.values.check(base, 0).is_ok(),
            Self::Bytes(..) => true,
        }
    }

    /// log2 of the padded number of rows over a field.
    pub fn log_size(&self, base: Base) -> u32 {
        let rows = match self {
            Self::Numbers(column) => column.rows(),
            Self::Bytes(_, bytes) => bytes.len().div_ceil(base.raw_width()),
        };
        rows.next_power_of_two().trailing_zeros()
    }

    /// The column over a field; bytes are packed as `commit` packs them.
    pub fn column(&self, base: Base) -> Result<Cow<'_, Column>, Failure> {
        match self {
            Self::Numbers(column) => Ok(Cow::Borrowed(column)),
            Self::Bytes(name, bytes) => {
                let options =
                    Options { raw_width: base.raw_width(), name: name.clone(), ..Options::default() };
                Ok(Cow::Owned(read(&bytes[..], Format::Raw, &options)?))
            }
        }
    }

    /// The bytes that Ligerito commits to, and what an entry is: of numbers the smallest word that holds every one of them
    /// in two's complement. Numbers that no word of 64 bits holds are left out.
    pub fn packed(&self) -> Option<(Cow<'_, [u8]>, EntriesChoice)> {
        let column = match self {
            Self::Bytes(_, bytes) => return Some((Cow::Borrowed(bytes), EntriesChoice::Bytes)),
            Self::Numbers(column) => column,
        };
        let bytes =
            |width: usize| column.values.iter().flat_map(move |x| x.to_le_bytes().into_iter().take(width));
        let (low, high) = column.values.range()?;
        let holds = |bits: u32| low >= -(1 << (bits - 1)) && high < 1 << (bits - 1);
        if holds(32) {
            Some((bytes(4).collect(), EntriesChoice::Words32))
        } else if holds(64) {
            Some((bytes(8).collect(), EntriesChoice::Words64))
        } else {
            None
        }
    }
}
