//! `ledger blocks` and `ledger audit`: the log of a node, from its genesis.

use serde_json::{Value, json};

use super::{keys_of_batches, refused};
use crate::args::Common;
use crate::args::ledger::{AuditArgs, ExportBlocksArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ledger::audit::Audited;
use ledger::node::{self, NodeError};
use ledger::replica::ReplicaError;
use ledger::store::StoreError;

/// `ledger blocks`.
pub fn blocks(args: &ExportBlocksArgs, common: &Common) -> Result<Exit, Failure> {
    if let Some(to) = args.to.filter(|to| *to < args.from) {
        let message = format!("no height is from {} to {to}", args.from);
        return Err(Failure::usage(message, "--from is the first block, --to the last one"));
    }
    let mut progress = Progress::new(common.quiet || common.json);
    progress.phase("writing blocks");
    let exported = node::export_blocks(&args.chain, args.from, args.to, &args.output);
    progress.end();
    let exported = exported.map_err(|e| match e {
        NodeError::Replica(ReplicaError::Store(StoreError::Damaged { record, .. })) => {
            let hint = format!(
                "whole blocks can be had with --to {}; if a crash has cut that one off, `tenfold ledger status` takes the rest of it away",
                record.saturating_sub(1)
            );
            Failure { hint: Some(hint), ..Failure::io(e.to_string()) }
        }
        e => refused(e),
    })?;
    let folder = args.output.display().to_string();
    if common.json {
        output::json(
            &json!({ "from": exported.from, "to": exported.to, "bytes": exported.bytes, "directory": folder }),
        );
    } else if !common.quiet {
        note!(
            "blocks {} to {} ({}) in {}",
            exported.from,
            exported.to,
            units::bytes(exported.bytes),
            terminal::escape(&folder)
        );
    }
    Ok(Exit::Valid)
}

/// `ledger audit`.
pub fn audit(args: &AuditArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = keys_of_batches(&args.node, (args.binding, args.proofs), common);
    let mut progress = Progress::new(common.quiet || common.json);
    progress.phase("verifying blocks");
    let audited = node::audit(&args.node.directory, &keys, &mut |_| progress.advance(1));
    progress.end();
    let audited = audited.map_err(unsound)?;
    if common.json {
        output::json(&object(&audited, keys.is_insecure()));
    } else if !common.quiet {
        say(&audited);
    }
    Ok(Exit::Valid)
}

/// What does not hold is invalid, by its height; all else is an error as ever.
fn unsound(e: NodeError) -> Failure {
    let (height, hint) = match &e {
        NodeError::Replica(ReplicaError::Replay { height, .. }) => (*height, COPY),
        NodeError::Replica(ReplicaError::Record { record, .. }) => (*record, COPY),
        NodeError::Replica(ReplicaError::Store(StoreError::Damaged { record, .. })) => (*record, COPY),
        NodeError::Replica(ReplicaError::State { height }) => (*height, INDEX),
        _ => return refused(e),
    };
    let message = format!("the ledger does not hold at height {height}: {e}");
    Failure { hint: Some(hint.into()), ..Failure::invalid(message) }
}

const COPY: &str = "do not use this directory: make one with `tenfold ledger init` from a `genesis` that you trust, and apply the blocks of another replica";
const INDEX: &str =
    "remove the file `index`: it is made anew from the log, which is audited again before it is used";

fn object(audited: &Audited, insecure: bool) -> Value {
    json!({ "valid": true, "genesis": units::hex(&audited.genesis), "height": audited.tip.height,
        "root": units::hex(&audited.tip.root), "index": audited.index, "torn_bytes": audited.torn, "insecure": insecure })
}

fn say(audited: &Audited) {
    let (valid, tip) = (Paint::stderr().green("valid:"), &audited.tip);
    note!("{valid} every block to height {}, root {}", tip.height, units::hex(&tip.root));
    note!(
        "  genesis {}: compare it with that of a replica you trust, or of whoever began the chain",
        units::hex(&audited.genesis)
    );
    if audited.index.is_none() {
        note!("  no index of this log: one is made from it when the ledger is opened");
    }
    if audited.torn > 0 {
        note!(
            "  {} bytes behind the last block, of one that was never acknowledged: opening the ledger cuts them off",
            audited.torn
        );
    }
}
