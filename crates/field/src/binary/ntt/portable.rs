//! Plain integers, for every machine: a product is a sum of images of bits. Compilers make vectors of it.

use super::factor::{columns, times_y0};
use super::kernel::{self, Kernel, Sweep};
use super::tiers::Tier;

pub(super) static TIER: Tier = Tier {
    name: "portable",
    vector: 32,
    max_step: Bits::<true>::MAX_STEP,
    sweep,
    past: None,
    narrow: None,
    accumulate,
};

/// # Safety
/// The promises of [`Sweep`].
unsafe fn sweep(s: &Sweep, transposed: bool) {
    // SAFETY: the runs of `s` are good for `length` bytes; integers need no instructions that a CPU may lack.
    unsafe {
        if s.is_wide() {
            kernel::sweep::<Bits<true>>(s, transposed)
        } else {
            kernel::sweep::<Bits<false>>(s, transposed)
        }
    }
}

/// # Safety
/// Both pointers are good for `count` bytes.
unsafe fn accumulate(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: both pointers are good for `count` bytes; integers need no instructions that a CPU may lack.
    unsafe { kernel::accumulate::<Bits<true>>(to, from, count, t) }
}

/// Vectors of eight words, each an element of T2 or two of T1.
struct Bits<const WIDE: bool>;

/// The product of each byte with the element `x` of T0.
#[inline(always)]
fn double(x: u32) -> u32 {
    ((x & 0x7f7f_7f7f) << 1) ^ (((x >> 7) & 0x0101_0101) * 0x1b)
}

/// The eight multiples of `t` by powers of `x` below 8.
#[inline(always)]
fn fill(images: &mut [u32], mut t: u32) {
    for image in images {
        *image = t;
        t = double(t);
    }
}

impl<const WIDE: bool> Kernel for Bits<WIDE> {
    type V = [u32; 8];
    /// The product with each bit of a word, or of a half, both halves alike.
    type F = [u32; 32];
    const BYTES: usize = 32;
    const MAX_STEP: usize = 2;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> [u32; 8] {
        // SAFETY: 32 bytes at `at` can be read, and any bytes are words.
        let words: [[u8; 4]; 8] = unsafe { at.cast::<[[u8; 4]; 8]>().read_unaligned() };
        words.map(u32::from_le_bytes)
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: [u32; 8]) {
        // SAFETY: 32 bytes at `at` can be written.
        unsafe { at.cast::<[[u8; 4]; 8]>().write_unaligned(v.map(u32::to_le_bytes)) }
    }

    #[inline(always)]
    unsafe fn load_part(at: *const u8, count: usize) -> [u32; 8] {
        let mut bytes = [0; 32];
        // SAFETY: `count < 32` bytes at `at` can be read, and `bytes` holds a vector.
        unsafe {
            core::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), count);
            Self::load(bytes.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn store_part(at: *mut u8, v: [u32; 8], count: usize) {
        let mut bytes = [0; 32];
        // SAFETY: `count < 32` bytes at `at` can be written, and `bytes` holds a vector.
        unsafe {
            Self::store(bytes.as_mut_ptr(), v);
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), at, count);
        }
    }

    #[inline(always)]
    unsafe fn add(mut a: [u32; 8], b: [u32; 8]) -> [u32; 8] {
        a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
        a
    }

    // A call, as the next two: a pass makes a few factors of each node, in many places.
    #[inline(never)]
    unsafe fn factor(t: u32) -> [u32; 32] {
        let mut images = [0; 32];
        if WIDE {
            for (images, t) in images.chunks_exact_mut(8).zip(columns(t)) {
                fill(images, t);
            }
        } else {
            let t = t | t << 16;
            fill(&mut images[..8], t);
            fill(&mut images[8..16], times_y0(t));
        }
        images
    }

    #[inline(never)]
    unsafe fn add_factors(s: &[u32; 32], t: &[u32; 32]) -> [u32; 32] {
        core::array::from_fn(|i| s[i] ^ t[i])
    }

    // Inlined it makes functions of 200 KB.
    #[inline(never)]
    unsafe fn add_product(mut u: [u32; 8], v: [u32; 8], t: &[u32; 32]) -> [u32; 8] {
        let bits = if WIDE { 32 } else { 16 };
        for (i, image) in t[..bits].iter().enumerate() {
            for (u, v) in u.iter_mut().zip(v) {
                // All ones where bit i is set, in words or in halves of words.
                let mask = if WIDE {
                    0u32.wrapping_sub((v >> i) & 1)
                } else {
                    let bit = (v >> i) & 0x0001_0001;
                    (bit << 16).wrapping_sub(bit)
                };
                *u ^= mask & image;
            }
        }
        u
    }
}
