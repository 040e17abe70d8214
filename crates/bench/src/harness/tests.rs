//! The harness on a toy whose costs are known.

use std::{thread::sleep, time::Duration};

use anyhow::{Result, bail};
use iop::security::{Regime, Report};
use serde_json::json;

use super::{Case, Facts, Plan, Scheme, run};

/// Commits to nothing, sleeps for a known time, answers with the thread count.
struct Toy {
    honest: bool,
}

const KEPT: usize = 8 << 20;

impl Scheme for Toy {
    type Witness = Vec<u8>;
    type State = Vec<u8>;
    type Proof = usize;

    fn facts(&self) -> Facts {
        let security = Report::new(Regime::UniqueDecoding, 0.0);
        Facts::new(["toy", "none", "plain"], 0, &security, json!({ "honest": self.honest }))
    }

    fn witness(&self) -> Vec<u8> {
        vec![1; KEPT]
    }

    fn commit(&self, witness: Vec<u8>) -> Result<Vec<u8>> {
        sleep(Duration::from_millis(20));
        Ok(witness)
    }

    fn open(&self, state: &Vec<u8>) -> Result<usize> {
        Ok(state.clone().iter().map(|&b| usize::from(b)).sum::<usize>() * rayon::current_num_threads())
    }

    fn verify(&self, proof: &usize) -> Result<()> {
        if self.honest && proof.is_multiple_of(KEPT) { Ok(()) } else { bail!("rejected") }
    }

    fn proof_bytes(&self, proof: &usize) -> Result<usize> {
        Ok(*proof / KEPT)
    }
}

#[test]
fn alternates_and_counts() {
    let cases = [Case::new(Toy { honest: true }), Case::new(Toy { honest: true })];
    let mut order = Vec::new();
    let plan = Plan { rounds: 2, threads: vec![1, 2] };
    let measured = run(&cases, &plan, |round, _, threads| order.push((round, threads))).unwrap();
    let round = |r| [(r, 1), (r, 1), (r, 2), (r, 2)];
    assert_eq!(order, [round(0), round(1), round(2)].concat());
    assert_eq!(measured.iter().map(|m| m.threads).collect::<Vec<_>>(), [1, 1, 2, 2]);
    for m in &measured {
        assert_eq!(m.samples.len(), 2);
        assert!(m.commit_ms.min >= 20.0, "{m:?}");
        for s in &m.samples {
            // The toy's "proof size" is the number of threads it saw.
            assert_eq!(s.proof_bytes, m.threads);
        }
    }
}

#[test]
fn a_rejected_proof_is_an_error() {
    let plan = Plan { rounds: 1, threads: vec![1] };
    let error = run(&[Case::new(Toy { honest: false })], &plan, |_, _, _| ()).unwrap_err();
    assert_eq!(format!("{error:#}"), "toy none 2^0 plain: verify: rejected");
}

#[test]
fn empty_plans_are_refused() {
    for (rounds, threads) in [(0, vec![1]), (1, vec![]), (1, vec![0])] {
        assert!(run(&[], &Plan { rounds, threads }, |_, _, _| ()).is_err());
    }
}
