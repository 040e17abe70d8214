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

/// Memory of the command beside the files: most of it are the names and texts of all its arguments.
const COMMAND: usize = 3 * MIB / 2;

/// A file is committed with one block of the codeword, as long as it is, and a byte of it proved with the codeword, at rate 1/4
/// four times the file, and a quarter of it, within the limit that is given. The proof is read within its length.
#[test]
fn commands_take_what_they_need() {
    let folder = tempfile::tempdir().unwrap();
    a_file_takes_a_codeword_and_a_quarter(folder.path());
    a_proof_takes_twice_its_length(folder.path());
    rows_and_weights_take_what_is_estimated(folder.path());
    a_tour_keeps_within_its_limit(folder.path());
    what_is_behind_a_file_is_not_read(folder.path());
    no_reader_takes_more_than_the_limit(folder.path());
    no_text_takes_more_than_the_limit(folder.path());
    weights_beyond_the_parameters_are_not_unpacked(folder.path());
    #[cfg(feature = "cluster")]
    shards_take_a_few_rows(folder.path());
}

/// Shards of a file are written within what a few rows take: 16 MiB of bytes, and a column of 2^20 rows that would take as much.
#[cfg(feature = "cluster")]
fn shards_take_a_few_rows(folder: &Path) {
    let limit = "--max-memory=4MiB";
    for (file, options) in
        [("@data", ["--scheme=ligerito", "--bits=100"]), ("@rows.csv", ["-c=x", "--bits=100"])]
    {
        let shards = format!("{file}.shards");
        let shard = ["cluster", "shard", file, "--ranks=4", "-d", &shards, limit];
        let taken = peak(folder, &[&shard[..], &options].concat());
        println!("{taken} bytes to split {file}");
        assert!(taken <= 4 * MIB + COMMAND, "{taken} bytes to split {file}");
    }
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
    assert!(verified <= 2 * length + COMMAND, "{verified} bytes to verify {length}");
    let (code, _) = ran(folder, &["verify", "@p", "--self-contained", "--max-memory=100KiB"]);
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(4)));
}

/// A column is committed to, opened and compared, and weights are verified with, within a fifth more than they take, and not within
/// a fifth less.
fn rows_and_weights_take_what_is_estimated(folder: &Path) {
    let write = |name: &str, rows: u32| {
        let rows: String = (0..rows).map(|i| format!("{}\n", i % 1000)).collect();
        std::fs::write(folder.join(name), format!("x\n{rows}")).unwrap();
    };
    write("rows.csv", 1 << 20);
    write("less.csv", (1 << 19) + 1);
    write("few.csv", 1 << 17);
    for field in ["koalabear", "goldilocks"] {
        for rows in ["@rows.csv", "@less.csv"] {
            let field = format!("--field={field}");
            is_estimated(folder, &["commit", rows, "-c=x", &field, "-o", "@rows.c"]);
        }
    }
    is_estimated(folder, &["commit", "@few.csv", "-c=x", "--field=bn254", "-o", "@few.rows.c"]);
    peak(folder, &["commit", "@rows.csv", "-c=x", "--field=goldilocks", "-o", "@rows.c"]);
    let open = ["open", "@rows.csv", "-c=x", "--commitment", "@rows.c"];
    is_estimated(folder, &[&open[..], &["--row=7", "-o", "@row.p"]].concat());
    is_estimated(folder, &[&open[..], &["--weights", "@rows.csv", "-o", "@rows.p"]].concat());
    is_estimated(folder, &["verify", "@rows.p", "--commitment", "@rows.c", "--weights", "@rows.csv"]);
    // What takes more is left out of a comparison, and named.
    let compare = ["compare", "@few.csv", "-c=x", "--bits=100", "--scheme=pip", "-o", "@page.html"];
    let taken = peak(folder, &compare);
    for (limit, left_out) in [(taken / 5 * 6, false), (taken / 6 * 5, true)] {
        peak(folder, &[&compare[..], &[&format!("--max-memory={limit}")]].concat());
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        assert_eq!(page.contains("Not measured: pip over bn254"), left_out, "{limit} of {taken}");
    }
}

