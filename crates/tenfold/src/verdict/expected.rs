//! Claims that a verifier needs: that a proof holds says nothing of which claims it makes.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{Claimed, Value, Verdict, VerifiedClaim};
use crate::error::Error;
use crate::statement::{Description, shown};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use core::str::FromStr;

/// Names of quantities that stand alone.
const NAMES: [(&str, Claimed); 5] = [
    ("sum", Claimed::Sum),
    ("mean", Claimed::Mean),
    ("weighted-sum", Claimed::WeightedSum),
    ("weighted-mean", Claimed::WeightedMean),
    ("inner-product", Claimed::InnerProduct),
];

/// A claim that a proof must make, of any value or of one: in text `sum`, `sum=294348`, `row:7=30.25`, `entry:7=255`,
/// `mean=7/2`, of the sum of rows 100 to 199 `sum:100..200=1234`, of an evaluation at 7 `evaluate:7=1234`, at a point `point:1,0,-1=1234`; of the column
/// `price` of a table `sum@price=294348`, which a single column of this name is, too;
/// of the sum of products of two columns `product@price@amount=1234`. A name with `=` in it has no such text, nor has one with `@` in a product.
///
/// ```
/// use tenfold::{Claimed, Expected};
///
/// let expected: Expected = "row:7=030.250".parse().unwrap();
/// assert_eq!(expected.claimed(), &Claimed::Row(7));
/// assert!("row".parse::<Expected>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    claimed: Claimed,
    value: Option<Wanted>,
}

/// A value that a claim must have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    canonical: String,
    /// As whoever asks for it wrote it.
    written: String,
}

impl Wanted {
    fn of(written: &str) -> Option<Self> {
        canonical(written).map(|canonical| Self { canonical, written: written.to_owned() })
    }
}

impl Expected {
    /// A claim of any value.
    #[must_use]
    pub fn any(claimed: Claimed) -> Self {
        Self { claimed, value: None }
    }

    /// The quantity.
    #[must_use]
    pub fn claimed(&self) -> &Claimed {
        &self.claimed
    }
}

/// A text that names no claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no claim: write `sum`, `sum=294348`, `row:7=30.25`, `entry:7=255`, `evaluate:7` or `point:1,0,1`; of a \
     table's column `sum@price`, of two `product@price@amount`"
)]
pub struct NoExpected(String);

impl FromStr for Expected {
    type Err = NoExpected;

