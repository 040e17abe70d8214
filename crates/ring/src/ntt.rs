//! The transform between the values of a polynomial on roots of unity and its coefficients.
//!
//! Plain radix 2, in place, natural order on both sides. Time does not depend on the values.

use curve::bls12_381::Fr;
use curve::{FftField, Field, One, Zero, ct};

/// A domain of `2^k` roots of unity.
#[derive(Clone, Debug)]
pub(crate) struct Ntt {
    /// `w^i`, the first half of the domain.
    roots: Vec<Fr>,
    /// `1/n`.
    scale: Fr,
}

impl Ntt {
    /// The transform of `n` values, `n >= 2` a power of two that the field has roots for.
    pub(crate) fn new(n: usize) -> Self {
        assert!(n.is_power_of_two() && n >= 2, "a power of two");
        let root = Fr::get_root_of_unity(n as u64).expect("the field has roots of this order");
        let scale = Fr::from(n as u64).inverse().expect("not zero");
        Self { roots: powers(root, n / 2), scale }
    }

    /// From coefficients to values.
    pub(crate) fn forward(&self, values: &mut [Fr]) {
        let n = values.len();
        assert_eq!(n, 2 * self.roots.len(), "as many values as the domain has points");
        reverse_bits(values);
        for pair in values.as_chunks_mut().0 {
            let [a, b] = *pair;
            *pair = [ct::sum(&a, &b), ct::difference(&a, &b)];
        }
        self.layers(values, 2);
    }

    /// From a quarter of the coefficients to values, the others being zero. After two layers each coefficient is there four times.
    pub(crate) fn forward_quarter(&self, coefficients: impl ExactSizeIterator<Item = Fr>) -> Vec<Fr> {
        let (n, quarter) = (2 * self.roots.len(), coefficients.len());
        assert_eq!(n, 4 * quarter, "a quarter as many coefficients as the domain has points");
        let shift = usize::BITS - quarter.trailing_zeros();
        let mut values = vec![Fr::zero(); n];
        for (i, c) in coefficients.enumerate() {
            values[4 * (i.reverse_bits() >> shift)..][..4].fill(c);
        }
        self.layers(&mut values, 4);
        values
    }

    /// The layers whose blocks have halves of `half` values, and those above.
    fn layers(&self, values: &mut [Fr], mut half: usize) {
        let n = values.len();
        while half < n {
            let step = n / (2 * half);
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((a, b), w) in low.iter_mut().zip(high).zip(self.roots.iter().step_by(step)) {
                    let t = ct::product(b, w);
                    (*a, *b) = (ct::sum(a, &t), ct::difference(a, &t));
                }
            }
            half *= 2;
        }
    }

    /// From values to coefficients.
    pub(crate) fn inverse(&self, values: &mut [Fr]) {
        self.forward(values);
        values[1..].reverse();
        values.iter_mut().for_each(|v| *v = ct::product(v, &self.scale));
    }
}

/// `1, x, x^2, ...`, `count` of them.
pub(crate) fn powers(x: Fr, count: usize) -> Vec<Fr> {
    core::iter::successors(Some(Fr::one()), |power| Some(*power * x)).take(count).collect()
}

fn reverse_bits(values: &mut [Fr]) {
    let n = values.len();
    let shift = usize::BITS - n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> shift;
        if i < j {
            values.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kzg::evaluate;

    #[test]
    fn the_transform_gives_values_and_takes_them_back() {
        for n in [2, 4, 16, 64] {
            let coefficients: Vec<Fr> = (0..n as u64).map(|i| Fr::from(i * i * i + 5)).collect();
            let ntt = Ntt::new(n);
            let mut values = coefficients.clone();
            ntt.forward(&mut values);
            let root = Fr::get_root_of_unity(n as u64).unwrap();
            for (value, x) in values.iter().zip(powers(root, n)) {
                assert_eq!(*value, evaluate(&coefficients, x));
            }
            ntt.inverse(&mut values);
            assert_eq!(values, coefficients);
            let mut longer = coefficients.clone();
            longer.resize(4 * n, Fr::zero());
            let large = Ntt::new(4 * n);
            large.forward(&mut longer);
            assert_eq!(large.forward_quarter(coefficients.into_iter()), longer);
        }
    }
}
