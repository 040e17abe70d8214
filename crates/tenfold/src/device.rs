//! Where matrices are committed to and opened: the threads of this process, or a GPU beside them.
//!
//! A proof has the same bytes wherever it was made. Where a GPU is asked for and there is none, or none for the scheme, or it fails, the
//! threads take over, and [`Device::take_notices`] says why.

use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "gpu")]
use std::sync::OnceLock;
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "gpu")]
use field::{ExtensionOf, FoldFibres};
#[cfg(feature = "gpu")]
use pcs::ligerito;

/// log2 of the entries from which on [`DeviceChoice::Auto`] takes a GPU: below, copies to it cost more than it saves.
pub const AUTO_LOG_SIZE: u32 = 20;

/// The device that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The threads of this process.
    #[default]
    Cpu,
    /// A GPU, where there is one with kernels for the scheme.
    Gpu,
    /// A GPU as [`DeviceChoice::Gpu`], for at least 2^20 entries.
    Auto,
}

/// A device as it was asked for. A GPU is opened when something is committed to; clones are the same device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    choice: DeviceChoice,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    #[cfg(feature = "gpu")]
    gpu: OnceLock<Result<gpu::Gpu, gpu::Error>>,
    notices: Mutex<Vec<String>>,
}

impl Device {
    /// The device of a choice.
    #[must_use]
    pub fn new(choice: DeviceChoice) -> Self {
        Self { choice, ..Self::default() }
    }

    /// A GPU that is open already.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn from_gpu(gpu: gpu::Gpu) -> Self {
        let state = State { gpu: OnceLock::from(Ok(gpu)), ..State::default() };
        Self { choice: DeviceChoice::Gpu, state: Arc::new(state) }
    }

    /// Takes the lines that say why the threads of this process took over, the first one first.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        #[cfg(feature = "gpu")]
        if let Some(Ok(gpu)) = self.state.gpu.get() {
            gpu.take_failures().iter().for_each(|error| self.note(error));
        }
        core::mem::take(&mut *self.state.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes why the threads of this process take over.
    pub(crate) fn note(&self, why: &dyn core::fmt::Display) {
        self.line(format!("{why}; the CPU took over, and the bytes are the same"));
    }

    /// Notes that what the GPU committed to is not what it was given.
    pub(crate) fn note_wrong(&self) {
        self.line("the GPU made a wrong commitment: that of the CPU has other bytes".into());
    }

    fn line(&self, line: String) {
        self.state.notices.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Notes that there is no GPU for a scheme, if one is asked for.
    pub(crate) fn note_unsupported(&self, why: &dyn core::fmt::Display) {
        if self.choice == DeviceChoice::Gpu {
            self.note(why);
        }
    }
}

#[cfg(feature = "gpu")]
impl Device {
    /// Commits to the entries on the GPU, if one is asked for and it can. Then the entries are taken.
    pub(crate) fn commit<B, E>(
        &self,
        scheme: &ligerito::Scheme<B, E>,
        entries: &mut Vec<B>,
    ) -> Option<ligerito::Witness<B, E>>
    where
        B: FoldFibres,
        E: ExtensionOf<B>,
    {
        let asked = match self.choice {
            DeviceChoice::Cpu => false,
            DeviceChoice::Gpu => true,
            DeviceChoice::Auto => scheme.params().log_size >= AUTO_LOG_SIZE,
        };
        if !asked {
            return None;
        }
        // Not one is opened for nothing.
        gpu::supports(scheme).inspect_err(|error| self.refused(error)).ok()?;
        gpu::commit(self.gpu()?, scheme, entries).inspect_err(|error| self.refused(error)).ok()
    }

    /// The GPU, which is opened if it was not. (Not within the cell's own initialisation: its threads, which wait for one another, may begin
    /// another commitment meanwhile. What is opened twice is closed.)
    fn gpu(&self) -> Option<&gpu::Gpu> {
        let gpu = &self.state.gpu;
        if gpu.get().is_none() && gpu.set(gpu::Gpu::open()).is_ok() {
            let opened = gpu.get().and_then(|opened| opened.as_ref().err());
            opened.into_iter().for_each(|error| self.refused(error));
        }
        gpu.get()?.as_ref().ok()
    }

    /// Notes an error, unless it says no more than that there is no GPU, and nobody insists on one.
    fn refused(&self, error: &gpu::Error) {
        match error {
            gpu::Error::Driver { .. } | gpu::Error::SelfCheck { .. } => self.note(error),
            _ => self.note_unsupported(error),
        }
    }
}
