//! Both sides in step, and every way to fall out of it.

mod examples;
mod states;
mod uniform;

use super::*;
use crate::error::Invalid;
use crate::hash::Digest;
use field::{Bn254, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5};
use proptest::prelude::*;

fn bound(hash: Hash) -> Bound {
    Domain::new(hash, "test v1", &[7; 32]).statement(&[8; 32])
}

fn prover() -> ProverTape {
    bound(Hash::Blake3).prover()
}

fn verifier(proof: &[u8]) -> VerifierTape<'_> {
    bound(Hash::Blake3).verifier(proof)
}

/// The first call in which two scripts differ: its index and both sides (`None`: that side had ended).
fn first_drift(prover: &[Call], verifier: &[Call]) -> Option<(usize, Option<Call>, Option<Call>)> {
    (0..prover.len().max(verifier.len()))
        .map(|i| (i, prover.get(i).copied(), verifier.get(i).copied()))
        .find(|(_, p, v)| p != v)
}

/// What a conversation draws, in order.
#[derive(Debug, PartialEq, Eq)]
enum Draw {
    Element(KoalaBear5),
    Big(Bn254),
    Positions(Vec<usize>),
}

/// The messages of a conversation: changing one must change everything drawn after it.
#[derive(Clone)]
struct Words {
    public: Vec<u8>,
    root: Digest,
    round: Vec<Goldilocks>,
    last: Vec<KoalaBear5>,
    end: Vec<u8>,
}

impl Words {
    /// The root is as wide as the hash gives it.
    fn new(hash: Hash) -> Self {
        Self {
            public: vec![1, 2, 3],
            root: Digest::from_slice(&vec![4; hash.bytes()]).expect("as wide as the hash"),
            round: vec![Goldilocks::from_u64(5), Goldilocks::from_u64(6)],
            last: vec![KoalaBear5::from_u64(7)],
            end: vec![9],
        }
    }

    /// One draw after each message; work before the positions.
    fn prove(&self, hash: Hash) -> (Vec<u8>, Vec<Draw>, Vec<Call>) {
        let mut tape = bound(hash).prover();
        let mut draws = Vec::new();
        tape.public("public", &self.public);
        draws.push(Draw::Element(tape.challenge("a")));
        tape.send_bytes("root", &self.root);
        draws.push(Draw::Big(tape.challenge("b")));
        tape.send("round", &self.round);
        draws.extend(tape.challenges("c", 3).into_iter().map(Draw::Element));
        tape.send("last", &self.last);
        tape.grind("work", 6);
        draws.push(Draw::Positions(tape.positions("queries", 60, 4)));
        tape.hint("rows", &self.round);
        tape.hint_bytes("path", &self.root);
        tape.send_bytes("end", &self.end);
        draws.push(Draw::Element(tape.challenge("d")));
        let script = tape.script().to_vec();
        (tape.finish(), draws, script)
    }

    /// The verifier of that conversation.
    fn check(&self, hash: Hash, proof: &[u8]) -> Result<(Vec<Draw>, Vec<Call>), Invalid> {
        let mut tape = bound(hash).verifier(proof);
        let mut draws = Vec::new();
        tape.public("public", &self.public);
        draws.push(Draw::Element(tape.challenge("a")));
        assert_eq!(tape.receive_digest("root")?, self.root);
        draws.push(Draw::Big(tape.challenge("b")));
        assert_eq!(tape.receive::<Goldilocks>("round", 2)?, self.round);
        draws.extend(tape.challenges("c", 3).into_iter().map(Draw::Element));
        assert_eq!(tape.receive::<KoalaBear5>("last", 1)?, self.last);
        tape.grind("work", 6)?;
        draws.push(Draw::Positions(tape.positions("queries", 60, 4)));
        assert_eq!(tape.hint::<Goldilocks>("rows", 2)?, self.round);
        assert_eq!(tape.hint_bytes("path", hash.bytes())?, &*self.root);
        assert_eq!(tape.receive_bytes("end", 1)?, self.end);
        draws.push(Draw::Element(tape.challenge("d")));
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok((draws, script))
    }
}

