//! Proofs by a queue of jobs.

use super::bench::{Bench, FIVE};
use crate::json::check;
use std::path::Path;

const SUBMIT: [&str; 8] = ["fleet", "submit", "--queue", "q", "data.csv", "-c", "price", "--bits"];

#[test]
fn a_worker_proves_what_is_submitted() {
    let bench = Bench::new(FIVE);
    let submit = |what: &[&str]| bench.json(&[&SUBMIT[..], &["100"], what].concat());
    let first = submit(&["--row", "2", "--sum"]);
    check("fleet submit", &first);
    let again = submit(&["--row", "2", "--sum"]);
    assert_eq!((&first["job"], &first["new"]), (&again["job"], &true.into()));
    assert_eq!(again["new"], false);
    let absent = submit(&["--row", "99"]);
    let unbegun = bench.run(&["fleet", "status", "--queue", "q", first["job"].as_str().unwrap(), "-o", "p"]);
    unbegun.is(2, &["the job is queued", "hint: wait with `tenfold fleet status --wait`"]);
    let worked = bench.json(&["fleet", "worker", "--queue", "q", "--until-empty", "--jobs", "2"]);
    check("fleet worker", &worked);
    assert_eq!((&worked["done"], &worked["failed"]), (&1.into(), &1.into()), "{worked}");
    let status = |id: &serde_json::Value, more: &[&str]| {
        bench.json(&[&["fleet", "status", "--queue", "q", id.as_str().unwrap()], more].concat())
    };
    let failed = bench.run(&["fleet", "status", "--queue", "q", absent["job"].as_str().unwrap(), "-o", "p"]);
    failed.is(2, &["the job is failed", "hint: nobody works on it: `tenfold fleet submit` once more"]);
    let refused = status(&absent["job"], &[]);
    check("fleet status of a job", &refused);
    assert!(
        refused["error"].as_str().unwrap().contains("no row 99") && refused["attempts"] == 1,
        "{refused}"
    );
    assert_eq!(status(&first["job"], &["-o", "p", "--commitment", "c"])["state"], "done");
    let verified = bench.ok(&["verify", "p", "--commitment", "c"]);
    assert!(format!("{verified:?}").contains("30.25"), "{verified:?}");
    // It is the commitment that the data have.
    bench.ok(&["commit", "data.csv", "-c", "price", "--bits", "100", "-o", "own"]);
    bench.ok(&["verify", "p", "--commitment", "own"]);
    let counted = bench.json(&["fleet", "status", "--queue", "q", "--wait"]);
    check("fleet status", &counted);
    assert_eq!((&counted["jobs"]["done"], &counted["jobs"]["failed"]), (&1.into(), &1.into()));
}

/// A proof that is gone from the queue's folder, or damaged there, is made again when its job is submitted again.
#[test]
fn a_proof_that_is_lost_is_made_again() {
    let bench = Bench::new(FIVE);
    let submit = [&SUBMIT[..], &["100", "--row", "2"]].concat();
    let worker = ["fleet", "worker", "--queue", "q", "--until-empty"];
    let job = bench.json(&submit)["job"].as_str().unwrap().to_owned();
    let fetch = ["fleet", "status", "--queue", "q", &job, "-o", "p", "--force"];
    for lose in
        [|blob: &Path| std::fs::remove_file(blob).unwrap(), |blob: &Path| std::fs::write(blob, b"x").unwrap()]
    {
        bench.ok(&worker);
        let result = bench.json(&fetch)["result"].as_str().unwrap().to_owned();
        let proof = bench.read("p");
        lose(&bench.path("q/blobs").join(&result[..2]).join(&result));
        bench.run(&fetch).is(4, &["its proof is lost", "hint: `tenfold fleet submit` once more"]);
        assert_eq!(bench.read("p"), proof, "what is there stays");
        let again = bench.json(&submit);
        assert_eq!((&again["resubmitted"], &again["state"]), (&true.into(), &"queued".into()), "{again}");
        bench.ok(&worker);
        bench.ok(&fetch);
        assert_eq!(bench.read("p"), proof);
    }
}

