//! What is read as what: formats by content, compression, standard input, and what is refused.

use crate::bench::{Bench, FIVE};
use std::io::Write;

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Bytes that are no text and no format that is known.
const BINARY: &[u8] = b"\x7fELF\x02\x01\x01\0 and so on";

/// A header that the delimiter leaves in one cell names the delimiter that is in it.
#[test]
fn another_delimiter_in_the_header_is_named() {
    let bench = Bench::new(FIVE);
    bench.write("semicolons.csv", FIVE.replace(',', ";").as_bytes());
    bench.run(&["data", "semicolons.csv", "-c", "price"]).is(2, &["has `;` in it", "`--delimiter ';'`"]);
    bench
        .run(&["data", "data.csv", "-c", "price", "--delimiter", ";"])
        .is(2, &["has `,` in it", "`--delimiter ','`"]);
    bench.write("quoted.csv", b"\"a,b\"\n1\n");
    bench.ok(&["data", "quoted.csv"]);
}

#[test]
fn binary_data_is_committed_to_byte_by_byte() {
    let bench = Bench::new(FIVE);
    bench.write("program", BINARY);
    let committed = bench.json(&["commit", "program", "--bits", "100"]);
    assert_eq!((committed["entries"].as_str(), committed["rows"].as_u64()), (Some("byte"), Some(18)));
    let open = ["open", "program", "--commitment", "program.commitment", "--row", "1"];
    bench.run(&open).is(0, &["byte 1 of program is 0x45 (69)"]);
    bench.ok(&["verify", "program.proof", "--commitment", "program.commitment"]);
    // The other scheme packs bytes into numbers, if it is asked for by name.
    let packed = bench.json(&["commit", "program", "--scheme", "pip", "--field", "koalabear", "-o", "p"]);
    assert_eq!((packed["field"].as_str(), packed["rows"].as_u64()), (Some("koalabear5"), Some(6)));
    bench
        .run(&["open", "program", "--commitment", "p", "--row", "5", "-o", "x"])
        .is(0, &["row 5 of program"]);
    // What only numbers have is refused with the way out.
    bench.run(&["commit", "program", "--hiding", "1"]).is(2, &["nothing hides", "hint:", "--scheme pip"]);
    bench.run(&["commit", "program", "--field", "bn254"]).is(2, &["--field", "hint:"]);
    bench.run(&["commit", "program", "-c", "x"]).is(2, &["bytes that no text has", "hint:", "--raw-bytes"]);
}

#[test]
fn structures_that_are_not_read_are_named_and_refused() {
    let bench = Bench::new(FIVE);
    for (name, content, says) in [
        ("x.npz", &b"PK\x03\x04\x14\0\0\0"[..], "zip"),
        ("x.npy", b"PK\x03\x04\x14\0\0\0", "unzip x.npz y.npy"),
        ("x.parquet", b"PAR1\x15\x04", "Parquet"),
        ("x.feather", b"ARROW1\0\0", "Arrow"),
        #[cfg(not(feature = "columnar"))]
        ("x.csv", b"PAR1\x15\x04", "--features columnar"),
        ("x.csv", b"SQLite format 3\0", "SQLite"),
        ("x.bin", b"\x89HDF\r\n\x1a\n", "HDF5"),
        ("x.csv.bz2", b"BZh91AY&SY", "bzip2"),
        ("x.csv.xz", b"\xfd7zXZ\0\0", "xz"),
        ("LICENSE", b"some words\nand more\n", "neither CSV nor JSON"),
        ("numbers.txt", b"price\n1\n", "neither CSV nor JSON"),
        ("wide.csv", b"\xff\xfep\0r\0\n\0", "UTF-16"),
    ] {
        bench.write(name, content);
        for command in ["commit", "data", "compare"] {
            bench.run(&[command, name]).is(2, &["error:", says, "hint:"]);
        }
        bench.run(&["commit", name, "--raw-bytes", "--bits", "100", "-o", "c"]).is(0, &["committed:"]);
        bench.run(&["open", name, "--commitment", "c", "--row", "2", "-o", "p"]).is(0, &["byte 2 of"]);
    }
    bench.ok(&["commit", "LICENSE", "--scheme", "ligerito", "-o", "named"]);
    let conflicting = bench.run(&["commit", "data.csv", "--raw-bytes", "-c", "price"]);
    conflicting.is(2, &["--raw-bytes", "cannot be used with"]);
}

