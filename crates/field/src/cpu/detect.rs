//! What the CPU and the environment say.

use super::{Features, Tier};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! detected {
    ($detect:ident; $($name:tt => $feature:ident),* $(,)?) => {{
        let mut features = Features::NONE;
        $(
            #[cfg(feature = "prover")]
            let there = std::arch::$detect!($name);
            #[cfg(not(feature = "prover"))]
            let there = cfg!(target_feature = $name);
            if there {
                features = features.and(Features::$feature);
            }
        )*
        features
    }};
}

/// The extensions of this CPU that its operating system lets programs use; the standard library caches them.
#[cfg(target_arch = "x86_64")]
pub(super) fn cpu() -> Features {
    detected! { is_x86_feature_detected;
        "pclmulqdq" => PCLMULQDQ,
        "avx2" => AVX2,
        "fma" => FMA,
        "bmi2" => BMI2,
        "gfni" => GFNI,
        "vpclmulqdq" => VPCLMULQDQ,
        "avx512f" => AVX512F,
        "avx512bw" => AVX512BW,
        "avx512dq" => AVX512DQ,
        "avx512vl" => AVX512VL,
        "avx512vbmi" => AVX512VBMI,
        "avx512ifma" => AVX512IFMA,
    }
}

/// The extensions of this CPU that its operating system lets programs use.
#[cfg(target_arch = "aarch64")]
pub(super) fn cpu() -> Features {
    detected! { is_aarch64_feature_detected; "neon" => NEON, "aes" => PMULL }
}

/// No extension is known on other architectures.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn cpu() -> Features {
    Features::NONE
}

/// The tier that the environment names, `Some(None)` if it names none that there is; unset and empty are alike.
#[cfg(feature = "prover")]
pub(super) fn variable() -> Option<Option<Tier>> {
    let value = std::env::var_os(super::VARIABLE).filter(|value| !value.is_empty())?;
    Some(value.to_str().and_then(Tier::from_name))
}

/// There is no environment.
#[cfg(not(feature = "prover"))]
pub(super) fn variable() -> Option<Option<Tier>> {
    None
}
