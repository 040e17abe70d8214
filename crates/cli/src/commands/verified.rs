//! What a verified proof file says.

use super::committed::Committed;
use crate::units;
use serde_json::{Map, Value, json};

/// A verified proof file, in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The commitment file that the proof is about: it says what was committed to.
    pub committed: Vec<u8>,
    /// The Merkle root in hexadecimal.
    pub root: String,
    /// The regime that the proven bits come from.
    pub regime: String,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// The claims in words.
    pub claims: Vec<String>,
    /// Proven bits of the parameters.
    pub bits: f64,
    /// Field, rows and source, for JSON.
    pub subject: Map<String, Value>,
    /// Numbers of the claims, for JSON: a mean, a weighted sum.
    pub facts: Map<String, Value>,
}

impl Verified {
    /// What is proven about a committed column.
    #[must_use]
    pub fn of(committed: &Committed, bits: f64, (claims, facts): (Vec<String>, Map<String, Value>)) -> Self {
        let Committed { params, subject, commitment } = committed;
        let shown = params.hidden_openings == 0;
        let described = [
            ("field", json!(params.fields.name())),
            ("rows", json!(subject.rows)),
            ("source_blake3", json!(shown.then(|| units::hex(&subject.source)))),
        ];
        Self {
            committed: committed.encode(),
            root: root(commitment),
            regime: params.regime.to_string(),
            hidden_openings: params.hidden_openings,
            claims,
            bits,
            subject: described.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
            facts,
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

/// The root at the start of a commitment, in hexadecimal.
#[must_use]
pub fn root(commitment: &[u8]) -> String {
    units::hex(commitment.get(..32).unwrap_or_default())
}
