//! Witness files: `commit --keep-witness` and `open --witness`.

use super::bench::{Bench, FIVE, Ran};
use tenfold::CommitmentFile;
use tenfold::statement::Description;

const WITNESS: &str = "data.commitment.witness";

/// Opens without the data, which are not there any more.
fn open(bench: &Bench, what: &[&str], proof: &str) -> Ran {
    let args = ["open", "--witness", WITNESS, "--commitment", "data.commitment", "-o", proof];
    bench.run(&[&args[..], what].concat())
}

/// Rows, sums, means and weighted sums: the same bytes with the witness as with the data.
#[test]
fn a_witness_opens_without_the_data() {
    let bench = Bench::new(FIVE);
    bench.write("weights.json", b"[1, 2, 3, 4, 5]");
    for options in [&[][..], &["--field", "goldilocks", "--inner", "chain"], &["--field", "bn254"]] {
        let commit = ["commit", "data.csv", "-c", "price", "--keep-witness"];
        let committed = bench.json(&[&commit[..], options].concat());
        assert_eq!(committed["witness"], WITNESS);
        for what in [
            &["--row", "2", "--row", "0"][..],
            &["--sum"],
            &["--mean"],
            &["--weights", "weights.json", "--mean"],
        ] {
            if options.contains(&"bn254") && what.len() > 2 {
                continue;
            }
            bench.open(&[what, &["-o", "data.proof"]].concat());
            std::fs::rename(bench.path("data.csv"), bench.path("away")).unwrap();
            open(&bench, what, "kept.proof").is(0, &["proved: "]);
            std::fs::rename(bench.path("away"), bench.path("data.csv")).unwrap();
            assert!(bench.read("data.proof") == bench.read("kept.proof"), "{options:?} {what:?}");
        }
    }
}

