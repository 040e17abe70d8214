//! Weighted sums by several ranks: claim and proof of one machine, and the name of a rank that deviates in its part.

use super::*;
use crate::Deviation;
use field::{Field, Gf128, Tower128};
use pcs::matrix::{Binary, Prover};
use pcs::weighted;

type Sum<F, B, E> = weighted::Scheme<Scheme<F, B, E>>;

/// The coordinator's claim and proof.
type Proved<B> = (weighted::Claim<B>, Vec<u8>);

/// Weights for all entries but the last ones.
fn weights<B: Field>(sum: usize) -> Vec<B> {
    (0..sum as u64 - 3).map(|i| B::from_u64(i * i + 5)).collect()
}

fn sum<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params) -> Sum<F, B, E> {
    let params = Params { max_forms: 1, ..params };
    Sum::new(params, &Policy::at_least(0)).expect("parameters with room for a weighted sum")
}

/// The claim and the proof of ranks, by the result of each.
fn by_ranks<C: Comm + Send, F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    sum: &Sum<F, B, E>,
    (ranks, weights): (Vec<C>, &[B]),
) -> Vec<Result<Option<Proved<B>>, Error>> {
    let entries = entries::<B>(sum.params());
    run_on(ranks, |comm| {
        let rank = Member::join(sum.inner(), Box::new(comm), deadlines(20_000))?;
        let columns = rank.columns_of(&[&entries[0]])?;
        if !rank.coordinates() {
            return rank.serve(columns).map(|_| None);
        }
        let mut coordinator = rank.coordinate(columns)?;
        let proved = coordinator.open_weighted(sum, weights.to_vec(), b"context")?;
        coordinator.finish()?;
        Ok(Some(proved))
    })
}

fn alike<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params, ranks: &[usize]) {
    let sum = sum::<F, B, E>(params);
    let weights = weights::<B>(1 << sum.params().variables());
    let entries = entries::<B>(sum.params()).swap_remove(0);
    let mut witness = Prover::new(sum.inner()).commit(entries);
    let (claim, proof) = weighted::Prover::new(&sum).open(&mut witness, weights.clone(), b"context");
    assert_eq!(sum.verify(witness.commitment(), &claim, &proof), Ok(()));
    for &ranks in ranks {
        let mut results = by_ranks(&sum, (connect(ranks, CHUNK), &weights)).into_iter();
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
    let results = by_ranks(&sum, (connect(16, CHUNK), &[Goldilocks::ONE]));
    assert!(matches!(&results[0], Err(Error::Unsupported(reason)) if reason.contains("fewer ranks")));
}

/// Steps in which a rank sends, in unique decoding, with four of sixteen columns each: its part of the sum with its first message, another
/// message, and its columns bound to the challenges.
const SUM: [usize; 3] = [3, 4, 5];

fn double(bytes: &mut [u8]) {
    for word in bytes.chunks_exact_mut(Goldilocks::BYTES) {
        let element = Goldilocks::from_bytes(word).expect("an element");
        Goldilocks::write_slice(&[element + element], word);
    }
}

/// The deviation of rank 2 that the coordinator names, and nobody else another.
fn named(change: &Change<'_>) -> Deviation {
    let params = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
    let sum = sum::<Prime, Goldilocks, Goldilocks2>(params);
    let weights = weights(1 << 10);
    let mut results = by_ranks(&sum, (deviating(2, change), &weights)).into_iter();
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
    named
}

#[test]
fn a_wrong_part_of_a_weighted_sum_is_blamed() {
    // The part, the two coefficients of a message, and what is left of a row.
    for (wrong, at) in [(0, 0), (0, 8), (1, 0), (1, 16), (2, 16 * 7)] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == SUM[wrong] {
                double(&mut bytes[at..at + 8]);
            }
        };
        assert_eq!(named(&change), Deviation::Weighted, "{wrong} {at}");
    }
    let no_element = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == SUM[1] {
            bytes[..8].fill(0xff);
        }
    };
    assert_eq!(named(&no_element), Deviation::Encoding);
}

/// All messages about twice its columns contradict the rows that it opens, and no other message.
#[test]
fn a_weighted_sum_of_other_columns_is_blamed() {
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if SUM.contains(&step) {
            double(bytes);
        }
    };
    assert_eq!(named(&change), Deviation::Weighted);
}
