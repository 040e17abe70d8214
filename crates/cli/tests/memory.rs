//! What the command takes of memory for a file. The heap counter is one for the process, so this file holds a single test.

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// The exit code of a command, and the most bytes held at once.
fn ran(folder: &Path, args: &[&str]) -> (ExitCode, usize) {
    HEAP.reset_peak_memory();
    let args = args.iter().map(|arg| match arg.strip_prefix('@') {
        Some(name) => folder.join(name).into_os_string(),
        None => arg.into(),
    });
    let name = std::ffi::OsString::from("tenfold");
    let code = tenfold_cli::run([name, "--quiet".into()].into_iter().chain(args));
    (code, HEAP.get_peak_memory())
}

/// The most bytes held at once by a command that ends well.
fn peak(folder: &Path, args: &[&str]) -> usize {
    let (code, peak) = ran(folder, args);
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS), "{args:?}");
    peak
}

/// The most bytes held at once by a command that refuses its input.
fn refused(folder: &Path, args: &[&str]) -> usize {
    let (code, peak) = ran(folder, args);
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(2)), "{args:?}");
    peak
}

const MIB: usize = 1 << 20;

/// A file is committed with one block of the codeword, as long as it is, and a byte of it proved with the codeword, at rate 1/4
/// four times the file, and a quarter of it, within the limit that is given. The proof is read within its length.
#[test]
fn commands_take_what_they_need() {
    let folder = tempfile::tempdir().unwrap();
    a_file_takes_a_codeword_and_a_quarter(folder.path());
    a_proof_takes_twice_its_length(folder.path());
    what_is_behind_a_file_is_not_read(folder.path());
    no_reader_takes_more_than_the_limit(folder.path());
    weights_beyond_the_parameters_are_not_unpacked(folder.path());
    #[cfg(feature = "columnar")]
    columnar::files_hold_the_limit(folder.path());
}

fn a_file_takes_a_codeword_and_a_quarter(folder: &Path) {
    let bytes: Vec<u8> =
        (0..16 * MIB as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect();
    std::fs::write(folder.join("data"), &bytes).unwrap();
    drop(bytes);
    // Once for the process.
    let commit = ["--threads=2", "commit", "@data", "--scheme=ligerito", "--bits=100", "-o", "@c"];
    let committed = peak(folder, &commit);
    let limit = "--max-memory=80MiB";
    let open = ["open", "@data", "--commitment", "@c", "-o", "@p", "--row=77", "--min-bits=100", limit];
    let opened = peak(folder, &open);
    println!("{} MiB and {} MiB for 16 MiB", committed / MIB, opened / MIB);
    assert!(5 * committed <= 13 * 16 * MIB, "{committed} bytes for a commitment");
    assert!(opened <= 80 * MIB, "{opened} bytes for an opening");
}

fn a_proof_takes_twice_its_length(folder: &Path) {
    let length = std::fs::metadata(folder.join("p")).unwrap().len() as usize;
    let verified = peak(folder, &["verify", "@p", "--commitment", "@c", "--min-bits=100"]);
    println!("{verified} bytes to verify {length}");
    assert!(verified <= 2 * length + MIB, "{verified} bytes to verify {length}");
    let (code, _) = ran(folder, &["verify", "@p", "--self-contained", "--max-memory=100KiB"]);
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(4)));
}

/// A gigabyte in the place of every file that is read as a whole, and of a device without an end.
fn no_reader_takes_more_than_the_limit(folder: &Path) {
    peak(folder, &["ring", "keygen", "-o", "@key"]);
    peak(folder, &["ring", "commit", "@key.pub", "-o", "@x.ring"]);
    peak(folder, &["ring", "prove", "@x.ring", "--key", "@key", "--context", "x", "-o", "@x.sig"]);
    std::fs::write(folder.join("x.csv"), "a\n1\n2\n").unwrap();
    std::fs::File::create(folder.join("long")).unwrap().set_len(1 << 30).unwrap();
    for name in ["x.sig", "x.ring", "key.pub"] {
        let long = folder.join(format!("long-{name}"));
        std::fs::copy(folder.join(name), &long).unwrap();
        std::fs::OpenOptions::new().write(true).open(long).unwrap().set_len(1 << 30).unwrap();
    }
    for args in [
        &["ring", "batch-verify", "@long-x.sig", "--ring", "@x.commitment"][..],
        &["ring", "batch-verify", "@long", "--ring", "@x.commitment"],
        &["ring", "inspect", "@long-x.ring"],
        &["ring", "inspect", "/dev/zero"],
        &["ring", "add", "@long-x.ring", "@key.pub"],
        &["ring", "add", "@x.ring", "@long-key.pub"],
        &["ring", "add", "@x.ring", "@long"],
        &["ring", "add", "@x.ring", "--list", "@long"],
        &["ring", "add", "@x.ring", "--list", "/dev/zero"],
        &["ring", "add", "@x.ring", "@key.pub", "--srs", "@long"],
        &["ring", "verify", "@x.sig", "--ring", "@x.commitment", "--message-file", "@long"],
        &["commit", "@x.csv", "--params", "@long", "-o", "@y"],
        &["commit", "@x.csv", "--params", "/dev/zero", "-o", "@y"],
        &["verify", "@x.sig", "--commitment", "@long-x.ring"],
    ] {
        let (code, taken) = ran(folder, &[args, &["--max-memory=24MiB"]].concat());
        assert_ne!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS), "{args:?}");
        assert!(taken <= 24 * MIB, "{taken} bytes for {args:?}");
    }
}

