//! Plonky3's WHIR (0.9.0-rc.2): `p3-binary-pcs` over GF(2^64) with challenges in GF(2^192), `p3-whir` over KoalaBear with
//! challenges in its extension of degree 4. BLAKE3 trees and transcripts.
//!
//! ```text
//!  2^n base elements: one multilinear polynomial, opened at one point that the transcript draws after the commitment
//! ```
//! Queries, samples and proofs of work are what the library derives for a target per error term; the least target is taken under
//! which *our* calculator proves the bits, by the sum of all terms. The libraries choose their vector instructions when they are
//! compiled (`-C target-cpu=native`). The proof size is the `postcard` encoding of opened value and proof.

mod security;
#[cfg(test)]
mod tests;

use anyhow::{Result, anyhow, ensure};
use iop::security::Report;
use p3_binary_field::{BinaryChallenger, Poly64, Poly192};
use p3_binary_pcs::whir::{BinaryWhirDomain, recommended_cap_height};
use p3_blake3_09::Blake3;
use p3_challenger_09::{HashChallenger, SerializingChallenger32};
use p3_commit_09::MultilinearPcs;
use p3_dft_09::Radix2DFTSmallBatch;
use p3_field_09::extension::BinomialExtensionField;
use p3_koala_bear_09::KoalaBear;
use p3_matrix_09::dense::RowMajorMatrix;
use p3_merkle_tree_09::MerkleTreeMmcs;
use p3_sumcheck::layout::{Layout, SuffixProver, Table, Witness};
use p3_sumcheck::{OpeningBatch, OpeningProtocol, PrescribedPointPcs, TableShape, TableSpec};
use p3_symmetric_09::{CompressionFunctionFromHasher, SerializingHasher};
use p3_whir::{
    FoldingFactor, PcsProof, ProtocolParameters, SecurityAssumption, WhirConfig, WhirConfigError, WhirProver,
    WhirProverData,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::harness::{Case, Facts, Scheme};

pub(super) type LeafHash = SerializingHasher<Blake3>;
pub(super) type NodeHash = CompressionFunctionFromHasher<Blake3, 2, 32>;
pub(super) type Tree<V> = MerkleTreeMmcs<V, u8, LeafHash, NodeHash, 2, 32>;
pub(super) type Bytes = HashChallenger<u8, Blake3, 32>;
type Quartic = BinomialExtensionField<KoalaBear, 4>;

/// Bits of work that the library may spend before positions, until it asks for more.
pub(super) const GRINDING: usize = 15;
/// Variables that each round folds.
const FOLDING: usize = 4;
/// Largest difference between the wanted bits and the target of each term.
pub(super) const MARGIN: usize = 16;

/// Size and parameters of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// log2 of the number of base elements committed to.
    pub log_size: usize,
    /// log2 of the inverse rate of the commitment.
    pub log_inv_rate: usize,
    /// Bits to prove, by the sum of all terms.
    pub bits: u32,
}

impl Shape {
    fn check(self) -> Result<()> {
        let Self { log_size, log_inv_rate, .. } = self;
        ensure!((2 * FOLDING..=32).contains(&log_size), "WHIR is measured from 2^8 to 2^32 elements");
        ensure!((1..=8).contains(&log_inv_rate), "the rate must lie between 1/2 and 1/256");
        Ok(())
    }

    fn parameters(self, security_level: usize, pow_bits: usize) -> ProtocolParameters {
        ProtocolParameters {
            starting_log_inv_rate: self.log_inv_rate,
            round_log_inv_rates: Vec::new(),
            folding_factor: FoldingFactor::Constant(FOLDING),
            soundness_type: SecurityAssumption::JohnsonBound,
            security_level,
            pow_bits,
        }
    }

    /// One polynomial, opened at one point.
    fn protocol(self) -> OpeningProtocol {
        let opening = OpeningBatch::new(vec![0], Vec::new());
        OpeningProtocol::new(vec![TableSpec::new(TableShape::new(self.log_size, 1), vec![opening])])
    }

