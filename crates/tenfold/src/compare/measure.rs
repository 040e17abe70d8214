//! Measures one case: commit, open, verify.

use super::{Case, committed};
use crate::AnyScheme;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::prove;
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::security::{Policy, Report};
use std::time::Instant;

/// The label bound into every opening of a comparison.
const CONTEXT: &[u8] = b"compare";

/// Runs of each case; medians are given.
pub const RUNS: usize = 3;

/// What a case costs.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What the parameters prove.
    pub report: Report,
    /// Milliseconds to commit, to open and to verify.
    pub millis: [f64; 3],
    /// Bytes of the commitment.
    pub commitment_bytes: u64,
    /// Bytes of the proof.
    pub proof_bytes: u64,
    /// Bytes that the prover holds from commit to open.
    pub held_bytes: u64,
}

impl Case {
    /// Commits to data and opens one form, in several runs; each run opens another form.
    ///
    /// # Errors
    /// If the parameters are refused, or are for other data; if the scheme refuses its own proof.
    pub fn measure(&self, data: &Dataset, policy: &Policy) -> Result<Measurement, Error> {
        let scheme = self.params.clone().build(policy).map_err(Error::Params)?;
        let mut prover = scheme.prover();
        let other = || Error::OtherParams("these numbers are no words of 64 bits".to_string());
        let data = committed(data, &self.params).ok_or_else(other)?;
        let mut times: [Vec<f64>; 3] = Default::default();
        let (mut proof_bytes, mut commitment_bytes, mut held_bytes) = (0, 0, 0);
        for run in 0..RUNS as u64 {
            let (entries, form) = (prove::entries(&prover, &data)?, scheme.point(&point(&scheme, run)));
            let start = Instant::now();
            let mut witness = prover.commit(entries);
            times[0].push(millis(start));
            let start = Instant::now();
            let opened = prover.open(&mut witness, &[form], CONTEXT).map_err(Error::Params)?;
            times[1].push(millis(start));
            let start = Instant::now();
            let verdict = scheme.verify(&opened.file);
            times[2].push(millis(start));
            verdict?;
            proof_bytes = opened.proof_bytes as u64;
            commitment_bytes = witness.commitment().len() as u64;
            held_bytes = witness.memory() as u64;
            prover.recycle(witness);
        }
        let report = scheme.report().clone();
        Ok(Measurement { report, millis: times.map(median), commitment_bytes, proof_bytes, held_bytes })
    }
}

/// The coordinates of a point without structure.
fn point(scheme: &AnyScheme, run: u64) -> Vec<i128> {
    // Multiples of an odd number near 2^64 over the golden ratio.
    let coordinate = |v: u64| (v + 3 + run).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..scheme.summary().variables as u64).map(|v| coordinate(v).into()).collect()
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
