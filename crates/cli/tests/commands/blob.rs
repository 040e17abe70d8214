//! Any file, byte by byte: the whole way with every kind of entry, and every refusal.

use super::bench::{Bench, FIVE, Ran};
use field::{ExtensionOf, Field};
use pcs::file::{File, Opening};
use pcs::ligerito::Params;
use pcs::with_binary_fields;
use serde_json::Value;
use tenfold::CommitmentFile;
use tenfold::statement::{BytesDescription, Description};

/// A real file of the repository, and the first bytes of it.
const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/seattle-hourly-normals.csv");

/// With `data.bin` of seventeen bytes and `data.commitment` to it.
fn committed(options: &[&str]) -> Bench {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    bench.ok(&[&["commit", "data.bin", "--scheme", "ligerito"], options].concat());
    bench
}

fn open(bench: &Bench, what: &[&str]) -> Ran {
    bench.run(&[&["open", "data.bin", "--commitment", "data.commitment"], what].concat())
}

/// Opens rows of the real file, and says what `verify` says of them.
fn of_real_file(options: &[&str], rows: &[u64]) -> Vec<String> {
    let bench = Bench::new(FIVE);
    bench.ok(&[&["commit", REAL, "--scheme", "ligerito", "-o", "c"], options].concat());
    let rows: Vec<String> = rows.iter().map(|row| format!("--row={row}")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    bench.ok(&[&["open", REAL, "--commitment", "c", "-o", "p"], &rows[..]].concat());
    let verified = bench.ok(&["verify", "p", "--commitment", "c"]);
    verified.err.lines().filter_map(|line| line.strip_prefix("valid: ")).map(str::to_owned).collect()
}

#[test]
fn every_entry_of_a_real_file() {
    let data = std::fs::read(REAL).unwrap();
    let name = "seattle-hourly-normals.csv";
    let last = data.len() as u64 - 1;
    for bits in ["100", "128"] {
        let byte = |row: u64| format!("byte {row} of {name} is {0:#04x} ({0})", data[row as usize]);
        let said = of_real_file(&["--bits", bits], &[0, 17, last]);
        assert_eq!(said, [byte(0), byte(17), byte(last)]);
        let bit = |row: u64| format!("bit {row} of {name} is {}", data[row as usize / 8] >> (row % 8) & 1);
        let said = of_real_file(&["--bits", bits, "--entries", "bits"], &[3, 4, 8 * last + 7]);
        assert_eq!(said, [bit(3), bit(4), bit(8 * last + 7)]);
        let word = |row: usize| u32::from_le_bytes(data[4 * row..4 * row + 4].try_into().unwrap());
        let word = |row: usize| format!("32-bit word {row} of {name} is {0:#010x} ({0})", word(row));
        let said = of_real_file(&["--bits", bits, "--entries", "words32"], &[0, 999]);
        assert_eq!(said, [word(0), word(999)]);
        let word = |row: usize| u64::from_le_bytes(data[8 * row..8 * row + 8].try_into().unwrap());
        let word = |row: usize| format!("64-bit word {row} of {name} is {0:#018x} ({0})", word(row));
        let said = of_real_file(&["--bits", bits, "--entries", "words64"], &[999]);
        assert_eq!(said, [word(999)]);
    }
}

#[test]
fn the_smallest_files_commit_too() {
    for length in [1, 2, 15, 16, 17, 33] {
        let bench = Bench::new(FIVE);
        let data: Vec<u8> = (0..length).map(|i| 200 - i).collect();
        bench.write("data.bin", &data);
        for entries in ["bytes", "words64"] {
            bench.ok(&["commit", "data.bin", "--scheme", "ligerito", "--entries", entries]);
            let opened = open(&bench, &["--row", "0"]);
            opened.is(
                0,
                &["proved:", if entries == "bytes" { "byte 0 of data.bin is 0xc8 (200)" } else { "c8" }],
            );
            bench.ok(&["verify", "data.proof", "--commitment", "data.commitment"]);
        }
    }
}

/// Seventeen bytes: the last word begins in the file and ends in its padding.
#[test]
fn padding_is_not_data() {
    let bench = committed(&[]);
    for row in ["17", "31", "32", "18446744073709551615"] {
        open(&bench, &["--row", row]).is(2, &[&format!("there is no row {row}"), "hint:", "from 0 to 16"]);
    }
    let bench = committed(&["--entries", "words32"]);
    let opened = open(&bench, &["--row", "4"]);
    opened.is(0, &["32-bit word 4 of data.bin is 0x00000021 (33), its highest 3 byte(s) being padding"]);
    open(&bench, &["--row", "5"]).is(2, &["there is no row 5", "from 0 to 4"]);
}

#[test]
fn points_and_every_output() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    let commit =
        bench.json(&["commit", "data.bin", "--scheme", "ligerito", "--bits", "100", "--hash", "sha256"]);
    assert_eq!((commit["rows"].as_u64(), commit["entries"].as_str()), (Some(17), Some("byte")));
    assert!(commit["proven_bits"].as_f64().unwrap() >= 100.0);
    // A point of zeros and ones is a row; seventeen bytes have five variables.
    open(&bench, &["--point", "1,0,0,0,0"]).is(0, &["byte 1 of data.bin is 0x6e (110)"]);
    open(&bench, &["--point", "2,255,0,0,3"]).is(
        0,
        &["the multilinear extension of the bytes of data.bin and its padding at (0x2, 0xff, 0x0, 0x0, 0x3)"],
    );
    open(&bench, &["--point", "1,2"]).is(2, &["2 coordinates", "5 variables", "hint:"]);
    let opened = bench.json(&["open", "data.bin", "--commitment", "data.commitment", "--row", "4"]);
    assert_eq!(opened["claims"][0], "byte 4 of data.bin is 0x62 (98)");
    let verified = bench.json(&["verify", "data.proof"]);
    let stated = &verified["stated"];
    assert_eq!((&verified["valid"], &verified["fingerprint"]), (&Value::Bool(true), &commit["fingerprint"]));
    assert_eq!(verified["commitment_compared"], false);
    for field in ["field", "rows", "entries", "data_bytes"] {
        assert!(stated[field] == commit[field] && !commit[field].is_null(), "{field}: {verified}");
    }
    let digest = blake3::hash(b"any bytes at all!").to_hex().to_string();
    assert_eq!(
        (stated["source_blake3"].as_str(), verified["claims"].clone()),
        (Some(&digest[..]), opened["claims"].clone())
    );
    let fingerprint = blake3::hash(&bench.read("data.commitment")).to_hex().to_string();
    assert_eq!(verified["fingerprint"], fingerprint);
    for name in ["data.commitment", "data.proof"] {
        bench.parts(name);
        assert!(bench.ok(&["inspect", name]).out.contains("magic TNFD"));
    }
}

