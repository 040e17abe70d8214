//! BLAKE3 (keyed mode), many messages at once.
//!
//! The digest of every message is exactly `blake3::keyed_hash(key(role), message)`. The library spreads the
//! 1 KiB chunks of *one* message over the lanes of a vector; rows are mostly shorter than that, so here
//! the lanes hold the same block of up to 16 *different* messages.
//!
//! ```text
//!                 block 0     block 1  ...  tail          chunk 1 ...      parents
//! message 0    [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]
//! message 1    [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]      pairs of chunk values,
//!    ...                                                                   level by level,
//! message 15   [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]      an odd last one moves up
//!               `------ hash_many -------' one by one
//! ```

use super::{Digest, Role};
use ::blake3::{IncrementCounter, platform::Platform};
use std::sync::LazyLock;

/// Block flags of the specification, table 3.
const CHUNK_START: u8 = 1;
const CHUNK_END: u8 = 2;
const PARENT: u8 = 4;
const ROOT: u8 = 8;
const KEYED_HASH: u8 = 16;

const BLOCK: usize = 64;
const CHUNK: usize = 1024;
/// Messages hashed together: the widest vector has 16 lanes of 32 bits.
const LANES: usize = 16;

/// One key per role, in the order of the enum.
static KEYS: LazyLock<[Digest; 6]> = LazyLock::new(|| {
    [
        "tenfold 2026 merkle leaf v1",
        "tenfold 2026 merkle node v1",
        "tenfold 2026 transcript chain v1",
        "tenfold 2026 labelled digest v1",
        "tenfold 2026 transcript challenge v1",
        "tenfold 2026 proof of work v1",
    ]
    .map(|context| ::blake3::derive_key(context, b""))
});

/// The key of a role.
pub(super) fn key(role: Role) -> &'static Digest {
    &KEYS[role as usize]
}

