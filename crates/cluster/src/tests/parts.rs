//! Questions and ownership.

use super::*;
use crate::Ownership;
use crate::wire::{Question, elements, padded};
use iop::code::ReedSolomon;
use iop::oracle::OracleSpec;

#[test]
fn every_column_leaf_and_node_has_one_owner() {
    for (width, log_fibre, log_ranks) in [(16, 0, 4), (37, 1, 2), (64, 0, 0), (19, 2, 3)] {
        let code = ReedSolomon::new(4, 2);
        let spec = OracleSpec { code, width, log_fibre, log_parts: 4, hash: Hash::Blake3 };
        let ownership = Ownership::new(&spec, log_ranks).unwrap();
        let ranks = ownership.ranks();
        let columns: Vec<usize> = (0..ranks).flat_map(|rank| ownership.columns(rank)).collect();
        assert_eq!(columns, (0..width).collect::<Vec<_>>());
        let leaves: Vec<usize> = (0..ranks).flat_map(|rank| ownership.leaves(rank)).collect();
        assert_eq!(leaves, (0..1 << spec.log_leaves()).collect::<Vec<_>>());
        let places = ownership.places(&[0, 3, 5]);
        let owned = (0..ranks).map(|rank| ownership.own_places(&places, rank).len()).sum::<usize>();
        let above = places.iter().filter(|(height, _)| *height >= ownership.log_own_leaves()).count();
        assert_eq!(owned + above, places.len());
    }
    let spec = OracleSpec {
        code: ReedSolomon::new(1, 1),
        width: 16,
        log_fibre: 0,
        log_parts: 4,
        hash: Hash::Blake3,
    };
    let refused = |spec, log_ranks| Ownership::new(&spec, log_ranks).expect_err("refused").to_string();
    assert!(refused(spec, 3).contains("leaves"));
    assert!(refused(OracleSpec { log_parts: 0, ..spec }, 1).contains("parts"));
}

#[test]
fn blocks_are_padded_with_zeros_and_nothing_else() {
    let values: Vec<Goldilocks> = (5..8).map(Goldilocks::new).collect();
    let block = padded(&values, 5);
    assert_eq!(block.len(), 40);
    assert_eq!(elements(&block, 3), Some(values.clone()));
    assert_eq!(elements::<Goldilocks>(&block, 6), None);
    assert_eq!(elements::<Goldilocks>(&block, 2), None, "an element where padding belongs");
    assert_eq!(elements::<Goldilocks>(&padded(&values, 3), 3), Some(values));
}

/// A question is understood as it was asked; bytes that are none are refused.
#[test]
fn questions_are_read_as_they_were_asked() {
    type Q = Question<Goldilocks2>;
    let form = TensorForm::point(&[3, 4].map(<Goldilocks2 as field::Field>::from_u64));
    for question in [
        Q::Values(form),
        Q::Columns,
        Q::Rows(vec![1, 5, 9]),
        Q::Rows(Vec::new()),
        Q::Slices(2),
        Q::Relay { sender: 1, receiver: 0 },
        Q::Finish,
        Q::Commit,
        Q::Bits(TensorForm::sum(3)),
        Q::Weigh,
        Q::Bind(field::Field::from_u64(5)),
    ] {
        let (kind, payload) = (question.kind(), question.payload());
        assert_eq!(Q::parse(kind, &payload), Some(question));
        for wrong in [&payload[..payload.len().saturating_sub(1)], &[&payload[..], &[255]].concat()] {
            assert!(wrong == payload || Q::parse(kind, wrong).is_none(), "{kind}");
        }
    }
    assert_eq!(Q::parse(11, &[]), None);
    assert_eq!(Q::parse(3, &[0; 16]), None);
    assert_eq!(Q::parse(4, &[0; 8]), None);
}

/// What signatures cost a rank, which no meter counts: for each answer one, and a digest of its bytes. `cargo test --release -p tenfold-cluster -- --ignored --nocapture signatures`
#[test]
#[ignore = "prints a measurement"]
fn what_signatures_cost() {
    use crate::identity::Key;
    use crate::meter::thread_cpu;
    use crate::session::block_digest;
    let (key, message, block) = (Key::generate(), [7; 200], vec![7; 1 << 20]);
    let timed = |rounds: u32, run: &dyn Fn() -> u8| {
        let (start, mut all) = (thread_cpu(), 0);
        (0..rounds).for_each(|_| all ^= run());
        (thread_cpu().saturating_sub(start) / rounds, all)
    };
    let signature = timed(2000, &|| key.sign(&message)[0]).0;
    let digest = timed(50, &|| block_digest(&block)[0]).0;
    println!("a signature: {signature:?}; the digest of a mebibyte: {digest:?}");
    assert!(signature < Duration::from_millis(10));
}
