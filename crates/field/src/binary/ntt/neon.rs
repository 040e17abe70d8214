//! NEON.

use core::arch::aarch64::*;

use super::kernel::{self, Kernel, Sweep};
use super::nibbles::{Bytes, Nibbles};
use super::tiers::Tier;
use crate::cpu::{self, Features};

pub(super) static TIER: Tier =
    Tier { name: "neon", vector: 16, max_step: Wide::MAX_STEP, sweep, past: None, narrow: None, accumulate };

/// Tells whether the instructions are in use.
pub(super) fn available() -> bool {
    cpu::has(Features::NEON)
}

#[target_feature(enable = "neon")]
unsafe fn sweep(s: &Sweep, transposed: bool) {
    // SAFETY: this function enables NEON; the runs of `s` are good for `length` bytes, as `Tier` asks of its callers.
    unsafe {
        if s.is_wide() {
            kernel::sweep::<Wide>(s, transposed)
        } else {
            kernel::sweep::<Nibbles<Vector, false>>(s, transposed)
        }
    }
}

#[target_feature(enable = "neon")]
unsafe fn accumulate(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: this function enables NEON; both pointers are good for `count` bytes, as `Tier` asks of its callers.
    unsafe { kernel::accumulate::<Wide>(to, from, count, t) }
}

/// Vectors of 16 bytes.
struct Vector;

/// With factors from T2.
type Wide = Nibbles<Vector, true>;

impl Bytes for Vector {
    type V = uint8x16_t;
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed, and 16 bytes at `at` can be read.
        unsafe { vld1q_u8(at) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: uint8x16_t) {
        // SAFETY: NEON was detected before the tier was listed, and 16 bytes at `at` can be written.
        unsafe { vst1q_u8(at, v) }
    }

    #[inline(always)]
    unsafe fn xor(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed; nothing but registers is touched.
        unsafe { veorq_u8(a, b) }
    }

    #[inline(always)]
    unsafe fn table(table: &[u8; 16]) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed; a table is 16 bytes.
        unsafe { vld1q_u8(table.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn look_up(tables: &[uint8x16_t; 2], v: uint8x16_t) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let low = vandq_u8(v, vdupq_n_u8(15));
            veorq_u8(vqtbl1q_u8(tables[0], low), vqtbl1q_u8(tables[1], vshrq_n_u8::<4>(v)))
        }
    }

    #[inline(always)]
    unsafe fn swap(v: uint8x16_t, step: usize) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            if step == 1 { vrev16q_u8(v) } else { vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(v))) }
        }
    }

    #[inline(always)]
    unsafe fn select(a: uint8x16_t, b: uint8x16_t, step: usize) -> uint8x16_t {
        // SAFETY: NEON was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let mask = if step == 1 {
                vreinterpretq_u8_u16(vdupq_n_u16(0xff00))
            } else {
                vreinterpretq_u8_u32(vdupq_n_u32(0xffff_0000))
            };
            vbslq_u8(mask, b, a)
        }
    }
}
