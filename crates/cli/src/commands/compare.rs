//! `tenfold compare`: every scheme and field that applies to the data, at equal proven bits.

use super::open;
use super::scheme::{base_of, fields, hash};
use super::{BYTES_PER_ROW, load, write_file};
use crate::args::{Common, CompareArgs, HashChoice};
use crate::data::{Base, Column, embed};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::page::{ComparisonRow, Meta, comparison_page, comparison_table};
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use iop::poly::Tensor;
use iop::security::Regime;
use pcs::fields::Fields;
use pcs::pip::search::{self, Profile, Wanted};
use pcs::pip::{Params, Prover};
use pcs::with_fields;
use std::time::Instant;

/// Runs of each case; medians are shown.
const RUNS: usize = 3;

/// The command.
pub fn run(args: &CompareArgs, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let column = load(&args.input, common, BYTES_PER_ROW, Base::KoalaBear.raw_width(), &mut progress)?;
    let rows = measure(&column, args.bits.number(), args.hash, &mut progress)?;
    if let Some(path) = &args.output.output {
        write_file(path, page(&column, args.bits.number(), &rows).as_bytes())?;
    }
    if common.json {
        output::line(format_args!("{:#}", serde_json::to_value(&rows).unwrap_or_default()));
    } else {
        output::text(format_args!("{}", comparison_table(&rows, Paint::stdout())));
        if let Some(path) = &args.output.output {
            eprintln!("page written to {}", path.display());
        }
    }
    Ok(Exit::Valid)
}

/// The self-contained page.
#[must_use]
pub fn page(column: &Column, bits: u32, rows: &[ComparisonRow]) -> String {
    let threads = rayon::current_num_threads();
    let meta = Meta {
        title: format!("Commitments to {}", column.name),
        subtitle: format!(
            "{} rows, padded to {}; every scheme at {bits} or more proven bits",
            units::count(column.rows() as u64),
            units::count(column.padded_rows() as u64)
        ),
        command: "tenfold compare".into(),
        facts: vec![
            ("source (BLAKE3)".into(), units::hex(&column.source_digest)),
            ("threads".into(), threads.to_string()),
        ],
        notes: vec![
            format!("Medians of {RUNS} runs in one process."),
            "Memory is what the prover holds from commit to open: message, codeword and tree.".into(),
            "Proven bits are the union over every error term, computed by the library; no conjecture is used.".into(),
        ],
    };
    comparison_page(rows, &meta)
}

/// Measures every case that applies.
pub fn measure(
    column: &Column,
    bits: u32,
    hash_choice: HashChoice,
    progress: &mut Progress,
) -> Result<Vec<ComparisonRow>, Failure> {
    let log_size = column.padded_rows().trailing_zeros();
    let applies = |base: &Base| base.check(&column.values, 0).is_ok();
    let mut cases = Vec::new();
    for base in Base::ALL.into_iter().filter(applies) {
        for profile in [Profile::Fast, Profile::Small] {
            let pair = fields(base, bits);
            let wanted = Wanted { hash: hash(hash_choice), ..Wanted::new(pair, log_size, bits, profile) };
            // A field too small for the bits is left out: nothing is compared at fewer proven bits.
            if let Ok(params) = search::find(&wanted) {
                cases.push((profile, params));
            }
        }
    }
    if cases.is_empty() {
        return Err(Failure::usage(
            format!("no scheme proves {bits} bits for this data"),
            "ask for 100 --bits",
        ));
    }
    progress.steps("measuring", cases.len() as u64);
    let mut rows = Vec::new();
    for (profile, params) in cases {
        progress.step(params.fields.name());
        rows.push(with_fields!(params.fields, B, E => case::<B, E>(&params, profile, bits, column))?);
    }
    progress.end();
    Ok(rows)
}

fn case<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    profile: Profile,
    bits: u32,
    column: &Column,
) -> Result<ComparisonRow, Failure> {
    let scheme = open::scheme::<B, E>(params, bits)?;
    let mut prover = Prover::new(&scheme);
    let mut times: [Vec<f64>; 3] = Default::default();
    let (mut proof_bytes, mut commitment_bytes, mut held) = (0, 0, 0);
    for run in 0..RUNS as u64 {
        let entries = embed::elements::<B>(&column.values, 1 << params.log_size);
        let start = Instant::now();
        let mut witness = prover.commit(entries);
        times[0].push(millis(start));
        let z: Vec<E> = (0..u64::from(params.log_size)).map(|v| E::from_u64(v + 3 + run).pow(41)).collect();
        let start = Instant::now();
        let (claims, proof) = prover.open(&mut witness, vec![Tensor::point(&z)], b"compare");
        times[1].push(millis(start));
        let start = Instant::now();
        scheme
            .verify(witness.commitment(), &claims, &proof)
            .map_err(|e| Failure::invalid(format!("our own proof is refused: {e}")))?;
        times[2].push(millis(start));
        proof_bytes = proof.len() as u64;
        commitment_bytes = witness.commitment().to_bytes().len() as u64;
        held = witness.memory() as u64;
        prover.recycle(witness);
    }
    let [commit_ms, open_ms, verify_ms] = times.map(median);
    Ok(ComparisonRow {
        scheme: "pip".into(),
        field: challenge_name(params.fields),
        profile: format!("{profile:?}").to_lowercase(),
        proven_bits: scheme.report().proven_bits(),
        regime: match params.regime {
            Regime::UniqueDecoding => "unique decoding".into(),
            Regime::Johnson { multiplicity } => format!("Johnson, m = {multiplicity}"),
        },
        commit_ms,
        open_ms,
        verify_ms,
        commitment_bytes,
        proof_bytes,
        peak_bytes: held,
        setup: "none".into(),
        assumptions: format!("{} as a random oracle", params.hash.name()),
    })
}

fn challenge_name(pair: Fields) -> String {
    let (base, challenges) = (base_of(pair).name(), pair.name());
    if base == challenges { base.to_owned() } else { format!("{base} / {challenges}") }
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
