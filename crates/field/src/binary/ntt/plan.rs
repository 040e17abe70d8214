//! The order of passes over the memory of a block, for encoding and its transpose.

use super::kernel::Sweep;
use super::narrow::Narrow;
use super::tiers::Tier;
use crate::parallel;

/// Bytes that are finished at a time: a part of a second-level cache, which holds parts of the message too.
pub(super) const PIECE_BYTES: usize = 1 << 18;
/// Bytes that are done layer by layer: about a first-level cache. Tuned.
const BASE_BYTES: usize = 1 << 16;
/// Bytes from which on the first pass over a message writes past the cache: with the message it would be full. Tuned.
const PAST_BYTES: usize = 1 << 24;
/// Bytes from which on a pass or its parts are shared among threads.
const SHARED_BYTES: usize = 1 << 20;

/// Calls `each` with the number and the bytes of every piece of so many bytes, on all threads if it pays.
pub(super) fn each_piece(bytes: &mut [u8], size: usize, each: impl Fn((usize, &mut [u8])) + Sync) {
    let shared = bytes.len() >= SHARED_BYTES;
    let pieces = bytes.chunks_exact_mut(size).enumerate();
    if shared { parallel::for_each(pieces, each) } else { pieces.for_each(each) }
}

/// A pointer into a block, for threads that write apart from each other.
#[derive(Clone, Copy)]
struct Place(*mut u8);

// SAFETY: a pointer alone reads and writes nothing; those who use it see to it that they do so apart.
unsafe impl Send for Place {}
// SAFETY: a shared pointer alone reads and writes nothing; those who use it see to it that they do so apart.
unsafe impl Sync for Place {}

/// How the rows of a block are transformed.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub tier: &'static Tier,
    pub row_bytes: usize,
    /// The last layers, whose runs are below a vector and which are done by [`Tier::narrow`].
    pub last: usize,
}

impl Plan {
    pub(super) fn new(tier: &'static Tier, row_bytes: usize, rows: usize) -> Self {
        let fits = matches!(row_bytes, 8 | 16 | 32) && row_bytes < tier.vector && tier.narrow.is_some();
        let last = if fits && row_bytes * rows >= 2 * tier.vector {
            (tier.vector / row_bytes).ilog2() as usize
        } else {
            0
        };
        Self { tier, row_bytes, last }
    }

    /// How many of the `layers` upper layers the next pass does: equal shares in the fewest passes.
    pub(super) fn step(&self, layers: usize) -> usize {
        let upper = layers - self.last;
        upper.div_ceil(upper.div_ceil(self.tier.max_step).max(1))
    }

    /// All layers of some rows that fit the second-level cache but the first `finished`; `row` is the position of the
    /// first one.
    pub(super) fn finish(&self, rows: &mut [u8], row: usize, layers: usize, finished: usize) {
        if rows.len() > BASE_BYTES && layers > finished + self.last {
            let step =
                if finished == 0 { self.pass(rows, row, layers, (0, self.step(layers))) } else { finished };
            for (k, child) in rows.chunks_exact_mut(rows.len() >> step).enumerate() {
                self.finish(child, row + (k << (layers - step)), layers - step, 0);
            }
            return;
        }
        let mut done = finished;
        while layers - done > self.last {
            done += self.pass(rows, row, layers, (done, self.step(layers - done)));
        }
        self.narrow(rows, row, layers, false);
    }

    /// The transpose of [`Plan::finish`] for rows of any size.
    pub(super) fn gather(&self, rows: &mut [u8], row: usize, layers: usize) {
        if rows.len() > BASE_BYTES && layers > self.last {
            let step = self.step(layers);
            let child = |(k, child): (usize, &mut [u8])| {
                self.gather(child, row + (k << (layers - step)), layers - step);
            };
            each_piece(rows, rows.len() >> step, child);
            return self.transposed(rows, row, layers, (0, step));
        }
        self.narrow(rows, row, layers, true);
        // The passes of `finish`, in the opposite order.
        let (mut passes, mut count, mut done) = ([(0, 0); 32], 0, 0);
        while layers - done > self.last {
            passes[count] = (done, self.step(layers - done));
            done += passes[count].1;
            count += 1;
        }
        for &pass in passes[..count].iter().rev() {
            self.transposed(rows, row, layers, pass);
        }
    }

