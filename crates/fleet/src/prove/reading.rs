//! How a job's files are read: the options of `data`, as a payload says them.

use super::ProveError;
use crate::error::Error;
use crate::job::bounded;
use data::{Content, DataError, Format, Limits, Opened, Options, Source};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;
use tenfold::Dataset;
use tenfold::read::open_plain;

/// Bytes of memory from which on a job has enough to read any file that fits.
const ENOUGH: u64 = 1 << 30;

/// How a file is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The format; none to tell it by content and name.
    pub format: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// Decimal digits to keep.
    pub scale: Option<u32>,
    /// The delimiter of a CSV file; a comma also where none is given.
    pub delimiter: u8,
    /// True for a comma that is given, of a file whose name says tabs too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_comma: bool,
    /// Whether its first row holds names.
    pub header: bool,
    /// Bytes per integer of bytes that are read as a column, `1..=15`.
    pub width: usize,
}

const FORMATS: [(&str, Format); 7] = [
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("jsonl", Format::JsonLines),
    ("npy", Format::Npy),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("raw", Format::Raw),
];

impl Reading {
    /// How a file is read that these options read.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        let format = FORMATS.iter().find(|(_, format)| *format == options.format);
        Self {
            format: format.map(|(name, _)| (*name).to_owned()),
            column: options.column.clone(),
            scale: options.scale,
            delimiter: options.delimiter.unwrap_or(b','),
            given_comma: options.delimiter == Some(b','),
            header: options.header,
            width: options.raw_width,
        }
    }

    pub(super) fn options(&self, memory: u64) -> Result<Options, ProveError> {
        let format = match &self.format {
            None => Format::Auto,
            Some(name) => {
                let found = FORMATS.iter().find(|(known, _)| known == name);
                found.map(|(_, format)| *format).ok_or_else(|| {
                    ProveError::NotUnderstood(format!("no format {} is known", bounded(name, 40)))
                })?
            }
        };
        if self.scale.is_some_and(|scale| scale > 18)
            || !self.delimiter.is_ascii()
            || !(1..=15).contains(&self.width)
        {
            return Err(ProveError::Job("scale, delimiter or width are out of range".into()));
        }
        Ok(Options {
            format,
            column: self.column.clone(),
            scale: self.scale,
            delimiter: (self.delimiter != b',' || self.given_comma).then_some(self.delimiter),
            header: self.header,
            raw_width: self.width,
            limits: Limits { max_bytes: memory },
            ..Options::default()
        })
    }

    /// So much memory, or more where reading the file takes more, up to the most.
    pub(super) fn memory(
        &self,
        (file, name): (&Path, &str),
        of_bytes: bool,
        (mut memory, most): (u64, u64),
    ) -> Result<u64, Error> {
        while memory < ENOUGH.min(most) {
            let options = self.options(memory).map_err(|e| Error::Job(e.to_string()))?;
            let source = open_plain(file).map_err(Error::io("open", file))?;
            let opened = opened((source, name), &options);
            let read = opened.and_then(|opened| match of_bytes {
                true => opened.bytes(&options).map(drop),
                false => opened.column(options).map(drop),
            });
            match read {
                Err(e) if e.is_of_memory() => memory = memory.saturating_mul(2).min(most),
                read => return read.map(|()| memory).map_err(|e| Error::Job(e.to_string())),
            }
        }
        Ok(memory)
    }
}

/// The numbers, or the bytes, in a file of a name.
pub(super) fn read(file: (File, &str), of_bytes: bool, options: Options) -> Result<Dataset, DataError> {
    let opened = opened(file, &options)?;
    if of_bytes {
        return opened.bytes(&options).and_then(Content::read).map(Dataset::Bytes);
    }
    opened.column(options).map(Dataset::Column)
}

fn opened((file, name): (File, &str), options: &Options) -> Result<Opened, DataError> {
    let mut source = Source::of_file(file, name.as_ref(), |file, _| file)?;
    name.clone_into(&mut source.name);
    Opened::of(source, options)
}
