//! Sums over points that are known before, with tables.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{AdditiveGroup, PrimeField};
use rayon::prelude::*;

use super::digits::Recoding;
use super::lists::{Lists, Work, reserve, resize, wipe};
use super::scratch::{Digits, Kept, Part};
use super::{Adder, Curve, Ref, Single, Tier};

/// Tables for sums over fixed points: `2^(cj) P_i`, and `2^(cj) psi(P_i)` where the curve has an endomorphism.
///
/// ```text
///   let bases = FixedBase::new(srs.powers(1537)?);
///   let commitment = bases.sum(&coefficients);       // any number of scalars up to 1537
/// ```
pub struct FixedBase<C: Curve> {
    pub(super) recoding: Recoding,
    /// Table entries of a point: one for each digit.
    pub(super) row: usize,
    /// Whether a point is not the identity. (Multiples of the identity are left out of the sums.)
    pub(super) live: Vec<bool>,
    pub(super) table: Table<C>,
    pub(super) kept: Kept<C>,
}

pub(super) enum Table<C: Curve> {
    Vector(Vec<<C::Vector as Adder>::Point>),
    Middle(Vec<<C::Middle as Adder>::Point>),
    Single(Vec<Affine<C>>),
}

/// The fewest digits that are worth a part of the buckets.
const PART: usize = 6144;

impl<C: Curve> FixedBase<C> {
    /// Tables for these points, with digits of the length that takes the fewest additions.
    #[must_use]
    pub fn new(points: &[Affine<C>]) -> Self {
        Self::with_window(points, Self::best_window(points.len()))
    }

    /// The length of digits that takes the fewest additions in a sum over so many points, and of two that are as good the longer one.
    #[must_use]
    pub fn best_window(points: usize) -> usize {
        let cost = |c: usize| points * recoding::<C>(c).1 + (1 << c);
        (4..=15).rev().min_by_key(|&c| cost(c)).expect("some")
    }

    /// Tables for these points, with digits of `c` bits. Longer digits take less memory.
    ///
    /// # Panics
    /// If `c` is not in 4..=16, or there are 2^30 multiples or more.
    #[must_use]
    pub fn with_window(points: &[Affine<C>], c: usize) -> Self {
        Self::on(points, c, Tier::best::<C>())
    }

    /// Tables as on a machine without vector instructions, for tests and measurements.
    ///
    /// # Panics
    /// As [`Self::with_window`].
    #[must_use]
    pub fn portable(points: &[Affine<C>], c: usize) -> Self {
        Self::on(points, c, Tier::Single)
    }

    /// Tables for these lanes.
    ///
    /// # Panics
    /// As [`Self::with_window`], and if the machine does not have the instructions.
    #[must_use]
    pub fn on(points: &[Affine<C>], c: usize, tier: Tier) -> Self {
        assert!(tier.available::<C>(), "instructions that this CPU does not have");
        let (recoding, row) = recoding::<C>(c);
        assert!(points.len() < (1 << 30) / row, "too many points for a table");
        let live: Vec<bool> = points.iter().map(|p| !p.is_zero()).collect();
        // What stands in the place of the identity is never used.
        let points: Vec<_> =
            points.iter().map(|p| if p.is_zero() { Affine::generator() } else { *p }).collect();
        let table = match tier {
            Tier::Vector => Table::Vector(rows::<C::Vector>(&points, &recoding, row)),
            Tier::Middle => Table::Middle(rows::<C::Middle>(&points, &recoding, row)),
            Tier::Single => Table::Single(rows::<Single<C>>(&points, &recoding, row)),
        };
        Self { recoding, row, live, table, kept: Kept::default() }
    }

    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The bits of a digit.
    #[must_use]
    pub fn window(&self) -> usize {
        self.recoding.c
    }

    /// Whether additions are done in vectors of eight lanes.
    #[must_use]
    pub fn is_vector(&self) -> bool {
        matches!(self.table, Table::Vector(_))
    }

