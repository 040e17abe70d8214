//! The compressions of Parquet's pages, by decoders in Rust.

use std::cell::Cell;
use std::io::{Cursor, Read};
use std::rc::Rc;

use brotli_decompressor::reader::DecompressorCustomAlloc;
use brotli_decompressor::{Allocator, BrotliDecoderParameter, SliceWrapper, StandardAlloc};
use bytes::Bytes;
use parquet::basic::CompressionCodec;

use crate::compressed::Compression;
use crate::fill;

/// A compression of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// As they stand.
    Plain,
    /// Snappy, in blocks without frames.
    Snappy,
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// LZ4, in blocks without frames.
    Lz4,
    /// RFC 7932.
    Brotli,
}

impl Codec {
    /// The compression of a column; those that are out of use in words.
    pub fn of(codec: CompressionCodec) -> Result<Self, &'static str> {
        match codec {
            CompressionCodec::UNCOMPRESSED => Ok(Self::Plain),
            CompressionCodec::SNAPPY => Ok(Self::Snappy),
            CompressionCodec::GZIP => Ok(Self::Gzip),
            CompressionCodec::ZSTD => Ok(Self::Zstd),
            CompressionCodec::LZ4_RAW => Ok(Self::Lz4),
            CompressionCodec::BROTLI => Ok(Self::Brotli),
            CompressionCodec::LZ4 => {
                Err("it is compressed by the LZ4 of Hadoop, which was given up for LZ4_RAW")
            }
            CompressionCodec::LZO => Err("it is compressed by LZO"),
        }
    }

    /// Decodes exactly `length` bytes; `None` if the data are others. The caller has admitted the length.
    pub fn decode(self, data: Bytes, length: usize, memory: u64) -> Option<Bytes> {
        if length == 0 {
            // Some writers compress nothing to nothing.
            return Some(Bytes::new());
        }
        let mut decoded = vec![0; length];
        let whole = match self {
            Self::Plain => return (data.len() == length).then_some(data),
            Self::Snappy => {
                snap::raw::decompress_len(&data).ok()? == length
                    && snap::raw::Decoder::new().decompress(&data, &mut decoded).ok()? == length
            }
            Self::Lz4 => lz4_flex::block::decompress_into(&data, &mut decoded).ok()? == length,
            Self::Gzip => fills(Compression::Gzip.decode(Cursor::new(data), memory), &mut decoded)?,
            Self::Zstd => fills(Compression::Zstd.decode(Cursor::new(data), memory), &mut decoded)?,
            Self::Brotli => fills(brotli(data, length)?, &mut decoded)?,
        };
        whole.then(|| decoded.into())
    }
}

/// Memory of Brotli's tables of codes, beside its window.
const BROTLI_TABLES: usize = 1 << 20;

/// A stream of Brotli that decodes to so many bytes, within the memory of a window that holds them.
fn brotli(data: Bytes, length: usize) -> Option<impl Read> {
    let window = length.checked_next_power_of_two()?.max(1 << 10);
    let memory = Memory(Rc::new(Cell::new(window + BROTLI_TABLES)));
    let input = Allocator::<u8>::alloc_cell(&mut memory.clone(), 1 << 12);
    let [bytes, numbers, codes] = [memory.clone(), memory.clone(), memory];
    let mut stream = DecompressorCustomAlloc::new(Cursor::new(data), input, bytes, numbers, codes);
    // RFC 7932 has no larger windows, and a window that begins as large as it gets is not copied to a larger one.
    let strict = stream.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0)
        && stream.set_initial_ring_buffer_size(u32::try_from(window).ok()?);
    strict.then_some(stream)
}

/// An allocator with a budget in bytes: an allocation beyond it is empty, and the stream ends in an error.
#[derive(Clone)]
struct Memory(Rc<Cell<usize>>);

impl<T: Clone + Default> Allocator<T> for Memory {
    type AllocatedMemory = <StandardAlloc as Allocator<T>>::AllocatedMemory;

    fn alloc_cell(&mut self, count: usize) -> Self::AllocatedMemory {
        let left = count.checked_mul(size_of::<T>()).and_then(|bytes| self.0.get().checked_sub(bytes));
        let Some(left) = left else { return Self::AllocatedMemory::default() };
        self.0.set(left);
        StandardAlloc::default().alloc_cell(count)
    }

    fn free_cell(&mut self, cell: Self::AllocatedMemory) {
        self.0.set(self.0.get() + size_of_val(cell.slice()));
    }
}

/// Whether a stream has as many bytes as there are places.
fn fills(mut stream: impl Read, decoded: &mut [u8]) -> Option<bool> {
    let length = decoded.len();
    Some(fill(&mut stream, decoded).ok()? == length && fill(&mut stream, &mut [0]).ok()? == 0)
}
