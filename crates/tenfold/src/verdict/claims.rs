//! Claims with their values, and in a sentence each.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Given;
use super::claimed::{Claimed, text_of};
use super::weighing::{GIVEN, Weighing, of_weights};
use crate::any::{Form, Product};
use crate::dataset::{Base, Dataset, Number, Ratio};
use crate::params::AnyParams;
use crate::statement::{BytesDescription, ColumnContext, ColumnDescription, TableContext, Unit, shown};
use crate::text::{all, hex_integer};
use crate::verify::{About, Proven, Reading, Refused};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use iop::error::Invalid;
use iop::hash::Digest;
use pcs::file::FileError;

/// A claim that no proof about the data makes.
const OF_OTHER_DATA: Invalid = Invalid("the proof states a claim about other data than it describes");

/// A claim that a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedClaim {
    /// What is claimed a value of.
    pub claimed: Claimed,
    /// The value.
    pub value: Value,
    /// The digest of the weights, of a claim by weights.
    pub weights: Option<Digest>,
    /// The coordinates of a point, or the one that a polynomial is evaluated at.
    at: Vec<String>,
    sentence: String,
}

impl VerifiedClaim {
    pub(super) fn new(claimed: Claimed, value: Value, sentence: String) -> Self {
        Self { claimed, value, weights: None, at: Vec::new(), sentence }
    }

    /// The claim by weights with this digest.
    pub(super) fn by(self, weights: Digest) -> Self {
        Self { weights: Some(weights), ..self }
    }

    /// The claim about a form, with what it is taken at.
    fn of_form(form: &Form, value: Value, (sentence, at): (String, Vec<String>)) -> Self {
        Self { at, ..Self::new(Claimed::Form(form.clone()), value, sentence) }
    }

    /// The coordinates of the point that the multilinear extension is taken at, lowest index bit first, as numbers or hexadecimal digits; of the
    /// polynomial with the rows as coefficients the one that it is evaluated at. None of other claims.
    #[must_use]
    pub fn at(&self) -> Option<(Product, &[String])> {
        match self.claimed.split().1 {
            Claimed::Form(Form::Product(_, kind)) if *kind != Product::Other => Some((*kind, &self.at)),
            _ => None,
        }
    }

    /// The claim as one about a column of a table.
    pub(super) fn of(self, column: &str) -> Self {
        Self { claimed: self.claimed.of(column), ..self }
    }
}

/// The value of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number: the row of a column.
    Number(Number),
    /// A number modulo the prime of the field: a sum, which may have wrapped around, or the value of a linear form.
    Modular(Number),
    /// A quotient.
    Ratio(Ratio),
    /// An entry of bytes, as the integer of its bits.
    Entry(u128),
    /// An element of a binary field, or one of a challenge field that is none of its prime field, as its canonical bytes.
    Element(Vec<u8>),
}

impl Value {
    /// The integer: a row as its decimals are scaled, or an entry. None if it does not fit 127 bits, and of all that is no single
    /// integer: a number modulo a prime has the representatives of [`Number::integer`] and [`Number::modulus`].
    #[must_use]
    pub fn integer(&self) -> Option<i128> {
        match self {
            Self::Number(number) => number.integer(),
            Self::Entry(bits) => i128::try_from(*bits).ok(),
            Self::Modular(_) | Self::Ratio(_) | Self::Element(_) => None,
        }
    }

    /// The prime that the value is known modulo; none of an exact value.
    #[must_use]
    pub fn modulus(&self) -> Option<String> {
        match self {
            Self::Modular(number) => Some(number.modulus()),
            _ => None,
        }
    }

    /// The value in one canonical text: a decimal number, without the modulus where it is known modulo a prime alone; a fraction; an element in
    /// hexadecimal digits. No digit is cut off.
    #[must_use]
    pub fn exact(&self) -> String {
        match self {
            Self::Modular(number) => number.to_string(),
            Self::Ratio(ratio) => ratio.fraction().unwrap_or_else(|| ratio.text()),
            other => other.to_string(),
        }
    }
}

/// A decimal number, with its modulus where it is known modulo a prime alone; a quotient as a fraction and a decimal; an element in
/// hexadecimal digits.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Modular(number) => write!(f, "{number} modulo {}", number.modulus()),
            Self::Ratio(ratio) => f.write_str(&ratio.text()),
            Self::Entry(bits) => bits.fmt(f),
            Self::Element(bytes) => f.write_str(&hex_integer(bytes)),
        }
    }
}