/// The comparison of a tour, which takes most of its memory, holds neither the weights nor the proofs that were made before it.
fn a_tour_keeps_within_its_limit(folder: &Path) {
    let taken =
        peak(folder, &["tour", "@few.csv", "-c=x", "--bits=100", "-d", "@tour", "--max-memory=13MiB"]);
    println!("{taken} bytes for a tour within 13 MiB");
    assert!((12 * MIB..13 * MIB + COMMAND / 2).contains(&taken), "{taken} bytes for a tour");
}

/// The command goes through within a fifth more than it takes, and is refused within a fifth less.
fn is_estimated(folder: &Path, args: &[&str]) {
    let taken = peak(folder, args);
    let within = |limit: usize| {
        let limit = format!("--max-memory={limit}");
        format!("{:?}", ran(folder, &[args, &[&limit[..]]].concat()).0)
    };
    println!("{taken} bytes for {args:?}");
    assert_eq!(within(taken / 5 * 6), format!("{:?}", ExitCode::SUCCESS), "{args:?} takes {taken} bytes");
    assert_eq!(within(taken / 6 * 5), format!("{:?}", ExitCode::from(4)), "{args:?} takes {taken} bytes");
}

/// A gigabyte in the place of every file that is read as a whole, and of a device without an end.
fn no_reader_takes_more_than_the_limit(folder: &Path) {
    std::fs::write(folder.join("x.csv"), "a\n1\n2\n").unwrap();
    std::fs::File::create(folder.join("long")).unwrap().set_len(1 << 30).unwrap();
    refused_within_the_limit(
        folder,
        &[
            &["commit", "@x.csv", "--params", "@long", "-o", "@y"],
            &["commit", "@x.csv", "--params", "/dev/zero", "-o", "@y"],
        ],
    );
    #[cfg(feature = "ring")]
    no_reader_of_rings_takes_more_than_the_limit(folder);
}

/// The same for files about rings.
#[cfg(feature = "ring")]
fn no_reader_of_rings_takes_more_than_the_limit(folder: &Path) {
    peak(folder, &["ring", "keygen", "-o", "@key"]);
    peak(folder, &["ring", "commit", "@key.pub", "-o", "@x.ring"]);
    peak(folder, &["ring", "prove", "@x.ring", "--key", "@key", "--context", "x", "-o", "@x.sig"]);
    for name in ["x.sig", "x.ring", "key.pub"] {
        let long = folder.join(format!("long-{name}"));
        std::fs::copy(folder.join(name), &long).unwrap();
        std::fs::OpenOptions::new().write(true).open(long).unwrap().set_len(1 << 30).unwrap();
    }
    refused_within_the_limit(
        folder,
        &[
            &["ring", "batch-verify", "@long-x.sig", "--ring", "@x.commitment"],
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
            &["verify", "@x.sig", "--commitment", "@long-x.ring"],
        ],
    );
}

/// Runs commands that fail, with no more memory than they may take.
fn refused_within_the_limit(folder: &Path, commands: &[&[&str]]) {
    for args in commands {
        let (code, taken) = ran(folder, &[args, &["--max-memory=24MiB"][..]].concat());
        assert_ne!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS), "{args:?}");
        assert!(taken <= 24 * MIB, "{taken} bytes for {args:?}");
    }
}

/// Texts of which each byte makes many in memory, as long as the limit lets them be: lists of numbers, of nothing, and of keys.
fn no_text_takes_more_than_the_limit(folder: &Path) {
    let write = |name: &str, start: &str, element: &str, end: &str| {
        let count = (12 * MIB - start.len() - end.len()) / element.len();
        std::fs::write(folder.join(name), [start, &element.repeat(count), end].concat()).unwrap();
    };
    let level =
        r#"{"log_columns":1,"log_inv_rate":1,"queries":1,"grinding":0,"fold_grinding":0},"inner":{"chain":["#;
    let params =
        r#""regime":"unique-decoding","log_size":9,"polynomials":1,"max_forms":1,"hidden_openings":0"#;
    let start = format!(
        r#"{{"format":"tenfold parameters v1","scheme":"pip","field":"goldilocks","hash":"blake3",{params},"log_parts":0,"commitment":{level}"#
    );
    write("params", &start, "0,", "0]}}");
    write("keys", "", &format!("{}\n", "ab".repeat(32)), "");
    let job = r#"{"program":"","scheme":"","parameters":"","name":"","data":"","ranks":[]}"#;
    let report = format!(
        r#"{{"format":"","job":{job},"accused":0,"key":"","deviation":"tree","statements":[],"slices":["#
    );
    write("report", &report, r#""","#, r#"""],"heads":[]}"#);
    write("genesis", r#"{"accounts":["#, "0,", "0]}");
    for (feature, args) in [
        (true, &["commit", "@x.csv", "--params", "@params", "-o", "@y"][..]),
        (cfg!(feature = "ring"), &["ring", "add", "@x.ring", "--list", "@keys"]),
        (cfg!(feature = "cluster"), &["cluster", "verify-report", "@report"]),
        (cfg!(feature = "ledger"), &["ledger", "init", "@ledger", "--genesis", "@genesis"]),
    ] {
        let (code, taken) = ran(folder, &[args, &["--max-memory=24MiB"]].concat());
        assert_ne!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS), "{args:?}");
        assert!(taken <= 24 * MIB, "{taken} bytes for {args:?}");
        assert!(taken > 12 * MIB || !feature, "{taken} bytes for {args:?}: it was not read");
    }
}

