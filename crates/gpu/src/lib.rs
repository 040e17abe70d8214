//! Matrix commitments over the byte tower on a GPU: encoding, hashing and combinations, with the bytes of the CPU.
//!
//! One CUDA C++ source (`cuda/`) is compiled three ways: by the C++ compiler of the machine with an emulator of blocks, so that every
//! test run executes the kernels; to PTX with a carry-less product in integer operations, for any GPU from compute capability 8.0
//! on; and to machine code of compute capability 9.0 with the instruction `clmad`. The last two are in `kernels/`, made by
//! `scripts/gpu-kernels`, so that a build needs no CUDA; the driver is looked for when [`Gpu::open`] is called.
//!
//! ```no_run
//! use field::Tower128;
//! use gpu::Gpu;
//! use iop::{code::ReedSolomon, hash::Hash, oracle::OracleSpec};
//!
//! let gpu = Gpu::open()?; // self-checked against the CPU
//! let spec = OracleSpec { code: ReedSolomon::new(16, 1), width: 16, hash: Hash::Blake3 };
//! let message = vec![Tower128(7); 16 << 16];
//! let matrix = gpu.commit(&spec, &message)?;
//! println!("{:02x?}", matrix.root());
//! # Ok::<(), gpu::Error>(())
//! ```
//! A matrix stays on the device; what leaves it is roots, combinations and opened rows.

mod args;
mod backend;
mod challenge;
mod check;
mod combine;
mod cuda;
#[cfg(emulator)]
mod emulator;
mod error;
mod matrix;
mod passes;
mod profile;
mod staging;
mod tables;
#[cfg(test)]
mod tests;

pub use challenge::{Challenge, Entry};
pub use error::Error;
pub use matrix::{DeviceMatrix, Message};
pub use profile::Profile;

use backend::{Backend, Buffer};
use tables::Tables;

/// A device with the kernels loaded, the constants in its memory, and its results checked against the CPU.
pub struct Gpu {
    tables: Buffer,
    backend: Backend,
    name: String,
}

impl Gpu {
    /// Opens the first GPU: its machine code for compute capability 9.0 if the driver takes it and it computes as the CPU does, else
    /// the portable code.
    ///
    /// # Errors
    /// If there is no driver, no device or no kernel that passes the self-check; the message says which.
    pub fn open() -> Result<Self, Error> {
        let native = Self::open_with(Code::Native);
        match native {
            Err(Error::Driver { .. } | Error::SelfCheck { .. }) => Self::open_with(Code::Portable),
            other => other,
        }
    }

    /// Opens the first GPU with one of its two codes.
    ///
    /// # Errors
    /// As [`Gpu::open`].
    pub fn open_with(code: Code) -> Result<Self, Error> {
        let (backend, device) = cuda::Cuda::open(code)?;
        Self::checked(Backend::Cuda(backend), format!("{device}, {}", code.name()))
    }

    /// The emulator: the same kernels on the CPU, thousands of times slower.
    ///
    /// # Errors
    /// If the crate was built without a C++ compiler, or the self-check fails.
    pub fn emulator() -> Result<Self, Error> {
        #[cfg(emulator)]
        return Self::checked(Backend::Emulator(emulator::Emulator::default()), "emulator".into());
        #[cfg(not(emulator))]
        Err(Error::NoEmulator)
    }

    fn checked(backend: Backend, name: String) -> Result<Self, Error> {
        let gpu = Self::unchecked(backend, name)?;
        check::run(&gpu)?;
        Ok(gpu)
    }

    /// Without the self-check.
    fn unchecked(backend: Backend, name: String) -> Result<Self, Error> {
        let tables = backend.upload(&Tables::new().bytes())?;
        Ok(Self { tables, backend, name })
    }

    /// The device and the code it runs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs something and returns with it the milliseconds that the device took, by its own clock.
    ///
    /// # Errors
    /// If it fails, or the driver does.
    pub fn timed<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
        self.backend.timed(run)
    }
}

/// The codes of the kernels for devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Machine code of compute capability 9.0, with the carry-less instruction.
    Native,
    /// PTX for compute capability 8.0 and above, with a carry-less product in integer operations.
    Portable,
}

impl Code {
    /// Name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "sm_90 with clmad",
            Self::Portable => "ptx",
        }
    }
}
