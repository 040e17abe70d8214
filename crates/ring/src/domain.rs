//! Domains: the rows of the columns, and what a verifier has to know of them at one point.
//!
//! ```text
//!   row      0 .. K-1      K .. K+252          N-4        N-3 .. N-1
//!            keys          2^j H               last       random
//!   s        1             0                   0          0
//!   b        one-hot       bits of t           0          random
//! ```
//! with `K = N - 257`: 253 bits of a scalar, one last row that adds nothing, three random rows. On another curve than Bandersnatch a scalar may have
//! fewer bits, and `K` is as much greater.
//!
//! (notes: ring-curves)

use alloc::vec::Vec;

use crate::Error;
use curve::bandersnatch::Bandersnatch;
#[cfg(feature = "prover")]
use curve::batch_inversion;
use curve::bls12_381::{Fr, inverse};
use curve::embedded::{Embedded, scalar_bits};
use curve::number::powers;
use curve::{FftField, Field, One, Zero};

/// Rows that are random, so that values and openings of a witness column say nothing.
pub const ZK_ROWS: usize = 3;

/// The roots of unity of an order `N`, row `i` being `w^i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    size: usize,
    /// Bits of a scalar.
    bits: usize,
    omega: Fr,
    omega_inverse: Fr,
    size_inverse: Fr,
}

/// What depends on the domain alone, at a point `z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selectors {
    /// `z - w^(N-4)`: 0 in the last row.
    pub(crate) not_last: Fr,
    /// The Lagrange polynomial of row 0.
    pub(crate) first: Fr,
    /// The Lagrange polynomial of row `N-4`.
    pub(crate) last: Fr,
}

impl Domain {
    /// The smallest and the largest number of rows.
    pub const SIZES: [usize; 2] = [512, 65_536];

    /// The domain of `size` rows, for keys on Bandersnatch.
    ///
    /// # Errors
    /// If `size` is no power of two from 512 to 65,536.
    pub fn new(size: usize) -> Result<Self, Error> {
        Self::on::<Bandersnatch>(size)
    }

