//! Rings: members in slots, and the commitment that follows them.
//!
//! The commitment is linear in the rows, so that another key in a slot is a multiple of one Lagrange point for each coordinate.
//! A slot that a member left holds the padding, as one that never had a member does; the other members keep theirs.
//!
//! (notes: ring-members)

use std::collections::BTreeMap;

use crate::kzg;
use crate::{Bases, Commitment, Domain, Error, KeyError, Params, SCALAR_BITS, Setup, VerifierKey};
use curve::bandersnatch::{Point, doublings, encode_point};
use curve::bls12_381::{Fr, G1, G1Projective};
use curve::{CurveGroup, Zero, msm};

/// Whether a key can be in a ring twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// It cannot.
    #[default]
    Refused,
    /// It can. Who holds it counts once all the same: his tags are equal.
    Allowed,
}

/// A ring.
#[derive(Clone, Debug)]
pub struct Ring {
    params: Params,
    kzg: kzg::Key,
    duplicates: Duplicates,
    slots: Vec<Option<Point>>,
    /// How many slots hold a key.
    holders: BTreeMap<[u8; 32], usize>,
    /// Commitments to `px` and `py`.
    sums: [G1Projective; 2],
    selector: G1,
}

impl Ring {
    /// A ring without members. Cost: two sums over 257 points, a constant of bases and setup.
    #[must_use]
    pub fn new(setup: &Setup, bases: &Bases) -> Self {
        let domain = setup.domain;
        let keys = domain.capacity();
        // All rows hold the padding: a multiple of the sum of all Lagrange points. Then the rows behind the keys.
        let rows = fixed_rows(bases, domain);
        let padding = *bases.padding();
        let tail = &setup.lagrange[keys..];
        let first = setup.steps[0] + sum_of(&setup.lagrange[domain.last_row() + 1..]);
        let column = |pad: Fr, rows: Vec<Fr>| {
            let rest: Vec<Fr> = rows.into_iter().map(|v| v - pad).collect();
            first * pad + msm::sum(tail, &rest)
        };
        let sums = [
            column(padding.x, rows.iter().map(|p| p[0]).collect()),
            column(padding.y, rows.iter().map(|p| p[1]).collect()),
        ];
        let selector = (G1Projective::from(first) - sum_of(tail)).into_affine();
        Self {
            params: Params { bases: bases.clone(), domain },
            kzg: setup.key.clone(),
            duplicates: Duplicates::Refused,
            slots: Vec::new(),
            holders: BTreeMap::new(),
            sums,
            selector,
        }
    }

    /// The same ring under a policy for keys that are in it twice. The one of [`Self::new`] refuses them.
    #[must_use]
    pub fn with_duplicates(self, duplicates: Duplicates) -> Self {
        Self { duplicates, ..self }
    }

