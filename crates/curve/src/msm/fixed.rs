//! Sums over points that are known before, with tables.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::PrimeField;
use zeroize::Zeroize;

use super::digits::Recoding;
use super::lists::{Lists, Work};
use super::{Adder, Curve, Ref, Single};

/// Tables for sums over fixed points: `2^(cj) P_i`.
///
/// ```text
///   let bases = FixedBase::new(srs.powers(1537)?);
///   let commitment = bases.sum(&coefficients);       // any number of scalars up to 1537
/// ```
pub struct FixedBase<C: Curve> {
    recoding: Recoding,
    /// Whether a point is not the identity. (Multiples of the identity are left out of the sums.)
    live: Vec<bool>,
    table: Table<C>,
}

enum Table<C: Curve> {
    Vector(Vec<<C::Vector as Adder>::Point>),
    Single(Vec<Affine<C>>),
}

/// Memory of a computation, to be used again by the next. Dropped, it is overwritten: it holds partial sums.
pub struct Scratch<C: Curve> {
    lists: Lists,
    digits: Vec<(i32, u32)>,
    vector: Work<C::Vector>,
    single: Work<Single<C>>,
}

impl<C: Curve> Default for Scratch<C> {
    fn default() -> Self {
        Self { lists: Lists::default(), digits: Vec::new(), vector: Work::default(), single: Work::default() }
    }
}

impl<C: Curve> Scratch<C> {
    /// The bytes that are held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.vector.bytes()
            + self.single.bytes()
            + 4 * (self.lists.refs.capacity() + self.lists.ends.capacity())
            + 8 * self.digits.capacity()
    }
}

impl<C: Curve> Drop for Scratch<C> {
    fn drop(&mut self) {
        self.digits.zeroize();
        self.lists.wipe();
        self.vector.wipe(C::Vector::import(&[Affine::zero()])[0]);
        self.single.wipe(Affine::zero());
    }
}

impl<C: Curve> FixedBase<C> {
    /// Tables for these points, with digits of the length that takes the fewest additions.
    #[must_use]
    pub fn new(points: &[Affine<C>]) -> Self {
        Self::with_window(points, best_window(points.len(), bits::<C>()))
    }

    /// Tables for these points, with digits of `c` bits. Longer digits take less memory.
    ///
    /// # Panics
    /// If `c` is not in 4..=16, or there are 2^30 multiples or more.
    #[must_use]
    pub fn with_window(points: &[Affine<C>], c: usize) -> Self {
        Self::with(points, c, <C::Vector as Adder>::available())
    }

    pub(super) fn with(points: &[Affine<C>], c: usize, vector: bool) -> Self {
        let recoding = Recoding::new(c, bits::<C>());
        assert!(points.len() < (1 << 30) / recoding.windows, "too many points for a table");
        let live: Vec<bool> = points.iter().map(|p| !p.is_zero()).collect();
        // What stands in the place of the identity is never used.
        let points: Vec<_> =
            points.iter().map(|p| if p.is_zero() { Affine::generator() } else { *p }).collect();
        let table = if vector {
            Table::Vector(C::Vector::multiples(&points, c, recoding.windows))
        } else {
            Table::Single(Single::multiples(&points, c, recoding.windows))
        };
        Self { recoding, live, table }
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

    /// The memory of the tables, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.table {
            Table::Vector(t) => size_of_val(t.as_slice()),
            Table::Single(t) => size_of_val(t.as_slice()),
        }
    }

    /// `sum k_i P_i`, over as many points as there are scalars. Not constant time.
    ///
    /// Cost: an addition for each digit that is not zero, and `2^c`.
    ///
    /// # Panics
    /// If there are more scalars than points.
    #[must_use]
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        self.sum_in(&mut Scratch::default(), scalars)
    }

    /// [`Self::sum`] with memory of the caller's, which spares its allocation.
    ///
    /// # Panics
    /// If there are more scalars than points.
    pub fn sum_in(&self, scratch: &mut Scratch<C>, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(scalars.len() <= self.len(), "{} scalars for {} points", scalars.len(), self.len());
        self.sort(scratch, scalars.iter().enumerate());
        self.finish(scratch)
    }

    /// `sum k P_i` over terms `(i, k)`: a sum of few terms. Not constant time.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn sum_of(&self, terms: &[(usize, C::ScalarField)]) -> Projective<C> {
        let scratch = &mut Scratch::default();
        assert!(terms.iter().all(|(i, _)| *i < self.len()), "a term beyond {} points", self.len());
        self.sort(scratch, terms.iter().map(|(i, k)| (*i, k)));
        self.finish(scratch)
    }

    fn finish(&self, scratch: &mut Scratch<C>) -> Projective<C> {
        let c = self.recoding.c;
        match &self.table {
            Table::Vector(t) => finish(&mut scratch.vector, &mut scratch.lists, t, c),
            Table::Single(t) => finish(&mut scratch.single, &mut scratch.lists, t, c),
        }
    }

    /// Lists of the table's points, one for each bucket: a counting sort.
    fn sort<'a>(&self, scratch: &mut Scratch<C>, terms: impl Iterator<Item = (usize, &'a C::ScalarField)>) {
        let (r, windows) = (&self.recoding, self.recoding.windows);
        let Scratch { lists: Lists { ends, refs }, digits, .. } = scratch;
        let buckets = (1 << (r.c - 1)) + 1;
        ends.clear();
        ends.resize(buckets + 1, 0);
        digits.clear();
        for (i, k) in terms.filter(|(i, _)| self.live[*i]) {
            let lifted = r.lift(k.into_bigint().as_ref());
            for j in 0..windows {
                let digit = r.digit(&lifted, j);
                ends[digit.unsigned_abs() as usize + 1] += 1;
                digits.push((digit, (i * windows + j) as u32));
            }
        }
        place(buckets, digits, ends, refs);
    }
}

/// Puts references into the lists of their digits; `ends[b + 1]` comes with the length of list `b`. Digit 0 is left out.
pub(super) fn place(buckets: usize, digits: &[(i32, u32)], ends: &mut Vec<u32>, refs: &mut Vec<Ref>) {
    // `ends[b]` becomes where list `b` starts, and grows to where it ends.
    (ends[0], ends[1]) = (0, 0);
    (1..=buckets).for_each(|b| ends[b] += ends[b - 1]);
    refs.clear();
    refs.resize(ends[buckets] as usize, Ref::default());
    for &(digit, at) in digits.iter().filter(|(digit, _)| *digit != 0) {
        let end = &mut ends[digit.unsigned_abs() as usize];
        refs[*end as usize] = Ref::base(at as usize, digit < 0);
        *end += 1;
    }
    ends.truncate(buckets);
}

fn finish<A: Adder>(
    work: &mut Work<A>,
    lists: &mut Lists,
    bases: &[A::Point],
    c: usize,
) -> Projective<A::Curve> {
    work.clear();
    let buckets = work.sum(bases, lists);
    work.weigh(bases, &buckets, c)
}

/// Bits of a scalar.
pub(super) fn bits<C: CurveConfig<ScalarField: PrimeField>>() -> usize {
    C::ScalarField::MODULUS_BIT_SIZE as usize
}

/// The length of digits that takes the fewest additions, and of two that are as good the longer one.
fn best_window(points: usize, bits: usize) -> usize {
    let cost = |c: usize| points * (bits / c + 1) + (1 << c);
    (4..=15).rev().min_by_key(|&c| cost(c)).expect("some")
}
