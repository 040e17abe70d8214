// Combinations of the rows and of the columns of a matrix over the tower, with weights from a field over it in its polynomial
// basis: as `field::ExtensionOf` means them. `W` is the words of an entry, `D` the entries of a weight.
#pragma once
#include "args.h"
#include "fields.h"

/// The table that carries an entry over to the polynomial basis.
template <u32 W>
DEV void load_images(const Tables* tables, u64* images, u32 t) {
    const u64* from = W == 1 ? tables->to_poly64 : tables->to_poly128;
    for (u32 i = t; i < (W == 1 ? 256u : 1024u); i += BLOCK_THREADS) images[i] = from[i];
}

/// Adds the product of an entry and a weight.
template <u32 W, u32 D>
DEV void add_entry(Sum<W>* sums, const u64* images, const u64* entry, const u64* weight) {
    u64 x[W];
    convert<W>(images, entry, x);
    UNROLL for (u32 d = 0; d < D; d++) add_to(sums[d], x, weight + d * W);
}

#define COMBINE_ROWS(field, W, D) \
    KERNEL(combine_rows_##field, CombineRowsArgs) { \
        SHARED alignas(16) u64 images[W == 1 ? 256 : 1024]; \
        SHARED u64 sums[BLOCK_THREADS * W * D]; \
        const u32 columns = 1u << a.log_columns, lanes = BLOCK_THREADS >> a.log_columns; \
        const u64 first_column = (u64)(BLOCK % a.tiles) << a.log_columns, chunk = BLOCK / a.tiles; \
        THREADS(t) load_images<W>(a.tables, images, t); \
        BARRIER; \
        THREADS(t) { \
            const u64 column = first_column + (t & (columns - 1)), first = chunk * a.rows_per_block; \
            const u64 end = first + a.rows_per_block < a.rows ? first + a.rows_per_block : a.rows; \
            Sum<W> own[D]; \
            if (column < a.width) { \
                for (u64 row = first + (t >> a.log_columns); row < end; row += lanes) { \
                    add_entry<W, D>(own, images, a.matrix + (row * a.width + column) * W, a.weights + row * W * D); \
                } \
            } \
            UNROLL for (u32 d = 0; d < D; d++) reduce(own[d], sums + (t * D + d) * W); \
        } \
        BARRIER; \
        THREADS(t) { \
            for (u32 i = t; i < columns * W * D; i += BLOCK_THREADS) { \
                u64 sum = 0; \
                for (u32 lane = 0; lane < lanes; lane++) sum ^= sums[lane * columns * W * D + i]; \
                const u64 column = first_column + i / (W * D); \
                if (column < a.width) a.partial[chunk * a.width * W * D + first_column * W * D + i] = sum; \
            } \
        } \
    }

PAIRS(COMBINE_ROWS)

#define COMBINE_COLUMNS(field, W, D) \
    KERNEL(combine_columns_##field, CombineColumnsArgs) { \
        SHARED alignas(16) u64 images[W == 1 ? 256 : 1024]; \
        SHARED u64 sums[BLOCK_THREADS * W * D]; \
        const u32 lanes = 1u << a.log_lanes, at_once = BLOCK_THREADS >> a.log_lanes; \
        const u64 first = (u64)BLOCK * a.rows_per_block; \
        const u64 end = first + a.rows_per_block < a.rows ? first + a.rows_per_block : a.rows; \
        THREADS(t) load_images<W>(a.tables, images, t); \
        BARRIER; \
        for (u64 start = first; start < end; start += at_once) { \
            THREADS(t) { \
                const u64 row = start + (t >> a.log_lanes); \
                Sum<W> own[D]; \
                if (row < end) { \
                    for (u64 column = t & (lanes - 1); column < a.width; column += lanes) { \
                        add_entry<W, D>(own, images, a.matrix + (row * a.width + column) * W, a.weights + column * W * D); \
                    } \
                } \
                UNROLL for (u32 d = 0; d < D; d++) reduce(own[d], sums + (t * D + d) * W); \
            } \
            BARRIER; \
            THREADS(t) { \
                for (u32 i = t; i < at_once * W * D; i += BLOCK_THREADS) { \
                    const u32 row = i / (W * D), word = i % (W * D); \
                    u64 sum = 0; \
                    for (u32 lane = 0; lane < lanes; lane++) sum ^= sums[(row * lanes + lane) * W * D + word]; \
                    if (start + row < end) a.out[start * W * D + i] = sum; \
                } \
            } \
            BARRIER; \
        } \
    }

PAIRS(COMBINE_COLUMNS)

KERNEL(sum_rows, SumArgs) {
    SHARED u64 sums[BLOCK_THREADS];
    THREADS(t) {
        u64 sum = 0;
        for (u64 row = t; row < a.count; row += BLOCK_THREADS) sum ^= a.rows[row * a.words + BLOCK];
        sums[t] = sum;
    }
    BARRIER;
    for (u32 half = BLOCK_THREADS / 2; half > 0; half /= 2) {
        THREADS(t) {
            if (t < half) sums[t] ^= sums[t + half];
        }
        BARRIER;
    }
    THREADS(t) {
        if (t == 0) a.out[BLOCK] = sums[0];
    }
}

KERNEL(gather, GatherArgs) {
    THREADS(t) {
        const u64 i = (u64)BLOCK * BLOCK_THREADS + t;
        if (i < a.count * a.words) {
            const u64 index = a.indices[i / a.words];
            a.out[i] = index < a.rows ? a.table[index * a.words + i % a.words] : 0;
        }
    }
}

KERNEL(store, StoreArgs) {
    THREADS(t) {
        for (u32 i = BLOCK * BLOCK_THREADS + t; i < a.words; i += BLOCK_THREADS) a.out[i] = a.data[i];
    }
}
