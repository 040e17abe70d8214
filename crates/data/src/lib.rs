//! From files to data: columns of exact integers, or bytes.
//!
//! ```no_run
//! use data::{Options, Source};
//!
//! let source = Source::open("prices.csv.gz".as_ref(), |file, _| file)?;
//! let options = Options { column: Some("price".into()), ..Options::default() };
//! let prices: tenfold::Dataset = data::dataset(source, &options)?;
//! # Ok::<(), data::DataError>(())
//! ```
//!
//! ```text
//! file or stdin -> gzip | zstd -> csv | json | jsonl | npy | parquet | arrow -> Decimal -> Builder (one scale) -> Column
//!                              -> any other bytes                                                              -> Bytes, entries
//! ```
//!
//! Every reader streams: it holds the column (8 bytes a row, 16 for wide values), one buffer, and one record of bounded
//! length; a column that is not to be held is measured and then passed on row by row ([`Opened::measure`], [`Opened::pass`]). Parquet and Arrow, which have their index at the end, are read by pages and batches. The digest in a commitment is that of the content: of what is inside a compressed file.
#![forbid(unsafe_code)]

mod baseline;
mod column;
#[cfg(feature = "columnar")]
mod columnar;
mod compressed;
mod content;
mod csv;
mod detect;
mod error;
mod json;
mod jsonl;
mod lines;
mod npy;
mod opened;
mod raw;
mod rows;
mod source;
mod streamed;

use std::borrow::Cow;
use std::io::{BufReader, Read};

pub use baseline::Baselines;
pub use column::Limits;
pub use compressed::{Damaged, Window};
pub use content::Content;
pub use error::{DataError, Place};
pub use lines::LineError;
pub use opened::{Opened, says_tabs, table};
pub use source::{STDIN, Source, stdin};

use rows::Rows;

use tenfold::Dataset;
use tenfold::dataset::decimal::MAX_SCALE;
use tenfold::dataset::{Base, Column, MAX_WIDTH, Values};
use tenfold::read::{Digesting, fill};

/// Formats of input files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// By the first bytes, then by the name; binary data is taken as bytes.
    #[default]
    Auto,
    /// A column of a delimited text file.
    Csv,
    /// A flat array of numbers.
    Json,
    /// A number on each line, or an object with a member that is a number.
    JsonLines,
    /// A one-dimensional NumPy array.
    Npy,
    /// A column of a Parquet file (in builds with the feature `columnar`).
    Parquet,
    /// A column of an Arrow IPC or Feather file (in builds with the feature `columnar`).
    Arrow,
    /// Bytes as they stand.
    Raw,
}

/// A columnar format in words.
const fn columnar_name(format: Format) -> &'static str {
    if matches!(format, Format::Parquet) { "a Parquet file" } else { "an Arrow IPC (Feather) file" }
}

/// How to read a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format.
    pub format: Format,
    /// The column of a CSV file.
    pub column: Option<String>,
    /// Decimal digits to keep, at most [`MAX_SCALE`]; by default as many as the column has.
    pub scale: Option<u32>,
    /// Delimiter of a CSV file; by default a comma, or a tab where the name ends in `.tsv`.
    pub delimiter: Option<u8>,
    /// Whether the first row of a CSV file holds names.
    pub header: bool,
    /// Bytes per integer of bytes that are read as a column, in `1..=`[`MAX_WIDTH`].
    pub raw_width: usize,
    /// Memory that the job may take.
    pub limits: Limits,
    /// Size of the file in bytes, when known.
    pub size: Option<u64>,
    /// Name of the column where the format has none.
    pub name: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            column: None,
            scale: None,
            delimiter: None,
            header: true,
            raw_width: Base::Goldilocks.raw_width(),
            limits: Limits::NONE,
            size: None,
            name: "column".to_owned(),
        }
    }
}

impl Options {
    /// Refuses digits after the point, or a width of integers, that no column has.
    fn check(&self) -> Result<(), DataError> {
        match (self.scale, self.raw_width) {
            (Some(given), _) if given > MAX_SCALE => Err(DataError::Scale { given }),
            (_, given) if !(1..=MAX_WIDTH).contains(&given) => Err(DataError::RawWidth { given }),
            _ => Ok(()),
        }
    }
}

/// Reads a dataset: bytes where the options or the content say so, else a column.
///
/// # Errors
/// See [`DataError`].
pub fn dataset(source: Source, options: &Options) -> Result<Dataset, DataError> {
    let opened = Opened::of(source, options)?;
    if opened.is_bytes() {
        Ok(Dataset::Bytes(opened.bytes(options)?.read()?))
    } else {
        Ok(Dataset::Column(opened.column(options.clone())?))
    }
}

/// Reads a column from a stream, whose bytes are packed if no format is given; the digest covers every byte of it.
///
/// # Errors
/// See [`DataError`].
pub fn read(source: impl Read, options: &Options) -> Result<Column, DataError> {
    let (read, digest) = read_into(source, options, Values::default())?;
    Ok(read.column(digest))
}

