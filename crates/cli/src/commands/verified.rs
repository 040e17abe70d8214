//! What a verified proof file says.

use crate::data::decimal;
use crate::units;
use iop::security::{Regime, Report};
use serde_json::{Map, Value, json};
use tenfold::dataset::{Number, Ratio};
use tenfold::statement::{Description, Unit};
use tenfold::verdict::{Claimed, Value as Proven, VerifiedClaim};
use tenfold::{Dataset, Verdict};

/// A verified proof file, in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The commitment file that the proof is about: it says what was committed to.
    pub committed: Vec<u8>,
    /// The regime that the proven bits come from.
    pub regime: String,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// The number of the mask that a hiding proof used, counted from 0.
    pub mask: Option<u8>,
    /// The claims in words.
    pub claims: Vec<String>,
    /// What the parameters prove, under the policy's theorems.
    pub report: Report,
    /// Field, rows and source, for JSON.
    pub subject: Map<String, Value>,
    /// Numbers of the claims, for JSON: a mean, a weighted sum.
    pub facts: Map<String, Value>,
}

impl Verified {
    /// The words for a verdict, with the weights that it was made with.
    #[must_use]
    pub fn of(verdict: Verdict, weights: Option<&Dataset>) -> Self {
        let Verdict { claims, commitment, proven, .. } = verdict;
        let field = ("field", json!(proven.fields[1]));
        let described = match (&commitment.description, commitment.params.of_bytes()) {
            (Description::Bytes(bytes), Some(params)) => {
                let unit = Unit::of(params);
                vec![
                    field,
                    ("entries", json!(unit.name())),
                    ("rows", json!(unit.count(bytes.length))),
                    ("length", json!(bytes.length)),
                    ("source_blake3", json!(units::hex(&bytes.source))),
                ]
            }
            (Description::Column(column), _) => {
                let shown = proven.hidden_openings == 0;
                let source = json!(shown.then(|| units::hex(&column.source)));
                vec![field, ("rows", json!(column.rows)), ("source_blake3", source)]
            }
            (Description::Bytes(_), _) => vec![field],
        };
        Self {
            committed: commitment.to_bytes(),
            regime: proven.report.regime.to_string(),
            hidden_openings: proven.hidden_openings,
            mask: proven.mask,
            claims: claims.iter().map(VerifiedClaim::to_string).collect(),
            report: proven.report,
            subject: described.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            facts: facts(&claims, &commitment.description, weights),
        }
    }

    /// An object with the facts added.
    #[must_use]
    pub fn with_facts(&self, mut value: Value) -> Value {
        if let Value::Object(object) = &mut value {
            object.extend(self.facts.clone());
        }
        value
    }

    /// What the verdict rests on beside the verifier's arithmetic, a sentence each.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let mut assumptions = vec![
            "the hash is a random oracle with digests of 256 bits; T hashes gain at most 3(T^2+1)/2^256 by collisions, on top of the proven bits".to_owned(),
            "proven bits count proof of work; against unlimited computing power, in the interactive protocol, the interactive bits hold".to_owned(),
            "name, length, decimals and source of the data are the committer's word; nothing proves what lies beyond that length".to_owned(),
        ];
        if self.report.regime != Regime::UniqueDecoding {
            let sources: Vec<&str> = self.report.theorems.iter().map(|theorem| theorem.source()).collect();
            assumptions.push(format!("each of these theorems on lines alone: {}", sources.join("; ")));
        }
        assumptions
    }

    /// The fingerprint of the commitment that the proof is about.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.committed)
    }
}

/// Sums, means and products as JSON.
fn facts(claims: &[VerifiedClaim], of: &Description, weights: Option<&Dataset>) -> Map<String, Value> {
    let (mut facts, mut sum) = (Map::new(), None);
    for VerifiedClaim { claimed, value, .. } in claims {
        match (claimed, value) {
            (Claimed::Sum, Proven::Modular(number)) => {
                facts.insert("sum".into(), sum_json(number));
                sum = Some(number);
            }
            (Claimed::Mean, Proven::Ratio(mean)) => {
                facts.insert("mean".into(), json!(sum.map(|sum| mean_json(sum, mean))));
            }
            (Claimed::WeightedSum(digest), Proven::Modular(number)) => {
                let (Some(Dataset::Column(weights)), Description::Column(column)) = (weights, of) else {
                    continue;
                };
                let total = weights.values.sum();
                let mean = total.and_then(|total| number.mean(total, column.scale));
                let total = total.map(|total| decimal::format(total, weights.scale));
                facts.insert("weighted_sum".into(), sum_json(number));
                facts.insert("weights_sum".into(), json!(total));
                facts.insert("mean".into(), json!(mean.map(|mean| mean_json(number, &mean))));
                facts.insert("weights_digest".into(), json!(units::hex(digest)));
            }
            (Claimed::InnerProduct(digest), value) => {
                facts.insert("inner_product".into(), json!(value.to_string()));
                facts.insert("weights_digest".into(), json!(units::hex(digest)));
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

/// The BLAKE3 digest of a commitment file's bytes, in hexadecimal: what two people compare. The root would not do, since
/// what was committed to stands beside it, and a narrow matrix has the root of one with more columns of zeros.
#[must_use]
pub fn fingerprint(committed: &[u8]) -> String {
    units::hex(blake3::hash(committed).as_bytes())
}
