use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, One, Zero};

use super::*;
use crate::bandersnatch;
use crate::bandersnatch::{Bandersnatch, SCALAR_BITS};
use crate::jubjub::Jubjub;

/// Scalars that are far from each other, and those at the ends.
fn scalars<F: PrimeField>() -> Vec<F> {
    let mut all: Vec<F> = [0_u64, 1, 2, 3, 15, 16, 17, u64::MAX].map(F::from).to_vec();
    all.extend(all.clone().iter().map(|k| -*k));
    let mut k = F::from(3_u64);
    for i in 2..40_u64 {
        k = k.square() - F::from(i);
        all.push(k);
    }
    all
}

#[test]
fn multiples_are_those_of_arkworks() {
    let g = G1::generator();
    for k in scalars::<Fr>() {
        assert_eq!(times_g1(&g, &k), g * k);
    }
    multiples_on::<Bandersnatch>();
    multiples_on::<Jubjub>();
}

fn multiples_on<C: Embedded>() {
    let p = Point::<C>::generator();
    for k in scalars::<C::ScalarField>() {
        let multiple = times(&p.into(), &k);
        assert_eq!(multiple, p * k);
        assert_eq!(affine(&[multiple]), [(p * k).into_affine()]);
        assert_eq!(multiple.x * multiple.y, multiple.t * multiple.z, "T");
    }
}

#[test]
fn sums_are_those_of_arkworks() {
    sums_on::<Bandersnatch>();
    sums_on::<Jubjub>();
}

fn sums_on<C: Embedded>() {
    let p = Point::<C>::generator();
    let points: Vec<Projective<C>> = (0..9_u64).map(|k| p * C::ScalarField::from(k)).collect();
    for a in &points {
        for b in &points {
            assert_eq!(add(a, b), *a + b);
            assert_eq!(add(a, &-*b), *a - b);
        }
    }
    assert_eq!(affine(&points), Projective::normalize_batch(&points));
    let bits = [1, 0, 1, 1, 0, 0, 1, 0, 1];
    let chosen = bits.map(Choice::from).into_iter().zip(affine(&points));
    let mut expected = vec![points[4]];
    for (bit, q) in bits.iter().zip(&points) {
        let last = expected[expected.len() - 1];
        expected.push(if *bit == 1 { last + q } else { last });
    }
    assert_eq!(partial_sums(&points[4], chosen), expected);
}

#[test]
fn sums_in_the_first_group_are_those_of_arkworks() {
    let g = G1::generator();
    let some = [3_u64, 1, 7, 2].map(|k| g * Fr::from(k) + g);
    assert_eq!(affine_g1(&some), some.map(|p| p.into_affine()));
    for [k, l] in [[1_u64, 1], [2, 2], [5, 3], [0, 4], [4, 0], [0, 0]] {
        let [p, q] = [k, l].map(|k| g * Fr::from(k));
        assert_eq!(add_g1(&p, &q.into_affine()), p + q);
        assert_eq!([sum_g1(&p, &q), sum_g1(&p, &-q)], [p + q, p - q]);
        assert_eq!(add_g1(&p, &-q.into_affine()), p - q);
        assert!(k == 0 || affine_g1(&[p]) == [p.into_affine()]);
    }
}

#[test]
fn scalars_are_those_of_arkworks() {
    scalars_of::<Bandersnatch>();
    scalars_of::<Jubjub>();
}

fn scalars_of<C: Embedded>() {
    let all = scalars::<C::ScalarField>();
    for (a, b) in all.iter().zip(all.iter().rev()) {
        assert_eq!(C::multiply_add(a, b, a), *a * b + a);
    }
    for length in [0, 1, 31, 32, 33, 48, 64] {
        for byte in [0x00, 0x01, 0x5a, 0xff] {
            let bytes = vec![byte; length];
            assert_eq!(C::reduce(&bytes), C::ScalarField::from_le_bytes_mod_order(&bytes));
            assert_eq!(reduce_field(&bytes), Fr::from_le_bytes_mod_order(&bytes));
        }
    }
}

#[test]
fn choices_choose() {
    let [a, b] = [Point::<Bandersnatch>::generator(), -Point::<Bandersnatch>::generator()];
    let g = G1::generator();
    for so in [0, 1] {
        let so_choice = Choice::from(so);
        assert_eq!(point(&a, &b, so_choice), if so == 1 { b } else { a });
        assert_eq!(g1(&g, &-g, so_choice), if so == 1 { -g } else { g });
        let [g, h] = [G1Projective::from(g), g + g];
        assert_eq!(g1_projective(&g, &h, so_choice), if so == 1 { h } else { g });
        assert_eq!(bit(so_choice), Fr::from(so));
    }
    assert_eq!(difference(&Fr::zero(), &Fr::one()), -Fr::ONE);
    for (a, b) in scalars::<Fr>().iter().zip(scalars::<Fr>().iter().rev()) {
        assert_eq!([sum(a, b), difference(a, b), product(a, b)], [*a + b, *a - b, *a * b]);
    }
    let five = bandersnatch::Fr::from(5_u64);
    let shown: Vec<bool> = bits(&five).take(4).map(bool::from).collect();
    assert_eq!(shown, [true, false, true, false]);
    assert_eq!(bits(&-five.double()).count(), SCALAR_BITS);
}
