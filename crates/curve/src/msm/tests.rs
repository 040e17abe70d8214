use ark_ec::bls12::Bls12Config;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, One, PrimeField, UniformRand, Zero};
use ark_std::rand::{SeedableRng, rngs::StdRng};

use super::fixed::Table;
use super::groups::{Groups, sizes};
use super::variable::sum_with;
use super::{Adder, BATCH, Curve, FixedBase, Lanes, Points, Ref, Single, Tier};
use crate::Invalid;

pub(super) type Bls = ark_bls12_381::g1::Config;
pub(super) type Bn = ark_bn254::g1::Config;
type Ed = crate::bandersnatch::ArkworksConfig;

fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// Points with known relations among them are rare in a random choice: these are small multiples of one.
pub(super) fn points<C: Curve>(n: usize, seed: u64) -> Vec<Affine<C>> {
    let mut rng = rng(seed);
    (0..n).map(|_| Projective::<C>::rand(&mut rng).into_affine()).collect()
}

pub(super) fn scalars<C: Curve>(n: usize, seed: u64) -> Vec<C::ScalarField> {
    let mut rng = rng(seed);
    (0..n).map(|_| C::ScalarField::rand(&mut rng)).collect()
}

/// The tiers of this machine.
pub(super) fn tiers<C: Curve>() -> impl Iterator<Item = Tier> {
    Tier::ALL.into_iter().filter(|tier| tier.available::<C>())
}

/// The sum of arkworks' multiples, one by one: compiled in a tenth of the time of its sums.
#[inline(never)]
pub(super) fn expected_sum<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    let mut sum = Projective::zero();
    for (p, k) in points.iter().zip(scalars) {
        sum += *p * k;
    }
    sum
}

/// Every way to sum gives what arkworks gives.
fn agree<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField], what: &str) {
    let expected = expected_sum::<C>(points, scalars);
    for tier in tiers::<C>() {
        for c in [4, 7, 10] {
            assert_eq!(FixedBase::on(points, c, tier).sum(scalars), expected, "{what}, {c} bits, {tier:?}");
        }
        let sum = match tier {
            Tier::Avx512Ifma => sum_with::<C, C::Vector>(points, scalars),
            Tier::Avx2 => sum_with::<C, C::Middle>(points, scalars),
            Tier::Portable => sum_with::<C, Single<C>>(points, scalars),
        };
        assert_eq!(sum, expected, "{what}, no tables, {tier:?}");
    }
}

fn sums_are_right<C: Curve>() {
    for n in [0, 1, 2, 7, 8, 9, 33, 150] {
        agree::<C>(&points(n, 1), &scalars::<C>(n, 2), &format!("{n} points"));
    }
}

/// A sum of few points meets equal and opposite ones on its way, ends in the identity, has scalars with a half that is zero or both as large as they
/// become, or all points in one sum: more tracks than lanes.
#[test]
fn few_points_that_meet() {
    type F = ark_bls12_381::Fr;
    let p = points::<Bls>(14, 30);
    let k = scalars::<Bls>(14, 31);
    let z2 = F::from(u128::from(ark_bls12_381::Config::X[0]).pow(2));
    let one = F::ONE;
    let mut cases = vec![
        (vec![p[0]; 5], vec![k[0]; 5]),
        (vec![p[0], -p[0], p[1], -p[1]], vec![k[0], k[0], k[1], k[1]]),
        (vec![p[0], -p[0]], vec![k[0], k[0] + one]),
        (vec![p[0]; 14], vec![F::from(3_u64); 14]),
        (p.clone(), vec![one; 14]),
        (p.clone(), vec![-one; 14]),
        (p.clone(), (0..14).map(|i| z2 * F::from(i as u64)).collect()),
        (p.clone(), (0..14).map(|i| F::from(1_u128 << (9 * i))).collect()),
        (p.clone(), k.clone()),
    ];
    for small in 0..40_u64 {
        cases.push((p[..2].to_vec(), vec![F::from(small), F::from(small) * z2 - one]));
    }
    for (points, scalars) in &cases {
        let expected = expected_sum::<Bls>(points, scalars);
        let [all] = super::sums([(&points[..], &scalars[..])]);
        assert_eq!(all, expected);
        let (low, high) = (points.split_at(1), scalars.split_at(1));
        let parts = super::sums([(low.0, high.0), (low.1, high.1)]);
        assert_eq!(parts[0] + parts[1], expected);
        assert_eq!(parts[0], low.0[0] * high.0[0]);
    }
}

