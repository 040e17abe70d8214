//! Plonky3's FRI commitment (`p3-fri` 0.8.0) with BLAKE3 trees and a BLAKE3 transcript.
//!
//! ```text
//!  2^(n-c) rows x 2^c columns of base elements, column = evaluations over the subgroup
//!    commit: coset low-degree extension of every column, one Merkle leaf per row
//!    open:   all columns at one point of the extension drawn from the transcript, batched into one FRI
//! ```
//! Without work, or with as much as ours (before the columns are combined, each fold and the queries). The proof size is the `postcard` encoding of the opened values and the proof:
//! elements in fixed-width bytes, pruned Merkle paths, one varint per length.

use std::marker::PhantomData;

use anyhow::{Result, anyhow, ensure};
use p3_blake3::Blake3;
use p3_challenger::{
    CanObserve, FieldChallenger, HashChallenger, SerializingChallenger32, SerializingChallenger64,
};
use p3_commit::{CommitmentOpening, ExtensionMmcs, MatrixOpening, OpenedValues, Pcs};
use p3_dft::Radix2DitParallel;
use p3_field::{
    ExtensionField, TwoAdicField, coset::TwoAdicMultiplicativeCoset, extension::BinomialExtensionField,
};
use p3_fri::{FriParameters, TwoAdicFriPcs};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{CompressionFunctionFromHasher, SerializingHasher};
use pcs::fields::Fields;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;

use crate::harness::{Case, Facts, Scheme};

type LeafHash = SerializingHasher<Blake3>;
type NodeHash = CompressionFunctionFromHasher<Blake3, 2, 32>;
type Tree<V> = MerkleTreeMmcs<V, u8, LeafHash, NodeHash, 2, 32>;
type Fri<V, E> = TwoAdicFriPcs<V, Radix2DitParallel<V>, Tree<V>, ExtensionMmcs<V, E, Tree<V>>>;
type Bytes = HashChallenger<u8, Blake3, 32>;

/// Size and parameters of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// log2 of the number of base elements committed to.
    pub log_size: usize,
    /// log2 of the number of columns, below `log_size`.
    pub log_columns: usize,
    /// log2 of the inverse rate.
    pub log_inv_rate: usize,
    /// log2 of the largest folding arity.
    pub log_arity: usize,
    /// Queries.
    pub queries: usize,
    /// Bits of work before the combination of the columns and each fold, and before the queries.
    pub grinding: [u32; 2],
}

/// Bits of work before a step, at most: what the library's own parameters have before the queries.
const MOST_WORK: u32 = 16;

impl Shape {
    fn rows(&self) -> usize {
        1 << (self.log_size - self.log_columns)
    }

    /// The same with the fewest queries that prove so many bits by work; the least of that before combinations and folds.
    ///
    /// # Errors
    /// If no queries do, because the field is too small.
    pub fn by_work(self, bits: u32, field: Fields) -> Result<Self> {
        let shapes = (1..=1000).flat_map(|queries| {
            (0..=MOST_WORK).map(move |work| Self { queries, grinding: [work, MOST_WORK], ..self })
        });
        let proves = |shape: &Self| security::report(shape, field.bits()).proven_bits() >= f64::from(bits);
        // A field that is too small for many queries is too small for all.
        let most = Self { queries: 1000, grinding: [MOST_WORK; 2], ..self };
        Some(most).filter(proves).and_then(|_| shapes.into_iter().find(proves)).ok_or_else(|| {
            anyhow!("{} with {MOST_WORK} bits of work before a step does not prove {bits} bits", field.name())
        })
    }

    /// About the bytes of heap that committing and opening take with elements of so many bytes: the data twice (a
    /// column is copied to be extended), the codeword, two digests for each row, and the combined column with its folds.
    #[must_use]
    pub fn memory(&self, element: u64) -> u64 {
        let domain = 1u64 << (self.log_size + self.log_inv_rate).saturating_sub(self.log_columns);
        (element << self.log_size) * (2 + (1 << self.log_inv_rate)) + domain * (64 + 2 * 16 + 64)
    }
}

/// KoalaBear with challenges in its extension of degree 4.
///
/// # Errors
/// A shape that has no rows, no rate or no query, or is larger than the field's subgroup.
pub fn koala_bear(shape: Shape) -> Result<Case> {
    let scheme = Peer::<_, _, _, BinomialExtensionField<KoalaBear, 4>> {
        over: Fields::KoalaBear4,
        shape,
        pcs: fri(shape)?,
        transcript: SerializingChallenger32::<KoalaBear, Bytes>::from_hasher(Vec::new(), Blake3),
        fields: PhantomData,
    };
    Ok(Case::new(scheme))
}

/// Goldilocks with challenges in its extension of degree 2.
///
/// # Errors
/// As [`koala_bear`].
pub fn goldilocks(shape: Shape) -> Result<Case> {
    let scheme = Peer::<_, _, _, BinomialExtensionField<Goldilocks, 2>> {
        over: Fields::Goldilocks2,
        shape,
        pcs: fri(shape)?,
        transcript: SerializingChallenger64::<Goldilocks, Bytes>::from_hasher(Vec::new(), Blake3),
        fields: PhantomData,
    };
    Ok(Case::new(scheme))
}

