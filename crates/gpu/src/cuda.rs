//! The CUDA driver, loaded when a GPU is opened.

mod page_locked;

use self::page_locked::{SLOTS, Slot};
use crate::Code;
use crate::args::{Args, BLOCK_THREADS, Kernel};
use crate::error::Error;
use crate::staging::{self, Borrowed, Idle};
use cudarc::driver::result::{self, DriverError, ctx, device, event, mem_pool, module, primary_ctx};
use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdeviceptr, CUevent_flags, CUfunction, CUmemPool_attribute, CUmemPoolProps,
    CUmemoryPool, CUmodule,
};
use field::Field;
use std::ffi::c_void;
use std::sync::Arc;

/// Machine code, made by `scripts/gpu-kernels`.
static NATIVE: &[u8] = include_bytes!("../kernels/tenfold.sm_90.cubin");
/// PTX, ended by a zero for the driver.
static PORTABLE: &str = concat!(include_str!("../kernels/tenfold.ptx"), "\0");

/// Names what was asked for of the driver, and its answer.
fn check<T>(call: &'static str, result: Result<T, DriverError>) -> Result<T, Error> {
    result.map_err(|error| {
        let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
        Error::Driver { call, reason: name.unwrap_or_else(|_| "unknown reason".into()) }
    })
}

/// The primary context of a device and a pool of its memory, given back when dropped.
struct Context {
    device: CUdevice,
    context: CUcontext,
    /// Null until there is one.
    pool: CUmemoryPool,
}

// SAFETY: the driver's calls may come from any thread, to which `enter` gives the context first; the fields do not change.
unsafe impl Send for Context {}
// SAFETY: shared references call the driver alone, which takes calls from many threads at once, and write no field.
unsafe impl Sync for Context {}

impl Context {
    fn open(device: CUdevice) -> Result<Self, Error> {
        // SAFETY: the device comes from `device::get`.
        let context = check("a context", unsafe { primary_ctx::retain(device) })?;
        let mut opened = Self { device, context, pool: std::ptr::null_mut() };
        opened.enter()?;
        // SAFETY: a structure of numbers and a pointer, for which zeros mean: nothing special.
        let mut props: CUmemPoolProps = unsafe { std::mem::zeroed() };
        props.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        props.location.id = device;
        // SAFETY: the properties are live.
        opened.pool = check("a memory pool", unsafe { mem_pool::create(&props) })?;
        // Memory that was given back stays in the pool: to take it from the system again costs more than a transform.
        let mut threshold = u64::MAX;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the pool is live, and the attribute has 64 bits.
        check("to keep memory", unsafe {
            mem_pool::set_attribute(opened.pool, attribute, (&raw mut threshold).cast())
        })?;
        Ok(opened)
    }

    /// Makes the context that of this thread.
    fn enter(&self) -> Result<(), Error> {
        // SAFETY: the context was retained by `open` and is released by `drop` alone.
        check("a context", unsafe { ctx::set_current(self.context) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.pool.is_null() && self.enter().is_ok() {
            // SAFETY: created once, by `open`; whoever has memory of it has a reference to this, too.
            let _ = unsafe { mem_pool::destroy(self.pool) };
        }
        // SAFETY: retained once, by `open`. Nothing is left to do about a failure.
        let _ = unsafe { primary_ctx::release(self.device) };
    }
}

/// A device with the kernels.
pub(crate) struct Cuda {
    module: CUmodule,
    kernels: Vec<(Kernel, CUfunction)>,
    /// Page-locked memory, taken for the first large copy, and once more for each that runs beside it.
    slots: Idle<Slot>,
    context: Arc<Context>,
}

// SAFETY: module and functions are handles of the driver, whose calls may come from any thread, to which `Context::enter` gives the context
// first; they do not change. Slots are lent to one copy at a time.
unsafe impl Send for Cuda {}
// SAFETY: shared references read handles, which do not change, and borrow slots through a lock.
unsafe impl Sync for Cuda {}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: loaded once, by `Cuda::open`, in this context.
            let _ = unsafe { module::unload(self.module) };
        }
    }
}

