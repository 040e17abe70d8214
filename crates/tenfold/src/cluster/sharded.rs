//! A folder of shard files with the description of what they hold: what ranks on several machines commit to.
//!
//! ```text
//!   shards.json     parameters, description of the data, digest of the data, sum of the rows       written last
//!   0.shard ..      the columns of one part of the ranks each (cluster::shards)
//! ```
//! Each shard has a digest of the description and the sum, as it has one of the parameters: a rank refuses its shards where `shards.json` says something else.

use super::{Failed, RankError, Task};
use crate::any::AnyEntries;
use crate::any::ranks::{GiveEntries, Unsplit};
use crate::error::Error;
use crate::params::AnyParams;
use crate::read::open_plain;
use crate::statement::{BytesDescription, ColumnDescription, Description};
use ::cluster::report::Hex;
use ::cluster::shards::{Header, statement};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::oracle::MAX_LOG_PARTS;
use iop::security::Policy;
use pcs::file::SchemeId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "tenfold cluster shards v2";
const NAME: &str = "shards.json";
/// Bytes of a description at most: a name of the data is up to 1 MiB, in hexadecimal digits.
const MAX_BYTES: u64 = 4 << 20;

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    scheme: String,
    /// Encoded, as what follows.
    params: Hex,
    description: Hex,
    data: Hex,
    shards: usize,
    /// In decimal digits.
    sum: Option<String>,
}

/// The digest of what a task says about its entries.
fn said(description: &Description, sum: Option<i128>) -> [u8; 32] {
    let sum = sum.map(|sum| sum.to_string());
    statement(&[&description.encode(), &[u8::from(sum.is_some())], sum.unwrap_or_default().as_bytes()])
}

/// A folder of shard files.
#[derive(Clone, Debug)]
pub struct Sharded {
    folder: PathBuf,
    params: AnyParams,
    description: Description,
    data: [u8; 32],
    shards: usize,
    sum: Option<i128>,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> RankError + '_ {
    move |e| RankError::Input(format!("{}: {e}", path.display()))
}

/// The file of a shard.
fn shard(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("{index}.shard"))
}

impl Sharded {
    /// Splits the entries of a task into a power of two of files, the most ranks that can read them. The folder must be new: nothing is overwritten, and
    /// of a split that fails nothing is left, but what others put into the folder meanwhile.
    ///
    /// # Errors
    /// If the folder is there, files cannot be written, or leaves of the parameters have fewer parts.
    pub fn split(task: &Task, entries: &AnyEntries, folder: &Path, shards: usize) -> Result<Self, RankError> {
        Self::split_all(task, Unsplit::Held(entries), folder, shards)
    }

    /// [`Sharded::split`] of entries that nobody holds: a function gives them in their order, without the padding. Its error is that of the split, of which
    /// nothing is left then.
    ///
    /// Memory: a few rows.
    ///
    /// # Errors
    /// As [`Sharded::split`]; the function's.
    pub fn stream(
        task: &Task,
        give: GiveEntries<'_>,
        folder: &Path,
        shards: usize,
    ) -> Result<Self, RankError> {
        Self::split_all(task, Unsplit::Streamed(give), folder, shards)
    }

    fn split_all(task: &Task, entries: Unsplit<'_>, folder: &Path, shards: usize) -> Result<Self, RankError> {
        fs::create_dir(folder).map_err(failed(folder))?;
        let mut files = Vec::new();
        let split = Self::fill((task, entries), folder, shards, &mut files);
        if split.is_err() {
            // The first error is the one that is told.
            (0..files.len()).for_each(|index| drop(fs::remove_file(shard(folder, index))));
            let _ = fs::remove_dir(folder);
        }
        split
    }

