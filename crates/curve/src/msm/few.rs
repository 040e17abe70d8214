//! Multiples of one point of a table.

use ark_ec::AdditiveGroup;
use ark_ec::short_weierstrass::Projective;

use super::fixed::{FixedBase, Table};
use super::lists::{Lists, Work};
use super::{Adder, Curve, Ref};

impl<C: Curve> FixedBase<C> {
    /// `k P_i` for each of the scalars. Not constant time.
    ///
    /// A digit of `c` bits is a sum of `c/3` powers of two with signs, on the average. For each power all points that have it become one sum, in
    /// rounds that the scalars share; then come `c` doublings. Cost: some 90 additions for a scalar, about 20 µs with AVX-512 IFMA if
    /// there are two.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn multiples(&self, i: usize, scalars: &[C::ScalarField]) -> Vec<Projective<C>> {
        assert!(i < self.len(), "point {i} of {}", self.len());
        let c = self.window();
        let mut lists = Lists::default();
        for k in scalars {
            let mut powers = vec![Vec::new(); c];
            self.each_digit(i, k, |digit, at| {
                // Where n and 3n differ, in the bit above, n has a power in its form without neighbours: with a minus if n has the bit.
                let n = digit.unsigned_abs();
                for (bit, list) in (1..).zip(&mut powers).filter(|(bit, _)| (n ^ (3 * n)) >> bit & 1 == 1) {
                    let minus = n >> bit & 1 == 1;
                    list.push(Ref::base(at, minus != (digit < 0)));
                }
            });
            powers.into_iter().for_each(|list| lists.push(list.into_iter()));
        }
        match &self.table {
            Table::Vector(t) => finish(&mut Work::<C::Vector>::default(), t, &mut lists, c),
            Table::Middle(t) => finish(&mut Work::<C::Middle>::default(), t, &mut lists, c),
            Table::Single(t) => finish(&mut Work::<super::Single<C>>::default(), t, &mut lists, c),
        }
    }
}

/// `sum 2^t S_t` for every `c` lists, `S_t` being their sums.
fn finish<A: Adder>(
    work: &mut Work<A>,
    bases: &[A::Point],
    lists: &mut Lists,
    c: usize,
) -> Vec<Projective<A::Curve>> {
    let sums = work.sum(bases, lists);
    let horner = |powers: &[Option<Ref>]| {
        powers.iter().rev().fold(Projective::ZERO, |mut total, sum| {
            total.double_in_place();
            sum.map_or(total, |r| total + work.export(bases, r))
        })
    };
    sums.chunks(c).map(horner).collect()
}
