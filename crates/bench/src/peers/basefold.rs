//! Plonky3's BaseFold over binary fields (`p3-binary-pcs` 0.9.0-rc.2): entries in GF(2^64), challenges in GF(2^128). BLAKE3 trees
//! and transcripts.
//!
//! ```text
//!  2^n entries: one multilinear polynomial, one word over an additive domain, opened at one point that the transcript draws
//!    batch i: FOLDING sumcheck rounds, each with its fold; then a commitment to the folded word, the last in full
//!    queries: one position in every committed word, after proof of work
//! ```
//! The library proves in unique decoding alone, and its widest challenge field has 128 bits, so that 128 proven bits are out of reach. The
//! number of queries is what it derives for a target; the least target is taken under which *our* calculator proves the bits. The
//! proof size is the `postcard` encoding of opened value and proof.

#[cfg(test)]
mod tests;

use anyhow::{Result, anyhow, ensure};
use iop::security::{Code, Regime, Report};
use p3_binary_field::{BinaryChallenger, BinaryField64, BinaryField128};
use p3_binary_pcs::{
    BinaryPcs, BinaryPcsConfig, BinaryPcsParams, BinaryPcsProof, BinaryPcsProverData, GroupedCodewordMmcs,
};
use p3_blake3_09::Blake3;
use p3_commit_09::{Mmcs, MultilinearPcs};
use p3_matrix_09::dense::RowMajorMatrix;
use p3_sumcheck::layout::{Layout, SuffixProver, Table, Witness};
use p3_sumcheck::{OpeningBatch, OpeningProtocol, PrescribedPointPcs, TableShape, TableSpec};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::whir::{Bytes, GRINDING, LeafHash, MARGIN, NodeHash, Tree};
use crate::harness::{Case, Facts, Scheme};

type Base = BinaryField64;
type Challenge = BinaryField128;
/// A leaf holds the symbols that one query reads.
type Grouped<V> = GroupedCodewordMmcs<Tree<V>>;
type Pcs = BinaryPcs<Base, Challenge, Grouped<Base>, Grouped<Challenge>>;
type Transcript = BinaryChallenger<Base, Bytes>;
type Commitment = <Grouped<Base> as Mmcs<Base>>::Commitment;

/// Variables folded between two commitments.
const FOLDING: usize = 4;

/// Size and parameters of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// log2 of the number of entries of 64 bits.
    pub log_size: usize,
    /// log2 of the inverse rate.
    pub log_inv_rate: usize,
    /// Bits to prove, by the sum of all terms.
    pub bits: u32,
}

impl Shape {
    /// One polynomial, opened at one point.
    fn protocol(self) -> OpeningProtocol {
        let opening = OpeningBatch::new(vec![0], Vec::new());
        OpeningProtocol::new(vec![TableSpec::new(TableShape::new(self.log_size, 1), vec![opening])])
    }

    /// About the bytes of heap that committing and opening take: data and codeword twice, a polynomial and the folded words over the challenge field.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let rate = 1u64.checked_shl(self.log_inv_rate as u32).unwrap_or(u64::MAX);
        let each = rate.saturating_mul(8 * 2 + 16).saturating_add(8 * 2 + 16 * 2);
        each.saturating_mul(1u64.checked_shl(self.log_size as u32).unwrap_or(u64::MAX))
    }
}

/// The scheme with its schedule.
struct Peer {
    shape: Shape,
    config: BinaryPcsConfig,
    pcs: Pcs,
    security: Report,
}

impl Peer {
    fn new(shape: Shape) -> Result<Self> {
        ensure!(
            (FOLDING..=32).contains(&shape.log_size),
            "BaseFold is measured from 2^{FOLDING} to 2^32 entries"
        );
        ensure!((1..=8).contains(&shape.log_inv_rate), "the rate must lie between 1/2 and 1/256");
        let (config, security) = config(shape)?;
        let pcs = Pcs::new(config, tree(&config), tree(&config)).map_err(|e| anyhow!("{e}"))?;
        Ok(Self { shape, config, pcs, security })
    }

    fn transcript() -> Transcript {
        Transcript::from_hasher(Vec::new(), Blake3)
    }
}

fn tree<V>(config: &BinaryPcsConfig) -> Grouped<V> {
    Grouped::for_folding(Tree::new(LeafHash::new(Blake3), NodeHash::new(Blake3), 0), config)
}

