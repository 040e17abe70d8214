//! A batch for the contract: proven, sent, and judged by replicas.

use curve::bn254::{decode_fr, encode_g1};
use curve::pairing::Bn254;
use snark::groth16::{Proof, ProvingKey, VerifyingKey, Word, word};

use super::head::{Head, Published};
use super::payload::Payload;
use crate::Invalid;
use crate::circuit::challenges::keccak;
use crate::circuit::groth16::{ProofError, binding_words, prove_trace};
use crate::circuit::{Claim, Public, Trace};
use crate::machine::{Signed, State};
use crate::statement::Statement;
use crate::token::{Token, Transaction};

/// The arguments of a call of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The hash of cells and times: [`Claim::hash`].
    pub claim: Word,
    /// The binding of the committed cells: their digest and zero, or the coordinates of the commitment to them.
    pub binding: [Word; 2],
    /// The product over the cells after, divided by that over the cells before.
    pub quotient: Word,
    /// The proof's points.
    pub proof: [Word; 8],
    /// The published bytes, in calldata or in a blob.
    pub payload: Vec<u8>,
}

/// What a proof is made for.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The rules, with the contract.
    pub machine: &'a Token,
    /// The transactions that the contract's key has room for.
    pub slots: usize,
    /// The contract's state.
    pub last: Head,
    /// The versioned hash of the blob with a payload, if that goes into one.
    pub blob: Option<fn(&[u8]) -> Word>,
}

impl Target<'_> {
    fn published(&self, payload: &[u8]) -> Published {
        match self.blob {
            Some(hash) => Published::Blob(hash(payload)),
            None => Published::Calldata(keccak(payload)),
        }
    }

    /// The contract's state after it has accepted a submission.
    #[must_use]
    pub fn next(&self, submission: &Submission) -> Head {
        self.last.next(self.machine, self.published(&submission.payload), submission)
    }
}

/// Proves a batch for a contract. The proof is verified before it is returned.
///
/// # Errors
/// As [`crate::circuit::groth16::prove`]; and if no batch has as many slots as the target.
pub fn prove(
    key: &ProvingKey<Bn254>,
    target: &Target<'_>,
    state: &impl State<Token>,
    batch: &[Signed<Transaction>],
    rng: &mut impl snark::groth16::CryptoRng,
) -> Result<Submission, ProofError> {
    let mut trace = Trace::of(target.machine, state, batch, target.slots)?;
    let payload = Payload::encode(target.machine, batch, &trace);
    // What no replica can read is not proven.
    Payload::read(target.machine, target.slots, &payload).map_err(|malformed| Invalid(malformed.0))?;
    trace.context = target.last.context(target.published(&payload));
    let (public, proof) = prove_trace(key, &trace, rng)?;
    Ok(Submission {
        claim: trace.claim().hash(),
        binding: binding_words(&public, &proof),
        quotient: word(&public.quotient),
        proof: proof.words(),
        payload,
    })
}

impl Submission {
    /// The statement of a batch that the contract accepted, if it is one about the replica's own cells. A replica applies it, and ignores what is refused here: nobody but
    /// its author has proven anything about this ledger.
    ///
    /// The contract has checked the proof; that claim and quotient are those of the replica's cells is checked here, without a pairing.
    ///
    /// # Errors
    /// If the payload has no statement in this state, or the claim or the quotient is another one.
    pub fn statement(
        &self,
        target: &Target<'_>,
        state: &impl State<Token>,
    ) -> Result<Statement<Token>, Invalid> {
        self.judged(target, state).map(|(statement, _)| statement)
    }

    /// As [`Self::statement`], with the contract's part: checks that a contract in the target's state accepts the call, and replicas in this one apply it.
    ///
    /// # Errors
    /// As [`Self::statement`]; if the proof does not hold.
    pub fn verify(
        &self,
        key: &VerifyingKey<Bn254>,
        target: &Target<'_>,
        state: &impl State<Token>,
    ) -> Result<Statement<Token>, Invalid> {
        let (statement, public) = self.judged(target, state)?;
        self.check_proof(key, public)?;
        Ok(statement)
    }

    /// The statement, and the public inputs that the cells of the state lead to.
    pub(crate) fn judged(
        &self,
        target: &Target<'_>,
        state: &impl State<Token>,
    ) -> Result<(Statement<Token>, Public), Invalid> {
        // R1. The payload, in the state of the replica.
        let payload = Payload::read(target.machine, target.slots, &self.payload);
        let payload = payload.map_err(|malformed| Invalid(malformed.0))?;
        let (statement, times, padding_time) = payload.statement(target.machine, state)?;
        // R2. The claim.
        let context = target.last.context(target.published(&self.payload));
        let Token { fee, issuer, .. } = *target.machine;
        let claim = Claim { statement: &statement, fee, issuer, times, padding_time, context };
        if claim.hash() != self.claim {
            return Err(Invalid("a batch about other values than those of this state"));
        }
        // R3. The quotient, and what a verifier refuses by itself.
        let public = claim.public(&self.binding)?;
        if word(&public.quotient) != self.quotient {
            return Err(Invalid(
                "a quotient that is not that of the batch's cells, for this contract at this head",
            ));
        }
        Ok((statement, public))
    }

    /// Checks the proof as the contract does, for public inputs of [`Self::judged`].
    pub(crate) fn check_proof(&self, key: &VerifyingKey<Bn254>, public: Public) -> Result<(), Invalid> {
        let proof = Proof::<Bn254>::from_words(&self.proof)?;
        let (public, proof) = if key.has_commitment() {
            let points = curve::points::read(self.binding.map(reversed).as_flattened())?;
            let point = points.first().ok_or(Invalid("no commitment"))?;
            let proof = [&proof.to_bytes()[..], &encode_g1(point)].concat();
            (public, Proof::from_bytes(&proof)?)
        } else {
            let [digest, zero] = self.binding.map(reversed);
            if zero != [0; 32] {
                return Err(Invalid("a digest of more than one word"));
            }
            (Public { digest: Some(decode_fr(&digest)?), ..public }, proof)
        };
        key.verify(&public.elements(), &proof)
    }
}

/// A word in the byte order of files.
fn reversed(mut word: Word) -> Word {
    word.reverse();
    word
}
