//! Ring signatures: the verdict of the library, natively and in the module.

use std::sync::{Arc, OnceLock};

use ring_proof::Setup;
use ring_proof::file::{Committed, Membership, Params, Powers, SecretKey, Signed, Signer, SuiteId};
use ring_proof::vrf::Signature;

use super::*;

/// A ring of three members, and what one of them signed.
pub struct Ballot {
    pub signature: Vec<u8>,
    pub commitment: Vec<u8>,
    signed: Signed,
    committed: Committed,
}

/// Signed by the second of three members.
pub fn ballot() -> &'static Ballot {
    static BALLOT: OnceLock<Ballot> = OnceLock::new();
    BALLOT.get_or_init(|| ballot_of(SuiteId::V1))
}

fn ballot_of(suite: SuiteId) -> Ballot {
    let powers = Powers::zcash();
    let domain = suite.domain(512).expect("a domain");
    let params = Params { suite, domain, setup: powers.sha256 };
    let setup = Arc::new(Setup::new(&powers.srs, domain).expect("enough powers"));
    let keys = [1, 2, 3].map(|seed| SecretKey::from_seed(suite, &[seed; 32]));
    let mut ring = Membership::empty(params, setup);
    ring.add(&keys.each_ref().map(|key| key.public().unwrap().member)).expect("three keys");
    let signer = Signer::new(&ring).expect("a signer");
    let signed = signer.sign(&keys[1], b"vote 7", b"yes").expect("a member");
    let committed = ring.committed();
    Ballot { signature: signed.encode(), commitment: committed.encode(), signed, committed }
}

impl Ballot {
    pub fn input(&self) -> Input<'_> {
        Input {
            proof: &self.signature,
            commitment: &self.commitment,
            weights: &[],
            weights_scale: 0,
            expected: "",
        }
    }
}

#[test]
fn signatures_of_members_hold() {
    let mut machine = Machine::new();
    let ballot = ballot();
    let (status, text) = judged(&mut machine, ballot.input(), 0, "a ring signature");
    assert_eq!(status, Status::Valid, "{text}");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tag = &ballot.signed.signature[..32];
    for (name, bytes) in [
        ("context", &b"vote 7"[..]),
        ("message", b"yes"),
        ("tag", tag),
        ("fingerprint", &ballot.committed.digest()),
    ] {
        assert_eq!(report[name], tenfold::text::hex(bytes), "{name}");
    }
    assert_eq!((&report["stated"]["members"], &report["rows"]), (&3.into(), &512.into()));
    // There are no proven bits to ask for.
    let none = Policy::at_least(0);
    for policy in [
        Policy::at_least(1),
        Policy { interactive_bits: 1, ..none },
        Policy { regimes: Regimes::UniqueDecoding, ..none },
        Policy { theorems: Theorems::only(Theorem::Dkt26), ..none },
    ] {
        let (status, text) = judge(ballot.input(), policy);
        assert!(status == Status::Invalid && text.contains("no proven bits"), "{text}");
    }
}

/// Points in Weierstrass form, and keys on Jubjub.
#[test]
fn all_suites_are_verified() {
    let mut machine = Machine::new();
    for (suite, name) in [
        (SuiteId::BandersnatchSw, "Bandersnatch-SW-SHA512-TAI-v1"),
        (SuiteId::Jubjub, "JubJub-SHA512-TAI-v1"),
    ] {
        let ballot = ballot_of(suite);
        let (status, text) = judged(&mut machine, ballot.input(), 0, name);
        assert_eq!(status, Status::Valid, "{text}");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&report["suite"], &report["rows"]), (&name.into(), &512.into()));
        assert_eq!(report["tag"], tenfold::text::hex(ballot.signed.tag()));
        let mut wrong = ballot.signed.clone();
        wrong.message = b"no".to_vec();
        let wrong = wrong.encode();
        for (input, words) in [
            (Input { proof: &wrong, ..ballot.input() }, "no member signed this"),
            (
                Input { commitment: &self::ballot().commitment, ..ballot.input() },
                "and a ring of Bandersnatch-SHA512",
            ),
        ] {
            let (status, text) = judge(input, Policy::at_least(0));
            assert!(status == Status::Invalid && text.contains(words), "{text}");
        }
    }
}

