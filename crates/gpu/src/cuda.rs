//! The CUDA driver, loaded when a GPU is opened.

use crate::Code;
use crate::args::{Args, BLOCK_THREADS, Kernel};
use crate::error::Error;
use cudarc::driver::result::{self, DriverError, ctx, device, event, module, primary_ctx};
use cudarc::driver::sys::{self, CUcontext, CUdevice, CUdeviceptr, CUevent_flags, CUfunction, CUmodule};
use std::ffi::c_void;
use std::rc::Rc;

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

/// The primary context of a device, given back when dropped.
struct Context {
    device: CUdevice,
    context: CUcontext,
}

impl Context {
    /// Makes the context that of this thread.
    fn enter(&self) -> Result<(), Error> {
        // SAFETY: the context was retained by `Cuda::open` and is released by `drop` alone.
        check("a context", unsafe { ctx::set_current(self.context) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, by `Cuda::open`. Nothing is left to do about a failure.
        let _ = unsafe { primary_ctx::release(self.device) };
    }
}

/// A device with the kernels.
pub(crate) struct Cuda {
    module: CUmodule,
    kernels: Vec<CUfunction>,
    context: Rc<Context>,
}

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
        // SAFETY: the device comes from `device::get`.
        let context = check("a context", unsafe { primary_ctx::retain(device) })?;
        let context = Rc::new(Context { device, context });
        context.enter()?;
        let image: *const c_void = match code {
            Code::Native => NATIVE.as_ptr().cast(),
            Code::Portable => PORTABLE.as_ptr().cast(),
        };
        // SAFETY: an ELF image, whose header has its length, or PTX with a zero at its end.
        let module = check("to load the kernels", unsafe { module::load_data(image) })?;
        let mut cuda = Self { module, kernels: Vec::new(), context };
        for kernel in Kernel::ALL {
            // SAFETY: the module was loaded above and is unloaded by `drop` alone.
            let function = unsafe { module::get_function(module, kernel.name().to_owned()) };
            cuda.kernels.push(check("a kernel", function)?);
        }
        Ok((cuda, name))
    }

    pub(crate) fn alloc(&self, bytes: usize) -> Result<CudaBuffer, Error> {
        self.context.enter()?;
        // SAFETY: the context is current; zero bytes are no allocation.
        let address = check("memory", unsafe { result::malloc_sync(bytes.max(8)) })?;
        Ok(CudaBuffer { address, bytes, context: Rc::clone(&self.context) })
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

    /// Starts a kernel.
    ///
    /// # Safety
    /// As [`crate::backend::Backend::launch`].
    pub(crate) unsafe fn launch<A: Args>(&self, kernel: Kernel, blocks: u32, args: &A) -> Result<(), Error> {
        self.context.enter()?;
        let (grid, block) = ((blocks, 1, 1), (BLOCK_THREADS as u32, 1, 1));
        let mut params = [std::ptr::from_ref(args).cast_mut().cast::<c_void>()];
        let function = self.kernels[kernel as usize];
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
        // SAFETY: as above; the second is waited for before the time between both is asked for.
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
    context: Rc<Context>,
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
            // SAFETY: taken once, by `alloc`, in this context. The driver waits for launches that use it.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}
