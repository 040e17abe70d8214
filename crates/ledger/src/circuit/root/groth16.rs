//! Batches proven by Groth16 over BN254 for verifiers that hold one root.
//!
//! ```text
//!  proof of a batch  D 32, big-endian | proof 128
//! ```
//! (notes: ledger-root-proof)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::bn254::{Fr, decode_fr};
use curve::pairing::Bn254;
use snark::groth16::{CryptoRng, Proof, ProvingKey, VerifyingKey};
use snark::r1cs::{Assignment, R1cs};

use super::block::word;
use super::{Block, Chain, Public, RootCircuit, Shape, Tree, Witness};
use crate::Invalid;
use crate::circuit::Trace;
use crate::circuit::groth16::{ProofError, written_down};
use crate::machine::{Signed, State};
use crate::statement::BatchSize;
use crate::store::Digest;
use crate::token::Transaction;

const LENGTH: Invalid = Invalid("the proof is cut short, or bytes follow it");

/// The circuit of these sizes, whose digest keys are made and read for. It does not depend on a chain.
#[must_use]
pub fn circuit(shape: Shape) -> R1cs<Fr> {
    // Its challenges are bound by a digest.
    R1cs::of(&RootCircuit { shape, public: &Public::default(), witness: &Witness::empty(shape) })
        .without_commitment()
}

/// The digests of the circuits of chains ([`Shape::standard`]), in two halves, big-endian. Whoever changes the circuit finds the new ones by `just ledger-circuit`.
const DIGESTS: [[u128; 2]; 3] = [
    [0x49f0_8e92_8291_3970_75ea_0d89_c922_f6e8, 0xd94f_d790_3ff5_290a_65ed_08bc_5685_d38a],
    [0xd4bf_287f_1f28_0c8b_777b_ddc0_7ab3_52fd, 0x5790_f836_52fb_c16f_f31a_4d8a_c6a5_b978],
    [0x4c11_e3f1_bcb4_e41c_a798_b722_62f2_01aa, 0x3a9c_2ff3_0b25_e985_dd8d_ad0b_8d6c_abda],
];

/// The digest of [`circuit`]`(shape)`, which nobody has to make for [`Shape::standard`] of a [`BatchSize`].
#[must_use]
pub fn digest(shape: Shape) -> Digest {
    let known = BatchSize::ALL.iter().zip(DIGESTS).find(|(size, _)| Shape::standard(size.slots()) == shape);
    known.map_or_else(|| circuit(shape).digest(), |(_, halves)| written_down(halves))
}

/// A batch with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The roots before and after.
    pub roots: [Fr; 2],
    /// What the batch changes.
    pub block: Block,
    /// The proof's bytes.
    pub proof: Vec<u8>,
}

/// Proves a batch on a state with this tree. The proof is verified before it is returned.
///
/// `key` is of [`circuit`]. Memory: some kilobytes for each constraint beside the key.
///
/// # Errors
/// If the batch does not fit, has a transaction without a circuit, one that the rules refuse or whose signature is wrong, touches more accounts than there are entries or one
/// beyond the tree; if the tree is of another state; if the key is of another circuit.
pub fn prove(
    key: &ProvingKey<Bn254>,
    chain: &Chain,
    (state, tree): (&impl State<crate::token::Token>, &Tree),
    batch: &[Signed<Transaction>],
    rng: &mut impl CryptoRng,
) -> Result<Proven, ProofError> {
    let trace = Trace::of(&chain.machine, state, batch, chain.shape.slots)?;
    let witness = Witness::new(chain.shape, tree, &trace)?;
    let (roots, block) = (witness.roots(), Block::of(&trace.statement.cells));
    let public = witness.public(chain, roots, &block);
    let circuit = RootCircuit { shape: chain.shape, public: &public, witness: &witness };
    let proof = key.prove(&Assignment::of(&circuit), rng)?;
    let proof = [&word(&public.digest)[..], &proof.to_bytes()].concat();
    verify(key.verifying(), chain, roots, (&block.to_bytes(), &proof))?;
    Ok(Proven { roots, block, proof })
}

/// Checks that a batch with this block turns the state with the first root into one with the second. Returns the block.
///
/// Cost: three pairings, a hash of the block, and a product for two cells.
///
/// # Errors
/// If the roots are equal, block or proof are malformed, or the proof does not fit.
pub fn verify(
    key: &VerifyingKey<Bn254>,
    chain: &Chain,
    roots: [Fr; 2],
    (block, proof): (&[u8], &[u8]),
) -> Result<Block, Invalid> {
    Unverified::read(chain.shape, roots, (block, proof))?.verify(key, chain)
}

/// A batch whose bytes were read, and whose proof was not checked: that needs a key.
#[derive(Clone, Debug)]
pub struct Unverified {
    roots: [Fr; 2],
    block: Block,
    digest: Fr,
    proof: Proof<Bn254>,
}

impl Unverified {
    /// Reads block and proof of a batch between two roots.
    ///
    /// # Errors
    /// If the roots are equal, or block or proof are malformed.
    pub fn read(shape: Shape, roots: [Fr; 2], (block, proof): (&[u8], &[u8])) -> Result<Self, Invalid> {
        // V1. Something changes.
        let [before, after] = roots;
        if before == after {
            return Err(Invalid("a batch that changes nothing"));
        }
        // V2. The encodings.
        let block = Block::from_bytes(shape, block)?;
        let (digest, proof) = proof.split_at_checked(32).ok_or(LENGTH)?;
        let mut digest: [u8; 32] = digest.try_into().map_err(|_| LENGTH)?;
        digest.reverse();
        Ok(Self { roots, block, digest: decode_fr(&digest)?, proof: Proof::from_bytes(proof)? })
    }

    /// What it says that it changes.
    #[must_use]
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Checks the proof, and returns the block.
    ///
    /// # Errors
    /// If the proof does not fit.
    pub fn verify(self, key: &VerifyingKey<Bn254>, chain: &Chain) -> Result<Block, Invalid> {
        // V3. The public inputs. V4. The proof.
        let public: Public = chain.public(self.roots, self.digest, &self.block);
        key.verify(&public.elements(), &self.proof)?;
        Ok(self.block)
    }
}

#[cfg(test)]
pub(crate) mod tests;
