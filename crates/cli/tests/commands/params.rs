//! Named profiles, and parameter files.

use crate::bench::{Bench, FIVE};
use serde_json::Value;

const PROFILES: [(&str, &str, f64, &str, u64); 5] = [
    ("fast", "gf128", 100.0, "unique decoding", 1),
    ("balanced", "gf128", 100.0, "Johnson", 1),
    ("small", "gf128", 100.0, "Johnson", 2),
    ("secure128", "gf192", 128.0, "Johnson", 2),
    ("secure128", "gf256", 128.0, "Johnson", 2),
];

/// A named profile has its bits, regime, rate and field, in the report as in what is committed with it; both figures of
/// the bits are printed.
#[test]
fn a_profile_is_what_its_name_says() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    for (profile, field, bits, regime, rate) in PROFILES {
        for log_size in ["12", "22", "30"] {
            let args =
                ["--scheme", "ligerito", "--profile", profile, "--over", field, "--log-size", log_size];
            let shown = bench.json(&[&["params"][..], &args, &["-o", "p.json"]].concat());
            let text = |name: &str| shown[name].as_str().unwrap().to_owned();
            assert_eq!((text("profile"), text("field")), (profile.into(), field.into()));
            assert!(text("regime").starts_with(regime), "{shown}");
            assert!(
                shown["layout"][0].as_str().unwrap().contains(&format!("rate 1/{}", 1 << rate)),
                "{shown}"
            );
            let number = |name: &str| shown[name].as_f64().unwrap();
            assert!(number("proven_bits") >= bits && number("round_by_round_bits") >= number("proven_bits"));
            let written: Value = serde_json::from_slice(&bench.read("p.json")).unwrap();
            assert_eq!(written["digest"], shown["parameters_digest"]);
            assert_eq!(written["commitment"]["log_inv_rate"], rate);
            let said = bench.ok(&[&["params"][..], &args].concat()).out;
            assert!(said.contains(&format!("ligerito · {profile} · {field}")), "{said}");
            assert!(said.contains("union of all terms") && said.contains("round by round"), "{said}");
        }
        let commit = ["commit", "data.bin", "--scheme", "ligerito", "--profile", profile, "--over", field];
        assert!(bench.json(&commit)["proven_bits"].as_f64().unwrap() >= bits);
        bench.ok(&["open", "data.bin", "--commitment", "data.commitment", "--row", "3", "-o", "p"]);
        bench.ok(&["verify", "p", "--commitment", "data.commitment", "--min-bits", &format!("{bits}")]);
    }
    let refused = |args: &[&str], says: &str| {
        bench.run(&[&["params", "--scheme", "ligerito"], args].concat()).is(2, &[says, "hint:"]);
    };
    refused(&["--profile", "fast", "--bits", "128"], "the profile `fast` proves 100 bits");
    refused(&["--profile", "secure128", "--bits", "100"], "the profile `secure128` proves 128 bits");
    refused(&["--profile", "small", "--over", "gf256"], "the profile `small` is not over gf256");
    refused(&["--over", "gf128"], "gf128 proves 128 bits");
    bench.run(&["params", "--profile", "balanced"]).is(2, &["--profile balanced", "hint:"]);
    bench.run(&["params", "--profile", "secure128"]).is(2, &["--profile secure128", "hint:"]);
    bench.run(&["params", "--over", "gf192"]).is(2, &["--over", "hint:"]);
}

/// A scheme without profiles says so, and one that has others says which scheme has the one asked for.
#[test]
fn a_profile_of_another_scheme_says_what_works() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    for args in [&["params"][..], &["tour", "data.bin"], &["commit", "data.bin"]] {
        let refused = bench.run(&[args, &["--scheme", "air", "--profile", "fast"]].concat());
        refused.is(2, &["`air` has none", "hint: leave --profile out", "`--scheme ligerito`"]);
        assert!(!refused.err.contains("params -o"), "{}", refused.err);
    }
    bench.ok(&["params", "--scheme", "air", "--log-size", "12"]);
    let refused = bench.run(&["params", "--profile", "balanced"]);
    refused.is(2, &["--profile balanced", "or take --scheme ligerito"]);
    assert!(!refused.err.contains("air"), "{}", refused.err);
}

