// A chain: the rounds of its sumcheck, and folds of its message, the elements that its next word is encoded from. As `iop::sumcheck` binds variables,
// and `field::ExtensionOf::flatten` flattens. `W` is the words of a coordinate, `D` the coordinates of an element.
#pragma once
#include "args.h"
#include "fields.h"

/// The products of sums of coordinates of `y^D` and above, taken back below: each field's modulus in `y`.
template <u32 W, u32 D>
DEV void take_back(u64 (*c)[W]) {
    if constexpr (D == 2) {
        // y^2 = y + x^121 over GF(2^128).
        Sum<2> constant;
        const u64 x121[2] = {0, 1ull << 57};
        u64 product[2];
        add_to(constant, c[2], x121);
        reduce(constant, product);
        UNROLL for (u32 w = 0; w < W; w++) {
            c[0][w] ^= product[w];
            c[1][w] ^= c[2][w];
        }
    } else if constexpr (D > 2) {
        // y^3 = y + 1, and y^5 = y^2 + 1.
        constexpr u32 middle = D == 3 ? 1 : 2;
        UNROLL for (u32 i = 2 * D - 2; i >= D; i--) {
            c[i - D][0] ^= c[i][0];
            c[i - D + middle][0] ^= c[i][0];
        }
    }
}

/// The reduced element that sums of products of coordinates make: those of `y^j` and `y^k` in the sum `j + k`.
template <u32 W, u32 D>
DEV void reduce_element(const Sum<W>* sums, u64* out) {
    u64 c[2 * D - 1][W];
    UNROLL for (u32 j = 0; j < 2 * D - 1; j++) reduce(sums[j], c[j]);
    take_back<W, D>(c);
    UNROLL for (u32 j = 0; j < D; j++) {
        UNROLL for (u32 w = 0; w < W; w++) out[j * W + w] = c[j][w];
    }
}

/// Adds the product of two elements.
template <u32 W, u32 D>
DEV void add_elements(Sum<W>* sums, const u64* x, const u64* y) {
    UNROLL for (u32 j = 0; j < D; j++) {
        UNROLL for (u32 k = 0; k < D; k++) add_to(sums[j + k], x + j * W, y + k * W);
    }
}

/// The product of two elements.
template <u32 W, u32 D>
DEV void multiply(const u64* x, const u64* y, u64* out) {
    Sum<W> sums[2 * D - 1];
    add_elements<W, D>(sums, x, y);
    reduce_element<W, D>(sums, out);
}

#define FOLD(field, W, D) \
    KERNEL(fold_##field, FoldArgs) { \
        SHARED alignas(16) u64 images[W == 1 ? 256 : 1024]; \
        THREADS(t) { \
            const u64* from = W == 1 ? a.tables->to_tower64 : a.tables->to_tower128; \
            for (u32 i = t; i < (W == 1 ? 256u : 1024u); i += BLOCK_THREADS) images[i] = from[i]; \
        } \
        BARRIER; \
        THREADS(t) { \
            const u64 index = (u64)BLOCK * BLOCK_THREADS + t; \
            if (index < a.count) { \
                const u64* elements = a.message + (index << a.log_fold) * W * D; \
                Sum<W> sums[2 * D - 1]; \
                ROLLED for (u32 i = 0; i < 1u << a.log_fold; i++) { \
                    add_elements<W, D>(sums, elements + i * W * D, a.weights + i * W * D); \
                } \
                u64 element[W * D]; \
                reduce_element<W, D>(sums, element); \
                UNROLL for (u32 j = 0; j < D; j++) { \
                    u64 coordinate[W]; \
                    convert<W>(images, element + j * W, coordinate); \
                    UNROLL for (u32 w = 0; w < W; w++) { \
                        a.folded[(index * D + j) * W + w] = element[j * W + w]; \
                        a.flat[(index * D + j) * W + w] = coordinate[w]; \
                    } \
                } \
            } \
        } \
    }

PAIRS(FOLD)

/// A pair of a table's elements: as they stand, or each of two of them, bound to a challenge and written where bound ones go.
template <u32 N, u32 W, u32 D>
DEV void load_pair(const u64* table, u64* bound, u64 pair, const u64* challenge, u64 (*out)[N]) {
    if (!bound) {
        UNROLL for (u32 i = 0; i < 2 * N; i++) out[i / N][i % N] = table[2 * pair * N + i];
        return;
    }
    UNROLL for (u32 side = 0; side < 2; side++) {
        const u64* low = table + (4 * pair + 2 * side) * N;
        u64 difference[N], product[N];
        UNROLL for (u32 i = 0; i < N; i++) difference[i] = low[i] ^ low[N + i];
        multiply<W, D>(difference, challenge, product);
        UNROLL for (u32 i = 0; i < N; i++) {
            out[side][i] = low[i] ^ product[i];
            bound[(2 * pair + side) * N + i] = out[side][i];
        }
    }
}

#define SUMCHECK_ROUND(field, W, D) \
    KERNEL(round_##field, RoundArgs) { \
        constexpr u32 N = W * D; \
        SHARED u64 sums[BLOCK_THREADS * 2 * N]; \
        THREADS(t) { \
            Sum<W> constant[2 * D - 1], quadratic[2 * D - 1]; \
            for (u64 pair = (u64)BLOCK * BLOCK_THREADS + t; pair < a.pairs; pair += a.blocks * BLOCK_THREADS) { \
                u64 f[2][N], w[2][N]; \
                load_pair<N, W, D>(a.message, a.binds & 1 ? a.bound_message : nullptr, pair, a.challenge, f); \
                load_pair<N, W, D>(a.form, a.binds & 2 ? a.bound_form : nullptr, pair, a.challenge, w); \
                add_elements<W, D>(constant, f[0], w[0]); \
                UNROLL for (u32 i = 0; i < N; i++) { \
                    f[1][i] ^= f[0][i]; \
                    w[1][i] ^= w[0][i]; \
                } \
                add_elements<W, D>(quadratic, f[1], w[1]); \
            } \
            reduce_element<W, D>(constant, sums + 2 * t * N); \
            reduce_element<W, D>(quadratic, sums + (2 * t + 1) * N); \
        } \
        BARRIER; \
        for (u32 half = BLOCK_THREADS / 2; half > 0; half /= 2) { \
            THREADS(t) { \
                for (u32 i = t; i < half * 2 * N; i += BLOCK_THREADS) sums[i] ^= sums[half * 2 * N + i]; \
            } \
            BARRIER; \
        } \
        THREADS(t) { \
            if (t < 2 * N) a.partial[(u64)BLOCK * 2 * N + t] = sums[t]; \
        } \
    }

PAIRS(SUMCHECK_ROUND)

#define TENSOR(field, W, D) \
    KERNEL(tensor_##field, TensorArgs) { \
        constexpr u32 N = W * D; \
        THREADS(t) { \
            const u64 index = (u64)BLOCK * BLOCK_THREADS + t; \
            if (index < a.count) { \
                const u64 low = index & ((1ull << a.log_low) - 1), high = index >> a.log_low; \
                u64 product[N], *out = a.out + index * N; \
                multiply<W, D>(a.low + low * N, a.high + high * N, product); \
                UNROLL for (u32 i = 0; i < N; i++) out[i] = product[i] ^ (a.adds ? out[i] : 0); \
            } \
        } \
    }

PAIRS(TENSOR)
