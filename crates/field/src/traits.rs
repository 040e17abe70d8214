//! Fields and their extensions, with their laws.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A finite field.
///
/// Laws (`field::laws!`): the field axioms; `from_bytes(to_bytes(x)) == Some(x)`; `from_bytes` refuses every
/// other string of [`Field::BYTES`] bytes (one encoding per element); `from_u64` is a ring homomorphism on
/// small numbers; slice kernels agree with the scalar operations.
pub trait Field:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Sum
{
    /// Name in reports and files, such as `koalabear5`.
    const NAME: &'static str;
    /// Number of bytes of the canonical encoding.
    const BYTES: usize;
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;

    /// log2 of the number of elements.
    fn bits() -> f64;

    /// The multiplicative inverse, `None` for zero.
    fn inverse(self) -> Option<Self>;

    /// The image of an integer (reduced modulo the characteristic).
    fn from_u64(x: u64) -> Self;

    /// Writes the canonical little-endian encoding; `out` has [`Field::BYTES`] bytes.
    fn write(self, out: &mut [u8]);

    /// Reads a canonical encoding: `None` unless `bytes` has [`Field::BYTES`] bytes and is canonical.
    /// (notes: fields-encoding)
    fn from_bytes(bytes: &[u8]) -> Option<Self>;

    /// Number of uniform bytes that [`Field::from_uniform`] takes: enough that its output is within
    /// 2^-60 of uniform (relative, per base coefficient).
    const UNIFORM_BYTES: usize;

    /// An element from uniform bytes (exactly [`Field::UNIFORM_BYTES`] of them).
    fn from_uniform(bytes: &[u8]) -> Self;

    /// The square.
    #[must_use]
    fn square(self) -> Self {
        self * self
    }

    /// `self^e` (variable time in `e`).
    #[must_use]
    fn pow(self, mut e: u64) -> Self {
        let (mut base, mut acc) = (self, Self::ONE);
        while e != 0 {
            if e & 1 == 1 {
                acc *= base;
            }
            base = base.square();
            e >>= 1;
        }
        acc
    }

    /// Canonical encodings of a slice, end to end, without a copy: `None` where elements are not their encodings in memory.
    fn encoded(_values: &[Self]) -> Option<&[u8]> {
        None
    }

    /// Canonical encodings of a slice, end to end; `out` has `values.len() * BYTES` bytes.
    fn write_slice(values: &[Self], out: &mut [u8]) {
        for (v, o) in values.iter().zip(out.chunks_exact_mut(Self::BYTES)) {
            v.write(o);
        }
    }

    /// Binds the lowest variable of a multilinear table to `r`, in place:
    /// `values[i] <- values[2i] + r (values[2i+1] - values[2i])`, then halves the length.
    /// (notes: codes-fold)
    fn bind_low(values: &mut Vec<Self>, r: Self) {
        let half = values.len() / 2;
        for i in 0..half {
            let (even, odd) = (values[2 * i], values[2 * i + 1]);
            values[i] = even + r * (odd - even);
        }
        values.truncate(half);
    }

    /// One round of the product sumcheck over the lowest variable of two tables of equal even length:
    /// `(sum a0 b0, sum (a1 - a0)(b1 - b0))`, the constant and the quadratic coefficient of
    /// `X -> sum_i a_i(X) b_i(X)`.
    fn product_round(a: &[Self], b: &[Self]) -> (Self, Self) {
        let mut constant = Self::ZERO;
        let mut quadratic = Self::ZERO;
        for (a, b) in a.chunks_exact(2).zip(b.chunks_exact(2)) {
            constant += a[0] * b[0];
            quadratic += (a[1] - a[0]) * (b[1] - b[0]);
        }
        (constant, quadratic)
    }

    /// Multiplies every element by one: `values[i] <- by * values[i]`.
    fn scale_slice(values: &mut [Self], by: Self) {
        values.iter_mut().for_each(|x| *x *= by);
    }

    /// Multiplies each element by its own factor: `values[i] *= factors[i]`.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn multiply_slice(values: &mut [Self], factors: &[Self]) {
        assert_eq!(values.len(), factors.len(), "slices of one length");
        values.iter_mut().zip(factors).for_each(|(x, &factor)| *x *= factor);
    }

    /// Adds a multiple of a slice: `out[i] += by * values[i]`.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn add_scaled(values: &[Self], by: Self, out: &mut [Self]) {
        assert_eq!(values.len(), out.len(), "slices of one length");
        out.iter_mut().zip(values).for_each(|(o, &x)| *o += by * x);
    }

    /// Returns the inner product `sum_i a_i b_i` over the shorter of the two.
    fn inner_product(a: &[Self], b: &[Self]) -> Self {
        a.iter().zip(b).map(|(&a, &b)| a * b).sum()
    }
}

