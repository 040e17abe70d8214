//! What parameters are for, and their report.

use crate::params::AnyParams;
use crate::text::{bytes, hex};
use alloc::string::{String, ToString};
use iop::security::{Report, Term};
use pcs::ligerito::Preset;
use serde_json::{Value, json};

/// Every error term of a report as JSON.
#[must_use]
pub fn terms(report: &Report) -> Value {
    let term = |t: &Term| json!({ "label": t.label, "bits": t.bits, "grinding": t.grinding, "formula": t.formula, "source": t.source });
    report.terms.iter().map(term).collect()
}

/// Parameters as a title and as JSON.
#[must_use]
pub fn params(params: &AnyParams, report: &Report, profile: Option<Preset>) -> (String, Value) {
    let (summary, name, regime) = (params.summary(), params.fields_name(), report.regime);
    let (hash, size) = (summary.hash.name(), params.size(1));
    let mut value = json!({ "field": name, "log_size": summary.log_size, "polynomials": summary.polynomials,
        "hidden_openings": summary.hidden_openings, "regime": regime.to_string(),
        "expected_bytes": size.expected(), "most_bytes": size.most(),
        "layout": params.outline(), "parameters_digest": hex(&params.digest()),
        "row_union_bits": report.row_union_bits(), "round_by_round_bits": report.round_by_round(),
        "terms": terms(report) });
    if let (Some(unit), Some(capacity)) = (params.unit(), params.capacity()) {
        let unit = unit.name();
        let profile = profile.map(Preset::name);
        let scheme = params.scheme().name();
        value["scheme"] = json!(scheme);
        value["profile"] = json!(profile);
        value["entries"] = json!(unit);
        value["padded_bytes"] = json!(capacity);
        let profile = profile.map_or(String::new(), |profile| format!("{profile} · "));
        let length = bytes(capacity);
        return (
            format!("{scheme} · {profile}{name} · {length}, a row is a {unit} · {regime} · {hash}"),
            value,
        );
    }
    value["scheme"] = json!("pip");
    let columns = match summary.polynomials {
        1 => String::new(),
        columns => format!(" of each of {columns} columns"),
    };
    (format!("pip · {name} · 2^{} entries{columns} · {regime} · {hash}", summary.log_size), value)
}
