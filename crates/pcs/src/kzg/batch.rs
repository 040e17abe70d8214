//! Many openings in one check, and the invalid ones named.
//!
//! The weights are drawn when the whole batch is fixed, from all of it and from the system: if an item's weights came from itself only, somebody
//! who makes all of them could choose false openings whose errors cancel. Schemes may differ, the setup not.
//!
//! (notes: kzg-batch)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::opening::{Claims, Key};
use super::params::{Commitment, Evaluations, HASH};
use super::verifier::{Opened, Scheme, weights};
use curve::bls12_381::Fr;
use field::Gf128;
use iop::error::Invalid;
use iop::hash::Digest;
use iop::poly::to_bytes;
use iop::transcript::{Challenger, Domain};
use rand::TryRng;
use rand::rngs::SysRng;

/// Proofs to be verified together.
#[derive(Clone, Debug)]
pub struct Batch {
    key: Key,
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
struct Item {
    /// `None`: refused before any equation.
    opened: Option<Opened>,
    /// All that was said in its transcript.
    digest: Vec<u8>,
}

/// Why a batch is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// These items are invalid, all others are valid.
    #[error("invalid items: {0:?}")]
    Items(Vec<usize>),
    /// The system gives no random bytes. Nothing was verified.
    #[error("no random bytes")]
    Random,
}

impl Batch {
    /// A batch for schemes over this setup.
    #[must_use]
    pub fn new(key: &Key) -> Self {
        Self { key: key.clone(), items: Vec::new() }
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

    /// Adds a proof. One that can be refused at once is refused by [`Self::verify`], with its number.
    ///
    /// # Errors
    /// If the scheme is over another setup.
    pub fn push(
        &mut self,
        scheme: &Scheme,
        commitment: &Commitment,
        stated: &Evaluations,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        if scheme.params().key != self.key {
            return Err(Invalid("a scheme over another setup"));
        }
        let read = scheme.opened(commitment, stated, proof).and_then(|(opened, mut tape)| {
            let digest = to_bytes(&tape.challenges::<Gf128>("batch item", 2));
            tape.finish().map(|()| (opened, digest))
        });
        let (opened, digest) = read.map_or((None, Vec::new()), |(opened, digest)| (Some(opened), digest));
        self.items.push(Item { opened, digest });
        Ok(())
    }

    /// Whether all proofs are valid. An empty batch is.
    ///
    /// Cost: a sum over all commitments and openings, and two pairings. If it fails, as much again for halves, to find the invalid ones.
    ///
    /// # Errors
    /// If some are not: which; or if the system gives no random bytes.
    pub fn verify(&self) -> Result<(), Rejected> {
        let mut random = [0; 32];
        SysRng.try_fill_bytes(&mut random).map_err(|_| Rejected::Random)?;
        let weights = self.weights(&random);
        let invalid = invalid_among(self.items.len(), &|items| self.hold(items, &weights));
        if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) }
    }

    /// A weight for each opening of each item, from the whole batch and `random`.
    pub(super) fn weights(&self, random: &[u8; 32]) -> Vec<Vec<Fr>> {
        let mut parts: Vec<&[u8]> = vec![random];
        parts.extend(self.items.iter().map(|item| item.digest.as_slice()));
        let statement: Digest = HASH.digest("tenfold kzg batch v1", &parts);
        let key: Digest = HASH.digest("key", &[&self.key.encode()]);
        let domain = Domain::new(HASH, "tenfold kzg batch v1", &key);
        let mut tape = domain.statement(&statement).verifier(&[]);
        self.items.iter().map(|item| weights(&mut tape, item.openings())).collect()
    }

    /// Whether these items hold together under these weights.
    pub(super) fn hold(&self, items: &[usize], weights: &[Vec<Fr>]) -> bool {
        let mut claims = Claims::default();
        for item in items {
            let (Some(item), Some(weights)) = (self.items.get(*item), weights.get(*item)) else {
                return false;
            };
            let Some(opened) = &item.opened else { return false };
            opened.add_to(&mut claims, weights);
        }
        claims.hold(&self.key)
    }
}

impl Item {
    fn openings(&self) -> usize {
        self.opened.as_ref().map_or(0, Opened::len)
    }
}

/// Which of so many items are invalid, if `hold` says of some of them whether they hold together. Halves are asked until they hold or are one item.
///
/// Halves use the weights of the whole: the errors of a fixed half were fixed before them too.
pub fn invalid_among(count: usize, hold: &impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut invalid = Vec::new();
    find(&(0..count).collect::<Vec<_>>(), hold, &mut invalid);
    invalid
}

fn find(items: &[usize], hold: &impl Fn(&[usize]) -> bool, invalid: &mut Vec<usize>) {
    if hold(items) {
        return;
    }
    if let [item] = items {
        invalid.push(*item);
        return;
    }
    let (low, high) = items.split_at(items.len() / 2);
    find(low, hold, invalid);
    find(high, hold, invalid);
}