#[test]
fn both_sides_draw_the_same() {
    for hash in Hash::ALL {
        let words = Words::new(hash);
        let (proof, draws, script) = words.prove(hash);
        let (seen, heard) = words.check(hash, &proof).expect("an honest proof");
        assert_eq!(draws, seen);
        assert_eq!(first_drift(&script, &heard), None);
        assert_eq!(proof.len(), 2 * hash.bytes() + 16 + 20 + 8 + 16 + 1);
    }
}

#[test]
fn every_message_changes_every_later_draw_and_no_earlier_one() {
    for hash in Hash::ALL {
        let honest = Words::new(hash);
        // How many draws come before the message, and the change.
        type Change = fn(&mut Words);
        let changes: [(usize, Change); 7] = [
            (0, |w| w.public[0] ^= 1),
            (0, |w| w.public.push(0)),
            (1, |w| *w.root.last_mut().expect("a byte") ^= 128),
            (2, |w| w.round[0] += Goldilocks::ONE),
            (2, |w| w.round.push(Goldilocks::ZERO)),
            (5, |w| w.last[0] += KoalaBear5::ONE),
            (6, |w| w.end[0] ^= 1),
        ];
        let (_, draws, _) = honest.prove(hash);
        for (before, change) in changes {
            let mut words = honest.clone();
            change(&mut words);
            let (_, changed, _) = words.prove(hash);
            assert_eq!(changed[..before], draws[..before]);
            for (i, (a, b)) in changed.iter().zip(&draws).enumerate().skip(before) {
                assert_ne!(a, b, "{hash:?}: draw {i} ignores a message after draw {before}");
            }
        }
    }
}

#[test]
fn the_domain_binds_hash_protocol_parameters_and_statement() {
    let draw = |hash, protocol: &str, params: &[u8], statement: &[u8]| {
        let mut tape = Domain::new(hash, protocol, params).statement(statement).prover();
        tape.challenge::<Goldilocks2>("r")
    };
    let mut seen = vec![
        draw(Hash::Blake3, "p", &[0; 32], &[0; 32]),
        draw(Hash::Sha256, "p", &[0; 32], &[0; 32]),
        draw(Hash::Keccak256, "p", &[0; 32], &[0; 32]),
        draw(Hash::Sha3_256, "p", &[0; 32], &[0; 32]),
        draw(Hash::Sha3_384, "p", &[0; 32], &[0; 32]),
        draw(Hash::Sha3_512, "p", &[0; 32], &[0; 32]),
        draw(Hash::Sha3_512, "p", &[0; 64], &[0; 32]),
        draw(Hash::Sha3_512, "p", &[0; 32], &[0; 64]),
        draw(Hash::Blake3, "p2", &[0; 32], &[0; 32]),
        draw(Hash::Blake3, "", &[0; 32], &[0; 32]),
        draw(Hash::Blake3, "p", &[1; 32], &[0; 32]),
        draw(Hash::Blake3, "p", &[0; 32], &[1; 32]),
        draw(Hash::Blake3, "p", &[1; 32], &[1; 32]),
    ];
    let again = draw(Hash::Blake3, "p", &[0; 32], &[0; 32]);
    assert_eq!(seen[0], again);
    let n = seen.len();
    seen.sort_by_key(|x| format!("{x:?}"));
    seen.dedup();
    assert_eq!(seen.len(), n);
}

/// The next draw after some calls.
fn after(calls: impl FnOnce(&mut ProverTape)) -> Goldilocks2 {
    let mut tape = prover();
    calls(&mut tape);
    tape.challenge("r")
}

