//! What a reader of the vectors does with a case: bytes in, and the words of a refusal.

use serde_json::Value;

use super::super::{hex, key_of, suite};
use crate::vrf::{Possession, Signature};
use crate::{Commitment, Domain, Error, Invalid, Key, Params, Proof, Verifier, VerifierKey};
use curve::bandersnatch::decode_point;

pub(super) const KINDS: [&str; 6] =
    ["proofs", "signatures", "keys", "possessions", "commitments", "verifier_keys"];

/// The verdict on a case: what it does not say is the scene's.
pub(super) fn of(kind: &str, scene: &Value, case: &Value) -> Result<(), String> {
    let part = |name: &str| case.get(name).unwrap_or(&scene[name]).clone();
    let verdict = match kind {
        "proofs" => proof(&part),
        "signatures" => signature(&part),
        "keys" => return key(&part),
        "possessions" => possession(&part),
        "commitments" => verifier(&part).map(|_| ()),
        "verifier_keys" => verifier_key(&part),
        kind => panic!("{kind}"),
    };
    verdict.map_err(|e| e.to_string())
}

type Part<'a> = &'a dyn Fn(&str) -> Value;

fn params(part: Part<'_>) -> Params {
    let domain = Domain::new(part("rows").as_u64().unwrap() as usize).unwrap();
    Params { bases: suite(&part("suite")).bases().clone(), domain }
}

fn verifier(part: Part<'_>) -> Result<Verifier, Error> {
    let commitment = Commitment::decode(&hex(&part("commitment")))?;
    Ok(Verifier::new(&params(part), &key_of(&part("setup")), &commitment))
}

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

fn proof(part: Part<'_>) -> Result<(), Error> {
    let result = decode_point(&bytes(&part("result")))?;
    let proof = Proof::decode(&hex(&part("proof")))?;
    Ok(verifier(part)?.verify(&result, &proof)?)
}

fn signature(part: Part<'_>) -> Result<(), Error> {
    let suite = suite(&part("suite"));
    let [input, data] = ["input", "data"].map(|name| part(name).as_str().unwrap().to_owned());
    let signature = Signature::decode(&hex(&part("signature")))?;
    Ok(signature.verify(suite, &verifier(part)?, &suite.input(input.as_bytes())?, data.as_bytes())?)
}

fn key(part: Part<'_>) -> Result<(), String> {
    let key = decode_point(&bytes(&part("key"))).map_err(|e| e.to_string())?;
    let checked = Key::new(key).and_then(|key| params(part).bases.check_key(&key));
    checked.map_err(|why| why.to_string())
}

fn possession(part: Part<'_>) -> Result<(), Error> {
    let key = Key::new(decode_point(&bytes(&part("key")))?).map_err(|_| Invalid("no key of a ring"))?;
    let proof = Possession::decode(&bytes(&part("possession")))?;
    Ok(proof.verify(suite(&part("suite")), &key, part("context").as_str().unwrap().as_bytes())?)
}

fn verifier_key(part: Part<'_>) -> Result<(), Error> {
    let key = VerifierKey::decode(&hex(&part("verifier_key")))?;
    Verifier::from_key(&params(part), &key_of(&part("setup")), &key).map(|_| ())
}