    /// The domain of `size` rows, for keys on the curve `C`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on<C: Embedded>(size: usize) -> Result<Self, Error> {
        let [least, most] = Self::SIZES;
        if !(size.is_power_of_two() && (least..=most).contains(&size)) {
            return Err(Error::Domain(size));
        }
        let omega = Fr::get_root_of_unity(size as u64).ok_or(Error::Domain(size))?;
        let inverse = |x: Fr| x.inverse().ok_or(Error::Domain(size));
        Ok(Self {
            size,
            bits: scalar_bits::<C>(),
            omega,
            omega_inverse: inverse(omega)?,
            size_inverse: inverse(Fr::from(size as u64))?,
        })
    }

    /// The smallest domain for rings of so many members, with keys on Bandersnatch.
    ///
    /// # Errors
    /// If there is none.
    pub fn for_members(members: usize) -> Result<Self, Error> {
        Self::for_members_on::<Bandersnatch>(members)
    }

    /// The smallest domain for rings of so many members, with keys on the curve `C`.
    ///
    /// # Errors
    /// If there is none.
    pub fn for_members_on<C: Embedded>(members: usize) -> Result<Self, Error> {
        let none = Error::Domain(members);
        let rows = members.checked_add(scalar_bits::<C>() + ZK_ROWS + 1).ok_or(none)?;
        Self::on::<C>(rows.max(Self::SIZES[0]).checked_next_power_of_two().ok_or(none)?)
    }

    /// The number of rows.
    #[must_use]
    pub fn size(self) -> usize {
        self.size
    }

    /// The most members of a ring: all rows but those of the scalar, the last one and the random ones.
    #[must_use]
    pub fn capacity(self) -> usize {
        self.size - self.bits - ZK_ROWS - 1
    }

    /// The root of unity.
    pub(crate) fn omega(self) -> Fr {
        self.omega
    }

    /// The selectors at `z`, the factor between the constraints' combination and the quotient, `prod_(k = 1..3) (z - w^(N-k)) / (z^N - 1)`, and `1/x`, with
    /// one inversion. `None` if `z` is in the domain or `x` is 0. Not constant time.
    pub(crate) fn at_and_inverse(self, z: Fr, x: Fr) -> Option<(Selectors, Fr, Fr)> {
        let denominators = self.denominators(z, self.power(z));
        let product = denominators.iter().product::<Fr>();
        let both = inverse(&(product * x))?;
        let (selectors, factor) = self.selectors(z, denominators, both * x);
        Some((selectors, factor, both * product))
    }

    /// The rows behind the keys, `w^K .. w^(N-1)`: where the selector of the keys is 0.
    pub(crate) fn tail(self) -> Vec<Fr> {
        let first = self.omega.pow([self.capacity() as u64]);
        let rows = powers(self.omega, self.size - self.capacity());
        rows.into_iter().map(|w| first * w).collect()
    }

    /// Tells whether `value` is that of the selector of the keys at `z`, which is outside of the domain. `tail` is [`Self::tail`].
    ///
    /// With `P = prod (X - w^i)` over the tail, `m` factors, the Lagrange polynomials of these rows are `(z^N - 1)/N w^i / (z - w^i)`, whose sum is
    /// `(z^N - 1)/N (z P'(z)/P(z) - m)`; the selector is 1 less that. Cost: two products for each row of the tail.
    pub(crate) fn selects(self, tail: &[Fr], z: Fr, value: Fr) -> bool {
        let (mut product, mut derivative) = (Fr::one(), Fr::zero());
        for w in tail {
            let factor = z - w;
            derivative = derivative * factor + product;
            product *= factor;
        }
        let over_n = (self.power(z) - Fr::one()) * self.size_inverse;
        let count = Fr::from(tail.len() as u64);
        (Fr::one() - value) * product == over_n * (z * derivative - count * product)
    }

    /// `z^N`
    fn power(self, z: Fr) -> Fr {
        (0..self.size.trailing_zeros()).fold(z, |power, _| power.square())
    }

    /// `z^N - 1`, `z - 1`, `z - w^(N-4)`.
    fn denominators(self, z: Fr, power: Fr) -> [Fr; 3] {
        [power - Fr::one(), z - Fr::one(), z - self.omega_inverse.square().square()]
    }

    /// Selectors and factor, from the inverse of the product of the denominators.
    fn selectors(self, z: Fr, [vanishing, first, last]: [Fr; 3], inverse: Fr) -> (Selectors, Fr) {
        let down = self.omega_inverse;
        let [d2, d3, d4] = [down.square(), down.square() * down, down.square().square()];
        // L_i(z) = w^i / n (z^n - 1) / (z - w^i), and w^(N-4) = d4.
        let over_n = vanishing.square() * self.size_inverse * inverse;
        let selectors = Selectors { not_last: last, first: over_n * last, last: over_n * first * d4 };
        (selectors, (z - down) * (z - d2) * (z - d3) * inverse * first * last)
    }
}

/// What provers take.
#[cfg(feature = "prover")]
impl Domain {
    /// Bits of a scalar.
    pub(crate) fn scalar_bits(self) -> usize {
        self.bits
    }

    /// Row `N-4`, where the accumulators end.
    pub(crate) fn last_row(self) -> usize {
        self.size - ZK_ROWS - 1
    }

    /// The selectors at `z`, and the factor between the constraints' combination and the quotient:
    /// `prod_(k = 1..3) (z - w^(N-k)) / (z^N - 1)`. `None` if `z` is in the domain.
    pub(crate) fn at(self, z: Fr) -> Option<(Selectors, Fr)> {
        let (selectors, factor, _) = self.at_and_inverse(z, Fr::one())?;
        Some((selectors, factor))
    }

