//! `tenfold data`: what would be committed to.

use super::failure::unreadable;
use super::{open_source, table};
use crate::args::{Common, Input};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use data::{Content, Opened};
use tenfold::dataset::Base;
use tenfold::describe::{self, Described};
use tenfold::statement::shown;

/// The command.
pub fn run(input: &Input, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let options = input.options(common, Base::Goldilocks);
    if input.column.len() > 1 {
        let table = table::read_named(input, &options, &mut progress)?;
        show(&shown(&table.name), &describe::table(&table), common);
        return Ok(Exit::Valid);
    }
    let opened = Opened::of(open_source(&input.file, &mut progress)?, &options).map_err(unreadable)?;
    let facts = if opened.is_bytes() {
        input.check_bytes()?;
        describe::bytes(opened.bytes(&options).and_then(Content::describe).map_err(unreadable)?)
    } else {
        describe::column(&opened.column(options).map_err(unreadable)?)
    };
    progress.end();
    show(&shown(&facts.name), &facts, common);
    Ok(Exit::Valid)
}

/// Prints facts under a title.
pub(super) fn show(title: &str, facts: &Described, common: &Common) {
    if common.json {
        output::json(&facts.value);
    } else {
        output::line(Paint::stdout().bold(title));
        facts.lines.iter().for_each(|(name, value)| output::line(format_args!("{name:<12} {value}")));
    }
}
