//! Why a GPU is not used.

/// What went wrong on the way to a device or on it. None of these is a reason to panic: the CPU computes the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The machine has no NVIDIA driver.
    #[error("no NVIDIA driver: the library libcuda was not found")]
    NoDriver,
    /// The program was linked without the dynamic loader.
    #[error("this program is linked statically, and cannot load the NVIDIA driver")]
    Static,
    /// The driver sees no device.
    #[error("the NVIDIA driver sees no GPU")]
    NoDevice,
    /// The crate was built where no C++ compiler was found.
    #[error("no emulator: the crate was built without a C++ compiler")]
    NoEmulator,
    /// A call of the driver failed.
    #[error("the NVIDIA driver refused {call}: {reason}")]
    Driver {
        /// What was asked for.
        call: &'static str,
        /// The driver's name for the reason.
        reason: String,
    },
    /// The device computes something else than the CPU.
    #[error("the GPU failed its self-check: {step} differs from the CPU's")]
    SelfCheck {
        /// The first step with another result.
        step: &'static str,
    },
    /// There are no kernels for a pair of fields.
    #[error("the GPU has no kernels for {base} with challenges from {challenge}")]
    NoKernels {
        /// The entries.
        base: &'static str,
        /// The challenges.
        challenge: &'static str,
    },
    /// The caller's sizes do not fit together.
    #[error("{0}")]
    Shape(&'static str),
}
