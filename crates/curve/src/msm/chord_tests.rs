//! The steps of an addition without vectors.

use ark_bls12_381::Fq;
use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, One, PrimeField, UniformRand, Zero};
use ark_std::rand::{SeedableRng, rngs::StdRng};

use super::Lanes;

/// The number whose words are those of this one, or of so much less than the modulus.
fn words(value: i64) -> Fq {
    let modulus = Fq::MODULUS;
    let mut words = if value < 0 { modulus } else { BigInt::zero() };
    let distance = BigInt::from(value.unsigned_abs());
    if value < 0 {
        words.sub_with_borrow(&distance)
    } else {
        words.add_with_carry(&distance)
    };
    Fq::new_unchecked(words)
}

/// The steps of an addition by a lane's arithmetic are arkworks', with what is not reduced as a factor, and what is written is reduced.
fn arithmetic<C: Lanes>(mut numbers: Vec<C::BaseField>) {
    let mut rng = StdRng::seed_from_u64(33);
    numbers.extend((0..5).map(|_| C::BaseField::rand(&mut rng)));
    numbers.extend([C::BaseField::one(), -C::BaseField::one(), -C::BaseField::one().double()]);
    let reduced = |x: &C::BaseField| {
        // What comes out of arkworks' own product is reduced, and one number has one such form.
        assert_eq!(*x, *x * C::BaseField::one());
        *x
    };
    let product = |a: &C::BaseField, b: &C::BaseField| {
        let mut product = C::BaseField::one();
        C::product(&mut product, a, b);
        reduced(&product)
    };
    for a in &numbers {
        let mut square = C::BaseField::one();
        C::square(&mut square, a);
        assert_eq!(square, a.square());
        for b in &numbers {
            assert_eq!(product(a, b), *a * b);
            for opposite in [false, true] {
                let other = if opposite { -*b } else { *b };
                let mut third = *b;
                C::third_y(&mut third, a, opposite);
                let expected = if opposite { *a - b } else { *b - a };
                assert_eq!(reduced(&third), expected, "{b} - {a}, opposite: {opposite}");
                for c in &numbers {
                    assert_eq!(product(c, &C::rise(a, b, opposite)), *c * (other - a));
                }
            }
            for c in &numbers {
                assert_eq!(product(c, &C::run(a, b)), *c * (*b - a));
                let mut third = *c;
                C::third_x(&mut third, a, b);
                assert_eq!(reduced(&third), *c - a - b, "{c} - {a} - {b}");
            }
        }
    }
}

#[test]
fn the_arithmetic_of_a_lane() {
    // Next to 0, to p, to p/2 and to numbers whose highest word is a neighbour's.
    let half = Fq::new_unchecked({
        let mut half = Fq::MODULUS;
        half.div2();
        half
    });
    let high = Fq::new_unchecked(BigInt([0, 0, 0, 0, 0, Fq::MODULUS.0[5]]));
    let few =
        [words(0), words(1), words(2), words(-1), words(-2), half, half + words(1), high, high - words(1)];
    arithmetic::<ark_bls12_381::g1::Config>(few.into());
    arithmetic::<ark_bn254::g1::Config>(vec![ark_bn254::Fq::zero()]);
}
