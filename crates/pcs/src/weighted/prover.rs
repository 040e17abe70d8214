//! Prove a weighted sum. Step labels as in `verifier.rs`.

use super::points::Points;
use super::security::rounds;
use super::statement::Claim;
use super::verifier::Scheme;
use crate::matrix::{self, Steps};
use crate::ring_switching::{Entries, unpack};
use crate::scheme::{Pcs, Prove, Prover as _};
use field::{ExtensionOf, Field, FoldFibres};
use iop::poly::{TensorForm, dot_parallel};
use iop::sumcheck;
use std::borrow::Cow;

/// A scheme that this process opens at points.
pub trait Open:
    Points + Prove<Witness = matrix::Witness<<Self as Pcs>::Base, <Self as Pcs>::Challenge>>
{
    /// The entries of the polynomial that was committed to, one for each place.
    fn entries<'a>(&self, witness: &'a Self::Witness) -> Cow<'a, [Self::Base]>;
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Open for matrix::Scheme<F, B, E> {
    fn entries<'a>(&self, witness: &'a matrix::Witness<B, E>) -> Cow<'a, [B]> {
        match self.params().entries {
            Entries::Whole => witness.entries(),
            packed => unpack(&witness.entries(), packed).into(),
        }
    }
}

/// A machine that proves for a [`Scheme`]: the threads of this process. Commitments are those of [`Scheme::inner`].
#[derive(Debug)]
pub struct Prover<'a, S> {
    scheme: &'a Scheme<S>,
}

impl<'a, S: Open> Prover<'a, S> {
    /// A prover.
    pub fn new(scheme: &'a Scheme<S>) -> Self {
        Self { scheme }
    }

    /// Proves the sum of the committed entries weighted by `weights`, of which those beyond the last are zero.
    ///
    /// Cost: about four products for each entry in the sumcheck, and an opening; two tables over the challenge field, half
    /// as long as the data. Packed entries are unpacked: each of them takes an element of the alphabet, and so does each
    /// weight.
    ///
    /// # Panics
    /// If there are more weights than entries.
    pub fn open(
        &self,
        witness: &mut S::Witness,
        weights: Vec<S::Base>,
        context: &[u8],
    ) -> (Claim<S::Base>, Vec<u8>) {
        let (scheme, inner) = (self.scheme, self.scheme.inner());
        let (facts, hash) = (scheme.facts(), scheme.facts().hash);
        let entries = inner.entries(witness);
        assert!(weights.len() <= entries.len(), "more weights than entries");
        let value = dot_parallel(&weights, &entries);
        let claim = Claim { weights, value, context: context.to_vec() };
        let statement = claim.statement(hash);
        let bound = statement.digest(hash, &witness.commitment().to_bytes());
        // P1: the sum becomes a product at a random point.
        let mut tape = scheme.bind(&bound).prover();
        let mut padded = claim.weights.clone();
        padded.resize(entries.len(), S::Base::ZERO);
        let claimed = S::Challenge::lift(claim.value);
        let (r, _, f) = sumcheck::prove_base(&mut tape, rounds(facts), &entries, &padded, claimed);
        drop((entries, padded));
        // P2: the column's factor of it; the verifier has the other one.
        tape.send("value at the point", &f);
        let mut proof = tape.finish();
        // P3: the factor is the column's.
        let context = statement.inner_context(hash, &bound, &proof);
        proof.extend(inner.prover().open(witness, vec![TensorForm::point(&r)], &context).1);
        (claim, proof)
    }
}
