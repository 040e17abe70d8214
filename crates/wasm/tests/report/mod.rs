//! The report of a valid proof, part by part.

use super::cases::{BITS, POLICY, all};
use super::{Machine, input, judged};
use iop::security::{Policy, Theorem};
use pcs::file::{Committed, File};
use std::collections::BTreeSet;
use tenfold::describe::Verified;
use tenfold::verify::{Form, Limits, Weights, verify};
use tenfold::{Claim, CommitmentFile, Dataset, Options};
use tenfold_verifier::{Input, Status, judge};

const TYPES: &str = include_str!("../../verify.d.mts");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_report_says_what_was_proven_and_of_what() {
    for case in &all() {
        let (status, text) = judge(input(case), POLICY);
        assert_eq!(status, Status::Valid, "{}: {text}", case.name);
        let file = File::decode(&case.proof).expect("a proof");
        let weights = (!case.weights.is_empty()).then_some(Weights::Bytes(&case.weights));
        let verified = verify(&file, weights, &Limits::new(BITS)).expect("a proof that holds").proven;
        let committed = File::decode(&case.commitment).expect("a file");
        let committed = Committed::decode(&committed.body).expect("a commitment");
        let scheme = file.scheme.name();
        let mut parts = vec![
            format!("\"scheme\":\"{scheme}\""),
            format!("\"proven_bits\":{:.3},\"hidden", iop::security::Shown(verified.report.proven_bits())),
            format!("\"fingerprint\":\"{}\"", blake3::hash(&case.commitment).to_hex()),
            format!("\"description\":\"{}\"", hex(&committed.description)),
        ];
        let mask = verified.mask.map_or("null".to_owned(), |mask| mask.to_string());
        parts.push(format!("\"mask\":{mask},"));
        assert_eq!(verified.mask.is_some(), case.name.ends_with("hiding"), "{}", case.name);
        for claim in &verified.claims {
            let values: Vec<String> = claim.values.iter().map(|v| format!("\"{}\"", hex(v))).collect();
            assert!(!values.is_empty());
            parts.push(format!("\"values\":[{}]", values.join(",")));
            if let Form::Weights(digest) = &claim.form {
                parts.push(format!("\"weights\":\"{}\"", hex(digest)));
            }
        }
        assert!(!text.contains("\"root\""), "{}: a root binds nothing alone", case.name);
        for part in parts {
            assert!(text.contains(&part), "{}: no {part} in {text}", case.name);
        }
    }
}

/// Claims, readings and assumptions are those of `tenfold verify --json`.
#[test]
fn the_report_has_the_claims_of_the_command_line() {
    for case in &all() {
        let (_, text) = judge(input(case), POLICY);
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let commitment = CommitmentFile::from_bytes(&case.commitment).expect("a commitment");
        let policy = tenfold::Policy::from_limits(Limits::new(BITS)).about(&commitment);
        let policy = if case.weights.is_empty() {
            policy
        } else {
            policy.canonical_weights(&case.weights, case.weights_scale)
        };
        let verdict = tenfold::verify(&case.proof, &policy).expect("a proof that holds");
        assert_eq!(report["assumptions"], serde_json::json!(verdict.assumptions()), "{}", case.name);
        let rows = verdict.commitment.description.rows(&verdict.commitment.params);
        assert_eq!(report["stated"]["rows"], rows, "{}", case.name);
        let command = Verified::of(verdict, None);
        assert_eq!(report["claims"], serde_json::json!(command.claims), "{}", case.name);
        assert_eq!(report["readings"], serde_json::json!(command.readings()), "{}", case.name);
        // The data are the hundredths from 1 on, and so the eighth is 0.08; the bytes are those of such numbers.
        let (name, first, value) = match &case.name[..] {
            "weighted sum" => ("a column of numbers", "weighted sum", None),
            name if name.starts_with("weighted") => ("a file of bytes", "inner product", None),
            name if name.ends_with("Bytes") => ("a file of bytes", "entry", Some("0")),
            name if name.ends_with("Whole") => ("a file of bytes", "entry", Some("8")),
            _ => ("a column of numbers", "row", Some("0.08")),
        };
        assert_eq!(report["stated"]["name"], name, "{}", case.name);
        let reading = &report["readings"][0];
        assert_eq!(reading["of"], first, "{}: {reading}", case.name);
        assert!(value.is_none_or(|value| reading["value"] == value), "{}: {reading}", case.name);
    }
}

