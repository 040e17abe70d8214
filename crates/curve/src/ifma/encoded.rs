//! Eight points of BLS12-381's first group at once: the roots that their encodings ask for, and whether they are in the subgroup.
//!
//! Both are long chains of products, of which a lane has to wait for each: eight chains take the time of one. The prime has 35 bits less than
//! eight limbs hold, so that a product of `a p` and `b p` is below `1.01 p` for all factors here.
//!
//! (notes: curve-verifier)

use ark_bls12_381::g1::Config;
use ark_bls12_381::{Fq, G1Affine};
use ark_ff::{PrimeField, Zero};

use super::Ifma;
use super::double::Jacobian;
use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::product;
use crate::msm::{Adder, Lanes as _};

type Eight = Lanes<8>;
type Point = Jacobian<8>;

const PRIME: &Prime<8> = &<Config as Limbs<8>>::PRIME;

/// Bits of a digit of the root's exponent.
const WINDOW: usize = 4;

/// For each `x` the number whose square is `x^3 + 4`, if there is one: whoever asks squares it.
pub(crate) fn roots(x: &[Fq; 8]) -> [Fq; 8] {
    assert!(Ifma::<Config, 8>::available(), "instructions that this CPU does not have");
    // SAFETY: the line above.
    unsafe { roots_of(x) }
}

/// Whether points of the curve, none of them the identity, are in the subgroup. `None` for a point of small order, of which this does not tell.
///
/// `psi(x, y) = (beta x, -y)` has `psi^2 - psi + 1 = 0` on the whole curve. Where `psi(P) = z^2 P` this is `(z^4 - z^2 + 1) P = 0`, and that number is
/// the subgroup's order; in the subgroup `psi` is that multiple. An addition of equal or opposite points leaves `Z = 0`, to the end.
pub(crate) fn in_subgroup(points: &[G1Affine; 8]) -> [Option<bool>; 8] {
    assert!(Ifma::<Config, 8>::available(), "instructions that this CPU does not have");
    // SAFETY: the line above.
    unsafe { are_in_subgroup(points) }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn import(x: &[Fq; 8]) -> Eight {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { lanes::load(&x.each_ref().map(Config::split)) }
}

/// Of numbers below `4 p`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn export(x: &Eight) -> [Fq; 8] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { lanes::unload(x).each_ref().map(Config::join) }
}

/// The power by `(p + 1) / 4`, in digits of four bits.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn roots_of(x: &[Fq; 8]) -> [Fq; 8] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let mut exponent = Fq::MODULUS; // 3 modulo 4: the quarter above is (p - 3) / 4 + 1
        exponent.0[0] += 1;
        let exponent = core::array::from_fn::<u64, 6, _>(|i| {
            let above = exponent.0.get(i + 1).copied().unwrap_or(0);
            exponent.0[i] >> 2 | above << 62
        });
        let x = import(x);
        let cube = product::product(&product::product(&x, &x, PRIME), &x, PRIME);
        let square = lanes::carry(lanes::wide_sum(&cube, &import(&[Fq::from(4_u64); 8])));
        let mut powers = [lanes::splat(&PRIME.one); 1 << WINDOW];
        for i in 1..1 << WINDOW {
            powers[i] = product::product(&powers[i - 1], &square, PRIME);
        }
        let digit = |j: usize| (exponent[j / 16] >> (WINDOW * (j % 16))) as usize & 0xf;
        let digits = 384 / WINDOW;
        let mut root = powers[digit(digits - 1)];
        for j in (0..digits - 1).rev() {
            for _ in 0..WINDOW {
                root = product::product(&root, &root, PRIME);
            }
            root = product::product(&root, &powers[digit(j)], PRIME);
        }
        export(&root)
    }
}

