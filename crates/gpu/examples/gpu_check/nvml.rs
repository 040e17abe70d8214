//! The energy counter of the first card, by the driver's management library.

use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};

/// The library's name, with its ABI.
const NAME: &str = "libnvidia-ml.so.1";

/// A card's counter of energy since the driver was loaded.
pub struct EnergyCounter {
    library: Library,
    device: *mut c_void,
}

/// The library, initialised.
fn library() -> Option<Library> {
    // SAFETY: loading the driver's library runs its constructors, which ask nothing of their caller.
    let library = unsafe { Library::new(NAME) }.ok()?;
    // SAFETY: the signature is that of nvml.h, and the call has no precondition.
    let status = unsafe { library.get::<unsafe extern "C" fn() -> c_int>(b"nvmlInit_v2\0").ok()?() };
    (status == 0).then_some(library)
}

/// The driver's version.
pub fn driver_version() -> Option<String> {
    type Get = unsafe extern "C" fn(*mut c_char, c_uint) -> c_int;
    let (library, mut text) = (library()?, [0u8; 96]);
    // SAFETY: the signature is that of nvml.h; the library is initialised and writes at most so many bytes, a zero among them.
    let status = unsafe {
        library.get::<Get>(b"nvmlSystemGetDriverVersion\0").ok()?(
            text.as_mut_ptr().cast(),
            text.len() as c_uint,
        )
    };
    let text = CStr::from_bytes_until_nul(&text).ok()?;
    (status == 0).then(|| text.to_string_lossy().into_owned())
}

impl EnergyCounter {
    /// The counter of the first card, if there is one.
    pub fn open() -> Option<Self> {
        type Get = unsafe extern "C" fn(c_uint, *mut *mut c_void) -> c_int;
        let (library, mut device) = (library()?, std::ptr::null_mut());
        // SAFETY: the signature is that of nvml.h; the library is initialised and writes one pointer.
        let status =
            unsafe { library.get::<Get>(b"nvmlDeviceGetHandleByIndex_v2\0").ok()?(0, &raw mut device) };
        (status == 0).then_some(Self { library, device })
    }

    /// Millijoules so far.
    pub fn millijoules(&self) -> Option<u64> {
        type Get = unsafe extern "C" fn(*mut c_void, *mut c_ulonglong) -> c_int;
        let mut energy = 0;
        // SAFETY: the signature is that of nvml.h; the handle is the library's, which writes one number.
        let status = unsafe {
            self.library.get::<Get>(b"nvmlDeviceGetTotalEnergyConsumption\0").ok()?(
                self.device,
                &raw mut energy,
            )
        };
        (status == 0).then_some(energy)
    }
}
