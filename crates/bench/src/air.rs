//! Air-FRI at the published sizes and at its levels of proven bits, on one thread: the parts that the publication times, beside its numbers;
//! and the same encoding by products in GF(2^64).

mod gf64;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use field::{ExtensionOf, Field, FoldFibres, Gf64};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::air::search::find;
use pcs::air::{Level, Params, Prover, Scheme, evaluation};
use pcs::with_binary_fields;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::time::Instant;

use crate::ours::random;
use crate::stats::Spread;

/// Seconds of the whole program by log2 of the degree, published: on a CPU and on the GPU (L3, slides of SAC 2025).
const PUBLISHED: [(u32, f64, f64); 7] = [
    (9, 2.80, 0.54),
    (10, 5.48, 0.88),
    (11, 10.86, 1.04),
    (12, 22.43, 1.49),
    (13, 45.16, 3.78),
    (14, 104.4, 3.70),
    (15, 205.4, 8.95),
];

/// Which parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// The publication's: rate 1/32, 14 queries, SHA3-256.
    Published,
    /// Those that prove the level's bits.
    Proven,
}

/// Options.
#[derive(Args)]
pub struct AirArgs {
    /// log2 of the number of coefficients
    #[arg(long, value_delimiter = ',', default_value = "9,10,11,12,13,14,15,16", value_parser = crate::sizes())]
    pub log_size: Vec<u32>,
    /// Levels, by name
    #[arg(long, value_delimiter = ',', default_value = "l1,l3,l5")]
    pub level: Vec<String>,
    /// Variables folded from one word to the next, of the published parameters
    #[arg(long, value_delimiter = ',', default_value = "1,3,4")]
    pub fold: Vec<u32>,
    /// Parameters
    #[arg(long, value_enum, value_delimiter = ',', default_value = "published,proven")]
    pub which: Vec<Which>,
    /// Counted rounds
    #[arg(long, default_value_t = 7, value_parser = crate::rounds())]
    pub rounds: usize,
}

/// Milliseconds of the parts, least of the rounds, and the proof's bytes.
#[derive(Clone, Copy, Debug)]
struct Measured {
    encode: f64,
    /// The same encoding by [`gf64::Encoder`].
    gf64: f64,
    commit: f64,
    open: f64,
    verify: f64,
    bytes: usize,
}

/// Bytes of a proof by the plain protocol of the same code, queries and hash: a root for each fold of one variable, down to a constant, and
/// for each query in each word a pair with its whole path, whatever other queries open.
fn plain_bytes(params: &Params) -> u64 {
    let (digest, element) = (params.hash.bytes() as u64, params.fields.bytes() as u64);
    let log_domain = u64::from(params.log_size + params.level.log_inv_rate);
    let rounds = u64::from(params.log_size);
    let paths: u64 = (0..rounds).map(|word| (log_domain - word - 1) * digest + 2 * element).sum();
    rounds * digest + element + u64::from(params.level.queries) * paths
}

/// The tables, as text.
///
/// # Errors
/// If a level is unknown, or has no parameters of a size: before anything is measured.
pub fn tables(args: &AirArgs) -> Result<String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut out = String::from(
        "| level | size | fold | hash | rate | queries | proven bits | encode | in GF(2^64) | prove | verify | bytes | of plain FRI's | published GPU / ours |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let cases = cases(args).map_err(|e| crate::unusable(e, "air"))?;
    for (level, log_size, fold, params) in cases {
        let measured = pool.install(|| measured(&params, args.rounds))?;
        row(&mut out, (level, log_size, &fold), &params, measured)?;
    }
    Ok(out)
}

/// Parameters of every level and size, with the folds in words.
fn cases(args: &AirArgs) -> Result<Vec<(Level, u32, String, Params)>> {
    let mut cases = Vec::new();
    for name in &args.level {
        let level = Level::from_name(name).ok_or_else(|| anyhow!("no level `{name}`"))?;
        for &log_size in &args.log_size {
            for (fold, params) in params(args, level, log_size)? {
                params.check().map_err(|e| anyhow!(e.reason().to_owned()))?;
                cases.push((level, log_size, fold, params));
            }
        }
    }
    Ok(cases)
}

/// Parameters of a size with the folds in words.
fn params(args: &AirArgs, level: Level, log_size: u32) -> Result<Vec<(String, Params)>> {
    let mut all = Vec::new();
    if args.which.contains(&Which::Published) {
        all.extend(args.fold.iter().map(|&fold| (format!("{}", 1 << fold), level.published(log_size, fold))));
    }
    if args.which.contains(&Which::Proven) {
        let params = find(&level.wanted(log_size)).map_err(|e| anyhow!(e.reason().to_owned()))?;
        all.push(("searched".into(), params));
    }
    Ok(all)
}

