//! `ring inspect`: the content of a file about rings, byte by byte.

use super::keys::secret_key;
use super::place::warn_of_stale;
use super::unusable;
use super::verify::GROUND;
use crate::args::{Common, InspectArgs};
use crate::commands::inspect::show;
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units;
use pcs::file::{File, Kind};
use ring_proof::file::{
    Committed, Member, Members, POSSESSION_CONTEXT, Params, PublicKey, SecretKey, Signed, name_of, parts,
    shown,
};
use serde_json::{Value, json};

/// `ring inspect`. Of a secret key no more is shown than its public one.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_ours(&args.file, common)?;
    if bytes.starts_with(&SecretKey::MAGIC) {
        let bytes = zeroize::Zeroizing::new(bytes);
        let key = secret_key(&bytes)?;
        let (suite, public) = (key.suite.name(), units::hex(&key.public().member.key));
        if common.json {
            let value = json!({ "kind": "secret key", "suite": suite, "key": public });
            output::line(format_args!("{value:#}"));
        } else {
            let length = SecretKey::BYTES;
            output::line(format_args!("a secret key of {suite}, {length} bytes; its public key is {public}"));
        }
        return Ok(Exit::Valid);
    }
    let exit = content(&bytes, common)?;
    if let Ok(ring) = Members::decode(&bytes) {
        warn_of_stale(&args.file, &ring.committed(), common);
    }
    Ok(exit)
}

/// Shows the content of a file about rings. Signatures are not verified: that takes their ring.
pub fn content(bytes: &[u8], common: &Common) -> Result<Exit, Failure> {
    let file =
        File::decode(bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let (facts, mut value) = match file.kind {
        Kind::Key => key(&PublicKey::decode(bytes).map_err(unusable)?),
        Kind::Members => members(&Members::decode(bytes).map_err(unusable)?),
        Kind::Opening => signature(&Signed::decode(bytes).map_err(unusable)?),
        // Of a weighted sum, which is none, the decoder says what it is.
        Kind::Commitment | Kind::Weighted => commitment(&Committed::decode(bytes).map_err(unusable)?),
    };
    value["kind"] = json!(name_of(file.kind));
    show(&file, parts(&file).map_err(unusable)?, &facts, value, common);
    Ok(Exit::Valid)
}

type Shown = (Vec<String>, Value);

fn parameters(params: &Params) -> (Vec<String>, Value) {
    let (suite, setup) = (params.suite.name(), units::hex(&params.setup));
    let (rows, capacity) = (params.domain.size(), params.domain.capacity());
    let facts = vec![
        format!(
            "{suite}, {} rows, room for {} members",
            units::count(rows as u64),
            units::count(capacity as u64)
        ),
        format!("setup with SHA-256 {setup}"),
    ];
    (facts, json!({ "suite": suite, "rows": rows, "capacity": capacity, "setup_sha256": setup }))
}

fn key(PublicKey { suite, member: Member { key, possession } }: &PublicKey) -> Shown {
    let hex = units::hex(key);
    let member = Member { key: *key, possession: *possession };
    let verdict = member.check(suite.suite()).map_err(|why| why.to_string());
    let said = match (&verdict, possession) {
        (Err(why), _) => format!("refused as a key: {why}"),
        (Ok(_), None) => "without a proof of possession".into(),
        (Ok(_), Some(_)) => {
            format!("its owner has proven, in the context {}, to know the secret", shown(POSSESSION_CONTEXT))
        }
    };
    let facts = vec![format!("public key {hex} of {}", suite.name()), said];
    let value = json!({ "key": hex, "suite": suite.name(), "possession": possession.map(|bytes| units::hex(&bytes)),
        "refused": verdict.err() });
    (facts, value)
}

/// The second and later lines about a ring's commitment.
fn committed(first: String, file: &Committed) -> Shown {
    let (mut facts, mut value) = parameters(&file.params);
    facts.insert(0, first);
    value["fingerprint"] = json!(units::hex(&file.digest()));
    value["members"] = json!(file.members);
    value["slots"] = json!(file.slots);
    value["commitment"] = json!(units::hex(&file.commitment));
    (facts, value)
}

fn members(file: &Members) -> Shown {
    let of = file.committed();
    let fingerprint = units::hex(&of.digest());
    let first = format!("ring of {of}, commitment file with fingerprint {fingerprint}");
    let (mut facts, mut value) = committed(first, &of);
    let bare = file.slots.iter().flatten().filter(|member| member.possession.is_none()).count();
    if bare > 0 {
        facts.push(format!("{bare} member(s) without a proof of possession"));
    }
    let slot = |slot: &Option<Member>| {
        slot.as_ref().map(|Member { key, possession }| {
            json!({ "key": units::hex(key), "possession": possession.map(|bytes| units::hex(&bytes)) })
        })
    };
    value["slots"] = file.slots.iter().map(slot).collect();
    for (i, member) in file.slots.iter().enumerate() {
        let key = member.as_ref().map_or("empty".into(), |member| units::hex(&member.key));
        facts.push(format!("slot {i:>5}  {key}"));
    }
    (facts, value)
}

fn commitment(file: &Committed) -> Shown {
    let fingerprint = units::hex(&file.digest());
    let (mut facts, value) =
        committed(format!("commitment to a ring of {file}, fingerprint {fingerprint}"), file);
    facts.push("a ring's commitment is worth as much as who made it".into());
    (facts, value)
}

fn signature(file: &Signed) -> Shown {
    let (params, mut value) = parameters(&file.params);
    let [tag, ring] = [units::hex(&file.signature[..32]), units::hex(&file.ring)];
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
    value["context_hex"] = json!(units::hex(&file.context));
    value["message_hex"] = json!(units::hex(&file.message));
    value["signature"] = json!(units::hex(&file.signature));
    (facts, value)
}
