//! Arguments of `ledger prove` and `ledger verify` about calls of a contract.

use clap::{Arg, ArgGroup, Args};
use ledger::evm::Head;

use super::{BlockArgs, ProveArgs};
use crate::units;

/// A call of the contract that orders batches for replicas, and what it starts from.
#[derive(Args, Clone, Debug)]
pub struct CallArgs {
    /// The call of a contract that orders batches for replicas (`export-evm` without --root), which the chain's description names
    #[arg(long)]
    pub call: bool,
    /// With --call: the contract's state, 64 hexadecimal digits: 16 of what its `height()` returns, then 48 of its `head()`. `prove` and `verify` print the one behind
    /// their call [default: that of a contract without calls, where the node has applied no block]
    #[arg(long, value_name = "HEX", requires = "call", conflicts_with_all = ["rpc", "root"], value_parser = parse_head)]
    pub head: Option<Head>,
    /// The JSON-RPC address of an EVM node. With --call it is asked for the contract's state; with --root, before the proof, whether the contract still has this node's root
    #[arg(long, value_name = "URL", requires = "contract")]
    pub rpc: Option<String>,
}

impl ProveArgs {
    /// Tells whether a call of a contract is made.
    pub fn is_call(&self) -> bool {
        self.batch.root || self.call.call
    }
}

impl BlockArgs {
    /// Tells whether a call of a contract is checked.
    pub fn is_call(&self) -> bool {
        self.batch.root || self.call.call
    }
}

/// The contract that a call is for, one of two.
pub(super) fn contract() -> ArgGroup {
    ArgGroup::new("contract").args(["root", "call"])
}

/// The size of a contract's batches, where a block says its own.
pub(super) fn with_size(arg: Arg) -> Arg {
    let help = "With --root or --call: transactions in a batch, 64, 256 or 1024; a block has its own";
    arg.requires("contract").help(help)
}

/// The EVM node, where the node's own root is what a call is checked against.
pub(super) fn with_head(arg: Arg) -> Arg {
    let help = "With --call: the JSON-RPC address of an EVM node, which is asked for the contract's state";
    // One of two contracts excludes the other, and is then not missed.
    arg.requires("call").conflicts_with("root").help(help)
}

fn parse_head(text: &str) -> Result<Head, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    units::from_hex(digits)
        .map(Head)
        .ok_or("no state of a contract: 64 hexadecimal digits, 16 of `height()` and 48 of `head()`")
}