/// Several sums at once are those one by one, few points and many, with zeros, equal and opposite points among them.
fn several<C: Curve>() {
    for n in [0, 1, 5, 8, 9, 30] {
        let (mut points, mut k) = (points::<C>(n + 2, 22), scalars::<C>(n + 2, 23));
        if n > 4 {
            (points[1], points[2], points[3]) = (Affine::zero(), points[0], -points[0]);
            (k[2], k[3], k[4]) = (k[0], k[0], C::ScalarField::zero());
        }
        let parts = [(&points[..n], &k[..n]), (&points[n..], &k[n..]), (&points[..n / 2], &k[..n / 2])];
        let expected = parts.map(|(p, k)| expected_sum::<C>(p, k));
        assert_eq!(super::sums(parts), expected, "{n} points");
    }
}

/// Pairs of one batch in every place of a group: chords, equal and opposite points, the identity, with either sign, of bases and of sums.
pub(super) fn any_pairs<A: Adder<Curve: Curve>>(seed: u64) {
    let one = points::<A::Curve>(1, seed)[0];
    let mut affine: Vec<Affine<A::Curve>> = (1..20_u64).map(|k| one.mul_bigint([k]).into_affine()).collect();
    let bases = A::import(&affine);
    affine.extend([Affine::zero(), -affine[2], affine[5]]);
    let sums = A::import(&affine);
    let from = Points { bases: &bases, sums: &sums };
    let refs: Vec<Ref> = (0..bases.len())
        .flat_map(|i| [Ref::base(i, false), Ref::base(i, true)])
        .chain((0..sums.len()).map(Ref::sum))
        .collect();
    let value = |r: Ref| if r.is_negative() { -affine[r.index()] } else { affine[r.index()] };
    for count in [1, 2, 3, 4, 5, 9, 127, BATCH] {
        let at = |i: usize| refs[i % refs.len()];
        let all: Vec<[Ref; 2]> = (0..refs.len() * refs.len()).map(|i| [at(i), at(i / refs.len())]).collect();
        for pairs in all.chunks(count).take(200) {
            // What is there before does not matter.
            let mut written = vec![sums[19]; pairs.len()];
            A::add(from, pairs, &mut written);
            for (&[r, s], sum) in pairs.iter().zip(&written) {
                assert_eq!(A::export(sum), (value(r) + value(s)).into_affine(), "{r:?} + {s:?} of {count}");
            }
        }
    }
}

#[test]
fn additions_of_any_pairs() {
    any_pairs::<Single<Bls>>(31);
    any_pairs::<Single<Bn>>(32);
    any_pairs::<Single<Ed>>(35);
    if Tier::Avx2.available::<Bls>() {
        any_pairs::<<Bls as Lanes>::Middle>(34);
    }
}

#[test]
fn several_sums_at_once() {
    several::<Bls>();
    several::<Bn>();
    several::<Ed>();
}

#[test]
fn sums_over_bls12_381() {
    sums_are_right::<Bls>();
}

#[test]
fn sums_over_bn254() {
    sums_are_right::<Bn>();
}

#[test]
fn sums_over_bandersnatch() {
    sums_are_right::<Ed>();
}

/// Points and scalars for which additions meet equal points, opposite points and the identity.
fn awkward<C: Curve>() {
    let (some, n) = (points::<C>(1, 3)[0], 40);
    let k = scalars::<C>(1, 4)[0];
    let one = C::ScalarField::one();
    agree::<C>(&vec![some; n], &vec![k; n], "equal points and scalars");
    agree::<C>(&vec![some; n], &scalars::<C>(n, 5), "equal points");
    let signs: Vec<_> = (0..n).map(|i| if i % 2 == 0 { some } else { -some }).collect();
    agree::<C>(&signs, &vec![k; n], "points that cancel");
    agree::<C>(&signs, &scalars::<C>(n, 6), "opposite points");
    agree::<C>(&vec![Affine::zero(); n], &scalars::<C>(n, 7), "the identity");
    let mut mixed = points::<C>(n, 8);
    mixed[3] = Affine::zero();
    mixed[4] = -mixed[5];
    mixed[6] = mixed[7];
    let corners = [C::ScalarField::zero(), one, -one, one.double(), -one.double(), k, -k];
    let some_corners: Vec<_> = (0..n).map(|i| corners[i % corners.len()]).collect();
    agree::<C>(&mixed, &some_corners, "corners of the scalars");
    agree::<C>(&mixed, &vec![-one; n], "all r - 1");
    agree::<C>(&mixed, &vec![C::ScalarField::zero(); n], "all zero");
    let powers: Vec<_> = (0..n as u64).map(|i| C::ScalarField::from(2_u64).pow([6 * i])).collect();
    agree::<C>(&mixed, &powers, "powers of two");
    // Multiples that the tables hold too: sums meet the doubling of a table's point.
    let chain: Vec<_> = powers.iter().map(|k| (some * k).into_affine()).collect();
    agree::<C>(&chain, &powers.iter().rev().copied().collect::<Vec<_>>(), "bases that are multiples");
}

