//! The pages of one column in one row group of a Parquet file, each checked against the memory limit before it is decoded.
//!
//! Format: parquet-format, `PageHeader`.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result as ParquetResult};

use super::Part;
use super::blocks::Blocks;
use super::codec::Codec;
use super::parquet::damaged;
use super::thrift::{Compact, Fields};
use crate::DataError;

/// The longest header of a page that is read; statistics of numbers are short.
const MAX_HEADER: u64 = 1 << 14;

/// Memory of a value in a decoded dictionary, at most: a slice of the page.
const DICTIONARY_ENTRY: u64 = 48;

/// The pages from one place of a file to another.
pub struct Pages {
    /// The file.
    pub blocks: Arc<Blocks>,
    /// The place of the next page.
    pub at: u64,
    /// The end of the last page.
    pub end: u64,
    /// Their compression.
    pub codec: Codec,
    /// Bytes of a page.
    pub part: Part,
    /// Bytes of a value; 0 for booleans, which have no dictionary.
    pub width: u64,
    /// Whether they have levels, which say where nulls are.
    pub nullable: bool,
}

/// A header, and the fields of the structure for its kind of page.
struct Header {
    kind: i64,
    decoded: u64,
    stored: u64,
    checksum: Option<u32>,
    fields: Fields,
}

impl Header {
    fn read(compact: &mut Compact) -> Option<Self> {
        let fields = compact.structure(&[])?;
        let length = |id| fields.number(id).and_then(|n| u64::try_from(n).ok());
        let (kind, decoded, stored) = (fields.number(1)?, length(2)?, length(3)?);
        let checksum = fields.number(4).map(|sum| sum as u32);
        Some(Self { kind, decoded, stored, checksum, fields })
    }

    /// A number of the structure for this kind of page.
    fn of(&self, structure: usize, id: usize) -> Result<u32, DataError> {
        let number = self.fields.structure(structure).and_then(|fields| fields.number(id));
        number.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| damaged("a page has no such header"))
    }
}

impl Pages {
    fn next_page(&mut self) -> Result<Option<Page>, DataError> {
        while self.at < self.end {
            let window = (self.end - self.at).min(MAX_HEADER) as usize;
            let start = self.blocks.read(self.at, window)?.ok_or_else(|| damaged("a page is missing"))?;
            let mut compact = Compact(&start);
            let header = Header::read(&mut compact).ok_or_else(|| damaged("a page has no header"))?;
            self.at += (window - compact.0.len()) as u64;
            self.part.admit(header.decoded)?;
            let stored = self.part.admit(header.stored)?;
            if header.stored > self.end - self.at {
                return Err(damaged("a page goes beyond its column"));
            }
            let data = self.blocks.read(self.at, stored)?.ok_or_else(|| damaged("a page is cut short"))?;
            self.at += header.stored;
            check(&header, &data)?;
            match header.kind {
                0 => return self.data_page(&header, data).map(Some),
                // An index, which nothing here looks at.
                1 => {}
                2 => return self.dictionary(&header, data).map(Some),
                3 => return self.data_page_v2(&header, data).map(Some),
                _ => return Err(damaged("a page is of an unknown kind")),
            }
        }
        Ok(None)
    }

    fn decode(&self, data: Bytes, length: u64) -> Result<Bytes, DataError> {
        let length = self.part.admit(length)?;
        let decoded = self.codec.decode(data, length, self.part.limit.max(1 << 20));
        decoded.ok_or_else(|| damaged("a page does not decompress to its length"))
    }

    fn data_page(&self, header: &Header, data: Bytes) -> Result<Page, DataError> {
        // Where there are no nulls there are no levels, whatever is said of them.
        if self.nullable && header.of(5, 3)? != 3 {
            return Err(damaged("levels are encoded in a way that was given up"));
        }
        Ok(Page::DataPage {
            num_values: header.of(5, 1)?,
            encoding: encoding(header.of(5, 2)?)?,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
            buf: self.decode(data, header.decoded)?,
        })
    }

    fn data_page_v2(&self, header: &Header, data: Bytes) -> Result<Page, DataError> {
        let [num_values, num_nulls, num_rows] = [header.of(8, 1)?, header.of(8, 2)?, header.of(8, 3)?];
        let (definitions, repetitions) = (header.of(8, 5)?, header.of(8, 6)?);
        let levels = definitions as usize;
        if repetitions != 0 || levels > data.len() || u64::from(definitions) > header.decoded {
            return Err(damaged("a page has other levels than it may"));
        }
        let is_compressed = header.of(8, 7).map_or(true, |stated| stated != 0);
        let buf = if is_compressed && self.codec != Codec::Plain {
            let values = self.decode(data.slice(levels..), header.decoded - u64::from(definitions))?;
            [&data[..levels], &values[..]].concat().into()
        } else {
            data
        };
        Ok(Page::DataPageV2 {
            num_values,
            num_nulls,
            num_rows,
            encoding: encoding(header.of(8, 4)?)?,
            def_levels_byte_len: definitions,
            rep_levels_byte_len: 0,
            is_compressed: false,
            statistics: None,
            buf,
        })
    }

    fn dictionary(&self, header: &Header, data: Bytes) -> Result<Page, DataError> {
        let num_values = header.of(7, 1)?;
        // The decoder makes room for as many as it is told of.
        Part { limit: 4 * self.part.limit, ..self.part }.admit(u64::from(num_values) * DICTIONARY_ENTRY)?;
        if u64::from(num_values) * self.width > header.decoded || self.width == 0 {
            return Err(damaged("a dictionary is shorter than it says"));
        }
        if !matches!(header.of(7, 2)?, 0 | 2) {
            return Err(damaged("a dictionary is encoded in an unknown way"));
        }
        let buf = self.decode(data, header.decoded)?;
        Ok(Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false })
    }
}

/// Checks the sum of the bytes that are stored, where there is one.
fn check(header: &Header, data: &[u8]) -> Result<(), DataError> {
    let mut sum = flate2::Crc::new();
    sum.update(data);
    match header.checksum {
        Some(stated) if stated != sum.sum() => Err(damaged("a page has another checksum")),
        _ => Ok(()),
    }
}

/// The encodings of numbers. (Others are for texts, or allocate by lengths of their own.)
fn encoding(number: u32) -> Result<Encoding, DataError> {
    match number {
        0 => Ok(Encoding::PLAIN),
        2 | 8 => Ok(Encoding::RLE_DICTIONARY),
        3 => Ok(Encoding::RLE),
        5 => Ok(Encoding::DELTA_BINARY_PACKED),
        9 => Ok(Encoding::BYTE_STREAM_SPLIT),
        _ => Err(damaged("its values are in an encoding that is not read")),
    }
}

impl Iterator for Pages {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        self.next_page().map_err(|e| ParquetError::External(Box::new(e)))
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        Err(ParquetError::NYI("pages are read in order".to_owned()))
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        Err(ParquetError::NYI("pages are read in order".to_owned()))
    }
}
