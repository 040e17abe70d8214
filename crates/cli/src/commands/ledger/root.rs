//! `ledger prove --root` and `ledger verify --root`: calls of a contract that holds the root of the state.

use serde_json::{Value, json};

use super::blocks::{proving_key, say_left_out};
use super::follow::failure;
use super::transport::{Http, PATIENCE, RPC};
use super::{keys_of, open, refused};
use crate::args::Common;
use crate::args::ledger::{BlockArgs, ProveArgs};
use crate::commands::{read_file, with_ending};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, whole};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ledger::circuit::root::Shape;
use ledger::evm::from_hex;
use ledger::node::{Node, RootBatch, RootCall, RootDraft, contract_root, latest_root};

/// The JSON object of `prove --root` for a batch with this number of transactions.
fn made((count, batch): (usize, &RootBatch), [call, block]: [&str; 2], insecure: bool) -> Value {
    let [before, after] = batch.roots.map(|root| units::hex(&root));
    json!({ "transactions": count, "before": before, "after": after, "calldata": call,
        "calldata_bytes": batch.calldata.len(), "file": block, "bytes": batch.block.len(), "insecure": insecure })
}

/// The JSON object of `verify --root` for a call that changes this number of accounts.
fn accepted(root: &[u8; 32], accounts: usize, insecure: bool) -> Value {
    json!({ "valid": true, "after": units::hex(root), "accounts": accounts, "insecure": insecure })
}

/// The root of the contract in its latest block.
fn latest(url: &str, args: &ProveArgs) -> Result<[u8; 32], Failure> {
    let machine = Node::rules(&args.node.directory).map_err(refused)?;
    latest_root(&machine, &Http::new(RPC, url, PATIENCE)?).map_err(failure)
}

/// Checks that a batch of this node starts from the contract's root: the proof of another one would be for nothing.
fn check_latest(node: &Node, shape: Shape, latest: &[u8; 32]) -> Result<(), Failure> {
    let own = contract_root(node, shape).map_err(refused)?;
    if own == *latest {
        return Ok(());
    }
    let (latest, own) = (units::hex(latest), units::hex(&own));
    let message =
        format!("the contract has root {latest} now, and this node {own}: it would refuse the call");
    let hint = "`tenfold ledger follow` brings the node there, once the calls are final";
    Err(Failure { hint: Some(hint.into()), ..Failure::invalid(message) })
}

/// `ledger prove --root`.
pub fn prove(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    let block = common.files.once(Kind::Ledger, &args.output)?;
    let call = common.files.once(Kind::Ledger, &with_ending(&args.output, ".calldata"))?;
    let (circuit, slots) = (args.batch.circuit(), args.batch.size.batch.slots());
    let latest = args.rpc.as_deref().map(|url| latest(url, args)).transpose()?;
    let node = open(&args.node.directory)?;
    if let Some(latest) = latest {
        check_latest(&node, Shape::standard(slots), &latest)?;
    }
    let waiting = node.waiting().map_err(refused)?.transactions;
    let mut progress = Progress::new(common.quiet || common.json);
    progress.phase("computing the tree of accounts");
    let drafted = RootDraft::of(&node, waiting, Shape::standard(slots));
    progress.end();
    let (draft, left_out) = drafted.map_err(refused)?;
    say_left_out(&left_out, common);
    // Others may use the directory meanwhile.
    drop(node);
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let key = proving_key(&keys, circuit, &mut progress, common)?;
    let count = draft.transactions().len();
    let (batch, cost) = draft.prove(&key).map_err(refused)?;
    progress.end();
    // Both are on the disk before either has its name, and the call, which has the proof, gets its name first.
    let hex = format!("0x{}\n", units::hex(&batch.calldata));
    let staged = block.stage(&batch.block)?;
    let call_file = call.stage(hex.as_bytes())?;
    let both = whole();
    call_file.place()?;
    staged.place()?;
    drop(both);
    let [before, after] = batch.roots.map(|root| units::hex(&root));
    let [block, call] = [&block, &call].map(|output| output.path().display().to_string());
    if common.json {
        output::json(&made((count, &batch), [&call, &block], args.node.keys.insecure_local));
    } else if !common.quiet {
        let time = units::millis(cost.wall.as_secs_f64() * 1e3);
        note!("{count} transactions proven in {time}; {}", key.verifying().provenance());
        note!("  root {before} before, {after} after");
        note!(
            "  {}: the input of a transaction to the contract, {} bytes",
            terminal::escape(&call),
            batch.calldata.len()
        );
        note!(
            "  {}: apply this block once the contract has accepted the call, not before",
            terminal::escape(&block)
        );
    }
    Ok(Exit::Valid)
}

/// `ledger verify --root`.
pub fn verify(args: &BlockArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let node = open(&args.node.directory)?;
    let wrong = || {
        let hint =
            "give the file `.calldata` that `prove --root` wrote, or a transaction's input in hexadecimal";
        Failure::usage("this is no call of a contract", hint).in_file(&args.block)
    };
    let text = read_file(&args.block, common)?;
    let text = std::str::from_utf8(&text).map_err(|_| wrong())?.trim();
    let call = from_hex(text).ok_or_else(wrong)?;
    let shape = Shape::standard(args.batch.size.batch.slots());
    let read = RootCall::read(&node, &call, shape).map_err(|e| refused(e).in_file(&args.block))?;
    let key = keys.verifying(args.batch.circuit()).map_err(refused)?;
    let (root, accounts) = read.verify(&key).map_err(|e| refused(e).in_file(&args.block))?;
    if common.json {
        output::json(&accepted(&root, accounts.len(), keys.is_insecure()));
    } else if !common.quiet {
        let valid = Paint::stderr().green("valid:");
        note!(
            "{valid} a contract at this node's state takes root {}: {} accounts change",
            units::hex(&root),
            accounts.len()
        );
    }
    Ok(Exit::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_page::check;

    /// Of keys that take minutes to make: what is printed is what the page has.
    #[test]
    fn objects_are_those_of_the_page() {
        let batch = RootBatch { roots: [[1; 32], [2; 32]], calldata: vec![0; 9], block: vec![0; 7] };
        check("ledger prove with --root", &made((1, &batch), ["b.calldata", "b"], true));
        check("ledger verify with --root", &accepted(&[2; 32], 3, false));
    }
}
