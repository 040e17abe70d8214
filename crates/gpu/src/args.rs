//! Arguments of the kernels: twins of the structures in `cuda/args.h`. Addresses are those of a device's memory.

/// The kernels, with their numbers in the emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kernel {
    Encode = 0,
    Blake3Leaves = 1,
    Sha3Leaves = 2,
    Blake3Tree = 3,
    Sha3Tree = 4,
    CombineRowsGf128 = 5,
    CombineRowsGf192 = 6,
    CombineRowsGf256 = 7,
    CombineColumnsGf128 = 8,
    CombineColumnsGf192 = 9,
    CombineColumnsGf256 = 10,
    SumRows = 11,
    Gather = 12,
}

impl Kernel {
    pub(crate) const ALL: [Self; 13] = [
        Self::Encode,
        Self::Blake3Leaves,
        Self::Sha3Leaves,
        Self::Blake3Tree,
        Self::Sha3Tree,
        Self::CombineRowsGf128,
        Self::CombineRowsGf192,
        Self::CombineRowsGf256,
        Self::CombineColumnsGf128,
        Self::CombineColumnsGf192,
        Self::CombineColumnsGf256,
        Self::SumRows,
        Self::Gather,
    ];

    /// The name in the code for devices.
    pub(crate) const fn name(self) -> &'static std::ffi::CStr {
        match self {
            Self::Encode => c"encode",
            Self::Blake3Leaves => c"blake3_leaves",
            Self::Sha3Leaves => c"sha3_leaves",
            Self::Blake3Tree => c"blake3_tree",
            Self::Sha3Tree => c"sha3_tree",
            Self::CombineRowsGf128 => c"combine_rows_gf128",
            Self::CombineRowsGf192 => c"combine_rows_gf192",
            Self::CombineRowsGf256 => c"combine_rows_gf256",
            Self::CombineColumnsGf128 => c"combine_columns_gf128",
            Self::CombineColumnsGf192 => c"combine_columns_gf192",
            Self::CombineColumnsGf256 => c"combine_columns_gf256",
            Self::SumRows => c"sum_rows",
            Self::Gather => c"gather",
        }
    }
}

/// Threads of a block, in every kernel.
pub(crate) const BLOCK_THREADS: u64 = 256;

/// The arguments of a launch: the kernel that takes them is named beside them.
///
/// # Safety
/// The type is the twin of the kernel's structure in `cuda/args.h`: the same fields in the same order, `repr(C)`, without padding.
pub(crate) unsafe trait Args: Copy {}

macro_rules! args {
    ($($(#[$note:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$note])*
        #[derive(Debug, Clone, Copy)]
        #[repr(C)]
        pub(crate) struct $name { $(pub(crate) $field: $type),* }

        // The fields fill the structure: there is no padding.
        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())*);

        // SAFETY: the fields are those of the structure of the same name in cuda/args.h, in `repr(C)`, without padding by the line above.
        unsafe impl Args for $name {}
    )*};
}

args! {
    /// One pass of the additive transform over all blocks of a codeword.
    EncodeArgs {
        tables: u64, message: u64, code: u64, block_words: u64, extra_words: u64, inner: u64,
        chunks: u32, first_block: u32, log_groups: u32, layers: u32, log_columns: u32, ends: u32,
    }
    /// Digests of rows.
    LeavesArgs { tables: u64, rows: u64, digests: u64, count: u64, row_words: u64 }
    /// Layers of a Merkle tree.
    TreeArgs { tables: u64, nodes: u64, depth: u32, layers: u32 }
    /// Partial sums of weighted rows.
    CombineRowsArgs {
        tables: u64, matrix: u64, weights: u64, partial: u64, rows: u64, width: u64, rows_per_block: u64,
        log_columns: u32, tiles: u32,
    }
    /// Sums of weighted columns.
    CombineColumnsArgs {
        tables: u64, matrix: u64, weights: u64, out: u64, rows: u64, width: u64, rows_per_block: u64,
        log_lanes: u32, unused: u32,
    }
    /// The sum of rows.
    SumArgs { rows: u64, out: u64, count: u64, words: u64 }
    /// Rows of a table, one after the other.
    GatherArgs { table: u64, indices: u64, out: u64, count: u64, words: u64 }
}
