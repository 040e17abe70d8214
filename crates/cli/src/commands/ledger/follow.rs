//! `ledger follow`: a node behind the contract that holds the root.

use serde_json::{Value, json};

use super::rounds::{Errors, rounds};
use super::transport::{Http, PATIENCE, RPC};
use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::FollowArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use ledger::node::{Finality, FollowError, FollowStep, Followed, Follower, TransportError};

/// The command.
pub fn run(args: &FollowArgs, common: &Common) -> Result<Exit, Failure> {
    let endpoint = Http::new(RPC, &args.rpc, PATIENCE)?;
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let finality = args.depth.map_or(Finality::Finalized, Finality::Depth);
    let of = (&*args.node.directory, &keys);
    let follower = Follower::new(of, args.size.batch, &endpoint, (finality, args.from));
    let mut follower = follower.map_err(refused)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let round = || {
        let round = follower.round(&mut |step| match step {
            FollowStep::Read(at, all) => progress.reached("reading events", at, all),
            FollowStep::Applied(done, all) => progress.reached("applying calls", done, all),
        });
        progress.end();
        round
    };
    let is_last = |followed: Followed| {
        say(&followed, keys.is_insecure(), args.every.is_some(), common);
        false
    };
    rounds((args.every, common), round, is_last, Errors { pass: FollowError::is_transient, failure })
}

fn object(followed: &Followed, insecure: bool) -> Value {
    json!({ "block": followed.head.number, "block_hash": units::hex(&followed.head.hash), "contract_root": units::hex(&followed.root),
        "applied": followed.applied, "height": followed.height, "reorganised": followed.reorganised, "insecure": insecure })
}

/// Says what was found; of rounds that go on, one that has changed something.
fn say(followed: &Followed, insecure: bool, goes_on: bool, common: &Common) {
    if goes_on && followed.applied == 0 && !followed.reorganised {
        return;
    }
    if common.json {
        output::json(&object(followed, insecure));
    } else if !common.quiet {
        let followed_to = Paint::stderr().green("followed:");
        note!("{followed_to} to block {}, {} calls applied", followed.head.number, followed.applied);
        note!("  the contract and this node have root {}", units::hex(&followed.root));
        if followed.reorganised {
            note!("  a block that was followed has become another one; no call was lost by it");
        }
    }
}

/// An error in the terms of the command.
pub fn failure(e: FollowError) -> Failure {
    use FollowError as E;
    let message = e.to_string();
    let with = |failure: fn(String) -> Failure, hint: &str| Failure {
        hint: Some(hint.into()),
        ..failure(message.clone())
    };
    match e {
        E::Node(e) => refused(e),
        E::Post { error: TransportError::Failed(_) | TransportError::Status(_), .. } => {
            with(Failure::io, "--rpc names the address of an EVM node that runs")
        }
        E::Post { .. } | E::Malformed { .. } | E::TooMany(_) => {
            with(Failure::io, "name another EVM node with --rpc")
        }
        E::Answer { .. } => with(
            Failure::io,
            "the node has to know states of final blocks, and the tag `finalized` where --depth is not given",
        ),
        E::NothingFinal | E::Behind { .. } | E::Ahead { .. } | E::Moved | E::Reorganised { .. } => {
            with(Failure::io, "try again later; nothing is lost")
        }
        E::WrongChain { .. } | E::OtherContract { .. } => with(
            |m| Failure::usage(m, ""),
            "`contract` of the ledger's description names EVM chain and address",
        ),
        E::NoContract { .. } => with(
            |m| Failure::usage(m, ""),
            "it may be deployed in a block that is not final yet, or elsewhere than the description says",
        ),
        E::Unknown { .. } => with(
            Failure::invalid,
            "pass --from with the block of the deployment; if the node has applied other blocks than the contract's, make a new one with `tenfold ledger init` and its `genesis`",
        ),
        E::Differs { .. } => with(
            Failure::invalid,
            "the EVM node leaves out events, or they began before --from: name another one with --rpc, or an earlier block",
        ),
        E::Refused { .. } => with(
            Failure::invalid,
            "calls before it may be left out (--from is the block of the deployment), or the key is another one than the contract's (--batch, --keys)",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_page::check;
    use ledger::node::Header;

    #[test]
    fn objects_are_those_of_the_page() {
        let head = Header { number: 7, hash: [1; 32] };
        let followed = Followed { head, root: [2; 32], applied: 3, height: 4, reorganised: false };
        check("ledger follow", &object(&followed, true));
    }
}
