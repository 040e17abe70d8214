//! How elements travel to and from a device: in chunks, whose bytes all threads write or read.

use crate::Error;
use core::mem::MaybeUninit;
use core::ops::Range;
use field::{Field, parallel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of a chunk: a multiple of every element's, and as long on the bus as threads take to be woken several times.
pub(crate) const CHUNK_BYTES: usize = 13 * TASK_BYTES;
/// Bytes that one task encodes or decodes, a multiple of every element's too.
const TASK_BYTES: usize = 15 << 15;
/// Bytes from which on a copy is worth page-locked memory and threads.
pub(crate) const STAGED_BYTES: usize = 1 << 20;

/// Things that copies borrow. No lock is held while one has them: a copy's threads, which wait for one another, may begin another copy meanwhile.
pub(crate) struct Idle<T>(Mutex<Vec<T>>);

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Idle<T> {
    /// Borrows so many, and makes what is missing.
    ///
    /// # Errors
    /// That of `make`.
    pub(crate) fn borrow<E>(
        &self,
        count: usize,
        make: impl Fn() -> Result<T, E>,
    ) -> Result<Borrowed<'_, T>, E> {
        let mut all = self.all();
        let first = all.len().saturating_sub(count);
        let mut borrowed = Borrowed { items: all.split_off(first), idle: self };
        drop(all);
        while borrowed.items.len() < count {
            borrowed.items.push(make()?);
        }
        Ok(borrowed)
    }

    fn all(&self) -> MutexGuard<'_, Vec<T>> {
        // Nothing between its calls leaves a vector in pieces.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Borrowed things, given back when dropped.
pub(crate) struct Borrowed<'a, T> {
    pub(crate) items: Vec<T>,
    idle: &'a Idle<T>,
}

impl<T> Drop for Borrowed<'_, T> {
    fn drop(&mut self) {
        self.idle.all().append(&mut self.items);
    }
}

/// The chunks of so many bytes.
pub(crate) fn chunks(bytes: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    (0..bytes.div_ceil(CHUNK_BYTES)).map(move |i| CHUNK_BYTES * i..bytes.min(CHUNK_BYTES * (i + 1)))
}

/// Writes the encodings that stand in a range of bytes of those of all values; `out` has the range's length.
pub(crate) fn encode<F: Field>(values: &[F], range: Range<usize>, out: &mut [u8]) {
    const { assert!(TASK_BYTES.is_multiple_of(F::BYTES) && CHUNK_BYTES.is_multiple_of(TASK_BYTES)) }
    assert_eq!(range.len(), out.len(), "a byte for each of the range");
    let values = &values[range.start / F::BYTES..range.end / F::BYTES];
    let pieces = values.chunks(TASK_BYTES / F::BYTES).zip(out.chunks_mut(TASK_BYTES));
    parallel::for_each(pieces, |(values, out)| F::write_slice(values, out));
}

/// Appends the elements of a chunk to a vector that has room for them.
///
/// # Errors
/// If bytes are not the encoding of an element, which no kernel writes.
pub(crate) fn decode<F: Field>(bytes: &[u8], elements: &mut Vec<F>) -> Result<(), Error> {
    let count = bytes.len() / F::BYTES;
    let places = &mut elements.spare_capacity_mut()[..count];
    let pieces = bytes.chunks(TASK_BYTES).zip(places.chunks_mut(TASK_BYTES / F::BYTES));
    let read = |(bytes, places): (&[u8], &mut [MaybeUninit<F>])| {
        bytes.chunks_exact(F::BYTES).zip(places).all(|(bytes, place)| {
            let element = F::from_bytes(bytes);
            element.map(|element| place.write(element)).is_some()
        })
    };
    if !parallel::map(pieces, read).into_iter().all(|canonical| canonical) {
        return Err(Error::SelfCheck { step: "an element's encoding" });
    }
    // SAFETY: `places` is the start of the spare capacity, and each of its `count` elements was written: there are as many encodings, and
    // each had an element.
    unsafe { elements.set_len(elements.len() + count) };
    Ok(())
}