/// Reads several columns of a CSV file at once, each by its options.
fn read_csv(source: impl Read, all: &[Options]) -> Result<Vec<Column>, DataError> {
    let first = all.first().ok_or(DataError::EmptyFile)?;
    all.iter().try_for_each(Options::check)?;
    let mut source = Digesting::new(source);
    let wanted = all.iter().map(|options| (options, Values::default())).collect();
    let read = csv::read_all(BufReader::with_capacity(1 << 16, &mut source), first, wanted)?;
    let digest = source.digest();
    Ok(read.into_iter().map(|read| read.column(digest)).collect())
}

/// Reads the rows of a column from a stream, and its digest.
fn read_into<R: Rows>(
    source: impl Read,
    options: &Options,
    rows: R,
) -> Result<(rows::Read<R>, [u8; 32]), DataError> {
    options.check()?;
    let mut source = Digesting::new(source);
    let read = {
        let buffered = BufReader::with_capacity(1 << 16, &mut source);
        match options.format {
            Format::Csv => csv::read(buffered, options, rows),
            Format::Json => json::read(buffered, options, rows),
            Format::JsonLines => jsonl::read(buffered, options, rows),
            Format::Npy => npy::read(buffered, options, rows),
            format @ (Format::Parquet | Format::Arrow) => Err(DataError::NotBuilt(columnar_name(format))),
            Format::Raw | Format::Auto => raw::read(buffered, options, rows),
        }?
    };
    Ok((read, source.digest()))
}

