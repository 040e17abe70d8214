//! Batches proven without a setup: the circuit's argument is [`snark::spartan`], whose bits are proven, in place of Groth16.
//!
//! ```text
//!  proof of a batch  time of the padding account's last access varint | for each touched cell: time varint | proof, which begins with a commitment
//! ```
//! The circuit is that of [`super::groth16`] with a commitment, and so is what a verifier computes. Proofs are a thousand times longer than Groth16's, and no key has to be trusted: whoever
//! verifies makes all that it takes from the circuit. (notes: ledger-transparent)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use curve::bn254::Fr;
use snark::groth16::Word;
use snark::r1cs::{Assignment, R1cs};
pub use snark::spartan::{ParamError, Params, Policy, Profile, Report, Scheme, read_params};

use super::challenges::keccak;
use super::groth16::{ProofError, circuit_with};
use super::{BatchProver, Binding, Claim, TokenCircuit, Trace};
use crate::Invalid;
use crate::codec::{Reader, Writer, read_varint, write_varint};
use crate::machine::{Machine, Signed, State};
use crate::statement::{BatchSize, BatchVerifier, Statement, digest_of_keys};
use crate::store::Digest;
use crate::token::{Account, Index, Token, Transaction};

/// The second word of the binding, which no other proof system's has: beside a commitment by Groth16 it is a coordinate below the modulus, and beside a digest it is zero.
const TAG: &[u8; 32] = b"\xfftenfold ledger transparent v1\0\0";

/// The bits that the parameters of a chain's batches prove, by [`Policy::at_least`].
pub const BITS: u32 = 128;

/// Parameters of a chain's batches, in the order of [`BatchSize`], as files have them. Written down, since replicas that took others would refuse one another's batches, and another
/// version's search may find others. Whoever changes the circuit finds new ones by `just ledger-circuit`.
#[rustfmt::skip]
const PARAMS: [&[u8]; 3] = [
    &[
        7, 1, 50, 0, 0, 0, 13, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 118, 0, 0, 0, 15, 0, 0, 0, 0, 0,
        0, 0, 0, 2, 3, 0, 0, 0, 4, 0, 0, 0, 58, 0, 0, 0, 15, 0, 0, 0,
        0, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 47, 0, 0, 0, 14, 0, 0, 0,
        0, 0, 0, 0,
    ],
    &[
        7, 1, 100, 0, 0, 0, 15, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 116, 0, 0, 0, 15, 0, 0, 0, 0, 0,
        0, 0, 0, 2, 4, 0, 0, 0, 4, 0, 0, 0, 58, 0, 0, 0, 15, 0, 0, 0,
        0, 0, 0, 0, 3, 0, 0, 0, 6, 0, 0, 0, 39, 0, 0, 0, 13, 0, 0, 0,
        0, 0, 0, 0,
    ],
    &[
        7, 1, 100, 0, 0, 0, 17, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0,
        0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 116, 0, 0, 0, 15, 0, 0, 0, 0, 0,
        0, 0, 0, 3, 3, 0, 0, 0, 3, 0, 0, 0, 77, 0, 0, 0, 15, 0, 0, 0,
        0, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 47, 0, 0, 0, 15, 0, 0, 0,
        0, 0, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 34, 0, 0, 0, 13, 0, 0, 0,
        0, 0, 0, 0,
    ],
];

/// The argument for a chain's batches of a size. Time and memory are linear in the slots, since the circuit is made: 0.3 s for 64 and 5 s for 1,024.
///
/// # Errors
/// If the parameters that are written down are those of another circuit, which a test excludes.
pub fn scheme(size: BatchSize) -> Result<Scheme, ParamError> {
    let known = BatchSize::ALL.into_iter().zip(PARAMS).find(|(of, _)| *of == size);
    let params = known.and_then(|(_, bytes)| read_params(bytes));
    let params = params.ok_or_else(|| ParamError::OutOfRange("no parameters for this size".into()))?;
    Scheme::with_params(&system(size.slots()), params, &Policy::at_least(BITS))
}

/// The argument for batches with so many slots, with parameters that prove the bits of a policy: no chain's, unless all of its replicas take the same. The bits are the argument's: the ledger's
/// own hashes have 256 bits whatever the policy asks for.
///
/// # Errors
/// If no parameters prove the bits.
///
/// # Panics
/// If there are more slots than 1,024.
pub fn scheme_with(slots: usize, policy: &Policy, profile: Profile) -> Result<Scheme, ParamError> {
    Scheme::new(&system(slots), policy, profile)
}

