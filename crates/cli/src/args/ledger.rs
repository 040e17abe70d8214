//! Arguments of `ledger`.

mod call;
mod circuit;
mod follow;
mod history;
mod network;
mod setup;

use std::path::PathBuf;

use clap::{Arg, Args, Subcommand, ValueHint};
use ledger::node::size_of;
use ledger::statement::BatchSize;

use crate::units;

pub use call::CallArgs;
pub use circuit::{BindingArgs, CircuitSizeArgs, SizeArgs, TransparentArgs};
pub use follow::FollowArgs;
pub use history::{AuditArgs, ExportBlocksArgs, ShowArgs};
pub use network::{HttpArgs, PullArgs};
pub use setup::{
    BeaconStateArgs, CeremonyArgs, CircuitArgs, ContributeArgs, ExpectedArgs, FinaliseArgs, ImportArgs,
    LocalArgs, PowersArgs, SetupCommand,
};

/// What a ceremony takes.
const CEREMONY: &str = "A ceremony for batches of 64, all of its steps together, takes about 20 minutes of CPU time (two cores of an AMD Zen 4);\nlarger batches, and --root, take more in proportion to their constraints.";

/// Subcommands of `tenfold ledger`.
#[derive(Clone, Debug, Subcommand)]
pub enum LedgerCommand {
    /// Make a key: a secret file, and beside it the public key in hexadecimal
    Keygen(KeygenArgs),
    /// Make a ledger in a new directory
    Init(InitArgs),
    /// Keys of proofs: local ones for trials, or a ceremony's
    #[command(subcommand, after_help = CEREMONY)]
    Setup(SetupCommand),
    /// Sign a transaction, or take a signed one, and have it wait for a block
    Submit(SubmitArgs),
    /// Sign a transaction without a node, on a machine of its own
    Sign(SignArgs),
    /// Make the next block of what waits: a proven batch, unless told otherwise; with --root or --call the call of a contract
    Prove(ProveArgs),
    /// Check a block against the state, and change nothing
    Verify(BlockArgs),
    /// Check blocks and append them: on the disk when the command ends
    Apply(BlocksArgs),
    /// Write blocks of a ledger as files that `apply` takes, for replicas that catch up, and for backups
    Blocks(ExportBlocksArgs),
    /// Show what is in a block, a transaction, a genesis or a state of a ceremony
    Show(ShowArgs),
    /// Verify a ledger from its genesis, every proof and signature of it, and change nothing
    Audit(AuditArgs),
    /// Serve the node over HTTP: blocks for replicas, its state, and an inbox for transactions
    Http(HttpArgs),
    /// Take the blocks that a node has which is served over HTTP, each verified as by `apply`
    Pull(PullArgs),
    /// Follow the contract that holds the root: apply the calls that it has accepted, each with its proof
    Follow(FollowArgs),
    /// Write the contract that verifies batches on an EVM chain, ready to be deployed, and its sources
    ExportEvm(ExportEvmArgs),
    /// Show height, root, lanes, keys and where they come from
    Status(StatusArgs),
    /// Measure proving, verifying and applying beside plain execution
    Bench(BenchArgs),
    /// See it work: replicas and provers as processes, some of which are killed or lie
    Demo(DemoArgs),
    /// Drive a node over standard input and output
    #[command(hide = true)]
    Serve(ServeArgs),
}

/// Which keys of proofs.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// The folder of keys [default: `keys` in the ledger's directory]
    #[arg(long, value_name = "DIR")]
    pub keys: Option<PathBuf>,
    /// INSECURE, for trials: take keys that one process made, with which whoever made them can prove anything
    #[arg(long)]
    pub insecure_local: bool,
}

/// A ledger.
#[derive(Args, Clone, Debug)]
pub struct NodeArgs {
    /// The ledger's directory
    #[arg(id = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    #[command(flatten)]
    pub keys: KeyArgs,
}

/// Arguments of `ledger keygen`.
#[derive(Args, Clone, Debug)]
pub struct KeygenArgs {
    /// The secret file; the public key is in one with `.pub` behind its name. Nothing is overwritten
    #[arg(short, long, value_name = "FILE", default_value = "account.key")]
    pub output: PathBuf,
}