/// A change of the tag, of a part of the Pedersen proof, of the ring proof, of context and message, with a header that fits; another ring; a ring over
/// another setup; the parts swapped, cut, of other kinds.
#[test]
fn malicious_members_deviate_in_signatures() {
    let mut machine = Machine::new();
    let ballot = ballot();
    let edited = |edit: &dyn Fn(&mut Signed)| {
        let mut signed = ballot.signed.clone();
        edit(&mut signed);
        signed.encode()
    };
    let swapped = |from: usize, to: usize| {
        move |s: &mut Signed| {
            let part: [u8; 32] = s.signature[from..from + 32].try_into().expect("32 bytes");
            s.signature[to..to + 32].copy_from_slice(&part);
        }
    };
    for (name, proof, words) in [
        ("the tag", edited(&swapped(32, 0)), "no member signed this: not a signature on this message"),
        ("the blinded key", edited(&swapped(64, 32)), "no member signed this"),
        ("a response", edited(&|s| s.signature[128] ^= 1), "no member signed this"),
        ("a value of the ring proof", edited(&|s| s.signature[192 + 192] ^= 1), "no member signed this"),
        ("no point", edited(&|s| s.signature[192..240].fill(0xff)), "malformed"),
        ("a context", edited(&|s| s.context.push(b'!')), "no member signed this"),
        ("a message", edited(&|s| s.message = b"no".to_vec()), "no member signed this"),
        ("a ring", edited(&|s| s.ring[0] ^= 1), "another ring"),
    ] {
        let (status, text) = judge(Input { proof: &proof, ..ballot.input() }, Policy::at_least(0));
        assert!(status == Status::Invalid && text.contains(words), "{name}: {text}");
    }
    // Digests of the header that are not those of the content.
    for at in [18, 82, ballot.signature.len() - Signature::BYTES - 1] {
        let mut proof = ballot.signature.clone();
        proof[at] ^= 1;
        let (status, text) = judge(Input { proof: &proof, ..ballot.input() }, Policy::at_least(0));
        assert!(status == Status::Invalid && text.contains("digest"), "{at}: {text}");
    }
    let mut other = ballot.committed.clone();
    other.params.setup[0] ^= 1;
    let other = other.encode();
    let mut off_curve = ballot.committed.clone();
    off_curve.commitment[..48].fill(0xff);
    let off_curve = off_curve.encode();
    let cut = &ballot.signature[..ballot.signature.len() - 1];
    let all = all();
    let refused = [
        ("weights", Input { weights: &[0], ..ballot.input() }, Status::Invalid, "no weights"),
        ("claims", Input { expected: "sum", ..ballot.input() }, Status::Invalid, "no claims about data"),
        ("a setup", Input { commitment: &other, ..ballot.input() }, Status::Invalid, "another setup"),
        ("no points", Input { commitment: &off_curve, ..ballot.input() }, Status::Malformed, "refused"),
        (
            "swapped",
            Input { proof: &ballot.commitment, commitment: &ballot.signature, ..ballot.input() },
            Status::Malformed,
            "",
        ),
        ("cut", Input { proof: cut, ..ballot.input() }, Status::Malformed, ""),
        (
            "no ring",
            Input { commitment: &all[0].commitment, ..ballot.input() },
            Status::Malformed,
            "not about a ring",
        ),
        (
            "no signature",
            Input { commitment: &ballot.commitment, ..input(&all[0]) },
            Status::Malformed,
            "about a ring",
        ),
    ];
    for (name, input, expected, words) in refused {
        let (status, text) = judge(input, Policy::at_least(0));
        assert!(status == expected && text.contains(words), "{name}: {status:?} {text}");
    }
    // One of them in the module, which takes a while to interpret.
    let proof = edited(&|s| s.message = b"no".to_vec());
    judged(&mut machine, Input { proof: &proof, ..ballot.input() }, 0, "another message");
}
