//! `tenfold ledger`: replicated ledgers. What they do is in [`ledger::node`]; here are arguments, places of files, and words. (docs/ledger.md)

mod blocks;
mod call;
mod demo;
mod evm;
mod follow;
mod genesis;
mod history;
mod http;
mod keys;
mod pull;
mod rounds;
mod setup;
mod show;
mod sign;
mod status;
mod transport;

use std::path::Path;
use std::time::Duration;

use crate::args::Common;
use crate::args::ledger::{BindingArgs, KeyArgs, LedgerCommand, NodeArgs, ServeArgs, TransparentArgs};
use crate::exit::{Exit, Failure};
use crate::table::Paint;
use ledger::node::{Keys, Node, NodeError};
use ledger::replica::ReplicaError;
use ledger::store::StoreError;

/// The command.
pub fn run(command: &LedgerCommand, common: &Common) -> Result<Exit, Failure> {
    match command {
        LedgerCommand::Keygen(args) => keys::generate(args, common),
        LedgerCommand::Init(args) => genesis::init(args, common),
        LedgerCommand::Setup(command) => setup::run(command, common),
        LedgerCommand::Submit(args) => blocks::submit(args, common),
        LedgerCommand::Sign(args) => sign::run(args, common),
        LedgerCommand::Prove(args) if args.is_call() => call::prove(args, common),
        LedgerCommand::Prove(args) => blocks::prove(args, common),
        LedgerCommand::Verify(args) if args.is_call() => call::verify(args, common),
        LedgerCommand::Verify(args) => blocks::verify(args, common),
        LedgerCommand::Apply(args) => blocks::apply(args, common),
        LedgerCommand::Blocks(args) => history::blocks(args, common),
        LedgerCommand::Show(args) => show::run(args, common),
        LedgerCommand::Audit(args) => history::audit(args, common),
        LedgerCommand::Http(args) => http::run(args, common),
        LedgerCommand::Pull(args) => pull::run(args, common),
        LedgerCommand::Follow(args) => follow::run(args, common),
        LedgerCommand::ExportEvm(args) => evm::export(args, common),
        LedgerCommand::Status(args) => status::run(args, common),
        LedgerCommand::Bench(args) => demo::bench(args, common),
        LedgerCommand::Demo(args) => demo::run(args, common),
        LedgerCommand::Serve(args) => serve(args, common),
    }
}

/// The time for which a command waits for another process that has the directory: one that serves or follows the node has it for moments.
const MOMENT: Duration = Duration::from_secs(2);

/// The node in a directory.
fn open(directory: &Path) -> Result<Node, Failure> {
    Node::reopen(directory, MOMENT).map_err(refused)
}

/// An error of the library in the terms of the command.
fn refused(e: NodeError) -> Failure {
    let message = e.to_string();
    let hint = match &e {
        NodeError::Replica(ReplicaError::Rejected(_)) => return Failure::invalid(message),
        NodeError::Held { .. } => {
            let hint = "pass the key that claimed it with --key, or wait until the lane is open";
            return Failure { hint: Some(hint.into()), ..Failure::invalid(message) };
        }
        NodeError::Replica(ReplicaError::Store(StoreError::Locked(_))) => {
            "one process has a ledger at a time"
        }
        NodeError::Replica(ReplicaError::Store(StoreError::Empty)) => "make one with `tenfold ledger init`",
        NodeError::Replica(ReplicaError::Store(StoreError::Foreign(_))) => {
            "move it elsewhere: an index is made anew from the log"
        }
        NodeError::Replica(_) | NodeError::Io { .. } | NodeError::Peer(_) => return Failure::io(message),
        NodeError::File { .. } => "give a file that `tenfold ledger` wrote",
        NodeError::OtherChain(_) => {
            "chains are told apart by their genesis; `tenfold ledger status` shows it"
        }
        NodeError::Exists(_) => "take another name, or remove it if nobody needs it",
        NodeError::Genesis(_) => "docs/ledger.md describes what a chain begins with",
        NodeError::NoKey { .. } => {
            "make or import one with `tenfold ledger setup`, or name the folder with --keys"
        }
        NodeError::Key { .. } => {
            "remove the file, and make or import the key again with `tenfold ledger setup`"
        }
        NodeError::GivenKey(_) => {
            "give the verifying key of this circuit, which --batch, --root and --binding name: `tenfold ledger status` shows the keys of a node"
        }
        NodeError::LocalKey(_) => "take keys of a ceremony, or for a trial pass --insecure-local",
        NodeError::Ceremony(_) => return Failure::invalid(message),
        NodeError::Proof(_) => "what no circuit is for goes the slow path: pass --plain",
        NodeError::NothingWaits(why) if why.is_empty() => "add transactions with `tenfold ledger submit`",
        NodeError::NothingWaits(_) => {
            "later transactions of that account wait for this one: change what it lacks, or take it out of the folder `inbox` and sign another one"
        }
        NodeError::Transaction(_) => "`tenfold ledger status --account N` shows an account",
        NodeError::TooMany { .. } => {
            "wait until a block has some of them, or take some out of the folder `inbox`"
        }
        NodeError::NoBlock { .. } => "name heights that the ledger has with --from and --to",
        NodeError::NoAccount(_) => {
            "accounts have the numbers of the genesis, and those that `submit --create` gave them"
        }
    };
    Failure::usage(message, hint)
}

/// The keys that arguments name. Where keys of local setups are taken, that is said each time; JSON has it as `insecure`.
fn keys_of(directory: &Path, args: &KeyArgs, common: &Common) -> Keys {
    if args.insecure_local && !common.quiet {
        insecure();
    }
    let folder = args.keys.clone().unwrap_or_else(|| Node::keys_folder(directory));
    Keys::new(&folder, args.insecure_local)
}

/// The keys that batches for replicas are proven and verified with, if any.
fn keys_of_batches(
    node: &NodeArgs,
    (binding, proofs): (BindingArgs, TransparentArgs),
    common: &Common,
) -> Keys {
    let keys = keys_of(&node.directory, &node.keys, common).with_binding(binding.binding);
    keys.transparent(proofs.transparent)
}

/// Says what a local setup is.
fn insecure() {
    let label = Paint::stderr().red("INSECURE:");
    note!(
        "{label} keys of a local setup are taken; whoever made them can prove anything, money from nowhere too"
    );
}

fn serve(args: &ServeArgs, common: &Common) -> Result<Exit, Failure> {
    let node = open(&args.node.directory)?;
    let secret = args.key.as_deref().map(|path| keys::read_secret(path, common)).transpose()?;
    let KeyArgs { keys, insecure_local } = &args.node.keys;
    let folder = keys.clone().unwrap_or_else(|| Node::keys_folder(&args.node.directory));
    let mut keys = Keys::new(&folder, *insecure_local);
    if let Some((slots, digest)) = args.circuit {
        keys = keys.with_circuit(slots, digest);
    }
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    ledger::node::serve(node, &keys, secret.as_ref(), &mut input, &mut output).map_err(refused)?;
    Ok(Exit::Valid)
}