/// The claim in a sentence: `row 7 of column is 7`.
impl fmt::Display for VerifiedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Describes a form that picks no row: what it is, of whose rows, and the factors that tell it from all others, which are the
/// coordinates of a point, or the pair of each variable, lowest index bit first. With the coordinates.
fn describe_form(
    form: &Form,
    variables: usize,
    name: &str,
    text: impl Fn(&[u8]) -> String,
) -> (String, Vec<String>) {
    let factors = form.factors(variables, [&[0], &[1]]).unwrap_or_default();
    match (form, factors.first()) {
        (Form::Product(_, Product::Point), _) => {
            let z: Vec<String> = factors.iter().map(|[_, z]| text(z)).collect();
            (format!("the multilinear extension of {name} and its padding at ({})", z.join(", ")), z)
        }
        (Form::Product(_, Product::Powers), Some([_, z])) => {
            let z = text(z);
            (format!("the polynomial with {name} and its padding as coefficients at {z}"), vec![z])
        }
        _ => {
            let pair = |[a, b]: &[Vec<u8>; 2]| format!("({}, {})", text(a), text(b));
            let pairs: Vec<String> = factors.iter().map(pair).collect();
            let form = format!("the linear form of {name} and its padding with factors {}", pairs.join(" "));
            (form, Vec::new())
        }
    }
}

/// Claims about a column. Values are read as signed integers; sums are proven modulo the field's prime.
pub(super) fn of_column(
    readings: &[Reading],
    (context, proven): (&ColumnContext, &Proven),
    weights: Given<'_>,
) -> Result<Vec<VerifiedClaim>, Refused> {
    let base = Base::from_data(proven.fields[0]).ok_or(FileError::Malformed("parameters"))?;
    let weighing = Weighing::of(weights, (base, context.weights_scale));
    column_claims(readings, (context, proven), (base, weighing.as_ref()))
}

fn column_claims(
    readings: &[Reading],
    (context, proven): (&ColumnContext, &Proven),
    (base, weighing): (Base, Option<&Weighing>),
) -> Result<Vec<VerifiedClaim>, Refused> {
    let (column, mut claims) = (&context.column, Vec::new());
    let name = column.shown();
    let number = |bytes: &[u8]| Number { base, bytes: bytes.to_vec(), scale: column.scale };
    for reading in readings {
        let mut push = |claimed, value, sentence| claims.push(VerifiedClaim::new(claimed, value, sentence));
        match reading {
            Reading::Sum(value) => {
                let sum = number(value);
                let mean = sum.mean(column.rows.into(), column.scale);
                push(Claimed::Sum, Value::Modular(sum.clone()), describe_sum(&sum, mean, column));
                if let Some(mean) = mean.filter(|_| context.sums.mean) {
                    let of = format!("{} of {name}", all(column.rows, "row"));
                    push(Claimed::Mean, Value::Ratio(mean), describe_mean(&mean, &of));
                }
            }
            Reading::Range { rows, value } => {
                let sum = number(value);
                let sentence = format!("the sum of {} of {name} is {}", text_of(rows), sum.describe_sum());
                push(Claimed::Range(rows.clone()), Value::Modular(sum), sentence);
            }
            Reading::Row { row, value } => {
                let value = number(value);
                let (claimed, padding) = row_or_padding(*row, column.rows, Claimed::Row);
                let sentence =
                    describe_row(&format!("{padding}row {row} of {name}"), &value, (*row, column.rows));
                push(claimed, Value::Number(value), sentence);
            }
            Reading::Form { form, value } => {
                let value = number(value);
                let (of, at) = describe_form(form, proven.variables, &name, |x| base.text(x, 0));
                let sentence = format!("{of} is {value}");
                // One of the challenge field is known as it is.
                let modular = base.has(&value.bytes);
                let value = if modular { Value::Modular(value) } else { Value::Element(value.bytes) };
                claims.push(VerifiedClaim::of_form(form, value, (sentence, at)));
            }
            Reading::Weighted { weights: digest, value } => {
                claims.extend(of_weights((number(value), *digest), context, weighing)?);
            }
            Reading::Entry { .. } | Reading::InnerProduct { .. } | Reading::Product { .. } => {
                return Err(OF_OTHER_DATA.into());
            }
        }
    }
    Ok(claims)
}

/// Claims about the columns of a table, of each by its name.
pub(super) fn of_table<'a>(
    readings: impl Iterator<Item = &'a [Reading]>,
    (context, proven): (&TableContext, &Proven),
    weights: Given<'_>,
) -> Result<Vec<VerifiedClaim>, Refused> {
    let base = Base::from_data(proven.fields[0]).ok_or(FileError::Malformed("parameters"))?;
    let weighing = Weighing::of(weights, (base, context.weights_scale));
    let mut claims = Vec::new();
    for (context, readings) in context.columns().zip(readings) {
        let of_column = column_claims(readings, (&context, proven), (base, weighing.as_ref()))?;
        claims.extend(of_column.into_iter().map(|claim| claim.of(&context.column.name)));
    }
    Ok(claims)
}

