//! Rings: members in slots, and the commitment that follows them.
//!
//! The commitment is linear in the rows, so that another key in a slot is a multiple of one Lagrange point for each coordinate.
//! A slot that a member left holds the padding, as one that never had a member does; the other members keep theirs.
//!
//! (notes: ring-members)

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::{
    Bases, Commitment, Domain, Error, Key, KeyError, Params, RowPoints, SegmentKey, Setup, VerifierKey,
};
use curve::bandersnatch::Bandersnatch;
use curve::bls12_381::{Fr, G1, G1Projective};
use curve::embedded::{Embedded, Point, doublings, scalar_bits};
use curve::{AffineRepr, CurveGroup, Zero};

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
pub struct Ring<C: Embedded = Bandersnatch> {
    params: Params<C>,
    /// What the points of a change were checked against.
    pub(crate) key: SegmentKey,
    duplicates: Duplicates,
    slots: Vec<Option<Key<C>>>,
    /// How many slots hold a key.
    holders: BTreeMap<[u8; Key::BYTES], usize>,
    /// Commitments to `px` and `py`.
    sums: [G1Projective; 2],
    selector: G1,
}

impl<C: Embedded> Ring<C> {
    /// A ring without members. Cost: two sums over 257 points, a constant of bases and setup: the setup remembers those of the first
    /// bases that it is asked for.
    ///
    /// # Panics
    /// If the setup was prepared for scalars of another length than those of this curve: see [`Domain::on`].
    #[must_use]
    pub fn new(setup: &Setup, bases: &Bases<C>) -> Self {
        let domain = setup.domain;
        assert_eq!(domain.scalar_bits(), scalar_bits::<C>(), "a setup for keys on another curve");
        let points = [bases.blinding(), bases.padding()].map(|p| [p.x, p.y]);
        let (known, sums) = setup.empty.get_or_init(|| (points, empty_columns(setup, bases)));
        let sums = if *known == points { *sums } else { empty_columns(setup, bases) };
        let selector = (setup.steps[0].into_group() - setup.steps[domain.capacity()]).into_affine();
        Self {
            params: Params { bases: bases.clone(), domain },
            key: setup.key.clone(),
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
    pub fn with_members(setup: &Setup, bases: &Bases<C>, keys: &[Key<C>]) -> Result<Self, Error> {
        if setup.domain.scalar_bits() != scalar_bits::<C>() {
            return Err(Error::Mismatch("a setup for keys on another curve"));
        }
        let mut ring = Self::new(setup, bases);
        ring.append(setup, keys)?;
        Ok(ring)
    }

    /// The ring of a commitment whose slots are known, made without the setup: it changes by segments. **That the commitment is that of these slots is not checked**, for that takes
    /// the setup ([`Self::with_members`], and compare): what a false one hides stays in every commitment after it.
    ///
    /// # Errors
    /// If there are more slots than the domain has, a key is refused, or `key` is for another number of rows. Changes are refused by segments that were checked against another key.
    pub fn resume(
        key: &SegmentKey,
        params: &Params<C>,
        (slots, commitment): (&[Option<Key<C>>], &Commitment),
        duplicates: Duplicates,
    ) -> Result<Self, Error> {
        let Params { bases, domain } = params;
        if key.rows() != domain.size() || domain.scalar_bits() != scalar_bits::<C>() {
            return Err(Error::Mismatch(
                "a domain of other rows than the key's, or for keys on another curve",
            ));
        }
        let [wanted, capacity] = [slots.len(), domain.capacity()];
        if wanted > capacity {
            return Err(Error::Capacity { wanted, capacity });
        }
        let [px, py, selector] = commitment.columns;
        let mut ring = Self {
            params: Params { bases: bases.clone(), domain: *domain },
            key: key.clone(),
            duplicates,
            slots: slots.to_vec(),
            holders: BTreeMap::new(),
            sums: [px.into(), py.into()],
            selector,
        };
        ring.admit_all(slots)?;
        Ok(ring)
    }

    /// Adds members in the slots behind all that were used, by the points of a [`Setup`] or of a segment that has these rows. Cost: two sums over as many points as there are keys.
    ///
    /// # Errors
    /// If there are not so many slots, a key is refused, the setup is another, or the segment lacks a row. Then nothing is changed.
    pub fn append(&mut self, points: &impl RowPoints, keys: &[Key<C>]) -> Result<(), Error> {
        self.append_slots(points, &keys.iter().copied().map(Some).collect::<Vec<_>>())
    }

    /// Adds slots, some of them empty.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_slots(&mut self, points: &impl RowPoints, slots: &[Option<Key<C>>]) -> Result<(), Error> {
        let from = self.slots.len();
        let [wanted, capacity] = [from + slots.len(), self.params.domain.capacity()];
        if wanted > capacity {
            return Err(Error::Capacity { wanted, capacity });
        }
        points.check(self.params.domain, &self.key, from..wanted)?;
        self.admit_all(slots)?;
        let padding = *self.params.bases.padding();
        let by = |of: fn(&Point<C>) -> Fr| {
            let change = |key: &Option<Key<C>>| key.map_or(Fr::zero(), |key| of(key.point()) - of(&padding));
            slots.iter().map(change).collect::<Vec<_>>()
        };
        self.add_to_rows(points, from, [&by(|p| p.x), &by(|p| p.y)]);
        self.slots.extend_from_slice(slots);
        Ok(())
    }

    /// Puts `key` in a slot that was used before, whether it has a member or not. Cost: two multiples of a point.
    ///
    /// # Errors
    /// If there is no such slot, the key is refused, the setup is another, or the segment lacks the row. Then nothing is changed.
    pub fn replace(&mut self, points: &impl RowPoints, slot: usize, key: &Key<C>) -> Result<(), Error> {
        self.change(points, slot, Some(*key))
    }

    /// Takes the member out of a slot, which is empty then. Cost: two multiples of a point.
    ///
    /// # Errors
    /// If there is no member, the setup is another, or the segment lacks the row. Then nothing is changed.
    pub fn remove(&mut self, points: &impl RowPoints, slot: usize) -> Result<(), Error> {
        if self.member(slot).is_none() {
            return Err(Error::Slot(slot));
        }
        self.change(points, slot, None)
    }

    fn change(&mut self, points: &impl RowPoints, slot: usize, key: Option<Key<C>>) -> Result<(), Error> {
        let old = *self.slots.get(slot).ok_or(Error::Slot(slot))?;
        points.check(self.params.domain, &self.key, slot..slot + 1)?;
        if let Some(old) = old {
            self.release(&old);
        }
        if let Err(why) = key.map_or(Ok(()), |key| self.admit(&key)) {
            if let Some(old) = old {
                *self.holders.entry(old.encode()).or_default() += 1;
            }
            return Err(Error::Key { at: slot, why });
        }
        let padding = self.params.bases.padding();
        let [new, old] = [&key, &old].map(|key| key.as_ref().map_or(padding, Key::point));
        let change = [new.x - old.x, new.y - old.y];
        self.add_to_rows(points, slot, [&change[..1], &change[1..]]);
        self.slots[slot] = key;
        Ok(())
    }

    fn add_to_rows(&mut self, points: &impl RowPoints, from: usize, columns: [&[Fr]; 2]) {
        let change = points.sums(from, columns);
        self.sums.iter_mut().zip(change).for_each(|(sum, change)| *sum += change);
    }

    /// Counts other holders of keys, of all of them or of none.
    fn admit_all(&mut self, slots: &[Option<Key<C>>]) -> Result<(), Error> {
        for (at, key) in slots.iter().enumerate() {
            if let Err(why) = key.map_or(Ok(()), |key| self.admit(&key)) {
                slots[..at].iter().flatten().for_each(|key| self.release(key));
                return Err(Error::Key { at, why });
            }
        }
        Ok(())
    }

    /// Counts another holder of a key, unless it is refused.
    fn admit(&mut self, key: &Key<C>) -> Result<(), KeyError> {
        self.params.bases.check_key(key)?;
        let count = self.holders.entry(key.encode()).or_default();
        if *count > 0 && self.duplicates == Duplicates::Refused {
            return Err(KeyError::Duplicate);
        }
        *count += 1;
        Ok(())
    }

    fn release(&mut self, key: &Key<C>) {
        if let Entry::Occupied(mut count) = self.holders.entry(key.encode()) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }

    /// What prover and verifier agree on.
    #[must_use]
    pub fn params(&self) -> &Params<C> {
        &self.params
    }

    /// The member of a slot.
    #[must_use]
    pub fn member(&self, slot: usize) -> Option<&Key<C>> {
        self.slots.get(slot)?.as_ref()
    }

    /// The slots that were used, in their order.
    #[must_use]
    pub fn slots(&self) -> &[Option<Key<C>>] {
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
        VerifierKey { kzg: self.key.kzg().clone(), commitment: self.commitment() }
    }

    /// The points of rows `0 .. K`: members, and padding where there is none.
    pub(crate) fn points(&self) -> Vec<Point<C>> {
        let padding = *self.params.bases.padding();
        let point = |slot: &Option<Key<C>>| slot.map_or(padding, |key| *key.point());
        let mut points: Vec<Point<C>> = self.slots.iter().map(point).collect();
        points.resize(self.params.domain.capacity(), padding);
        points
    }
}

/// Commitments to `px` and `py` where no slot has a member.
fn empty_columns<C: Embedded>(setup: &Setup, bases: &Bases<C>) -> [G1Projective; 2] {
    // All rows hold the padding: a multiple of the sum of all Lagrange points, which is `G1`. Then the rows behind the keys.
    let padding = [bases.padding().x, bases.padding().y];
    let all = setup.powers.multiples(0, &padding);
    let rows = fixed_rows(bases, setup.domain);
    core::array::from_fn(|i| {
        let rest: Vec<Fr> = rows.iter().map(|p| p[i] - padding[i]).collect();
        all[i] + setup.tail_sum(&rest)
    })
}

/// Coordinates in the rows behind the keys: `2^j H`, then zeros.
pub(crate) fn fixed_rows<C: Embedded>(bases: &Bases<C>, domain: Domain) -> Vec<[Fr; 2]> {
    let mut rows: Vec<[Fr; 2]> =
        doublings(bases.blinding(), scalar_bits::<C>()).iter().map(|p| [p.x, p.y]).collect();
    rows.resize(domain.size() - domain.capacity(), [Fr::zero(); 2]);
    rows
}