/// Names and reasons are texts of others: what they quote is escaped.
#[test]
fn names_are_escaped() {
    let all = all();
    let case = &all[0];
    let (_, text) = judge(input(case), POLICY);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let claim = report["claims"][0].as_str().expect("a sentence");
    assert!(claim.starts_with("row 7 of \"a column of numbers\" is 0.08"), "{claim}");
    let (_, text) = judge(Input { expected: "\"\\\u{7}", ..input(case) }, POLICY);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(
        report["reason"].as_str().is_some_and(|reason| reason.contains("`\"\\ ` names no claim")),
        "{text}"
    );
}

/// A proof that holds is refused where it makes not the claims that are needed, compared as `tenfold verify --expect` compares them.
#[test]
fn claims_that_are_needed() {
    let mut machine = Machine::new();
    let all = all();
    let case = &all[0];
    let weighted = all.iter().find(|case| case.name == "weighted sum").expect("a weighted sum");
    let bytes = all.iter().find(|case| case.name.ends_with("Whole")).expect("a word");
    for (case, expected, status, words) in [
        (case, "row:7", Status::Valid, ""),
        (case, "row:7=0.08", Status::Valid, ""),
        (case, "row:7=8/100\nrow:7", Status::Valid, ""),
        (bytes, "entry:7=8", Status::Valid, ""),
        (weighted, "weighted-sum", Status::Valid, ""),
        (case, "row:7=8", Status::Invalid, "the proof is of another value than 8: row 7 of"),
        (case, "row:8", Status::Invalid, "the proof says nothing of row 8"),
        (case, "row:7\nsum", Status::Invalid, "the proof says nothing of the sum"),
        (case, "entry:7=8", Status::Invalid, "the proof says nothing of entry 7"),
        (weighted, "sum", Status::Invalid, "the proof says nothing of the sum"),
        (case, "row", Status::Malformed, "`row` names no claim"),
        (case, "\n", Status::Malformed, "`` names no claim"),
        (case, "row:7\n", Status::Malformed, "`` names no claim"),
        (case, "row:7\r\nrow:7", Status::Malformed, "names no claim"),
    ] {
        let input = Input { expected, ..input(case) };
        let (said, text) = judged(&mut machine, input, BITS, expected);
        assert!(said == status && text.contains(words), "{expected:?}: {text}");
    }
}

/// Proofs about a table: of a sum of rows with an evaluation, and of an inner product.
fn of_tables() -> [(Vec<u8>, Vec<u8>); 2] {
    let column = |name: &str| Dataset::from_u64s(vec![3, 1, 4]).named(name);
    let table = Dataset::from_columns([column("a"), column("b")]).expect("a table");
    let (commitment, mut witness) =
        tenfold::commit(&table, &Options::proven_bits(BITS)).expect("a commitment");
    [vec![Claim::Range(0..2), Claim::Evaluation(5)], vec![Claim::Product("a", "b")]]
        .map(|claims| (witness.open(&claims).expect("a proof").to_bytes(), commitment.to_bytes()))
}

/// The types for TypeScript have what reports have: every key, and no other one.
#[test]
fn the_types_name_every_key() {
    fn keys(value: &serde_json::Value, found: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    found.insert(key.clone());
                    keys(value, found);
                }
            }
            serde_json::Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::from(["reason".to_owned()]);
    for case in &all() {
        keys(&serde_json::from_str(&judge(input(case), POLICY).1).expect("JSON"), &mut found);
    }
    for (proof, commitment) in of_tables() {
        let input =
            Input { proof: &proof, commitment: &commitment, weights: &[], weights_scale: 0, expected: "" };
        let (status, text) = judge(input, POLICY);
        assert_eq!(status, Status::Valid, "{text}");
        keys(&serde_json::from_str(&text).expect("JSON"), &mut found);
    }
    let ballot = crate::signatures::ballot().input();
    let policy = Policy::at_least(0);
    keys(&serde_json::from_str(&judge(ballot, policy).1).expect("JSON"), &mut found);
    for theorem in Theorem::ALL {
        assert!(found.remove(theorem.name()), "bits by {theorem}");
        assert!(TYPES.contains(&format!("\"{theorem}\"")), "the types have no {theorem}");
    }
    // Names before a colon, in what describes reports.
    let reports = &TYPES[TYPES.find("export type Hex").expect("reports")..];
    let code = reports.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let declared = code.flat_map(|line| {
        let names = line
            .match_indices(':')
            .map(|(at, _)| line[..at].rsplit([' ', '{', '(']).next().unwrap_or_default());
        names.map(str::to_owned).collect::<Vec<_>>()
    });
    let arguments = ["instance", "proof", "commitment", "weights?", "policy?", ")", "status", "report"];
    let declared = declared.filter(|name| !arguments.contains(&&name[..]));
    // A member that some reports have not ends in a question mark.
    let declared: BTreeSet<String> = declared.map(|name| name.trim_end_matches('?').to_owned()).collect();
    assert_eq!(declared, found);
}
