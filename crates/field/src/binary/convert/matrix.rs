//! Bit matrices of 64 or 128 columns, applied to slices of elements.

use alloc::vec::Vec;

#[cfg(target_arch = "x86_64")]
use crate::cpu::{self, Features};

/// A square bit matrix, in the forms that its kernels read.
pub(in crate::binary) struct Matrix {
    /// `nibbles[k][v]` is the image of `v << 4k`.
    nibbles: Vec<[u128; 16]>,
    /// For the kernels on 512 bits.
    #[cfg(target_arch = "x86_64")]
    eights: Vec<[u64; 8]>,
    /// For the kernels on 256 bits.
    #[cfg(target_arch = "x86_64")]
    fours: Vec<[u64; 4]>,
}

/// An instruction set of the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::binary) enum Tier {
    /// Tables of four bits.
    Portable,
    /// GFNI with AVX2.
    #[cfg(target_arch = "x86_64")]
    Gfni256,
    /// GFNI with AVX-512 and its byte permutations (VBMI).
    #[cfg(target_arch = "x86_64")]
    Gfni512,
}

impl Tier {
    /// Every tier of this architecture, the fastest first.
    const ALL: &[Self] = &[
        #[cfg(target_arch = "x86_64")]
        Self::Gfni512,
        #[cfg(target_arch = "x86_64")]
        Self::Gfni256,
        Self::Portable,
    ];

    pub(in crate::binary) fn has(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Gfni256 => cpu::has(Features::GFNI.and(Features::AVX2)),
            #[cfg(target_arch = "x86_64")]
            Self::Gfni512 => cpu::has(Features::GFNI.and(Features::AVX512F).and(Features::AVX512VBMI)),
        }
    }

    /// The tiers of this CPU, the fastest first.
    pub(in crate::binary) fn available() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|tier| tier.has())
    }
}

/// The columns of the inverse matrix (Gauss and Jordan).
///
/// # Panics
/// If there is none.
pub(super) fn inverse(columns: &[u128]) -> Vec<u128> {
    let mut pairs: Vec<(u128, u128)> = columns.iter().enumerate().map(|(i, &c)| (c, 1 << i)).collect();
    for bit in 0..pairs.len() {
        let pivot = (bit..pairs.len()).find(|&i| pairs[i].0 >> bit & 1 == 1).expect("an invertible matrix");
        pairs.swap(bit, pivot);
        let (image, preimage) = pairs[bit];
        for (i, pair) in pairs.iter_mut().enumerate() {
            if i != bit && pair.0 >> bit & 1 == 1 {
                *pair = (pair.0 ^ image, pair.1 ^ preimage);
            }
        }
    }
    pairs.into_iter().map(|pair| pair.1).collect()
}

/// The 8x8 bits that take byte `from` of an element to byte `to`, as `gf2p8affineqb` reads them: byte `7 - i` says
/// which input bits make up the output bit `i`.
#[cfg(target_arch = "x86_64")]
fn block(columns: &[u128], from: usize, to: usize) -> u64 {
    let bit = |i: usize, j: usize| (columns[8 * from + j] >> (8 * to + i) & 1) as u64;
    let row = |i: usize| (0..8).fold(0, |row, j| row | bit(i, j) << j);
    (0..8).fold(0, |block, i| block | row(i) << (8 * (7 - i)))
}

impl Matrix {
    /// The matrix with the given columns: column `i` is the image of bit `i`.
    pub(super) fn new(columns: &[u128]) -> Self {
        let image = |k: usize, v: usize| {
            (0..4).filter(|bit| v >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[4 * k + bit])
        };
        Self {
            nibbles: (0..columns.len() / 4).map(|k| core::array::from_fn(|v| image(k, v))).collect(),
            #[cfg(target_arch = "x86_64")]
            eights: gfni512::vectors(columns.len() / 64, |from, to| block(columns, from, to)),
            #[cfg(target_arch = "x86_64")]
            fours: gfni256::vectors(columns.len() / 32, |from, to| block(columns, from, to)),
        }
    }