/// The digest of one message, given in parts.
pub(super) fn one(role: Role, parts: &[&[u8]]) -> Digest {
    let mut hasher = ::blake3::Hasher::new_keyed(key(role));
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// The digests of messages of `length > 0` bytes each, end to end.
pub(super) fn batch(role: Role, messages: &[u8], length: usize, out: &mut [Digest]) {
    let lanes = Lanes::new(role);
    for (group, out) in messages.chunks(LANES * length).zip(out.chunks_mut(LANES)) {
        if length <= CHUNK {
            lanes.chunk(group, length, 0, length, ROOT, out);
        } else {
            lanes.long(group, length, out);
        }
    }
}

/// The vector unit and the key of a batch.
struct Lanes {
    platform: Platform,
    key: [u32; 8],
}

impl Lanes {
    fn new(role: Role) -> Self {
        Self {
            platform: Platform::detect(),
            key: to_words(key(role)),
        }
    }

    /// The chaining values of messages longer than a chunk, merged to their root.
    ///
    /// The tree of the specification (the left subtree is the largest full one) is the tree that pairs
    /// neighbours level by level and moves an odd last value up.
    fn long(&self, group: &[u8], length: usize, out: &mut [Digest]) {
        let width = out.len();
        let mut count = length.div_ceil(CHUNK);
        // Chunk-major: all messages' first chunks, then all second ones.
        let mut level = vec![Digest::default(); count * width];
        for (i, values) in level.chunks_exact_mut(width).enumerate() {
            let start = i * CHUNK;
            let end = length.min(start + CHUNK);
            self.chunk(group, length, start, end, 0, values);
        }
        while count > 1 {
            let root = if count == 2 { ROOT } else { 0 };
            let pairs = count / 2;
            for p in 0..pairs {
                self.parents(&mut level, 2 * p * width, p * width, width, root);
            }
            if count % 2 == 1 {
                let last = (count - 1) * width;
                level.copy_within(last..last + width, pairs * width);
            }
            count = count.div_ceil(2);
        }
        out.copy_from_slice(&level[..width]);
    }

    /// Replaces `level[to..][..width]` by the parents of the `width` values at `from` and the next `width`.
    fn parents(&self, level: &mut [Digest], from: usize, to: usize, width: usize, root: u8) {
        let mut blocks = [[0u8; BLOCK]; LANES];
        let (left, right) = level[from..from + 2 * width].split_at(width);
        for ((block, l), r) in blocks.iter_mut().zip(left).zip(right) {
            block[..32].copy_from_slice(l);
            block[32..].copy_from_slice(r);
        }
        let inputs: [&[u8; BLOCK]; LANES] = std::array::from_fn(|i| &blocks[i]);
        self.platform.hash_many(
            &inputs[..width],
            &self.key,
            0,
            IncrementCounter::No,
            KEYED_HASH | PARENT | root,
            0,
            0,
            level[to..to + width].as_flattened_mut(),
        );
    }

    /// The values of one chunk, bytes `start..end` of every message of the group.
    ///
    /// `root` is the root flag if the chunk is the whole message.
    fn chunk(
        &self,
        group: &[u8],
        length: usize,
        start: usize,
        end: usize,
        root: u8,
        out: &mut [Digest],
    ) {
        let counter = (start / CHUNK) as u64;
        let (blocks, tail) = ((end - start) / BLOCK, (end - start) % BLOCK);
        let last = CHUNK_END | root;
        let run = Run {
            counter,
            end: if tail == 0 { last } else { 0 },
            start,
            length,
        };
        self.whole_blocks(blocks, group, run, out);
        if tail == 0 {
            return;
        }
        let first = if blocks == 0 { CHUNK_START } else { 0 };
        for (message, out) in group.chunks_exact(length).zip(out) {
            let mut value = if blocks == 0 { self.key } else { to_words(out) };
            let mut block = [0u8; BLOCK];
            block[..tail].copy_from_slice(&message[end - tail..end]);
            let flags = KEYED_HASH | first | last;
            self.platform
                .compress_in_place(&mut value, &block, tail as u8, counter, flags);
            *out = to_bytes(&value);
        }
    }

    /// Picks the compiled length for a number of whole blocks (none: nothing to do).
    fn whole_blocks(&self, blocks: usize, group: &[u8], run: Run, out: &mut [Digest]) {
        match blocks {
            0 => {}
            1 => self.vector::<64>(group, run, out),
            2 => self.vector::<128>(group, run, out),
            3 => self.vector::<192>(group, run, out),
            4 => self.vector::<256>(group, run, out),
            5 => self.vector::<320>(group, run, out),
            6 => self.vector::<384>(group, run, out),
            7 => self.vector::<448>(group, run, out),
            8 => self.vector::<512>(group, run, out),
            9 => self.vector::<576>(group, run, out),
            10 => self.vector::<640>(group, run, out),
            11 => self.vector::<704>(group, run, out),
            12 => self.vector::<768>(group, run, out),
            13 => self.vector::<832>(group, run, out),
            14 => self.vector::<896>(group, run, out),
            15 => self.vector::<960>(group, run, out),
            _ => self.vector::<CHUNK>(group, run, out),
        }
    }

    /// The first `N` bytes of the chunk, all messages of the group side by side.
    fn vector<const N: usize>(&self, group: &[u8], run: Run, out: &mut [Digest]) {
        let mut inputs = [&[0u8; N]; LANES];
        for (input, message) in inputs.iter_mut().zip(group.chunks_exact(run.length)) {
            *input = message[run.start..]
                .first_chunk()
                .expect("the chunk has N bytes");
        }
        self.platform.hash_many(
            &inputs[..out.len()],
            &self.key,
            run.counter,
            IncrementCounter::No,
            KEYED_HASH,
            CHUNK_START,
            run.end,
            out.as_flattened_mut(),
        );
    }
}

/// Where the whole blocks of a chunk stand, and how they end.
#[derive(Clone, Copy)]
struct Run {
    /// Number of the chunk in its message.
    counter: u64,
    /// Flags of the last block.
    end: u8,
    /// Offset of the chunk in its message.
    start: usize,
    /// Length of a message.
    length: usize,
}

fn to_words(bytes: &Digest) -> [u32; 8] {
    let (words, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

fn to_bytes(words: &[u32; 8]) -> Digest {
    let mut bytes = Digest::default();
    for (b, w) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *b = w.to_le_bytes();
    }
    bytes
}