/// The claim of an inner product of two columns.
pub(super) fn of_product(
    readings: &[Reading],
    (about, proven): (&About, &Proven),
) -> Result<Vec<VerifiedClaim>, Refused> {
    let [Reading::Product { columns: places, value }] = readings else { return Err(OF_OTHER_DATA.into()) };
    let place = |place: u32| match about {
        About::Column(context) => (place == 0).then_some(&context.column),
        About::Table(context) => context.table.columns.get(usize::try_from(place).ok()?),
        About::Bytes(_) => None,
    };
    let base = Base::from_data(proven.fields[0]).ok_or(FileError::Malformed("parameters"))?;
    let [a, b] = places.map(place);
    let (a, b) = a.zip(b).ok_or(OF_OTHER_DATA)?;
    let product = Number { base, bytes: value.clone(), scale: a.scale.saturating_add(b.scale) };
    let (left, right, rows) = (a.shown(), b.shown(), all(a.rows, "row"));
    let what = match places {
        [a, b] if a == b => format!("the squares of {left}"),
        _ => format!("the products of {left} and {right}"),
    };
    let sentence = format!("the sum over {rows} of {what} is {}", product.describe_sum());
    let claimed = Claimed::Product(a.name.clone(), b.name.clone());
    Ok(vec![VerifiedClaim::new(claimed, Value::Modular(product), sentence)])
}

/// What an entry is of data with so many rows, and the word before it.
fn row_or_padding(row: u64, rows: u64, of: fn(u64) -> Claimed) -> (Claimed, &'static str) {
    if row < rows { (of(row), "") } else { (Claimed::Padding(row), "padding ") }
}

fn describe_row(of: &str, value: &Number, (row, rows): (u64, u64)) -> String {
    let only = if (row, rows) == (0, 1) { "; it is the only row, and so the sum" } else { "" };
    format!("{of} is {value}{only}")
}

fn describe_sum(sum: &Number, mean: Option<Ratio>, column: &ColumnDescription) -> String {
    let mean = mean.map_or(String::new(), |mean| format!("; then the mean is {}", mean.short()));
    let (rows, name) = (all(column.rows, "row"), column.shown());
    format!("the sum of {rows} of {name} is {}{mean}", sum.describe_sum())
}

pub(super) fn describe_mean(mean: &Ratio, of: &str) -> String {
    format!("the mean of {of} is {} if that sum is the exact one", mean.text())
}

/// Claims about a file of bytes. What lies beyond the end of the file is called padding: nothing proves that it is zero.
pub(super) fn of_bytes(
    readings: &[Reading],
    (bytes, params, proven): (&BytesDescription, &AnyParams, &Proven),
    weights: Given<'_>,
) -> Result<Vec<VerifiedClaim>, Refused> {
    let params = params.of_bytes().ok_or(OF_OTHER_DATA)?;
    let (unit, name) = (Unit::of(params), bytes.shown());
    let entry = unit.name();
    let claim = |reading: &Reading| match reading {
        Reading::Entry { row, value } => {
            let text = unit.text(*value);
            let (claimed, padding) = row_or_padding(*row, unit.count(bytes.length), Claimed::Entry);
            let beyond = match unit.beyond(*row, bytes.length) {
                n if n > 0 && padding.is_empty() => format!(", its highest {n} byte(s) being padding"),
                _ => String::new(),
            };
            let sentence = format!("{padding}{entry} {row} of {name} is {text}{beyond}");
            Ok(VerifiedClaim::new(claimed, Value::Entry(*value), sentence))
        }
        Reading::Form { form, value } => {
            let of = format!("the {entry}s of {name}");
            let (of, at) = describe_form(form, proven.variables, &of, hex_integer);
            let sentence = format!("{of} is {}", hex_integer(value));
            Ok(VerifiedClaim::of_form(form, Value::Element(value.clone()), (sentence, at)))
        }
        Reading::InnerProduct { weights: digest, value } => {
            let by = match weights {
                Given::Data(Dataset::Bytes(weights)) => shown(&weights.name),
                Given::Canonical { .. } => GIVEN.to_owned(),
                Given::Data(Dataset::Column(_) | Dataset::Table(_)) | Given::Nothing => {
                    return Err(Invalid("the weights of a file of bytes are bytes").into());
                }
            };
            let sentence = describe_product(&unit.text(*value), &by, bytes, unit);
            let value = Value::Element(value.to_le_bytes().to_vec());
            Ok(VerifiedClaim::new(Claimed::InnerProduct, value, sentence).by(*digest))
        }
        Reading::Sum(_)
        | Reading::Range { .. }
        | Reading::Row { .. }
        | Reading::Weighted { .. }
        | Reading::Product { .. } => Err(OF_OTHER_DATA.into()),
    };
    readings.iter().map(claim).collect()
}

fn describe_product(product: &str, by: &str, bytes: &BytesDescription, unit: Unit) -> String {
    let (rows, name) = (unit.count(bytes.length), bytes.shown());
    let beyond = match unit.beyond(rows.saturating_sub(1), bytes.length) {
        0 => String::new(),
        n => format!(", the highest {n} byte(s) of the last one being padding"),
    };
    let (all, field) = (all(rows, &unit.name()), unit.field());
    format!("the inner product of {all} of {name} with those of {by} is {product} in {field}{beyond}")
}
