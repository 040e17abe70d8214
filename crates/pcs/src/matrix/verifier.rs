//! The verifier's part that every inner argument shares. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::layout::Layout;
use super::reduce::{self, BatchedClaims, ReducedClaim};
use crate::claims::Claims;
use crate::codec::{Reader, Writer};
use alloc::vec::Vec;
use field::{ExtensionOf, Field, FoldableCode};
use iop::error::Invalid;
use iop::hash::Digest;
use iop::poly::{TensorForm, to_bytes};
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

/// A commitment: the root over the codeword's rows and, outside unique decoding, one value per polynomial at a
/// point drawn from the root, which pins the commitment to one list member. (notes: pip-commit)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commitment<E> {
    /// Root of the Merkle tree.
    pub root: Digest,
    /// Out-of-domain values, one per polynomial; empty in unique decoding.
    pub out_of_domain: Vec<E>,
}

impl<E: Field> Commitment<E> {
    /// Root, then the values.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.root);
        w.bytes(&to_bytes(&self.out_of_domain));
        w.finish()
    }
}

/// A commitment, what is claimed of it, and the proof.
#[derive(Clone, Copy)]
pub(crate) struct Opening<'a, E> {
    pub commitment: &'a Commitment<E>,
    pub claims: &'a Claims<E>,
    pub proof: &'a [u8],
}

impl Layout {
    /// Reads the encoding of a commitment, exactly.
    pub fn read_commitment<E: Field>(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        let mut r = Reader::new(bytes);
        let root = r.digest(self.hash).ok_or(Invalid("the commitment is cut short"))?;
        let count = if self.out_of_domain { self.polynomials } else { 0 };
        let values = r.bytes(count.saturating_mul(E::BYTES)).ok_or(Invalid("the commitment is cut short"))?;
        let values = values.chunks_exact(E::BYTES).map(E::from_bytes).collect::<Option<_>>();
        let out_of_domain = values.ok_or(Invalid("non-canonical field element in the commitment"))?;
        r.finish().ok_or(Invalid("bytes after the commitment"))?;
        Ok(Commitment { root, out_of_domain })
    }

    /// Runs a verifier over a proof of claims, to its last byte; returns the calls of the transcript, what each byte is.
    pub fn verify<B: Field, E: Field>(
        &self,
        opening: Opening<'_, E>,
        protocol: impl FnOnce(&mut VerifierTape<'_>) -> Result<(), Invalid>,
    ) -> Result<Vec<Call>, Invalid> {
        let Opening { commitment, claims, proof } = opening;
        self.check_length::<B>(proof)?;
        self.check_shapes(commitment, claims)?;
        self.read(self.bind(commitment, claims), proof, protocol)
    }

    /// Runs a verifier over a proof whose transcript begins so, to its last byte.
    pub fn read(
        &self,
        bound: Bound,
        proof: &[u8],
        protocol: impl FnOnce(&mut VerifierTape<'_>) -> Result<(), Invalid>,
    ) -> Result<Vec<Call>, Invalid> {
        let mut tape = bound.verifier(proof);
        protocol(&mut tape)?;
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok(script)
    }

    /// The claims of a proof, those of the commitment first, by fragments and rows.
    pub fn split<'a, E: Field>(
        &'a self,
        commitment: &'a Commitment<E>,
        claims: &'a Claims<E>,
    ) -> BatchedClaims<'a, E> {
        let point = self.out_of_domain_point(&commitment.root);
        let out_of_domain = point.as_ref().map(|z| (z, commitment.out_of_domain.as_slice()));
        BatchedClaims::new(self, out_of_domain, claims)
    }

    /// V1: claims about the polynomials become one claim about one combined fragment.
    pub fn reduce<B: FoldableCode, E: ExtensionOf<B>>(
        &self,
        tape: &mut VerifierTape<'_>,
        split: &BatchedClaims<'_, E>,
    ) -> Result<ReducedClaim<B, E>, Invalid> {
        let rounds = self.first.rounds;
        if self.hidden_openings == 0 {
            return reduce::verify::<B, E>(rounds, tape, split);
        }
        let mask = self.read_mask(tape)?;
        reduce::verify_hiding::<B, E>(rounds, tape, split, mask)
    }

    /// Refuses a commitment or claims of another shape than the parameters'.
    pub fn check_shapes<E: Field>(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
    ) -> Result<(), Invalid> {
        if !claims.fits(self.variables, self.polynomials) {
            return Err(Invalid("the claims do not fit the parameters"));
        }
        let most = if self.hidden_openings == 0 { self.max_forms } else { 1 };
        if claims.forms.len() > most {
            return Err(Invalid("more linear forms than the parameters allow"));
        }
        let expected = if self.out_of_domain { self.polynomials } else { 0 };
        if commitment.out_of_domain.len() != expected {
            return Err(Invalid("the commitment does not fit the parameters"));
        }
        Ok(())
    }

    /// Refuses a proof shorter than one row of every matrix: weights for each column are laid out before the rows are
    /// read, and parameters alone must not make the verifier allocate them.
    pub fn check_length<B: Field>(&self, proof: &[u8]) -> Result<(), Invalid> {
        let rows = self.stages.iter().map(|stage| stage.shape.width.saturating_mul(B::BYTES));
        if proof.len() < rows.fold(0, usize::saturating_add) {
            return Err(Invalid("the proof is too short for its parameters"));
        }
        Ok(())
    }

    /// The transcript of an opening, bound to parameters, commitment, forms, values and context.
    pub fn bind<E: Field>(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Bound {
        let statement = claims.digest(self.hash, &commitment.to_bytes());
        Domain::new(self.hash, &self.label("open"), &self.digest).statement(&statement)
    }

    /// The point that a commitment's out-of-domain values belong to; `None` in unique decoding.
    pub fn out_of_domain_point<E: Field>(&self, root: &Digest) -> Option<TensorForm<E>> {
        self.out_of_domain.then(|| {
            let bound = Domain::new(self.hash, &self.label("commit"), &self.digest).statement(root);
            let z: Vec<E> = bound.verifier(&[]).challenges("out-of-domain point", self.log_size);
            TensorForm::point(&z)
        })
    }

    /// Which mask a hiding opening uses.
    fn read_mask(&self, tape: &mut VerifierTape<'_>) -> Result<usize, Invalid> {
        let byte = tape.receive_bytes("mask", 1)?.first().copied().ok_or(Invalid("mask"))?;
        if u32::from(byte) >= self.hidden_openings {
            return Err(Invalid("no such mask"));
        }
        Ok(usize::from(byte))
    }
}
