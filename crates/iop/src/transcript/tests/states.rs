//! States and draws of every width.

use super::*;

#[test]
fn draws_never_repeat_nor_show_the_state() {
    for hash in Hash::ALL {
        let mut tape = bound(hash).prover();
        let mut seen = Vec::new();
        for _ in 0..50 {
            seen.push(tape.chain().state()[..32].to_vec());
            let bytes = tape.chain().draw(Kind::Challenge, "r", (6, 32), &[]);
            seen.extend(bytes.chunks(32).map(<[u8]>::to_vec));
        }
        let n = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), n);
    }
}

/// The definitions of the module's head, in the plain words of the library: states and draws as wide as the hash, and not one byte of them
/// left out.
#[test]
fn states_and_draws_are_as_wide_as_the_hash() {
    use sha3::{Digest, Sha3_256, Sha3_384, Sha3_512};
    let number = |n: u64| n.to_le_bytes();
    type Plain = fn(&[u8]) -> Vec<u8>;
    let widths: [(Hash, Plain, usize); 3] = [
        (Hash::Sha3_256, |m| Sha3_256::digest(m).to_vec(), 24),
        (Hash::Sha3_384, |m| Sha3_384::digest(m).to_vec(), 8),
        (Hash::Sha3_512, |m| Sha3_512::digest(m).to_vec(), 56),
    ];
    for (hash, plain, zeros) in widths {
        let label = b"tenfold transcript v1";
        let mut message = vec![3];
        for part in [&label[..], &[hash.id()], b"wide", &[7; 64]] {
            message.extend([&number(part.len() as u64), part].concat());
        }
        let mut state = plain(&message);
        let step = |state: &[u8], kind: u8, label: &str, data: &[u8]| {
            let lengths = [label.len(), data.len()].map(|n| number(n as u64));
            plain(&[&[2][..], state, &[kind], &lengths[0], label.as_bytes(), &lengths[1], data].concat())
        };
        state = step(&state, 0, "statement", &[8; 64]);
        let mut tape = Domain::new(hash, "wide", &[7; 64]).statement(&[8; 64]).prover();
        assert_eq!(tape.chain().state(), state, "{hash:?}");
        state = step(&state, 3, "r", &[number(5), number(40)].concat());
        let blocks = |i| plain(&[&[4][..], &state, &number(i), &vec![0; zeros]].concat());
        let stream: Vec<u8> = (0..7).flat_map(blocks).take(200).collect();
        assert_eq!(tape.chain().draw(Kind::Challenge, "r", (5, 40), &[]), stream, "{hash:?}");
        tape.grind("w", 9);
        state = step(&state, 5, "w", &9u32.to_le_bytes());
        let nonce = tape.finish();
        let work = plain(&[&[5][..], &state, &nonce, &vec![0; zeros]].concat());
        assert!(work[0] == 0 && work[1] >> 7 == 0, "{hash:?}");
    }
}
