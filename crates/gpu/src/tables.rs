//! The constants of the kernels, from the crates that define them: none is written down twice.

use field::{FoldableCode, Gf64, Gf128, Tower64, Tower128};
use iop::hash::Hash;

/// The twin of `Tables` in `cuda/args.h`, word by word.
pub(crate) struct Tables {
    words: Vec<u64>,
}

/// The images of all values of all nibbles of an element of `bits` bits.
fn nibbles<T>(bits: usize, image: impl Fn(u128) -> T) -> impl Iterator<Item = T> {
    (0..bits / 4).flat_map(|k| (0..16).map(move |value| value << (4 * k))).map(image)
}

impl Tables {
    pub(crate) fn new() -> Self {
        let mut words = Vec::new();
        words.extend(nibbles(64, |x| Gf64::from(Tower64(x as u64)).0));
        words.extend(nibbles(64, |x| Tower64::from(Gf64(x as u64)).0));
        for image in nibbles(128, |x| Gf128::from(Tower128(x)).0) {
            words.extend([image as u64, (image >> 64) as u64]);
        }
        for image in nibbles(128, |x| Tower128::from(Gf128(x)).0) {
            words.extend([image as u64, (image >> 64) as u64]);
        }
        for byte in 0..4 {
            words.extend((0..256).map(|v| Gf64::from(Tower64::factor(v << (8 * byte))).0));
        }
        for key in Hash::blake3_merkle_keys() {
            words.extend(key.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
        }
        Self { words }
    }

    /// The bytes in the device's memory.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