#[test]
fn labels_kinds_and_lengths_are_bound() {
    let small = |x: &[u64]| -> Vec<Goldilocks> { x.iter().copied().map(Goldilocks::from_u64).collect() };
    let cases = [
        after(|_| {}),
        after(|t| t.send("m", &small(&[5, 7]))),
        after(|t| t.send("m", &small(&[5, 7, 0, 0]))),
        after(|t| t.send("n", &small(&[5, 7]))),
        after(|t| t.public("m", &[5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])),
        after(|t| {
            t.send("m", &small(&[5]));
            t.send("m", &small(&[7]));
        }),
        after(|t| t.send::<Goldilocks>("m", &[])),
        after(|t| t.send::<Goldilocks>("m\0", &[])),
        after(|t| t.send_bytes("", b"m")),
        after(|t| t.send_bytes("ab", b"c")),
        after(|t| t.send_bytes("a", b"bc")),
        after(|t| _ = t.challenge::<Goldilocks2>("r")),
        after(|t| _ = t.challenge::<Goldilocks2>("s")),
        after(|t| _ = t.challenge::<Goldilocks>("r")),
        after(|t| drop(t.challenges::<Goldilocks2>("r", 0))),
        after(|t| drop(t.challenges::<Goldilocks2>("r", 2))),
        after(|t| drop(t.positions("r", 5, 2))),
        after(|t| drop(t.positions("r", 6, 2))),
        after(|t| t.grind("w", 1)),
        after(|t| t.grind("w", 2)),
        after(|t| t.grind("v", 1)),
    ];
    for (i, a) in cases.iter().enumerate() {
        assert!(cases[..i].iter().all(|b| a != b), "case {i} draws what an earlier one draws");
    }
}

#[test]
fn what_is_outside_the_chain_changes_no_draw() {
    let silent = after(|_| {});
    assert_eq!(silent, after(|t| t.hint_bytes("h", &[1, 2, 3])));
    assert_eq!(silent, after(|t| t.hint("h", &[Goldilocks::ONE])));
    assert_eq!(silent, after(|t| t.grind("w", 0)));
}

#[test]
fn one_challenge_is_challenges_of_one_and_a_typed_message_is_its_bytes() {
    let (mut one, mut many) = (prover(), prover());
    let a: KoalaBear5 = one.challenge("r");
    assert_eq!(many.challenges::<KoalaBear5>("r", 1), [a]);
    one.send("m", &[a]);
    let mut bytes = [0; KoalaBear5::BYTES];
    a.write(&mut bytes);
    many.send_bytes("m", &bytes);
    assert_eq!(one.challenge::<Bn254>("r"), many.challenge::<Bn254>("r"));
    assert_eq!(one.finish(), many.finish());
}

#[test]
fn the_first_drift_is_found() {
    let (mut p, mut q) = (prover(), prover());
    for tape in [&mut p, &mut q] {
        tape.public("x", &[1]);
        let _: Goldilocks = tape.challenge("r");
    }
    assert_eq!(first_drift(p.script(), q.script()), None);
    p.send_bytes("m", &[1, 2]);
    let call = |kind, label, length| Some(Call { kind, label, length });
    let sent = call(Kind::Send, "m", 2);
    // Statement, public and challenge came before.
    assert_eq!(first_drift(p.script(), q.script()), Some((3, sent, None)));
    q.send_bytes("m", &[1]);
    let short = call(Kind::Send, "m", 1);
    assert_eq!(first_drift(p.script(), q.script()), Some((3, sent, short)));
}

#[test]
fn every_truncation_and_every_extension_is_rejected() {
    let words = Words::new(Hash::Blake3);
    let (proof, ..) = words.prove(Hash::Blake3);
    for n in 0..proof.len() {
        assert!(words.check(Hash::Blake3, &proof[..n]).is_err(), "{n} bytes");
    }
    let long = [&proof[..], &[0]].concat();
    let verdict = words.check(Hash::Blake3, &long).map(drop);
    assert_eq!(verdict, Err(Invalid("proof is too long")));
}

#[test]
fn encodings_outside_the_field_are_rejected() {
    let p = 0xffff_ffff_0000_0001u64;
    for (number, fine) in [(p - 1, true), (p, false), (p + 1, false), (u64::MAX, false)] {
        let proof = number.to_le_bytes();
        assert_eq!(verifier(&proof).receive::<Goldilocks>("x", 1).is_ok(), fine);
        assert_eq!(verifier(&proof).hint::<Goldilocks>("x", 1).is_ok(), fine);
    }
    for i in 0..5 {
        let mut proof = [0; 20];
        proof[4 * i..4 * i + 4].copy_from_slice(&0x7f00_0001u32.to_le_bytes());
        assert!(verifier(&proof).receive::<KoalaBear5>("x", 1).is_err());
        assert!(verifier(&proof).receive::<KoalaBear>("x", 5).is_err());
    }
    assert!(verifier(&[255; 32]).receive::<Bn254>("x", 1).is_err());
}

