//! The report of a valid proof, part by part.

use super::cases::{BITS, POLICY, all};
use super::input;
use iop::security::{Policy, Theorem};
use pcs::file::{Committed, File};
use std::collections::BTreeSet;
use tenfold::verify::{Form, Limits, Weights, verify};
use tenfold_verifier::{Status, judge};

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

/// A page has the claims in the terms of the data: entries of files as integers, since the elements that stand for them are not
/// those of the bytes.
#[test]
fn the_report_has_the_claims_in_the_terms_of_the_data() {
    for case in &all() {
        let (_, text) = judge(input(case), POLICY);
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let first = &report["readings"][0];
        // The data are the numbers from 1 on, and so the eighth is 8; the bytes are those of such numbers.
        let (of, row, value) = match &case.name[..] {
            "weighted sum" => ("weighted sum", None, None),
            name if name.starts_with("weighted") => ("inner product", None, None),
            name if name.ends_with("Bytes") => ("entry", Some(7), Some("0")),
            name if name.ends_with("Whole") => ("entry", Some(7), Some("8")),
            _ => ("row", Some(7), None),
        };
        assert_eq!((first["of"].as_str(), first["row"].as_u64()), (Some(of), row), "{}: {first}", case.name);
        let said = first["value"].as_str().expect("a value");
        assert!(value.is_none_or(|value| said == value), "{}: {first}", case.name);
        if of == "row" {
            assert!(said.starts_with("08000000"), "{}: {first}", case.name);
        }
        // A sum is one reading of the claims of its blocks; these have none.
        let claims = report["claims"].as_array().expect("claims").len();
        assert_eq!(report["readings"].as_array().map(Vec::len), Some(claims), "{}", case.name);
    }
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
    let declared: BTreeSet<String> = declared.filter(|name| !arguments.contains(&&name[..])).collect();
    assert_eq!(declared, found);
}
