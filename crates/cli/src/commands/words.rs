//! Verified claims in words.

use super::blob::{self, hex};
use super::modular::Modular;
use super::weights::Given;
use crate::data::{Base, decimal};
use crate::ratio::Ratio;
use crate::units;
use serde_json::{Map, Value, json};
use tenfold::any::{Form, Product};
use tenfold::statement::{BytesDescription, ColumnContext, ColumnDescription, Unit, shown};
use tenfold::verify::Reading;

/// Claims in words, and their numbers for JSON.
#[derive(Default)]
pub struct Said {
    /// A sentence for each claim.
    pub claims: Vec<String>,
    /// Sums, means and products.
    pub facts: Map<String, Value>,
}

/// A form that picks no row: what it is, of whose rows, and the factors that tell it from all others, which are the
/// coordinates of a point, or the pair of each variable, lowest index bit first.
fn of_form(form: &Form, variables: usize, name: &str, text: impl Fn(&[u8]) -> String) -> String {
    let factors = form.factors(variables, [&[0], &[1]]).unwrap_or_default();
    if let Form::Product(_, Product::Point) = form {
        let z: Vec<String> = factors.iter().map(|[_, z]| text(z)).collect();
        format!("the multilinear extension of {name} and its padding at ({})", z.join(", "))
    } else {
        let pair = |[a, b]: &[Vec<u8>; 2]| format!("({}, {})", text(a), text(b));
        let pairs: Vec<String> = factors.iter().map(pair).collect();
        format!("the linear form of {name} and its padding with factors {}", pairs.join(" "))
    }
}

/// Claims about a column. Values are read as signed integers; sums are proven modulo the field's prime.
pub fn of_column(
    readings: &[Reading],
    (context, base, variables): (&ColumnContext, Base, usize),
    weights: Option<&Given>,
) -> Said {
    let (column, mut said) = (&context.column, Said::default());
    let name = column.shown();
    for reading in readings {
        match reading {
            Reading::Sum(value) => {
                let sum = Modular { base, bytes: value, scale: column.scale };
                said.claims.push(sum_in_words(&sum, column));
                said.facts.insert("sum".into(), sum.json());
                if let Some(mean) = mean(&sum, column).filter(|_| context.mean) {
                    said.claims.push(mean_in_words(
                        &mean,
                        &format!("all {} rows of {name}", units::count(column.rows)),
                    ));
                    said.facts.insert("mean".into(), sum.mean_json(&mean));
                }
            }
            Reading::Row { row, value } => {
                let padding = if *row < column.rows { "" } else { "padding " };
                said.claims
                    .push(format!("{padding}row {row} of {name} is {}", base.text(value, column.scale)));
            }
            Reading::Form { form, value } => {
                let form = of_form(form, variables, &name, |x| base.text(x, 0));
                said.claims.push(format!("{form} is {}", base.text(value, column.scale)));
            }
            Reading::Weighted { weights: digest, value } => {
                if let Some(Given::Numbers(weights)) = weights {
                    let scale = column.scale + weights.scale;
                    weighted(&mut said, &Modular { base, bytes: value, scale }, (context, weights));
                }
                said.facts.insert("weights_digest".into(), json!(units::hex(digest)));
            }
            Reading::Entry { .. } | Reading::InnerProduct { .. } => {}
        }
    }
    said
}

/// The weighted sum in words and as numbers. The sum is proven modulo the field's prime; a mean takes it for the sum.
fn weighted(said: &mut Said, sum: &Modular<'_>, (context, weights): (&ColumnContext, &crate::data::Column)) {
    let (column, by) = (&context.column, weights.describe().shown());
    let of = format!("all {} rows of {} weighted by {by}", units::count(column.rows), column.shown());
    let total = weights.values.sum();
    // The decimals of the weights cancel out.
    let mean =
        sum.base.decode(sum.bytes).zip(total).and_then(|(sum, total)| Ratio::new(sum, total, column.scale));
    let also = mean.map_or(String::new(), |mean| format!("; then the weighted mean is {}", mean.short()));
    said.claims.push(format!("the sum of {of} is {}{also}", sum.words()));
    said.facts.insert("weighted_sum".into(), sum.json());
    said.facts.insert("weights_sum".into(), json!(total.map(|total| decimal::format(total, weights.scale))));
    said.facts.insert("mean".into(), json!(mean.as_ref().map(|mean| sum.mean_json(mean))));
    if let Some(mean) = mean.filter(|_| context.mean) {
        said.claims.push(mean_in_words(&mean, &of));
    }
}

fn sum_in_words(sum: &Modular<'_>, column: &ColumnDescription) -> String {
    let mean = mean(sum, column).map_or(String::new(), |mean| format!("; then the mean is {}", mean.short()));
    format!(
        "the sum of all {} rows of {} is {}{mean}",
        units::count(column.rows),
        column.shown(),
        sum.words()
    )
}

fn mean_in_words(mean: &Ratio, of: &str) -> String {
    format!("the mean of {of} is {} if that sum is the exact one", mean.text())
}

/// The mean that a sum of all rows gives, if it is an integer of the field's range.
fn mean(sum: &Modular<'_>, column: &ColumnDescription) -> Option<Ratio> {
    Ratio::new(sum.base.decode(sum.bytes)?, column.rows.into(), column.scale)
}

/// Claims about a file of bytes. What lies beyond the end of the file is called padding: nothing proves that it is zero.
pub fn of_bytes(
    readings: &[Reading],
    (bytes, unit, variables): (&BytesDescription, Unit, usize),
    weights: Option<&Given>,
) -> Said {
    let mut said = Said::default();
    let (name, entry) = (bytes.shown(), unit.name());
    for reading in readings {
        match reading {
            Reading::Entry { row, value } => {
                let value = unit.text(*value);
                said.claims.push(if *row >= unit.count(bytes.length) {
                    format!("padding {entry} {row} of {name} is {value}")
                } else {
                    match unit.beyond(*row, bytes.length) {
                        0 => format!("{entry} {row} of {name} is {value}"),
                        n => format!(
                            "{entry} {row} of {name} is {value}, its highest {n} byte(s) being padding"
                        ),
                    }
                });
            }
            Reading::Form { form, value } => {
                let form = of_form(form, variables, &format!("the {entry}s of {name}"), hex);
                said.claims.push(format!("{form} is {}", hex(value)));
            }
            Reading::InnerProduct { weights: digest, value } => {
                if let Some(Given::Bytes { name: by, .. }) = weights {
                    said.claims.push(product_in_words(&unit.text(*value), by, (bytes, unit)));
                }
                said.facts.insert("inner_product".into(), json!(format!("{value:#x}")));
                said.facts.insert("weights_digest".into(), json!(units::hex(digest)));
            }
            Reading::Sum(_) | Reading::Row { .. } | Reading::Weighted { .. } => {}
        }
    }
    said
}

fn product_in_words(product: &str, by: &str, (bytes, unit): (&BytesDescription, Unit)) -> String {
    let (rows, name, by) = (unit.count(bytes.length), bytes.shown(), shown(by));
    let beyond = match unit.beyond(rows.saturating_sub(1), bytes.length) {
        0 => String::new(),
        n => format!(", the highest {n} byte(s) of the last one being padding"),
    };
    let (all, field) = (blob::several(unit, rows), unit.field());
    format!("the inner product of all {all} of {name} with those of {by} is {product} in {field}{beyond}")
}
