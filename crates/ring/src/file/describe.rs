//! The content of files about rings, in words and as JSON.

use super::suite::on_curve;
use super::{
    Committed, FileError, Member, Members, POSSESSION_CONTEXT, Params, PublicKey, Signed, name_of, shown,
};
use pcs::file::{File, Kind};
use pcs::iop::text::{count, hex};
use serde_json::{Value, json};

/// The assumptions that a signature rests on: no number of proven bits is known.
pub const GROUND: &str =
    "rests on the setup's secret being unknown, on pairings and on discrete logarithms: no proven bits";

/// Lines of text, and an object.
type Described = (Vec<String>, Value);

/// The content of a file about rings in words and as JSON; `bytes` are the file's. Signatures are not verified: that takes their ring.
///
/// # Errors
/// If the content is malformed.
pub fn describe(file: &File<'_>, bytes: &[u8]) -> Result<Described, FileError> {
    let (facts, mut value) = match file.kind {
        Kind::Key => key(&PublicKey::decode(bytes)?),
        Kind::Members => members(&Members::decode(bytes)?),
        Kind::Opening => signature(&Signed::decode(bytes)?),
        // Of a weighted sum or an inner product, which is none, the decoder says what it is.
        Kind::Commitment | Kind::Weighted | Kind::Product => commitment(&Committed::decode(bytes)?),
    };
    value["kind"] = json!(name_of(file.kind));
    Ok((facts, value))
}

fn parameters(params: &Params) -> (Vec<String>, Value) {
    let (suite, setup) = (params.suite.name(), hex(&params.setup));
    let (rows, capacity) = (params.domain.size(), params.domain.capacity());
    let facts = vec![
        format!("{suite}, {} rows, room for {} members", count(rows as u64), count(capacity as u64)),
        format!("setup with SHA-256 {setup}"),
    ];
    (facts, json!({ "suite": suite, "rows": rows, "capacity": capacity, "setup_sha256": setup }))
}

fn key(PublicKey { suite, member }: &PublicKey) -> Described {
    let Member { key, possession } = member;
    let digits = hex(key);
    let verdict = on_curve!(suite.suite(), suite => member.check(suite).map(drop));
    let verdict = verdict.map_err(|why| why.to_string());
    let said = match (&verdict, possession) {
        (Err(why), _) => format!("refused as a key: {why}"),
        (Ok(()), None) => "without a proof of possession".into(),
        (Ok(()), Some(_)) => {
            format!("its owner has proven, in the context {}, to know the secret", shown(POSSESSION_CONTEXT))
        }
    };
    let facts = vec![format!("public key {digits} of {}", suite.name()), said];
    let value = json!({ "key": digits, "suite": suite.name(), "possession": possession.map(|bytes| hex(&bytes)),
        "refused": verdict.err() });
    (facts, value)
}

/// The second and later lines about a ring's commitment.
fn committed(first: String, file: &Committed) -> Described {
    let (mut facts, mut value) = parameters(&file.params);
    facts.insert(0, first);
    value["fingerprint"] = json!(hex(&file.digest()));
    value["members"] = json!(file.members);
    value["slots"] = json!(file.slots);
    value["commitment"] = json!(hex(&file.commitment));
    (facts, value)
}

fn members(file: &Members) -> Described {
    let of = file.committed();
    let fingerprint = hex(&of.digest());
    let first = format!("ring of {of}, commitment file with fingerprint {fingerprint}");
    let (mut facts, mut value) = committed(first, &of);
    let bare = file.slots.iter().flatten().filter(|member| member.possession.is_none()).count();
    if bare > 0 {
        facts.push(format!("{bare} member(s) without a proof of possession"));
    }
    let slot = |slot: &Option<Member>| {
        slot.as_ref().map(|Member { key, possession }| {
            json!({ "key": hex(key), "possession": possession.map(|bytes| hex(&bytes)) })
        })
    };
    value["slots"] = file.slots.iter().map(slot).collect();
    for (i, member) in file.slots.iter().enumerate() {
        let key = member.as_ref().map_or("empty".into(), |member| hex(&member.key));
        facts.push(format!("slot {i:>5}  {key}"));
    }
    (facts, value)
}

fn commitment(file: &Committed) -> Described {
    let fingerprint = hex(&file.digest());
    let (mut facts, value) =
        committed(format!("commitment to a ring of {file}, fingerprint {fingerprint}"), file);
    facts.push("a ring's commitment is worth as much as who made it".into());
    (facts, value)
}

fn signature(file: &Signed) -> Described {
    let (params, mut value) = parameters(&file.params);
    let [tag, ring] = [hex(file.tag()), hex(&file.ring)];
    let (message, context) = (file.message_shown(), shown(&file.context));
    let mut facts = vec![
        format!("ring signature on {message} in the context {context}, not verified here"),
        format!("tag {tag}"),
        format!("for the ring whose commitment file has the fingerprint {ring}"),
    ];
    facts.extend(params);
    facts.push(GROUND.to_owned());
    value["fingerprint"] = json!(ring);
    value["tag"] = json!(tag);
    value["context_hex"] = json!(hex(&file.context));
    value["message_hex"] = json!(hex(&file.message));
    value["signature"] = json!(hex(&file.signature));
    (facts, value)
}
