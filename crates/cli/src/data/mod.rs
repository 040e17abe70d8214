//! From a file to a column of exact integers.
//!
//! ```text
//! file -> csv | json | npy | raw -> Decimal -> Builder (one scale, memory limit) -> Column -> field elements
//! ```
//!
//! Every reader streams: it holds the column (8 bytes a row, 16 for wide values) and one buffer.

pub mod column;
mod csv;
pub mod decimal;
pub mod embed;
mod error;
mod json;
mod npy;
mod raw;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

pub use column::{Column, Layout, Limits, Values};
pub use embed::Base;
pub use error::{DataError, Place};

/// Formats of input files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// By the first bytes, then by the extension; raw bytes when neither says more.
    #[default]
    Auto,
    /// A column of a delimited text file.
    Csv,
    /// A flat array of numbers.
    Json,
    /// A one-dimensional NumPy array.
    Npy,
    /// Bytes, packed into field elements.
    Raw,
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

/// Reads a column from a file. `wrap` sees every byte on its way (a progress bar).
///
/// # Errors
/// See [`DataError`].
pub fn load<R: Read>(
    path: &Path,
    format: Format,
    mut options: Options,
    wrap: impl FnOnce(File, u64) -> R,
) -> Result<Column, DataError> {
    let open = |source| DataError::Open { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(open)?;
    let metadata = file.metadata().map_err(open)?;
    if metadata.is_dir() {
        return Err(open(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    // Pipes have no size and cannot be read twice: their start is put back in front.
    let size = metadata.is_file().then_some(metadata.len());
    if size == Some(0) {
        return Err(DataError::EmptyFile);
    }
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(SAMPLE).read_to_end(&mut start)?;
    let format = match format {
        Format::Auto => detect(&start, path, options.column.is_some()),
        given => given,
    };
    if let Some(size) = size {
        options.limits.check(estimate_rows(&start, size, format, &options))?;
    }
    options.size = size;
    if let Some(name) = path.file_name() {
        options.name = name.to_string_lossy().into_owned();
    }
    if format == Format::Csv && options.delimiter == b',' && has_extension(path, "tsv") {
        options.delimiter = b'\t';
    }
    let source = start.as_slice().chain(wrap(file, size.unwrap_or(0)));
    read(source, format, &options)
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
            Format::Npy => npy::read(buffered, options),
            Format::Raw | Format::Auto => raw::read(buffered, options),
        }?
    };
    column.source_digest = source.digest();
    Ok(column)
}

/// Bytes of the file that are looked at before reading it.
const SAMPLE: u64 = 1 << 16;

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

fn detect(start: &[u8], path: &Path, column_named: bool) -> Format {
    if start.starts_with(npy::MAGIC) || has_extension(path, "npy") {
        Format::Npy
    } else if has_extension(path, "json") {
        Format::Json
    } else if column_named || ["csv", "tsv"].iter().any(|e| has_extension(path, e)) {
        Format::Csv
    } else {
        Format::Raw
    }
}

/// Rows of the whole file: exact for NPY and raw bytes, from the first bytes for text.
fn estimate_rows(start: &[u8], size: u64, format: Format, options: &Options) -> u64 {
    let by_separator = |separator: u8| {
        let seen = start.iter().filter(|&&b| b == separator).count() as u64;
        // Rounded down: a column at the edge is decided by the exact count while reading.
        (u128::from(size) * u128::from(seen) / (start.len() as u128).max(1) * 9 / 10) as u64
    };
    match format {
        Format::Csv => by_separator(b'\n'),
        Format::Json => by_separator(b','),
        Format::Npy => 0,
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

    fn at(name: &str, content: &[u8], options: Options) -> Result<Column, DataError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        load(&path, Format::Auto, options, |file, _| file)
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
    }

    #[test]
    fn the_digest_is_that_of_the_file() {
        let content = b"a\n1\n2\n\n";
        let column = at("x.csv", content, Options::default()).unwrap();
        assert_eq!(column.source_digest, *blake3::hash(content).as_bytes());
        let mut json = b"[1]".to_vec();
        json.extend([b' '; 200_000]);
        let column = at("x.json", &json, Options::default()).unwrap();
        assert_eq!(column.source_digest, *blake3::hash(&json).as_bytes());
    }

    #[test]
    fn missing_empty_and_directories() {
        assert!(matches!(at("x.csv", b"", Options::default()), Err(DataError::EmptyFile)));
        let absent = load(Path::new("no/such/file"), Format::Auto, Options::default(), |f, _| f).unwrap_err();
        assert!(absent.is_io() && absent.to_string().starts_with("cannot open no/such/file"), "{absent}");
        let directory = tempfile::tempdir().unwrap();
        let error = load(directory.path(), Format::Auto, Options::default(), |f, _| f).unwrap_err();
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
            for format in [Format::Csv, Format::Json, Format::Npy, Format::Raw] {
                let _ = read(&input[..], format, &Options::default());
            }
        }
    }
}
