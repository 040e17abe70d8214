//! Matrix commitments over the byte tower on a GPU: encoding, hashing, combinations and chains of folded words, with the bytes of the CPU.
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
//! let spec = OracleSpec { code: ReedSolomon::new(16, 1), width: 16, hash: Hash::Blake3, log_fibre: 0, log_parts: 0 };
//! let message = vec![Tower128(7); 16 << 16];
//! let matrix = gpu.commit(&spec, &message)?;
//! println!("{:02x?}", matrix.root());
//! # Ok::<(), gpu::Error>(())
//! ```
//! A matrix stays on the device; what leaves it is roots, combinations and opened rows. [`commit`] makes a witness of Ligerito or Air-FRI of
//! it, which opens with the CPU's bytes, and goes on by the CPU where the device fails. Air-FRI's chain, its sumcheck and its words, is there, too.

mod args;
mod backend;
mod chain;
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
mod shared;
mod staging;
mod tables;
#[cfg(test)]
mod tests;

pub use challenge::{Challenge, Entry};
pub use error::Error;
pub use matrix::{DeviceMatrix, Message};
pub use profile::Profile;
pub use shared::{SharedMatrix, commit, supports};

use backend::{Backend, Buffer};
use std::sync::{Arc, Mutex, PoisonError};
use tables::Tables;

/// A device with the kernels loaded, the constants in its memory, and its results checked against the CPU. Clones are the same device.
#[derive(Clone)]
pub struct Gpu(Arc<Opened>);

struct Opened {
    tables: Buffer,
    backend: Backend,
    name: String,
    /// Why the machine code is not used where the portable code is.
    native_refused: Option<Error>,
    /// Failures after which the CPU took over.
    failures: Mutex<Vec<Error>>,
}

impl core::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Gpu").field(&self.name()).finish()
    }
}

impl Gpu {
    /// Opens the first GPU: its machine code for compute capability 9.0 if the driver takes it and it computes as the CPU does, else
    /// the portable code.
    ///
    /// # Errors
    /// If there is no driver, no device or no kernel that passes the self-check; the message says which.
    pub fn open() -> Result<Self, Error> {
        match Self::open_with(Code::Native) {
            Err(refused @ (Error::Driver { .. } | Error::SelfCheck { .. })) => {
                Self::open_code(Code::Portable, Some(refused))
            }
            other => other,
        }
    }

    /// Opens the first GPU with one of its two codes.
    ///
    /// # Errors
    /// As [`Gpu::open`].
    pub fn open_with(code: Code) -> Result<Self, Error> {
        Self::open_code(code, None)
    }

    fn open_code(code: Code, native_refused: Option<Error>) -> Result<Self, Error> {
        let (backend, device) = cuda::Cuda::open(code)?;
        let name = format!("{device}, {}", code.name());
        let gpu = Self::unchecked(Backend::Cuda(backend), name, native_refused)?;
        check::run(&gpu)?;
        Ok(gpu)
    }

    /// The emulator: the same kernels on the CPU, thousands of times slower.
    ///
    /// # Errors
    /// If the crate was built without a C++ compiler, or the self-check fails.
    pub fn emulator() -> Result<Self, Error> {
        #[cfg(emulator)]
        {
            let gpu = Self::emulated(emulator::Emulator::default())?;
            check::run(&gpu)?;
            Ok(gpu)
        }
        #[cfg(not(emulator))]
        Err(Error::NoEmulator)
    }

    /// The emulator of a device that fails, to test what follows. There is no self-check, which would find the fault.
    ///
    /// # Errors
    /// If a call is to fail that opens it, or the crate was built without a C++ compiler.
    pub fn faulty_emulator(fault: Fault) -> Result<Self, Error> {
        #[cfg(emulator)]
        return Self::emulated(emulator::Emulator { fault: Some(fault), ..Default::default() });
        #[cfg(not(emulator))]
        {
            let _ = fault;
            Err(Error::NoEmulator)
        }
    }

    #[cfg(emulator)]
    fn emulated(emulator: emulator::Emulator) -> Result<Self, Error> {
        Self::unchecked(Backend::Emulator(emulator), "emulator".into(), None)
    }

    /// Without the self-check.
    fn unchecked(backend: Backend, name: String, native_refused: Option<Error>) -> Result<Self, Error> {
        let tables = backend.upload(&Tables::new().bytes())?;
        Ok(Self(Arc::new(Opened { tables, backend, name, native_refused, failures: Mutex::default() })))
    }

    fn backend(&self) -> &Backend {
        &self.0.backend
    }

    fn tables(&self) -> &Buffer {
        &self.0.tables
    }

    /// The device and the code it runs.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Bytes of the device's memory.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn memory(&self) -> Result<u64, Error> {
        self.backend().memory()
    }

    /// Why [`Gpu::open`] did not take the machine code, where it took the portable code.
    pub fn native_refused(&self) -> Option<&Error> {
        self.0.native_refused.as_ref()
    }

    /// Takes the failures after which the CPU took over, the first one first.
    pub fn take_failures(&self) -> Vec<Error> {
        core::mem::take(&mut *self.0.failures.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the CPU took over, and why.
    fn failed(&self, error: Error) {
        self.0.failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }

    /// Runs something and returns with it the milliseconds that the device took, by its own clock.
    ///
    /// # Errors
    /// If it fails, or the driver does.
    pub fn timed<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
        self.backend().timed(run)
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

/// How a device fails in a test. Calls of it are counted from 0: memory, copies, launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The call with this number and all after it are refused, as by a device that is lost.
    Lost(u64),
    /// The call with this number is refused, as for want of memory.
    Refused(u64),
    /// The call with this number does nothing if it is a launch, and nothing says so.
    Silent(u64),
    /// The call with this number runs the first half of its blocks alone if it is a launch, and nothing says so.
    Half(u64),
    /// The call with this number flips a bit at the start of what it writes if it is a launch, and nothing says so.
    Spoiled(u64),
    /// The call with this number flips a bit if it is a copy to the device, and nothing says so.
    Flipped(u64),
}
