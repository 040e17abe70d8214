//! The committed matrix as the coordinator has it: its own columns, and questions to the other ranks. (notes: cluster-messages)

use crate::blame::{Answer, Evidence, values_answer};
use crate::commit::Agreed;
use crate::error::{Deviation, Error};
use crate::meter::{Meter, Meters, Phase};
use crate::ownership::Ownership;
use crate::party::{COORDINATOR, Party};
use crate::recall::{EntryValues, Recall};
use crate::session::{Blocks, Charge};
use crate::share::Share;
use crate::weighted::{self, Weighing};
use crate::wire::{Question, are_elements, elements, padded};
use crate::worker;
use core::cell::RefCell;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use iop::merkle::MerkleTree;
use iop::poly::TensorForm;
use iop::transcript::ProverTape;
use pcs::matrix::{CommittedMatrix, Unavailable};
use pcs::ring_switching::Entries;

/// A matrix whose columns are held by all ranks of a job, as its coordinator asks about it.
pub(crate) struct DistributedMatrix<'a, B: Field, E> {
    pub(crate) ownership: Ownership,
    entries: Entries,
    /// Over the roots of all ranks' parts of the tree.
    top: MerkleTree,
    state: RefCell<State<'a, B, E>>,
}

struct State<'a, B: Field, E> {
    party: Party<'a>,
    agreed: Agreed<B>,
    evidence: Evidence<E>,
    recall: Recall<E>,
}

impl<'a, B: FoldableCode, E: ExtensionOf<B>> DistributedMatrix<'a, B, E> {
    /// Commits to the columns of all ranks.
    pub fn commit(mut party: Party<'a>, share: Share<B>, entries: Entries) -> Result<Self, Error> {
        let ownership = share.ownership;
        let agreed = Agreed::coordinate::<E>(&mut party, share).inspect_err(|error| {
            party.session.report_error(error);
            party.stop(error.rank(), error.reason());
        })?;
        let roots = agreed.statements.iter().flat_map(|statement| statement.root.iter()).copied().collect();
        let top = MerkleTree::new(ownership.spec().hash, roots);
        let state = State { party, agreed, evidence: Evidence::new(), recall: Recall::new() };
        Ok(Self { ownership, entries, top, state: RefCell::new(state) })
    }

    /// Ends the job by an error: late answers must not be taken for those to later questions.
    pub fn end(&self, error: &Error) {
        let party = &mut self.state.borrow_mut().party;
        if party.awaited {
            party.session.report_error(error);
        }
        party.stop(error.rank(), error.reason());
    }

    /// An error once the job has ended.
    pub fn live(&self) -> Result<(), Error> {
        if self.state.borrow().party.awaited { Ok(()) } else { Err(Error::Ended) }
    }

    /// Pairs of ranks that differed about what one sent to the other.
    pub fn disputes(&self) -> Vec<[usize; 2]> {
        self.state.borrow().agreed.disputes.clone()
    }

    /// Looks through all answers of an opening whose proof does not hold.
    pub fn blame(&self) -> Error {
        let State { party, agreed, evidence, recall } = &mut *self.state.borrow_mut();
        let recalled = recall.recall(party, agreed, evidence);
        let blamed = recalled.and_then(|()| evidence.blame(party, agreed));
        let blamed =
            blamed.and_then(|()| recall.check_bits(party, (&self.ownership, self.entries), evidence));
        blamed.err().unwrap_or(Error::Unexplained)
    }

    /// Forgets the answers of an opening that came to a proof; those that the commitment rests on stay.
    pub fn forget(&self, [answers, records]: [usize; 2]) {
        let State { party, evidence, recall, .. } = &mut *self.state.borrow_mut();
        evidence.answers.truncate(answers);
        recall.forget();
        party.session.forget(records);
    }

    /// The result of an opening: forgets its answers, or ends the job by the error.
    pub fn forget_after<T>(&self, result: Result<T, Error>, answers: [usize; 2]) -> Result<T, Error> {
        let result = result.inspect_err(|error| self.end(error))?;
        self.forget(answers);
        Ok(result)
    }

    /// The number of answers so far, and of records of what was signed.
    pub fn answers(&self) -> [usize; 2] {
        let state = self.state.borrow();
        [state.evidence.answers.len(), state.party.session.records()]
    }

