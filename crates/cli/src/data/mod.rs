//! From a file to a column of exact integers.
//!
//! ```text
//! file or stdin -> gzip | zstd -> csv | json | jsonl | npy | parquet | arrow | raw -> Decimal -> Builder (one scale) -> Column -> field elements
//! ```
//!
//! Every reader streams: it holds the column (8 bytes a row, 16 for wide values), one buffer, and one record of bounded
//! length; Parquet and Arrow, which have their index at the end, are read by pages and batches. The digest in a commitment is that of the content: of what is inside a compressed file.

pub mod column;
#[cfg(feature = "columnar")]
mod columnar;
mod compressed;
mod csv;
mod detect;
mod error;
mod json;
mod jsonl;
mod lines;
mod npy;
mod raw;
mod source;

use std::io::{BufReader, Read};

pub use column::{Column, Layout, Limits, Values};
pub use error::{DataError, Place};
pub use source::{STDIN, Source, stdin};
pub use tenfold::dataset::{Base, decimal};

/// Formats of input files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// By the first bytes, then by the name; binary data is taken as bytes.
    #[default]
    Auto,
    /// A column of a delimited text file.
    Csv,
    /// A flat array of numbers.
    Json,
    /// A number on each line, or an object with a member that is a number.
    #[value(name = "jsonl", alias = "ndjson")]
    JsonLines,
    /// A one-dimensional NumPy array.
    Npy,
    /// A column of a Parquet file (in builds with the feature `columnar`).
    Parquet,
    /// A column of an Arrow IPC or Feather file (in builds with the feature `columnar`).
    #[value(alias = "feather")]
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
    /// The column of a CSV file.
    pub column: Option<String>,
    /// Decimal digits to keep; by default as many as the column has.
    pub scale: Option<u32>,
    /// Delimiter of a CSV file.
    pub delimiter: u8,
    /// Whether the first row of a CSV file holds names.
    pub header: bool,
    /// Bytes per integer for raw bytes, in `1..=15`.
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
            column: None,
            scale: None,
            delimiter: b',',
            header: true,
            raw_width: Base::Goldilocks.raw_width(),
            limits: Limits::NONE,
            size: None,
            name: "column".to_owned(),
        }
    }
}

/// Reads a column from an opened source of a known format. Where the format has no name for the column, it is that of
/// the file, or the one in the options if the source has none.
///
/// # Errors
/// See [`DataError`].
pub fn load(source: Source, format: Format, mut options: Options) -> Result<Column, DataError> {
    if let Some(size) = source.size {
        options.limits.check(estimate_rows(source.start(), size, format, &options))?;
    }
    options.size = source.size;
    if !source.is_stdin {
        options.name.clone_from(&source.name);
    }
    if format == Format::Csv && options.delimiter == b',' && has_extension(&source.name, "tsv") {
        options.delimiter = b'\t';
    }
    match format {
        Format::Parquet | Format::Arrow => columns(source, format, &options),
        _ => read(source.into_reader(), format, &options),
    }
}

#[cfg(feature = "columnar")]
use columnar::load as columns;

/// Refuses a columnar file.
#[cfg(not(feature = "columnar"))]
fn columns(_: Source, format: Format, _: &Options) -> Result<Column, DataError> {
    Err(DataError::NotBuilt(columnar_name(format)))
}

/// Reads a column from a stream of a known format; the digest covers every byte of it.
///
/// # Errors
/// See [`DataError`].
pub fn read(source: impl Read, format: Format, options: &Options) -> Result<Column, DataError> {
    let mut source = Digesting::new(source);
    let mut column = {
        let buffered = BufReader::with_capacity(1 << 16, &mut source);
        match format {
            Format::Csv => csv::read(buffered, options),
            Format::Json => json::read(buffered, options),
            Format::JsonLines => jsonl::read(buffered, options),
            Format::Npy => npy::read(buffered, options),
            Format::Parquet | Format::Arrow => Err(DataError::NotBuilt(columnar_name(format))),
            Format::Raw | Format::Auto => raw::read(buffered, options),
        }?
    };
    column.source_digest = source.digest();
    Ok(column)
}

fn has_extension(name: &str, wanted: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(wanted))
}

/// Rows of the whole file: exact for NPY and raw bytes, from the first bytes for text.
fn estimate_rows(start: &[u8], size: u64, format: Format, options: &Options) -> u64 {
    let by_separator = |separator: u8| {
        let seen = start.iter().filter(|&&b| b == separator).count() as u64;
        // Rounded down: a column at the edge is decided by the exact count while reading.
        (u128::from(size) * u128::from(seen) / (start.len() as u128).max(1) * 9 / 10) as u64
    };
    match format {
        Format::Csv | Format::JsonLines => by_separator(b'\n'),
        Format::Json => by_separator(b','),
        Format::Npy | Format::Parquet | Format::Arrow => 0,
        Format::Raw | Format::Auto => size.div_ceil(options.raw_width as u64),
    }
}

/// Reads until the buffer is full or the source has ended: the number of bytes read.
pub(crate) fn fill(source: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// Hashes what passes.
pub(crate) struct Digesting<R> {
    source: R,
    hasher: blake3::Hasher,
}

impl<R> Digesting<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, hasher: blake3::Hasher::new() }
    }

    /// The digest of all bytes that have passed.
    pub(crate) fn digest(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.source.read(buffer)?;
        self.hasher.update(&buffer[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn at(name: &str, content: &[u8], options: Options) -> Result<Column, DataError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        let source = Source::open(&path, |file, _| file)?.decompressed(options.limits.max_bytes)?;
        let format = source.format(Format::Auto, options.column.is_some())?;
        load(source, format, options)
    }

    #[test]
    fn formats_are_detected() {
        let named = Options { column: Some("a".into()), ..Options::default() };
        assert_eq!(at("x.csv", b"a,b\n1,2\n", named.clone()).unwrap().values, Values::Narrow(vec![1]));
        assert_eq!(at("x.tsv", b"a\tb\n1\t2\n", named.clone()).unwrap().values, Values::Narrow(vec![1]));
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
    fn huge_files_are_refused_before_reading() {
        let limits = Limits { max_bytes: 1 << 20, bytes_per_row: 64 };
        let text = "1\n".repeat(100_000);
        let error = at("x.csv", text.as_bytes(), Options { limits, ..Options::default() }).unwrap_err();
        assert!(matches!(error, DataError::OverMemory { .. }), "{error}");
        assert!(error.to_string().contains("1.0 MiB"), "{error}");
    }

    proptest! {
        #[test]
        fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), npy in any::<bool>()) {
            let mut input = if npy { npy::MAGIC.to_vec() } else { Vec::new() };
            input.extend(&bytes);
            for format in [Format::Csv, Format::Json, Format::JsonLines, Format::Npy, Format::Raw] {
                let _ = read(&input[..], format, &Options::default());
            }
        }
    }
}