#[test]
fn absurd_counts_are_errors_without_allocation() {
    for n in [9, 1 << 32, 1 << 60, usize::MAX / 8, usize::MAX] {
        let mut tape = verifier(&[0; 64]);
        assert!(tape.receive_bytes("x", n.max(65)).is_err());
        assert!(tape.receive::<Goldilocks>("x", n).is_err());
        assert!(tape.receive::<KoalaBear5>("x", n).is_err());
        assert!(tape.hint::<Goldilocks>("x", n).is_err());
        assert!(tape.hint_bytes("x", n.max(65)).is_err());
        // A refused request takes nothing.
        assert_eq!(tape.hint_bytes("x", 64), Ok(&[0; 64][..]));
    }
}

/// Pearson's statistic of counts that should be equal, in standard deviations above its mean.
fn excess(counts: &[u64]) -> f64 {
    let cells = counts.len() as f64;
    let expected = counts.iter().sum::<u64>() as f64 / cells;
    let chi: f64 = counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
    (chi - (cells - 1.0)) / (2.0 * (cells - 1.0)).sqrt()
}

#[test]
fn positions_are_uniform_sorted_distinct_and_in_range() {
    let mut counts = vec![0u64; 64];
    let mut tape = prover();
    for _ in 0..20_000 {
        let positions = tape.positions("q", 6, 5);
        assert!(positions.is_sorted_by(|a, b| a < b));
        assert!(!positions.is_empty() && positions.len() <= 5);
        for p in positions {
            counts[p] += 1;
        }
    }
    // 5 draws of 64 hit a given place with probability 1 - (63/64)^5 each time.
    let total: u64 = counts.iter().sum();
    let expected = 20_000.0 * 64.0 * (1.0 - (63.0f64 / 64.0).powi(5));
    assert!((total as f64 - expected).abs() < 600.0, "{total} of {expected}");
    assert!(excess(&counts).abs() < 6.0);
    assert_eq!(tape.positions("q", 0, 3), [0]);
    assert!(tape.positions("q", 3, 0).is_empty());
    assert_eq!(tape.positions("q", 4, 1000), (0..16).collect::<Vec<_>>());
    assert!(tape.positions("q", 63, 100).iter().any(|p| p >> 62 == 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_proof_bytes_return(
        proof: Vec<u8>,
        which in 0..Hash::ALL.len(),
        requests in proptest::collection::vec((0u8..7, any::<usize>()), 0..12),
    ) {
        let mut tape = bound(Hash::ALL[which]).verifier(&proof);
        for (verb, n) in requests {
            for n in [n % 16, n] {
                match verb {
                    0 => drop(tape.receive_bytes("x", n)),
                    1 => drop(tape.receive::<KoalaBear5>("x", n)),
                    2 => drop(tape.hint::<Bn254>("x", n)),
                    3 => drop(tape.hint_bytes("x", n)),
                    4 => drop(tape.receive_digest("x")),
                    5 => drop(tape.grind("x", n as u32)),
                    _ => drop(tape.positions("x", n % 70, 3)),
                }
            }
        }
        let _ = tape.finish();
    }

    #[test]
    fn any_messages_arrive(messages in proptest::collection::vec(any::<Vec<u8>>(), 0..8)) {
        let mut tape = prover();
        let mut drawn = Vec::<Goldilocks>::new();
        for message in &messages {
            tape.send_bytes("m", message);
            drawn.push(tape.challenge("r"));
        }
        let proof = tape.finish();
        let mut tape = verifier(&proof);
        for (message, r) in messages.iter().zip(drawn) {
            prop_assert_eq!(tape.receive_bytes("m", message.len()), Ok(&message[..]));
            prop_assert_eq!(tape.challenge::<Goldilocks>("r"), r);
        }
        prop_assert_eq!(tape.finish(), Ok(()));
    }
}
