//! Transforms of long vectors over the scalar fields of the pairing curves, on all threads: what a proof over a domain of 2^14 points and more computes.
//!
//! ```text
//!   index  i = i1 n2 + i2,  k = k1 + n1 k2,  n = n1 n2
//!   sum_i c_i w^(ik) = sum_i2 w^(n1 i2 k2) w^(i2 k1) (sum_i1 c_(i1 n2 + i2) w^(n2 i1 k1))
//!     columns, a lane for each of eight   ->   a product   ->   rows, a lane for each of eight   ->   natural order
//! ```
//! Lengths are `2^k`, `3 2^k` and `9 2^k`. Each of the two passes works in a core's cache. Elements are converted on their way in and on their way out. Where the machine has AVX-512 IFMA
//! a lane is one of eight; elsewhere there is one.
//!
//! Not constant time where it is not in vectors.
//!
//! (notes: curve-fft)

mod passes;
#[cfg(test)]
mod tests;

pub(crate) use passes::{columns, rows};

use core::ops::{Add, Mul, Sub};

use ark_ff::{Field, Fp, MontBackend, MontConfig, PrimeField};
use field::parallel;

/// The shortest transform in vectors.
const VECTORS: usize = 256;

/// The smallest power of two that comes with a factor 3 or 9.
const SMALLEST_PART: usize = 64;

/// The odd part of a number, and the power of two.
fn parts(size: usize) -> [usize; 2] {
    let even = 1 << size.trailing_zeros();
    [size / even, even]
}

/// A scalar field with transforms: one of four words.
pub trait Scalar: PrimeField {
    /// Elements in vectors, or one where there are none.
    type Vector: Pack<Self>;
}

impl<P: MontConfig<4>> Scalar for Fp<MontBackend<P, 4>, 4> {
    #[cfg(target_arch = "x86_64")]
    type Vector = crate::ifma::Eight<P>;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = One<Self>;
}

/// One element.
#[derive(Clone, Copy)]
pub struct One<F>(F);

/// Some elements, and the passes over them with the instructions that they need.
pub trait Pack<F>: Copy + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// How many.
    const WIDTH: usize;

    /// Returns true if the machine has the instructions.
    fn available() -> bool;

    /// As many elements. Only where [`Self::available`].
    fn pack(values: &[F]) -> Self;

    /// The first pass, over eight or one columns, with the instructions of the pack.
    fn columns(plan: &Plan<F, Self>, values: &[F], block: usize, out: &mut [Self]);

    /// The second pass, over as many rows.
    fn rows(plan: &Plan<F, Self>, columns: &[Self], block: usize, out: &mut [Self]);

    /// Writes elements, reduced.
    fn unpack(packs: &[Self], stride: usize, values: &mut [F]);

    /// The products of two pairs.
    fn products(a: [&Self; 2], b: [&Self; 2]) -> [Self; 2];

    /// Rows and columns of `WIDTH` packs exchanged.
    fn transpose(packs: &mut [Self]);
}

/// Constants of a transform.
pub struct Plan<F, V> {
    /// The lengths of columns and of rows.
    sizes: [usize; 2],
    /// Powers of the roots of unity of these orders, as many as are factors.
    roots: [Vec<V>; 2],
    /// The positions of elements before the layers.
    positions: [Vec<u32>; 2],
    /// `w`, and its powers up to the width of a pack.
    root: F,
    lanes: Vec<F>,
    /// The factor of element `k` of the result: `first[k / n1] second[k % n1]`.
    after: Option<[Vec<V>; 2]>,
}

/// Transforms over the domain of `n` points, `1, w, w^2, ...` with the `w` of arkworks, and over its coset by a primitive `2n`-th root `g`, with `g^2 = w`.
///
/// ```
/// use curve::bn254::Fr;
/// use curve::fft::Domain;
/// let domain = Domain::<Fr>::new(4).unwrap();
/// let mut values = [1u64, 2, 3, 4].map(Fr::from);
/// domain.to_coset(&mut values);
/// domain.back_from_coset(&mut values);
/// assert_eq!(values, [1u64, 2, 3, 4].map(Fr::from));
/// ```
pub struct Domain<F: Scalar> {
    size: usize,
    root: F,
    plans: Plans<F>,
}

enum Plans<F: Scalar> {
    Vector([Plan<F, F::Vector>; 2]),
    Single([Plan<F, One<F>>; 2]),
}

