//! The circuits that keys are made for.

use core::fmt;

use curve::bn254::Fr;
use snark::r1cs::R1cs;

use super::Mode;
use crate::circuit::groth16;
use crate::circuit::root::{self, Shape};
use crate::statement::BatchSize;
use crate::store::Digest;

/// A circuit of batches: each has keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchCircuit {
    /// Batches of so many slots for replicas, and for the contract that orders batches for them.
    Replicas(usize),
    /// Batches for a contract that holds the root of the state.
    Root(Shape),
}

impl From<usize> for BatchCircuit {
    fn from(slots: usize) -> Self {
        Self::Replicas(slots)
    }
}

/// The beginning of the names of its keys' files.
impl fmt::Display for BatchCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replicas(slots) => write!(f, "batch-{slots}"),
            Self::Root(shape) => write!(f, "root-{}", shape.slots()),
        }
    }
}

impl BatchCircuit {
    /// The circuit of a chain's batches of a size.
    #[must_use]
    pub const fn new(mode: Mode, size: BatchSize) -> Self {
        match mode {
            Mode::Replicas => Self::Replicas(size.slots()),
            Mode::Root => Self::Root(Shape::standard(size.slots())),
        }
    }

    /// The verifier of its batches.
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Replicas(_) => Mode::Replicas,
            Self::Root(_) => Mode::Root,
        }
    }

    /// The transactions of a batch.
    #[must_use]
    pub const fn slots(self) -> usize {
        match self {
            Self::Replicas(slots) => slots,
            Self::Root(shape) => shape.slots(),
        }
    }

    /// Makes the circuit. Time and memory are linear in its constraints.
    #[must_use]
    pub fn matrices(self) -> R1cs<Fr> {
        match self {
            Self::Replicas(slots) => groth16::circuit(slots),
            Self::Root(shape) => root::groth16::circuit(shape),
        }
    }

    /// The digest that keys are read for. Of batches for replicas of a chain's sizes it is known; other circuits are made.
    #[must_use]
    pub fn digest(self) -> Digest {
        match self {
            Self::Replicas(slots) => groth16::digest(slots),
            Self::Root(_) => self.matrices().digest(),
        }
    }
}
