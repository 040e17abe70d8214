//! Eight elements of BLS12-381's scalar field at a time: the vectors behind [`columns`](crate::columns).
//!
//! ```text
//!   transform of 8 m elements, block b = elements 8b .. 8b+7, with w^(8m) = 1:
//!     sum_j c_j w^(jr),  j = a + 8b,  r = lm + k:    sum_a w^(am l) w^(ak) (sum_b c_(a+8b) w^(8bk))
//!     over the blocks, a lane for each a   ->   a product   ->   eight blocks transposed, over a   ->   again in order
//! ```
//!
//! (notes: curve-columns)

use super::INSTRUCTIONS;
use super::eight::Eight;
use super::lanes::{self, Lanes};
use crate::bls12_381::Fr;
use crate::columns::{Blocks, Formula, accumulate, horner, layers, powers, reversed};
use crate::{Field, Zero};
use ark_ff::MontConfig;
use core::ops::{Add, Mul, Sub};
use field::cpu;

/// Blocks of eight elements.
pub(crate) struct Eights;

/// Constants of a transform of `8 m` elements.
pub(crate) struct Tables {
    /// `w^(8i)`, `m/2` of them.
    roots: Vec<Eight>,
    /// `scale w^(ak)` in lane `a` of block `k`.
    twist: Vec<Eight>,
    /// `v, v^2, v^3` with `v = w^m`.
    eighth: [Eight; 3],
}

impl Eights {
    /// The same element in all lanes.
    fn splat(x: Fr) -> Eight {
        Self::import(&[x; 8])[0]
    }
}

impl Blocks for Eights {
    type Block = Eight;
    type Tables = Tables;
    const WIDTH: usize = 8;

    fn available() -> bool {
        cpu::has(INSTRUCTIONS)
    }

