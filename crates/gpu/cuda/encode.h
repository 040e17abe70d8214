// The additive transform of `field::binary::ntt`, several layers to a pass.
//
// Rows are words of 64 bits, and a factor from GF(2^32) acts on each alone. In the tower that takes hundreds of operations, in the
// polynomial basis four carry-less ones: the first pass carries words over, the last one back.
#pragma once
#include "args.h"
#include "fields.h"

/// Words of a tile.
#define TILE_WORDS 4096u
/// The most layers of a pass.
#define MOST_LAYERS 12u
/// Layers that a thread does in registers.
#define STEP_LAYERS 3u
/// Blocks that a multiprocessor is to run at once, at the price of registers; 0: as many as come. Its shared memory has room for six; a product
/// in integer operations needs the registers.
#ifdef TENFOLD_CLMAD
#define ENCODE_BLOCKS 5
#else
#define ENCODE_BLOCKS 0
#endif

/// The point of a position.
DEV u64 point(const u64* points, u32 q) {
    return points[q & 255] ^ points[256 + (q >> 8 & 255)] ^ points[512 + (q >> 16 & 255)] ^ points[768 + (q >> 24)];
}

/// The point of a position below 2^12.
DEV u64 point12(const u64* points, u32 q) {
    return points[q & 255] ^ points[256 + (q >> 8)];
}

/// Some layers of a tile, of which `done` are above: `L` of them in registers.
template <u32 L>
DEV void step(u64* tile, const u64* points, const u64* high, const EncodeArgs& a, u32 done, u32 t) {
    const u32 columns = 1u << a.log_columns, below = a.layers - done - L;
    const u32 tasks = 1u << (a.layers + a.log_columns - L);
    for (u32 task = t; task < tasks; task += BLOCK_THREADS) {
        const u32 column = task & (columns - 1), rest = task >> a.log_columns;
        const u32 above = rest >> below, first = above << (L + below) | (rest & ((1u << below) - 1));
        u64 x[1 << L];
        UNROLL for (u32 i = 0; i < 1 << L; i++) x[i] = tile[(first | i << below) << a.log_columns | column];
        UNROLL for (u32 layer = 0; layer < L; layer++) {
            const u64 factor = high[a.layers - done - 1 - layer] ^ point12(points, above << (layer + 1));
            const u32 half = 1u << (L - 1 - layer);
            UNROLL for (u32 node = 0; node < 1u << layer; node++) {
                const u64 f = factor ^ points[2 * node];
                UNROLL for (u32 i = 0; i < half; i++) {
                    const u32 u = 2 * half * node + i, v = u + half;
                    x[u] = add_product64(x[u], x[v], f);
                    x[v] ^= x[u];
                }
            }
        }
        UNROLL for (u32 i = 0; i < 1 << L; i++) tile[(first | i << below) << a.log_columns | column] = x[i];
    }
}

KERNEL_OF_BLOCKS(encode, EncodeArgs, ENCODE_BLOCKS) {
    SHARED u64 tile[TILE_WORDS];
    SHARED u64 images[256];
    SHARED u64 points[256 + 16];
    SHARED u64 high[MOST_LAYERS];
    const u32 chunk = BLOCK % a.chunks, run = BLOCK / a.chunks;
    const u32 group = run & ((1u << a.log_groups) - 1), block = run >> a.log_groups;
    const u32 words = 1u << (a.layers + a.log_columns), columns = 1u << a.log_columns;
    const u64 in_block = group * (a.inner << a.layers), first_column = (u64)chunk << a.log_columns;
    const bool is_first = a.ends & 1, is_last = a.ends & 2;

    THREADS(t) {
        images[t] = a.tables->to_poly64[t];
        points[t] = a.tables->points[t];
        if (t < 16) points[256 + t] = a.tables->points[256 + t];
        const u32 number = (a.first_block + block) << a.log_groups | group;
        if (t < a.layers) high[t] = point(a.tables->points, number << (a.layers - t));
    }
    BARRIER;
    THREADS(t) {
        const u64* from = is_first ? a.message : a.code + block * a.block_words;
        const u64 extra_factor = a.extra_words > 0 ? point(a.tables->points, a.first_block + block) : 0;
        for (u32 e = t; e < words; e += BLOCK_THREADS) {
            const u64 column = first_column + (e & (columns - 1));
            u64 x = 0;
            if (column < a.inner) {
                const u64 at = in_block + (e >> a.log_columns) * a.inner + column;
                x = from[at];
                if (is_first) {
                    x = map64(images, x);
                    if (at < a.extra_words) {
                        x = add_product64(x, map64(images, from[a.block_words + at]), extra_factor);
                    }
                }
            }
            tile[e] = x;
        }
    }
    BARRIER;
    for (u32 done = 0; done < a.layers;) {
        const u32 left = a.layers - done;
        THREADS(t) {
            if (left >= 3) {
                step<3>(tile, points, high, a, done, t);
            } else if (left == 2) {
                step<2>(tile, points, high, a, done, t);
            } else {
                step<1>(tile, points, high, a, done, t);
            }
        }
        BARRIER;
        done += left < STEP_LAYERS ? left : STEP_LAYERS;
    }
    THREADS(t) {
        if (is_last) images[t] = a.tables->to_tower64[t];
    }
    BARRIER;
    THREADS(t) {
        u64* to = a.code + block * a.block_words;
        for (u32 e = t; e < words; e += BLOCK_THREADS) {
            const u64 column = first_column + (e & (columns - 1));
            if (column < a.inner) {
                const u64 at = in_block + (e >> a.log_columns) * a.inner + column;
                to[at] = is_last ? map64(images, tile[e]) : tile[e];
            }
        }
    }
}
