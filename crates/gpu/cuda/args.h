// Arguments of the kernels, each the twin of a structure in src/args.rs. All pointers are to the device's memory.
#pragma once
#include "platform.h"

/// Constants, made on the CPU by the crates that define them.
struct Tables {
    /// From the tower to GF(2^64) in its polynomial basis: `to_poly64[16 k + v]` is the image of `v << 4k`.
    u64 to_poly64[256];
    /// The inverse.
    u64 to_tower64[256];
    /// From the tower to GF(2^128): two words for each nibble's value.
    u64 to_poly128[1024];
    /// The inverse.
    u64 to_tower128[1024];
    /// Points of the code's domain in GF(2^64): `points[256 k + v]` is that of the position `v << 8k`.
    u64 points[1024];
    /// The keys of Merkle leaves and nodes under BLAKE3.
    u64 leaf_key[4];
    u64 node_key[4];
};

/// One pass of the additive transform over all blocks of a codeword.
struct EncodeArgs {
    const Tables* tables;
    /// The message, read by the first pass alone.
    const u64* message;
    u64* code;
    /// Words of a block, and words of coefficients beyond it.
    u64 block_words, extra_words;
    /// Consecutive words that share all factors of the pass: a row, times two for each layer below the pass.
    u64 inner;
    /// Tiles side by side in `inner` words.
    u32 chunks;
    /// The number of the first block, with the bit above that says how many there are.
    u32 first_block;
    /// log2 of the runs of a block that the pass transforms apart from each other.
    u32 log_groups;
    /// Layers of the pass.
    u32 layers;
    /// log2 of a tile's columns.
    u32 log_columns;
    /// Whether the pass is the first (1), the last (2) or both (3).
    u32 ends;
};

/// Digests of rows, or of several rows each, to the lowest layer of a tree.
struct LeavesArgs {
    const Tables* tables;
    const u64* rows;
    u64* digests;
    u64 count, row_words;
};

/// Layers of a Merkle tree: node `j` is a digest's four, six or eight words, its children are `2j` and `2j + 1`, and the root is node 1.
struct TreeArgs {
    const Tables* tables;
    u64* nodes;
    /// The depth of the children that the launch starts with.
    u32 depth;
    /// How many layers above them to make, at most nine.
    u32 layers;
};

/// Partial sums of weighted rows: one row of partial sums for each block.
struct CombineRowsArgs {
    const Tables* tables;
    const u64* matrix;
    const u64* weights;
    u64* partial;
    u64 rows, width, rows_per_block;
    /// log2 of the columns of a block, and how many blocks stand side by side.
    u32 log_columns, tiles;
};

/// Sums of weighted columns: one element for each row.
struct CombineColumnsArgs {
    const Tables* tables;
    const u64* matrix;
    const u64* weights;
    u64* out;
    u64 rows, width, rows_per_block;
    /// log2 of the threads that share a row.
    u32 log_lanes, unused;
};

/// Weighted sums of `2^log_fold` neighbours among elements in the polynomial basis: in it, and over the tower.
struct FoldArgs {
    const Tables* tables;
    const u64* message;
    const u64* weights;
    u64* folded;
    u64* flat;
    /// Sums, not elements.
    u64 count;
    u32 log_fold, unused;
};

/// A round of the sumcheck over two tables of elements in the polynomial basis: for each block the sums of the constant and of the quadratic
/// coefficients of its pairs. A table is bound first, to a challenge, if `binds` says so: 1 for the message, 2 for the form.
struct RoundArgs {
    const u64* message;
    const u64* form;
    /// Where a table that is bound goes, and is not read.
    u64* bound_message;
    u64* bound_form;
    u64* partial;
    /// Pairs of what is left, and how many blocks share them.
    u64 pairs, blocks;
    u64 challenge[5];
    u64 binds;
};

/// The tensor of two tables of elements in the polynomial basis: entry `i` is the product of `low[i mod 2^log_low]` and `high[i / 2^log_low]`.
struct TensorArgs {
    const u64* low;
    const u64* high;
    u64* out;
    u64 count;
    /// Whether the product is added to what stands there.
    u32 log_low, adds;
};

/// The sum of rows, word by word, a block for each word.
struct SumArgs {
    const u64* rows;
    u64* out;
    u64 count, words;
};

/// Rows of a table, one after the other; zeros for an index that is beyond it.
struct GatherArgs {
    const u64* table;
    const u64* indices;
    u64* out;
    u64 rows, count, words;
};

/// Words that come with the launch.
struct StoreArgs {
    u64* out;
    u64 words;
    u64 data[480];
};
