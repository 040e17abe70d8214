//! A column of a Parquet file: its metadata, and the values of its pages.

use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::ColumnDescriptor;

use super::blocks::Blocks;
use super::codec::Codec;
use super::pages::Pages;
use super::{Part, schema};
use crate::column::Builder;
use crate::{DataError, Limits, Options, chosen};
use tenfold::dataset::Column;

/// The format in words.
pub const FORMAT: &str = "Parquet";

/// The end of a file: the length of its metadata, and `PAR1`.
const TAIL: u64 = 8;
/// Groups within groups of a schema.
const MAX_DEPTH: usize = 64;
/// Values that are decoded at a time.
const BATCH: usize = 1 << 12;
/// Shares of the memory: a page as it is stored and as it is decoded, the names of all groups around each leaf, and the metadata,
/// which grow when they are decoded.
const PAGE_SHARE: u64 = 16;
const PATHS_SHARE: u64 = 16;
const METADATA_SHARE: u64 = 256;

/// A file that is no Parquet file, or of a kind that is not read.
pub fn damaged(reason: &str) -> DataError {
    DataError::Columnar { format: FORMAT, reason: reason.to_owned() }
}

fn refused(error: ParquetError) -> DataError {
    match error {
        ParquetError::External(inner) => {
            inner.downcast::<DataError>().map_or_else(|e| damaged(&e.to_string()), |e| *e)
        }
        error => damaged(&error.to_string()),
    }
}

/// Reads the column.
pub fn read(blocks: &Arc<Blocks>, options: &Options) -> Result<Column, DataError> {
    let memory = options.limits.max_bytes;
    let metadata = metadata(blocks, memory)?;
    let schema = metadata.file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let at = chosen(names.iter().map(|&name| name.into()), names.len(), options.column.as_deref())?;
    let name = names[at];
    let leaf = schema.columns().iter().position(|c| matches!(c.path().parts(), [only] if only == name));
    let kind = leaf.map_or(Err("nested values".to_owned()), |leaf| Kind::of(&schema.column(leaf)));
    let kind = kind.map_err(|kind| DataError::ColumnKind { name: name.to_owned(), kind })?;
    let limits = Limits { max_bytes: memory / 4 * 3 };
    let mut builder = Builder::new(Some(name.to_owned()), options.scale, limits);
    let part = Part { what: "a page", limit: memory / PAGE_SHARE };
    let mut rows_in_groups = 0u64;
    for group in metadata.row_groups() {
        let chunk =
            leaf.and_then(|leaf| group.columns().get(leaf)).ok_or_else(|| damaged("a row group lacks it"))?;
        let rows = u64::try_from(group.num_rows()).map_err(|_| damaged("a row group has no length"))?;
        rows_in_groups = rows_in_groups.saturating_add(rows);
        let chunk = Chunk { pages: pages(blocks, chunk, kind, part)?, column: chunk, rows };
        chunk.read(kind, &mut builder)?;
    }
    if u64::try_from(metadata.file_metadata().num_rows()) != Ok(rows_in_groups) {
        return Err(damaged("the file has another number of rows than it says"));
    }
    builder.finish(&options.name, "the file has no rows")
}

/// Reads the metadata at the end of a file.
fn metadata(blocks: &Blocks, memory: u64) -> Result<ParquetMetaData, DataError> {
    let no_end = || damaged("it does not end with an index");
    let end = blocks.length().checked_sub(TAIL).ok_or_else(no_end)?;
    let tail = blocks.read(end, TAIL as usize)?.ok_or_else(no_end)?;
    let (length, magic) = tail.split_first_chunk::<4>().ok_or_else(no_end)?;
    if magic != b"PAR1" {
        return Err(no_end());
    }
    let length = u64::from(u32::from_le_bytes(*length));
    let at = end.checked_sub(length).ok_or_else(no_end)?;
    let length = Part { what: "the index", limit: memory / METADATA_SHARE }.admit(length)?;
    let bytes = blocks.read(at, length)?.ok_or_else(no_end)?;
    schema::check(&bytes, MAX_DEPTH, memory / PATHS_SHARE)
        .ok_or_else(|| damaged("it has no schema that is read"))?;
    ParquetMetaDataReader::decode_metadata(&bytes).map_err(refused)
}

/// The pages of a column in a row group.
fn pages(
    blocks: &Arc<Blocks>,
    chunk: &ColumnChunkMetaData,
    kind: Kind,
    part: Part,
) -> Result<Pages, DataError> {
    if chunk.file_path().is_some() {
        return Err(damaged("its values are in another file"));
    }
    let place = |n: i64| u64::try_from(n).map_err(|_| damaged("a column has no place"));
    let data = place(chunk.data_page_offset())?;
    // Some writers state 0 where there is none.
    let dictionary = chunk.dictionary_page_offset().filter(|&at| at > 0).map(place).transpose()?;
    let at = dictionary.map_or(data, |dictionary| dictionary.min(data));
    let end = at.checked_add(place(chunk.compressed_size())?).filter(|&end| end <= blocks.length());
    let end = end.ok_or_else(|| damaged("a column goes beyond the file"))?;
    let codec = Codec::of(chunk.compression_codec()).map_err(damaged)?;
    Ok(Pages {
        blocks: Arc::clone(blocks),
        at,
        end,
        codec,
        part,
        width: kind.width,
        nullable: chunk.column_descr().max_def_level() > 0,
    })
}

