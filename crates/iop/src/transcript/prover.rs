//! The prover's side of a transcript.

use super::{Call, Chain, Challenger, Kind, grind};
use field::Field;

/// Writes a proof and derives its challenges.
#[derive(Debug, Clone)]
#[must_use = "the proof is what `finish` returns"]
pub struct ProverTape {
    chain: Chain,
    proof: Vec<u8>,
}

impl Challenger for ProverTape {
    fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }
}

impl ProverTape {
    pub(super) fn new(chain: Chain) -> Self {
        Self { chain, proof: Vec::new() }
    }

    /// Absorbs what the verifier knows too.
    pub fn public(&mut self, label: &'static str, bytes: &[u8]) {
        self.chain.absorb(Kind::Public, label, bytes);
    }

    /// Sends and absorbs bytes.
    pub fn send_bytes(&mut self, label: &'static str, bytes: &[u8]) {
        self.chain.absorb(Kind::Send, label, bytes);
        self.proof.extend_from_slice(bytes);
    }

    /// Sends and absorbs field elements in their canonical encoding.
    pub fn send<E: Field>(&mut self, label: &'static str, values: &[E]) {
        let start = self.write(values);
        self.chain.absorb(Kind::Send, label, &self.proof[start..]);
    }

    /// Writes bytes into the proof that the chain does not absorb: something else must bind them.
    pub fn hint_bytes(&mut self, label: &'static str, bytes: &[u8]) {
        self.chain.note(Kind::Hint, label, bytes.len());
        self.proof.extend_from_slice(bytes);
    }

    /// The form of [`ProverTape::hint_bytes`] for field elements.
    pub fn hint<E: Field>(&mut self, label: &'static str, values: &[E]) {
        let start = self.write(values);
        self.chain.note(Kind::Hint, label, self.proof.len() - start);
    }

    /// Works until a nonce has `bits` leading zero bits: about `2^bits` hashes, on the current rayon pool.
    ///
    /// The smallest such nonce is sent and absorbed, so the proof does not depend on the number of threads.
    /// With `bits = 0` nothing is sent.
    ///
    /// # Panics
    /// If `bits` exceeds [`super::MAX_BITS`].
    pub fn grind(&mut self, label: &'static str, bits: u32) {
        assert!(bits <= grind::MAX_BITS, "too many bits of work");
        grind::ask(&mut self.chain, label, bits);
        if bits > 0 {
            let nonce = grind::search(self.chain.hash, self.chain.state(), bits).to_le_bytes();
            self.chain.absorb(Kind::Nonce, label, &nonce);
            self.proof.extend_from_slice(&nonce);
        }
    }

    /// The calls so far.
    pub fn script(&self) -> &[Call] {
        &self.chain.script
    }

    /// The proof.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.proof
    }

    /// Appends encodings to the proof; returns where they start.
    fn write<E: Field>(&mut self, values: &[E]) -> usize {
        let start = self.proof.len();
        self.proof.resize(start + values.len() * E::BYTES, 0);
        E::write_slice(values, &mut self.proof[start..]);
        start
    }
}