    /// The memory of the tables, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.table {
            Table::Vector(t) => size_of_val(t.as_slice()),
            Table::Middle(t) => size_of_val(t.as_slice()),
            Table::Single(t) => size_of_val(t.as_slice()),
        }
    }

    /// The memory of sums that were made, in bytes: it is kept, for as many sums as there were at once. Nothing of the sums is in it.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.kept.parts.bytes() + self.kept.digits.bytes()
    }

    /// `sum k_i P_i`, over as many points as there are scalars. Not constant time.
    ///
    /// Cost: an addition for each digit that is not zero, and `2^c`. Large sums are on all threads of the current pool.
    ///
    /// # Panics
    /// If there are more scalars than points.
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(scalars.len() <= self.len(), "{} scalars for {} points", scalars.len(), self.len());
        self.run(scalars.len(), self.parts(scalars.len()), |i| (i, &scalars[i]))
    }

    /// Parts of the buckets for a sum of so many terms: two for each thread, so that who is done first takes what is left.
    fn parts(&self, terms: usize) -> usize {
        match rayon::current_num_threads() {
            1 => 1,
            threads => (2 * threads).min(self.row * terms / PART).max(1),
        }
    }

    /// `sum k_i P_(first + i)`: [`Self::sum`] over a part of the points.
    ///
    /// # Panics
    /// If there are not so many points from `first` on.
    pub fn sum_from(&self, first: usize, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(first + scalars.len() <= self.len(), "scalars beyond {} points", self.len());
        self.run(scalars.len(), self.parts(scalars.len()), |i| (first + i, &scalars[i]))
    }

    /// `sum k P_i` over terms `(i, k)`: a sum of few terms. Not constant time.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn sum_of(&self, terms: &[(usize, C::ScalarField)]) -> Projective<C> {
        assert!(terms.iter().all(|(i, _)| *i < self.len()), "a term beyond {} points", self.len());
        self.run(terms.len(), 1, |i| (terms[i].0, &terms[i].1))
    }

    /// The sum of so many terms, in so many parts: first each takes digits of some of the terms, then the sum of some of the buckets.
    fn run<'a>(
        &self,
        count: usize,
        parts: usize,
        term: impl Fn(usize) -> (usize, &'a C::ScalarField) + Sync,
    ) -> Projective<C> {
        self.kept.digits.lend(|digits| {
            digits.resize_with(parts.max(digits.len()), Digits::default);
            let digits = &mut digits[..parts];
            let owners = self.owners(count, parts);
            let cut = |(i, digits): (usize, &mut Digits)| {
                self.cut(digits, (parts, &owners), (count * i / parts..count * (i + 1) / parts).map(&term));
            };
            if let [digits] = digits {
                cut((0, digits));
            } else {
                digits.par_iter_mut().enumerate().for_each(cut);
            }
            match parts {
                1 => self.part(digits, 0),
                _ => (0..parts).into_par_iter().map(|i| self.part(digits, i)).sum(),
            }
        })
    }

    /// The sum of a part of the buckets.
    fn part(&self, digits: &[Digits], part: usize) -> Projective<C> {
        let those: Vec<&[(i32, u32)]> = digits.iter().map(|digits| &digits.0[part][..]).collect();
        let c = self.recoding.c;
        self.kept.parts.lend(|part| {
            sort(part, &those, c);
            match &self.table {
                Table::Vector(t) => finish(&mut part.vector, &part.lists, t, c),
                Table::Middle(t) => finish(&mut part.middle, &part.lists, t, c),
                Table::Single(t) => finish(&mut part.single, &part.lists, t, c),
            }
        })
    }

    /// The part of each bucket, such that all parts take about as many additions: one for each digit, and one for the bucket. Digits are
    /// anywhere but for the highest, which is short.
    pub(super) fn owners(&self, terms: usize, parts: usize) -> Vec<u16> {
        let Recoding { c, windows, top, .. } = self.recoding;
        let (buckets, numbers) = (1 << (c - 1), terms * (self.row / windows));
        // Numbers are below two thirds, or a little more, of what so many bits hold.
        let high = ((2 << top) / 3).max(1);
        let short = |b: usize| if b <= high { buckets / high } else { 0 };
        // In parts of an addition, of which there are as many as buckets.
        let cost = |b: usize| numbers * (windows - 1 + short(b)) + buckets;
        let total: usize = (1..=buckets).map(cost).sum();
        let (mut sum, mut part) = (0, 0);
        let mut owners = vec![0; buckets + 1];
        for (b, owner) in owners.iter_mut().enumerate().skip(1) {
            *owner = part;
            sum += cost(b);
            while sum * parts >= (usize::from(part) + 1) * total {
                part += 1;
            }
        }
        owners
    }

    /// The digits of some terms, in as many lists as there are parts of the buckets: the one that owns the digit's.
    fn cut<'a>(
        &self,
        Digits(lists): &mut Digits,
        (parts, owners): (usize, &[u16]),
        terms: impl ExactSizeIterator<Item = (usize, &'a C::ScalarField)>,
    ) {
        lists.resize_with(parts.max(lists.len()), Vec::new);
        // Parts are not quite equal.
        let expected = terms.len() * self.row / parts;
        lists.iter_mut().for_each(|list| {
            list.clear();
            reserve(list, expected + expected / 8 + 16, (0, 0));
        });
        for (i, k) in terms {
            self.each_digit(i, k, |digit, at| {
                if digit != 0 {
                    let list = &mut lists[usize::from(owners[digit.unsigned_abs() as usize])];
                    if list.len() == list.capacity() {
                        let count = 2 * list.len();
                        reserve(list, count, (0, 0));
                    }
                    list.push((digit, at as u32));
                }
            });
        }
    }

    /// The digits of a scalar of point `i`, each with the place of its multiple in the table. None of the identity.
    #[inline(always)]
    pub(super) fn each_digit(&self, i: usize, k: &C::ScalarField, mut push: impl FnMut(i32, usize)) {
        let (r, windows, first) = (&self.recoding, self.recoding.windows, i * self.row);
        if !self.live[i] {
            return;
        }
        if let Some([low, high]) = C::halves(k) {
            let [low, high] = [low, high].map(|half| r.lift(&[half as u64, (half >> 64) as u64]));
            (0..windows).for_each(|j| push(r.digit(&low, j), first + j));
            // The table has (beta x, y) where psi has (beta x, -y).
            (0..windows).for_each(|j| push(-r.digit(&high, j), first + windows + j));
        } else {
            let lifted = r.lift(k.into_bigint().as_ref());
            (0..windows).for_each(|j| push(r.digit(&lifted, j), first + j));
        }
    }
}

