//! Memory asked for before its turn.

/// Asks for the cache lines of a value, and does not wait for them: a core that reads them stops when its queue is full of what follows.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    let (start, last) = (core::ptr::from_ref(value).cast::<u8>(), size_of::<T>().saturating_sub(1));
    let mut at = 0;
    while at < last {
        line(start.wrapping_add(at));
        at += LINE;
    }
    line(start.wrapping_add(last));
}

/// No lines are shorter where prefetches are known here.
const LINE: usize = 64;

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn line(at: *const u8) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every CPU of the architecture has the instruction, and it reads nothing, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn line(at: *const u8) {
    // SAFETY: every CPU of the architecture has the instruction, and it reads nothing, whatever the address.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn line(_: *const u8) {}
