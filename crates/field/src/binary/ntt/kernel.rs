//! The loops of the transform, once for all instruction sets.
//!
//! A [`Sweep`] does `log_radix` layers of some nodes in one pass over memory, with one vector of each of the
//! `2^log_radix` runs of a node in registers. Everything is inlined into functions that enable the instruction set.

use super::runs::Runs;
use crate::binary::domain::point;

/// Nodes that follow each other in memory, and what to do with them.
///
/// Node `n` is `2^log_radix` runs, `stride` bytes apart, and the first `length` bytes of each are transformed. The node at
/// heap position `j` of its layer, which is the position of its first row shifted by the layer's number plus one,
/// has the factor `w(2j)`.
pub(super) struct Sweep {
    /// The input.
    pub from: *const u8,
    /// The output: the same as `from`, or memory apart from it.
    pub to: *mut u8,
    pub stride: usize,
    pub length: usize,
    /// Prefetches the input, in each run. False if it is in the cache.
    pub ahead: bool,
    pub log_radix: usize,
    /// The index of the first node.
    pub node: usize,
    pub nodes: usize,
}

impl Sweep {
    /// Whether some factor is outside T1.
    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        (self.node + self.nodes) << (self.log_radix - 1) > 1 << 15
    }
}

/// Vectors of an instruction set, with factors from T1 or from T2.
///
/// # Safety
/// All functions may be called only where the instruction set is there; pointers are good for as many bytes as are
/// read or written.
pub(super) trait Kernel {
    /// A vector of [`Kernel::BYTES`] bytes.
    type V: Copy;
    /// A factor, made ready.
    type F: Copy;
    const BYTES: usize;
    /// The most layers in one pass over memory, two or three.
    const MAX_STEP: usize;

    unsafe fn load(at: *const u8) -> Self::V;
    unsafe fn store(at: *mut u8, v: Self::V);
    /// Stores past the cache, if a whole vector may be stored there so. Done when [`Kernel::settle`] is.
    #[inline(always)]
    unsafe fn stream(at: *mut u8, v: Self::V) {
        // SAFETY: the CPU has `Self`'s instructions, and `BYTES` bytes at `at` can be written: `store` asks for no more.
        unsafe { Self::store(at, v) }
    }
    /// Orders all that was streamed before what this thread writes next.
    #[inline(always)]
    unsafe fn settle() {}
    /// Loads `count < BYTES` bytes and fills up with zeros.
    unsafe fn load_part(at: *const u8, count: usize) -> Self::V;
    /// Stores the first `count < BYTES` bytes.
    unsafe fn store_part(at: *mut u8, v: Self::V, count: usize);
    /// Asks for the line at an address, which may be none of ours; `once` if it is not read again soon.
    #[inline(always)]
    unsafe fn ask(_at: *const u8, _once: bool) {}
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn factor(t: u32) -> Self::F;
    /// The factor `w(q)` of a position.
    #[inline(always)]
    unsafe fn factor_at(q: u32) -> Self::F {
        // SAFETY: the CPU has `Self`'s instructions.
        unsafe { Self::factor(point(q)) }
    }
    /// The factor `s + t`.
    unsafe fn add_factors(s: &Self::F, t: &Self::F) -> Self::F;
    /// `u + t v`.
    unsafe fn add_product(u: Self::V, v: Self::V, t: &Self::F) -> Self::V;
}

/// The factors `w(2i)`, by which those of nodes below the same node differ.
const OFFSETS: [u32; 4] = [point(0), point(2), point(4), point(6)];

/// The factors of a node and those below it, in heap order; the entry 0 is unused. `offsets` are those of [`OFFSETS`].
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn factors<K: Kernel, const R: usize>(node: usize, offsets: &[K::F; 4]) -> [K::F; R] {
    // SAFETY: the CPU has `K`'s instructions; `offsets` has an entry for every `i` below `1 << level`, of which there are
    // at most four.
    unsafe {
        let mut factors = [K::factor_at((node << 1) as u32); R];
        let mut level = 1;
        while 1 << level < R {
            // w is linear, and the bits of `i` are free in the first index.
            let first = K::factor_at((node << (level + 1)) as u32);
            factors[1 << level] = first;
            for i in 1..1 << level {
                factors[(1 << level) + i] = K::add_factors(&first, &offsets[i]);
            }
            level += 1;
        }
        factors
    }
}

/// One butterfly: `u += t v; v += u`, or its transpose `u += v; v += t u`.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
pub(super) unsafe fn two<K: Kernel, const R: usize, const T: bool>(
    x: &mut [K::V; R],
    i: usize,
    j: usize,
    t: &K::F,
) {
    // SAFETY: the CPU has `K`'s instructions; nothing but the borrowed vectors is touched.
    unsafe {
        if T {
            x[i] = K::add(x[i], x[j]);
            x[j] = K::add_product(x[j], x[i], t);
        } else {
            x[i] = K::add_product(x[i], x[j], t);
            x[j] = K::add(x[j], x[i]);
        }
    }
}