/// Arguments of `ledger init`.
#[derive(Args, Clone, Debug)]
pub struct InitArgs {
    /// The directory, which is made
    #[arg(id = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    /// What the chain begins with: a description in JSON, or the file `genesis` of another node's directory
    #[arg(long, value_name = "FILE")]
    pub genesis: PathBuf,
}

/// The effect of a transaction.
#[derive(Args, Clone, Debug)]
pub struct OperationArgs {
    /// The number of the account that receives
    #[arg(long, value_name = "ACCOUNT")]
    pub to: Option<u32>,
    /// The amount, in the smallest unit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_amount)]
    pub amount: Option<u64>,
    /// Any number, for whoever reads the transaction
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub memo: u64,
    /// Open the account that receives, with this public key (a file, or 128 hexadecimal digits), which stands in the place of the memo
    #[arg(long, value_name = "KEY", group = "kind", conflicts_with = "memo", value_hint = ValueHint::FilePath)]
    pub create: Option<String>,
    /// Issue the amount; for the issuer alone
    #[arg(long, group = "kind")]
    pub mint: bool,
    /// Destroy the amount
    #[arg(long, group = "kind", conflicts_with = "to")]
    pub burn: bool,
}

/// Arguments of `ledger submit`.
#[derive(Args, Clone, Debug)]
pub struct SubmitArgs {
    /// The ledger's directory
    #[arg(id = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    /// A transaction that was signed elsewhere; without it one is signed here
    #[arg(conflicts_with_all = ["key", "from", "to", "amount", "memo", "create", "mint", "burn"])]
    pub transaction: Option<PathBuf>,
    /// The secret key of the account that sends
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The number of the account that sends
    #[arg(long, value_name = "ACCOUNT")]
    pub from: Option<u32>,
    #[command(flatten)]
    pub operation: OperationArgs,
    /// Write the signed transaction to this file, and have nothing wait
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `ledger sign`.
#[derive(Args, Clone, Debug)]
pub struct SignArgs {
    /// The file `genesis` of a node, or the description in JSON that the chain began with
    #[arg(long, value_name = "FILE")]
    pub genesis: PathBuf,
    /// The secret key of the account that sends
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// The number of the account that sends
    #[arg(long, value_name = "ACCOUNT")]
    pub from: u32,
    /// The number of transactions of the account before this one: `nonce` of `tenfold ledger status --account`, and those that wait
    #[arg(long, value_name = "N")]
    pub nonce: u32,
    #[command(flatten)]
    pub operation: OperationArgs,
    /// The file of the signed transaction, which `submit` takes
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Circuit and keys are of batches alone, in a command that can make something else.
fn of_a_batch(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "transparent" => arg.conflicts_with_all(["claim", "plain", "empty", "rebase", "contract"]),
        "batch" | "binding" | "keys" | "insecure_local" => {
            arg.conflicts_with_all(["claim", "plain", "empty", "rebase"])
        }
        _ => arg,
    }
}

/// Arguments of `ledger prove`.
#[derive(Args, Clone, Debug)]
#[command(mut_args(of_a_batch), group(call::contract()))]
pub struct ProveArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    #[command(flatten)]
    pub proofs: TransparentArgs,
    /// The lane
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["contract", "plain", "empty", "rebase"])]
    pub lane: u8,
    /// The secret key that holds the lane, or claims it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["contract", "plain", "empty", "rebase"])]
    pub key: Option<PathBuf>,
    /// Claim the lane, instead of a batch
    #[arg(long, group = "instead", requires = "key", conflicts_with = "contract")]
    pub claim: bool,
    /// The slow path, instead of a batch: what waits is executed by every replica, and no prover is needed
    #[arg(long, group = "instead", conflicts_with = "contract")]
    pub plain: bool,
    /// A block without content, instead of a batch: heights are the clock of lanes
    #[arg(long, group = "instead", conflicts_with = "contract")]
    pub empty: bool,
    /// Put what this block does behind the last block, instead of a batch: another one was applied before it
    #[arg(long, group = "instead", value_name = "BLOCK", conflicts_with = "contract")]
    pub rebase: Option<PathBuf>,
    #[command(flatten)]
    pub call: CallArgs,
    /// The block's file. With --root or --call: that of the plain block with the same transactions, beside which the contract's call gets the ending `.calldata`
    #[arg(short, long, value_name = "FILE", default_value = "next.block")]
    pub output: PathBuf,
}

