//! Weighted sums by several ranks: claim and proof of one machine, and the name of a rank that deviates in its part.

use super::*;
use crate::Deviation;
use crate::check::bind_weights;
use crate::report::{OTHER_WEIGHTS, UNWEIGHTED, Verdict, WITHOUT_WEIGHTS, verify_report};
use crate::weighted::weights_digest;
use field::{Field, Gf128, Tower128};
use iop::error::Invalid;
use pcs::matrix::{Binary, Prover};
use pcs::weighted;

pub(super) type Sum<F, B, E> = weighted::Scheme<Scheme<F, B, E>>;

/// The coordinator's claim and proof.
pub(super) type Proved<B> = (weighted::Claim<B>, Vec<u8>);

/// Weights for all entries but the last ones.
pub(super) fn weights<B: Field>(sum: usize) -> Vec<B> {
    (0..sum as u64 - 3).map(|i| B::from_u64(i * i + 5)).collect()
}

pub(super) fn sum<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params) -> Sum<F, B, E> {
    let params = Params { max_forms: 1, ..params };
    Sum::new(params, &Policy::at_least(0)).expect("parameters with room for a weighted sum")
}

/// The result of each rank: claim and proof at the coordinator.
pub(super) type Results<B> = Vec<Result<Option<Proved<B>>, Error>>;

/// The claim and the proof of ranks, by the result of each, and the report that the coordinator has.
pub(super) fn by_ranks<C: Comm + Send, F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    sum: &Sum<F, B, E>,
    (ranks, weights): (Vec<C>, &[B]),
) -> (Results<B>, Option<Vec<u8>>) {
    let entries = entries::<B>(sum.params());
    let results = run_on(ranks, |comm| {
        let identity = Identity::new(Key::from_bytes(&[comm.rank() as u8 + 1; 32]), b"a job");
        let records = identity.records();
        let run = || {
            let rank = Member::join_as(identity, sum.inner(), Box::new(comm), deadlines(20_000))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if !rank.coordinates() {
                return rank.serve(columns).map(|_| None);
            }
            let mut coordinator = rank.coordinate(columns)?;
            let proved = coordinator.open_weighted(sum, weights.to_vec(), b"context")?;
            coordinator.finish()?;
            Ok(Some(proved))
        };
        (run(), records.report().map(|report| report.to_json()))
    });
    let (results, reports): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    (results, reports.into_iter().next().flatten())
}

fn alike<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params, ranks: &[usize]) {
    let sum = sum::<F, B, E>(params);
    let weights = weights::<B>(1 << sum.params().variables());
    let entries = entries::<B>(sum.params()).swap_remove(0);
    let mut witness = Prover::new(sum.inner()).commit(entries);
    let (claim, proof) = weighted::Prover::new(&sum).open(&mut witness, weights.clone(), b"context");
    assert_eq!(sum.verify(witness.commitment(), &claim, &proof), Ok(()));
    for &ranks in ranks {
        let mut results = by_ranks(&sum, (connect(ranks, CHUNK), &weights)).0.into_iter();
        let proved =
            results.next().expect("a coordinator").expect("honest ranks").expect("the coordinator's");
        assert!(proved == (claim.clone(), proof.clone()), "{ranks} ranks {:?}", sum.params());
        assert!(results.all(|result| result.is_ok()));
        let Params { fields, entries, .. } = sum.params();
        show(format!(
            "{ranks:>2} ranks on threads: the weighted sum of one machine: {fields:?}, {entries:?} entries"
        ));
    }
}

#[test]
fn weighted_sums_have_the_bytes_of_one_machine() {
    let chain = params(Fields::Goldilocks2, JOHNSON, Inner::Chain(vec![1, 2]));
    alike::<Prime, Goldilocks, Goldilocks2>(chain, &[1, 2, 4, 8]);
    let packed =
        Params { entries: Entries::Bytes, ..params(Fields::Gf128, Regime::UniqueDecoding, recursion()) };
    alike::<Binary, Tower128, Gf128>(packed, &[2, 16]);
}

#[test]
fn a_rank_with_one_column_has_no_part_of_a_sum() {
    let sum = sum::<Prime, Goldilocks, Goldilocks2>(params(
        Fields::Goldilocks2,
        Regime::UniqueDecoding,
        recursion(),
    ));
    let (results, _) = by_ranks(&sum, (connect(16, CHUNK), &[Goldilocks::ONE]));
    assert!(matches!(&results[0], Err(Error::Unsupported(reason)) if reason.contains("fewer ranks")));
    // Nor does a rank answer a coordinator that asks it nevertheless.
    let entries = entries::<Goldilocks>(sum.params());
    let results = run_on(connect(16, CHUNK), |comm| {
        let rank = Member::join(sum.inner(), Box::new(comm), deadlines(20_000))?;
        let columns = rank.columns_of(&[&entries[0]])?;
        if !rank.coordinates() {
            return rank.serve(columns).map(drop);
        }
        rank.coordinate(columns)?.matrix.weigh(&[]).map(drop)
    });
    for result in results {
        assert!(matches!(result, Err(Error::Question("a weighted sum of columns that have none"))));
    }
}

