// BLAKE3 in keyed mode and SHA3 at three widths, as `iop::hash` uses them: some rows of a matrix are one leaf, two digests are one node.
#pragma once
#include "args.h"

#define CHUNK_START 1u
#define CHUNK_END 2u
#define PARENT 4u
#define ROOT 8u
#define KEYED_HASH 16u

/// Words of 64 bits of a block and of a chunk.
#define BLAKE3_BLOCK 8u
#define BLAKE3_CHUNK 128u
/// Chunks that wait for their neighbours in a row of less than 2^32 bytes.
#define MOST_WAITING 22

CONSTANT u32 BLAKE3_IV[4] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au};

DEV u32 rotate(u32 x, u32 n) {
    return x >> n | x << (32 - n);
}

#define MIX(a, b, c, d, x, y) \
    v[a] += v[b] + (x); v[d] = rotate(v[d] ^ v[a], 16); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 12); \
    v[a] += v[b] + (y); v[d] = rotate(v[d] ^ v[a], 8); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 7)

/// One round; the places of the message's words follow from the permutation of the specification.
#define ROUND(a, b, c, d, e, f, g, h, i, j, k, l, o, p, q, r) \
    MIX(0, 4, 8, 12, m[a], m[b]); MIX(1, 5, 9, 13, m[c], m[d]); \
    MIX(2, 6, 10, 14, m[e], m[f]); MIX(3, 7, 11, 15, m[g], m[h]); \
    MIX(0, 5, 10, 15, m[i], m[j]); MIX(1, 6, 11, 12, m[k], m[l]); \
    MIX(2, 7, 8, 13, m[o], m[p]); MIX(3, 4, 9, 14, m[q], m[r])

/// The chaining value after a block of 64 bytes.
DEV void compress(u32* value, const u32* m, u64 counter, u32 flags) {
    u32 v[16];
    UNROLL for (u32 i = 0; i < 8; i++) v[i] = value[i];
    UNROLL for (u32 i = 0; i < 4; i++) v[8 + i] = BLAKE3_IV[i];
    v[12] = (u32)counter;
    v[13] = (u32)(counter >> 32);
    v[14] = 64;
    v[15] = flags;
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    ROUND(2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8);
    ROUND(3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1);
    ROUND(10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6);
    ROUND(12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4);
    ROUND(9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7);
    ROUND(11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13);
    UNROLL for (u32 i = 0; i < 8; i++) value[i] = v[i] ^ v[8 + i];
}

/// Splits words into halves.
template <u32 N>
DEV void halves(const u64* words, u32* out) {
    UNROLL for (u32 i = 0; i < N; i++) {
        out[2 * i] = (u32)words[i];
        out[2 * i + 1] = (u32)(words[i] >> 32);
    }
}

/// Stores eight half words as four words.
DEV void store_digest(const u32* value, u64* out) {
    Pair* pairs = (Pair*)out;
    pairs[0] = Pair{value[0] | (u64)value[1] << 32, value[2] | (u64)value[3] << 32};
    pairs[1] = Pair{value[4] | (u64)value[5] << 32, value[6] | (u64)value[7] << 32};
}

/// A block of a row, with zeros behind the row's end.
DEV void load_block(const u64* row, u64 row_words, u64 start, u32* m) {
    u64 words[BLAKE3_BLOCK];
    if (start + BLAKE3_BLOCK <= row_words && row_words % 2 == 0) {
        const Pair* pairs = (const Pair*)(row + start);
        UNROLL for (u32 i = 0; i < BLAKE3_BLOCK / 2; i++) {
            const Pair pair = pairs[i];
            words[2 * i] = pair.low;
            words[2 * i + 1] = pair.high;
        }
    } else {
        UNROLL for (u32 i = 0; i < BLAKE3_BLOCK; i++) words[i] = start + i < row_words ? row[start + i] : 0;
    }
    halves<BLAKE3_BLOCK>(words, m);
}

/// The parent of a waiting value and of `value`, which it replaces.
DEV void join_values(const u32* left, u32* value, const u32* key, u32 flags) {
    u32 m[16];
    UNROLL for (u32 i = 0; i < 8; i++) {
        m[i] = left[i];
        m[8 + i] = value[i];
        value[i] = key[i];
    }
    compress(value, m, 0, KEYED_HASH | PARENT | flags);
}

KERNEL(blake3_leaves, LeavesArgs) {
    THREADS(t) {
        const u64 index = (u64)BLOCK * BLOCK_THREADS + t;
        if (index < a.count) {
            const u64* row = a.rows + index * a.row_words;
            const u64 chunks = (a.row_words + BLAKE3_CHUNK - 1) / BLAKE3_CHUNK;
            const u32 alone = chunks == 1 ? ROOT : 0;
            u32 key[8], value[8], waiting[MOST_WAITING][8], depth = 0;
            halves<4>(a.tables->leaf_key, key);
            ROLLED for (u64 chunk = 0; chunk < chunks; chunk++) {
                const u64 start = chunk * BLAKE3_CHUNK, left = a.row_words - start;
                const u64 end = start + (left < BLAKE3_CHUNK ? left : BLAKE3_CHUNK);
                UNROLL for (u32 i = 0; i < 8; i++) value[i] = key[i];
                ROLLED for (u64 at = start; at < end; at += BLAKE3_BLOCK) {
                    u32 m[16];
                    load_block(row, a.row_words, at, m);
                    const u32 begins = at == start ? CHUNK_START : 0;
                    const u32 ends = at + BLAKE3_BLOCK >= end ? CHUNK_END | alone : 0;
                    compress(value, m, chunk, KEYED_HASH | begins | ends);
                }
                if (chunk + 1 < chunks) {
                    // A pair of equally large subtrees is complete for each zero at the end of the count.
                    for (u64 count = chunk + 1; count % 2 == 0; count /= 2) join_values(waiting[--depth], value, key, 0);
                    UNROLL for (u32 i = 0; i < 8; i++) waiting[depth][i] = value[i];
                    depth++;
                }
            }
            ROLLED while (depth > 0) {
                depth--;
                join_values(waiting[depth], value, key, depth == 0 ? ROOT : 0);
            }
            store_digest(value, a.digests + 4 * index);
        }
    }
}

