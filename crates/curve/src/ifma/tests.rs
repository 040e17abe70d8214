use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, UniformRand};
use ark_std::rand::{Rng, SeedableRng, rngs::StdRng};

use super::{Ifma, Limbs, lanes, product};
use crate::msm::tests::rounds_of_additions;
use crate::msm::{Adder, Points, Ref, Single};

type Bls = ark_bls12_381::g1::Config;
type Bn = ark_bn254::g1::Config;
type Ed = crate::bandersnatch::ArkworksConfig;

fn points<C: Limbs<L>, const L: usize>(n: usize) -> Vec<Affine<C>> {
    let mut rng = StdRng::seed_from_u64(1);
    (0..n).map(|_| Projective::<C>::rand(&mut rng).into_affine()).collect()
}

/// A machine without the instructions has nothing to compare; one with them must not skip the comparison.
fn skip<C: Limbs<L>, const L: usize>() -> bool {
    let available = Ifma::<C, L>::available();
    assert_eq!(available, field::cpu::has(field::cpu::Features::AVX512IFMA));
    !available
}

fn conversions<C: Limbs<L>, const L: usize>() {
    let points = points::<C, L>(20);
    let there = Ifma::<C, L>::import(&points);
    let back: Vec<_> = there.iter().map(Ifma::<C, L>::export).collect();
    assert_eq!(points, back);
    let zero = Ifma::<C, L>::import(&[Affine::zero()]);
    assert_eq!((zero[0].x, zero[0].y), ([0; 8], [0; 8]));
    assert!(Ifma::<C, L>::export(&zero[0]).is_zero());
}

#[test]
fn points_there_and_back() {
    conversions::<Bls, 8>();
    conversions::<Bn, 5>();
    conversions::<Ed, 5>();
}

fn additions<C: Limbs<L>, const L: usize>() {
    if skip::<C, L>() {
        return;
    }
    for n in [1, 2, 15, 16, 17, 100] {
        rounds_of_additions::<Ifma<C, L>>(&points::<C, L>(2 * n), |_| ());
    }
}

#[test]
fn additions_over_bls12_381() {
    additions::<Bls, 8>();
}

#[test]
fn additions_over_bn254() {
    additions::<Bn, 5>();
}

#[test]
fn additions_over_bandersnatch() {
    additions::<Ed, 5>();
}

fn special<C: Limbs<L>, const L: usize>() {
    if skip::<C, L>() {
        return;
    }
    let mut points = points::<C, L>(64);
    for i in 0..8 {
        let p = points[i];
        points[8 + i] = [p, -p, Affine::zero()][i % 3];
    }
    points[20] = Affine::zero();
    // What the vectors take for the identity and is none: the lowest two limbs of x are zero.
    let small = |limb: u64| Affine::get_point_from_x_unchecked(C::join(&[0, 0, limb, 0, 0, 0, 0, 0]), false);
    let mut small = (1..).filter_map(small);
    for at in [30, 45] {
        points[at] = small.next().expect("half of all numbers");
    }
    let bases = Ifma::<C, L>::import(&points);
    let pairs: Vec<_> = (0..64)
        .flat_map(|i| [(i + 8) % 64, i].map(|j| [Ref::base(i, i % 5 == 0), Ref::base(j, i % 7 == 0)]))
        .collect();
    let (mut sums, mut expected) = (vec![bases[0]; pairs.len()], vec![points[0]; pairs.len()]);
    Ifma::<C, L>::add(Points { bases: &bases, sums: &[] }, &pairs, &mut sums);
    Single::<C>::add(Points { bases: &points, sums: &[] }, &pairs, &mut expected);
    assert_eq!(sums.iter().map(Ifma::<C, L>::export).collect::<Vec<_>>(), expected);
    assert!(expected.iter().any(|p| p.is_zero()));
}

#[test]
fn doublings_cancellations_and_the_identity() {
    special::<Bls, 8>();
    special::<Bn, 5>();
    special::<Ed, 5>();
}

fn tables<C: Limbs<L>, const L: usize>() {
    if skip::<C, L>() {
        return;
    }
    let points = points::<C, L>(11);
    for twice in [false, true] {
        let size = points.len() * 29 * (1 + usize::from(twice));
        let mut vector = vec![crate::ifma::Point { x: [0; 8], y: [0; 8] }; size];
        let mut single = vec![points[0]; size];
        Ifma::<C, L>::multiples(&points, 9, 29, &mut vector);
        Single::<C>::multiples(&points, 9, 29, &mut single);
        assert_eq!(vector.iter().map(Ifma::<C, L>::export).collect::<Vec<_>>(), single);
    }
}

fn scaling<C: Limbs<L>, const L: usize>() {
    if skip::<C, L>() {
        return;
    }
    let mut rng = StdRng::seed_from_u64(2);
    let points = points::<C, L>(45);
    let mut scalars: Vec<_> = points.iter().map(|_| C::ScalarField::rand(&mut rng)).collect();
    let one = C::ScalarField::ONE;
    for (i, k) in [C::ScalarField::ZERO, one, -one, one.double(), -one.double()].into_iter().enumerate() {
        scalars[7 * i] = k;
    }
    for n in [1, 8, 45] {
        let vector = Ifma::<C, L>::scale(&points[..n], &scalars[..n]);
        assert_eq!(vector, Single::<C>::scale(&points[..n], &scalars[..n]), "{n} points");
    }
    assert!(Ifma::<C, L>::scale(&[], &[]).is_empty());
}

#[test]
fn multiples_by_scalars() {
    scaling::<Bls, 8>();
    scaling::<Bn, 5>();
    scaling::<Ed, 5>();
}

#[test]
fn multiples_for_tables() {
    tables::<Bls, 8>();
    tables::<Bn, 5>();
    tables::<Ed, 5>();
}

/// Limb by limb the product of a number by itself, as large as numbers may be too.
fn squares<C: Limbs<L>, const L: usize>() {
    if skip::<C, L>() {
        return;
    }
    let mut rng = StdRng::seed_from_u64(3);
    let most = (1 << 52) - 1;
    let mut number = |i: usize| -> [u64; 8] {
        core::array::from_fn(|j| match (i, j) {
            (_, j) if j >= L => 0,
            (0, _) => 0,
            (1, 0) => 1,
            (1, _) => 0,
            (2, j) if j + 1 < L => most,
            (2, _) => most >> 1,
            (3, j) if j + 1 < L => most * (j as u64 % 2),
            (_, j) if j + 1 < L => rng.gen_range(0..=most),
            _ => rng.gen_range(0..=most >> 1),
        })
    };
    for i in 0..100 {
        let numbers: [[[u64; 8]; 8]; 2] =
            core::array::from_fn(|s| core::array::from_fn(|lane| number((16 * i + 8 * s + lane) % 320)));
        // SAFETY: the machine has the instructions.
        let (squares, products) = unsafe {
            let [a, b] = numbers.each_ref().map(|n| lanes::load::<L>(n));
            let squares = product::squares([&a, &b], &C::PRIME);
            (squares, product::products([&a, &b], [&a, &b], &C::PRIME))
        };
        // SAFETY: the machine has the instructions.
        let unload = |x: &lanes::Lanes<L>| unsafe { lanes::unload(x) };
        assert_eq!(squares.each_ref().map(unload), products.each_ref().map(unload));
    }
}

#[test]
fn squares_are_products() {
    squares::<Bls, 8>();
    squares::<Bn, 5>();
    squares::<Ed, 5>();
}