/// A proof that has no room leaves the commitment of an older one as it was.
#[cfg(unix)]
#[test]
fn a_proof_that_cannot_be_written_leaves_an_older_pair() {
    let bench = Bench::new(FIVE);
    let submit = |file| {
        let submit =
            [&["fleet", "submit", "--queue", "q", file][..], &SUBMIT[5..], &["100"], &["--row=2"; 20]]
                .concat();
        bench.json(&submit)["job"].as_str().unwrap().to_owned()
    };
    bench.write("other.csv", FIVE.replace("10.50", "10.75").as_bytes());
    let jobs = [submit("data.csv"), submit("other.csv")];
    bench.ok(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    bench.ok(&["fleet", "status", "--queue", "q", &jobs[0], "-o", "p", "--commitment", "c"]);
    let before = ["p", "c"].map(|name| bench.read(name));
    // Files of 512 bytes, or of 1024 with some shells: a commitment has less, and a proof more.
    let status = format!("exec $TENFOLD fleet status --queue q {} -o p --commitment c", jobs[1]);
    let ran = bench.shell(&format!("trap '' XFSZ; ulimit -f 1; {status}"));
    ran.is(4, &["cannot write p"]);
    assert_eq!(["p", "c"].map(|name| bench.read(name)), before);
    bench.shell(&status).is(0, &[]);
    assert_ne!(["p", "c"].map(|name| bench.read(name)), before);
}

/// What every worker would refuse is no job; and what one process alone can read is none either.
#[test]
fn what_no_worker_takes_is_not_submitted() {
    let bench = Bench::new(FIVE);
    for name in [".hidden.csv", "back\\slash.csv", "line\nbreak.csv"] {
        bench.write(name, FIVE.as_bytes());
        let submit = ["fleet", "submit", "--queue", "q", name, "-c", "price", "--bits", "100", "--sum"];
        bench.run(&submit).is(2, &["the job is refused: the data's name", "hint: no worker would take it"]);
    }
    let rows = vec!["--row=1"; 257];
    bench.run(&[&SUBMIT[..], &["100"], &rows].concat()).is(2, &["a job has 1 to 256 claims"]);
    #[cfg(unix)]
    {
        let piped = "mkfifo pipe && exec $TENFOLD fleet submit --queue q pipe -c price --sum";
        bench.shell(piped).is(2, &["pipe is no plain file", "hint: write the data to a file"]);
    }
    bench.run(&["fleet", "status", "--queue", "q"]).is(0, &[]);
    assert!(!bench.path("q/blobs").exists(), "nothing of it is stored");
}

/// A job of a later release costs no attempt and keeps nobody waiting; what is malformed fails.
#[test]
fn jobs_of_a_later_release_are_left_to_its_workers() {
    use fleet::{Embedded, Job, JobQueue, Terms};
    let bench = Bench::new(FIVE);
    let plain = bench.json(&[&SUBMIT[..], &["100", "--sum"]].concat())["job"].as_str().unwrap().to_owned();
    let queue = Embedded::open(&bench.path("q")).unwrap();
    let input = queue.status(plain.parse().unwrap()).unwrap().unwrap().job.inputs;
    let job =
        |kind: &str, payload: &str| Job { kind: kind.into(), payload: payload.into(), inputs: input.clone() };
    let jobs = [job("prove", r#"{"version":2}"#), job("aggregate", "{}"), job("prove", "{}")];
    let ids = queue.submit(&jobs.map(|job| (job, Terms { max_attempts: 1, ..Terms::default() }))).unwrap();
    let run = bench.run(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    let why = "its kind is `aggregate`, and this release knows `prove`";
    run.is(
        0,
        &[
            "left to another worker, for this one does not understand it: its payload has version 2",
            &format!("{why}: {} is queued", ids[1].id),
            &format!("{} is failed", ids[2].id),
        ],
    );
    let worked = bench.json(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    assert_eq!((&worked["not_understood"], &worked["failed"]), (&2.into(), &0.into()), "{worked}");
    let status = bench.json(&["fleet", "status", "--queue", "q"]);
    check("fleet status", &status);
    let counts = ["queued", "done", "failed"].map(|state| status["jobs"][state].as_u64());
    assert_eq!((counts, &status["not_understood"]), ([Some(2), Some(1), Some(1)], &2.into()));
    assert!(!status["not_understood_because"].is_null());
    let status = bench.ok(&["fleet", "status", "--queue", "q"]);
    assert!(status.out.contains("2 of those that are queued: no worker here understands it: "), "{status:?}");
    let one = bench.json(&["fleet", "status", "--queue", "q", &ids[1].id.to_string()]);
    assert_eq!(
        (&one["attempts"], &one["error"]),
        (&0.into(), &format!("no worker here understands it: {why}").into())
    );
    // Who waits is told.
    let wait = format!(
        "timeout 3 $TENFOLD fleet status --queue q --wait; $TENFOLD fleet status --queue q {} --cancel",
        ids[0].id
    );
    bench.shell(&wait).is(0, &["a job waits, for no worker here understands it: "]);
    bench.ok(&["fleet", "status", "--queue", "q", &ids[1].id.to_string(), "--cancel"]);
    bench.ok(&["fleet", "status", "--queue", "q", "--wait"]);
}

/// The proof that a queue has is written if it holds, whether its commitment is asked for or not.
#[test]
fn a_result_that_is_no_proof_is_not_written() {
    use fleet::{Embedded, JobQueue};
    let bench = Bench::new(FIVE);
    let job = bench.json(&[&SUBMIT[..], &["100", "--sum"]].concat())["job"].as_str().unwrap().to_owned();
    let queue = Embedded::open(&bench.path("q")).unwrap();
    let lease = queue.claim("w", u64::MAX).unwrap().unwrap();
    queue.complete(&lease, queue.blobs().put(b"no proof").unwrap()).unwrap();
    for more in [&[][..], &["--commitment", "c"]] {
        let fetch = [&["fleet", "status", "--queue", "q", &job, "-o", "p"][..], more].concat();
        let refused = bench.run(&fetch);
        assert!(!matches!(refused.code(), Some(0) | None), "{refused:?}");
        assert!(!bench.path("p").exists() && !bench.path("c").exists());
    }
}

/// Of jobs that failed some are listed, and the others counted.
#[test]
fn jobs_that_are_not_listed_are_counted() {
    use fleet::{Embedded, Fault, Job, JobQueue, Terms};
    let bench = Bench::new(FIVE);
    let queue = Embedded::create(&bench.path("q"), std::time::Duration::from_secs(60)).unwrap();
    let job =
        |n: u32| (Job { kind: "test".into(), payload: n.to_string(), inputs: Vec::new() }, Terms::default());
    queue.submit(&(0..22).map(job).collect::<Vec<_>>()).unwrap();
    while let Some(lease) = queue.claim("w", u64::MAX).unwrap() {
        queue.fail(&lease, &Fault::Permanent("no".into())).unwrap();
    }
    let listed = bench.ok(&["fleet", "status", "--queue", "q"]);
    assert!(listed.out.ends_with("failed: no\nand 2 more that failed\n"), "{listed:?}");
    let listed = bench.json(&["fleet", "status", "--queue", "q"]);
    assert_eq!(
        (listed["failed"].as_array().map(Vec::len), &listed["failed_not_listed"]),
        (Some(20), &2.into())
    );
    // A page with records that was damaged, if it is not an old one, is an error and no abort, and stays as it is.
    let whole = bench.read("q/queue.redb");
    let pages = (0..whole.len()).step_by(4096).map(|start| start..start + 4096);
    let with_records = |text: &[u8]| text.windows(13).any(|text| text == br#""kind":"test""#);
    let mut errors = 0;
    for page in pages.filter(|page| with_records(&whole[page.clone()])) {
        let mut damaged = whole.clone();
        damaged[page][4..8].fill(0xff);
        bench.write("q/queue.redb", &damaged);
        let ran = bench.run(&["fleet", "status", "--queue", "q"]);
        assert!(!ran.err.contains("panicked") && matches!(ran.code(), Some(0 | 4)), "{ran:?}");
        if ran.code() == Some(4) {
            errors += 1;
            ran.is(4, &["error: the queue is damaged", "hint: put a copy"]);
            assert!(bench.read("q/queue.redb") == damaged);
        }
    }
    assert!(errors > 0);
}

/// A job about a weighted sum has its weights as a second file, and its proof is that of `open`.
#[test]
fn a_weighted_sum_is_a_job_about_two_files() {
    let bench = Bench::new(FIVE);
    bench.write("w.csv", b"w\n1\n2\n3\n4\n5\n");
    bench.write("data.bin", &[7; 3000]);
    bench.write("w.bin", &[9; 3000]);
    let column = ["data.csv", "-c", "price", "--bits", "100"];
    let by = ["--weights", "w.csv", "--weights-column", "w", "--mean"];
    let bytes = ["data.bin", "--bits", "100"];
    for (data, weights, parts) in
        [(&column[..], &by[..], "1"), (&column, &by, "2"), (&bytes, &["--weights", "w.bin"], "1")]
    {
        let submit = [&["fleet", "submit", "--queue", "q", "--parts", parts], data, weights].concat();
        let job = bench.json(&submit)["job"].as_str().unwrap().to_owned();
        let ranks = if cfg!(feature = "cluster") { &["--ranks", "2"][..] } else { &[] };
        let worked = bench.json(&[&["fleet", "worker", "--queue", "q", "--until-empty"], ranks].concat());
        assert_eq!(worked["done"], 1, "{worked}");
        bench.ok(&["fleet", "status", "--queue", "q", &job, "-o", "p", "--commitment", "c", "--force"]);
        bench.run(&["verify", "p", "--commitment", "c", "--min-bits", "100"]).is(2, &["--weights"]);
        bench.ok(&[
            &["verify", "p", "--commitment", "c", "--min-bits", "100"],
            &weights[..weights.len().min(4)],
        ]
        .concat());
        let commit = [&["commit", "--parts", parts], data, &["-o", "own", "--force"]].concat();
        bench.ok(&commit);
        let data = &data[..data.len() - 2];
        let open = [
            &["open"],
            data,
            weights,
            &["--commitment", "own", "-o", "own.proof", "--min-bits", "100", "--force"],
        ];
        bench.ok(&open.concat());
        assert!(bench.read("own") == bench.read("c") && bench.read("own.proof") == bench.read("p"));
    }
    let submit = [&["fleet", "submit", "--queue", "q"], &column[..]].concat();
    bench.run(&[&submit[..], &by, &["--row", "1"]].concat()).is(2, &["the job is refused: a weighted sum"]);
    bench.run(&[&submit[..], &["--weights", "-"]].concat()).is(2, &["name a file in place of -"]);
    bench.run(&[&submit[..], &["--weights", "none"]].concat()).is(4, &["none"]);
    // The weights that a job names are gone: its proof stays, and cannot be verified.
    let submit = [&submit[..], &["--weights", "w.csv", "--weights-column", "w"]].concat();
    let job = bench.json(&submit)["job"].as_str().unwrap().to_owned();
    bench.ok(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    let weights = fleet::Id::of(&bench.read("w.csv")).to_string();
    std::fs::remove_file(bench.path("q/blobs").join(&weights[..2]).join(&weights)).unwrap();
    let fetch = ["fleet", "status", "--queue", "q", &job, "-o", "lost", "--commitment", "lost.c"];
    bench.run(&fetch).is(4, &[&format!("there is no blob {weights}")]);
    let unverified = bench.ok(&fetch[..7]);
    assert!(
        unverified.err.contains("the proof was not verified, for its weights cannot be had"),
        "{unverified:?}"
    );
}

/// A job about several columns, and one about the products of two, have the files of `commit` and `open`.
#[test]
fn several_columns_and_their_products_are_jobs() {
    let bench = Bench::new("price,pieces\n1.5,1\n2.25,2\n3,3\n");
    let columns = ["-c", "price", "-c", "pieces"];
    let commit = [&["commit", "data.csv", "-o", "own", "--bits", "100"], &columns[..]].concat();
    bench.ok(&commit);
    for claims in [&["--sum", "--row", "1"][..], &["--product", "price", "pieces"]] {
        let submit = ["fleet", "submit", "--queue", "q", "data.csv", "--bits", "100"];
        let submit = [&submit[..], &columns, claims].concat();
        let job = bench.json(&submit)["job"].as_str().unwrap().to_owned();
        let worked = bench.json(&["fleet", "worker", "--queue", "q", "--until-empty"]);
        assert_eq!(worked["done"], 1, "{worked}");
        bench.ok(&["fleet", "status", "--queue", "q", &job, "-o", "p", "--commitment", "c", "--force"]);
        let open =
            ["open", "data.csv", "--commitment", "own", "-o", "own.proof", "--min-bits", "100", "--force"];
        bench.ok(&[&open[..], claims].concat());
        assert!(bench.read("own") == bench.read("c") && bench.read("own.proof") == bench.read("p"));
    }
    let submit = ["fleet", "submit", "--queue", "q", "data.csv"];
    let both = [&submit[..], &columns, &["--sum", "--product", "price", "pieces"]].concat();
    bench.run(&both).is(2, &["cannot be used with"]);
    let twice = [&submit[..], &["-c", "price", "-c", "price", "--sum"]].concat();
    bench.run(&twice).is(2, &["name each --column once"]);
    let unnamed = [&submit[..], &columns, &["--product", "price", "none"]].concat();
    bench.ok(&unnamed);
    let worked = bench.json(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    assert_eq!((&worked["done"], &worked["failed"]), (&0.into(), &1.into()), "{worked}");
}

/// Jobs that have been over for long go, with data and proofs; those that are young or wait stay.
#[test]
fn jobs_that_are_over_are_removed_with_their_data() {
    let bench = Bench::new(FIVE);
    let submit = |row: &str| bench.json(&[&SUBMIT[..], &["100", "--row", row]].concat())["job"].clone();
    let done = submit("1");
    bench.ok(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    bench.write("data.csv", b"price\n1.00\n2.00\n");
    let waiting = submit("0");
    let prune = |age: &str| bench.json(&["fleet", "prune", "--queue", "q", "--older-than", age]);
    let pruned = prune("1h");
    check("fleet prune", &pruned);
    assert_eq!((&pruned["removed_jobs"], &pruned["removed_blobs"]), (&0.into(), &0.into()));
    let pruned = prune("0s");
    assert_eq!(
        (&pruned["removed_jobs"], &pruned["removed_blobs"]),
        (&1.into(), &0.into()),
        "blobs are young"
    );
    bench.run(&["fleet", "status", "--queue", "q", done.as_str().unwrap()]).is(2, &["there is no job"]);
    let folders = std::fs::read_dir(bench.path("q/blobs")).unwrap();
    for blob in folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap()) {
        let file = std::fs::File::open(blob.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(7200)).unwrap();
    }
    let pruned = bench.ok(&["fleet", "prune", "--queue", "q", "--older-than", "0.5h"]);
    assert!(pruned.out.starts_with("removed 0 jobs, and 2 blobs of "), "{pruned:?}");
    bench.ok(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    bench.ok(&["fleet", "status", "--queue", "q", waiting.as_str().unwrap(), "-o", "p"]);
    bench
        .run(&["verify", "p", "--self-contained", "--min-bits", "100"])
        .is(3, &["valid: row 0 of price is 1.00"]);
    for age in ["7", "1ms", "-1d", "d", "inf d", "5min"] {
        let age = format!("--older-than={age}");
        bench.run(&["fleet", "prune", "--queue", "q", &age]).is(2, &["is no age: write `7d`"]);
    }
    bench.run(&["fleet", "prune", "--queue", "none", "--older-than", "1d"]).is(2, &["no queue"]);
}

#[test]
fn unusable_queues_and_jobs_are_refused() {
    let bench = Bench::new(FIVE);
    bench.run(&["fleet", "status", "--queue", "none"]).is(2, &["no queue in none", "hint:"]);
    bench.run(&["fleet", "worker", "--queue", "none"]).is(2, &["no queue"]);
    bench.run(&[&SUBMIT[..], &["100"]].concat()).is(2, &["nothing to prove", "--row"]);
    if !cfg!(feature = "nats") {
        let server = ["fleet", "status", "--queue", "nats://127.0.0.1:4222/q"];
        bench.run(&server).is(2, &["no NATS", "feature `nats`"]);
    }
    if cfg!(feature = "cluster") {
        bench.run(&["fleet", "worker", "--queue", "none", "--launcher", " "]).is(2, &["it is no command"]);
    }
    if cfg!(all(feature = "cluster", not(feature = "cluster-mpi"))) {
        let launched = ["fleet", "worker", "--queue", "none", "--launcher", "mpirun -n 2"];
        bench.run(&launched).is(2, &["--launcher needs MPI", "feature `cluster-mpi`", "an MPI library"]);
    }
    // A variable that is not set, and an address of another kind, are no folders.
    for (queue, says) in
        [("", "it is empty"), ("http://a:secret@b/q", "begin with nats://"), ("NATS://b/q", "./NATS:")]
    {
        let submit = ["fleet", "submit", "--queue", queue, "data.csv", "-c", "price", "--row", "1"];
        bench.run(&submit).is(2, &["--queue", says]);
    }
    assert_eq!(std::fs::read_dir(bench.path(".")).unwrap().count(), 1, "nothing is made");
    bench
        .run(&["fleet", "status", "--queue", "q", "--wait", "--cancel"])
        .is(2, &["--cancel", "cannot be used with"]);
    bench.fed(b"{\"job\":", &["fleet", "run"]).is(4, &["no job"]);
    bench.fed(b"", &["fleet", "run"]).is(4, &["no job"]);
    bench.run(&["fleet", "status", "--queue", "q", "../../etc/passwd"]).is(2, &["64 lowercase"]);
}