    /// Powers of the setup's secret that proving takes: the quotient has degree `3N`.
    #[must_use]
    pub fn powers(self) -> usize {
        3 * self.size + 1
    }

    /// The largest domain for keys on the same curve that so many powers of a setup are enough for.
    #[must_use]
    pub fn largest_for(self, powers: usize) -> Option<Self> {
        let [least, most] = Self::SIZES.map(usize::ilog2);
        let fits = |log: &u32| 3 * (1 << log) < powers;
        let size = 1 << (least..=most).rev().find(fits)?;
        Some(Self { bits: self.bits, ..Self::new(size).ok()? })
    }

    /// [`Self::at`] at the points `g w^i` of a coset, with one inversion: the columns of the selectors and that of the factors. `None` if one of the
    /// points is in the domain.
    pub(crate) fn at_coset(self, g: Fr) -> Option<[Vec<Fr>; 4]> {
        let points = powers(self.omega, self.size).into_iter().map(|w| g * w).collect::<Vec<_>>();
        // z^N - 1 has one value.
        let vanishing = self.power(g) - Fr::one();
        let (over_n, inverse) = (vanishing * self.size_inverse, vanishing.inverse()?);
        let mut first: Vec<Fr> = points.iter().map(|z| *z - Fr::one()).collect();
        batch_inversion(&mut first);
        first.iter_mut().for_each(|first| *first *= over_n);
        // The Lagrange polynomial of row N-4 is that of row 0 four rows on.
        let last = first.iter().cycle().skip(4).take(self.size).copied().collect();
        let down = self.omega_inverse;
        let [d2, d3, d4] = [down.square(), down.square() * down, down.square().square()];
        let factor = |z: &Fr| (*z - down) * (*z - d2) * (*z - d3) * inverse;
        let factors = points.iter().map(factor).collect();
        Some([points.iter().map(|z| *z - d4).collect(), first, last, factors])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_a_coset_are_those_of_its_points() {
        let domain = Domain::new(512).unwrap();
        let columns = domain.at_coset(Fr::GENERATOR).unwrap();
        assert!(columns.iter().all(|column| column.len() == 512));
        for i in 0..512 {
            let (one, factor) = domain.at(Fr::GENERATOR * domain.omega.pow([i as u64])).unwrap();
            let single = [one.not_last, one.first, one.last, factor];
            assert_eq!(columns.each_ref().map(|column| column[i]), single, "{i}");
            let (z, x) = (Fr::GENERATOR * domain.omega.pow([i as u64]), Fr::from(i as u64 + 3));
            let (same, its_factor, inverse) = domain.at_and_inverse(z, x).unwrap();
            assert_eq!([same.not_last, same.first, same.last, its_factor], single, "{i}");
            assert_eq!(inverse * x, Fr::one(), "{i}");
        }
        assert!(domain.at_coset(domain.omega).is_none());
    }

    #[test]
    fn the_largest_domain_for_a_setup() {
        let domain = Domain::on::<crate::Jubjub>(1024).unwrap();
        let size = |powers| domain.largest_for(powers).map(|domain| (domain.size(), domain.capacity()));
        for (powers, largest) in [
            (0, None),
            (1536, None),
            (1537, Some((512, 256))),
            (6144, Some((1024, 768))),
            (6145, Some((2048, 1792))),
            (196_609, Some((65_536, 65_280))),
            (usize::MAX, Some((65_536, 65_280))),
        ] {
            assert_eq!(size(powers), largest, "{powers}");
        }
    }

    #[test]
    fn no_selectors_in_the_domain() {
        let domain = Domain::new(512).unwrap();
        for power in [0, 1, 2, 508, 511] {
            assert!(domain.at(domain.omega().pow([power])).is_none(), "row {power}");
        }
        assert!(domain.at_and_inverse(Fr::from(2_u64), Fr::zero()).is_none(), "0 has no inverse");
        assert!(domain.at(Fr::from(2_u64)).is_some());
    }
}
