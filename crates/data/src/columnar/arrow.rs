//! A column of an Arrow IPC file (Feather of version 2): its footer, and the values of its record batches.
//!
//! Format: the Arrow columnar format, "IPC File Format".

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, CompressionType, Footer, Message};
use arrow_schema::{ArrowError, DataType, Field};
use bytes::Bytes;
use flatbuffers::VerifierOptions;

use super::Part;
use super::blocks::Blocks;
use crate::column::Builder;
use crate::{DataError, Limits, Options, chosen};
use tenfold::dataset::Column;

/// The format in words.
pub const FORMAT: &str = "Arrow IPC";

/// The end of a file: the length of its footer, and `ARROW1`.
const TAIL: u64 = 10;
/// Shares of the memory: a batch as it is stored, a buffer of it as it is decoded, and the footer.
const BATCH_SHARE: u64 = 8;
const FOOTER_SHARE: u64 = 256;
/// Bytes of a footer for each table in it, at least, and how often its bytes are read: a field that stands in many places would be
/// as many in memory, each with its name.
const TABLE: usize = 8;
const TIMES: usize = 8;

fn damaged(reason: impl ToString) -> DataError {
    DataError::Columnar { format: FORMAT, reason: reason.to_string() }
}

fn refused(error: ArrowError) -> DataError {
    damaged(error)
}

/// Reads the column.
pub fn read(blocks: &Arc<Blocks>, options: &Options) -> Result<Column, DataError> {
    let memory = options.limits.max_bytes;
    let bytes = footer_bytes(blocks, memory)?;
    let bounds = VerifierOptions {
        max_tables: bytes.len() / TABLE,
        max_apparent_size: bytes.len().saturating_mul(TIMES),
        ..VerifierOptions::default()
    };
    let footer = arrow_ipc::root_as_footer_with_opts(&bounds, &bytes).map_err(damaged)?;
    let schema = footer.schema().ok_or_else(|| damaged("it has no schema"))?;
    if schema.endianness() != arrow_ipc::Endianness::Little {
        return Err(damaged("its bytes are in the order of another machine"));
    }
    let schema = Arc::new(arrow_ipc::convert::try_fb_to_schema(schema).map_err(refused)?);
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let at = chosen(names.iter().map(|&name| name.into()), names.len(), options.column.as_deref())?;
    let field = schema.field(at);
    if !is_number(field.data_type()) {
        let kind = format!("values of the type {}", field.data_type()).chars().take(60).collect();
        return Err(DataError::ColumnKind { name: field.name().clone(), kind });
    }
    let mut decoder = FileDecoder::new(Arc::clone(&schema), footer.version()).with_projection(vec![at]);
    let batches = Batches { blocks, part: Part { what: "a batch", limit: memory / BATCH_SHARE } };
    batches.dictionaries(&footer, field, &mut decoder)?;
    let limits = Limits { max_bytes: memory / 2 };
    let mut builder = Builder::new(Some(field.name().clone()), options.scale, limits);
    for block in footer.recordBatches().iter().flatten() {
        let (buffer, _) = batches.read(block)?;
        let batch = decoder.read_record_batch(block, &buffer).map_err(refused)?;
        if let Some(column) = batch.as_ref().and_then(|batch| batch.columns().first()) {
            push_array(column, &mut builder)?;
        }
    }
    builder.finish(&options.name, "the file has no rows")
}

/// The footer at the end of a file.
fn footer_bytes(blocks: &Blocks, memory: u64) -> Result<Bytes, DataError> {
    let no_end = || damaged("it does not end with a footer");
    let end = blocks.length().checked_sub(TAIL).ok_or_else(no_end)?;
    let tail = blocks.read(end, TAIL as usize)?.ok_or_else(no_end)?;
    let tail = tail[..].try_into().map_err(|_| no_end())?;
    let length = read_footer_length(tail).map_err(refused)? as u64;
    let at = end.checked_sub(length).ok_or_else(no_end)?;
    let length = Part { what: "the footer", limit: memory / FOOTER_SHARE }.admit(length)?;
    blocks.read(at, length)?.ok_or_else(no_end)
}

/// The record batches and dictionaries of a file.
struct Batches<'a> {
    blocks: &'a Blocks,
    part: Part,
}