#[test]
fn parameters_prove_what_they_say() {
    let bench = Bench::new(FIVE);
    for (bits, entries) in [("100", "bits"), ("128", "bytes"), ("128", "words64")] {
        for log_size in ["0", "4", "24"] {
            let args = [
                "params",
                "--scheme",
                "ligerito",
                "--bits",
                bits,
                "--entries",
                entries,
                "--log-size",
                log_size,
            ];
            let value = bench.json(&args);
            assert!(value["proven_bits"].as_f64().unwrap() >= bits.parse().unwrap(), "{bits} {log_size}");
            let least = 1u64 << log_size.parse::<u32>().unwrap();
            assert!((least..=least.max(16)).contains(&value["padded_bytes"].as_u64().unwrap()), "{value}");
        }
    }
    let text = bench.ok(&["params", "--scheme", "ligerito"]).out;
    assert!(text.contains("1.0 MiB, a row is a byte") && text.contains("final message"), "{text}");
    bench.run(&["params", "--scheme", "ligerito", "--hiding", "1"]).is(2, &["nothing hides", "hint:"]);
}

/// What only columns of numbers have is refused, with the way out.
#[test]
fn sums_hiding_and_columns_are_refused() {
    let bench = committed(&[]);
    for what in [&["--sum"][..], &["--mean"], &["--row", "1", "--sum"], &["--weights", "data.bin", "--sum"]] {
        open(&bench, what).is(2, &["characteristic two", "XOR", "hint:", "the default scheme"]);
    }
    open(&bench, &[]).is(2, &["nothing to prove", "hint:"]);
    open(&bench, &["--row", "1", "--secret", "x"]).is(2, &["does not hide", "hint:"]);
    open(&bench, &["--row", "1", "-c", "price"]).is(2, &["--column", "hint:"]);
    let many: Vec<String> = (0..17).map(|row| format!("--row={row}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    open(&bench, &many).is(2, &["one proof holds 16", "hint:"]);
    let commit =
        |options: &[&str]| bench.run(&[&["commit", "data.csv", "--scheme", "ligerito"], options].concat());
    commit(&["--hiding", "2"]).is(2, &["nothing hides", "hint:", "--scheme pip"]);
    commit(&["-c", "price"]).is(2, &["--column is about columns of numbers", "hint:"]);
    commit(&["--scale", "2"]).is(2, &["--scale is about columns of numbers", "hint:"]);
    commit(&["--delimiter", ";"]).is(2, &["--delimiter is about columns of numbers", "hint:"]);
    commit(&["--no-header"]).is(2, &["--no-header is about columns of numbers", "hint:"]);
    commit(&["--format", "csv"]).is(2, &["--format is about columns of numbers", "hint:"]);
    commit(&["--field", "goldilocks"]).is(2, &["--field is for columns of numbers", "hint:"]);
    for inner in ["recursion", "chain"] {
        commit(&["--inner", inner]).is(2, &["--inner is for columns of numbers", "hint:"]);
        let air = bench.run(&["params", "--scheme", "air", "--inner", inner]);
        air.is(2, &["--inner is for columns of numbers", "hint:"]);
    }
    let entries = bench.run(&["commit", "data.csv", "-c", "price", "--entries", "bits"]);
    entries.is(2, &["--entries is about files of bytes", "hint:", "--scheme ligerito"]);
    let tour = bench.run(&["tour", "data.csv", "-c", "price", "--scheme", "ligerito"]);
    tour.is(2, &["--column is about columns of numbers", "hint:"]);
    open(&bench, &["--row", "1"]).is(0, &[]);
    bench
        .run(&["verify", "data.proof", "--weights", "data.csv"])
        .is(2, &["this proof has no weights", "hint:"]);
}

#[test]
fn what_was_committed_is_what_is_opened() {
    let bench = committed(&[]);
    let other = |file: &str| bench.run(&["open", file, "--commitment", "data.commitment", "--row", "1"]);
    bench.write("longer.bin", b"any bytes at all!!");
    other("longer.bin").is(2, &["longer.bin has 18 bytes", "had 17", "hint:"]);
    bench.write("same.bin", b"any bytes at all!");
    other("same.bin").is(2, &["another name", "data.bin", "hint:"]);
    bench.write("data.bin", b"any bytes at all?");
    other("data.bin").is(2, &["its bytes are others", "hint:"]);
    // A commitment of the same file to other entries is another one.
    let (bytes, bits) = (committed(&[]), committed(&["--entries", "bits"]));
    open(&bytes, &["--row", "1"]).is(0, &[]);
    bytes.write("bits.commitment", &bits.read("data.commitment"));
    let refused = bytes.run(&["verify", "data.proof", "--commitment", "bits.commitment"]);
    refused.is(1, &["invalid:", "another commitment than bits.commitment"]);
    // So is one of the other scheme.
    bytes.ok(&["commit", "data.bin", "--scheme", "pip", "-o", "pip.commitment"]);
    let refused = bytes.run(&["verify", "data.proof", "--commitment", "pip.commitment"]);
    refused.is(1, &["invalid:", "another commitment than pip.commitment"]);
    bytes.ok(&["open", "data.bin", "--commitment", "pip.commitment", "--row", "1", "-o", "pip.proof"]);
    let refused = bytes.run(&["verify", "pip.proof", "--commitment", "data.commitment"]);
    refused.is(1, &["invalid:", "another commitment than data.commitment"]);
}

#[test]
fn files_that_cannot_be_committed() {
    let bench = Bench::new(FIVE);
    let commit = |file: &str, options: &[&str]| {
        bench.run(&[&["commit", file, "--scheme", "ligerito", "-o", "x"], options].concat())
    };
    bench.write("empty", b"");
    commit("empty", &[]).is(2, &["the file is empty", "hint:", "at least one byte"]);
    commit("none", &[]).is(4, &["cannot open none"]);
    commit(".", &[]).is(4, &["cannot open ."]);
    #[cfg(unix)]
    commit("/dev/null", &[]).is(2, &["the file is empty", "hint:"]);
    commit("data.csv", &["--max-memory", "100"])
        .is(4, &["more than the limit of 100 B", "hint:", "--max-memory"]);
    bench.sparse("large", 1 << 40);
    commit("large", &["--max-memory", "1GiB"]).is(4, &["more than the limit of 1.0 GiB", "--max-memory"]);
    commit("data.csv", &[]).is(0, &["committed:"]);
    let need = bench.run(&[
        "open",
        "data.csv",
        "--commitment",
        "x",
        "--row",
        "1",
        "--row",
        "2",
        "--max-memory",
        "100",
    ]);
    need.is(4, &["more than the limit of 100 B", "hint:", "--max-memory"]);
    let unwritable = bench.run(&["commit", "data.csv", "--scheme", "ligerito", "-o", "no/such/directory/x"]);
    unwritable.is(4, &["cannot write no/such/directory/x"]);
}

#[test]
fn policies_are_kept() {
    let bench = committed(&["--bits", "100"]);
    open(&bench, &["--row", "2"]).is(0, &[]);
    bench.ok(&["verify", "data.proof"]);
    let refused = bench.run(&["verify", "data.proof", "--min-bits", "128"]);
    refused.is(1, &["invalid:", "the parameters are refused", "128"]);
    open(&bench, &["--row", "2", "--min-bits", "128"]).is(1, &["the parameters are refused", "hint:"]);
}

/// A true proof file with one part of its statement exchanged, with or without the header's digest made to fit.
fn edited<B: Field, E: ExtensionOf<B>>(file: &File, part: usize, fit: bool) -> Vec<u8> {
    let mut opening = Opening::<E>::decode(&file.body).unwrap();
    let claims = &mut opening.claims;
    let mut blob = BytesDescription::decode(&claims.context).unwrap();
    match part {
        0 => claims.values.swap(0, 1),
        1 => claims.forms.swap(0, 1),
        2 => blob.name = "other".into(),
        3 => blob.length -= 1,
        4 => blob.source[0] ^= 1,
        _ => opening.commitment[0] ^= 1,
    }
    claims.context = blob.encode();
    let mut file = file.clone();
    if fit {
        let hash = Params::decode(file.scheme, &file.params).unwrap().hash;
        file.statement = claims.digest(hash, &opening.commitment).head();
    }
    file.body = opening.encode().into();
    file.encode()
}

#[test]
fn every_part_of_a_statement_is_bound() {
    for options in [["--bits", "100"], ["--entries", "bits"]] {
        let bench = committed(&options);
        open(&bench, &["--row", "0", "--row", "7"]).is(0, &[]);
        let whole = bench.read("data.proof");
        let file = File::decode(&whole).unwrap();
        let fields = Params::decode(file.scheme, &file.params).unwrap().fields;
        for part in 0..6 {
            for fit in [false, true] {
                bench.write("edited", &with_binary_fields!(fields, B, E => edited::<B, E>(&file, part, fit)));
                let refused = bench.run(&["verify", "edited", "--commitment", "data.commitment"]);
                let stale = "the statement digest in the header";
                refused.is(1, &["invalid:", if fit { "" } else { stale }]);
                assert!(!fit || !refused.err.contains(stale), "part {part}: {refused:?}");
            }
        }
    }
}

#[test]
fn tampered_and_foreign_files() {
    let bench = committed(&[]);
    open(&bench, &["--row", "2"]).is(0, &[]);
    let proof = bench.read("data.proof");
    // All within the transcript, which is the last part of the file.
    for back in [1, 40, 300, 1000] {
        let mut changed = proof.clone();
        changed[proof.len() - back] ^= 1;
        bench.write("bad", &changed);
        bench.run(&["verify", "bad"]).is(1, &["invalid:"]);
        bench.run(&["inspect", "bad"]).is(1, &["invalid:"]);
    }
    bench.refuses_damaged_files();
    for name in ["data.proof", "data.commitment"] {
        let whole = bench.read(name);
        // The other scheme's parameters are no parameters of this one, nor the reverse.
        let mut other = whole.clone();
        other[7] = 0;
        bench
            .instead_of(name, &other)
            .iter()
            .for_each(|ran| assert!(matches!(ran.code(), Some(1 | 2)), "{ran:?}"));
        // A weighted sum is nothing that this scheme proves.
        let mut other = whole.clone();
        other[6] = 2;
        bench.instead_of(name, &other).iter().for_each(|ran| ran.is(2, &["error:", "hint:"]));
    }
}

/// Numbers of parameters may say anything: they are refused, and nothing is computed or allocated by them.
#[test]
fn hostile_parameters() {
    let bench = committed(&[]);
    open(&bench, &["--row", "2"]).is(0, &[]);
    for name in ["data.commitment", "data.proof"] {
        let whole = bench.read(name);
        let params = u64::from_le_bytes(whole[8..16].try_into().unwrap()) as usize;
        // Behind magic, version, kind, scheme and length: fields, entries, hash, then numbers of four bytes.
        for at in (19..16 + params - 4).step_by(4) {
            for number in [0, 41, 64, u32::MAX] {
                let mut bytes = whole.clone();
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
                if bytes == whole {
                    continue;
                }
                bench.write("file", &bytes);
                for command in ["inspect", "verify"] {
                    let ran = bench.run(&[command, "file"]);
                    assert!(matches!(ran.code(), Some(1 | 2)), "{command} {name} {number} at {at}: {ran:?}");
                }
            }
        }
    }
}

/// A commitment that says it is to more bytes than it has places is refused before they are read.
#[test]
fn a_length_beyond_the_parameters() {
    let bench = committed(&[]);
    let mut edited = CommitmentFile::from_bytes(&bench.read("data.commitment")).unwrap();
    let Description::Bytes(bytes) = &mut edited.description else { panic!("a file of bytes") };
    bytes.length = 1 << 40;
    bench.write("data.commitment", &edited.to_bytes());
    bench.sparse("data.bin", 1 << 40);
    open(&bench, &["--row", "2"]).is(2, &["more bytes than its parameters have places for", "hint:"]);
    bench.sparse("w.bin", 16);
    open(&bench, &["--weights", "w.bin"]).is(2, &["hint:"]);
}

/// This scheme is compared on the bytes of a file, and on numbers as words, unless they are too long.
#[test]
fn compare_measures_bytes_and_words() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    let long = (0..4).map(|i| format!("{}{i}\n", u64::MAX)).collect::<String>();
    bench.write("long.csv", format!("id\n{long}").as_bytes());
    let rows_at = |bits: &str, args: &[&str]| -> Vec<(String, String)> {
        let compared = bench.json(&[&["compare", "--bits", bits], args].concat());
        let rows = compared["cases"].as_array().unwrap();
        let least = bits.parse().unwrap();
        assert!(rows.iter().all(|r| r["proven_bits"].as_f64().unwrap() >= least), "{rows:?}");
        let of = |r: &Value, name: &str| r[name].as_str().unwrap().to_owned();
        rows.iter().map(|r| (of(r, "scheme"), of(r, "field"))).collect()
    };
    for (args, words) in [
        (&["data.bin"][..], Some("GF(2^8) / gf128")),
        (&["data.csv", "-c", "price"], Some("GF(2^32) / gf128")),
        (&["long.csv", "-c", "id"], None),
    ] {
        let rows = rows_at("100", args);
        let ligerito: Vec<_> = rows.iter().filter(|r| r.0 == "ligerito").map(|r| r.1.as_str()).collect();
        assert_eq!(ligerito, words.map_or(vec![], |words| vec![words; 3]), "{rows:?}");
        assert!(rows.iter().any(|r| r.0 == "pip"), "{rows:?}");
    }
    // No named profile proves so many.
    for (bits, args) in [("192", &["data.bin"][..]), ("256", &["data.csv", "-c", "price"])] {
        let rows = rows_at(bits, args);
        assert_eq!(rows.iter().filter(|r| r.0 == "ligerito").count(), 1, "{rows:?}");
    }
}

/// Whether there is a GPU here or not: files are the same, and one line says why the CPU took over.
#[test]
fn a_device_changes_no_byte() {
    let bench = committed(&["--bits", "100"]);
    open(&bench, &["--min-bits", "100", "--row", "3"]).is(0, &[]);
    let files = || ["data.commitment", "data.proof"].map(|name| bench.read(name));
    let (expected, commit) =
        (files(), ["commit", "data.bin", "--scheme", "ligerito", "--bits", "100", "--device"]);
    for device in ["cpu", "auto", "gpu"] {
        let committed = bench.ok(&[&commit[..], &[device]].concat());
        let opened = open(&bench, &["--min-bits", "100", "--row", "3", "--device", device]);
        assert_eq!(files(), expected, "{device}");
        for ran in [committed, opened] {
            let taken = ran.err.lines().filter(|line| line.contains("the CPU took over")).count();
            assert!(if device == "gpu" { taken <= 1 } else { taken == 0 }, "{ran:?}");
        }
    }
    let quiet = bench.ok(&[&commit[..], &["gpu", "--quiet"]].concat());
    assert_eq!(quiet.err, "");
}

/// Columns of numbers have no kernels, and a witness file is opened by the CPU.
#[test]
fn a_gpu_that_cannot_serve_is_said() {
    let bench = Bench::new(FIVE);
    let ran = bench.ok(&["commit", "data.csv", "-c", "price", "--device", "gpu", "--keep-witness"]);
    assert!(ran.err.contains("the GPU commits to bytes, by ligerito or air; the CPU took over"), "{ran:?}");
    let witness =
        ["open", "--witness", "data.commitment.witness", "--commitment", "data.commitment", "--row", "0"];
    bench.run(&[&witness[..], &["--device", "gpu"]].concat()).is(2, &["--device"]);
    bench.ok(&witness);
}
