//! Signatures as lists that other implementations can run: `vectors/ledger-v1/signatures.txt`, in the manner of Wycheproof.
//!
//! ```text
//!  verdict | domain 31 | words 3 x 32 | key 64 | signature 48 | what it is about            bytes in hexadecimal, integers little-endian
//! ```
//! A verdict is `valid`; `invalid`, where the bytes are a key and a signature and the signature does not hold; or `malformed`, where one of them is none.

use super::*;
use curve::BigInteger;

struct Case {
    verdict: &'static str,
    domain: Domain,
    message: Message,
    key: Vec<u8>,
    signature: Vec<u8>,
    about: &'static str,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

impl Case {
    fn line(&self) -> String {
        let words: Vec<u8> = self.message.0.iter().flat_map(grumpkin::encode_fq).collect();
        let parts = [&self.domain.0[..], &words, &self.key, &self.signature].map(hex);
        format!("{} | {} | {}\n", self.verdict, parts.join(" | "), self.about)
    }
}

/// The verdict of this implementation.
fn verdict(domain: &Domain, message: &Message, key: &[u8], signature: &[u8]) -> &'static str {
    let key = key.try_into().ok().and_then(|bytes: &[u8; 64]| PublicKey::from_bytes(bytes).ok());
    match (key, Signature::from_bytes(signature)) {
        (Some(key), Ok(signature)) if key.verify(domain, message, &signature).is_ok() => "valid",
        (Some(_), Ok(_)) => "invalid",
        _ => "malformed",
    }
}

/// The sum of a number and the order, as 32 bytes.
fn plus_order(x: Fr) -> Vec<u8> {
    let mut sum = x.into_bigint();
    assert!(!sum.add_with_carry(&Fr::MODULUS));
    sum.to_bytes_le()
}

fn cases() -> Vec<Case> {
    let (alice, m) = (secret(1), message(1));
    let good = alice.sign_with(&CHAIN, &m, &[0; 32]);
    let (key, signature) = (alice.public().to_bytes().to_vec(), good.to_bytes().to_vec());
    let twin = challenge_scalar(good.challenge) * scalar(&alice);
    let with = |challenge, response| Signature { challenge, response }.to_bytes().to_vec();
    let reduced = |response: Vec<u8>| [&good.challenge.to_le_bytes()[..], &response].concat();
    let case = |verdict, signature: Vec<u8>, about| {
        let (domain, message, key) = (CHAIN, m, key.clone());
        Case { verdict, domain, message, key, signature, about }
    };
    let same = |about| case("invalid", signature.clone(), about);
    let p = *alice.public().point();
    let negative = [grumpkin::encode_fq(&p.x), grumpkin::encode_fq(&-p.y)].concat();
    let off = [grumpkin::encode_fq(&p.x), grumpkin::encode_fq(&(p.y + Fq::from(2)))].concat();
    let unreduced = [&[0xff; 32][..], &key[32..]].concat();
    let keyed = |key: Vec<u8>, about| Case { verdict: "malformed", key, ..same(about) };
    vec![
        case("valid", signature.clone(), "a signature"),
        case("valid", alice.sign_with(&CHAIN, &m, &[1; 32]).to_bytes().to_vec(), "another nonce"),
        case("valid", with(good.challenge, twin + twin - good.response), "the owner's second one: -R"),
        Case { domain: Domain([8; 31]), ..same("another chain") },
        Case { domain: Domain([0; 31]), ..same("a chain of zeros") },
        Case { message: message(2), ..same("another message") },
        Case { message: Message([m.0[1], m.0[0], m.0[2]]), ..same("words exchanged") },
        Case { message: Message([m.0[0], m.0[1], Fq::from(1)]), ..same("a third word") },
        Case { key: secret(2).public().to_bytes().to_vec(), ..same("another key") },
        case("invalid", with(good.challenge, -good.response), "the negative response"),
        case("invalid", with(good.challenge, -(good.response + good.response)), "a multiple of the response"),
        case("invalid", with(good.challenge ^ 1, good.response), "a bit of the challenge"),
        case("invalid", with(good.challenge, good.response + Fr::one()), "the next response"),
        case("invalid", with(0, good.response), "challenge 0"),
        case("invalid", with(u128::MAX, good.response), "the largest challenge"),
        case("invalid", with(0, Fr::one()), "challenge 0, response 1"),
        case("invalid", with(good.challenge, twin), "R is the identity"),
        case("invalid", with(good.challenge, Fr::zero()), "response 0"),
        case("malformed", reduced(plus_order(good.response)), "the response plus the order"),
        case("malformed", reduced(plus_order(Fr::zero())), "the order as response"),
        case("malformed", reduced(vec![0xff; 32]), "the largest bytes as response"),
        case("malformed", signature[..47].to_vec(), "cut short"),
        case("malformed", [&signature[..], &[0]].concat(), "a byte more"),
        case("malformed", vec![], "nothing"),
        keyed(negative, "the negative key: y is odd"),
        keyed(off, "a key off the curve"),
        keyed(vec![0; 64], "the identity as key"),
        keyed(unreduced, "a coordinate that is not reduced"),
        keyed(key[..63].to_vec(), "a key cut short"),
    ]
}

fn path() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/ledger-v1/signatures.txt")
}

#[test]
fn lists_of_signatures_have_their_verdicts() {
    let text = std::fs::read_to_string(path()).unwrap();
    let mut counts = [0; 3];
    for line in text.lines() {
        let [said, domain, words, key, signature, about] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let word =
            |i: usize| grumpkin::decode_fq(bytes(words)[32 * i..32 * i + 32].try_into().unwrap()).unwrap();
        let message = Message([0, 1, 2].map(word));
        let domain = Domain(bytes(domain).try_into().unwrap());
        assert_eq!(verdict(&domain, &message, &bytes(key), &bytes(signature)), said, "{about}");
        counts[["valid", "invalid", "malformed"].iter().position(|name| *name == said).unwrap()] += 1;
    }
    assert_eq!(counts, [3, 15, 11]);
    assert_eq!(text, cases().iter().map(Case::line).collect::<String>(), "as they are made");
}

/// Run it with `--ignored`, once for a version.
#[test]
#[ignore = "writes a file"]
fn write_lists_of_signatures() {
    assert!(!path().exists(), "files of a version are never replaced");
    std::fs::write(path(), cases().iter().map(Case::line).collect::<String>()).unwrap();
}