impl<F: Scalar> Domain<F> {
    /// The domain of so many points, in vectors where the machine has them.
    ///
    /// `None` if `size` is not [such a length](Self::is_size) or the field has no root of unity of order `2 size`.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        Self::with(size, <F::Vector as Pack<F>>::available())
    }

    fn with(size: usize, vectors: bool) -> Option<Self> {
        let double = size.checked_mul(2).filter(|_| Self::is_size(size))?;
        let shift = F::get_root_of_unity(double as u64)?;
        let plans = if vectors && size >= VECTORS {
            Plans::Vector([Plan::inverse(size, shift), Plan::forward(size, shift)])
        } else {
            Plans::Single([Plan::inverse(size, shift), Plan::forward(size, shift)])
        };
        Some(Self { size, root: shift.square(), plans })
    }

    /// Returns true for lengths of transforms: `2^k`, and `3 2^k` and `9 2^k` of 192 points and more.
    #[must_use]
    pub fn is_size(size: usize) -> bool {
        let [odd, even] = parts(size.max(1));
        size > 0 && (odd == 1 || matches!(odd, 3 | 9) && even >= SMALLEST_PART)
    }

    /// The smallest size of a domain with so many points; `None` if the field has none.
    #[must_use]
    pub fn smallest(points: usize) -> Option<usize> {
        let sizes = [1, 3, 9].into_iter().filter_map(|odd| {
            let least = if odd == 1 { 1 } else { SMALLEST_PART };
            points.div_ceil(odd).max(least).checked_next_power_of_two()?.checked_mul(odd)
        });
        sizes
            .filter(|size| size.checked_mul(2).is_some_and(|n| F::get_root_of_unity(n as u64).is_some()))
            .min()
    }

    /// The number of points.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// `w`.
    #[must_use]
    pub fn root(&self) -> F {
        self.root
    }

    /// `g`: points of the coset are `g w^k`, and `X^n - 1` is -2 on it.
    #[must_use]
    pub fn shift(&self) -> F {
        F::get_root_of_unity(2 * self.size as u64).expect("the root of the constructor")
    }

    /// From values on the domain to values on the coset, of the polynomial of degree below `n`.
    ///
    /// # Panics
    /// If there are not `n` values.
    pub fn to_coset(&self, values: &mut [F]) {
        self.run(0, values);
        self.run(1, values);
    }

    /// From values on the coset to values on the domain.
    ///
    /// # Panics
    /// If there are not `n` values.
    pub fn back_from_coset(&self, values: &mut [F]) {
        // The coset of the coset is the domain, turned by one: g (g w^k) = w^(k + 1).
        self.to_coset(values);
        values.rotate_right(1);
    }

    fn run(&self, which: usize, values: &mut [F]) {
        assert_eq!(values.len(), self.size, "as many values as points");
        match &self.plans {
            Plans::Vector(plans) => plans[which].run(values),
            Plans::Single(plans) => plans[which].run(values),
        }
    }
}

impl<F: PrimeField, V: Pack<F>> Plan<F, V> {
    /// From values to coefficients, coefficient `i` multiplied by `shift^i`.
    fn inverse(size: usize, shift: F) -> Self {
        let mut plan = Self::new(size, shift.square().inverse().expect("not zero"));
        let scale = F::from(size as u64).inverse().expect("not the characteristic");
        let [n1, n2] = plan.sizes;
        let slow: Vec<V> = splats(F::ONE, shift.pow([n1 as u64]), n2).collect();
        plan.after = Some([slow, packs(scale, shift, n1)]);
        plan
    }

    /// From coefficients to values.
    fn forward(size: usize, shift: F) -> Self {
        Self::new(size, shift.square())
    }

    fn new(size: usize, root: F) -> Self {
        let sizes = passes::sizes(size);
        let count = |n: usize| if n.is_power_of_two() { n / 2 } else { n };
        let roots = sizes.map(|n| splats(F::ONE, root.pow([(size / n) as u64]), count(n)).collect());
        let positions = sizes.map(passes::positions);
        let lanes = powers(F::ONE, root).take(V::WIDTH).collect();
        Self { sizes, roots, positions, root, lanes, after: None }
    }

    fn run(&self, values: &mut [F]) {
        let [n1, n2] = self.sizes;
        let zero = V::pack(&vec![F::ZERO; V::WIDTH]);
        let mut middle = vec![zero; n1 * n2 / V::WIDTH];
        let shared: &[F] = values;
        parallel::for_each(middle.chunks_mut(n1).enumerate(), |(block, out)| {
            V::columns(self, shared, block, out)
        });
        let mut last = vec![zero; n1 * n2 / V::WIDTH];
        parallel::for_each(last.chunks_mut(n2).enumerate(), |(block, out)| {
            V::rows(self, &middle, block, out)
        });
        parallel::for_each(values.chunks_mut(n1).enumerate(), |(k2, values)| {
            V::unpack(&last[k2..], n2, values)
        });
        middle.fill(zero);
        last.fill(zero);
        core::hint::black_box((&mut middle, &mut last));
    }
}

/// `first, first x, first x^2, ...`
fn powers<F: Field>(first: F, x: F) -> impl Iterator<Item = F> {
    core::iter::successors(Some(first), move |power| Some(*power * x))
}

/// The same, each in all lanes.
fn splats<F: Field, V: Pack<F>>(first: F, x: F, count: usize) -> impl Iterator<Item = V> {
    powers(first, x).take(count).map(|power| V::pack(&vec![power; V::WIDTH]))
}

/// The same, some in each pack.
fn packs<F: Field, V: Pack<F>>(first: F, x: F, count: usize) -> Vec<V> {
    let all: Vec<F> = powers(first, x).take(count).collect();
    all.chunks(V::WIDTH).map(V::pack).collect()
}

impl<F: Field> Add for One<F> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<F: Field> Sub for One<F> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<F: Field> Mul for One<F> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl<F: PrimeField> Pack<F> for One<F> {
    const WIDTH: usize = 1;

    fn available() -> bool {
        true
    }

    fn pack(values: &[F]) -> Self {
        Self(values[0])
    }

    fn columns(plan: &Plan<F, Self>, values: &[F], block: usize, out: &mut [Self]) {
        columns(plan, values, block, out);
    }

    fn rows(plan: &Plan<F, Self>, middle: &[Self], block: usize, out: &mut [Self]) {
        rows(plan, middle, block, out);
    }

    fn unpack(packs: &[Self], stride: usize, values: &mut [F]) {
        for (value, pack) in values.iter_mut().zip(packs.iter().step_by(stride)) {
            *value = pack.0;
        }
    }

    fn products(a: [&Self; 2], b: [&Self; 2]) -> [Self; 2] {
        [*a[0] * *b[0], *a[1] * *b[1]]
    }

    fn transpose(_: &mut [Self]) {}
}
