//! Carry-less products on vectors of 128-bit lanes, and the choice of the instruction set.
//!
//! A kernel is written once, over a [`Vector`]; each instruction set is one file with one vector type and one function
//! that runs a kernel with its instructions. [`dispatch`] picks the tier, once for each slice.
//!
//! (notes: binary-kernels)

#[cfg(target_arch = "x86_64")]
mod pclmul;
#[cfg(target_arch = "aarch64")]
mod pmull;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vpclmul256;
#[cfg(target_arch = "x86_64")]
mod vpclmul512;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::cpu::{self, Features};

/// A vector of 128-bit lanes, each of two 64-bit words: the low one first.
///
/// A value exists only where the instructions do: the constructors are unsafe, the rest is safe.
pub trait Vector: Copy {
    /// The number of lanes: 1, 2 or 4.
    const LANES: usize;

    /// The same 128 bits in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    unsafe fn splat(x: u128) -> Self;

    /// The lanes at `from`, `from + stride`, ... (in bytes, any alignment).
    ///
    /// # Safety
    /// The CPU has the instructions of this type, and the 16 bytes at each of the places can be read.
    unsafe fn load(from: *const u8, stride: usize) -> Self;

    /// Writes the lanes to `to`, `to + stride`, ... (in bytes, any alignment).
    ///
    /// # Safety
    /// The 16 bytes at each of the places can be written.
    unsafe fn store(self, to: *mut u8, stride: usize);

    /// The first lane.
    fn first(self) -> u128;

    /// [`Vector::splat`], safe because `self` exists.
    #[inline(always)]
    fn same(self, x: u128) -> Self {
        // SAFETY: a value of the type exists, so the CPU has the instructions.
        unsafe { Self::splat(x) }
    }

    fn xor(self, other: Self) -> Self;

    /// In each lane the carry-less product of one word of `self` (the high one if bit 0 of `WORDS` is set) and one of
    /// `other` (bit 4).
    fn clmul<const WORDS: i32>(self, other: Self) -> Self;

    /// In each lane the low word of `self`, then the low word of `other`.
    fn low_words(self, other: Self) -> Self;

    /// In each lane the high word of `self`, then the high word of `other`.
    fn high_words(self, other: Self) -> Self;

    /// Both words of each lane exchanged.
    fn swap(self) -> Self;

    /// Each word shifted left.
    fn left<const BITS: i32>(self) -> Self;

    /// Each word shifted right.
    fn right<const BITS: i32>(self) -> Self;

    /// The even and the odd lanes of `self` followed by `other`.
    fn split_lanes(self, other: Self) -> (Self, Self);

    /// The even and the odd words of `self` followed by `other`.
    fn split_words(self, other: Self) -> (Self, Self);
}

/// A computation over any vector type.
pub(super) trait Kernel {
    type Output;

    /// The computation. Always inlined, so that it is compiled with the instructions of the caller.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    unsafe fn run<V: Vector>(self) -> Self::Output;
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    /// Integer products.
    Portable,
    /// PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Pclmul,
    /// VPCLMULQDQ on 256 bits.
    #[cfg(target_arch = "x86_64")]
    Vpclmul256,
    /// VPCLMULQDQ on 512 bits.
    #[cfg(target_arch = "x86_64")]
    Vpclmul512,
    /// PMULL.
    #[cfg(target_arch = "aarch64")]
    Pmull,
}

impl Tier {
    /// The tiers that this CPU can run, the fastest last.
    fn has(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Pclmul => cpu::has(Features::PCLMULQDQ),
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul256 => cpu::has(Features::VPCLMULQDQ.and(Features::AVX2)),
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul512 => cpu::has(Features::VPCLMULQDQ.and(Features::AVX512F)),
            #[cfg(target_arch = "aarch64")]
            Self::Pmull => cpu::has(Features::PMULL),
        }
    }

    /// Every tier of this architecture, the fastest first.
    const ALL: &[Self] = &[
        #[cfg(target_arch = "x86_64")]
        Self::Vpclmul512,
        #[cfg(target_arch = "x86_64")]
        Self::Vpclmul256,
        #[cfg(target_arch = "x86_64")]
        Self::Pclmul,
        #[cfg(target_arch = "aarch64")]
        Self::Pmull,
        Self::Portable,
    ];

    /// The tiers of this CPU, the fastest first.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|tier| tier.has())
    }

    /// Runs a kernel with this tier's instructions.
    ///
    /// # Panics
    /// If the CPU does not have them.
    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        assert!(self.has(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        unsafe {
            match self {
                Self::Portable => kernel.run::<portable::Words>(),
                #[cfg(target_arch = "x86_64")]
                Self::Pclmul => pclmul::run(kernel),
                #[cfg(target_arch = "x86_64")]
                Self::Vpclmul256 => vpclmul256::run(kernel),
                #[cfg(target_arch = "x86_64")]
                Self::Vpclmul512 => vpclmul512::run(kernel),
                #[cfg(target_arch = "aarch64")]
                Self::Pmull => pmull::run(kernel),
            }
        }
    }
}

/// Runs a kernel on slices with the fastest instructions of this CPU.
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Tier::available().next().expect("the portable tier").run(kernel)
}

/// Runs a kernel on one element: inline where the build knows the CPU, through the cached detection elsewhere.
#[inline(always)]
pub(super) fn scalar<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
    // SAFETY: the whole build is for CPUs with these instructions.
    return unsafe { kernel.run::<pclmul::Lane>() };
    #[cfg(all(target_arch = "x86_64", not(target_feature = "pclmulqdq")))]
    return Tier::Pclmul.or_portable(kernel);
    #[cfg(all(target_arch = "aarch64", target_feature = "aes"))]
    // SAFETY: the whole build is for CPUs with these instructions.
    return unsafe { kernel.run::<pmull::Lane>() };
    #[cfg(all(target_arch = "aarch64", not(target_feature = "aes")))]
    return Tier::Pmull.or_portable(kernel);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return Tier::Portable.run(kernel);
}

#[cfg(any(
    all(target_arch = "x86_64", not(target_feature = "pclmulqdq")),
    all(target_arch = "aarch64", not(target_feature = "aes"))
))]
impl Tier {
    #[inline]
    fn or_portable<K: Kernel>(self, kernel: K) -> K::Output {
        if self.has() { self.run(kernel) } else { Self::Portable.run(kernel) }
    }
}

struct Product64(u64, u64);

impl Kernel for Product64 {
    type Output = u128;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> u128 {
        // SAFETY: by the contract of `run`.
        let (a, b) = unsafe { (V::splat(self.0.into()), V::splat(self.1.into())) };
        a.clmul::<0>(b).first()
    }
}

/// The carry-less product of two words.
#[inline(always)]
pub(super) fn mul64(a: u64, b: u64) -> u128 {
    scalar(Product64(a, b))
}

#[cfg(test)]
mod tests;
