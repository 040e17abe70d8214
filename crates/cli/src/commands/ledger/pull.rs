//! `ledger pull`: blocks of another node, which serves them over HTTP.

use serde_json::json;

use super::rounds::{Errors, rounds};
use super::transport::Http;
use super::{keys_of_batches, refused};
use crate::args::Common;
use crate::args::ledger::PullArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use ledger::node::{NodeError, PullError, Pulled, Puller};
use ledger::replica::ReplicaError;

/// The command.
pub fn run(args: &PullArgs, common: &Common) -> Result<Exit, Failure> {
    let source = Http::new(("--from", "http://127.0.0.1:8645"), &args.from, args.timeout)?;
    if args.from.contains(['?', '#']) {
        return Err(Failure::usage("--from is an address with ? or #", "--from http://127.0.0.1:8645"));
    }
    let keys = keys_of_batches(&args.node, (args.binding, args.proofs), common);
    let mut puller = Puller::new((&args.node.directory, &keys), &source).map_err(refused)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let round = || {
        progress.phase("pulling blocks");
        let round = puller.round(args.to);
        progress.end();
        round
    };
    let is_last = |pulled: Pulled| {
        if args.every.is_none() || pulled.applied > 0 {
            say(&pulled, keys.is_insecure(), common);
        }
        args.to.is_some_and(|to| pulled.height >= to)
    };
    rounds((args.every, common), round, is_last, Errors { pass: PullError::is_transient, failure })
}

fn say(pulled: &Pulled, insecure: bool, common: &Common) {
    let (height, root) = (pulled.height, units::hex(&pulled.root));
    if common.json {
        output::json(
            &json!({ "height": height, "root": root, "applied": pulled.applied, "insecure": insecure }),
        );
    } else if !common.quiet {
        let label = Paint::stderr().green("pulled:");
        note!("{label} {} blocks applied, height {height}, root {root}", pulled.applied);
    }
}

/// An error in the terms of the command.
fn failure(e: PullError) -> Failure {
    use PullError as E;
    let message = e.to_string();
    let with = |failure: fn(String) -> Failure, hint: &str| Failure {
        hint: Some(hint.into()),
        ..failure(message.clone())
    };
    match e {
        // The block was another one's, and what is wrong with it is said with its height.
        E::Node(NodeError::Replica(ReplicaError::Rejected(_))) => Failure::invalid(message),
        E::Node(e) => refused(e),
        E::NoAnswer { .. } => with(
            Failure::io,
            "--from names the address of a node that `tenfold ledger http` serves; --every tries again",
        ),
        E::Malformed { .. } => {
            with(Failure::io, "--from names the address of a node that `tenfold ledger http` serves")
        }
        E::Behind { .. } | E::Moved => with(Failure::io, "try again later, or with --every; nothing is lost"),
        E::OtherChain => with(
            |m| Failure::usage(m, ""),
            "chains are told apart by their genesis: `tenfold ledger status` shows it, and `init --genesis` makes a node of another chain",
        ),
        E::Parted { .. } => with(
            Failure::invalid,
            "whoever applied the blocks of either has put others in their place: ask which are right, and make a node of them with `tenfold ledger init` and its `genesis`",
        ),
        E::Refused { .. } => {
            with(Failure::invalid, "blocks before it were applied; take this one from another node")
        }
    }
}