/// The rows of a table.
fn rows<A: Adder<Curve: Curve>>(points: &[Affine<A::Curve>], r: &Recoding, row: usize) -> Vec<A::Point> {
    let mut all = vec![A::import(&[Affine::zero()])[0]; points.len() * row];
    let parts = points.par_chunks(64).zip(all.par_chunks_mut(64 * row));
    parts.for_each(|(points, rows)| A::multiples(points, r.c, r.windows, rows));
    all
}

/// Lists of the table's points, one for each bucket: a counting sort.
fn sort<C: Curve>(part: &mut Part<C>, digits: &[&[(i32, u32)]], c: usize) {
    let Lists { ends, refs } = &mut part.lists;
    let buckets = (1 << (c - 1)) + 1;
    ends.clear();
    resize(ends, buckets + 1, 0);
    for (digit, _) in digits.iter().copied().flatten() {
        ends[digit.unsigned_abs() as usize + 1] += 1;
    }
    place_all(buckets, digits, ends, refs);
}

/// Puts references into the lists of their digits, none of which is 0; `ends[b + 1]` comes with the length of list `b`.
pub(super) fn place(buckets: usize, digits: &[(i32, u32)], ends: &mut Vec<u32>, refs: &mut Vec<Ref>) {
    place_all(buckets, &[digits], ends, refs);
}

fn place_all(buckets: usize, digits: &[&[(i32, u32)]], ends: &mut Vec<u32>, refs: &mut Vec<Ref>) {
    // `ends[b]` becomes where list `b` starts, and grows to where it ends.
    (1..=buckets).for_each(|b| ends[b] += ends[b - 1]);
    refs.clear();
    resize(refs, ends[buckets] as usize, Ref::default());
    for &(digit, at) in digits.iter().copied().flatten() {
        let end = &mut ends[digit.unsigned_abs() as usize];
        refs[*end as usize] = Ref::base(at as usize, digit < 0);
        *end += 1;
    }
    ends.truncate(buckets);
}

fn finish<A: Adder>(work: &mut Work<A>, lists: &Lists, bases: &[A::Point], c: usize) -> Projective<A::Curve> {
    work.clear();
    let mut buckets = work.sum_in_groups(bases, lists);
    let sum = work.weigh(bases, &buckets, c);
    wipe(&mut buckets, None);
    sum
}

/// How scalars are cut into digits of `c` bits, and the digits of a scalar: those of both its halves, if it has any.
pub(super) fn recoding<C: Curve>(c: usize) -> (Recoding, usize) {
    if C::halves(&C::ScalarField::ZERO).is_some() {
        let recoding = Recoding::new(c, 128);
        (recoding, 2 * recoding.windows)
    } else {
        let recoding = Recoding::new(c, bits::<C>());
        (recoding, recoding.windows)
    }
}

/// Bits of a scalar.
pub(super) fn bits<C: CurveConfig<ScalarField: PrimeField>>() -> usize {
    C::ScalarField::MODULUS_BIT_SIZE as usize
}
