//! Arguments of `ledger blocks`, `show` and `audit`.

use std::path::PathBuf;

use clap::Args;

use super::{BindingArgs, NodeArgs, TransparentArgs};

/// Arguments of `ledger blocks`.
#[derive(Args, Clone, Debug)]
pub struct ExportBlocksArgs {
    /// The ledger's directory, in which nothing is written
    #[arg(value_name = "DIR")]
    pub chain: PathBuf,
    /// The height of the first block
    #[arg(long, value_name = "HEIGHT", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub from: u64,
    /// The height of the last block [default: the ledger's last one]
    #[arg(long, value_name = "HEIGHT", value_parser = clap::value_parser!(u64).range(1..))]
    pub to: Option<u64>,
    /// The folder of the blocks' files, which is made; their names have the order of their heights
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Arguments of `ledger show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// The file. Nothing of it is verified
    pub file: PathBuf,
}

/// Arguments of `ledger audit`.
#[derive(Args, Clone, Debug)]
pub struct AuditArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub binding: BindingArgs,
    #[command(flatten)]
    pub proofs: TransparentArgs,
}
