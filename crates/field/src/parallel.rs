//! Parallel loops over slices and other items, on the current thread pool.
//!
//! The scheduling is compiled once, here: a loop of its own for each combination of fields and closures made up a fifth of all generated code.
//! What is generic are the items and the closure's body. Without the feature `prover` the loops are sequential.

use alloc::vec::Vec;
#[cfg(feature = "prover")]
use rayon::prelude::*;
#[cfg(feature = "prover")]
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// The number of threads of the current pool.
#[must_use]
pub fn threads() -> usize {
    #[cfg(feature = "prover")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "prover"))]
    1
}

/// Calls `work` on a thread of the global pool if this thread is of no pool: its loops then need not wake one and wait for it, each of them.
///
/// One call at a time is there; others stay on their threads meanwhile. A thread of the pool that waits for a loop takes up whatever waits
/// for a thread: a whole call would begin on top of its stack, and within the locks that it holds. What `work` waits for must not need a
/// thread of the pool.
pub fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "prover")]
    if threads() > 1 && rayon::current_thread_index().is_none() {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = match TURN.try_lock() {
            Ok(turn) => Some(turn),
            // A panic of `work` says nothing of the pool.
            Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if turn.is_some() {
            return rayon::scope(|_| work());
        }
    }
    work()
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

/// Calls `task` with every item, in any order: chunks of slices, mostly. Threads take the next item when they have done one.
///
/// Cost: as [`tasks`]. Items are made one at a time: an iterator that computes them does so on one thread after the other, and must not
/// use this module for it.
pub fn for_each<I>(items: impl Iterator<Item = I> + Send, task: impl Fn(I) + Sync) {
    #[cfg(feature = "prover")]
    {
        let most = items.size_hint().1.unwrap_or(usize::MAX);
        let items = Mutex::new(items.fuse());
        // The only place where `task` is called, so that its body is compiled once.
        repeat(most, &|| {
            let item = lock(&items).next();
            item.map(&task).is_some()
        });
    }
    #[cfg(not(feature = "prover"))]
    items.for_each(task);
}

/// The results of `task` for every item, in the order of the items.
///
/// Cost: as [`for_each`].
pub fn map<I, R: Send>(items: impl Iterator<Item = I> + Send, task: impl Fn(I) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "prover")]
    {
        let results = Mutex::new(Vec::with_capacity(items.size_hint().0));
        for_each(items.enumerate(), |(i, item)| put(&results, i, task(item)));
        taken(results)
    }
    #[cfg(not(feature = "prover"))]
    items.map(task).collect()
}

/// Calls `step` until it returns that nothing is left, on the threads of the current pool, and on no more than `most` of them.
#[cfg(feature = "prover")]
fn repeat(most: usize, step: &(dyn Fn() -> bool + Sync)) {
    tasks(threads().min(most), &|_| while step() {});
}

/// Keeps the result of item `i`. Compiled once for each type of results, not for each loop.
#[cfg(feature = "prover")]
fn put<R>(results: &Mutex<Vec<Option<R>>>, i: usize, result: R) {
    let mut results = lock(results);
    while results.len() <= i {
        results.push(None);
    }
    results[i] = Some(result);
}

#[cfg(feature = "prover")]
fn taken<R>(results: Mutex<Vec<Option<R>>>) -> Vec<R> {
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut all = Vec::with_capacity(results.len());
    for result in results.into_iter().flatten() {
        all.push(result);
    }
    all
}

#[cfg(feature = "prover")]
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "prover"))]
mod tests {
    use super::*;
    use core::cell::Cell;
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
    fn work_inside_is_on_a_thread_of_the_pool() {
        on_threads(3, || assert_eq!(inside(|| inside(threads)), 3));
        let count = threads();
        let in_pool = || rayon::current_thread_index().is_some();
        assert_eq!(inside(in_pool), count > 1);
        assert!(std::panic::catch_unwind(|| inside(|| panic!("work"))).is_err());
        // The panic left the pool to the next.
        assert_eq!(inside(|| inside(in_pool)), count > 1);
        calls_beside_one_inside_are_not_within_it(count);
    }

    /// A call waits for a loop while others come that would keep all threads of the pool: none of them begins on the waiting thread.
    fn calls_beside_one_inside_are_not_within_it(count: usize) {
        thread_local!(static BUSY: Cell<bool> = const { Cell::new(false) });
        let (started, within) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let wait = |ready: &dyn Fn() -> bool| {
            while !ready() {
                std::thread::yield_now();
            }
        };
        let other = || {
            inside(|| {
                within.fetch_add(BUSY.get().into(), Ordering::Relaxed);
                started.fetch_add(1, Ordering::Relaxed);
                wait(&|| started.load(Ordering::Relaxed) >= count);
            });
        };
        std::thread::scope(|threads| {
            inside(|| {
                let taken = AtomicUsize::new(0);
                BUSY.set(true);
                let task = || {
                    taken.store(1, Ordering::Relaxed);
                    wait(&|| started.load(Ordering::Relaxed) > 0);
                };
                let begin = || {
                    if count > 1 {
                        wait(&|| taken.load(Ordering::Relaxed) > 0);
                    }
                    for _ in 0..count {
                        threads.spawn(other);
                    }
                };
                join(begin, task);
                BUSY.set(false);
            });
        });
        assert_eq!(within.into_inner(), 0);
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
