//! `ring commit`, `add`, `replace`, `remove`: rings that are made and change.

use super::keys::{Candidate, KeySuite, candidate, candidates};
use super::members::Opened;
use super::place::Place;
use super::refused;
use super::setup::{Powers, Source, domain_for};
use crate::args::Common;
use crate::args::ring::{self as args, AddArgs, MakeArgs, RemoveArgs, ReplaceArgs, RingOutput, SetupArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ring_proof::file::{Committed, Params, SuiteId};
use serde_json::json;
use std::path::Path;

/// `ring commit`.
pub fn commit(args: &MakeArgs, common: &Common) -> Result<Exit, Failure> {
    let path = args.output.output.clone().unwrap_or_else(|| "members.ring".into());
    let place = Place::for_new(&path, &args.output, common)?;
    let (suite, keys) = candidates(&args.keys, args.suite.map(KeySuite::of_option), common)?;
    let domain = domain_for(suite, args.capacity.unwrap_or(0).max(keys.len()))?;
    let powers = Powers::of(&Source::read(&args.setup, common)?, domain.powers())?;
    let params = Params { suite, domain, setup: powers.sha256() };
    let mut ring = Opened::empty(params, powers, common)?;
    let before = ring.ring.committed();
    ring.add(&keys, args.keys.without_possession)?;
    write(&ring, (&place, &before), "committed", common)
}

/// `ring add`.
pub fn add(args: &AddArgs, common: &Common) -> Result<Exit, Failure> {
    let files = (&*args.ring, &args.output, &args.setup);
    let keys = |suite| candidates(&args.keys, Some(KeySuite::of_ring(suite)), common);
    let Change { place, mut ring, read: (_, keys) } = Change::open(files, common, keys)?;
    let before = ring.ring.committed();
    ring.add(&keys, args.keys.without_possession)?;
    write(&ring, (&place, &before), "added", common)
}

/// `ring replace`.
pub fn replace(args: &ReplaceArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = |suite| {
        let new = candidate(&args.key, KeySuite::of_ring(suite), common)?;
        Ok((new, member(&args.place, suite, common)?))
    };
    let files = (&*args.ring, &args.output, &args.setup);
    let Change { place, mut ring, read: (new, member) } = Change::open(files, common, keys)?;
    let before = ring.ring.committed();
    let slot = slot(&ring, &args.place, member)?;
    ring.replace(slot, &new, args.without_possession)?;
    write(&ring, (&place, &before), "replaced", common)
}

/// `ring remove`.
pub fn remove(args: &RemoveArgs, common: &Common) -> Result<Exit, Failure> {
    let files = (&*args.ring, &args.output, &args.setup);
    let Change { place, mut ring, read: member } =
        Change::open(files, common, |suite| member(&args.place, suite, common))?;
    let before = ring.ring.committed();
    let slot = slot(&ring, &args.place, member)?;
    ring.ring.remove(slot).map_err(refused)?;
    write(&ring, (&place, &before), "removed", common)
}

/// A ring that is to change, and what was read for that.
struct Change<T> {
    place: Place,
    ring: Opened,
    read: T,
}

impl<T> Change<T> {
    /// Opens a ring that is changed into an output, with what `read` makes of the files that go into one of its suite. Where it is
    /// changed in place they are read, as the setup is, before it is locked: who writes them may wait for the lock.
    fn open(
        (ring, output, setup): (&Path, &RingOutput, &SetupArgs),
        common: &Common,
        read: impl Fn(SuiteId) -> Result<T, Failure>,
    ) -> Result<Self, Failure> {
        let (mut early, setup) = (None, Source::read(setup, common)?);
        let place = Place::for_change(ring, output, common, |suite| {
            early = Some((suite, read(suite)?));
            Ok(())
        })?;
        let opened = place.open(ring, &setup, common)?;
        let suite = opened.ring.params().suite;
        let read = match early {
            Some((found, read)) if found == suite => read,
            Some(_) => {
                let message = format!("{} was replaced by a ring of another suite", terminal::path(ring));
                return Err(Failure::usage(message, "run the command once more"));
            }
            None => read(suite)?,
        };
        Ok(Self { place, ring: opened, read })
    }
}

/// The member that the arguments name, if they name one.
fn member(place: &args::Place, suite: SuiteId, common: &Common) -> Result<Option<Candidate>, Failure> {
    let name = place.member.as_deref().filter(|_| place.slot.is_none());
    name.map(|name| candidate(name, KeySuite::of_ring(suite), common)).transpose()
}

/// The slot that the arguments name, or that this member is in.
fn slot(ring: &Opened, place: &args::Place, member: Option<Candidate>) -> Result<usize, Failure> {
    let of_member = || member.and_then(|member| ring.ring.slot_of(&member.member.key));
    let named = || no_member(place.member.as_deref().unwrap_or_default());
    place.slot.or_else(of_member).ok_or_else(named)
}

/// A key that is in no slot.
pub fn no_member(name: &str) -> Failure {
    Failure::usage(format!("{name} is no member of the ring"), "`tenfold ring inspect` shows its members")
}

/// Writes ring and commitment in place of the ring with the commitment `before`, and prints what was done.
fn write(
    ring: &Opened,
    (place, before): (&Place, &Committed),
    verb: &str,
    common: &Common,
) -> Result<Exit, Failure> {
    let (file, params) = (ring.ring.file(), ring.ring.params());
    let committed = file.committed();
    place.write(&file, before, common)?;
    let paths = [place.ring.path(), place.commitment.path()];
    let bare = file.slots.iter().flatten().filter(|member| member.possession.is_none()).count();
    let (fingerprint, suite) = (units::hex(&committed.digest()), params.suite.name());
    let (rows, capacity) = (params.domain.size(), params.domain.capacity());
    if common.json {
        let [ring_file, beside] = paths.map(|path| path.display().to_string());
        output::json(&json!({ "ring": ring_file, "commitment": beside,
            "members": committed.members, "slots": committed.slots, "capacity": capacity, "rows": rows,
            "without_possession": bare, "suite": suite, "setup_sha256": units::hex(&params.setup),
            "fingerprint": fingerprint }));
    } else if !common.quiet {
        let paint = Paint::stderr();
        note!("{} a ring of {}", paint.green(&format!("{verb}:")), committed);
        note!(
            "  room for {} in {} rows; {suite}; {}",
            units::count(capacity as u64),
            units::count(rows as u64),
            ring.setup_name
        );
        if bare > 0 {
            note!("  {} {bare} key(s) came without a proof of possession", paint.red("note:"));
        }
        note!("  fingerprint {fingerprint}");
        let [path, beside] = paths.map(|path| terminal::path(path).to_string());
        note!("  ring in {path}, for members; commitment in {beside}, for verifiers");
    }
    Ok(Exit::Valid)
}