    fn from_str(text: &str) -> Result<Self, NoExpected> {
        parse(text).ok_or_else(|| NoExpected(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Expected> {
    let (quantity, value) = text.split_once('=').map_or((text, None), |(of, value)| (of, Some(value)));
    let (quantity, column) = quantity.split_once('@').map_or((quantity, None), |(of, name)| (of, Some(name)));
    if let ("product", Some((a, b))) = (quantity, column.and_then(|names| names.split_once('@'))) {
        let value = value.map_or(Some(None), |value| Wanted::of(value).map(Some))?;
        // With a third `@` the text would be of two pairs of columns.
        let named = !a.is_empty() && !b.is_empty() && !b.contains('@');
        return named.then(|| Expected { claimed: Claimed::Product(a.into(), b.into()), value });
    }
    let claimed = match quantity.split_once(':') {
        Some(("row", row)) => Claimed::Row(row.parse().ok()?),
        Some(("sum", rows)) => {
            let (start, end) = rows.split_once("..")?;
            let rows = start.parse().ok()?..end.parse().ok()?;
            if rows.is_empty() {
                return None;
            }
            Claimed::Range(rows)
        }
        Some(("entry", entry)) => Claimed::Entry(entry.parse().ok()?),
        Some(("evaluate", z)) => Claimed::Evaluation(z.parse().ok()?),
        Some(("point", z)) => Claimed::Point(z.split(',').map(str::parse).collect::<Result<_, _>>().ok()?),
        Some(_) => return None,
        None => NAMES.iter().find(|(name, _)| *name == quantity)?.1.clone(),
    };
    let claimed = match column {
        Some("") => return None,
        Some(name) => claimed.of(name),
        None => claimed,
    };
    let value = match value {
        Some(value) => Some(Wanted::of(value)?),
        None => None,
    };
    Some(Expected { claimed, value })
}

impl Verdict {
    /// Returns the value of one claim, of which the verifier says which: a proof that holds may make any others.
    ///
    /// # Errors
    /// [`Error::NotClaimed`] if the proof does not make this claim.
    pub fn value_of(&self, claimed: &Claimed) -> Result<&Value, Error> {
        self.claim(claimed).map(|claim| &claim.value)
    }

    /// Refuses a proof that does not make the claim, or makes it of another value. Values are compared as [`Value::exact`]: a sum by the
    /// number that is shown, which is known modulo a prime.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::OtherValue`]; [`Error::TwoReadings`] of a value of a column `a`, where another's name begins with `a=`.
    pub fn expect(&self, expected: &Expected) -> Result<(), Error> {
        if expected.value.is_some() {
            self.check_name(&expected.claimed)?;
        }
        let claim = self.claim(&expected.claimed)?;
        match &expected.value {
            Some(Wanted { canonical, written }) if !is_same(&claim.value.exact(), canonical) => {
                Err(Error::OtherValue { wanted: written.clone(), claim: claim.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a text with a value that may as well be one without, of a column whose name has `=` in it.
    fn check_name(&self, claimed: &Claimed) -> Result<(), Error> {
        let name = match claimed {
            Claimed::Column(name, _) | Claimed::Product(_, name) => name.as_str(),
            _ => return Ok(()),
        };
        let goes_on = |other: &&str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
        match self.names().find(goes_on) {
            Some(other) => Err(Error::TwoReadings { name: shown(name), other: shown(other) }),
            None => Ok(()),
        }
    }

    /// The names of the columns that were committed to.
    fn names(&self) -> impl Iterator<Item = &str> {
        let columns = match &self.commitment.description {
            Description::Table(table) => &table.columns[..],
            Description::Column(column) => core::slice::from_ref(column),
            Description::Bytes(_) => &[],
        };
        columns.iter().map(|column| column.name.as_str())
    }

    fn claim(&self, claimed: &Claimed) -> Result<&VerifiedClaim, Error> {
        let same = self.same(claimed);
        self.claims.iter().find(|claim| same.contains(&claim.claimed)).ok_or_else(|| {
            let first = self.claims.first().map_or_else(|| "nothing".to_owned(), ToString::to_string);
            let unnamed = claimed.split().0.is_none() && !matches!(claimed, Claimed::Product(..));
            let of = match self.names().next() {
                Some(name) if unnamed && matches!(self.commitment.description, Description::Table(_)) => {
                    format!(" without the name of its column, as in `sum@{}`", shown(name))
                }
                _ => String::new(),
            };
            Error::NotClaimed { wanted: format!("{claimed}{of}"), first }
        })
    }
}

/// Returns true if a value is the wanted one, which is in canonical text; a decimal is the same as a fraction of its value.
fn is_same(value: &str, wanted: &str) -> bool {
    let Some(value) = canonical(value) else { return false };
    value == wanted || rational(&value).is_some_and(|value| rational(wanted) == Some(value))
}

/// The lowest terms of a fraction or decimal in canonical text; none if they do not fit 127 bits.
fn rational(text: &str) -> Option<(i128, i128)> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let ([a, b], [c, d]) = (ratio_of(above)?, ratio_of(below)?);
    let (numerator, denominator) = (a.checked_mul(d)?, b.checked_mul(c)?);
    let (mut divisor, mut rest) = (denominator.unsigned_abs(), numerator.unsigned_abs());
    while rest > 0 {
        (divisor, rest) = (rest, divisor.checked_rem(rest)?);
    }
    let divisor = i128::try_from(divisor).ok()?.checked_mul(denominator.signum())?;
    Some((numerator.checked_div(divisor)?, denominator.checked_div(divisor)?))
}

/// Numerator and denominator of a decimal.
fn ratio_of(decimal: &str) -> Option<[i128; 2]> {
    let (whole, part) = decimal.split_once('.').unwrap_or((decimal, ""));
    let denominator = 10i128.checked_pow(u32::try_from(part.len()).ok()?)?;
    Some([format!("{whole}{part}").parse().ok()?, denominator])
}

/// One text for each value: a decimal without zeros that say nothing, a fraction of two, or hexadecimal digits. None for what is no value.
fn canonical(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix("0x") {
        let hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = digits.trim_start_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        return hex.then(|| format!("0x{}", digits.to_ascii_lowercase()));
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
    fn a_value_is_one_number() {
        for (value, wanted) in [
            ("9/2", "27/6"),
            ("9/2", "4.5"),
            ("-9/2", "-4.50"),
            ("9/-2", "-9/2"),
            ("7", "7.0"),
            ("0/3", "0"),
            ("-0.5", "-1/2"),
        ] {
            assert!(is_same(value, &canonical(wanted).unwrap()), "{value} {wanted}");
        }
        let wide = "9".repeat(77);
        assert!(is_same(&wide, &wide) && !is_same(&wide, &format!("{wide}1")));
        for (value, wanted) in
            [("9/2", "4"), ("1/0", "2/0"), ("1/0", "0"), ("0x9", "9"), ("4.5000001", "9/2"), (&wide, "1")]
        {
            assert!(!is_same(value, &canonical(wanted).unwrap()), "{value} {wanted}");
        }
    }

    /// Texts that name no claim.
    const NONE: &[&str] = &[
        "",
        "=1",
        "padding:1",
        "row",
        "row=1",
        "row:",
        "row:-1=2",
        "row:x=2",
        "sum@",
        "@price",
        "sum@=1",
        "sum=1@price",
        "sum:1",
        "sum:1..1",
        "sum:2..1",
        "sum:1..",
        "sum:..1",
        "sum:-1..1",
        "product",
        "product@a",
        "product@@b",
        "product@a@=1",
        "product@a@b=x",
        "product@a@b@c",
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
        "evaluate",
        "evaluate:",
        "evaluate:x=1",
        "evaluate:1,2",
        "point",
        "point:",
        "point:1,",
        "point:1,,2=3",
        "row:18446744073709551616=1",
    ];

    #[test]
    fn a_claim_has_one_spelling() {
        let expected = |text: &str| {
            let parsed = text.parse::<Expected>();
            parsed.map(|found| (found.claimed, found.value.map(|wanted| wanted.canonical)))
        };
        let of = |claimed, value: Option<&str>| Ok((claimed, value.map(str::to_owned)));
        assert_eq!(expected("sum"), of(Claimed::Sum, None));
        assert_eq!(expected("row:7=030.250"), of(Claimed::Row(7), Some("30.25")));
        assert_eq!(expected("entry:7=255"), of(Claimed::Entry(7), Some("255")));
        assert_eq!(expected("weighted-sum=-0.0"), of(Claimed::WeightedSum, Some("0")));
        assert_eq!(expected("row:7@price=1"), of(Claimed::Row(7).of("price"), Some("1")));
        assert_eq!(expected("sum:1..3=7"), of(Claimed::Range(1..3), Some("7")));
        assert_eq!(expected("evaluate:-7=7"), of(Claimed::Evaluation(-7), Some("7")));
        assert_eq!(expected("point:1,-2@p"), of(Claimed::Point(vec![1, -2]).of("p"), None));
        let product = Claimed::Product("a".into(), "b".into());
        assert_eq!(expected("product@a@b=07"), of(product, Some("7")));
        assert_eq!(expected("sum@a @b"), of(Claimed::Sum.of("a @b"), None));
        assert_eq!(expected("mean=10/4"), of(Claimed::Mean, Some("10/4")));
        assert_eq!(expected("inner-product=0x00Ff"), of(Claimed::InnerProduct, Some("0xff")));
        for bad in NONE {
            assert!(expected(bad).is_err_and(|e| e.to_string().contains("names no claim")), "{bad}");
        }
    }
}
