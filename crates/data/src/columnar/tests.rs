use super::pages::Pages;
use super::*;
use crate::Opened;
use crate::compressed::tests::gzip;
use ::parquet as parquet_crate;
use arrow_array::builder::{Int32Builder, PrimitiveDictionaryBuilder};
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::{
    ArrayRef, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array, Int8Array, Int16Array,
    RecordBatch, UInt8Array, UInt16Array, UInt32Array,
};
use parquet_crate::data_type::{Int32Type, Int64Type as LongType};
use parquet_crate::file::properties::WriterProperties;
use parquet_crate::file::writer::SerializedFileWriter;
use parquet_crate::schema::parser::parse_message_type;
use tenfold::dataset::{Layout, Values};

/// Files of pyarrow 26: 300 rows in groups of 150, columns named by their compression, and others by their type. The first has
/// data pages of version 1, the second of version 2.
const WRITTEN: [(&str, &[u8]); 2] = [
    ("1.parquet", include_bytes!("../../tests/columnar/pyarrow-1.parquet")),
    ("2.parquet", include_bytes!("../../tests/columnar/pyarrow-2.parquet")),
];
const LZ4: &[u8] = include_bytes!("../../tests/columnar/pyarrow-lz4.arrow");
const ZSTD: &[u8] = include_bytes!("../../tests/columnar/pyarrow-zstd.arrow");

/// What the integers of those files are.
fn number(row: usize) -> i64 {
    (row as i64 * 7919) % 1000 - 500
}

fn options(column: &str) -> Options {
    Options { column: Some(column.into()), ..Options::default() }
}

fn at(name: &str, content: &[u8], options: Options) -> Result<Column, DataError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, content).unwrap();
    Opened::of(Source::open(&path, |file, _| file)?, &options)?.column(options)
}

fn narrow(values: impl Iterator<Item = i64>) -> Values {
    Values::Narrow(values.collect())
}

#[test]
fn every_compression_of_another_writer_is_read() {
    for (name, file) in WRITTEN {
        for codec in ["snappy", "gzip", "zstd", "lz4", "brotli", "plain"] {
            let column = at(name, file, options(codec)).unwrap_or_else(|e| panic!("{name} {codec}: {e}"));
            assert_eq!(column.values, narrow((0..300).map(number)), "{name} {codec}");
            assert_eq!((column.name.as_str(), column.scale, column.layout), (codec, 0, Layout::Numbers));
            assert_eq!(column.source_digest, *blake3::hash(file).as_bytes());
        }
    }
}

#[test]
fn every_type_of_another_writer_is_read_or_named() {
    for (name, file) in [WRITTEN[0], WRITTEN[1], ("lz4.arrow", LZ4)] {
        let read = |column: &str| at(name, file, options(column));
        let price = read("price").unwrap();
        assert_eq!((price.values, price.scale), (narrow((0..300).map(number)), 2), "{name}");
        assert_eq!(read("flag").unwrap().values, narrow((0..300).map(|i| i64::from(i % 3 == 0))), "{name}");
        // Floats are exact or refused, as those of NPY.
        assert!(matches!(read("ratio"), Err(DataError::NeedsScale { decimals: 3, .. })));
        let ratio = at(name, file, Options { scale: Some(3), ..options("ratio") }).unwrap();
        assert_eq!(ratio.values, narrow((0..300).map(|i| 125 * i)), "{name}");
        let gap = read("gap").unwrap_err();
        assert_eq!(gap.to_string(), "row 200, column `gap`: the value is missing (null)");
        assert!(!gap.is_io());
        let word = read("word").unwrap_err();
        assert!(matches!(word, DataError::ColumnKind { .. }), "{word}");
        assert!(matches!(at(name, file, Options::default()), Err(DataError::ColumnNeeded { .. })));
        assert!(matches!(read("none"), Err(DataError::MissingColumn { .. })));
    }
    for (name, file) in WRITTEN {
        let read = |column: &str| at(name, file, options(column));
        assert_eq!(read("small").unwrap().values, narrow((0..300).map(number)));
        let big = read("big").unwrap().values;
        assert_eq!(
            big.iter().collect::<Vec<_>>(),
            (0..300).map(|i| (1i128 << 64) - 1 - i).collect::<Vec<_>>()
        );
        for (column, says) in [("day", "Date"), ("pair", "nested")] {
            let error = read(column).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
        }
    }
    let kinds = at("lz4.arrow", LZ4, options("kinds")).unwrap();
    assert_eq!(kinds.values, narrow((0..300).map(|i| number(i).rem_euclid(7))));
    let zstd = at("zstd.arrow", ZSTD, options("plain")).unwrap_err();
    assert!(zstd.to_string().contains("zstd"), "{zstd}");
}