/// A compressed file has the commitment of what is inside, and either opens it.
#[test]
fn compression_is_seen_through() {
    let bench = Bench::new(FIVE);
    bench.write("data.csv.gz", &gzip(FIVE.as_bytes()));
    bench.write("data.csv.zst", &zstd(FIVE.as_bytes()));
    let commit = |file: &str, name: &str| {
        bench.ok(&["commit", file, "-c", "price", "--bits", "100", "-o", name]);
        bench.read(name)
    };
    let plain = commit("data.csv", "plain");
    assert!(plain == commit("data.csv.gz", "c") && plain == commit("data.csv.zst", "c"));
    let opened = bench.run(&["open", "data.csv.gz", "-c", "price", "--commitment", "plain", "--row", "2"]);
    opened.is(0, &["row 2 of price is 30.25"]);
    // Bytes too, unless they are asked for as they stand.
    bench.write("program", BINARY);
    bench.write("program.gz", &gzip(BINARY));
    bench.ok(&["commit", "program.gz", "-o", "inside"]);
    bench.ok(&["commit", "program", "-o", "outside"]);
    assert_eq!(bench.read("inside"), bench.read("outside"));
    for file in ["program", "program.gz"] {
        let opened = bench.run(&["open", file, "--commitment", "inside", "--row", "1", "-o", "x"]);
        opened.is(0, &["byte 1 of program is 0x45"]);
    }
    bench.ok(&["commit", "program.gz", "--raw-bytes", "-o", "stands"]);
    let opened = bench.run(&["open", "program.gz", "--commitment", "stands", "--row", "1", "-o", "x"]);
    opened.is(0, &["byte 1 of program.gz is 0x8b"]);
    // Damage is an error of the file, not of the machine.
    let whole = gzip(FIVE.as_bytes());
    for (name, bytes) in [
        ("cut.csv.gz", whole[..whole.len() - 3].to_vec()),
        ("more.csv.gz", [&whole[..], b"garbage"].concat()),
        ("cut.csv.zst", zstd(FIVE.as_bytes())[..20].to_vec()),
    ] {
        bench.write(name, &bytes);
        bench.run(&["commit", name, "-c", "price"]).is(2, &["damaged", "hint:"]);
    }
}

#[test]
fn json_lines_are_a_column() {
    let bench = Bench::new(FIVE);
    bench.write("x.jsonl", b"{\"price\": 10.5, \"n\": 1}\n{\"n\": 2, \"price\": -3}\n");
    bench.ok(&["commit", "x.jsonl", "-c", "price", "-o", "c"]);
    let open = ["open", "x.jsonl", "-c", "price", "--commitment", "c", "--row", "1", "--sum", "-o", "p"];
    bench.run(&open).is(0, &["row 1 of price is -3.0", "sum of all 2 rows of price is 7.5"]);
    bench.run(&["commit", "x.jsonl"]).is(2, &["name one: `price`, `n`", "hint:"]);
    bench.write("n.ndjson", b"1\n2\nthree\n");
    bench.run(&["commit", "n.ndjson"]).is(2, &["line 3", "`three` is not a number"]);
}

/// Digits that make up for a long exponent: the number is what it says, or refused.
#[test]
fn numbers_of_a_thousand_digits_are_exact() {
    let bench = Bench::new(FIVE);
    let zeros = "0".repeat(998);
    for name in ["x.csv", "x.jsonl"] {
        let header = if name == "x.csv" { "a\n" } else { "" };
        bench.write(name, format!("{header}0.{zeros}1e1001\n").as_bytes());
        assert!(bench.ok(&["data", name]).out.contains("range        100 to 100"));
        bench.write(name, format!("{header}0.{zeros}1e5000\n").as_bytes());
        bench.run(&["data", name]).is(2, &["is too large"]);
    }
}

/// A row that vanishes would shift those behind it.
#[test]
fn a_blank_line_is_no_row() {
    let bench = Bench::new(FIVE);
    for (content, line) in [("a\n1\n\n3\n", 3), ("a\n1\n\n", 3), ("\na\n1\n", 1)] {
        bench.write("x.csv", content.as_bytes());
        bench.run(&["commit", "x.csv"]).is(2, &[&format!("line {line} is blank"), "hint:"]);
    }
    bench.write("x.csv", b"a\n1\n2");
    bench.ok(&["data", "x.csv"]);
}

