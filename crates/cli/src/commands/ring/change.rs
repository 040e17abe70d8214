//! `ring commit`, `add`, `replace`, `remove`: rings that are made and change.

use super::keys::{candidate, candidates};
use super::members::Opened;
use super::place::Place;
use super::refused;
use super::setup::{Powers, domain_for};
use crate::args::Common;
use crate::args::ring::{self as args, AddArgs, MakeArgs, RemoveArgs, ReplaceArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ring_proof::file::{Committed, Params};
use serde_json::json;

/// `ring commit`.
pub fn commit(args: &MakeArgs, common: &Common) -> Result<Exit, Failure> {
    let path = args.output.output.clone().unwrap_or_else(|| "members.ring".into());
    let place = Place::for_new(&path, &args.output, common)?;
    let keys = candidates(&args.keys, args.suite, common)?;
    let domain = domain_for(args.capacity.unwrap_or(0).max(keys.len()))?;
    let powers = Powers::open(&args.setup, domain.powers(), common)?;
    let params = Params { suite: args.suite, domain, setup: powers.sha256() };
    let mut ring = Opened::empty(params, powers, common)?;
    let before = ring.ring.committed();
    ring.add(&keys, args.keys.without_possession)?;
    write(&ring, (&place, &before), "committed", common)
}

/// `ring add`.
pub fn add(args: &AddArgs, common: &Common) -> Result<Exit, Failure> {
    let place = Place::for_change(&args.ring, &args.output, common)?;
    let mut ring = place.open(&args.ring, &args.setup, common)?;
    let before = ring.ring.committed();
    let keys = candidates(&args.keys, ring.ring.params().suite, common)?;
    ring.add(&keys, args.keys.without_possession)?;
    write(&ring, (&place, &before), "added", common)
}

/// `ring replace`.
pub fn replace(args: &ReplaceArgs, common: &Common) -> Result<Exit, Failure> {
    let place = Place::for_change(&args.ring, &args.output, common)?;
    let mut ring = place.open(&args.ring, &args.setup, common)?;
    let before = ring.ring.committed();
    let new = candidate(&args.key, ring.ring.params().suite, common)?;
    let slot = slot(&ring, &args.place, common)?;
    ring.replace(slot, &new, args.without_possession)?;
    write(&ring, (&place, &before), "replaced", common)
}

/// `ring remove`.
pub fn remove(args: &RemoveArgs, common: &Common) -> Result<Exit, Failure> {
    let place = Place::for_change(&args.ring, &args.output, common)?;
    let mut ring = place.open(&args.ring, &args.setup, common)?;
    let before = ring.ring.committed();
    let slot = slot(&ring, &args.place, common)?;
    ring.ring.remove(slot).map_err(refused)?;
    write(&ring, (&place, &before), "removed", common)
}

/// The slot that the arguments name.
fn slot(ring: &Opened, place: &args::Place, common: &Common) -> Result<usize, Failure> {
    let args::Place { slot, member } = place;
    if let Some(slot) = slot {
        return Ok(*slot);
    }
    let name = member.as_deref().unwrap_or_default();
    let key = candidate(name, ring.ring.params().suite, common)?.member.key;
    ring.ring.slot_of(&key).ok_or_else(|| no_member(name))
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
