//! Gzip and Zstandard around a file: what is inside is what is read, hashed and committed to.
//!
//! Formats: RFC 1952 (members one after the other are one content) and RFC 8878 (so are frames). Checksums and ends are
//! checked, and bytes after the last member or frame are an error.

use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use tenfold::text;

/// The largest window of a Zstandard frame that is decoded, as in the reference decoder.
const MAX_WINDOW: u64 = 128 << 20;

/// Compressed formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
}

/// Compressed data that is no valid stream, or needs more memory than it may take.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the {format} data is damaged: {reason}")]
pub struct Damaged {
    format: &'static str,
    reason: String,
}

/// A frame whose decoder takes more memory than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the Zstandard data take {} to decode, more than {}", text::bytes(*need), text::bytes(*limit))]
pub struct Window {
    need: u64,
    limit: u64,
}

impl Compression {
    /// The compression of a file that starts with these bytes.
    #[must_use]
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        }
    }

    /// The name of what is inside: `x.csv` for `x.csv.gz`.
    #[must_use]
    pub fn inner_name(name: &str) -> &str {
        let stem = name.rsplit_once('.').filter(|(stem, end)| {
            !stem.is_empty() && ["gz", "gzip", "zst", "zstd"].iter().any(|e| end.eq_ignore_ascii_case(e))
        });
        stem.map_or(name, |(stem, _)| stem)
    }

    /// Decodes a stream in at most `memory` bytes of window.
    pub fn decode(self, source: impl BufRead + 'static, memory: u64) -> Box<dyn Read> {
        match self {
            Self::Gzip => Box::new(Checked { format: self, decoder: MultiGzDecoder::new(source) }),
            Self::Zstd => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(memory.min(MAX_WINDOW));
                Box::new(Checked {
                    format: self,
                    decoder: Frames { source, decoder, inside: false, length: 0 },
                })
            }
        }
    }
}

/// Says of a decoder's errors that the data are damaged, and leaves those of the machine as they are.
struct Checked<D> {
    format: Compression,
    decoder: D,
}

impl<D: Read> Read for Checked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|e| {
            let window = e.get_ref().is_some_and(|inner| inner.is::<Window>());
            if window || e.raw_os_error().is_some() || e.kind() == io::ErrorKind::Interrupted {
                return e;
            }
            let reason = match e.kind() {
                io::ErrorKind::UnexpectedEof => "it is cut short, or other bytes follow it".to_owned(),
                _ => e.to_string(),
            };
            io::Error::other(Damaged { format: self.format.name(), reason })
        })
    }
}

/// The content of Zstandard frames one after the other.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    inside: bool,
    /// Bytes of the frame's content that were decoded.
    length: u64,
}

impl<R: BufRead> Frames<R> {
    /// Reads the header of the next frame; `false` at the end of the source.
    fn next_frame(&mut self) -> io::Result<bool> {
        if self.source.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(&mut self.source) {
            Ok(()) => (self.inside, self.length) = (true, 0),
            Err(FrameDecoderError::WindowSizeTooBig { requested, max }) => {
                return Err(io::Error::other(Window { need: requested, limit: max }));
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let skipped = io::copy(&mut (&mut self.source).take(length.into()), &mut io::sink())?;
                if skipped < u64::from(length) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(e) => return Err(io::Error::other(e.to_string())),
        }
        Ok(true)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.inside = false;
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("its checksum is another"));
        }
        // Zero where it is not stated.
        let stated = self.decoder.content_size();
        if stated != 0 && stated != self.length {
            return Err(io::Error::other("its length is another"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside {
                if !self.next_frame()? {
                    return Ok(0);
                }
            } else if self.decoder.can_collect() > 0 {
                let n = self.decoder.read(buffer)?;
                self.length += n as u64;
                return Ok(n);
            } else if self.decoder.is_finished() {
                self.end_frame()?;
            } else {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(|e| io::Error::other(e.to_string()))?;
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::io::{BufReader, Write};

    pub fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    pub fn zstd(content: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn decoded(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let compression = Compression::of(bytes).expect("a magic number");
        let mut out = Vec::new();
        let source = BufReader::new(io::Cursor::new(bytes.to_vec()));
        let read = compression.decode(source, MAX_WINDOW).read_to_end(&mut out);
        read.map(|_| out).map_err(|e| e.to_string())
    }

    #[test]
    fn members_and_frames_are_one_content() {
        let content: Vec<u8> = (0..300_000u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        for compress in [gzip, zstd] {
            assert_eq!(decoded(&compress(&content)).unwrap(), content);
            let two = [compress(b"one, "), compress(b""), compress(b"two")].concat();
            assert_eq!(decoded(&two).unwrap(), b"one, two");
        }
        let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &zstd(b"x")].concat();
        assert_eq!(decoded(&skippable).unwrap(), b"x");
        assert!(decoded(&skippable[..9]).unwrap_err().contains("cut short"));
    }

    #[test]
    fn what_is_cut_changed_or_followed_by_something_is_damaged() {
        for compress in [gzip, zstd] {
            let whole = compress(&b"price\n1\n2\n3\n".repeat(50));
            for cut in 4..whole.len() {
                assert!(decoded(&whole[..cut]).unwrap_err().contains("damaged"), "cut at {cut}");
            }
            for garbage in [&b"\0"[..], b"garbage", &[0x1f, 0x8b]] {
                let longer = [&whole[..], garbage].concat();
                assert!(decoded(&longer).unwrap_err().contains("damaged"), "{garbage:?}");
            }
            // The checksum is at the end.
            let mut changed = whole.clone();
            let at = changed.len() - if compress(b"") == gzip(b"") { 8 } else { 1 };
            changed[at] ^= 1;
            assert!(decoded(&changed).unwrap_err().contains("damaged"));
        }
    }

    /// A length in a frame's header is that of its content.
    #[test]
    fn a_frame_of_another_length_is_damaged() {
        // Magic, a single segment with a length of one byte, one raw block of five.
        let frame = |length| {
            let head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, length, 5 << 3 | 1, 0, 0];
            decoded(&[&head[..], b"[1,2]"].concat())
        };
        assert_eq!(frame(5).unwrap(), b"[1,2]");
        for length in [3, 6, 200] {
            assert!(frame(length).unwrap_err().contains("damaged"), "{length}");
        }
    }

    /// A frame that asks for a window beyond the limit is refused before memory is taken.
    #[test]
    fn a_window_beyond_the_limit_is_refused() {
        // Magic, descriptor without checksum, a window of 2^(10+16) bytes, an empty last block.
        const FRAME: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd, 0, 16 << 3, 1, 0, 0];
        let read = |memory| {
            let mut out = Vec::new();
            Compression::Zstd.decode(FRAME, memory).read_to_end(&mut out).map(|_| out)
        };
        assert_eq!(read(1 << 26).unwrap(), b"");
        let refused = read(1 << 20).unwrap_err().to_string();
        assert_eq!(refused, "the Zstandard data take 64.0 MiB to decode, more than 1.0 MiB");
    }

    #[test]
    fn names_lose_their_ending() {
        for (name, inner) in [("x.csv.gz", "x.csv"), ("x.ZST", "x"), (".gz", ".gz"), ("x.csv", "x.csv")] {
            assert_eq!(Compression::inner_name(name), inner);
        }
    }
}
