//! The report in JSON: numbers, hexadecimal digits, and texts that are escaped.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::security::Shown;
use tenfold::Verdict;
use tenfold::any::Product;
use tenfold::statement::Description;
use tenfold::verdict::{Claimed, VerifiedClaim};
use tenfold::verify::{Form, Proven, Stated};

/// The report on a valid proof.
pub fn verdict(verdict: &Verdict) -> String {
    let proven = &verdict.proven;
    let Proven { scheme, fields: [data, challenges], report, hidden_openings, .. } = proven;
    let mask = proven.mask.map_or(String::from("null"), |mask| format!("{mask}"));
    let scheme = scheme.name();
    let description = verdict.commitment.description.encode();
    let context = proven.context.strip_prefix(description.as_slice()).unwrap_or_default();
    let forms = proven.claims.iter().map(|stated| form(stated, proven.variables));
    format!(
        "{{\"valid\":true,\"scheme\":\"{scheme}\",\"field\":\"{data}\",\"challenge_field\":\"{challenges}\",\
         \"proven_bits\":{:.3},\"hidden_openings\":{hidden_openings},\"mask\":{mask},\"fingerprint\":{},\
         \"stated\":{},\"description\":{},\"context\":{},\"claims\":{},\"readings\":{},\"forms\":{},\
         \"assumptions\":{},\"security\":{}}}",
        Shown(report.proven_bits()),
        hex(&verdict.commitment.fingerprint()),
        stated(verdict),
        hex(&description),
        hex(context),
        array(verdict.claims.iter().map(|claim| string(&claim.to_string()))),
        array(verdict.readings().map(reading)),
        array(forms),
        array(verdict.assumptions().iter().map(|assumption| string(assumption))),
        report.to_json(),
    )
}

/// The report on a proof that is refused.
pub fn refusal(reason: &str) -> String {
    format!("{{\"valid\":false,\"reason\":{}}}", string(reason))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A text in quotes, in which control characters are blanks.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The committer's word on the data: their name, the number of rows or entries, and of bytes; of a table the names of its columns.
fn stated(verdict: &Verdict) -> String {
    let commitment = &verdict.commitment;
    let (name, bytes) = match &commitment.description {
        Description::Column(column) => (&column.name, column.bytes.map(|(bytes, _)| bytes)),
        Description::Table(table) => (&table.name, None),
        Description::Bytes(bytes) => (&bytes.name, Some(bytes.length)),
    };
    let columns = if let Description::Table(table) = &commitment.description {
        let names = array(table.columns.iter().map(|column| string(&column.name)));
        format!(",\"columns\":{names}")
    } else {
        String::new()
    };
    let rows = commitment.description.rows(&commitment.params);
    let bytes = bytes.map_or(String::from("null"), |bytes| format!("{bytes}"));
    format!("{{\"name\":{},\"rows\":{rows},\"data_bytes\":{bytes}{columns}}}", string(name))
}

/// A form with its values in canonical bytes, as the proof states it.
fn form(Stated { form, values }: &Stated, variables: usize) -> String {
    // In every field zero has no bit set, and one the lowest.
    let mut one = vec![0; values.first().map_or(0, Vec::len)];
    let zero = one.clone();
    one.iter_mut().take(1).for_each(|byte| *byte = 1);
    let form = match form {
        Form::Entry(index) => format!("\"entry\":{index}"),
        Form::Weights(digest) => format!("\"weights\":{}", hex(digest)),
        Form::Columns { columns: [a, b], rows } => format!("\"columns\":[{a},{b}],\"rows\":{rows}"),
        Form::Block { .. } | Form::Product(..) => {
            let factors = form.factors(variables, [&zero, &one]).unwrap_or_default();
            let pairs = factors.iter().map(|[a, b]| format!("[{},{}]", hex(a), hex(b)));
            format!("\"factors\":{}", array(pairs))
        }
    };
    format!("{{{form},\"values\":{}}}", array(values.iter().map(|value| hex(value))))
}

/// A claim as an object, with the members that `tenfold verify --json` gives it.
fn reading((claim, column, modulus): (&VerifiedClaim, Option<&str>, Option<String>)) -> String {
    let VerifiedClaim { claimed, value, .. } = claim;
    let row = claimed.row().map_or(String::from("null"), |row| format!("{row}"));
    let modulus = modulus.map_or(String::new(), |modulus| format!(",\"modulus\":\"{modulus}\""));
    let quantity = claimed.split().1;
    let column = column.map_or(String::new(), |name| format!(",\"column\":{}", string(name)));
    let rows = match quantity {
        Claimed::Range(rows) => format!(",\"rows\":[{},{}]", rows.start, rows.end),
        Claimed::Product(a, b) => format!(",\"columns\":[{},{}]", string(a), string(b)),
        _ => match claim.at() {
            Some((Product::Powers, [z])) => format!(",\"evaluated_at\":{}", string(z)),
            Some((_, z)) => format!(",\"point\":{}", array(z.iter().map(|z| string(z)))),
            None => String::new(),
        },
    };
    let (kind, value) = (claimed.kind(), string(&value.exact()));
    format!("{{\"of\":\"{kind}\",\"row\":{row}{rows}{column},\"value\":{value}{modulus}}}")
}

/// Bytes in the order in which they stand, in quotes.
pub fn hex(bytes: &[u8]) -> String {
    format!("\"{}\"", tenfold::text::hex(bytes))
}