/// The library's schedule of the least target that proves the bits by our calculator.
fn config(shape: Shape) -> Result<(BinaryPcsConfig, Report)> {
    let bits = shape.bits as usize;
    let mut refused = None;
    for security_level in bits.saturating_sub(MARGIN)..=bits + MARGIN {
        let params = BinaryPcsParams { log_inv_rate: shape.log_inv_rate, pow_bits: GRINDING, security_level };
        match BinaryPcsConfig::try_new_with_folding::<Base, Challenge>(shape.log_size, params, FOLDING) {
            Ok(config) => {
                let report = report(&config);
                if report.proven_bits() >= f64::from(shape.bits) {
                    return Ok((config, report));
                }
            }
            Err(e) => refused = refused.or(Some(e)),
        }
    }
    let why = refused.map_or_else(String::new, |e| format!(": {e}"));
    Err(anyhow!("BaseFold does not prove {bits} bits here{why}"))
}

/// The bits that a schedule proves, by the same calculator as ours: each batch of folds with its sumcheck rounds, and the queries.
fn report(config: &BinaryPcsConfig) -> Report {
    let (regime, field_bits) = (Regime::UniqueDecoding, config.challenge_field_bits() as f64);
    let code = |log: usize| Code { dimension: 1 << log, log_domain: (log + config.log_inv_rate()) as u32 };
    let mut report = Report::new(regime, field_bits);
    let mut variables = config.num_variables();
    let first = code(variables - config.log_folding_factor());
    while variables > 0 {
        let step = config.log_folding_factor().min(variables);
        variables -= step;
        report.push(regime.tensor_term(
            format!("fold to 2^{variables}"),
            &code(variables),
            field_bits,
            step as u32,
        ));
        report.push(regime.claim_term(
            format!("sumcheck to 2^{variables}"),
            &code(variables),
            field_bits,
            2 * step as u64,
        ));
    }
    let queries = regime.query_term("queries", &first, config.num_queries() as u32);
    report.push(queries.ground(config.pow_bits() as u32));
    report
}

impl Scheme for Peer {
    type Witness = Witness<Base>;
    type State = (Commitment, BinaryPcsProverData<Base, Challenge, Grouped<Base>>, Transcript);
    type Proof = (Commitment, BinaryPcsProof<Base, Challenge, Grouped<Base>, Grouped<Challenge>>);

    fn facts(&self) -> Facts {
        let claimed = PrescribedPointPcs::<Challenge, Transcript>::prescribed_security(
            &self.pcs,
            &self.shape.protocol(),
        );
        let claimed = claimed.map(|security| security.error().bits());
        let Shape { log_size, log_inv_rate, bits } = self.shape;
        let record = json!({
            "library": "p3-binary-pcs 0.9.0-rc.2",
            "hash": "BLAKE3",
            "folding": FOLDING,
            "log_inv_rate": log_inv_rate,
            "bits": bits,
            "queries": self.config.num_queries(),
            "grinding": self.config.pow_bits(),
            "bits_by_the_library": claimed,
        });
        let own = claimed.map_or("none".into(), |bits| format!("{bits:.1}"));
        let profile = format!("1/{}, own count {own}", 1u32 << log_inv_rate);
        let series = format!("1/{}, {bits} bits", 1u32 << log_inv_rate);
        // Sizes count words of 32 bits.
        let names = ["p3-binary-pcs BaseFold", "gf128", profile.as_str()];
        Facts::new(names, log_size as u32 + 1, &self.security, record).series("gf64", &series)
    }

    fn witness(&self) -> Self::Witness {
        let mut rng = ChaCha8Rng::seed_from_u64(self.shape.log_size as u64);
        let values = (0..1u64 << self.shape.log_size).map(|_| rng.random()).collect();
        let table = Table::new(RowMajorMatrix::new(values, 1 << self.shape.log_size));
        SuffixProver::<Base, Challenge>::new_witness(vec![table], 0)
    }

    fn commit(&self, witness: Self::Witness) -> Result<Self::State> {
        let mut transcript = Self::transcript();
        let (commitment, data) = self.pcs.commit(witness, &mut transcript).map_err(|e| anyhow!("{e}"))?;
        Ok((commitment, data, transcript))
    }

    fn open(&self, (commitment, data, transcript): &Self::State) -> Result<Self::Proof> {
        // A clone shares codeword and tree.
        let proof = self.pcs.try_open(data.clone(), &self.shape.protocol(), &mut transcript.clone());
        Ok((commitment.clone(), proof.map_err(|e| anyhow!("{e}"))?))
    }

    fn verify(&self, (commitment, proof): &Self::Proof) -> Result<()> {
        let verdict = self.pcs.verify(commitment, proof, &mut Self::transcript(), self.shape.protocol());
        verdict.map_err(|e| anyhow!("{e}"))
    }

    fn proof_bytes(&self, (_, proof): &Self::Proof) -> Result<usize> {
        Ok(postcard::to_allocvec(proof)?.len())
    }
}

/// BaseFold over GF(2^64) with challenges in GF(2^128).
///
/// # Errors
/// If the library refuses the parameters, or does not prove the bits.
pub fn case(shape: Shape) -> Result<Case> {
    Ok(Case::new(Peer::new(shape)?))
}
