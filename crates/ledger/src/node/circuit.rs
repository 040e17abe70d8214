//! The circuits that keys are made for.

use core::fmt;

use curve::bn254::Fr;
use snark::r1cs::R1cs;

use super::Mode;
use crate::circuit::root::{self, Shape};
use crate::circuit::{Binding, groth16};
use crate::statement::BatchSize;
use crate::store::Digest;

/// A circuit of batches: each has keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchCircuit {
    /// Batches of so many slots for replicas, and for the contract that orders batches for them.
    Replicas(usize, Binding),
    /// Batches for a contract that holds the root of the state.
    Root(Shape),
}

/// The circuit of batches for replicas, with the standard binding of their size.
impl From<usize> for BatchCircuit {
    fn from(slots: usize) -> Self {
        Self::Replicas(slots, Binding::standard(slots))
    }
}

/// The beginning of the names of its keys' files.
impl fmt::Display for BatchCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replicas(slots, _) => write!(f, "batch-{slots}"),
            Self::Root(shape) => write!(f, "root-{}", shape.slots()),
        }
    }
}

impl BatchCircuit {
    /// The circuit of a chain's batches of a size, with their standard binding.
    #[must_use]
    pub const fn new(mode: Mode, size: BatchSize) -> Self {
        match mode {
            Mode::Replicas => Self::Replicas(size.slots(), Binding::standard(size.slots())),
            Mode::Root => Self::Root(Shape::standard(size.slots())),
        }
    }

    /// The binding of its committed cells.
    #[must_use]
    pub const fn binding(self) -> Binding {
        match self {
            Self::Replicas(_, binding) => binding,
            Self::Root(_) => Binding::Sponge,
        }
    }

    /// The verifier of its batches.
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Replicas(..) => Mode::Replicas,
            Self::Root(_) => Mode::Root,
        }
    }

    /// `batches of 64`, what for, and what binds their cells if it is not the standard of the size.
    #[must_use]
    pub fn words(self) -> String {
        let other = self.mode() == Mode::Replicas && self.binding() != Binding::standard(self.slots());
        let bound = if other { format!(" with a {}", self.binding()) } else { String::new() };
        format!("batches of {}{}{bound}", self.slots(), self.mode().words())
    }

    /// The transactions of a batch.
    #[must_use]
    pub const fn slots(self) -> usize {
        match self {
            Self::Replicas(slots, _) => slots,
            Self::Root(shape) => shape.slots(),
        }
    }

    /// Makes the circuit. Time and memory are linear in its constraints.
    #[must_use]
    pub fn matrices(self) -> R1cs<Fr> {
        match self {
            Self::Replicas(slots, binding) => groth16::circuit_with(slots, binding),
            Self::Root(shape) => root::groth16::circuit(shape),
        }
    }

    /// The digest that keys are read for. Of a chain's sizes it is written down; other circuits are made.
    #[must_use]
    pub fn digest(self) -> Digest {
        match self {
            Self::Replicas(slots, binding) => groth16::digest_with(slots, binding),
            Self::Root(shape) => root::groth16::digest(shape),
        }
    }
}
