//! What formulas compute with, and powers.

use alloc::vec::Vec;
use core::ops::{Add, Mul, Sub};

use ark_ff::One;

use crate::bls12_381::Fr;

/// Elements, or vectors of them.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Number for T {}

/// `1, x, x^2, ...`, `count` of them.
#[must_use]
pub fn powers(x: Fr, count: usize) -> Vec<Fr> {
    core::iter::successors(Some(Fr::one()), |power| Some(*power * x)).take(count).collect()
}
