//! `ledger prove` and `ledger verify` with `--root` or `--call`: calls of a contract that holds the root of the state, or of one that orders batches for replicas.

use std::path::Path;

use serde_json::{Value, json};

use super::blocks::{proving_key, say_left_out};
use super::follow::failure;
use super::transport::{Http, PATIENCE, RPC};
use super::{keys_of, open, refused};
use crate::args::Common;
use crate::args::ledger::{BlockArgs, CallArgs, CircuitSizeArgs, ProveArgs};
use crate::commands::{read_file, with_ending};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, whole};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ledger::circuit::root::Shape;
use ledger::evm::{Head, from_hex};
use ledger::node::{
    BatchCircuit, CallBatch, CallDraft, Callee, Keys, Node, UnverifiedCall, contract_root, first_head,
    latest_head, latest_root,
};

/// The JSON object of `prove` for a batch with this number of transactions.
fn made((count, batch): (usize, &CallBatch), [call, block]: [&str; 2], insecure: bool) -> Value {
    let [before, after] = batch.states.map(|state| units::hex(&state));
    json!({ "transactions": count, "before": before, "after": after, "calldata": call,
        "calldata_bytes": batch.calldata.len(), "file": block, "bytes": batch.block.len(), "insecure": insecure })
}

/// The JSON object of `verify` for a call that changes this number of accounts.
fn accepted(after: &[u8; 32], accounts: usize, insecure: bool) -> Value {
    json!({ "valid": true, "after": units::hex(after), "accounts": accounts, "insecure": insecure })
}

/// The contract's own state in its latest block, where a call is for it: a root or a [`Head`].
fn latest(url: &str, directory: &Path, root: bool) -> Result<[u8; 32], Failure> {
    let machine = Node::rules(directory).map_err(refused)?;
    let endpoint = Http::new(RPC, url, PATIENCE)?;
    let latest = if root {
        latest_root(&machine, &endpoint)
    } else {
        latest_head(&machine, &endpoint).map(|head| head.0)
    };
    latest.map_err(failure)
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

/// The contract of a node's calls, with its state in the latest block if that was asked for.
fn callee(
    node: &Node,
    (batch, call): (&CircuitSizeArgs, &CallArgs),
    latest: Option<[u8; 32]>,
) -> Result<Callee, Failure> {
    let slots = batch.size.batch.slots();
    if batch.root {
        let shape = Shape::standard(slots);
        latest.map_or(Ok(()), |latest| check_latest(node, shape, &latest))?;
        return Ok(Callee::Root(shape));
    }
    let first = first_head(node).map_err(refused)?;
    let applied = node.replica().chain().tip().height;
    let head = latest.map(Head).or(call.head).or((applied == 0).then_some(first));
    let head = head.ok_or_else(|| {
        let message = format!("the {applied} blocks of this node do not tell the state of the contract");
        let hint = "pass --rpc with the address of an EVM node, or --head with 16 hexadecimal digits of what the contract's `height()` returns and 48 of its `head()`: \
                    after an accepted call that is what `prove --call` printed";
        Failure::usage(message, hint)
    })?;
    Ok(Callee::Replicas(slots, head))
}

/// The circuit of a contract's batches: of those for replicas that whose key is there.
fn circuit(keys: &Keys, batch: &CircuitSizeArgs) -> BatchCircuit {
    if batch.root { batch.circuit() } else { keys.present(batch.size.batch.slots()) }
}

/// `ledger prove --root` and `ledger prove --call`.
pub fn prove(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    let block = common.files.once(Kind::Ledger, &args.output)?;
    let call = common.files.once(Kind::Ledger, &with_ending(&args.output, ".calldata"))?;
    let (directory, root) = (&args.node.directory, args.batch.root);
    let latest = args.call.rpc.as_deref().map(|url| latest(url, directory, root)).transpose()?;
    let node = open(directory)?;
    let callee = callee(&node, (&args.batch, &args.call), latest)?;
    let waiting = node.waiting().map_err(refused)?.transactions;
    let mut progress = Progress::new(common.quiet || common.json);
    if root {
        progress.phase("computing the tree of accounts");
    }
    let drafted = CallDraft::of(&node, waiting, callee);
    progress.end();
    let (draft, left_out) = drafted.map_err(refused)?;
    say_left_out(&left_out, common);
    // Others may use the directory meanwhile.
    drop(node);
    let keys = keys_of(directory, &args.node.keys, common).with_binding(args.batch.binding.binding);
    let key = proving_key(&keys, circuit(&keys, &args.batch), &mut progress, common)?;
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
    let [block, call] = [&block, &call].map(|output| output.path().display().to_string());
    if common.json {
        output::json(&made((count, &batch), [&call, &block], args.node.keys.insecure_local));
    } else if !common.quiet {
        let time = units::millis(cost.wall.as_secs_f64() * 1e3);
        note!("{count} transactions proven in {time}; {}", key.verifying().provenance());
        let [before, after] = batch.states.map(|state| units::hex(&state));
        note!("  {} {before} before, {after} after", state_of(root));
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

/// A contract's state, in a word.
fn state_of(root: bool) -> &'static str {
    if root { "root" } else { "head" }
}

/// `ledger verify --root` and `ledger verify --call`.
pub fn verify(args: &BlockArgs, common: &Common) -> Result<Exit, Failure> {
    let (directory, root) = (&args.node.directory, args.batch.root);
    let keys = keys_of(directory, &args.node.keys, common).with_binding(args.batch.binding.binding);
    let latest = args.call.rpc.as_deref().map(|url| latest(url, directory, root)).transpose()?;
    let node = open(directory)?;
    let wrong = || {
        let hint = "give the file `.calldata` that `prove --root` or `prove --call` wrote, or a transaction's input in hexadecimal";
        Failure::usage("this is no call of a contract", hint).in_file(&args.block)
    };
    let text = read_file(&args.block, common)?;
    let text = std::str::from_utf8(&text).map_err(|_| wrong())?.trim();
    let call = from_hex(text).ok_or_else(wrong)?;
    let callee = callee(&node, (&args.batch, &args.call), latest)?;
    let read = UnverifiedCall::read(&node, &call, callee).map_err(|e| refused(e).in_file(&args.block))?;
    let key = keys.verifying(circuit(&keys, &args.batch)).map_err(refused)?;
    let (after, accounts) = read.verify(&key).map_err(|e| refused(e).in_file(&args.block))?;
    if common.json {
        output::json(&accepted(&after, accounts.len(), keys.is_insecure()));
    } else if !common.quiet {
        let valid = Paint::stderr().green("valid:");
        note!(
            "{valid} a contract at this node's state takes {} {}: {} accounts change",
            state_of(root),
            units::hex(&after),
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
        let batch = CallBatch { states: [[1; 32], [2; 32]], calldata: vec![0; 9], block: vec![0; 7] };
        for option in ["--root", "--call"] {
            check(&format!("ledger prove with {option}"), &made((1, &batch), ["b.calldata", "b"], true));
            check(&format!("ledger verify with {option}"), &accepted(&[2; 32], 3, false));
        }
    }
}
