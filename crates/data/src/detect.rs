//! What a file is, by its first bytes, then by its name.

use crate::error::DataError;
use crate::{Format, npy};

/// What to do about a table in a file that is not read.
const EXPORT: &str = "write the column as CSV, JSON lines or NPY";
/// What to do about a compression that is not read.
const UNPACK: &str = "unpack it first, or compress with gzip or zstd, which are read";
/// What to do about an archive.
const EXTRACT: &str = "unpack it and give one file of it";
/// What to do about an archive that is most often NumPy's or a spreadsheet's.
const EXTRACT_ZIP: &str =
    "take one file out of it: `unzip x.npz y.npy`, then give `y.npy`; a spreadsheet saves one sheet as CSV";

/// Containers of structured data that are not read: the bytes they start with, what they are, and the way out.
const CONTAINERS: &[(&[u8], &str, &str)] = &[
    (b"PK\x03\x04", "a zip archive (.npz, .xlsx and .ods are such)", EXTRACT_ZIP),
    (b"PK\x05\x06", "an empty zip archive", "give a file with data"),
    (b"PARE", "an encrypted Parquet file", EXPORT),
    (b"FEA1", "a Feather file of version 1", EXPORT),
    (b"ORC", "an ORC file", EXPORT),
    (b"Obj\x01", "an Avro file", EXPORT),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "write the column as CSV: `sqlite3 -csv -header FILE 'select ...'`",
    ),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", EXPORT),
    (b"CDF\x01", "a NetCDF file", EXPORT),
    (b"CDF\x02", "a NetCDF file", EXPORT),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", EXPORT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls)", "save one sheet as CSV"),
    (b"BZh", "compressed by bzip2", UNPACK),
    (b"\xfd7zXZ\0", "compressed by xz", UNPACK),
    (b"\x04\x22\x4d\x18", "compressed by lz4", UNPACK),
    (b"\x1f\x8b", "compressed by gzip, twice or in an unknown way", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd twice", "unpack it once"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", EXTRACT),
    (b"Rar!\x1a\x07", "a RAR archive", EXTRACT),
];

/// Columnar formats: the bytes they start with.
const COLUMNAR: &[(&[u8], Format)] = &[(b"PAR1", Format::Parquet), (b"ARROW1\0\0", Format::Arrow)];

/// Where a tar archive has its magic number, and what it is.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Decides how a file is read.
///
/// # Errors
/// If it is structured data that is not read, or text without a structure that is known: its bytes would be committed to
/// as something that nobody meant.
pub fn detect(start: &[u8], name: &str, column_named: bool) -> Result<Format, DataError> {
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    if start.starts_with(npy::MAGIC) {
        return Ok(Format::Npy);
    }
    if let Some(&(_, format)) = COLUMNAR.iter().find(|(magic, _)| start.starts_with(magic)) {
        return columnar(format);
    }
    if let Some(&(_, what, advice)) = CONTAINERS.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return Err(DataError::Container { what, advice });
    }
    if start.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
        return Err(DataError::Container { what: "a tar archive", advice: EXTRACT });
    }
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        let advice = "save it as UTF-8: `iconv -f UTF-16 -t UTF-8`";
        return Err(DataError::Container { what: "text in UTF-16", advice });
    }
    let by_name = match extension.as_str() {
        "csv" | "tsv" => Some(Format::Csv),
        "json" if first_character(start) == Some(b'{') => Some(Format::JsonLines),
        "json" => Some(Format::Json),
        "jsonl" | "ndjson" => Some(Format::JsonLines),
        "npy" => Some(Format::Npy),
        _ => None,
    };
    if by_name == Some(Format::Npy) {
        return Ok(Format::Npy);
    }
    if by_name.is_some() || column_named {
        if start.contains(&0) {
            return Err(DataError::NotText);
        }
        return Ok(by_name.unwrap_or_else(|| by_content(start).unwrap_or(Format::Csv)));
    }
    if ["bin", "raw"].contains(&extension.as_str()) || !is_text(start) {
        return Ok(Format::Raw);
    }
    by_content(start).ok_or(DataError::UnknownText)
}

