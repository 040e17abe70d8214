//! Bit matrices by GFNI on 512 bits.
//!
//! Eight elements at a time, turned so that a 64-bit word of a register holds one byte of all eight: an affine
//! instruction then applies an 8x8 block of the matrix to each word. With the words rotated eight times, each meets
//! each output byte. The turns cost one byte permutation (VBMI) for each register. A register is called a part of the
//! elements: one for 8 bytes, two for 16.

use alloc::vec::Vec;
use core::arch::x86_64::*;

/// Groups of eight elements that share the loads of the matrix.
const GROUPS: usize = 4;

/// Bytes ahead of those converted that are asked for: data come from memory, and the products between the pieces of a long
/// conversion hide its stride from the CPU.
const AHEAD: usize = 1 << 12;

/// Asks for `LINES` lines of the cache ahead of a place.
#[inline(always)]
fn ahead<const LINES: usize>(from: *const u8) {
    for line in 0..LINES {
        // SAFETY: a hint reads nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD + 64 * line).cast()) };
    }
}

/// Indices of a permutation of the bytes of one or two registers.
const fn indices<const M: usize>(mode: u8) -> [[u8; 64]; M] {
    let mut out = [[0; 64]; M];
    let mut k = 0;
    while k < 64 * M {
        let (row, column) = (k / 8, k % 8);
        let from = if M == 1 {
            8 * column + row
        } else if mode == 0 {
            // Register `row / 8`, word `row % 8`: that byte of element `column`.
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

/// Images of eight elements each for `G` groups of `H` registers, turned. (Loops over indices: closures do not inherit
/// the instruction set, and cost a third of the speed here.)
///
/// # Safety
/// The CPU has the instructions; the matrix is that of [`vectors`] with `H` parts.
#[inline]
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
#[expect(clippy::needless_range_loop, reason = "see above")]
unsafe fn image<const H: usize, const G: usize>(
    matrix: *const [u64; 8],
    x: [[__m512i; H]; G],
) -> [[__m512i; H]; G] {
    let (mut rotated, mut sums) = (x, x);
    for g in 0..G {
        for p in 0..H {
            rotated[g][p] = _mm512_alignr_epi64::<1>(x[g][p], x[g][p]);
        }
    }
    for a in 0..4 {
        for q in 0..H {
            let mut blocks = [[_mm512_setzero_si512(); H]; 2];
            for b in 0..2 {
                for p in 0..H {
                    let at = (2 * a + b) * H * H + p * H + q;
                    // SAFETY: the matrix has 8 H^2 vectors of 64 bytes.
                    blocks[b][p] = unsafe { _mm512_loadu_si512(matrix.add(at).cast()) };
                }
            }
            for g in 0..G {
                let mut sum = _mm512_setzero_si512();
                if a > 0 {
                    sum = _mm512_alignr_epi64::<2>(sums[g][q], sums[g][q]);
                }
                for p in 0..H {
                    let first = _mm512_gf2p8affine_epi64_epi8::<0>(x[g][p], blocks[0][p]);
                    let second = _mm512_gf2p8affine_epi64_epi8::<0>(rotated[g][p], blocks[1][p]);
                    sum = _mm512_ternarylogic_epi64::<0x96>(sum, first, second);
                }
                sums[g][q] = sum;
            }
        }
    }
    sums
}

/// The matrix as [`image`] reads it. A part is rotated by `2a + b` to meet each output byte: by `b` before the affine
/// instruction, by `2a` after it, which takes 8 rotations where one by one takes 14. The vectors go by `a` from 3 down,
/// then by `b`, the input part and the output part; `block(i, o)` takes the input byte `i` to the output byte `o`.
pub(super) fn vectors(parts: usize, block: impl Fn(usize, usize) -> u64) -> Vec<[u64; 8]> {
    let mut vectors = Vec::with_capacity(8 * parts * parts);
    for (a, b) in [(3, 0), (3, 1), (2, 0), (2, 1), (1, 0), (1, 1), (0, 0), (0, 1)] {
        for (p, q) in (0..parts * parts).map(|pair| (pair / parts, pair % parts)) {
            let place = |k: usize| block(8 * p + (k + b) % 8, 8 * q + (k + 8 - 2 * a) % 8);
            vectors.push(core::array::from_fn(place));
        }
    }
    vectors
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
        for (g, [y]) in image(matrix.as_ptr(), x).into_iter().enumerate() {
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
            *x = [
                _mm512_permutex2var_epi8(low, turns[0], high),
                _mm512_permutex2var_epi8(low, turns[1], high),
            ];
        }
        for (g, [low, high]) in image(matrix.as_ptr(), x).into_iter().enumerate() {
            let first = _mm512_permutex2var_epi8(low, backs[0], high);
            let second = _mm512_permutex2var_epi8(low, backs[1], high);
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
            ahead::<GROUPS>(from.add(64 * g));
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
            ahead::<{ 2 * GROUPS }>(from.add(128 * g));
            groups128::<GROUPS>(matrix, from.add(128 * g), to.add(128 * g));
        }
        for g in whole..groups {
            groups128::<1>(matrix, from.add(128 * g), to.add(128 * g));
        }
    }
}
