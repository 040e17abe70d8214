//! `tenfold compare`: every scheme and field that applies to the data, at equal proven bits.

use super::contender::{self, Case, Contender};
use super::scheme::{base_of, fields, hash};
use super::{BYTES_PER_ROW, blob, load};
use crate::args::{Bits, Common, CompareArgs, HashChoice};
use crate::data::{Base, Column, embed};
use crate::doctor;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::page::{ComparisonRow, Meta, comparison_page, comparison_table};
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, Field, TwoAdic};
use iop::error::ParamError;
use iop::hash::Hash;
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::search::{self, Profile, Wanted};
use pcs::{deepfold, pip, with_fields};
use std::path::Path;
use std::time::Instant;

/// Runs of each case; medians are shown.
const RUNS: usize = 3;
/// DeepFold as its authors batch it, and whole: log2 of the number of fragments.
const DEEPFOLD_COLUMNS: [u32; 2] = [6, 0];
/// DeepFold's rate, 1/8 as in its paper.
const DEEPFOLD_RATE: u32 = 3;
/// Work before DeepFold's queries: as much as the search gives PIP_FRI.
const GRINDING: u32 = 15;

/// The command.
pub fn run(args: &CompareArgs, common: &Common) -> Result<Exit, Failure> {
    let output = args.output.output.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let mut progress = Progress::new(common.quiet || common.json);
    let column = load(&args.input, common, BYTES_PER_ROW, Base::KoalaBear.raw_width(), &mut progress)?;
    let rows = measure(&column, args.bits, args.hash, &mut progress)?;
    if let Some(output) = &output {
        output.write(page(&args.input.file, &column, args.bits.number(), &rows).as_bytes())?;
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
pub fn page(file: &Path, column: &Column, bits: u32, rows: &[ComparisonRow]) -> String {
    let threads = rayon::current_num_threads();
    let meta = Meta {
        title: format!("Commitments to {}", column.name),
        subtitle: format!(
            "{} rows, padded to {}; every scheme at {bits} or more proven bits",
            units::count(column.rows() as u64),
            units::count(column.padded_rows() as u64)
        ),
        command: format!("tenfold compare {} --column {} --bits {bits}", file.display(), column.name),
        facts: vec![
            ("processor".into(), doctor::processor().unwrap_or_else(|| "unknown".into())),
            ("source (BLAKE3)".into(), units::hex(&column.source_digest)),
            ("threads".into(), threads.to_string()),
        ],
        notes: vec![
            format!("Medians of {RUNS} runs in one process."),
            "Ligerito commits to numbers as words of 32 or 64 bits and proves single ones; in characteristic two a sum is an XOR.".into(),
            "Memory is what the prover holds from commit to open: message, codeword and tree.".into(),
            "Proven bits are the union over every error term, computed by the library; no conjecture is used.".into(),
        ],
    };
    comparison_page(rows, &meta)
}

/// Measures every case that applies.
pub fn measure(
    column: &Column,
    wanted: Bits,
    hash_choice: HashChoice,
    progress: &mut Progress,
) -> Result<Vec<ComparisonRow>, Failure> {
    let bits = wanted.number();
    let log_size = column.padded_rows().trailing_zeros();
    let applies = |base: &Base| base.check(&column.values, 0).is_ok();
    // A case that cannot prove the bits is left out: nothing is compared at fewer proven bits.
    let cases: Vec<Case> = Base::ALL
        .into_iter()
        .filter(applies)
        .flat_map(|base| cases(base, log_size, bits, hash_choice))
        .collect();
    let packed = blob::compare::Packed::of(column, wanted, hash_choice);
    if cases.is_empty() && packed.cases.is_empty() {
        return Err(Failure::usage(
            format!("no scheme proves {bits} bits for this data"),
            "ask for 100 --bits",
        ));
    }
    progress.steps("measuring", (cases.len() + packed.cases.len()) as u64);
    let mut rows = Vec::new();
    for case in cases {
        progress.step(&format!("{} over {}", case.scheme(), case.fields().name()));
        rows.push(with_fields!(case.fields(), B, E => measure_case::<B, E>(&case, bits, column))?);
    }
    rows.extend(packed.measure(bits, progress)?);
    progress.end();
    Ok(rows)
}

/// Every scheme over a data field, each with the challenge field that suits it best.
fn cases(base: Base, log_size: u32, bits: u32, hash_choice: HashChoice) -> Vec<Case> {
    let (fields, hash) = (fields(base), hash(hash_choice));
    let mut cases = Vec::new();
    for (name, profile) in [("fast", Profile::Fast), ("small", Profile::Small)] {
        let wanted = Wanted { hash, ..Wanted::new(fields[0], log_size, bits, profile) };
        cases.extend(search::find_among(fields, &wanted).ok().map(|params| Case::Pip(name, params)));
    }
    for log_columns in DEEPFOLD_COLUMNS.into_iter().filter(|&c| c <= log_size / 2) {
        let params = |&fields: &Fields| {
            let shape = [log_size, log_columns, DEEPFOLD_RATE];
            let target = deepfold::Target::new(fields, shape, f64::from(bits));
            deepfold::Params::for_target(&deepfold::Target { hash, grinding: GRINDING, ..target }).ok()
        };
        // A larger field allows the Johnson regime, which needs fewer queries.
        let fewest = fields.iter().filter_map(params).min_by_key(|params| params.queries);
        cases.extend(fewest.map(Case::DeepFold));
    }
    cases
}

fn measure_case<B: TwoAdic, E: ExtensionOf<B>>(
    case: &Case,
    bits: u32,
    column: &Column,
) -> Result<ComparisonRow, Failure> {
    let policy = Policy { min_bits: bits };
    let variables = u64::from(case.log_size());
    let label = Label {
        scheme: case.scheme(),
        field: challenge_name(case.fields()),
        profile: case.profile(),
        hash: case.hash(),
    };
    let entries = || embed::elements::<B>(&column.values, 1 << variables);
    match case {
        Case::Pip(_, params) => {
            let scheme = pip::Scheme::<B, E>::new(params.clone(), &policy).map_err(refused)?;
            run_case(label, contender::Pip::new(&scheme), entries, |run| point(variables, run, E::from_u64))
        }
        Case::DeepFold(params) => {
            let scheme = deepfold::Scheme::<B, E>::new(params.clone(), &policy).map_err(refused)?;
            run_case(label, contender::DeepFold::new(&scheme), entries, |run| {
                point(variables, run, E::from_u64)
            })
        }
    }
}

/// What a search found and a scheme does not take.
pub(super) fn refused(e: ParamError) -> Failure {
    Failure::usage(e.0, "report this: the search found these parameters")
}

/// A point without structure.
pub(super) fn point<E: Field>(variables: u64, run: u64, element: impl Fn(u64) -> E) -> Tensor<E> {
    let z: Vec<E> = (0..variables).map(|v| element(v + 3 + run).pow(41)).collect();
    Tensor::point(&z)
}

/// What a measured case is called.
pub(super) struct Label {
    pub scheme: &'static str,
    pub field: String,
    pub profile: String,
    pub hash: Hash,
}

/// Measures a case: commits to the entries and opens a form, each run another one.
pub(super) fn run_case<B, E: Field, C: Contender<B, E>>(
    label: Label,
    mut contender: C,
    entries: impl Fn() -> Vec<B>,
    form: impl Fn(u64) -> Tensor<E>,
) -> Result<ComparisonRow, Failure> {
    let mut times: [Vec<f64>; 3] = Default::default();
    let (mut proof_bytes, mut commitment_bytes, mut held) = (0, 0, 0);
    for run in 0..RUNS as u64 {
        let (entries, form) = (entries(), form(run));
        let start = Instant::now();
        let mut witness = contender.commit(entries);
        times[0].push(millis(start));
        let start = Instant::now();
        let (claims, proof) = contender.open(&mut witness, form);
        times[1].push(millis(start));
        let start = Instant::now();
        contender
            .verify(C::commitment(&witness), &claims, &proof)
            .map_err(|e| Failure::invalid(format!("our own proof is refused: {e}")))?;
        times[2].push(millis(start));
        proof_bytes = proof.len() as u64;
        commitment_bytes = C::commitment(&witness).to_bytes().len() as u64;
        held = C::held(&witness) as u64;
        contender.recycle(witness);
    }
    let [commit_ms, open_ms, verify_ms] = times.map(median);
    let report = contender.report();
    Ok(ComparisonRow {
        scheme: label.scheme.into(),
        field: label.field,
        profile: label.profile,
        proven_bits: report.proven_bits(),
        regime: report.regime.to_string(),
        commit_ms,
        open_ms,
        verify_ms,
        commitment_bytes,
        proof_bytes,
        peak_bytes: held,
        setup: "none".into(),
        assumptions: format!("{} as a random oracle", label.hash.name()),
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