CONSTANT u64 KECCAK_CONSTANTS[24] = {
    0x1ull, 0x8082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x808bull, 0x80000001ull,
    0x8000000080008081ull, 0x8000000000008009ull, 0x8aull, 0x88ull, 0x80008009ull, 0x8000000aull,
    0x8000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull,
    0x8000000000008002ull, 0x8000000000000080ull, 0x800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x80000001ull, 0x8000000080008008ull};

DEV u64 rotate64(u64 x, u32 n) {
    return n == 0 ? x : x << n | x >> (64 - n);
}

/// Keccak-f[1600].
DEV void permute(u64* s) {
    constexpr u32 turns[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
    ROLLED for (u32 round = 0; round < 24; round++) {
        u64 c[5], b[25];
        UNROLL for (u32 x = 0; x < 5; x++) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        UNROLL for (u32 x = 0; x < 5; x++) {
            const u64 d = c[(x + 4) % 5] ^ rotate64(c[(x + 1) % 5], 1);
            UNROLL for (u32 y = 0; y < 5; y++) b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate64(s[x + 5 * y] ^ d, turns[x + 5 * y]);
        }
        UNROLL for (u32 y = 0; y < 5; y++) {
            UNROLL for (u32 x = 0; x < 5; x++) {
                s[5 * y + x] = b[5 * y + x] ^ (~b[5 * y + (x + 1) % 5] & b[5 * y + (x + 2) % 5]);
            }
        }
        s[0] ^= KECCAK_CONSTANTS[round];
    }
}

/// SHA3 with digests of `DIGEST` words, of a role byte and some words.
template <u32 DIGEST>
DEV void sha3(u64 role, const u64* words, u64 count, u64* out) {
    // Words absorbed by a permutation.
    constexpr u32 rate = 25 - 2 * DIGEST;
    u64 s[25];
    UNROLL for (u32 i = 0; i < 25; i++) s[i] = 0;
    // The byte in front shifts each word: its top byte goes to the next one.
    u64 carried = role;
    ROLLED for (u64 start = 0; start <= count; start += rate) {
        UNROLL for (u32 i = 0; i < rate; i++) {
            const u64 at = start + i;
            if (at < count) {
                const u64 word = words[at];
                s[i] ^= word << 8 | carried;
                carried = word >> 56;
            } else if (at == count) {
                s[i] ^= 0x600 | carried;
            }
        }
        if (count < start + rate) s[rate - 1] ^= 0x8000000000000000ull;
        permute(s);
    }
    UNROLL for (u32 i = 0; i < DIGEST; i++) out[i] = s[i];
}

/// The parent of two digests under BLAKE3.
struct Blake3Node {
    DEV void parent(const Tables* tables, const u64* children, u64* out) {
        u32 value[8], m[16];
        halves<4>(tables->node_key, value);
        load_block(children, BLAKE3_BLOCK, 0, m);
        compress(value, m, 0, KEYED_HASH | CHUNK_START | CHUNK_END | ROOT);
        store_digest(value, out);
    }
};

/// The parent of two digests of `N` words under SHA3.
template <u32 N>
struct Sha3Node {
    DEV void parent(const Tables*, const u64* children, u64* out) {
        sha3<N>(1, children, 2 * N, out);
    }
};

/// Layers of a tree with digests of `N` words: a block makes all nodes above 512 children that stand together.
#define TREE(N, Node) \
    for (u32 layer = 1; layer <= a.layers; layer++) { \
        const u32 depth = a.depth - layer, at_once = 2 * BLOCK_THREADS >> layer; \
        THREADS(t) { \
            const u64 node = (u64)BLOCK * at_once + t; \
            if (t < at_once && node < 1ull << depth) { \
                const u64 place = (1ull << depth) + node; \
                Node::parent(a.tables, a.nodes + 2 * N * place, a.nodes + N * place); \
            } \
        } \
        BARRIER; \
    }

KERNEL(blake3_tree, TreeArgs) {
    TREE(4, Blake3Node)
}

/// The widths of SHA3 in bits, and the words of their digests.
#define SHA3_WIDTHS(X) X(256, 4) X(384, 6) X(512, 8)

#define SHA3_KERNELS(bits, N) \
    KERNEL(sha3_##bits##_leaves, LeavesArgs) { \
        THREADS(t) { \
            const u64 index = (u64)BLOCK * BLOCK_THREADS + t; \
            if (index < a.count) sha3<N>(0, a.rows + index * a.row_words, a.row_words, a.digests + N * index); \
        } \
    } \
    KERNEL(sha3_##bits##_tree, TreeArgs) { \
        TREE(N, Sha3Node<N>) \
    }

SHA3_WIDTHS(SHA3_KERNELS)
