//! Sums of multiples of points, `sum k_i P_i`.
//!
//! ```text
//!   scalars -> signed digits -> one list of points for each bucket -> every list becomes its sum
//!           -> lists of rows, columns and bits of the buckets' numbers -> doublings and additions
//! ```
//! All additions but the last few are affine, in batches that share an inversion: 5 products and a square each. [`FixedBase`] holds
//! `2^(cj) P_i` for every window `j`, so that all digits go to one set of buckets; [`sum`] has a set for each window, as has [`Bases`], which holds
//! many points without tables. The
//! additions of a batch are done by a vector of lanes where the machine has AVX-512 IFMA, or for BLS12-381 AVX2; one by one elsewhere.
//!
//! Any scalars and any points of the subgroup are summed rightly (where scalars are halved, the endomorphism is a multiple there alone): equal points, opposite points and the identity too. Time and memory
//! accesses depend on the scalars. Sources: Brickell, Gordon, McCurley and Wilson (1992) for the tables; the rest is folklore.
//!
//! (notes: curve-msm)

#[cfg(target_arch = "x86_64")]
mod apart;
mod bases;
#[cfg(test)]
mod bases_tests;
mod cache;
mod check;
mod chord;
#[cfg(test)]
mod chord_tests;
mod curves;
pub(crate) mod digits;
mod direct;
mod few;
mod fixed;
mod groups;
mod lists;
mod multiples;
mod portable;
mod scratch;
mod second;
#[cfg(test)]
pub(crate) mod tests;
mod tier;
mod variable;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::PrimeField;

#[cfg(target_arch = "x86_64")]
pub(crate) use apart::add_apart;
pub use bases::Bases;
pub use direct::DirectTable;
pub use fixed::FixedBase;
pub use multiples::{multiples, scale};
pub(crate) use portable::Single;
pub use tier::Tier;
pub use variable::{Terms, sum, sums};

/// A curve `y^2 = x^3 + a x + b` whose points of the subgroup have an odd order: both groups of BLS12-381 and of BN254, where `a = 0`, and Bandersnatch.
pub trait Curve: SWCurveConfig<ScalarField: PrimeField> + Lanes {}

/// How a curve's points are added, by a single lane and by many.
pub trait Lanes: SWCurveConfig {
    /// The additions of vectors, or of a single lane where there are none.
    type Vector: Adder<Curve = Self>;

    /// The additions of shorter vectors, that more machines have; or of a single lane.
    type Middle: Adder<Curve = Self>;

    /// The curve's name in files.
    const NAME: [u8; 8];

    /// `1/x`. `x` is not 0.
    fn invert(x: &Self::BaseField) -> Self::BaseField;

    /// Writes `a b` where it stays: a copy in vectors of what was just written in words waits for the last of them.
    fn product(out: &mut Self::BaseField, a: &Self::BaseField, b: &Self::BaseField);

    /// Writes the square of `a` where it stays.
    fn square(out: &mut Self::BaseField, a: &Self::BaseField);

    /// `x2 - x1` as a factor of [`Self::product`], whose other one is reduced: perhaps not reduced.
    #[inline(always)]
    fn run(x1: &Self::BaseField, x2: &Self::BaseField) -> Self::BaseField {
        *x2 - x1
    }

    /// `y2 - y1`, or `-y2 - y1` of `opposite` signs, as a factor like [`Self::run`].
    #[inline(always)]
    fn rise(y1: &Self::BaseField, y2: &Self::BaseField, opposite: bool) -> Self::BaseField {
        if opposite { -*y2 - y1 } else { *y2 - y1 }
    }

    /// The square of a slope becomes `square - x1 - x2`.
    #[inline(always)]
    fn third_x(square: &mut Self::BaseField, x1: &Self::BaseField, x2: &Self::BaseField) {
        *square = *square - x1 - x2;
    }

    /// The product of a slope and a run becomes `product - y1`, or its negative.
    #[inline(always)]
    fn third_y(product: &mut Self::BaseField, y1: &Self::BaseField, negative: bool) {
        *product = if negative { *y1 - *product } else { *product - y1 };
    }

    /// A word that equal numbers have in common, 0 of 0.
    fn word(x: &Self::BaseField) -> u64;

    /// `p` becomes `2^times p`.
    fn double(p: &mut Projective<Self>, times: usize);

    /// `k p`, for `p` in the subgroup. Not constant time.
    fn times(p: &Affine<Self>, k: &Self::ScalarField) -> Projective<Self>;

