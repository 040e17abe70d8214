//! Reports about weighted sums: of everything in them one thing is changed; and a coordinator that lies about sums has no honest rank blamed.

use super::reports::{Seen, exhibit, honest_by};
use super::weighted::{SUM, Sum, by_ranks, double, named, of_columns, sum, weights};
use super::*;
use crate::Deviation;
use crate::meter::Phase;
use crate::report::{Exhibit, Hex, Job, OTHER_WEIGHTS, Report, Verdict, verify_report};
use crate::session::{Envelope, asked_digest, block_digest};
use crate::weighted::{bound_digest, weights_digest};
use crate::wire::Question;
use field::{Field, Gf128, Tower128};
use iop::error::Invalid;
use pcs::matrix::{Binary, CommittedMatrix};

fn verified(report: &[u8], weights: &[Goldilocks]) -> Result<Verdict, Invalid> {
    verify_report::<Prime, Goldilocks, Goldilocks2>(report, Some(weights))
}

/// Reports about a rank with a wrong message of the second round, and about one whose sum is about twice its columns.
fn reports(weights: &[Goldilocks]) -> [Report; 2] {
    let round = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == SUM[1] {
            double(&mut bytes[..8]);
        }
    };
    let columns = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if SUM.contains(&step) {
            double(bytes);
        }
    };
    let changes: [&Change<'_>; 2] = [&round, &columns];
    changes.map(|change| Report::from_json(&named(&of_columns(), weights, change).1).expect("a report"))
}

#[test]
fn a_report_about_a_sum_with_anything_changed_is_refused() {
    let weights = weights::<Goldilocks>(1 << 10);
    for report in reports(&weights) {
        let json = report.to_json();
        assert_eq!(verified(&json, &weights).map(|verdict| verdict.rank), Ok(2));
        // Whatever digit or letter it is, of the job, of what was asked or answered, or of a signature.
        for at in (0..json.len()).step_by(11) {
            let mut other = json.clone();
            other[at] = if other[at] == b'0' { b'1' } else { b'0' };
            assert!(verified(&other, &weights).is_err(), "byte {at}");
        }
        assert!(verified(&[&json[..], b"\n"].concat(), &weights).is_err());
        assert!(verified(&json[..json.len() - 1], &weights).is_err());
        let refused = |change: &dyn Fn(&mut Report), reason: &str| {
            let error = verified(&report.clone().with(change), &weights).expect_err(reason);
            assert!(error.to_string().contains(reason), "{error} where {reason}");
        };
        for i in 0..report.statements.len() {
            let signed = "a signature does not verify";
            for message in 0..report.statements[i].asked.len() {
                refused(&|report| report.statements[i].asked[message].0[0] ^= 1, signed);
                refused(&|report| drop(report.statements[i].asked.remove(message)), signed);
            }
            refused(&|report| report.statements[i].block.0[0] ^= 1, signed);
            refused(&|report| report.statements[i].stated.0[0] ^= 1, signed);
            refused(&|report| report.statements[i].signature.0[0] ^= 1, signed);
            refused(&|report| report.statements[i].phase = Phase::Columns, signed);
            let unseen = |report: &mut Report| {
                let exhibit = report.statements[i].clone();
                let digest = block_digest(&exhibit.block.0);
                report.statements[i] = Exhibit { block: Hex(Vec::new()), ..exhibit }.unseen(&digest);
            };
            assert!(verified(&report.clone().with(unseen), &weights).is_err(), "{i} unseen");
            assert!(
                verified(&report.clone().with(|report| drop(report.statements.remove(i))), &weights).is_err()
            );
            let twice = |report: &mut Report| report.statements.insert(i, report.statements[i].clone());
            assert!(verified(&report.clone().with(twice), &weights).is_err(), "{i} twice");
            for j in 0..i {
                let swapped = report.clone().with(|report| report.statements.swap(i, j));
                assert!(verified(&swapped, &weights).is_err(), "{i} {j}");
            }
        }
        refused(&|report| report.slices.push(Hex(vec![0; 32])), "slices");
        refused(&|report| report.heads.push(Default::default()), "signs questions");
        refused(&|report| report.job.name.0[0] ^= 1, "signature");
        let other_rank = |report: &mut Report| {
            report.accused = 1;
            report.key = report.job.ranks[1].key.clone();
        };
        refused(&other_rank, "signature");
        for deviation in [Deviation::Values, Deviation::Columns, Deviation::Encoding, Deviation::Answer] {
            let other = report.clone().with(|report| report.deviation = deviation);
            let shown = verify_report::<Prime, Goldilocks, Goldilocks2>(&other, None);
            assert!(shown.is_err(), "{deviation:?}");
        }
    }
    // What another sum of the same rank was about.
    let [round, columns] = reports(&weights);
    for i in 0..round.statements.len() {
        let mixed = round.clone().with(|report| report.statements[i] = columns.statements[i].clone());
        assert_eq!(verified(&mixed, &weights), Err(Invalid("a signature does not verify")));
    }
}

