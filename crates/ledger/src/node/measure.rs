//! What a ledger costs: proving, verifying, applying, plain execution, and the number of replicas from which proving pays.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use snark::groth16::setup_local;

use super::memory::constraints;
use super::{
    BatchCircuit, Cost, Draft, Keys, NoBatches, Node, NodeError, ProvingKey, clock, random, select, size_of,
};
use crate::chain::{Content, Params};
use crate::circuit::groth16::{Groth16Verifier, circuit};
use crate::circuit::{BatchProver, Binding};
use crate::machine::{Machine, Signed, run};
use crate::statement::{BatchSize, BatchVerifier};
use crate::token::{Token, Transaction, Workload};

/// What a replica that takes no proofs spends for a transaction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baseline {
    /// What it checks.
    pub name: &'static str,
    /// CPU time for a transaction.
    pub time: Duration,
}

/// Costs of batches of a size, which are full.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// The transactions of a batch.
    pub slots: usize,
    /// The constraints of its circuit.
    pub constraints: usize,
    /// Bytes of the prover's key in memory.
    pub key: usize,
    /// The local setup.
    pub setup: Cost,
    /// The way of the prover's key from its file into memory: all of it is checked.
    pub load: Cost,
    /// The proof.
    pub prove: Cost,
    /// All that a replica checks of a block.
    pub verify: Cost,
    /// The block's way to the disk, after the check.
    pub commit: Cost,
    /// Plain execution with signatures.
    pub execute: Cost,
    /// Checks of signatures alone.
    pub signatures: Cost,
    /// Bytes of the effect.
    pub effect: usize,
    /// Bytes of the proof.
    pub proof: usize,
    /// Bytes of the block.
    pub block: usize,
}

impl Measured {
    /// A cost of the whole batch for one transaction.
    #[must_use]
    pub fn each(&self, time: Duration) -> Duration {
        each(time, self.slots)
    }

    /// The number of replicas from which one prover and all replicas together spend less than replicas that check each transaction as `baseline` does, by CPU time.
    /// None if a replica's check of the proof costs more.
    #[must_use]
    pub fn crossover(&self, baseline: &Baseline) -> Option<f64> {
        crossover(self.each(self.prove.cpu), self.each(self.verify.cpu), baseline.time)
    }
}

/// A cost for one of so many.
pub(super) fn each(time: Duration, count: usize) -> Duration {
    Duration::from_secs_f64(time.as_secs_f64() / count.max(1) as f64)
}

/// `prover / (native - verifier)`, where `n` replicas spend `n native` without proofs and `prover + n verifier` with them.
pub(super) fn crossover(prover: Duration, verifier: Duration, native: Duration) -> Option<f64> {
    let gain = native.checked_sub(verifier).filter(|gain| !gain.is_zero())?;
    Some(prover.as_secs_f64() / gain.as_secs_f64())
}

/// The parameters of a chain for measurements.
const PARAMS: Params = Params { lanes: 1, timeout: 0, plain: 1024 };

