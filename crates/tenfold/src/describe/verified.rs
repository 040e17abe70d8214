//! What a verified proof file says.

use super::merged;
use crate::any::Product;
use crate::dataset::{Dataset, Number, Ratio, decimal};
use crate::statement::Description;
use crate::text::hex;
use crate::verdict::{Claimed, Value as Proven, Verdict, VerifiedClaim};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::security::Shown;
use serde_json::{Map, Value, json};

/// A verdict in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The verdict.
    pub verdict: Verdict,
    /// The claims in words.
    pub claims: Vec<String>,
    /// Numbers of the claims, for JSON: a mean, a weighted sum.
    facts: Map<String, Value>,
}

impl Verified {
    /// The words for a verdict, with the weights that it was made with.
    #[must_use]
    pub fn of(verdict: Verdict, weights: Option<&Dataset>) -> Self {
        let facts = facts(&verdict.claims, &verdict.commitment.description, weights);
        Self { claims: verdict.claims.iter().map(VerifiedClaim::to_string).collect(), facts, verdict }
    }

    /// What is known beside the claims, a line each: the bits with those against collisions of the hash, the commitment's fingerprint, and
    /// what a hiding one says of masks.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let (report, proven) = (self.verdict.report(), &self.verdict.proven);
        let bits = [report.proven_bits(), report.interactive_bits(), report.collision_bits()].map(Shown);
        let [all, without_work, collisions] = bits.map(|bits| format!("{bits:.1}"));
        let mut lines = vec![
            format!(
                "{all} proven bits ({}), {without_work} of them without work; collisions of the hash: {collisions}",
                report.regime
            ),
            format!("fingerprint of the commitment {}", self.fingerprint()),
        ];
        let openings = proven.hidden_openings;
        if openings > 0 {
            lines.push(format!(
                "the commitment hides: made for {openings} hidden opening(s) of one value each"
            ));
        }
        lines.extend(proven.mask.map(|mask| {
            format!(
                "mask number {mask}, counted from 0: with another proof of this number, data may be shown"
            )
        }));
        lines
    }

    /// Field, rows and source, for JSON.
    #[must_use]
    pub fn subject(&self) -> Value {
        let Verdict { commitment, proven, .. } = &self.verdict;
        let (field, shown) = (proven.fields[1], proven.hidden_openings == 0);
        match (&commitment.description, commitment.params.unit()) {
            (Description::Bytes(bytes), Some(unit)) => {
                json!({ "field": field, "entries": unit.name(), "rows": unit.count(bytes.length),
                    "data_bytes": bytes.length, "source_blake3": shown.then(|| hex(&bytes.source)) })
            }
            (Description::Column(column), _) => {
                json!({ "field": field, "rows": column.rows,
                    "source_blake3": shown.then(|| hex(&column.source)) })
            }
            (Description::Table(table), _) => {
                let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
                json!({ "field": field, "rows": table.rows(), "columns": names,
                    "source_blake3": shown.then(|| hex(&table.source())) })
            }
            (Description::Bytes(_), None) => json!({ "field": field }),
        }
    }

    /// An object with the facts added.
    #[must_use]
    pub fn with_facts(&self, value: Value) -> Value {
        merged(value, self.facts.clone().into())
    }

    /// The claims for programs, in the order of [`Verified::claims`]: `of` names what has a value, `row` its number if it is one, `column` the
    /// name of the column, `point` or `evaluated_at` where a form is taken, and `value` is
    /// the exact value in text: a decimal number or a fraction, the integer of an entry's bits, or an element in hexadecimal digits. Values that are
    /// known modulo a prime alone have a `modulus`, and a mean that of its sum.
    #[must_use]
    pub fn readings(&self) -> Vec<Value> {
        self.verdict.readings().map(reading).collect()
    }

    /// The fingerprint of the commitment that the proof is about.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        hex(&self.verdict.commitment.fingerprint())
    }
}

/// A claim as an object.
fn reading((claim, column, modulus): (&VerifiedClaim, Option<&str>, Option<String>)) -> Value {
    let VerifiedClaim { claimed, value, .. } = claim;
    let mut reading = json!({ "of": claimed.kind(), "row": claimed.row(), "value": value.exact() });
    if let (_, Claimed::Range(rows)) = claimed.split() {
        reading = merged(reading, json!({ "rows": [rows.start, rows.end] }));
    }
    if let Claimed::Product(a, b) = claimed {
        reading = merged(reading, json!({ "columns": [a, b] }));
    }
    match claim.at() {
        Some((Product::Powers, [z])) => reading = merged(reading, json!({ "evaluated_at": z })),
        Some((_, z)) => reading = merged(reading, json!({ "point": z })),
        None => {}
    }
    if let Some(column) = column {
        reading = merged(reading, json!({ "column": column }));
    }
    if let Some(modulus) = modulus {
        reading = merged(reading, json!({ "modulus": modulus }));
    }
    reading
}

/// Sums, means and products as JSON.
fn facts(claims: &[VerifiedClaim], of: &Description, weights: Option<&Dataset>) -> Map<String, Value> {
    let (mut facts, mut sum) = (Map::new(), None);
    for VerifiedClaim { claimed, value, weights: digest, .. } in claims {
        match (claimed, value) {
            (Claimed::Sum, Proven::Modular(number)) => {
                facts.insert("sum".into(), sum_json(number));
                sum = Some(number);
            }
            (Claimed::Mean, Proven::Ratio(mean)) => {
                facts.insert("mean".into(), json!(sum.map(|sum| mean_json(sum, mean))));
            }
            (Claimed::WeightedSum, Proven::Modular(number)) => {
                let (Some(Dataset::Column(weights)), Description::Column(column)) = (weights, of) else {
                    continue;
                };
                let total = weights.values.sum();
                let mean = total.and_then(|total| number.mean(total, column.scale));
                let total = total.map(|total| decimal::format(total, weights.scale));
                facts.insert("weighted_sum".into(), sum_json(number));
                facts.insert("weights_sum".into(), json!(total));
                facts.insert("mean".into(), json!(mean.map(|mean| mean_json(number, &mean))));
                facts.insert("weights_digest".into(), json!(digest.as_ref().map(|digest| hex(digest))));
            }
            (Claimed::InnerProduct, value) => {
                facts.insert("inner_product".into(), json!(value.to_string()));
                facts.insert("weights_digest".into(), json!(digest.as_ref().map(|digest| hex(digest))));
            }
            _ => {}
        }
    }
    facts
}

/// The sum as an object. A verifier knows the number of rows and the field, and no bound on the rows: whether a sum wrapped
/// around is not for it to say.
fn sum_json(sum: &Number) -> Value {
    json!({ "value": sum.to_string(), "modulus": sum.modulus(), "exact_if": sum.exact_if() })
}

/// A mean made of the sum, as an object.
fn mean_json(sum: &Number, mean: &Ratio) -> Value {
    let (decimal, whole) = mean.decimal();
    json!({ "fraction": mean.fraction(), "decimal": decimal, "digits_cut": !whole,
        "exact_if_sum_in": sum.exact_if() })
}
