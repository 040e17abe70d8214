//! The report of a valid proof, part by part.

use super::cases::{BITS, all};
use super::input;
use pcs::file::{Committed, File};
use tenfold::verify::{Form, Limits, Weights, verify};
use tenfold_verifier::{Status, judge};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_report_says_what_was_proven_and_of_what() {
    for case in &all() {
        let (status, text) = judge(input(case), BITS);
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