#[test]
fn a_dash_is_standard_input() {
    let bench = Bench::committed(FIVE, &["--bits", "100"]);
    let column = ["-c", "price", "--bits", "100"];
    bench.fed(FIVE.as_bytes(), &[&["commit", "-", "-o", "c"], &column[..]].concat()).is(0, &["5 rows"]);
    assert_eq!(bench.read("c"), bench.read("data.commitment"));
    let open =
        ["open", "-", "-c", "price", "--commitment", "c", "--row", "1", "-o", "p", "--min-bits", "100"];
    bench.fed(&gzip(FIVE.as_bytes()), &open).is(0, &["row 1 of price is -5.75"]);
    bench
        .fed(&bench.read("p"), &["verify", "-", "--commitment", "c", "--min-bits", "100"])
        .is(0, &["row 1 of price is -5.75"]);
    bench
        .fed(&bench.read("c"), &["verify", "p", "--commitment", "-", "--min-bits", "100"])
        .is(0, &["valid:"]);
    assert!(bench.fed(&bench.read("p"), &["inspect", "-"]).out.contains("magic TNFD"));
    assert!(bench.fed(FIVE.as_bytes(), &["data", "-", "-c", "price"]).out.contains("131.00"));
    bench.fed(b"1\n2\n", &["commit", "-", "--bits", "100"]).is(0, &["2 rows of stdin", "stdin.commitment"]);
    // Bytes have no length beforehand.
    bench.write("program", BINARY);
    bench.ok(&["commit", "program", "-o", "c"]);
    bench
        .fed(BINARY, &["open", "-", "--commitment", "c", "--row", "1", "--min-bits", "100"])
        .is(0, &["byte 1 of program", "c.proof"]);
    bench.fed(BINARY, &["commit", "-", "--scheme", "ligerito", "-o", "c"]).is(0, &["18 bytes of stdin"]);
    bench
        .fed(&bench.read("p"), &["verify", "-", "--commitment", "-", "--min-bits", "100"])
        .is(2, &["read already", "hint:"]);
    bench.fed(b"", &["commit", "-"]).is(2, &["the file is empty"]);
}

/// Readers stop at the limit: a child with a bounded address space ends with an error of ours, and is not killed.
#[cfg(target_os = "linux")]
#[test]
fn readers_hold_the_memory_limit() {
    let bench = Bench::new(FIVE);
    bench.write("bomb.csv.gz", &gzip(&[b"a\n".to_vec(), vec![b'1'; 50 << 20]].concat()));
    bench.write("bomb.gz", &gzip(&vec![200; 200 << 20]));
    let limited = |from: &str, args: &str| {
        bench.shell(&format!("ulimit -v 1000000; {from} $TENFOLD {args} --threads 2 --max-memory 64MiB"))
    };
    let endless = "yes x | tr -d '\\n' |";
    let long = [&["record at line 1 is longer than"][..], &["hint:"]].concat();
    limited(endless, "data - --format csv").is(2, &long);
    limited(endless, "data - --format jsonl").is(2, &long);
    limited(endless, "data - --format json").is(2, &["`[` expected"]);
    limited("yes ',' | tr -d '\\n' |", "data - --format csv").is(2, &long);
    limited("{ printf '['; yes 1, ; } |", "data - --format json").is(4, &["more than the limit of 64.0 MiB"]);
    limited("yes 1 |", "data - --format csv --no-header").is(4, &["more than the limit of 64.0 MiB"]);
    limited("yes 1 |", "data - --format jsonl").is(4, &["more than the limit of 64.0 MiB"]);
    limited("", "data bomb.csv.gz").is(2, &["record at line 2 is longer than"]);
    for from in ["cat /dev/zero |", "yes |"] {
        limited(from, "commit - --raw-bytes -o c").is(4, &["longer than 32.0 MiB", "hint:", "--max-memory"]);
        limited(from, "commit - --scheme pip --raw-bytes -o c").is(4, &["more than the limit of 64.0 MiB"]);
    }
    limited("", "commit bomb.gz -o c").is(4, &["longer than 32.0 MiB", "hint:", "--max-memory"]);
    limited("", "commit /dev/zero --raw-bytes -o c").is(4, &["longer than 32.0 MiB"]);
}

