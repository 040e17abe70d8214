//! A rank's fragments, and its part in each step. The coordinator has one like the others: every function returns there what all ranks sent.

use core::ops::Range;

use curve::bls12_381::{Fr, G1Projective, encode_g1};
use curve::{CurveGroup, Zero};
use pcs::field::Field;
use pcs::kzg::multilinear::{Prover, Scalar, add_multiple};

use super::Member;
use crate::error::Error;
use crate::meter::Phase;
use crate::party::Party;
use crate::session::Blocks;
use crate::wire::{elements, padded};

/// The fragments of a rank.
pub(super) struct Share {
    fragments: Vec<Vec<Fr>>,
    /// Their numbers among all.
    own: Range<usize>,
    /// Entries of a fragment.
    entries: usize,
    rank: usize,
}

impl Share {
    /// # Panics
    /// If these are not as many fragments of as many entries as the rank has.
    pub fn new(member: &Member<'_>, fragments: Vec<Vec<Fr>>) -> Self {
        let (own, entries) = (member.own(), 1 << member.scheme.params().key.variables());
        let whole = fragments.len() == own.len() && fragments.iter().all(|f| f.len() == entries);
        assert!(whole, "as many fragments of as many entries as the rank has");
        Self { fragments, own, entries, rank: member.rank() }
    }

    /// The commitments to the fragments.
    pub fn commitments(&self, party: &mut Party<'_>, prover: &Prover<'_>) -> Result<Blocks, Error> {
        let points = party.compute(Phase::Encode, || prover.commit_fragments(&self.fragments));
        let bytes: Vec<u8> = points.iter().flat_map(encode_g1).collect();
        party.gather(Phase::Encode, &bytes)
    }

    /// The combination of the fragments of a polynomial.
    pub fn combine(
        &self,
        party: &mut Party<'_>,
        polynomial: usize,
        weights: &[Scalar],
    ) -> Result<Blocks, Error> {
        let block = party.compute(Phase::Columns, || {
            let mut sum = vec![Fr::zero(); self.entries];
            for (number, fragment) in self.own.clone().zip(&self.fragments) {
                if number / weights.len() == polynomial {
                    add_multiple(&mut sum, fragment, weights[number % weights.len()].0);
                }
            }
            padded(&sum.into_iter().map(Scalar).collect::<Vec<_>>(), self.entries)
        });
        party.gather(Phase::Columns, &block)
    }

    /// The part of the commitments to the quotients; the coordinator has the `parts` of the table for all ranks.
    pub fn quotients(
        &self,
        party: &mut Party<'_>,
        (prover, parts): (&Prover<'_>, &[u8]),
        point: &[Scalar],
    ) -> Result<Blocks, Error> {
        let count = self.entries / party.size();
        let mut block = vec![0; count * Scalar::BYTES];
        party.scatter(Phase::Rows, parts, &mut block)?;
        let part: Vec<Scalar> =
            elements(&block, count).ok_or(Error::Question("entries that are not canonical"))?;
        let bytes = party.compute(Phase::Rows, || part_of_quotients(prover, &part, self.rank, point));
        party.gather(Phase::Rows, &bytes)
    }
}

/// The encodings of a rank's part of the commitments to the quotients.
pub(super) fn part_of_quotients(
    prover: &Prover<'_>,
    part: &[Scalar],
    rank: usize,
    point: &[Scalar],
) -> Vec<u8> {
    let part: Vec<Fr> = part.iter().map(|entry| entry.0).collect();
    let sums = prover.part_of_quotients(&part, (0, rank), point);
    G1Projective::normalize_batch(&sums).iter().flat_map(encode_g1).collect()
}
