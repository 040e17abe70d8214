//! Our schemes as cases of the harness.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, anyhow};
use field::Field;
use gpu::Gpu;
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::Commitment;
use pcs::pip::search::{Profile, SearchTarget, find_among};
use pcs::scheme::{Params as _, Pcs, Prove, Prover as _, Witness as _};
use pcs::{Claims, deepfold, ligerito, pip, with_binary_fields, with_fields};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use tenfold_report::exit::{Exit, Failure};

use crate::harness::{Case, Facts, Scheme};

/// PIP_FRI with the parameters that the search finds, over the challenge field among `fields` that suits best.
///
/// # Errors
/// If no parameters prove the bits, or the prover would need more than `memory` bytes.
pub fn pip(fields: &[Fields], wanted: &SearchTarget, memory: u64) -> Result<Case> {
    let params = find_among(fields, wanted).map_err(|e| anyhow!(e.reason().to_owned()))?;
    fits(pip_memory(&params), memory)?;
    let trade = match wanted.profile {
        Profile::Fast => "fast",
        Profile::Small => "small",
    };
    let trade = match wanted.inner {
        pip::InnerKind::Recursion => trade.to_owned(),
        other => format!("{trade} {}", other.name()),
    };
    let series = wanted.log_inv_rate.map_or(trade.clone(), |log| format!("{trade} 1/{}", 1u32 << log));
    with_fields!(params.fields, B, E => {
        let (log_size, profile) = (params.log_size, format!("{trade} 1/{}", 1u32 << params.level.log_inv_rate));
        let scheme = pip::Scheme::<B, E>::new(params, &Policy::at_least(wanted.bits)).map_err(|e| anyhow!(e.reason().to_owned()))?;
        Ok(Case::new(Ours { scheme, name: "pip", log_size, series, profile, gpu: None }))
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
    fits(deepfold_memory(&params), memory)?;
    let (log_size, profile) =
        (params.log_size, format!("x{} 1/{}", params.columns(), 1u32 << params.log_inv_rate));
    with_fields!(params.fields, B, E => {
        let scheme =
            deepfold::Scheme::<B, E>::new(params, &Policy::at_least(bits)).map_err(|e| anyhow!(e.reason().to_owned()))?;
        let series = profile.clone();
        Ok(Case::new(Ours { scheme, name: "deepfold", log_size, series, profile, gpu: None }))
    })
}

/// A named profile of Ligerito over one of its fields, and the entries that claims are about.
pub type Named = (ligerito::Preset, ligerito::Fields, ligerito::Entries);

/// The target of the search for a named profile on `2^log_words` words of 32 bits.
///
/// # Errors
/// If that is less data than one entry.
pub fn wanted(log_words: u32, (preset, fields, entries): Named) -> Result<ligerito::search::SearchTarget> {
    let words = (fields.base_bytes() / 4).trailing_zeros();
    let log_size = log_words.checked_sub(words).ok_or_else(|| anyhow!("less data than one entry"))?;
    Ok(ligerito::search::SearchTarget { entries, ..preset.wanted(fields, log_size) })
}

/// Ligerito on `2^log_words` words of 32 bits, with the parameters that the search finds for a named profile, with its matrix on a GPU or not.
///
/// # Errors
/// As [`pip()`].
pub fn ligerito(log_words: u32, named: Named, memory: u64, gpu: Option<&Gpu>) -> Result<Case> {
    let params =
        ligerito::search::find(&wanted(log_words, named)?).map_err(|e| anyhow!(e.reason().to_owned()))?;
    of_ligerito(named.0, params, memory, gpu)
}

/// Ligerito with given parameters, which must be of the named profile.
///
/// # Errors
/// As [`pip()`].
pub fn of_ligerito(
    preset: ligerito::Preset,
    params: ligerito::Params,
    memory: u64,
    gpu: Option<&Gpu>,
) -> Result<Case> {
    preset.check(&params, iop::security::Theorems::DEFAULT).map_err(|e| anyhow!(e.reason().to_owned()))?;
    fits(params.prover_memory(true), memory)?;
    // Sizes count words of 32 bits, whatever the entries are: cases of one size have the same bytes.
    let log_size = params.log_size + (params.fields.base_bytes() / 4).trailing_zeros();
    let claim = match params.entries {
        ligerito::Entries::Whole => String::new(),
        packed => format!(" {}", packed.name()),
    };
    let series = format!("{}{claim}", preset.name());
    let profile = format!("{series} 1/{}", 1u32 << params.level.log_inv_rate);
    with_binary_fields!(params.fields, B, E => {
        let policy = Policy::at_least(preset.bits());
        let scheme = ligerito::Scheme::<B, E>::new(params, &policy).map_err(|e| anyhow!(e.reason().to_owned()))?;
        let name = if gpu.is_some() { "ligerito on the GPU" } else { "ligerito" };
        let gpu = gpu.map(|gpu| OnGpu { gpu: gpu.clone(), commit: gpu::commit::<B, E> });
        Ok(Case::new(Ours { scheme, name, log_size, series, profile, gpu }))
    })
}

/// Work before DeepFold's queries: as much as the search gives PIP_FRI.
const DEEPFOLD_GRINDING: u32 = 15;

/// Refuses what would not fit in `memory` bytes.
///
/// # Errors
/// If it needs more; the message says how much.
pub fn fits(need: u64, memory: u64) -> Result<()> {
    if need <= memory {
        return Ok(());
    }
    let message = format!("needs about {} MiB, {} are available", need >> 20, memory >> 20);
    Err(Failure { exit: Exit::Io, message, hint: Some("measure a smaller size".to_owned()) }.into())
}

/// Two digests for each sixteen leaves of a tree: it forgets its lowest layers.
const TREE: u64 = 2 * 32 / 16;

/// Data and codeword with the tree over its rows, then for each level the combined column before it, its codeword
/// and its tree.
fn pip_memory(params: &pip::Params) -> u64 {
    let (mut entries, mut element) = (1u64 << params.log_size, params.fields.base_bytes() as u64);
    let mut need = 0;
    for level in [&params.level].into_iter().chain(params.levels()) {
        let codeword = entries << level.log_inv_rate;
        need += (2 * entries + codeword) * element + (codeword >> level.log_columns) * TREE;
        (entries, element) = (entries >> level.log_columns, params.fields.bytes() as u64);
    }
    // The words of a chain are each at most half as long as the one before; two chains have twice as many.
    let chains = match &params.inner {
        pip::Inner::Recursion(_) => 0,
        pip::Inner::Chain(_) => 2,
        pip::Inner::TwoChains => 4,
    };
    need += chains * ((entries << params.level.log_inv_rate) * (element + TREE) + entries * element);
    need / 8 * 9
}

/// Data and codeword, the tree over pairs of rows, the points' inverses, and the folded words, each half as long as
/// the one before, with their trees.
fn deepfold_memory(params: &deepfold::Params) -> u64 {
    let (size, base) = (1u64 << params.log_size, params.fields.base_bytes() as u64);
    let pairs = ((size << params.log_inv_rate) >> params.log_columns) / 2;
    let folded = pairs * (2 * params.fields.bytes() as u64 + TREE);
    (size * base * (1 + (1 << params.log_inv_rate)) + pairs * (TREE + base) + folded) / 8 * 9
}

fn entries<B: Field>(log_size: u32) -> Vec<B> {
    random(&mut ChaCha8Rng::seed_from_u64(u64::from(log_size)), 1 << log_size)
}

/// Uniform elements.
pub(crate) fn random<F: Field>(rng: &mut ChaCha8Rng, count: usize) -> Vec<F> {
    let mut bytes = vec![0; F::UNIFORM_BYTES];
    let mut draw = || {
        rng.fill_bytes(&mut bytes);
        F::from_uniform(&bytes)
    };
    (0..count).map(|_| draw()).collect()
}

/// A point that the commitment's root decides, so that it is drawn after it.
fn point<E: Field>(root: [u8; 32], variables: usize) -> TensorForm<E> {
    TensorForm::point(&random(&mut ChaCha8Rng::from_seed(root), variables))
}

/// A context that no opening had before: work is luck, and the same opening again would have the same luck.
fn fresh() -> [u8; 8] {
    static OPENINGS: AtomicU64 = AtomicU64::new(0);
    OPENINGS.fetch_add(1, Ordering::Relaxed).to_le_bytes()
}

type Message<E> = (Commitment<E>, Claims<E>, Vec<u8>);

/// Claimed values and proof; the point is the verifier's own.
fn size<E: field::Field>((_, claims, proof): &Message<E>) -> usize {
    claims.values.iter().map(Vec::len).sum::<usize>() * E::BYTES + proof.len()
}

/// One of our schemes, and what a table calls it.
struct Ours<S: Prove> {
    scheme: S,
    name: &'static str,
    /// log2 of the number of entries, or of words of 32 bits.
    log_size: u32,
    series: String,
    profile: String,
    gpu: Option<OnGpu<S>>,
}

/// Commits to entries on a GPU.
type Commit<S> = fn(&Gpu, &S, &mut Vec<<S as Pcs>::Base>) -> Result<<S as Prove>::Witness, gpu::Error>;

/// A GPU, and how a scheme commits on it.
struct OnGpu<S: Prove> {
    gpu: Gpu,
    commit: Commit<S>,
}

impl<S: Prove> Scheme for Ours<S> {
    type Witness = Vec<S::Base>;
    type State = RefCell<S::Witness>;
    type Proof = Message<S::Challenge>;

    fn facts(&self) -> Facts {
        let params = self.scheme.params();
        let [data, challenges] = params.summary().fields;
        let record = json!({ "params": format!("{params:?}") });
        Facts::new([self.name, challenges, &self.profile], self.log_size, self.scheme.report(), record)
            .series(data, &self.series)
    }

    fn witness(&self) -> Vec<S::Base> {
        entries(self.scheme.params().summary().log_size)
    }

    fn commit(&self, mut witness: Vec<S::Base>) -> Result<Self::State> {
        if let Some(OnGpu { gpu, commit }) = &self.gpu {
            return Ok(commit(gpu, &self.scheme, &mut witness)?.into());
        }
        Ok(self.scheme.prover().commit(witness).into())
    }

    fn open(&self, state: &Self::State) -> Result<Self::Proof> {
        let mut state = state.try_borrow_mut()?;
        let commitment = state.commitment().clone();
        let form = point(commitment.root.head(), self.scheme.params().summary().variables);
        let (claims, proof) = self.scheme.prover().open(&mut state, vec![form], &fresh());
        // What the CPU finished is no measurement of the GPU.
        if let Some(error) = self.gpu.as_ref().and_then(|on| on.gpu.take_failures().pop()) {
            return Err(error.into());
        }
        Ok((commitment, claims, proof))
    }

    fn verify(&self, (commitment, claims, proof): &Self::Proof) -> Result<()> {
        Ok(self.scheme.verify(commitment, claims, proof)?)
    }

    fn proof_bytes(&self, proof: &Self::Proof) -> Result<usize> {
        Ok(size(proof))
    }
}