/// The position of the column to read among `count`, of which these are the first names: the one that is named, or the only one.
fn chosen<'a>(
    names: impl Iterator<Item = Cow<'a, str>> + Clone,
    count: usize,
    wanted: Option<&str>,
) -> Result<usize, DataError> {
    const SHOWN: usize = 100;
    let available = || names.clone().take(SHOWN).map(Cow::into_owned).collect();
    let Some(wanted) = wanted else {
        return if count == 1 {
            Ok(0)
        } else {
            Err(DataError::ColumnNeeded { available: available(), count })
        };
    };
    let mut found = names.clone().enumerate().filter(|(_, name)| name == wanted).map(|(at, _)| at);
    match (found.next(), found.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), others) => Err(DataError::DuplicateColumn { name: wanted.to_owned(), count: others + 1 }),
        (None, _) => Err(DataError::MissingColumn { wanted: wanted.to_owned(), available: available() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;
    use tenfold::dataset::Layout;

    fn at(name: &str, content: &[u8], options: Options) -> Result<Column, DataError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        Opened::of(Source::open(&path, |file, _| file)?, &options)?.column(options)
    }

    #[test]
    fn formats_are_detected() {
        let named = Options { column: Some("a".into()), ..Options::default() };
        assert_eq!(at("x.csv", b"a,b\n1,2\n", named.clone()).unwrap().values, Values::Narrow(vec![1]));
        assert_eq!(at("x.tsv", b"a\tb\n1\t2\n", named.clone()).unwrap().values, Values::Narrow(vec![1]));
        let by_comma = Options { delimiter: Some(b','), ..named.clone() };
        assert_eq!(at("x.tsv", b"a,b\n1,2\n", by_comma).unwrap().values, Values::Narrow(vec![1]));
        assert_eq!(at("x.dat", b"a,b\n1,2\n", named).unwrap().name, "a");
        let json = at("x.json", b"[1.5]", Options::default()).unwrap();
        assert_eq!((json.name.as_str(), json.scale), ("x.json", 1));
        let raw = at("x.bin", b"hello world", Options::default()).unwrap();
        assert_eq!(raw.layout, Layout::Bytes { length: 11, width: 7 });
        let lines = at("x.jsonl", b"{\"a\": 3}\n{\"a\": 4.5}\n", Options::default()).unwrap();
        assert_eq!((lines.name.as_str(), lines.values), ("a", Values::Narrow(vec![30, 45])));
    }

    #[test]
    fn the_digest_is_that_of_the_file() {
        let content = b"a\n1\n2\n";
        let column = at("x.csv", content, Options::default()).unwrap();
        assert_eq!(column.source_digest, *blake3::hash(content).as_bytes());
        let mut json = b"[1]".to_vec();
        json.extend([b' '; 200_000]);
        let column = at("x.json", &json, Options::default()).unwrap();
        assert_eq!(column.source_digest, *blake3::hash(&json).as_bytes());
    }

    /// Scales and widths that no column has are refused, before anything is computed with them: of every format, and of a file that is not read.
    #[test]
    fn options_out_of_range_are_refused() {
        for given in [19, 39, 129, u32::MAX] {
            for format in [Format::Csv, Format::Json, Format::JsonLines, Format::Npy, Format::Raw] {
                let options = Options { format, scale: Some(given), ..Options::default() };
                for refused in [read(&b"[0.5]"[..], &options), at("x", b"[0.5]", options.clone())] {
                    assert!(matches!(refused, Err(DataError::Scale { given: found }) if found == given));
                }
            }
        }
        for given in [0, 16, usize::MAX] {
            let options = Options { raw_width: given, format: Format::Raw, ..Options::default() };
            for refused in [read(&[1; 9][..], &options), at("x.bin", &[1; 9], options.clone())] {
                assert!(matches!(refused, Err(DataError::RawWidth { given: found }) if found == given));
            }
        }
        let widest = Options { raw_width: 15, format: Format::Raw, ..Options::default() };
        let finest = Options { scale: Some(18), format: Format::Json, ..Options::default() };
        assert!(read(&[1; 9][..], &widest).is_ok() && read(&b"[0.5]"[..], &finest).is_ok());
        // Options of CSV files, for what is none.
        let delimited = |delimiter| Options { delimiter: Some(delimiter), ..finest.clone() };
        for options in [delimited(b';'), delimited(b','), Options { header: false, ..finest.clone() }] {
            assert!(matches!(at("x", b"[0.5]", options), Err(DataError::NotCsv(_))));
        }
    }

    /// The column of a compressed file is that of the file: name, rows and digest.
    #[test]
    fn compression_leaves_no_trace() {
        use compressed::tests::{gzip, zstd};
        let options = || Options { column: Some("a".into()), ..Options::default() };
        let content = b"a\tb\n1.5\t2\n".as_slice();
        let plain = at("x.tsv", content, options()).unwrap();
        assert_eq!(at("x.tsv.gz", &gzip(content), options()).unwrap(), plain);
        assert_eq!(at("x.tsv.zst", &zstd(content), options()).unwrap(), plain);
        let json = at("x.json.gz", &gzip(b"[1, 2]"), Options::default()).unwrap();
        assert_eq!(json, at("x.json", b"[1, 2]", Options::default()).unwrap());
        let bytes = at("x.bin.zst", &zstd(&[7; 100]), Options::default()).unwrap();
        assert_eq!(bytes, at("x.bin", &[7; 100], Options::default()).unwrap());
        for compress in [gzip, zstd] {
            let twice = at("x.csv.gz", &compress(&compress(content)), options()).unwrap_err();
            assert!(matches!(twice, DataError::Container { .. }), "{twice}");
            assert!(matches!(at("x", &compress(b""), options()), Err(DataError::EmptyFile)));
            let whole = compress(content);
            let cut = at("x.csv.gz", &whole[..whole.len() - 1], options()).unwrap_err();
            assert!(matches!(cut, DataError::Damaged(_)) && !cut.is_io(), "{cut}");
        }
    }

    #[test]
    fn missing_empty_and_directories() {
        assert!(matches!(at("x.csv", b"", Options::default()), Err(DataError::EmptyFile)));
        let open = |path: &Path| Source::open(path, |f, _| f).map(|_| ()).unwrap_err();
        let absent = open(Path::new("no/such/file"));
        assert!(absent.is_io() && absent.to_string().starts_with("cannot open no/such/file"), "{absent}");
        let directory = tempfile::tempdir().unwrap();
        let error = open(directory.path());
        assert!(matches!(error, DataError::Open { .. }), "{error}");
    }

    #[test]
    fn huge_files_are_refused_while_they_are_read() {
        let limits = Limits { max_bytes: 1 << 20 };
        let text = format!("a\n{}", "1\n".repeat(100_000));
        let error = at("x.csv", text.as_bytes(), Options { limits, ..Options::default() }).unwrap_err();
        assert!(matches!(error, DataError::OverMemory { .. }), "{error}");
        assert!(error.to_string().contains("1.0 MiB"), "{error}");
    }

    /// A file is refused by the rows that it has, and not by those that its first bytes would make.
    #[test]
    fn rows_are_counted_and_not_guessed() {
        let long = format!("{},1\n", "y".repeat(900));
        let text = format!("id,x\n{}{}", "1,1\n".repeat(8000), long.repeat(3000));
        let options = |max_bytes| {
            let limits = Limits { max_bytes };
            Options { limits, column: Some("x".into()), ..Options::default() }
        };
        // Rows that doubling has made room for, and those before them in half the place.
        let need = 12 << 14;
        assert_eq!(at("x.csv", text.as_bytes(), options(need)).unwrap().rows(), 11_000);
        let error = at("x.csv", text.as_bytes(), options(need - 1)).unwrap_err().to_string();
        assert!(error.starts_with("8193 rows or more need about 192.0 KiB"), "{error}");
    }

    proptest! {
        #[test]
        fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), npy in any::<bool>()) {
            let mut input = if npy { npy::MAGIC.to_vec() } else { Vec::new() };
            input.extend(&bytes);
            for format in [Format::Csv, Format::Json, Format::JsonLines, Format::Npy, Format::Raw] {
                let _ = read(&input[..], &Options { format, ..Options::default() });
            }
        }
    }
}
