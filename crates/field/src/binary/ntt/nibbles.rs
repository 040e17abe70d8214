//! Products by tables of the 16 values of a nibble, for instruction sets that look up bytes in a vector but have
//! no product in GF(2^8).
//!
//! With `t = c0 + c1 Y_0 + c2 Y_1 + c3 Y_0 Y_1`, all `c` in T0, `t x` is the sum of the products of all bytes of `x`,
//! `Y_0 x`, `Y_1 x` and `Y_0 Y_1 x` by one constant each: two lookups. For `t` in T1 the first two are enough.

use super::kernel::Kernel;
use crate::binary::tower::{D0, mul8};

/// `TABLES[c]` holds the products of `c` with `0, ..., 15` and with `0, 16, ..., 240`.
static TABLES: [[[u8; 16]; 2]; 256] = {
    let mut tables = [[[0; 16]; 2]; 256];
    let mut c = 0;
    while c < 256 {
        let mut i = 0;
        while i < 16 {
            tables[c][0][i] = mul8(c as u8, i as u8);
            tables[c][1][i] = mul8(c as u8, (i << 4) as u8);
            i += 1;
        }
        c += 1;
    }
    tables
};

/// What is asked of an instruction set.
///
/// # Safety
/// That of [`Kernel`].
pub(super) trait Bytes {
    type V: Copy;
    const BYTES: usize;
    unsafe fn load(at: *const u8) -> Self::V;
    unsafe fn store(at: *mut u8, v: Self::V);
    unsafe fn xor(a: Self::V, b: Self::V) -> Self::V;
    /// The table in each group of 16 bytes.
    unsafe fn table(table: &[u8; 16]) -> Self::V;
    /// Looks up the low and the high nibbles, and adds.
    unsafe fn look_up(tables: &[Self::V; 2], v: Self::V) -> Self::V;
    /// Bytes permuted by `i -> i ^ 1` if `step` is 1, by `i -> i ^ 2` if it is 2.
    unsafe fn swap(v: Self::V, step: usize) -> Self::V;
    /// The bytes of `a` where bit `step` of the index is clear, those of `b` where it is set.
    unsafe fn select(a: Self::V, b: Self::V, step: usize) -> Self::V;
}

/// The kernel of an instruction set, with factors from T2 or from T1.
pub(super) struct Nibbles<B, const WIDE: bool>(core::marker::PhantomData<B>);

/// A factor: the tables of its constants, and those of `d_0`.
pub(super) type Tables<V> = ([[V; 2]; 4], [V; 2]);

/// The tables of a constant.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn tables<B: Bytes>(c: u8) -> [B::V; 2] {
    let [low, high] = &TABLES[c as usize];
    // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
    unsafe { [B::table(low), B::table(high)] }
}

/// `Y_0 x`: from `(x0, x1)` to `(d_0 x1, x0 + x1)`.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn times_y0<B: Bytes>(x: B::V, d: &[B::V; 2]) -> B::V {
    // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
    unsafe {
        let swapped = B::swap(x, 1);
        B::select(B::look_up(d, swapped), B::xor(x, swapped), 1)
    }
}

/// `Y_1 x`: from `(x0, x1)` to `(d_0 Y_0 x1, x0 + x1)`.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn times_y1<B: Bytes>(x: B::V, d: &[B::V; 2]) -> B::V {
    // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
    unsafe {
        let swapped = B::swap(x, 2);
        let low = B::look_up(d, times_y0::<B>(swapped, d));
        B::select(low, B::xor(x, swapped), 2)
    }
}

impl<B: Bytes, const WIDE: bool> Kernel for Nibbles<B, WIDE> {
    type V = B::V;
    type F = Tables<B::V>;
    const BYTES: usize = B::BYTES;
    const MAX_STEP: usize = 2;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> B::V {
        // SAFETY: the CPU has `B`'s instructions, and a vector of bytes at `at` can be read.
        unsafe { B::load(at) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: B::V) {
        // SAFETY: the CPU has `B`'s instructions, and a vector of bytes at `at` can be written.
        unsafe { B::store(at, v) }
    }

    #[inline(always)]
    unsafe fn load_part(at: *const u8, count: usize) -> B::V {
        let mut bytes = [0; 32];
        // SAFETY: the CPU has `B`'s instructions; `count` bytes at `at` can be read, fewer than a vector, which is at most
        // the 32 of `bytes`.
        unsafe {
            core::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), count);
            B::load(bytes.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn store_part(at: *mut u8, v: B::V, count: usize) {
        let mut bytes = [0; 32];
        // SAFETY: the CPU has `B`'s instructions; `count` bytes at `at` can be written, fewer than a vector, which is at most the
        // 32 of `bytes`.
        unsafe {
            B::store(bytes.as_mut_ptr(), v);
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), at, count);
        }
    }

    #[inline(always)]
    unsafe fn add(a: B::V, b: B::V) -> B::V {
        // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
        unsafe { B::xor(a, b) }
    }

    #[inline(always)]
    unsafe fn factor(t: u32) -> Tables<B::V> {
        let [a, b, c, d] = t.to_le_bytes();
        // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
        unsafe { ([tables::<B>(a), tables::<B>(b), tables::<B>(c), tables::<B>(d)], tables::<B>(D0)) }
    }

    #[inline(always)]
    unsafe fn add_factors((s, d): &Tables<B::V>, (t, _): &Tables<B::V>) -> Tables<B::V> {
        let mut sum = *s;
        for (sum, t) in sum.iter_mut().zip(t) {
            // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
            *sum = unsafe { [B::xor(sum[0], t[0]), B::xor(sum[1], t[1])] };
        }
        (sum, *d)
    }

    #[inline(always)]
    unsafe fn add_product(u: B::V, v: B::V, (t, d): &Tables<B::V>) -> B::V {
        // SAFETY: the CPU has `B`'s instructions; nothing but registers is touched.
        unsafe {
            let y0 = times_y0::<B>(v, d);
            let sum = B::xor(u, B::xor(B::look_up(&t[0], v), B::look_up(&t[1], y0)));
            if !WIDE {
                return sum;
            }
            let (y1, y0y1) = (times_y1::<B>(v, d), times_y1::<B>(y0, d));
            B::xor(sum, B::xor(B::look_up(&t[2], y1), B::look_up(&t[3], y0y1)))
        }
    }
}
