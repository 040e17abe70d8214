//! Which instruction sets there are, and the choice among them at run time.

use super::kernel::Sweep;
use super::narrow::Narrow;
use crate::Once;
use alloc::vec::Vec;

/// The loops of one instruction set. All functions ask for the promises of their arguments' types.
pub(super) struct Tier {
    #[cfg_attr(not(test), expect(dead_code, reason = "told by tests"))]
    pub name: &'static str,
    /// Bytes of a vector.
    pub vector: usize,
    /// The most layers in one pass over memory, at most 3: sixteen runs, a power of two apart, do not fit the ways of a
    /// first-level cache, and cost twice the time of eight.
    pub max_step: usize,
    /// A sweep, or its transpose.
    pub sweep: unsafe fn(&Sweep, bool),
    /// A sweep of three layers of one node that writes past the cache, if the machine can; if a node is given, the input, which may
    /// then be written, becomes its output.
    pub past: Option<unsafe fn(&Sweep, Option<usize>)>,
    /// The layers of runs below a vector, or their transpose, if there is a fast way.
    pub narrow: Option<unsafe fn(&Narrow, bool)>,
    /// `to += t from`.
    pub accumulate: unsafe fn(*mut u8, *const u8, usize, u32),
}

/// The tiers that this machine has, the fastest first. A tier must not be used on a machine that does not list it.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(clippy::vec_init_then_push, reason = "elsewhere there is one tier")
)]
pub(super) fn tiers() -> Vec<&'static Tier> {
    let mut tiers = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if super::gfni512::available() {
            tiers.push(&super::gfni512::TIER);
        }
        if super::gfni256::available() {
            tiers.push(&super::gfni256::TIER);
        }
        if super::avx2::available() {
            tiers.push(&super::avx2::TIER);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if super::neon::available() {
        tiers.push(&super::neon::TIER);
    }
    tiers.push(&super::portable::TIER);
    tiers
}

/// The fastest tier of this machine.
pub(super) fn best() -> &'static Tier {
    static BEST: Once<&Tier> = Once::new();
    BEST.get(|| tiers()[0])
}
