//! The witness columns, and their commitments from the few values that they have.
//!
//! ```text
//!   b    one-hot in the keys' rows, then the bits of t
//!   ip   0 up to row k, 1 behind it
//!   x,y  the seed up to row k, seed + key up to row K, then a sum for each bit
//! ```
//! In the basis of Lagrange points a step is one point of a table, so that a column takes 257 points for any size of the ring.
//! Nothing here branches on the index or on the bits, and the tables are read from end to end.
//!
//! (notes: ring-witness, ring-constant-time)

use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroizing;

use super::mask::Mask;
use crate::setup::Blinds;
use crate::{Bases, Error, Setup};
use curve::bandersnatch::Bandersnatch;
use curve::bls12_381::{Fr, G1, G1Projective};
use curve::embedded::{Embedded, Point, Projective, scalar_bits};
use curve::{Zero, ct};

/// `b`, `ip`, `x`, `y`, row by row.
pub(crate) struct Witness<C: Embedded = Bandersnatch> {
    pub(crate) columns: [Zeroizing<Vec<Fr>>; 4],
    /// The key and its blinding.
    pub(crate) result: Point<C>,
}

/// What a prover knows.
pub(crate) struct Secret<'a, C: Embedded = Bandersnatch> {
    pub(crate) index: usize,
    pub(crate) blinding: &'a C::ScalarField,
    pub(crate) blinds: &'a Blinds,
}

impl<C: Embedded> Witness<C> {
    /// The columns for the key in slot `index` of `keys` and the multiples `2^j H` of `doublings`.
    pub(crate) fn new(
        setup: &Setup,
        bases: &Bases<C>,
        points: (&[Point<C>], &[Point<C>]),
        secret: &Secret<'_, C>,
    ) -> Self {
        let (keys, doublings) = points;
        let index = secret.index as u64;
        let mut key = keys[0];
        for (i, other) in keys.iter().enumerate() {
            key = ct::point(&key, other, index.ct_eq(&(i as u64)));
        }
        let first = ct::add(&Projective::from(*bases.seed()), &Projective::from(key));
        let chosen = ct::bits(secret.blinding).zip(doublings.iter().copied());
        let mut sums = Zeroizing::new(ct::partial_sums(&first, chosen));
        // The last one of them less the seed is the result, and shares the inversion.
        let last = sums[sums.len() - 1];
        sums.push(ct::add(&last, &Projective::from(-*bases.seed())));
        let mut points = Zeroizing::new(ct::affine(&sums));
        let result = points.pop().expect("the result");
        let size = setup.domain.size();
        let mut columns: [Vec<Fr>; 4] = core::array::from_fn(|_| Vec::with_capacity(size));
        let [b, ip, x, y] = &mut columns;
        for i in 0..=keys.len() {
            let behind = (i as u64).ct_gt(&index);
            let here = ct::point(bases.seed(), &points[0], behind);
            b.push(ct::bit(index.ct_eq(&(i as u64))));
            ip.push(ct::bit(behind));
            x.push(here.x);
            y.push(here.y);
        }
        b.pop();
        b.extend(ct::bits(secret.blinding).map(ct::bit));
        b.push(Fr::zero());
        ip.resize(setup.domain.last_row() + 1, ct::bit(Choice::from(1)));
        x.extend(points[1..].iter().map(|p| p.x));
        y.extend(points[1..].iter().map(|p| p.y));
        for (column, blinds) in columns.iter_mut().zip(secret.blinds) {
            column.extend(blinds);
            assert_eq!(column.len(), size);
        }
        Self { columns: columns.map(Zeroizing::new), result }
    }

    /// Commitments to the columns.
    pub(crate) fn commit(&self, setup: &Setup, masks: &[Mask; 4], index: usize) -> Result<[G1; 4], Error> {
        let keys = setup.domain.capacity();
        let [b, ip, x, y] = self.columns.each_ref().map(|column| &column[keys..]);
        let [mask_b, mask_ip, mask_x, mask_y] = masks;
        let random = |mask: &Mask, column: &[Fr]| mask.sum(setup, &column[scalar_bits::<C>() + 1..]);
        // The seed from row 0 on; the key from row k + 1 on; both end at row K, where the sums begin.
        let sums = |mask: &Mask, column: &[Fr], rows: &[Fr]| {
            let mut scalars = Zeroizing::new(Vec::with_capacity(rows.len() + 2));
            scalars.extend_from_slice(rows);
            scalars[0] = Fr::zero();
            scalars.extend([column[0], ct::difference(&Fr::zero(), &rows[0])]);
            mask.sum(setup, &scalars)
        };
        let [_, _, column_x, column_y] = &self.columns;
        // The long ones first: what is short fills the gap behind them.
        let ((sum_x, (step, bits_b, steps)), (sum_y, (random_b, random_ip))) = rayon::join(
            || rayon::join(|| sums(mask_x, column_x, x), || self.of_index(setup, index)),
            || rayon::join(|| sums(mask_y, column_y, y), || (random(mask_b, b), random(mask_ip, ip))),
        );
        let [step_x, step_y] = steps;
        Ok(ct::affine_g1(&[
            ct::sum_g1(&bits_b, &random_b?),
            ct::add_g1(&random_ip?, &step),
            ct::sum_g1(&step_x, &sum_x?),
            ct::sum_g1(&step_y, &sum_y?),
        ]))
    }

    /// What the commitments have from the points that belong to the index: the step behind its row, the column `b` without its random rows,
    /// and the step times what `x` and `y` rise by there.
    fn of_index(&self, setup: &Setup, index: usize) -> (G1, G1Projective, [G1Projective; 2]) {
        let keys = setup.domain.capacity();
        let at = index as u64;
        let mut one_hot = setup.lagrange[0];
        let mut step = setup.steps[1];
        for i in 0..keys {
            let here = at.ct_eq(&(i as u64));
            one_hot = ct::g1(&one_hot, &setup.lagrange[i], here);
            step = ct::g1(&step, &setup.steps[i + 1], here);
        }
        let [b, _, x, y] = &self.columns;
        let rise = |column: &[Fr]| ct::times_g1(&step, &ct::difference(&column[keys], &column[0]));
        // From L_k on every sum is of other points than those that are still to come: no addition is an exception.
        let bits = || {
            let points = setup.lagrange[keys..].iter().zip(&b[keys..keys + scalar_bits::<C>()]);
            points.fold(G1Projective::from(one_hot), |sum, (point, bit)| {
                ct::g1_projective(&ct::add_g1(&sum, point), &sum, bit.0.0.ct_eq(&Fr::zero().0.0))
            })
        };
        let (bits, steps) = rayon::join(bits, || [rise(x), rise(y)]);
        (step, bits, steps)
    }
}
