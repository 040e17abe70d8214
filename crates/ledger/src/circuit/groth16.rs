//! Batches proven by Groth16 over BN254.
//!
//! ```text
//!  proof of a batch  digest of the committed cells 32 | proof 128 | time of the padding account's last access varint | for each touched cell: time varint
//! ```
//! The times are hints: whatever they are, a proof that fits them is a proof of the statement. (notes: ledger-groth16)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::bn254::{decode_fr, encode_fr};
use curve::pairing::Bn254;
use snark::groth16::{Proof, ProveError, Provenance, ProvingKey, VerifyingKey, word};
use snark::r1cs::{Assignment, R1cs};

use super::{Binding, Claim, Public, Slot, TokenCircuit, Trace, Unprovable};
use crate::Invalid;
use crate::codec::{Reader, Writer, read_varint, write_varint};
use crate::machine::{Machine, Signed, State};
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::token::{Token, Transaction};

const LENGTH: Invalid = Invalid("the proof is cut short, or bytes follow it");

/// The reason that a batch has no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The transactions.
    #[error(transparent)]
    Unprovable(#[from] Unprovable),
    /// What a verifier would refuse by itself.
    #[error("a verifier refuses the batch: {0}")]
    Refused(#[from] Invalid),
    /// A signature, or a key of another circuit.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

/// The circuit of batches with so many slots, whose digest keys are made and read for. Its size does not depend on a chain. Time and memory are linear
/// in the slots: 2,241 constraints each with 64 of them.
#[must_use]
pub fn circuit(slots: usize) -> R1cs<curve::bn254::Fr> {
    let slots = vec![Slot::default(); slots];
    R1cs::of(&TokenCircuit { binding: Binding::Sponge, public: Public::default(), slots: &slots })
}

/// The digests of the circuits of a chain's sizes: two halves each, big-endian. Whoever changes the circuit finds the new ones by `just ledger-circuit`.
const DIGESTS: [[u128; 2]; 3] = [
    [0x5a99_cc28_6949_04c0_f36d_8db8_2191_3ced, 0x9b50_fbbd_3fa7_9d24_7735_2479_8811_5fc4],
    [0x6d41_3321_6b6c_1d06_df68_984c_73af_ab52, 0xa01d_3d88_afed_65e5_562f_1b39_91c8_5153],
    [0xc342_70f0_23ba_a4bb_6026_be96_5510_5b78, 0xbfba_e83e_7e19_a35e_67db_24e3_6777_69a0],
];

/// The digest of [`circuit`]`(slots)`, which nobody has to make for a [`BatchSize`].
#[must_use]
pub fn digest(slots: usize) -> [u8; 32] {
    match BatchSize::ALL.iter().zip(DIGESTS).find(|(size, _)| size.slots() == slots) {
        Some((_, [high, low])) => {
            let mut digest = [0; 32];
            let halves = [high, low].map(u128::to_be_bytes);
            digest.iter_mut().zip(halves.as_flattened()).for_each(|(to, from)| *to = *from);
            digest
        }
        None => circuit(slots).digest(),
    }
}

/// Proves that transactions turn the cells that they touch into what they become. The proof is verified before it is returned.
///
/// `key` is of [`circuit`]`(slots)`. Memory: some kilobytes for each constraint beside the key.
///
/// # Errors
/// If the batch does not fit, changes nothing, has a transaction that the rules refuse or whose signature is wrong, or the key is of another circuit.
pub fn prove(
    key: &ProvingKey<Bn254>,
    machine: &Token,
    state: &impl State<Token>,
    (batch, slots): (&[Signed<Transaction>], usize),
    rng: &mut impl snark::groth16::CryptoRng,
) -> Result<Vec<u8>, ProofError> {
    let trace = Trace::of(machine, state, batch, slots)?;
    let (public, proof) = prove_trace(key, &trace, rng)?;
    let digest = public.digest.ok_or(Invalid("a claim without a digest"))?;
    let mut w = Writer::with_capacity(192 + 2 * trace.times.len());
    w.bytes(&encode_fr(&digest));
    w.bytes(&proof.to_bytes());
    for time in [trace.padding_time].iter().chain(&trace.times) {
        write_varint(&mut w, u64::from(*time));
    }
    Ok(w.finish())
}

/// Proves a trace. The proof is verified before it is returned.
pub(crate) fn prove_trace(
    key: &ProvingKey<Bn254>,
    trace: &Trace,
    rng: &mut impl snark::groth16::CryptoRng,
) -> Result<(Public, Proof<Bn254>), ProofError> {
    let circuit = TokenCircuit::with_digest(trace)?;
    let proof = key.prove(&Assignment::of(&circuit), rng)?;
    key.verifying().verify(&circuit.public.elements(), &proof)?;
    Ok((circuit.public, proof))
}

/// Checks a proof of a statement whose cells before are those of the verifier's store.
///
/// Cost: three pairings, and some twenty products for each cell.
///
/// # Errors
/// If the statement is of another chain, has an account that is closed, the proof is malformed or does not fit it.
pub fn verify(
    key: &VerifyingKey<Bn254>,
    machine: &Token,
    statement: &Statement<Token>,
    proof: &[u8],
) -> Result<(), Invalid> {
    // V1. The chain.
    if statement.domain != machine.domain() {
        return Err(Invalid("a statement about another chain"));
    }
    // V2. The encoding.
    let mut r = Reader::new(proof);
    let digest: [u8; 32] = r.array().ok_or(LENGTH)?;
    let element = decode_fr(&digest)?;
    let snark = Proof::<Bn254>::from_bytes(r.bytes(Proof::<Bn254>::BYTES).ok_or(LENGTH)?)?;
    let mut time = || -> Result<u32, Invalid> {
        let time = read_varint(&mut r).map_err(|malformed| Invalid(malformed.0))?;
        u32::try_from(time).map_err(|_| Invalid("a time of more than 32 bits"))
    };
    let padding_time = time()?;
    let times = statement.cells.iter().map(|_| time()).collect::<Result<Vec<u32>, _>>()?;
    r.finish().ok_or(LENGTH)?;
    // V3. The public inputs, from the cells. V4. The proof.
    let Token { fee, issuer, .. } = *machine;
    let claim = Claim { statement, fee, issuer, times: &times, padding_time, context: [0; 32] };
    let public = Public { digest: Some(element), ..claim.public(&word(&element))? };
    key.verify(&public.elements(), &snark)
}

/// The verifier of a chain's batches, with a key for each size that it accepts.
#[derive(Clone, Debug)]
pub struct Groth16Verifier {
    machine: Token,
    keys: Vec<(BatchSize, VerifyingKey<Bn254>)>,
}

impl Groth16Verifier {
    /// A verifier with keys of a ceremony, each of the circuit of its size, which is made to compare its digest. That a file says so does not make a key one
    /// of a ceremony: compare [`VerifyingKey::digest`] with what those who took part published.
    ///
    /// # Errors
    /// If a key is of another circuit or of a local setup.
    pub fn new(machine: Token, keys: Vec<(BatchSize, VerifyingKey<Bn254>)>) -> Result<Self, Invalid> {
        if keys.iter().any(|(_, key)| key.provenance() == Provenance::Local) {
            return Err(Invalid("a key of a local setup: whoever made it can prove anything"));
        }
        Self::insecure(machine, keys)
    }

    /// **Insecure**: as [`Self::new`], with keys of a local setup too. Whoever made one of these makes money.
    ///
    /// # Errors
    /// If a key is of another circuit.
    pub fn insecure(machine: Token, keys: Vec<(BatchSize, VerifyingKey<Bn254>)>) -> Result<Self, Invalid> {
        if keys.iter().any(|(size, key)| *key.circuit() != digest(size.slots())) {
            return Err(Invalid("a key of another circuit than that of its batches"));
        }
        Ok(Self { machine, keys })
    }
}

impl BatchVerifier<Token> for Groth16Verifier {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        let key = self.keys.iter().find(|(of, _)| *of == size);
        let (_, key) = key.ok_or(Invalid("no key for batches of this size"))?;
        verify(key, &self.machine, statement, proof)
    }
}

#[cfg(test)]
pub(crate) mod tests;