    /// The sweep that does `step` layers after the first `done` ones of `rows`.
    fn sweep(&self, rows: &mut [u8], row: usize, layers: usize, (done, step): (usize, usize)) -> Sweep {
        let stride = rows.len() >> (done + step);
        let to = rows.as_mut_ptr();
        let node = row >> (layers - done);
        let ahead = rows.len() > BASE_BYTES;
        Sweep { from: to, to, stride, length: stride, ahead, log_radix: step, node, nodes: 1 << done }
    }

    /// Does a pass and returns its number of layers.
    fn pass(&self, rows: &mut [u8], row: usize, layers: usize, pass: (usize, usize)) -> usize {
        let sweep = self.sweep(rows, row, layers, pass);
        // SAFETY: the nodes' runs make up `rows`, which is borrowed; the tier is one of this machine.
        unsafe { (self.tier.sweep)(&sweep, false) };
        pass.1
    }

    /// The first pass over all layers of some rows, shared among threads if it is large; returns its number of layers.
    pub(super) fn shared_pass(&self, rows: &mut [u8], row: usize, layers: usize) -> usize {
        let step = self.step(layers);
        let sweep = self.sweep(rows, row, layers, (0, step));
        self.share(&sweep, false);
        step
    }

    pub(super) fn transposed(&self, rows: &mut [u8], row: usize, layers: usize, pass: (usize, usize)) {
        let sweep = self.sweep(rows, row, layers, pass);
        self.share(&sweep, true);
    }

    /// A sweep over one node or some, shared among threads if it is large.
    pub(super) fn share(&self, sweep: &Sweep, transposed: bool) {
        if sweep.nodes == 1 && sweep.length << sweep.log_radix >= SHARED_BYTES && parallel::threads() > 1 {
            // SAFETY: the caller's sweep is over memory that it has borrowed; the tier is one of this machine.
            return self.share_out(sweep, |part| unsafe { (self.tier.sweep)(part, transposed) });
        }
        // SAFETY: the caller's sweep is over memory that it has borrowed; the tier is one of this machine.
        unsafe { (self.tier.sweep)(sweep, transposed) };
    }

    /// Whether the first pass of so many layers over a message of so many bytes is one for [`Plan::past`].
    pub(super) fn goes_past(&self, bytes: usize, layers: usize) -> bool {
        bytes >= PAST_BYTES && self.tier.past.is_some() && layers - self.last >= 3 && self.step(layers) == 3
    }

    /// [`Tier::past`], shared among threads if there are some.
    ///
    /// # Safety
    /// The sweep is over memory that the caller has borrowed, the input mutably if `here` is a node.
    pub(super) unsafe fn past(&self, sweep: &Sweep, here: Option<usize>) {
        let past = self.tier.past.expect("a tier that goes past the cache");
        if sweep.length << sweep.log_radix >= SHARED_BYTES && parallel::threads() > 1 {
            // SAFETY: the tier is one of this machine; the parts' memory is within that of `sweep`, which the caller has
            // borrowed.
            return self.share_out(sweep, |part| unsafe { past(part, here) });
        }
        // SAFETY: the tier is one of this machine; the memory of `sweep` is borrowed by the caller, mutably where it is
        // written.
        unsafe { past(sweep, here) };
    }

    /// Parts of the runs of a sweep.
    fn share_out(&self, sweep: &Sweep, run: impl Fn(&Sweep) + Sync) {
        let part = (BASE_BYTES << 1) >> sweep.log_radix;
        let (from, to) = (Place(sweep.from.cast_mut()), Place(sweep.to));
        let Sweep { stride, length, ahead, log_radix, node, nodes, .. } = *sweep;
        parallel::tasks(length.div_ceil(part), &|k| {
            let (from, to) = ({ from }, { to });
            let length = part.min(length - k * part);
            // SAFETY: parts of runs, each apart from the others, within those of the sweep.
            unsafe {
                let (from, to) = (from.0.add(k * part).cast_const(), to.0.add(k * part));
                run(&Sweep { from, to, stride, length, ahead, log_radix, node, nodes });
            }
        });
    }

    fn narrow(&self, rows: &mut [u8], row: usize, layers: usize, transposed: bool) {
        let Some(narrow) = self.tier.narrow else { return };
        if self.last == 0 || layers < self.last {
            return;
        }
        let job = Narrow { at: rows.as_mut_ptr(), bytes: rows.len(), row_bytes: self.row_bytes, row };
        // SAFETY: `last` is positive only if blocks are whole pairs of vectors, and so are the parts of powers of two
        // of rows above two vectors; the tier is one of this machine.
        unsafe { narrow(&job, transposed) };
    }
}
