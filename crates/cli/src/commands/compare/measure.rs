//! Measures one case: commit, open, verify.

use super::data::Data;
use super::plan::Planned;
use crate::commands::blob::{element, source::entries};
use crate::commands::contender::{self, Case, Contender};
use crate::commands::scheme::base_of;
use crate::data::{Column, embed};
use crate::exit::Failure;
use crate::page::ComparisonRow;
use crate::theorems::ByTheorem;
use field::{Alphabet, ExtensionOf, Field, TwoAdic};
use iop::error::ParamError;
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::{deepfold, ligerito, pip, with_binary_fields, with_fields};
use std::time::Instant;

/// Runs of each case; medians are shown.
pub const RUNS: usize = 3;

/// Measures a case.
pub fn measure(planned: &Planned, data: &Data, policy: &Policy) -> Result<ComparisonRow, Failure> {
    match &planned.case {
        Case::Ligerito(params) => {
            with_binary_fields!(params.fields, B, E => of_bytes::<B, E>(planned, params, data, policy))
        }
        Case::Pip(pip::Params { fields, .. }) | Case::DeepFold(deepfold::Params { fields, .. }) => {
            let column = data.column(base_of(*fields))?;
            with_fields!(*fields, B, E => of_column::<B, E>(planned, &column, policy))
        }
    }
}

fn of_column<B: TwoAdic, E: ExtensionOf<B>>(
    planned: &Planned,
    column: &Column,
    policy: &Policy,
) -> Result<ComparisonRow, Failure> {
    let variables = u64::from(planned.case.log_size());
    let entries = || embed::elements::<B>(&column.values, 1 << variables);
    let form = |run| point(variables, run, E::from_u64);
    match &planned.case {
        Case::Pip(params) => {
            let scheme = pip::Scheme::<B, E>::new(params.clone(), policy).map_err(refused)?;
            run_case(planned, contender::Pip::new(&scheme), entries, form)
        }
        Case::DeepFold(params) => {
            let scheme = deepfold::Scheme::<B, E>::new(params.clone(), policy).map_err(refused)?;
            run_case(planned, contender::DeepFold::new(&scheme), entries, form)
        }
        Case::Ligerito(_) => Err(Failure::usage("Ligerito is over no prime field", "report this")),
    }
}

fn of_bytes<B: Alphabet, E: ExtensionOf<B>>(
    planned: &Planned,
    params: &ligerito::Params,
    data: &Data,
    policy: &Policy,
) -> Result<ComparisonRow, Failure> {
    let scheme = ligerito::Scheme::<B, E>::new(params.clone(), policy).map_err(refused)?;
    let Some((bytes, _)) = data.packed() else {
        return Err(Failure::usage("these numbers are no words of 64 bits", "leave --scheme ligerito out"));
    };
    let entries = || entries::<B>(&bytes, params.log_size);
    let variables = params.variables() as u64;
    run_case(planned, contender::Ligerito::new(&scheme), entries, |run| point(variables, run, element::<E>))
}

/// What a search found and a scheme does not take.
fn refused(e: ParamError) -> Failure {
    Failure::usage(e.0, "report this: the search found these parameters")
}

/// A point without structure.
fn point<E: Field>(variables: u64, run: u64, element: impl Fn(u64) -> E) -> Tensor<E> {
    let z: Vec<E> = (0..variables).map(|v| element(v + 3 + run).pow(41)).collect();
    Tensor::point(&z)
}

/// Measures a case: commits to the entries and opens a form, each run another one.
fn run_case<B, E: Field, C: Contender<B, E>>(
    planned: &Planned,
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
        proven_bits: report.proven_bits(),
        interactive_bits: report.interactive_bits(),
        theorems: report.theorems.to_string(),
        by_theorem: report.into(),
        regime: report.regime.to_string(),
        commit_ms,
        open_ms,
        verify_ms,
        commitment_bytes,
        proof_bytes,
        peak_bytes: held,
        ..blank(planned)
    })
}

/// A row without measurements, as wide as one that has them.
pub fn blank(planned: &Planned) -> ComparisonRow {
    const WIDE: f64 = 555.0;
    ComparisonRow {
        scheme: planned.case.scheme().into(),
        field: planned.field.clone(),
        profile: planned.profile.clone(),
        proven_bits: 128.0,
        interactive_bits: 128.0,
        theorems: String::new(),
        by_theorem: ByTheorem::default(),
        regime: planned.case.regime(),
        commit_ms: WIDE,
        open_ms: WIDE,
        verify_ms: WIDE,
        commitment_bytes: 999 << 10,
        proof_bytes: 999 << 10,
        peak_bytes: 999 << 10,
        setup: "none".into(),
        assumptions: format!("{} as a random oracle", planned.case.hash().name()),
        commit: planned.commit.clone(),
        parameters: planned.commit.as_ref().and_then(|_| planned.case.digest()),
    }
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
