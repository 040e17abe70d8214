//! Memory and launches, on a GPU or in the emulator.

use crate::args::{Args, Kernel, STORED_WORDS, StoreArgs};
use crate::cuda::{Cuda, CudaBuffer};
#[cfg(emulator)]
use crate::emulator::{Emulator, EmulatorBuffer};
use crate::error::Error;
use crate::staging::{self, STAGED_BYTES};
use field::Field;

/// Where kernels run.
pub(crate) enum Backend {
    Cuda(Cuda),
    #[cfg(emulator)]
    Emulator(Emulator),
}

/// Memory of a device, given back when dropped.
pub(crate) enum Buffer {
    Cuda(CudaBuffer),
    #[cfg(emulator)]
    Emulator(EmulatorBuffer),
}

impl Buffer {
    /// The address that kernels take.
    pub(crate) fn address(&self) -> u64 {
        match self {
            Self::Cuda(buffer) => buffer.address(),
            #[cfg(emulator)]
            Self::Emulator(buffer) => buffer.address(),
        }
    }

    /// Bytes of it.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cuda(buffer) => buffer.len(),
            #[cfg(emulator)]
            Self::Emulator(buffer) => buffer.len(),
        }
    }
}

impl Backend {
    /// Takes memory, a multiple of eight bytes, whose contents are not specified.
    pub(crate) fn alloc(&self, bytes: usize) -> Result<Buffer, Error> {
        assert!(bytes.is_multiple_of(8), "whole words");
        match self {
            Self::Cuda(cuda) => cuda.alloc(bytes).map(Buffer::Cuda),
            #[cfg(emulator)]
            Self::Emulator(emulator) => {
                emulator.call("memory")?;
                Ok(Buffer::Emulator(EmulatorBuffer::new(bytes)))
            }
        }
    }

    /// Takes memory and fills it. Few bytes travel with a launch: a copy would wait for all launches before.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer, Error> {
        if (8..=8 * STORED_WORDS).contains(&bytes.len()) {
            return self.store(bytes);
        }
        let mut buffer = self.alloc(bytes.len())?;
        match (self, &mut buffer) {
            (Self::Cuda(cuda), Buffer::Cuda(buffer)) => cuda.write(buffer, bytes)?,
            #[cfg(emulator)]
            (Self::Emulator(emulator), Buffer::Emulator(buffer)) => {
                emulator.copy(buffer, |buffer| buffer.write(bytes))?;
            }
            #[cfg(emulator)]
            _ => unreachable!("a buffer is of the backend that took it"),
        }
        Ok(buffer)
    }

    fn store(&self, bytes: &[u8]) -> Result<Buffer, Error> {
        let buffer = self.alloc(bytes.len())?;
        let (mut data, words) = ([0; STORED_WORDS], bytes.len() as u64 / 8);
        for (word, bytes) in data.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        }
        let args = StoreArgs { out: buffer.address(), words, data };
        // SAFETY: the buffer has so many words, and the arguments not fewer.
        unsafe { self.launch(Kernel::STORE, 1, &args)? };
        Ok(buffer)
    }

    /// Takes memory and fills it with the encodings of elements, on all threads if they are many.
    pub(crate) fn upload_elements<F: Field>(&self, values: &[F]) -> Result<Buffer, Error> {
        let bytes = values.len() * F::BYTES;
        if bytes < STAGED_BYTES {
            let mut encodings = vec![0; bytes];
            F::write_slice(values, &mut encodings);
            return self.upload(&encodings);
        }
        let mut buffer = self.alloc(bytes)?;
        match (self, &mut buffer) {
            (Self::Cuda(cuda), Buffer::Cuda(buffer)) => cuda.write_elements(buffer, values)?,
            #[cfg(emulator)]
            (Self::Emulator(emulator), Buffer::Emulator(buffer)) => {
                emulator.copy(buffer, |buffer| {
                    staging::chunks(bytes).for_each(|range| {
                        staging::encode(values, range.clone(), &mut buffer.bytes_mut()[range])
                    });
                })?;
            }
            #[cfg(emulator)]
            _ => unreachable!("a buffer is of the backend that took it"),
        }
        Ok(buffer)
    }

    /// The elements in a buffer, when all launches before have ended, on all threads if they are many.
    pub(crate) fn download_elements<F: Field>(&self, buffer: &Buffer) -> Result<Vec<F>, Error> {
        if let (true, Self::Cuda(cuda), Buffer::Cuda(buffer)) = (buffer.len() >= STAGED_BYTES, self, buffer) {
            return cuda.read_elements(buffer);
        }
        let mut bytes = vec![0; buffer.len()];
        self.download(buffer, 0, &mut bytes)?;
        let mut elements = Vec::with_capacity(bytes.len() / F::BYTES);
        for range in staging::chunks(bytes.len()) {
            staging::decode(&bytes[range], &mut elements)?;
        }
        Ok(elements)
    }

    /// Reads bytes from an offset on, when all launches before have ended.
    ///
    /// # Panics
    /// If the buffer ends before.
    pub(crate) fn download(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Result<(), Error> {
        assert!(offset.checked_add(out.len()).is_some_and(|end| end <= buffer.len()), "within the buffer");
        match (self, buffer) {
            (Self::Cuda(cuda), Buffer::Cuda(buffer)) => cuda.read(buffer, offset, out),
            #[cfg(emulator)]
            (Self::Emulator(emulator), Buffer::Emulator(buffer)) => {
                emulator.call("a copy from the device")?;
                buffer.read(offset, out);
                Ok(())
            }
            #[cfg(emulator)]
            _ => unreachable!("a buffer is of the backend that took it"),
        }
    }

    /// Starts a kernel on so many blocks.
    ///
    /// # Safety
    /// `args` is of the kernel's type, its addresses are of buffers of this backend that outlive the launch (in the
    /// order of the device's work, in which a dropped buffer is given back), and for the sizes given and so many blocks the kernel stays within them.
    /// Nothing else uses what the kernel writes until this returns.
    pub(crate) unsafe fn launch<A: Args>(&self, kernel: Kernel, blocks: u64, args: &A) -> Result<(), Error> {
        let blocks = u32::try_from(blocks).ok().filter(|&blocks| blocks < 1 << 31);
        let blocks = blocks.ok_or(Error::Shape("more blocks than a launch has"))?;
        if blocks == 0 {
            return Ok(());
        }
        match self {
            // SAFETY: the caller's contract.
            Self::Cuda(cuda) => unsafe { cuda.launch(kernel, blocks, args) },
            #[cfg(emulator)]
            Self::Emulator(emulator) => {
                // SAFETY: the caller's contract.
                unsafe { emulator.launch(kernel, blocks, args) }
            }
        }
    }

    /// Bytes of the device's memory.
    pub(crate) fn memory(&self) -> Result<u64, Error> {
        match self {
            Self::Cuda(cuda) => cuda.memory(),
            #[cfg(emulator)]
            Self::Emulator(_) => Ok(0),
        }
    }

    /// Runs something and returns with it the milliseconds between the events before and after.
    pub(crate) fn timed<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
        match self {
            Self::Cuda(cuda) => cuda.timed(run),
            #[cfg(emulator)]
            Self::Emulator(_) => {
                let start = std::time::Instant::now();
                let value = run()?;
                Ok((value, start.elapsed().as_secs_f64() * 1e3))
            }
        }
    }
}
