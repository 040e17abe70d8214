//! Transforms of long vectors over the scalar fields of the pairing curves, on all threads: what a proof over a domain of 2^14 points and more computes.
//!
//! ```text
//!   index  i = i1 n2 + i2,  k = k1 + n1 k2,  n = n1 n2
//!   sum_i c_i w^(ik) = sum_i2 w^(n1 i2 k2) w^(i2 k1) (sum_i1 c_(i1 n2 + i2) w^(n2 i1 k1))
//!     columns, a lane for each of eight   ->   a product   ->   rows, a lane for each of eight   ->   natural order
//! ```
//! Each of the two passes works in a core's cache. Elements are converted on their way in and on their way out. Where the machine has AVX-512 IFMA
//! a lane is one of eight; elsewhere there is one.
//!
//! Not constant time where it is not in vectors.
//!
//! (notes: curve-fft)

#[cfg(test)]
mod tests;

use core::ops::{Add, Mul, Sub};

use ark_ff::{Field, Fp, MontBackend, MontConfig, PrimeField};
use rayon::prelude::*;

/// The shortest transform in vectors.
const VECTORS: usize = 256;

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
    /// Powers of the roots of unity of these orders, half as many.
    roots: [Vec<V>; 2],
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
    /// `None` if `size` is not a power of two or the field has no root of unity of order `2 size`.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        Self::with(size, <F::Vector as Pack<F>>::available())
    }

    fn with(size: usize, vectors: bool) -> Option<Self> {
        let double = size.checked_mul(2).filter(|double| double.is_power_of_two() && size > 0)?;
        let shift = F::get_root_of_unity(double as u64)?;
        let plans = if vectors && size >= VECTORS {
            Plans::Vector([Plan::inverse(size, shift), Plan::forward(size, shift)])
        } else {
            Plans::Single([Plan::inverse(size, shift), Plan::forward(size, shift)])
        };
        Some(Self { size, root: shift.square(), plans })
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
        let log = size.trailing_zeros();
        let sizes = [1 << (log / 2), 1 << log.div_ceil(2)];
        let roots = sizes.map(|n| splats(F::ONE, root.pow([(size / n) as u64]), n / 2).collect());
        let lanes = powers(F::ONE, root).take(V::WIDTH).collect();
        Self { sizes, roots, root, lanes, after: None }
    }

    fn run(&self, values: &mut [F]) {
        let [n1, n2] = self.sizes;
        let zero = V::pack(&vec![F::ZERO; V::WIDTH]);
        let mut middle = vec![zero; n1 * n2 / V::WIDTH];
        let shared: &[F] = values;
        middle.par_chunks_mut(n1).enumerate().for_each(|(block, out)| V::columns(self, shared, block, out));
        let mut last = vec![zero; n1 * n2 / V::WIDTH];
        last.par_chunks_mut(n2).enumerate().for_each(|(block, out)| V::rows(self, &middle, block, out));
        values.par_chunks_mut(n1).enumerate().for_each(|(k2, values)| V::unpack(&last[k2..], n2, values));
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

/// The first pass over columns `block V::WIDTH ..`: their transforms, times `w^(i2 k1)`.
#[inline(always)]
pub(crate) fn columns<F: PrimeField, V: Pack<F>>(
    plan: &Plan<F, V>,
    values: &[F],
    block: usize,
    out: &mut [V],
) {
    let [n1, n2] = plan.sizes;
    let bits = n1.trailing_zeros();
    for i in 0..n1 {
        let at = i * n2 + block * V::WIDTH;
        out[reversed(i, bits)] = V::pack(&values[at..at + V::WIDTH]);
    }
    layers(out, &plan.roots[0]);
    let first = plan.root.pow([(block * V::WIDTH) as u64]);
    let mut step = [F::ONE; 8];
    for (step, lane) in step.iter_mut().zip(&plan.lanes) {
        *step = first * lane;
    }
    let step = V::pack(&step[..V::WIDTH]);
    let [square, fourth] = {
        let square = step * step;
        [square, square * square]
    };
    // Four chains of products, since one would wait for itself.
    let one = V::pack(&[F::ONE; 8][..V::WIDTH]);
    let mut chains = [one, step, square, square * step];
    for four in out.chunks_mut(4) {
        for i in 0..four.len() {
            four[i] = four[i] * chains[i];
        }
        let [a, b] = V::products([&chains[0], &chains[1]], [&fourth; 2]);
        let [c, d] = V::products([&chains[2], &chains[3]], [&fourth; 2]);
        chains = [a, b, c, d];
    }
}

/// The second pass over rows `block V::WIDTH ..`: their transforms, times the factor of the result.
#[inline(always)]
pub(crate) fn rows<F: PrimeField, V: Pack<F>>(plan: &Plan<F, V>, columns: &[V], block: usize, out: &mut [V]) {
    let [n1, n2] = plan.sizes;
    let bits = n2.trailing_zeros();
    let first = V::WIDTH * block;
    let mut square = [columns[0]; 8];
    for b in 0..n2 / V::WIDTH {
        for i in 0..V::WIDTH {
            square[i] = columns[b * n1 + first + i];
        }
        V::transpose(&mut square[..V::WIDTH]);
        for i in 0..V::WIDTH {
            out[reversed(b * V::WIDTH + i, bits)] = square[i];
        }
    }
    layers(out, &plan.roots[1]);
    if let Some([slow, fast]) = &plan.after {
        for k in 0..n2 {
            out[k] = out[k] * (slow[k] * fast[block]);
        }
    }
}

/// The position of element `i` of `2^bits` before the layers.
#[inline(always)]
fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}

/// The layers of a transform of `2^k` packs in reversed order; `roots` are the powers of the root, half as many.
#[inline(always)]
fn layers<F, V: Pack<F>>(values: &mut [V], roots: &[V]) {
    let n = values.len();
    for pair in values.chunks_exact_mut(2) {
        (pair[0], pair[1]) = (pair[0] + pair[1], pair[0] - pair[1]);
    }
    let mut half = 2;
    while half < n {
        let step = n / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let mut i = 0;
            while i < half {
                let t = V::products([&high[i], &high[i + 1]], [&roots[i * step], &roots[(i + 1) * step]]);
                (low[i], high[i]) = (low[i] + t[0], low[i] - t[0]);
                (low[i + 1], high[i + 1]) = (low[i + 1] + t[1], low[i + 1] - t[1]);
                i += 2;
            }
        }
        half *= 2;
    }
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