/// A field that contains `B`; elements are vectors of [`ExtensionOf::DEGREE`] coefficients over `B`.
/// (notes: fields-extension)
///
/// Laws: `lift` is a ring homomorphism; `x.scale(b) == x * lift(b)`; `flatten` lists the coefficients in
/// order; kernels agree with their scalar meaning.
pub trait ExtensionOf<B: Field>: Field {
    /// The degree of the extension.
    const DEGREE: usize;

    /// The embedding of `B`.
    fn lift(b: B) -> Self;

    /// The embedding of many elements.
    fn lift_slice(values: &[B]) -> Vec<Self> {
        values.iter().map(|&b| Self::lift(b)).collect()
    }

    /// The product with an element of `B`.
    #[must_use]
    fn scale(self, b: B) -> Self;

    /// The element with the given coefficients.
    ///
    /// # Panics
    /// If there are not exactly [`ExtensionOf::DEGREE`] of them.
    fn from_coefficients(coefficients: &[B]) -> Self;

    /// The coefficients of all elements, end to end: `DEGREE * values.len()` of them. Borrowed where the memory of an
    /// element is that of its coefficients (prime fields), converted where the two have different bases.
    fn flatten(values: &[Self]) -> Cow<'_, [B]>;

    /// Lets `edit` change the coefficients of [`ExtensionOf::flatten`], in place where the memory is the same.
    fn with_flat_mut(values: &mut [Self], edit: impl FnOnce(&mut [B]));

    /// The inverse of [`ExtensionOf::flatten`], to a slice.
    ///
    /// # Panics
    /// If there are not exactly `DEGREE * values.len()` coefficients.
    fn unflatten(coefficients: &[B], values: &mut [Self]) {
        Self::with_flat_mut(values, |flat| flat.copy_from_slice(coefficients));
    }

    /// Combines the columns of a row-major matrix: `out[i] += sum_k weights[k] * matrix[i*w + k]`,
    /// with width `w = weights.len()` and `out.len()` rows.
    fn combine_columns(matrix: &[B], weights: &[Self], out: &mut [Self]) {
        for (row, o) in matrix.chunks_exact(weights.len()).zip(out) {
            *o += row.iter().zip(weights).map(|(&x, &w)| w.scale(x)).sum();
        }
    }

    /// Combines the rows of a row-major matrix: `out[k] += sum_i weights[i] * matrix[i*w + k]`,
    /// with width `w = out.len()` and `weights.len()` rows.
    fn combine_rows(matrix: &[B], weights: &[Self], out: &mut [Self]) {
        for (row, &w) in matrix.chunks_exact(out.len()).zip(weights) {
            for (o, &x) in out.iter_mut().zip(row) {
                *o += w.scale(x);
            }
        }
    }

    /// Adds sums of powers: `out[i] += sum_j coefficients[j] * points[j]^i`. For codes whose rows are powers of a point,
    /// so it has a fast form over prime fields alone.
    fn accumulate_powers(points: &[B], coefficients: &[Self], out: &mut [Self]) {
        for (&x, &c) in points.iter().zip(coefficients) {
            let mut term = c;
            for o in out.iter_mut() {
                *o += term;
                term = term.scale(x);
            }
        }
    }

    /// Evaluates a polynomial at base-field points: `out[j] = sum_i coefficients[i] * points[j]^i`.
    ///
    /// # Panics
    /// If there are not as many values as points.
    fn evaluate_powers(coefficients: &[Self], points: &[B], out: &mut [Self]) {
        assert_eq!(points.len(), out.len(), "a value for each point");
        for (&x, o) in points.iter().zip(out) {
            *o = coefficients.iter().rev().fold(Self::ZERO, |acc, &c| acc.scale(x) + c);
        }
    }

    /// Folds a codeword once: with `u = pairs[2i]` and `v = pairs[2i+1]`, the values at `x` and `-x`, and
    /// `inverse_points[i] = 1/x`, sets `out[i] = even (u+v)/2 + odd (u-v)/(2x)`.
    ///
    /// The two halves are the even and the odd part of the polynomial at `x^2`: `even = 1, odd = r` is
    /// the fold of coefficients, `even = 1-r, odd = r` that of evaluations.
    ///
    /// # Panics
    /// In characteristic two, where `x` and `-x` are one point.
    fn fold_pairs(pairs: &[Self], inverse_points: &[B], even: Self, odd: Self, out: &mut [Self]) {
        crate::kernels::fold::scalar(pairs, inverse_points, [even, odd], out);
    }
}