    /// The image of one element.
    #[inline]
    pub(super) fn apply(&self, x: u128) -> u128 {
        let images = self.nibbles.iter().enumerate().map(|(k, table)| table[(x >> (4 * k)) as usize & 15]);
        images.fold(0, |sum, image| sum ^ image)
    }

    /// Bits of what the matrix takes, a word here.
    fn bits(&self) -> usize {
        4 * self.nibbles.len()
    }

    /// The images of elements, newtypes of `u64` or `u128`: of each as one word, or of both halves of each.
    pub(super) fn apply_words<S: Word, T: Word>(&self, from: &[S], to: &mut [T]) {
        self.apply_with(Tier::available().next().expect("the portable tier"), from, to);
    }

    /// The form of [`Matrix::apply_words`] with the instructions of a tier.
    ///
    /// # Panics
    /// If the CPU does not have them, or the slices differ in length.
    pub(super) fn apply_with<S: Word, T: Word>(&self, tier: Tier, from: &[S], to: &mut [T]) {
        assert!(tier.has(), "instructions that this CPU does not have");
        assert_eq!(from.len(), to.len(), "one image for each element");
        let words = size_of::<S>() * 8 / self.bits();
        let whole_words = words == 1 || words == 2 && self.bits() == 64;
        assert!(
            whole_words && words * self.bits() == size_of::<S>() * 8 && size_of::<T>() == size_of::<S>(),
            "elements of one or two words of the matrix"
        );
        let whole = match tier {
            Tier::Portable => 0,
            #[cfg(target_arch = "x86_64")]
            Tier::Gfni256 | Tier::Gfni512 => from.len() / 8 * 8,
        };
        #[cfg(target_arch = "x86_64")]
        let (source, target) = (from.as_ptr().cast::<u8>(), to.as_mut_ptr().cast::<u8>());
        // SAFETY: the instructions were checked above. `whole` elements of both slices, a multiple of eight, are read and
        // written as `words` times as many integers of the size that the function has in its name, and any bits are an element.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            let eights = whole / 8 * words;
            match (tier, self.bits()) {
                (Tier::Portable, _) => {}
                (Tier::Gfni256, 64) => gfni256::words64(&self.fours, source, target, eights),
                (Tier::Gfni256, _) => gfni256::words128(&self.fours, source, target, eights),
                (Tier::Gfni512, 64) => gfni512::words64(&self.eights, source, target, eights),
                (Tier::Gfni512, _) => gfni512::words128(&self.eights, source, target, eights),
            }
        }
        for (&x, y) in from[whole..].iter().zip(&mut to[whole..]) {
            let x = x.integer();
            *y = T::from_integer(match words {
                1 => self.apply(x),
                _ => self.apply(x & u128::from(u64::MAX)) | self.apply(x >> 64) << 64,
            });
        }
    }
}

#[cfg(target_arch = "x86_64")]
use super::{gfni256, gfni512};

/// A transparent newtype of `u64` or `u128`.
///
/// # Safety
/// It has the layout of that integer, and all its values are valid.
pub(in crate::binary) unsafe trait Word: Copy {
    fn integer(self) -> u128;
    fn from_integer(x: u128) -> Self;
}

// SAFETY: `repr(transparent)` over `u64`.
unsafe impl Word for crate::Gf64 {
    fn integer(self) -> u128 {
        self.0.into()
    }

    fn from_integer(x: u128) -> Self {
        Self(x as u64)
    }
}

// SAFETY: `repr(transparent)` over `u64`.
unsafe impl Word for crate::Tower64 {
    fn integer(self) -> u128 {
        self.0.into()
    }

    fn from_integer(x: u128) -> Self {
        Self(x as u64)
    }
}

// SAFETY: `repr(transparent)` over `u128`.
unsafe impl Word for crate::Gf128 {
    fn integer(self) -> u128 {
        self.0
    }

    fn from_integer(x: u128) -> Self {
        Self(x)
    }
}

// SAFETY: `repr(transparent)` over `u128`.
unsafe impl Word for crate::Tower128 {
    fn integer(self) -> u128 {
        self.0
    }

    fn from_integer(x: u128) -> Self {
        Self(x)
    }
}
