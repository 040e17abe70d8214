//! Sums and differences of numbers of several words, the lowest first.
//!
//! On x86 by its own instructions: what a compiler knows as sums and comparisons it takes apart, and carries become branches or go to vectors.

/// `a + b` modulo `2^(64 N)`, and what is carried out of it: 0 or 1.
#[inline(always)]
pub(crate) fn sum<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u8) {
    let (mut sum, mut carry) = ([0; N], 0);
    for i in 0..N {
        carry = add(carry, a[i], b[i], &mut sum[i]);
    }
    (sum, carry)
}

/// `a - b` modulo `2^(64 N)`, and 1 if it is below 0.
#[inline(always)]
pub(crate) fn difference<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u8) {
    let (mut difference, mut borrow) = ([0; N], 0);
    for i in 0..N {
        borrow = sub(borrow, a[i], b[i], &mut difference[i]);
    }
    (difference, borrow)
}

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_addcarry_u64 as add, _subborrow_u64 as sub};

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn add(carry: u8, a: u64, b: u64, sum: &mut u64) -> u8 {
    let carried;
    (*sum, carried) = a.carrying_add(b, carry != 0);
    u8::from(carried)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn sub(borrow: u8, a: u64, b: u64, difference: &mut u64) -> u8 {
    let borrowed;
    (*difference, borrowed) = a.borrowing_sub(b, borrow != 0);
    u8::from(borrowed)
}
