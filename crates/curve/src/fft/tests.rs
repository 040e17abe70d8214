use super::{Domain, Plans, Scalar};
use ark_ff::FftField;
use ark_std::UniformRand;
use ark_std::rand::{SeedableRng, rngs::StdRng};

/// Horner's rule at points of the coset, in both forms, and back.
fn transforms<F: Scalar + FftField + UniformRand>() {
    let mut rng = StdRng::seed_from_u64(3);
    for log in [0, 1, 2, 3, 6, 8, 9, 12] {
        let n = 1 << log;
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
    assert!(Domain::<F>::new(0).is_none() && Domain::<F>::new(3).is_none());
    assert!(Domain::<F>::new(1 << 40).is_none());
}

#[test]
fn transforms_are_values_of_polynomials() {
    transforms::<crate::bn254::Fr>();
    transforms::<crate::bls12_381::Fr>();
}
