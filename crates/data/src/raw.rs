//! Any file as bytes, packed little-endian into integers of a fixed width.

use std::io;

use crate::column::Stopped;
use crate::error::DataError;
use crate::rows::{Read, Rows};
use crate::{Options, fill};
use tenfold::dataset::{Layout, packed};

/// Reads all bytes; the last integer is padded with zero bytes, and the length in bytes is part of the
/// layout, so that padding is never mistaken for data.
///
/// # Errors
/// An empty file, a named column, digits after the point, a read error, the memory limit.
pub fn read<R: Rows>(
    mut source: impl io::Read,
    options: &Options,
    mut rows: R,
) -> Result<Read<R>, DataError> {
    let width = options.raw_width;
    if options.column.is_some() {
        return Err(DataError::NoColumns("a file of raw bytes"));
    }
    if options.scale.is_some_and(|scale| scale > 0) {
        return Err(DataError::BytesHaveNoPoint);
    }
    let mut length = 0u64;
    // A whole number of integers, so that none straddles two reads.
    let mut buffer = vec![0u8; width << 12];
    loop {
        let filled = fill(&mut source, &mut buffer)?;
        if filled == 0 {
            break;
        }
        length += filled as u64;
        rows.check(options.limits, length.div_ceil(width as u64))?;
        for integer in packed(&buffer[..filled], width) {
            rows.take(integer, options.limits).map_err(|stopped| match stopped {
                Stopped::Taken(error) => error,
                Stopped::Refused(_) => DataError::RawWidth { given: width },
            })?;
        }
    }
    if length == 0 {
        return Err(DataError::EmptyFile);
    }
    Ok(Read { name: options.name.clone(), rows, scale: 0, layout: Layout::Bytes { length, width } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use tenfold::dataset::{Column, Values};

    fn read(source: impl io::Read, options: &Options) -> Result<Column, DataError> {
        super::read(source, options, Values::default()).map(|read| read.column([0; 32]))
    }

    #[test]
    fn packs_little_endian_and_keeps_the_length() {
        for width in [3usize, 7, 15] {
            for length in [1usize, width - 1, width, width + 1, (width << 12) + 2] {
                let bytes: Vec<u8> = (0..length).map(|i| (i * 37 + 1) as u8).collect();
                let options = Options { raw_width: width, ..Options::default() };
                let column = read(&bytes[..], &options).unwrap();
                assert_eq!(column.layout, Layout::Bytes { length: length as u64, width });
                assert_eq!(column.rows(), length.div_ceil(width));
                let mut unpacked: Vec<u8> =
                    column.values.iter().flat_map(|x| x.to_le_bytes()[..width].to_vec()).collect();
                assert!(unpacked[length..].iter().all(|&b| b == 0));
                unpacked.truncate(length);
                assert_eq!(unpacked, bytes);
            }
        }
    }

    #[test]
    fn refuses_empty_files_columns_and_too_much() {
        let options = Options::default();
        assert!(matches!(read(&[][..], &options), Err(DataError::EmptyFile)));
        let named = Options { column: Some("x".into()), ..Options::default() };
        assert!(matches!(read(&[1][..], &named), Err(DataError::NoColumns(_))));
        let scaled = Options { scale: Some(1), ..Options::default() };
        assert!(matches!(read(&[1][..], &scaled), Err(DataError::BytesHaveNoPoint)));
        let small = Options { limits: Limits { max_bytes: 40 }, raw_width: 3, ..Options::default() };
        assert!(matches!(read(&[1; 9][..], &small), Err(DataError::OverMemory { rows: 3, .. })));
    }
}
