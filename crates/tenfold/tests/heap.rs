//! What provers and verifiers take of memory. The heap counter is one for the process, so its tests run one after the other.

#[path = "heap/prover.rs"]
mod prover;
#[path = "heap/ring_switching.rs"]
mod ring_switching;
#[path = "heap/verifier.rs"]
mod verifier;
#[path = "heap/weights.rs"]
mod weights;

use peakmem_alloc::PeakMemAlloc;
use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};
// Schemes that are compiled there are not compiled again here.
use tenfold as _;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

static ONE_TEST: Mutex<()> = Mutex::new(());

/// Waits until no other test runs.
fn alone() -> MutexGuard<'static, ()> {
    ONE_TEST.lock().unwrap_or_else(PoisonError::into_inner)
}
