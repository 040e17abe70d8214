//! Verifying many proofs at once.
//!
//! ```text
//!   push     the challenges of a proof, its two openings                    nothing is combined yet
//!   verify   all statements and proofs, and 32 bytes of the system -> weights, two for each proof
//!            one sum over all commitments, one over all openings, one check of two pairings
//! ```
//! The weights are drawn when the whole batch is fixed. If each came from its own proof only, somebody who makes all of
//! them could choose invalid proofs whose errors cancel. Rings, domains and curves may differ, the setup not.
//!
//! (notes: ring-batch)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::kzg::{self, Claims};
use crate::transcript::Transcript;
use crate::verifier::{Openings, SelectorClaim};
use crate::{Commitment, Error, Invalid, Proof, Verifier};
use curve::Zero;
use curve::bls12_381::{Fr, G1};
use curve::embedded::{Embedded, Point, encode_point};

/// Proofs to be verified together.
#[derive(Clone, Debug)]
pub struct Batch {
    key: kzg::Key,
    pub(crate) rings: Vec<Commitment>,
    /// Where a ring is in the list, by its bytes.
    places: BTreeMap<[u8; Commitment::BYTES], usize>,
    items: Vec<Item>,
    /// How many items there can be: [`Self::MOST`], and fewer in tests.
    pub(crate) most: usize,
}

#[derive(Clone, Debug)]
struct Item {
    /// Which of the rings.
    ring: usize,
    /// `None`: refused before any opening.
    openings: Option<Openings>,
    /// What this item adds to what the weights depend on.
    digest: [u8; 32],
}

/// Why a batch is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// These items are invalid, all others are valid.
    #[error("invalid items: {0:?}")]
    Items(Vec<usize>),
    /// The lists have different lengths. Nothing was verified.
    #[error("{verifiers} verifiers, {results} blinded keys, {proofs} proofs")]
    Lengths {
        /// Verifiers.
        verifiers: usize,
        /// Blinded keys.
        results: usize,
        /// Proofs.
        proofs: usize,
    },
    /// An item, or the system, was not fit. Nothing was verified.
    #[error(transparent)]
    Error(#[from] Error),
}

impl Rejected {
    /// Refuses those of `count` items that do not hold: by halves, if they do not hold together.
    pub(crate) fn unless(count: usize, hold: &impl Fn(&[usize]) -> bool) -> Result<(), Self> {
        let invalid = kzg::invalid_among(count, hold);
        if invalid.is_empty() { Ok(()) } else { Err(Self::Items(invalid)) }
    }
}

impl Batch {
    /// The most items: each adds at most ten points to a sum, which takes 2^24.
    pub const MOST: usize = 1 << 20;

    /// A batch for verifiers with this key of a setup.
    #[must_use]
    pub fn new(key: &kzg::Key) -> Self {
        let (rings, places, items) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { key: key.clone(), rings, places, items, most: Self::MOST }
    }

