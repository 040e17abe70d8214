//! `params search`.

use crate::bench::{Bench, FIVE};
use serde_json::Value;

/// Every layout proves the bits, the taken one is what `params` shows, and limits move it.
#[test]
fn params_search_shows_what_there_is_to_choose() {
    let bench = Bench::new(FIVE);
    for (scheme, field) in [("pip", "koalabear"), ("ligerito", "auto")] {
        let common = ["--log-size", "14", "--bits", "100", "--scheme", scheme, "--field", field];
        let search = |more: &[&str]| bench.json(&[&["params", "search"][..], &common, more].concat());
        let taken = |found: &Value| {
            let all = found["candidates"].as_array().unwrap().clone();
            let chosen: Vec<Value> = all.into_iter().filter(|c| c["chosen"] == true).collect();
            assert_eq!(chosen.len(), 1, "{found}");
            chosen[0].clone()
        };
        let found = search(&[]);
        let candidates = found["candidates"].as_array().unwrap();
        assert!(candidates.len() > 2, "{found}");
        for candidate in candidates {
            let number = |name: &str| candidate[name].as_f64().unwrap();
            assert!(number("proven_bits") >= 100.0 && number("round_by_round_bits") >= number("proven_bits"));
            assert!(number("expected_bytes") <= number("most_bytes") && number("predicted_ms") > 0.0);
        }
        let shown = bench.json(&[&["params"][..], &common].concat());
        for name in ["digest", "expected_bytes", "most_bytes"] {
            assert_eq!(taken(&found)[name], shown[name], "what commit takes");
        }
        let said = bench.ok(&[&["params"][..], &common].concat()).out;
        assert!(said.contains("  proof of one value: ") && said.contains(" bytes expected, "), "{said}");
        let smallest = candidates.iter().map(|c| c["most_bytes"].as_u64().unwrap()).min().unwrap();
        let small = taken(&search(&["--max-size", &smallest.to_string()]));
        assert_eq!(small["most_bytes"].as_u64(), Some(smallest));
        let within = search(&["--max-size", &(smallest + 2000).to_string()]);
        let within = within["candidates"].as_array().unwrap();
        assert!(within.len() < candidates.len(), "some are larger");
        assert!(within.iter().all(|c| c["most_bytes"].as_u64().unwrap() <= smallest + 2000), "{within:?}");
        let fastest = candidates[0]["predicted_ms"].as_f64().unwrap();
        let fast = taken(&search(&["--max-time", &(fastest * 1.000_001).to_string()]));
        assert_eq!(fast["predicted_ms"].as_f64(), Some(fastest));
        let text = bench.ok(&[&["params", "search"][..], &common].concat()).out;
        assert!(text.lines().any(|line| line.starts_with('*')) && text.contains("at most"), "{text}");
        let none = bench.run(&[&["params", "search"][..], &common, &["--max-size", "1KiB"]].concat());
        none.is(2, &["no layout keeps these limits", "the smallest proof has up to", "hint:", "--max-size"]);
        assert_eq!(none.out, "", "nothing is shown that is not within the limits");
        let json =
            bench.run(&[&["params", "search", "--json"][..], &common, &["--max-size", "1KiB"]].concat());
        assert_eq!((json.value()["exit"].as_u64(), json.value().get("candidates")), (Some(2), None));
        // What is named as nearest is a limit that can be kept.
        let (_, nearest) = none.err.split_once("has up to ").unwrap();
        let nearest = nearest.split_once(" in ").unwrap().0.replace(' ', "");
        taken(&search(&["--max-size", &nearest]));
    }
    bench.run(&["params", "search", "--inner", "chain"]).is(2, &["leave --inner out"]);
    bench
        .run(&["params", "search", "--scheme", "air"])
        .is(2, &["`air` is a chain", "--scheme pip or ligerito"]);
    bench.run(&["params", "search", "--max-time", "0"]).is(2, &["no number of milliseconds"]);
    bench.run(&["params", "search", "--log-size", "14", "--entries", "bits"]).is(2, &["--entries", "hint:"]);
}

/// With the options of a commitment too: parts of leaves, and hiding, for which few rows are padded.
#[test]
fn params_search_takes_the_options_of_a_commitment() {
    let bench = Bench::new(FIVE);
    for options in [
        &["--log-size", "4", "--hiding", "2"][..],
        &["--log-size", "14", "--parts", "4"],
        &["--log-size", "14", "--parts", "4", "--scheme", "ligerito"],
    ] {
        let of = |command: &[&str]| bench.json(&[command, options, &["--bits", "100"]].concat());
        let found = of(&["params", "search"]);
        let candidates = found["candidates"].as_array().unwrap();
        let chosen: Vec<&Value> = candidates.iter().filter(|c| c["chosen"] == true).collect();
        assert_eq!(chosen.len(), 1, "{found}");
        assert_eq!(chosen[0]["parameters_digest"], of(&["params"])["parameters_digest"], "what commit takes");
    }
}
