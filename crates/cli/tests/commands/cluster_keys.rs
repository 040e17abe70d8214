//! Keys that ranks have: jobs with others are refused, and a report says whose key it is about.

use super::bench::{Bench, FIVE};
use super::cluster::values_of_rank_one;
use crate::json::check;
use cluster::comm::threads::connect;
use iop::security::Policy;
use tenfold::cluster::{Entries, Key, PublicKey, Task, Terms, prove_on};
use tenfold::{Claim, Dataset, Options, search};

const PROVE: [&str; 9] = ["cluster", "prove", "data.csv", "-c", "price", "--bits", "100", "--ranks", "2"];

/// A bench with the secrets `k0`, `k1` and `k2`, and their public keys.
fn with_keys() -> (Bench, [String; 3]) {
    let rows: String = (0..40).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    let keys = ["k0", "k1", "k2"].map(|name| {
        let made = bench.ok(&["cluster", "key", "-o", name]);
        made.is(0, &["secret in", "readable by you alone"]);
        made.out
    });
    (bench, keys)
}

#[test]
fn a_key_is_written_once_for_its_owner_alone() {
    let (bench, [first, ..]) = with_keys();
    let secret = bench.read("k0");
    assert_eq!(first.trim_end().len(), 64);
    assert_eq!(Key::from_file(&secret).unwrap().public().to_string(), first.trim_end());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(bench.path("k0").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    bench.run(&["cluster", "key", "-o", "k0"]).is(2, &["k0", "hint:"]);
    assert_eq!(bench.read("k0"), secret);
    let made = bench.json(&["cluster", "key", "-o", "k9"]);
    check("cluster key", &made);
    assert_eq!(made["secret"], "k9", "{made}");
    // What is none is refused by what it is.
    let prove = |key: &str| bench.run(&[&PROVE[..], &["--row", "3", "--key", key, "--key", "k1"]].concat());
    prove("data.csv").is(2, &["data.csv", "this is no secret key", "tenfold cluster key"]);
    prove("none").is(4, &["none"]);
    let mut other = secret;
    *other.last_mut().unwrap() ^= 1;
    bench.write("damaged", &other);
    prove("damaged").is(2, &["checksum"]);
    other[6] = 1;
    bench.write("of-a-ring", &other);
    prove("of-a-ring").is(2, &["not one of a rank"]);
}

#[test]
fn a_job_with_another_key_than_the_listed_one_is_refused() {
    let (bench, [k0, k1, k2]) = with_keys();
    bench.write("keys", format!("{k0}{k1}").as_bytes());
    let prove = |keys: &[&str], list: &str| {
        let given = keys.iter().flat_map(|key| ["--key", key]).collect::<Vec<_>>();
        let out = ["--row", "3", "-o", "p", "--commitment", "c", "--keys", list];
        bench.run(&[&PROVE[..], &given, &out].concat())
    };
    prove(&["k0", "k2"], "keys").is(5, &["rank 1 has another key than the one that is expected", "--key"]);
    prove(&["k1", "k0"], "keys").is(5, &["rank 0 has another key"]);
    // Keys that are drawn for the job are none of the list.
    prove(&[], "keys").is(5, &["rank 0 has another key"]);
    prove(&["k0"], "keys").is(2, &["1 secret keys, and there are 2 ranks", "--key FILE for each rank"]);
    for (list, said) in [
        (k0.clone(), "--keys lists 1 keys, and there are 2 ranks"),
        (format!("{k0}{k1}{k2}"), "--keys lists 3 keys, and there are 2 ranks"),
        (format!("{k0}{}\n", &k1[..63]), "line 2 is no public key of a rank"),
        (format!("{k0}\n{k1}"), "line 2 is no public key of a rank"),
        (format!("{k0}{k0}"), "lines 1 and 2 are the same key"),
        (String::new(), "there are no keys"),
    ] {
        bench.write("list", list.as_bytes());
        prove(&["k0", "k1"], "list").is(2, &["list", said, "hint:"]);
    }
    bench.write("list", &[0xff, 0xfe]);
    prove(&["k0", "k1"], "list").is(2, &["it is no text"]);
    prove(&["k0", "k1"], "missing").is(4, &["missing"]);
    assert!(!bench.path("p").exists() && !bench.path("c").exists());
    prove(&["k0", "k1"], "keys").is(0, &["proved: row 3 of price is 3"]);
    // The proof is that of other keys.
    bench.ok(&[&PROVE[..], &["--row", "3", "-o", "p1", "--commitment", "c1"]].concat());
    assert_eq!((bench.read("p"), bench.read("c")), (bench.read("p1"), bench.read("c1")));
}

/// Rank 1 of four signs wrong values by its own key, which third parties have a list of.
#[test]
fn a_report_is_about_a_listed_key() {
    let keys: Vec<Key> = (1..5).map(|seed| Key::from_bytes(&[seed; 32])).collect();
    let expected: Vec<PublicKey> = keys.iter().map(Key::public).collect();
    let data = Dataset::from_u64s((0..200).collect());
    let params = search::choose(&data, &Options::proven_bits(100).log_parts(2)).unwrap();
    let (task, entries) = Task::new(&data, params, &Policy::at_least(100)).unwrap();
    let job = (Entries::Memory(&entries), &[Claim::Row(7)][..]);
    let terms = Terms { keys: keys.clone(), expected: expected.clone(), ..Terms::default() };
    let failed = prove_on(&task, job, 4, (&terms, &values_of_rank_one)).unwrap().unwrap_err();
    let bench = Bench::new(FIVE);
    bench.write("report", &failed.report.expect("it signed what it sent").to_json());
    let list = |order: &[usize]| {
        let lines: String = order.iter().map(|&rank| format!("{}\n", expected[rank])).collect();
        bench.write("keys", lines.as_bytes());
    };
    let verify = ["cluster", "verify-report", "report", "--keys", "keys"];
    list(&[0, 1, 2, 3]);
    bench.run(&verify).is(0, &["valid: rank 1 deviated", "the key that the list has for rank 1"]);
    let valid = bench.json(&verify);
    check("cluster verify-report", &valid);
    assert_eq!((&valid["listed"], &valid["key"]), (&true.into(), &expected[1].to_string().into()));
    assert_eq!(bench.json(&verify[..3])["listed"], false);
    list(&[0, 2, 1, 3]);
    bench.run(&verify).is(1, &["another key than the one that is listed", "listed for rank 2"]);
    let other = Key::from_bytes(&[9; 32]).public();
    bench.write("keys", format!("{}\n{other}\n{}\n{}\n", expected[0], expected[2], expected[3]).as_bytes());
    bench.run(&verify).is(1, &["rank 1 signed by another key", "not in the list"]);
    for order in [&[0, 1][..], &[1]] {
        list(order);
        bench.run(&verify).is(2, &["and the report is about a job of 4 ranks", "hint:"]);
    }
    bench.write("keys", b"rank 0\n");
    bench.run(&verify).is(2, &["line 1 is no public key"]);
    // Without the rank that it names the others have the keys that they had.
    let retrying = Terms { retry: true, ..terms };
    let proved = prove_on(&task, job, 4, (&retrying, &values_of_rank_one)).unwrap();
    let lost = proved.map(|proved| proved.lost).unwrap_or_default();
    assert!(lost.iter().all(|lost| lost.contains("rank 1 deviated")) && !lost.is_empty(), "{lost:?}");
    // As many keys as ranks.
    let few = Terms { keys: keys[..1].to_vec(), ..Terms::default() };
    let refused = prove_on(&task, job, 2, (&few, &|size| connect(size, 1 << 20))).unwrap().unwrap_err();
    assert!(refused.to_string().contains("none for rank 1"), "{refused}");
    let few = Terms { keys: keys[..2].to_vec(), expected: expected[..1].to_vec(), ..Terms::default() };
    let refused = prove_on(&task, job, 2, (&few, &|size| connect(size, 1 << 20))).unwrap().unwrap_err();
    assert!(refused.to_string().contains("a list of 1 keys"), "{refused}");
}