    /// Two numbers of at most 128 bits, the high one below `15/16 2^128`, such that `k P = a P + b psi(P)`, if the curve has such a [`Self::psi`].
    fn halves(k: &Self::ScalarField) -> Option<[u128; 2]>;

    /// The factor of `x` in [`Self::psi`].
    const BETA: Self::BaseField;

    /// An endomorphism of the subgroup: `(beta x, -y)`.
    fn psi(p: &Affine<Self>) -> Affine<Self> {
        p.xy().map_or(*p, |(x, y)| Affine::new_unchecked(x * Self::BETA, -y))
    }
}

/// Where a summand is: a base, perhaps with its sign changed, or a sum that was made before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ref(u32);

impl Ref {
    const SUM: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn base(index: usize, negative: bool) -> Self {
        debug_assert!(index < 1 << 30);
        Self((index as u32) << 1 | u32::from(negative))
    }

    /// A sum has no sign: coordinates of sums may be larger than those of bases, and vectors of eight have no room for the difference of two with signs.
    #[inline(always)]
    pub(crate) fn sum(index: usize) -> Self {
        Self(Self::base(index, false).0 | Self::SUM)
    }

    #[inline(always)]
    pub(crate) fn is_sum(self) -> bool {
        self.0 & Self::SUM != 0
    }

    #[inline(always)]
    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 & !Self::SUM) as usize >> 1
    }
}

/// Points in the form in which they are added, and their additions.
pub trait Adder: Send + Sync + 'static {
    /// The curve.
    type Curve: SWCurveConfig;
    /// A point in memory.
    type Point: Copy + Send + Sync;

    /// Whether the machine has the instructions.
    fn available() -> bool;

    /// Points in the form of this adder.
    fn import(points: &[Affine<Self::Curve>]) -> Vec<Self::Point>;

    /// A point in the common form.
    fn export(point: &Self::Point) -> Affine<Self::Curve>;

    /// Writes `2^(cj) P_i`, for points of odd order: a row of `windows` for each point, and behind it, if there is room for twice as many in
    /// all, the same with `beta x` in the place of `x`.
    fn multiples(points: &[Affine<Self::Curve>], c: usize, windows: usize, rows: &mut [Self::Point]);

    /// `k_i P_i`, for points of the subgroup that are not the identity. Not constant time.
    fn scale(
        points: &[Affine<Self::Curve>],
        scalars: &[<Self::Curve as CurveConfig>::ScalarField],
    ) -> Vec<Affine<Self::Curve>>;

    /// Adds `k_i P_i` to the sum that its owner names, for few points of the subgroup that are not the identity. Not constant time. `false` if
    /// nothing was added: [`Self::scale`] does it then.
    fn add_to(
        _sums: &mut [Projective<Self::Curve>],
        _points: &[Affine<Self::Curve>],
        _scalars: &[<Self::Curve as CurveConfig>::ScalarField],
        _owners: &[usize],
    ) -> bool {
        false
    }

    /// Appends points as they are in memory, each in as many bytes as others.
    fn write(points: &[Self::Point], bytes: &mut Vec<u8>);

    /// Rows of `windows` points that were written, if the bytes are `rows` of them; behind each row, if `twice`, the same with `beta x` in
    /// the place of `x`.
    fn read(bytes: &[u8], rows: usize, windows: usize, twice: bool) -> Option<Vec<Self::Point>>;

    /// Writes the sum of each pair. At most 1024 pairs.
    fn add(from: Points<Self::Point>, pairs: &[[Ref; 2]], sums: &mut [Self::Point]);

    /// [`Self::add`] that meanwhile asks for bases of a later call: they come from memory while there is something to compute.
    fn add_and_fetch(
        from: Points<Self::Point>,
        pairs: &[[Ref; 2]],
        sums: &mut [Self::Point],
        _later: &[Ref],
    ) {
        Self::add(from, pairs, sums);
    }
}

/// The two places where summands are.
#[derive(Clone, Copy)]
pub struct Points<'a, P> {
    /// What a [`Ref`] to a base is an index of. None of them is the identity.
    pub bases: &'a [P],
    /// What a [`Ref`] to a sum is an index of.
    pub sums: &'a [P],
}

impl<'a, P> Points<'a, P> {
    #[inline(always)]
    pub(crate) fn at(self, r: Ref) -> &'a P {
        if r.is_sum() { &self.sums[r.index()] } else { &self.bases[r.index()] }
    }
}

/// The most pairs that share an inversion.
pub(crate) const BATCH: usize = 1024;
