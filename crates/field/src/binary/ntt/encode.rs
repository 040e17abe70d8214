//! Encoding of a block: the first pass reads the message, the others work in place.

use core::mem::MaybeUninit;

use super::Done;
use super::kernel::Sweep;
use super::partial::Partial;
use super::plan::{PIECE_BYTES, Plan, each_piece};
use super::tiers::Tier;
use crate::binary::domain::point;
use crate::parallel;

/// log2 of the fewest rows of a piece, in blocks that have as many: those of the largest leaf of a Merkle tree.
const LEAST_LAYERS: usize = 4;

/// Bytes from which on blocks are worth a thread each.
const APART_BYTES: usize = 1 << 15;

/// The meaning of [`super::encode_block_uninit`], with the instruction set given.
pub(super) fn block(
    tier: &'static Tier,
    message: &[u8],
    (row_bytes, block): (usize, usize),
    out: &mut [MaybeUninit<u8>],
    done: Done,
) {
    check(message.len(), out.len(), (row_bytes, block));
    let rows = out.len() / row_bytes;
    let (message, extra) = message.split_at(out.len());
    let layers = rows.ilog2() as usize;
    let encoding = Encoding { plan: Plan::new(tier, row_bytes, rows), first: block * rows, done };
    let step = if layers == 0 { 0 } else { encoding.plan.step(layers) };
    let out = if extra.is_empty() && encoding.plan.goes_past(out.len(), layers) {
        // SAFETY: the message is as long as the block.
        unsafe { encoding.past(message.as_ptr(), None, block, out) }
    } else {
        encoding.start(message, (extra, block), out, step)
    };
    encoding.descend(out, encoding.first, layers, step);
}

/// The meaning of [`super::encode_two`], with the instruction set given.
pub(super) fn two(
    tier: &'static Tier,
    matrix: &mut [u8],
    out: &mut [MaybeUninit<u8>],
    (row_bytes, blocks): (usize, [usize; 2]),
    dones: [Done; 2],
) {
    check(matrix.len(), out.len(), (row_bytes, blocks[1]));
    let rows = out.len() / row_bytes;
    let (plan, layers) = (Plan::new(tier, row_bytes, rows), rows.ilog2() as usize);
    if matrix.len() == out.len() && plan.goes_past(out.len(), layers) {
        return two_past(plan, matrix, out, (row_bytes, blocks), dones);
    }
    let there = Encoding { plan, first: blocks[1] * rows, done: dones[1] };
    let step = if layers == 0 { 0 } else { plan.step(layers) };
    let (message, extra) = matrix.split_at(out.len());
    let out = there.start(message, (extra, blocks[1]), out, step);
    // The message is not needed any more.
    side_by_side(
        out.len(),
        || there.descend(out, there.first, layers, step),
        || in_place(tier, matrix, (row_bytes, blocks[0], rows), dones[0]),
    );
}

/// [`two`] with a first pass for both blocks, if [`Plan::goes_past`] for blocks large enough.
pub(super) fn two_past(
    plan: Plan,
    matrix: &mut [u8],
    out: &mut [MaybeUninit<u8>],
    (row_bytes, blocks): (usize, [usize; 2]),
    dones: [Done; 2],
) {
    blocks.iter().for_each(|&block| check(matrix.len(), out.len(), (row_bytes, block)));
    assert_eq!(matrix.len(), out.len(), "a message of as many rows as a block");
    let rows = out.len() / row_bytes;
    let [here, there] = [0, 1].map(|i| Encoding { plan, first: blocks[i] * rows, done: dones[i] });
    // SAFETY: the message is as long as the block, and borrowed mutably.
    let out = unsafe { there.past(matrix.as_mut_ptr(), Some(blocks[0]), blocks[1], out) };
    let layers = rows.ilog2() as usize;
    side_by_side(
        out.len(),
        || there.descend(out, there.first, layers, 3),
        || here.descend(matrix, here.first, layers, 3),
    );
}

/// Does both, at once if each is about so many bytes and that pays.
fn side_by_side(bytes: usize, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    if bytes >= APART_BYTES {
        return parallel::join(one, other);
    }
    one();
    other();
}

/// The meaning of [`super::encode_rows`], with the instruction set given.
pub(super) fn rows(
    tier: &'static Tier,
    matrix: &mut [u8],
    (row_bytes, block, count): (usize, usize, usize),
    rows: &[usize],
) {
    let out = added(tier, matrix, (row_bytes, block, count));
    let plan = Plan::new(tier, row_bytes, count);
    let partial = Partial { plan, first: block * count, rows };
    partial.descend(out, partial.first, count.ilog2() as usize);
}

/// The meaning of [`super::encode_in_place`], with the instruction set given.
pub(super) fn in_place(
    tier: &'static Tier,
    matrix: &mut [u8],
    (row_bytes, block, count): (usize, usize, usize),
    done: Done,
) {
    let out = added(tier, matrix, (row_bytes, block, count));
    let encoding = Encoding { plan: Plan::new(tier, row_bytes, count), first: block * count, done };
    encoding.descend(out, encoding.first, count.ilog2() as usize, 0);
}