/// Measures batches of a size on a chain that it makes in `folder`, which is not there yet and is removed: the medians of some rounds, after one that is not counted. `step` is told
/// what comes next. Proven are they without a setup if `transparent`, else by keys of a local one. Memory: [`super::proving_memory`], [`super::transparent_memory`].
///
/// # Errors
/// If the folder cannot be written.
///
/// # Panics
/// If the seeded workload is refused, which it is not.
pub fn measure(
    folder: &Path,
    (slots, transparent): (usize, bool),
    rounds: usize,
    step: &mut dyn FnMut(&'static str),
) -> Result<Measured, NodeError> {
    let size = size_of(slots).ok_or(NodeError::Genesis("there is no size of batches with so many"))?;
    let mut workload = Workload::new(1, 1000, 1);
    let mut node = Node::init(folder, workload.genesis(PARAMS))?;
    let machine = *node.replica.chain().machine();
    let (prover, verifier, once) = if transparent {
        without_setup(machine, size, step)?
    } else {
        with_key(&Keys::new(&Node::keys_folder(folder), true), (machine, size), step)?
    };
    let mut all = Vec::new();
    for round in 0..=rounds.max(1) {
        let [transactions, rest] = batch(&mut workload, size);
        let mut found = once;
        step("plain execution");
        execute(&node, &transactions, &mut found);
        step("proof");
        let (draft, _) = Draft::of(node.replica.chain(), transactions, size)?;
        let (batch, cost) = draft.prove(&*prover, 0, None)?;
        found.prove = cost;
        (found.effect, found.proof) = (batch.effect.len(), batch.proof.len());
        step("verification");
        let bytes = node.block(Content::Batch(batch));
        found.block = bytes.len();
        let start = clock::Start::now();
        let block = node.read_block(&bytes)?;
        let checked = node.replica.check(&block, &*verifier)?;
        found.verify = start.cost();
        let start = clock::Start::now();
        node.replica.commit(checked)?;
        found.commit = start.cost();
        for part in rest.chunks(usize::from(PARAMS.plain)) {
            let block = node.replica.chain().next(Content::Plain(part.to_vec()));
            node.apply(&block, &NoBatches)?;
        }
        // The first one finds cold caches.
        if round > 0 {
            all.push(found);
        }
    }
    drop(node);
    fs::remove_dir_all(folder).map_err(NodeError::io("remove", folder))?;
    Ok(medians(&all))
}

/// A prover, its verifier, and what both cost once.
type Made = (Box<dyn BatchProver>, Box<dyn BatchVerifier<Token>>, Measured);

/// By keys of a local setup.
fn with_key(
    keys: &Keys,
    (machine, size): (Token, BatchSize),
    step: &mut dyn FnMut(&'static str),
) -> Result<Made, NodeError> {
    step("setup");
    let slots = size.slots();
    let shape = circuit(slots);
    let start = clock::Start::now();
    let key = setup_local(&shape, &mut random()).map_err(|e| NodeError::Ceremony(e.0))?;
    let setup = start.cost();
    let constraints = shape.constraints();
    drop(shape);
    step("key");
    let (key, load) = reloaded(keys, slots, key)?;
    let verifier = Groth16Verifier::insecure(machine, vec![(size, key.verifying().clone())]);
    let verifier = verifier.map_err(|reason| NodeError::Key { path: "of this setup".into(), reason })?;
    let once = Measured { slots, constraints, key: key.bytes(), setup, load, ..Measured::default() };
    Ok((Box::new(key), Box::new(verifier), once))
}

/// Without keys: what is made from the circuit.
fn without_setup(
    machine: Token,
    size: BatchSize,
    step: &mut dyn FnMut(&'static str),
) -> Result<Made, NodeError> {
    step("circuit");
    let keys = Keys::new(Path::new(""), false).transparent(true);
    let start = clock::Start::now();
    let prover = keys.prover(size)?;
    let setup = start.cost();
    let slots = size.slots();
    let constraints = constraints(BatchCircuit::Replicas(slots, Binding::Commitment)) as usize;
    let once = Measured { slots, constraints, setup, ..Measured::default() };
    Ok((prover, keys.verifier(machine, &[size])?, once))
}

/// The key as it comes back from its file.
fn reloaded(keys: &Keys, slots: usize, key: ProvingKey) -> Result<(ProvingKey, Cost), NodeError> {
    keys.save(slots, &key)?;
    drop(key);
    let start = clock::Start::now();
    let key = keys.proving(slots)?;
    Ok((key, start.cost()))
}

/// Transactions for a full batch, and the others up to then, which are executed after it.
fn batch(workload: &mut Workload, size: BatchSize) -> [Vec<Signed<Transaction>>; 2] {
    let (mut waiting, mut taken) = (Vec::new(), Vec::new());
    while taken.len() < size.slots() {
        waiting.extend((0..size.slots()).map(|_| workload.transaction()));
        waiting.splice(0..0, taken);
        taken = select(&mut waiting, &BTreeSet::new(), size.slots());
    }
    [taken, waiting]
}

fn execute(node: &Node, transactions: &[Signed<Transaction>], found: &mut Measured) {
    let chain = node.replica.chain();
    let machine = chain.machine();
    let start = clock::Start::now();
    let executed = run(machine, chain, transactions);
    found.execute = start.cost();
    assert!(executed.is_ok(), "the workload's transactions are accepted in their order");
    let (domain, start) = (machine.domain(), clock::Start::now());
    for signed in transactions {
        let keys = machine.cells(&signed.transaction);
        let cells: Vec<_> = keys.iter().map(|key| crate::machine::State::cell(chain, key)).collect();
        if let Ok(signer) = machine.signer(&signed.transaction, &cells) {
            let valid = signer.verify(&domain, &machine.message(&signed.transaction), &signed.signature);
            assert!(valid.is_ok(), "the workload signs what it makes");
        }
    }
    found.signatures = start.cost();
}

/// The median of each cost; sizes are of the last round.
fn medians(all: &[Measured]) -> Measured {
    let cost = |of: fn(&Measured) -> Cost| {
        let median = |part: fn(&Cost) -> Duration| {
            let mut times: Vec<Duration> = all.iter().map(|found| part(&of(found))).collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        Cost { wall: median(|cost| cost.wall), cpu: median(|cost| cost.cpu) }
    };
    Measured {
        prove: cost(|found| found.prove),
        verify: cost(|found| found.verify),
        commit: cost(|found| found.commit),
        execute: cost(|found| found.execute),
        signatures: cost(|found| found.signatures),
        ..all.last().copied().unwrap_or_default()
    }
}
