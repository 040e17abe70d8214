//! A codeword without its first blocks opens as the whole one does.

use super::*;
use crate::error::Invalid;
use crate::transcript::Domain;
use field::{Goldilocks, Tower64, Tower128};

/// Elements without structure.
fn elements<F: Field>(n: usize) -> Vec<F> {
    let mut x = 1u64;
    let mut byte = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (x >> 56) as u8
    };
    (0..n).map(|_| F::from_uniform(&(0..F::UNIFORM_BYTES).map(|_| byte()).collect::<Vec<u8>>())).collect()
}

fn tape() -> ProverTape {
    Domain::new(Hash::Blake3, "test v1", &[7; 32]).statement(&[8; 32]).prover()
}

/// Opens positions of both kinds of oracle and compares every byte.
fn opens_alike<B: FoldableCode, const N: usize>(hash: Hash, code: ReedSolomon, width: usize) {
    let shape = OracleSpec::<N> { code, width, hash };
    let message: Vec<B> = elements(code.dimension() * width);
    let whole = shape.commit(&message, Vec::new());
    let (domain, blocks) = (1 << code.log_domain(), 1 << code.log_inv_rate);
    let all: Vec<usize> = (0..domain).collect();
    let some: Vec<usize> = all.iter().copied().filter(|i| i * i % 7 == 2).collect();
    placed(&shape, &message, &whole);
    for forgotten in [1, 2, blocks, blocks + 1] {
        // Blocks of other lengths are taken over, as many as there are.
        let lean = shape.commit_and_forget(forgotten, &message, vec![vec![B::ONE; 5]; 3]);
        assert_eq!(whole.root(), lean.root(), "{shape:?}");
        assert_eq!((lean.nodes(), lean.nodes().len()), (whole.nodes(), shape.nodes()), "{shape:?}");
        let lean = if lean.blocks().is_empty() { shape.oracle_of_nodes(lean.nodes().to_vec()) } else { lean };
        assert_eq!(whole.root(), lean.root(), "{shape:?}");
        assert!(lean.blocks() == &whole.blocks()[forgotten.min(blocks)..], "{shape:?}");
        for positions in [&all[..], &some, &all[..1], &all[domain - 1..], &all[domain / 2..][..1], &[]] {
            let (mut expected, mut found) = (tape(), tape());
            whole.open_rows(&mut expected, positions);
            lean.open_rows_of(&mut found, &shape, &message, positions);
            let proof = expected.finish();
            assert!(proof == found.finish(), "{shape:?}, {} positions", positions.len());
            let domain = Domain::new(Hash::Blake3, "test v1", &[7; 32]).statement(&[8; 32]);
            let mut tape = domain.verifier(&proof);
            let rows = shape.read_rows(&mut tape, &lean.root(), positions).expect("an opening");
            let rows: Vec<B> = rows.all().expect("canonical rows");
            assert!(positions.iter().zip(rows.chunks_exact(width)).all(|(&p, row)| whole.row(p) == row));
        }
    }
}

/// A codeword whose first block was made where the message stood is the codeword, and gives the message back.
fn placed<B: FoldableCode, const N: usize>(
    shape: &OracleSpec<N>,
    message: &[B],
    whole: &CommittedCodeword<B, N>,
) {
    for blocks in [vec![], vec![vec![B::ONE; 5]; 9]] {
        let placed = shape.commit_in_place(message.to_vec(), blocks);
        assert!(placed.root() == whole.root() && placed.blocks() == whole.blocks(), "{shape:?}");
        assert_eq!(placed.memory(), whole.memory());
        assert!(shape.code.extra > 0 || placed.message() == message, "{shape:?}");
    }
}

#[test]
fn a_codeword_without_its_first_blocks_opens_like_the_whole() {
    for (log_rows, log_inv_rate) in [(0, 1), (2, 2), (4, 1), (6, 1), (8, 2), (5, 3), (6, 0)] {
        for width in [1, 2, 6, 16, 33] {
            for extra in [0, 1, 1 << log_rows] {
                let code = ReedSolomon { extra, ..ReedSolomon::new(log_rows, log_inv_rate) };
                opens_alike::<Tower128, 32>(Hash::Blake3, code, width);
                opens_alike::<Tower64, 32>(Hash::Blake3, code, width);
                opens_alike::<Goldilocks, 32>(Hash::Blake3, code, width);
            }
        }
    }
    for code in [ReedSolomon::new(0, 1), ReedSolomon::new(5, 2)] {
        opens_alike::<Tower64, 48>(Hash::Sha3_384, code, 6);
        opens_alike::<Goldilocks, 64>(Hash::Sha3_512, code, 3);
    }
    // Blocks that are made by all threads together.
    opens_alike::<Tower128, 32>(Hash::Blake3, ReedSolomon::new(13, 1), 16);
}

#[test]
fn what_is_kept_is_a_codeword_with_the_message() {
    let shape: OracleSpec = OracleSpec { code: ReedSolomon::new(10, 2), width: 16, hash: Hash::Blake3 };
    let message: Vec<Tower128> = elements(16 << 10);
    let bytes = size_of_val(&message[..]);
    for (forgotten, blocks) in [(0, 4), (1, 3), (4, 0)] {
        let lean = shape.commit_and_forget(forgotten, &message, Vec::new());
        assert_eq!(lean.memory(), blocks * bytes + lean.tree.memory());
        assert!(lean.tree.memory() <= 4 * bytes / 63, "{} bytes of a tree", lean.tree.memory());
    }
}

/// What a verifier is told of the hash, and the width that it reads digests in, must agree.
#[test]
fn rows_under_digests_of_another_width_are_refused() {
    let code = ReedSolomon::new(4, 1);
    let spec = OracleSpec::<48> { code, width: 2, hash: Hash::Sha3_384 };
    let codeword = spec.commit(&elements::<Goldilocks>(32), Vec::new());
    let mut opening = tape();
    codeword.open_rows(&mut opening, &[3, 9]);
    let proof = opening.finish();
    let bound = || Domain::new(Hash::Blake3, "test v1", &[7; 32]).statement(&[8; 32]);
    let root = codeword.root();
    let rows = spec.read_rows::<Goldilocks>(&mut bound().verifier(&proof), &root, &[3, 9]);
    assert_eq!(rows.map(|rows| rows.count()), Ok(2));
    for hash in [Hash::Blake3, Hash::Sha3_512] {
        let other = OracleSpec { hash, ..spec };
        let refused = other.read_rows::<Goldilocks>(&mut bound().verifier(&proof), &root, &[3, 9]);
        assert_eq!(refused.map(drop), Err(Invalid("digests of another width than the hash's")));
    }
}
