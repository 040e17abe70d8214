//! What columnar files take of memory. The heap counter is one for the process, so this file holds a single test.

use data::{DataError, Limits, Opened, Options, Source};
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;
use std::path::Path;
use std::sync::Arc;
use tenfold::dataset::Column;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

const MIB: usize = 1 << 20;
const LIMIT: usize = 16 * MIB;

/// Reads a column within the limit, and the most bytes held at once.
fn read(path: &Path, column: &str) -> (Result<Column, DataError>, usize) {
    HEAP.reset_peak_memory();
    let before = HEAP.get_peak_memory();
    let limits = Limits { max_bytes: LIMIT as u64 };
    let options = Options { column: Some(column.into()), limits, ..Options::default() };
    let read = Source::open(path, |file, _| file);
    let read = read.and_then(|source| Opened::of(source, &options)?.column(options));
    (read, HEAP.get_peak_memory() - before)
}

/// No file takes more than there is: none that is damaged anywhere, and none of few bytes with many rows.
#[test]
fn files_hold_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("columnar");
    let files: [&[u8]; 2] =
        [include_bytes!("columnar/pyarrow-1.parquet"), include_bytes!("columnar/pyarrow-lz4.arrow")];
    let mut most = 0;
    for n in 0..400usize {
        let mut bytes = files[n % 2].to_vec();
        let (at, length) = (n.wrapping_mul(0x9e37_79b9) >> 7, bytes.len());
        // The index, where most lengths are; else anywhere.
        let at = if n % 4 < 2 { length - 1 - at % 1500 } else { at % length };
        bytes[at] = [0x7f, 0xff, 0, 0x80][n / 4 % 4];
        std::fs::write(&path, &bytes).unwrap();
        let (_, taken) = read(&path, ["zstd", "kinds", "brotli", "price"][n % 4]);
        assert!(taken <= LIMIT, "{taken} bytes for byte {at}");
        most = most.max(taken);
    }
    for (bytes, column) in [(lying_page(files[0]), "zstd"), (lying_buffers(files[1]), "plain")] {
        std::fs::write(&path, bytes).unwrap();
        let (read, taken) = read(&path, column);
        assert!(matches!(read, Err(DataError::PartOverMemory { need: STATED, .. })), "{column} is read");
        assert!(taken <= LIMIT, "{taken} bytes for {column}");
    }
    small_files_take_little(&path, files[0]);
    std::fs::write(&path, zeros(3 << 19)).unwrap();
    let length = std::fs::metadata(&path).unwrap().len() as usize;
    let (read, taken) = read(&path, "a");
    assert!(matches!(read, Err(DataError::OverMemory { .. })), "{length} bytes are read");
    assert!(length < MIB && taken <= LIMIT, "{taken} bytes for {length}");
    println!("{most} bytes for damaged files, {taken} for {length} with many rows");
}

/// Files of some kilobytes that would take far more when they are decoded: the names of groups once for each leaf, the name of
/// a field once for each place that it stands in, and a window of 16 MiB for a page of some bytes.
fn small_files_take_little(path: &Path, parquet: &[u8]) {
    let files = [
        (long_paths(), "l", "no schema"),
        (one_name(), "f0", "Apparent size too large"),
        (brotli_page(parquet), "brotli", "does not decompress"),
    ];
    let taken = files.map(|(bytes, column, says)| {
        std::fs::write(path, bytes).unwrap();
        let (read, taken) = read(path, column);
        (column, taken, read.is_err_and(|error| error.to_string().contains(says)))
    });
    assert!(taken.iter().all(|&(_, taken, refused)| taken <= LIMIT && refused), "{taken:?}");
}

/// A Parquet file whose metadata, of 60 KB, are half names of nested groups and half leaves in them.
fn long_paths() -> Vec<u8> {
    const GROUPS: usize = 10;
    const NAME: usize = 3000;
    const LEAVES: usize = 4200;
    let varint = |n: usize| [n as u8 | 0x80, (n >> 7) as u8];
    let mut metadata = vec![0x15, 2, 0x19, 0xfc];
    metadata.extend(varint(1 + GROUPS + LEAVES));
    // A root of one member, groups of one, the last of all leaves.
    metadata.extend([0x48, 1, b'm', 0x15, 2, 0]);
    for group in 1..=GROUPS {
        metadata.extend([0x35, 0, 0x18]);
        metadata.extend(varint(NAME));
        metadata.extend([b'g'; NAME]);
        metadata.push(0x15);
        metadata.extend(varint(2 * if group == GROUPS { LEAVES } else { 1 }));
        metadata.push(0);
    }
    metadata.extend([0x15, 2, 0x25, 0, 0x18, 0, 0].repeat(LEAVES));
    metadata.extend([0x16, 0, 0x19, 0x0c, 0]);
    assert!(metadata.len() < LIMIT / 256, "{} bytes", metadata.len());
    let length = (metadata.len() as u32).to_le_bytes();
    [b"PAR1", &metadata[..], &length, b"PAR1"].concat()
}

