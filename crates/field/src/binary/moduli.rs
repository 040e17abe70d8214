//! Every modulus of the binary fields: irreducible by Rabin's test, and the one that products are reduced by.

use super::extension::OverTower;
use super::tower::D0;
use crate::laws::Samples;
use crate::{Field, Gf64, Gf128, Gf192, Gf256, Gf320, Tower64};

/// A polynomial: the coefficient of 1 first, the highest one not zero.
type Polynomial<F> = Vec<F>;

fn trimmed<F: Field>(mut a: Polynomial<F>) -> Polynomial<F> {
    while a.last() == Some(&F::ZERO) {
        a.pop();
    }
    a
}

fn sum<F: Field>(a: &[F], b: &[F]) -> Polynomial<F> {
    let at = |a: &[F], i: usize| a.get(i).copied().unwrap_or(F::ZERO);
    trimmed((0..a.len().max(b.len())).map(|i| at(a, i) + at(b, i)).collect())
}

fn product<F: Field>(a: &[F], b: &[F]) -> Polynomial<F> {
    let mut out = vec![F::ZERO; a.len() + b.len()];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            out[i + j] += a * b;
        }
    }
    trimmed(out)
}

/// The remainder of `a` modulo `modulus`, which is not zero.
fn remainder<F: Field>(a: &[F], modulus: &[F]) -> Polynomial<F> {
    let (&leading, low) = modulus.split_last().expect("a modulus that is not zero");
    let inverse = leading.inverse().expect("a leading coefficient that is not zero");
    let mut rest = a.to_vec();
    while rest.len() > low.len() {
        let factor = rest.pop().expect("a long polynomial") * inverse;
        let start = rest.len() - low.len();
        rest[start..].iter_mut().zip(low).for_each(|(r, &m)| *r += factor * m);
    }
    trimmed(rest)
}

/// The degree of the greatest common divisor.
fn common_degree<F: Field>(a: &[F], b: &[F]) -> usize {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    while !b.is_empty() {
        (a, b) = (b.clone(), remainder(&a, &b));
    }
    a.len() - 1
}

/// Says if a polynomial of degree `n >= 2` over the field of `q = 2^log_q` elements, a subfield of `F`, is irreducible over
/// that field (Rabin 1980): `x^(q^n) = x` modulo it, and `x^(q^(n/p)) - x` has no factor in common with it for the primes
/// `p` that divide `n`.
fn is_irreducible<F: Field>(modulus: &[F], log_q: usize) -> bool {
    let (n, x) = (modulus.len() - 1, [F::ZERO, F::ONE]);
    let mut power = x.to_vec();
    let powers: Vec<Polynomial<F>> = (0..n)
        .map(|_| {
            (0..log_q).for_each(|_| power = remainder(&product(&power, &power), modulus));
            power.clone()
        })
        .collect();
    let is_prime = |p: usize| (2..p).all(|d| !p.is_multiple_of(d));
    let mut primes = (2..=n).filter(|&p| n.is_multiple_of(p) && is_prime(p));
    powers[n - 1] == x && primes.all(|p| common_degree(modulus, &sum(&powers[n / p - 1], &x)) == 0)
}

/// The polynomial with ones at the given exponents.
fn ones<F: Field>(exponents: &[usize]) -> Polynomial<F> {
    (0..=exponents[0]).map(|i| if exponents.contains(&i) { F::ONE } else { F::ZERO }).collect()
}

/// `y^2 + y + d`.
fn quadratic<F: Field>(d: F) -> Polynomial<F> {
    vec![d, F::ONE, F::ONE]
}

/// The constant of `Gf256`, the power of x of trace one.
const X121: Gf128 = Gf128(1 << 121);

#[test]
fn every_modulus_is_irreducible() {
    assert!(is_irreducible(&ones::<Gf64>(&[64, 4, 3, 1, 0]), 1), "gf64");
    assert!(is_irreducible(&ones::<Gf64>(&[128, 7, 2, 1, 0]), 1), "gf128");
    assert!(is_irreducible(&ones::<Gf64>(&[3, 1, 0]), 64), "gf192");
    assert!(is_irreducible(&quadratic(X121), 128), "gf256");
    assert!(is_irreducible(&ones::<Gf64>(&[5, 2, 0]), 64), "gf320");
    assert!(is_irreducible(&ones::<Gf64>(&[8, 4, 3, 1, 0]), 1), "bytes of the tower");
    for log_q in [8, 16, 32, 64] {
        let d = Tower64(u64::from(D0) << (log_q - 8));
        assert!(is_irreducible(&quadratic(d), log_q), "the tower's step over {log_q} bits");
    }
}

#[test]
fn reducible_moduli_are_refused() {
    // Published for GF(2^256) over GF(2^64), which has GF(16) in it: irreducible over GF(2), it splits.
    let published = ones::<Gf64>(&[4, 1, 0]);
    assert!(is_irreducible(&published, 1) && !is_irreducible(&published, 64));
    // So do the cubic and the quintic where 3 and 5 divide the degree of the field below.
    assert!(!is_irreducible(&ones::<Gf192>(&[3, 1, 0]), 192));
    assert!(!is_irreducible(&ones::<Gf320>(&[5, 2, 0]), 320));
    // Factors of other degrees, of one degree, and twice the same.
    let [two, three, other] = [vec![2, 1, 0], vec![3, 1, 0], vec![3, 2, 0]].map(|e| ones::<Gf64>(&e));
    assert!([&two, &three, &other].into_iter().all(|f| is_irreducible(f, 1)));
    for (a, b) in [(&two, &three), (&three, &other), (&three, &three), (&two, &two)] {
        assert!(!is_irreducible(&product(a, b), 1));
    }
    // A smaller power of x has trace zero: its quadratic has roots.
    assert!((0..121).all(|i| !is_irreducible(&quadratic(Gf128(1 << i)), 128)));
}

/// Products of elements are those of polynomials modulo `modulus`, and inverses are theirs.
fn arithmetic<P: Field, E: OverTower>(modulus: &[P], coefficients: fn(&[E]) -> &[P]) {
    let mut samples = Samples::new(18);
    let polynomial = |x: E| trimmed(coefficients(&[x]).to_vec());
    for _ in 0..300 {
        let (a, b) = (samples.element::<E>(), samples.element::<E>());
        let reduced = |a: E, b: E| remainder(&product(&polynomial(a), &polynomial(b)), modulus);
        assert_eq!(polynomial(a * b), reduced(a, b));
        assert_eq!(polynomial(a.square()), reduced(a, a));
        assert_eq!(reduced(a, a.inverse().expect("a unit")), [P::ONE]);
    }
}

#[test]
fn products_are_those_of_polynomials() {
    arithmetic::<Gf64, Gf192>(&ones(&[3, 1, 0]), Gf192::flat);
    arithmetic::<Gf128, Gf256>(&quadratic(X121), Gf256::flat);
    arithmetic::<Gf64, Gf320>(&ones(&[5, 2, 0]), Gf320::flat);
}