impl Batches<'_> {
    /// Reads a block, if every length in it is one that it has and that may be held; and the bytes that it decodes to.
    fn read(&self, block: &Block) -> Result<(Buffer, u64), DataError> {
        let no_block = || damaged("a batch has no place");
        let [at, body] = [block.offset(), block.bodyLength()].map(u64::try_from);
        let (at, body) = (at.map_err(|_| no_block())?, body.map_err(|_| no_block())?);
        let head = u64::try_from(block.metaDataLength()).map_err(|_| no_block())?;
        let length = self.part.admit(head.saturating_add(body))?;
        let bytes = self.blocks.read(at, length)?.ok_or_else(no_block)?;
        let decoded = self.check(&bytes, head as usize)?;
        Ok((Buffer::from(bytes), decoded))
    }

    /// Checks the lengths that a message states; the bytes of its buffers, decoded.
    fn check(&self, bytes: &[u8], head: usize) -> Result<u64, DataError> {
        let body = bytes.get(head..).unwrap_or_default();
        let message = message(bytes.get(..head).unwrap_or_default())?;
        let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
        let batch = message.header_as_record_batch().or(dictionary);
        let batch = batch.ok_or_else(|| damaged("a batch is none"))?;
        let compressed = match batch.compression().map(|compression| compression.codec()) {
            None => false,
            Some(CompressionType::LZ4_FRAME) => true,
            Some(_) => return Err(damaged("it is compressed inside by zstd; lz4 and none are read")),
        };
        let stated = |n: i64| u64::try_from(n).map_err(|_| damaged("a length is negative"));
        stated(batch.length())?;
        for node in batch.nodes().iter().flatten() {
            stated(node.length())?;
            stated(node.null_count())?;
        }
        let mut decoded = 0u64;
        for buffer in batch.buffers().iter().flatten() {
            let (at, length) = (stated(buffer.offset())?, stated(buffer.length())?);
            let end = at.checked_add(length).filter(|&end| end <= body.len() as u64);
            let end = end.ok_or_else(|| damaged("a buffer goes beyond its batch"))?;
            let data = &body[at as usize..end as usize];
            let mut bytes = length;
            if compressed && !data.is_empty() {
                let prefix = data.first_chunk::<8>().ok_or_else(|| damaged("a buffer has no length"))?;
                // -1 says that the buffer is not compressed after all.
                bytes = i64::from_le_bytes(*prefix).try_into().unwrap_or(length);
                self.part.admit(bytes)?;
            }
            decoded = decoded.saturating_add(bytes);
        }
        Ok(decoded)
    }

    /// Reads the dictionaries of a field, which together take no more than one batch may.
    fn dictionaries(
        &self,
        footer: &Footer,
        field: &Field,
        decoder: &mut FileDecoder,
    ) -> Result<(), DataError> {
        #[expect(deprecated, reason = "the decoder finds dictionaries by it")]
        let Some(id) = field.dict_id() else { return Ok(()) };
        let mut together = 0u64;
        for block in footer.dictionaries().iter().flatten() {
            let (buffer, decoded) = self.read(block)?;
            let head = usize::try_from(block.metaDataLength()).unwrap_or_default();
            let of_field = message(buffer.get(..head).unwrap_or_default())?
                .header_as_dictionary_batch()
                .is_some_and(|dictionary| dictionary.id() == id);
            if of_field {
                together = together.saturating_add(decoded);
                self.part.admit(together)?;
                decoder.read_dictionary(block, &buffer).map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// The message at the start of a block, behind its length and, since version 0.15, a marker.
fn message(head: &[u8]) -> Result<Message<'_>, DataError> {
    let message = match head {
        [0xff, 0xff, 0xff, 0xff, _, _, _, _, message @ ..] => message,
        [_, _, _, _, message @ ..] => message,
        _ => return Err(damaged("a batch has no message")),
    };
    arrow_ipc::root_as_message(message).map_err(damaged)
}

/// Whether values are numbers: integers, decimals, floats, booleans, and dictionaries of them.
fn is_number(kind: &DataType) -> bool {
    use DataType as T;
    match kind {
        T::Dictionary(_, values) => !matches!(**values, T::Dictionary(..)) && is_number(values),
        T::Boolean | T::Float32 | T::Float64 => true,
        T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => true,
        kind => kind.is_integer(),
    }
}

/// Appends the rows of an array.
fn push_array(array: &ArrayRef, builder: &mut Builder) -> Result<(), DataError> {
    use DataType as T;
    let DataType::Dictionary(keys, _) = array.data_type() else {
        return push_rows(array, (0..array.len()).map(Some), builder);
    };
    match **keys {
        T::Int8 => push_dictionary::<Int8Type>(array, builder),
        T::Int16 => push_dictionary::<Int16Type>(array, builder),
        T::Int32 => push_dictionary::<Int32Type>(array, builder),
        T::Int64 => push_dictionary::<Int64Type>(array, builder),
        T::UInt8 => push_dictionary::<UInt8Type>(array, builder),
        T::UInt16 => push_dictionary::<UInt16Type>(array, builder),
        T::UInt32 => push_dictionary::<UInt32Type>(array, builder),
        _ => push_dictionary::<UInt64Type>(array, builder),
    }
}

fn push_dictionary<K: ArrowDictionaryKeyType>(
    array: &ArrayRef,
    builder: &mut Builder,
) -> Result<(), DataError> {
    let dictionary = array.as_dictionary::<K>();
    let rows = (0..dictionary.len()).map(|row| dictionary.key(row));
    push_rows(dictionary.values(), rows, builder)
}

/// Appends the values in these places; none is a null.
fn push_rows(
    values: &ArrayRef,
    rows: impl Iterator<Item = Option<usize>>,
    builder: &mut Builder,
) -> Result<(), DataError> {
    use DataType as T;
    macro_rules! integers {
        ($kind:ty) => {
            push_each::<$kind>(values, rows, builder, |b, v| b.push_integer(v.into()))
        };
    }
    macro_rules! decimals {
        ($kind:ty, $scale:expr) => {
            push_each::<$kind>(values, rows, builder, |b, v| b.push_decimal(v.into(), i64::from($scale)))
        };
    }
    match *values.data_type() {
        T::Boolean => {
            let values = values.as_boolean();
            push_all(values, rows, builder, |b, row| b.push_integer(values.value(row).into()))
        }
        T::Int8 => integers!(Int8Type),
        T::Int16 => integers!(Int16Type),
        T::Int32 => integers!(Int32Type),
        T::Int64 => integers!(Int64Type),
        T::UInt8 => integers!(UInt8Type),
        T::UInt16 => integers!(UInt16Type),
        T::UInt32 => integers!(UInt32Type),
        T::UInt64 => integers!(UInt64Type),
        T::Float32 => push_each::<Float32Type>(values, rows, builder, |b, v| b.push_float(&v.to_string())),
        T::Float64 => push_each::<Float64Type>(values, rows, builder, |b, v| b.push_float(&v.to_string())),
        T::Decimal32(_, scale) => decimals!(Decimal32Type, scale),
        T::Decimal64(_, scale) => decimals!(Decimal64Type, scale),
        T::Decimal128(_, scale) => decimals!(Decimal128Type, scale),
        T::Decimal256(_, scale) => {
            push_each::<Decimal256Type>(values, rows, builder, |b, v| match v.to_i128() {
                Some(value) => b.push_decimal(value, scale.into()),
                None => Err(b.too_large(None, v.to_string())),
            })
        }
        _ => Err(damaged("its values are no numbers")),
    }
}

fn push_each<T: ArrowPrimitiveType>(
    values: &ArrayRef,
    rows: impl Iterator<Item = Option<usize>>,
    builder: &mut Builder,
    push: impl Fn(&mut Builder, T::Native) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let values = values.as_primitive::<T>();
    push_all(values, rows, builder, |b, row| push(b, values.value(row)))
}

fn push_all(
    values: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
    builder: &mut Builder,
    push: impl Fn(&mut Builder, usize) -> Result<(), DataError>,
) -> Result<(), DataError> {
    for row in rows {
        match row.filter(|&row| values.is_valid(row)) {
            Some(row) => push(builder, row)?,
            None => return Err(DataError::Null { place: builder.place(None) }),
        }
    }
    Ok(())
}
