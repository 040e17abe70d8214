//! This project's.

use anyhow::{Result, anyhow, ensure};
use curve::pairing::Bn254;
use rayon::ThreadPoolBuilder;
use snark::groth16::{Proof, ProvingKey, setup_local};

use super::{Case, Groth16, Time};
use crate::heap;

pub(super) struct Ours<'a> {
    case: &'a Case,
    key: ProvingKey<Bn254>,
    proof: Option<Proof<Bn254>>,
    peak: usize,
}

impl<'a> Ours<'a> {
    pub(super) fn new(case: &'a Case) -> Result<Self> {
        let key = setup_local(&case.system, &mut rand::rng())?;
        Ok(Self { case, key, proof: None, peak: 0 })
    }
}

impl Groth16 for Ours<'_> {
    fn name(&self) -> &'static str {
        "ours"
    }

    fn prove(&mut self, threads: usize) -> Result<(Time, usize)> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        heap::reset();
        let assignment = &self.case.assignment;
        let committed = || self.key.commit(&assignment.committed, &mut rand::rng());
        let prove = || {
            pool.install(|| {
                if self.key.verifying().has_commitment() {
                    self.key.prove_committed(committed()?, assignment, &mut rand::rng())
                } else {
                    self.key.prove(assignment, &mut rand::rng())
                }
            })
        };
        let (time, proof) = Time::of(prove);
        self.peak = self.peak.max(heap::peak());
        let proof = self.proof.insert(proof?);
        Ok((time, proof.to_bytes().len()))
    }

    fn verify(&mut self) -> Result<Time> {
        let proof = self.proof.as_ref().ok_or_else(|| anyhow!("a proof first"))?;
        let verify = || self.key.verifying().verify(&self.case.assignment.public, proof);
        let (time, holds) = Time::of(verify);
        holds?;
        Ok(time)
    }

    fn remarks(&mut self) -> Result<Option<String>> {
        let bytes = self.key.to_bytes();
        let (digest, own) =
            (self.case.system.digest(), bytes.last_chunk().ok_or_else(|| anyhow!("no digest"))?);
        let (checked, key) = Time::of(|| ProvingKey::<Bn254>::from_bytes(&bytes, &digest));
        ensure!(key.is_ok(), "a key that is not read again");
        let (pinned, key) = Time::of(|| ProvingKey::<Bn254>::from_pinned_bytes(&bytes, &digest, own));
        ensure!(key.is_ok(), "a key that is not read again");
        Ok(Some(format!(
            "ours: a key of {} MB, {} MB in memory, read in {:.2} CPU s, pinned {:.2}; {} MB of heap in a proof beside it",
            bytes.len() / 1_000_000,
            self.key.bytes() / 1_000_000,
            checked.cpu,
            pinned.cpu,
            self.peak / 1_000_000
        )))
    }
}
