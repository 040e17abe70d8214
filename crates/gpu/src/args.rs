//! Arguments of the kernels: twins of the structures in `cuda/args.h`. Addresses are those of a device's memory.

use crate::challenge::{PAIR_KERNELS, PairKernels};
use std::ffi::CStr;

/// A kernel, by its name in the code for devices and in the emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kernel(pub(crate) &'static CStr);

impl Kernel {
    pub(crate) const ENCODE: Self = Self(c"encode");
    pub(crate) const BLAKE3: [Self; 2] = [Self(c"blake3_leaves"), Self(c"blake3_tree")];
    pub(crate) const SHA3_256: [Self; 2] = [Self(c"sha3_256_leaves"), Self(c"sha3_256_tree")];
    pub(crate) const SHA3_384: [Self; 2] = [Self(c"sha3_384_leaves"), Self(c"sha3_384_tree")];
    pub(crate) const SHA3_512: [Self; 2] = [Self(c"sha3_512_leaves"), Self(c"sha3_512_tree")];
    pub(crate) const SUM_ROWS: Self = Self(c"sum_rows");
    pub(crate) const GATHER: Self = Self(c"gather");
    pub(crate) const STORE: Self = Self(c"store");

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let hashes = [Self::BLAKE3, Self::SHA3_256, Self::SHA3_384, Self::SHA3_512].into_iter();
        let pairs = PAIR_KERNELS.iter().flat_map(PairKernels::all);
        [Self::ENCODE, Self::SUM_ROWS, Self::GATHER, Self::STORE]
            .into_iter()
            .chain(hashes.flatten())
            .chain(pairs)
    }
}

/// Words that a launch can bring: arguments have 4 KiB.
pub(crate) const STORED_WORDS: usize = 480;

/// Threads of a block, in every kernel.
pub(crate) const BLOCK_THREADS: u64 = 256;

/// The arguments of a launch: the kernel that takes them is named beside them.
///
/// # Safety
/// The type is the twin of the kernel's structure in `cuda/args.h`: the same fields in the same order, `repr(C)`, without padding.
pub(crate) unsafe trait Args: Copy {
    /// Where the kernel writes.
    #[cfg(emulator)]
    fn output(&self) -> u64;
}

macro_rules! args {
    ($($(#[$note:meta])* $name:ident => $output:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$note])*
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub(crate) struct $name { $(pub(crate) $field: $type),* }

        // The fields fill the structure: there is no padding.
        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())*);

        // SAFETY: the fields are those of the structure of the same name in cuda/args.h, in `repr(C)`, without padding by the line above.
        unsafe impl Args for $name {
            #[cfg(emulator)]
            fn output(&self) -> u64 {
                self.$output
            }
        }
    )*};
}

args! {
    /// One pass of the additive transform over all blocks of a codeword.
    EncodeArgs => code {
        tables: u64, message: u64, code: u64, block_words: u64, extra_words: u64, inner: u64,
        chunks: u32, first_block: u32, log_groups: u32, layers: u32, log_columns: u32, ends: u32,
    }
    /// Digests of rows, or of several rows each.
    LeavesArgs => digests { tables: u64, rows: u64, digests: u64, count: u64, row_words: u64 }
    /// Layers of a Merkle tree.
    TreeArgs => nodes { tables: u64, nodes: u64, depth: u32, layers: u32 }
    /// Partial sums of weighted rows.
    CombineRowsArgs => partial {
        tables: u64, matrix: u64, weights: u64, partial: u64, rows: u64, width: u64, rows_per_block: u64,
        log_columns: u32, tiles: u32,
    }
    /// Sums of weighted columns.
    CombineColumnsArgs => out {
        tables: u64, matrix: u64, weights: u64, out: u64, rows: u64, width: u64, rows_per_block: u64,
        log_lanes: u32, unused: u32,
    }
    /// Weighted sums of neighbours.
    FoldArgs => flat {
        tables: u64, message: u64, weights: u64, folded: u64, flat: u64, count: u64, log_fold: u32, unused: u32,
    }
    /// A round of the sumcheck.
    RoundArgs => partial {
        message: u64, form: u64, bound_message: u64, bound_form: u64, partial: u64, pairs: u64, blocks: u64,
        challenge: [u64; 5], binds: u64,
    }
    /// The tensor of two tables.
    TensorArgs => out { low: u64, high: u64, out: u64, count: u64, log_low: u32, adds: u32 }
    /// The sum of rows.
    SumArgs => out { rows: u64, out: u64, count: u64, words: u64 }
    /// Rows of a table, one after the other.
    GatherArgs => out { table: u64, indices: u64, out: u64, rows: u64, count: u64, words: u64 }
    /// Words that come with the launch.
    StoreArgs => out { out: u64, words: u64, data: [u64; STORED_WORDS] }
}