/// Parquet and Arrow, where this build reads them.
fn columnar(format: Format) -> Result<Format, DataError> {
    if cfg!(feature = "columnar") {
        Ok(format)
    } else {
        Err(DataError::NotBuilt(super::columnar_name(format)))
    }
}

fn first_character(text: &[u8]) -> Option<u8> {
    super::json::without_mark(text).iter().copied().find(|b| !b.is_ascii_whitespace())
}

/// The structure of a text without a telling name: JSON by its first character, or a number on the first line.
fn by_content(text: &[u8]) -> Option<Format> {
    match first_character(text)? {
        b'[' => Some(Format::Json),
        b'{' => Some(Format::JsonLines),
        _ => {
            let line = super::json::without_mark(text).split(|&b| b == b'\n').next()?.trim_ascii();
            super::json::is_json_number(line).then_some(Format::JsonLines)
        }
    }
}

/// Whether bytes are text: UTF-8 (the last character may be cut), with no control characters that texts do not have.
fn is_text(start: &[u8]) -> bool {
    let control = |b: &u8| matches!(b, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    let utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(e) => e.error_len().is_none(),
    };
    utf8 && !start.iter().any(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_the_name() {
        let found = |start: &[u8], name| detect(start, name, false).unwrap();
        assert_eq!(found(b"\x93NUMPY\x01\0", "x.csv"), Format::Npy);
        assert_eq!(found(b"a,b\n1,2\n", "x.csv"), Format::Csv);
        assert_eq!(found(b"[1, 2]", "x"), Format::Json);
        assert_eq!(found(b"{\"a\": 1}\n", "x.json"), Format::JsonLines);
        assert_eq!(found(b"12.5\n-3\n", "stdin"), Format::JsonLines);
        assert_eq!(found("\u{feff}1\n".as_bytes(), "stdin"), Format::JsonLines);
        assert_eq!(found("\u{feff}{\"a\": 1}".as_bytes(), "x.json"), Format::JsonLines);
        assert_eq!(found(b"1\n", "x.ndjson"), Format::JsonLines);
        assert_eq!(detect(b"a,b\n1,2\n", "x.dat", true).unwrap(), Format::Csv);
        assert_eq!(detect(b"{\"a\": 1}\n", "x.dat", true).unwrap(), Format::JsonLines);
        for bytes in [&b"\x89PNG\r\n\x1a\n"[..], b"\x7fELF", b"\xff\xd8\xff\xe0", &[200; 9], b"a\0b"] {
            assert_eq!(found(bytes, "x"), Format::Raw, "{bytes:?}");
        }
        assert_eq!(found(b"any bytes at all", "x.bin"), Format::Raw);
    }

    #[test]
    fn what_is_not_read_is_named() {
        for (start, what) in [
            (&b"PK\x03\x04rest"[..], "zip"),
            (b"SQLite format 3\0", "SQLite"),
            (b"BZh91AY", "bzip2"),
            (b"\xff\xfea\0", "UTF-16"),
            (&[&[0; 257][..], b"ustar\0"].concat(), "tar"),
        ] {
            // No name makes it something else.
            for name in ["x", "x.csv", "x.json", "x.bin", "x.npz"] {
                let error = detect(start, name, false).unwrap_err();
                assert!(error.to_string().contains(what), "{error}");
            }
        }
        for (start, what) in [(&b"PAR1\x15"[..], "Parquet"), (b"ARROW1\0\0", "Arrow")] {
            match detect(start, "x.csv", true) {
                Ok(format) => assert!(cfg!(feature = "columnar") && format != Format::Csv),
                Err(error) => {
                    assert!(!cfg!(feature = "columnar") && error.to_string().contains(what), "{error}");
                }
            }
        }
        assert!(matches!(detect(b"some words\n", "LICENSE", false), Err(DataError::UnknownText)));
        assert!(matches!(detect(b"price\n1\n", "x.txt", false), Err(DataError::UnknownText)));
        assert!(matches!(detect(b"a\0b", "x.csv", false), Err(DataError::NotText)));
        assert!(matches!(detect(b"\x7fELF\0", "x", true), Err(DataError::NotText)));
    }
}
