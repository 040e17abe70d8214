//! NumPy `.npy` arrays: one dimension, C order, integers or floats of either byte order.
//!
//! Format: the NPY specification (`numpy.lib.format`), versions 1 to 3.

use std::io;

use crate::column::Builder;
use crate::error::DataError;
use crate::rows::{Read, Rows};
use crate::{Options, fill};

/// The first bytes of every NPY file.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// NumPy itself keeps headers of simple arrays below 128 bytes.
const MAX_HEADER: usize = 1 << 16;

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of elements.
    pub rows: u64,
    /// Bytes before the data.
    pub data_offset: u64,
    kind: u8,
    width: usize,
    big_endian: bool,
}

impl Header {
    /// Bytes of data that the header promises.
    fn promised(&self) -> u128 {
        u128::from(self.rows) * self.width as u128
    }
}

/// Reads an array; the promised length is checked against the file before anything is allocated.
///
/// # Errors
/// Unsupported dtype or shape, a header that lies about the length, floats that need a scale.
pub fn read<R: Rows>(mut source: impl io::Read, options: &Options, rows: R) -> Result<Read<R>, DataError> {
    if options.column.is_some() {
        return Err(DataError::NoColumns("a NPY array"));
    }
    let header = header(&mut source)?;
    if let Some(size) = options.size {
        let found = size.saturating_sub(header.data_offset);
        if header.promised() != u128::from(found) {
            return Err(DataError::NpyLength { promised: header.promised(), found });
        }
    }
    rows.check(options.limits, header.rows)?;
    let mut builder = Builder::into(rows, None, options);
    let mut buffer = vec![0u8; header.width << 12];
    let mut left = header.promised();
    while left != 0 {
        let chunk = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let found = fill(&mut source, &mut buffer[..chunk])?;
        for element in buffer[..found].chunks_exact(header.width) {
            push(&mut builder, &header, element)?;
        }
        if found < chunk {
            let found = header.promised() - left + found as u128;
            return Err(length_error(&header, found));
        }
        left -= chunk as u128;
    }
    let extra = fill(&mut source, &mut buffer)?;
    if extra != 0 {
        return Err(length_error(&header, header.promised() + extra as u128));
    }
    builder.end(&options.name, "the array has length 0")
}

fn length_error(header: &Header, found: u128) -> DataError {
    DataError::NpyLength { promised: header.promised(), found: u64::try_from(found).unwrap_or(u64::MAX) }
}

/// Appends one element of `header.width` bytes.
fn push<R: Rows>(builder: &mut Builder<R>, header: &Header, element: &[u8]) -> Result<(), DataError> {
    let mut bytes = [0u8; 8];
    for (i, &byte) in element.iter().enumerate() {
        bytes[if header.big_endian { header.width - 1 - i } else { i }] = byte;
    }
    let bits = u64::from_le_bytes(bytes);
    let unused = 64 - 8 * header.width as u32;
    match header.kind {
        b'u' => builder.push_integer(i128::from(bits)),
        b'i' => builder.push_integer(i128::from((bits << unused) as i64 >> unused)),
        _ if header.width == 4 => builder.push_float(&f32::from_bits(bits as u32).to_string()),
        _ => builder.push_float(&f64::from_bits(bits).to_string()),
    }
}

