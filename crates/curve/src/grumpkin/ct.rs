//! Multiples of Grumpkin's generator and scalars, in a time that does not depend on them.
//!
//! Coordinates are projective, the addition is complete: Renes, Costello and Batina, "Complete addition formulas for prime order elliptic curves",
//! EUROCRYPT 2016, algorithm 7 (`a = 0`). All arithmetic is `crypto-bigint`'s; a table is scanned as a whole for each digit. What is
//! left on the stack is not overwritten. (notes: curve-ct)

use std::sync::LazyLock;

use ark_ec::AffineRepr;
use ark_ff::{BigInt, PrimeField};
use crypto_bigint::modular::ConstMontyForm;
use crypto_bigint::{U256, const_monty_params};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{Fq, Fr, Point};
use crate::scalar;

const_monty_params!(
    FieldOrder,
    U256,
    "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
    "The number of elements of the base field."
);

const_monty_params!(
    Order,
    U256,
    "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
    "The order of the group."
);

type Base = ConstMontyForm<FieldOrder, { U256::LIMBS }>;

/// `-3 b`, where the curve is `y^2 = x^3 + b`.
const MINUS_3B: Base = Base::new(&U256::from_u64(51));

/// Bits of a digit.
const WINDOW: usize = 4;

/// Digits of a scalar.
const DIGITS: usize = 64;

/// A point, `x = X/Z`, `y = Y/Z`; of the identity `Z = 0`.
#[derive(Clone, Copy)]
struct Projective {
    x: Base,
    y: Base,
    z: Base,
}

impl Projective {
    const IDENTITY: Self = Self { x: Base::ZERO, y: Base::ONE, z: Base::ZERO };

    fn from_affine(p: &Point) -> Self {
        let [x, y] = [p.x, p.y].map(|c| Base::from_montgomery(U256::from_words(c.0.0)));
        Self { x, y, z: Base::ONE }
    }

    /// The sum of any two points.
    fn add(&self, q: &Self) -> Self {
        let (xx, yy, zz) = (self.x * q.x, self.y * q.y, self.z * q.z);
        let xy = (self.x + self.y) * (q.x + q.y) - (xx + yy);
        let yz = (self.y + self.z) * (q.y + q.z) - (yy + zz);
        let xz = (self.x + self.z) * (q.x + q.z) - (xx + zz);
        // With b negative the signs of both products by 3 b turn.
        let (three_xx, bzz, bxz) = (xx + xx + xx, MINUS_3B * zz, MINUS_3B * xz);
        let (less, more) = (yy - bzz, yy + bzz);
        Self { x: xy * more + yz * bxz, y: more * less - bxz * three_xx, z: less * yz + three_xx * xy }
    }

    /// The affine form; the coordinates of the identity are 0.
    fn affine(&self) -> Point {
        let inverse = self.z.invert();
        let inverse = inverse.unwrap_or(Base::ZERO);
        let [x, y] =
            [self.x, self.y].map(|c| Fq::new_unchecked(BigInt((c * inverse).to_montgomery().to_words())));
        Point::new_unchecked(x, y)
    }
}

fn select(a: &Base, b: &Base, so: Choice) -> Base {
    let [a, b] = [a, b].map(|x| x.to_montgomery().to_words());
    Base::from_montgomery(U256::from_words(core::array::from_fn(|i| {
        u64::conditional_select(&a[i], &b[i], so)
    })))
}

impl ConditionallySelectable for Projective {
    fn conditional_select(a: &Self, b: &Self, so: Choice) -> Self {
        Self { x: select(&a.x, &b.x, so), y: select(&a.y, &b.y, so), z: select(&a.z, &b.z, so) }
    }
}

/// `j 16^i B`, for each digit's place `i` and value `j`.
static TABLE: LazyLock<Vec<[Projective; 1 << WINDOW]>> = LazyLock::new(|| {
    let mut base = Projective::from_affine(&Point::generator());
    let row = |_| {
        let mut row = [Projective::IDENTITY; 1 << WINDOW];
        for j in 1..row.len() {
            row[j] = row[j - 1].add(&base);
        }
        base = row[row.len() - 1].add(&base);
        row
    };
    (0..DIGITS).map(row).collect()
});

/// `k B`, of the generator `B`. Cost: 64 additions, each with a scan of 16 points.
pub fn times_generator(k: &Fr) -> Point {
    let words = k.into_bigint().0;
    let mut sum = Projective::IDENTITY;
    for (i, row) in TABLE.iter().enumerate() {
        let digit = words[i * WINDOW / 64] >> (i * WINDOW % 64) & ((1 << WINDOW) - 1);
        let mut chosen = row[0];
        for (j, multiple) in (0_u64..).zip(row).skip(1) {
            chosen.conditional_assign(multiple, digit.ct_eq(&j));
        }
        sum = sum.add(&chosen);
    }
    sum.affine()
}

/// `a b + c`.
#[must_use]
pub fn multiply_add(a: &Fr, b: &Fr, c: &Fr) -> Fr {
    scalar::multiply_add::<_, Order>(a, b, c)
}

/// The number of at most 64 bytes, little-endian, modulo the order of the group.
///
/// # Panics
/// If there are more bytes.
#[must_use]
pub fn reduce(bytes: &[u8]) -> Fr {
    scalar::reduce::<_, Order>(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::CurveGroup;
    use ark_ff::{AdditiveGroup, Field};

    fn scalars() -> Vec<Fr> {
        let mut all: Vec<Fr> = [0_u64, 1, 2, 15, 16, 17, u64::MAX].map(Fr::from).to_vec();
        all.extend(all.clone().iter().map(|k| -*k));
        let mut k = Fr::from(3_u64);
        for i in 2..20_u64 {
            k = k.square() - Fr::from(i);
            all.push(k);
        }
        all
    }

    #[test]
    fn multiples_of_the_generator_are_those_of_arkworks() {
        for k in scalars() {
            assert_eq!(times_generator(&k), (Point::generator() * k).into_affine(), "{k}");
        }
    }

    #[test]
    fn the_addition_has_no_exception() {
        let points: Vec<Point> =
            [0_u64, 1, 2, 3].map(|k| (Point::generator() * Fr::from(k)).into_affine()).to_vec();
        let all: Vec<Point> = points.iter().copied().chain(points.iter().map(|p| -*p)).collect();
        let ours = |p: &Point| if p.is_zero() { Projective::IDENTITY } else { Projective::from_affine(p) };
        for p in &all {
            for q in &all {
                assert_eq!(ours(p).add(&ours(q)).affine(), (*p + *q).into_affine());
            }
        }
    }

    #[test]
    fn scalars_are_those_of_arkworks() {
        let all = scalars();
        for (a, b) in all.iter().zip(all.iter().rev()) {
            assert_eq!(multiply_add(a, b, a), *a * b + a);
        }
        for bytes in [[0xff_u8; 64], [0x01; 64], [0; 64]] {
            assert_eq!(reduce(&bytes), Fr::from_le_bytes_mod_order(&bytes));
        }
        assert_eq!(Fr::ZERO, reduce(&[]));
    }
}
