//! BN254's pairing in lanes: Miller's loop and the hard part of the final exponentiation.
//!
//! Lines ([`super::lines`]), their order and the exponent are those of arkworks, so that both give the same value. An element's twelve coordinates are side by side
//! ([`super::twelve`]); a line is one vector too, which one product with `(y, y, x, x, 1, 1)` evaluates at a point.
//!
//! Source of the exponent: Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, "Faster hashing to G2" (2011). (notes: curve-pairing)

use ark_bn254::{Config, Fq, Fq12, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_ec::bn::BnConfig;
use ark_ff::{AdditiveGroup, Field};

use super::INSTRUCTIONS;
use super::eight::Eight;
use super::lanes::Lanes;
use super::lines::walk;
use super::twelve::Twelve;
use field::cpu;

/// The lines of a point of the second group; none for the identity.
#[derive(Clone)]
pub(crate) struct Lines(Vec<Lanes<5>>);

impl core::fmt::Debug for Lines {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Lines").field(&self.0.len()).finish()
    }
}

/// Tells whether the CPU has the instructions.
pub(crate) fn available() -> bool {
    cpu::has(INSTRUCTIONS)
}

impl Lines {
    pub(crate) fn new(q: &G2Affine) -> Self {
        if q.is_zero() {
            return Self(Vec::new());
        }
        assert!(available(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        let (lines, _) = unsafe { walk(q) };
        Self(lines)
    }
}

/// Tells whether a point of the twist is in the subgroup.
pub(crate) fn in_subgroup(q: &G2Affine) -> bool {
    assert!(available(), "instructions that this CPU does not have");
    // SAFETY: the line above.
    q.is_zero() || unsafe { walk(q) }.1
}

/// The product of the pairings.
pub(crate) fn product(pairs: &[(G1Affine, &Lines)]) -> Fq12 {
    assert!(available(), "instructions that this CPU does not have");
    // SAFETY: the line above.
    unsafe { exponentiated(&looped(pairs)) }
}

/// Miller's loop; pairs with an identity are left out.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn looped(pairs: &[(G1Affine, &Lines)]) -> Twelve {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let mut lines = Vec::with_capacity(pairs.len());
        for (p, q) in pairs.iter().filter(|(p, q)| !p.is_zero() && !q.0.is_empty()) {
            let at = Eight::load(&[p.y, p.y, p.x, p.x, Fq::ONE, Fq::ONE, Fq::ZERO, Fq::ZERO]);
            lines.push((q.0.iter(), at));
        }
        let mut f = Twelve::import(&Fq12::ONE);
        let mut step = |f: &mut Twelve| {
            for (lines, at) in &mut lines {
                // As many lines as steps: both follow the same digits.
                if let Some(line) = lines.next() {
                    *f = f.times_line(&super::product::product(line, &at.0, const { super::twelve::PRIME }));
                }
            }
        };
        for (i, digit) in Config::ATE_LOOP_COUNT.iter().rev().skip(1).enumerate() {
            if i > 0 {
                f = f.product(&f);
            }
            step(&mut f);
            if *digit != 0 {
                step(&mut f);
            }
        }
        step(&mut f);
        step(&mut f);
        f
    }
}

/// The final exponentiation. 0, which Miller's loop does not give, is answered by 0.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn exponentiated(f: &Twelve) -> Fq12 {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let f = f.export();
        // f^(p^6 - 1)
        let mut easy = f;
        easy.conjugate_in_place();
        easy *= f.inverse().unwrap_or(Fq12::ZERO);
        // and that to the power p^2 + 1
        let r = Twelve::import(&frobenius(&easy, 2)).product(&Twelve::import(&easy));
        let y0 = power_of_minus_x(&r);
        let y1 = y0.cyclotomic_square();
        let y3 = y1.cyclotomic_square().product(&y1);
        let y4 = power_of_minus_x(&y3);
        let y6 = power_of_minus_x(&y4.cyclotomic_square()).conjugate();
        let y8 = y6.product(&y4).product(&y3.conjugate());
        let y9 = y8.product(&y1);
        let y11 = y8.product(&y4).product(&r);
        let y15 = r.conjugate().product(&y9);
        let images = [(&y9, 1), (&y8, 2), (&y15, 3)];
        let images = images.map(|(y, power)| Twelve::import(&frobenius(&y.export(), power)));
        images.iter().fold(y11, |all, image| all.product(image)).export()
    }
}

fn frobenius(f: &Fq12, power: usize) -> Fq12 {
    let mut image = *f;
    image.frobenius_map_in_place(power);
    image
}

/// Digits of the curve's parameter, the lowest first, no two neighbours of which are not 0.
const X: [i8; 64] = {
    let (mut x, mut digits, mut i) = (Config::X[0], [0; 64], 0);
    while x > 0 {
        if x & 1 == 1 {
            digits[i] = if x & 3 == 3 { -1 } else { 1 };
            x = if x & 3 == 3 { x + 1 } else { x - 1 };
        }
        (x, i) = (x >> 1, i + 1);
    }
    digits
};

/// The power by the parameter, inverted, of an element of the cyclotomic subgroup.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn power_of_minus_x(f: &Twelve) -> Twelve {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let inverse = f.conjugate();
        let mut power: Option<Twelve> = None;
        for digit in X.iter().rev() {
            power = power.map(|power| power.cyclotomic_square());
            let by = match digit {
                0 => continue,
                1 => f,
                _ => &inverse,
            };
            power = Some(power.map_or(*by, |power| power.product(by)));
        }
        power.unwrap_or(*f).conjugate()
    }
}