    /// Verifies lists of the same length, item by item of the three together.
    ///
    /// # Errors
    /// If they are not of the same length, or as [`Self::push`] and [`Self::verify`].
    pub fn verify_all<C: Embedded>(
        key: &kzg::Key,
        verifiers: &[&Verifier<C>],
        results: &[Point<C>],
        proofs: &[Proof],
    ) -> Result<(), Rejected> {
        let [v, r, p] = [verifiers.len(), results.len(), proofs.len()];
        if v != r || r != p {
            return Err(Rejected::Lengths { verifiers: v, results: r, proofs: p });
        }
        let mut batch = Self::new(key);
        for ((verifier, result), proof) in verifiers.iter().zip(results).zip(proofs) {
            batch.push(verifier, result, proof)?;
        }
        batch.verify()
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds an item. A proof that can be refused at once is refused by [`Self::verify`], with its number.
    ///
    /// # Errors
    /// If the verifier has another setup, or there are [`Self::MOST`] items.
    pub fn push<C: Embedded>(
        &mut self,
        verifier: &Verifier<C>,
        result: &Point<C>,
        proof: &Proof,
    ) -> Result<(), Error> {
        self.push_openings(verifier, || verifier.openings(result, proof))
    }

    /// [`Self::push`] of a blinded key that is known to be in the subgroup.
    pub(crate) fn push_inside<C: Embedded>(
        &mut self,
        verifier: &Verifier<C>,
        result: &Point<C>,
        proof: &Proof,
    ) -> Result<(), Error> {
        self.push_openings(verifier, || verifier.openings_inside(result, proof))
    }

    fn push_openings<C: Embedded>(
        &mut self,
        verifier: &Verifier<C>,
        openings: impl FnOnce() -> Result<Openings, Invalid>,
    ) -> Result<(), Error> {
        if verifier.key().kzg != self.key {
            return Err(Error::Mismatch("a verifier of another setup"));
        }
        if self.items.len() >= self.most {
            return Err(Error::Full(self.most));
        }
        let ring = verifier.key().commitment;
        let place = *self.places.entry(ring.encode()).or_insert_with(|| {
            self.rings.push(ring);
            self.rings.len() - 1
        });
        let mut digest = [0; 32];
        let openings = openings().ok().map(|mut openings| {
            // The transcript has the ring, the blinded key and the whole proof; what it lacks is the domain and the seed.
            let params = verifier.params();
            let mut bytes = params.domain.size().to_le_bytes().to_vec();
            bytes.extend(encode_point(params.bases.seed()));
            openings.transcript.append(b"params", &bytes);
            openings.transcript.squeeze(b"batch item", &mut digest);
            openings
        });
        self.items.push(Item { ring: place, openings, digest });
        Ok(())
    }

    /// Whether all proofs are valid. An empty batch is.
    ///
    /// Cost: for `n` proofs of `m` rings a sum over `7n + 3m + 1` commitments, one over `2n`, two pairings. If it fails, as much again for
    /// halves, to find the invalid ones.
    ///
    /// # Errors
    /// If some are not: which; or if the system gives no random bytes.
    pub fn verify(&self) -> Result<(), Rejected> {
        let weights = self.weights()?;
        Rejected::unless(self.items.len(), &|items| self.holds(items, &weights))
    }

    /// Two weights of 128 bits for each item, from the whole batch and from the system.
    pub(crate) fn weights(&self) -> Result<Vec<[Fr; 2]>, Error> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(Error::Random)?;
        Ok(self.weights_from(&random))
    }

    pub(crate) fn weights_from(&self, random: &[u8; 32]) -> Vec<[Fr; 2]> {
        let mut transcript = Transcript::new(b"tenfold ring batch");
        for item in &self.items {
            transcript.append(b"item", &item.digest);
        }
        transcript.append(b"random", random);
        transcript.weights(self.items.len())
    }

    /// Whether these items hold together under these weights.
    ///
    /// The selector's value is compared with the domain's for the first of these items of each ring and domain: with the openings it pins the commitment, and then
    /// the openings say what the others' values are. (notes: ring-batch)
    pub(crate) fn holds(&self, items: &[usize], weights: &[[Fr; 2]]) -> bool {
        let mut claims = Claims::default();
        // Of the rings of these items alone: a half of a batch pays for its own.
        let mut fixed = BTreeMap::<usize, [Fr; 3]>::new();
        let mut pinned = BTreeSet::new();
        for item in items {
            let (Some(item), Some(weights)) = (self.items.get(*item), weights.get(*item)) else {
                return false;
            };
            let Some(openings) = &item.openings else {
                return false;
            };
            let SelectorClaim { domain, tail, .. } = &openings.selector;
            if pinned.insert((item.ring, domain.size(), tail.len())) && !openings.selector.holds() {
                return false;
            }
            let [first, _] = *weights;
            openings.add_to(&mut claims, *weights);
            let sums = fixed.entry(item.ring).or_default();
            for (sum, factor) in sums.iter_mut().zip(openings.fixed) {
                *sum += first * factor;
            }
        }
        for (place, factors) in fixed {
            let Some(ring) = self.rings.get(place) else {
                return false;
            };
            add_columns(&mut claims, &ring.columns, factors);
        }
        claims.hold(&self.key)
    }
}

fn add_columns(claims: &mut Claims, columns: &[G1; 3], factors: [Fr; 3]) {
    for (column, factor) in columns.iter().zip(factors) {
        if !factor.is_zero() {
            claims.add_point(*column, factor);
        }
    }
}

impl From<Rejected> for Invalid {
    fn from(_: Rejected) -> Self {
        Invalid("the batch is not accepted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Scene, members, setup};

    /// One batch has other weights each time that it is verified: who made it cannot compute them.
    #[test]
    fn weights_are_drawn_anew() {
        let scene = Scene::new(setup(), &members(2), 0);
        let mut batch = Batch::new(setup().key());
        batch.push(&scene.verifier, &scene.result, &scene.proof).expect("the same setup");
        let [first, second] =
            [batch.weights(), batch.weights()].map(|weights| weights.expect("random bytes"));
        assert_ne!(first, second);
    }
}