/// Two layers: the node `n` of four vectors from `i`. Written out, as are the following, so that vectors stay in
/// registers.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn four<K: Kernel, const R: usize, const T: bool>(
    x: &mut [K::V; R],
    i: usize,
    f: &[K::F; R],
    n: usize,
) {
    // SAFETY: the CPU has `K`'s instructions; nothing but the borrowed vectors is touched.
    unsafe {
        if T {
            two::<K, R, T>(x, i, i + 1, &f[2 * n]);
            two::<K, R, T>(x, i + 2, i + 3, &f[2 * n + 1]);
        }
        two::<K, R, T>(x, i, i + 2, &f[n]);
        two::<K, R, T>(x, i + 1, i + 3, &f[n]);
        if !T {
            two::<K, R, T>(x, i, i + 1, &f[2 * n]);
            two::<K, R, T>(x, i + 2, i + 3, &f[2 * n + 1]);
        }
    }
}

/// Three layers.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn eight<K: Kernel, const R: usize, const T: bool>(x: &mut [K::V; R], f: &[K::F; R]) {
    // SAFETY: the CPU has `K`'s instructions; nothing but the borrowed vectors is touched.
    unsafe {
        if T {
            four::<K, R, T>(x, 0, f, 2);
            four::<K, R, T>(x, 4, f, 3);
        }
        two::<K, R, T>(x, 0, 4, &f[1]);
        two::<K, R, T>(x, 1, 5, &f[1]);
        two::<K, R, T>(x, 2, 6, &f[1]);
        two::<K, R, T>(x, 3, 7, &f[1]);
        if !T {
            four::<K, R, T>(x, 0, f, 2);
            four::<K, R, T>(x, 4, f, 3);
        }
    }
}

/// All layers of a node.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn node<K: Kernel, const R: usize, const T: bool>(x: &mut [K::V; R], f: &[K::F; R]) {
    // SAFETY: the CPU has `K`'s instructions; nothing but the borrowed vectors is touched.
    unsafe {
        match R {
            2 => two::<K, R, T>(x, 0, 1, &f[1]),
            4 => four::<K, R, T>(x, 0, f, 1),
            _ => eight::<K, R, T>(x, f),
        }
    }
}

/// From which length on a sweep begins at a whole vector of the output. Below, two parts of vectors cost more than vectors
/// across lines do.
const ALIGNED_FROM: usize = 1 << 11;

/// Bytes before the first whole vector of the output, if they are whole elements. None for vectors shorter than a line.
#[inline(always)]
fn head<K: Kernel>(s: &Sweep) -> usize {
    if K::BYTES < 64 {
        return 0;
    }
    let head = s.to.align_offset(K::BYTES);
    if s.length >= ALIGNED_FROM && head < K::BYTES && head.is_multiple_of(8) { head } else { 0 }
}

/// Distance of the prefetch. Runs are a power of two apart, which the processor's own prefetching does not follow. Tuned.
const AHEAD: usize = 1 << 11;

/// A node of `R` runs, transposed or not: `count < BYTES` bytes of each from `offset` on.
///
/// # Safety
/// That of [`Kernel`]; the runs of `from` and `to` are good for so many bytes.
#[inline(always)]
unsafe fn part<K: Kernel, const R: usize, const T: bool>(
    (from, to): (*const u8, *mut u8),
    stride: usize,
    (offset, count): (usize, usize),
    f: &[K::F; R],
) {
    if count == 0 {
        return;
    }
    // SAFETY: the CPU has `K`'s instructions; bytes `offset..offset + count` of the run at `k * stride` are within its
    // length.
    unsafe {
        let mut x = [K::load_part(from.add(offset), count); R];
        for (k, x) in x.iter_mut().enumerate().skip(1) {
            *x = K::load_part(from.add(offset + k * stride), count);
        }
        node::<K, R, T>(&mut x, f);
        for (k, &x) in x.iter().enumerate() {
            K::store_part(to.add(offset + k * stride), x, count);
        }
    }
}

