//! KoalaBear, p = 2^31 - 2^24 + 1, and its extensions of degree 4, 5 and 8.

use super::plonky3;

/// The integers modulo 2^31 - 2^24 + 1: two-adicity 24.
pub type KoalaBear = p3_koala_bear::KoalaBear;

/// KoalaBear\[X\] / (X^4 - 3).
pub type KoalaBear4 = p3_field::extension::BinomialExtensionField<KoalaBear, 4>;

/// KoalaBear\[X\] / (X^5 + X^2 - 1).
pub type KoalaBear5 = p3_field::extension::QuinticTrinomialExtensionField<KoalaBear>;

/// KoalaBear\[X\] / (X^8 - 3).
pub type KoalaBear8 = p3_field::extension::BinomialExtensionField<KoalaBear, 8>;

/// The inverse of 2^32, whose Montgomery form is 1: its product with an element has the element's integer in memory.
const FROM_MONTGOMERY: KoalaBear = KoalaBear::new(1057030144);

plonky3::base!(KoalaBear, "koalabear", 4, Some(FROM_MONTGOMERY), KoalaBears8, KoalaBears16);
plonky3::extension!(KoalaBear, KoalaBear4, 4, "koalabear4");
plonky3::extension!(KoalaBear, KoalaBear5, 5, "koalabear5");
plonky3::extension!(KoalaBear, KoalaBear8, 8, "koalabear8");
