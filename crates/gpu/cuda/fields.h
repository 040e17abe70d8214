// GF(2^64) and GF(2^128) in polynomial bases: x^64 + x^4 + x^3 + x + 1 and x^128 + x^7 + x^2 + x + 1.
#pragma once
#include "platform.h"

#ifdef TENFOLD_CLMAD

// PTX 9.3: half of the carry-less product of two words, plus a third.
DEV u64 clmad_low(u64 a, u64 b, u64 c) {
    u64 d;
    asm("clmad.lo.u64 %0,%1,%2,%3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
    return d;
}

DEV u64 clmad_high(u64 a, u64 b, u64 c) {
    u64 d;
    asm("clmad.hi.u64 %0,%1,%2,%3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
    return d;
}

/// Adds the product of two words.
DEV void add_product(u64 a, u64 b, u64& low, u64& high) {
    low = clmad_low(a, b, low);
    high = clmad_high(a, b, high);
}

/// Adds the product with a constant of few low terms.
template <u32 TERMS>
DEV void add_multiple(u64 a, u64& low, u64& high) {
    add_product(a, TERMS, low, high);
}

#else

/// The carry-less product of half words: every fourth bit apart, so that carries of integer products meet no bit of the result.
DEV u64 product32(u32 x, u32 y) {
    const u32 m = 0x11111111u;
    const u32 x0 = x & m, x1 = x & (m << 1), x2 = x & (m << 2), x3 = x & (m << 3);
    const u32 y0 = y & m, y1 = y & (m << 1), y2 = y & (m << 2), y3 = y & (m << 3);
    const u64 z0 = (u64)x0 * y0 ^ (u64)x1 * y3 ^ (u64)x2 * y2 ^ (u64)x3 * y1;
    const u64 z1 = (u64)x0 * y1 ^ (u64)x1 * y0 ^ (u64)x2 * y3 ^ (u64)x3 * y2;
    const u64 z2 = (u64)x0 * y2 ^ (u64)x1 * y1 ^ (u64)x2 * y0 ^ (u64)x3 * y3;
    const u64 z3 = (u64)x0 * y3 ^ (u64)x1 * y2 ^ (u64)x2 * y1 ^ (u64)x3 * y0;
    const u64 n = 0x1111111111111111ull;
    return (z0 & n) | (z1 & (n << 1)) | (z2 & (n << 2)) | (z3 & (n << 3));
}

/// The carry-less product. A function that is called, so that the code stays small.
CALLED Pair product(u64 a, u64 b) {
    const u64 low = product32((u32)a, (u32)b), high = product32((u32)(a >> 32), (u32)(b >> 32));
    const u64 mixed = product32((u32)(a ^ a >> 32), (u32)(b ^ b >> 32)) ^ low ^ high;
    return Pair{low ^ mixed << 32, high ^ mixed >> 32};
}

/// Adds the product of two words.
DEV void add_product(u64 a, u64 b, u64& low, u64& high) {
    const Pair p = product(a, b);
    low ^= p.low;
    high ^= p.high;
}

/// Adds the product with a constant of few low terms.
template <u32 TERMS>
DEV void add_multiple(u64 a, u64& low, u64& high) {
    UNROLL for (u32 i = 0; i < 8; i++) {
        if (TERMS >> i & 1) {
            low ^= a << i;
            high ^= i == 0 ? 0 : a >> (64 - i);
        }
    }
}

#endif

/// The remainder of two words in GF(2^64).
DEV u64 reduce64(u64 low, u64 high) {
    u64 none = 0;
    // What the first product pushes out of the word, at most four bits, goes round once more.
    u64 ignored = 0, over = high;
    add_multiple<0x1b>(high, ignored, over);
    add_multiple<0x1b>(over, low, none);
    return low;
}

/// `u + x t` in GF(2^64).
DEV u64 add_product64(u64 u, u64 x, u64 t) {
    u64 high = 0;
    add_product(x, t, u, high);
    return reduce64(u, high);
}

/// Sums of products in a field of `W` words that are not reduced.
template <u32 W>
struct Sum;

template <>
struct Sum<1> {
    u64 words[2] = {0, 0};
};

template <>
struct Sum<2> {
    u64 words[4] = {0, 0, 0, 0};
};

DEV void add_to(Sum<1>& sum, const u64* x, const u64* y) {
    add_product(x[0], y[0], sum.words[0], sum.words[1]);
}

DEV void add_to(Sum<2>& sum, const u64* x, const u64* y) {
    add_product(x[0], y[0], sum.words[0], sum.words[1]);
    add_product(x[0], y[1], sum.words[1], sum.words[2]);
    add_product(x[1], y[0], sum.words[1], sum.words[2]);
    add_product(x[1], y[1], sum.words[2], sum.words[3]);
}

DEV void reduce(const Sum<1>& sum, u64* out) {
    out[0] = reduce64(sum.words[0], sum.words[1]);
}

DEV void reduce(const Sum<2>& sum, u64* out) {
    u64 w[4] = {sum.words[0], sum.words[1], sum.words[2], sum.words[3]};
    add_multiple<0x87>(w[3], w[1], w[2]);
    add_multiple<0x87>(w[2], w[0], w[1]);
    out[0] = w[0];
    out[1] = w[1];
}

/// The image of a word under a bit matrix, given as images of nibbles.
DEV u64 map64(const u64* images, u64 x) {
    u64 y = 0;
    UNROLL for (u32 k = 0; k < 16; k++) y ^= images[16 * k + (x >> 4 * k & 15)];
    return y;
}

/// The image of an element of one word, or of two, in another basis.
template <u32 W>
DEV void convert(const u64* images, const u64* x, u64* y) {
    if constexpr (W == 1) {
        y[0] = map64(images, x[0]);
    } else {
        const Pair* pairs = (const Pair*)images;
        y[0] = y[1] = 0;
        UNROLL for (u32 k = 0; k < 32; k++) {
            const Pair image = pairs[16 * k + (x[k / 16] >> 4 * (k % 16) & 15)];
            y[0] ^= image.low;
            y[1] ^= image.high;
        }
    }
}

/// The pairs of fields: the name of the weights' field, the words of an entry and the entries of a weight. src/challenge.rs has the same.
#define PAIRS(X) X(gf128, 2, 1) X(gf192, 1, 3) X(gf256, 2, 2) X(gf320, 1, 5)
