//! Runs schemes against each other: A B A B ... over every thread count, in one process.
//!
//! Alternating spreads whatever else the machine does over all cases alike. The first round fills
//! caches, page tables and lazily built tables, and is not counted.

use std::{hint::black_box, time::Instant};

use anyhow::{Context, Result};
use iop::security::Report;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tenfold_report::exit::Failure;

use crate::{heap, stats::Spread};

/// Verifications per sample; their median is the sample's time, as one alone is too short to trust.
const VERIFICATIONS: usize = 5;

/// Description of a case in a table, beside its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The scheme.
    pub scheme: String,
    /// The challenge field.
    pub field: String,
    /// The parameters that tell the case from its neighbours.
    pub profile: String,
    /// The field of the data.
    pub data: String,
    /// Name of the case over all sizes, where a search chooses rate and challenge field for each.
    pub series: String,
    /// log2 of the number of base elements.
    pub log_size: u32,
    /// Bits of security proven for the parameters, by the union over all error terms.
    pub proven_bits: f64,
    /// The regime that they are proven in.
    pub regime: String,
    /// Every parameter, for the record.
    pub params: Value,
}

impl Facts {
    /// Facts with the bits of a report; `names` are scheme, field and profile. The data have the same field, the
    /// series the same names, until [`Facts::series`] says otherwise.
    pub fn new(names: [&str; 3], log_size: u32, security: &Report, params: Value) -> Self {
        let [scheme, field, profile] = names.map(str::to_owned);
        let (data, series) = (field.clone(), format!("{scheme} {profile}"));
        let (proven_bits, regime) = (security.proven_bits(), security.regime.to_string());
        Self { scheme, field, profile, data, series, log_size, proven_bits, regime, params }
    }

    /// The same facts as a member of a series over a data field.
    #[must_use]
    pub fn series(self, data: &str, name: &str) -> Self {
        Self { data: data.into(), series: format!("{} {name}", self.scheme), ..self }
    }

    /// The label of a line.
    pub fn name(&self) -> String {
        let Self { scheme, field, profile, log_size, .. } = self;
        format!("{scheme} {field} 2^{log_size} {profile}")
    }
}

/// A polynomial commitment with its parameters fixed, ready to be measured.
pub trait Scheme: Send + Sync + 'static {
    /// Data to commit to.
    type Witness;
    /// The prover's state between committing and opening.
    type State;
    /// Commitment, claims and proof, as the verifier holds them.
    type Proof;

    /// Describes the scheme, its parameters and its proven security.
    fn facts(&self) -> Facts;
    /// A pseudorandom witness, the same at every call. Not timed.
    fn witness(&self) -> Self::Witness;
    /// Commits; timed, and counted with the witness in `commit` of [`Peaks`].
    fn commit(&self, witness: Self::Witness) -> Result<Self::State>;
    /// Opens at a point drawn after the commitment; timed.
    fn open(&self, state: &Self::State) -> Result<Self::Proof>;
    /// Accepts or rejects; timed.
    fn verify(&self, proof: &Self::Proof) -> Result<()>;
    /// Bytes of the claims and the proof, without the commitment.
    fn proof_bytes(&self, proof: &Self::Proof) -> Result<usize>;
}

/// Peak live heap of each phase, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// While committing, the witness included.
    pub commit: usize,
    /// Up to the end of opening, with all that committing left alive: what the prover needs.
    pub open: usize,
    /// While verifying.
    pub verify: usize,
}

/// One commit, open and verify.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Milliseconds to commit.
    pub commit_ms: f64,
    /// Milliseconds to open.
    pub open_ms: f64,
    /// Milliseconds to verify: the median of a few runs.
    pub verify_ms: f64,
    /// Bytes of claims and proof.
    pub proof_bytes: usize,
    /// Peak heap by phase.
    pub peak_bytes: Peaks,
}

/// A [`Scheme`] with its types hidden.
pub struct Case {
    facts: Facts,
    sample: Box<dyn Fn() -> Result<Sample> + Send + Sync>,
}

impl Case {
    /// Wraps a scheme.
    pub fn new<S: Scheme>(scheme: S) -> Self {
        Self { facts: scheme.facts(), sample: Box::new(move || sample(&scheme)) }
    }

