//! `tenfold open`: proves a value of a committed column.

use super::commit::{Committed, commit};
use super::subject::Subject;
use super::verify::describe;
use super::{BYTES_PER_ROW, load, read_file, write_file};
use crate::args::{Common, OpenArgs, What};
use crate::data::Column;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::{Params, Prover, Scheme, Witness};
use pcs::with_fields;
use serde_json::json;

/// Validated parameters, or why they are refused.
pub fn scheme<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    min_bits: u32,
) -> Result<Scheme<B, E>, Failure> {
    Scheme::new(params.clone(), &Policy { min_bits })
        .map_err(|e| Failure::invalid(format!("the parameters are refused: {}", e.0)))
}

/// The linear forms asked for.
pub fn forms<E: field::Field>(what: &What, rows: u64, log_size: u32) -> Result<Vec<Tensor<E>>, Failure> {
    let variables = log_size as usize;
    let mut forms = Vec::new();
    for &row in &what.row {
        if row >= rows {
            let hint = format!("rows are numbered from 0 to {}", rows.saturating_sub(1));
            return Err(Failure::usage(format!("there is no row {row}"), hint));
        }
        forms.push(Tensor::index(row, variables));
    }
    if what.sum {
        forms.extend(blocks(rows, variables));
    }
    if let Some(point) = &what.point {
        if point.len() != variables {
            let message =
                format!("the point has {} coordinates, the column has {variables} variables", point.len());
            return Err(Failure::usage(message, "give one integer per variable, lowest index bit first"));
        }
        let z: Vec<E> = point.iter().map(|&x| E::from_u64(x)).collect();
        forms.push(Tensor::point(&z));
    }
    if forms.is_empty() {
        return Err(Failure::usage("nothing to prove", "name a --row, a --point, or --sum"));
    }
    Ok(forms)
}

/// The sum of the rows, as sums over blocks of `2^k` rows that tile `0..rows`: the form over everything would count
/// the padding too, and nothing proves that padding is zero.
pub fn blocks<E: field::Field>(rows: u64, variables: usize) -> Vec<Tensor<E>> {
    let mut start = 0u64;
    let mut forms = Vec::new();
    for k in (0..=variables.min(63)).rev() {
        if rows >> k & 1 == 1 {
            let index = Tensor::<E>::index(start, variables);
            let bits = index.factors().iter().enumerate();
            let factors = bits.map(|(v, &bit)| if v < k { [E::ONE, E::ONE] } else { bit }).collect();
            forms.push(Tensor::new(factors));
            start += 1 << k;
        }
    }
    forms
}

/// Opens and encodes the proof file.
pub fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    witness: &mut Witness<B, E>,
    subject: &Subject,
    forms: Vec<Tensor<E>>,
) -> Vec<u8> {
    let (claims, proof) = Prover::new(scheme).open(witness, forms, &subject.encode());
    let commitment = witness.commitment().to_bytes();
    let params = scheme.params();
    let file = File {
        kind: Kind::Opening,
        scheme: SchemeId::Pip,
        params: params.encode(),
        params_digest: params.digest(),
        statement: claims.digest(params.hash, &commitment),
        body: Opening { commitment, claims, proof }.encode(),
    };
    file.encode()
}

/// The command.
pub fn run(args: &OpenArgs, common: &Common) -> Result<Exit, Failure> {
    let committed = Committed::decode(&read_file(&args.commitment)?)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let raw_width = committed.subject.bytes.map_or(1, |(_, width)| width as usize);
    let column = load(&args.input, common, BYTES_PER_ROW, raw_width, &mut progress)?;
    if Subject::of(&column) != committed.subject || column.padded_rows() >> committed.params.log_size != 1 {
        let message = format!("this is not the column of {}", args.commitment.display());
        return Err(Failure::usage(message, "give the file, column and scale that were committed"));
    }
    let bytes = with_fields!(committed.params.fields, B, E => open::<B, E>(&committed, &column, args, &mut progress)?);
    progress.end();
    let path = args.output.output.clone().unwrap_or_else(|| args.commitment.with_extension("proof"));
    write_file(&path, &bytes)?;
    let statements = describe(&bytes, args.min_bits)?;
    if common.json {
        let value =
            json!({ "file": path.display().to_string(), "bytes": bytes.len(), "claims": statements.claims });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in &statements.claims {
            eprintln!("{} {claim}", paint.green("proved:"));
        }
        eprintln!("  {} written to {}", units::bytes(bytes.len() as u64), path.display());
    }
    Ok(Exit::Valid)
}

fn open<B: TwoAdic, E: ExtensionOf<B>>(
    committed: &Committed,
    column: &Column,
    args: &OpenArgs,
    progress: &mut Progress,
) -> Result<Vec<u8>, Failure> {
    let scheme = scheme::<B, E>(&committed.params, args.min_bits)?;
    let forms = forms::<E>(&args.what, committed.subject.rows, committed.params.log_size)?;
    if forms.len() > committed.params.max_forms as usize {
        let message = format!("at most {} statements per proof", committed.params.max_forms);
        return Err(Failure::usage(message, "make several proofs"));
    }
    progress.phase("committing again");
    let mut witness = commit(&scheme, column);
    if witness.commitment().to_bytes() != committed.commitment {
        return Err(Failure::usage(
            "the data does not match the commitment",
            "give the file that was committed",
        ));
    }
    progress.phase("proving");
    Ok(prove(&scheme, &mut witness, &committed.subject, forms))
}