#[test]
fn a_witness_opens_a_file_of_bytes() {
    let bench = Bench::new(FIVE);
    bench.write("bytes", &[7; 3000]);
    bench.write("weights", &[3; 3000]);
    for entries in ["bits", "bytes", "words64", "whole"] {
        let commit =
            ["commit", "bytes", "--scheme", "ligerito", "--entries", entries, "-o", "data.commitment"];
        let ran = bench.run(&[&commit[..], &["--keep-witness"]].concat());
        if entries == "whole" && ran.code() == Some(2) {
            continue;
        }
        ran.is(0, &["witness in data.commitment.witness"]);
        for what in [&["--row", "5"][..], &["--weights", "weights"]] {
            let open_data = ["open", "bytes", "--commitment", "data.commitment", "-o", "data.proof"];
            bench.ok(&[&open_data[..], what].concat());
            open(&bench, what, "kept.proof").is(0, &[]);
            assert!(bench.read("data.proof") == bench.read("kept.proof"), "{entries} {what:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_witness() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let mode = || std::fs::metadata(bench.path(WITNESS)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    // One that was opened to others is closed when it is written again.
    std::fs::set_permissions(bench.path(WITNESS), PermissionsExt::from_mode(0o644)).unwrap();
    bench.ok(&["commit", "data.csv", "-c", "price", "--keep-witness", WITNESS]);
    assert_eq!(mode(), 0o600);
}

/// A change anywhere: in the head, the entries, the nodes, the checksum; with a checksum that fits, too.
#[test]
fn a_changed_witness_is_refused() {
    let numbers: String = (0..600).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{numbers}"));
    bench.ok(&["commit", "data.csv", "-c", "price", "--field", "goldilocks", "--keep-witness"]);
    let whole = bench.read(WITNESS);
    let (head, entries, end) = (38, 8 * 1024, whole.len() - 32);
    let with = |bytes: &[u8]| {
        bench.write(WITNESS, bytes);
        let ran = open(&bench, &["--row", "5"], "x.proof");
        ran.is(2, &["error:", "hint:", "--keep-witness"]);
        assert!(!bench.path("x.proof").exists());
        ran.err
    };
    for (at, says) in [
        (0, "is no witness"),
        (4, "version"),
        (6, "another commitment"),
        (head, "checksum"),
        (head + entries - 8, "checksum"),
        (head + entries, "checksum"),
        (end - 1, "checksum"),
        (end, "checksum"),
        (end + 31, "checksum"),
    ] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        assert!(with(&changed).contains(says), "{at}");
        if (head..end).contains(&at) {
            changed.truncate(end);
            let digest = blake3::hash(&changed);
            changed.extend_from_slice(digest.as_bytes());
            assert!(with(&changed).contains("it is not what was committed to"), "{at}");
        }
    }
    assert!(with(&whole[..end]).contains("cut short") && with(&whole[..9]).contains("cut short"));
    assert!(with(&[&whole[..], &[0]].concat()).contains("bytes after its end"));
    assert!(with(b"").contains("is no witness"));
    // Of the same data and parameters under another name.
    bench.write("other.csv", format!("cost\n{numbers}").as_bytes());
    bench.ok(&["commit", "other.csv", "--field", "goldilocks", "--keep-witness", "other.witness"]);
    assert!(with(&bench.read("other.witness")).contains("another commitment"));
    bench.write(WITNESS, &whole);
    open(&bench, &["--row", "5"], "x.proof").is(0, &[]);
}

/// A sum that wraps around is refused as it is with the data.
#[test]
fn sums_by_a_witness_are_exact() {
    let bench = Bench::new("price\n1000000000\n1000000000\n-5\n");
    bench.ok(&["commit", "data.csv", "--field", "koalabear", "--keep-witness"]);
    open(&bench, &["--sum"], "x.proof").is(2, &["does not fit koalabear: it would wrap around", "hint:"]);
    open(&bench, &["--row", "2"], "x.proof").is(0, &["row 2 of price is -5"]);
}

#[test]
fn witnesses_have_their_limits() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    open(&bench, &["--row", "1", "--max-memory", "1KiB"], "x.proof")
        .is(4, &["more than the limit of 1.0 KiB"]);
    let both = ["open", "data.csv", "-c", "price", "--witness", WITNESS, "--commitment", "data.commitment"];
    bench.run(&[&both[..], &["--row", "1"]].concat()).is(2, &["cannot be used with"]);
    bench
        .run(&["open", "--commitment", "data.commitment", "--row", "1"])
        .is(2, &["required arguments were not provided", "<FILE>"]);
    let hiding = ["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "h", "--keep-witness"];
    bench.run(&hiding).is(2, &["hides keeps no witness", "hint:"]);
    assert!(!bench.path("h").exists() && !bench.path("h.secret").exists());
    bench.ok(&hiding[..8]);
    let open_hidden =
        ["open", "--witness", WITNESS, "--commitment", "h", "--row", "1", "--secret", "h.secret"];
    bench.run(&open_hidden).is(2, &["this commitment hides: it has no witness file", "hint:"]);
    // A file of another kind stays.
    bench.write("mine", b"mine");
    let over = ["commit", "data.csv", "-c", "price", "-o", "c", "--keep-witness", "mine"];
    bench.run(&over).is(2, &["mine is already there", "hint:", "--keep-witness"]);
    assert_eq!(bench.read("mine"), b"mine");
}

/// The witness of a commitment as one of another, with a checksum that fits.
fn resealed(witness: &[u8], commitment: &[u8]) -> Vec<u8> {
    let mut content = witness[..witness.len() - 32].to_vec();
    content[6..38].copy_from_slice(blake3::hash(commitment).as_bytes());
    let digest = blake3::hash(&content);
    content.extend_from_slice(digest.as_bytes());
    content
}

/// A commitment of an adversary that says it is to more rows than it has places, or to none, with a witness of it.
#[test]
fn rows_beyond_the_commitment_are_its_fault() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let mut edited = CommitmentFile::from_bytes(&bench.read("data.commitment")).unwrap();
    let witness = bench.read(WITNESS);
    assert_eq!(edited.params.summary().log_size, 3);
    for (rows, weights) in [(9, "[1, 1, 1, 1, 1, 1, 1, 1, 1]"), (u64::MAX, "[1]"), (0, "[1]")] {
        let Description::Column(column) = &mut edited.description else { panic!("a column") };
        column.rows = rows;
        bench.write("data.commitment", &edited.to_bytes());
        bench.write(WITNESS, &resealed(&witness, &edited.to_bytes()));
        bench.write("weights.json", weights.as_bytes());
        for what in [&["--row", "4"][..], &["--sum"], &["--weights", "weights.json"]] {
            let ran = open(&bench, what, "x.proof");
            ran.is(2, &["the commitment is to more rows than its parameters have places for", "hint:"]);
            assert!(
                !ran.err.contains("panicked") && !ran.err.contains("witness"),
                "{rows} {what:?}: {ran:?}"
            );
        }
        let data = ["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "4"];
        bench.run(&data).is(2, &["the commitment is to more rows"]);
    }
}

/// Of a superuser who writes it over a file of another user, too.
#[cfg(unix)]
#[test]
fn a_witness_stays_with_who_wrote_it() {
    use std::os::unix::fs::{MetadataExt, chown};
    let bench = Bench::new(FIVE);
    for before in [&b"TNFW"[..], b""] {
        bench.write("w", before);
        let mine = std::fs::metadata(bench.path("w")).unwrap().uid();
        if mine != 0 || chown(bench.path("w"), Some(65534), Some(65534)).is_err() {
            return;
        }
        bench.ok(&["commit", "data.csv", "-c", "price", "--keep-witness", "w"]);
        let metadata = std::fs::metadata(bench.path("w")).unwrap();
        assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o777), (0, 0, 0o600));
    }
}