/// How the values of a column are numbers.
#[derive(Clone, Copy, Debug)]
struct Kind {
    number: Number,
    /// Bytes of a value; 0 for booleans.
    width: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Signed,
    Unsigned,
    /// Digits after the point.
    Decimal(i32),
    Float,
}

impl Kind {
    /// The numbers of a column, or what it holds instead.
    fn of(column: &ColumnDescriptor) -> Result<Self, String> {
        let number = number(column)?;
        let physical = column.physical_type();
        let (width, fits) = match physical {
            Physical::BOOLEAN => (0, number == Number::Signed && column.logical_type_ref().is_none()),
            Physical::INT32 => (4, number != Number::Float),
            Physical::INT64 => (8, number != Number::Float),
            Physical::FLOAT => (4, number == Number::Float),
            Physical::DOUBLE => (8, number == Number::Float),
            Physical::FIXED_LEN_BYTE_ARRAY => {
                let width = u64::try_from(column.type_length()).unwrap_or_default();
                (width, (1..=16).contains(&width) && matches!(number, Number::Decimal(_)))
            }
            Physical::INT96 => return Err("timestamps of 96 bits".to_owned()),
            Physical::BYTE_ARRAY => (0, false),
        };
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return Err("lists".to_owned());
        }
        if fits { Ok(Self { number, width }) } else { Err(format!("values of the type {physical}")) }
    }
}

/// What the type of a column says of its numbers.
fn number(column: &ColumnDescriptor) -> Result<Number, String> {
    use ConvertedType as Old;
    let float = matches!(column.physical_type(), Physical::FLOAT | Physical::DOUBLE);
    let plain = if float { Number::Float } else { Number::Signed };
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Integer(int)), _) if int.is_signed => Ok(Number::Signed),
        (Some(LogicalType::Integer(_)), _) => Ok(Number::Unsigned),
        (Some(LogicalType::Decimal(decimal)), _) => Ok(Number::Decimal(decimal.scale)),
        (Some(other), _) => Err(format!("values of the type {other:?}").chars().take(60).collect()),
        (None, Old::NONE) => Ok(plain),
        (None, Old::INT_8 | Old::INT_16 | Old::INT_32 | Old::INT_64) => Ok(Number::Signed),
        (None, Old::UINT_8 | Old::UINT_16 | Old::UINT_32 | Old::UINT_64) => Ok(Number::Unsigned),
        (None, Old::DECIMAL) => Ok(Number::Decimal(column.type_scale())),
        (None, other) => Err(format!("values of the type {other}")),
    }
}

/// The values of the column in a row group.
struct Chunk<'a> {
    pages: Pages,
    column: &'a ColumnChunkMetaData,
    rows: u64,
}

impl Chunk<'_> {
    /// Appends all values.
    fn read(self, kind: Kind, builder: &mut Builder) -> Result<(), DataError> {
        let integer = |builder: &mut Builder, value: i128| match kind.number {
            Number::Decimal(scale) => builder.push_decimal(value, scale.into()),
            _ => builder.push_integer(value),
        };
        let unsigned = kind.number == Number::Unsigned;
        match self.column.column_type() {
            Physical::BOOLEAN => self.values::<BoolType>(builder, |b, &v| integer(b, v.into())),
            Physical::INT32 if unsigned => {
                self.values::<Int32Type>(builder, |b, &v| integer(b, (v as u32).into()))
            }
            Physical::INT32 => self.values::<Int32Type>(builder, |b, &v| integer(b, v.into())),
            Physical::INT64 if unsigned => {
                self.values::<Int64Type>(builder, |b, &v| integer(b, (v as u64).into()))
            }
            Physical::INT64 => self.values::<Int64Type>(builder, |b, &v| integer(b, v.into())),
            Physical::FLOAT => self.values::<FloatType>(builder, |b, v| b.push_float(&v.to_string())),
            Physical::DOUBLE => self.values::<DoubleType>(builder, |b, v| b.push_float(&v.to_string())),
            _ => self.values::<FixedLenByteArrayType>(builder, |b, v| integer(b, big_endian(v.data()))),
        }
    }

    fn values<T: DataType>(
        self,
        builder: &mut Builder,
        push: impl Fn(&mut Builder, &T::T) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let Self { pages, column, rows } = self;
        let other_length = || damaged("a row group has another number of rows than it says");
        let nullable = column.column_descr().max_def_level() > 0;
        let mut reader = ColumnReaderImpl::<T>::new(column.column_descr_ptr(), Box::new(pages));
        let (mut values, mut levels, mut left) = (Vec::new(), Vec::new(), rows);
        loop {
            values.clear();
            levels.clear();
            let levels_too = nullable.then_some(&mut levels);
            let (count, ..) = reader.read_records(BATCH, levels_too, None, &mut values).map_err(refused)?;
            if count == 0 {
                break;
            }
            left = left.checked_sub(count as u64).ok_or_else(other_length)?;
            // Only values that are there are among the values.
            let present = levels.iter().take_while(|&&level| level > 0).count();
            let present = if nullable { present } else { count };
            for value in values.iter().take(present) {
                push(builder, value)?;
            }
            if present < count {
                return Err(DataError::Null { place: builder.place(None) });
            }
            if values.len() != count {
                return Err(other_length());
            }
        }
        if left == 0 { Ok(()) } else { Err(other_length()) }
    }
}

/// An integer in two's complement, of at most 16 bytes, the highest first.
fn big_endian(bytes: &[u8]) -> i128 {
    let sign = if bytes.first().is_some_and(|&b| b >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |value, &byte| value << 8 | i128::from(byte))
}
