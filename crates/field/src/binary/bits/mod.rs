//! Products of long bit matrices.
//!
//! ```text
//!   a: rows x 8 wa bits        b: rows x 8 wb bits        out += aᵀ b: 8 wa x 8 wb bits
//! ```
//! Rows are whole bytes, one after another; bit `i` of a row is bit `i % 8` of its byte `i / 8`.
//!
//! (notes: binary-kernels)

#[cfg(target_arch = "x86_64")]
mod blocks;
#[cfg(target_arch = "x86_64")]
mod gfni256;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod portable;
#[cfg(test)]
mod tests;

use super::convert::Tier;

/// For each bit `i` of a row of `a`, adds to row `i` of `out` the sum (XOR) of those rows of `b` for which row `i` of `aᵀ` has
/// a one: `out += aᵀ b` over GF(2). Both matrices have `rows` rows.
///
/// Cost: with GFNI an affine instruction for each 8x8x8 bits and vector of eight; else eight additions of a row of `b` for each
/// eight bytes of `a`.
///
/// # Panics
/// If a matrix is no such number of rows, its rows are not whole words of eight bytes, or `out` is not `aᵀ b`'s size.
pub fn add_transposed_product(a: &[u8], b: &[u8], rows: usize, out: &mut [u8]) {
    add_with(Tier::available().next().expect("the portable tier"), [a, b], rows, out);
}

/// [`add_transposed_product`] with the instructions of a tier.
///
/// # Panics
/// If the CPU does not have them.
fn add_with(tier: Tier, [a, b]: [&[u8]; 2], rows: usize, out: &mut [u8]) {
    assert!(tier.has(), "instructions that this CPU does not have");
    if rows == 0 {
        return assert!(a.is_empty() && b.is_empty(), "matrices without rows");
    }
    let widths = [a.len() / rows, b.len() / rows];
    assert!(a.len() == rows * widths[0] && b.len() == rows * widths[1], "matrices of so many rows");
    assert!(widths.iter().all(|w| w % 8 == 0), "rows of whole words");
    assert_eq!(out.len(), 8 * widths[0] * widths[1], "the size of the product");
    let whole = match tier {
        Tier::Portable => 0,
        #[cfg(target_arch = "x86_64")]
        Tier::Gfni256 | Tier::Gfni512 => rows / 8 * 8,
    };
    let ((a, a_rest), (b, b_rest)) = (a.split_at(whole * widths[0]), b.split_at(whole * widths[1]));
    // SAFETY: the instructions were checked above.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        match tier {
            Tier::Portable => {}
            Tier::Gfni256 => blocks::add(&gfni256::TIER, [a, b], widths, out),
            Tier::Gfni512 => blocks::add(&gfni512::TIER, [a, b], widths, out),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    assert!(a.is_empty() && b.is_empty(), "rows that no tier takes");
    portable::add([a_rest, b_rest], widths, out);
}

/// The transpose of a matrix of eight by eight bits, one byte a row.
#[must_use]
pub fn transpose(rows: [u8; 8]) -> [u8; 8] {
    let mut x = u64::from_le_bytes(rows);
    let swaps = [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)];
    for (shift, mask) in swaps {
        let moved = (x ^ (x >> shift)) & mask;
        x ^= moved ^ (moved << shift);
    }
    x.to_le_bytes()
}
