//! Work that is enough, too little, missing or asked for in vain.

use super::search::{search_batches, search_lanes};
use super::*;
use crate::error::Invalid;
use crate::transcript::{Bound, Challenger, Domain};
use field::Goldilocks;

fn bound(hash: Hash) -> Bound {
    Domain::new(hash, "work v1", &[7; 32]).statement(&[8; 32])
}

#[test]
fn work_is_checked() {
    for hash in Hash::ALL {
        let mut tape = bound(hash).prover();
        tape.grind("w", 8);
        let drawn: Goldilocks = tape.challenge("r");
        let proof = tape.finish();
        assert_eq!(proof.len(), 8);
        let nonce = u64::from_le_bytes(proof.clone().try_into().expect("eight bytes"));
        let state = {
            let mut chain = bound(hash).0;
            ask(&mut chain, "w", 8);
            chain.state().to_vec()
        };
        // The rule of the module, in plain words: the first byte is zero.
        let zeros = vec![0; [24, 8, 56][hash.bytes() / 16 - 2]];
        let first = |nonce: u64| {
            let mut digest = vec![0; hash.bytes()];
            hash.write(Role::Grind, &[&state, &nonce.to_le_bytes(), &zeros], &mut digest);
            digest[0]
        };
        assert_eq!(first(nonce), 0);
        assert!((0..nonce).all(|n| first(n) != 0), "a smaller nonce was good");

        let run = |proof: &[u8], label, bits| {
            let mut tape = bound(hash).verifier(proof);
            tape.grind(label, bits)?;
            let r: Goldilocks = tape.challenge("r");
            tape.finish().map(|()| r)
        };
        assert_eq!(run(&proof, "w", 8), Ok(drawn));
        assert!(run(&proof, "v", 8) != Ok(drawn));
        for weak in (0..200u64).filter(|&n| first(n) != 0) {
            let verdict = run(&weak.to_le_bytes(), "w", 8);
            assert_eq!(
                verdict,
                Err(Invalid(
                    "the proof of work does not fit: statement or proof were changed, or the work is too little"
                ))
            );
        }
        for length in 0..8 {
            assert!(run(&proof[..length], "w", 8).is_err());
        }
        // Another good nonce is another transcript.
        let other = (nonce + 1..).find(|&n| first(n) == 0).expect("a second nonce");
        let redrawn = run(&other.to_le_bytes(), "w", 8).expect("good work");
        assert_ne!(redrawn, drawn);
        assert!(run(&proof, "w", 0).is_err(), "bytes are left");
        assert!(run(&proof, "w", 41).is_err());
        assert!(run(&proof, "w", u32::MAX).is_err());
    }
}

#[test]
fn the_number_of_bits_counts_exactly() {
    let (hash, state) = (Hash::Blake3, [3; 32]);
    for bits in 1..=14 {
        let nonce = search(hash, &state, bits);
        let digest = hash.one(Role::Grind, &[&state, &nonce.to_le_bytes(), &[0; 24]]);
        let head = u64::from_be_bytes(*digest.first_chunk().expect("eight bytes"));
        let zeros = head.leading_zeros();
        assert!(zeros >= bits);
        assert!(check(hash, &state, nonce.to_le_bytes(), zeros));
        assert!(!check(hash, &state, nonce.to_le_bytes(), zeros + 1));
    }
}

/// The two ways through a share, from shares whose nonces have upper halves too.
#[test]
fn trials_in_lanes_find_what_whole_digests_show() {
    let (hash, state) = (Hash::Blake3, [9; 32]);
    assert!(hash.trials(&[0; 32]).is_none() || cfg!(target_arch = "x86_64"));
    let Some(trials) = hash.trials(&state) else { return };
    let starts = (0..8).chain([(1 << 24) - 1, 1 << 24, 3 << 40]).map(|share| share << 8);
    for (start, bits) in starts.flat_map(|start| [1, 7, 8, 9, 11, 40].map(|bits| (start, bits))) {
        let found = search_lanes(hash, &trials, (&state, bits), start);
        assert_eq!(found, search_batches(hash, &state, bits, start), "{bits} bits from {start}");
    }
}

#[test]
fn the_nonce_does_not_depend_on_the_number_of_threads() {
    for hash in Hash::ALL {
        let nonces = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            // Several windows of tasks, so that later ones are searched too.
            pool.expect("a pool").install(|| search(hash, &vec![1; hash.bytes()], 15))
        });
        assert_eq!(nonces[0], nonces[1]);
        assert_eq!(nonces[0], nonces[2]);
    }
}

#[test]
#[should_panic(expected = "too many bits")]
fn more_work_than_the_limit_is_refused() {
    bound(Hash::Blake3).prover().grind("w", MAX_BITS + 1);
}

/// A file cannot ask a verifier to believe in more work than anybody does; the most that may be asked for is read.
#[test]
fn no_more_work_is_asked_for_than_provers_do() {
    let asked = |bits| bound(Hash::Blake3).verifier(&[]).grind("w", bits);
    assert_eq!(asked(MAX_BITS + 1), Err(Invalid("more work than any prover does")));
    assert_eq!(asked(MAX_BITS), Err(Invalid("proof is too short")));
}
