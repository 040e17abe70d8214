//! One change to files that are otherwise as they should be, digests included, for each check around a proof.

use super::cases::{BITS, Case, POLICY, all};
use super::{Machine, input};
use iop::hash::Hash;
use iop::security::Policy;
use pcs::file::{Committed, File, Kind, SchemeId};
use pcs::weighted::Opening;
use pcs::{deepfold, ligerito, matrix};
use ring_proof::file::SuiteId;
use tenfold::statement::BytesDescription;
use tenfold::verify::{Limits, Refused, Weights, verify};
use tenfold_verifier::{Input, Status, judge};

/// Refuses, for a reason with these words.
fn refuses(case: &Case, changed: Input<'_>, status: Status, words: &str) {
    let (said, text) = judge(changed, POLICY);
    assert!(said == status && text.contains(words), "{}: {said:?} {text}, not {words}", case.name);
}

/// Bytes of a file after a change.
fn edited(bytes: &[u8], edit: impl FnOnce(&mut File)) -> Vec<u8> {
    let mut file = File::decode(bytes).expect("a file");
    edit(&mut file);
    file.encode()
}

/// The commitment file of a case about something else, with its digest.
fn about(case: &Case, hash: Hash, edit: impl FnOnce(&mut Committed)) -> Vec<u8> {
    edited(&case.commitment, |file| {
        let mut body = Committed::decode(&file.body).expect("a commitment");
        edit(&mut body);
        (file.statement, file.body) = (body.digest(hash).head(), body.encode().into());
    })
}

fn hash(case: &Case) -> Hash {
    let weights = (!case.weights.is_empty()).then_some(Weights::Bytes(&case.weights));
    let file = File::decode(&case.proof).expect("a file");
    verify(&file, weights, &Limits::new(BITS)).expect("a proof").proven.hash
}

/// All that a commitment file says is compared: the commitment, its description, its parameters, its scheme.
#[test]
fn malicious_provers_deviate_in_what_a_proof_is_about() {
    const ANOTHER: &str = "the proof is about another commitment";
    for case in &all() {
        let hash = hash(case);
        let of_another_kind = edited(&case.commitment, |f| f.kind = Kind::Opening);
        let changed = Input { commitment: &of_another_kind, ..input(case) };
        refuses(case, changed, Status::Malformed, "this file is no commitment");
        let refuses_as = |status, commitment: &[u8], words| {
            refuses(case, Input { commitment, ..input(case) }, status, words);
        };
        let refuses = |commitment: &[u8], words| refuses_as(Status::Invalid, commitment, words);
        let malformed = |commitment: &[u8], words| refuses_as(Status::Malformed, commitment, words);
        assert_eq!(about(case, hash, |_| {}), case.commitment);
        for at in [0, 31] {
            refuses(&about(case, hash, |c| c.commitment[at] ^= 1), ANOTHER);
        }
        refuses(&about(case, hash, |c| c.commitment.push(0)), ANOTHER);
        refuses(&about(case, hash, |c| c.commitment.clear()), ANOTHER);
        malformed(
            &about(case, hash, |c| c.description[0] ^= 1),
            "the commitment: the file's content is malformed",
        );
        malformed(
            &about(case, hash, |c| c.description.push(b'!')),
            "the commitment: the file's content is malformed",
        );
        malformed(&edited(&case.commitment, |f| *f.params.last_mut().unwrap() ^= 1), "the commitment: the ");
        malformed(&edited(&case.commitment, |f| f.params.push(0)), "the file's parameters are malformed");
        let others = [SchemeId::Pip, SchemeId::DeepFold, SchemeId::Ligerito];
        let scheme = File::decode(&case.proof).unwrap().scheme;
        for other in others.into_iter().filter(|&other| other != scheme) {
            malformed(&edited(&case.commitment, |f| f.scheme = other), "the commitment: the ");
        }
        malformed(&edited(&case.commitment, |f| f.statement[0] ^= 1), "the digests in the file's header");
        malformed(
            &edited(&case.commitment, |f| f.params_digest[31] ^= 1),
            "the digests in the file's header",
        );
    }
}

