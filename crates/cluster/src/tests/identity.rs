//! Commitments and proofs of any number of ranks are those of one machine.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::comm::threads::in_turns;
use crate::meter::{Link, Meter, PHASES, Phase};
use crate::party::Party;
use field::{Gf128, Tower128};
use pcs::matrix::{Binary, Prover, Secret};

/// Where ranks have their columns from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// The coordinator has all entries.
    Scattered,
    /// Each rank has the polynomials that its columns belong to.
    Own,
    /// Each rank reads the bytes of one polynomial.
    Read,
}

/// A secret that is always the same: jobs that hide are as repeatable as others.
pub(super) fn secret() -> Secret {
    Secret::from_seed(&[9; 32], 0)
}

/// The commitment and the proof of one machine.
fn single<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(scheme: &Scheme<F, B, E>) -> (Vec<u8>, Vec<u8>) {
    let entries = entries::<B>(scheme.params());
    let polynomials: Vec<&[B]> = entries.iter().map(Vec::as_slice).collect();
    let mut prover = Prover::new(scheme);
    let mut witness = match scheme.params().hidden_openings {
        0 => prover.commit_batch(&polynomials),
        _ => prover.commit_hiding(&polynomials, secret()),
    };
    let (_, proof) = prover.open(&mut witness, forms::<B, E>(scheme.params()), b"context");
    (witness.commitment().to_bytes(), proof)
}

fn columns<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    rank: &mut Member<'_, F, B, E>,
    source: Source,
) -> Result<Vec<B>, Error> {
    let params = rank.scheme.params().clone();
    let all = entries::<B>(&params);
    let width = params.columns() / params.polynomials as usize;
    let own = rank.ownership.columns(rank.rank());
    let given = all.iter().enumerate().map(|(i, polynomial)| match source {
        Source::Scattered if !rank.coordinates() => &[][..],
        // Of the others' polynomials a rank knows nothing.
        Source::Own if own.end <= i * width || (i + 1) * width <= own.start => &[],
        _ => polynomial,
    });
    let given: Vec<&[B]> = given.collect();
    match source {
        Source::Scattered => rank.scatter(&given),
        Source::Own => rank.columns_of(&given),
        Source::Read => {
            let mut bytes = vec![0; all[0].len() * B::BYTES];
            B::write_slice(&all[0], &mut bytes);
            rank.read_columns(&bytes[..])
        }
    }
}

fn distributed<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    ranks: usize,
    source: Source,
) -> Outcome {
    // Ranks that compute one at a time, as measurements have them, prove the same.
    let comms = if ranks == 8 { in_turns(connect(ranks, CHUNK)) } else { connect(ranks, CHUNK) };
    let results = run_on(comms, |comm| {
        let mut rank = Member::join(scheme, Box::new(comm), deadlines(20_000))?;
        let columns = columns(&mut rank, source)?;
        if rank.coordinates() {
            let coordinator = match scheme.params().hidden_openings {
                0 => rank.coordinate(columns)?,
                _ => rank.coordinate_hiding(columns, secret())?,
            };
            return opened(coordinator, scheme.params()).map(Some);
        }
        rank.serve(columns).map(|_| None)
    });
    let mut outcomes = results.into_iter().map(|result: Result<_, Error>| result.expect("an honest rank"));
    outcomes.next().flatten().expect("the coordinator's")
}

fn alike<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: &Params, ranks: &[usize], source: Source) {
    let scheme = scheme::<F, B, E>(params);
    let (commitment, proof) = single(&scheme);
    for &ranks in ranks {
        let outcome = distributed(&scheme, ranks, source);
        assert_eq!(outcome.commitment, commitment, "{ranks} ranks {source:?} {params:?}");
        assert!(outcome.proof == proof, "{ranks} ranks {source:?} {params:?}");
        assert!(outcome.disputes.is_empty());
        assert_eq!(outcome.meters.0.len(), ranks);
        let Params { fields, entries, polynomials, hidden_openings, .. } = params;
        let inner = format!("{:?}", params.inner);
        let inner = inner.split('(').next().unwrap_or_default();
        show(format!(
            "{ranks:>2} ranks on threads: commitment and proof of one machine: {fields:?}, {entries:?} entries, {polynomials} polynomial(s), {hidden_openings} hidden, {inner}, {source:?}"
        ));
    }
}

