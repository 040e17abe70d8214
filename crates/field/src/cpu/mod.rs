//! The instruction sets of this CPU: one detection for the whole program.
//!
//! Every kernel of this workspace that has more than one form asks [`has`]. The answer is computed once and is the same for the rest
//! of the process, so that a kernel which was constructed with some instructions never meets a CPU without them.
//!
//! The environment variable `TENFOLD_CPU` lowers the answer to a [`Tier`]: for tests of other machines' code, and to rule an
//! instruction set out when something is wrong. It never raises it. A value that cannot be followed (an unknown name, or a tier that this CPU
//! lacks) changes nothing here; [`forced`] reports it, and front ends refuse it.
//!
//! Outside libraries with a detection of their own (blst, `sha2`, `blake3` on single messages) are not covered.
//!
//! Without the feature `prover` there is no detection: the answer is what the build was compiled for.

mod detect;
#[cfg(test)]
mod tests;

use core::fmt;
use core::ops::BitOr;
use core::sync::atomic::{AtomicU32, Ordering};

/// A set of instruction set extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    /// None: what every CPU of the architecture has.
    pub const NONE: Self = Self(0);
    /// x86: carry-less products on 128 bits.
    pub const PCLMULQDQ: Self = Self(1 << 0);
    /// x86: integers on 256 bits.
    pub const AVX2: Self = Self(1 << 1);
    /// x86: fused multiply-add of doubles.
    pub const FMA: Self = Self(1 << 2);
    /// x86: products without flags, and shifts.
    pub const BMI2: Self = Self(1 << 3);
    /// x86: affine maps of bytes over GF(2).
    pub const GFNI: Self = Self(1 << 5);
    /// x86: carry-less products on wide vectors.
    pub const VPCLMULQDQ: Self = Self(1 << 6);
    /// x86: integers on 512 bits.
    pub const AVX512F: Self = Self(1 << 7);
    /// x86: bytes and 16-bit words on 512 bits.
    pub const AVX512BW: Self = Self(1 << 8);
    /// x86: 64-bit products on 512 bits.
    pub const AVX512DQ: Self = Self(1 << 9);
    /// x86: the instructions of AVX-512 on 128 and 256 bits.
    pub const AVX512VL: Self = Self(1 << 10);
    /// x86: byte permutations on 512 bits.
    pub const AVX512VBMI: Self = Self(1 << 11);
    /// x86: 52-bit products on 512 bits.
    pub const AVX512IFMA: Self = Self(1 << 12);
    /// aarch64: vectors of 128 bits.
    pub const NEON: Self = Self(1 << 13);
    /// aarch64: carry-less products of 64 bits (part of the AES extension).
    pub const PMULL: Self = Self(1 << 14);

    /// Everything on vectors of at most 256 bits: what tier [`Tier::Avx2`] allows.
    const UP_TO_256: Self = Self(
        Self::PCLMULQDQ.0 | Self::AVX2.0 | Self::FMA.0 | Self::BMI2.0 | Self::GFNI.0 | Self::VPCLMULQDQ.0,
    );
    /// What the kernels of tier [`Tier::Avx2`] may count on.
    const AVX2_TIER: Self = Self(Self::AVX2.0 | Self::BMI2.0);
    /// What the kernels of tier [`Tier::Avx512`] may count on: the AVX-512 of every server CPU that has any.
    const AVX512_TIER: Self =
        Self(Self::AVX2_TIER.0 | Self::AVX512F.0 | Self::AVX512BW.0 | Self::AVX512DQ.0 | Self::AVX512VL.0);

    /// Every extension by its name, as in `-C target-feature`.
    pub const ALL: &[(&str, Self)] = &[
        ("pclmulqdq", Self::PCLMULQDQ),
        ("avx2", Self::AVX2),
        ("fma", Self::FMA),
        ("bmi2", Self::BMI2),
        ("gfni", Self::GFNI),
        ("vpclmulqdq", Self::VPCLMULQDQ),
        ("avx512f", Self::AVX512F),
        ("avx512bw", Self::AVX512BW),
        ("avx512dq", Self::AVX512DQ),
        ("avx512vl", Self::AVX512VL),
        ("avx512vbmi", Self::AVX512VBMI),
        ("avx512ifma", Self::AVX512IFMA),
        ("neon", Self::NEON),
        ("aes", Self::PMULL),
    ];

    /// Those of [`Features::ALL`] that CPUs of this architecture can have.
    pub fn of_this_architecture() -> impl Iterator<Item = &'static (&'static str, Self)> {
        let arm = Self::NEON.and(Self::PMULL);
        let here = move |feature| match () {
            () if cfg!(target_arch = "x86_64") => !arm.contains(feature),
            () if cfg!(target_arch = "aarch64") => arm.contains(feature),
            () => false,
        };
        Self::ALL.iter().filter(move |(_, feature)| here(*feature))
    }

    /// The extensions of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tells whether every extension of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    const fn masked(self, by: Self) -> Self {
        Self(self.0 & by.0)
    }
}

