//! Hiding commitments over processes: the secret file, its count, and what must not happen to it.

use super::bench::{Bench, FIVE, Ran};
use serde_json::Value;
use std::process::{Command, Stdio};

const SECRET: &str = "data.commitment.secret";
/// Where the secret file counts the openings used.
const USED: usize = 74;

fn hidden(table: &str, openings: &str) -> Bench {
    Bench::committed(table, &["--hiding", openings])
}

fn hidden_with(options: &[&str]) -> Bench {
    Bench::committed(FIVE, &[&["--hiding", "1"], options].concat())
}

fn try_open(bench: &Bench, what: &[&str], proof: &str) -> Ran {
    bench.try_open(&[what, &["--secret", SECRET, "-o", proof]].concat())
}

#[track_caller]
fn open(bench: &Bench, what: &[&str], proof: &str) -> Ran {
    let ran = try_open(bench, what, proof);
    ran.is(0, &[]);
    ran
}

fn used(bench: &Bench) -> u32 {
    u32::from_le_bytes(bench.read(SECRET)[USED..][..4].try_into().unwrap())
}

/// Which mask a proof has used.
fn mask(bench: &Bench, proof: &str) -> u8 {
    let parts = bench.json(&["inspect", proof]);
    let is_mask = |part: &&Value| part["part"] == "mask";
    let at = parts["parts"].as_array().unwrap().iter().find(is_mask).unwrap()["offset"].as_u64().unwrap();
    bench.read(proof)[at as usize]
}

#[test]
fn each_process_uses_up_one_opening() {
    let bench = Bench::new(FIVE);
    let committed = bench.json(&["commit", "data.csv", "-c", "price", "--hiding", "2"]);
    assert_eq!(
        (committed["secret"].as_str(), committed["hidden_openings"].as_u64()),
        (Some(SECRET), Some(2))
    );
    assert!(committed["proven_bits"].as_f64().unwrap() >= 128.0);
    for (i, said) in ["row 0 of price is 10.50", "row 1 of price is -5.75"].into_iter().enumerate() {
        let proof = format!("{i}.proof");
        let opened = open(&bench, &["--row", &i.to_string()], &proof);
        assert!(opened.err.contains(&format!("openings left: {} of 2", 1 - i)), "{}", opened.err);
        assert_eq!((used(&bench), mask(&bench, &proof)), (i as u32 + 1, i as u8));
        let number = format!("mask number {i}, counted from 0");
        assert!(opened.err.contains(&number), "{}", opened.err);
        let verified = bench.ok(&["verify", &proof, "--commitment", "data.commitment"]);
        assert!(verified.err.contains(said) && verified.err.contains("hides"), "{}", verified.err);
        assert!(verified.err.contains(&number), "{}", verified.err);
        let verified = bench.json(&["verify", &proof]);
        assert_eq!(
            (&verified["stated"]["source_blake3"], verified["hidden_openings"].as_u64()),
            (&Value::Null, Some(2))
        );
        assert_eq!(verified["mask"].as_u64(), Some(i as u64));
    }
    try_open(&bench, &["--row", "2"], "2.proof")
        .is(2, &["no opening is left: all 2", "hint:", "commit again"]);
    assert!(!bench.path("2.proof").exists());
    for file in ["data.commitment", "0.proof"] {
        assert!(bench.ok(&["inspect", file]).out.contains("2 hidden opening(s)"));
    }
}

/// Whoever has a secret sees what it has left, without using it and without seeing what it keeps.
#[test]
fn inspect_shows_the_openings_left() {
    let bench = hidden(FIVE, "3");
    let left = |left: u32| {
        let before = bench.read(SECRET);
        let shown = bench.ok(&["inspect", SECRET]).out;
        assert!(shown.contains(&format!("openings left: {left} of 3")) && !shown.contains("copy"), "{shown}");
        let value = bench.json(&["inspect", SECRET]);
        assert_eq!(
            (value["openings_left"].as_u64(), value["hidden_openings"].as_u64()),
            (Some(left.into()), Some(3))
        );
        assert_eq!(value["fingerprint"], bench.json(&["inspect", "data.commitment"])["fingerprint"]);
        // The seed, in hexadecimal digits or as it stands, is in neither; the file is as it was.
        let seed: String = before[38..70].iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(!shown.contains(&seed[..8]) && !value.to_string().contains(&seed[..8]));
        assert_eq!(bench.read(SECRET), before);
    };
    left(3);
    for (row, proof) in [("0", "0.proof"), ("1", "1.proof")] {
        open(&bench, &["--row", row], proof);
    }
    left(1);
    let whole = bench.read(SECRET);
    bench.write("cut.secret", &whole[..whole.len() - 1]);
    bench.run(&["inspect", "cut.secret"]).is(2, &["damaged: it is cut short", "hint:"]);
    bench.run(&["inspect", "-"]).is(2, &["error:", "hint:"]);
}

