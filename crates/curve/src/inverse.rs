//! Inverses modulo primes of at most 255 bits, in variable time, by steps on the low words.
//!
//! ```text
//!   f, g = p, x;  d, e = 0, 1:    d x = f, e x = g modulo p
//!   62 steps on the low words:    g odd and eta < 0:  f, g = g, -f, eta = -eta;   g = g + w f with as many zeros as eta allows;   g = g / 2^zeros
//!   their matrix [u v; q r]:      f, g = [u v; q r] (f, g) / 2^62;                d, e = [u v; q r] (d, e) / 2^62 modulo p
//!   until g = 0:                  f = 1 or -1, and f d is the inverse
//! ```
//! Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion", CHES 2019; here steps take several zeros at once.

use ark_ff::{AdditiveGroup, BigInt, Fp, MontBackend, MontConfig};

const BITS: u32 = 62;
const MASK: i64 = (1 << BITS) - 1;

/// A number in signed limbs of 62 bits, of which all but the last are not negative.
type Signed = [i64; 5];

/// What 62 steps make of `(f, g)`, times 2^62: entries below 2^62 in absolute value, rows too.
type Matrix = [[i64; 2]; 2];

/// `1/x`; `None` of 0. Not constant time.
pub(crate) fn inverse<P: MontConfig<4>>(x: &Fp<MontBackend<P, 4>, 4>) -> Option<Fp<MontBackend<P, 4>, 4>> {
    if *x == Fp::ZERO {
        return None;
    }
    // P::INV is the negative inverse of p modulo 2^64.
    let (p, p_inverse) = (split(&P::MODULUS.0), P::INV.wrapping_neg() as i64 & MASK);
    let (mut f, mut g, mut eta) = (p, split(&x.0.0), -1);
    let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
    while g != [0; 5] {
        let matrix = steps(&mut eta, low(&f), low(&g));
        (f, g) = product(&matrix, &f, &g);
        (d, e) = product_modulo(&matrix, &d, &e, &p, p_inverse);
    }
    // f = 1 or f = -1, and d is between -2p and p.
    if f[4] < 0 {
        d = carry(d.map(|limb| -limb));
    }
    while d[4] < 0 {
        d = carry(core::array::from_fn(|i| d[i] + p[i]));
    }
    loop {
        let less = carry(core::array::from_fn(|i| d[i] - p[i]));
        if less[4] < 0 {
            break;
        }
        d = less;
    }
    // 1 / (x R), which has to become R / x.
    let inverse = Fp::new_unchecked(BigInt(join(&d)));
    let square = Fp::new_unchecked(P::R2);
    Some(inverse * (square * square))
}

fn split(words: &[u64; 4]) -> Signed {
    let [a, b, c, d] = *words;
    [a, a >> 62 | b << 2, b >> 60 | c << 4, c >> 58 | d << 6, d >> 56].map(|limb| limb as i64 & MASK)
}

fn join(limbs: &Signed) -> [u64; 4] {
    let [a, b, c, d, e] = limbs.map(i64::cast_unsigned);
    [a | b << 62, b >> 2 | c << 60, c >> 4 | d << 58, d >> 6 | e << 56]
}

/// A number modulo 2^64.
fn low(x: &Signed) -> u64 {
    (x[0] | x[1] << BITS) as u64
}

/// The carries of limbs propagated.
fn carry(mut limbs: Signed) -> Signed {
    for i in 0..4 {
        limbs[i + 1] += limbs[i] >> BITS;
        limbs[i] &= MASK;
    }
    limbs
}