/// A disk that has room for a commitment and not for its witness costs neither of those that are there.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_commitment_with_its_witness() {
    let numbers = |from: i32| (from..from + 3000).map(|i| format!("{i}\n")).collect::<String>();
    for options in ["-c price", "--scheme ligerito"] {
        let bench = Bench::new(&format!("price\n{}", numbers(0)));
        let line = format!("\"$TENFOLD\" commit data.csv {options} --keep-witness");
        bench.shell(&line).is(0, &[]);
        let before = ["data.commitment", WITNESS].map(|name| bench.read(name));
        assert!(before[0].len() < 1024 && before[1].len() > 4096, "{options}");
        bench.write("data.csv", format!("price\n{}", numbers(5000)).as_bytes());
        // Blocks have 512 bytes or 1024. The error of a write, not the signal.
        bench
            .shell(&format!("trap '' XFSZ; ulimit -f 2; {line} --force"))
            .is(4, &["cannot write", "witness"]);
        assert!(before == ["data.commitment", WITNESS].map(|name| bench.read(name)), "{options}");
        open(&bench, &["--row", "5"], "x.proof").is(0, &["proved: "]);
        let names = std::fs::read_dir(bench.path("")).unwrap().count();
        assert_eq!(names, 4, "data, commitment, witness and proof");
    }
}

/// The only witness of a commitment whose data are gone is not replaced by that of another one, unasked.
#[test]
fn a_witness_of_another_commitment_stays() {
    let bench = Bench::committed(FIVE, &["-o", "c", "--keep-witness", "w"]);
    let [commitment, witness] = ["c", "w"].map(|name| bench.read(name));
    bench.write("other.csv", b"price\n1\n2\n3\n");
    bench.write("other", &[7; 3000]);
    for commit in
        [&["commit", "other.csv", "-o", "d"][..], &["commit", "other", "--scheme", "ligerito", "-o", "d"]]
    {
        let over = [commit, &["--keep-witness", "w"]].concat();
        bench.run(&over).is(2, &["w is the witness of another commitment", "hint:", "--force"]);
        assert!(bench.read("w") == witness && !bench.path("d").exists(), "{commit:?}");
    }
    // Again that of the same commitment, or of one to the same data that takes its place.
    bench.ok(&["commit", "data.csv", "-c", "price", "-o", "e", "--keep-witness", "w"]);
    assert!(bench.read("w") == witness && bench.read("e") == commitment);
    let small =
        ["commit", "data.csv", "-c", "price", "-o", "c", "--keep-witness", "w", "--field", "goldilocks"];
    bench.ok(&small);
    assert!(bench.read("w") != witness && bench.read("c") != commitment);
    let forced = ["commit", "data.csv", "-c", "price", "-o", "f", "--keep-witness", "w", "--force"];
    bench.ok(&forced);
    assert!(bench.read("w") == witness);
}

/// A commitment on standard output gives no name to what is secret, and standard output is no place for a witness.
#[test]
fn what_is_secret_is_written_under_a_name() {
    let bench = Bench::new(FIVE);
    let commit = ["commit", "data.csv", "-c", "price", "-o"];
    for (options, says) in [
        (&["-", "--hiding", "2"][..], "name the secret with --secret"),
        (&["-", "--keep-witness"], "name the witness with --keep-witness"),
        (&["c.tf", "--keep-witness", "-"], "hint:"),
    ] {
        let ran = bench.run(&[&commit[..], options].concat());
        ran.is(2, &["error:", says]);
        assert_eq!(ran.out, "");
        let names: Vec<_> =
            std::fs::read_dir(bench.path("")).unwrap().map(|f| f.unwrap().file_name()).collect();
        assert_eq!(names, ["data.csv"], "{options:?}");
    }
}

