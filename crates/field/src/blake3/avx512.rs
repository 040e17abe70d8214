//! AVX-512: sixteen lanes in a vector, and two vectors side by side.
//!
//! Half a round is four chains of instructions that depend on nothing of each other, twelve long. Where a sum has two cycles and four
//! begin in each, four chains keep half of the units busy, eight all of them: so two groups of sixteen messages advance in step.
//! Their 32 words of state are all registers there are. The message words come from memory, no instruction needs another register,
//! and the order is that of the source: a compiler that schedules them by its own lights spills.

use core::arch::asm;
use core::arch::x86_64::*;
use core::hint::black_box;

use super::{BLOCK, Chunk, IV, SCHEDULE, Trials};
use crate::cpu::{self, Features};

/// Tells whether the instructions are in use.
pub(super) fn available() -> bool {
    cpu::has(Features::AVX512F)
}

/// A word of sixteen messages.
type Word = __m512i;
/// The state or the block of `G` groups of sixteen messages.
type Words<const G: usize> = [[Word; 16]; G];

/// Lanes of a vector.
const LANES: usize = 16;

// What follows are macros because a register of 512 bits may be named only in a function that enables the instructions, and such a
// function is inlined, so that its words stay in registers, only where the compiler finds it small. All of them stand in
// functions that promise that AVX-512 is there.

// They expand to statements without loops: a compiler takes as long to unroll loops over a thousand instructions as for a third of this crate.

/// What is done to the words `$v[g]` of each group `g` of `G`; with the message, to these and its words.
macro_rules! groups {
    ($v:ident, $each:ident $args:tt) => {
        $each!($v[0], $args);
        if G == 2 {
            $each!($v[G - 1], $args);
        }
    };
    ($v:ident, $m:ident, $each:ident $args:tt) => {
        $each!($v[0], &raw const $m[0], $args);
        if G == 2 {
            $each!($v[G - 1], &raw const $m[G - 1], $args);
        }
    };
}

/// An instruction of two operands, the first of which is the result, on pairs of words.
macro_rules! pairs {
    ($v:expr, ($text:literal, [$($x:literal)*], [$($y:literal)*])) => {
        $({
            let (mut to, by) = ($v[$x], $v[$y]);
            asm!($text, inout(zmm_reg) to, in(zmm_reg) by, options(nomem, nostack, preserves_flags));
            $v[$x] = to;
        })*
    };
}

/// Words turned to the right.
macro_rules! turns {
    ($v:expr, ($by:literal, [$($x:literal)*])) => {
        $({
            let mut to = $v[$x];
            asm!("vprord {0}, {0}, {1}", inout(zmm_reg) to, const $by, options(nomem, nostack, preserves_flags));
            $v[$x] = to;
        })*
    };
}

/// Adds words of the message, with their numbers in the order of a round, to the first four; words from `$end` on are zero.
macro_rules! mixed {
    ($v:expr, $m:expr, ($end:expr, $round:literal, [$($x:literal $s:literal)*])) => {
        $(if const { SCHEDULE[$round][$s] < $end } {
            asm!("vpaddd {0}, {0}, [{1} + {2}]", inout(zmm_reg) $v[$x], in(reg) $m,
                const 64 * SCHEDULE[$round][$s], options(readonly, nostack, preserves_flags));
        })*
    };
}

/// A quarter of a round: `a += b; d = (d ^ a) >>> $left; c += d; b = (b ^ c) >>> $right`, after words of the message are added to `a`.
macro_rules! quarter {
    ($v:ident, $m:ident, [$a:tt $b:tt $c:tt $d:tt], $left:literal, $right:literal, $mixed:tt) => {
        groups!($v, $m, mixed $mixed);
        groups!($v, pairs ("vpaddd {0}, {0}, {1}", $a, $b));
        groups!($v, pairs ("vpxord {0}, {0}, {1}", $d, $a));
        groups!($v, turns ($left, $d));
        groups!($v, pairs ("vpaddd {0}, {0}, {1}", $c, $d));
        groups!($v, pairs ("vpxord {0}, {0}, {1}", $b, $c));
        groups!($v, turns ($right, $b));
    };
}

/// Half a round: the words that are mixed with each other, one of each row of the state, and the message words for the first and the second time.
macro_rules! half {
    ($v:ident, $m:ident, $end:expr, $round:literal, $quads:tt, $first:tt, $second:tt) => {
        quarter!($v, $m, $quads, 16, 12, ($end, $round, $first));
        quarter!($v, $m, $quads, 8, 7, ($end, $round, $second));
    };
}

