//! The steps of a key ceremony, each from bytes to bytes: what goes from one contributor to the next is a file. (notes: groth16-ceremony)
//!
//! ```text
//!  powers_state -> contribute -> .. -> contribute, contribute_beacon ┐
//!                                                                     ├ circuit_state -> contribute -> .. -> contribute, contribute_beacon ─ verify_ceremony,
//!  a circuit ─────────────────────────────────────────────────────────┘                                                                      finalise -> keys
//! ```

use curve::bn254::Fr;
use curve::fft::Domain;
use curve::pairing::Bn254;
use snark::groth16::ProvingKey;
pub use snark::groth16::ceremony::Beacon;
pub use snark::groth16::ceremony::HEAD as STATE_HEAD;
use snark::groth16::ceremony::{CircuitKey, Extent, Powers};
use snark::r1cs::R1cs;

use super::memory::constraints;
use super::{BatchCircuit, NodeError, random};
use crate::Invalid;
use crate::circuit::root::Shape;
use crate::statement::BatchSize;
use crate::store::Digest;

/// What a contribution is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Phase 1: the powers of any circuit of a size.
    Powers,
    /// Phase 2: one circuit.
    Circuit,
}

/// A contribution that was made.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The phase.
    pub phase: Phase,
    /// The new state.
    pub state: Vec<u8>,
    /// The number of contributions to it.
    pub count: usize,
    /// A hash of this contribution and all before, by which whoever made it finds it in the last state.
    pub receipt: Digest,
}

/// Facts about a ceremony that its verifier has from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Receipts of contributions to either phase.
    pub receipts: Vec<Digest>,
    /// The last contribution to phase 1.
    pub powers_beacon: Option<Beacon>,
    /// The last contribution to phase 2.
    pub beacon: Option<Beacon>,
}

/// A ceremony that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The receipts of the contributions to phase 1.
    pub powers: Vec<Digest>,
    /// Those to phase 2.
    pub circuit: Vec<Digest>,
}

/// The most contributions to a phase.
const MOST_CONTRIBUTIONS: usize = 1 << 16;

/// Points of the domain of a circuit, from its written number of constraints: not fewer than there are.
fn most_points(circuit: BatchCircuit) -> Option<usize> {
    let constraints = usize::try_from(constraints(circuit)).ok()?;
    Domain::<Fr>::smallest(constraints)
}

/// The bytes of a state of phase 1 for a circuit, before all contributions, which add some hundred bytes each.
#[must_use]
pub fn powers_bytes(circuit: BatchCircuit) -> u64 {
    let extent = most_points(circuit).and_then(|points| Extent::of_powers::<Bn254>(points, 0));
    extent.map_or(u64::MAX, |extent| extent.bytes as u64)
}

/// The exact length of a state's file, by its first [`STATE_HEAD`] bytes. What they say is bounded by the circuit, or by the largest one that there is: no file makes
/// anybody read more.
///
/// # Errors
/// If they are not those of a state, or of one for a larger circuit, or with more contributions than any has.
pub fn state_bytes(head: &[u8], circuit: Option<BatchCircuit>) -> Result<u64, NodeError> {
    let extent = Extent::read::<Bn254>(head).ok_or(NodeError::Ceremony("no state of either phase"))?;
    let largest = BatchCircuit::Root(Shape::standard(BatchSize::B1024.slots()));
    let points =
        most_points(circuit.unwrap_or(largest)).ok_or(NodeError::Ceremony("no domain is so large"))?;
    if extent.domain > points || extent.columns > 2 * points {
        return Err(NodeError::Ceremony("a state for a larger circuit"));
    }
    if extent.contributions > MOST_CONTRIBUTIONS {
        return Err(NodeError::Ceremony("a state with more contributions than any has"));
    }
    Ok(extent.bytes as u64)
}

fn refused(reason: Invalid) -> NodeError {
    NodeError::Ceremony(reason.0)
}

/// The state of phase 1 before all contributions, for circuits of the size of this one.
///
/// # Errors
/// If the circuit has more constraints than the field has roots of unity for.
pub fn powers_state(circuit: &R1cs<Fr>) -> Result<Vec<u8>, NodeError> {
    let points = circuit.constraints() + 1 + circuit.public();
    let size = Domain::<Fr>::smallest(points).ok_or(NodeError::Ceremony("no domain is so large"))?;
    let powers = Powers::<Bn254>::new(size).map_err(|e| NodeError::Ceremony(e.0))?;
    Ok(powers.to_bytes())
}

/// The state of phase 2 before all contributions. The powers are verified.
///
/// # Errors
/// If the bytes are no powers, these were not contributed to as they say, or are for another size of circuit.
pub fn circuit_state(powers: &[u8], circuit: &R1cs<Fr>) -> Result<Vec<u8>, NodeError> {
    let powers = read_powers(powers)?;
    powers.verify().map_err(refused)?;
    let key = CircuitKey::new(&powers, circuit).map_err(|e| NodeError::Ceremony(e.0))?;
    Ok(key.to_bytes())
}

/// A state of either phase.
enum State {
    Powers(Box<Powers<Bn254>>),
    Circuit(Box<CircuitKey<Bn254>>),
}

