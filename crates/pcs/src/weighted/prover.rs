//! Prove a weighted sum. Step labels as in `verifier.rs`.

use super::security::rounds;
use super::statement::Claim;
use super::verifier::Scheme;
use crate::pip::{self, Witness};
use field::{ExtensionOf, TwoAdic};
use iop::poly::{Tensor, dot_parallel};
use iop::sumcheck;

/// A machine that proves for a [`Scheme`]: the threads of this process. Commitments are those of [`Scheme::pip`].
#[derive(Debug)]
pub struct Prover<'a, B, E> {
    scheme: &'a Scheme<B, E>,
}

impl<'a, B: TwoAdic, E: ExtensionOf<B>> Prover<'a, B, E> {
    /// A prover.
    pub fn new(scheme: &'a Scheme<B, E>) -> Self {
        Self { scheme }
    }

    /// Proves the sum of the committed entries weighted by `weights`, of which those beyond the last are zero.
    ///
    /// Cost: about four products for each entry in the sumcheck, and an opening; two tables over the challenge field, half
    /// as long as the data.
    ///
    /// # Panics
    /// If there are more weights than entries.
    pub fn open(&self, witness: &mut Witness<B, E>, weights: Vec<B>, context: &[u8]) -> (Claim<B>, Vec<u8>) {
        let params = self.scheme.params();
        let entries = witness.entries();
        assert!(weights.len() <= entries.len(), "more weights than entries");
        let value = dot_parallel(&weights, entries);
        let claim = Claim { weights, value, context: context.to_vec() };
        let statement = claim.statement(params.hash);
        let bound = statement.digest(params.hash, &witness.commitment().to_bytes());
        // P1: the sum becomes a product at a random point.
        let mut tape = self.scheme.bind(&bound).prover();
        let mut padded = claim.weights.clone();
        padded.resize(entries.len(), B::ZERO);
        let (r, _, f) =
            sumcheck::prove_base(&mut tape, rounds(params), entries, &padded, E::lift(claim.value));
        drop(padded);
        // P2: the column's factor of it; the verifier has the other one.
        tape.send("value at the point", &f);
        let mut proof = tape.finish();
        // P3: the factor is the column's.
        let inner = statement.inner_context(params.hash, &bound, &proof);
        let opener = pip::Prover::new(self.scheme.pip());
        proof.extend(opener.open(witness, vec![Tensor::point(&r)], &inner).1);
        (claim, proof)
    }
}
