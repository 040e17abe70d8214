//! The compression function of BLAKE3 in the lanes of vectors, a message or a trial in each. (notes: merkle-lanes)
//!
//! What is here is what wants instructions by hand; the hash function itself, for any message, is a library's. It follows "BLAKE3: one
//! function, fast everywhere" (O'Connor, Aumasson, Neves, Wilcox-O'Hearn, 2021), section 2.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, target_arch = "x86_64"))]
mod portable;
#[cfg(test)]
mod tests;

/// The first words of the state's second half (table 1 there).
#[cfg(any(test, target_arch = "x86_64"))]
const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Message words in the order in which each round takes them.
#[cfg(any(test, target_arch = "x86_64"))]
const SCHEDULE: [[usize; 16]; 7] = {
    // Table 2.
    let next = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut rounds = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 7];
    let mut i = 16;
    while i < 7 * 16 {
        rounds[i / 16][i % 16] = rounds[i / 16 - 1][next[i % 16]];
        i += 1;
    }
    rounds
};

/// Bytes of a block.
const BLOCK: usize = 64;

/// One chunk of each of many messages: what is alike in all of them.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// The value before the first block.
    pub key: [u32; 8],
    /// Bytes of a message.
    pub length: usize,
    /// Where the chunk begins in its message.
    pub start: usize,
    /// Its blocks, each of 64 bytes.
    pub blocks: usize,
    /// Its number.
    pub counter: u64,
    /// The flags of every block, those of the first besides, and those of the last.
    pub flags: [u8; 3],
}

impl Chunk {
    /// The flags of a block.
    #[cfg(any(test, target_arch = "x86_64"))]
    fn flags(&self, block: usize) -> u32 {
        let [all, first, last] = self.flags;
        let (first, last) =
            (if block == 0 { first } else { 0 }, if block + 1 == self.blocks { last } else { 0 });
        (all | first | last).into()
    }

    /// The chaining values of the chunk in the first messages, which stand end to end, as far as they fill vectors; returns how many
    /// that are: less than 16 are left, or all where there is no kernel.
    ///
    /// Cost: with AVX-512 about 520 instructions for 512 bytes of message.
    ///
    /// # Panics
    /// If the chunk has no blocks or reaches beyond its message, or `out.len()` messages are not there.
    pub fn values(&self, messages: &[u8], out: &mut [[u8; 32]]) -> usize {
        let end = self.blocks.checked_mul(BLOCK).and_then(|bytes| bytes.checked_add(self.start));
        assert!(self.blocks > 0 && end.is_some_and(|end| end <= self.length), "blocks of the message");
        let whole = self.length.checked_mul(out.len());
        assert!(whole.is_some_and(|bytes| bytes <= messages.len()), "as many messages as values");
        #[cfg(target_arch = "x86_64")]
        if avx512::available() {
            // SAFETY: the instructions are there; each of the messages has the blocks from `start` on.
            return unsafe { avx512::values(self, messages.as_ptr(), out) };
        }
        0
    }
}

/// Trials of a proof of work: one block of which 32 bytes, a nonce of 8 bytes and 24 zeros are the words.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "no kernel takes them"))]
pub struct Trials {
    state: [u32; 8],
    /// The words of state when all of the first round is done that no nonce enters: its columns, and its diagonals but the first.
    begun: [u32; 16],
}

impl Trials {
    /// The trials with a key, the first half of the block and its flags; none where there is no kernel.
    #[must_use]
    pub fn new(key: &[u32; 8], state: &[u32; 8], flags: u8) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if avx512::available() {
            let mut begun = portable::state(key, 0, flags.into());
            let mut block = [0; 16];
            block[..8].copy_from_slice(state);
            portable::columns(&mut begun, &block, 0);
            portable::diagonals(&mut begun, &block, 0, 1);
            return Some(Self { state: *state, begun });
        }
        let _ = (key, state, flags);
        None
    }

    /// The smallest of `count` nonces from `start` on whose digest has zeros in its first four bytes (as a number, the first byte lowest)
    /// wherever `mask` has ones.
    ///
    /// Cost: about 40 instructions with AVX-512 for each.
    ///
    /// # Panics
    /// If the nonces differ in their upper 32 bits, or this CPU has no kernel.
    #[must_use]
    pub fn first(&self, start: u64, count: u64, mask: u32) -> Option<u64> {
        let last = start.checked_add(count.max(1) - 1);
        assert!(last.is_some_and(|last| last >> 32 == start >> 32), "nonces with one upper half");
        #[cfg(target_arch = "x86_64")]
        {
            assert!(avx512::available(), "trials come from a CPU with the instructions");
            // SAFETY: checked above.
            unsafe { avx512::first(self, start, count, mask) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("there are no trials for {mask}")
    }
}
