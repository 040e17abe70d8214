//! Several columns of a file, which are committed to together.

use super::failure::{failure, unreadable};
use super::open_source;
use crate::args::Input;
use crate::exit::Failure;
use crate::progress::Progress;
use crate::terminal;
use data::{Opened, Options, STDIN};
use tenfold::dataset::Table;
use tenfold::search;

/// A column by its name, and the digits after its point: as many as it has, if they are not known.
pub struct Wanted<'a> {
    pub name: &'a str,
    pub scale: Option<u32>,
}

/// Reads columns.
pub fn read(
    input: &Input,
    options: &Options,
    wanted: &[Wanted<'_>],
    progress: &mut Progress,
) -> Result<Table, Failure> {
    check_source(input, wanted.len())?;
    let mut content_name = String::new();
    let open = |options: &Options| {
        let source = open_source(&input.file, progress)?;
        // As a column's and bytes' are, whether they are compressed or not.
        source.content_name().clone_into(&mut content_name);
        let opened = Opened::of(source, options).map_err(unreadable)?;
        if opened.is_bytes() {
            input.check_bytes()?;
        }
        Ok(opened)
    };
    let wanted: Vec<_> = wanted.iter().map(|Wanted { name, scale }| (*name, *scale)).collect();
    let mut table = data::table(options, &wanted, open, unreadable)?;
    progress.end();
    table.name = content_name;
    Ok(table)
}

/// Refuses several columns of what is read once: standard input, also by a name such as `/dev/stdin`, and pipes.
pub fn check_source(input: &Input, columns: usize) -> Result<(), Failure> {
    let is_stdin = input.file.as_os_str() == STDIN;
    // What is not there, and a folder, have messages of their own.
    let is_other = || input.file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if columns > 1 && (is_stdin || is_other()) {
        let name = if is_stdin { "standard input".into() } else { terminal::path(&input.file).to_string() };
        let message = format!("{name} is read once, and a table is read once for each column");
        return Err(Failure::usage(message, "name a file on a disk, or take one column"));
    }
    Ok(())
}

/// Refuses columns whose names are too long together for a commitment, before any of them is read.
pub fn check_names(input: &Input) -> Result<(), Failure> {
    match input.column.as_slice() {
        [] | [_] => Ok(()),
        names => search::check_names(names.iter().map(String::as_str)).map_err(failure),
    }
}

/// The columns that a command names, read as they are.
pub fn read_named(input: &Input, options: &Options, progress: &mut Progress) -> Result<Table, Failure> {
    let wanted = |name| Wanted { name, scale: input.scale };
    let wanted: Vec<_> = input.column.iter().map(|name| wanted(name)).collect();
    read(input, options, &wanted, progress)
}

/// Refuses several columns, of a command that takes one.
pub fn refuse(input: &Input) -> Result<(), Failure> {
    match input.column.as_slice() {
        [] | [_] => Ok(()),
        [_, _, ..] => {
            let message = "this command takes one --column";
            Err(Failure::usage(message, "name one; `data`, `compare`, `commit` and `open` take several"))
        }
    }
}
