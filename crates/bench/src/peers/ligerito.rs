//! The published `ligerito` crate, as its users would run it: 148 queries at rate 1/4, SHA-256 transcript.
//!
//! It commits and proves in one call, so all of its time stands under "open"; a claim is one entry at an index.

use anyhow::{Result, anyhow, ensure};
use ligerito::security::analyze;
use ligerito::{
    FiatShamir, FinalizedLigeritoProof, ProverConfig, VerifierConfig, eval_proof::EvalClaim,
    prove_with_evaluations, prove_with_transcript, prover_config_for_log_size, verifier_config_for_log_size,
    verify_with_evaluations, verify_with_transcript,
};
use ligerito_binary_fields::{BinaryElem32, BinaryElem128};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::harness::{Case, Facts, Scheme};

type Proof = FinalizedLigeritoProof<BinaryElem32, BinaryElem128>;

/// The peer on `2^log_size` elements of GF(2^32), with or without a claim about one of them.
///
/// # Errors
/// If the crate has no parameters of that size.
pub fn case(log_size: u32, claim: bool) -> Result<Case> {
    ensure!((20..=28).contains(&log_size), "the peer is measured between 2^20 and 2^28 elements");
    let prover = prover_config_for_log_size(log_size);
    Ok(Case::new(Peer { log_size, claim, prover, verifier: verifier_config_for_log_size(log_size) }))
}

struct Peer {
    log_size: u32,
    claim: bool,
    prover: ProverConfig<BinaryElem32, BinaryElem128>,
    verifier: VerifierConfig,
}

/// The proof with the entry that it is about.
struct Message {
    claims: Vec<EvalClaim<BinaryElem32>>,
    proof: Proof,
}

/// A transcript as both sides start it.
fn transcript() -> FiatShamir {
    FiatShamir::new_sha256(0)
}

impl Scheme for Peer {
    type Witness = Vec<BinaryElem32>;
    type State = Vec<BinaryElem32>;
    type Proof = Message;

    fn facts(&self) -> Facts {
        let profile = if self.claim { "one index, 1/4" } else { "no claim, 1/4" };
        let parameters = json!({ "library": "ligerito 0.8.0", "queries": 148, "claim": self.claim });
        Facts {
            scheme: "ligerito crate".into(),
            field: "gf128".into(),
            profile: profile.into(),
            data: "gf32".into(),
            series: format!("ligerito crate {profile}"),
            log_size: self.log_size,
            // By the crate's own calculator.
            proven_bits: analyze(&self.verifier).total_bits(),
            regime: "unique decoding".into(),
            params: parameters,
        }
    }

    fn witness(&self) -> Self::Witness {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(self.log_size));
        (0..1u64 << self.log_size).map(|_| BinaryElem32::from(rng.next_u32())).collect()
    }

    /// Nothing: the crate does not commit apart from proving.
    fn commit(&self, witness: Self::Witness) -> Result<Self::State> {
        Ok(witness)
    }

    fn open(&self, entries: &Self::State) -> Result<Message> {
        let index = entries.len() / 3;
        let claims: Vec<_> =
            self.claim.then(|| EvalClaim { index, value: entries[index] }).into_iter().collect();
        let proof = if self.claim {
            prove_with_evaluations(&self.prover, entries, &claims, transcript())
        } else {
            prove_with_transcript(&self.prover, entries, transcript())
        };
        Ok(Message { claims, proof: proof.map_err(|e| anyhow!("{e}"))? })
    }

    fn verify(&self, Message { claims, proof }: &Message) -> Result<()> {
        let verdict = if self.claim {
            verify_with_evaluations(&self.verifier, proof, claims, transcript())
        } else {
            verify_with_transcript(&self.verifier, proof, transcript())
        };
        ensure!(verdict.map_err(|e| anyhow!("{e}"))?, "the peer rejects its own proof");
        Ok(())
    }

    fn proof_bytes(&self, message: &Message) -> Result<usize> {
        Ok(postcard::to_allocvec(&message.proof)?.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::{Plan, run};

    #[test]
    fn the_peer_runs_and_reports_what_it_proves() {
        let cases = [case(20, false).unwrap(), case(20, true).unwrap()];
        let measured = run(&cases, &Plan { rounds: 1, threads: vec![1] }, |_, _, _| {}).unwrap();
        for case in &measured {
            // A hundred bits and a union over the levels, by its own report.
            assert!((95.0..101.0).contains(&case.facts.proven_bits), "{}", case.facts.proven_bits);
            assert!(case.samples[0].proof_bytes > 50_000);
        }
    }
}
