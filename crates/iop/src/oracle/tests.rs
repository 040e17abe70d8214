//! A codeword without its first blocks opens as the whole one does.

mod fibres;
mod parts;

use super::*;
use crate::error::Invalid;
use crate::transcript::{Bound, Domain};
use field::{FoldFibres, Goldilocks, Tower64, Tower128};

/// Elements without structure.
fn elements<F: Field>(n: usize) -> Vec<F> {
    let mut x = 1u64;
    let mut byte = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (x >> 56) as u8
    };
    (0..n).map(|_| F::from_uniform(&(0..F::UNIFORM_BYTES).map(|_| byte()).collect::<Vec<u8>>())).collect()
}

fn bound() -> Bound {
    Domain::new(Hash::Blake3, "test v1", &[7; 32]).statement(&[8; 32])
}

/// The bytes of an opening.
fn opening(open: impl FnOnce(&mut ProverTape)) -> Vec<u8> {
    let mut tape = bound().prover();
    open(&mut tape);
    tape.finish()
}

/// Opens positions of both kinds of oracle and compares every byte.
fn opens_alike<B: FoldableCode>(shape: OracleSpec) {
    let OracleSpec { code, width, log_fibre, .. } = shape;
    let message: Vec<B> = elements(code.dimension() * width);
    let whole = shape.commit(&message, Vec::new());
    let (leaves, blocks) = (1 << shape.log_leaves(), 1 << code.log_inv_rate);
    let all: Vec<usize> = (0..leaves).collect();
    let some: Vec<usize> = all.iter().copied().filter(|i| i * i % 7 == 2).collect();
    placed(&shape, &message, &whole);
    for forgotten in [1, 2, blocks, blocks + 1] {
        // Blocks of other lengths are taken over, as many as there are.
        let lean = shape.commit_and_forget(forgotten, &message, &mut vec![vec![B::ONE; 5]; 3]);
        assert_eq!(whole.root(), lean.root(), "{shape:?}");
        assert_eq!((lean.nodes(), lean.nodes().len()), (whole.nodes(), shape.node_bytes()), "{shape:?}");
        let lean = if lean.blocks().is_empty() { shape.oracle_of_nodes(lean.nodes().to_vec()) } else { lean };
        assert_eq!(whole.root(), lean.root(), "{shape:?}");
        assert!(lean.blocks() == &whole.blocks()[forgotten.min(blocks)..], "{shape:?}");
        for positions in [&all[..], &some, &all[..1], &all[leaves - 1..], &all[leaves / 2..][..1], &[]] {
            let proof = opening(|tape| whole.open_rows(tape, positions));
            let found = opening(|tape| lean.open_rows_of(tape, &shape, &message, positions));
            assert!(proof == found, "{shape:?}, {} positions", positions.len());
            let mut tape = bound().verifier(&proof);
            let rows = shape.read_rows(&mut tape, &lean.root(), positions).expect("an opening");
            assert_eq!((rows.count(), rows.width()), (positions.len() << log_fibre, width));
            let rows: Vec<B> = rows.all().expect("canonical rows");
            let leaves = rows.chunks_exact(width << log_fibre);
            assert!(positions.iter().zip(leaves).all(|(&p, leaf)| whole.row(p) == leaf));
            assert_eq!(tape.finish(), Ok(()));
        }
    }
}

/// A codeword whose first block was made where the message stood is the codeword, and gives the message back.
fn placed<B: FoldableCode>(shape: &OracleSpec, message: &[B], whole: &CommittedCodeword<B>) {
    for blocks in [vec![], vec![vec![B::ONE; 5]; 9]] {
        let placed = shape.commit_in_place(message.to_vec(), blocks);
        assert!(placed.root() == whole.root() && placed.blocks() == whole.blocks(), "{shape:?}");
        assert!(placed.nodes() == whole.nodes() && placed.memory() == whole.memory(), "{shape:?}");
        assert!(shape.code.extra > 0 || placed.message() == message, "{shape:?}");
    }
}

#[test]
fn a_codeword_without_its_first_blocks_opens_like_the_whole() {
    let shape = |code, width, hash| OracleSpec { code, width, log_fibre: 0, log_parts: 0, hash };
    for (log_rows, log_inv_rate) in [(0, 1), (2, 2), (4, 1), (6, 1), (8, 2), (5, 3), (6, 0)] {
        for width in [1, 2, 6, 16, 33] {
            for extra in [0, 1, 1 << log_rows] {
                let code = ReedSolomon { extra, ..ReedSolomon::new(log_rows, log_inv_rate) };
                opens_alike::<Tower128>(shape(code, width, Hash::Blake3));
                opens_alike::<Tower64>(shape(code, width, Hash::Blake3));
                opens_alike::<Goldilocks>(shape(code, width, Hash::Blake3));
            }
        }
    }
    for code in [ReedSolomon::new(0, 1), ReedSolomon::new(5, 2)] {
        opens_alike::<Tower64>(shape(code, 6, Hash::Sha3_384));
        opens_alike::<Goldilocks>(shape(code, 3, Hash::Sha3_512));
    }
    // Blocks that are made by all threads together.
    opens_alike::<Tower128>(shape(ReedSolomon::new(13, 1), 16, Hash::Blake3));
    // Rows so long that fewer of them than a node stands for would be finished at a time.
    opens_alike::<Tower128>(shape(ReedSolomon::new(7, 1), 1 << 10, Hash::Blake3));
    opens_alike::<Tower64>(shape(ReedSolomon::new(5, 1), 5000, Hash::Sha3_384));
}

