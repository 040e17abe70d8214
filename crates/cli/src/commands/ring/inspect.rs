//! `ring inspect`: the content of a file about rings, byte by byte.

use super::keys::secret_key;
use super::members::{fingerprint, size};
use super::place::warn_of_stale;
use super::signature::{shown as quoted, shown_message};
use super::unusable;
use super::verify::GROUND;
use crate::args::{Common, InspectArgs};
use crate::commands::inspect::{header, sequence, show};
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units;
use pcs::file::{File, Kind};
use ring_proof::file::{
    Committed, Member, Members, POSSESSION_CONTEXT, Params, PublicKey, SecretKey, Signed, name_of, parts,
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
            output::line(format_args!(
                "{:#}",
                json!({ "kind": "secret key", "suite": suite, "key": public })
            ));
        } else {
            output::line(format_args!(
                "a secret key of {suite}, {} bytes; its public key is {public}",
                SecretKey::BYTES
            ));
        }
        return Ok(Exit::Valid);
    }
    let exit = shown(&bytes, common)?;
    if let Ok(ring) = Members::decode(&bytes) {
        warn_of_stale(&args.file, &ring.committed(), common);
    }
    Ok(exit)
}

/// Shows the content of a file about rings.
///
/// # Errors
/// If it is malformed. Signatures are not verified: that takes their ring.
pub fn shown(bytes: &[u8], common: &Common) -> Result<Exit, Failure> {
    let file =
        File::decode(bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let (facts, mut value) = match file.kind {
        Kind::Key => key(&PublicKey::decode(bytes).map_err(unusable)?),
        Kind::Members => members(&Members::decode(bytes).map_err(unusable)?),
        Kind::Opening => signature(&Signed::decode(bytes).map_err(unusable)?),
        // Of a weighted sum, which is none, the decoder says what it is.
        Kind::Commitment | Kind::Weighted => commitment(&Committed::decode(bytes).map_err(unusable)?),
    };
    if let Value::Object(object) = &mut value {
        object.insert("kind".into(), json!(name_of(file.kind)));
    }
    let body = parts(&file).map_err(unusable)?.into_iter().map(|(length, name)| (length, name.to_owned()));
    let parts: Vec<_> =
        header(&file).into_iter().chain(sequence(bytes.len() - file.body.len(), body)).collect();
    show(&parts, &facts, value, common);
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

/// An object with more in it.
fn with(mut value: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut value, more) {
        object.extend(more);
    }
    value
}

fn key(PublicKey { suite, member: Member { key, possession } }: &PublicKey) -> Shown {
    let hex = units::hex(key);
    let member = Member { key: *key, possession: *possession };
    let verdict = member.check(suite.suite()).map_err(|why| why.to_string());
    let said = match (&verdict, possession) {
        (Err(why), _) => format!("refused as a key: {why}"),
        (Ok(_), None) => "without a proof of possession".into(),
        (Ok(_), Some(_)) => {
            format!("its owner has proven, in the context {}, to know the secret", quoted(POSSESSION_CONTEXT))
        }
    };
    let facts = vec![format!("public key {hex} of {}", suite.name()), said];
    let value = json!({ "key": hex, "suite": suite.name(), "possession": possession.map(|bytes| units::hex(&bytes)),
        "refused": verdict.err() });
    (facts, value)
}

fn members(file: &Members) -> Shown {
    let committed = file.committed();
    let fingerprint = fingerprint(&committed);
    let (params, value) = parameters(&file.params);
    let mut facts =
        vec![format!("ring of {}, commitment file with fingerprint {fingerprint}", size(&committed))];
    facts.extend(params);
    let bare = file.slots.iter().flatten().filter(|member| member.possession.is_none()).count();
    if bare > 0 {
        facts.push(format!("{bare} member(s) without a proof of possession"));
    }
    let slot = |slot: &Option<Member>| {
        slot.as_ref().map(|Member { key, possession }| {
            json!({ "key": units::hex(key), "possession": possession.map(|bytes| units::hex(&bytes)) })
        })
    };
    let slots: Vec<_> = file.slots.iter().map(slot).collect();
    for (i, member) in file.slots.iter().enumerate() {
        let key = member.as_ref().map_or("empty".into(), |member| units::hex(&member.key));
        facts.push(format!("slot {i:>5}  {key}"));
    }
    let value = with(
        value,
        json!({ "fingerprint": fingerprint, "members": committed.members, "slots": slots,
        "commitment": units::hex(&file.commitment) }),
    );
    (facts, value)
}

fn commitment(file: &Committed) -> Shown {
    let fingerprint = fingerprint(file);
    let (params, value) = parameters(&file.params);
    let mut facts = vec![format!("commitment to a ring of {}, fingerprint {fingerprint}", size(file))];
    facts.extend(params);
    facts.push("a ring's commitment is worth as much as who made it".into());
    let value = with(
        value,
        json!({ "fingerprint": fingerprint, "members": file.members, "slots": file.slots,
        "commitment": units::hex(&file.commitment) }),
    );
    (facts, value)
}

fn signature(file: &Signed) -> Shown {
    let (params, value) = parameters(&file.params);
    let [tag, ring] = [units::hex(&file.signature[..32]), units::hex(&file.ring)];
    let mut facts = vec![
        format!(
            "ring signature on {} in the context {}, not verified here",
            shown_message(&file.message),
            quoted(&file.context)
        ),
        format!("tag {tag}"),
        format!("for the ring whose commitment file has the fingerprint {ring}"),
    ];
    facts.extend(params);
    facts.push(GROUND.to_owned());
    let value = with(
        value,
        json!({ "fingerprint": ring, "tag": tag, "context_hex": units::hex(&file.context),
        "message_hex": units::hex(&file.message), "signature": units::hex(&file.signature) }),
    );
    (facts, value)
}
