//! Eight states in the lanes of AVX-512: rotations, and sums of three words, are one instruction each.

use core::arch::x86_64::*;

use super::rounds::{self, Word};
use super::{LANES, States};

#[derive(Clone, Copy)]
struct Words(__m512i);

/// Permutes eight states.
///
/// # Safety
/// The tier of this module is in use; `eight` words can be read and written in 25 rows.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn permute(words: *mut u64) {
    // SAFETY: the instructions are enabled here; the rest is the contract of this function.
    unsafe { rounds::permute::<Words>(words) }
}

/// Adds words to rows of the states from `row` on, a message in each lane.
///
/// # Safety
/// The tier of this module is in use; each message has `count` words of eight bytes, and there are as many rows from `row` on.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn absorb(states: &mut States, row: usize, messages: [*const u8; LANES], count: usize) {
    let whole = if count % LANES > SINGLE_WORDS { count } else { count - count % LANES };
    for first in (0..whole).step_by(LANES) {
        let words = (count - first).min(LANES);
        // SAFETY: the mask leaves `words` words of each message from `first` on, and rows from `row + first` on are as many.
        unsafe {
            let mask = ((1u32 << words) - 1) as __mmask8;
            let rows =
                transpose(messages.map(|from| _mm512_maskz_loadu_epi64(mask, from.add(8 * first).cast())));
            for (state, words) in states[row + first..row + first + words].iter_mut().zip(rows) {
                add(state, words);
            }
        }
    }
    for i in whole..count {
        // SAFETY: word `i` is one of `count` in each message.
        let [a, b, c, d, e, f, g, h] =
            messages.map(|from| unsafe { from.add(8 * i).cast::<i64>().read_unaligned() });
        // SAFETY: the instructions are enabled here.
        unsafe { add(&mut states[row + i], _mm512_setr_epi64(a, b, c, d, e, f, g, h)) };
    }
}

/// Adds a byte and a message behind it to the rows of the states, a message in each lane.
///
/// # Safety
/// The tier of this module is in use; each message has `count` words of eight bytes, and there are more rows.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn absorb_behind(
    states: &mut States,
    byte: u8,
    messages: [*const u8; LANES],
    count: usize,
) {
    let mut before = _mm512_set1_epi64(i64::from(byte));
    for first in (0..count).step_by(LANES) {
        let words = (count - first).min(LANES);
        // SAFETY: the mask leaves `words` words of each message from `first` on, and rows from there on are as many.
        unsafe {
            let mask = ((1u32 << words) - 1) as __mmask8;
            let rows =
                transpose(messages.map(|from| _mm512_maskz_loadu_epi64(mask, from.add(8 * first).cast())));
            for (state, words) in states[first..first + words].iter_mut().zip(rows) {
                add(state, _mm512_or_si512(_mm512_slli_epi64::<8>(words), before));
                before = _mm512_srli_epi64::<56>(words);
            }
        }
    }
    // SAFETY: the instructions are enabled here.
    unsafe { add(&mut states[count], before) };
}

/// The most words beyond whole vectors that are taken one by one.
const SINGLE_WORDS: usize = 2;

/// Adds words to a row.
///
/// # Safety
/// The tier of this module is in use.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn add(row: &mut [u64; LANES], words: __m512i) {
    let at: *mut __m512i = row.as_mut_ptr().cast();
    // SAFETY: a row is as long as a vector.
    unsafe { _mm512_storeu_si512(at, _mm512_xor_si512(_mm512_loadu_si512(at), words)) }
}

/// Word `i` of vector `j` becomes word `j` of vector `i`.
#[target_feature(enable = "avx512f")]
fn transpose(v: [__m512i; LANES]) -> [__m512i; LANES] {
    let low = |i: usize| _mm512_unpacklo_epi64(v[i], v[i + 1]);
    let high = |i: usize| _mm512_unpackhi_epi64(v[i], v[i + 1]);
    let [r0, r2, r4, r6] = transpose_pairs([low(0), low(2), low(4), low(6)]);
    let [r1, r3, r5, r7] = transpose_pairs([high(0), high(2), high(4), high(6)]);
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

/// Pair `i` of the words of vector `j` becomes pair `j` of vector `i`.
#[target_feature(enable = "avx512f")]
fn transpose_pairs([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d));
    let (ab_high, cd_high) = (_mm512_shuffle_i64x2::<0xee>(a, b), _mm512_shuffle_i64x2::<0xee>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab, cd),
        _mm512_shuffle_i64x2::<0xdd>(ab, cd),
        _mm512_shuffle_i64x2::<0x88>(ab_high, cd_high),
        _mm512_shuffle_i64x2::<0xdd>(ab_high, cd_high),
    ]
}

impl Word for Words {
    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: by the contract.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: by the contract.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    fn add_constant(self, x: u64) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions; here and below.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(x as i64)) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor3(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_ternarylogic_epi64::<0x96>(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn add_terms(self, [a, b, _]: &[Self; 3]) -> Self {
        self.xor3(*a, *b)
    }

    #[inline(always)]
    fn rotate<const BITS: i32>(self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_rol_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn chi(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xd2>(self.0, a.0, b.0) })
    }
}
