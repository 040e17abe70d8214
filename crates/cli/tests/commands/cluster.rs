//! One proof by several ranks.

use super::bench::{Bench, FIVE};
use crate::json::check;
use cluster::comm::threads::{Threads, connect};
use cluster::comm::{Clock, Comm, CommError, Incoming, Outgoing};
use iop::security::Policy;
use std::time::Duration;
use tenfold::cluster::{Deviation, Entries, RankError, Task, Terms, prove_on};
use tenfold::{Claim, Dataset, Options, search};

pub const PROVE: [&str; 3] = ["cluster", "prove", "data.csv"];
pub const COLUMN: [&str; 4] = ["-c", "price", "--bits", "100"];

pub fn same(bench: &Bench, files: [[&str; 2]; 2]) {
    files.iter().for_each(|[one, other]| assert_eq!(bench.read(one), bench.read(other), "{one}, {other}"));
}

#[test]
fn ranks_write_the_files_of_one_machine() {
    let rows: String = (0..300).map(|i| format!("{}.5\n", i * 7 - 600)).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    let what = ["--row", "2", "--sum"];
    let ranges = ["--sum-rows", "3..100", "--row", "2"];
    bench.ok(&[&["commit", "data.csv", "--parts", "4", "-o", "c"], &COLUMN[..]].concat());
    bench.ok(&[&["open", "data.csv", "-c", "price", "--commitment", "c", "-o", "p"], &what[..]].concat());
    let proved = bench
        .json(&[&PROVE[..], &COLUMN, &what, &["--ranks", "4", "-o", "p4", "--commitment", "c4"]].concat());
    assert_eq!((&proved["ranks"], &proved["lost"]), (&4.into(), &serde_json::json!([])), "{proved}");
    check("cluster prove", &proved);
    same(&bench, [["c", "c4"], ["p", "p4"]]);
    bench.ok(&[&["open", "data.csv", "-c", "price", "--commitment", "c", "-o", "r"], &ranges[..]].concat());
    bench.ok(&[&PROVE[..], &COLUMN, &ranges, &["--ranks", "4", "-o", "r4", "--commitment", "c4"]].concat());
    same(&bench, [["r", "r4"]; 2]);
    let verified = bench.ok(&["verify", "p4", "--commitment", "c"]);
    assert!(verified.err.contains("row 2 of price is -586.5"), "{verified:?}");
    // Shards: as many ranks as there are, and fewer. Nothing is overwritten.
    let shard = [&["cluster", "shard", "data.csv", "--ranks", "4", "-d", "shards"], &COLUMN[..]].concat();
    check("cluster shard", &bench.json(&shard));
    bench.run(&shard).is(2, &["shards is there already", "hint:"]);
    for ranks in ["4", "2", "1"] {
        let prove = ["cluster", "prove", "--shards", "shards", "--bits", "100", "--ranks", ranks];
        bench.ok(&[&prove[..], &what, &["-o", "ps", "--commitment", "cs"]].concat());
        same(&bench, [["c", "cs"], ["p", "ps"]]);
    }
    // A damaged shard names the rank that read it; there are no shards for more ranks; a sum that wraps is refused without the data.
    let prove = |more: &[&str]| {
        bench.run(&[&["cluster", "prove", "--shards", "shards", "--bits", "100"], more].concat())
    };
    prove(&["--row", "2", "--ranks", "8"]).is(2, &["8 ranks for 4 shards", "hint:"]);
    prove(&ranges).is(2, &["a sum of some rows of a column, or one by weights, needs its file"]);
    prove(&["--row", "300"]).is(2, &["there is no row 300"]);
    let mut shard = bench.read("shards/2.shard");
    *shard.last_mut().unwrap() ^= 1;
    bench.write("shards/2.shard", &shard);
    prove(&["--row", "2"]).is(2, &["rank 2: shard 2 was changed", "hint:"]);
    prove(&["--row", "2", "--retry"]).is(2, &["shard 2 was changed"]);
    // As many ranks as the folder says are started: it says no more than there can be.
    let description = String::from_utf8(bench.read("shards/shards.json")).unwrap();
    for more in ["32", "1048576", "4611686018427387904"] {
        let more = description.replace(r#""shards": 4,"#, &format!(r#""shards": {more},"#));
        assert_ne!(more, description);
        bench.write("shards/shards.json", more.as_bytes());
        prove(&["--row", "2"]).is(2, &["describes no shards"]);
    }
    bench.write("shards/shards.json", b"{}");
    prove(&["--row", "2"]).is(2, &["describes no shards"]);
    // What the claim would say of the data is what was said when they were split: `price` is 7072696365.
    let (before, name) =
        description.split_once("7072696365").expect("the column's name in hexadecimal digits");
    bench.write("shards/shards.json", format!("{before}7072696366{name}").as_bytes());
    prove(&["--row", "2"]).is(2, &["shards.json was changed", "another name, number of rows or sum"]);
    // A pipe in the place of a file is not waited for.
    #[cfg(unix)]
    for name in ["2.shard", "shards.json"] {
        bench.write("shards/shards.json", description.as_bytes());
        let piped = "rm shards/$NAME && mkfifo shards/$NAME && exec $TENFOLD cluster prove --shards shards --bits 100 --row 2";
        bench.shell(&piped.replace("$NAME", name)).is(2, &[name, "it is no plain file", "hint:"]);
    }
}

#[test]
fn ranks_prove_bytes_and_refuse_what_one_machine_does() {
    let rows: String = (0..40).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    bench.write("any.bin", &(0..5000u32).map(|i| ((i * i) >> 3) as u8).collect::<Vec<_>>());
    for scheme in ["ligerito", "air"] {
        let by = ["--scheme", scheme, "--bits", "100"];
        bench.ok(&[&["commit", "any.bin", "--parts", "2", "-o", "c"], &by[..]].concat());
        bench.ok(&["open", "any.bin", "--commitment", "c", "--row", "4999", "-o", "p"]);
        let prove = [
            "cluster",
            "prove",
            "any.bin",
            "--ranks",
            "2",
            "--row",
            "4999",
            "-o",
            "p2",
            "--commitment",
            "c2",
        ];
        bench.ok(&[&prove[..], &by].concat());
        same(&bench, [["c", "c2"], ["p", "p2"]]);
    }
    bench
        .run(&[&PROVE[..], &COLUMN, &["--ranks", "3", "--row", "1"]].concat())
        .is(2, &["power of two, and not 3"]);
    bench.run(&[&PROVE[..], &COLUMN].concat()).is(2, &["nothing to prove"]);
    bench.run(&["cluster", "prove", "--row", "1"]).is(2, &["<FILE>"]);
    let launched = assert_cmd::Command::new(env!("CARGO_BIN_EXE_tenfold"))
        .env("OMPI_COMM_WORLD_SIZE", "2")
        .args(["cluster", "doctor", "--ranks", "2"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&launched.stderr);
    assert!(launched.status.code() == Some(2) && said.contains("the launcher says how many"), "{said}");
}

/// Each rank has the weights of its columns; shards of numbers do not show whether a weighted sum wraps.
#[test]
fn ranks_prove_weighted_sums() {
    let rows: String = (0..40).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    bench.write("w.csv", format!("w\n{rows}").as_bytes());
    bench.write("any.bin", &[7; 500]);
    bench.write("w.bin", &[3; 500]);
    let by = ["--scheme", "ligerito", "--bits", "100"];
    let cases = [("data.csv", "w.csv", &COLUMN[..]), ("any.bin", "w.bin", &by)];
    for (data, weights, options) in cases {
        let column = if data == "data.csv" { &COLUMN[..2] } else { &[] };
        let weighted = ["--weights", weights];
        bench.ok(&[&["commit", data, "--parts", "2", "-o", "c"], options].concat());
        bench.ok(&[&["open", data, "--commitment", "c", "-o", "p"], column, &weighted].concat());
        let prove = ["cluster", "prove", data, "--ranks", "2", "-o", "p2", "--commitment", "c2"];
        bench.ok(&[&prove[..], options, &weighted].concat());
        same(&bench, [["c", "c2"], ["p", "p2"]]);
        bench.ok(&["verify", "p2", "--commitment", "c", "--weights", weights]);
    }
    let shard = ["cluster", "shard", "data.csv", "--ranks", "2", "-d", "shards"];
    bench.ok(&[&shard[..], &COLUMN].concat());
    let prove = ["cluster", "prove", "--shards", "shards", "--bits", "100", "--weights", "w.csv"];
    bench.run(&prove).is(2, &["shards do not show whether it wraps"]);
    bench.write("w.csv", b"w\n1\n");
    bench
        .run(&[&PROVE[..], &COLUMN, &["--weights", "w.csv"]].concat())
        .is(2, &["1 weights, the column has 40"]);
}

/// Ranks make the first opening of a commitment that hides, and one machine with the secret the next: the commitments are the same, or it would refuse.
#[test]
fn ranks_hide_and_one_machine_opens_the_rest() {
    let rows: String = (0..40).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    let out = ["--row", "2", "--ranks", "2", "-o", "p", "--commitment", "c"];
    let prove = [&PROVE[..], &COLUMN, &["--hiding", "2"], &out].concat();
    bench.run(&[&prove[..], &["--row", "3"]].concat()).is(2, &["a hiding proof states one value"]);
    bench.run(&[&PROVE[..], &COLUMN, &out, &["--secret", "s"]].concat()).is(2, &["has no secret"]);
    assert!(
        !bench.path("c.secret").exists() && !bench.path("c").exists(),
        "nothing is left of what is refused"
    );
    let proved = bench.json(&prove);
    check("cluster prove", &proved);
    assert_eq!((&proved["openings_left"], &proved["secret"]), (&1.into(), &"c.secret".into()), "{proved}");
    let open = |proof| {
        [
            "open",
            "data.csv",
            "-c",
            "price",
            "--commitment",
            "c",
            "--secret",
            "c.secret",
            "--row",
            "3",
            "-o",
            proof,
        ]
    };
    bench.ok(&open("p1"));
    for (proof, said) in [("p", "row 2 of price is 2"), ("p1", "row 3 of price is 3")] {
        let verified = bench.ok(&["verify", proof, "--commitment", "c"]);
        assert!(verified.err.contains(said), "{verified:?}");
    }
    bench.run(&open("p2")).is(2, &["no opening is left"]);
    // A second run would put another secret in the place of the first.
    let (secret, proof) = (bench.read("c.secret"), bench.read("p"));
    assert_eq!(bench.run(&prove).code(), Some(2));
    assert!(secret == bench.read("c.secret") && proof == bench.read("p"));
    // By shards, whose parameters hide. Leaves of one part do not.
    bench.ok(&[
        &["cluster", "shard", "data.csv", "--ranks", "2", "--hiding", "1", "-d", "shards"],
        &COLUMN[..],
    ]
    .concat());
    bench.ok(&[
        "cluster",
        "prove",
        "--shards",
        "shards",
        "--bits",
        "100",
        "--row",
        "5",
        "-o",
        "ps",
        "--commitment",
        "cs",
    ]);
    assert!(bench.ok(&["verify", "ps", "--commitment", "cs"]).err.contains("row 5 of price is 5"));
    bench
        .run(&[&PROVE[..], &COLUMN, &["--hiding", "1", "--row", "2", "--ranks", "1", "-o", "q"]].concat())
        .is(2, &["leaves of parts"]);
}

/// A worker whose jobs are proven by ranks: the proof is that of one machine with the same parts.
#[cfg(feature = "fleet")]
#[test]
fn a_worker_proves_by_ranks() {
    let rows: String = (0..40).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    let queue = ["--queue", "q"];
    let submit = ["fleet", "submit", "data.csv", "--parts", "2", "--row", "3"];
    let job = bench.json(&[&submit[..], &COLUMN, &queue].concat());
    let worked = bench.json(&[&["fleet", "worker", "--until-empty", "--ranks", "4"], &queue[..]].concat());
    assert_eq!((&worked["done"], &worked["failed"]), (&1.into(), &0.into()), "{worked}");
    let job = job["job"].as_str().unwrap();
    bench.ok(&[&["fleet", "status", job, "-o", "p", "--commitment", "c"], &queue[..]].concat());
    bench.ok(&[&["commit", "data.csv", "--parts", "2", "-o", "c1"], &COLUMN[..]].concat());
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "c1", "--row", "3", "-o", "p1"]);
    same(&bench, [["c", "c1"], ["p", "p1"]]);
}