/// The hint names the option that is in the way if no parameters prove the bits.
#[test]
fn a_hint_names_what_is_in_the_way_of_the_bits() {
    let bench = Bench::new(FIVE);
    let cases: [(&[&str], &[&str]); 4] = [
        (&["--bits", "192", "--hash", "blake3"], &["192 bits are more than the 128", "leave --hash out"]),
        (&["--scheme", "ligerito", "--over", "gf128"], &["gf128 proves 128", "take another --over"]),
        (&["--bits", "256"], &["by --scheme ligerito or air"]),
        (&["--bits", "192", "--field", "goldilocks"], &["take another --field"]),
    ];
    for (args, says) in cases {
        bench.run(&[&["params"], args].concat()).is(2, says);
    }
}

/// A size alone has the parameters of a column of that size: the fields of both are found in one place.
#[test]
fn a_size_has_the_parameters_of_its_column() {
    let bench = Bench::new(FIVE);
    let committed = bench.json(&["commit", "data.csv", "-c", "price"]);
    let digest = bench.json(&["inspect", "data.commitment"])["parameters_digest"].clone();
    let shown = bench.json(&["params", "--log-size", "3"]);
    assert_eq!((&shown["parameters_digest"], &shown["field"]), (&digest, &committed["field"]));
    let found = bench.json(&["params", "search", "--log-size", "3"]);
    let taken = found["candidates"].as_array().unwrap().iter().find(|c| c["chosen"] == true).unwrap();
    assert_eq!(taken["parameters_digest"], digest);
}

/// A commitment made with `--unique-decoding` satisfies a verifier that accepts no other regime.
#[test]
fn unique_decoding_is_searched_for() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", &[7; 4096]);
    for (i, options) in [&["data.csv", "-c", "price"][..], &["data.bin"], &["data.bin", "--scheme", "air"]]
        .into_iter()
        .enumerate()
    {
        for (asked, code) in [(&[][..], 1), (&["--unique-decoding"], 0)] {
            let (name, proof) = (format!("{i}{code}.tf"), format!("{i}{code}.proof"));
            bench.ok(&[&["commit"], options, &["-o", &name], asked].concat());
            let column: &[&str] = if i == 0 { &["-c", "price"] } else { &[] };
            let open = ["open", options[0], "--commitment", &name, "--row", "1", "-o", &proof];
            bench.ok(&[&open[..], column].concat());
            bench.ok(&["verify", &proof, "--commitment", &name]);
            let verify = ["verify", &proof, "--commitment", &name, "--unique-decoding"];
            let said: &[&str] = if code == 1 {
                &[
                    "unique decoding is required, and the parameters are for",
                    "commit again with --unique-decoding",
                ]
            } else {
                &["(unique decoding)"]
            };
            bench.run(&verify).is(code, said);
        }
    }
    let profile = ["commit", "data.bin", "--unique-decoding", "--profile", "small", "-o", "c"];
    bench.run(&profile).is(2, &["the profile `small` is beyond unique decoding", "--profile fast"]);
    bench.ok(&["commit", "data.bin", "--unique-decoding", "--profile", "fast", "-o", "c"]);
    let shown = bench.json(&["params", "search", "--log-size", "16", "--unique-decoding"]);
    let regimes = shown["candidates"].as_array().unwrap().iter().map(|found| &found["regime"]);
    assert!(
        regimes.clone().count() > 1 && regimes.clone().all(|regime| regime == "unique decoding"),
        "{shown}"
    );
}

/// A commitment made with `--interactive-bits` satisfies a verifier that asks for as many.
#[test]
fn interactive_bits_are_searched_for() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", &[7; 4096]);
    let verifier = ["--min-bits", "100", "--interactive-bits", "100"];
    let cases: [(&str, &[&str]); 4] = [
        ("data.csv", &["-c", "price"]),
        ("data.csv", &["-c", "price", "--hiding", "1"]),
        ("data.bin", &[]),
        ("data.bin", &["--scheme", "air"]),
    ];
    for (i, (file, options)) in cases.into_iter().enumerate() {
        for (asked, code) in [(&[][..], 1), (&["--interactive-bits", "100"], 0)] {
            let (name, proof) = (format!("{i}{code}.tf"), format!("{i}{code}.proof"));
            let commit = ["commit", file, "--bits", "100", "-o", &name];
            bench.ok(&[&commit[..], options, asked].concat());
            let column: &[&str] = if file == "data.csv" { &["-c", "price"] } else { &[] };
            let secret = format!("{name}.secret");
            let secret: &[&str] = if options.contains(&"--hiding") { &["--secret", &secret] } else { &[] };
            let open = ["open", file, "--commitment", &name, "--row", "1", "-o", &proof];
            bench.ok(&[&open[..], column, secret].concat());
            let verify = [&["verify", &proof, "--commitment", &name][..], &verifier].concat();
            bench.run(&verify).is(
                code,
                if code == 1 { &["commit again with more --interactive-bits"] } else { &["valid:"] },
            );
        }
    }
    let shown = bench.json(&["params", "--bits", "128", "--interactive-bits", "120"]);
    assert!(shown["interactive_bits"].as_f64().unwrap() >= 120.0);
    let nothing = ["params", "--field", "mersenne61", "--bits", "100", "--interactive-bits", "128"];
    let refused = bench.run(&nothing);
    refused.is(2, &["proves 100 bits, 128 of them without work", "hint: ask for fewer --interactive-bits"]);
    bench.ok(&["params", "--log-size", "3", "--bits", "100", "-o", "p.json"]);
    let by_file = ["commit", "data.csv", "-c", "price", "--params", "p.json", "--bits", "100"];
    bench.run(&[&by_file[..], &["--interactive-bits", "100"]].concat()).is(1, &["without work", "hint:"]);
}