/// The header of a proof has the digests of its content, and its kind and scheme are those of a proof.
#[test]
fn malicious_provers_deviate_in_the_header_of_a_proof() {
    for case in &all() {
        let refuses =
            |proof: &[u8], status, words| refuses(case, Input { proof, ..input(case) }, status, words);
        refuses(&edited(&case.proof, |f| f.statement[0] ^= 1), Status::Invalid, "the statement digest");
        refuses(&edited(&case.proof, |f| f.params_digest[31] ^= 1), Status::Invalid, "the parameter digest");
        refuses(&edited(&case.proof, |f| f.params.push(0)), Status::Malformed, "parameters");
        let no_proof = "this file is a commitment, and no proof";
        refuses(&edited(&case.proof, |f| f.kind = Kind::Commitment), Status::Malformed, no_proof);
        let weighted = |f: &mut File| (f.kind, f.scheme) = (Kind::Weighted, SchemeId::DeepFold);
        refuses(&edited(&case.proof, weighted), Status::Malformed, "unknown proof");
        // What rings have in the first place of their parameters.
        let suite = SuiteId::from_number(File::decode(&case.proof).expect("a file").params[0]);
        let words = match suite {
            _ if !case.weights.is_empty() => "rings have none of",
            Some(_) => "malformed",
            None => "which this build does not know",
        };
        refuses(&edited(&case.proof, |f| f.scheme = SchemeId::Ring), Status::Malformed, words);
    }
}

/// Weights are whole canonical elements, as many as were stated, for proofs that have some.
#[test]
fn malicious_provers_deviate_in_weights() {
    for case in &all() {
        let refuses = |weights: &[u8], status, words| {
            refuses(case, Input { weights, ..input(case) }, status, words);
        };
        if case.weights.is_empty() {
            refuses(&[0], Status::Invalid, "weights for a proof that has none");
            continue;
        }
        refuses(&[], Status::Invalid, "the weights of a weighted sum are missing");
        let scale = Input { weights_scale: case.weights_scale + 1, ..input(case) };
        self::refuses(case, scale, Status::Invalid, "the number of decimals of its weights is");
        let longer = [&case.weights[..], &[0; 16]].concat();
        refuses(&longer, Status::Malformed, "weights for");
        refuses(&case.weights[4..], Status::Malformed, "weights for");
        let mut other = case.weights.clone();
        other[8] ^= 1;
        refuses(&other, Status::Invalid, "other weights");
        let over_a_prime = File::decode(&case.proof).unwrap().scheme == SchemeId::Pip;
        if over_a_prime {
            refuses(&longer[..case.weights.len() + 1], Status::Invalid, "no whole field elements");
            let mut above = case.weights.clone();
            above[..4].fill(0xff);
            refuses(&above, Status::Invalid, "no canonical field element");
            // The first weight and the prime: the same number modulo it.
            let alias = u32::from_le_bytes(*case.weights.first_chunk().unwrap()) + 0x7f00_0001;
            above[..4].copy_from_slice(&alias.to_le_bytes());
            refuses(&above, Status::Invalid, "no canonical field element");
        }
    }
}

/// Weights take the memory that they are given and no byte more: of bits, each byte makes 256.
#[test]
fn weights_beyond_the_memory_that_may_be_spent_are_refused() {
    for (name, bytes_of_each) in
        [("weighted sum, Bits", 256), ("weighted sum, Bytes", 32), ("weighted sum", 2)]
    {
        let all = all();
        let case = all.iter().find(|case| case.name == name).expect("a case");
        let file = File::decode(&case.proof).expect("a file");
        let need = bytes_of_each * case.weights.len() as u64;
        let within = |max_memory| {
            let limits = Limits { max_memory, ..Limits::new(BITS) };
            verify(&file, Some(Weights::Bytes(&case.weights)), &limits).map(|_| ())
        };
        assert_eq!(within(need), Ok(()), "{name}");
        assert_eq!(within(need - 1), Err(Refused::Memory(need)), "{name}");
    }
}