fn fri<V: TwoAdicField, E: ExtensionField<V>>(shape: Shape) -> Result<Fri<V, E>> {
    let Shape { log_size, log_columns, log_inv_rate, log_arity, queries, grinding } = shape;
    let [before_folds, before_queries] = grinding.map(|bits| bits as usize);
    ensure!(log_columns < log_size, "2^{log_columns} columns leave no rows of 2^{log_size} elements");
    ensure!(log_inv_rate > 0 && log_arity > 0 && queries > 0, "rate, arity and queries must not be trivial");
    ensure!(log_size - log_columns + log_inv_rate <= V::TWO_ADICITY, "no subgroup of that size");
    let tree = Tree::new(LeafHash::new(Blake3), NodeHash::new(Blake3), 0);
    let parameters = FriParameters {
        log_blowup: log_inv_rate,
        log_final_poly_len: 0,
        max_log_arity: log_arity,
        num_queries: queries,
        batch_proof_of_work_bits: before_folds,
        commit_proof_of_work_bits: before_folds,
        query_proof_of_work_bits: before_queries,
        mmcs: ExtensionMmcs::new(tree.clone()),
    };
    Ok(TwoAdicFriPcs::new(Radix2DitParallel::default(), tree, parameters))
}

/// `P` over base field `V` with challenges in `E` and transcript `T`.
struct Peer<P, T, V, E> {
    /// The same fields as our own schemes name them.
    over: Fields,
    shape: Shape,
    pcs: P,
    /// Empty transcript that each run starts from.
    transcript: T,
    fields: PhantomData<(V, E)>,
}

/// Commitment, values and proof, as the verifier receives them.
struct Message<K, E, Z> {
    commitment: K,
    values: OpenedValues<E>,
    proof: Z,
}

impl<P, T, V, E> Scheme for Peer<P, T, V, E>
where
    V: TwoAdicField,
    E: ExtensionField<V>,
    T: FieldChallenger<V> + CanObserve<P::Commitment> + Clone + Send + Sync + 'static,
    P: Pcs<E, T, Domain = TwoAdicMultiplicativeCoset<V>> + Send + Sync + 'static,
{
    type Witness = RowMajorMatrix<V>;
    type State = (P::Commitment, P::ProverData);
    type Proof = Message<P::Commitment, E, P::Proof>;

    fn facts(&self) -> Facts {
        let record = json!({
            "library": "p3-fri 0.8.0",
            "field": self.over.base_name(),
            "extension_degree": E::DIMENSION,
            "hash": "BLAKE3",
            "grinding_bits": self.shape.grinding,
            "shape": self.shape,
        });
        let security = security::report(&self.shape, self.over.bits());
        let Shape { log_size, log_arity, queries, log_inv_rate, grinding, .. } = self.shape;
        let work = if grinding == [0, 0] { "" } else { " work" };
        let profile = format!("a={} q={queries} 1/{}{work}", 1usize << log_arity, 1usize << log_inv_rate);
        let names = ["plonky3", self.over.name(), profile.as_str()];
        Facts::new(names, log_size as u32, &security, record).series(self.over.base_name(), &profile)
    }

    fn witness(&self) -> Self::Witness {
        let mut rng = ChaCha8Rng::seed_from_u64(self.shape.log_size as u64);
        let values = (0..1 << self.shape.log_size).map(|_| V::from_u64(rng.next_u64())).collect();
        RowMajorMatrix::new(values, 1 << self.shape.log_columns)
    }

    fn commit(&self, witness: Self::Witness) -> Result<Self::State> {
        let domain = self.pcs.natural_domain_for_degree(self.shape.rows());
        self.pcs.commit([(domain, witness)]).map_err(|e| anyhow!("{e:?}"))
    }

    fn open(&self, (commitment, data): &Self::State) -> Result<Self::Proof> {
        let (mut transcript, point) = self.begin(commitment);
        let request = (data, vec![vec![point]]).into();
        let (values, proof) = self.pcs.open(vec![request], &mut transcript).map_err(|e| anyhow!("{e:?}"))?;
        Ok(Message { commitment: commitment.clone(), values, proof })
    }

    fn verify(&self, Message { commitment, values, proof }: &Self::Proof) -> Result<()> {
        let (mut transcript, point) = self.begin(commitment);
        // One commitment, one matrix, one point; the claims keep that nesting.
        let claims = values.iter().flatten().flatten();
        let points = claims.map(|values| (point, values.clone()).into()).collect();
        let domain = self.pcs.natural_domain_for_degree(self.shape.rows());
        let opening = CommitmentOpening {
            commitment: commitment.clone(),
            matrices: vec![MatrixOpening { domain, points }],
        };
        self.pcs.verify(vec![opening], proof, &mut transcript).map_err(|e| anyhow!("{e:?}"))
    }

    fn proof_bytes(&self, proof: &Self::Proof) -> Result<usize> {
        Ok(postcard::to_allocvec(&(&proof.values, &proof.proof))?.len())
    }
}

impl<P, T, V, E> Peer<P, T, V, E>
where
    V: TwoAdicField,
    E: ExtensionField<V>,
    T: FieldChallenger<V> + CanObserve<P::Commitment> + Clone,
    P: Pcs<E, T, Domain = TwoAdicMultiplicativeCoset<V>>,
{
    /// The transcript after the commitment, and the point it gives.
    fn begin(&self, commitment: &P::Commitment) -> (T, E) {
        let mut transcript = self.transcript.clone();
        transcript.observe(commitment.clone());
        let point = transcript.sample_algebra_element();
        (transcript, point)
    }
}

mod security;
#[cfg(test)]
mod tests;
