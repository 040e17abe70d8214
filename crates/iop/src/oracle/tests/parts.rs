//! Leaves made of parts, and machines that hold some parts each.

use super::super::parts::part_columns;
use super::fibres::is_its_definition;
use super::*;
use field::KoalaBear;

fn shape(log_rows: usize, width: usize, log_parts: usize) -> OracleSpec {
    OracleSpec { code: ReedSolomon::new(log_rows, 1), width, log_fibre: 0, log_parts, hash: Hash::Blake3 }
}

/// All numbers of parts that have columns.
fn all_parts(shape: OracleSpec) -> impl Iterator<Item = OracleSpec> {
    (0..=MAX_LOG_PARTS)
        .filter(move |log_parts| shape.width >> log_parts > 0)
        .map(move |log_parts| OracleSpec { log_parts, ..shape })
}

#[test]
fn parts_are_consecutive_and_balanced() {
    let cut =
        |width, log_parts| (0..1usize << log_parts).map(move |part| part_columns(width, log_parts, part));
    assert_eq!(cut(5, 2).collect::<Vec<_>>(), [0..1, 1..2, 2..3, 3..5]);
    assert_eq!(cut(7, 2).collect::<Vec<_>>(), [0..1, 1..3, 3..5, 5..7]);
    for (width, log_parts) in (0..70).flat_map(|width| (0..=MAX_LOG_PARTS).map(move |parts| (width, parts))) {
        let mut end = 0;
        for (part, columns) in cut(width, log_parts).enumerate() {
            assert_eq!(columns.start, end);
            let bits = (0..log_parts).map(|bit| (part >> bit & 1) << (log_parts - 1 - bit));
            assert_eq!(columns.len(), (width + bits.sum::<usize>()) >> log_parts, "{width} {log_parts}");
            end = columns.end;
        }
        assert_eq!(end, width);
    }
}

#[test]
fn the_digest_of_a_leaf_is_the_tree_over_its_parts() {
    for hash in [Hash::Blake3, Hash::Sha256, Hash::Sha3_384] {
        for (log_rows, width) in [(0, 2), (1, 3), (2, 16), (3, 37), (5, 64)] {
            for shape in all_parts(OracleSpec { hash, ..shape(log_rows, width, 0) }) {
                is_its_definition::<Tower64>(shape);
                is_its_definition::<KoalaBear>(shape);
                // A part has its columns of every row of a fibre.
                is_its_definition::<KoalaBear>(OracleSpec { log_fibre: log_rows.min(2), ..shape });
            }
        }
    }
    // Rows that take several tasks, and messages longer than what is gathered at once.
    is_its_definition::<KoalaBear>(shape(8, 33, 3));
    is_its_definition::<Tower128>(shape(1, 2055, 1));
}

#[test]
fn leaves_of_parts_open_like_others() {
    for width in [16, 19] {
        for shape in all_parts(shape(4, width, 0)).skip(1) {
            opens_alike::<Tower128>(shape);
            opens_alike::<Goldilocks>(OracleSpec { log_fibre: 1, ..shape });
            let code = ReedSolomon { extra: 3, ..shape.code };
            opens_alike::<Tower64>(OracleSpec { code, ..shape });
        }
        // More leaves than have the digests of their parts held at once.
        opens_alike::<Goldilocks>(shape(7, width, 3));
    }
}

/// Machines with some columns each commit to the same tree as one that has all of them, whatever their number.
fn joins_to_one_tree<B: FoldableCode>(whole: OracleSpec) {
    let message: Vec<B> = elements(whole.code.dimension() * whole.width);
    let codeword = whole.commit(&message, Vec::new());
    let log_block = whole.code.log_rows - whole.log_fibre;
    for log_shares in 0..=whole.log_parts {
        let shares = (0..1 << log_shares).map(|share| {
            let (columns, spec) = (whole.share_columns(log_shares, share), whole.share(log_shares, share));
            let own: Vec<B> =
                message.chunks_exact(whole.width).flat_map(|row| &row[columns.clone()]).copied().collect();
            let mut rows = vec![B::ONE; 3];
            let mut digests = Vec::new();
            for block in 0..1 << whole.code.log_inv_rate {
                let block = spec.encode_block(&own, block, &mut rows);
                assert_eq!(spec.leaf_digests(&rows), block, "{whole:?}");
                assert_eq!(spec.leaf_digests(&rows[..0]), [0; 0]);
                digests.extend(block);
            }
            digests
        });
        let shares: Vec<Vec<u8>> = shares.collect();
        // Each block's leaves, or half of them, are joined by themselves.
        let log_range = (log_block - usize::from(log_block > whole.twig_height())) as u32;
        let range = whole.hash.bytes() << log_range;
        let mut nodes = Vec::new();
        for start in (0..whole.hash.bytes() << whole.log_leaves()).step_by(range) {
            let of_range: Vec<&[u8]> = shares.iter().map(|share| &share[start..start + range]).collect();
            nodes.extend(whole.nodes_above(whole.join_shares(&of_range)));
        }
        assert_eq!(nodes, codeword.nodes(), "{whole:?} by {} machines", shares.len());
        assert_eq!(whole.oracle_of_nodes::<B>(nodes).root(), codeword.root());
    }
    let rows = codeword.blocks().concat();
    assert_eq!(whole.commit_codeword(rows).root(), codeword.root());
}

