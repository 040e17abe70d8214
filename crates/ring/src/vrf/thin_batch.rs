//! Verifies many thin proofs at once.
//!
//! ```text
//!   push     a proof's challenge and factors are computed
//!   verify   w of 128 bits for each proof, from all of them and 32 bytes of the system
//!            0 = sum w (s I - c O - R)                                   one multi-scalar multiplication
//! ```
//! (notes: ring-thin)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;

use super::pairs::Equation;
use super::terms::{self, Items, Proven, Terms};
use super::{Input, Output, Suite, Thin};
use crate::{Error, Key, Rejected};

/// What a thin proof is verified against.
#[derive(Clone, Copy, Debug)]
pub struct ThinStatement<'a, C: Embedded = Bandersnatch> {
    /// The suite.
    pub suite: &'a Suite<C>,
    /// Whose outputs they are.
    pub key: Key<C>,
    /// Inputs and outputs.
    pub pairs: &'a [(Input<C>, Output<C>)],
    /// What is signed too.
    pub data: &'a [u8],
}

/// Thin proofs to be verified together: see [`Thin`]. Suites, keys and numbers of pairs may differ, the curve not.
#[derive(Clone, Debug)]
pub struct ThinBatch<C: Embedded = Bandersnatch> {
    pub(super) items: Items<(Equation<C>, Thin<C>)>,
    /// Points that are in the sum.
    points: usize,
    /// How many there can be: [`Self::MOST_POINTS`], and fewer in tests.
    pub(super) most: usize,
}

impl<C: Embedded> Default for ThinBatch<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Embedded> ThinBatch<C> {
    /// The most points in the sum of a batch: two for each proof, and two for each of its pairs.
    pub const MOST_POINTS: usize = 1 << 23;

    /// An empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self { items: Items(Vec::new()), points: 0, most: Self::MOST_POINTS }
    }

    /// How many proofs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.0.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.0.is_empty()
    }

    /// Adds a proof. One that can be refused at once is refused by [`Self::verify`], with its number. Cost: hashes alone.
    ///
    /// # Errors
    /// If there would be more than [`Self::MOST_POINTS`].
    pub fn push(&mut self, statement: &ThinStatement<'_, C>, proof: &Thin<C>) -> Result<(), Error> {
        let ThinStatement { suite, key, pairs, data } = statement;
        let points = self.points.saturating_add(2 * pairs.len() + 2);
        if points > self.most {
            return Err(Error::Full(self.len()));
        }
        let equation = proof.equation(suite, key, pairs, data).ok();
        self.items.0.push(equation.map(|equation| (equation, proof.clone())));
        self.points = points;
        Ok(())
    }

    /// Verifies all proofs. An empty batch is valid.
    ///
    /// Cost: for `n` proofs of `p` pairs in all, a multi-scalar multiplication over `2n + p + m + 1` points, where `m` inputs differ. If it fails, as much again for halves, to find
    /// the invalid ones.
    ///
    /// # Errors
    /// If some are invalid: which; or if the system gives no random bytes.
    pub fn verify(&self) -> Result<(), Rejected> {
        let weights = self.items.weights()?;
        Rejected::unless(self.len(), &|items| self.items.hold(items, &weights))
    }
}

impl<C: Embedded> Proven<C, 1> for (Equation<C>, Thin<C>) {
    const BATCH: &'static [u8] = b"tenfold thin batch";

    fn digest(&self) -> [u8; 32] {
        let (Equation { pairs, challenge }, proof) = self;
        terms::digest(b"tenfold thin proof", pairs, &[proof.part], &[proof.response, *challenge])
    }

    fn add_to(&self, sum: &mut Terms<C>, [weight]: [C::ScalarField; 1]) {
        let (Equation { pairs, challenge }, proof) = self;
        sum.add_response(pairs, weight, [proof.response, *challenge], &proof.part);
    }
}
