//! `tenfold cluster shard`: a file with the columns of each rank, in a new folder.
//!
//! ```text
//!   file ──► read, dropped ──► rows, range, sum, digest ──► parameters ──► read again ──► row by row to the shards
//! ```
//! So the data may be larger than the memory. What can be read once alone is held.

use super::super::failure::{failure, unfound, unreadable};
use super::super::{beside, open_data};
use super::{read, refused};
use crate::args::Common;
use crate::args::cluster::ShardArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::{terminal, units};
use data::{DataError, Opened, Options, STDIN};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};
use tenfold::cluster::{RankError, Sharded, TakeEntries, Task};
use tenfold::dataset::{Base, Measured};
use tenfold::search;
use tenfold::statement::BytesDescription;

/// The command.
pub fn run(args: &ShardArgs, common: &Common) -> Result<Exit, Failure> {
    let folder = args.directory.clone().unwrap_or_else(|| beside(&args.input.file, "shards"));
    if folder.symlink_metadata().is_ok() {
        let message = format!("{} is there already, and nothing is overwritten", terminal::path(&folder));
        return Err(Failure::usage(message, "name a new folder with -d"));
    }
    let mut splitting =
        Splitting { args, common, progress: Progress::new(common.quiet || common.json), folder };
    let (task, sharded) = splitting.split()?;
    splitting.progress.end();
    let (data, count, folder) = (units::hex(&sharded.data()), sharded.shards(), &splitting.folder);
    if common.json {
        output::json(
            &json!({ "directory": folder.display().to_string(), "shards": count, "data_digest": data }),
        );
    } else if !common.quiet {
        let shown = task.description().shown();
        note!(
            "{} {shown} into {count} shard(s) in {}",
            Paint::stderr().green("split:"),
            terminal::path(folder)
        );
        note!("  data {data}");
    }
    Ok(Exit::Valid)
}

/// Says why a file's rows are held in memory, if they cannot be read twice.
fn read_once(path: &Path) -> Option<&'static str> {
    if path.as_os_str() == STDIN {
        return Some("standard input is read once");
    }
    // What cannot be looked at is refused by who opens it.
    path.metadata().is_ok_and(|of| !of.is_file()).then_some("it is no plain file, and is read once")
}

/// The facts that are kept of data that were read and dropped.
enum Seen {
    Column(Measured),
    Bytes(BytesDescription),
}

struct Splitting<'a> {
    args: &'a ShardArgs,
    common: &'a Common,
    progress: Progress,
    folder: PathBuf,
}

impl Splitting<'_> {
    fn split(&mut self) -> Result<(Task, Sharded), Failure> {
        if let Some(why) = read_once(&self.args.input.file) {
            return self.split_held(why);
        }
        let (opened, reading, of_bytes) = self.open()?;
        if opened.is_columnar() {
            return self.split_held("rows of Parquet and Arrow files are not read one by one");
        }
        let options =
            self.args.scheme.options().log_parts(self.args.ranks).hiding(self.args.hiding.unwrap_or(0));
        search::check_options(&options, of_bytes).map_err(failure)?;
        let policy = search::policy(&options, of_bytes).map_err(failure)?;
        let (seen, params) = if of_bytes {
            let seen = opened.describe_bytes().map_err(unreadable)?;
            let params = search::bytes(seen.length, &options);
            (Seen::Bytes(seen), params)
        } else {
            let seen = opened.measure(reading).map_err(unreadable)?;
            let params = search::measured(&seen, &options);
            (Seen::Column(seen), params)
        };
        let params = params.map_err(|e| unfound(e, &options, of_bytes))?;
        let task = match &seen {
            Seen::Bytes(seen) => Task::described(params, seen, &policy),
            Seen::Column(seen) => Task::measured(params, seen, &policy),
        };
        let task = task.map_err(failure)?;
        let sharded = self.stream(&task, &seen)?;
        Ok((task, sharded))
    }

    /// Data that are in memory as a whole.
    fn split_held(&mut self, why: &str) -> Result<(Task, Sharded), Failure> {
        if !self.common.quiet && !self.common.json {
            let name = terminal::path(&self.args.input.file);
            note!("{} {name} is held in memory as a whole: {why}", Paint::stderr().bold("note:"));
        }
        let (args, scheme) = (self.args, (self.args.ranks, self.args.hiding));
        let (task, entries, _) = read((&args.input, &args.scheme), scheme, self.common, &mut self.progress)?;
        self.progress.phase("writing shards");
        let sharded = Sharded::split(&task, &entries, &self.folder, 1 << args.ranks).map_err(unsplit)?;
        Ok((task, sharded))
    }

    /// The data from their beginning, and whether they are bytes.
    fn open(&mut self) -> Result<(Opened, Options, bool), Failure> {
        let (input, scheme) = (&self.args.input, &self.args.scheme);
        let mut reading = input.options(self.common, scheme.field.unwrap_or(Base::Goldilocks));
        let (opened, of_bytes) = open_data(input, scheme.scheme, &mut reading, &mut self.progress)?;
        Ok((opened, reading, of_bytes))
    }

    /// Reads data that were seen once more, into shards.
    fn stream(&mut self, task: &Task, seen: &Seen) -> Result<Sharded, Failure> {
        let (folder, shards, mut failed) = (self.folder.clone(), 1 << self.args.ranks, None);
        let mut give = |to: &mut dyn TakeEntries| {
            let (opened, reading, _) = self.open().map_err(|failure| keep(&mut failed, failure))?;
            let mut refused = None;
            let passed = pass(opened, (reading, seen), to, &mut refused);
            match (refused, passed) {
                (Some(refused), _) => Err(refused),
                (None, passed) => passed.map_err(|error| keep(&mut failed, unreadable(error))),
            }
        };
        let sharded = Sharded::stream(task, &mut give, &folder, shards);
        sharded.map_err(|error| failed.unwrap_or_else(|| unsplit(error)))
    }
}

/// Keeps the failure of a reader, which is told in the place of the error that stands for it.
fn keep(failed: &mut Option<Failure>, failure: Failure) -> RankError {
    let error = RankError::Input(failure.message.clone());
    *failed = Some(failure);
    error
}

/// Passes all data on; what refuses them says why in a place of its own.
fn pass(
    opened: Opened,
    (reading, seen): (Options, &Seen),
    to: &mut dyn TakeEntries,
    refused: &mut Option<RankError>,
) -> Result<(), DataError> {
    let mut stop = |error| {
        *refused = Some(error);
        io::Error::other("refused")
    };
    match seen {
        Seen::Bytes(seen) => opened.pass_bytes(seen, &mut |bytes| to.bytes(bytes).map_err(&mut stop)),
        Seen::Column(seen) => {
            opened.pass(reading, &seen.description, &mut |row| to.row(row).map_err(&mut stop))
        }
    }
}

fn unsplit(error: RankError) -> Failure {
    match error {
        error @ RankError::Input(_) => Failure::io(error.to_string()),
        error => refused(&error.into()),
    }
}
