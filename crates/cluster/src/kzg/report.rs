//! Verifies reports about multilinear KZG, with the report and the public setup. (notes: cluster-kzg)

use super::coordinator::combined_commitment;
use super::wire::Question;
use super::{SCHEME, divides, fragments, own};
use crate::error::Deviation;
use crate::meter::Phase;
use crate::report::{Exhibit, NOTHING, Report, Verdict, check_heads, check_signatures, described};
use crate::wire::elements;
use curve::CurveGroup;
use curve::bls12_381::{Fr, G1, G1Projective, decode_g1};
use curve::msm;
use curve::srs::MultilinearSrs;
use iop::error::Invalid;
use pcs::field::Field;
use pcs::kzg::multilinear::{Key, Scalar, Scheme, divide_lowest};

/// Bytes of a commitment.
const POINT: usize = 48;

/// An answer to a question, read as the accused rank has to write it; none where the bytes are no points, or no elements.
enum Said {
    Commitments(Option<Vec<G1>>),
    Combination { polynomial: usize, weights: Vec<Scalar>, sum: Option<Vec<Scalar>> },
    Quotients { point: Vec<Scalar>, part: Vec<Scalar>, answer: Option<Vec<G1>> },
}

/// The job and the rank that a report is about.
struct Case<'a> {
    scheme: &'a Scheme,
    srs: &'a MultilinearSrs,
    log_ranks: usize,
    rank: usize,
}

/// Verifies a report about a job with the parameters of a scheme: that the rank which it accuses has signed answers that no honest rank gives, whatever it is
/// asked.
///
/// The setup is public, and has to be the reader's own, checked when it was read ([`MultilinearSrs::read`]): against points that are not a setup's an honest
/// rank's answers are wrong too. Cost: a multi-scalar multiplication over the entries of a fragment, or twice the entries of a rank's part of them.
///
/// # Errors
/// If the bytes are no report of this version of the program about these parameters, the setup is another, a signature does not verify, or the statements do not
/// contradict each other.
pub fn verify_report(bytes: &[u8], scheme: &Scheme, srs: &MultilinearSrs) -> Result<Verdict, Invalid> {
    let (report, verdict) = described(bytes)?;
    if report.job.scheme != SCHEME || report.job.parameters.0[..] != scheme.params().digest()[..] {
        return Err(Invalid("the report is about another scheme, or other parameters"));
    }
    if Key::new(srs).ok().as_ref() != Some(&scheme.params().key) {
        return Err(Invalid("the setup is another than the scheme's"));
    }
    if report.deviation == Deviation::Equivocation {
        return check_heads(&report, &verdict.key).map(|()| verdict);
    }
    let (log_ranks, rank) = (report.job.log_ranks()?, verdict.rank);
    if !divides(scheme, log_ranks) {
        return Err(Invalid("there is no division of the work among so many ranks"));
    }
    let case = Case { scheme, srs, log_ranks, rank };
    case.check(&report, check_signatures(&report, &verdict.key)?)?;
    Ok(verdict)
}

fn points(block: &[u8]) -> Option<Vec<G1>> {
    block.as_chunks().0.iter().map(|bytes| decode_g1(bytes).ok()).collect()
}

impl Case<'_> {
    fn check(&self, report: &Report, statements: &[Exhibit]) -> Result<(), Invalid> {
        if !report.slices.is_empty() {
            return Err(Invalid("a report with slices that it does not need"));
        }
        let said: Vec<Said> =
            statements.iter().map(|exhibit| self.read(exhibit)).collect::<Result<_, _>>()?;
        let contradicts = match (report.deviation, &said[..]) {
            (
                Deviation::Fragments,
                [Said::Commitments(Some(points)), Said::Combination { polynomial, weights, sum: Some(sum) }],
            ) => {
                let own = own(self.scheme, 1 << self.log_ranks, self.rank);
                combined_commitment(own, points, (*polynomial, weights)) != self.commitment(sum)
            }
            (Deviation::Quotients, [Said::Quotients { point, part, answer: Some(answer) }]) => {
                self.quotients(part, point) != *answer
            }
            (
                Deviation::Encoding,
                [
                    Said::Commitments(None)
                    | Said::Combination { sum: None, .. }
                    | Said::Quotients { answer: None, .. },
                ],
            ) => true,
            _ => false,
        };
        if contradicts { Ok(()) } else { Err(NOTHING) }
    }

    /// Reads an answer by the question. A question that an honest rank does not answer is refused.
    fn read(&self, exhibit: &Exhibit) -> Result<Said, Invalid> {
        let refused = Invalid("a question is none that a rank answers");
        let (params, block) = (self.scheme.params(), &exhibit.block.0[..]);
        let (variables, all) = (params.key.variables(), fragments(self.scheme));
        let length = |expected: usize| match block.len() == expected && exhibit.digest.is_none() {
            true => Ok(()),
            false => Err(Invalid("a message has another length")),
        };
        if exhibit.phase == Phase::Encode {
            length(POINT * (all >> self.log_ranks))?;
            return Ok(Said::Commitments(points(block)));
        }
        let (header, rest) = exhibit.asked.split_first().ok_or(refused)?;
        let (asked, given) = rest.split_first().ok_or(refused)?;
        let question = Question::from_messages(&header.0, &asked.0, params).ok_or(refused)?;
        match (question, exhibit.phase, given) {
            (Question::Combine { polynomial, weights }, Phase::Columns, []) => {
                length(Scalar::BYTES << variables)?;
                Ok(Said::Combination { polynomial, weights, sum: elements(block, 1 << variables) })
            }
            (Question::Quotients(point), Phase::Rows, [part]) => {
                let count = 1usize << (variables - self.log_ranks);
                let whole = part.0.len() == count * Scalar::BYTES;
                let part = elements(&part.0, count).filter(|_| whole).ok_or(refused)?;
                length(POINT * (variables - self.log_ranks))?;
                Ok(Said::Quotients { point, part, answer: points(block) })
            }
            _ => Err(refused),
        }
    }

    /// The commitment to a fragment's entries.
    fn commitment(&self, entries: &[Scalar]) -> G1 {
        let entries: Vec<Fr> = entries.iter().map(|entry| entry.0).collect();
        msm::sum(self.srs.level(0), &entries).into_affine()
    }

    /// The rank's part of the commitments to the quotients of the entries that it was given.
    fn quotients(&self, part: &[Scalar], point: &[Scalar]) -> Vec<G1> {
        let mut table: Vec<Fr> = part.iter().map(|entry| entry.0).collect();
        let mut sums: Vec<G1Projective> = Vec::new();
        for (variable, u) in point.iter().enumerate().take(table.len().ilog2() as usize) {
            let (quotient, rest) = divide_lowest(&table, u.0);
            let run = self.srs.level(variable + 1).chunks(quotient.len()).nth(self.rank).unwrap_or_default();
            sums.push(msm::sum(run, &quotient));
            table = rest;
        }
        G1Projective::normalize_batch(&sums)
    }
}
