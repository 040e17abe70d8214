//! Leaves that hold the rows of a fibre.

use super::*;
use crate::merkle::MerkleTree;
use field::KoalaBear;

/// The shapes of a leaf that are looked at.
fn shapes(hash: Hash, code: ReedSolomon, width: usize) -> impl Iterator<Item = OracleSpec> {
    (0..=LOG_TWIG.min(code.log_rows)).map(move |log_fibre| OracleSpec {
        code,
        width,
        log_fibre,
        log_parts: 0,
        hash,
    })
}

/// A leaf by definition: the bytes of its rows, with zeros up to a whole block of BLAKE3; or the node of its halves, if it has parts.
fn leaf_by_definition<B: Field>(hash: Hash, log_parts: usize, rows: &[&[B]]) -> Vec<u8> {
    if log_parts > 0 {
        let halves = rows.iter().map(|row| row.split_at(row.len() / 2));
        let (left, right): (Vec<&[B]>, Vec<&[B]>) = halves.unzip();
        let children = [left, right].map(|half| leaf_by_definition(hash, log_parts - 1, &half)).concat();
        let mut node = vec![0; hash.bytes()];
        hash.nodes(&children, &mut node);
        return node;
    }
    let row_bytes = rows[0].len() * B::BYTES;
    let mut bytes = vec![0; rows.len() * row_bytes];
    rows.iter().zip(bytes.chunks_exact_mut(row_bytes)).for_each(|(row, place)| B::write_slice(row, place));
    if hash == Hash::Blake3 {
        bytes.resize(bytes.len().next_multiple_of(64), 0);
    }
    hash.leaf(&bytes).to_vec()
}

/// The codeword, row by row, and the tree over it by definition.
fn by_definition<B: FoldableCode>(shape: &OracleSpec, message: &[B]) -> (Vec<B>, MerkleTree) {
    let blocks = 0..1usize << shape.code.log_inv_rate;
    let rows: Vec<B> = blocks
        .flat_map(|block| {
            let mut rows = Vec::new();
            B::encode_block(message, shape.block(block), &mut rows, &|_, _| {});
            rows
        })
        .collect();
    let mut leaves = Vec::new();
    for leaf in rows.chunks_exact(shape.width << shape.log_fibre) {
        let rows: Vec<&[B]> = leaf.chunks_exact(shape.width).collect();
        leaves.extend(leaf_by_definition(shape.hash, shape.log_parts, &rows));
    }
    (rows, MerkleTree::new(shape.hash, leaves))
}

/// Root, rows and paths are those of the definition.
pub(super) fn is_its_definition<B: FoldableCode>(shape: OracleSpec) {
    let message: Vec<B> = elements(shape.code.dimension() * shape.width);
    let (rows, tree) = by_definition(&shape, &message);
    let codeword = shape.commit(&message, Vec::new());
    assert_eq!(codeword.root(), tree.root(), "{shape:?}");
    let leaf = shape.width << shape.log_fibre;
    for step in [1, 3, 1 << shape.log_leaves()] {
        let positions: Vec<usize> = (0..1 << shape.log_leaves()).step_by(step).collect();
        let mut bytes = vec![0; positions.len() * leaf * B::BYTES];
        let opened: Vec<B> = positions.iter().flat_map(|p| &rows[p * leaf..][..leaf]).copied().collect();
        B::write_slice(&opened, &mut bytes);
        bytes.extend(tree.open(0, &positions));
        assert!(opening(|tape| codeword.open_rows(tape, &positions)) == bytes, "{shape:?}");
    }
}

#[test]
fn the_tree_over_fibres_is_that_over_their_rows_end_to_end() {
    for hash in Hash::ALL {
        for (log_rows, log_inv_rate, width) in [(0, 1, 1), (1, 2, 3), (3, 1, 5), (4, 2, 2), (7, 1, 1)] {
            for shape in shapes(hash, ReedSolomon::new(log_rows, log_inv_rate), width) {
                is_its_definition::<Tower64>(shape);
                is_its_definition::<KoalaBear>(shape);
            }
        }
    }
}

