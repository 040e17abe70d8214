//! Verifies reports, with nothing but the report, and the public weights if it is about a weighted sum. (notes: cluster-report)

use super::said::Said;
use super::sum::UNWEIGHTED;
use super::{Exhibit, Report};
use crate::check::{OpenedRows, bits_fit, columns_fit, digests_fit, values_fit};
use crate::commit::{Statement, slice_hash};
use crate::error::Deviation;
use crate::hello::program;
use crate::identity::{DIGEST, PublicKey, SIGNATURE, digest};
use crate::member::unserved;
use crate::ownership::Ownership;
use crate::party::COORDINATOR;
use crate::session::{Envelope, asked_digest, block_digest};
use crate::share::Subtree;
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
use iop::security::Policy;
use pcs::matrix::{Scheme, Steps};
use pcs::ring_switching::Entries;
use pcs::weighted;

/// The result of a report that verifies: the holder of a key contradicted themselves in one job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The number of the rank in the job.
    pub rank: usize,
    /// Its key. Whose key it is the report does not say: compare it with a list of keys of your own.
    pub key: PublicKey,
    /// The deviation.
    pub deviation: Deviation,
    /// The part of the job that the accused rank has signed: the digest of its description, or of two questions, which are bound to the coordinator's nonce alone, that of key and nonce. The rest of the
    /// job's description in such a report is what its author says.
    pub job: [u8; DIGEST],
}

/// The report shows no contradiction.
pub(crate) const NOTHING: Invalid = Invalid("the report's statements do not contradict each other");

/// The job and the rank that a report is about.
pub(super) struct Case<'a, B> {
    pub report: &'a Report,
    pub ownership: Ownership,
    pub entries: Entries,
    pub rank: usize,
    /// The public weights of a weighted sum, if the reader has them.
    pub weights: Option<&'a [B]>,
}

/// Verifies a report: that the rank which it accuses has signed answers that no honest rank gives, whatever it is asked. The types are those of the
/// parameters in it, [`super::Job::params`]. A report of [`Deviation::Weighted`] is about a sum by public weights, one for each entry and zero beyond the last: the reader's own, of which
/// the rank has signed a digest. Without them the messages of the sum are checked against the values of the rank's columns alone, where the report has these.
///
/// Cost: that of the bytes, which are hashed, and for rows an encoding of one combination of columns for each block of the codeword; of the weights those of the rank are hashed, and a product each.
///
/// # Errors
/// If the bytes are no report of this version of the program, a signature does not verify, or the statements do not contradict each other. [`super::WITHOUT_WEIGHTS`] if they are about weights that
/// are not given, [`super::OTHER_WEIGHTS`] if about others, and [`UNWEIGHTED`] if about none.
pub fn verify_report<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    bytes: &[u8],
    weights: Option<&[B]>,
) -> Result<Verdict, Invalid> {
    let (report, verdict) = described(bytes)?;
    if weights.is_some() && report.deviation != Deviation::Weighted {
        return Err(UNWEIGHTED);
    }
    if report.deviation == Deviation::Equivocation {
        return check_heads(&report, &verdict.key).map(|()| verdict);
    }
    let job = &report.job;
    let params = job.params().ok_or(Invalid("the job's parameters are none"))?;
    if let Some(reason) = unserved(&params) {
        return Err(Invalid(reason));
    }
    let entries = params.entries;
    let scheme = Scheme::<F, B, E>::new(params, &Policy::at_least(0))
        .map_err(|_| Invalid("the job's parameters are refused"))?;
    let ownership = Ownership::new(scheme.matrix(), job.log_ranks()?)
        .map_err(|_| Invalid("there is no division of the work among so many ranks"))?;
    if report.deviation == Deviation::Weighted {
        if scheme.params().polynomials != 1 {
            return Err(Invalid("the job's parameters have no weighted sums"));
        }
        weighted::Scheme::from_points(scheme, &Policy::at_least(0))
            .map_err(|_| Invalid("the job's parameters have no weighted sums"))?;
    }
    let case = Case { report: &report, ownership, entries, rank: verdict.rank, weights };
    case.statements::<E>(&verdict.key)?;
    Ok(verdict)
}