/// The matrix of 62 steps, which depend on the low words alone.
fn steps(eta: &mut i64, mut f: u64, mut g: u64) -> Matrix {
    let [mut u, mut v, mut q, mut r] = [1_u64, 0, 0, 1];
    let mut left = BITS;
    loop {
        let zeros = (g | u64::MAX << left).trailing_zeros();
        g >>= zeros;
        (u, v) = (u << zeros, v << zeros);
        *eta -= i64::from(zeros);
        left -= zeros;
        if left == 0 {
            return [[u as i64, v as i64], [q as i64, r as i64]];
        }
        if *eta < 0 {
            *eta = -*eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }
        // As many zeros as there are steps before the next exchange, at most six: f (2 - f^2) is 1/f modulo 2^6.
        let count = (*eta + 1).min(6).min(i64::from(left));
        let inverse = f.wrapping_mul(2_u64.wrapping_sub(f.wrapping_mul(f)));
        let w = g.wrapping_mul(inverse).wrapping_neg() & ((1 << count) - 1);
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
}

/// The products of the matrix, divided by 2^62: their low limbs are zero.
fn product(matrix: &Matrix, f: &Signed, g: &Signed) -> (Signed, Signed) {
    let row = |[u, v]: [i64; 2]| {
        let term = |i: usize| i128::from(u) * i128::from(f[i]) + i128::from(v) * i128::from(g[i]);
        let mut sum = term(0) >> BITS;
        let mut limbs = [0; 5];
        for i in 1..5 {
            sum += term(i);
            limbs[i - 1] = sum as i64 & MASK;
            sum >>= BITS;
        }
        limbs[4] = sum as i64;
        limbs
    };
    (row(matrix[0]), row(matrix[1]))
}

/// The same modulo `p`, of numbers between `-2p` and `p`, as the results are.
fn product_modulo(matrix: &Matrix, d: &Signed, e: &Signed, p: &Signed, p_inverse: i64) -> (Signed, Signed) {
    let row = |[u, v]: [i64; 2]| {
        let term = |i: usize| i128::from(u) * i128::from(d[i]) + i128::from(v) * i128::from(e[i]);
        // Negative numbers are taken with p more, so that the sum is above -2^62 p and below 2^62 p. What is then taken, less than 2^62 times p, makes
        // the low limb zero.
        let lift = (u & (d[4] >> 63)) + (v & (e[4] >> 63));
        let low = (term(0) as i64).wrapping_mul(p_inverse).wrapping_add(lift) & MASK;
        let times = i128::from(lift - low);
        let mut sum = (term(0) + times * i128::from(p[0])) >> BITS;
        let mut limbs = [0; 5];
        for i in 1..5 {
            sum += term(i) + times * i128::from(p[i]);
            limbs[i - 1] = sum as i64 & MASK;
            sum >>= BITS;
        }
        limbs[4] = sum as i64;
        limbs
    };
    (row(matrix[0]), row(matrix[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{Field, PrimeField};
    use ark_std::UniformRand;
    use ark_std::rand::{SeedableRng, rngs::StdRng};

    fn inverses<P: MontConfig<4>>() {
        type F<P> = Fp<MontBackend<P, 4>, 4>;
        assert_eq!(inverse(&F::<P>::ZERO), None);
        let mut rng = StdRng::seed_from_u64(7);
        let powers = core::iter::successors(Some(F::<P>::ONE), |x| Some(x.double())).take(260);
        let words = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1 << 60], [u64::MAX, u64::MAX, u64::MAX, 1 << 59]];
        // Words of Montgomery's form, since that is what is inverted: small ones, sparse ones, and just below the prime.
        let raw = words.map(BigInt).map(F::<P>::new_unchecked);
        let near = (1..20_u64).map(|k| {
            let mut words = P::MODULUS;
            ark_ff::BigInteger::sub_with_borrow(&mut words, &k.into());
            F::<P>::new_unchecked(words)
        });
        let random: Vec<_> = (0..500).map(|_| F::<P>::rand(&mut rng)).collect();
        for x in powers.chain(raw).chain(near).chain(random) {
            for x in [x, -x] {
                assert_eq!(inverse(&x), x.inverse(), "of {}", x.into_bigint());
            }
        }
    }

    #[test]
    fn inverses_are_those_of_arkworks() {
        inverses::<ark_bn254::FrConfig>();
        inverses::<ark_bn254::FqConfig>();
        inverses::<ark_bls12_381::FrConfig>();
    }
}