    fn import(values: &[Fr]) -> Vec<Eight> {
        assert!(Self::available(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        unsafe { import(values) }
    }

    fn export(blocks: &[Eight], values: &mut [Fr]) {
        if !blocks.is_empty() {
            // SAFETY: where there is an `Eight`, the CPU has the instructions.
            unsafe { export(blocks, values) }
        }
    }

    fn tables(n: usize, root: Fr, scale: Fr) -> Tables {
        let m = n / 8;
        let splat = |powers: Vec<Fr>| powers.into_iter().map(Self::splat).collect::<Vec<_>>();
        let [_, v, v2, v3] = splat(powers(root.pow([m as u64]), 4))[..] else { unreachable!("four powers") };
        let of_lane = powers(root, 8);
        let mut twist = Vec::with_capacity(n);
        let mut row = [scale; 8];
        for _ in 0..m {
            twist.extend(row);
            row.iter_mut().zip(&of_lane).for_each(|(x, w)| *x *= w);
        }
        Tables {
            roots: splat(powers(root.pow([8]), m / 2)),
            twist: Self::import(&twist),
            eighth: [v, v2, v3],
        }
    }

    fn transform(tables: &Tables, blocks: &[Eight]) -> Vec<Eight> {
        assert_eq!(blocks.len(), tables.twist.len(), "as many blocks as the tables are for");
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        unsafe { transform(tables, blocks) }
    }

    fn multiply(a: &[Eight], b: &[Eight]) -> Vec<Eight> {
        if a.is_empty() {
            return Vec::new();
        }
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        unsafe { multiply(a, b) }
    }

    fn sum(terms: &[(Fr, &[Eight])], count: usize) -> Vec<Eight> {
        let mut sum = vec![Self::splat(Fr::zero()); count];
        for (k, column) in terms {
            // SAFETY: where there is an `Eight`, the CPU has the instructions.
            unsafe { add(&mut sum, &Self::splat(*k), column) }
        }
        sum
    }

    fn evaluate(blocks: &[Eight], x: Fr) -> Fr {
        let of_lane = powers(x, 9);
        let (lanes, step) = (Self::import(&of_lane[..8])[0], Self::splat(of_lane[8]));
        let mut values = [Fr::zero(); 8];
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        unsafe { evaluate(blocks, [&step, &lanes], Self::splat(Fr::zero()), &mut values) };
        values.iter().fold(Fr::zero(), |sum, x| crate::ct::sum(&sum, x))
    }

    fn divide(blocks: &[Eight], z: Fr) -> (Vec<Eight>, Fr) {
        let mut powers = powers(z, 9);
        let steps = [1, 2, 4, 8].map(|i: usize| Self::splat(powers[i]));
        powers.truncate(8);
        powers.reverse();
        let down = Self::import(&powers)[0];
        let zero = Self::splat(Fr::zero());
        let mut quotient = vec![zero; blocks.len()];
        let mut rest = [Fr::zero(); 8];
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        let above = unsafe { divide(blocks, &steps, &down, &mut quotient, zero) };
        Self::export(&[above], &mut rest);
        (quotient, rest[0])
    }

    fn map<T: Formula<C, K>, const C: usize, const K: usize>(
        columns: [&[Eight]; C],
        constants: &[Fr; K],
    ) -> Vec<Eight> {
        let constants = constants.map(Self::splat);
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        unsafe { map::<T, C, K>(columns, &constants) }
    }

    fn wipe(blocks: &mut [Eight]) {
        // SAFETY: where there is an `Eight`, the CPU has the instructions; zeros are one.
        blocks.fill(unsafe { core::mem::zeroed() });
        core::hint::black_box(blocks);
    }
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn import(values: &[Fr]) -> Vec<Eight> {
    let mut blocks = Vec::with_capacity(values.len().div_ceil(8));
    let (whole, rest) = values.as_chunks::<8>();
    for eight in whole {
        // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
        blocks.push(unsafe { Eight::load(eight) });
    }
    if !rest.is_empty() {
        let mut last = zeroize::Zeroizing::new([Fr::zero(); 8]);
        last[..rest.len()].copy_from_slice(rest);
        // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
        blocks.push(unsafe { Eight::load(&last) });
    }
    blocks
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn export(blocks: &[Eight], values: &mut [Fr]) {
    let (whole, rest) = values.as_chunks_mut::<8>();
    for i in 0..whole.len() {
        blocks[i].store(&mut whole[i]);
    }
    if !rest.is_empty() {
        let mut last = zeroize::Zeroizing::new([Fr::zero(); 8]);
        blocks[whole.len()].store(&mut last);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn transform(tables: &Tables, blocks: &[Eight]) -> Vec<Eight> {
    let m = blocks.len();
    let mut inner = Vec::with_capacity(m);
    for i in 0..m {
        inner.push(blocks[reversed(i, m)]);
    }
    layers(&mut inner, &tables.roots);
    let mut values = Vec::with_capacity(m);
    values.extend_from_slice(&inner);
    for k in (0..m).step_by(8) {
        let mut eight = [inner[0]; 8];
        for i in 0..8 {
            eight[i] = inner[k + i] * tables.twist[k + i];
        }
        let eight = transform_lanes(&transposed(&eight), &tables.eighth);
        for l in 0..8 {
            values[l * (m / 8) + k / 8] = eight[l];
        }
    }
    Eights::wipe(&mut inner);
    values
}

/// Lane `i` of vector `j` in lane `j` of vector `i`.
#[inline(always)]
pub(super) fn transposed<P: MontConfig<4>>(eight: &[Eight<P>; 8]) -> [Eight<P>; 8] {
    let mut all = *eight;
    for j in 0..5 {
        let mut rows = [eight[0].0[j]; 8];
        for i in 0..8 {
            rows[i] = eight[i].0[j];
        }
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        let columns: Lanes<8> = unsafe { lanes::transpose(&rows) };
        for i in 0..8 {
            all[i].0[j] = columns[i];
        }
    }
    all
}

/// The transform of eight elements, lane by lane.
#[inline(always)]
fn transform_lanes(x: &[Eight; 8], [v, v2, v3]: &[Eight; 3]) -> [Eight; 8] {
    let [a, b, c, d] = transform_four([x[0], x[2], x[4], x[6]], *v2);
    let [e, f, g, h] = transform_four([x[1], x[3], x[5], x[7]], *v2);
    let (f, g, h) = (f * *v, g * *v2, h * *v3);
    [a + e, b + f, c + g, d + h, a - e, b - f, c - g, d - h]
}

/// The transform of four elements, lane by lane; `root` has order 4.
#[inline(always)]
fn transform_four([a, b, c, d]: [Eight; 4], root: Eight) -> [Eight; 4] {
    let (p, q, r, s) = (a + c, a - c, b + d, (b - d) * root);
    [p + r, q + s, p - r, q - s]
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn multiply(a: &[Eight], b: &[Eight]) -> Vec<Eight> {
    let mut products = Vec::with_capacity(a.len());
    for i in 0..a.len() {
        products.push(a[i] * b[i]);
    }
    products
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn add(sum: &mut [Eight], k: &Eight, column: &[Eight]) {
    accumulate(sum, *k, column);
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn evaluate(blocks: &[Eight], [step, of_lane]: [&Eight; 2], zero: Eight, values: &mut [Fr; 8]) {
    (horner(blocks, *step, zero) * *of_lane).store(values);
}

/// The quotient by `X - z`, and in lane 0 the rest. `steps`: `z, z^2, z^4, z^8`; `down`: `z^7 .. z^0`.
///
/// In a block `sum_(j >= l) c_j z^(j-l)` is made in three steps for all lanes `l`; what comes from the blocks above takes a product.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn divide(
    blocks: &[Eight],
    steps: &[Eight; 4],
    down: &Eight,
    quotient: &mut [Eight],
    zero: Eight,
) -> Eight {
    let mut above = zero;
    for i in (0..blocks.len()).rev() {
        let mut sums = blocks[i];
        sums = sums + sums.moved::<1>(&zero) * steps[0];
        sums = sums + sums.moved::<2>(&zero) * steps[1];
        sums = sums + sums.moved::<4>(&zero) * steps[2];
        quotient[i] = sums.moved::<1>(&zero) + above * *down;
        above = sums.first() + above * steps[3];
    }
    above
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn map<T: Formula<C, K>, const C: usize, const K: usize>(
    columns: [&[Eight]; C],
    constants: &[Eight; K],
) -> Vec<Eight> {
    let n = columns[0].len();
    let mut values = Vec::with_capacity(n);
    let mut terms = [Called(constants[0]); K];
    for k in 0..K {
        terms[k] = Called(constants[k]);
    }
    for i in 0..n {
        let after = if i + 1 < n { i + 1 } else { 0 };
        let mut here = [Called(columns[0][i]); C];
        let mut next = here;
        for c in 0..C {
            here[c] = Called(columns[c][i]);
            next[c] = Called(here[c].0.moved::<1>(&columns[c][after]));
        }
        values.push(T::value(&here, &next, &terms).0);
    }
    values
}

/// An element whose products are calls: a formula with forty of them inside is 200 KB of instructions, beyond any first-level cache, and takes
/// a minute and a half to compile.
#[derive(Clone, Copy)]
struct Called(Eight);

impl Add for Called {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Called {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Called {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        Self(unsafe { product(&self.0, &other.0) })
    }
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
unsafe fn product(a: &Eight, b: &Eight) -> Eight {
    *a * *b
}
