//! The verifier's side of a transcript: total functions of attacker bytes.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{Call, Chain, Challenger, Kind, grind};
use crate::{error::Invalid, hash::Digest};
use alloc::vec::Vec;
use field::Field;

/// Reads a proof and derives its challenges.
///
/// Nothing is allocated before the proof is known to hold the bytes asked for.
#[derive(Debug, Clone)]
#[must_use = "a proof counts as read only after `finish`"]
pub struct VerifierTape<'a> {
    chain: Chain,
    rest: &'a [u8],
}

impl Challenger for VerifierTape<'_> {
    fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }
}

impl<'a> VerifierTape<'a> {
    pub(super) fn new(chain: Chain, proof: &'a [u8]) -> Self {
        Self { chain, rest: proof }
    }

    /// Absorbs what the prover knew too.
    pub fn public(&mut self, label: &'static str, bytes: &[u8]) {
        self.chain.absorb(Kind::Public, label, bytes);
    }

    /// Receives and absorbs `n` bytes.
    ///
    /// # Errors
    /// If the proof is too short.
    pub fn receive_bytes(&mut self, label: &'static str, n: usize) -> Result<&'a [u8], Invalid> {
        let bytes = self.take(n)?;
        self.chain.absorb(Kind::Send, label, bytes);
        Ok(bytes)
    }

    /// Receives and absorbs one digest of the transcript's hash.
    ///
    /// # Errors
    /// If the proof is too short.
    pub fn receive_digest(&mut self, label: &'static str) -> Result<Digest, Invalid> {
        let bytes = self.take(self.chain.hash.bytes())?;
        self.chain.absorb(Kind::Send, label, bytes);
        Digest::from_slice(bytes).ok_or(SHORT)
    }

    /// Receives and absorbs `n` field elements.
    ///
    /// # Errors
    /// If the proof is too short or an encoding is not canonical.
    pub fn receive<E: Field>(&mut self, label: &'static str, n: usize) -> Result<Vec<E>, Invalid> {
        let bytes = self.take(n.checked_mul(E::BYTES).ok_or(SHORT)?)?;
        self.chain.absorb(Kind::Send, label, bytes);
        read(bytes)
    }

    /// Reads `n` bytes that the chain does not absorb: something else must bind them.
    ///
    /// # Errors
    /// If the proof is too short.
    pub fn hint_bytes(&mut self, label: &'static str, n: usize) -> Result<&'a [u8], Invalid> {
        let bytes = self.take(n)?;
        self.chain.note(Kind::Hint, label, n);
        Ok(bytes)
    }

    /// The form of [`VerifierTape::hint_bytes`] for `n` field elements.
    ///
    /// # Errors
    /// If the proof is too short or an encoding is not canonical.
    pub fn hint<E: Field>(&mut self, label: &'static str, n: usize) -> Result<Vec<E>, Invalid> {
        read(self.hint_bytes(label, n.checked_mul(E::BYTES).ok_or(SHORT)?)?)
    }

    /// Checks the prover's work of `bits` bits, as the parameters ask for.
    ///
    /// # Errors
    /// If the nonce is missing or too weak, or `bits` exceeds [`super::MAX_BITS`].
    pub fn grind(&mut self, label: &'static str, bits: u32) -> Result<(), Invalid> {
        if bits > grind::MAX_BITS {
            return Err(Invalid("more work than any prover does"));
        }
        grind::ask(&mut self.chain, label, bits);
        if bits == 0 {
            return Ok(());
        }
        let (nonce, rest) = self.rest.split_first_chunk().ok_or(SHORT)?;
        self.rest = rest;
        if !grind::check(self.chain.hash, self.chain.state(), *nonce, bits) {
            return Err(Invalid(
                "the proof of work does not fit: statement or proof were changed, or the work is too little",
            ));
        }
        self.chain.absorb(Kind::Nonce, label, nonce);
        Ok(())
    }

    /// The calls so far.
    pub fn script(&self) -> &[Call] {
        &self.chain.script
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// If bytes are left.
    pub fn finish(self) -> Result<(), Invalid> {
        if self.rest.is_empty() { Ok(()) } else { Err(Invalid("proof is too long")) }
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], Invalid> {
        let (bytes, rest) = self.rest.split_at_checked(n).ok_or(SHORT)?;
        self.rest = rest;
        Ok(bytes)
    }
}

const SHORT: Invalid = Invalid("proof is too short");

/// Decodes field elements, end to end.
fn read<E: Field>(bytes: &[u8]) -> Result<Vec<E>, Invalid> {
    bytes
        .chunks_exact(E::BYTES)
        .map(|b| E::from_bytes(b).ok_or(Invalid("field element is not canonical")))
        .collect()
}
