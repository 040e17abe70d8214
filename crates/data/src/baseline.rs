//! The two ways to show data without a proof system: send all of it, or a Merkle path for a single row.

use flate2::{Compression, write::GzEncoder};
use std::io::{self, Write};
use tenfold::Dataset;
use tenfold::dataset::Bytes;
use tenfold::text;

/// Bytes of a digest in a tree.
const DIGEST: u64 = 32;
/// Bytes of a file in one leaf.
const LEAF: u64 = 64;

/// The lengths that the data take without a proof.
#[derive(Clone, Copy, Debug)]
pub struct Baselines {
    /// The data, compressed by gzip.
    pub gzip_bytes: u64,
    /// The siblings from one leaf to the root.
    pub path_bytes: u64,
    /// Rows, or pieces of a file.
    pub leaves: u64,
    of_rows: bool,
}

impl Baselines {
    /// Compresses the data: a column as text, one number a line.
    ///
    /// # Errors
    /// If compressing fails.
    pub fn of(data: &Dataset) -> io::Result<Self> {
        let leaves = match data {
            Dataset::Column(_) | Dataset::Table(_) => data.rows(),
            Dataset::Bytes(bytes) => (bytes.content.len() as u64).div_ceil(LEAF),
        };
        let gzip_bytes = gzip(data)?;
        let height = leaves.next_power_of_two().trailing_zeros();
        let of_rows = !matches!(data, Dataset::Bytes(_));
        Ok(Self { gzip_bytes, path_bytes: DIGEST * u64::from(height), leaves, of_rows })
    }

    /// Two lines.
    #[must_use]
    pub fn text(&self) -> String {
        let [gzip, path] = [self.gzip_bytes, self.path_bytes].map(text::bytes);
        let leaves = text::count(self.leaves);
        let one = if self.of_rows {
            format!("one of {leaves} rows by a Merkle path: {path}, which shows no sum and no mean")
        } else {
            format!("{LEAF} of the bytes by a Merkle path over {leaves} leaves: {path}")
        };
        format!("without a proof: the data themselves, {gzip} by gzip\nwithout a proof: {one}")
    }
}

/// The compressed length.
fn gzip(data: &Dataset) -> io::Result<u64> {
    let mut encoder = GzEncoder::new(Counted(0), Compression::best());
    match data {
        Dataset::Column(column) => (0..column.rows())
            .try_for_each(|row| writeln!(encoder, "{}", column.text(row).unwrap_or_default()))?,
        Dataset::Table(table) => (0..table.rows()).try_for_each(|row| {
            let cells = table.columns().iter().map(|column| column.text(row).unwrap_or_default());
            writeln!(encoder, "{}", cells.collect::<Vec<_>>().join(","))
        })?,
        Dataset::Bytes(Bytes { content, .. }) => encoder.write_all(content)?,
    }
    Ok(encoder.finish()?.0)
}

/// Counts bytes and drops them.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_digest_for_each_layer() {
        for (length, leaves, path) in [(1, 1, 0), (64, 1, 0), (65, 2, 32), (64 * 1000, 1000, 320)] {
            let data = Dataset::from_bytes(vec![7; length]);
            let baselines = Baselines::of(&data).unwrap();
            assert_eq!((baselines.leaves, baselines.path_bytes), (leaves, path), "{length} bytes");
        }
    }

    #[test]
    fn what_repeats_is_short() {
        let of = |bytes: Vec<u8>| Baselines::of(&Dataset::from_bytes(bytes)).unwrap().gzip_bytes;
        let mixed = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
        assert!(of(vec![7; 10_000]) < 200 && of((0..10_000).map(mixed).collect()) > 200);
    }
}