    /// Runs what the coordinator does alone, with the questions that it asks, and measures what is not measured by these and is not communication.
    pub fn measured<T>(&self, run: impl FnOnce() -> T) -> T {
        let (watch, before) = {
            let party = &self.state.borrow().party;
            (party.stopwatch(), party.meter.total().cpu + party.communicating)
        };
        let result = run();
        let party = &mut self.state.borrow_mut().party;
        let asked = party.meter.total().cpu + party.communicating - before;
        party.meter.of_mut(Phase::Coordinator).cpu += watch.nanoseconds().saturating_sub(asked);
        result
    }

    /// Ends the job; returns the costs of all ranks.
    pub fn finish(&self) -> Result<Meters, Error> {
        self.live()?;
        let mut state = self.state.borrow_mut();
        Question::<E>::Finish.ask(&mut state.party)?;
        // Whoever heard this answers once and ends; whoever did not has no coordinator any more.
        state.party.awaited = false;
        let party = &mut state.party;
        let own = party.meter.clone();
        let all = party.gather(Phase::Coordinator, &own.to_bytes())?;
        party.compare_heads()?;
        let meter = |(rank, bytes): (usize, &[u8])| {
            Meter::from_bytes(bytes).ok_or(Error::Deviation { rank, deviation: Deviation::Answer })
        };
        Ok(Meters(all.chunks_exact(Meter::BYTES).enumerate().map(meter).collect::<Result<_, _>>()?))
    }

    fn values(&self, form: &TensorForm<E>) -> Result<Vec<E>, Error> {
        let State { party, agreed, evidence, .. } = &mut *self.state.borrow_mut();
        Question::Values(form.clone()).ask(party)?;
        let blocks = worker::values(party, &agreed.part.share, form)?;
        let values = self.by_rank(&blocks, |rank| self.ownership.columns(rank).len())?;
        let all = values.concat();
        evidence.answers.push(Answer::Values { form: form.clone(), values });
        Ok(all)
    }

    /// Begins a weighted sum: gives each rank its weights. The ranks' parts of the sum.
    pub fn weigh(&self, weights: &[u8]) -> Result<(Weighing<B, E>, Blocks), Error> {
        let State { party, agreed, .. } = &mut *self.state.borrow_mut();
        Question::<E>::Weigh.ask(party)?;
        weighted::weigh(party, (&agreed.part.share, self.entries), weights)
    }

    /// Binds a variable of a weighted sum; the ranks' messages of the next round.
    pub fn bind(&self, weighing: &mut Option<Weighing<B, E>>, challenge: E) -> Result<Blocks, Error> {
        let State { party, agreed, .. } = &mut *self.state.borrow_mut();
        Question::Bind(challenge).ask(party)?;
        let own = weighted::bind(party, &agreed.part.share, weighing, challenge)?;
        party.gather(Phase::Values, &padded(&own, own.len()))
    }

