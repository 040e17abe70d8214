//! Pairs of an input and an output, whose random combination is what a proof is about.
//!
//! ```text
//!   hash     name, purpose, number of pairs, pairs, data
//!   z_i      1, and 16 bytes of hash || 30 for each pair behind the first
//!   I, O     sum z_i I_i, sum z_i O_i
//!   c        16 bytes of what was absorbed, 40, and the points that the prover committed to
//! ```
//! A proof of one signer has the pair of the generator and the key in front of the others.
//!
//! (notes: ring-pedersen, ring-thin)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use curve::embedded::{Embedded, Point};
use curve::{AffineRepr, One, PrimeField};

use super::combine::combine;
use super::hash::Hash;
use super::suite::Purpose;
use super::{Input, Output, Suite};
use crate::{Invalid, Key};

const DELINEARIZE: u8 = 0x30;
const CHALLENGE: u8 = 0x40;

/// Pairs, and what proofs about them begin with.
#[derive(Clone, Debug)]
pub struct Pairs<C: Embedded> {
    /// What has absorbed the pairs and the data.
    pub(super) hash: Hash,
    pub(super) inputs: Vec<Point<C>>,
    pub(super) outputs: Vec<Point<C>>,
    /// `z_i`
    pub(super) factors: Vec<C::ScalarField>,
}

/// What the equations of a proof are about, of which each is like `s I = R + c O`.
#[derive(Clone, Debug)]
pub(super) struct Equation<C: Embedded> {
    /// `I` and `O`: the inputs, made one, and the outputs.
    pub(super) pairs: Pairs<C>,
    /// `c`
    pub(super) challenge: C::ScalarField,
}

impl<C: Embedded> Pairs<C> {
    /// The pairs of a proof for `purpose`.
    pub(super) fn new(
        suite: &Suite<C>,
        purpose: Purpose,
        pairs: impl ExactSizeIterator<Item = [Point<C>; 2]> + Clone,
        data: &[u8],
    ) -> Self {
        let count = pairs.len();
        let mut hash = suite.hash_for(purpose);
        hash.absorb_length(count);
        for [input, output] in pairs.clone() {
            hash.absorb(&suite.encode_point(&input));
            hash.absorb(&suite.encode_point(&output));
        }
        hash.absorb_length(data.len());
        hash.absorb(data);
        let mut bytes = vec![0; 16 * count.saturating_sub(1)];
        if !bytes.is_empty() {
            let mut stream = hash.clone();
            stream.absorb(&[DELINEARIZE]);
            stream.squeeze(&mut bytes);
        }
        let factors = bytes.chunks_exact(16).map(C::ScalarField::from_le_bytes_mod_order);
        let factors = core::iter::once(C::ScalarField::one()).chain(factors).take(count).collect();
        let (inputs, outputs) = pairs.map(|[input, output]| (input, output)).unzip();
        Self { hash, inputs, outputs, factors }
    }

    /// The pairs of a proof by the holder of `key`.
    ///
    /// # Errors
    /// If the suite has no such proofs, or a point is the identity.
    pub(super) fn of_signer(
        suite: &Suite<C>,
        purpose: Purpose,
        key: &Key<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<Self, Invalid> {
        if !suite.takes_any_number_of_pairs() {
            return Err(Invalid("this suite has no thin and no tiny proofs"));
        }
        let signer = [suite.generator(), *key.point()];
        let all: Vec<_> = core::iter::once(signer).chain(points(pairs)).collect();
        let pairs = Self::new(suite, purpose, all.into_iter(), data);
        pairs.check_identity()?;
        Ok(pairs)
    }

    /// That no point is the identity, which is every key's output for itself.
    pub(super) fn check_identity(&self) -> Result<(), Invalid> {
        if self.inputs.iter().chain(&self.outputs).any(AffineRepr::is_zero) {
            return Err(Invalid("the identity says nothing"));
        }
        Ok(())
    }

    /// `I`
    #[cfg(feature = "prover")]
    pub(super) fn input(&self) -> Point<C> {
        match self.inputs[..] {
            [input] => input,
            _ => combine(&self.inputs, &self.factors),
        }
    }

    /// `s I - c O`: the nonce's multiple of `I`, if `s` is the response to `c`.
    pub(super) fn commitment(&self, response: C::ScalarField, challenge: C::ScalarField) -> Point<C> {
        let points = [&self.inputs[..], &self.outputs].concat();
        let inputs = self.factors.iter().map(|z| response * z);
        let outputs = self.factors.iter().map(|z| -(challenge * z));
        combine(&points, &inputs.chain(outputs).collect::<Vec<_>>())
    }
}

/// The points of pairs.
pub(super) fn points<C: Embedded>(
    pairs: &[(Input<C>, Output<C>)],
) -> impl ExactSizeIterator<Item = [Point<C>; 2]> + Clone {
    pairs.iter().map(|(input, output)| [input.0, output.0])
}

/// `c`, of what was absorbed and the points that the prover committed to.
pub(super) fn challenge<C: Embedded>(
    suite: &Suite<C>,
    mut hash: Hash,
    commitments: &[Point<C>],
) -> C::ScalarField {
    hash.absorb(&[CHALLENGE]);
    commitments.iter().for_each(|p| hash.absorb(&suite.encode_point(p)));
    hash.scalar::<C, 16>()
}
