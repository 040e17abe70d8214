//! The passes of [`fft`](crate::fft) with eight elements in a vector.

use ark_ff::MontConfig;

use super::INSTRUCTIONS;
use super::eight::{Eight, Element};
use super::eights::transposed;
use crate::fft::{self, Pack, Plan};
use field::cpu;

impl<P: MontConfig<4>> Pack<Element<P>> for Eight<P> {
    const WIDTH: usize = 8;

    fn available() -> bool {
        cpu::has(INSTRUCTIONS)
    }

    #[inline(always)]
    fn pack(values: &[Element<P>]) -> Self {
        assert!(Self::available(), "instructions that this CPU does not have");
        let values = values.as_array().expect("eight elements");
        // SAFETY: the CPU has AVX-512 F, DQ and IFMA by the assertion above.
        unsafe { load(values) }
    }

    fn columns(plan: &Plan<Element<P>, Self>, values: &[Element<P>], block: usize, out: &mut [Self]) {
        // SAFETY: where there is an `Eight`, the CPU has the instructions, and `out` has some.
        unsafe { columns(plan, values, block, out) }
    }

    fn rows(plan: &Plan<Element<P>, Self>, middle: &[Self], block: usize, out: &mut [Self]) {
        // SAFETY: where there is an `Eight`, the CPU has the instructions, and `out` has some.
        unsafe { rows(plan, middle, block, out) }
    }

    fn unpack(packs: &[Self], stride: usize, values: &mut [Element<P>]) {
        if !packs.is_empty() {
            // SAFETY: where there is an `Eight`, the CPU has the instructions.
            unsafe { unpack(packs, stride, values) }
        }
    }

    #[inline(always)]
    fn products(a: [&Self; 2], b: [&Self; 2]) -> [Self; 2] {
        Self::products(a, b)
    }

    #[inline(always)]
    fn transpose(packs: &mut [Self]) {
        if let Some(eight) = packs.as_mut_array() {
            *eight = transposed(eight);
        }
    }
}

/// A part of the passes, and a function of its own for those who make constants: their code has not the instructions.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline]
unsafe fn load<P: MontConfig<4>>(values: &[Element<P>; 8]) -> Eight<P> {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe { Eight::load(values) }
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn columns<P: MontConfig<4>>(
    plan: &Plan<Element<P>, Eight<P>>,
    values: &[Element<P>],
    block: usize,
    out: &mut [Eight<P>],
) {
    fft::columns(plan, values, block, out);
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn rows<P: MontConfig<4>>(
    plan: &Plan<Element<P>, Eight<P>>,
    middle: &[Eight<P>],
    block: usize,
    out: &mut [Eight<P>],
) {
    fft::rows(plan, middle, block, out);
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn unpack<P: MontConfig<4>>(packs: &[Eight<P>], stride: usize, values: &mut [Element<P>]) {
    let eights = values.as_chunks_mut::<8>().0;
    for i in 0..eights.len() {
        packs[i * stride].store(&mut eights[i]);
    }
}