/// The first `count` rows, to which the coefficients beyond are added.
fn added<'a>(
    tier: &'static Tier,
    matrix: &'a mut [u8],
    (row_bytes, block, count): (usize, usize, usize),
) -> &'a mut [u8] {
    check(matrix.len(), count * row_bytes, (row_bytes, block));
    let (out, extra) = matrix.split_at_mut(count * row_bytes);
    // SAFETY: extra rows are at most as many as the block's, and lie apart from them; the tier is one of this machine.
    unsafe { (tier.accumulate)(out.as_mut_ptr(), extra.as_ptr(), extra.len(), point(block as u32)) };
    out
}

/// Checks the shape of a call for a block of `block_bytes` bytes.
fn check(message: usize, block_bytes: usize, (row_bytes, block): (usize, usize)) {
    assert!(row_bytes > 0 && row_bytes.is_multiple_of(8), "a row is a positive multiple of 8 bytes");
    assert!(block_bytes.is_multiple_of(row_bytes), "the block is not whole rows");
    let rows = block_bytes / row_bytes;
    assert!(rows.is_power_of_two(), "the number of rows of a block is not a power of two");
    assert!(message.is_multiple_of(row_bytes), "the message is not whole rows");
    assert!((block_bytes..=2 * block_bytes).contains(&message), "the message is too short or too long");
    assert!(((block as u128 + 1) * rows as u128) <= 1 << 32, "a position is below 2^32");
}

/// What every part of a block needs to know.
struct Encoding<'a> {
    plan: Plan,
    /// The position of the block's first row.
    first: usize,
    done: Done<'a>,
}

impl Encoding<'_> {
    /// The first `step` layers, from the message; initialises the block.
    fn start<'a>(
        &self,
        message: &[u8],
        (extra, block): (&[u8], usize),
        out: &'a mut [MaybeUninit<u8>],
        step: usize,
    ) -> &'a mut [u8] {
        let stride = out.len() >> step;
        // Runs up to here have coefficients of the next block added, and are copied first.
        let copied = if step == 0 { stride } else { stride.min(extra.len()) };
        for k in 0..1 << step {
            out[k * stride..k * stride + copied]
                .write_copy_of_slice(&message[k * stride..k * stride + copied]);
        }
        // Only now: what was copied went through `out`, and no pointer taken before that may be used after it.
        let to: *mut u8 = out.as_mut_ptr().cast();
        // SAFETY: extra rows are at most as many as the block's, and those of their number have been copied: the
        // first run, or all runs wholly. The first sweep is over what was copied; the second reads the rest of
        // the message's runs and writes that of the block's. After both every byte is written.
        unsafe {
            (self.plan.tier.accumulate)(to, extra.as_ptr(), extra.len(), point(block as u32));
            if step > 0 {
                let (log_radix, node, nodes, ahead) = (step, block, 1, true);
                let (from, length) = (to.cast_const(), copied);
                let whole = Sweep { from, to, stride, length, ahead, log_radix, node, nodes };
                if copied > 0 {
                    self.plan.share(&whole, false);
                }
                let (from, to, length) = (message.as_ptr().add(copied), to.add(copied), stride - copied);
                if length > 0 {
                    self.plan.share(&Sweep { from, to, length, ..whole }, false);
                }
            }
            out.assume_init_mut()
        }
    }

    /// The first three layers from a message, past the cache; initialises the block. If there is a node `here`, the message
    /// becomes what its block is after them.
    ///
    /// # Safety
    /// The message is as long as the block and apart from it; it may be written if there is a node.
    unsafe fn past<'a>(
        &self,
        message: *const u8,
        here: Option<usize>,
        block: usize,
        out: &'a mut [MaybeUninit<u8>],
    ) -> &'a mut [u8] {
        let (stride, to) = (out.len() >> 3, out.as_mut_ptr().cast());
        let (from, length, ahead, log_radix, node, nodes) = (message, stride, true, 3, block, 1);
        // SAFETY: the message is as long as the eight runs of `out` and apart from them, and may be written if there is a
        // node `here`; the sweep writes every byte of `out`.
        unsafe {
            self.plan.past(&Sweep { from, to, stride, length, ahead, log_radix, node, nodes }, here);
            out.assume_init_mut()
        }
    }

    /// All layers of the rows from position `row` but the first `finished`, with a call of `done` for each piece.
    fn descend(&self, rows: &mut [u8], row: usize, layers: usize, finished: usize) {
        self.descend_as(rows, (row, layers), finished, true);
    }

    /// [`Encoding::descend`], without calls of `done` unless `report` is set: rows that are too few for a piece are reported with others.
    fn descend_as(&self, rows: &mut [u8], (row, layers): (usize, usize), finished: usize, report: bool) {
        if rows.len() <= PIECE_BYTES || layers == 0 {
            if layers > 0 {
                self.plan.finish(rows, row, layers, finished);
            }
            if report {
                (self.done)(row - self.first, rows);
            }
            return;
        }
        let step = if finished > 0 { finished } else { self.plan.shared_pass(rows, row, layers) };
        let below = layers - step;
        let each = report && below >= LEAST_LAYERS;
        each_piece(rows, rows.len() >> step, |(k, child): (usize, &mut [u8])| {
            self.descend_as(child, (row + (k << below), below), 0, each);
        });
        if report && !each {
            let together = layers.min(LEAST_LAYERS);
            each_piece(rows, rows.len() >> (layers - together), |(k, piece): (usize, &mut [u8])| {
                (self.done)(row + (k << together) - self.first, piece);
            });
        }
    }
}
