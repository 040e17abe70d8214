//! Data whose format is known.

use crate::{Content, DataError, Format, Options, Source};
use tenfold::dataset::{Column, Table, Values};

/// Data that were opened and not yet read, and how they are to be read.
pub struct Opened {
    source: Source,
    /// Never [`Format::Auto`].
    format: Format,
}

impl Opened {
    /// Data by the options, or by content and name: of a compressed file what is inside, unless its bytes are asked for.
    ///
    /// # Errors
    /// If they cannot be read, or are something that would be read as what nobody meant.
    pub fn of(source: Source, options: &Options) -> Result<Self, DataError> {
        if options.format == Format::Raw {
            return Ok(Self { source, format: Format::Raw });
        }
        let source = source.decompressed(options.limits.max_bytes / 2)?;
        let format = source.format(options.format, options.column.is_some())?;
        Ok(Self { source, format })
    }

    /// The `length` bytes that were committed to: the file as it stands if it has as many, else what is inside.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn of_length(source: Source, length: u64, options: &Options) -> Result<Self, DataError> {
        let source = source.of_length(length, options.limits.max_bytes / 2)?;
        Ok(Self { source, format: Format::Raw })
    }

    /// Returns true for bytes, false for a column.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        self.format == Format::Raw
    }

    /// Returns true for a format whose index is at its end, and whose rows are held.
    #[must_use]
    pub fn is_columnar(&self) -> bool {
        matches!(self.format, Format::Parquet | Format::Arrow)
    }

    pub(crate) fn into_source(self) -> Source {
        self.source
    }

    /// The bytes, not yet read. Those whose length is not known beforehand are held in memory, of which a commitment takes twice as much.
    ///
    /// # Errors
    /// If they are longer than half the memory.
    pub fn bytes(self, options: &Options) -> Result<Content, DataError> {
        Content::of(self.source, options.limits.max_bytes / 2)
    }

    /// Reads a column; bytes are packed into integers. Where the format has no name for the column, it is that of
    /// the file, or the one in the options if the source has none.
    ///
    /// # Errors
    /// See [`DataError`].
    pub fn column(self, options: Options) -> Result<Column, DataError> {
        let (source, options) = self.settle(options)?;
        if let (Format::Raw, Some(size)) = (options.format, source.size) {
            options.limits.check(size.div_ceil(options.raw_width as u64))?;
        }
        match options.format {
            Format::Parquet | Format::Arrow => columns(source, &options),
            _ => crate::read(source.into_reader(), &options),
        }
    }

    /// Returns true for a format of which all columns are read at once.
    #[must_use]
    pub fn is_csv(&self) -> bool {
        self.format == Format::Csv
    }

    /// Reads several columns of a CSV file at once, each by its name, with the digits after its point if they are known. Each may take the same part of the
    /// memory.
    ///
    /// # Errors
    /// As [`Opened::column`], and of any other format.
    pub fn columns(self, options: Options, wanted: &[(&str, Option<u32>)]) -> Result<Vec<Column>, DataError> {
        if !self.is_csv() {
            return Err(DataError::NotCsv("columns that are read at once"));
        }
        let (source, mut options) = self.settle(options)?;
        options.limits.max_bytes /= wanted.len().max(1) as u64;
        let of = |&(name, scale): &(&str, Option<u32>)| Options {
            column: Some(name.to_owned()),
            scale,
            ..options.clone()
        };
        crate::read_csv(source.into_reader(), &wanted.iter().map(of).collect::<Vec<_>>())
    }

    /// The source with the options for a column of it.
    pub(crate) fn settle(self, mut options: Options) -> Result<(Source, Options), DataError> {
        options.check()?;
        let Self { source, format } = self;
        if format != Format::Csv {
            let asked = [
                (options.delimiter.is_some(), "a delimiter"),
                (!options.header, "a first row that holds data"),
            ];
            if let Some((_, what)) = asked.into_iter().find(|(asked, _)| *asked) {
                return Err(DataError::NotCsv(what));
            }
        }
        options.format = format;
        options.size = source.size;
        if !source.is_stdin {
            options.name.clone_from(&source.name);
        }
        if format == Format::Csv && says_tabs(&source.name) {
            options.delimiter.get_or_insert(b'\t');
        }
        Ok((source, options))
    }
}

/// Reads several columns of a file, each by its name, with the digits after its point if they are known: of a CSV file all at once, of others each from the
/// file that `open` opens once more. Together they take the memory of the options.
///
/// # Errors
/// Those of `open`; as [`Opened::column`]; [`DataError::Table`] if the columns make no table; [`DataError::Changed`] if the file is another one by the time of a later column. `refused` makes them the caller's.
pub fn table<E>(
    options: &Options,
    wanted: &[(&str, Option<u32>)],
    mut open: impl FnMut(&Options) -> Result<Opened, E>,
    refused: impl Fn(DataError) -> E,
) -> Result<Table, E> {
    let mut read = Vec::<Column>::new();
    let mut left = options.limits.max_bytes;
    for &(name, scale) in wanted {
        let mut options = Options { column: Some(name.to_owned()), scale, ..options.clone() };
        options.limits.max_bytes = left;
        let opened = open(&options)?;
        if opened.is_csv() {
            read = opened.columns(options, wanted).map_err(&refused)?;
            break;
        }
        let column = opened.column(options).map_err(&refused)?;
        let integer = if matches!(column.values, Values::Narrow(_)) { 8 } else { 16 };
        // Room for rows doubles as they are read.
        left = left.saturating_sub(integer * column.padded_rows() as u64);
        if read.first().is_some_and(|first| first.source_digest != column.source_digest) {
            return Err(refused(DataError::Changed));
        }
        read.push(column);
    }
    Table::new(read).map_err(|e| refused(DataError::Table(e.to_string())))
}

#[cfg(feature = "columnar")]
use crate::columnar::load as columns;

/// Refuses a columnar file.
#[cfg(not(feature = "columnar"))]
fn columns(_: Source, options: &Options) -> Result<Column, DataError> {
    Err(DataError::NotBuilt(crate::columnar_name(options.format)))
}

/// Returns true for the name of a file whose cells are told apart by tabs where no delimiter is given.
#[must_use]
pub fn says_tabs(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("tsv"))
}