fn row(
    out: &mut String,
    (level, log_size, fold): (Level, u32, &str),
    params: &Params,
    Measured { encode, gf64, commit, open, verify, bytes }: Measured,
) -> Result<()> {
    let (hash, rate, queries) = (params.hash, params.level.log_inv_rate, params.level.queries);
    let bits = params.report().proven_bits();
    let whole = commit + open;
    let published = PUBLISHED.iter().find(|(size, ..)| *size == log_size && level == Level::L3);
    let times = published.map_or(String::from("-"), |(.., gpu)| format!("{:.0}", 1e3 * gpu / whole));
    let (prove, plain) = (whole - encode, plain_bytes(params));
    let part = 100.0 * bytes as f64 / plain as f64;
    writeln!(
        out,
        "| {} | 2^{log_size} | {fold} | {} | 2^-{rate} | {queries} | {bits:.1} | {encode:.2} ms | {gf64:.2} ms | {prove:.2} ms | {verify:.3} ms | {bytes} | {part:.0} % of {plain} | {times} |",
        level.name(),
        Hash::name(hash),
    )?;
    Ok(())
}

fn measured(params: &Params, rounds: usize) -> Result<Measured> {
    with_binary_fields!(params.fields, B, E => one::<B, E>(params.clone(), rounds))
}

fn one<B: FoldFibres, E: ExtensionOf<B>>(params: Params, rounds: usize) -> Result<Measured> {
    let scheme =
        Scheme::<B, E>::new(params, &Policy::at_least(0)).map_err(|e| anyhow!(e.reason().to_owned()))?;
    let (spec, log_size) = (scheme.matrix(), scheme.params().log_size as usize);
    let count = scheme.params().entry_columns() << log_size;
    let mut rng = ChaCha8Rng::seed_from_u64(count as u64);
    let entries: Vec<B> = random(&mut rng, count);
    let form = evaluation(random::<E>(&mut rng, 1)[0], log_size);
    let mut prover = Prover::new(&scheme);
    let mut blocks = vec![Vec::new(); 1 << spec.code.log_inv_rate];
    let (mut times, mut bytes) = ([const { Vec::new() }; 4], 0);
    for round in 0..=rounds {
        let mut marks = Vec::new();
        let mut lap = |start: Instant| marks.push(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        for (block, out) in blocks.iter_mut().enumerate() {
            B::encode_block(&entries, spec.block(block), out, &|_, _| {});
        }
        lap(start);
        let message = entries.clone();
        let start = Instant::now();
        let mut witness = prover.commit(message);
        lap(start);
        let context = (round as u64).to_le_bytes();
        let start = Instant::now();
        let (claims, proof) = prover.open(&mut witness, vec![TensorForm::clone(&form)], &context);
        lap(start);
        let start = Instant::now();
        scheme.verify(witness.commitment(), &claims, &proof).map_err(|e| anyhow!("{e:?}"))?;
        lap(start);
        bytes = proof.len();
        prover.recycle(witness);
        // The first round touches fresh memory.
        if round > 0 {
            times.iter_mut().zip(marks).for_each(|(times, mark)| times.push(mark));
        }
    }
    let [encode, commit, open, verify] = times.map(|times| Spread::of(times).min);
    drop(blocks);
    let gf64 =
        gf64_encoding(log_size, E::DEGREE * B::BYTES / Gf64::BYTES, 1 << spec.code.log_inv_rate, rounds);
    Ok(Measured { encode, gf64, commit, open, verify, bytes })
}

/// Milliseconds of encoding so many planes of coefficients in GF(2^64) to so many blocks, least of the rounds.
fn gf64_encoding(log_rows: usize, planes: usize, blocks: usize, rounds: usize) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(planes as u64);
    let messages: Vec<Vec<Gf64>> = (0..planes).map(|_| random(&mut rng, 1 << log_rows)).collect();
    let mut encoder = gf64::Encoder::new(log_rows);
    let mut codeword = vec![Vec::new(); planes * blocks];
    let mut times = Vec::new();
    for round in 0..=rounds {
        let start = Instant::now();
        for (message, codeword) in messages.iter().zip(codeword.chunks_exact_mut(blocks)) {
            for (block, out) in codeword.iter_mut().enumerate() {
                out.clone_from(message);
                encoder.encode(out, blocks + block);
            }
        }
        // The first round touches fresh memory.
        if round > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Spread::of(times).min
}
