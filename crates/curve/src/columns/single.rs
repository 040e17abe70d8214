//! One element at a time, in blst's arithmetic.

use super::{Blocks, Formula, accumulate, horner, layers, powers, reversed};
use crate::bls12_381::Fr;
use crate::ffi::Base;

/// Blocks of one element.
pub(crate) struct Single;

impl Blocks for Single {
    type Block = Base;
    /// `root^i` and the factor.
    type Tables = (Vec<Base>, Base);
    const WIDTH: usize = 1;

    fn available() -> bool {
        true
    }

    fn import(values: &[Fr]) -> Vec<Base> {
        values.iter().map(|x| Base::from(*x)).collect()
    }

    fn export(blocks: &[Base], values: &mut [Fr]) {
        values.iter_mut().zip(blocks).for_each(|(x, block)| *x = (*block).into());
    }

    fn tables(n: usize, root: Fr, scale: Fr) -> Self::Tables {
        (Self::import(&powers(root, n / 2)), scale.into())
    }

    fn transform((roots, scale): &Self::Tables, blocks: &[Base]) -> Vec<Base> {
        let n = blocks.len();
        let mut values: Vec<Base> = (0..n).map(|i| blocks[reversed(i, n)]).collect();
        layers(&mut values, roots);
        values.iter_mut().for_each(|x| *x = *x * *scale);
        values
    }

    fn multiply(a: &[Base], b: &[Base]) -> Vec<Base> {
        a.iter().zip(b).map(|(a, b)| *a * *b).collect()
    }

    fn sum(terms: &[(Fr, &[Base])], count: usize) -> Vec<Base> {
        let mut sum = vec![Base::zero(); count];
        terms.iter().for_each(|(k, column)| accumulate(&mut sum, (*k).into(), column));
        sum
    }

    fn evaluate(blocks: &[Base], x: Fr) -> Fr {
        horner(blocks, x.into(), Base::zero()).into()
    }

    fn divide(blocks: &[Base], z: Fr) -> (Vec<Base>, Fr) {
        let mut quotient = vec![Base::zero(); blocks.len()];
        let (z, mut sum) = (Base::from(z), Base::zero());
        for (q, c) in quotient.iter_mut().zip(blocks).rev() {
            *q = sum;
            sum = sum * z + *c;
        }
        quotient.pop();
        (quotient, sum.into())
    }

    fn map<T: Formula<C, K>, const C: usize, const K: usize>(
        columns: [&[Base]; C],
        constants: &[Fr; K],
    ) -> Vec<Base> {
        let (n, constants) = (columns[0].len(), constants.map(Base::from));
        let at = |i: usize| columns.map(|column| column[i % n]);
        (0..n).map(|i| T::value(&at(i), &at(i + 1), &constants)).collect()
    }

    fn wipe(blocks: &mut [Base]) {
        blocks.fill(Base::zero());
        core::hint::black_box(blocks);
    }
}
