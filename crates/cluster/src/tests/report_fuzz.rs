//! Reports by somebody who signs anything: an answer for each, without a panic and without memory that only the report says is needed.

use super::weighted::{SUM, double, named, of_columns, weights};
use super::weighted_reports::signed;
use super::*;
use crate::Deviation;
use crate::meter::Phase;
use crate::report::{Exhibit, Head, Hex, Report, verify_report};
use iop::error::Invalid;

/// Numbers without structure, the same in every run.
struct Numbers(u64);

impl Numbers {
    /// One below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((self.0 >> 33) as usize) % bound
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Parameters that are mostly in range, up to the largest.
fn parameters(numbers: &mut Numbers) -> Params {
    let base = of_columns().params().clone();
    let log_columns = numbers.one_of(&[0, 1, 2, 4, 4, 12, 20, 26]);
    let log_size = log_columns + numbers.one_of(&[0, 1, 2, 6, 6, 14]);
    let level = RoundParams { log_columns, ..base.level };
    let entries = numbers.one_of(&[Entries::Whole, Entries::Whole, Entries::Bytes, Entries::Extension]);
    let (log_parts, hidden_openings) = (numbers.one_of(&[2, 4, 4]), numbers.one_of(&[0, 0, 0, 1]));
    let polynomials = numbers.one_of(&[1, 1, 1, 2]);
    Params { level, log_size, entries, log_parts, hidden_openings, polynomials, ..base }
}

/// Changes what a rank was asked, or what it answered.
fn change(numbers: &mut Numbers, said: &mut [Exhibit]) {
    let (i, j) = (numbers.below(said.len()), numbers.below(said.len()));
    let length = numbers.one_of(&[0, 8, 16, 24, 32, 64, 1024, 4096]);
    match numbers.below(16) {
        0 => said[i].asked[0].0[0] = numbers.below(12) as u8,
        1 => said[i].asked.last_mut().expect("a message").0.resize(length, 0),
        2 => said[i].asked.push(Hex(vec![numbers.below(4) as u8; length])),
        3 => drop(said[i].asked.pop().filter(|_| said[i].asked.len() > 1)),
        4..7 => said[i].block.0.resize(length, 0),
        7..13 => said[i].block = said[j].block.clone(),
        13 => said.swap(i, j),
        14 => {
            said[i].phase =
                numbers.one_of(&[Phase::Values, Phase::Columns, Phase::Rows, Phase::Tree, Phase::Blame])
        }
        _ => said[i].asked = said[j].asked.clone(),
    }
    if let Some(exhibit) = said.get_mut(i).filter(|exhibit| exhibit.asked.is_empty()) {
        exhibit.asked.push(Hex(vec![0; 16]));
    }
    // The length of a question's rest is what it says.
    let rest = said[i].asked.get(1).map_or(0, |rest| rest.0.len() as u64);
    if numbers.below(2) == 0 && said[i].asked[0].0.len() == 16 {
        said[i].asked[0].0[8..].copy_from_slice(&rest.to_le_bytes());
    }
}

#[test]
fn fuzz_signed_reports() {
    let weights = weights::<Goldilocks>(1 << 10);
    let columns = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if SUM.contains(&step) {
            double(bytes);
        }
    };
    let report = Report::from_json(&named(&of_columns(), &weights, &columns).1).expect("a report");
    let all = [
        Deviation::Weighted,
        Deviation::Weighted,
        Deviation::Weighted,
        Deviation::Encoding,
        Deviation::Values,
        Deviation::Columns,
        Deviation::Digests,
        Deviation::Statement,
        Deviation::Tree,
        Deviation::Siblings,
        Deviation::Answer,
    ];
    let mut numbers = Numbers(7);
    let (mut held, mut refused) = (0, 0);
    for _ in 0..2000 {
        let mut other = report.clone();
        other.deviation = numbers.one_of(&all);
        if numbers.below(3) == 0 {
            other.job.parameters = Hex(parameters(&mut numbers).encode());
        }
        if numbers.below(2) == 0 {
            other.statements.pop();
        }
        for _ in 0..numbers.below(3) {
            change(&mut numbers, &mut other.statements);
        }
        let given = [None, Some(&weights[..]), Some(&weights[..5])][numbers.below(3)];
        match verify_report::<Prime, Goldilocks, Goldilocks2>(&signed(&other, |_| {}), given) {
            Ok(verdict) => {
                assert_eq!(verdict.rank, 2);
                held += 1;
            }
            Err(error) => {
                assert!(!error.to_string().contains("signature"), "{error}");
                refused += 1;
            }
        }
    }
    // Both answers come: what is signed here is no honest rank's.
    assert!(held > 20 && refused > 20, "{held}, {refused}");
}

/// A list of nothing takes several times the memory of its text, so that none is read to an end that no report has.
#[test]
fn lists_longer_than_those_of_any_report_are_refused() {
    let weights = weights::<Goldilocks>(1 << 10);
    let columns = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if SUM.contains(&step) {
            double(bytes);
        }
    };
    let report = Report::from_json(&named(&of_columns(), &weights, &columns).1).expect("a report");
    type Fill = fn(&mut Report, usize);
    let lists: [(usize, Fill); 5] = [
        (1 << 16, |report, count| report.slices = vec![Hex::default(); count]),
        (1 << 16, |report, count| report.job.ranks = vec![report.job.ranks[1].clone(); count]),
        (1 << 8, |report, count| report.statements = vec![report.statements[0].clone(); count]),
        (8, |report, count| report.statements[0].asked = vec![Hex::default(); count]),
        (2, |report, count| report.heads = vec![Head::default(); count]),
    ];
    for (most, fill) in lists {
        let read = |count| Report::from_json(&report.clone().with(|report| fill(report, count)));
        assert!(read(most).is_ok(), "{most}");
        assert_eq!(read(most + 1), Err(Invalid("the bytes are no blame report")), "{most}");
    }
}
