//! The loops of the laws' plain meanings, compiled once for a type of value and not once for each law's closure: the
//! laws are compiled for every field in three builds.

use crate::Field;
use std::fmt::{Arguments, Debug};

/// The values of a function at `0..count`.
#[inline(never)]
pub(crate) fn values<T>(count: usize, at: &dyn Fn(usize) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(count);
    for i in 0..count {
        values.push(at(i));
    }
    values
}

/// The sum of the values of a function at `0..count`.
#[inline(never)]
pub(crate) fn sum<F: Field>(count: usize, at: &dyn Fn(usize) -> F) -> F {
    let mut sum = F::ZERO;
    for i in 0..count {
        sum += at(i);
    }
    sum
}

/// The sum of the products of two slices of one length.
#[inline(never)]
pub(crate) fn products<F: Field>(a: &[F], b: &[F]) -> F {
    assert_eq!(a.len(), b.len());
    let mut sum = F::ZERO;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

/// A product that is a call: formulas of many products compile in a fraction of the time.
#[cfg(test)]
#[inline(never)]
pub(crate) fn times<F: Field>(a: F, b: F) -> F {
    a * b
}

/// Fails unless both are the same, with the place of the call.
#[inline(never)]
#[track_caller]
pub(crate) fn same<T: PartialEq + Debug>(found: &[T], expected: &[T], what: Arguments<'_>) {
    assert_eq!(found, expected, "{what}");
}