/// A sweep with `R` runs, transposed or not.
///
/// # Safety
/// That of [`Kernel`], and the promises of [`Sweep`].
#[inline(always)]
unsafe fn runs<K: Kernel, const R: usize, const T: bool>(s: &Sweep) {
    let head = head::<K>(s);
    let whole = s.length - (s.length - head) % K::BYTES;
    // An input apart from the output is a message, from which many blocks are made, but long after each other.
    let once = s.from != s.to.cast_const();
    // SAFETY: what is read and written of a run is below its length, and each run is good for `length` bytes.
    unsafe {
        let [a, b, c, d] = OFFSETS;
        let offsets = [K::factor(a), K::factor(b), K::factor(c), K::factor(d)];
        for n in 0..s.nodes {
            let (from, to) = (s.from.add(n * R * s.stride), s.to.add(n * R * s.stride));
            let f = factors::<K, R>(s.node + n, &offsets);
            for ends in [(0, head), (whole, s.length - whole)] {
                part::<K, R, T>((from, to), s.stride, ends, &f);
            }
            let (mut read, mut written) =
                (Runs::new(from.add(head).cast_mut(), s.stride), Runs::new(to.add(head), s.stride));
            for _ in 0..(whole - head) / K::BYTES {
                if s.ahead {
                    for k in 0..R {
                        K::ask(read.run(k).wrapping_add(AHEAD), once);
                    }
                }
                let mut x = [K::load(read.run(0)); R];
                for (k, x) in x.iter_mut().enumerate().skip(1) {
                    *x = K::load(read.run(k));
                }
                node::<K, R, T>(&mut x, &f);
                for (k, &x) in x.iter().enumerate() {
                    K::store(written.run(k), x);
                }
                read.advance(K::BYTES);
                written.advance(K::BYTES);
            }
        }
    }
}

/// A sweep, transposed or not.
///
/// # Safety
/// That of [`Kernel`], and the promises of [`Sweep`].
#[inline(always)]
pub(super) unsafe fn sweep<K: Kernel>(s: &Sweep, transposed: bool) {
    // SAFETY: the CPU has `K`'s instructions, and the runs of `s` are good for `length` bytes.
    unsafe {
        match (s.log_radix, transposed) {
            (1, false) => runs::<K, 2, false>(s),
            (2, false) => runs::<K, 4, false>(s),
            (1, true) => runs::<K, 2, true>(s),
            (2, true) => runs::<K, 4, true>(s),
            // Compiled for no instruction set that does not use it.
            (3, false) if const { K::MAX_STEP == 3 } => runs::<K, 8, false>(s),
            (3, true) if const { K::MAX_STEP == 3 } => runs::<K, 8, true>(s),
            _ => unreachable!("one layer to as many as the instruction set has registers for"),
        }
    }
}

/// The sweep of three layers over a message whose output is too large for the cache: it is written past it, so that nothing is
/// read but the message. With `HERE`, the message becomes the output of the node `here` besides.
///
/// # Safety
/// That of [`Kernel`], and the promises of [`Sweep`], which is of one node; with `HERE`, `from` may be written.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 writes so"))]
#[inline(always)]
pub(super) unsafe fn past<K: Kernel, const HERE: bool>(s: &Sweep, here: usize) {
    let head = head::<K>(s);
    let whole = s.length - (s.length - head) % K::BYTES;
    // SAFETY: what is read and written of a run is below its length, and each run is good for `length` bytes.
    unsafe {
        let [a, b, c, d] = OFFSETS;
        let offsets = [K::factor(a), K::factor(b), K::factor(c), K::factor(d)];
        let (f, g) = (factors::<K, 8>(s.node, &offsets), factors::<K, 8>(here, &offsets));
        for ends in [(0, head), (whole, s.length - whole)] {
            part::<K, 8, false>((s.from, s.to), s.stride, ends, &f);
            if HERE {
                part::<K, 8, false>((s.from, s.from.cast_mut()), s.stride, ends, &g);
            }
        }
        let (mut read, mut written) =
            (Runs::new(s.from.add(head).cast_mut(), s.stride), Runs::new(s.to.add(head), s.stride));
        for _ in 0..(whole - head) / K::BYTES {
            let mut x = [K::load(read.run(0)); 8];
            for (k, x) in x.iter_mut().enumerate() {
                K::ask(read.run(k).wrapping_add(AHEAD), !HERE);
                *x = K::load(read.run(k));
            }
            let mut y = x;
            node::<K, 8, false>(&mut y, &f);
            for (k, &y) in y.iter().enumerate() {
                K::stream(written.run(k), y);
            }
            if HERE {
                node::<K, 8, false>(&mut x, &g);
                for (k, &x) in x.iter().enumerate() {
                    K::store(read.run(k), x);
                }
            }
            read.advance(K::BYTES);
            written.advance(K::BYTES);
        }
        K::settle();
    }
}

/// `to += t from`, `count` bytes.
///
/// # Safety
/// That of [`Kernel`]; both pointers are good for `count` bytes.
#[inline(always)]
pub(super) unsafe fn accumulate<K: Kernel>(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: offsets stay below `count`.
    unsafe {
        let f = K::factor(t);
        let mut offset = 0;
        while offset + K::BYTES <= count {
            let sum = K::add_product(K::load(to.add(offset)), K::load(from.add(offset)), &f);
            K::store(to.add(offset), sum);
            offset += K::BYTES;
        }
        let rest = count - offset;
        if rest > 0 {
            let u = K::load_part(to.add(offset), rest);
            let sum = K::add_product(u, K::load_part(from.add(offset), rest), &f);
            K::store_part(to.add(offset), sum, rest);
        }
    }
}