/// A file that is compressed around, or comes without a length, has the column that it has on a disk.
#[test]
fn a_source_in_memory_is_the_same() {
    for (name, file) in [WRITTEN[0], ("lz4.arrow", LZ4)] {
        let column = at(name, file, options("price")).unwrap();
        assert_eq!(at(&format!("{name}.gz"), &gzip(file), options("price")).unwrap(), column);
    }
}

/// Parquet of our own: required columns, dictionaries, several row groups.
fn parquet_of(schema: &str, groups: &[Vec<i32>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_data_page_row_count_limit(100).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(rows, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn integers_of_parquet_have_their_signs() {
    let groups = [vec![1, -1, i32::MIN], (0..5000).collect()];
    for (kind, second) in [
        ("INT32 a", -1i128),
        ("INT32 a (INTEGER(32,false))", 0xffff_ffff),
        ("INT32 a (UINT_32)", 0xffff_ffff),
    ] {
        let file = parquet_of(&format!("message m {{ REQUIRED {kind}; }}"), &groups);
        let column = at("x", &file, Options::default()).unwrap();
        assert_eq!(
            (column.rows(), column.values.row(1), column.values.row(5002)),
            (5003, Some(second), Some(4999))
        );
    }
    let file = parquet_of("message m { REQUIRED INT32 a (DECIMAL(9,4)); }", &groups);
    assert_eq!(at("x", &file, Options::default()).unwrap().scale, 4);
    for kind in ["INT32 a (DATE)", "INT32 a (TIME_MILLIS)", "INT32 a (TIME(MILLIS,true))"] {
        let file = parquet_of(&format!("message m {{ REQUIRED {kind}; }}"), &groups);
        assert!(matches!(at("x", &file, Options::default()), Err(DataError::ColumnKind { .. })), "{kind}");
    }
    let schema = Arc::new(parse_message_type("message m { REQUIRED INT64 a; }").unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<LongType>().write_batch(&[i64::MIN, i64::MAX], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    let file = writer.into_inner().unwrap();
    let long = at("x", &file, Options::default()).unwrap();
    assert_eq!(long.values, Values::Narrow(vec![i64::MIN, i64::MAX]));
    assert!(matches!(
        at("x", &parquet_of("message m { REQUIRED INT32 a; }", &[]), Options::default()),
        Err(DataError::NoRows(_))
    ));
}

fn arrow_of(column: ArrayRef) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable([("a", column, true)]).unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn numbers_of_arrow_are_read() {
    let minus = |column: ArrayRef| at("x", &arrow_of(column), Options::default()).unwrap();
    let columns: [ArrayRef; 6] = [
        Arc::new(Int8Array::from(vec![3, -5])),
        Arc::new(Int16Array::from(vec![3, -5])),
        Arc::new(Decimal32Array::from(vec![3, -5]).with_precision_and_scale(5, 1).unwrap()),
        Arc::new(Decimal64Array::from(vec![3, -5]).with_precision_and_scale(5, 1).unwrap()),
        Arc::new(Decimal128Array::from(vec![3, -5]).with_precision_and_scale(5, 1).unwrap()),
        Arc::new(
            Decimal256Array::from(vec![arrow_buffer::i256::from_i128(3), arrow_buffer::i256::from_i128(-5)])
                .with_precision_and_scale(5, 1)
                .unwrap(),
        ),
    ];
    for (i, column) in columns.into_iter().enumerate() {
        let column = minus(column);
        assert_eq!((column.values, column.scale), (Values::Narrow(vec![3, -5]), u32::from(i > 1)), "{i}");
    }
    assert_eq!(minus(Arc::new(UInt8Array::from(vec![255]))).values, Values::Narrow(vec![255]));
    assert_eq!(minus(Arc::new(UInt16Array::from(vec![65535]))).values, Values::Narrow(vec![65535]));
    assert_eq!(minus(Arc::new(UInt32Array::from(vec![u32::MAX]))).values, Values::Narrow(vec![0xffff_ffff]));
    let negative: ArrayRef =
        Arc::new(Decimal128Array::from(vec![3]).with_precision_and_scale(5, -2).unwrap());
    assert_eq!(minus(negative).values, Values::Narrow(vec![300]));
    let fine: ArrayRef = Arc::new(Decimal128Array::from(vec![3]).with_precision_and_scale(38, 20).unwrap());
    assert!(matches!(at("x", &arrow_of(fine), Options::default()), Err(DataError::TooManyDecimals { .. })));
    let wide = Decimal256Array::from(vec![arrow_buffer::i256::MAX]).with_precision_and_scale(76, 0).unwrap();
    assert!(matches!(
        at("x", &arrow_of(Arc::new(wide)), Options::default()),
        Err(DataError::TooLarge { .. })
    ));
    // A null among the keys of a dictionary.
    let mut keys = PrimitiveDictionaryBuilder::<Int8Type, Int64Type>::new();
    keys.append_value(7);
    keys.append_value(9);
    keys.append_value(7);
    assert_eq!(minus(Arc::new(keys.finish())).values, Values::Narrow(vec![7, 9, 7]));
    keys.append_value(7);
    keys.append_null();
    let mut plain = Int32Builder::new();
    plain.append_value(1);
    plain.append_null();
    for column in [Arc::new(keys.finish()) as ArrayRef, Arc::new(plain.finish())] {
        let error = at("x", &arrow_of(column), Options::default()).unwrap_err();
        assert!(matches!(&error, DataError::Null { place } if place.row == 1), "{error}");
    }
}

/// A structure of Thrift's compact encoding: numbers, then structures of numbers.
fn structure(numbers: &[(u8, i64)], inner: &[(u8, &[(u8, i64)])]) -> Vec<u8> {
    let number = |bytes: &mut Vec<u8>, value: i64| {
        let mut left = (value << 1 ^ value >> 63) as u64;
        while left > 0x7f {
            bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        bytes.push(left as u8);
    };
    let mut bytes = Vec::new();
    for &(id, value) in numbers {
        // Not a step from the field before, but by its own number.
        bytes.extend([6, id << 1]);
        number(&mut bytes, value);
    }
    for (id, fields) in inner {
        bytes.extend([12, id << 1]);
        bytes.extend(structure(fields, &[]));
    }
    bytes.push(0);
    bytes
}

fn first_page(bytes: Vec<u8>) -> Result<String, DataError> {
    let blocks = Arc::new(Blocks::of_bytes(bytes));
    let part = Part { what: "a page", limit: 1000 };
    let end = blocks.length();
    let mut pages = Pages { blocks, at: 0, end, codec: codec::Codec::Plain, part, width: 4, nullable: true };
    match ::parquet::column::page::PageReader::get_next_page(&mut pages) {
        Ok(page) => Ok(format!("{page:?}")),
        Err(::parquet::errors::ParquetError::External(e)) => Err(*e.downcast().unwrap()),
        Err(e) => panic!("{e}"),
    }
}

/// Every length in a page's header is checked before anything is allocated by it.
#[test]
fn pages_with_false_counts_are_refused() {
    let data_page: &[(u8, i64)] = &[(1, 2), (2, 0), (3, 3), (4, 3)];
    let page = |kind, decoded, stored, structure_id, fields: &[(u8, i64)]| {
        let mut bytes = structure(&[(1, kind), (2, decoded), (3, stored)], &[(structure_id, fields)]);
        bytes.extend([1; 8]);
        first_page(bytes)
    };
    assert!(page(0, 8, 8, 5, data_page).unwrap().contains("num_values: 2"));
    for (decoded, stored) in [(1 << 31, 8), (1001, 8), (8, 1001)] {
        let error = page(0, decoded, stored, 5, data_page).unwrap_err();
        assert!(matches!(error, DataError::PartOverMemory { limit: 1000, .. }) && error.is_io(), "{error}");
    }
    for (kind, decoded, stored, id, fields) in [
        (0, 8, 9, 5, data_page),
        (0, 9, 8, 5, data_page),
        (0, -1, 8, 5, data_page),
        (0, 8, 8, 6, data_page),
        (7, 8, 8, 5, data_page),
        // A delta encoding of texts, levels of bits, and a negative number of values.
        (0, 8, 8, 5, &[(1, 2), (2, 7), (3, 3)]),
        (0, 8, 8, 5, &[(1, 2), (2, 0), (3, 4)]),
        (0, 8, 8, 5, &[(1, -2), (2, 0), (3, 3)]),
        // A dictionary of three values in eight bytes.
        (2, 8, 8, 7, &[(1, 3), (2, 0)]),
        (2, 8, 8, 7, &[(1, 2), (2, 8)]),
        (3, 8, 8, 8, &[(1, 2), (2, 0), (3, 2), (4, 0), (5, 9), (6, 0)]),
        (3, 8, 8, 8, &[(1, 2), (2, 0), (3, 2), (4, 0), (5, 0), (6, 1)]),
    ] {
        let error = page(kind, decoded, stored, id, fields).unwrap_err();
        assert!(
            matches!(error, DataError::Columnar { .. }),
            "{kind} {decoded} {stored} {id} {fields:?}: {error}"
        );
    }
    assert!(page(2, 8, 8, 7, &[(1, 2), (2, 0)]).unwrap().contains("DictionaryPage"));
    let error = page(2, 8, 8, 7, &[(1, 1 << 30), (2, 0)]).unwrap_err();
    assert!(matches!(error, DataError::PartOverMemory { .. }), "{error}");
    let mut summed = structure(&[(1, 0), (2, 8), (3, 8), (4, 12345)], &[(5, data_page)]);
    summed.extend([1; 8]);
    assert!(first_page(summed).unwrap_err().to_string().contains("checksum"));
}

/// A schema deeper than any, or with more members than elements, is refused before it is decoded.
#[test]
fn schemas_with_false_counts_are_refused() {
    let metadata = |members: &[i64]| {
        let mut bytes = vec![0x15, 2, 0x19];
        bytes.extend([0xfc, members.len() as u8 | 0x80, (members.len() >> 7) as u8]);
        for &members in members {
            bytes.extend(structure(&[(5, members)], &[]));
        }
        bytes.push(0);
        bytes
    };
    let nested = |depth: usize| metadata(&[vec![1; depth], vec![0]].concat());
    assert!(schema::check(&metadata(&[2, 0, 1, 0]), 64, u64::MAX).is_some());
    assert!(schema::check(&nested(64), 64, u64::MAX).is_some());
    assert!(schema::check(&nested(65), 64, u64::MAX).is_none());
    assert!(schema::check(&nested(10_000), 64, u64::MAX).is_none());
    for members in [&[5, 0][..], &[-1, 0], &[i64::MAX]] {
        assert!(schema::check(&metadata(members), 64, u64::MAX).is_none(), "{members:?}");
    }
}

/// A number of Thrift's compact encoding.
fn varint(number: i64) -> Vec<u8> {
    let mut left = (number << 1 ^ number >> 63) as u64;
    let mut bytes = Vec::new();
    while left > 0x7f {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
    bytes
}

/// A list of so many structures, which are these bytes.
fn list(count: usize, structures: &[u8]) -> Vec<u8> {
    let count = [count as u8 | 0x80, (count >> 7) as u8];
    [&[0xfc][..], &count, structures].concat()
}

/// Fields behind a schema: no rows, in no groups.
const NO_ROWS: &[u8] = &[0x16, 0, 0x19, 0x0c, 0];
/// A schema of a root alone, as field 2 by its own number, and what follows.
const HARMLESS: &[u8] = &[0x09, 4, 0x1c, 0x48, 1, b'm', 0, 0x16, 0, 0x19, 0x0c, 0];

/// Metadata with nested groups, which the decoder sees, in places where they do not look like a schema. Groups have so many
/// members.
fn hidden_schemas(depth: usize, members: i64) -> [Vec<u8>; 7] {
    let leaf = [0x15, 2, 0x25, 0, 0x18, 1, b'l', 0];
    let with = |group: Vec<u8>| list(depth + 1, &[group.repeat(depth), leaf.to_vec()].concat());
    let groups = |head: &[u8]| with([head, &varint(members), &[0]].concat());
    let plain = groups(&[0x35, 0, 0x18, 1, b'g', 0x15]);
    let by_number = groups(&[&[0x35, 0, 0x18, 1, b'g', 0x05][..], &varint(65_541)].concat());
    // The number of members within a text, as long as a repetition may be, and within a list of booleans, none of which the
    // decoder skips.
    let in_text = [&[0x25][..], &varint(members)].concat();
    let text = [&[0x38, in_text.len() as u8][..], &in_text, &[0x08, 8, 1, b'g', 0]].concat();
    let in_repetition = with(text);
    let inner = [&[0x05, 10][..], &varint(members)].concat();
    let length = inner.len() as u8;
    let in_list = with([&[0x35, 0, 0x18, 1, b'g', 0x79, length << 4 | 2][..], &inner, &[0]].concat());
    let version: &[u8] = &[0x15, 2];
    let in_version = [&[0x19][..], &plain, NO_ROWS].concat();
    let mut text = vec![0x18];
    text.extend([
        in_version.len() as u8 | 0x80,
        (in_version.len() >> 7) as u8 | 0x80,
        (in_version.len() >> 14) as u8,
    ]);
    [
        [version, &[0x19], &plain, NO_ROWS].concat(),
        [version, &[0x1a], &plain, HARMLESS].concat(),
        [version, &[0x09], &varint(65_538), &plain, HARMLESS].concat(),
        [version, &[0x19], &by_number, NO_ROWS].concat(),
        [version, &[0x19], &in_repetition, NO_ROWS].concat(),
        [version, &[0x19], &in_list, NO_ROWS].concat(),
        [&text, &in_version, &[0x19, 0x1c, 0x48, 1, b'm', 0][..], NO_ROWS].concat(),
    ]
}

/// The decoder knows a field by 16 bits of its number, whatever kind it says it is: what it sees is what is checked.
#[test]
fn schemas_cannot_hide() {
    for (i, metadata) in hidden_schemas(65, 1).iter().enumerate() {
        let decoded = ::parquet::file::metadata::ParquetMetaDataReader::decode_metadata(metadata);
        let decoded = decoded.unwrap_or_else(|e| panic!("{i}: {e}"));
        assert_eq!(decoded.file_metadata().schema_descr().column(0).path().parts().len(), 65, "{i}");
    }
    let bombs = [(65, 1), (10_000, 1), (1, i32::MAX.into()), (1, 1 << 32 | 1)];
    let seen: Vec<_> = bombs
        .into_iter()
        .flat_map(|(depth, members)| {
            let schemas = hidden_schemas(depth, members).into_iter().enumerate();
            schemas
                .filter(|(_, metadata)| schema::check(metadata, 64, u64::MAX).is_some())
                .map(move |(i, _)| (depth, members, i))
        })
        .collect();
    assert!(seen.is_empty(), "depth, members and place of schemas that pass: {seen:?}");
}

/// The file says how many rows it has in three places, which agree.
#[test]
fn the_rows_are_as_many_as_the_file_says() {
    let file = parquet_of("message m { REQUIRED INT32 a; }", &[vec![1, 2], vec![3]]);
    assert_eq!(at("x", &file, Options::default()).unwrap().rows(), 3);
    // The number of rows, and a list of two groups.
    let said = [0x16, 6, 0x19, 0x2c];
    let places: Vec<_> = (0..file.len()).filter(|&at| file[at..].starts_with(&said)).collect();
    let [place] = places[..] else { panic!("{places:?}") };
    for rows in [0, 2, 8, 7] {
        let mut changed = file.clone();
        changed[place + 1] = rows;
        let Err(error) = at("x", &changed, Options::default()) else { panic!("{rows}") };
        assert!(error.to_string().contains("another number of rows than it says"), "{error}");
    }
}

/// Any damage gives a column or an error; the process never ends of it.
#[test]
fn fuzz_damaged_files_are_errors() {
    let seconds = std::env::var("TENFOLD_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2u64);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
    let columns =
        ["snappy", "gzip", "zstd", "lz4", "brotli", "plain", "price", "big", "flag", "kinds", "gap", "ratio"];
    let limits = Limits { max_bytes: 32 << 20 };
    let (mut state, mut tried, mut refused, mut panicked) = (0x9e37_79b9_7f4a_7c15u64, 0, 0, 0);
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below
    };
    while std::time::Instant::now() < until {
        let (format, file) = match random(3) {
            0 => (Format::Arrow, LZ4),
            n => (Format::Parquet, WRITTEN[n - 1].1),
        };
        let mut bytes = file.to_vec();
        for _ in 0..=random(4) {
            // The index at the end, the headers of pages, and anything.
            let place = if random(2) == 0 { bytes.len() - 1 - random(2000) } else { random(bytes.len()) };
            bytes[place] = [0, 0x7f, 0xff, random(256) as u8][random(4)];
        }
        let options = Options { format, limits, scale: Some(3), ..options(columns[random(columns.len())]) };
        let read = decoded(&Arc::new(Blocks::of_bytes(bytes)), &options);
        tried += 1;
        refused += u64::from(read.is_err());
        panicked += u64::from(read.is_err_and(|e| e.to_string().contains("gave up")));
    }
    println!("{tried} damaged files, {refused} refused, {panicked} of them by a panic of the decoder");
    assert!(tried > 100 && refused > tried / 10);
}