/// Reads a report of this version of the program, and returns what it says, of which nothing is verified but that the description of the job is whole.
///
/// # Errors
/// If the bytes are no such report.
pub(crate) fn described(bytes: &[u8]) -> Result<(Report, Verdict), Invalid> {
    let report = Report::from_json(bytes)?;
    let job = &report.job;
    let digests = [&job.program, &job.name, &job.data].into_iter();
    let seats = job.ranks.iter().flat_map(|seat| [&seat.key, &seat.nonce]);
    if digests.chain(seats).any(|digest| digest.0.len() != DIGEST) {
        return Err(Invalid("a digest, key or nonce of the job has another length"));
    }
    if job.program.0 != program() {
        return Err(Invalid("the report is of another version of the program"));
    }
    let rank = report.accused;
    let key = job.key(rank).ok_or(Invalid("the job has no such rank"))?;
    if report.key.0 != key.0 {
        return Err(Invalid("the accused rank has another key in the job"));
    }
    let signed = match report.deviation {
        Deviation::Equivocation => {
            digest("tenfold cluster equivocation v1", &[&key.0[..], &job.ranks[rank].nonce.0])
        }
        _ => job.digest(),
    };
    let verdict = Verdict { rank, key, deviation: report.deviation, job: signed };
    Ok((report, verdict))
}

/// Checks that the coordinator has signed two chains of questions.
pub(crate) fn check_heads(report: &Report, key: &PublicKey) -> Result<(), Invalid> {
    let Report { accused, heads, statements, slices, .. } = report;
    let [first, second] = &heads[..] else { return Err(NOTHING) };
    if *accused != COORDINATOR || !statements.is_empty() || !slices.is_empty() {
        return Err(Invalid("a report about questions has two heads and nothing else"));
    }
    if first.nonce.0 != report.job.ranks[COORDINATOR].nonce.0 {
        return Err(Invalid("questions of another job"));
    }
    if ![first, second].iter().all(|head| head.is_signed_by(key)) {
        return Err(Invalid("a signature does not verify"));
    }
    if first.contradicts(second) { Ok(()) } else { Err(NOTHING) }
}

/// Checks that the accused rank, which is not the coordinator, has signed all answers in a report, which are returned.
pub(crate) fn check_signatures<'a>(report: &'a Report, key: &PublicKey) -> Result<&'a [Exhibit], Invalid> {
    let Report { job, heads, statements, accused: rank, .. } = report;
    if !heads.is_empty() || *rank == COORDINATOR {
        return Err(Invalid("the coordinator signs questions, and the other ranks answers"));
    }
    let digest = job.digest();
    for exhibit in statements {
        let asked = asked_digest(exhibit.asked.iter().map(|message| &message.0[..]));
        let stated = exhibit.stated.array().ok_or(Invalid("a digest has another length"))?;
        let (rank, phase) = (*rank, exhibit.phase);
        let envelope = Envelope { job: &digest, rank, phase, stated: &stated, asked: &asked };
        let answer = match &exhibit.digest {
            None => block_digest(&exhibit.block.0),
            Some(digest) => digest
                .array()
                .filter(|_| exhibit.block.0.is_empty())
                .ok_or(Invalid("an answer has a digest and is there"))?,
        };
        let (message, signature) = (envelope.message(&answer), &exhibit.signature.0);
        if signature.len() != SIGNATURE || !key.verifies(&message, signature) {
            return Err(Invalid("a signature does not verify"));
        }
    }
    Ok(statements)
}