fn system(slots: usize) -> R1cs<Fr> {
    circuit_with(slots, Binding::Commitment)
}

/// The words that bind the committed cells, from the bytes of their commitment.
fn binding_words(commitment: &[u8]) -> [Word; 2] {
    [keccak(commitment), *TAG]
}

/// Proves that transactions turn the cells that they touch into what they become. The proof is verified before it is returned.
///
/// # Errors
/// If the batch does not fit, changes nothing, has a transaction that the rules refuse or whose signature is wrong, or the scheme is of another circuit.
pub fn prove(
    scheme: &Scheme,
    machine: &Token,
    state: &impl State<Token>,
    (batch, slots): (&[Signed<Transaction>], usize),
) -> Result<Vec<u8>, ProofError> {
    let trace = Trace::of(machine, state, batch, slots)?;
    let committed = scheme.commit(&trace.committed())?;
    let public = trace.claim().public(&binding_words(&committed.commitment()))?;
    let circuit = TokenCircuit { binding: Binding::Commitment, public, slots: &trace.slots };
    let proof = scheme.prove_committed(committed, &Assignment::of(&circuit))?;
    scheme.verify(&public.elements(), &proof).map_err(|e| Invalid(e.0))?;
    let mut w = Writer::with_capacity(proof.len() + 2 * trace.times.len() + 8);
    for time in [trace.padding_time].iter().chain(&trace.times) {
        write_varint(&mut w, u64::from(*time));
    }
    w.bytes(&proof);
    Ok(w.finish())
}

/// The parameters say how many bits a proof has; there is nothing to trust beside them.
impl BatchProver for Scheme {
    fn prove_batch(
        &self,
        machine: &Token,
        accounts: &BTreeMap<Index, Account>,
        batch: (&[Signed<Transaction>], usize),
    ) -> Result<Vec<u8>, ProofError> {
        prove(self, machine, accounts, batch)
    }
}

/// Checks a proof of a statement whose cells before are those of the verifier's store.
///
/// # Errors
/// If the statement is of another chain, has an account that is closed, the proof is malformed or does not fit it.
pub fn verify(
    scheme: &Scheme,
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
    let mut time = || -> Result<u32, Invalid> {
        let time = read_varint(&mut r).map_err(|malformed| Invalid(malformed.0))?;
        u32::try_from(time).map_err(|_| Invalid("a time of more than 32 bits"))
    };
    let padding_time = time()?;
    let times = statement.cells.iter().map(|_| time()).collect::<Result<Vec<u32>, _>>()?;
    let proof = r.bytes(r.remaining()).unwrap_or_default();
    // V3. The public inputs, from the cells and the commitment. V4. The proof.
    let commitment = scheme.commitment(proof).map_err(|e| Invalid(e.0))?;
    let Token { fee, issuer, .. } = *machine;
    let claim = Claim { statement, fee, issuer, times: &times, padding_time, context: [0; 32] };
    let public = claim.public(&binding_words(commitment))?;
    scheme.verify(&public.elements(), proof).map_err(|e| Invalid(e.0))
}

/// The verifier of a chain's batches, with a scheme for each size that it accepts.
#[derive(Debug)]
pub struct TransparentVerifier {
    machine: Token,
    schemes: Vec<(BatchSize, Scheme)>,
}

impl TransparentVerifier {
    /// A verifier of a chain's batches of some sizes. Cost: that of [`scheme`] for each.
    ///
    /// # Errors
    /// As [`scheme`].
    pub fn new(machine: Token, sizes: &[BatchSize]) -> Result<Self, ParamError> {
        let of_size = |size: &BatchSize| Ok((*size, scheme(*size)?));
        Ok(Self { machine, schemes: sizes.iter().map(of_size).collect::<Result<_, ParamError>>()? })
    }
}

impl BatchVerifier<Token> for TransparentVerifier {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        let scheme = self.schemes.iter().find(|(of, _)| *of == size);
        let (_, scheme) = scheme.ok_or(Invalid("no scheme for batches of this size"))?;
        verify(scheme, &self.machine, statement, proof)
    }

    fn takes(&self, size: BatchSize) -> bool {
        self.schemes.iter().any(|(of, _)| *of == size)
    }

    fn keys(&self) -> Digest {
        // Digests of hashes for more than 128 bits are longer.
        digest_of_keys(self.schemes.iter().map(|(size, scheme)| (*size, keccak(scheme.digest()))))
    }
}

#[cfg(test)]
mod tests;
