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

use crate::Error;
use curve::bandersnatch::Bandersnatch;
use curve::bls12_381::Fr;
use curve::embedded::{Embedded, scalar_bits};
use curve::{FftField, Field, One, Zero, batch_inversion};

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
        let rows =
            members.checked_add(scalar_bits::<Bandersnatch>() + ZK_ROWS + 1).ok_or(Error::Domain(members))?;
        Self::new(rows.max(Self::SIZES[0]).checked_next_power_of_two().ok_or(Error::Domain(members))?)
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

    /// Bits of a scalar.
    pub(crate) fn scalar_bits(self) -> usize {
        self.bits
    }

    /// Powers of the setup's secret that proving takes: the quotient has degree `3N`.
    #[must_use]
    pub fn powers(self) -> usize {
        3 * self.size + 1
    }

    /// Row `N-4`, where the accumulators end.
    pub(crate) fn last_row(self) -> usize {
        self.size - ZK_ROWS - 1
    }

    /// The root of unity.
    pub(crate) fn omega(self) -> Fr {
        self.omega
    }

    /// The selectors at `z`, and the factor between the constraints' combination and the quotient:
    /// `prod_(k = 1..3) (z - w^(N-k)) / (z^N - 1)`. `None` if `z` is in the domain.
    pub(crate) fn at(self, z: Fr) -> Option<(Selectors, Fr)> {
        let denominators = self.denominators(z, self.power(z));
        let inverse = denominators.iter().product::<Fr>().inverse()?;
        Some(self.selectors(z, denominators, inverse))
    }

    /// [`Self::at`] at the points `g r^i` of a coset, where `r` has order `4N` and `r^4 = w`: `4N` of them, with one inversion. `None` if one of
    /// them is in the domain.
    pub(crate) fn at_coset(self, g: Fr, r: Fr) -> Option<Vec<(Selectors, Fr)>> {
        let points: Vec<Fr> = core::iter::successors(Some(g), |z| Some(*z * r)).take(4 * self.size).collect();
        // z^N - 1 has four values.
        let mut vanishing: [Fr; 4] = core::array::from_fn(|i| self.power(points[i]) - Fr::one());
        let over_n = vanishing.map(|v| v * self.size_inverse);
        let mut first: Vec<Fr> = points.iter().map(|z| *z - Fr::one()).collect();
        batch_inversion(&mut first);
        batch_inversion(&mut vanishing);
        if first.iter().chain(&vanishing).any(Zero::is_zero) {
            return None;
        }
        first.iter_mut().zip(over_n.iter().cycle()).for_each(|(first, v)| *first *= v);
        let down = self.omega_inverse;
        let [d2, d3, d4] = [down.square(), down.square() * down, down.square().square()];
        let at = |(i, z): (usize, &Fr)| {
            // The Lagrange polynomial of row N-4 is that of row 0 four rows on.
            let last = first[(i + 16) % first.len()];
            let selectors = Selectors { not_last: *z - d4, first: first[i], last };
            (selectors, (*z - down) * (*z - d2) * (*z - d3) * vanishing[i % 4])
        };
        Some(points.iter().enumerate().map(at).collect())
    }

    /// `z^N`
    fn power(self, z: Fr) -> Fr {
        (0..self.size.trailing_zeros()).fold(z, |power, _| power.square())
    }

    /// `z^N - 1`, `z - 1`, `z - w^(N-4)`.
    fn denominators(self, z: Fr, power: Fr) -> [Fr; 3] {
        [power - Fr::one(), z - Fr::one(), z - self.omega_inverse.square().square()]
    }

    /// What [`Self::at`] gives, from the inverse of the product of the denominators.
    fn selectors(self, z: Fr, [vanishing, first, last]: [Fr; 3], inverse: Fr) -> (Selectors, Fr) {
        let down = self.omega_inverse;
        let [d2, d3, d4] = [down.square(), down.square() * down, down.square().square()];
        // L_i(z) = w^i / n (z^n - 1) / (z - w^i), and w^(N-4) = d4.
        let over_n = vanishing.square() * self.size_inverse * inverse;
        let selectors = Selectors { not_last: last, first: over_n * last, last: over_n * first * d4 };
        (selectors, (z - down) * (z - d2) * (z - d3) * inverse * first * last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_a_coset_are_those_of_its_points() {
        let domain = Domain::new(512).unwrap();
        let r = Fr::get_root_of_unity(2048).unwrap();
        let all = domain.at_coset(Fr::GENERATOR, r).unwrap();
        assert_eq!(all.len(), 2048);
        for (i, (selectors, factor)) in all.into_iter().enumerate() {
            let (one, single) = domain.at(Fr::GENERATOR * r.pow([i as u64])).unwrap();
            assert_eq!(factor, single, "{i}");
            let words = |s: &Selectors| [s.not_last, s.first, s.last];
            assert_eq!(words(&selectors), words(&one), "{i}");
        }
        assert!(domain.at_coset(Fr::one(), r).is_none());
    }

    #[test]
    fn no_selectors_in_the_domain() {
        let domain = Domain::new(512).unwrap();
        for power in [0, 1, 2, 508, 511] {
            assert!(domain.at(domain.omega().pow([power])).is_none(), "row {power}");
        }
        assert!(domain.at(Fr::from(2_u64)).is_some());
    }
}