/// Rows are not lost to a quote without its end, or to a first line that is taken for a name.
#[test]
fn rows_are_not_lost_in_silence() {
    let bench = Bench::new("a,b\n1,x\n2,\"y\n3,z\n4,w\n");
    let quoted = ["line 3 has a quoted cell that does not end", "hint: close the quote"];
    bench.run(&["commit", "data.csv", "-c", "a"]).is(2, &quoted);
    bench.write("data.csv", b"3\n4\n5\n");
    bench.run(&["commit", "data.csv"]).is(2, &["`3`, which is a number", "--no-header", "--column"]);
    assert!(!bench.path("data.commitment").exists());
    assert_eq!(bench.json(&["data", "data.csv", "--no-header"])["rows"], 3);
    assert_eq!(bench.json(&["data", "data.csv", "--column", "3"])["rows"], 2);
}

/// A witness opens with its commitment alone, which another one does not replace unasked.
#[test]
fn the_commitment_of_a_witness_is_not_replaced_by_another() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let before = bench.read("data.commitment");
    let commit = ["commit", "data.csv", "-o", "data.commitment", "-c"];
    bench.ok(&[&commit[..], &["price"]].concat());
    let other = [&commit[..], &["count"]].concat();
    bench.run(&other).is(2, &["data.commitment is the commitment of the witness", "-o", "--force"]);
    assert_eq!(bench.read("data.commitment"), before);
    bench.ok(&[&other[..], &["--force"]].concat());
    assert_ne!(bench.read("data.commitment"), before);
    // The witness belongs to neither now.
    bench.ok(&[&commit[..], &["price"]].concat());
}

/// Whatever command makes the other one, and whatever name it goes by.
#[cfg(unix)]
#[test]
fn no_command_replaces_the_commitment_of_a_witness() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let before = bench.read("data.commitment");
    std::os::unix::fs::symlink("data.commitment", bench.path("link")).unwrap();
    let refuses = |args: &[&str], option: &str| {
        let hint = format!("hint: give another name with {option}, or replace it with --force");
        bench.run(args).is(2, &["is the commitment of the witness", WITNESS, &hint]);
        assert!(bench.read("data.commitment") == before, "{args:?}");
    };
    let commit = ["commit", "data.csv", "-c", "count", "-o"];
    refuses(&[&commit[..], &["link"]].concat(), "-o");
    for name in ["data.commitment", "link"] {
        refuses(&[&commit[..], &[name, "--hiding", "1"]].concat(), "-o");
    }
    assert!(!bench.path("data.commitment.secret").exists());
    #[cfg(feature = "cluster")]
    {
        let prove = ["cluster", "prove", "data.csv", "-c", "count", "--bits", "100", "--row", "1"];
        let prove = [&prove[..], &["--ranks", "1", "-o", "p", "--commitment", "data.commitment"]].concat();
        refuses(&prove, "--commitment");
        refuses(&[&prove[..], &["--hiding", "1"]].concat(), "--commitment");
    }
    #[cfg(feature = "fleet")]
    {
        let submit = ["fleet", "submit", "--queue", "q", "data.csv", "-c", "count", "--bits", "100"];
        bench.ok(&[&submit[..], &["--row", "1"]].concat());
        bench.ok(&["fleet", "worker", "--queue", "q", "--until-empty"]);
        refuses(
            &["fleet", "status", "--queue", "q", "-o", "p", "--commitment", "data.commitment"],
            "--commitment",
        );
    }
    for name in ["data.commitment", WITNESS] {
        std::fs::rename(bench.path(name), bench.path(&name.replace("data", "column"))).unwrap();
    }
    let tour = ["tour", "data.csv", "-c", "count", "-d", "."];
    bench
        .run(&tour)
        .is(2, &["column.commitment is the commitment of the witness", "hint: give another name with -d"]);
    assert!(bench.read("column.commitment") == before && !bench.path("p").exists());
}