    /// The scheme's label.
    pub fn name(&self) -> String {
        self.facts.name()
    }

    /// Commits, opens and verifies once on the current thread pool.
    ///
    /// # Errors
    /// If a phase fails: an honest proof that is rejected is an error, not a number.
    pub fn sample(&self) -> Result<Sample> {
        (self.sample)().with_context(|| self.name())
    }
}

fn sample<S: Scheme>(scheme: &S) -> Result<Sample> {
    heap::reset();
    let witness = scheme.witness();
    let (commit_ms, state) = clock(|| scheme.commit(witness));
    let state = state.context("commit")?;
    let commit = heap::peak();

    let (open_ms, proof) = clock(|| scheme.open(&state));
    let proof = proof.context("open")?;
    let open = heap::peak();

    heap::reset();
    let mut times = Vec::with_capacity(VERIFICATIONS);
    for _ in 0..VERIFICATIONS {
        let (time, verdict) = clock(|| scheme.verify(black_box(&proof)));
        verdict.context("verify")?;
        times.push(time);
    }
    let verify = heap::peak();

    let proof_bytes = scheme.proof_bytes(&proof)?;
    let verify_ms = Spread::of(times).median;
    Ok(Sample { commit_ms, open_ms, verify_ms, proof_bytes, peak_bytes: Peaks { commit, open, verify } })
}

fn clock<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let out = black_box(work());
    (start.elapsed().as_secs_f64() * 1e3, out)
}

/// Number of rounds, and thread counts.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Counted rounds, at least one; one more runs first and is dropped.
    pub rounds: usize,
    /// Thread counts, each at least one.
    pub threads: Vec<usize>,
}

/// All samples of one case on one thread count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The case.
    pub facts: Facts,
    /// Threads of the pool it ran in.
    pub threads: usize,
    /// Median and range of the commit times, in milliseconds.
    pub commit_ms: Spread,
    /// Same for opening.
    pub open_ms: Spread,
    /// Same for verifying.
    pub verify_ms: Spread,
    /// The samples, in the order of the rounds.
    pub samples: Vec<Sample>,
}

/// Measures every case on every thread count, alternated; `progress` is told before each sample.
///
/// The result is ordered by thread count, then as `cases`.
///
/// # Errors
/// An empty plan, a thread pool that does not start, or a failing case.
pub fn run(
    cases: &[Case],
    plan: &Plan,
    mut progress: impl FnMut(usize, &Case, usize),
) -> Result<Vec<Measured>> {
    if plan.rounds == 0 || plan.threads.is_empty() || cases.is_empty() {
        let hint = "ask for a round, a thread and a scheme at least; what was left out is named above";
        return Err(Failure::usage("there is nothing to measure", hint).into());
    }
    // Zero would mean "all cores" to rayon.
    if plan.threads.contains(&0) {
        return Err(Failure::usage("a measurement runs on a thread at least", "pass --threads 1").into());
    }
    let pools: Vec<ThreadPool> = plan
        .threads
        .iter()
        .map(|&n| ThreadPoolBuilder::new().num_threads(n).build())
        .collect::<Result<_, _>>()?;
    let mut samples = vec![Vec::with_capacity(plan.rounds); pools.len() * cases.len()];
    for round in 0..=plan.rounds {
        let mut slots = samples.iter_mut();
        for pool in &pools {
            for (case, slot) in cases.iter().zip(slots.by_ref()) {
                progress(round, case, pool.current_num_threads());
                let sample = pool.install(|| case.sample())?;
                if round > 0 {
                    slot.push(sample);
                }
            }
        }
    }
    let places = plan.threads.iter().flat_map(|&threads| cases.iter().map(move |case| (threads, case)));
    Ok(places.zip(samples).map(|((threads, case), samples)| summary(case, threads, samples)).collect())
}

fn summary(case: &Case, threads: usize, samples: Vec<Sample>) -> Measured {
    let spread = |of: fn(&Sample) -> f64| Spread::of(samples.iter().map(of));
    Measured {
        facts: case.facts.clone(),
        threads,
        commit_ms: spread(|s| s.commit_ms),
        open_ms: spread(|s| s.open_ms),
        verify_ms: spread(|s| s.verify_ms),
        samples,
    }
}

#[cfg(test)]
mod tests;
