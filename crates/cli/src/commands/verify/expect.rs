//! Claims that a proof must make for its verifier's purpose: that it holds says nothing of which claims it makes.

use crate::args::expect::{Expected, canonical};
use crate::exit::Failure;
use tenfold::describe::Verified;

/// Refuses a proof that does not make all of these claims.
pub fn check(verified: &Verified, expected: &[Expected]) -> Result<(), Failure> {
    if expected.is_empty() {
        return Ok(());
    }
    let readings = verified.readings();
    for expected in expected {
        let is_it = |of: &str, row: Option<u64>| of == expected.of && row == expected.row;
        let claims = readings.iter().zip(&verified.claims);
        let mut claims = claims.filter(|(reading, _)| {
            is_it(reading["of"].as_str().unwrap_or_default(), reading["row"].as_u64())
        });
        let name = expected.name();
        let Some((reading, claim)) = claims.next() else {
            let first = verified.claims.first().map_or("nothing", |claim| claim);
            return Err(Failure::invalid(format!(
                "the proof says nothing of {name}; what it says first: {first}"
            )));
        };
        let value = reading["value"].as_str().and_then(canonical);
        if let Some(wanted) = &expected.value
            && value.as_ref() != Some(wanted)
        {
            return Err(Failure::invalid(format!("the proof is of another value than {wanted}: {claim}")));
        }
    }
    Ok(())
}
