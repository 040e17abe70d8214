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
    /// The columns of a table, two or more, in place of one; none as in jobs of earlier releases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
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
            columns: Vec::new(),
            scale: options.scale,
            delimiter: options.delimiter.unwrap_or(b','),
            given_comma: options.delimiter == Some(b','),
            header: options.header,
            width: options.raw_width,
        }
    }

    /// How these columns of a file are read, in place of one, if they are several.
    #[must_use]
    pub fn of_columns(self, names: &[String]) -> Self {
        match names {
            [] | [_] => self,
            names => Self { column: None, columns: names.to_vec(), ..self },
        }
    }

    /// Refuses a table of one column, or beside one.
    pub(super) fn check_columns(&self) -> Result<(), String> {
        if self.columns.len() == 1 || self.column.is_some() && !self.columns.is_empty() {
            return Err("a table has two or more columns, and is no column".into());
        }
        Ok(())
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
            let open = || open_plain(file).map_err(DataError::Read);
            match self.read((open, name), of_bytes, options).map(drop) {
                Err(e) if e.is_of_memory() => memory = memory.saturating_mul(2).min(most),
                Err(DataError::Read(e)) => return Err(Error::io("read", file)(e)),
                read => return read.map(|()| memory).map_err(|e| Error::Job(e.to_string())),
            }
        }
        Ok(memory)
    }

    /// The numbers, or the bytes, in a file of a name, which may be opened several times.
    pub(super) fn read(
        &self,
        (open, name): (impl Fn() -> Result<File, DataError>, &str),
        of_bytes: bool,
        options: Options,
    ) -> Result<Dataset, DataError> {
        if self.columns.is_empty() || of_bytes {
            let opened = opened((open()?, name), &options)?;
            if of_bytes {
                return opened.bytes(&options).and_then(Content::read).map(Dataset::Bytes);
            }
            return opened.column(options).map(Dataset::Column);
        }
        let wanted: Vec<_> = self.columns.iter().map(|name| (&**name, options.scale)).collect();
        let mut content_name = name.to_owned();
        let again = |options: &Options| {
            let source = source((open()?, name))?;
            source.content_name().clone_into(&mut content_name);
            Opened::of(source, options)
        };
        let table = data::table(&options, &wanted, again, |e| e)?;
        Ok(Dataset::Table(table).named(content_name))
    }
}

fn opened(file: (File, &str), options: &Options) -> Result<Opened, DataError> {
    Opened::of(source(file)?, options)
}

fn source((file, name): (File, &str)) -> Result<Source, DataError> {
    let mut source = Source::of_file(file, name.as_ref(), |file, _| file)?;
    name.clone_into(&mut source.name);
    Ok(source)
}
