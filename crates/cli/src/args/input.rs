//! Arguments that say what data are read, and how.

use std::path::PathBuf;

use crate::exit::Failure;
use clap::Args;

use super::Common;
use super::choices::{FORMATS, one_of};
use data::{Format, Limits, Options};
use tenfold::dataset::Base;

/// A file, and how to read it.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// CSV column, flat JSON array, JSON lines, one-dimensional NPY array, or binary data; each also compressed by gzip or
    /// zstd; `-` is standard input
    pub file: PathBuf,
    /// Column of a CSV file or member of JSON lines, by its name (repeatable for `commit`: one commitment to several columns)
    #[arg(short, long, value_name = "NAME")]
    pub column: Vec<String>,
    /// Format of the file
    #[arg(long, value_parser = one_of(FORMATS), default_value = "auto")]
    pub format: Format,
    /// Take the file as its bytes as they stand, whatever it holds
    #[arg(long, conflicts_with_all = ["column", "format", "scale", "no_header"])]
    pub raw_bytes: bool,
    /// Digits kept after the decimal point, 0 to 18 [default: as many as the column has]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=18))]
    pub scale: Option<u32>,
    /// Delimiter of a CSV file, one ASCII character or `tab` [default: ,]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub delimiter: Option<u8>,
    /// The first row holds data; columns are named 1, 2, 3, ...
    #[arg(long)]
    pub no_header: bool,
}

impl Input {
    /// How the file is to be read, bytes as numbers of a field.
    pub fn options(&self, common: &Common, base: Base) -> Options {
        Options {
            format: if self.raw_bytes { Format::Raw } else { self.format },
            column: self.column.first().cloned(),
            scale: self.scale,
            delimiter: self.delimiter,
            header: !self.no_header,
            raw_width: base.raw_width(),
            limits: Limits { max_bytes: common.max_memory() },
            // For standard input, which has no name of its own.
            name: "stdin".to_owned(),
            ..Options::default()
        }
    }

    /// Refuses options that read a file as something else than bytes.
    pub fn check_bytes(&self) -> Result<(), Failure> {
        let of_tables = [
            (!self.column.is_empty(), "--column"),
            (self.scale.is_some(), "--scale"),
            (self.delimiter.is_some(), "--delimiter"),
            (self.no_header, "--no-header"),
            (!matches!(self.format, Format::Auto | Format::Raw), "--format"),
        ];
        refuse(&of_tables, "leave it out, or commit with the default scheme")
    }
}

/// Refuses the first option that is given, of those about columns of numbers.
pub fn refuse(options: &[(bool, &str)], hint: &str) -> Result<(), Failure> {
    let Some((_, option)) = options.iter().find(|(given, _)| *given) else { return Ok(()) };
    let message = format!("{option} is about columns of numbers, and a file of bytes has none");
    Err(Failure::usage(message, hint))
}

/// The delimiter that a text names.
pub fn parse_delimiter(text: &str) -> Result<u8, String> {
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
