//! Batches proven by Groth16 over BN254.
//!
//! ```text
//!  proof of a batch  digest of the committed cells 32 | proof 128 | times            the circuit has a digest
//!                    proof with a commitment 160 | times                           it has none ([`Binding`])
//!  times             time of the padding account's last access varint | for each touched cell: time varint
//! ```
//! The times are hints: whatever they are, a proof that fits them is a proof of the statement. (notes: ledger-groth16)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::bn254::{decode_fr, encode_fr};
use curve::pairing::Bn254;
use snark::groth16::{Proof, ProveError, Provenance, ProvingKey, VerifyingKey, Word, word};
use snark::r1cs::{Assignment, R1cs};

use std::collections::BTreeMap;

use super::{BatchProver, Binding, Claim, Public, Slot, TokenCircuit, Trace, Unprovable};
use crate::Invalid;
use crate::codec::{Reader, Writer, read_varint, write_varint};
use crate::machine::{Machine, Signed, State};
use crate::statement::{BatchSize, BatchVerifier, Statement, digest_of_keys};
use crate::store::Digest;
use crate::token::{Account, Index, Token, Transaction};

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

/// The circuit of batches with so many slots and their standard binding, whose digest keys are made and read for. Its size does not depend on a chain. Time and
/// memory are linear in the slots: 2,241 constraints each with 64 of them, 1,861 with 256.
///
/// # Panics
/// If there are more slots than 1,024.
#[must_use]
pub fn circuit(slots: usize) -> R1cs<curve::bn254::Fr> {
    circuit_with(slots, Binding::standard(slots))
}

/// As [`circuit`], with a binding of choice. A key of either is accepted wherever one for so many slots is.
///
/// # Panics
/// As [`circuit`].
#[must_use]
pub fn circuit_with(slots: usize, binding: Binding) -> R1cs<curve::bn254::Fr> {
    let slots = vec![Slot::default(); slots];
    let system = R1cs::of(&TokenCircuit { binding, public: Public::default(), slots: &slots });
    match binding {
        Binding::Commitment => system,
        Binding::Sponge => system.without_commitment(),
    }
}

/// The digests of the circuits of a chain's sizes, in the order of [`Binding::ALL`] for each: two halves, big-endian. Whoever changes the circuit finds the new
/// ones by `just ledger-circuit`.
const DIGESTS: [[[u128; 2]; 2]; 3] = [
    [
        [0xc7c9_12a8_3bf5_8098_2dd9_4ab7_c5e9_c1a7, 0x9207_eca1_4d5b_cc86_9f84_b9fa_e53c_e09c],
        [0xee76_dada_4898_9ffa_b358_22ee_ce38_d48a, 0x8259_d85d_e5ca_20af_6761_dc81_0aa4_3db0],
    ],
    [
        [0xc127_fa1c_47ed_8d19_4346_f684_ea42_1c05, 0x6826_74ce_0bda_f48c_7a31_d8ce_3338_7702],
        [0x51e0_8a2e_2254_e3cd_0e83_8a03_786f_70fb, 0x01da_006f_8f94_f94b_c540_181b_e42c_325f],
    ],
    [
        [0xeb1e_02e4_70f4_268b_8283_672d_14af_22a9, 0xba6d_4330_cb6b_99d7_1deb_7617_70d5_4568],
        [0xda47_bdb4_af8d_0e8e_f210_a76b_1701_2349, 0x2992_4b0e_cce6_22ce_8ced_ccdb_f17c_a087],
    ],
];

/// The digest of [`circuit`]`(slots)`, which nobody has to make for a [`BatchSize`].
#[must_use]
pub fn digest(slots: usize) -> [u8; 32] {
    digest_with(slots, Binding::standard(slots))
}

/// The digest of [`circuit_with`]`(slots, binding)`.
#[must_use]
pub fn digest_with(slots: usize, binding: Binding) -> [u8; 32] {
    let known = BatchSize::ALL.iter().zip(DIGESTS).find(|(size, _)| size.slots() == slots);
    let known = known.and_then(|(_, digests)| {
        Binding::ALL.into_iter().zip(digests).find_map(|(of, digest)| (of == binding).then_some(digest))
    });
    known.map_or_else(|| circuit_with(slots, binding).digest(), written_down)
}

/// A digest of which the two halves are written down.
pub(crate) fn written_down(halves: [u128; 2]) -> Digest {
    let mut digest = [0; 32];
    let halves = halves.map(u128::to_be_bytes);
    digest.iter_mut().zip(halves.as_flattened()).for_each(|(to, from)| *to = *from);
    digest
}