/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn are_in_subgroup(points: &[G1Affine; 8]) -> [Option<bool>; 8] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let (x, y) = (import(&points.map(|p| p.x)), import(&points.map(|p| p.y)));
        let one = lanes::splat(&PRIME.one);
        let [px, py, pz] = times_z(&times_z(&[x, y, one]));
        // beta x = X / Z^2 and -y = Y / Z^3
        let beta = import(&[Config::BETA; 8]);
        let [zz, image] = product::products([&pz, &x], [&pz, &beta], PRIME);
        let [zzz, left] = product::products([&zz, &zz], [&pz, &image], PRIME);
        let [fall, z] = product::products([&y, &pz], [&zzz, &one], PRIME);
        let sum = lanes::carry(lanes::wide_sum(&py, &fall));
        let run = lanes::difference(&left, &px, 11, PRIME);
        let [sum, run] = product::products([&sum, &run], [&one; 2], PRIME);
        let (sum, run, z) = (export(&sum), export(&run), export(&z));
        core::array::from_fn(|i| (!z[i].is_zero()).then_some(sum[i].is_zero() && run[i].is_zero()))
    }
}

/// The multiple by the absolute value of the curve's parameter, `0xd201_0000_0001_0000`. Of coordinates below `11 p`, as they are then.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
unsafe fn times_z(p: &Point) -> Point {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let mut sum = *p;
        for doublings in [1, 2, 3, 9, 32] {
            for _ in 0..doublings {
                sum = twice(&sum, PRIME);
            }
            sum = add(&sum, p);
        }
        for _ in 0..16 {
            sum = twice(&sum, PRIME);
        }
        sum
    }
}

/// `2 P`, with products that do not wait for each other side by side: see [`super::double::double`]. Below 10.1, 10.1 and 2.1 p.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn twice<const L: usize>([x, y, z]: &Jacobian<L>, prime: &'static Prime<L>) -> Jacobian<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let [a, b] = product::squares([x, y], prime);
        let [m, c] = product::products([x, &b], [&b, &b], prime);
        let e = lanes::carry(lanes::wide_sum(&a, &lanes::wide_shift::<L, 1>(&a))); // 3.1
        let [f, yz] = product::products([&e, y], [&e, z], prime);
        let x3 = lanes::difference(&f, &lanes::wide_shift::<L, 3>(&m), 9, prime); // 10.1
        let run = lanes::difference(&lanes::wide_shift::<L, 2>(&m), &x3, 11, prime); // 15.1
        let rise = product::product(&e, &run, prime);
        let y3 = lanes::difference(&rise, &lanes::wide_shift::<L, 3>(&c), 9, prime); // 10.1
        [x3, y3, lanes::carry(lanes::wide_shift::<L, 1>(&yz))]
    }
}

/// `P + Q`, or `Z = 0` if they are equal or opposite or one of them has it. Below 5.1, 3.1 and 1.1 p.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn add([x1, y1, z1]: &Point, [x2, y2, z2]: &Point) -> Point {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
    unsafe {
        let [z11, z22] = product::squares([z1, z2], PRIME);
        let [u1, u2] = product::products([x1, x2], [&z22, &z11], PRIME);
        let [s1, s2] = product::products([y1, y2], [z2, z1], PRIME);
        let [s1, s2] = product::products([&s1, &s2], [&z22, &z11], PRIME);
        let h = lanes::difference(&u2, &u1, 2, PRIME); // 3.1
        let r = lanes::difference(&s2, &s1, 2, PRIME); // 3.1
        let [hh, rr] = product::squares([&h, &r], PRIME);
        let [hhh, v] = product::products([&h, &u1], [&hh, &hh], PRIME);
        let less = lanes::wide_sum(&hhh, &lanes::wide_shift::<8, 1>(&v));
        let x3 = lanes::difference(&rr, &less, 4, PRIME); // 5.1
        let [z12, fall] = product::products([z1, &s1], [z2, &hhh], PRIME);
        let run = lanes::difference(&v, &x3, 6, PRIME); // 7.1
        let [z3, rise] = product::products([&z12, &r], [&h, &run], PRIME);
        [x3, lanes::difference(&rise, &fall, 2, PRIME), z3]
    }
}
