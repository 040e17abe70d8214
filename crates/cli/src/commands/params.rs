//! `tenfold params`: the parameters for a size, and the security report term by term.

use super::failure::unfound;
use super::{read_file, search};
use crate::args::{Common, Output, ParamsArgs, ParamsCommand, Target};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::theorems::bits_json;
use crate::units;
use iop::security::{Policy, Report};
use serde_json::Value;
use std::path::Path;
use tenfold::describe::merged;
use tenfold::file::ParamsFile;
use tenfold::search::of_size;
use tenfold::{AnyParams, describe};

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    if let Some(ParamsCommand::Search(args)) = &args.command {
        return search::run(args, common);
    }
    let Target { log_size, polynomials, scheme } = &args.target;
    let options = args.leaves.options(scheme).polynomials(*polynomials);
    let params = of_size(*log_size, &options).map_err(|e| unfound(e, &options, options.is_of_bytes()))?;
    let report = params.report().under(scheme.theorems.set());
    let (title, value) = describe::params(&params, &report, scheme.profile);
    show((&title, value), &outline(&params), &report, common);
    write(&params, &args.output, common)?;
    Ok(Exit::Valid)
}

/// The layout, and the length of a proof.
fn outline(params: &AnyParams) -> Vec<String> {
    let (mut lines, size) = (params.outline(), params.size(1));
    let [expected, most] = [size.expected().round() as u64, size.most()].map(units::count);
    lines.push(format!(
        "proof of one value: {expected} bytes expected, {most} at most, without the file around it"
    ));
    lines
}

/// Prints parameters, as a title or as JSON, and their report term by term.
fn show((title, value): (&str, Value), layout: &[String], report: &Report, common: &Common) {
    if common.json {
        output::json(&merged(value, bits_json(report)));
        return;
    }
    output::line(title);
    for line in layout {
        output::line(format_args!("  {line}"));
    }
    output::line(format_args!("\n{report}"));
}

/// Writes a parameter file, if a name is given.
pub(super) fn write(params: &AnyParams, output: &Output, common: &Common) -> Result<(), Failure> {
    let Some((path, file)) = output.output.as_ref().zip(ParamsFile::of(params)) else { return Ok(()) };
    common.files.result(Kind::Params, path)?.write(file.to_text().as_bytes())?;
    if !common.quiet && !common.json {
        note!("parameters written to {}", crate::terminal::path(path));
    }
    Ok(())
}

/// Reads a parameter file, whose parameters must meet the policy.
pub(super) fn read(path: &Path, policy: &Policy, common: &Common) -> Result<AnyParams, Failure> {
    let params = ParamsFile::read(&read_file(path, common)?).map_err(|what| {
        Failure::usage(
            format!("{} is no usable parameter file: {what}", path.display()),
            "write one with `tenfold params -o FILE`, or leave `digest` and `proven_bits` out of your own",
        )
    })?;
    policy.check(&params.report()).map_err(|e| {
        let hint = "ask for fewer --bits (or --interactive-bits), or take parameters that prove more";
        Failure { hint: Some(hint.into()), ..Failure::invalid(format!("the parameters are refused: {e}")) }
    })?;
    Ok(params)
}