    /// About the bytes of heap that committing and opening take with elements of so many bytes: data and codeword twice, and a
    /// polynomial over the challenge field.
    #[must_use]
    pub fn memory(&self, element: u64, challenge: u64) -> u64 {
        let each = ((2 * element) << self.log_inv_rate) + 2 * element + 2 * challenge;
        each.saturating_mul(
            u32::try_from(self.log_size).ok().and_then(|log| 1u64.checked_shl(log)).unwrap_or(u64::MAX),
        )
    }
}

/// A peer over concrete fields: everything that the two have in common.
macro_rules! peer {
    ($name:ident, $base:ty, $challenge:ty, $domain:ty, $transcript:ty) => {
        pub(super) struct $name {
            shape: Shape,
            pub pcs: WhirProver<
                $challenge,
                $base,
                $domain,
                Tree<$base>,
                $transcript,
                SuffixProver<$base, $challenge>,
            >,
            security: Report,
            record: [&'static str; 3],
            /// log2 of the 32-bit words of an element, where sizes count words.
            log_words: u32,
        }

        impl $name {
            /// The library's parameters of the least target that prove the bits by our calculator.
            fn config(
                shape: Shape,
                domain: &$domain,
                field_bits: f64,
            ) -> Result<(WhirConfig<$challenge, $base, $transcript>, Report)> {
                shape.check()?;
                let mut best = 0.0f64;
                let bits = shape.bits as usize;
                for target in bits.saturating_sub(MARGIN)..=bits + MARGIN {
                    let mut pow_bits = GRINDING;
                    let config = loop {
                        let parameters = shape.parameters(target, pow_bits);
                        match WhirConfig::new_with_domain(shape.log_size, parameters, domain) {
                            // The library names the work that it needs.
                            Err(WhirConfigError::PowBitsExceedBudget { required, .. })
                                if required > pow_bits && required <= 24 =>
                            {
                                pow_bits = required;
                            }
                            config => break config,
                        }
                    };
                    let Ok(config) = config else { break };
                    let report = security::report(&security::levels(&config), field_bits);
                    if report.proven_bits() >= f64::from(shape.bits) {
                        return Ok((config, report));
                    }
                    best = best.max(report.proven_bits());
                }
                Err(anyhow!("WHIR proves {best:.1} bits at most here, not {}", shape.bits))
            }

            fn tree(cap_height: usize) -> Tree<$base> {
                Tree::new(LeafHash::new(Blake3), NodeHash::new(Blake3), cap_height)
            }

            fn transcript() -> $transcript {
                <$transcript>::from_hasher(Vec::new(), Blake3)
            }
        }

        impl Scheme for $name {
            type Witness = Witness<$base>;
            type State = (
                <Tree<$base> as p3_commit_09::Mmcs<$base>>::Commitment,
                WhirProverData<$base, $challenge, Tree<$base>, SuffixProver<$base, $challenge>>,
                $transcript,
            );
            type Proof = (
                <Tree<$base> as p3_commit_09::Mmcs<$base>>::Commitment,
                PcsProof<$base, $challenge, Tree<$base>>,
            );

            fn facts(&self) -> Facts {
                let [name, data, field] = self.record;
                let library = name.split(' ').next().unwrap_or(name);
                let claimed = self.pcs.prescribed_security(&self.shape.protocol()).map(|s| s.error().bits());
                let Shape { log_size, log_inv_rate, bits } = self.shape;
                let record = json!({
                    "library": format!("{library} 0.9.0-rc.2"),
                    "hash": "BLAKE3",
                    "folding": FOLDING,
                    "log_inv_rate": log_inv_rate,
                    "bits": bits,
                    "target_per_term": self.pcs.params().security_level,
                    "bits_by_the_library": claimed,
                });
                let own = claimed.map_or("none".into(), |bits| format!("{bits:.1}"));
                let profile = format!("1/{}, own count {own}", 1u32 << log_inv_rate);
                let series = format!("1/{}, {bits} bits", 1u32 << log_inv_rate);
                let facts = Facts::new([name, field, profile.as_str()], log_size as u32 + self.log_words, &self.security, record);
                facts.series(data, &series)
            }

            fn witness(&self) -> Self::Witness {
                let mut rng = ChaCha8Rng::seed_from_u64(self.shape.log_size as u64);
                // Not by `from_u64`, which takes an integer modulo the characteristic: bits, in a binary field.
                let values = (0..1u64 << self.shape.log_size).map(|_| rng.random()).collect();
                let table = Table::new(RowMajorMatrix::new(values, 1 << self.shape.log_size));
                SuffixProver::<$base, $challenge>::new_witness(vec![table], FOLDING)
            }

            fn commit(&self, witness: Self::Witness) -> Result<Self::State> {
                let mut transcript = Self::transcript();
                let committed = self.pcs.commit(witness, &mut transcript);
                let (commitment, data) = committed.map_err(|e| anyhow!("{e}"))?;
                Ok((commitment, data, transcript))
            }

            fn open(&self, (commitment, data, transcript): &Self::State) -> Result<Self::Proof> {
                // A clone shares codeword and tree.
                let proof = self.pcs.open(data.clone(), self.shape.protocol(), &mut transcript.clone());
                Ok((commitment.clone(), proof.map_err(|e| anyhow!("{e}"))?))
            }

            fn verify(&self, (commitment, proof): &Self::Proof) -> Result<()> {
                let verdict =
                    self.pcs.verify(commitment, proof, &mut Self::transcript(), self.shape.protocol());
                verdict.map_err(|e| anyhow!("{e}"))
            }

            fn proof_bytes(&self, (_, proof): &Self::Proof) -> Result<usize> {
                Ok(postcard::to_allocvec(proof)?.len())
            }
        }
    };
}

peer!(Binary, Poly64, Poly192, BinaryWhirDomain, BinaryChallenger<Poly64, Bytes>);
peer!(Prime, KoalaBear, Quartic, Radix2DFTSmallBatch<KoalaBear>, SerializingChallenger32<KoalaBear, Bytes>);

impl Binary {
    pub(super) fn new(shape: Shape) -> Result<Self> {
        let domain = BinaryWhirDomain::default();
        let (config, security) = Self::config(shape, &domain, 192.0)?;
        let tree = Self::tree(recommended_cap_height(&config));
        let pcs = WhirProver::new(config, domain, tree);
        Ok(Self { shape, pcs, security, record: ["p3-binary-pcs WHIR", "gf64", "gf192"], log_words: 1 })
    }
}

impl Prime {
    pub(super) fn new(shape: Shape) -> Result<Self> {
        // The search for parameters asks the domain for its size only.
        let (config, security) = Self::config(shape, &Radix2DFTSmallBatch::default(), QUARTIC_BITS)?;
        let domain = Radix2DFTSmallBatch::new(1 << config.max_fft_size());
        let pcs = WhirProver::new(config, domain, Self::tree(0));
        Ok(Self { shape, pcs, security, record: ["p3-whir", "koalabear", "koalabear4"], log_words: 0 })
    }
}

/// log2 of the size of the quartic extension: `4 log2(2^31 - 2^24 + 1)`.
const QUARTIC_BITS: f64 = 123.954_738;

/// WHIR over GF(2^64) with challenges in GF(2^192).
///
/// # Errors
/// If the library refuses the parameters, or does not prove the bits.
pub fn binary(shape: Shape) -> Result<Case> {
    Ok(Case::new(Binary::new(shape)?))
}

/// WHIR over KoalaBear with challenges in its extension of degree 4.
///
/// # Errors
/// As [`binary`].
pub fn koala_bear(shape: Shape) -> Result<Case> {
    Ok(Case::new(Prime::new(shape)?))
}