/// A file of ours that is given for another is called what it is.
#[test]
fn a_file_given_for_another_is_named() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "1"]);
    bench.ok(&["params", "--log-size", "10", "-o", "p.json"]);
    let swapped = ["verify", "data.commitment", "--commitment", "data.proof"];
    bench.run(&swapped).is(2, &["data.commitment is a commitment", "the proof first"]);
    let proofs = ["verify", "data.proof", "--commitment", "data.proof"];
    bench.run(&proofs).is(2, &["data.proof is a proof: this file is no commitment"]);
    bench.run(&["inspect", WITNESS]).is(2, &["data.commitment.witness is a witness"]);
    bench.run(&["inspect", "p.json"]).is(2, &["p.json is a parameter file"]);
    bench.run(&["inspect", "data.csv"]).is(2, &["not a Tenfold file"]);
}

/// A pair of a commitment and its witness is not replaced by a pair of other data unasked: it may be all that is left of its data.
#[test]
fn a_pair_of_other_data_stays() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let before = ["data.commitment", WITNESS].map(|name| bench.read(name));
    let now = || ["data.commitment", WITNESS].map(|name| bench.read(name));
    // Another column of the same file, the same column of another file, and bytes.
    bench.write("other.csv", b"price\n1\n2\n");
    for data in
        [&["data.csv", "-c", "count"][..], &["other.csv", "-c", "price"], &["data.csv", "--raw-bytes"]]
    {
        let commit = [&["commit"], data, &["-o", "data.commitment", "--keep-witness"]].concat();
        bench.run(&commit).is(2, &["data.commitment.witness is the witness of another", "hint:", "--force"]);
        let elsewhere = [&commit[..], &["elsewhere"]].concat();
        bench
            .run(&elsewhere)
            .is(2, &["data.commitment is the commitment of the witness", "hint:", "--force"]);
        assert!(now() == before && !bench.path("elsewhere").exists(), "{data:?}");
    }
    // The same data by other parameters.
    bench.ok(&["commit", "data.csv", "-c", "price", "--field", "goldilocks", "--keep-witness"]);
    assert!(now() != before);
    open(&bench, &["--row", "1"], "x.proof").is(0, &[]);
    let forced = ["commit", "other.csv", "-o", "data.commitment", "--keep-witness", "--force"];
    bench.ok(&forced);
    open(&bench, &["--row", "1"], "x.proof").is(0, &["row 1 of price is 2"]);
}

/// Who writes a commitment alone neither takes away what another process is writing nor leaves half of a pair.
#[test]
fn a_commitment_and_a_pair_written_at_once_are_one_of_them() {
    let bench = Bench::new(FIVE);
    let start = |column: &str, more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        let commit = ["commit", "data.csv", "-c", column, "-o", "data.commitment", "--quiet"];
        command.current_dir(bench.path("")).args(commit).args(more).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    };
    for round in 0..40 {
        if round % 2 == 0 {
            bench.ok(&["commit", "data.csv", "-c", "count", "-o", "data.commitment"]);
        }
        let both = [start("price", &["--keep-witness"]), start("count", &[])];
        let codes = both.map(|mut child| child.wait().unwrap().code().unwrap());
        assert!([[0, 0], [0, 2], [2, 0]].contains(&codes), "{round}: {codes:?}");
        if codes == [0, 2] || bench.path(WITNESS).exists() && codes == [0, 0] {
            open(&bench, &["--row", "1"], "x.proof").is(0, &[]);
        }
        for name in ["data.commitment", WITNESS] {
            let _ = std::fs::remove_file(bench.path(name));
        }
    }
}

/// Of two that write one pair at once, the pair of one is left.
#[test]
fn pairs_written_at_once_belong_together() {
    use std::process::{Command, Stdio};
    let bench = Bench::new(FIVE);
    let start = |column: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold"));
        command.current_dir(bench.path("")).args([
            "commit",
            "data.csv",
            "-c",
            column,
            "-o",
            "data.commitment",
        ]);
        command.args(["--keep-witness", "--quiet"]).args(more);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    for round in 0..40 {
        let forced: &[&str] = if round % 2 == 0 { &[] } else { &["--force"] };
        let both = [start("price", forced), start("count", forced)];
        let codes = both.map(|mut child| child.wait().unwrap().code());
        let refused = codes.iter().filter(|code| **code == Some(2)).count();
        let done = codes.iter().filter(|code| **code == Some(0)).count();
        assert_eq!([done, refused], if forced.is_empty() { [1, 1] } else { [2, 0] }, "{round}: {codes:?}");
        open(&bench, &["--row", "1"], "x.proof").is(0, &[]);
        if !forced.is_empty() {
            ["data.commitment", WITNESS]
                .iter()
                .for_each(|name| std::fs::remove_file(bench.path(name)).unwrap());
        }
    }
}