/// Arguments of `ledger verify`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("batch", call::with_size), mut_arg("rpc", call::with_head), group(call::contract()))]
#[command(mut_arg("transparent", |arg| arg.conflicts_with("contract")))]
pub struct BlockArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// The block's file; with --root or --call that of a contract's call
    pub block: PathBuf,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    #[command(flatten)]
    pub proofs: TransparentArgs,
    #[command(flatten)]
    pub call: CallArgs,
}

/// Arguments of `ledger apply`.
#[derive(Args, Clone, Debug)]
pub struct BlocksArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub binding: BindingArgs,
    #[command(flatten)]
    pub proofs: TransparentArgs,
    /// The files of blocks, in their order
    #[arg(required = true)]
    pub blocks: Vec<PathBuf>,
}

/// Arguments of `ledger status`.
#[derive(Args, Clone, Debug)]
pub struct StatusArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// Show an account too
    #[arg(long, value_name = "N")]
    pub account: Option<u32>,
    /// Show the root that the chain's contract has after the last block too, which is another one than the ledger's
    #[arg(long)]
    pub root: bool,
}

/// Arguments of `ledger export-evm`.
#[derive(Args, Clone, Debug)]
pub struct ExportEvmArgs {
    /// The verifying key
    pub key: PathBuf,
    /// The ledger's directory, or a file `genesis`: the chain that the contract is for
    #[arg(long = "directory", value_name = "DIR")]
    pub chain: PathBuf,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    /// INSECURE, for trials: take a key that one process made, with which whoever made it can prove anything
    #[arg(long)]
    pub insecure_local: bool,
    /// The folder that everything goes to, which is made
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Arguments of `ledger bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// Sizes of batches, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "64,256", value_parser = parse_size)]
    pub batch: Vec<BatchSize>,
    /// Measure batches that are proven without a setup
    #[arg(long)]
    pub transparent: bool,
    /// Batches that are measured, after one that is not counted
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
}

/// Arguments of `ledger demo`.
#[derive(Args, Clone, Debug)]
pub struct DemoArgs {
    /// Transactions
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub transactions: u32,
    #[command(flatten)]
    pub size: SizeArgs,
    /// Where everything goes, a directory that is not there yet [default: one that is removed at the end]
    #[arg(short, long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// A folder of INSECURE keys that are taken, or made if they are not there [default: `keys` in the directory]
    #[arg(long, value_name = "DIR")]
    pub keys: Option<PathBuf>,
}

/// Arguments of `ledger serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// The secret key of a prover
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The digest of a circuit, which whoever starts this process has made: slots, a colon, 64 hexadecimal digits
    #[arg(long, value_name = "CIRCUIT", value_parser = parse_circuit)]
    pub circuit: Option<(usize, [u8; 32])>,
}

fn parse_circuit(text: &str) -> Result<(usize, [u8; 32]), &'static str> {
    let parsed =
        text.split_once(':').and_then(|(slots, hex)| Some((slots.parse().ok()?, units::from_hex(hex)?)));
    parsed.ok_or("no circuit: slots, a colon, 64 hexadecimal digits")
}

fn parse_amount(text: &str) -> Result<u64, &'static str> {
    text.parse()
        .map_err(|_| "an amount is a whole number of the smallest unit, from 0 to 18446744073709551615")
}

fn parse_size(text: &str) -> Result<BatchSize, &'static str> {
    text.parse().ok().and_then(size_of).ok_or("batches have 64, 256 or 1024 transactions")
}

fn parse_digest(text: &str) -> Result<[u8; 32], &'static str> {
    units::from_hex(text).ok_or("no digest: 64 hexadecimal digits")
}
