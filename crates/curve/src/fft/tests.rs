use super::{Domain, Plans, Scalar};
use ark_ff::FftField;
use ark_std::UniformRand;
use ark_std::rand::{SeedableRng, rngs::StdRng};

/// Horner's rule at points of the coset, in both forms, and back.
fn transforms<F: Scalar + FftField + UniformRand>() {
    let mut rng = StdRng::seed_from_u64(3);
    for n in [1, 2, 4, 8, 64, 192, 256, 384, 512, 576, 768, 1152, 4096, 4608] {
        if n % 9 == 0 && F::get_root_of_unity(9).is_none() {
            assert!(Domain::<F>::new(n).is_none(), "a field without roots of order 9");
            continue;
        }
        let coefficients: Vec<F> = (0..n).map(|_| F::rand(&mut rng)).collect();
        let at = |x: F| coefficients.iter().rev().fold(F::ZERO, |sum, c| sum * x + c);
        for vectors in [false, true] {
            if vectors && !<F::Vector as super::Pack<F>>::available() {
                continue;
            }
            let domain = Domain::<F>::with(n, vectors).expect("a small domain");
            assert_eq!(matches!(domain.plans, Plans::Vector(_)), vectors && n >= 256);
            let (w, g) = (domain.root(), domain.shift());
            assert_eq!((w.pow([n as u64]), g * g), (F::ONE, w));
            let mut values = coefficients.clone();
            domain.run(1, &mut values);
            for k in [0, 1, n / 3, n - 1].map(|k| k % n) {
                assert_eq!(values[k], at(w.pow([k as u64])), "value {k} of {n}");
            }
            let before = values.clone();
            domain.to_coset(&mut values);
            for k in [0, 1, n / 2, n - 1].map(|k| k % n) {
                assert_eq!(values[k], at(g * w.pow([k as u64])), "value {k} of {n} on the coset");
            }
            domain.back_from_coset(&mut values);
            assert_eq!(values, before, "there and back, {n}");
        }
    }
    assert!([0, 3, 96, 27 << 8, 5 << 8].iter().all(|n| Domain::<F>::new(*n).is_none()));
    assert!(Domain::<F>::new(1 << 40).is_none());
}

/// The smallest size is one of a domain, and no smaller number that is enough is.
#[test]
fn the_smallest_domain() {
    type F = crate::bn254::Fr;
    for points in (1..700).chain([572_044, 589_824, 589_825, 786_432, 786_433]) {
        let size = Domain::<F>::smallest(points).expect("a domain");
        assert!(Domain::<F>::is_size(size) && size >= points);
        assert!((points..size).all(|n| !Domain::<F>::is_size(n)), "{points} points");
    }
    assert_eq!(Domain::<F>::smallest(572_044), Some(9 << 16));
    // The field has no roots of order 9.
    assert_eq!(Domain::<crate::bls12_381::Fr>::smallest(572_044), Some(3 << 18));
    assert_eq!(Domain::<F>::smallest(usize::MAX), None);
}

#[test]
fn transforms_are_values_of_polynomials() {
    transforms::<crate::bn254::Fr>();
    transforms::<crate::bls12_381::Fr>();
}
