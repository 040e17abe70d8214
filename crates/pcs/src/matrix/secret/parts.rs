//! Randomness of matrices whose leaves have parts: each part of the columns has a stream of its own, so that machines that hold some parts each
//! randomise them alone, by keys of the one that has the seed. (notes: zk-parts)
//!
//! ```text
//!   data of part 0 ─► digest 0 ─┐                  ┌─► key of part 0 ─► ChaCha20 ─► masks and tail rows of part 0
//!   data of part 1 ─► digest 1 ─┼─► seed, ... ─► key ─► key of part 1 ─► ChaCha20 ─► of part 1
//!   ...                         ┘                  └─► ...
//! ```

use super::{CHUNK, Secret, wipe};
use crate::matrix::layout::Layout;
use crate::matrix::{Scheme, Steps};
use core::ops::Range;
use field::{ExtensionOf, Field, FoldFibres, parallel};
use iop::hash::Digest;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use zeroize::{Zeroizing, optimization_barrier};

/// Bytes of the key of a part.
pub const PART_KEY_BYTES: usize = 32;

/// Consecutive parts of the columns of a matrix that hides, as one of `2^log_shares` machines holds them.
#[derive(Clone, Copy)]
pub(super) struct Share<'a> {
    pub layout: &'a Layout,
    pub log_shares: usize,
    pub share: usize,
}

impl Share<'_> {
    /// The columns of the machine.
    fn columns(&self) -> Range<usize> {
        self.layout.first.shape.share_columns(self.log_shares, self.share)
    }

    /// The columns of each of its parts, counted from its first one, and how many of them hold data.
    fn parts(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let (shape, first) = (self.layout.first.shape, self.columns().start);
        let count = 1 << (shape.log_parts - self.log_shares);
        (self.share * count..(self.share + 1) * count).map(move |part| {
            let columns = shape.share_columns(shape.log_parts, part);
            let data = self.layout.columns().clamp(columns.start, columns.end) - columns.start;
            (columns.start - first..columns.end - first, data)
        })
    }

    /// A digest of the data of each part, in the rows of a message matrix of the machine's columns.
    pub fn digests<B: Field>(&self, message: &[B]) -> Vec<Digest> {
        let width = self.columns().len();
        let data = &message[..width << self.layout.log_rows];
        self.parts().map(|(columns, count)| self.digest(data, columns.start..columns.start + count)).collect()
    }

    fn digest<B: Field>(&self, data: &[B], columns: Range<usize>) -> Digest {
        let (hash, width) = (self.layout.hash, self.columns().len());
        let rows = (CHUNK / columns.len().max(1)).max(1);
        let chunks = parallel::map(data.chunks(rows * width), |rows| {
            // Of its final size from the start: a vector that grows leaves copies of the data behind.
            let mut own: Vec<B> = Vec::with_capacity(rows.len() / width * columns.len());
            for row in rows.chunks_exact(width) {
                own.extend_from_slice(&row[columns.clone()]);
            }
            let mut bytes = Zeroizing::new(vec![0; own.len() * B::BYTES]);
            B::write_slice(&own, &mut bytes);
            wipe(&mut own);
            hash.digest(&self.layout.label("hiding data"), &[&bytes])
        });
        hash.digest(&self.layout.label("hiding part"), &[&iop::hash::concat(&chunks)])
    }

    /// Fills the masks of the data rows and every column of the tail rows with elements drawn from the keys of the parts.
    pub fn randomise<B: Field>(&self, keys: &[u8], message: &mut [B]) {
        let (width, rows) = (self.columns().len(), 1 << self.layout.log_rows);
        let mut bytes = Zeroizing::new(vec![0; B::UNIFORM_BYTES]);
        for ((columns, data), key) in self.parts().zip(keys.as_chunks::<PART_KEY_BYTES>().0) {
            let mut rng = ChaCha20Rng::from_seed(*key);
            for (i, row) in message.chunks_exact_mut(width).enumerate() {
                let from = columns.start + if i < rows { data } else { 0 };
                for x in &mut row[from..columns.end] {
                    rng.fill_bytes(&mut bytes);
                    *x = B::from_uniform(&bytes);
                }
            }
            // The generator has no eraser of its own.
            rng = ChaCha20Rng::from_seed([0; 32]);
            optimization_barrier(&rng);
        }
    }
}

impl Secret {
    /// The keys of all parts, end to end, from the digests of their data: of all of it, so that a seed given to other data by mistake
    /// gives every part unrelated randomness.
    pub(super) fn keys(&self, layout: &Layout, digests: &[Digest]) -> Zeroizing<Vec<u8>> {
        let digests = iop::hash::concat(digests);
        let parts = [&layout.digest, self.seed().as_slice(), &digests];
        let key = Zeroizing::new(layout.hash.digest(&layout.label("hiding parts"), &parts).head());
        let mut keys = Zeroizing::new(Vec::with_capacity(PART_KEY_BYTES << layout.first.shape.log_parts));
        for part in 0..1u8 << layout.first.shape.log_parts {
            let of_part = layout.hash.digest(&layout.label("hiding key"), &[key.as_slice(), &[part]]);
            keys.extend_from_slice(&Zeroizing::new(of_part.head())[..]);
        }
        keys
    }
}

/// What machines that hold some parts each do to hide. They see data and randomness of their own columns alone; the proof is that of one
/// machine with the same seed.
impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Scheme<F, B, E> {
    fn hidden_share(&self, log_shares: usize, share: usize) -> Share<'_> {
        assert!(self.layout.hidden_openings > 0, "parameters that hide");
        Share { layout: &self.layout, log_shares, share }
    }

    /// The digests of the data of the parts that one of `2^log_shares` machines holds: a message matrix of its columns, with masks and
    /// tail rows, whose content does not matter yet.
    ///
    /// # Panics
    /// If the parameters do not hide, there is no such machine, or the matrix is too short.
    pub fn hiding_digests(&self, log_shares: usize, share: usize, message: &[B]) -> Vec<Digest> {
        self.hidden_share(log_shares, share).digests(message)
    }

    /// The keys of the randomness of all parts, [`PART_KEY_BYTES`] each, from the digests of their data: those of all machines in their order.
    ///
    /// # Panics
    /// If it is another number of digests, or the parameters do not hide.
    pub fn hiding_keys(&self, secret: &Secret, digests: &[Digest]) -> Zeroizing<Vec<u8>> {
        assert!(self.layout.hidden_openings > 0, "parameters that hide");
        assert_eq!(digests.len(), 1 << self.layout.first.shape.log_parts, "a digest for each part");
        secret.keys(&self.layout, digests)
    }

    /// Fills masks and tail rows of [`Scheme::hiding_digests`]' matrix by the keys of its parts.
    ///
    /// # Panics
    /// As there.
    pub fn hide(&self, log_shares: usize, share: usize, keys: &[u8], message: &mut [B]) {
        self.hidden_share(log_shares, share).randomise(keys, message);
    }
}