#[test]
fn awkward_points_of_bls12_381() {
    awkward::<Bls>();
}

#[test]
fn awkward_points_of_bn254() {
    awkward::<Bn>();
}

#[test]
fn awkward_points_of_bandersnatch() {
    awkward::<Ed>();
}

#[test]
fn groups_of_buckets_have_their_parts_of_the_digits() {
    for c in 4..=15 {
        let bases = FixedBase::portable(&points::<Bls>(1, 11), c);
        let numbers = 1000 * bases.row / bases.recoding.windows;
        for sizes in [vec![1], vec![1, 1], vec![2, 2, 1, 1, 1, 1], vec![1; 32]] {
            let groups = Groups::new(&bases.recoding, numbers, sizes.clone());
            // A digit of the largest absolute value is in the last group at most.
            assert!(
                (1..=1 << (c - 1)).map(|d| groups.of(d)).is_sorted() && groups.of(1 << (c - 1)) < sizes.len()
            );
            let mut count = vec![0; sizes.len()];
            (1..=1 << (c - 1)).for_each(|d| count[groups.of(d)] += 1);
            for k in scalars::<Bls>(1000, 12) {
                bases.each_digit(0, &k, |digit, _| {
                    if digit != 0 {
                        count[groups.of(digit)] += 1;
                    }
                });
            }
            if sizes.len() <= 6 && c >= 9 {
                let parts = || count.iter().zip(&sizes).map(|(n, size)| n / size);
                let (least, most) = (parts().min().unwrap(), parts().max().unwrap());
                assert!(most < least * 11 / 10, "{c} {count:?} {sizes:?}");
            }
        }
    }
}

#[test]
fn memory_is_used_again() {
    let (points, k) = (points::<Bls>(60, 9), scalars::<Bls>(60, 10));
    let bases = FixedBase::new(&points);
    assert_eq!(bases.kept_bytes(), 0);
    let all = bases.sum(&k);
    let kept = bases.kept_bytes();
    let few = bases.sum(&k[..5]);
    assert_eq!(all, bases.sum(&k));
    assert!(kept > 0 && bases.kept_bytes() == kept);
    assert_eq!(few, expected_sum::<Bls>(&points[..5], &k[..5]));
    let terms: Vec<_> = [58, 3, 3, 17].map(|i| (i, k[i])).into();
    let expected = points[58] * k[58] + points[3] * k[3].double() + points[17] * k[17];
    assert_eq!(bases.sum_of(&terms), expected);
    assert_eq!(bases.sum_from(50, &k[..10]), expected_sum::<Bls>(&points[50..], &k[..10]));
    assert!(bases.bytes() >= 60 * 96 * (255 / bases.window() + 1));
}

fn multiples_of_one_point<C: Curve>() {
    let mut points = points::<C>(9, 20);
    points[3] = Affine::zero();
    let one = C::ScalarField::one();
    let mut k = scalars::<C>(20, 21);
    k.extend([C::ScalarField::zero(), one, -one, one.double(), -one.double()]);
    for (c, tier) in tiers::<C>().flat_map(|tier| [(4, tier), (9, tier), (13, tier)]) {
        let bases = FixedBase::on(&points, c, tier);
        for i in [0, 3, 8] {
            let expected: Vec<_> = k.iter().map(|k| points[i] * k).collect();
            assert_eq!(bases.multiples(i, &k), expected, "point {i}, {c} bits, {tier:?}");
            assert_eq!(bases.multiples(i, &k[..2]), expected[..2]);
        }
        assert!(bases.multiples(0, &[]).is_empty());
    }
}

#[test]
fn multiples_of_a_point_of_a_table() {
    multiples_of_one_point::<Bls>();
    multiples_of_one_point::<Bn>();
    multiples_of_one_point::<Ed>();
}