    /// Writes the shards to files of a folder, which are kept for whoever removes them, and then their description.
    fn fill(
        (task, entries): (&Task, Unsplit<'_>),
        folder: &Path,
        shards: usize,
        files: &mut Vec<File>,
    ) -> Result<Self, RankError> {
        for index in 0..shards {
            let path = shard(folder, index);
            files.push(File::create_new(&path).map_err(failed(&path))?);
        }
        let ranks = task.scheme.ranks().ok_or_else(|| RankError::Unsupported("no matrix".into()))?;
        let data = ranks.split(entries, said(&task.description, task.sum), files)?;
        files.iter().try_for_each(File::sync_all).map_err(failed(folder))?;
        let (params, description) = (task.params.clone(), task.description.clone());
        let sharded = Self { folder: folder.into(), params, description, data, shards, sum: task.sum };
        let path = folder.join(NAME);
        ::cluster::publish(&path, |file| file.write_all(&sharded.to_json())).map_err(failed(&path))?;
        Ok(sharded)
    }

    /// Reads the description in a folder; the shards are read by their ranks, which compare them with it.
    ///
    /// # Errors
    /// If there is none, or it is not exactly what [`Sharded::split`] wrote.
    pub fn open(folder: &Path) -> Result<Self, RankError> {
        let path = folder.join(NAME);
        let mut bytes = Vec::new();
        let read = open_plain(&path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
        read.map_err(failed(&path))?;
        let stored: Option<Stored> = serde_json::from_slice(&bytes).ok();
        let sharded = stored.and_then(|stored| Self::from_stored(folder, &stored));
        sharded
            .filter(|sharded| sharded.to_json() == bytes)
            .ok_or_else(|| RankError::Input(format!("{} describes no shards", path.display())))
    }

    fn from_stored(folder: &Path, stored: &Stored) -> Option<Self> {
        let schemes = [SchemeId::Pip, SchemeId::Ligerito, SchemeId::Air];
        let scheme = schemes.into_iter().find(|scheme| scheme.name() == stored.scheme)?;
        let params = AnyParams::decode(scheme, &stored.params.0)?;
        let description = match scheme.is_of_bytes() {
            true => Description::Bytes(BytesDescription::decode(&stored.description.0)?),
            false => Description::Column(ColumnDescription::decode(&stored.description.0)?),
        };
        let sum = stored.sum.as_ref().map(|sum| sum.parse()).transpose().ok()?;
        let data = <[u8; 32]>::try_from(&stored.data.0[..]).ok()?;
        let some = stored.shards.is_power_of_two() && stored.shards <= 1 << MAX_LOG_PARTS;
        let one = stored.format == FORMAT && some;
        one.then_some(Self { folder: folder.into(), params, description, data, shards: stored.shards, sum })
    }

    fn to_json(&self) -> Vec<u8> {
        let stored = Stored {
            format: FORMAT.into(),
            scheme: self.params.scheme().name().into(),
            params: Hex(self.params.encode()),
            description: Hex(self.description.encode()),
            data: Hex(self.data.to_vec()),
            shards: self.shards,
            sum: self.sum.map(|sum| sum.to_string()),
        };
        let mut bytes = serde_json::to_vec_pretty(&stored).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The task of a coordinator.
    ///
    /// # Errors
    /// As [`Task::new`].
    pub fn task(&self, policy: &Policy) -> Result<Task, Error> {
        Task::of(self.params.clone(), self.description.clone(), self.sum, policy)
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &AnyParams {
        &self.params
    }

    /// The digest of the data.
    #[must_use]
    pub fn data(&self) -> [u8; 32] {
        self.data
    }

    /// The number of shards: the most ranks.
    #[must_use]
    pub fn shards(&self) -> usize {
        self.shards
    }

    /// The shards of a rank of so many.
    pub(super) fn files(&self, rank: usize, ranks: usize) -> Result<Vec<File>, Failed> {
        if ranks > self.shards || !ranks.is_power_of_two() {
            let shards = self.shards;
            return Err(RankError::Unsupported(format!("{ranks} ranks for {shards} shards")).into());
        }
        let (own, said) = (self.shards / ranks, said(&self.description, self.sum));
        let open = |index: usize| {
            let path = shard(&self.folder, index);
            let mut file = open_plain(&path).map_err(failed(&path))?;
            let header = Header::read(&mut file)?;
            if header.data() != self.data {
                return Err(RankError::Input(format!("{} is of other data", path.display())).into());
            }
            if header.statement != said {
                let text = format!(
                    "{NAME} was changed: {} was split with another name, number of rows or sum",
                    path.display()
                );
                return Err(RankError::Input(text).into());
            }
            io::Seek::rewind(&mut file).map_err(failed(&path))?;
            Ok(file)
        };
        (rank * own..(rank + 1) * own).map(open).collect()
    }
}