/// Reads and checks everything before the data.
///
/// # Errors
/// If it is no NPY header or describes an array that is not supported.
pub fn header(source: &mut impl io::Read) -> Result<Header, DataError> {
    let bad = |what: &str| DataError::Npy(what.to_owned());
    let mut start = [0u8; 8];
    match fill(source, &mut start)? {
        0 => return Err(DataError::EmptyFile),
        8 if start.starts_with(MAGIC) => {}
        _ => return Err(bad("it does not start with \\x93NUMPY")),
    }
    let length_bytes = match start[6] {
        1 => 2,
        2 | 3 => 4,
        version => return Err(DataError::Npy(format!("format version {version} is not known"))),
    };
    let mut length = [0u8; 4];
    if fill(source, &mut length[..length_bytes])? != length_bytes {
        return Err(bad("the header is cut short"));
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_HEADER {
        return Err(DataError::Npy(format!("a header of {length} bytes")));
    }
    let mut text = vec![0u8; length];
    if fill(source, &mut text)? != length {
        return Err(bad("the header is cut short"));
    }
    let text = std::str::from_utf8(&text).map_err(|_| bad("the header is not text"))?;
    let data_offset = (8 + length_bytes + length) as u64;
    describe(text, data_offset)
}

/// Interprets `{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }`.
fn describe(text: &str, data_offset: u64) -> Result<Header, DataError> {
    // What is read here and by NumPy, which takes the last of two members of one name, is the same.
    if text.matches(':').count() > 3 {
        return Err(DataError::Npy("its header has more than descr, fortran_order and shape".to_owned()));
    }
    let missing = |key: &str| DataError::Npy(format!("the header has no {key}"));
    let descr = value_of(text, "descr").ok_or_else(|| missing("descr"))?;
    let Some(dtype) = quoted(descr) else {
        return Err(DataError::NpyDtype("structured".to_owned()));
    };
    let unsupported = || DataError::NpyDtype(dtype.chars().take(20).collect());
    let (order, kind, width) = match dtype.as_bytes() {
        &[order, kind, width] => (order, kind, width),
        _ => return Err(unsupported()),
    };
    let width = match (kind, width) {
        (b'i' | b'u', b'1' | b'2' | b'4' | b'8') | (b'f', b'4' | b'8') => usize::from(width - b'0'),
        _ => return Err(unsupported()),
    };
    let big_endian = match order {
        b'<' => false,
        b'>' => true,
        b'|' if width == 1 => false,
        _ => return Err(unsupported()),
    };
    let fortran = value_of(text, "fortran_order").ok_or_else(|| missing("fortran_order"))?;
    if !fortran.starts_with("False") {
        return Err(DataError::NpyShape("in Fortran order".to_owned()));
    }
    let shape = value_of(text, "shape").ok_or_else(|| missing("shape"))?;
    let shape = shape.strip_prefix('(').and_then(|s| s.split_once(')')).ok_or_else(|| missing("shape"))?.0;
    let sizes: Vec<&str> = shape.split(',').map(str::trim).filter(|s| !s.is_empty()).collect();
    let (&[rows], true) = (sizes.as_slice(), shape.contains(',')) else {
        return Err(DataError::NpyShape(format!("({})", shape.chars().take(60).collect::<String>())));
    };
    let rows = rows.parse().map_err(|_| DataError::NpyShape(format!("({shape})")))?;
    Ok(Header { rows, data_offset, kind, width, big_endian })
}

/// The text after `'key':`, without leading spaces.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("'{key}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('\'').and_then(|t| t.split_once('\'')).map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use tenfold::dataset::{Column, Values};

    fn read(source: impl io::Read, options: &Options) -> Result<Column, DataError> {
        super::read(source, options, Values::default()).map(|read| read.column([0; 32]))
    }

    fn file(dtype: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn load(bytes: &[u8], scale: Option<u32>) -> Result<Column, DataError> {
        let options = Options { scale, size: Some(bytes.len() as u64), ..Options::default() };
        read(bytes, &options)
    }

    fn message(dtype: &str, shape: &str, data: &[u8]) -> String {
        load(&file(dtype, shape, data), None).unwrap_err().to_string()
    }

    #[test]
    fn reads_every_integer_type_in_both_orders() {
        for width in [1usize, 2, 4, 8] {
            for order in ['<', '>'] {
                let mut data = Vec::new();
                for x in [-2i64, 100] {
                    let mut bytes = x.to_le_bytes()[..width].to_vec();
                    if order == '>' {
                        bytes.reverse();
                    }
                    data.extend(bytes);
                }
                let order = if width == 1 { '|' } else { order };
                let signed = load(&file(&format!("'{order}i{width}'"), "(2,)", &data), None).unwrap();
                assert_eq!(signed.values, Values::Narrow(vec![-2, 100]), "{order}i{width}");
                let unsigned = load(&file(&format!("'{order}u{width}'"), "(2,)", &data), None).unwrap();
                let all_ones = (1i128 << (8 * width)) - 2;
                assert_eq!(unsigned.values.row(0), Some(all_ones), "{order}u{width}");
            }
        }
    }

    #[test]
    fn floats_are_exact_or_refused() {
        let bytes = |xs: &[f64]| xs.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
        let whole = file("'<f8'", "(2,)", &bytes(&[3.0, -4.0]));
        assert_eq!(load(&whole, None).unwrap().values, Values::Narrow(vec![3, -4]));
        let tenths = file("'<f8'", "(2,)", &bytes(&[0.1, 2.25]));
        let error = load(&tenths, None).unwrap_err();
        assert!(matches!(error, DataError::NeedsScale { decimals: 1, .. }), "{error}");
        assert!(matches!(load(&tenths, Some(1)), Err(DataError::TooManyDecimals { decimals: 2, .. })));
        assert_eq!(load(&tenths, Some(2)).unwrap().values, Values::Narrow(vec![10, 225]));
        let sum = file("'<f8'", "(1,)", &bytes(&[0.1 + 0.2]));
        assert!(matches!(load(&sum, Some(2)), Err(DataError::TooManyDecimals { decimals: 17, .. })));
        let single = file("'>f4'", "(1,)", &0.1f32.to_be_bytes());
        assert_eq!(load(&single, Some(1)).unwrap().values, Values::Narrow(vec![1]));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(message("'<f8'", "(1,)", &bytes(&[bad])).contains("is not finite"));
        }
        assert!(message("'<f8'", "(1,)", &bytes(&[1e300])).contains("too large"));
    }

    #[test]
    fn other_arrays_are_named_and_refused() {
        for dtype in ["'<f2'", "'|b1'", "'<c8'", "'|O'", "'<U3'", "'<M8[ns]'", "'=i4'", "'<i3'"] {
            assert!(message(dtype, "(1,)", &[0; 8]).contains("is not supported"), "{dtype}");
        }
        assert!(message("[('a', '<i4')]", "(1,)", &[0; 4]).contains("structured"));
        for shape in ["(2, 2)", "()", "(1, 4)", "(-1,)", "(99999999999999999999999,)"] {
            assert!(message("'<i4'", shape, &[0; 16]).contains("is not one-dimensional"), "{shape}");
        }
        assert!(message("'<i4'", "(0,)", &[]).contains("length 0"));
        assert_eq!(load(&[], None).unwrap_err().to_string(), "the file is empty");
        assert!(load(b"PK\x03\x04abcdef", None).unwrap_err().to_string().contains("does not start with"));
    }

    #[test]
    fn a_header_cannot_lie_about_the_length() {
        let huge = file("'<i8'", "(4611686018427387904,)", &[0; 8]);
        assert!(matches!(load(&huge, None), Err(DataError::NpyLength { found: 8, .. })));
        for size in [None, Some(())] {
            for data in [&[0u8; 7][..], &[0; 9]] {
                let bytes = file("'<i8'", "(1,)", data);
                let options = Options { size: size.map(|()| bytes.len() as u64), ..Options::default() };
                let error = read(&bytes[..], &options).unwrap_err();
                assert!(matches!(error, DataError::NpyLength { promised: 8, .. }), "{error}");
            }
        }
        let limits = Limits { max_bytes: 100 };
        let bytes = file("'|u1'", "(11,)", &[1; 11]);
        let options = Options { limits, size: Some(bytes.len() as u64), ..Options::default() };
        assert!(matches!(read(&bytes[..], &options), Err(DataError::OverMemory { rows: 11, .. })));
    }

    /// NumPy takes the last of two.
    #[test]
    fn a_header_has_each_member_once() {
        for twice in ["'descr': '<f8'", "\"descr\": '<f8'", "'d\\x65scr': '<f8'", "'shape': (2,)"] {
            let bytes = file(&format!("'<i8', {twice}"), "(1,)", &[0; 8]);
            assert!(load(&bytes, None).unwrap_err().to_string().contains("more than descr"), "{twice}");
        }
    }

    #[test]
    fn cut_headers_are_errors() {
        let bytes = file("'<i8'", "(1,)", &[0; 8]);
        for cut in 1..bytes.len() {
            assert!(load(&bytes[..cut], None).is_err(), "cut at {cut}");
        }
    }
}
