//! Products by `gf2p8mulb`: what the two widths of vectors share.
//!
//! A factor `t` from T1 or T2 acts on two or four bytes by a matrix over GF(2^8). Byte `i` of the product is
//! `sum_j M[i][i^j] x[i^j]`: for each `j`, one product of the bytes permuted by `i -> i^j` with a constant vector.

use super::factor::columns;
use crate::binary::tower::mul8_d;

/// The constants for `j = 0, 1` of a factor from T1, both halves alike.
#[inline(always)]
pub(super) fn narrow(t: u32) -> [u32; 2] {
    let [a, b, ..] = t.to_le_bytes();
    let d = mul8_d(b);
    [u32::from_le_bytes([a, a ^ b, a, a ^ b]), u32::from_le_bytes([d, b, d, b])]
}

/// The constants for `j = 0, 1, 2, 3` of a factor from T2.
#[inline(always)]
pub(super) fn wide(t: u32) -> [u32; 4] {
    let columns = columns(t);
    let mut constants = [0; 4];
    for (j, constant) in constants.iter_mut().enumerate() {
        for i in 0..4 {
            *constant |= columns[i ^ j] & (0xff << (8 * i));
        }
    }
    constants
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::tower::{mul8, mul32};
    use crate::laws::Samples;

    #[test]
    fn constants_give_the_product() {
        let mut samples = Samples::new(1);
        for _ in 0..1000 {
            let (t, x) = (samples.word() as u32, samples.word() as u32);
            let product = |constants: &[u32]| {
                let byte = |x: u32, i: usize| (x >> (8 * i)) as u8;
                let bytes = [0, 1, 2, 3].map(|i| {
                    (0..constants.len()).fold(0, |sum, j| sum ^ mul8(byte(constants[j], i), byte(x, i ^ j)))
                });
                u32::from_le_bytes(bytes)
            };
            assert_eq!(product(&wide(t)), mul32(t, x));
            assert_eq!(product(&narrow(t & 0xffff)), mul32(t & 0xffff, x));
        }
    }
}
