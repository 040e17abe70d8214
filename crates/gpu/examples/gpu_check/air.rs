//! Air-FRI on the device: commitments and proofs against the CPU's, and how long both take.

use super::{Options, cpu, energy, median, weights, words};
use field::{ExtensionOf, FoldFibres, Gf192, Gf256, Gf320, Tower64, Tower128};
use gpu::{Error, Gpu};
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::air::{Level, Params, Prover, Scheme, Witness, evaluation, search};
use serde_json::{Value, json};
use std::time::Instant;

/// The largest vector, by the log2 of its elements.
const MOST: usize = 20;
/// Folds of the published parameters: by 2 and by 16.
const FOLDS: [u32; 2] = [1, 4];

/// Each level at every size: the published parameters, and at even sizes those that prove the level's bits.
pub fn runs(gpu: &Gpu, options: &Options, with_cpu: bool) -> Vec<Value> {
    let mut runs = Vec::new();
    for log_size in options.sizes.clone().take_while(|&log_size| log_size <= MOST) {
        for level in Level::ALL {
            let published = FOLDS.map(|fold| level.published(log_size as u32, fold));
            let mut all = published.map(|params| ("published", params)).to_vec();
            if log_size.is_multiple_of(2)
                && let Ok(params) = search::find(&level.wanted(log_size as u32))
            {
                all.push(("searched", params));
            }
            for (which, params) in all {
                let case = Case { gpu, options, with_cpu: with_cpu && log_size.is_multiple_of(2) };
                runs.push(case.run(level, which, params));
            }
        }
    }
    runs
}

struct Case<'a> {
    gpu: &'a Gpu,
    options: &'a Options,
    with_cpu: bool,
}

/// A commitment and a proof, as bytes.
#[derive(PartialEq)]
struct Made(Vec<u8>, Vec<u8>);

impl Case<'_> {
    /// One set of parameters; an error of the device is a result too.
    fn run(&self, level: Level, which: &str, params: Params) -> Value {
        let mut value = json!({
            "level": level.name(), "log_size": params.log_size, "parameters": which, "hash": params.hash.name(),
            "inverse_rate": 1u64 << params.level.log_inv_rate, "chain": format!("{:?}", params.inner),
            "queries": params.level.queries, "proven_bits": params.report().proven_bits(),
        });
        let result = match level {
            Level::L1 => self.of::<Tower64, Gf192>(params, &mut value),
            Level::L3 => self.of::<Tower128, Gf256>(params, &mut value),
            Level::L5 => self.of::<Tower64, Gf320>(params, &mut value),
        };
        if let Err(error) = result {
            value["error"] = error.to_string().into();
        }
        value
    }

    fn of<B: FoldFibres, E: ExtensionOf<B>>(&self, params: Params, value: &mut Value) -> Result<(), Error> {
        let log_size = params.log_size as usize;
        let count = params.entry_columns() << log_size;
        let scheme = Scheme::<B, E>::new(params, &Policy::at_least(0)).expect("parameters of a level");
        let bytes: Vec<u8> = words(count * B::BYTES / 8).flat_map(u64::to_le_bytes).collect();
        let entries: Vec<B> = bytes
            .chunks_exact(B::BYTES)
            .map(|bytes| B::from_bytes(bytes).expect("any bytes are an entry"))
            .collect();
        let form = evaluation(weights::<E>(1)[0], log_size);
        let open = |witness: &mut Witness<B, E>| -> Made {
            let (_, proof) = Prover::new(&scheme).open(witness, vec![TensorForm::clone(&form)], b"check");
            Made(witness.commitment().to_bytes(), proof)
        };
        let repeats = self.options.repeats.min(5);
        let (times, made) = self.timed(&scheme, &entries, &open)?;
        value["gpu_ms"] = times;
        if self.options.energy && log_size >= 16 {
            let joules = energy(|| {
                let (start, mut count) = (Instant::now(), 0);
                while start.elapsed().as_secs_f64() < 1.5 {
                    open(&mut gpu::commit(self.gpu, &scheme, &mut entries.clone())?);
                    count += 1;
                }
                Ok(count)
            })?;
            value["gpu_joules_per_commit_and_proof"] = joules["per_commit"].clone();
        }
        let failures = self.gpu.take_failures();
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure);
        }
        let expected = open(&mut Prover::new(&scheme).commit(entries.clone()));
        value["bytes_equal"] = (made == expected).into();
        value["proof_bytes"] = made.1.len().into();
        if self.with_cpu {
            for threads in [1, cpu::threads()] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let mut prover = Prover::new(&scheme);
                let (commit, opened) = pool.install(|| {
                    let (commit, mut witness) = median(repeats.min(3), || prover.commit(entries.clone()));
                    (commit, median(repeats.min(3), || open(&mut witness)).0)
                });
                value["cpu_ms"][threads.to_string()] = json!({ "commit": commit, "prove": opened });
            }
        }
        Ok(())
    }

    /// Milliseconds of a commitment and of a proof between two events of the device, the host's part included: medians after once for
    /// warmth. And what was made.
    fn timed<B: FoldFibres, E: ExtensionOf<B>>(
        &self,
        scheme: &Scheme<B, E>,
        entries: &[B],
        open: &dyn Fn(&mut Witness<B, E>) -> Made,
    ) -> Result<(Value, Made), Error> {
        let (mut commits, mut proofs, mut last) = (Vec::new(), Vec::new(), None);
        for round in 0..=self.options.repeats.clamp(1, 5) {
            let mut copy = entries.to_vec();
            let (mut witness, commit) = self.gpu.timed(|| gpu::commit(self.gpu, scheme, &mut copy))?;
            let (made, proof) = self.gpu.timed(|| Ok(open(&mut witness)))?;
            if round > 0 {
                commits.push(commit);
                proofs.push(proof);
            }
            last = Some(made);
        }
        [&mut commits, &mut proofs].into_iter().for_each(|times| times.sort_by(f64::total_cmp));
        let times = json!({ "commit": commits[commits.len() / 2], "prove": proofs[proofs.len() / 2] });
        Ok((times, last.expect("a round")))
    }
}