/// Blocks that are kept, forgotten, made in the message's place or known by their nodes alone: one opening.
#[test]
fn fibres_of_forgotten_blocks_are_made_again() {
    for hash in Hash::ALL {
        for (log_rows, log_inv_rate, width) in [(2, 1, 3), (4, 2, 1), (6, 1, 6)] {
            for shape in shapes(hash, ReedSolomon::new(log_rows, log_inv_rate), width) {
                opens_alike::<Tower128>(shape);
                opens_alike::<Goldilocks>(shape);
                // Further coefficients, which stand above the rows of the message.
                let code = ReedSolomon { extra: 1, ..shape.code };
                opens_alike::<Tower64>(OracleSpec { code, ..shape });
            }
        }
    }
    // Blocks that are made by all threads together.
    for shape in shapes(Hash::Blake3, ReedSolomon::new(13, 1), 16) {
        opens_alike::<Tower64>(shape);
    }
}

/// A leaf binds each of its rows, and a path each of its digests.
#[test]
fn a_changed_row_of_a_leaf_is_refused() {
    let positions = [1, 2, 7];
    for hash in Hash::ALL {
        for shape in shapes(hash, ReedSolomon::new(6, 1), 3) {
            let codeword = shape.commit(&elements::<Goldilocks>(3 << 6), Vec::new());
            let honest = opening(|tape| codeword.open_rows(tape, &positions));
            let read = |proof: &[u8], positions: &[usize]| {
                let mut tape = bound().verifier(proof);
                shape.read_rows::<Goldilocks>(&mut tape, &codeword.root(), positions).map(drop)
            };
            assert_eq!(read(&honest, &positions), Ok(()));
            let row = 3 * Goldilocks::BYTES;
            let rows = positions.len() << shape.log_fibre;
            // Within a row another byte each time; behind the rows, one of each digest.
            let of_rows = (0..rows).map(|i| i * row + i * 5 % row);
            let of_paths = (rows * row..honest.len()).step_by(hash.bytes());
            for byte in of_rows.chain(of_paths) {
                let mut changed = honest.clone();
                changed[byte] ^= 1;
                let refused = Err(Invalid("Merkle opening does not lead to the commitment"));
                assert_eq!(read(&changed, &positions), refused, "{shape:?}, byte {byte}");
            }
            // Neighbouring rows of a leaf, each in the other's place.
            if shape.log_fibre > 0 {
                let mut swapped = honest.clone();
                swapped[..2 * row].rotate_left(row);
                assert!(read(&swapped, &positions).is_err(), "{shape:?}");
            }
            assert!(read(&honest, &[1, 2, 6]).is_err() && read(&honest, &[1, 3, 7]).is_err(), "{shape:?}");
            for length in 0..honest.len() {
                assert_eq!(read(&honest[..length], &positions), Err(Invalid("proof is too short")));
            }
        }
    }
}

/// The lowest nodes kept stand over sixteen rows, or over a block if it has fewer.
#[test]
fn a_lowest_node_stands_over_sixteen_rows_or_a_block() {
    for (hash, log_rows) in Hash::ALL.into_iter().flat_map(|hash| (0..8).map(move |rows| (hash, rows))) {
        for shape in shapes(hash, ReedSolomon::new(log_rows, 2), 2) {
            let log_rows_per_node = log_rows.min(4);
            assert_eq!(shape.twig_height() + shape.log_fibre, log_rows_per_node, "{shape:?}");
            assert_eq!(shape.node_bytes(), hash.bytes() << (log_rows + 2 - log_rows_per_node), "{shape:?}");
            let codeword = shape.commit(&elements::<Tower64>(2 << log_rows), Vec::new());
            assert_eq!(codeword.nodes().len(), shape.node_bytes(), "{shape:?}");
            assert_eq!(codeword.tree.height(), shape.twig_height(), "{shape:?}");
        }
    }
}

#[test]
#[should_panic(expected = "at most sixteen rows a leaf")]
fn leaves_of_more_than_sixteen_rows_are_refused() {
    let shape =
        OracleSpec { code: ReedSolomon::new(6, 1), width: 1, log_fibre: 5, log_parts: 0, hash: Hash::Blake3 };
    drop(shape.commit(&elements::<Tower64>(64), Vec::new()));
}

#[test]
#[should_panic(expected = "no leaf across blocks")]
fn leaves_of_more_rows_than_a_block_are_refused() {
    let shape =
        OracleSpec { code: ReedSolomon::new(2, 1), width: 1, log_fibre: 3, log_parts: 0, hash: Hash::Blake3 };
    drop(shape.commit(&elements::<Tower64>(4), Vec::new()));
}