/// Parameters without weighted sums have no report about one, and neither has a rank with one column.
#[test]
fn a_report_about_parameters_without_sums_is_refused() {
    let weights = weights::<Goldilocks>(1 << 10);
    let [round, _] = reports(&weights);
    let with = |params: Params| round.clone().with(|report| report.job.parameters = Hex(params.encode()));
    let params = of_columns().params().clone();
    let hiding = with(Params { hidden_openings: 1, ..params.clone() });
    let two = with(Params { polynomials: 2, ..params });
    for other in [hiding, two] {
        assert_eq!(verified(&other, &weights), Err(Invalid("the job's parameters have no weighted sums")));
    }
}

/// What rank 2 signs though no protocol has it: a report with its answers changed, signed by its key.
pub(super) fn signed(report: &Report, change: impl FnOnce(&mut [Exhibit])) -> Vec<u8> {
    let key = Key::from_bytes(&[3; 32]);
    report.clone().with(|report| {
        change(&mut report.statements);
        let (job, rank) = (report.job.digest(), report.accused);
        for exhibit in &mut report.statements {
            let asked = asked_digest(exhibit.asked.iter().map(|message| &message.0[..]));
            let (phase, stated) = (exhibit.phase, exhibit.stated.array().expect("a digest"));
            let envelope = Envelope { job: &job, rank, phase, stated: &stated, asked: &asked };
            let message = envelope.message(&block_digest(&exhibit.block.0));
            exhibit.signature = Hex(key.sign(&message).to_vec());
        }
    })
}

/// Two rounds of four columns: the rank's part, a message, and what is left of 64 rows.
#[test]
fn messages_of_a_sum_that_no_rank_writes_are_refused_whoever_signs_them() {
    let weights = weights::<Goldilocks>(1 << 10);
    let [round, columns] = reports(&weights);
    assert_eq!(verified(&signed(&round, |_| {}), &weights).map(|verdict| verdict.rank), Ok(2));
    let (left, short) = (vec![0; 64 * Goldilocks2::BYTES], vec![0; 2 * Goldilocks2::BYTES]);
    let length = "a message has another length";
    let unasked = "a question is none that a rank answers";
    let nothing = "do not contradict";
    let refused = |report: &Report, change: &dyn Fn(&mut [Exhibit]), reason: &str| {
        let error = verified(&signed(report, change), &weights).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error} where {reason}");
    };
    for report in [&round, &columns] {
        refused(report, &|said| said[1].block.0.clone_from(&left), length);
        refused(report, &|said| said[2].block.0.clone_from(&short), length);
        for i in 0..3 {
            refused(report, &|said| said[i].block.0.truncate(8), length);
            refused(report, &|said| said[i].block.0.push(0), length);
            // Bytes that are no elements are another deviation.
            refused(report, &|said| said[i].block.0[..8].fill(255), nothing);
            refused(report, &|said| said[i].asked.last_mut().expect("a digest").0.truncate(31), unasked);
            refused(report, &|said| said[i].asked.push(Hex(vec![0; 32])), unasked);
            refused(report, &|said| drop(said[i].asked.pop()), unasked);
        }
        refused(report, &|said| said[1].asked[1].0[..8].fill(255), unasked);
        refused(report, &|said| said[1].asked[1].0[0] ^= 1, "a challenge of another weighted sum");
        refused(report, &|said| said[2].asked[2].0[0] ^= 1, "a challenge of another weighted sum");
        refused(report, &|said| said[0].asked[1].0[0] ^= 1, "a challenge of another weighted sum");
        // The whole sum, by other weights.
        let other = |said: &mut [Exhibit]| {
            let mut so_far = [7; 32];
            said[0].asked[1] = Hex(so_far.to_vec());
            for exhibit in &mut said[1..3] {
                exhibit.asked[2] = Hex(so_far.to_vec());
                let challenge = Goldilocks2::from_bytes(&exhibit.asked[1].0).expect("a challenge");
                so_far = bound_digest(&so_far, challenge);
            }
        };
        refused(report, &other, "other weights");
    }
    refused(&columns, &|said| said[3].block.0[..8].fill(255), nothing);
}