/// What `params -o` writes, `commit --params` takes: the same commitment as with the options themselves.
#[test]
fn a_parameter_file_is_what_it_was_made_from() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    let options: [(&str, &[&str], &str); 6] = [
        ("data.csv", &["--field", "goldilocks", "--bits", "100", "--profile", "small"], "3"),
        ("data.csv", &["--field", "koalabear", "--bits", "100", "--inner", "chain", "--hash", "sha256"], "3"),
        ("data.csv", &["--field", "bn254", "--bits", "100"], "3"),
        ("data.bin", &["--scheme", "ligerito", "--profile", "fast"], "5"),
        ("data.csv", &["--field", "koalabear", "--bits", "100", "--parts", "2"], "3"),
        ("data.bin", &["--scheme", "ligerito", "--profile", "secure128", "--entries", "words32"], "5"),
    ];
    for (file, options, log_size) in options {
        let column: &[&str] = if file == "data.csv" { &["-c", "price"] } else { &[] };
        bench.ok(&[&["params", "--log-size", log_size, "-o", "p.json"], options].concat());
        let by_options = bench.json(&[&["commit", file, "-o", "c"][..], column, options].concat());
        let by_file = bench
            .json(&[&["commit", file, "-o", "c", "--params", "p.json", "--bits", "100"], column].concat());
        assert_eq!(by_options, by_file, "{options:?}");
    }
    // The search writes the one that it takes.
    let found = bench.json(&["params", "search", "--scheme", "ligerito", "--log-size", "5", "-o", "s.json"]);
    let taken = found["candidates"].as_array().unwrap().iter().find(|c| c["chosen"] == true).unwrap();
    let written: Value = serde_json::from_slice(&bench.read("s.json")).unwrap();
    assert_eq!(written["digest"], taken["parameters_digest"]);
    bench.ok(&["commit", "data.bin", "--params", "s.json"]);
    // One that hides brings its secret along.
    bench.ok(&["params", "--field", "koalabear", "--log-size", "16", "--hiding", "2", "-o", "h.json"]);
    let hidden =
        ["commit", "data.csv", "-c", "price", "-o", "h.tf", "--params", "h.json", "--secret", "h.key"];
    assert_eq!(bench.json(&hidden)["hidden_openings"], 2);
    assert!(bench.path("h.key").exists());
}

/// Leaves of parts are another commitment to the same data, with proofs that hold; the matrix has a column for each part.
#[test]
fn a_commitment_by_leaves_of_parts_opens() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", &[9; 1 << 18]);
    let commit = |parts: &str, output: &str| {
        let args = ["commit", "data.bin", "--profile", "fast", "--parts", parts, "-o", output];
        bench.json(&[&args[..], &["--scheme", "ligerito"]].concat())["fingerprint"].clone()
    };
    let prints = ["1", "2", "4"].map(|parts| commit(parts, &format!("{parts}.tf")));
    assert!(prints[0] != prints[1] && prints[1] != prints[2] && prints[0] != prints[2]);
    bench.ok(&["open", "data.bin", "--commitment", "4.tf", "--row", "3", "-o", "p"]);
    bench.ok(&["verify", "p", "--commitment", "4.tf", "--min-bits", "100"]);
    bench.run(&["verify", "p", "--commitment", "2.tf", "--min-bits", "100"]).is(1, &[]);
    let shown = bench.ok(&["params", "--log-size", "20", "--parts", "16", "-o", "p.json"]).out;
    assert!(shown.contains("leaves: 16 parts of consecutive columns"), "{shown}");
    let written: Value = serde_json::from_slice(&bench.read("p.json")).unwrap();
    assert_eq!(written["log_parts"], 4);
    let few = bench.run(&["params", "--log-size", "1", "--parts", "16"]);
    few.is(2, &["leaves of 16 parts take as many columns", "hint: take fewer --parts"]);
    bench.run(&["params", "--parts", "3"]).is(2, &["invalid value '3'"]);
    let both = bench.run(&["commit", "data.bin", "--params", "p.json", "--parts", "2"]);
    both.is(2, &["cannot be used with"]);
}

