//! The report in JSON. All strings in it are ours or hexadecimal, but for the reason of a refusal, which is escaped.

use alloc::string::String;
use alloc::vec::Vec;
use iop::security::Shown;
use tenfold::verify::{Form, Proven, Reading, Stated, Verified};

/// What a valid proof says. `description` is what was committed to, and `context` what follows it in the proof.
pub fn verdict(verified: &Verified, committed: &[u8], context: &[u8]) -> String {
    let proven = &verified.proven;
    let Proven { scheme, fields: [data, challenges], report, hidden_openings, claims, .. } = proven;
    let mask = proven.mask.map_or(String::from("null"), |mask| format!("{mask}"));
    let scheme = scheme.name();
    let described = proven.context.len() - context.len();
    let description = proven.context.get(..described).unwrap_or_default();
    let readings: Vec<String> = verified.readings.iter().map(reading).collect();
    let claims: Vec<String> = claims.iter().map(|stated| claim(stated, proven.variables)).collect();
    format!(
        "{{\"valid\":true,\"scheme\":\"{scheme}\",\"field\":\"{data}\",\"challenge_field\":\"{challenges}\",\
         \"proven_bits\":{:.3},\"hidden_openings\":{hidden_openings},\"mask\":{mask},\"fingerprint\":{},\
         \"description\":{},\"context\":{},\"readings\":[{}],\"claims\":[{}],\"security\":{}}}",
        Shown(report.proven_bits()),
        hex(blake3::hash(committed).as_bytes()),
        hex(description),
        hex(context),
        readings.join(","),
        claims.join(","),
        report.to_json(),
    )
}

/// Why a proof is refused.
pub fn refusal(reason: &str) -> String {
    let mut out = String::from("{\"valid\":false,\"reason\":\"");
    for c in reason.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"}");
    out
}

fn claim(Stated { form, values }: &Stated, variables: usize) -> String {
    // In every field zero has no bit set, and one the lowest.
    let mut one = vec![0; values.first().map_or(0, Vec::len)];
    let zero = one.clone();
    one.iter_mut().take(1).for_each(|byte| *byte = 1);
    let form = match form {
        Form::Entry(index) => format!("\"entry\":{index}"),
        Form::Weights(digest) => format!("\"weights\":{}", hex(digest)),
        Form::Block { .. } | Form::Product(..) => {
            let factors = form.factors(variables, [&zero, &one]).unwrap_or_default();
            let pairs: Vec<String> =
                factors.iter().map(|[a, b]| format!("[{},{}]", hex(a), hex(b))).collect();
            format!("\"factors\":[{}]", pairs.join(","))
        }
    };
    let values: Vec<String> = values.iter().map(|value| hex(value)).collect();
    format!("{{{form},\"values\":[{}]}}", values.join(","))
}

/// A claim in the terms of the data: elements are canonical bytes, entries of files the integers of their bits, in decimal digits.
fn reading(reading: &Reading) -> String {
    let (of, row, value) = match reading {
        Reading::Sum(value) => ("sum", None, hex(value)),
        Reading::Row { row, value } => ("row", Some(row), hex(value)),
        Reading::Entry { row, value } => ("entry", Some(row), format!("\"{value}\"")),
        Reading::Form { value, .. } => ("form", None, hex(value)),
        Reading::Weighted { value, .. } => ("weighted sum", None, hex(value)),
        Reading::InnerProduct { value, .. } => ("inner product", None, format!("\"{value}\"")),
    };
    let row = row.map_or(String::from("null"), |row| format!("{row}"));
    format!("{{\"of\":\"{of}\",\"row\":{row},\"value\":{value}}}")
}

/// Bytes in the order in which they stand, in quotes.
pub fn hex(bytes: &[u8]) -> String {
    format!("\"{}\"", tenfold::text::hex(bytes))
}