/// An honest rank's messages in one sum, and its values of the opening behind it.
struct Messages {
    sum: Vec<Exhibit>,
    values: Exhibit,
}

/// What rank 1 of two signs in honest sums by some weights, each with another context and so other challenges; and all values that it says besides, of all rows and of half of them too.
fn honest_sums<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    sum: &Sum<F, B, E>,
    weights: &[Vec<B>],
) -> (Job, Vec<Messages>, Vec<Exhibit>) {
    let log_rows = sum.inner().matrix().code.log_rows;
    let (job, seen) = honest_by(sum.inner(), |mut coordinator| {
        for (i, weights) in weights.iter().enumerate() {
            coordinator.open_weighted(sum, weights.clone(), &[i as u8]).expect("honest ranks");
        }
        for variables in [log_rows, log_rows - 1] {
            coordinator.matrix.combine_rows(&TensorForm::sum(variables)).expect("honest ranks");
        }
        coordinator.finish().expect("honest ranks");
    });
    let stated = block_digest(&seen[1].1[..seen[1].1.len() - SIGNATURE]);
    let mut sums: Vec<Messages> = Vec::new();
    let (mut open, mut so_far, mut values) = (Vec::new(), [0; 32], Vec::new());
    for (mut asked, answer) in seen.into_iter().skip(2) {
        match asked[0][0] {
            9 => {
                so_far = weights_digest(&asked[1]);
                asked[1] = so_far.to_vec();
            }
            10 => {
                asked.push(so_far.to_vec());
                let Some(Question::Bind(challenge)) = Question::<E>::parse(10, &asked[1]) else { panic!() };
                so_far = bound_digest(&so_far, challenge);
            }
            // Values, or sums over bits.
            0 | 8 if !open.is_empty() => {
                let values = exhibit(Phase::Values, &(asked, answer), &stated);
                sums.push(Messages { sum: core::mem::take(&mut open), values });
                continue;
            }
            0 => {
                values.push(exhibit(Phase::Values, &(asked, answer), &stated));
                continue;
            }
            _ => continue,
        }
        let seen: Seen = (asked, answer);
        open.push(exhibit(Phase::Values, &seen, &stated));
    }
    (job, sums, values)
}

/// All ways to take one of so many at each of some places.
fn choices(of: usize, places: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..of.pow(places as u32))
        .map(move |code| (0..places).map(|place| code / of.pow(place as u32) % of).collect())
}

