//! The compressions of Parquet's pages, by decoders in Rust.

use std::io::{Cursor, Read};

use brotli_decompressor::Decompressor;
use bytes::Bytes;
use parquet::basic::CompressionCodec;

use super::super::compressed::Compression;
use super::super::fill;

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
            Self::Brotli => fills(Decompressor::new(Cursor::new(data), 1 << 12), &mut decoded)?,
        };
        whole.then(|| decoded.into())
    }
}

/// Whether a stream has as many bytes as there are places.
fn fills(mut stream: impl Read, decoded: &mut [u8]) -> Option<bool> {
    let length = decoded.len();
    Some(fill(&mut stream, decoded).ok()? == length && fill(&mut stream, &mut [0]).ok()? == 0)
}
