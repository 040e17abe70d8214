//! `tenfold open`: proves a value of a committed column.

use super::blob;
use super::blob::source::within_memory;
use super::commit::commit;
use super::committed::Committed;
use super::forms::{at_most, forms, one_for_hiding};
use super::scheme;
use super::secret::for_opening;
use super::verified::Verified;
use super::verify::describe_with;
use super::weights::Given;
use super::{BYTES_PER_ROW, Opened, beside, held, read_ours, weighted, witness};
use crate::args::{Common, OpenArgs};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use pcs::file::SchemeId;
use pcs::pip::Secret;
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::any::{AnyProver, AnyWitness};
use tenfold::statement::ColumnContext;
use tenfold::verify::Limits;

/// The command.
pub fn run(args: &OpenArgs, common: &Common) -> Result<Exit, Failure> {
    let commitment = read_ours(&args.commitment, common)?;
    if blob::is_blob(&commitment) {
        return blob::open::run(&commitment, args, common);
    }
    let committed = Committed::decode(&commitment)?;
    let hides = committed.params.hidden_openings > 0;
    let path = proof_path(args);
    let output = if hides {
        common.files.once(files::Kind::HidingProof, &path)?
    } else {
        common.files.result(files::Kind::Proof, &path)?
    };
    if args.witness.is_some() {
        witness::check_plain(committed.params.polynomials, committed.params.hidden_openings)?;
    }
    let (held, secret) = for_opening(args, &committed)?.unzip();
    let mut progress = Progress::new(common.quiet || common.json);
    let column = match &args.witness {
        None => Some(column(args, &committed, common, &mut progress)?),
        Some(_) => None,
    };
    let weights = Given::load(&args.weights, SchemeId::Pip, common, &mut progress)?;
    let column = column.as_ref();
    let (bytes, secret) = match &weights {
        None => open(&committed, column, (args, common), secret, &mut progress)?,
        Some(weights) => {
            (weighted::open(&committed, (column, weights), (args, common), &mut progress)?, None)
        }
    };
    progress.end();
    let limits = Limits { policy: args.policy.policy(), max_memory: u64::MAX };
    let statements = describe_with(&bytes, &limits, weights.as_ref());
    let statements = statements.map_err(|failure| witness::blamed(failure, args.witness.as_deref()))?;
    let left = secret.as_ref().map(|secret| committed.params.hidden_openings - secret.used());
    match held.zip(secret) {
        None => output.write(&bytes)?,
        Some((held, secret)) => held.publish(secret, &bytes, &output)?,
    }
    say(&statements, (&path, bytes.len()), left, common);
    Ok(Exit::Valid)
}

/// The column of the data, which must be the one that was committed to.
fn column(
    args: &OpenArgs,
    committed: &Committed,
    common: &Common,
    progress: &mut Progress,
) -> Result<Column, Failure> {
    let (input, hides) = (args.data()?, committed.params.hidden_openings > 0);
    let (opened, raw_width) = match committed.subject.bytes {
        Some((length, width)) => (Opened::bytes(&input.file, length, common, progress)?, width as usize),
        None => (Opened::input(input, common, progress)?, 1),
    };
    let name = Some(&committed.subject.name[..]);
    let column = opened.column(input, (common, BYTES_PER_ROW), raw_width, name)?;
    progress.end();
    let log_size = scheme::log_size(&column);
    // Short columns are padded further to hide them.
    let fits = log_size == committed.params.log_size || hides && log_size < committed.params.log_size;
    if column.describe().hiding(hides) != committed.subject || !fits {
        let message = format!("this is not the column of {}", args.commitment.display());
        return Err(Failure::usage(message, "give the file, column and scale that were committed"));
    }
    Ok(column)
}

