//! Peak live heap of a piece of code.
//!
//! The counting allocator passes `alloc_zeroed` and `realloc` on to the system: one that emulates
//! them writes every zeroed page by hand, and that alone would show in the timings.

use std::alloc::System;

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// Starts a measurement: what is live now counts as zero.
pub fn reset() {
    HEAP.reset_peak_memory();
}

/// The most bytes that were live at once since [`reset`], above what was live then.
///
/// All threads count, so nothing else may run meanwhile.
pub fn peak() -> usize {
    HEAP.get_peak_memory()
}
