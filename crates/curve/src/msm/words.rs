//! Numbers below a modulus, as words, without branches.

/// `a - b`, and the modulus more if that is negative.
#[inline(always)]
pub(super) fn difference<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &[u64; N]) -> [u64; N] {
    let (mut words, mut borrow) = ([0; N], false);
    for i in 0..N {
        (words[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    let (mask, mut carry) = (u64::from(borrow).wrapping_neg(), false);
    for i in 0..N {
        (words[i], carry) = words[i].carrying_add(modulus[i] & mask, carry);
    }
    words
}

/// `b` if `second`, or else `a`.
#[inline(always)]
pub(super) fn choice<const N: usize>(a: &[u64; N], b: &[u64; N], second: bool) -> [u64; N] {
    let mask = u64::from(second).wrapping_neg();
    core::array::from_fn(|i| a[i] ^ (a[i] ^ b[i]) & mask)
}
