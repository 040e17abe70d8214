//! Challenge fields over the tower: the coefficients are tower elements, carried over by the isomorphism.
//!
//! (notes: binary-isomorphisms)

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::clmul;
use super::combine::{Columns, Matrix, Rows};
use super::convert::Tower;
use super::gf192::Gf192;
use super::gf256::Gf256;
use super::gf320::Gf320;
use super::halves::Halves;
use super::tower::{Tower64, Tower128};
use super::wide::Sums;
use crate::{ExtensionOf, Field, Gf64, Gf128};

/// The polynomial form of a tower field.
type Poly<T> = <T as Tower>::Poly;

/// A field whose elements are arrays of [`OverTower::DEGREE`] polynomial forms of tower elements.
pub trait OverTower: Field {
    type Tower: Tower;

    const DEGREE: usize;

    fn flat(values: &[Self]) -> &[Poly<Self::Tower>];

    fn flat_mut(values: &mut [Self]) -> &mut [Poly<Self::Tower>];

    fn columns(matrix: &[Self::Tower], weights: &[Self], out: &mut [Self]);

    fn rows(matrix: &[Self::Tower], weights: &[Self], out: &mut [Self]);
}

/// `combine_columns` with `D` coefficients to a weight.
fn columns<T: Copy, P: Sums, const D: usize>(
    elements: &[T],
    weights: &[P],
    out: &mut [P],
    convert: fn(&[T], &mut [P]),
) {
    let width = weights.len() / D;
    // Rows beyond the matrix, like those of a matrix without columns, get nothing.
    let rows = (out.len() / D).min(elements.len().checked_div(width).unwrap_or(0));
    let matrix = Matrix { elements, width, convert };
    clmul::dispatch(Columns::<T, P, D> { matrix, weights, out: &mut out[..rows * D] });
}

/// `combine_rows` with `D` coefficients to a weight.
fn rows<T: Copy, P: Sums, const D: usize>(
    elements: &[T],
    weights: &[P],
    out: &mut [P],
    convert: fn(&[T], &mut [P]),
) {
    let width = out.len() / D;
    let rows = (weights.len() / D).min(elements.len().checked_div(width).unwrap_or(0));
    let matrix = Matrix { elements, width, convert };
    clmul::dispatch(Rows::<T, P, D> { matrix, weights: &weights[..rows * D], out });
}

/// [`columns()`] of tower elements by their halves.
fn columns_by_halves<const D: usize>(elements: &[Tower128], weights: &[Gf128], out: &mut [Gf128]) {
    let mut sums = vec![Halves::default(); out.len()];
    columns::<_, _, D>(elements, &Halves::from_poly(weights), &mut sums, Halves::from_tower);
    Halves::add_to(&sums, out);
}

/// [`rows()`] of tower elements by their halves.
fn rows_by_halves<const D: usize>(elements: &[Tower128], weights: &[Gf128], out: &mut [Gf128]) {
    let mut sums = vec![Halves::default(); out.len()];
    rows::<_, _, D>(elements, &Halves::from_poly(weights), &mut sums, Halves::from_tower);
    Halves::add_to(&sums, out);
}

impl OverTower for Gf128 {
    type Tower = Tower128;

    const DEGREE: usize = 1;

    fn flat(values: &[Self]) -> &[Gf128] {
        values
    }

    fn flat_mut(values: &mut [Self]) -> &mut [Gf128] {
        values
    }

    fn columns(matrix: &[Tower128], weights: &[Self], out: &mut [Self]) {
        columns_by_halves::<1>(matrix, weights, out);
    }

    fn rows(matrix: &[Tower128], weights: &[Self], out: &mut [Self]) {
        rows_by_halves::<1>(matrix, weights, out);
    }
}

impl OverTower for Gf192 {
    type Tower = Tower64;

    const DEGREE: usize = 3;

    fn flat(values: &[Self]) -> &[Gf64] {
        Self::arrays(values).as_flattened()
    }

    fn flat_mut(values: &mut [Self]) -> &mut [Gf64] {
        Self::arrays_mut(values).as_flattened_mut()
    }

    fn columns(matrix: &[Tower64], weights: &[Self], out: &mut [Self]) {
        columns::<_, _, 3>(matrix, Self::flat(weights), Self::flat_mut(out), Tower64::to_poly);
    }

    fn rows(matrix: &[Tower64], weights: &[Self], out: &mut [Self]) {
        rows::<_, _, 3>(matrix, Self::flat(weights), Self::flat_mut(out), Tower64::to_poly);
    }
}

impl OverTower for Gf256 {
    type Tower = Tower128;

    const DEGREE: usize = 2;

    fn flat(values: &[Self]) -> &[Gf128] {
        Self::arrays(values).as_flattened()
    }

    fn flat_mut(values: &mut [Self]) -> &mut [Gf128] {
        Self::arrays_mut(values).as_flattened_mut()
    }

