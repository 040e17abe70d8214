//! Bit matrices by GFNI on 512 bits.
//!
//! Eight elements at a time, turned so that a 64-bit part of a register holds one byte of all eight: an affine
//! instruction then applies an 8x8 block of the matrix to each part. With the parts rotated eight times, each meets
//! each output byte. The turns cost one byte permutation (VBMI) for each register.

use core::arch::x86_64::*;

/// Groups of eight elements that share the loads of the matrix.
const GROUPS: usize = 4;

/// Indices of a permutation of the bytes of one or two registers.
const fn indices<const M: usize>(mode: u8) -> [[u8; 64]; M] {
    let mut out = [[0; 64]; M];
    let mut k = 0;
    while k < 64 * M {
        let (row, column) = (k / 8, k % 8);
        let from = if M == 1 {
            8 * column + row
        } else if mode == 0 {
            // Register `row / 8`, part `row % 8`: that byte of element `column`.
            16 * column + row
        } else {
            // Element k / 16, byte k % 16: in register (k % 16) / 8.
            8 * (k % 16) + k / 16
        };
        out[k / 64][k % 64] = from as u8;
        k += 1;
    }
    out
}

static TURN64: [[u8; 64]; 1] = indices(0);
static TURN128: [[u8; 64]; 2] = indices(0);
static BACK128: [[u8; 64]; 2] = indices(1);

/// # Safety
/// The CPU has the instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
unsafe fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are borrowed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Images of eight elements each for `G` groups of `H` registers, turned.
///
/// # Safety
/// The CPU has the instructions; the matrix has `8 * H * H` vectors.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
unsafe fn image<const H: usize, const G: usize>(
    matrix: &[[u64; 8]],
    mut x: [[__m512i; H]; G],
) -> [[__m512i; H]; G] {
    let mut sums = [[_mm512_setzero_si512(); H]; G];
    for vectors in matrix.chunks_exact(H * H) {
        for q in 0..H {
            // The products of all input parts, two to an exclusive-or of three.
            let mut blocks = [_mm512_setzero_si512(); H];
            for (p, block) in blocks.iter_mut().enumerate() {
                // SAFETY: a vector of the matrix has 64 bytes.
                *block = unsafe { _mm512_loadu_si512(vectors[p * H + q].as_ptr().cast()) };
            }
            for (sums, x) in sums.iter_mut().zip(&x) {
                let first = _mm512_gf2p8affine_epi64_epi8::<0>(x[0], blocks[0]);
                sums[q] = if H == 1 {
                    _mm512_xor_si512(sums[q], first)
                } else {
                    let second = _mm512_gf2p8affine_epi64_epi8::<0>(x[H - 1], blocks[H - 1]);
                    _mm512_ternarylogic_epi64::<0x96>(sums[q], first, second)
                };
            }
        }
        for x in x.as_flattened_mut() {
            *x = _mm512_alignr_epi64::<1>(*x, *x);
        }
    }
    sums
}

/// # Safety
/// The CPU has the instructions; `G` groups of eight elements of 8 bytes can be read and written.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
unsafe fn groups64<const G: usize>(matrix: &[[u64; 8]], from: *const u8, to: *mut u8) {
    // SAFETY: by the contract; the turn of an 8x8 square is its own inverse.
    unsafe {
        let turn = load(&TURN64[0]);
        let mut x = [[turn; 1]; G];
        for (g, x) in x.iter_mut().enumerate() {
            *x = [_mm512_permutexvar_epi8(turn, _mm512_loadu_si512(from.add(64 * g).cast()))];
        }
        for (g, [y]) in image(matrix, x).into_iter().enumerate() {
            _mm512_storeu_si512(to.add(64 * g).cast(), _mm512_permutexvar_epi8(turn, y));
        }
    }
}

/// # Safety
/// The CPU has the instructions; `G` groups of eight elements of 16 bytes can be read and written.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
unsafe fn groups128<const G: usize>(matrix: &[[u64; 8]], from: *const u8, to: *mut u8) {
    // SAFETY: by the contract.
    unsafe {
        let turns = [load(&TURN128[0]), load(&TURN128[1])];
        let backs = [load(&BACK128[0]), load(&BACK128[1])];
        let mut x = [turns; G];
        for (g, x) in x.iter_mut().enumerate() {
            let low = _mm512_loadu_si512(from.add(128 * g).cast());
            let high = _mm512_loadu_si512(from.add(128 * g + 64).cast());
            *x = turns.map(|turn| _mm512_permutex2var_epi8(low, turn, high));
        }
        for (g, [low, high]) in image(matrix, x).into_iter().enumerate() {
            let [first, second] = backs.map(|back| _mm512_permutex2var_epi8(low, back, high));
            _mm512_storeu_si512(to.add(128 * g).cast(), first);
            _mm512_storeu_si512(to.add(128 * g + 64).cast(), second);
        }
    }
}

/// The images of `8 * groups` elements of 8 bytes.
///
/// # Safety
/// The CPU has the instructions, so many elements can be read and written, and the matrix has 64 columns.
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
pub(super) unsafe fn words64(matrix: &[[u64; 8]], from: *const u8, to: *mut u8, groups: usize) {
    let whole = groups / GROUPS * GROUPS;
    // SAFETY: by the contract; a group has 64 bytes.
    unsafe {
        for g in (0..whole).step_by(GROUPS) {
            groups64::<GROUPS>(matrix, from.add(64 * g), to.add(64 * g));
        }
        for g in whole..groups {
            groups64::<1>(matrix, from.add(64 * g), to.add(64 * g));
        }
    }
}

/// The images of `8 * groups` elements of 16 bytes.
///
/// # Safety
/// The CPU has the instructions, so many elements can be read and written, and the matrix has 128 columns.
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
pub(super) unsafe fn words128(matrix: &[[u64; 8]], from: *const u8, to: *mut u8, groups: usize) {
    let whole = groups / GROUPS * GROUPS;
    // SAFETY: by the contract; a group has 128 bytes.
    unsafe {
        for g in (0..whole).step_by(GROUPS) {
            groups128::<GROUPS>(matrix, from.add(128 * g), to.add(128 * g));
        }
        for g in whole..groups {
            groups128::<1>(matrix, from.add(128 * g), to.add(128 * g));
        }
    }
}
