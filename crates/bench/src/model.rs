//! The search's model beside measurements: time and size of the named profiles of Ligerito.

use anyhow::{Context, Result, anyhow};
use pcs::ligerito::search::{find, pareto};
use pcs::ligerito::{Entries, Preset};
use std::fmt::Write as _;

use crate::harness::{Case, Measured};
use crate::ours;
use crate::stats::Spread;

/// A millisecond of the verifier counts as so many of the prover in a prediction.
const VERIFIER: f64 = 4.0;

/// Predictions of the search for the parameters that it takes.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// The profile with its challenge field.
    pub name: String,
    /// log2 of the number of 32-bit words.
    pub log_words: u32,
    /// Milliseconds to commit and to open on one core, and four times those to verify.
    pub millis: f64,
    /// Expected and longest proof of one value, in bytes.
    pub bytes: [f64; 2],
    /// Bytes of a value, which the harness counts with the proof.
    value: usize,
}

/// The named profiles over each of their fields on `2^log_words` words, as cases with their predictions.
///
/// # Errors
/// If a profile has no parameters of that size, or they need more than `memory` bytes.
pub fn cases(log_words: u32, memory: u64) -> Result<Vec<(Case, Predicted)>> {
    let named = Preset::ALL.into_iter().flat_map(|preset| preset.fields().iter().map(move |&f| (preset, f)));
    let case = |(preset, fields): (Preset, pcs::ligerito::Fields)| {
        let wanted = ours::wanted(log_words, (preset, fields, Entries::Whole))?;
        let params = find(&wanted).map_err(|e| anyhow!(e.reason().to_owned()))?;
        let found = pareto(&[wanted]).into_iter().find(|candidate| candidate.params == params);
        let found = found.context("what the search takes is a candidate")?;
        let predicted = Predicted {
            name: format!("{}, {}", preset.name(), fields.name()),
            log_words,
            millis: found.millis,
            bytes: [found.size.expected(), found.size.most() as f64],
            value: fields.bytes(),
        };
        Ok((ours::of_ligerito(preset, params, memory, None)?, predicted))
    };
    named.map(case).collect()
}

/// One line for each case: predicted and measured time and size, and the quotients of measured and predicted.
pub fn table(cases: &[Predicted], measured: &[Measured]) -> String {
    let mut out = String::from(
        "| words | profile | predicted ms | commit + open + 4 verify | quotient | expected bytes | measured | quotient | at most |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (predicted, measured) in cases.iter().zip(measured) {
        let Predicted { name, log_words, millis, bytes: [expected, most], value } = predicted;
        let [commit, open, verify] =
            [measured.commit_ms, measured.open_ms, measured.verify_ms].map(|spread| spread.median);
        let time = commit + open + VERIFIER * verify;
        let lengths = measured.samples.iter().map(|sample| (sample.proof_bytes - value) as f64);
        let length = Spread::of(lengths).median;
        let _ = writeln!(
            out,
            "| 2^{log_words} | {name} | {millis:.2} | {commit:.2} + {open:.2} + 4 · {verify:.2} = {time:.2} | {:.2} | {expected:.0} | {length:.0} | {:.3} | {most:.0} |",
            time / millis,
            length / expected,
        );
    }
    out
}