#[test]
fn halves_of_a_scalar() {
    let one = ark_bls12_381::Fr::one();
    let p = points::<Bls>(1, 11)[0];
    let z2 = ark_bls12_381::Fr::from(ark_bls12_381::Config::X[0]).square();
    assert_eq!((p * z2).into_affine(), Bls::psi(&p));
    for k in scalars::<Bls>(50, 12).into_iter().chain([-one, one, one - one, z2, z2 - one]) {
        let [low, high] = Bls::halves(&k).expect("an endomorphism");
        assert_eq!(ark_bls12_381::Fr::from(low) + z2 * ark_bls12_381::Fr::from(high), k);
        assert!(low.max(high) < (u128::MAX >> 4) * 15);
        assert!(k.into_bigint().0[3] >> 63 == 0);
    }
}

#[test]
fn many_threads_and_one_agree() {
    let (points, k) = (points::<Bls>(1200, 13), scalars::<Bls>(1200, 14));
    let bases = FixedBase::with_window(&points, 8);
    // Of equal scalars all digits are in few buckets: a group has far more than its part, the others nothing.
    for scalars in [k.clone(), vec![k[0]; k.len()]] {
        let expected = sum_with::<Bls, Single<Bls>>(&points, &scalars);
        for threads in [1, 2, 3, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            assert_eq!(pool.install(|| bases.sum(&scalars)), expected, "{threads} threads");
        }
    }
}

#[test]
fn groups_hold_all_digits_and_the_large_ones_come_first() {
    for digits in [0, 1, 4096, 5000, 16384, 33_800, 68_000, 1 << 20, 1 << 29] {
        for threads in [1, 2, 3, 16, 200] {
            let sizes = sizes(digits, threads);
            let all: usize = sizes.iter().sum();
            assert!((digits..digits + sizes.len()).contains(&all), "{digits} {threads} {sizes:?}");
            assert!(
                sizes.is_sorted_by(|a, b| a + threads >= *b) && sizes.len() <= 2048,
                "{digits} {threads} {sizes:?}"
            );
            assert!(
                sizes.len() == 1 || sizes.iter().all(|size| *size >= 2048),
                "{digits} {threads} {sizes:?}"
            );
        }
    }
}

#[test]
#[should_panic(expected = "3 scalars for 2 points")]
fn more_scalars_than_points() {
    let bases = FixedBase::new(&points::<Bls>(2, 15));
    let _ = bases.sum(&scalars::<Bls>(3, 16));
}

fn tables_there_and_back<C: Curve<BaseField: PrimeField>>() {
    let mut points = points::<C>(30, 17);
    points[4] = Affine::zero();
    let k = scalars::<C>(30, 18);
    let other = self::points::<C>(30, 19);
    for tier in tiers::<C>() {
        let bases = FixedBase::on(&points, 9, tier);
        let bytes = bases.write();
        let again = FixedBase::read(&bytes, &points).expect("what was written");
        assert_eq!((again.window(), again.len(), again.sum(&k)), (9, 30, bases.sum(&k)));
        let refused = |bytes: &[u8], points: &[Affine<C>]| FixedBase::<C>::read(bytes, points).err();
        assert_eq!(refused(&bytes, &other), Some(Invalid("tables of other points")));
        assert_eq!(refused(&bytes, &points[..29]), Some(Invalid("tables of other points")));
        for length in [0, 31, 32, 60, bytes.len() - 1] {
            assert!(refused(&bytes[..length], &points).is_some(), "{length} bytes");
        }
        for at in (0..bytes.len()).step_by(101).chain([0, bytes.len() - 1]) {
            let mut bad = bytes.clone();
            bad[at] ^= 4;
            assert_eq!(refused(&bad, &points), Some(Invalid("damaged tables")), "byte {at}");
        }
        // A header that lies, with the right digest.
        for at in [0, 16, 24, 32, 40] {
            let mut bad = bytes[..bytes.len() - 32].to_vec();
            bad[at] ^= 3;
            bad.extend(*blake3::hash(&bad).as_bytes());
            assert!(refused(&bad, &points).is_some(), "byte {at}");
        }
        // Coordinates that are not reduced: the same numbers modulo p, and no others would be on the curve.
        let size = 8 * C::BaseField::MODULUS.as_ref().len();
        for at in [48, 48 + size, 48 + 18 * size, bytes.len() - 32 - size] {
            for times in [2, 8] {
                let mut bad = bytes[..bytes.len() - 32].to_vec();
                if add_primes::<C>(&mut bad[at..at + size], times) {
                    bad.extend(*blake3::hash(&bad).as_bytes());
                    assert_eq!(refused(&bad, &points), Some(Invalid("damaged tables")), "{times} p at {at}");
                }
            }
        }
    }
}