/// The sums are by the same weights twice, and once by others: what a coordinator mixes of them is refused, and what it does not mix shows nothing.
fn no_mixture_blames<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(sum: &Sum<F, B, E>) {
    let same = weights::<B>(1 << sum.params().variables());
    let other: Vec<B> = same.iter().map(|&weight| weight + B::ONE).collect();
    let (job, sums, more) = honest_sums(sum, &[same.clone(), same.clone(), other.clone()]);
    assert!(sums.len() == 3 && more.len() >= 2);
    let rounds = sums[0].sum.len();
    let said = |statements: &[&Exhibit], weights: Option<&[B]>| {
        let statements = statements.iter().map(|&exhibit| exhibit.clone()).collect();
        let report = Report::deviation(job.clone(), (1, Deviation::Weighted), statements, Vec::new());
        verify_report::<F, B, E>(&report.to_json(), weights).expect_err("an honest rank")
    };
    let nothing = Invalid("the report's statements do not contradict each other");
    let mixed = Invalid("a challenge of another weighted sum, or in another place");
    for taken in choices(3, rounds) {
        let chain: Vec<&Exhibit> = taken.iter().enumerate().map(|(i, &of)| &sums[of].sum[i]).collect();
        // The weights are those of the first two sums or of the third, and the challenges of one.
        let one = taken[1..].iter().all(|&of| of == taken[1]) && (taken[0] == 2) == (taken[1] == 2);
        for (weights, of_third) in [(&same, false), (&other, true)] {
            let found = said(&chain, Some(weights));
            let expected = match (one, of_third == (taken[0] == 2)) {
                (true, true) => nothing,
                (true, false) => OTHER_WEIGHTS,
                (false, _) => mixed,
            };
            assert_eq!(found, expected, "{taken:?}");
            for values in sums.iter().map(|messages| &messages.values).chain(&more) {
                let chain = [&chain[..], &[values]].concat();
                assert_eq!(said(&chain, Some(weights)), expected, "{taken:?}");
                assert_eq!(said(&chain, None), if one { nothing } else { mixed }, "{taken:?}");
            }
        }
    }
    // Messages that are left out, said twice, or in another order.
    let chain: Vec<&Exhibit> = sums[0].sum.iter().collect();
    let values = [&sums[0].values];
    let number = Invalid("a weighted sum of another number of rounds");
    for i in 1..rounds {
        let (mut without, mut twice) = (chain.clone(), chain.clone());
        without.remove(i);
        twice.insert(i, chain[i]);
        for other in [without, twice] {
            assert_eq!(said(&other, Some(&same)), number);
            assert_eq!(said(&[&other[..], &values].concat(), None), number);
        }
        for j in 1..i {
            let mut swapped = chain.clone();
            swapped.swap(i, j);
            assert_eq!(said(&swapped, Some(&same)), mixed);
            assert_eq!(said(&[&swapped[..], &values].concat(), None), mixed);
            // One in the place of another.
            let mut replaced = chain.clone();
            replaced[i] = chain[j];
            assert_eq!(said(&replaced, Some(&same)), mixed);
        }
    }
    let weightless = Invalid("messages of a weighted sum without its weights");
    assert_eq!(said(&chain[1..], Some(&same)), weightless);
    assert_eq!(said(&[], Some(&same)), weightless);
    assert_eq!(said(&values, None), weightless);
    assert_eq!(said(&[&values[..], &chain].concat(), None), weightless);
    assert_eq!(said(&[&chain[..], &values, &values].concat(), None), nothing);
    // Nor is any of them no answer at all.
    for exhibit in sums.iter().flat_map(|messages| &messages.sum) {
        let statements = vec![exhibit.clone()];
        let report = Report::deviation(job.clone(), (1, Deviation::Encoding), statements, Vec::new());
        assert_eq!(verify_report::<F, B, E>(&report.to_json(), None), Err(nothing));
        // What it was asked is signed: it is moved to no other sum.
        let mut moved = exhibit.clone();
        *moved.asked.last_mut().expect("a digest") = Hex(vec![7; 32]);
        let report = Report::deviation(job.clone(), (1, Deviation::Encoding), vec![moved], Vec::new());
        let error = Invalid("a signature does not verify");
        assert_eq!(verify_report::<F, B, E>(&report.to_json(), None), Err(error));
    }
}

#[test]
fn honest_messages_of_several_sums_blame_nobody_however_they_are_mixed() {
    no_mixture_blames(&of_columns());
    let packed = Params {
        entries: Entries::Words64,
        level: RoundParams { log_columns: 2, ..of_columns().params().level },
        log_parts: 2,
        ..params(Fields::Gf128, Regime::UniqueDecoding, recursion())
    };
    no_mixture_blames(&sum::<Binary, Tower128, Gf128>(packed));
}

/// A coordinator that gives rank 1 other messages of some length than it says, after so many.
struct Unfair {
    comm: Threads,
    length: usize,
    after: usize,
}

impl Comm for Unfair {
    as_its_own!();

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let mut others: Vec<Vec<u8>> = outgoing.iter().map(|message| message.bytes.to_vec()).collect();
        for (message, bytes) in outgoing.iter().zip(&mut others) {
            if message.to == 1 && bytes.len() == self.length {
                bytes[0] ^= u8::from(self.after == 0);
                self.after = self.after.saturating_sub(1);
            }
        }
        let outgoing: Vec<Outgoing<'_>> =
            outgoing.iter().zip(&others).map(|(message, bytes)| Outgoing { to: message.to, bytes }).collect();
        self.comm.exchange(&outgoing, incoming, within)
    }
}

/// Weights and challenges that the coordinator hands out otherwise than it says make it name an honest rank; the rank has signed what it was given, and there is no report.
#[test]
fn a_rank_with_other_weights_or_challenges_than_the_public_ones_is_in_no_report() {
    let (sum, weights) = (of_columns(), weights(1 << 10));
    // Weights of eight columns and 64 rows are as long as the digests for a rank, which come before.
    for (length, after) in
        [((8 * Goldilocks::BYTES) << 6, 1), (Goldilocks2::BYTES, 0), (Goldilocks2::BYTES, 1)]
    {
        let ranks = connect(2, CHUNK).into_iter();
        let ranks =
            ranks.map(|comm| Unfair { length: if comm.rank() == 0 { length } else { 0 }, after, comm });
        let (results, report) = by_ranks(&sum, (ranks.collect(), &weights));
        let weighted =
            matches!(results[0], Err(Error::Deviation { rank: 1, deviation: Deviation::Weighted }));
        assert!(weighted, "{length}: {:?}", results[0]);
        assert_eq!(report, None, "{length}");
    }
}