/// Who has fewer weights than there are entries needs no room for the others.
#[test]
fn weights_that_end_early_are_followed_by_zeros() {
    let challenges: Vec<Goldilocks2> = (1..4).map(|i| Goldilocks2::from_u64(i * 7919)).collect();
    let all: Vec<Goldilocks> = (0..64).map(|i| Goldilocks::from_u64(i * i + 3)).collect();
    for count in [0, 1, 3, 4, 7, 8, 9, 21, 63, 64] {
        let mut whole = all[..count].to_vec();
        whole.resize(64, Goldilocks::ZERO);
        let mut bound = bind_weights(&all[..count], &challenges);
        assert_eq!(bound.len(), count.div_ceil(8));
        bound.resize(8, Goldilocks2::ZERO);
        assert_eq!(bound, bind_weights(&whole, &challenges), "{count}");
        let bytes = [&all[..count], &whole].map(iop::poly::to_bytes);
        assert_eq!(weights_digest(&bytes[0]), weights_digest(&bytes[1]));
    }
    // Rows of more entries than there is memory.
    for rounds in [40, 63, 64, 200] {
        let far = vec![Goldilocks2::from_u64(5); rounds];
        let low = (Goldilocks2::ONE - far[0]).pow(rounds as u64 - 2);
        let expected = bind_weights(&all[..4], &far[..2])[0] * low;
        assert_eq!(bind_weights(&all[..4], &far), vec![expected]);
    }
}

/// Steps in which a rank sends, in unique decoding, with four of sixteen columns each: its part of the sum with its first message, another
/// message, and its columns bound to the challenges.
pub(super) const SUM: [usize; 3] = [4, 5, 6];

pub(super) fn double(bytes: &mut [u8]) {
    for word in bytes.chunks_exact_mut(Goldilocks::BYTES) {
        let element = Goldilocks::from_bytes(word).expect("an element");
        Goldilocks::write_slice(&[element + element], word);
    }
}

pub(super) fn of_columns() -> Sum<Prime, Goldilocks, Goldilocks2> {
    sum(params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion()))
}

/// The deviation of rank 2 that the coordinator names, and nobody else another; and its report.
pub(super) fn named<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    sum: &Sum<F, B, E>,
    weights: &[B],
    change: &Change<'_>,
) -> (Deviation, Vec<u8>) {
    let (results, report) = by_ranks(sum, (deviating(2, change), weights));
    let mut results = results.into_iter();
    let named = match results.next().expect("a coordinator") {
        Err(error @ Error::Deviation { rank: 2, deviation }) => {
            show(error);
            deviation
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no deviation was seen"),
    };
    for result in results {
        assert!(matches!(result, Err(Error::Stopped { culprit: Some(2), .. })));
    }
    (named, report.expect("a report"))
}

/// What a third party with the report and the public weights comes to.
fn verified(report: &[u8], weights: Option<&[Goldilocks]>) -> Result<Verdict, Invalid> {
    verify_report::<Prime, Goldilocks, Goldilocks2>(report, weights)
}

/// The verdict on the rank that deviates.
fn guilty(verdict: Result<Verdict, Invalid>, deviation: Deviation) {
    let verdict = verdict.expect("a report that holds");
    let key = Key::from_bytes(&[3; 32]).public();
    assert_eq!((verdict.rank, verdict.key, verdict.deviation), (2, key, deviation));
}

#[test]
fn a_wrong_part_of_a_weighted_sum_is_blamed() {
    let (sum, weights) = (of_columns(), weights(1 << 10));
    // Of the rank itself, and of another one.
    let [other, others] = [16 * 7 + 9, 16 * 7 + 1].map(|at| {
        let mut changed = weights.clone();
        changed[at] += Goldilocks::ONE;
        changed
    });
    // The part, the two coefficients of a message, and what is left of a row.
    for (wrong, at) in [(0, 0), (0, 8), (1, 0), (1, 16), (2, 16 * 7)] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == SUM[wrong] {
                double(&mut bytes[at..at + 8]);
            }
        };
        let (deviation, report) = named(&sum, &weights, &change);
        assert_eq!(deviation, Deviation::Weighted, "{wrong} {at}");
        guilty(verified(&report, Some(&weights)), deviation);
        guilty(verified(&report, Some(&others)), deviation);
        assert_eq!(verified(&report, Some(&other)), Err(OTHER_WEIGHTS));
        assert_eq!(verified(&report, None), Err(WITHOUT_WEIGHTS));
        let more = vec![Goldilocks::ZERO; (1 << 10) + 1];
        assert_eq!(verified(&report, Some(&more)), Err(Invalid("more weights than entries")));
    }
    for wrong in SUM {
        let no_element = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                bytes[..8].fill(0xff);
            }
        };
        let (deviation, report) = named(&sum, &weights, &no_element);
        assert_eq!(deviation, Deviation::Encoding);
        guilty(verified(&report, None), deviation);
        assert_eq!(verified(&report, Some(&weights)), Err(UNWEIGHTED));
    }
}

