//! Our schemes as cases of the harness.

use std::cell::RefCell;

use anyhow::{Result, anyhow};
use field::{ExtensionOf, TwoAdic};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::search::{Profile, Wanted, find};
use pcs::pip::{Commitment, Prover, Scheme as Pip, Witness};
use pcs::{Claims, deepfold, with_fields};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::harness::{Case, Scheme};

/// PIP_FRI with the parameters that the search finds.
///
/// # Errors
/// If no parameters prove the bits.
pub fn pip(wanted: &Wanted) -> Result<Case> {
    let params = find(wanted).map_err(|e| anyhow!(e.0))?;
    let profile = match wanted.profile {
        Profile::Fast => "fast",
        Profile::Small => "small",
    };
    let rate = 1u32 << params.level.log_inv_rate;
    let name = format!("pip {} 2^{} {profile} 1/{rate}", params.fields.name(), params.log_size);
    with_fields!(params.fields, B, E => {
        let scheme = Pip::<B, E>::new(params, &Policy { min_bits: wanted.bits }).map_err(|e| anyhow!(e.0))?;
        Ok(Case::new(PipCase { name, scheme }))
    })
}

/// DeepFold with `2^log_columns` fragments.
///
/// # Errors
/// If no parameters prove the bits.
pub fn deepfold(fields: Fields, shape: [u32; 3], bits: u32) -> Result<Case> {
    let target = deepfold::Target::new(fields, shape, f64::from(bits));
    let params = deepfold::Params::for_target(&target).map_err(|e| anyhow!(e.0))?;
    let [log_size, log_columns, _] = shape;
    let name = format!("deepfold {} 2^{log_size} x{}", fields.name(), 1u32 << log_columns);
    with_fields!(fields, B, E => {
        let scheme =
            deepfold::Scheme::<B, E>::new(params, &Policy { min_bits: bits }).map_err(|e| anyhow!(e.0))?;
        Ok(Case::new(DeepFoldCase { name, scheme }))
    })
}

fn entries<B: TwoAdic>(log_size: u32) -> Vec<B> {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(log_size));
    (0..1u64 << log_size).map(|_| B::from_u64(rng.next_u64())).collect()
}

/// A point that the commitment's root decides, so that it is drawn after it.
fn point<B: TwoAdic, E: ExtensionOf<B>>(root: &[u8; 32], variables: u32) -> Tensor<E> {
    let mut rng = ChaCha8Rng::from_seed(*root);
    let mut bytes = vec![0; E::UNIFORM_BYTES];
    let mut draw = || {
        rng.fill_bytes(&mut bytes);
        E::from_uniform(&bytes)
    };
    Tensor::point(&(0..variables).map(|_| draw()).collect::<Vec<_>>())
}

type Message<E> = (Commitment<E>, Claims<E>, Vec<u8>);

/// Claimed values and proof; the point is the verifier's own.
fn size<E: field::Field>((_, claims, proof): &Message<E>) -> usize {
    claims.values.iter().map(Vec::len).sum::<usize>() * E::BYTES + proof.len()
}

struct PipCase<B, E> {
    name: String,
    scheme: Pip<B, E>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme for PipCase<B, E> {
    type Witness = Vec<B>;
    type State = RefCell<Witness<B, E>>;
    type Proof = Message<E>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn params(&self) -> Value {
        let bits = self.scheme.report().proven_bits();
        json!({ "proven_bits": bits, "params": format!("{:?}", self.scheme.params()) })
    }

    fn witness(&self) -> Vec<B> {
        entries(self.scheme.params().log_size)
    }

    fn commit(&self, witness: Vec<B>) -> Result<Self::State> {
        Ok(RefCell::new(Prover::new(&self.scheme).commit(witness)))
    }

    fn open(&self, state: &Self::State) -> Result<Message<E>> {
        let mut witness = state.try_borrow_mut()?;
        let commitment = witness.commitment().clone();
        let form = point::<B, E>(&commitment.root, self.scheme.params().log_size);
        let (claims, proof) = Prover::new(&self.scheme).open(&mut witness, vec![form], b"bench");
        Ok((commitment, claims, proof))
    }

    fn verify(&self, (commitment, claims, proof): &Message<E>) -> Result<()> {
        Ok(self.scheme.verify(commitment, claims, proof)?)
    }

    fn proof_bytes(&self, proof: &Message<E>) -> Result<usize> {
        Ok(size(proof))
    }
}

struct DeepFoldCase<B, E> {
    name: String,
    scheme: deepfold::Scheme<B, E>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme for DeepFoldCase<B, E> {
    type Witness = Vec<B>;
    type State = deepfold::Witness<B, E>;
    type Proof = Message<E>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn params(&self) -> Value {
        let bits = self.scheme.report().proven_bits();
        json!({ "proven_bits": bits, "params": format!("{:?}", self.scheme.params()) })
    }

    fn witness(&self) -> Vec<B> {
        entries(self.scheme.params().log_size)
    }

    fn commit(&self, witness: Vec<B>) -> Result<Self::State> {
        Ok(deepfold::Prover::new(&self.scheme).commit(witness))
    }

    fn open(&self, state: &Self::State) -> Result<Message<E>> {
        let commitment = state.commitment().clone();
        let form = point::<B, E>(&commitment.root, self.scheme.params().log_size);
        let (claims, proof) = deepfold::Prover::new(&self.scheme).open(state, vec![form], b"bench");
        Ok((commitment, claims, proof))
    }

    fn verify(&self, (commitment, claims, proof): &Message<E>) -> Result<()> {
        Ok(self.scheme.verify(commitment, claims, proof)?)
    }

    fn proof_bytes(&self, proof: &Message<E>) -> Result<usize> {
        Ok(size(proof))
    }
}