#[test]
fn proofs_over_prime_fields_have_the_bytes_of_one_machine() {
    let alike = |params: &Params, ranks: &[usize], source| {
        alike::<Prime, Goldilocks, Goldilocks2>(params, ranks, source);
    };
    let of = |regime, inner| params(Fields::Goldilocks2, regime, inner);
    let unique = Regime::UniqueDecoding;
    alike(&of(JOHNSON, recursion()), &[1, 2, 4, 8, 16], Source::Scattered);
    alike(&of(JOHNSON, recursion()), &[4], Source::Read);
    // Several polynomials, each with ranks of its own; and ranks with one column more than others.
    alike(&Params { polynomials: 4, ..of(unique, Inner::Chain(vec![1, 2])) }, &[2, 4, 8], Source::Own);
    let level = RoundParams { log_columns: 3, ..of(unique, recursion()).level };
    alike(&Params { polynomials: 3, level, ..of(unique, recursion()) }, &[2, 16], Source::Scattered);
    alike(&Params { polynomials: 3, level, ..of(unique, recursion()) }, &[4], Source::Own);
    alike(&Params { max_forms: 1, hash: Hash::Sha3_384, ..of(unique, Inner::TwoChains) }, &[4], Source::Read);
}

/// Each rank draws the randomness of its own columns; masks stand behind the data of the last ones.
#[test]
fn hiding_proofs_have_the_bytes_of_one_machine() {
    let alike = |params: &Params, ranks: &[usize], source| {
        alike::<Prime, Goldilocks, Goldilocks2>(params, ranks, source);
    };
    let base = |inner| {
        let params = params(Fields::Goldilocks2, Regime::UniqueDecoding, inner);
        Params { hidden_openings: 1, max_forms: 1, ..params }
    };
    alike(&base(recursion()), &[1, 2, 4, 8, 16], Source::Scattered);
    alike(&base(Inner::Chain(vec![1, 2])), &[4], Source::Read);
    let batch = Params { polynomials: 3, hidden_openings: 2, log_parts: 3, ..base(Inner::Chain(vec![1, 2])) };
    alike(&batch, &[8], Source::Own);
}

/// The same over binary fields, for each inner argument and for several polynomials.
#[test]
fn hiding_proofs_over_binary_fields_have_the_bytes_of_one_machine() {
    let alike =
        |params: &Params, ranks: &[usize], source| alike::<Binary, Tower128, Gf128>(params, ranks, source);
    let base = |inner| {
        let params = params(Fields::Gf128, Regime::UniqueDecoding, inner);
        Params { hidden_openings: 1, max_forms: 1, ..params }
    };
    alike(&base(recursion()), &[1, 2, 4, 8, 16], Source::Scattered);
    alike(&base(Inner::Chain(vec![2, 2])), &[2, 4], Source::Read);
    let batch = Params { polynomials: 3, hidden_openings: 2, log_parts: 3, ..base(recursion()) };
    alike(&batch, &[8], Source::Own);
}

/// Ring switching by sums over the bits of each rank's columns.
#[test]
fn proofs_about_packed_entries_have_the_bytes_of_one_machine() {
    for (entries, ranks) in [(Entries::Bits, &[1, 4, 16][..]), (Entries::Words32, &[2])] {
        let params = Params { entries, ..params(Fields::Gf128, JOHNSON, recursion()) };
        alike::<Binary, Tower128, Gf128>(&params, ranks, Source::Scattered);
    }
    // What is packed does not hide: no parameters say both.
    let both = Params {
        entries: Entries::Bits,
        hidden_openings: 1,
        max_forms: 1,
        ..params(Fields::Gf128, Regime::UniqueDecoding, recursion())
    };
    let refused = Scheme::<Binary, Tower128, Gf128>::new(both, &iop::security::Policy::at_least(0));
    assert!(refused.is_err_and(|e| e.reason().contains("packed entries do not hide")));
}