/// An Arrow file whose footer has one field in 3000 places.
fn one_name() -> Vec<u8> {
    use arrow_ipc::{FieldBuilder, FooterBuilder, IntBuilder, MetadataVersion, SchemaBuilder, Type};
    let mut to = flatbuffers::FlatBufferBuilder::new();
    let name = to.create_string(&"f".repeat(40_000));
    let mut int = IntBuilder::new(&mut to);
    int.add_bitWidth(32);
    let int = int.finish().as_union_value();
    let mut field = FieldBuilder::new(&mut to);
    field.add_name(name);
    field.add_type_type(Type::Int);
    field.add_type_(int);
    let field = field.finish();
    let fields = to.create_vector(&[field; 3000]);
    let mut schema = SchemaBuilder::new(&mut to);
    schema.add_fields(fields);
    let schema = schema.finish();
    let mut footer = FooterBuilder::new(&mut to);
    footer.add_version(MetadataVersion::V5);
    footer.add_schema(schema);
    let footer = footer.finish();
    to.finish(footer, None);
    let footer = to.finished_data();
    assert!(footer.len() < LIMIT / 256, "{} bytes", footer.len());
    let length = (footer.len() as u32).to_le_bytes();
    [b"ARROW1\0\0", footer, &length, b"ARROW1"].concat()
}

/// The file with a first page of the column `brotli` that is the beginning of a stream of 16 MiB.
fn brotli_page(file: &[u8]) -> Vec<u8> {
    let (at, mut header, rest) = unchecked_header(file, 4, None);
    // The only page of its column.
    let end = at + metadata(file).row_group(0).column(4).compressed_size() as usize;
    let stored = stored(file, at);
    header.extend(&file[rest..end - stored]);
    header.extend([0xcf, 0xff, 0xff, 0xff]);
    header.resize(header.len() + stored - 4, 0x55);
    let tail = file.len() - metadata_length(file);
    header.resize(tail - at, 0);
    [&file[..at], &header, &file[tail..]].concat()
}

/// The bytes that a part of a file says it decodes to.
const STATED: u64 = 64 << 20;

/// The file with a first page of the column `zstd` that says it is so long.
fn lying_page(file: &[u8]) -> Vec<u8> {
    let (at, mut header, rest) = unchecked_header(file, 2, Some(STATED));
    header.extend(&file[rest..]);
    let removed = file.len() - at - header.len();
    let tail = header.len() - metadata_length(file);
    header.splice(tail..tail, vec![0; removed]);
    [&file[..at], &header].concat()
}

fn metadata(file: &[u8]) -> parquet::file::metadata::ParquetMetaData {
    let whole = bytes::Bytes::copy_from_slice(file);
    parquet::file::metadata::ParquetMetaDataReader::new().parse_and_finish(&whole).unwrap()
}

/// The end of the first fields of a page's header at a place, each of one byte and a number of some.
fn fields(file: &[u8], at: usize, count: usize) -> usize {
    (0..count).fold(at, |at, _| at + 2 + file[at + 1..].iter().position(|&b| b < 0x80).unwrap())
}

/// The bytes that a page at a place says it is stored in.
fn stored(file: &[u8], at: usize) -> usize {
    let number = &file[fields(file, at, 2) + 1..fields(file, at, 3)];
    number.iter().rev().fold(0, |n, &byte| n << 7 | usize::from(byte & 0x7f)) / 2
}

/// The place of the first page of a column; its header without the checksum, up to and with the head of the structure of the
/// page, with another decoded length if one is given; and the place in the file of what follows that.
fn unchecked_header(file: &[u8], column: usize, decoded: Option<u64>) -> (usize, Vec<u8>, usize) {
    let at = metadata(file).row_group(0).column(column).data_page_offset() as usize;
    // Kind, lengths and checksum; then the structure of the page.
    let numbers = |n: usize| fields(file, at, n);
    assert!(file[numbers(3)] == 0x15 && file[numbers(4)] == 0x1c, "no checksum");
    let mut header = file[at..numbers(1)].to_vec();
    match decoded {
        None => header.extend(&file[numbers(1)..numbers(2)]),
        // In place of the checksum a longer length.
        Some(decoded) => {
            let length = (2 * decoded) as u32;
            header.push(0x15);
            header.extend(
                [0, 7, 14, 21]
                    .map(|shift| (length >> shift) as u8 & 0x7f | if shift < 21 { 0x80 } else { 0 }),
            );
        }
    }
    header.extend(&file[numbers(2)..numbers(3)]);
    header.push(0x2c);
    (at, header, numbers(4) + 1)
}

/// Bytes of the index and what is behind it.
fn metadata_length(file: &[u8]) -> usize {
    let length = file[file.len() - 8..].first_chunk::<4>().unwrap();
    u32::from_le_bytes(*length) as usize + 8
}

/// The file with buffers that say they are so long.
fn lying_buffers(file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for at in 8..file.len() - 4 {
        // An LZ4 frame behind its length.
        if file[at..].starts_with(&[4, 0x22, 0x4d, 0x18]) {
            bytes[at - 8..at].copy_from_slice(&STATED.to_le_bytes());
        }
    }
    bytes
}

/// A Parquet file of so many rows, all zero.
fn zeros(rows: usize) -> Vec<u8> {
    use parquet::{
        data_type::Int32Type, file::writer::SerializedFileWriter, schema::parser::parse_message_type,
    };
    let schema = Arc::new(parse_message_type("message m { REQUIRED INT32 a; }").unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&vec![0; rows], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}