/// Every number of a parameter file counts: what was changed proves other bits than it says, and is refused.
#[test]
fn malicious_provers_in_a_parameter_file() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    bench.ok(&["params", "--scheme", "ligerito", "--profile", "fast", "--log-size", "5", "-o", "p.json"]);
    let honest: Value = serde_json::from_slice(&bench.read("p.json")).unwrap();
    let refused = |bits: &str, edit: &dyn Fn(&mut Value), code: i32, says: &str| {
        let mut edited = honest.clone();
        edit(&mut edited);
        bench.write("e.json", edited.to_string().as_bytes());
        let ran = bench.run(&["commit", "data.bin", "--params", "e.json", "--bits", bits]);
        ran.is(code, &[says]);
    };
    refused("100", &|_| {}, 0, "committed");
    refused("128", &|_| {}, 1, "below the required 128");
    let fewer = |file: &mut Value| file["commitment"]["queries"] = 100.into();
    refused("100", &fewer, 2, "its digest is not that of its parameters");
    let without = |name: &'static str, file: &mut Value| _ = file.as_object_mut().unwrap().remove(name);
    refused("100", &|f| (fewer(f), without("digest", f)).1, 2, "and it says something else");
    let silent = |f: &mut Value| (fewer(f), without("digest", f), without("proven_bits", f)).2;
    refused("100", &silent, 1, "below the required 100");
    // More than is asked for is taken, whoever wrote it.
    let more = |f: &mut Value| {
        f["commitment"]["queries"] = 300.into();
        (without("digest", f), without("proven_bits", f)).1
    };
    refused("100", &more, 0, "committed");
    refused("100", &|f| f["proven_bits"] = 128.into(), 2, "and it says something else");
    refused("100", &|f| f["format"] = "tenfold parameters v2".into(), 2, "its format is");
    refused("100", &|f| f["field"] = "gf64".into(), 2, "`gf64` is none of gf128, gf192, gf256");
    refused("100", &|f| f["security"] = "none".into(), 2, "unknown field");
    let johnson =
        |f: &mut Value| f["regime"] = serde_json::json!({"johnson": {"multiplicity": 9, "slack": 1}});
    refused("100", &johnson, 2, "unknown field");
    refused("100", &|f| f["log_size"] = 200.into(), 2, "no usable parameter file");
    refused("100", &|f| without("entries", f), 2, "`nothing` is none of");
    refused("100", &|f| f["inner"] = "two-chains".into(), 2, "no other inner argument");
    bench.write("long.bin", &[7; 1 << 12]);
    bench.run(&["commit", "long.bin", "--params", "p.json", "--bits", "100"]).is(2, &["the file has 4,096"]);
    bench
        .run(&["commit", "data.bin", "--params", "p.json", "--profile", "small"])
        .is(2, &["cannot be used with"]);
    bench.run(&["commit", "data.csv", "--params", "data.csv"]).is(2, &["no usable parameter file", "hint:"]);
    bench.write("long.json", &[b' '; (1 << 18) + 1]);
    bench.run(&["commit", "data.csv", "--params", "long.json"]).is(2, &["longer than parameters are"]);
    let secret = bench.run(&["commit", "data.bin", "--params", "p.json", "--bits", "100", "--secret", "s"]);
    secret.is(2, &["these parameters do not hide", "hint:"]);
    bench.ok(&["params", "--field", "koalabear", "--log-size", "5", "-o", "q.json"]);
    let other = bench.run(&["commit", "data.csv", "-c", "price", "--params", "q.json"]);
    other.is(2, &["the parameters are for 2^5 rows, and 5 rows take 2^3"]);
}
