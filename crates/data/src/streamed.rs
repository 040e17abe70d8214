//! Data that are not held: read once to be described, and once more to be passed on.
//!
//! ```text
//!   open ──► measure, describe_bytes ──► description ──┐
//!   open ──► pass, pass_bytes ──► row by row ──────────┴─► compared at the end: the file may have changed between
//! ```

use crate::content::describe;
use crate::rows::{Passed, Read};
use crate::{DataError, Opened, Options, read_into};
use std::io;
use tenfold::dataset::{Layout, Measured, Measures};
use tenfold::statement::{BytesDescription, ColumnDescription};

/// The description of a column that was read.
fn described<R>((read, source): (Read<R>, [u8; 32]), rows: u64) -> (ColumnDescription, R) {
    let bytes = match read.layout {
        Layout::Numbers => None,
        Layout::Bytes { length, width } => Some((length, width as u32)),
    };
    (ColumnDescription { name: read.name, rows, scale: read.scale, bytes, source }, read.rows)
}

impl Opened {
    /// Describes a column and measures its rows, which are dropped: no memory bounds their number.
    ///
    /// # Errors
    /// As [`Opened::column`]; of columnar formats, whose rows are held.
    pub fn measure(self, options: Options) -> Result<Measured, DataError> {
        let (source, options) = self.settle(options)?;
        let (read, digest) = read_into(source.into_reader(), &options, Measures::default())?;
        let rows = read.rows.rows();
        let (description, measures) = described((read, digest), rows);
        Ok(Measured { description, measures })
    }

    /// Calls a function with each row of a column that was measured, as an integer of the scale of all.
    ///
    /// # Errors
    /// As [`Opened::measure`]; the function's, as a read error; [`DataError::Changed`] if the column is another one now, after the function had its rows.
    pub fn pass(
        self,
        options: Options,
        measured: &ColumnDescription,
        each: &mut dyn FnMut(i128) -> io::Result<()>,
    ) -> Result<(), DataError> {
        let (source, options) = self.settle(Options { scale: Some(measured.scale), ..options })?;
        let read = read_into(source.into_reader(), &options, Passed { rows: 0, each })?;
        let rows = read.0.rows.rows;
        if described(read, rows).0 == *measured { Ok(()) } else { Err(DataError::Changed) }
    }

    /// Describes bytes, which are dropped: no memory bounds their number.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn describe_bytes(self) -> Result<BytesDescription, DataError> {
        describe(self.into_source(), &mut |_| Ok(()))
    }

    /// Calls a function with all bytes that were described, a piece at a time.
    ///
    /// # Errors
    /// As [`Opened::pass`].
    pub fn pass_bytes(
        self,
        described: &BytesDescription,
        each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), DataError> {
        if describe(self.into_source(), each)? == *described { Ok(()) } else { Err(DataError::Changed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use proptest::prelude::*;

    fn opened(content: &[u8], options: &Options) -> Opened {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x");
        std::fs::write(&path, content).unwrap();
        Opened::of(Source::open(&path, |file, _| file).unwrap(), options).unwrap()
    }

    fn csv() -> Options {
        Options { format: crate::Format::Csv, ..Options::default() }
    }

    fn passed(content: &[u8], options: &Options, measured: &Measured) -> Result<Vec<i128>, DataError> {
        let mut rows = Vec::new();
        let mut each = |row| {
            rows.push(row);
            Ok(())
        };
        opened(content, options).pass(options.clone(), &measured.description, &mut each).map(|()| rows)
    }

    #[test]
    fn other_data_than_were_measured_are_refused() {
        let measured = opened(b"a\n1\n2.5\n", &csv()).measure(csv()).unwrap();
        assert_eq!(passed(b"a\n1\n2.5\n", &csv(), &measured).unwrap(), [10, 25]);
        for other in [&b"a\n1\n2.6\n"[..], b"a\n1\n2.50\n", b"a\n1\n", b"b\n1\n2.5\n", b"a\n1\n2.5\n3\n"] {
            let changed = passed(other, &csv(), &measured);
            assert!(matches!(changed, Err(DataError::Changed)), "{changed:?}");
        }
        let finer = passed(b"a\n1\n2.55\n", &csv(), &measured);
        assert!(matches!(finer, Err(DataError::TooManyDecimals { .. })), "{finer:?}");
        let raw = Options { format: crate::Format::Raw, ..Options::default() };
        let described = opened(b"some bytes", &raw).describe_bytes().unwrap();
        for (other, same) in [(&b"some bytes"[..], true), (b"some bytes.", false), (b"same bytes", false)] {
            let mut all = Vec::new();
            let mut each = |bytes: &[u8]| {
                all.extend(bytes);
                Ok(())
            };
            let passed = opened(other, &raw).pass_bytes(&described, &mut each);
            assert_eq!((passed.is_ok(), &all[..]), (same, other));
        }
    }

    /// The receiver of the rows stops the reading.
    #[test]
    fn a_row_that_is_not_taken_ends_the_reading() {
        let measured = opened(b"a\n1\n2\n3\n", &csv()).measure(csv()).unwrap();
        let mut taken = 0;
        let mut each = |_| {
            taken += 1;
            if taken == 2 { Err(io::Error::other("full")) } else { Ok(()) }
        };
        let stopped = opened(b"a\n1\n2\n3\n", &csv()).pass(csv(), &measured.description, &mut each);
        assert!(matches!(stopped, Err(DataError::Read(_))) && taken == 2);
    }

    proptest! {
        /// A column that is measured and passed on is the one that is kept.
        #[test]
        fn rows_are_those_of_the_column(rows in prop::collection::vec((-1_000_000i64..1_000_000, 0u32..6), 1..30)) {
            let text: String = rows.iter().map(|(x, scale)| format!("{x}e-{scale}\n")).collect();
            let text = format!("a\n{text}");
            let column = opened(text.as_bytes(), &csv()).column(csv()).unwrap();
            let measured = opened(text.as_bytes(), &csv()).measure(csv()).unwrap();
            prop_assert_eq!(&measured.description, &column.describe());
            prop_assert_eq!(measured.measures.range(), column.values.range());
            prop_assert_eq!(measured.measures.sum(), column.values.sum());
            let passed = passed(text.as_bytes(), &csv(), &measured).unwrap();
            prop_assert_eq!(passed, column.values.iter().collect::<Vec<_>>());
        }
    }
}
