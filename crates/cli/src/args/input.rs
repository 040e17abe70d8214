//! Arguments that say what data are read, and how.

use std::path::PathBuf;

use clap::Args;

use crate::data::Format;

/// A file, and how to read it.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// CSV column, flat JSON array, JSON lines, one-dimensional NPY array, or binary data; each also compressed by gzip or
    /// zstd; `-` is standard input
    pub file: PathBuf,
    /// Column of a CSV file or member of JSON lines, by its name
    #[arg(short, long, value_name = "NAME")]
    pub column: Option<String>,
    /// Format of the file
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Take the file as its bytes as they stand, whatever it holds
    #[arg(long, conflicts_with_all = ["column", "format", "scale", "no_header"])]
    pub raw_bytes: bool,
    /// Digits kept after the decimal point, 0 to 18 [default: as many as the column has]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=18))]
    pub scale: Option<u32>,
    /// Delimiter of a CSV file, one ASCII character or `tab`
    #[arg(long, value_name = "CHAR", default_value = ",", value_parser = parse_delimiter)]
    pub delimiter: u8,
    /// The first row holds data; columns are named 1, 2, 3, ...
    #[arg(long)]
    pub no_header: bool,
}

impl Input {
    /// How the file is to be read, as far as the arguments say.
    #[must_use]
    pub fn format(&self) -> Format {
        if self.raw_bytes { Format::Raw } else { self.format }
    }
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
        _ => Err("one ASCII character, or `tab`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters() {
        assert_eq!(parse_delimiter("tab"), Ok(b'\t'));
        assert_eq!(parse_delimiter(";"), Ok(b';'));
        assert!(
            parse_delimiter("\"").is_err() && parse_delimiter("ab").is_err() && parse_delimiter("").is_err()
        );
    }
}