#[test]
fn machines_with_some_columns_each_commit_to_one_tree() {
    for width in [16, 23, 64] {
        for whole in all_parts(shape(5, width, 0)) {
            joins_to_one_tree::<KoalaBear>(whole);
            joins_to_one_tree::<Tower64>(OracleSpec { hash: Hash::Sha3_512, log_fibre: 2, ..whole });
        }
    }
    // Leaves of several tasks.
    joins_to_one_tree::<Goldilocks>(shape(12, 9, 2));
}

/// What a leaf is made of is fixed by its digest: no byte, no part and no order of parts can be another.
#[test]
fn changed_parts_are_refused() {
    let positions = [1, 2, 7];
    let refused = Err(Invalid("Merkle opening does not lead to the commitment"));
    let specs: Vec<OracleSpec> = all_parts(shape(4, 19, 0)).chain(all_parts(shape(4, 16, 0))).collect();
    let message: Vec<Goldilocks> = elements(19 << 4);
    for &spec in &specs {
        let codeword = spec.commit(&message[..spec.width << 4], Vec::new());
        let honest = opening(|tape| codeword.open_rows(tape, &positions));
        let read = |spec: &OracleSpec, proof: &[u8]| {
            let mut tape = bound().verifier(proof);
            spec.read_rows::<Goldilocks>(&mut tape, &codeword.root(), &positions).map(drop)
        };
        assert_eq!(read(&spec, &honest), Ok(()));
        for byte in 0..positions.len() * spec.width * 8 {
            let mut changed = honest.clone();
            changed[byte] ^= 1;
            assert_eq!(read(&spec, &changed), refused, "{spec:?}, byte {byte}");
        }
        // Two parts of equal length, each in the other's place.
        let parts = (1..1 << spec.log_parts).map(|part| {
            [part_columns(spec.width, spec.log_parts, 0), part_columns(spec.width, spec.log_parts, part)]
        });
        for [first, other] in parts.filter(|[first, other]| first.len() == other.len()) {
            let mut swapped = honest.clone();
            for (to, from) in [(&first, &other), (&other, &first)] {
                swapped[to.start * 8..to.end * 8].copy_from_slice(&honest[from.start * 8..from.end * 8]);
            }
            assert_eq!(read(&spec, &swapped), refused, "{spec:?} {other:?}");
        }
        // The same rows under another cut are another leaf.
        for other in specs.iter().filter(|other| other.width == spec.width && **other != spec) {
            assert_ne!(other.commit(&message[..spec.width << 4], Vec::new()).root(), codeword.root());
            assert_eq!(read(other, &honest), refused, "{spec:?} {other:?}");
        }
        for log_parts in [5, 6, 63, 64, usize::MAX] {
            let refused = Err(Invalid("a leaf of more parts than columns"));
            assert_eq!(read(&OracleSpec { log_parts, ..spec }, &honest), refused);
        }
    }
    let proof = bound().prover().finish();
    let read = shape(4, 3, 2).read_rows::<Goldilocks>(&mut bound().verifier(&proof), &Digest::zeros(32), &[]);
    assert_eq!(read.map(|rows| rows.count()), Err(Invalid("a leaf of more parts than columns")));
}

#[test]
#[should_panic(expected = "a column for each part of a leaf")]
fn parts_without_columns_are_refused() {
    drop(shape(4, 3, 2).commit(&elements::<Tower64>(3 << 4), Vec::new()));
}

#[test]
#[should_panic(expected = "a part for each machine")]
fn more_machines_than_parts_are_refused() {
    let _ = shape(4, 16, 2).share(3, 0);
}

#[test]
#[should_panic(expected = "digests of the same leaves")]
fn shares_of_other_leaves_are_refused() {
    drop(shape(4, 16, 1).join_shares(&[&[0; 64], &[0; 32]]));
}