/// A commitment of an adversary to 4 MiB, with parameters for some bytes: bits of as many weights are 256 MiB of elements.
fn weights_beyond_the_parameters_are_not_unpacked(folder: &Path) {
    use tenfold::CommitmentFile;
    use tenfold::statement::Description;
    std::fs::write(folder.join("few"), [7; 100]).unwrap();
    peak(folder, &["commit", "@few", "--scheme=ligerito", "--entries=bits", "--bits=100", "-o", "@few.c"]);
    let mut edited = CommitmentFile::from_bytes(&std::fs::read(folder.join("few.c")).unwrap()).unwrap();
    let parameters = edited.params.encode();
    let Description::Bytes(bytes) = &mut edited.description else { panic!("a file of bytes") };
    bytes.length = 4 << 20;
    std::fs::write(folder.join("few.c"), edited.to_bytes()).unwrap();
    std::fs::write(folder.join("weights"), vec![1; 4 << 20]).unwrap();
    for data in [&["@few"][..], &["--witness", "@few"]] {
        let weights = ["--weights", "@weights", "-o", "@few.p", "--min-bits=100", "--max-memory=24MiB"];
        let taken = refused(folder, &[&["open", "--commitment", "@few.c"], data, &weights].concat());
        assert!(taken <= 24 * MIB, "{taken} bytes for {data:?}");
    }
    #[cfg(feature = "cluster")]
    a_report_does_not_say_how_weights_are_unpacked(folder, &parameters);
    #[cfg(not(feature = "cluster"))]
    drop(parameters);
}

/// A report that names a job about bits: nothing in it is signed when the weights are read.
#[cfg(feature = "cluster")]
fn a_report_does_not_say_how_weights_are_unpacked(folder: &Path, parameters: &[u8]) {
    let digits: String = parameters.iter().map(|byte| format!("{byte:02x}")).collect();
    let job = [
        ("program", ""),
        ("scheme", "ligerito"),
        ("parameters", digits.as_str()),
        ("name", ""),
        ("data", ""),
    ];
    let job: String = job.iter().map(|(name, value)| format!("    \"{name}\": \"{value}\",\n")).collect();
    let lists = ["statements", "slices", "heads"].map(|name| format!("  \"{name}\": []")).join(",\n");
    let head = "{\n  \"format\": \"tenfold cluster blame report v1\",\n  \"job\": {\n";
    let accused = "  },\n  \"accused\": 0,\n  \"key\": \"\",\n  \"deviation\": \"weighted\",\n";
    let report = format!("{head}{job}    \"ranks\": []\n{accused}{lists}\n}}\n");
    tenfold::cluster::Report::from_json(report.as_bytes()).expect("a report");
    std::fs::write(folder.join("few.json"), report).unwrap();
    let verify = ["cluster", "verify-report", "@few.json", "--weights", "@weights", "--max-memory=24MiB"];
    let taken = refused(folder, &verify);
    assert!(taken <= 24 * MIB, "{taken} bytes for weights");
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
        assert!(taken <= 2 * length + COMMAND, "{taken} bytes for {args:?}");
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
    assert!(taken <= COMMAND, "{taken} bytes for a header that lies");
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
            assert!(taken <= 3 * length + COMMAND, "{taken} bytes for a pipe");
            assert!(writer.join().unwrap(), "all of the pipe was read");
        }
    }
}
