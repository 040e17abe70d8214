//! Shards of data that are not held in memory: those of data that are.

use super::bench::{Bench, FIVE};

/// All files of a folder.
fn files(bench: &Bench, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(bench.path(folder)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), bench.read(&format!("{folder}/{name}")))).collect()
}

/// A NPY file of 64-bit integers.
fn npy(rows: impl Iterator<Item = i64>) -> Vec<u8> {
    let rows: Vec<u8> = rows.flat_map(i64::to_le_bytes).collect();
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}\n", rows.len() / 8);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes.extend(rows);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Standard input is held in memory, and has the name `stdin`, as the file that is read twice.
#[test]
fn shards_of_data_that_are_not_held_are_the_same() {
    let bench = Bench::new(FIVE);
    // The sum takes a larger field than the rows; digits after the point are found late.
    let rows: String = (0..3000).map(|i| format!("x,{}\n", i64::from(i - 7) * 1_000_003)).collect();
    let csv = format!("id,price\n{rows}\"y\",-0.125\n").into_bytes();
    let bytes: Vec<u8> = (0..70_001u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
    let json = format!("[{}4, -3e2]", "1, 2.5, ".repeat(20)).into_bytes();
    let lines = "{\"a\": 1}\n{\"a\": 0.25}\n".repeat(20).into_bytes();
    let column = ["--format", "csv", "-c", "price"];
    let inputs: [(&[u8], &[&str]); 11] = [
        (&csv, &column),
        (&gzip(&csv), &column),
        (&csv, &["--format", "csv", "-c", "price", "--field", "bn254", "--scale", "4", "--columns", "ranks"]),
        (&csv, &["--format", "csv", "-c", "price", "--hiding", "2"]),
        (&npy((0..1 << 10).map(|i| i * i - 99)), &[]),
        (&npy((0..1000).map(|i| i << 40)), &["--field", "mersenne61"]),
        (&json, &["--format", "json"]),
        (&lines, &["--format", "jsonl"]),
        (&bytes, &["--raw-bytes"]),
        (&bytes, &["--scheme", "ligerito"]),
        (&bytes[..5000], &["--scheme", "air"]),
    ];
    for (number, (content, options)) in inputs.into_iter().enumerate() {
        let [held, streamed] = [format!("held{number}"), format!("streamed{number}")];
        let by = ["--ranks", "2", "--bits", "100", "-d"];
        let on = |file, folder| [&["cluster", "shard", file][..], options, &by, &[folder]].concat();
        let ran = bench.fed(content, &on("-", &held));
        ran.is(0, &["note: - is held in memory as a whole: standard input is read once", "split:"]);
        bench.write("stdin", content);
        let ran = bench.ok(&on("stdin", &streamed));
        assert!(!ran.err.contains("held in memory"), "{ran:?}");
        let [held, streamed] = [&held, &streamed].map(|folder| files(&bench, folder));
        assert!(held.len() == 3 && held == streamed, "{options:?}");
    }
}

/// More rows than the memory holds: what one machine refuses is split, from whatever format has its rows in their order.
#[test]
fn data_larger_than_the_memory_are_split() {
    let bench = Bench::new(FIVE);
    bench.write("rows.npy", &npy(0..1 << 17));
    bench.write("bytes", &[0; 1 << 20]);
    let limit = ["--bits", "100", "--max-memory", "256KiB"];
    bench.run(&[&["commit", "rows.npy", "-o", "c"][..], &limit].concat()).is(4, &["256.0 KiB"]);
    for (file, options) in [("rows.npy", &[][..]), ("bytes", &["--scheme", "ligerito"])] {
        let shard = [&["cluster", "shard", file, "--ranks", "4"][..], options, &limit].concat();
        bench.ok(&shard);
        // From a pipe they would have to be held.
        let name = format!("{file}.held");
        let piped = [&["cluster", "shard", "-", "-d", &name][..], options, &limit].concat();
        bench.fed(&bench.read(file), &piped).is(4, &["error:", "KiB", "hint: raise `--max-memory`"]);
        assert!(!bench.path(&name).exists());
    }
    let prove = ["cluster", "prove", "--shards", "rows.shards", "--bits", "100", "--row", "77"];
    let proved = bench.ok(&[&prove[..], &["-o", "p", "--commitment", "c"]].concat());
    assert!(proved.err.contains("row 77 of rows.npy is 77"), "{proved:?}");
}

/// What is refused is refused as where it is held, and leaves no folder.
#[test]
fn rows_that_are_not_held_are_refused_with_their_place() {
    let bench = Bench::new(FIVE);
    bench.write("wide.csv", b"price\n1\n-99999999999\n2\n");
    bench.write("text.csv", b"price\n1\n2\nx\n");
    bench.write("none.csv", b"price\n");
    let shard = |file: &str, options: &[&str]| {
        bench.run(&[&["cluster", "shard", file, "-c", "price", "--bits", "100"][..], options].concat())
    };
    shard("wide.csv", &["--field", "koalabear"])
        .is(2, &["row 1: -99999999999 does not fit koalabear", "hint:"]);
    shard("text.csv", &[]).is(2, &["row 2 (line 4), column `price`: `x` is not a number"]);
    shard("none.csv", &[]).is(2, &["there are no rows"]);
    shard("missing.csv", &[]).is(4, &["missing.csv"]);
    shard("data.csv", &["--entries", "bits"]).is(2, &["error:", "hint:"]);
    for folder in ["wide.shards", "text.shards", "none.shards", "missing.shards", "data.shards"] {
        assert!(!bench.path(folder).exists(), "{folder}");
    }
    #[cfg(unix)]
    {
        let piped = "mkfifo pipe; cat data.csv >pipe & $TENFOLD cluster shard pipe --ranks 2 --format csv -c price --bits 100";
        bench.shell(piped).is(0, &["it is no plain file, and is read once"]);
    }
}