/// Checks that a key is of a circuit of batches with so many slots, with either binding.
pub(crate) fn is_of_batches(key: &VerifyingKey<Bn254>, slots: usize) -> bool {
    *key.circuit() == digest_with(slots, binding_of(key))
}

/// The binding of a key's circuit: a key has a commitment if and only if its circuit has committed cells.
pub(crate) fn binding_of(key: &VerifyingKey<Bn254>) -> Binding {
    if key.has_commitment() { Binding::Commitment } else { Binding::Sponge }
}

/// Proves that transactions turn the cells that they touch into what they become. The proof is verified before it is returned.
///
/// `key` is of [`circuit`]`(slots)` or of [`circuit_with`]. Memory: some kilobytes for each constraint beside the key.
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
    let mut w = Writer::with_capacity(192 + 2 * trace.times.len());
    if let Some(digest) = &public.digest {
        w.bytes(&encode_fr(digest));
    }
    w.bytes(&proof.to_bytes());
    for time in [trace.padding_time].iter().chain(&trace.times) {
        write_varint(&mut w, u64::from(*time));
    }
    Ok(w.finish())
}

/// With blinding of the system's random numbers.
impl BatchProver for ProvingKey<Bn254> {
    fn prove_batch(
        &self,
        machine: &Token,
        accounts: &BTreeMap<Index, Account>,
        batch: (&[Signed<Transaction>], usize),
    ) -> Result<Vec<u8>, ProofError> {
        prove(self, machine, accounts, batch, &mut crate::node::random())
    }
}

/// Proves a trace. The proof is verified before it is returned.
pub(crate) fn prove_trace(
    key: &ProvingKey<Bn254>,
    trace: &Trace,
    rng: &mut impl snark::groth16::CryptoRng,
) -> Result<(Public, Proof<Bn254>), ProofError> {
    let (circuit, proof) = if key.verifying().has_commitment() {
        let committed = key.commit(&trace.committed(), rng)?;
        let circuit = TokenCircuit::with_commitment(trace, committed.commitment())?;
        (circuit, key.prove_committed(committed, &Assignment::of(&circuit), rng)?)
    } else {
        let circuit = TokenCircuit::with_digest(trace)?;
        (circuit, key.prove(&Assignment::of(&circuit), rng)?)
    };
    key.verifying().verify(&circuit.public.elements(), &proof)?;
    Ok((circuit.public, proof))
}

/// The two words that bind the committed cells of a proof: [`Claim::public`].
pub(crate) fn binding_words(public: &Public, proof: &Proof<Bn254>) -> [Word; 2] {
    let commitment = proof.commitment().map(snark::groth16::Commitment::words);
    commitment.unwrap_or_else(|| [word(&public.digest.unwrap_or_default()), [0; 32]])
}

/// Checks a proof of a statement whose cells before are those of the verifier's store.
///
/// Cost: three pairings, four with a commitment, and some twenty products for each cell.
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
    let (digest, length) = if key.has_commitment() {
        (None, Proof::<Bn254>::COMMITTED_BYTES)
    } else {
        let digest: [u8; 32] = r.array().ok_or(LENGTH)?;
        (Some(decode_fr(&digest)?), Proof::<Bn254>::BYTES)
    };
    let snark = Proof::<Bn254>::from_bytes(r.bytes(length).ok_or(LENGTH)?)?;
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
    let bound = Public { digest, ..Public::default() };
    let public = Public { digest, ..claim.public(&binding_words(&bound, &snark))? };
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
        if keys.iter().any(|(size, key)| !is_of_batches(key, size.slots())) {
            return Err(Invalid("a key of another circuit than that of its batches"));
        }
        Ok(Self { machine, keys })
    }

    /// A verifier with keys that were checked to be of the circuits of their sizes.
    pub(crate) fn read(machine: Token, keys: Vec<(BatchSize, VerifyingKey<Bn254>)>) -> Self {
        Self { machine, keys }
    }
}

impl BatchVerifier<Token> for Groth16Verifier {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        let key = self.keys.iter().find(|(of, _)| *of == size);
        let (_, key) = key.ok_or(Invalid("no key for batches of this size"))?;
        verify(key, &self.machine, statement, proof)
    }

    fn takes(&self, size: BatchSize) -> bool {
        self.keys.iter().any(|(of, _)| *of == size)
    }

    fn keys(&self) -> Digest {
        digest_of_keys(self.keys.iter().map(|(size, key)| (*size, key.digest())))
    }
}

#[cfg(test)]
pub(crate) mod tests;
