//! The points of binary codes: Cantor's basis. (notes: additive-domain)
//!
//! ```text
//!   b_0 = 1,  b_i^2 + b_i = b_(i-1), the root with bit 0 clear        b_0..b_15 span T1, b_0..b_31 span T2
//!   position q  is the point  w(q) = sum of b_i over the set bits i of q
//!   W_s(x), W_0 = x, W_(s+1) = W_s^2 + W_s, vanishes on w(0..2^s)      W_s(w(q)) = w(q >> s)
//! ```
//! Cantor, "On arithmetical algorithms over finite fields" (1989); Gao and Mateer, "Additive fast Fourier
//! transforms over finite fields" (2010).

use super::tower::square32;

/// `b_0, ..., b_31` as elements of T2.
pub const BASIS: [u32; 32] = {
    let mut basis = [1; 32];
    let (mut images, mut sources) = ([0; 31], [0; 31]);
    echelon(&mut images, &mut sources);
    let mut i = 1;
    while i < 32 {
        basis[i] = root(basis[i - 1], &images, &sources);
        i += 1;
    }
    basis
};

/// Fills in a basis of the image of `x -> x^2 + x`, each vector with a top bit that no other one has, and preimages
/// with bit 0 clear. The kernel is {0, 1}, so that 31 bits give 31 independent images.
const fn echelon(images: &mut [u32; 31], sources: &mut [u32; 31]) {
    let mut count = 0;
    while count < 31 {
        let mut source = 2 << count;
        let mut image = square32(source) ^ source;
        let mut k = 0;
        while k < count {
            if image & top(images[k]) != 0 {
                image ^= images[k];
                source ^= sources[k];
            }
            k += 1;
        }
        let mut k = 0;
        while k < count {
            if images[k] & top(image) != 0 {
                images[k] ^= image;
                sources[k] ^= source;
            }
            k += 1;
        }
        images[count] = image;
        sources[count] = source;
        count += 1;
    }
}

/// The highest set bit of a number that is not zero.
const fn top(x: u32) -> u32 {
    1 << x.ilog2()
}

/// The root of `x^2 + x = c` with bit 0 clear.
const fn root(c: u32, images: &[u32; 31], sources: &[u32; 31]) -> u32 {
    let (mut rest, mut x, mut k) = (c, 0, 0);
    while k < 31 {
        if rest & top(images[k]) != 0 {
            rest ^= images[k];
            x ^= sources[k];
        }
        k += 1;
    }
    assert!(rest == 0, "the trace is zero");
    x
}

/// `TABLE[k][v]` is the point of `v << 8k`.
static TABLE: [[u32; 256]; 4] = {
    let mut table = [[0; 256]; 4];
    let mut i = 0;
    while i < 32 {
        let (k, bit) = (i / 8, 1 << (i % 8));
        let mut v = 0;
        while v < bit {
            table[k][bit + v] = table[k][v] ^ BASIS[i];
            v += 1;
        }
        i += 1;
    }
    table
};

/// The point `w(q)` of a position, an element of T2; below 2^16, thus in T1, for positions below 2^16.
#[inline]
#[must_use]
pub const fn point(q: u32) -> u32 {
    let [a, b, c, d] = q.to_le_bytes();
    TABLE[0][a as usize] ^ TABLE[1][b as usize] ^ TABLE[2][c as usize] ^ TABLE[3][d as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Samples;

    #[test]
    fn basis_solves_its_equations() {
        assert_eq!(BASIS[0], 1);
        for i in 1..32 {
            assert_eq!(square32(BASIS[i]) ^ BASIS[i], BASIS[i - 1], "b_{i}");
            assert_eq!(BASIS[i] & 1, 0, "the root of b_{i}");
        }
    }

    /// The dimension of the span.
    fn rank(vectors: &[u32]) -> usize {
        let mut reduced: Vec<u32> = Vec::new();
        for &v in vectors {
            let v = reduced.iter().fold(v, |v, &r| v.min(v ^ r));
            if v != 0 {
                reduced.push(v);
            }
        }
        reduced.len()
    }

    #[test]
    fn basis_spans_the_subfields() {
        for (dimension, bits) in [(1, 1), (2, 8), (4, 8), (8, 8), (16, 16), (32, 32)] {
            assert_eq!(rank(&BASIS[..dimension]), dimension);
            assert!(
                BASIS[..dimension].iter().all(|&b| u64::from(b) < 1 << bits),
                "{dimension} in {bits} bits"
            );
        }
        assert!(BASIS[16] >= 1 << 16);
    }

    #[test]
    fn vanishing_polynomials_shift_positions() {
        let mut samples = Samples::new(1);
        for _ in 0..1000 {
            let q = samples.word() as u32 >> (samples.word() % 32);
            let by_bits = (0..32).filter(|i| q >> i & 1 == 1).fold(0, |sum, i| sum ^ BASIS[i]);
            assert_eq!(point(q), by_bits);
            assert_eq!(square32(point(q)) ^ point(q), point(q >> 1), "W_1");
        }
    }
}