/// Unless more is given, weights may take 1 GiB: 4 MiB of a file's bytes as bits.
#[test]
fn weights_take_a_gibibyte_unless_more_is_given() {
    use ligerito::search::{Profile, SearchTarget, find};
    let all = all();
    let case = all.iter().find(|case| case.name == "weighted sum, Bits").expect("a case");
    // The parameters alone are read before the weights: there are as many entries.
    let wanted = SearchTarget::new(ligerito::Fields::Gf128, 20, BITS, Profile::Fast);
    let params = find(&SearchTarget { entries: ligerito::Entries::Bits, ..wanted }).expect("parameters");
    let weights = vec![1; (1 << 22) + 1];
    let proof = edited(&case.proof, |file| {
        let mut body =
            Opening::<field::Tower128>::decode((params.hash, 1), &file.body).expect("a weighted sum");
        let length = weights.len() as u64;
        body.statement.context = BytesDescription { name: "x".into(), length, source: [0; 32] }.encode();
        file.statement = body.statement.digest(params.hash, &body.commitment).head();
        file.body = body.encode().into();
        (file.params, file.params_digest) = (params.encode(), params.digest().head());
    });
    let file = File::decode(&proof).expect("a file");
    let refused = verify(&file, Some(Weights::Bytes(&weights)), &Limits::new(BITS)).map(|_| ());
    assert_eq!(refused, Err(Refused::Memory((1 << 30) + 256)));
    let input = Input { proof: &proof, weights: &weights, ..input(case) };
    refuses(case, input, Status::Invalid, "more than is spent on them");
}

/// The digest of encoded parameters, if they are some.
fn digest(scheme: SchemeId, params: &[u8]) -> Option<[u8; 32]> {
    match scheme {
        SchemeId::Pip | SchemeId::Ligerito | SchemeId::Air => {
            matrix::Params::decode(scheme, params).map(|params| params.digest().head())
        }
        SchemeId::DeepFold => deepfold::Params::decode(params).map(|params| params.digest().head()),
        SchemeId::Ring | SchemeId::Virgo => None,
    }
}

/// Parameters with a number changed, under their right digest: no proof holds under them, and the module says of one case of
/// each scheme what is said where lengths have 64 bits, but for codes that are too long for it; it traps at none.
#[test]
fn changed_parameters_have_the_same_verdict_on_32_bits() {
    let mut machine = Machine::new();
    let scheme = |case: &Case| File::decode(&case.proof).expect("a file").scheme;
    let all = all();
    for (i, case) in all.iter().enumerate() {
        let first = all.iter().position(|other| scheme(other) == scheme(case)) == Some(i);
        let length = File::decode(&case.proof).expect("a file").params.len();
        for (at, value) in (0..length).flat_map(|at| [0, 16, 31, 40, 255].map(|value| (at, value))) {
            let proof = edited(&case.proof, |file| {
                file.params[at] = value;
                file.params_digest = digest(file.scheme, &file.params).unwrap_or(file.params_digest);
            });
            if proof == case.proof {
                continue;
            }
            let changed = Input { proof: &proof, ..input(case) };
            let (status, text) = judge(changed, Policy::at_least(0));
            assert_ne!(status, Status::Valid, "{}: byte {at} is {value}", case.name);
            let Some(machine) = machine.as_mut().filter(|_| first && [31, 255].contains(&value)) else {
                continue;
            };
            let (in_module, said) = machine.judge(changed, 0);
            let too_long = said.contains("more positions than this machine has addresses");
            let same = (in_module, &said) == (status as u32, &text);
            assert!(too_long || same, "{}: byte {at} is {value}: {said}, not {text}", case.name);
        }
    }
}