/// A copy may be older than the secret, so that what it has left is no promise.
#[cfg(unix)]
#[test]
fn inspect_says_that_a_secret_is_a_copy() {
    let bench = hidden(FIVE, "2");
    std::fs::copy(bench.path(SECRET), bench.path("backup")).unwrap();
    open(&bench, &["--row", "0"], "0.proof");
    let shown = bench.ok(&["inspect", "backup"]).out;
    assert!(shown.contains("openings left: 2 of 2") && shown.contains("copy"), "{shown}");
    assert_eq!(bench.json(&["inspect", "backup"])["copy"], true);
    assert_eq!(bench.json(&["inspect", SECRET])["copy"], false);
}

/// A digest of the source would let anyone test a guess at the data.
#[test]
fn files_of_a_hiding_commitment_carry_no_digest_of_the_data() {
    let bench = hidden(FIVE, "1");
    let first = bench.read("data.commitment");
    let digest = blake3::hash(FIVE.as_bytes());
    let holds = |bytes: &[u8]| bytes.windows(32).any(|window| window == digest.as_bytes());
    open(&bench, &["--row", "0"], "0.proof");
    assert!(!holds(&first) && !holds(&bench.read("0.proof")));
    // The same data again: another seed, another root, and nothing else that differs.
    bench.ok(&["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "again.commitment"]);
    let again = bench.read("again.commitment");
    assert_ne!(first, again);
    let open_commitment = Bench::committed(FIVE, &[]);
    assert!(holds(&open_commitment.read("data.commitment")), "the test can see a digest");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_secret() {
    use std::os::unix::fs::PermissionsExt;
    let bench = hidden(FIVE, "1");
    let mode = |name: &str| std::fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(SECRET), 0o600);
    open(&bench, &["--row", "0"], "0.proof");
    assert_eq!(mode(SECRET), 0o600, "after it was replaced");
}

#[test]
fn nothing_is_overwritten_and_no_opening_is_lost_to_a_name() {
    let bench = hidden(FIVE, "3");
    let (commitment, secret) = (bench.read("data.commitment"), bench.read(SECRET));
    let again = bench.run(&["commit", "data.csv", "-c", "price", "--hiding", "3"]);
    again.is(2, &["data.commitment.secret is already there", "hint:", "--secret"]);
    let nowhere =
        ["commit", "data.csv", "-c", "price", "--hiding", "3", "-o", "no/such/x", "--secret", "orphan"];
    bench.run(&nowhere).is(4, &["cannot write no/such/x"]);
    assert!(!bench.path("orphan").exists(), "a secret without a commitment");
    bench.write("taken.proof", b"mine");
    try_open(&bench, &["--row", "0"], "taken.proof").is(2, &["taken.proof is already there", "hint:", "-o"]);
    try_open(&bench, &["--row", "0"], SECRET).is(2, &["is an input of this command", "hint:", "-o"]);
    try_open(&bench, &["--row", "0"], "no/such/x").is(4, &["cannot write no/such/x"]);
    try_open(&bench, &["--row", "9"], "9.proof").is(2, &["there is no row 9"]);
    bench.write("other.csv", FIVE.replace("50.00", "50.01").as_bytes());
    let other = ["open", "other.csv", "-c", "price", "--commitment", "data.commitment", "--row", "0"];
    bench.run(&[&other[..], &["--secret", SECRET]].concat()).is(2, &["do not match the commitment", "hint:"]);
    assert_eq!((bench.read("data.commitment"), bench.read(SECRET)), (commitment, secret));
    assert_eq!(bench.read("taken.proof"), b"mine");
}

#[test]
fn the_secret_is_asked_for_and_must_be_the_right_one() {
    let bench = hidden(FIVE, "2");
    bench
        .try_open(&["--row", "0"])
        .is(2, &["data.commitment hides", "hint:", "--secret data.commitment.secret"]);
    bench.try_open(&["--row", "0", "--secret", "none"]).is(4, &["cannot read none"]);
    bench.ok(&["commit", "data.csv", "-c", "price", "--hiding", "2", "-o", "b", "--secret", "b.key"]);
    bench
        .try_open(&["--row", "0", "--secret", "b.key"])
        .is(2, &["the secret of another commitment", "hint:"]);
    bench.ok(&["commit", "data.csv", "-c", "price", "-o", "open.commitment"]);
    let open = ["open", "data.csv", "-c", "price", "--commitment", "open.commitment", "--row", "0"];
    bench.run(&[&open[..], &["--secret", SECRET]].concat()).is(2, &["does not hide", "hint:"]);
    bench.run(&["commit", "data.csv", "-c", "price", "--secret", "x"]).is(2, &["--hiding"]);
    bench.run(&["commit", "data.csv", "-c", "price", "--hiding", "17"]).is(2, &["17"]);
    bench.run(&["commit", "data.csv", "-c", "price", "--hiding", "0"]).is(2, &["0"]);
    assert_eq!(used(&bench), 0);
}

#[test]
fn damaged_secrets_are_refused() {
    let bench = hidden(FIVE, "2");
    open(&bench, &["--row", "0"], "0.proof");
    let whole = bench.read(SECRET);
    let with = |bytes: &[u8]| {
        bench.write(SECRET, bytes);
        try_open(&bench, &["--row", "1"], "1.proof")
    };
    for cut in [5, 20, whole.len() - 1] {
        with(&whole[..cut]).is(2, &["damaged: it is cut short", "hint:", "older copy"]);
    }
    with(&[&whole[..], &[0]].concat()).is(2, &["bytes after its end"]);
    with(b"price\n1\n").is(2, &["no secret file", "hint:"]);
    with(b"").is(2, &["no secret file", "hint:"]);
    let changed = |at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[at] = to;
        with(&bytes)
    };
    changed(4, 3).is(2, &["secret file version 3, this build reads versions 1 and 2", "hint:"]);
    changed(USED, 0).is(2, &["checksum", "hint:"]);
    changed(USED, 3).is(2, &["more openings are used than there are"]);
    changed(50, whole[50] ^ 1).is(2, &["checksum"]);
    assert!(!bench.path("1.proof").exists());
    with(&whole).is(0, &["openings left: 0 of 2"]);
}

/// A hiding proof states one form. What fills a column up is no row, so five rows have no sum of one form.
#[test]
fn one_value_for_each_opening() {
    let bench = Bench::new(FIVE);
    let committed = bench.ok(&["commit", "data.csv", "-c", "price", "--hiding", "1"]);
    assert!(committed.err.contains("their sum cannot"), "{}", committed.err);
    let sum = try_open(&bench, &["--sum"], "sum.proof");
    sum.is(2, &["the sum of 5 rows", "sums of their parts", "hint:", "commit to 8 rows"]);
    try_open(&bench, &["--row", "0", "--row", "1"], "two.proof").is(2, &["one value, not 2", "hint:"]);
    assert_eq!(used(&bench), 0);
    let eight = hidden(&format!("{FIVE}0,0\n0,0\n0,0\n"), "2");
    open(&eight, &["--sum"], "sum.proof");
    let verified = eight.ok(&["verify", "sum.proof", "--commitment", "data.commitment"]);
    assert!(verified.err.contains("the sum of all 8 rows of price is 131.00"), "{}", verified.err);
    let params = eight.json(&["verify", "sum.proof"]);
    assert_eq!(params["claims"].as_array().unwrap().len(), 1);
    try_open(&eight, &["--sum", "--row", "0"], "two.proof").is(2, &["one value, not 2"]);
    assert_eq!(used(&eight), 1);
}

/// A copy does not count what is opened with others: it is used with the user's word for it alone.
#[cfg(unix)]
#[test]
fn a_copy_of_a_secret_is_refused() {
    let bench = hidden(FIVE, "4");
    let path = |name: &str| bench.path(name);
    let with = |secret: &str, row: &str, more: &[&str]| {
        let proof = format!("{row}.proof");
        bench.try_open(&[&["--row", row, "--secret", secret, "-o", &proof][..], more].concat())
    };
    let refused = |ran: Ran| {
        ran.is(
            2,
            &["is a copy", "few openings with one mask show the whole column", "hint:", "--moved-secret"],
        );
    };
    std::fs::copy(path(SECRET), path("backup")).unwrap();
    let backup = bench.read("backup");
    open(&bench, &["--row", "0"], "0.proof");
    // The backup where it is, moved to the secret's place, and written into the secret as it is now (`cp -p backup secret`).
    refused(with("backup", "1", &[]));
    std::fs::rename(path(SECRET), path("away")).unwrap();
    std::fs::rename(path("backup"), path(SECRET)).unwrap();
    refused(with(SECRET, "1", &[]));
    std::fs::rename(path("away"), path(SECRET)).unwrap();
    let now = bench.read(SECRET);
    bench.write(SECRET, &backup);
    refused(with(SECRET, "1", &[]));
    assert!(!path("1.proof").exists() && used(&bench) == 0);
    bench.write(SECRET, &now);
    // A file that was given another name, in another folder, is the same file.
    std::fs::create_dir(path("folder")).unwrap();
    std::fs::rename(path(SECRET), path("folder/renamed")).unwrap();
    with("folder/renamed", "1", &[]).is(0, &["mask number 1"]);
    // The word of the user: once, since the file is written anew.
    std::fs::copy(path("folder/renamed"), path("moved")).unwrap();
    refused(with("moved", "2", &[]));
    with("moved", "2", &["--moved-secret"]).is(0, &["mask number 2"]);
    with("moved", "3", &[]).is(0, &["mask number 3", "openings left: 0 of 4"]);
    bench.try_open(&["--row", "0", "--moved-secret"]).is(2, &["--secret"]);
}

/// Inodes are given again: after every second opening the secret may have the number that an old copy tells.
#[cfg(unix)]
#[test]
fn an_old_copy_is_refused_after_any_number_of_openings() {
    let bench = hidden(FIVE, "6");
    let mut copies = vec![bench.read(SECRET)];
    for row in 0..4 {
        open(&bench, &["--row", &row.to_string()], &format!("{row}.proof"));
        let now = bench.read(SECRET);
        for copy in &copies {
            bench.write(SECRET, copy);
            try_open(&bench, &["--row", "0"], "again.proof").is(2, &["is a copy"]);
        }
        bench.write(SECRET, &now);
        copies.push(now);
    }
    assert_eq!(used(&bench), 4);
}

/// Files of the release before have no stamp, and get one when they are used.
#[cfg(unix)]
#[test]
fn a_secret_of_version_1_is_stamped_by_its_first_use() {
    let bench = hidden(FIVE, "3");
    let whole = bench.read(SECRET);
    let mut old = [b"TNFS\x01\0", &whole[6..USED + 4]].concat();
    old.extend_from_slice(blake3::hash(&old).as_bytes());
    std::fs::remove_file(bench.path(SECRET)).unwrap();
    bench.write(SECRET, &old);
    open(&bench, &["--row", "0"], "0.proof");
    assert_eq!((bench.read(SECRET)[4], bench.read(SECRET).len()), (2, whole.len()));
    std::fs::copy(bench.path(SECRET), bench.path("copy")).unwrap();
    bench.try_open(&["--row", "1", "--secret", "copy", "-o", "1.proof"]).is(2, &["is a copy"]);
    open(&bench, &["--row", "1"], "1.proof");
}

#[test]
fn who_holds_the_secret_keeps_others_out() {
    let bench = hidden(FIVE, "2");
    let lock = std::fs::File::create(bench.path("data.commitment.secret.lock")).unwrap();
    lock.lock().unwrap();
    let refused = try_open(&bench, &["--row", "0"], "0.proof");
    refused.is(4, &["another process is using data.commitment.secret", "hint:", "wait"]);
    assert!(used(&bench) == 0 && !bench.path("0.proof").exists());
    lock.unlock().unwrap();
    open(&bench, &["--row", "0"], "0.proof");
}

/// Many at once: as many openings are used up as proofs were written, each with a mask of its own.
#[test]
fn processes_at_once_share_no_mask() {
    let bench = hidden(FIVE, "3");
    let start = |i: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold"));
        command.current_dir(bench.path("")).stderr(Stdio::null());
        command.args(["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "0"]);
        command.args(["--secret", SECRET, "-o", &format!("{i}.proof")]).spawn().unwrap()
    };
    let mut proofs = Vec::new();
    for round in 0..3 {
        let running: Vec<_> = (4 * round..4 * round + 4).map(|i| (i, start(i))).collect();
        for (i, mut child) in running {
            match child.wait().unwrap().code() {
                Some(0) => proofs.push(format!("{i}.proof")),
                code => assert!(matches!(code, Some(2 | 4)), "{code:?}"),
            }
        }
    }
    assert_eq!(proofs.len(), 3, "each round lets one through at least");
    let mut masks: Vec<u8> = proofs.iter().map(|proof| mask(&bench, proof)).collect();
    masks.sort_unstable();
    assert_eq!((masks, used(&bench)), (vec![0, 1, 2], 3));
    proofs.iter().for_each(|proof| drop(bench.ok(&["verify", proof, "--commitment", "data.commitment"])));
}

/// The system ends the process at the first block that it writes, as a full disk would: room for the proof comes first.
#[cfg(unix)]
#[test]
fn a_disk_without_room_for_the_proof_costs_no_opening() {
    let bench = hidden(FIVE, "2");
    let mut shell = Command::new("sh");
    shell.current_dir(bench.path("")).env("TENFOLD", env!("CARGO_BIN_EXE_tenfold")).stderr(Stdio::null());
    let open = "open data.csv -c price --commitment data.commitment --row 0 -o 0.proof";
    shell.args(["-c", &format!("ulimit -c 0; ulimit -f 1; exec \"$TENFOLD\" {open} --secret {SECRET}")]);
    assert!(!shell.status().unwrap().success());
    assert!(used(&bench) == 0 && !bench.path("0.proof").exists());
    self::open(&bench, &["--row", "1"], "1.proof");
    assert_eq!((used(&bench), mask(&bench, "1.proof")), (1, 0));
}

/// The commitment must not be written over its secret, which alone can open it.
#[test]
fn a_commitment_and_its_secret_are_two_files() {
    let bench = Bench::new(FIVE);
    let commit = ["commit", "data.csv", "-c", "price", "--hiding", "1"];
    for secret in ["both", "./both"] {
        let ran = bench.run(&[&commit[..], &["-o", "both", "--secret", secret]].concat());
        ran.is(2, &["both cannot be", "at once", "hint:", "--secret"]);
        assert!(!bench.path("both").exists(), "a secret without a commitment");
    }
}

/// A link leads to the one file that counts; a second name would keep an old count.
#[cfg(unix)]
#[test]
fn there_is_one_count() {
    let bench = hidden(FIVE, "2");
    std::os::unix::fs::symlink(bench.path(SECRET), bench.path("link")).unwrap();
    bench.open(&["--row", "0", "--secret", "link"]);
    assert_eq!(used(&bench), 1);
    assert!(bench.path("link").is_symlink() && !bench.path("link.lock").exists());
    std::fs::hard_link(bench.path(SECRET), bench.path("second")).unwrap();
    try_open(&bench, &["--row", "1"], "1.proof").is(4, &["hard link"]);
    assert_eq!(used(&bench), 1);
}

#[test]
fn parameters_of_hiding_commitments() {
    let bench = Bench::new(FIVE);
    for field in ["koalabear", "goldilocks", "bn254"] {
        for (size, openings) in [("12", "1"), ("14", "16"), ("20", "3")] {
            let args = ["params", "--log-size", size, "--field", field, "--hiding", openings];
            let value = bench.json(&args);
            assert!(value["proven_bits"].as_f64().unwrap() >= 128.0, "{field} 2^{size}");
            assert_eq!(value["regime"], "unique decoding");
            assert!(
                bench.ok(&args).out.contains(&format!("{openings} hidden opening(s)")),
                "{field} 2^{size}"
            );
        }
    }
    let two = bench.run(&["params", "--log-size", "14", "--hiding", "1", "--inner", "two-chains"]);
    two.is(2, &["two chains do not hide", "hint:"]);
    let chain = hidden_with(&["--inner", "chain"]);
    open(&chain, &["--row", "3"], "3.proof");
    chain.ok(&["verify", "3.proof", "--commitment", "data.commitment"]);
    // Few rows are padded, as `commit` pads them: five of them take what `params` writes.
    let small = bench.json(&["params", "--log-size", "3", "--hiding", "1", "-o", "small.json"]);
    assert!(small["log_size"].as_u64() > Some(3) && small["proven_bits"].as_f64() >= Some(128.0), "{small}");
    bench.ok(&["commit", "data.csv", "-c", "price", "--params", "small.json", "-o", "small.commitment"]);
}
