//! The seed of a hiding commitment fixes it, no mask is used twice, and no secret is left in memory. (notes: zk-seed)

use super::*;
use iop::transcript::{Call, Kind};

type GoldilocksScheme = Scheme<Goldilocks, Goldilocks2>;

fn scheme(hidden_openings: u32) -> GoldilocksScheme {
    Scheme::new(small(Fields::Goldilocks2, hidden_openings, Regime::UniqueDecoding), &ANY).unwrap()
}

fn committed(
    scheme: &GoldilocksScheme,
    data: &[Goldilocks],
    seed: u8,
    used: u32,
) -> Witness<Goldilocks, Goldilocks2> {
    Prover::new(scheme).commit_hiding(&[data], Secret::from_seed(&[seed; 32], used))
}

/// The random cells of the message matrix.
fn randomness(scheme: &GoldilocksScheme, witness: &Witness<Goldilocks, Goldilocks2>) -> Vec<Goldilocks> {
    let (columns, rows) = (scheme.params().columns(), 1 << scheme.params().log_rows());
    let width = scheme.layout().stages[0].shape.width;
    let random = |(i, row): (usize, &[Goldilocks])| row[if i < rows { columns } else { 0 }..].to_vec();
    witness.message().chunks_exact(width).enumerate().flat_map(random).collect()
}

/// The bytes of a proof's parts with a label.
fn parts<'a>(script: &[Call], proof: &'a [u8], label: &str) -> Vec<&'a [u8]> {
    let in_proof = |c: &&Call| matches!(c.kind, Kind::Send | Kind::Hint | Kind::Nonce);
    let mut rest = proof;
    let mut found = Vec::new();
    for call in script.iter().filter(in_proof) {
        let (part, after) = rest.split_at(call.length);
        if call.label == label {
            found.push(part);
        }
        rest = after;
    }
    assert!(rest.is_empty(), "the script covers the proof");
    found
}

#[test]
fn the_seed_fixes_commitment_and_proof() {
    let (scheme, data) = (scheme(2), entries(1 << 10));
    let open = |seed, used| {
        let mut witness = committed(&scheme, &data, seed, used);
        let (_, proof) = Prover::new(&scheme).open(&mut witness, vec![TensorForm::index(5, 10)], b"");
        (witness.commitment().root, proof)
    };
    assert_eq!(open(1, 0), open(1, 0));
    assert_eq!(open(1, 0).0, open(1, 1).0, "the openings made are no part of the commitment");
    assert_ne!(open(1, 0).1, open(1, 1).1);
    assert_ne!(open(1, 0).0, open(2, 0).0);
    assert_ne!(Secret::from_os().seed(), Secret::from_os().seed());
}

/// A seed that was given to two columns, or to two parameter sets, gives them randomness that has nothing in common.
#[test]
fn one_seed_is_many_streams() {
    let (two, data) = (scheme(2), entries(1 << 10));
    let mut changed: Vec<Goldilocks> = data.clone();
    changed[1000] += Goldilocks::ONE;
    let more_forms = Params { max_forms: 9, ..two.params().clone() };
    let more_forms = Scheme::new(more_forms, &ANY).unwrap();
    let first = randomness(&two, &committed(&two, &data, 1, 0));
    for other in [
        randomness(&two, &committed(&two, &changed, 1, 0)),
        randomness(&more_forms, &committed(&more_forms, &data, 1, 0)),
        randomness(&two, &committed(&two, &data, 2, 0)),
    ] {
        assert_eq!(first.len(), other.len());
        let equal = first.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert_eq!(equal, 0, "of {} random elements of 64 bits", first.len());
    }
}

/// Every process that goes on from a stored count takes the next mask.
#[test]
fn masks_are_taken_in_turn() {
    let (scheme, data) = (scheme(3), entries(1 << 10));
    let mut used = 0;
    for mask in 0..3u8 {
        let mut witness = committed(&scheme, &data, 7, used);
        let (claims, proof) =
            Prover::new(&scheme).open(&mut witness, vec![TensorForm::index(u64::from(mask), 10)], b"");
        let script = scheme.script(witness.commitment(), &claims, &proof).unwrap();
        assert_eq!(parts(&script, &proof, "mask"), [[mask]]);
        assert_eq!(witness.secret().unwrap().used(), used + 1);
        used = witness.into_secret().unwrap().used();
    }
    let mut witness = committed(&scheme, &data, 7, used);
    let fourth = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Prover::new(&scheme).open(&mut witness, vec![TensorForm::index(5, 10)], b"")
    }));
    assert!(fourth.is_err(), "a fourth opening would reuse a mask");
}

/// Equal columns give equal entries in every opened row of an open commitment, and none in those of a hiding one.
#[test]
fn opened_rows_of_constant_data_show_nothing() {
    let equal_entries = |hidden_openings: u32| {
        let scheme = scheme(hidden_openings);
        let mut prover = Prover::new(&scheme);
        let mut witness = prover.commit(vec![Goldilocks::from_u64(77); 1 << 10]);
        let (claims, proof) = prover.open(&mut witness, vec![TensorForm::index(5, 10)], b"");
        let script = scheme.script(witness.commitment(), &claims, &proof).unwrap();
        let rows = parts(&script, &proof, "rows")[0];
        let mut all: Vec<&[u8]> = rows.chunks_exact(Goldilocks::BYTES).collect();
        let opened = all.len();
        all.sort_unstable();
        all.dedup();
        (opened, opened - all.len())
    };
    let (opened, equal) = equal_entries(0);
    assert_eq!(equal, opened - opened / 16, "sixteen equal columns");
    let (opened, equal) = equal_entries(1);
    assert!(opened >= 18 && equal == 0, "{equal} of {opened}");
}

#[test]
fn a_hiding_witness_leaves_nothing_behind() {
    let is_zero = |x: &Goldilocks| *x == Goldilocks::ZERO;
    for hidden_openings in [0, 1] {
        let scheme = scheme(hidden_openings);
        let mut prover = Prover::new(&scheme);
        let mut witness = prover.commit(entries(1 << 10));
        witness.wipe();
        assert_eq!(witness.message().iter().all(is_zero), hidden_openings > 0);
        let witness = prover.commit(entries(1 << 10));
        prover.recycle(witness);
        assert_eq!(prover.blocks.len(), 4, "the buffers are kept");
        assert!(prover.blocks.iter().all(|block| block.len() == scheme.layout().stages[0].shape.width << 6));
        assert_eq!(prover.blocks.iter().flatten().all(is_zero), hidden_openings > 0);
        // What is left does not disturb the next commitment.
        let witness = prover.commit(entries(1 << 10));
        assert_eq!(witness.into_secret().is_some(), hidden_openings > 0);
    }
}

#[test]
fn a_secret_does_not_print_its_seed() {
    assert_eq!(format!("{:?}", Secret::from_seed(&[0xab; 32], 1)), "Secret { used: 1, .. }");
}
