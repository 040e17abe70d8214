//! What a verified proof file says.

use super::weights::Given;
use super::{committed, words};
use crate::data::Base;
use crate::exit::Failure;
use crate::units;
use iop::security::{Regime, Report};
use pcs::ligerito;
use serde_json::{Map, Value, json};
use tenfold::statement::Unit;
use tenfold::verify::{self, About};

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
    /// The words for what was verified, with the weights that it was verified with.
    ///
    /// # Errors
    /// If the parameters are of no scheme that has words.
    pub fn of(verified: verify::Verified, weights: Option<&Given>) -> Result<Self, Failure> {
        let verify::Verified { proven, about, readings } = verified;
        let unknown = || Failure::usage("no words for these parameters", "ask for another proof file");
        let (said, description, described) = match &about {
            About::Column(context) => {
                let column = &context.column;
                let base = Base::from_data(proven.fields[0]).ok_or_else(unknown)?;
                let shown = proven.hidden_openings == 0;
                let described = vec![
                    ("field", json!(proven.fields[1])),
                    ("rows", json!(column.rows)),
                    ("source_blake3", json!(shown.then(|| units::hex(&column.source)))),
                ];
                let said = words::of_column(&readings, (context, base, proven.variables), weights);
                (said, column.encode(), described)
            }
            About::Bytes(bytes) => {
                let params = ligerito::Params::decode(proven.scheme, &proven.params).ok_or_else(unknown)?;
                let unit = Unit::of(&params);
                let described = vec![
                    ("field", json!(proven.fields[1])),
                    ("entries", json!(unit.name())),
                    ("rows", json!(unit.count(bytes.length))),
                    ("length", json!(bytes.length)),
                    ("source_blake3", json!(units::hex(&bytes.source))),
                ];
                (
                    words::of_bytes(&readings, (bytes, unit, proven.variables), weights),
                    bytes.encode(),
                    described,
                )
            }
        };
        let params = (&proven.params[..], proven.params_digest);
        let content = [&description[..], &proven.commitment];
        Ok(Self {
            committed: committed::encode(proven.scheme, proven.hash, params, content),
            regime: proven.report.regime.to_string(),
            hidden_openings: proven.hidden_openings,
            mask: proven.mask,
            claims: said.claims,
            report: proven.report,
            subject: described.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            facts: said.facts,
        })
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

/// The BLAKE3 digest of a commitment file's bytes, in hexadecimal: what two people compare. The root would not do, since
/// what was committed to stands beside it, and a narrow matrix has the root of one with more columns of zeros.
#[must_use]
pub fn fingerprint(committed: &[u8]) -> String {
    units::hex(blake3::hash(committed).as_bytes())
}
