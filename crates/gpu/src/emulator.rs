//! The emulator of `cuda/emulator.cc`: kernels as functions of the CPU, over its memory.

use crate::Fault;
use crate::args::{Args, Kernel};
use crate::error::Error;
use std::cell::UnsafeCell;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

// SAFETY: the signature is that of the function in cuda/emulator.cc.
unsafe extern "C" {
    /// Runs the kernel of a name that ends with a zero; returns the bytes of its arguments.
    fn tenfold_emulate(kernel: *const c_char, blocks: u32, args: *const c_void, descends: u32) -> u64;
}

/// How threads take turns, and what fails.
#[derive(Default)]
pub(crate) struct Emulator {
    /// Whether the threads of a phase run from the last to the first.
    pub(crate) descends: bool,
    /// A kernel that does nothing, to be found by the self-check.
    #[cfg(test)]
    pub(crate) broken: Option<Kernel>,
    pub(crate) fault: Option<Fault>,
    pub(crate) calls: AtomicU64,
}

impl Emulator {
    /// Counts a call, and refuses it if it is to fail; its number.
    pub(crate) fn call(&self, call: &'static str) -> Result<u64, Error> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let fails = match self.fault {
            Some(Fault::Lost(first)) => number >= first,
            Some(Fault::Refused(one)) => number == one,
            _ => false,
        };
        if fails { Err(Error::Driver { call, reason: "a fault of the test".into() }) } else { Ok(number) }
    }

    /// Fills memory from the host.
    pub(crate) fn copy(
        &self,
        buffer: &mut EmulatorBuffer,
        fill: impl FnOnce(&mut EmulatorBuffer),
    ) -> Result<(), Error> {
        let number = self.call("a copy to the device")?;
        fill(buffer);
        if let (true, Some(byte)) =
            (self.fault == Some(Fault::Flipped(number)), buffer.bytes_mut().first_mut())
        {
            *byte ^= 1;
        }
        Ok(())
    }

    /// Runs a kernel to its end.
    ///
    /// # Safety
    /// As [`crate::backend::Backend::launch`].
    pub(crate) unsafe fn launch<A: Args>(&self, kernel: Kernel, blocks: u32, args: &A) -> Result<(), Error> {
        let number = self.call("to start a kernel")?;
        let blocks = match self.fault {
            Some(Fault::Silent(one)) if one == number => return Ok(()),
            Some(Fault::Half(one)) if one == number => blocks.div_ceil(2),
            _ => blocks,
        };
        #[cfg(test)]
        if self.broken == Some(kernel) {
            return Ok(());
        }
        // SAFETY: by the contract of this function the kernel takes such arguments and stays within live buffers.
        let bytes = unsafe {
            tenfold_emulate(kernel.0.as_ptr(), blocks, std::ptr::from_ref(args).cast(), self.descends.into())
        };
        assert_eq!(bytes, size_of::<A>() as u64, "the arguments of {kernel:?}");
        let copies = kernel == Kernel::STORE && self.fault == Some(Fault::Flipped(number));
        if copies || self.fault == Some(Fault::Spoiled(number)) {
            // SAFETY: the kernel has written there, by the contract of this function, and nothing else uses it until the launch has returned.
            unsafe { *std::ptr::with_exposed_provenance_mut::<u8>(args.output() as usize) ^= 1 };
        }
        Ok(())
    }
}

/// Memory in units that satisfy the widest load of a kernel, and that kernels change through its address.
pub(crate) struct EmulatorBuffer {
    units: Vec<UnsafeCell<[u8; 16]>>,
    bytes: usize,
}

// SAFETY: a shared buffer is read and no more, but by a kernel, and by the contract of `Backend::launch` nothing else uses what that writes
// until the launch has returned.
unsafe impl Sync for EmulatorBuffer {}

/// What memory holds that nobody wrote: a kernel that reads it should not find zeros.
const UNWRITTEN: [u8; 16] = *b"\xa5nobody wrote it";

impl EmulatorBuffer {
    pub(crate) fn new(bytes: usize) -> Self {
        // One unit more, to begin at a multiple of sixteen.
        let mut units = Vec::new();
        units.resize_with(bytes.div_ceil(16) + 1, || UnsafeCell::new(UNWRITTEN));
        Self { units, bytes }
    }

    /// The first byte, at a multiple of sixteen.
    fn start(&self) -> *mut u8 {
        let first = self.units.as_ptr().cast::<u8>().cast_mut();
        // SAFETY: the offset to a multiple of sixteen is below sixteen, and there is one unit more than the bytes need.
        unsafe { first.add(first.align_offset(16)) }
    }

    pub(crate) fn address(&self) -> u64 {
        self.start().expose_provenance() as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.bytes, "all of the buffer");
        self.bytes_mut().copy_from_slice(bytes);
    }

    /// All bytes.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the buffer has so many initialised bytes from its start on, and no launch runs, as the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start(), self.bytes) }
    }

    pub(crate) fn read(&self, offset: usize, out: &mut [u8]) {
        assert!(offset + out.len() <= self.bytes, "within the buffer");
        // SAFETY: the bytes are within the buffer by the check, and no launch writes them meanwhile, by the contract of `Backend::launch`.
        unsafe { std::ptr::copy_nonoverlapping(self.start().add(offset), out.as_mut_ptr(), out.len()) }
    }
}
