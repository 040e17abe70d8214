//! BLAKE3 (keyed mode), many messages at once.
//!
//! The digest of every message is exactly `blake3::keyed_hash(key(role), message)`. The library spreads the
//! 1 KiB chunks of *one* message over the lanes of a vector; rows are mostly shorter than that, so here
//! the lanes hold the same block of up to 32 *different* messages: by the kernel of `field::blake3` as many as fill its
//! vectors, by the library's the rest. (notes: merkle-lanes)
//!
//! ```text
//!                 block 0     block 1  ...  tail          chunk 1 ...      parents
//! message 0    [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]
//! message 1    [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]      pairs of chunk values,
//!    ...                                                                   level by level,
//! message 31   [ 64 bytes ][ 64 bytes ]...[ < 64 ]     [            ]      an odd last one moves up
//!               `------- vectors --------' one by one
//! ```

use super::Role;
use ::blake3::{IncrementCounter, platform::Platform};
use field::Once;
use field::blake3::Chunk;
#[cfg(feature = "prover")]
use field::blake3::Trials;

/// BLAKE3 gives 32 bytes.
type Digest = [u8; 32];

/// Block flags of the specification, table 3.
const CHUNK_START: u8 = 1;
const CHUNK_END: u8 = 2;
const PARENT: u8 = 4;
const ROOT: u8 = 8;
const KEYED_HASH: u8 = 16;

const BLOCK: usize = 64;
const CHUNK: usize = 1024;
/// Messages hashed together: the widest vectors have 16 lanes of 32 bits, and two of them advance in step.
pub(super) const LANES: usize = 32;

/// One key per role, in the order of the enum.
static KEYS: Once<[Digest; 6]> = Once::new();

const CONTEXTS: [&str; 6] = [
    "tenfold 2026 merkle leaf v1",
    "tenfold 2026 merkle node v1",
    "tenfold 2026 transcript chain v1",
    "tenfold 2026 labelled digest v1",
    "tenfold 2026 transcript challenge v1",
    "tenfold 2026 proof of work v1",
];