/// The columns of a round.
macro_rules! columns {
    ($v:ident, $m:ident, $end:expr, $round:literal) => {
        half!($v, $m, $end, $round, [[0 1 2 3] [4 5 6 7] [8 9 10 11] [12 13 14 15]], [0 0 1 2 2 4 3 6], [0 1 1 3 2 5 3 7])
    };
}

/// The diagonals of a round.
macro_rules! diagonals {
    ($v:ident, $m:ident, $end:expr, $round:literal) => {
        half!($v, $m, $end, $round, [[0 1 2 3] [5 6 7 4] [10 11 8 9] [15 12 13 14]], [0 8 1 10 2 12 3 14], [0 9 1 11 2 13 3 15])
    };
}

/// The first diagonal of the first round, which alone has words of the message that are not zero for every trial, but for the state's.
macro_rules! first_diagonal {
    ($v:ident, $m:ident) => {
        half!($v, $m, TRIAL, 0, [[0] [5] [10] [15]], [0 8], [0 9])
    };
}

/// The diagonals of the last round that end in the words 0 and 8, of which the first word of the digest is the sum.
macro_rules! last_diagonals {
    ($v:ident, $m:ident) => {
        half!($v, $m, TRIAL, 6, [[0 2] [5 7] [10 8] [15 13]], [0 8 2 12], [0 9 2 13])
    };
}

/// Some rounds.
macro_rules! rounds {
    ($v:ident, $m:ident, $end:expr, [$($round:literal)*]) => {
        $(columns!($v, $m, $end, $round);
        diagonals!($v, $m, $end, $round);)*
    };
}

/// The matrix of sixteen rows of sixteen words, transposed.
///
/// # Safety
/// AVX-512 is there.
#[inline(always)]
unsafe fn transpose(rows: &[Word; 16]) -> [Word; 16] {
    let (mut pairs, mut fours, mut words) = (*rows, *rows, *rows);
    // SAFETY: AVX-512F was detected by `available`; nothing but registers is touched.
    unsafe {
        for i in (0..16).step_by(2) {
            pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
            pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
        }
        for i in (0..16).step_by(4) {
            fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
            fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
            fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
            fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
        }
        // Part p of vector 4 q + w is word 4 p + w of the rows from 4 q on.
        for w in 0..4 {
            let [a, b, c, d] = [fours[w], fours[4 + w], fours[8 + w], fours[12 + w]];
            let (ab02, ab13) = (_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b));
            let (cd02, cd13) = (_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xdd>(c, d));
            words[w] = _mm512_shuffle_i32x4::<0x88>(ab02, cd02);
            words[4 + w] = _mm512_shuffle_i32x4::<0x88>(ab13, cd13);
            words[8 + w] = _mm512_shuffle_i32x4::<0xdd>(ab02, cd02);
            words[12 + w] = _mm512_shuffle_i32x4::<0xdd>(ab13, cd13);
        }
    }
    words
}

/// A block of each of `G` groups of sixteen messages, `length` bytes apart.
///
/// # Safety
/// AVX-512 is there, and 64 bytes of each message.
#[inline(always)]
unsafe fn block<const G: usize>(at: *const u8, length: usize) -> Words<G> {
    // SAFETY: AVX-512F was detected by `available`; 64 bytes of each of the `16 G` messages, `length` apart from `at` on,
    // can be read.
    unsafe {
        let mut words = [[_mm512_setzero_si512(); 16]; G];
        for (g, words) in words.iter_mut().enumerate() {
            for (lane, row) in words.iter_mut().enumerate() {
                let at = at.add((g * LANES + lane) * length);
                *row = _mm512_loadu_si512(at.cast());
            }
            *words = transpose(words);
        }
        words
    }
}