    /// Binds the last variable of the columns; takes what each rank has left, its own first.
    pub fn bind_last(
        &self,
        weighing: &mut Option<Weighing<B, E>>,
        challenge: E,
        mut each: impl FnMut(usize, Vec<E>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let State { party, agreed, .. } = &mut *self.state.borrow_mut();
        Question::Bind(challenge).ask(party)?;
        let own = weighted::bind(party, &agreed.part.share, weighing, challenge)?;
        let rows = own.len();
        party.compute(Phase::Values, || each(COORDINATOR, own))?;
        party.gather_each(Phase::Values, rows * E::BYTES, |rank, block| {
            let refused = Error::Deviation { rank, deviation: Deviation::Encoding };
            each(rank, elements(block, rows).ok_or(refused)?)
        })?;
        Ok(())
    }

    /// The values of the first form that was opened after so many answers, by rank: of each column, or of each entry that is packed in it.
    pub fn entry_values(&self, before: usize) -> Option<Vec<EntryValues<E>>> {
        let state = self.state.borrow();
        if self.entries.log_bits().is_some() {
            return state.recall.entry_values::<B>(&self.ownership, self.entries);
        }
        let of_rank = |values: &Vec<E>| {
            let answer = values_answer(&self.ownership, values);
            EntryValues { values: values.clone(), answer }
        };
        state.evidence.answers.get(before..)?.iter().find_map(|answer| match answer {
            Answer::Values { values, .. } => Some(values.iter().map(of_rank).collect()),
            _ => None,
        })
    }

    /// Keeps a report of a charge, if the rank has signed what it is charged with.
    pub fn report(&self, charge: Charge) {
        self.state.borrow().party.session.report(charge);
    }

    fn columns(&self, weights: &[E]) -> Result<Vec<E>, Error> {
        let State { party, agreed, evidence, recall, .. } = &mut *self.state.borrow_mut();
        let all = recall.columns(party, &agreed.part.share, weights)?;
        // The sums are asked for again if somebody is to blame.
        evidence.answers.push(Answer::Columns { weights: weights.to_vec(), sums: Vec::new() });
        Ok(all)
    }

    fn bits(&self, form: &TensorForm<E>) -> Result<Vec<u8>, Error> {
        let State { party, agreed, evidence, recall, .. } = &mut *self.state.borrow_mut();
        recall.bits(party, &agreed.part.share, (form, evidence.answers.len()))
    }

    /// The bytes of the rows of the leaves at positions, end to end, and the nodes beside their paths. No element is made of them: the proof has the bytes that the ranks send.
    fn rows(&self, positions: &[usize]) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let State { party, agreed, evidence, .. } = &mut *self.state.borrow_mut();
        let ownership = &self.ownership;
        Question::<E>::Rows(positions.to_vec()).ask(party)?;
        let blocks = worker::rows(party, &agreed.part, positions)?;
        let (of_rows, of_nodes) = worker::row_block_bytes::<B>(ownership, positions);
        let (mut parts, mut nodes, places) = (Vec::new(), Vec::new(), ownership.places(positions));
        for (rank, block) in blocks.chunks_exact((of_rows + of_nodes).max(1)).enumerate() {
            let (rows, of_tree) = block.split_at(of_rows);
            let count = positions.len() * (ownership.columns(rank).len() << ownership.spec().log_fibre);
            if !are_elements::<B>(rows, count) {
                return Err(Error::Deviation { rank, deviation: Deviation::Encoding });
            }
            let own = ownership.own_places(&places, rank).len() * ownership.spec().hash.bytes();
            if of_tree[own..].iter().any(|&byte| byte != 0) {
                return Err(Error::Deviation { rank, deviation: Deviation::Answer });
            }
            parts.push(rows);
            nodes.push(of_tree);
        }
        let (joined, siblings) = (self.join(positions.len(), &parts), self.siblings(positions, &nodes));
        evidence.answers.push(Answer::Rows { positions: positions.to_vec(), blocks });
        Ok((joined, siblings))
    }

    /// The bytes of whole rows from the columns of each rank.
    fn join(&self, leaves: usize, parts: &[&[u8]]) -> Vec<u8> {
        let (spec, rows) = (self.ownership.spec(), leaves << self.ownership.spec().log_fibre);
        let widths: Vec<usize> =
            (0..parts.len()).map(|rank| self.ownership.columns(rank).len() * B::BYTES).collect();
        let mut joined = Vec::with_capacity(rows * spec.width * B::BYTES);
        for row in 0..rows {
            for (part, &width) in parts.iter().zip(&widths) {
                joined.extend_from_slice(&part[row * width..][..width]);
            }
        }
        joined
    }

    /// The nodes beside the paths, in the proof's order, from what each rank has of them in the same order.
    fn siblings(&self, positions: &[usize], nodes: &[&[u8]]) -> Vec<u8> {
        let (digest, below) = (self.ownership.spec().hash.bytes(), self.ownership.log_own_leaves());
        let mut taken = vec![0; nodes.len()];
        let mut siblings = Vec::new();
        for place @ (height, index) in self.ownership.places(positions) {
            if let Some((rank, _)) = self.ownership.owner(place) {
                siblings.extend_from_slice(&nodes[rank][taken[rank]..][..digest]);
                taken[rank] += digest;
            } else {
                let layer = self.top.cap(self.top.log_leaves() - (height - below));
                siblings.extend_from_slice(&layer[index * digest..][..digest]);
            }
        }
        siblings
    }

    /// Elements of all ranks' blocks, so many of each.
    fn by_rank(&self, blocks: &[u8], count: impl Fn(usize) -> usize) -> Result<Vec<Vec<E>>, Error> {
        let parse = |(rank, block): (usize, &[u8])| {
            elements(block, count(rank)).ok_or(Error::Deviation { rank, deviation: Deviation::Encoding })
        };
        blocks.chunks_exact(blocks.len() / self.ownership.ranks()).enumerate().map(parse).collect()
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> CommittedMatrix<E> for DistributedMatrix<'_, B, E> {
    fn root(&self) -> Digest {
        self.top.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        Ok(self.values(form)?)
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        Ok(self.columns(weights)?)
    }

    fn combine_bits(&self, form: &TensorForm<E>) -> Result<Vec<u8>, Unavailable> {
        Ok(self.bits(form)?)
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        let (rows, siblings) = self.rows(positions)?;
        tape.hint_bytes("rows", &rows);
        tape.hint_bytes("paths", &siblings);
        Ok(())
    }
}
