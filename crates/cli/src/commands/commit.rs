//! `tenfold commit`: a file of rows becomes a commitment file.

use super::committed::Committed;
use super::subject::Subject;
use super::{BYTES_PER_ROW, load, scheme, write_file};
use crate::args::{Common, Input, Output, SchemeArgs};
use crate::data::{Base, Column, embed};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use pcs::pip::{Prover, Scheme, Witness};
use pcs::with_fields;
use serde_json::json;

/// Commits to a column; the prover keeps what opening needs.
pub fn commit<B: TwoAdic, E: ExtensionOf<B>>(scheme: &Scheme<B, E>, column: &Column) -> Witness<B, E> {
    let entries = embed::elements::<B>(&column.values, 1 << scheme.params().log_size);
    Prover::new(scheme).commit(entries)
}

/// The command.
pub fn run(input: &Input, args: &SchemeArgs, output: &Output, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let raw_width = args.field.base().unwrap_or(Base::Goldilocks).raw_width();
    let column = load(input, common, BYTES_PER_ROW, raw_width, &mut progress)?;
    let base = scheme::base(&column, args)?;
    let params = scheme::params(base, scheme::log_size(&column), args)?;
    progress.phase("committing");
    let subject = Subject::of(&column);
    let commitment = with_fields!(params.fields, B, E => {
        let scheme = scheme::validated::<B, E>(&params, args.bits.number())?;
        commit(&scheme, &column).commitment().to_bytes()
    });
    progress.end();
    let bits = params.report().proven_bits();
    let committed = Committed { params, subject, commitment };
    let bytes = committed.encode();
    let path = output.output.clone().unwrap_or_else(|| input.file.with_extension("commitment"));
    write_file(&path, &bytes)?;
    let fingerprint = committed.fingerprint();
    let root = units::hex(committed.commitment.get(..32).unwrap_or_default());
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "file": path.display().to_string(), "bytes": bytes.len(), "root": root,
                "fingerprint": fingerprint, "rows": column.rows(),
                "field": committed.params.fields.name(), "proven_bits": bits })
        ));
    } else if !common.quiet {
        let paint = Paint::stderr();
        eprintln!(
            "{} {} rows of {}, {:.1} proven bits over {}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            units::count(column.rows() as u64),
            paint.bold(&column.name),
            bits,
            committed.params.fields.name(),
            path.display()
        );
    }
    Ok(Exit::Valid)
}