    /// A ring of these members.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn with_members(setup: &Setup, bases: &Bases, keys: &[Point]) -> Result<Self, Error> {
        let mut ring = Self::new(setup, bases);
        ring.append(setup, keys)?;
        Ok(ring)
    }

    /// Adds members in the slots behind all that were used. Cost: two sums over as many points as there are keys.
    ///
    /// # Errors
    /// If there are not so many slots, a key is refused, or the setup is another. Then nothing is changed.
    pub fn append(&mut self, setup: &Setup, keys: &[Point]) -> Result<(), Error> {
        let from = self.slots.len();
        self.append_slots(setup, &keys.iter().copied().map(Some).collect::<Vec<_>>())?;
        debug_assert_eq!(self.slots.len(), from + keys.len());
        Ok(())
    }

    /// Adds slots, some of them empty.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_slots(&mut self, setup: &Setup, slots: &[Option<Point>]) -> Result<(), Error> {
        self.check_setup(setup)?;
        let from = self.slots.len();
        let [wanted, capacity] = [from + slots.len(), self.params.domain.capacity()];
        if wanted > capacity {
            return Err(Error::Capacity { wanted, capacity });
        }
        let mut holders = self.holders.clone();
        for (at, key) in slots.iter().enumerate() {
            if let Some(key) = key {
                self.admit(&mut holders, key).map_err(|why| Error::Key { at, why })?;
            }
        }
        let padding = *self.params.bases.padding();
        let points = &setup.lagrange[from..wanted];
        let by = |of: fn(&Point) -> Fr| {
            let rows: Vec<Fr> = slots
                .iter()
                .map(|key| key.as_ref().map_or(Fr::zero(), |key| of(key) - of(&padding)))
                .collect();
            msm::sum(points, &rows)
        };
        let change = [by(|p| p.x), by(|p| p.y)];
        self.sums = [self.sums[0] + change[0], self.sums[1] + change[1]];
        self.holders = holders;
        self.slots.extend_from_slice(slots);
        Ok(())
    }

    /// Puts `key` in a slot that was used before, whether it has a member or not. Cost: two multiples of a point.
    ///
    /// # Errors
    /// If there is no such slot, the key is refused, or the setup is another. Then nothing is changed.
    pub fn replace(&mut self, setup: &Setup, slot: usize, key: &Point) -> Result<(), Error> {
        self.change(setup, slot, Some(*key))
    }

    /// Takes the member out of a slot, which is empty then. Cost: two multiples of a point.
    ///
    /// # Errors
    /// If there is no member, or the setup is another.
    pub fn remove(&mut self, setup: &Setup, slot: usize) -> Result<(), Error> {
        if self.member(slot).is_none() {
            return Err(Error::Slot(slot));
        }
        self.change(setup, slot, None)
    }

    fn change(&mut self, setup: &Setup, slot: usize, key: Option<Point>) -> Result<(), Error> {
        self.check_setup(setup)?;
        let old = *self.slots.get(slot).ok_or(Error::Slot(slot))?;
        let mut leaves = None;
        if let Some(old) = old {
            leaves = Some(encode_point(&old));
        }
        if let Some(key) = key {
            let same = leaves == Some(encode_point(&key));
            let taken = !same
                && self.duplicates == Duplicates::Refused
                && self.holders.contains_key(&encode_point(&key));
            let why = if taken { Err(KeyError::Duplicate) } else { self.params.bases.check_key(&key) };
            why.map_err(|why| Error::Key { at: slot, why })?;
        }
        if let Some(old) = leaves {
            release(&mut self.holders, &old);
        }
        if let Some(key) = key {
            *self.holders.entry(encode_point(&key)).or_default() += 1;
        }
        let padding = *self.params.bases.padding();
        let [new, old] = [key.unwrap_or(padding), old.unwrap_or(padding)];
        let point = setup.lagrange[slot];
        self.sums[0] += point * (new.x - old.x);
        self.sums[1] += point * (new.y - old.y);
        self.slots[slot] = key;
        Ok(())
    }

    fn admit(&self, holders: &mut BTreeMap<[u8; 32], usize>, key: &Point) -> Result<(), KeyError> {
        self.params.bases.check_key(key)?;
        let count = holders.entry(encode_point(key)).or_default();
        *count += 1;
        if *count > 1 && self.duplicates == Duplicates::Refused { Err(KeyError::Duplicate) } else { Ok(()) }
    }

    fn check_setup(&self, setup: &Setup) -> Result<(), Error> {
        if setup.domain == self.params.domain && setup.key == self.kzg {
            Ok(())
        } else {
            Err(Error::Mismatch("a ring of another setup or domain"))
        }
    }

    /// What prover and verifier agree on.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The member of a slot.
    #[must_use]
    pub fn member(&self, slot: usize) -> Option<&Point> {
        self.slots.get(slot)?.as_ref()
    }

    /// The slots that were used, in their order.
    #[must_use]
    pub fn slots(&self) -> &[Option<Point>] {
        &self.slots
    }

    /// What verifiers need.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let [x, y] = self.sums.map(|sum| sum.into_affine());
        Commitment { columns: [x, y, self.selector] }
    }

    /// The commitment with the setup's key.
    #[must_use]
    pub fn verifier_key(&self) -> VerifierKey {
        VerifierKey { kzg: self.kzg.clone(), commitment: self.commitment() }
    }

    /// The points of rows `0 .. K`: members, and padding where there is none.
    pub(crate) fn points(&self) -> Vec<Point> {
        let padding = *self.params.bases.padding();
        let mut points: Vec<Point> = self.slots.iter().map(|slot| slot.unwrap_or(padding)).collect();
        points.resize(self.params.domain.capacity(), padding);
        points
    }
}

fn release(holders: &mut BTreeMap<[u8; 32], usize>, key: &[u8; 32]) {
    if let Some(count) = holders.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            holders.remove(key);
        }
    }
}

fn sum_of(points: &[G1]) -> G1Projective {
    points.iter().sum()
}

/// Coordinates in the rows behind the keys: `2^j H`, then zeros.
pub(crate) fn fixed_rows(bases: &Bases, domain: Domain) -> Vec<[Fr; 2]> {
    let mut rows: Vec<[Fr; 2]> =
        doublings(bases.blinding(), SCALAR_BITS).iter().map(|p| [p.x, p.y]).collect();
    rows.resize(domain.size() - domain.capacity(), [Fr::zero(); 2]);
    rows
}