/// The key of a role.
pub(super) fn key(role: Role) -> &'static Digest {
    &KEYS.get(|| CONTEXTS.map(|context| ::blake3::derive_key(context, b"")))[role as usize]
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
    for (group, out) in messages.chunks(length.saturating_mul(LANES)).zip(out.chunks_mut(LANES)) {
        if length <= CHUNK {
            let whole = Span { length, start: 0, end: length, root: ROOT };
            lanes.chunk(group, whole, out);
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
        Self { platform: Platform::detect(), key: to_words(key(role)) }
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
            let span = Span { length, start, end: length.min(start + CHUNK), root: 0 };
            self.chunk(group, span, values);
        }
        while count > 1 {
            let root = if count == 2 { ROOT } else { 0 };
            let pairs = count / 2;
            for p in 0..pairs {
                self.parents(&mut level, p, width, root);
            }
            if count % 2 == 1 {
                let last = (count - 1) * width;
                level.copy_within(last..last + width, pairs * width);
            }
            count = count.div_ceil(2);
        }
        out.copy_from_slice(&level[..width]);
    }

    /// Writes the parents of the pair `p` of `width` values each to place `p`, which no later pair reads.
    fn parents(&self, level: &mut [Digest], p: usize, width: usize, root: u8) {
        let (from, to) = (2 * p * width, p * width);
        let mut blocks = [[0u8; BLOCK]; LANES];
        let (left, right) = level[from..from + 2 * width].split_at(width);
        for ((block, l), r) in blocks.iter_mut().zip(left).zip(right) {
            block[..32].copy_from_slice(l);
            block[32..].copy_from_slice(r);
        }
        let span = Span { length: BLOCK, start: 0, end: BLOCK, root };
        let flags = [KEYED_HASH | PARENT | root, 0, 0];
        self.vector::<BLOCK>(blocks.as_flattened(), span, flags, &mut level[to..to + width]);
    }

    /// The values of one chunk of every message of the group.
    fn chunk(&self, group: &[u8], span: Span, out: &mut [Digest]) {
        let length = span.end - span.start;
        let (blocks, tail) = (length / BLOCK, length % BLOCK);
        let last = CHUNK_END | span.root;
        if tail == 0 {
            self.whole_blocks(group, span, last, out);
            return;
        }
        self.whole_blocks(group, span, 0, out);
        let first = if blocks == 0 { CHUNK_START } else { 0 };
        let flags = KEYED_HASH | first | last;
        for (message, out) in group.chunks_exact(span.length).zip(out) {
            let mut value = if blocks == 0 { self.key } else { to_words(out) };
            let mut block = [0u8; BLOCK];
            block[..tail].copy_from_slice(&message[span.end - tail..span.end]);
            self.platform.compress_in_place(&mut value, &block, tail as u8, span.counter(), flags);
            *out = to_bytes(&value);
        }
    }

    /// The whole blocks of a chunk, with the flags `end` on the last of them: picks the compiled
    /// length (none: nothing to do).
    fn whole_blocks(&self, group: &[u8], span: Span, end: u8, out: &mut [Digest]) {
        let flags = [KEYED_HASH, CHUNK_START, end];
        match (span.end - span.start) / BLOCK {
            0 => {}
            1 => self.vector::<64>(group, span, flags, out),
            2 => self.vector::<128>(group, span, flags, out),
            3 => self.vector::<192>(group, span, flags, out),
            4 => self.vector::<256>(group, span, flags, out),
            5 => self.vector::<320>(group, span, flags, out),
            6 => self.vector::<384>(group, span, flags, out),
            7 => self.vector::<448>(group, span, flags, out),
            8 => self.vector::<512>(group, span, flags, out),
            9 => self.vector::<576>(group, span, flags, out),
            10 => self.vector::<640>(group, span, flags, out),
            11 => self.vector::<704>(group, span, flags, out),
            12 => self.vector::<768>(group, span, flags, out),
            13 => self.vector::<832>(group, span, flags, out),
            14 => self.vector::<896>(group, span, flags, out),
            15 => self.vector::<960>(group, span, flags, out),
            _ => self.vector::<CHUNK>(group, span, flags, out),
        }
    }

    /// The first `N` bytes of the chunk, all messages of the group side by side. The flags are those of all blocks, and
    /// those of the first and the last one besides.
    fn vector<const N: usize>(&self, group: &[u8], span: Span, flags: [u8; 3], out: &mut [Digest]) {
        let Span { length, start, .. } = span;
        let (key, blocks, counter) = (self.key, N / BLOCK, span.counter());
        let done = Chunk { key, length, start, blocks, counter, flags }.values(group, out);
        if done == out.len() {
            return;
        }
        let (group, out) = (&group[done * length..], &mut out[done..]);
        let mut inputs = [&[0u8; N]; LANES];
        for (input, message) in inputs.iter_mut().zip(group.chunks_exact(length)) {
            *input = message[start..].first_chunk().expect("the chunk has N bytes");
        }
        self.platform.hash_many(
            &inputs[..out.len()],
            &self.key,
            counter,
            IncrementCounter::No,
            flags[0],
            flags[1],
            flags[2],
            out.as_flattened_mut(),
        );
    }
}

/// The trials on a state, if there is a kernel for them.
#[cfg(feature = "prover")]
pub(super) fn trials(state: &Digest) -> Option<Trials> {
    Trials::new(&to_words(key(Role::Grind)), &to_words(state), KEYED_HASH | CHUNK_START | CHUNK_END | ROOT)
}

/// One chunk of every message.
#[derive(Clone, Copy)]
struct Span {
    /// Length of a message.
    length: usize,
    /// Where the chunk begins in its message.
    start: usize,
    /// Where it ends.
    end: usize,
    /// [`ROOT`] if the chunk is the whole message, else 0.
    root: u8,
}

impl Span {
    /// Number of the chunk in its message.
    fn counter(self) -> u64 {
        (self.start / CHUNK) as u64
    }
}

fn to_words(bytes: &Digest) -> [u32; 8] {
    let (words, _) = bytes.as_chunks::<4>();
    core::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

fn to_bytes(words: &[u32; 8]) -> Digest {
    let mut bytes = Digest::default();
    for (b, w) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *b = w.to_le_bytes();
    }
    bytes
}