/// Where the weights end before a rank's columns its part of the sum is zero, and so are its messages; and where they end within its columns.
#[test]
fn a_part_of_few_weights_is_blamed() {
    let sum = of_columns();
    for count in [0, 5, 8, 9, 11, 12, 16, 26] {
        let weights: Vec<Goldilocks> = weights(1 << 10)[..count].to_vec();
        for wrong in [SUM[0], SUM[1]] {
            let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
                if step == wrong {
                    bytes[0] ^= 1;
                }
            };
            let (deviation, report) = named(&sum, &weights, &change);
            assert_eq!(deviation, Deviation::Weighted);
            guilty(verified(&report, Some(&weights)), deviation);
            let whole = [&weights[..], &vec![Goldilocks::ZERO; 1024 - count]].concat();
            guilty(verified(&report, Some(&whole)), deviation);
        }
    }
}

/// All messages about twice its columns contradict the rows that it opens, and no other message. That is so by whatever weights.
#[test]
fn a_weighted_sum_of_other_columns_is_blamed() {
    let (sum, weights) = (of_columns(), weights(1 << 10));
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if SUM.contains(&step) {
            double(bytes);
        }
    };
    let (deviation, report) = named(&sum, &weights, &change);
    assert_eq!(deviation, Deviation::Weighted);
    guilty(verified(&report, Some(&weights)), deviation);
    guilty(verified(&report, None), deviation);
    let mut other = weights.clone();
    other[9] += Goldilocks::ONE;
    assert_eq!(verified(&report, Some(&other)), Err(OTHER_WEIGHTS));
}

/// The messages of a sum are found among all that the ranks have signed in the job: here after an opening and another sum by the same weights.
#[test]
fn a_deviation_in_a_later_sum_is_blamed() {
    let (sum, weights) = (of_columns(), weights(1 << 10));
    let entries = entries::<Goldilocks>(sum.params());
    // An opening has values, a combination and rows; a sum has three messages before that.
    for wrong in SUM.map(|step| step + 3 + 6) {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                double(&mut bytes[..8]);
            }
        };
        let results = run_on(deviating(2, &change), |comm| {
            let identity = Identity::new(Key::from_bytes(&[comm.rank() as u8 + 1; 32]), b"a job");
            let records = identity.records();
            let rank =
                Member::join_as(identity, sum.inner(), Box::new(comm), deadlines(20_000)).expect("ranks");
            let columns = rank.columns_of(&[&entries[0]]).expect("entries");
            if !rank.coordinates() {
                drop(rank.serve(columns));
                return None;
            }
            let mut coordinator = rank.coordinate(columns).expect("ranks");
            coordinator.open(forms::<Goldilocks, _>(sum.params()), b"").expect("a proof");
            coordinator.open_weighted(&sum, weights.clone(), b"").expect("a proof");
            let error = coordinator.open_weighted(&sum, weights.clone(), b"again").expect_err("a deviation");
            assert!(matches!(error, Error::Deviation { rank: 2, deviation: Deviation::Weighted }), "{error}");
            records.report().map(|report| report.to_json())
        });
        let report = results[0].as_ref().expect("a report");
        guilty(verified(report, Some(&weights)), Deviation::Weighted);
    }
}

/// The variables of packed entries are the first: four ranks with four elements of sixteen bytes in a row have six rounds.
#[test]
fn weighted_sums_of_packed_entries_are_blamed() {
    let params =
        Params { entries: Entries::Bytes, ..params(Fields::Gf128, Regime::UniqueDecoding, recursion()) };
    let sum = sum::<Binary, Tower128, Gf128>(params);
    let weights = weights::<Tower128>(1 << sum.params().variables());
    let messages = SUM[0]..SUM[0] + 7;
    let nothing = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if messages.contains(&step) {
            bytes.fill(0);
        }
    };
    let verify = |report: &[u8], weights: Option<&[Tower128]>| {
        verify_report::<Binary, Tower128, Gf128>(report, weights)
    };
    // All messages are alike: they are told apart by their places.
    let (deviation, report) = named(&sum, &weights, &nothing);
    guilty(verify(&report, Some(&weights)), deviation);
    guilty(verify(&report, None), deviation);
    for wrong in messages {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                bytes[5] ^= 1;
            }
        };
        let (deviation, report) = named(&sum, &weights, &change);
        assert_eq!(deviation, Deviation::Weighted);
        guilty(verify(&report, Some(&weights)), deviation);
        assert_eq!(verify(&report, None), Err(WITHOUT_WEIGHTS));
        assert_eq!(verify(&report, Some(&weights[1..])), Err(OTHER_WEIGHTS));
    }
}
