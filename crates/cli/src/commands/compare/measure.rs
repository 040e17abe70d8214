//! Measures one case: commit, open, verify.

use super::data::Data;
use super::plan::Planned;
use crate::commands::{blob, commit};
use crate::data::{Base, Column};
use crate::exit::Failure;
use crate::page::ComparisonRow;
use crate::theorems::ByTheorem;
use crate::units;
use iop::error::ParamError;
use iop::security::Policy;
use std::borrow::Cow;
use std::time::Instant;
use tenfold::any::{AnyEntries, AnyProver};
use tenfold::{AnyParams, AnyScheme};

/// The label bound into every opening of a comparison.
const CONTEXT: &[u8] = b"compare";

/// Runs of each case; medians are shown.
pub const RUNS: usize = 3;

/// Measures a case: commits to the data and opens a form, each run another one.
pub fn measure(planned: &Planned, data: &Data, policy: &Policy) -> Result<ComparisonRow, Failure> {
    let refused = |e: ParamError| Failure::usage(e.0, "report this: the search found these parameters");
    let scheme = planned.params.clone().build(policy).map_err(refused)?;
    let mut prover = scheme.prover();
    let source = Source::of(&planned.params, data)?;
    let mut times: [Vec<f64>; 3] = Default::default();
    let (mut proof_bytes, mut commitment_bytes, mut held) = (0, 0, 0);
    for run in 0..RUNS as u64 {
        let (entries, form) = (source.entries(&prover)?, scheme.point(&point(&scheme, run)));
        let start = Instant::now();
        let mut witness = prover.commit(entries);
        times[0].push(millis(start));
        let start = Instant::now();
        let opened = prover.open(&mut witness, &[form], CONTEXT).map_err(refused)?;
        times[1].push(millis(start));
        let start = Instant::now();
        let verdict = scheme.verify(&opened.file);
        times[2].push(millis(start));
        verdict.map_err(|e| Failure::invalid(format!("our own proof is refused: {e}")))?;
        proof_bytes = opened.proof_bytes as u64;
        commitment_bytes = witness.commitment().len() as u64;
        held = witness.memory() as u64;
        prover.recycle(witness);
    }
    let [commit_ms, open_ms, verify_ms] = times.map(median);
    let report = scheme.report();
    Ok(ComparisonRow {
        proven_bits: report.proven_bits(),
        interactive_bits: report.interactive_bits(),
        theorems: report.theorems.to_string(),
        by_theorem: report.into(),
        regime: report.regime.to_string(),
        commit_ms,
        open_ms,
        verify_ms,
        commitment_bytes,
        proof_bytes,
        peak_bytes: held,
        ..blank(planned)
    })
}

/// The entries that a case commits to.
enum Source<'a> {
    Column(Cow<'a, Column>),
    Bytes(Cow<'a, [u8]>),
}

impl<'a> Source<'a> {
    fn of(params: &AnyParams, data: &'a Data) -> Result<Self, Failure> {
        if let Some(base) = Base::from_data(params.summary().fields[0]) {
            return Ok(Self::Column(data.column(base)?));
        }
        let packed = data.packed().map(|(bytes, _)| Self::Bytes(bytes));
        let message = "these numbers are no words of 64 bits";
        packed.ok_or_else(|| Failure::usage(message, "leave --scheme ligerito out"))
    }

    fn entries(&self, prover: &AnyProver<'_>) -> Result<AnyEntries, Failure> {
        match self {
            Self::Column(column) => commit::entries(prover, column),
            Self::Bytes(bytes) => blob::source::entries(prover, bytes),
        }
    }
}

/// The coordinates of a point without structure.
fn point(scheme: &AnyScheme, run: u64) -> Vec<u64> {
    // Multiples of an odd number near 2^64 over the golden ratio.
    let coordinate = |v: u64| (v + 3 + run).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..scheme.summary().variables as u64).map(coordinate).collect()
}

/// A row without measurements, as wide as one that has them.
pub fn blank(planned: &Planned) -> ComparisonRow {
    const WIDE: f64 = 555.0;
    ComparisonRow {
        scheme: planned.params.scheme().name().into(),
        field: planned.field.clone(),
        profile: planned.profile.clone(),
        proven_bits: 128.0,
        interactive_bits: 128.0,
        theorems: String::new(),
        by_theorem: ByTheorem::default(),
        regime: planned.params.report().regime.to_string(),
        commit_ms: WIDE,
        open_ms: WIDE,
        verify_ms: WIDE,
        commitment_bytes: 999 << 10,
        proof_bytes: 999 << 10,
        peak_bytes: 999 << 10,
        setup: "none".into(),
        assumptions: format!("{} as a random oracle", planned.params.summary().hash.name()),
        commit: planned.commit.clone(),
        parameters: planned.commit.as_ref().map(|_| units::hex(&planned.params.digest())),
    }
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
