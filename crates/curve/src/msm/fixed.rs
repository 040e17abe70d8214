//! Sums over points that are known before, with tables.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{AdditiveGroup, PrimeField};
use rayon::prelude::*;

use super::digits::Recoding;
use super::lists::{Lists, Work, reserve, resize, wipe};
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
}

pub(super) enum Table<C: Curve> {
    Vector(Vec<<C::Vector as Adder>::Point>),
    Middle(Vec<<C::Middle as Adder>::Point>),
    Single(Vec<Affine<C>>),
}

/// Memory of a computation, to be used again by the next. Dropped, it is overwritten: it holds partial sums.
pub struct Scratch<C: Curve> {
    parts: Vec<Part<C>>,
    digits: Vec<Digits>,
}

/// Digits of some of the terms, those of each part of the buckets together.
#[derive(Default)]
struct Digits(Vec<Vec<(i32, u32)>>);

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|digits| wipe(digits, (0, 0)));
    }
}

/// What a part of the buckets takes.
struct Part<C: Curve> {
    lists: Lists,
    vector: Work<C::Vector>,
    middle: Work<C::Middle>,
    single: Work<Single<C>>,
}

impl<C: Curve> Default for Scratch<C> {
    fn default() -> Self {
        Self { parts: Vec::new(), digits: Vec::new() }
    }
}

impl<C: Curve> Default for Part<C> {
    fn default() -> Self {
        Self {
            lists: Lists::default(),
            vector: Work::default(),
            middle: Work::default(),
            single: Work::default(),
        }
    }
}

impl<C: Curve> Scratch<C> {
    /// The bytes that are held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of = |p: &Part<C>| {
            let lists = 4 * (p.lists.refs.capacity() + p.lists.ends.capacity());
            p.vector.bytes() + p.middle.bytes() + p.single.bytes() + lists
        };
        let digits = self.digits.iter().flat_map(|d| &d.0).map(|d| 8 * d.capacity());
        self.parts.iter().map(of).chain(digits).sum()
    }
}

impl<C: Curve> Drop for Part<C> {
    fn drop(&mut self) {
        self.lists.wipe();
        self.vector.wipe(C::Vector::import(&[Affine::zero()])[0]);
        self.middle.wipe(C::Middle::import(&[Affine::zero()])[0]);
        self.single.wipe(Affine::zero());
    }
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
        Self { recoding, row, live, table }
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

    /// `sum k_i P_i`, over as many points as there are scalars. Not constant time.
    ///
    /// Cost: an addition for each digit that is not zero, and `2^c`. Large sums are on all threads of the current pool.
    ///
    /// # Panics
    /// If there are more scalars than points.
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        self.sum_in(&mut Scratch::default(), scalars)
    }

    /// [`Self::sum`] with memory of the caller's, which spares its allocation.
    ///
    /// # Panics
    /// If there are more scalars than points.
    pub fn sum_in(&self, scratch: &mut Scratch<C>, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(scalars.len() <= self.len(), "{} scalars for {} points", scalars.len(), self.len());
        self.run(scratch, scalars.len(), self.parts(scalars.len()), |i| (i, &scalars[i]))
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
        let scratch = &mut Scratch::default();
        self.run(scratch, scalars.len(), self.parts(scalars.len()), |i| (first + i, &scalars[i]))
    }

    /// `sum k P_i` over terms `(i, k)`: a sum of few terms. Not constant time.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn sum_of(&self, terms: &[(usize, C::ScalarField)]) -> Projective<C> {
        let scratch = &mut Scratch::default();
        assert!(terms.iter().all(|(i, _)| *i < self.len()), "a term beyond {} points", self.len());
        self.run(scratch, terms.len(), 1, |i| (terms[i].0, &terms[i].1))
    }

    /// The sum of so many terms, in so many parts: first each takes digits of some of the terms, then the sum of some of the buckets.
    fn run<'a>(
        &self,
        scratch: &mut Scratch<C>,
        count: usize,
        parts: usize,
        term: impl Fn(usize) -> (usize, &'a C::ScalarField) + Sync,
    ) -> Projective<C> {
        let Scratch { parts: room, digits } = scratch;
        room.resize_with(parts.max(room.len()), Part::default);
        digits.resize_with(parts.max(digits.len()), Digits::default);
        let digits = &mut digits[..parts];
        let cut = |(i, digits): (usize, &mut Digits)| {
            self.cut(digits, parts, (count * i / parts..count * (i + 1) / parts).map(&term));
        };
        if let [digits] = digits {
            cut((0, digits));
        } else {
            digits.par_iter_mut().enumerate().for_each(cut);
        }
        let one = |(i, part): (usize, &mut Part<C>)| {
            let those: Vec<&[(i32, u32)]> = digits.iter().map(|digits| &digits.0[i][..]).collect();
            sort(part, &those, self.recoding.c);
            let c = self.recoding.c;
            match &self.table {
                Table::Vector(t) => finish(&mut part.vector, &part.lists, t, c),
                Table::Middle(t) => finish(&mut part.middle, &part.lists, t, c),
                Table::Single(t) => finish(&mut part.single, &part.lists, t, c),
            }
        };
        match &mut room[..parts] {
            [part] => one((0, part)),
            parts => parts.par_iter_mut().enumerate().map(one).sum(),
        }
    }

    /// The digits of some terms, in as many lists as there are parts of the buckets.
    fn cut<'a>(
        &self,
        Digits(lists): &mut Digits,
        parts: usize,
        terms: impl ExactSizeIterator<Item = (usize, &'a C::ScalarField)>,
    ) {
        lists.resize_with(parts.max(lists.len()), Vec::new);
        // Parts are not quite equal.
        let expected = terms.len() * self.row / parts;
        lists.iter_mut().for_each(|list| {
            list.clear();
            reserve(list, expected + expected / 8 + 16, (0, 0));
        });
        let shift = self.recoding.c - 1;
        for (i, k) in terms {
            self.each_digit(i, k, |digit, at| {
                if digit != 0 {
                    let list = &mut lists[((digit.unsigned_abs() as usize - 1) * parts) >> shift];
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