/// Adds a multiple of the prime to little-endian bytes, if they have room for it.
fn add_primes<C: Curve<BaseField: PrimeField>>(bytes: &mut [u8], times: u128) -> bool {
    let mut carry = 0;
    for (word, p) in bytes.chunks_exact_mut(8).zip(C::BaseField::MODULUS.as_ref()) {
        let sum =
            u128::from(u64::from_le_bytes((&*word).try_into().unwrap())) + times * u128::from(*p) + carry;
        word.copy_from_slice(&(sum as u64).to_le_bytes());
        carry = sum >> 64;
    }
    carry == 0
}

#[test]
fn tables_of_bls12_381_there_and_back() {
    tables_there_and_back::<Bls>();
}

#[test]
fn tables_of_bn254_there_and_back() {
    tables_there_and_back::<Bn>();
}

#[test]
fn tables_of_bandersnatch_there_and_back() {
    tables_there_and_back::<Ed>();
}

/// A table with one false entry, or two that are off by opposite points, is seen for what it is.
fn false_tables<C: Curve>() {
    let points = points::<C>(9, 41);
    for tier in tiers::<C>() {
        let bases = FixedBase::on(&points, 7, tier);
        assert!(bases.is_of(&points));
        assert!(!bases.is_of(&points[..8]));
        let mut swapped = points.clone();
        swapped.swap(2, 3);
        assert!(!bases.is_of(&swapped));
        let (row, windows) = (bases.row, bases.recoding.windows);
        for at in [0, 1, windows - 1, 4 * row + 2] {
            let mut bases = FixedBase::on(&points, 7, tier);
            match &mut bases.table {
                Table::Vector(t) => t[at] = t[8 * row],
                Table::Middle(t) => t[at] = t[8 * row],
                Table::Single(t) => t[at] = t[8 * row],
            }
            assert!(!bases.is_of(&points), "entry {at}, {tier:?}");
        }
    }
    let mut bases = FixedBase::portable(&points, 7);
    let Table::Single(t) = &mut bases.table else { unreachable!("one lane") };
    [t[1], t[2]] = [(t[1] + points[0]).into_affine(), (t[2] - points[0]).into_affine()];
    assert!(!bases.is_of(&points));
    let mut bases = FixedBase::portable(&points, 7);
    let Table::Single(t) = &mut bases.table else { unreachable!("one lane") };
    t[3].x += C::BaseField::one();
    assert!(!bases.is_of(&points), "no point of the curve");
    let mut none = points.clone();
    none[4] = Affine::zero();
    assert!(FixedBase::<C>::new(&none).is_of(&none));
}

#[test]
fn false_tables_of_bls12_381_are_seen() {
    false_tables::<Bls>();
}

#[test]
fn false_tables_of_bn254_are_seen() {
    false_tables::<Bn>();
}

#[test]
fn false_tables_of_bandersnatch_are_seen() {
    false_tables::<Ed>();
}

/// Many rounds of additions, so that numbers are as large as they become; the pairs of some rounds have signs. `look` sees the sums of each.
pub(crate) fn rounds_of_additions<A: Adder<Curve: Lanes>>(
    points: &[Affine<A::Curve>],
    look: impl Fn(&[A::Point]),
) {
    let n = points.len() / 2;
    let bases = A::import(points);
    let (mut vector, mut single) = (Vec::new(), Vec::new());
    let mut pairs: Vec<[Ref; 2]> =
        (0..n).map(|i| [Ref::base(2 * i, i % 3 == 0), Ref::base(2 * i + 1, i % 2 == 0)]).collect();
    for round in 0..40 {
        let mut sums = vec![bases[0]; n];
        A::add(Points { bases: &bases, sums: &vector }, &pairs, &mut sums);
        let mut expected = vec![points[0]; n];
        Single::<A::Curve>::add(Points { bases: points, sums: &single }, &pairs, &mut expected);
        assert_eq!(sums.iter().map(A::export).collect::<Vec<_>>(), expected, "round {round} of {n} pairs");
        look(&sums);
        (vector, single) = (sums, expected);
        let right = |i: usize| match round % 3 {
            0 => Ref::base(i + round % n, i & 1 == 0),
            1 => Ref::sum((i + 1) % n), // the point itself, for one pair
            _ => Ref::base(i, true),
        };
        pairs = (0..n)
            .map(|i| if i % 2 == 0 { [Ref::sum(i), right(i)] } else { [right(i), Ref::sum(i)] })
            .collect();
    }
}
