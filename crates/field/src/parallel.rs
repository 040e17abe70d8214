//! Parallel loops over slices and other items, on the current thread pool.
//!
//! The scheduling is compiled once, here: a loop of its own for each combination of fields and closures made up a fifth of all generated code.
//! What is generic are the items and the closure's body. Without the feature `prover` the loops are sequential.

use alloc::vec::Vec;
#[cfg(feature = "prover")]
use rayon::prelude::*;
#[cfg(feature = "prover")]
use std::sync::{Mutex, PoisonError};

/// The number of threads of the current pool.
#[must_use]
pub fn threads() -> usize {
    #[cfg(feature = "prover")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "prover"))]
    1
}

/// Calls `task` with every number below `count`, in any order.
///
/// Cost: about a hundred nanoseconds for each number; one that stands for less work than some microseconds is too small.
pub fn tasks(count: usize, task: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "prover")]
    if count > 1 && threads() > 1 {
        return (0..count).into_par_iter().for_each(task);
    }
    (0..count).for_each(task);
}

/// Calls both, at once if there are several threads.
pub fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    #[cfg(feature = "prover")]
    if threads() > 1 {
        rayon::join(one, other);
        return;
    }
    one();
    other();
}

/// Calls `task` with every item, in any order: chunks of slices, mostly.
///
/// Cost: as [`tasks`], and a slot of memory for each item if there are several threads.
pub fn for_each<I: Send>(items: impl Iterator<Item = I>, task: impl Fn(I) + Sync) {
    #[cfg(feature = "prover")]
    if threads() > 1 {
        let slots: Vec<Mutex<Option<I>>> = items.map(|item| Mutex::new(Some(item))).collect();
        return tasks(slots.len(), &|i| {
            let item = slots[i].lock().unwrap_or_else(PoisonError::into_inner).take();
            item.into_iter().for_each(&task);
        });
    }
    items.for_each(task);
}

/// The results of `task` for every item, in the order of the items.
///
/// Cost: as [`for_each`].
pub fn map<I: Send, R: Send>(items: impl Iterator<Item = I>, task: impl Fn(I) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "prover")]
    if threads() > 1 {
        let items: Vec<I> = items.collect();
        let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
        for_each(items.into_iter().zip(&mut results), |(item, result)| *result = Some(task(item)));
        return results.into_iter().flatten().collect();
    }
    items.map(task).collect()
}

#[cfg(all(test, feature = "prover"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn on_threads(count: usize, run: impl FnOnce() + Send) {
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(run);
    }

    #[test]
    fn every_item_is_taken_once_and_results_keep_their_order() {
        for count in [1, 2, 5] {
            on_threads(count, || {
                assert_eq!(threads(), count);
                for length in [0, 1, 2, 7, 1000] {
                    let mut out = vec![0; length];
                    let values: Vec<usize> = (0..length).collect();
                    for_each(out.chunks_mut(3).zip(values.chunks(3)), |(out, values)| {
                        out.iter_mut().zip(values).for_each(|(out, value)| *out += value + 1);
                    });
                    assert!(out.iter().zip(1..).all(|(&out, expected)| out == expected));
                    let squares = map(values.iter(), |x| x * x);
                    assert!(squares.iter().enumerate().all(|(i, &square)| square == i * i));
                    assert_eq!(squares.len(), length);
                    let sum = AtomicUsize::new(0);
                    tasks(length, &|i| {
                        sum.fetch_add(i, Ordering::Relaxed);
                    });
                    assert_eq!(sum.into_inner(), length * length.saturating_sub(1) / 2);
                }
            });
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        for count in [1, 3] {
            on_threads(count, || {
                let panicking = || for_each(0..100, |i| assert!(i != 57, "an item"));
                assert!(std::panic::catch_unwind(panicking).is_err(), "{count} threads");
            });
        }
    }
}