/// The witness that opens the commitment: kept in a file, or made of the column again.
///
/// # Errors
/// If it is of other data.
pub(super) fn witness_of(
    prover: &mut AnyProver<'_>,
    committed: &Committed,
    (column, kept): (Option<&Column>, Option<&Path>),
    secret: Option<Secret>,
) -> Result<AnyWitness, Failure> {
    let (made, other) = match (column, kept) {
        (_, Some(path)) => (witness::read(path, &committed.encode(), prover)?, witness::another(path)),
        (Some(column), None) => {
            let hint = "give the file that was committed";
            (commit(prover, column, secret)?, Failure::usage("the data does not match the commitment", hint))
        }
        (None, None) => return Err(Failure::usage("there is nothing to open", "name the file")),
    };
    if made.commitment() == committed.commitment { Ok(made) } else { Err(other) }
}

/// Where the proof goes.
pub(super) fn proof_path(args: &OpenArgs) -> PathBuf {
    args.output.output.clone().unwrap_or_else(|| beside(&args.commitment, "proof"))
}

/// Says what was proved, and where the proof is with how many bytes.
pub(super) fn say(proved: &Verified, (path, length): (&Path, usize), left: Option<u32>, common: &Common) {
    let Verified { claims, hidden_openings, .. } = proved;
    if common.json {
        let value = json!({ "file": path.display().to_string(), "bytes": length, "claims": claims,
                "mask": proved.mask, "openings_left": left });
        output::line(format_args!("{:#}", proved.with_facts(value)));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in claims {
            note!("{} {claim}", paint.green("proved:"));
        }
        note!("  {} written to {}", units::bytes(length as u64), terminal::path(path));
        if let Some(mask) = proved.mask {
            note!("  mask number {mask}, counted from 0: no other proof of this commitment may have it");
        }
        if let Some(left) = left {
            note!("  hidden openings left: {left} of {hidden_openings}");
        }
    }
}

/// Refuses a sum that would wrap around the field.
fn check_sum(column: &Column, base: Base) -> Result<(), Failure> {
    if column.values.sum().is_some_and(|sum| base.holds(sum)) {
        return Ok(());
    }
    let message = format!("the sum of {} does not fit {}: it would wrap around", column.name, base.name());
    Err(Failure::usage(message, "commit again with a larger --field, or prove rows"))
}

fn open(
    committed: &Committed,
    column: Option<&Column>,
    (args, common): (&OpenArgs, &Common),
    secret: Option<Secret>,
    progress: &mut Progress,
) -> Result<(Vec<u8>, Option<Secret>), Failure> {
    let params = &committed.params;
    let scheme = scheme::validated(params, &args.policy.policy())?;
    let summed = args.what.sum || args.what.mean;
    let need = match column {
        Some(column) => held(column) + params.prover_memory(true),
        None => witness::memory(params.log_size, summed) + params.lean_memory(),
    };
    within_memory(need, common, "raise `--max-memory`")?;
    if let Some(column) = column.filter(|_| summed) {
        check_sum(column, scheme::base_of(params.fields))?;
    }
    let forms = forms(&args.what, committed.subject.rows, &scheme)?;
    if secret.is_some() {
        one_for_hiding(&args.what, committed.subject.rows, forms.len())?;
    } else {
        at_most(params.max_forms, forms.len())?;
    }
    let kept = args.witness.as_deref();
    progress.phase(if kept.is_some() { "reading the witness" } else { "committing again" });
    let mut prover = scheme.prover();
    let mut witness = witness_of(&mut prover, committed, (column, kept), secret)?;
    if let Some(path) = kept.filter(|_| summed) {
        let column = witness::column((&prover, &witness), committed, path)?;
        check_sum(&column, scheme::base_of(params.fields))?;
    }
    progress.phase("proving");
    let context =
        ColumnContext { column: committed.subject.clone(), weights_scale: None, mean: args.what.mean };
    let opened = prover.open(&mut witness, &forms, &context.encode()).map_err(scheme::unproven)?;
    Ok((opened.file.encode(), prover.end(witness)))
}