/// A commitment of an adversary to 4 MiB, with parameters for some bytes: bits of as many weights are 256 MiB of elements.
fn weights_beyond_the_parameters_are_not_unpacked(folder: &Path) {
    use tenfold::CommitmentFile;
    use tenfold::statement::Description;
    std::fs::write(folder.join("few"), [7; 100]).unwrap();
    peak(folder, &["commit", "@few", "--scheme=ligerito", "--entries=bits", "--bits=100", "-o", "@few.c"]);
    let mut edited = CommitmentFile::from_bytes(&std::fs::read(folder.join("few.c")).unwrap()).unwrap();
    let Description::Bytes(bytes) = &mut edited.description else { panic!("a file of bytes") };
    bytes.length = 4 << 20;
    std::fs::write(folder.join("few.c"), edited.to_bytes()).unwrap();
    std::fs::write(folder.join("weights"), vec![1; 4 << 20]).unwrap();
    for data in [&["@few"][..], &["--witness", "@few"]] {
        let weights = ["--weights", "@weights", "-o", "@few.p", "--min-bits=100", "--max-memory=24MiB"];
        let taken = refused(folder, &[&["open", "--commitment", "@few.c"], data, &weights].concat());
        assert!(taken <= 24 * MIB, "{taken} bytes for {data:?}");
    }
}

/// Four gigabytes behind a proof, in a file and in a pipe, and in the place of a proof.
fn what_is_behind_a_file_is_not_read(folder: &Path) {
    let long = |name: &str, as_it_is: &str| {
        std::fs::copy(folder.join(as_it_is), folder.join(name)).unwrap();
        std::fs::OpenOptions::new().write(true).open(folder.join(name)).unwrap().set_len(4 << 30).unwrap();
    };
    long("long-proof", "p");
    long("long-commitment", "c");
    std::fs::File::create(folder.join("zeros")).unwrap().set_len(4 << 30).unwrap();
    let length = std::fs::metadata(folder.join("p")).unwrap().len() as usize;
    for args in [
        &["verify", "@long-proof", "--self-contained"][..],
        &["inspect", "@long-proof"],
        &["inspect", "@long-commitment"],
        &["verify", "@p", "--commitment", "@long-commitment", "--min-bits=100"],
        &["open", "@data", "--commitment", "@long-commitment", "-o", "@q", "--row=77"],
        &["verify", "@zeros", "--self-contained"],
    ] {
        let taken = refused(folder, args);
        assert!(taken <= 2 * length + MIB, "{taken} bytes for {args:?}");
    }
    // A header that says as much as follows it.
    let mut said = std::fs::read(folder.join("p")).unwrap();
    let params = u64::from_le_bytes(said[8..16].try_into().unwrap()) as usize;
    said[16 + params + 64..][..8].copy_from_slice(&(2u64 << 30).to_le_bytes());
    std::fs::write(folder.join("said"), &said).unwrap();
    let length_said = (16 + params + 72) as u64 + (2 << 30);
    let file = std::fs::OpenOptions::new().write(true).open(folder.join("said")).unwrap();
    file.set_len(length_said).unwrap();
    let taken = refused(folder, &["verify", "@said", "--self-contained"]);
    assert!(taken <= MIB, "{taken} bytes for a header that lies");
    #[cfg(unix)]
    {
        let pipe = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for name in ["long-proof", "said"] {
            let mut from = std::fs::File::open(folder.join(name)).unwrap();
            let to = pipe.clone();
            // Ends when nobody reads any more.
            let writer = std::thread::spawn(move || {
                let mut to = std::fs::OpenOptions::new().write(true).open(to).unwrap();
                std::io::copy(&mut from, &mut to).is_err()
            });
            let taken = refused(folder, &["verify", "@pipe", "--self-contained"]);
            assert!(taken <= 3 * length + MIB, "{taken} bytes for a pipe");
            assert!(writer.join().unwrap(), "all of the pipe was read");
        }
    }
}

#[cfg(feature = "columnar")]
mod columnar {
    use super::{HEAP, MIB, PeakMemAllocTrait};
    use std::path::Path;
    use std::sync::Arc;
    use tenfold_cli::data::{Column, DataError, Format, Limits, Options, Source, load};

    const LIMIT: usize = 16 * MIB;

    /// Reads a column within the limit, and the most bytes held at once.
    fn read(path: &Path, column: &str) -> (Result<Column, DataError>, usize) {
        HEAP.reset_peak_memory();
        let before = HEAP.get_peak_memory();
        let limits = Limits { max_bytes: LIMIT as u64, bytes_per_row: 24 };
        let options = Options { column: Some(column.into()), limits, ..Options::default() };
        let read = Source::open(path, |file, _| file).and_then(|source| {
            let format = source.format(Format::Auto, true)?;
            load(source, format, options)
        });
        (read, HEAP.get_peak_memory() - before)
    }

    /// No file takes more than there is: none that is damaged anywhere, and none of few bytes with many rows.
    pub fn files_hold_the_limit(folder: &Path) {
        let path = folder.join("columnar");
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
        std::fs::write(&path, zeros(1 << 20)).unwrap();
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
}
