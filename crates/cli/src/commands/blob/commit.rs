//! `tenfold commit --scheme ligerito`: a file of any bytes becomes a commitment file.

use super::params::{bits, choose, refuse_hiding, validated};
use super::source::{Source, check_input, check_memory};
use super::{BytesDescription, Committed, Unit, several};
use crate::args::{CommitArgs, Common};
use crate::commands::commit::commitment_path;
use crate::commands::verified::fingerprint;
use crate::commands::witness;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::{terminal, units};
use iop::security::{Policy, Shown};
use pcs::ligerito::Params;
use serde_json::json;

/// Parameters of a file, if they are for a file of bytes that is so long.
fn fitting(params: Params, length: u64) -> Result<Params, Failure> {
    let hint = "write parameters for this file with `tenfold params --scheme ligerito -o FILE`";
    let capacity = BytesDescription::capacity(&params);
    if length > capacity {
        let [length, capacity] = [length, capacity].map(units::count);
        return Err(Failure::usage(
            format!("the parameters are for {capacity} bytes, the file has {length}"),
            hint,
        ));
    }
    refuse_hiding((params.hidden_openings > 0).then_some(params.hidden_openings))?;
    if params.polynomials == 1 {
        Ok(params)
    } else {
        Err(Failure::usage("the parameters are for several files", hint))
    }
}

/// Refuses what only columns of numbers have.
pub fn check(args: &CommitArgs) -> Result<(), Failure> {
    refuse_hiding(args.hiding.hiding)?;
    check_input(&args.input)
}

/// The command, for an opened file.
pub fn run(
    args: &CommitArgs,
    (given, source): (Option<Params>, Source),
    common: &Common,
    mut progress: Progress,
) -> Result<Exit, Failure> {
    check(args)?;
    let CommitArgs { scheme: wanted, .. } = args;
    let policy = Policy { min_bits: bits(wanted)?, ..wanted.policy() };
    let output = common.files.result(Kind::Commitment, &commitment_path(args))?;
    let kept = witness::output(args, output.path(), false, common)?;
    let (name, length) = (source.name.clone(), source.length);
    let params = given.map_or_else(|| choose(length, wanted), |params| fitting(params, length))?;
    check_memory(&params, false, common)?;
    let scheme = validated(&params, &policy)?;
    let mut prover = scheme.prover();
    let (entries, source) = source.read(&prover, &mut progress)?;
    progress.phase("committing");
    let witness = prover.commit_lean(entries);
    let body = kept.as_ref().and_then(|_| prover.kept(&witness)).map(witness::Body::new);
    let commitment = witness.commitment().to_vec();
    drop(witness);
    progress.end();
    let committed = Committed { params, blob: BytesDescription { name, length, source }, commitment };
    let bytes = committed.encode();
    witness::write((&output, &bytes), kept.as_ref(), body)?;
    let path = output.path();
    let Committed { params, blob, .. } = &committed;
    let (unit, proven, fingerprint) =
        (Unit::of(params), params.report().under(policy.theorems).proven_bits(), fingerprint(&bytes));
    let (rows, field) = (unit.count(length), params.fields.name());
    if common.json {
        let value = json!({ "file": path.display().to_string(), "bytes": bytes.len(),
            "fingerprint": fingerprint, "rows": rows, "entries": unit.name(), "length": length, "field": field,
            "proven_bits": proven, "witness": witness::name(kept.as_ref()) });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let paint = Paint::stderr();
        note!(
            "{} {} of {}, {:.1} proven bits over {field}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            several(unit, rows),
            paint.bold(&blob.shown()),
            Shown(proven),
            terminal::path(path)
        );
        kept.iter().for_each(witness::say);
    }
    Ok(Exit::Valid)
}
