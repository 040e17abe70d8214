//! Facts about keys.

use curve::pairing::Bn254;
use snark::groth16::{Provenance, VerifyingKey};

use crate::circuit::Binding;
use crate::node::{BatchCircuit, Mode};

/// A key that is there.
#[derive(Clone, Debug)]
pub struct KeyInfo {
    /// The verifier of its batches.
    pub mode: Mode,
    /// The transactions of its batches.
    pub slots: usize,
    /// The binding of its circuit's committed cells.
    pub binding: Binding,
    /// Where it comes from.
    pub provenance: Provenance,
    /// [`VerifyingKey::digest`].
    pub digest: [u8; 32],
    /// Whether the prover's key is there too.
    pub proves: bool,
}

impl KeyInfo {
    /// Facts about a key of a circuit.
    #[must_use]
    pub fn new(of: BatchCircuit, key: &VerifyingKey<Bn254>, proves: bool) -> Self {
        let (provenance, digest) = (key.provenance(), key.digest());
        Self { mode: of.mode(), slots: of.slots(), binding: of.binding(), provenance, digest, proves }
    }

    /// Whether it is of a local setup: whoever made it can prove anything.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.provenance == Provenance::Local
    }
}
