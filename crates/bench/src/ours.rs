//! Our schemes as cases of the harness.

use std::cell::RefCell;

use anyhow::{Result, anyhow, ensure};
use field::{ExtensionOf, TwoAdic};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::Commitment;
use pcs::pip::search::{Profile, Wanted, find_among};
use pcs::{Claims, deepfold, pip, with_fields};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::harness::{Case, Facts, Scheme};

/// PIP_FRI with the parameters that the search finds, over the challenge field among `fields` that suits best.
///
/// # Errors
/// If no parameters prove the bits, or the prover would need more than `memory` bytes.
pub fn pip(fields: &[Fields], wanted: &Wanted, memory: u64) -> Result<Case> {
    let params = find_among(fields, wanted).map_err(|e| anyhow!(e.0))?;
    fits(params.fields, params.log_size, params.level.log_inv_rate, memory)?;
    let profile = match wanted.profile {
        Profile::Fast => "fast",
        Profile::Small => "small",
    };
    with_fields!(params.fields, B, E => {
        let scheme = pip::Scheme::<B, E>::new(params, &Policy { min_bits: wanted.bits }).map_err(|e| anyhow!(e.0))?;
        Ok(Case::new(Pip { profile, scheme }))
    })
}

/// DeepFold with `2^log_columns` fragments, over the challenge field among `fields` that needs the fewest queries.
///
/// # Errors
/// As [`pip()`].
pub fn deepfold(fields: &[Fields], shape: [u32; 3], bits: u32, memory: u64) -> Result<Case> {
    let params = |&fields: &Fields| {
        let target = deepfold::Target::new(fields, shape, f64::from(bits));
        deepfold::Params::for_target(&deepfold::Target { grinding: DEEPFOLD_GRINDING, ..target }).ok()
    };
    let fewest = fields.iter().filter_map(params).min_by_key(|params| params.queries);
    let params = fewest.ok_or_else(|| anyhow!("no parameters of that shape prove {bits} bits"))?;
    fits(params.fields, params.log_size, params.log_inv_rate, memory)?;
    with_fields!(params.fields, B, E => {
        let scheme =
            deepfold::Scheme::<B, E>::new(params, &Policy { min_bits: bits }).map_err(|e| anyhow!(e.0))?;
        Ok(Case::new(DeepFold { scheme }))
    })
}

/// Work before DeepFold's queries: as much as the search gives PIP_FRI.
const DEEPFOLD_GRINDING: u32 = 15;

/// Refuses what would not fit: data, codeword and half as much again for tree and opening.
fn fits(fields: Fields, log_size: u32, log_inv_rate: u32, memory: u64) -> Result<()> {
    let need = (fields.base_bytes() as u64) * (2 + 3 * (1u64 << log_inv_rate)) / 2 << log_size;
    ensure!(need <= memory, "2^{log_size} over {} needs {} MiB", fields.name(), need >> 20);
    Ok(())
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

/// A case of one of our schemes: their provers have the same verbs.
macro_rules! case {
    ($Case:ident { $($extra:ident: $Extra:ty)? }, $module:ident, $State:ty, |$this:ident| $profile:expr) => {
        struct $Case<B, E> {
            $($extra: $Extra,)?
            scheme: $module::Scheme<B, E>,
        }

        impl<B: TwoAdic, E: ExtensionOf<B>> Scheme for $Case<B, E> {
            type Witness = Vec<B>;
            type State = $State;
            type Proof = Message<E>;

            fn facts(&self) -> Facts {
                let ($this, params) = (self, self.scheme.params());
                let record = json!({ "params": format!("{params:?}") });
                let profile: String = $profile;
                let names = [stringify!($module), params.fields.name(), profile.as_str()];
                Facts::new(names, params.log_size, self.scheme.report(), record)
            }

            fn witness(&self) -> Vec<B> {
                entries(self.scheme.params().log_size)
            }

            fn commit(&self, witness: Vec<B>) -> Result<Self::State> {
                Ok($module::Prover::new(&self.scheme).commit(witness).into())
            }

            fn open(&self, state: &Self::State) -> Result<Message<E>> {
                let mut state = state.try_borrow_mut()?;
                let commitment = state.commitment().clone();
                let form = point::<B, E>(&commitment.root, self.scheme.params().log_size);
                let (claims, proof) =
                    $module::Prover::new(&self.scheme).open(&mut state, vec![form], b"bench");
                Ok((commitment, claims, proof))
            }

            fn verify(&self, (commitment, claims, proof): &Message<E>) -> Result<()> {
                Ok(self.scheme.verify(commitment, claims, proof)?)
            }

            fn proof_bytes(&self, proof: &Message<E>) -> Result<usize> {
                Ok(size(proof))
            }
        }
    };
}

case!(Pip { profile: &'static str }, pip, RefCell<pip::Witness<B, E>>, |this| {
    format!("{} 1/{}", this.profile, 1u32 << this.scheme.params().level.log_inv_rate)
});
case!(DeepFold {}, deepfold, RefCell<deepfold::Witness<B, E>>, |this| {
    format!("x{} 1/{}", this.scheme.params().columns(), 1u32 << this.scheme.params().log_inv_rate)
});