impl Cuda {
    /// Opens the first device and loads the kernels; returns its name too.
    pub(crate) fn open(code: Code) -> Result<(Self, String), Error> {
        // A program without the dynamic loader cannot load a driver.
        if cfg!(target_feature = "crt-static") {
            return Err(Error::Static);
        }
        // SAFETY: loading the driver's library runs its constructors, which ask nothing of their caller.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::NoDriver);
        }
        match result::init() {
            Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => return Err(Error::NoDevice),
            other => check("to start", other)?,
        }
        if check("the number of devices", device::get_count())? == 0 {
            return Err(Error::NoDevice);
        }
        let device = check("a device", device::get(0))?;
        let name = check("a device's name", device::get_name(device))?;
        let context = Arc::new(Context::open(device)?);
        let image: *const c_void = match code {
            Code::Native => NATIVE.as_ptr().cast(),
            Code::Portable => PORTABLE.as_ptr().cast(),
        };
        // SAFETY: an ELF image, whose header has its length, or PTX with a zero at its end.
        let module = check("to load the kernels", unsafe { module::load_data(image) })?;
        let mut cuda = Self { module, kernels: Vec::new(), slots: Idle::default(), context };
        for kernel in Kernel::all() {
            // SAFETY: the module was loaded above and is unloaded by `drop` alone.
            let function = unsafe { module::get_function(module, kernel.0.to_owned()) };
            cuda.kernels.push((kernel, check("a kernel", function)?));
        }
        Ok((cuda, name))
    }

    /// Bytes of the device's memory.
    pub(crate) fn memory(&self) -> Result<u64, Error> {
        // SAFETY: the device comes from `device::get`.
        check("the size of its memory", unsafe { device::total_mem(self.context.device) })
            .map(|bytes| bytes as u64)
    }

    pub(crate) fn alloc(&self, bytes: usize) -> Result<CudaBuffer, Error> {
        self.context.enter()?;
        // SAFETY: the pool is live; zero bytes are no allocation. All that uses the memory is on the default stream, too.
        let address = check("memory", unsafe {
            mem_pool::alloc_async(self.context.pool, bytes.max(8), std::ptr::null_mut())
        })?;
        Ok(CudaBuffer { address, bytes, context: Arc::clone(&self.context) })
    }

    pub(crate) fn write(&self, buffer: &mut CudaBuffer, bytes: &[u8]) -> Result<(), Error> {
        assert_eq!(bytes.len(), buffer.bytes, "all of the buffer");
        self.context.enter()?;
        // SAFETY: the buffer is live in this context and has so many bytes.
        check("a copy to the device", unsafe { result::memcpy_htod_sync(buffer.address, bytes) })
    }

    pub(crate) fn read(&self, buffer: &CudaBuffer, offset: usize, out: &mut [u8]) -> Result<(), Error> {
        assert!(offset + out.len() <= buffer.bytes, "within the buffer");
        self.context.enter()?;
        // SAFETY: the buffer is live in this context and has so many bytes from the offset on. The copy waits for all launches before.
        check("a copy from the device", unsafe {
            result::memcpy_dtoh_sync(out, buffer.address + offset as u64)
        })
    }

    /// Page-locked memory for one copy.
    fn slots(&self) -> Result<Borrowed<'_, Slot>, Error> {
        self.context.enter()?;
        // A copy that panicked left its slots to the next `wait`.
        self.slots.borrow(SLOTS, || Slot::new(&self.context))
    }

    /// Fills a buffer with the encodings of elements: threads write one chunk while others are on the bus.
    pub(crate) fn write_elements<F: Field>(
        &self,
        buffer: &mut CudaBuffer,
        values: &[F],
    ) -> Result<(), Error> {
        assert_eq!(values.len() * F::BYTES, buffer.bytes, "all of the buffer");
        let mut slots = self.slots()?;
        for (i, range) in staging::chunks(buffer.bytes).enumerate() {
            let slot = &mut slots.items[i % SLOTS];
            staging::encode(values, range.clone(), &mut slot.wait()?[..range.len()]);
            // SAFETY: the range is within the buffer, which is given back in the stream's order.
            unsafe { slot.start_write(buffer.address + range.start as u64, range.len())? };
        }
        Ok(())
    }

    /// The elements in a buffer: threads read one chunk while others are on the bus.
    pub(crate) fn read_elements<F: Field>(&self, buffer: &CudaBuffer) -> Result<Vec<F>, Error> {
        let mut slots = self.slots()?;
        let ranges: Vec<_> = staging::chunks(buffer.bytes).collect();
        let start = |slots: &mut [Slot], i: usize| match ranges.get(i) {
            // SAFETY: the range is within the buffer, which is given back in the stream's order.
            Some(range) => unsafe {
                slots[i % SLOTS].start_read(buffer.address + range.start as u64, range.len())
            },
            None => Ok(()),
        };
        let slots = &mut slots.items;
        for i in 0..SLOTS {
            start(slots, i)?;
        }
        let mut elements = Vec::with_capacity(buffer.bytes / F::BYTES);
        for (i, range) in ranges.iter().enumerate() {
            staging::decode(&slots[i % SLOTS].wait()?[..range.len()], &mut elements)?;
            start(slots, i + SLOTS)?;
        }
        Ok(elements)
    }

    /// Starts a kernel.
    ///
    /// # Safety
    /// As [`crate::backend::Backend::launch`].
    pub(crate) unsafe fn launch<A: Args>(&self, kernel: Kernel, blocks: u32, args: &A) -> Result<(), Error> {
        self.context.enter()?;
        let (grid, block) = ((blocks, 1, 1), (BLOCK_THREADS as u32, 1, 1));
        let mut params = [std::ptr::from_ref(args).cast_mut().cast::<c_void>()];
        let function = self.kernels.iter().find(|(other, _)| *other == kernel).expect("one of all kernels").1;
        // SAFETY: the function is of the loaded module; the driver copies the arguments, whose layout is the kernel's by `Args`, before
        // the call returns. What the kernel touches is in the caller's contract.
        check("to start a kernel", unsafe {
            result::launch_kernel(function, grid, block, 0, std::ptr::null_mut(), &mut params)
        })
    }

    /// Runs something between two events of the default stream.
    pub(crate) fn timed<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
        self.context.enter()?;
        let create = || check("an event", event::create(CUevent_flags::CU_EVENT_DEFAULT));
        let (start, end) = (create()?, create()?);
        let stream = std::ptr::null_mut();
        // SAFETY: both events are of this context, on its default stream, and destroyed once, below.
        let value = check("to record an event", unsafe { event::record(start, stream) }).and_then(|()| run());
        // SAFETY: both events are of this context, on its default stream, and destroyed here alone; `end` is waited for before the time between both is asked for.
        let time = unsafe {
            let ended = event::record(end, stream).and_then(|()| event::synchronize(end));
            let time = ended.and_then(|()| event::elapsed(start, end));
            let _ = event::destroy(start).and(event::destroy(end));
            check("the time between events", time)
        };
        Ok((value?, time?.into()))
    }
}

/// Memory of the device.
pub(crate) struct CudaBuffer {
    address: CUdeviceptr,
    bytes: usize,
    context: Arc<Context>,
}

impl CudaBuffer {
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: taken once, by `alloc`, on the default stream, in whose order it is given back: after launches that use it.
            let _ = unsafe { result::free_async(self.address, std::ptr::null_mut()) };
        }
    }
}