#[test]
fn proofs_over_binary_fields_have_the_bytes_of_one_machine() {
    let alike =
        |params: &Params, ranks: &[usize], source| alike::<Binary, Tower128, Gf128>(params, ranks, source);
    let of = |regime, inner| params(Fields::Gf128, regime, inner);
    alike(&of(JOHNSON, recursion()), &[1, 2, 4, 8, 16], Source::Scattered);
    // Leaves of several rows.
    alike(&of(Regime::UniqueDecoding, Inner::Chain(vec![2, 2])), &[4], Source::Read);
    // Entries of several columns each.
    let air = params(Fields::Gf128, JOHNSON, Inner::Chain(vec![1, 2]));
    let air = Params { entries: Entries::Extension, ..air };
    super::identity::alike::<Binary, Tower128, Gf128>(&air, &[4], Source::Scattered);
}

/// Each part of a leaf is one message, and what a rank sends beside its digests does not depend on the number of entries in a column.
#[test]
fn ranks_send_what_the_notes_say() {
    let scheme = pip();
    let (ownership, digest) = (crate::Ownership::new(scheme.matrix(), 2).unwrap(), 32);
    let outcome = distributed(&scheme, 4, Source::Own);
    let leaves = 1u64 << scheme.matrix().log_leaves();
    for (rank, meter) in outcome.meters.0.iter().enumerate() {
        assert_eq!(meter.of(Phase::Digests).sent, 3 * digest * leaves / 4);
        assert_eq!(meter.of(Phase::Digests).received, 3 * digest * leaves / 4);
        assert_eq!(meter.of(Phase::Input).sent, if rank > 0 { 1 } else { 6 });
        if rank > 0 {
            let signature = 64;
            assert_eq!(meter.of(Phase::Hello).sent, 6 * digest + 56 + signature);
            assert_eq!(meter.of(Phase::Tree).sent, 8 + 9 * digest + signature);
            assert_eq!(meter.of(Phase::Values).sent, 16 * ownership.most_columns() as u64 + signature);
            assert_eq!(meter.of(Phase::Columns).sent, 16 * ownership.rows() as u64 + signature);
        }
        assert_eq!(meter.of(Phase::Blame), &crate::meter::Cost::default());
        assert_eq!(Meter::from_bytes(&meter.to_bytes()), Some(meter.clone()));
        assert_eq!(Meter::from_bytes(&meter.to_bytes()[1..]), None);
    }
    let modelled = |latency, bytes_per_second| outcome.meters.modelled(&Link { latency, bytes_per_second });
    let cpu = outcome.meters.critical_cpu() as f64 / 1e9;
    assert!((modelled(0.0, f64::INFINITY) - cpu).abs() < 1e-9);
    // The digests alone take this much, and each call at least its latency.
    let digests = (3 * digest * leaves / 4) as f64;
    assert!(modelled(0.0, digests) > cpu + 1.0 && modelled(1.0, f64::INFINITY) > cpu + 8.0);
    let table = outcome.meters.to_string();
    let used = PHASES.iter().filter(|phase| table.contains(&format!("{phase:?}")));
    assert_eq!(used.count(), 9, "{table}");
    let json = serde_json::to_string(&outcome.meters).unwrap();
    assert_eq!(serde_json::from_str::<Meters>(&json).unwrap(), outcome.meters);
}

#[test]
fn ranks_in_turns_compute_one_at_a_time() {
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    run_on(in_turns(connect(4, CHUNK)), |comm| {
        let identity = Identity::new(Key::from_bytes(&[1 + comm.rank() as u8; 32]), b"");
        let mut party = Party::new(Box::new(comm), deadlines(20_000), identity).expect("four ranks");
        for _ in 0..3 {
            party.compute(Phase::Encode, || {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(2));
                inside.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    assert_eq!(most.into_inner(), 1);
}