impl BitOr for Features {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.and(other)
    }
}

/// A level of instruction sets, as `TENFOLD_CPU` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What every CPU of the architecture has.
    Portable,
    /// AVX2 and BMI2 (x86-64 since 2013), and other extensions on vectors of at most 256 bits where they are.
    Avx2,
    /// AVX-512 F, BW, DQ and VL (x86-64 servers since 2017), and all other extensions where they are.
    Avx512,
}

impl Tier {
    /// The tiers, the fastest last.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The name, as in `TENFOLD_CPU`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The inverse of [`Tier::name`].
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }

    /// What kernels of this tier may count on.
    #[must_use]
    pub const fn needs(self) -> Features {
        match self {
            Self::Portable => Features::NONE,
            Self::Avx2 => Features::AVX2_TIER,
            Self::Avx512 => Features::AVX512_TIER,
        }
    }

    /// What may be used when this tier is forced.
    const fn allows(self) -> Features {
        match self {
            Self::Portable => Features::NONE,
            Self::Avx2 => Features::UP_TO_256,
            Self::Avx512 => Features(u32::MAX),
        }
    }

    /// Tells whether this CPU has the tier's instructions, forced off or not.
    #[must_use]
    pub fn is_there(self) -> bool {
        detect::cpu().contains(self.needs())
    }

    /// The tiers in use, the fastest first: those that this CPU has, up to the forced one.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().rev().filter(|tier| has(tier.needs()))
    }

    /// The fastest tier in use.
    #[must_use]
    #[inline]
    pub fn best() -> Self {
        let used = used();
        if used.contains(Features::AVX512_TIER) {
            Self::Avx512
        } else if used.contains(Features::AVX2_TIER) {
            Self::Avx2
        } else {
            Self::Portable
        }
    }
}

/// The name of the environment variable that forces a tier.
pub const VARIABLE: &str = "TENFOLD_CPU";

/// A value of `TENFOLD_CPU` that cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadTier {
    /// It names no tier.
    Unknown,
    /// This CPU does not have the tier.
    Missing(Tier),
}

impl fmt::Display for BadTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "{VARIABLE} names no instruction set: use portable, avx2 or avx512"),
            Self::Missing(tier) => write!(
                f,
                "{VARIABLE}={}: this CPU does not have these instructions; use {} or leave it out",
                tier.name(),
                Tier::ALL.into_iter().rev().find(|t| t.is_there()).unwrap_or(Tier::Portable).name()
            ),
        }
    }
}

impl core::error::Error for BadTier {}

/// The tier that `TENFOLD_CPU` asks for, if it is set and not empty.
///
/// # Errors
/// If it cannot be followed, in which case it is ignored.
pub fn forced() -> Result<Option<Tier>, BadTier> {
    follow(detect::variable(), Tier::is_there)
}

/// [`forced`] for a value of the variable (`Some(None)`: it names no tier) and a CPU.
fn follow(value: Option<Option<Tier>>, is_there: impl Fn(Tier) -> bool) -> Result<Option<Tier>, BadTier> {
    match value {
        None => Ok(None),
        Some(Some(tier)) if is_there(tier) => Ok(Some(tier)),
        Some(Some(tier)) => Err(BadTier::Missing(tier)),
        Some(None) => Err(BadTier::Unknown),
    }
}

/// Set in [`USED`] once the CPU has been looked at.
const KNOWN: u32 = 1 << 31;

/// The answer of [`used`], zero before the first question.
static USED: AtomicU32 = AtomicU32::new(0);

/// The extensions in use: those that this CPU and its operating system have, up to the forced tier.
///
/// Cost: one load after the first call.
#[must_use]
#[inline]
pub fn used() -> Features {
    // Relaxed: the value is all there is to see, and every thread that computes it gets the same.
    match USED.load(Ordering::Relaxed) {
        0 => look(),
        known => Features(known & !KNOWN),
    }
}

/// Tells whether all of these extensions are in use: then the CPU has them.
///
/// Cost: one load after the first call.
#[must_use]
#[inline]
pub fn has(features: Features) -> bool {
    used().contains(features)
}

/// The extensions that this CPU and its operating system have, whatever is forced.
#[must_use]
pub fn present() -> Features {
    detect::cpu()
}

#[cold]
fn look() -> Features {
    let tier = forced().ok().flatten();
    let used = detect::cpu().masked(tier.unwrap_or(Tier::Avx512).allows());
    // A CPU with AVX2 in which the tier's other instructions are switched off (by an emulator) is still right: kernels name what they use.
    USED.store(used.0 | KNOWN, Ordering::Relaxed);
    used
}
