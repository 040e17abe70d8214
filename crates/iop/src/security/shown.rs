//! Bits for people.

use core::fmt;

/// Bits as they are shown: rounded down, so that no rounding claims more than is proven. Two decimals unless a precision is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown(pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let unit = libm::exp10(decimals as f64);
        write!(f, "{:.decimals$}", libm::floor(self.0 * unit) / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::{Policy, Regime, Report, Term};

    /// 127.996 bits are not 128, neither to a policy nor to who reads what is printed.
    #[test]
    fn shown_bits_are_never_rounded_up() {
        let mut report = Report::new(Regime::UniqueDecoding, 254.0);
        report.push(Term {
            label: "t".into(),
            bits: 127.9996,
            grinding: 0,
            formula: "f".into(),
            source: "s",
            lines: None,
        });
        assert!(
            Policy::at_least(128).check(&report).unwrap_err().reason().contains("security of 127.99 bits")
        );
        let (table, json) = (report.to_string(), report.to_json());
        assert!(table.contains("(union of all terms): 127.99\n") && !table.contains("128.00"), "{table}");
        assert!(json.contains("\"proven_bits\":127.999,") && !json.contains("128.000"), "{json}");
        for (bits, decimals, shown) in
            [(127.96, 1, "127.9"), (128.0, 1, "128.0"), (127.99, 0, "127"), (0.0, 2, "0.00")]
        {
            assert_eq!(format!("{:.decimals$}", Shown(bits)), shown);
        }
        assert_eq!(Shown(f64::INFINITY).to_string(), "inf");
    }
}
