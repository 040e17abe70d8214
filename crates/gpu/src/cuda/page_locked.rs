//! Page-locked memory of the host: copies from and to it run at the speed of the bus, beside the host's threads.

use super::{Context, check};
use crate::error::Error;
use crate::staging::CHUNK_BYTES;
use cudarc::driver::result::{self, DriverError, event};
use cudarc::driver::sys::{CUdeviceptr, CUevent, CUevent_flags};
use std::ptr::NonNull;
use std::sync::Arc;

/// Slots that copies take turns in: one is on the bus while threads fill or empty the others.
pub(super) const SLOTS: usize = 4;

/// A chunk's memory, and the event after the last copy from or to it.
pub(super) struct Slot {
    bytes: NonNull<u8>,
    copied: CUevent,
    context: Arc<Context>,
}

// SAFETY: memory and event are the slot's own, and the driver's calls may come from any thread, to which `Cuda::slots` and `drop` give the
// context first.
unsafe impl Send for Slot {}

impl Slot {
    pub(super) fn new(context: &Arc<Context>) -> Result<Self, Error> {
        context.enter()?;
        let copied = check("an event", event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING))?;
        // SAFETY: the context is current.
        let memory = check("page-locked memory", unsafe { result::malloc_host(CHUNK_BYTES, 0) });
        match memory.map(|memory| NonNull::new(memory.cast::<u8>())) {
            Ok(Some(bytes)) => {
                // SAFETY: the driver gave so many bytes. They are written once, so that slices of them are of initialised memory.
                unsafe { bytes.write_bytes(0, CHUNK_BYTES) };
                Ok(Self { bytes, copied, context: Arc::clone(context) })
            }
            failed => {
                // SAFETY: created above and used by nothing.
                let _ = unsafe { event::destroy(copied) };
                let reason = "no memory".to_owned();
                failed.and(Err(Error::Driver { call: "page-locked memory", reason }))
            }
        }
    }

    /// Waits for the last copy, after which the memory is the caller's until the next.
    pub(super) fn wait(&mut self) -> Result<&mut [u8], Error> {
        // SAFETY: the event is live until `drop`.
        check("to wait for a copy", unsafe { event::synchronize(self.copied) })?;
        // SAFETY: the memory has so many initialised bytes until `drop`. No copy uses it, as the last has ended and another needs the slot,
        // which the slice borrows.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.bytes.as_ptr(), CHUNK_BYTES) })
    }

    /// Starts a copy of the first bytes to the device.
    ///
    /// # Safety
    /// The device has so many bytes at the address, in memory that outlives the copy in the order of the default stream.
    pub(super) unsafe fn start_write(&mut self, address: CUdeviceptr, bytes: usize) -> Result<(), Error> {
        let bytes = &self.wait()?[..bytes];
        // SAFETY: by the contract; `wait` is called before the slot's memory changes again.
        let copy = unsafe { result::memcpy_htod_async(address, bytes, std::ptr::null_mut()) };
        self.record("a copy to the device", copy)
    }

    /// Starts a copy from the device to the first bytes.
    ///
    /// # Safety
    /// As [`Slot::start_write`].
    pub(super) unsafe fn start_read(&mut self, address: CUdeviceptr, bytes: usize) -> Result<(), Error> {
        let bytes = &mut self.wait()?[..bytes];
        // SAFETY: by the contract; `wait` is called before the slot's memory is looked at.
        let copy = unsafe { result::memcpy_dtoh_async(bytes, address, std::ptr::null_mut()) };
        self.record("a copy from the device", copy)
    }

    /// Records the event of a copy.
    fn record(&mut self, call: &'static str, copy: Result<(), DriverError>) -> Result<(), Error> {
        check(call, copy)?;
        // SAFETY: the event is live until `drop`, and of the default stream's context.
        check("to record an event", unsafe { event::record(self.copied, std::ptr::null_mut()) })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Memory that a copy may still use is kept.
        if self.context.enter().is_ok() && self.wait().is_ok() {
            let memory = self.bytes.as_ptr().cast();
            // SAFETY: both were taken once, by `new`, in this context, and no copy is left after `wait`.
            let _ = unsafe { result::free_host(memory).and(event::destroy(self.copied)) };
        }
    }
}
