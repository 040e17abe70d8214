//! The steps of a key ceremony, each from bytes to bytes: what goes from one contributor to the next is a file. (notes: groth16-ceremony)
//!
//! ```text
//!  powers_state -> contribute -> .. -> contribute ┐
//!                                                  ├ circuit_state -> contribute -> .. -> contribute ─ verify_ceremony, finalise -> keys
//!  a circuit ──────────────────────────────────────┘
//! ```

use curve::bn254::Fr;
use curve::pairing::Bn254;
use snark::groth16::ProvingKey;
use snark::groth16::ceremony::{CircuitKey, Powers};
use snark::r1cs::R1cs;

use super::{NodeError, random};

/// What a contribution is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contribution {
    /// Phase 1: the powers of any circuit.
    Powers,
    /// Phase 2: one circuit.
    Circuit,
}

/// The state of phase 1 before all contributions, with room for a circuit.
///
/// # Errors
/// If the circuit has more constraints than the field has roots of unity for.
pub fn powers_state(circuit: &R1cs<Fr>) -> Result<Vec<u8>, NodeError> {
    let points = (circuit.constraints() + 1 + circuit.public()).next_power_of_two();
    let powers = Powers::<Bn254>::new(points).map_err(|e| NodeError::Ceremony(e.0))?;
    Ok(powers.to_bytes())
}

/// The state of phase 2 before all contributions. The powers are verified.
///
/// # Errors
/// If the bytes are no powers, these were not contributed to as they say, or are for another size of circuit.
pub fn circuit_state(powers: &[u8], circuit: &R1cs<Fr>) -> Result<Vec<u8>, NodeError> {
    let powers = read_powers(powers)?;
    powers.verify().map_err(|e| NodeError::Ceremony(e.0))?;
    let key = CircuitKey::new(&powers, circuit).map_err(|e| NodeError::Ceremony(e.0))?;
    Ok(key.to_bytes())
}

/// Adds a contribution to a state of either phase: its secrets come from the system and are overwritten. Returns the phase, the new state, and the number of contributions in
/// it. What came before is not checked here: [`verify_ceremony`] does.
///
/// # Errors
/// If the bytes are no state.
pub fn contribute(state: &[u8]) -> Result<(Contribution, Vec<u8>, usize), NodeError> {
    if let Ok(mut powers) = Powers::<Bn254>::from_bytes(state) {
        powers.contribute(&mut random());
        return Ok((Contribution::Powers, powers.to_bytes(), powers.contributions()));
    }
    let mut key = read_circuit(state)?;
    key.contribute(&mut random());
    Ok((Contribution::Circuit, key.to_bytes(), key.contributions()))
}

/// Checks the states of both phases: every contribution, and that the points are what they say. Returns the numbers of contributions.
///
/// # Errors
/// If one of them is refused.
pub fn verify_ceremony(powers: &[u8], state: &[u8], circuit: &R1cs<Fr>) -> Result<[usize; 2], NodeError> {
    let (powers, key) = (read_powers(powers)?, read_circuit(state)?);
    powers.verify().and_then(|()| key.verify(&powers, circuit)).map_err(|e| NodeError::Ceremony(e.0))?;
    Ok([powers.contributions(), key.contributions()])
}

/// The keys of a ceremony, which is verified.
///
/// # Errors
/// As [`verify_ceremony`], and if a phase has no contribution.
pub fn finalise(powers: &[u8], state: &[u8], circuit: &R1cs<Fr>) -> Result<ProvingKey<Bn254>, NodeError> {
    let (powers, key) = (read_powers(powers)?, read_circuit(state)?);
    key.finalise(&powers, circuit).map_err(|e| NodeError::Ceremony(e.0))
}

fn read_powers(bytes: &[u8]) -> Result<Powers<Bn254>, NodeError> {
    Powers::from_bytes(bytes).map_err(|e| NodeError::Ceremony(e.0))
}

fn read_circuit(bytes: &[u8]) -> Result<CircuitKey<Bn254>, NodeError> {
    CircuitKey::from_bytes(bytes).map_err(|e| NodeError::Ceremony(e.0))
}
