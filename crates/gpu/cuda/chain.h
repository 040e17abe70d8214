// Folds of a chain's message: the elements that its next word is encoded from. As `iop::sumcheck` binds variables, and
// `field::ExtensionOf::flatten` flattens. `W` is the words of a coordinate, `D` the coordinates of an element.
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
                    const u64 *x = elements + i * W * D, *weight = a.weights + i * W * D; \
                    UNROLL for (u32 j = 0; j < D; j++) { \
                        UNROLL for (u32 k = 0; k < D; k++) add_to(sums[j + k], x + j * W, weight + k * W); \
                    } \
                } \
                u64 c[2 * D - 1][W]; \
                UNROLL for (u32 j = 0; j < 2 * D - 1; j++) reduce(sums[j], c[j]); \
                take_back<W, D>(c); \
                UNROLL for (u32 j = 0; j < D; j++) { \
                    u64 coordinate[W]; \
                    convert<W>(images, c[j], coordinate); \
                    UNROLL for (u32 w = 0; w < W; w++) { \
                        a.folded[(index * D + j) * W + w] = c[j][w]; \
                        a.flat[(index * D + j) * W + w] = coordinate[w]; \
                    } \
                } \
            } \
        } \
    }

PAIRS(FOLD)