impl State {
    fn read(bytes: &[u8]) -> Result<Self, NodeError> {
        // A file of phase 1 that is refused is not said to be none of phase 2.
        match Powers::from_bytes(bytes) {
            Ok(powers) => Ok(Self::Powers(powers.into())),
            Err(reason) if bytes.starts_with(b"tenfold g16 p1") => Err(refused(reason)),
            Err(_) => Ok(Self::Circuit(read_circuit(bytes)?.into())),
        }
    }

    /// Refuses a state that nobody would read with one more contribution.
    fn check_room(&self, most: usize) -> Result<(), NodeError> {
        let count = match self {
            Self::Powers(powers) => powers.contributions(),
            Self::Circuit(key) => key.contributions(),
        };
        if count < most { Ok(()) } else { Err(NodeError::Ceremony("it has as many contributions as any")) }
    }

    fn contribution(self) -> Contribution {
        let (phase, state, receipts) = match self {
            Self::Powers(powers) => (Phase::Powers, powers.to_bytes(), powers.receipts()),
            Self::Circuit(key) => (Phase::Circuit, key.to_bytes(), key.receipts()),
        };
        Contribution {
            phase,
            state,
            count: receipts.len(),
            receipt: receipts.last().copied().unwrap_or_default(),
        }
    }
}

/// The phase of a state, and the receipts of the contributions that it says it has: [`verify_ceremony`] checks them.
///
/// # Errors
/// If the bytes are no state.
pub(super) fn receipts(state: &[u8]) -> Result<(Phase, Vec<Digest>), NodeError> {
    Ok(match State::read(state)? {
        State::Powers(powers) => (Phase::Powers, powers.receipts()),
        State::Circuit(key) => (Phase::Circuit, key.receipts()),
    })
}

/// Adds a contribution to a state of either phase: its secrets come from the system and are overwritten. What came before is not checked here: [`verify_ceremony`] does.
///
/// # Errors
/// If the bytes are no state, or there are as many contributions as anybody reads.
pub fn contribute(state: &[u8]) -> Result<Contribution, NodeError> {
    let mut state = State::read(state)?;
    state.check_room(MOST_CONTRIBUTIONS)?;
    match &mut state {
        State::Powers(powers) => powers.contribute(&mut random()),
        State::Circuit(key) => key.contribute(&mut random()),
    }
    Ok(state.contribution())
}

/// Adds the contribution of a public value, which everybody can make.
///
/// # Errors
/// As [`contribute`].
pub fn contribute_beacon(state: &[u8], beacon: &Beacon) -> Result<Contribution, NodeError> {
    let mut state = State::read(state)?;
    state.check_room(MOST_CONTRIBUTIONS)?;
    match &mut state {
        State::Powers(powers) => powers.contribute_beacon(beacon),
        State::Circuit(key) => key.contribute_beacon(beacon),
    }
    Ok(state.contribution())
}

/// Checks the states of both phases: every contribution, that the points are what they say, and that what is known of them from elsewhere is so.
///
/// # Errors
/// If one of them is refused, or a phase has no contribution.
pub fn verify_ceremony(
    powers: &[u8],
    state: &[u8],
    circuit: &R1cs<Fr>,
    expected: &Expected,
) -> Result<Verified, NodeError> {
    let (powers, key) = (read_powers(powers)?, read_circuit(state)?);
    let verified = check(&powers, &key, expected)?;
    if verified.circuit.is_empty() {
        return Err(NodeError::Ceremony("phase 2 without a contribution: everybody knows its secrets"));
    }
    powers.verify().and_then(|()| key.verify(&powers, circuit)).map_err(refused)?;
    Ok(verified)
}

/// The keys of a ceremony, which is verified.
///
/// # Errors
/// As [`verify_ceremony`], and if a phase has no contribution.
pub fn finalise(
    powers: &[u8],
    state: &[u8],
    circuit: &R1cs<Fr>,
    expected: &Expected,
) -> Result<ProvingKey<Bn254>, NodeError> {
    let (powers, key) = (read_powers(powers)?, read_circuit(state)?);
    check(&powers, &key, expected)?;
    key.finalise(&powers, circuit).map_err(refused)
}

/// Compares the ceremony with the facts from elsewhere; costs nothing.
fn check(
    powers: &Powers<Bn254>,
    key: &CircuitKey<Bn254>,
    expected: &Expected,
) -> Result<Verified, NodeError> {
    let verified = Verified { powers: powers.receipts(), circuit: key.receipts() };
    let has = |receipt: &Digest| verified.powers.contains(receipt) || verified.circuit.contains(receipt);
    if !expected.receipts.iter().all(has) {
        return Err(NodeError::Ceremony(
            "a receipt is not among those of its contributions: one was left out, replaced, or put in another order",
        ));
    }
    if expected.powers_beacon.is_some_and(|beacon| !powers.ends_with(&beacon)) {
        return Err(NodeError::Ceremony(
            "the last contribution to phase 1 is not that of the beacon, or no other secret is before it",
        ));
    }
    if expected.beacon.is_some_and(|beacon| !key.ends_with(&beacon)) {
        return Err(NodeError::Ceremony(
            "the last contribution to phase 2 is not that of the beacon, or no other secret is before it",
        ));
    }
    Ok(verified)
}

fn read_powers(bytes: &[u8]) -> Result<Powers<Bn254>, NodeError> {
    Powers::from_bytes(bytes).map_err(refused)
}

fn read_circuit(bytes: &[u8]) -> Result<CircuitKey<Bn254>, NodeError> {
    CircuitKey::from_bytes(bytes).map_err(refused)
}
