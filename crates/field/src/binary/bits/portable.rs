//! Without special instructions: the sums of all subsets of eight rows of `b`, looked up by eight bits of a column of `a`.

use super::transpose;

/// The rows may be of any number, the last eight fewer; `wb` is a multiple of eight.
pub(super) fn add([a, b]: [&[u8]; 2], [wa, wb]: [usize; 2], out: &mut [u8]) {
    if wa == 0 || wb == 0 {
        return;
    }
    for (a, b) in a.chunks(8 * wa).zip(b.chunks(8 * wb)) {
        let mut at = 0;
        while at + 16 <= wb {
            add_words::<2>([a, b], [wa, wb], at, out);
            at += 16;
        }
        if at < wb {
            add_words::<1>([a, b], [wa, wb], at, out);
        }
    }
}

/// [`add`] for at most eight rows and the `W` words of `b` from byte `at` on.
fn add_words<const W: usize>([a, b]: [&[u8]; 2], [wa, wb]: [usize; 2], at: usize, out: &mut [u8]) {
    let mut rows = [[0; W]; 8];
    for (row, bytes) in rows.iter_mut().zip(b.chunks_exact(wb)) {
        *row = words(&bytes[at..]);
    }
    let sums = subset_sums(&rows);
    let mut column = [0; 8];
    for (k, out) in out.chunks_exact_mut(8 * wb).enumerate() {
        for (byte, row) in column.iter_mut().zip(a.chunks_exact(wa)) {
            *byte = row[k];
        }
        for (index, out) in transpose(column).into_iter().zip(out.chunks_exact_mut(wb)) {
            let (places, _) = out[at..].as_chunks_mut::<8>();
            for (place, sum) in places.iter_mut().zip(sums[usize::from(index)]) {
                *place = (u64::from_ne_bytes(*place) ^ sum).to_ne_bytes();
            }
        }
    }
}

fn words<const W: usize>(bytes: &[u8]) -> [u64; W] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_ne_bytes(words[i]))
}

/// The sums of all subsets of eight rows, by the bits of their number.
fn subset_sums<const W: usize>(rows: &[[u64; W]; 8]) -> [[u64; W]; 256] {
    let mut sums = [[0; W]; 256];
    for (i, row) in rows.iter().enumerate() {
        for known in 0..1 << i {
            sums[known | 1 << i] = core::array::from_fn(|w| sums[known][w] ^ row[w]);
        }
    }
    sums
}