/// An option that would change nothing is refused, not ignored.
#[test]
fn options_that_have_no_effect_are_refused() {
    let bench = Bench::new(FIVE);
    bench.write("numbers.json", b"[1,2,3]");
    bench.write("any.bin", &[200; 60]);
    let missing = "required arguments were not provided";
    let table: &[(&[&str], &str)] = &[
        (&["data", "any.bin", "--scale", "2"], "--scale is about columns of numbers"),
        (&["data", "any.bin", "--delimiter", ";"], "--delimiter is about columns of numbers"),
        (&["data", "numbers.json", "--delimiter", ";"], "a delimiter was asked for, which CSV files have"),
        (&["data", "numbers.json", "--delimiter", ","], "a delimiter was asked for, which CSV files have"),
        (&["commit", "numbers.json", "--no-header"], "a first row that holds data was asked for"),
        (&["commit", "any.bin", "--scheme", "pip", "--scale", "2"], "digits after the point were asked for"),
        (&["commit", "any.bin", "--field", "koalabear"], "--field is for columns of numbers"),
        (&["commit", "any.bin", "--inner", "chain"], "--inner is for columns of numbers"),
        (&["commit", "data.csv", "-c", "price", "--over", "gf128"], "--over is about files of bytes"),
        (&["tour", "data.csv", "-c", "price", "--entries", "bits"], "--entries is about files of bytes"),
        (
            &["compare", "any.bin", "--scheme", "ligerito", "--field", "koalabear"],
            "--field is about schemes over prime fields",
        ),
        (&["params", "--force"], missing),
        (&["params", "search", "--force"], missing),
        (&["compare", "data.csv", "-c", "price", "--force"], missing),
        #[cfg(feature = "cluster")]
        (&["cluster", "bench", "--force"], missing),
        #[cfg(feature = "fleet")]
        (&["fleet", "status", "--queue", "q", "--force"], missing),
        #[cfg(feature = "fleet")]
        (&["fleet", "worker", "--queue", "q", "--blobs", "b"], "--blobs is about queues on servers"),
    ];
    for (args, said) in table {
        bench.run(args).is(2, &[said]);
    }
    bench.run(&["commit", "data.csv", "-c", "price", "--weights-no-header"]).is(2, &["unexpected argument"]);
    let weights = ["--weights", "numbers.json", "--weights-no-header", "--commitment", "c", "-o", "p"];
    bench.ok(&["commit", "data.csv", "-c", "price", "-o", "c"]);
    let open = [&["open", "data.csv", "-c", "price"][..], &weights].concat();
    bench.run(&open).is(2, &["weights: a first row that holds data", "leave `--weights-delimiter`"]);
}

/// The cause of a value that is too large is named: the field, the decimals where there are any, else the unit.
#[test]
fn values_that_are_too_large_are_told_what_helps() {
    let bench = Bench::new(FIVE);
    let huge = "99999999999999999999999999999999999999";
    bench.write("huge.csv", format!("v\n{huge}99\n").as_bytes());
    bench.write("fine.csv", format!("v\n{huge}\n0.5\n").as_bytes());
    bench.write("large.csv", b"v\n9999999999\n");
    bench.write("cents.csv", b"v\n99999999.99\n");
    bench.write("sum.csv", b"v\n170141183460469231731687303715884105727\n1\n");
    let without = |args: &[&str], said: &[&str]| {
        let ran = bench.run(args);
        ran.is(2, said);
        assert!(!ran.err.contains("--scale"), "{ran:?}");
    };
    without(&["commit", "huge.csv"], &["too large", "in larger units, such as thousands"]);
    bench
        .run(&["commit", "fine.csv"])
        .is(2, &["too large", "round the column to fewer decimals", "`--scale`"]);
    let koalabear = |name| ["commit", name, "--field", "koalabear"];
    without(&koalabear("large.csv"), &["does not fit koalabear", "goldilocks", "larger units"]);
    bench.run(&koalabear("cents.csv")).is(2, &["does not fit koalabear", "fewer decimals"]);
    let goldilocks = ["commit", "huge.csv", "--field", "goldilocks"];
    without(&goldilocks, &["too large"]);
    without(&["commit", "sum.csv"], &["127 bits", "larger units", "--field bn254"]);
    bench.ok(&["commit", "sum.csv", "--field", "bn254", "-o", "c"]);
    without(
        &["open", "sum.csv", "--commitment", "c", "--sum"],
        &["the sum of v does not fit 127 bits", "larger units"],
    );
}

/// Files that are none of ours are named, and empty ones are said to be empty.
#[test]
fn files_that_are_not_ours_are_named() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    bench.write("empty", b"");
    let of = |name| ["--commitment", name];
    for (name, said) in [("empty", "empty: the file is empty"), ("data.csv", "data.csv: not a Tenfold file")]
    {
        bench.run(&["inspect", name]).is(2, &[said, "hint:"]);
        bench.run(&[&["verify", name][..], &of("data.commitment")].concat()).is(2, &[said, "hint:"]);
        bench.run(&[&["verify", "data.proof"][..], &of(name)].concat()).is(2, &[said, "hint:"]);
    }
}

/// One row is no rows.
#[test]
fn one_row_is_counted_as_one() {
    let bench = Bench::new("v\n5\n");
    bench.run(&["commit", "data.csv"]).is(0, &["committed: 1 row of v"]);
    bench.write("ragged.csv", b"a,b\n1,2\n3\n");
    bench.run(&["data", "ragged.csv", "-c", "a"]).is(2, &["has 1 cell, the rows before it have 2"]);
}
