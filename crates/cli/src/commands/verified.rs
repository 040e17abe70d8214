//! What a verified proof file says.

use super::committed::Committed;
use super::subject::Subject;
use pcs::pip::Params;
use serde_json::{Map, Value};

/// A verified proof file, in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The parameters.
    pub params: Params,
    /// What was committed to.
    pub subject: Subject,
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// The claims in words.
    pub claims: Vec<String>,
    /// Proven bits of the parameters.
    pub bits: f64,
    /// Numbers of the claims, for JSON: a mean, a weighted sum.
    pub facts: Map<String, Value>,
}

impl Verified {
    /// An object with the facts added.
    #[must_use]
    pub fn with_facts(&self, mut value: Value) -> Value {
        if let Value::Object(object) = &mut value {
            object.extend(self.facts.clone());
        }
        value
    }

    /// The commitment file that this proof is about.
    #[must_use]
    pub fn committed(&self) -> Committed {
        let (params, subject, commitment) =
            (self.params.clone(), self.subject.clone(), self.commitment.clone());
        Committed { params, subject, commitment }
    }
}
