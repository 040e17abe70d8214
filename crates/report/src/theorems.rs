//! Bits under each theorem alone, as every command shows them.

use iop::security::{Report, Theorem};
use serde::Serialize;
use serde_json::{Value, json};

/// Proven bits by each theorem on lines alone, with work and without.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByTheorem(pub Vec<(Theorem, Bits)>);

/// Proven bits, with proof of work and without.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bits {
    /// With work: what a label states.
    #[serde(rename = "proven_bits")]
    pub proven: f64,
    /// Without work.
    #[serde(rename = "interactive_bits")]
    pub interactive: f64,
}

impl From<&Report> for ByTheorem {
    fn from(report: &Report) -> Self {
        let bits = |[proven, interactive]: [f64; 2]| Bits { proven, interactive };
        Self(report.by_theorem().map(|(theorem, both)| (theorem, bits(both))).collect())
    }
}

/// The proven bits of a report as an object, each kind by its name.
#[must_use]
pub fn bits_json(report: &Report) -> Value {
    json!({ "theorems": report.theorems.to_string(), "by_theorem": ByTheorem::from(report),
        "proven_bits": report.proven_bits(), "interactive_bits": report.interactive_bits(),
        "collision_bits": report.collision_bits(), "combined_bits": report.combined_bits() })
}

/// An object with a member for each theorem.
impl Serialize for ByTheorem {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(theorem, bits)| (theorem.name(), bits)))
    }
}
