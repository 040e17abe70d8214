//! What batches of proofs over a curve of keys share: their items, the sum that has to be 0, and the weights in it.
//!
//! **All points are in the subgroup**, so that a false equation stays false but for a chance of `2^-128`: inputs, outputs, keys and proofs are decoded with that
//! check or computed in the subgroup, and there is no other way to make them. Of a curve with a cofactor of 4 an error of order 2 would vanish under half of
//! all weights.
//!
//! (notes: ring-signature-batch)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use std::collections::BTreeMap;

use curve::Zero;
use curve::embedded::{Embedded, Point, encode_point, encode_scalar, sum};

use super::pairs::Pairs;
use crate::Error;
use crate::transcript::Transcript;

/// Points and their factors.
pub(super) struct Terms<C: Embedded> {
    points: Vec<Point<C>>,
    scalars: Vec<C::ScalarField>,
    /// Points that many items have in common, each once: generators, inputs, keys.
    common: BTreeMap<[u8; 32], (Point<C>, C::ScalarField)>,
}

impl<C: Embedded> Default for Terms<C> {
    fn default() -> Self {
        Self { points: Vec::new(), scalars: Vec::new(), common: BTreeMap::new() }
    }
}

impl<C: Embedded> Terms<C> {
    pub(super) fn add(&mut self, point: Point<C>, scalar: C::ScalarField) {
        self.points.push(point);
        self.scalars.push(scalar);
    }

    pub(super) fn add_common(&mut self, point: &Point<C>, scalar: C::ScalarField) {
        let zero = || (*point, C::ScalarField::zero());
        self.common.entry(encode_point(point)).or_insert_with(zero).1 += scalar;
    }

    /// `w (s I - c O - R)`
    pub(super) fn add_response(
        &mut self,
        pairs: &Pairs<C>,
        weight: C::ScalarField,
        [response, challenge]: [C::ScalarField; 2],
        commitment: &Point<C>,
    ) {
        for ((input, output), z) in pairs.inputs.iter().zip(&pairs.outputs).zip(&pairs.factors) {
            let weight = weight * z;
            self.add_common(input, weight * response);
            self.add(-*output, weight * challenge);
        }
        self.add(-*commitment, weight);
    }

    /// Returns true if the sum is 0.
    pub(super) fn vanishes(mut self) -> bool {
        for (point, scalar) in core::mem::take(&mut self.common).into_values() {
            self.add(point, scalar);
        }
        sum::<C>(&self.points, &self.scalars).is_zero()
    }
}

/// All that is in the equations of an item, in 32 bytes.
pub(super) fn digest<C: Embedded>(
    label: &[u8],
    pairs: &Pairs<C>,
    points: &[Point<C>],
    scalars: &[C::ScalarField],
) -> [u8; 32] {
    let points = [&pairs.inputs, &pairs.outputs, points].concat();
    let points: Vec<[u8; 32]> = points.iter().map(encode_point).collect();
    let scalars: Vec<[u8; 32]> = pairs.factors.iter().chain(scalars).map(|k| encode_scalar::<C>(k)).collect();
    let mut transcript = Transcript::new(label);
    transcript.append(b"points", points.as_flattened());
    transcript.append(b"scalars", scalars.as_flattened());
    let mut digest = [0; 32];
    transcript.squeeze(b"digest", &mut digest);
    digest
}

/// The proofs of a batch. `None`: refused before any equation.
#[derive(Clone, Debug)]
pub(super) struct Items<P>(pub(super) Vec<Option<P>>);

/// A proof in a batch, with the `N` equations that have to hold.
pub(super) trait Proven<C: Embedded, const N: usize> {
    /// The label of a batch's weights.
    const BATCH: &'static [u8];

    /// All that is in the equations: see [`digest`].
    fn digest(&self) -> [u8; 32];

    /// Adds the equations, each by its weight.
    fn add_to(&self, sum: &mut Terms<C>, weights: [C::ScalarField; N]);
}

impl<P> Items<P> {
    /// Weights of 128 bits for each item, from the whole batch and from the system.
    pub(super) fn weights<C, const N: usize>(&self) -> Result<Vec<[C::ScalarField; N]>, Error>
    where
        C: Embedded,
        P: Proven<C, N>,
    {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(Error::Random)?;
        let mut transcript = Transcript::new(P::BATCH);
        for item in &self.0 {
            transcript.append(b"item", &item.as_ref().map(P::digest).unwrap_or_default());
        }
        transcript.append(b"random", &random);
        Ok(transcript.weights(self.0.len()))
    }

    /// Returns true if the proofs of these items hold together under these weights.
    pub(super) fn hold<C, const N: usize>(&self, items: &[usize], weights: &[[C::ScalarField; N]]) -> bool
    where
        C: Embedded,
        P: Proven<C, N>,
    {
        let mut sum = Terms::default();
        for item in items {
            let (Some(Some(proven)), Some(weights)) = (self.0.get(*item), weights.get(*item)) else {
                return false;
            };
            proven.add_to(&mut sum, *weights);
        }
        sum.vanishes()
    }
}
