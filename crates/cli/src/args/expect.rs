//! Claims that `verify` is to find in a proof, as arguments.

use std::str::FromStr;

/// Names of quantities, and those of the claims' objects under `readings`; with a row or without.
const NAMES: [(&str, &str, bool); 7] = [
    ("row", "row", true),
    ("entry", "entry", true),
    ("sum", "sum", false),
    ("mean", "mean", false),
    ("weighted-sum", "weighted sum", false),
    ("weighted-mean", "weighted mean", false),
    ("inner-product", "inner product", false),
];

/// A claim that a proof must make, of any value or of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The quantity, as the claim's object names it.
    pub of: &'static str,
    /// The row or entry, of a quantity that is one.
    pub row: Option<u64>,
    /// The value, in canonical text.
    pub value: Option<String>,
}

impl Expected {
    /// The quantity in words.
    pub fn name(&self) -> String {
        self.row.map_or_else(|| format!("the {}", self.of), |row| format!("{} {row}", self.of))
    }
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            || format!("`{text}` names no claim: write `sum`, `sum=294348`, `row:7=30.25` or `entry:7=255`");
        let (quantity, value) = text.split_once('=').map_or((text, None), |(of, value)| (of, Some(value)));
        let (name, row) = quantity.split_once(':').map_or((quantity, None), |(name, row)| (name, Some(row)));
        let found = NAMES.iter().find(|(known, _, with_row)| *known == name && *with_row == row.is_some());
        let (_, of, _) = found.ok_or_else(bad)?;
        let row = row.map(|row| row.parse().map_err(|_| bad())).transpose()?;
        let value = value.map(|value| canonical(value).ok_or_else(bad)).transpose()?;
        Ok(Self { of, row, value })
    }
}

/// One text for each value: a decimal without zeros that say nothing, a fraction of two, or hexadecimal digits. None for what is no value.
pub fn canonical(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix("0x") {
        let hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        return hex.then(|| format!("0x{}", digits.trim_start_matches('0').to_ascii_lowercase()));
    }
    match text.split_once('/') {
        Some((above, below)) => Some(format!("{}/{}", decimal(above)?, decimal(below)?)),
        None => decimal(text),
    }
}

fn decimal(text: &str) -> Option<String> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !plain(whole) || !plain(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if part.is_empty() { "" } else { "." };
    let sign = if (whole, part) == ("0", "") { "" } else { sign };
    Some(format!("{sign}{whole}{point}{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_has_one_spelling() {
        let expected = |text: &str| text.parse::<Expected>();
        let of = |of, row, value: Option<&str>| Ok(Expected { of, row, value: value.map(str::to_owned) });
        assert_eq!(expected("sum"), of("sum", None, None));
        assert_eq!(expected("row:7=030.250"), of("row", Some(7), Some("30.25")));
        assert_eq!(expected("weighted-sum=-0.0"), of("weighted sum", None, Some("0")));
        assert_eq!(expected("mean=10/4"), of("mean", None, Some("10/4")));
        assert_eq!(expected("inner-product=0x00Ff"), of("inner product", None, Some("0xff")));
        for bad in [
            "",
            "=1",
            "row",
            "row=1",
            "sum:1",
            "row:",
            "row:-1=2",
            "row:x=2",
            "sum=",
            "sum=1.",
            "sum=.5",
            "sum=1e3",
            "sum=+1",
            "sum=--1",
            "sum=1,5",
            "sum=0x",
            "sum=0xg",
            "sum=1/",
            "sums=1",
            "sum =1",
            "row:7=1=1",
            "form=1",
            "row:18446744073709551616=1",
        ] {
            assert!(expected(bad).is_err_and(|e| e.contains("names no claim")), "{bad}");
        }
    }
}
