//! Arguments of `ledger follow`.

use clap::Args;

use super::network::parse_seconds;
use super::{NodeArgs, SizeArgs};

/// Arguments of `ledger follow`.
#[derive(Args, Clone, Debug)]
pub struct FollowArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    /// The JSON-RPC address of an EVM node, best one of your own: what it hides nobody sees
    #[arg(long, value_name = "URL")]
    pub rpc: String,
    /// The block from which on the contract is looked for, that of its deployment or an earlier one [default: where it was followed to, at first 0]
    #[arg(long, value_name = "BLOCK")]
    pub from: Option<u64>,
    /// Follow blocks with N others behind them, instead of those that the EVM chain calls final
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Go on: look again after so many seconds, until the command is ended
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub every: Option<u64>,
}
