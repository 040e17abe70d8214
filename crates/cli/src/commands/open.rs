//! `tenfold open`: proves a value of a committed column.

use super::commit::commit;
use super::committed::Committed;
use super::context::Context;
use super::forms::forms;
use super::scheme;
use super::subject::Subject;
use super::verify::describe_with;
use super::{BYTES_PER_ROW, load, read_file, weighted, write_file};
use crate::args::{Common, OpenArgs};
use crate::data::Column;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use iop::poly::Tensor;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::{Prover, Scheme, Witness};
use pcs::with_fields;
use serde_json::json;

/// Opens and encodes the proof file.
pub fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    witness: &mut Witness<B, E>,
    subject: &Subject,
    forms: Vec<Tensor<E>>,
) -> Vec<u8> {
    prove_in(scheme, witness, &subject.encode(), forms)
}

/// [`prove`] with any context.
pub(super) fn prove_in<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    witness: &mut Witness<B, E>,
    context: &[u8],
    forms: Vec<Tensor<E>>,
) -> Vec<u8> {
    let (claims, proof) = Prover::new(scheme).open(witness, forms, context);
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
    let fits = column.padded_rows().checked_shr(committed.params.log_size) == Some(1);
    if Subject::of(&column) != committed.subject || !fits {
        let message = format!("this is not the column of {}", args.commitment.display());
        return Err(Failure::usage(message, "give the file, column and scale that were committed"));
    }
    let weights = args.weights.load(common, &mut progress)?;
    let bytes = with_fields!(committed.params.fields, B, E => match &weights {
        None => open::<B, E>(&committed, &column, args, &mut progress)?,
        Some(weights) => weighted::open::<B, E>(&committed, &column, weights, args, &mut progress)?,
    });
    progress.end();
    let path = args.output.output.clone().unwrap_or_else(|| args.commitment.with_extension("proof"));
    write_file(&path, &bytes)?;
    let statements = describe_with(&bytes, args.min_bits, weights.as_ref())?;
    if common.json {
        let value =
            json!({ "file": path.display().to_string(), "bytes": bytes.len(), "claims": statements.claims });
        let value = statements.with_facts(value);
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
    let scheme = scheme::validated::<B, E>(&committed.params, args.min_bits)?;
    let base = scheme::base_of(committed.params.fields);
    let summed = args.what.sum || args.what.mean;
    if summed && !column.values.sum().is_some_and(|sum| base.holds(sum)) {
        let message =
            format!("the sum of {} does not fit {}: it would wrap around", column.name, base.name());
        return Err(Failure::usage(message, "commit again with a larger --field, or prove rows"));
    }
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
    let context = Context { subject: committed.subject.clone(), weights_scale: None, mean: args.what.mean };
    Ok(prove_in(&scheme, &mut witness, &context.encode(), forms))
}