/// The chaining values of `G` groups of messages, the blocks of which begin at `at`.
///
/// # Safety
/// AVX-512 is there, and the blocks of `16 G` messages.
#[target_feature(enable = "avx512f")]
unsafe fn group<const G: usize>(chunk: &Chunk, at: *const u8) -> [[Word; 8]; G] {
    // SAFETY: this function enables AVX-512F; `chunk.blocks` blocks of each message can be read, and `m` is read while it
    // lives.
    unsafe {
        let mut values = [[_mm512_setzero_si512(); 8]; G];
        for values in &mut values {
            for (value, &word) in values.iter_mut().zip(&chunk.key) {
                *value = _mm512_set1_epi32(word as i32);
            }
        }
        let counter = [chunk.counter as u32, (chunk.counter >> 32) as u32];
        for b in 0..chunk.blocks {
            let m = block::<G>(at.add(BLOCK * b), chunk.length);
            // In memory, and told apart from the vectors that were just written there.
            let m = &*black_box(&raw const m);
            let rest = [IV[0], IV[1], IV[2], IV[3], counter[0], counter[1], BLOCK as u32, chunk.flags(b)];
            let mut v = [[_mm512_setzero_si512(); 16]; G];
            for (v, values) in v.iter_mut().zip(&values) {
                for i in 0..8 {
                    v[i] = values[i];
                    v[8 + i] = _mm512_set1_epi32(rest[i] as i32);
                }
            }
            rounds!(v, m, 16, [0 1 2 3 4 5 6]);
            for (values, v) in values.iter_mut().zip(&v) {
                for i in 0..8 {
                    values[i] = _mm512_xor_si512(v[i], v[i + 8]);
                }
            }
        }
        values
    }
}

/// Writes the values of `G` groups.
///
/// # Safety
/// AVX-512 is there, and `out` is good for `16 G` values.
#[inline(always)]
unsafe fn write<const G: usize>(values: &[[Word; 8]; G], out: *mut [u8; 32]) {
    // SAFETY: AVX-512F was detected by `available`; `out` is good for `16 G` values of 32 bytes.
    unsafe {
        for (g, values) in values.iter().enumerate() {
            let mut words = [_mm512_setzero_si512(); 16];
            words[..8].copy_from_slice(values);
            for (lane, &row) in transpose(&words).iter().enumerate() {
                _mm256_storeu_si256(out.add(g * LANES + lane).cast(), _mm512_castsi512_si256(row));
            }
        }
    }
}

/// The values of as many messages as are whole groups; their number.
///
/// # Safety
/// AVX-512 is there, and `messages` is good for the blocks of as many messages as there are values.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn values(chunk: &Chunk, messages: *const u8, out: &mut [[u8; 32]]) -> usize {
    let whole = out.len() - out.len() % LANES;
    let mut done = 0;
    // SAFETY: this function enables AVX-512F; `done + 32 <= whole`, or `done + 16 == whole`, so that messages and values up
    // to there exist.
    unsafe {
        let at = |message: usize| messages.add(message * chunk.length + chunk.start);
        while done + 2 * LANES <= whole {
            write(&group::<2>(chunk, at(done)), out.as_mut_ptr().add(done));
            done += 2 * LANES;
        }
        if done < whole {
            write(&group::<1>(chunk, at(done)), out.as_mut_ptr().add(done));
        }
    }
    whole
}

/// Words of a block of a trial that are not zero for every nonce.
const TRIAL: usize = 10;

/// The smallest of `count` nonces from `start` on that is good for `mask`.
///
/// # Safety
/// AVX-512 is there.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn first(trials: &Trials, start: u64, count: u64, mask: u32) -> Option<u64> {
    const G: usize = 2;
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut m = [[_mm512_setzero_si512(); 16]; G];
    for m in &mut m {
        for (m, &word) in m.iter_mut().zip(&trials.state) {
            *m = _mm512_set1_epi32(word as i32);
        }
        m[9] = _mm512_set1_epi32((start >> 32) as i32);
    }
    let mut begun = [_mm512_setzero_si512(); 16];
    for (begun, &word) in begun.iter_mut().zip(&trials.begun) {
        *begun = _mm512_set1_epi32(word as i32);
    }
    for step in (0..count).step_by(2 * LANES) {
        let low = (start + step) as u32;
        m[0][8] = _mm512_add_epi32(_mm512_set1_epi32(low as i32), lanes);
        m[1][8] = _mm512_add_epi32(m[0][8], _mm512_set1_epi32(LANES as i32));
        let mut v = [begun, begun];
        // SAFETY: this function enables AVX-512F; `m` is read while it is borrowed, and its rows have the words below
        // `TRIAL`.
        unsafe {
            let m = &*black_box(&raw const m);
            first_diagonal!(v, m);
            rounds!(v, m, TRIAL, [1 2 3 4 5]);
            columns!(v, m, TRIAL, 6);
            last_diagonals!(v, m);
        }
        let good = |v: &[Word; 16]| {
            u32::from(_mm512_testn_epi32_mask(_mm512_xor_si512(v[0], v[8]), _mm512_set1_epi32(mask as i32)))
        };
        let found = good(&v[0]) | good(&v[1]) << LANES;
        if found != 0 {
            let nonce = step + u64::from(found.trailing_zeros());
            return (nonce < count).then_some(start + nonce);
        }
    }
    None
}
