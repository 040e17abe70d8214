//! Sums over points that are known before, with tables.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{AdditiveGroup, PrimeField};
use field::parallel;

use super::digits::Recoding;
use super::scratch::Kept;
use super::{Adder, Curve, Single, Tier};

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
        Self::on(points, c, Tier::Portable)
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
            Tier::Avx512Ifma => Table::Vector(rows::<C::Vector>(&points, &recoding, row)),
            Tier::Avx2 => Table::Middle(rows::<C::Middle>(&points, &recoding, row)),
            Tier::Portable => Table::Single(rows::<Single<C>>(&points, &recoding, row)),
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
        self.kept.shares.bytes() + self.kept.digits.bytes()
    }

    /// `sum k_i P_i`, over as many points as there are scalars. Not constant time.
    ///
    /// Cost: an addition for each digit that is not zero, and `2^c`. Large sums are on all threads of the current pool.
    ///
    /// # Panics
    /// If there are more scalars than points.
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(scalars.len() <= self.len(), "{} scalars for {} points", scalars.len(), self.len());
        self.run(scalars.len(), parallel::threads(), |i| (i, &scalars[i]))
    }

    /// `sum k_i P_(first + i)`: [`Self::sum`] over a part of the points.
    ///
    /// # Panics
    /// If there are not so many points from `first` on.
    pub fn sum_from(&self, first: usize, scalars: &[C::ScalarField]) -> Projective<C> {
        assert!(first + scalars.len() <= self.len(), "scalars beyond {} points", self.len());
        self.run(scalars.len(), parallel::threads(), |i| (first + i, &scalars[i]))
    }

    /// `sum k P_i` over terms `(i, k)`: a sum of few terms. Not constant time.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn sum_of(&self, terms: &[(usize, C::ScalarField)]) -> Projective<C> {
        assert!(terms.iter().all(|(i, _)| *i < self.len()), "a term beyond {} points", self.len());
        self.run(terms.len(), 1, |i| (terms[i].0, &terms[i].1))
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
    let parts = points.chunks(64).zip(all.chunks_mut(64 * row));
    parallel::for_each(parts, |(points, rows)| A::multiples(points, r.c, r.windows, rows));
    all
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