impl<B: FoldFibres> Case<'_, B> {
    /// Checks the accused rank's answers, all signed.
    fn statements<E: ExtensionOf<B>>(&self, key: &PublicKey) -> Result<(), Invalid> {
        let statements = check_signatures(self.report, key)?;
        let said: Vec<Said<B, E>> =
            statements.iter().map(|exhibit| self.read(exhibit)).collect::<Result<_, _>>()?;
        if self.contradict(&said)? { Ok(()) } else { Err(NOTHING) }
    }

    /// True if the answers show the deviation that is reported.
    fn contradict<E: ExtensionOf<B>>(&self, said: &[Said<B, E>]) -> Result<bool, Invalid> {
        let (ownership, hash) = (&self.ownership, self.ownership.spec().hash);
        if !matches!(self.report.deviation, Deviation::Tree | Deviation::Siblings)
            && !self.report.slices.is_empty()
        {
            return Err(Invalid("a report with slices that it does not need"));
        }
        Ok(match (self.report.deviation, said) {
            (Deviation::Statement, [Said::Slice { owner, slice }, Said::Statement(stated)]) => {
                slice_hash(hash, slice) != stated.sent[*owner]
            }
            (Deviation::Statement, [Said::Statement(later), Said::Statement(first)]) => {
                later.sent != first.sent
            }
            (Deviation::Statement, [Said::Columns { .. }, Said::Unseen]) => self.repeated_otherwise(),
            (
                Deviation::Digests,
                [Said::Slice { owner, slice }, Said::Rows { positions, part: Some(part), .. }],
            ) => !digests_fit(ownership, [self.rank, *owner], OpenedRows { positions, part }, slice),
            (
                Deviation::Columns,
                [Said::Columns { weights, sums: Some(sums) }, Said::Rows { positions, part: Some(part), .. }],
            ) => !columns_fit(ownership, weights, sums, OpenedRows { positions, part }),
            (
                Deviation::Values,
                [Said::Values { form, values: Some(values) }, Said::Columns { weights, sums: Some(sums) }],
            ) => !values_fit(weights, sums, &form.expand_parallel(), values),
            (
                Deviation::Values,
                [Said::Bits { form, bits: Some(bits) }, Said::Columns { weights, sums: Some(sums) }],
            ) => !bits_fit::<B, E>(self.entries, (weights, sums), form, bits),
            (Deviation::Weighted, said) => self.sum(said)?,
            (Deviation::Tree, [Said::Statement(stated)]) => self.tree(stated)?.root() != stated.root,
            (Deviation::Siblings, [Said::Statement(stated), Said::Rows { positions, nodes, .. }]) => {
                self.other_siblings(stated, positions, nodes)?
            }
            (
                Deviation::Encoding,
                [
                    Said::Values { values: None, .. }
                    | Said::Bits { bits: None, .. }
                    | Said::Weighed { first: None, .. }
                    | Said::Bound { answer: None, .. }
                    | Said::Columns { sums: None, .. }
                    | Said::Rows { part: None, .. },
                ],
            )
            | (Deviation::Answer, [Said::Malformed]) => true,
            (Deviation::Answer, [Said::Rows { positions, nodes, .. }]) => {
                let own = ownership.own_places(&ownership.places(positions), self.rank).len() * hash.bytes();
                nodes.iter().skip(own).any(|&byte| byte != 0)
            }
            _ => false,
        })
    }

    /// True if the two answers are to the same question and differ; of the earlier one the report has the digest.
    fn repeated_otherwise(&self) -> bool {
        let [later, earlier] = &self.report.statements[..] else { return false };
        let same = earlier.phase == later.phase && earlier.asked == later.asked;
        let digest = earlier.digest.as_ref().and_then(|digest| digest.array());
        same && digest != Some(block_digest(&later.block.0))
    }

    /// True if the siblings are not those of the tree that the rank states to have, in an answer that goes with this statement.
    fn other_siblings(&self, stated: &Statement, positions: &[usize], nodes: &[u8]) -> Result<bool, Invalid> {
        let tree = self.tree(stated)?;
        let [statement, rows] = &self.report.statements[..] else { return Ok(false) };
        if tree.root() != stated.root || rows.stated.0 != block_digest(&statement.block.0) {
            return Ok(false);
        }
        let places = self.ownership.own_places(&self.ownership.places(positions), self.rank);
        let own = tree.nodes(&places);
        Ok(nodes.get(..own.len()) != Some(&own[..]))
    }

    /// The tree over the slices in the report, which are those that the rank states to have had.
    fn tree(&self, stated: &Statement) -> Result<Subtree, Invalid> {
        let (ownership, slices) = (&self.ownership, &self.report.slices);
        let hash = ownership.spec().hash;
        let length = |slice: &super::Hex| slice.0.len() == ownership.slice_bytes();
        if slices.len() != ownership.ranks() || !slices.iter().all(length) {
            return Err(Invalid("slices of another number or length"));
        }
        if !slices.iter().zip(stated.received()).all(|(slice, had)| slice_hash(hash, &slice.0) == *had) {
            return Err(Invalid("slices that the rank did not state to have had"));
        }
        let all: Vec<u8> = slices.iter().flat_map(|slice| &slice.0).copied().collect();
        Ok(Subtree::new(ownership, &all))
    }
}