    fn columns(matrix: &[Tower128], weights: &[Self], out: &mut [Self]) {
        columns_by_halves::<2>(matrix, Self::flat(weights), Self::flat_mut(out));
    }

    fn rows(matrix: &[Tower128], weights: &[Self], out: &mut [Self]) {
        rows_by_halves::<2>(matrix, Self::flat(weights), Self::flat_mut(out));
    }
}

impl OverTower for Gf320 {
    type Tower = Tower64;

    const DEGREE: usize = 5;

    fn flat(values: &[Self]) -> &[Gf64] {
        Self::arrays(values).as_flattened()
    }

    fn flat_mut(values: &mut [Self]) -> &mut [Gf64] {
        Self::arrays_mut(values).as_flattened_mut()
    }

    fn columns(matrix: &[Tower64], weights: &[Self], out: &mut [Self]) {
        columns::<_, _, 5>(matrix, Self::flat(weights), Self::flat_mut(out), Tower64::to_poly);
    }

    fn rows(matrix: &[Tower64], weights: &[Self], out: &mut [Self]) {
        rows::<_, _, 5>(matrix, Self::flat(weights), Self::flat_mut(out), Tower64::to_poly);
    }
}

/// The coefficients, converted.
fn to_tower<E: OverTower>(values: &[E]) -> Vec<E::Tower> {
    let flat = E::flat(values);
    let mut coefficients = vec![E::Tower::ZERO; flat.len()];
    E::Tower::to_tower(flat, &mut coefficients);
    coefficients
}

impl<E: OverTower> ExtensionOf<E::Tower> for E {
    const DEGREE: usize = <E as OverTower>::DEGREE;

    fn lift(b: E::Tower) -> Self {
        let mut lifted = Self::ZERO;
        E::flat_mut(core::slice::from_mut(&mut lifted))[0] = b.poly();
        lifted
    }

    fn lift_slice(values: &[E::Tower]) -> Vec<Self> {
        let mut converted = vec![<Poly<E::Tower> as Field>::ZERO; values.len()];
        E::Tower::to_poly(values, &mut converted);
        let mut lifted = vec![Self::ZERO; values.len()];
        let places = E::flat_mut(&mut lifted).chunks_exact_mut(<E as OverTower>::DEGREE);
        places.zip(converted).for_each(|(place, x)| place[0] = x);
        lifted
    }

    fn scale(mut self, b: E::Tower) -> Self {
        let factor = b.poly();
        E::flat_mut(core::slice::from_mut(&mut self)).iter_mut().for_each(|x| *x *= factor);
        self
    }

    fn from_coefficients(coefficients: &[E::Tower]) -> Self {
        let mut element = Self::ZERO;
        E::Tower::to_poly(coefficients, E::flat_mut(core::slice::from_mut(&mut element)));
        element
    }

    fn flatten(values: &[Self]) -> Cow<'_, [E::Tower]> {
        to_tower(values).into()
    }

    fn with_flat_mut(values: &mut [Self], edit: impl FnOnce(&mut [E::Tower])) {
        let mut coefficients = to_tower(values);
        edit(&mut coefficients);
        E::Tower::to_poly(&coefficients, E::flat_mut(values));
    }

    fn unflatten(coefficients: &[E::Tower], values: &mut [Self]) {
        E::Tower::to_poly(coefficients, E::flat_mut(values));
    }

    fn combine_columns(matrix: &[E::Tower], weights: &[Self], out: &mut [Self]) {
        E::columns(matrix, weights, out);
    }

    fn combine_rows(matrix: &[E::Tower], weights: &[Self], out: &mut [Self]) {
        E::rows(matrix, weights, out);
    }
}

impl ExtensionOf<Gf128> for Gf128 {
    const DEGREE: usize = 1;

    #[inline]
    fn lift(b: Gf128) -> Self {
        b
    }

    #[inline]
    fn scale(self, b: Gf128) -> Self {
        self * b
    }

    fn from_coefficients(coefficients: &[Gf128]) -> Self {
        assert_eq!(coefficients.len(), 1, "a field has degree one over itself");
        coefficients[0]
    }

    fn flatten(values: &[Self]) -> Cow<'_, [Gf128]> {
        values.into()
    }

    fn with_flat_mut(values: &mut [Self], edit: impl FnOnce(&mut [Gf128])) {
        edit(values);
    }

    fn combine_columns(matrix: &[Gf128], weights: &[Self], out: &mut [Self]) {
        columns::<_, _, 1>(matrix, weights, out, |from, to| to.copy_from_slice(from));
    }

    fn combine_rows(matrix: &[Gf128], weights: &[Self], out: &mut [Self]) {
        rows::<_, _, 1>(matrix, weights, out, |from, to| to.copy_from_slice(from));
    }
}
