//! Arguments of `ledger http` and `ledger pull`.

use std::net::SocketAddr;

use clap::Args;

use super::{BindingArgs, NodeArgs, TransparentArgs};

/// Reads a number of seconds, with the unit or without it.
pub fn parse_seconds(text: &str) -> Result<u64, &'static str> {
    let seconds = text.strip_suffix('s').unwrap_or(text).parse().ok();
    seconds
        .filter(|seconds| (1..=86_400).contains(seconds))
        .ok_or("a time in seconds, from 1 to 86400, such as 10s")
}

/// Arguments of `ledger http`.
#[derive(Args, Clone, Debug)]
pub struct HttpArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// The address: one of this machine alone, as there is neither TLS nor authentication. Port 0 is any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8645")]
    pub listen: SocketAddr,
    /// Take an address that other machines reach, and requests by any name in their header Host. WITHOUT TLS: whoever is on the way reads and changes what is sent; blocks and transactions are verified, status and accounts are not
    #[arg(long)]
    pub public: bool,
}

/// Arguments of `ledger pull`.
#[derive(Args, Clone, Debug)]
pub struct PullArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub binding: BindingArgs,
    #[command(flatten)]
    pub proofs: TransparentArgs,
    /// The address of a node that `ledger http` serves. Each block of it is verified as `apply` does; which blocks come next is its choice
    #[arg(long, value_name = "URL")]
    pub from: String,
    /// The height of the last block that is taken [default: the other node's last one]
    #[arg(long, value_name = "HEIGHT", value_parser = clap::value_parser!(u64).range(1..))]
    pub to: Option<u64>,
    /// Go on: look again after so many seconds, until the command is ended
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub every: Option<u64>,
    /// The time for each question and its answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub timeout: u64,
}