#[test]
fn a_deployment_is_examined_and_measured() {
    let bench = Bench::new(FIVE);
    let found = bench.json(&["cluster", "doctor", "--ranks", "2"]);
    check("cluster doctor", &found);
    assert_eq!((found["ranks"].as_array().unwrap().len(), &found["problems"]), (2, &serde_json::json!([])));
    let odd = bench.run(&["cluster", "doctor", "--ranks", "3"]);
    assert!(odd.code() == Some(5) && odd.out.contains("problem: 3 ranks"), "{odd:?}");
    let args =
        ["cluster", "bench", "--log-size", "10", "--ranks", "1,2", "--bits", "100", "--html", "page.html"];
    let measured = bench.json(&args);
    check("cluster bench", &measured);
    let rows = measured["cases"].as_array().unwrap();
    assert!(
        rows[1]["phases"]["digests"]["sent_bytes"].as_u64() > Some(0) && rows[0]["sent_bytes"] == 0,
        "{measured}"
    );
    assert!(rows[1]["model_error_percent"].is_number() && rows[0]["model_error_percent"].is_null());
    assert!(String::from_utf8(bench.read("page.html")).unwrap().contains("One proof by several ranks"));
    // Parameters are those for the most ranks, and those of one machine stand beside them.
    let [same, cheapest] = ["same_parameters", "cheapest_parameters"].map(|name| &measured[name]);
    assert!(same["columns"].as_u64() >= cheapest["columns"].as_u64(), "{measured}");
    assert!(rows.iter().all(|row| row["proof_bytes"].as_u64() > Some(10_000)), "{measured}");
    assert_eq!(same["cpu_ms"], measured["one_machine_cpu_ms"]);
    let asked =
        ["cluster", "bench", "--log-size", "10", "--ranks", "2", "--columns", "64", "--inner", "recursion"];
    let said = bench.ok(&asked).out;
    for part in [
        "parameters: 64 columns, recursion\n",
        " x 64 columns, rate",
        "  these parameters: ",
        "  the cheapest, ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    bench
        .run(&[&asked[..7], &["2048"]].concat())
        .is(2, &["2048 columns are asked for, and 1024", "fewer --columns"]);
}

/// An honest rank, but for the answer with a number that it signs.
pub struct Deviating {
    comm: Threads,
    answer: Option<usize>,
    signed: usize,
}

impl Comm for Deviating {
    fn rank(&self) -> usize {
        self.comm.rank()
    }

    fn size(&self) -> usize {
        self.comm.size()
    }

    fn clock(&self) -> Clock {
        self.comm.clock()
    }

    fn before_signing(&mut self, answer: &mut Vec<u8>) {
        if self.answer == Some(self.signed) {
            answer[0] ^= 1;
        }
        self.signed += 1;
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        self.comm.exchange(outgoing, incoming, within)
    }
}

/// So many ranks, of which the second changes the values that it signs: hello and statement come before.
pub fn values_of_rank_one(size: usize) -> Vec<Deviating> {
    let deviating = |comm: Threads| Deviating { answer: (comm.rank() == 1).then_some(2), comm, signed: 0 };
    connect(size, 1 << 20).into_iter().map(deviating).collect()
}

/// Another process verifies a report that names a rank by what it signed.
#[test]
fn a_report_is_verified_by_another_process() {
    let data = Dataset::from_u64s((0..200).collect());
    let (policy, options) = (Policy::at_least(100), Options::proven_bits(100).log_parts(2));
    let params = search::choose(&data, &options).unwrap();
    let (task, entries) = Task::new(&data, params, &policy).unwrap();
    let entries = (Entries::Memory(&entries), &[Claim::Row(7)][..]);
    let failed = prove_on(&task, entries, 4, (&Terms::default(), &values_of_rank_one)).unwrap().unwrap_err();
    assert_eq!(failed.rank(), Some(1), "{failed}");
    let report = failed.report.as_ref().expect("it signed what it sent").to_json();
    let bench = Bench::new(FIVE);
    bench.write("report", &report);
    let valid = bench.json(&["cluster", "verify-report", "report"]);
    check("cluster verify-report", &valid);
    assert_eq!((&valid["rank"], &valid["deviation"]), (&1.into(), &"values".into()), "{valid}");
    println!("shows: {failed}");
    bench
        .run(&["cluster", "verify-report", "report"])
        .shown()
        .is(0, &["valid: rank 1 deviated", "its key is"]);
    let text = String::from_utf8(report).unwrap();
    bench.write("other", text.replace("\"accused\": 1", "\"accused\": 2").as_bytes());
    bench.run(&["cluster", "verify-report", "other"]).shown().is(1, &["invalid:"]);
    for garbage in ["data.csv", "spaced"] {
        bench.write("spaced", text.replace(": ", ":  ").as_bytes());
        let ran = bench.run(&["cluster", "verify-report", garbage]);
        ran.is(2, &["error: the bytes are no blame report", "hint:", "--report"]);
    }
    let weights =
        ["cluster", "verify-report", "report", "--weights", "data.csv", "--weights-column", "price"];
    bench.run(&weights).is(2, &["this report has no weights", "without --weights"]);
    // Without the rank that it names the others prove.
    let retrying = Terms { retry: true, ..Terms::default() };
    let proved = prove_on(&task, entries, 2, (&retrying, &values_of_rank_one)).unwrap().unwrap();
    assert!(
        proved.meters.0.len() == 1 && proved.lost[0].contains("2 ranks: rank 1 deviated"),
        "{:?}",
        proved.lost
    );
}

/// The report of a job of four in which rank 1 deviates in its part of a weighted sum; hello, statement and values of the commitment come before.
fn weighted_report([data, weights]: [&Dataset; 2], options: &Options) -> Vec<u8> {
    let options = options.clone().log_parts(2);
    let params = search::choose(data, &options).unwrap();
    let (task, entries) = Task::new(data, params, &Policy::at_least(100)).unwrap();
    let claims = [Claim::Weighted(weights)];
    let report = |answer| {
        let ranks = |size| {
            let deviating =
                |comm: Threads| Deviating { answer: (comm.rank() == 1).then_some(answer), comm, signed: 0 };
            connect(size, 1 << 20).into_iter().map(deviating).collect()
        };
        let entries = (Entries::Memory(&entries), &claims[..]);
        let failed = prove_on(&task, entries, 4, (&Terms::default(), &ranks)).unwrap().unwrap_err();
        assert_eq!(failed.rank(), Some(1), "{failed}");
        let weighted = matches!(failed.error, RankError::Deviation { deviation: Deviation::Weighted, .. });
        weighted.then(|| failed.report.expect("it signed what it sent").to_json())
    };
    (2..5).find_map(report).expect("a part of the sum")
}

/// A report about a weighted sum is verified by the public weights.
#[test]
fn a_report_about_a_weighted_sum_is_verified_with_its_weights() {
    let bench = Bench::new(FIVE);
    let rows: String = (0..200).map(|i| format!("{},{i}\n", i * i)).collect();
    bench.write("w.csv", format!("square,w\n{rows}").as_bytes());
    let numbers = Dataset::from_u64s((0..200).collect());
    bench.write("report", &weighted_report([&numbers, &numbers], &Options::proven_bits(100)));
    let verify = ["cluster", "verify-report", "report"];
    let with = |file| [&verify[..], &["--weights", file, "--weights-column", "w"]].concat();
    let valid = bench.json(&with("w.csv"));
    assert_eq!((&valid["rank"], &valid["deviation"]), (&1.into(), &"weighted".into()), "{valid}");
    bench.run(&with("w.csv")).is(0, &["valid: rank 1 deviated: its part of the weighted sum"]);
    bench.run(&verify).is(2, &["about a weighted sum, and the weights are not in it", "--weights FILE"]);
    bench.write("other.csv", format!("w\n{}", "3\n".repeat(200)).as_bytes());
    bench.run(&with("other.csv")).is(1, &["about a sum by other weights"]);
    bench.run(&with("missing.csv")).is(4, &["missing.csv"]);
    bench.write("text.csv", b"w\nx\n");
    bench.run(&with("text.csv")).is(2, &["weights:"]);
    bench.write("large.csv", format!("w\n{}", i128::MAX).as_bytes());
    bench.run(&with("large.csv")).is(2, &["none of the field"]);
    // Of a file of bytes the weights are bytes.
    let bytes = |factor: u32| (0..20_000).map(|i| ((factor * i * i) >> 2) as u8).collect::<Vec<_>>();
    let [any, weights] = [3, 7].map(bytes);
    bench.write("w.bin", &weights);
    let bytes = [any, weights].map(Dataset::from_bytes);
    bench.write("report", &weighted_report([&bytes[0], &bytes[1]], &Options::proven_bits(100)));
    let valid = bench.json(&[&verify[..], &["--weights", "w.bin"]].concat());
    assert_eq!((&valid["rank"], &valid["deviation"]), (&1.into(), &"weighted".into()), "{valid}");
    bench.run(&verify).is(2, &["--weights FILE"]);
    bench.run(&with("w.csv")).is(2, &["--weights-column is about columns of numbers"]);
    bench.run(&[&verify[..], &["--weights", "w.csv"]].concat()).is(1, &["about a sum by other weights"]);
}