#[test]
fn what_is_kept_is_a_codeword_with_the_message() {
    let shape = OracleSpec {
        code: ReedSolomon::new(10, 2),
        width: 16,
        log_fibre: 0,
        log_parts: 0,
        hash: Hash::Blake3,
    };
    let message: Vec<Tower128> = elements(16 << 10);
    let bytes = size_of_val(&message[..]);
    for (forgotten, blocks) in [(0, 4), (1, 3), (4, 0)] {
        let lean = shape.commit_and_forget(forgotten, &message, &mut Vec::new());
        assert_eq!(lean.memory(), blocks * bytes + lean.tree.memory());
        assert!(lean.tree.memory() <= 4 * bytes / 63, "{} bytes of a tree", lean.tree.memory());
    }
}

/// What a verifier is told of the hash, and the root that it has, must agree.
#[test]
fn a_root_of_another_width_is_refused() {
    let code = ReedSolomon::new(4, 1);
    let spec = OracleSpec { code, width: 2, log_fibre: 0, log_parts: 0, hash: Hash::Sha3_384 };
    let codeword = spec.commit(&elements::<Goldilocks>(32), Vec::new());
    let proof = opening(|tape| codeword.open_rows(tape, &[3, 9]));
    let read = |spec: &OracleSpec, root: &Digest| {
        let rows = spec.read_rows::<Goldilocks>(&mut bound().verifier(&proof), root, &[3, 9]);
        rows.map(|rows| rows.count())
    };
    assert_eq!(read(&spec, &codeword.root()), Ok(2));
    let refused = Err(Invalid("a root of another width than the hash's"));
    for hash in [Hash::Blake3, Hash::Sha3_512] {
        assert_eq!(read(&OracleSpec { hash, ..spec }, &codeword.root()), refused);
        // Roots that begin like the true one, or end with it.
        assert_eq!(read(&spec, &Digest::zeros(hash.bytes())), refused);
    }
    let head = Digest::from(codeword.root().head());
    let longer = Digest::from_slice(&[&codeword.root()[..], &[0; 16]].concat()).expect("64 bytes");
    assert_eq!([head, longer].map(|root| read(&spec, &root)), [refused, refused]);
}

/// Leaves that are made again, from a message of one piece or of many, are those of the codeword, and lead to the root.
fn makes_leaves<B: FoldFibres>(shape: OracleSpec) {
    let message: Vec<B> = elements(shape.code.dimension() * shape.width);
    let whole = shape.commit(&message, Vec::new());
    let leaves = 1 << shape.log_leaves();
    let places: Vec<usize> = [0, 1, 3, leaves / 3, leaves / 2, leaves / 2 + 1, leaves - 1].into();
    for positions in [&places[..], &places[..1], &places[6..]] {
        let rows = shape.leaves_of(&message, positions);
        let expected: Vec<B> = positions.iter().flat_map(|&p| whole.row(p)).copied().collect();
        assert!(rows == expected, "{shape:?}");
        let siblings =
            crate::merkle::MerkleTree::new(shape.hash, shape.leaf().digests(&whole.blocks().concat()))
                .open(0, positions);
        assert_eq!(shape.check_leaves(&whole.root(), positions, (&rows, &siblings)), Ok(()));
        let mut other = rows.clone();
        other[0] += B::ONE;
        assert!(shape.check_leaves(&whole.root(), positions, (&other, &siblings)).is_err());
        assert!(shape.check_leaves(&whole.root(), positions, (&rows, &siblings[1..])).is_err());
    }
}

#[test]
fn leaves_are_made_again_from_pieces_of_the_message() {
    for (log_rows, log_inv_rate, width, log_fibre) in
        [(15, 1, 1, 0), (13, 1, 3, 2), (11, 1, 40, 4), (6, 2, 2, 1)]
    {
        let code = ReedSolomon::new(log_rows, log_inv_rate);
        let shape = OracleSpec { code, width, log_fibre, log_parts: 0, hash: Hash::Blake3 };
        makes_leaves::<Tower128>(shape);
        makes_leaves::<Tower64>(shape);
        makes_leaves::<Goldilocks>(OracleSpec { code: ReedSolomon::new(log_rows - 2, 1), ..shape });
        makes_leaves::<Tower64>(OracleSpec { code: ReedSolomon { extra: 3, ..code }, ..shape });
    }
}
