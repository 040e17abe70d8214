//! Arguments of `ring`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use ring_proof::file::SuiteId;

use super::choices::{SUITES, one_of};
use super::{Force, InspectArgs, Output};

/// What is done with rings.
#[derive(Clone, Debug, Subcommand)]
pub enum RingCommand {
    /// Make a key: a secret file, and beside it a public one with a proof of possession
    Keygen(KeygenArgs),
    /// Make a ring of public keys, and its commitment
    Commit(MakeArgs),
    /// Add members behind all that were there before
    Add(AddArgs),
    /// Put another key in a slot
    Replace(ReplaceArgs),
    /// Take a member out; the slot stays empty, the other members keep theirs
    Remove(RemoveArgs),
    /// Sign as a member of a ring, without saying which
    Prove(ProveArgs),
    /// Verify a signature against the commitment of its ring
    Verify(RingVerifyArgs),
    /// Verify many signatures at once; those that are invalid are named
    BatchVerify(BatchArgs),
    /// Show what is in a key, a ring, a commitment or a signature
    Inspect(InspectArgs),
    /// See it work: 1,000 members, one signs, anyone verifies
    Demo(DemoArgs),
}

/// Which setup to use.
#[derive(Args, Clone, Debug, Default)]
pub struct SetupArgs {
    /// A setup in arkworks' uncompressed form, every point of which is checked [default: the one that ships, of
    /// Zcash's ceremony]
    #[arg(long, value_name = "FILE")]
    pub srs: Option<PathBuf>,
    /// The SHA-256 that the setup's file must have
    #[arg(long, value_name = "HEX", requires = "srs")]
    pub srs_sha256: Option<String>,
    /// INSECURE, for tests: a setup whose secret is made of SEED. Who knows SEED can forge every signature
    #[arg(long, value_name = "SEED", conflicts_with = "srs")]
    pub insecure_local_srs: Option<String>,
    /// Keep the tables that making rings and signing take in this file: made if it is not there, else read and checked
    #[arg(id = "tables_output", long = "tables", value_name = "FILE")]
    pub tables: Option<PathBuf>,
    /// Read the tables without the check, ten times as fast: whoever can write the file decides who is in a ring, and who is
    /// seen to have signed
    #[arg(long, requires = "tables_output")]
    pub trust_tables: bool,
}

/// Arguments of `ring keygen`.
#[derive(Args, Clone, Debug)]
pub struct KeygenArgs {
    /// The secret file; the public one has `.pub` behind its name. Nothing is overwritten
    #[arg(short, long, value_name = "FILE", default_value = "member.key")]
    pub output: PathBuf,
    /// The suite
    #[arg(long, value_parser = one_of(SUITES), default_value = "v1")]
    pub suite: SuiteId,
}

/// Keys of new members.
#[derive(Args, Clone, Debug)]
pub struct KeysArgs {
    /// Public key files, or keys in hexadecimal: 64 digits, of the suite `sw` 66
    #[arg(value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub keys: Vec<String>,
    /// A text file of keys in hexadecimal, one a line, the proof of possession behind it; `#` begins a comment
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Take keys that come without a proof of possession: their owners may know no secret, or a combination of others'
    #[arg(long)]
    pub without_possession: bool,
}

/// Where a changed ring goes.
#[derive(Args, Clone, Debug)]
pub struct RingOutput {
    /// Write the ring to this file [default: `members.ring` for a new one, the same file for a change]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the commitment to this file [default: the ring's name, with `.commitment` behind it or in place of `.ring`]
    #[arg(id = "commitment_output", long = "commitment", value_name = "FILE")]
    pub commitment: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

/// Arguments of `ring commit`.
#[derive(Args, Clone, Debug)]
pub struct MakeArgs {
    #[command(flatten)]
    pub keys: KeysArgs,
    /// Leave room for so many members [default: what the smallest domain has]
    #[arg(long, value_name = "N")]
    pub capacity: Option<usize>,
    /// The suite [default: that of the public key files; of keys in hexadecimal alone v1]
    #[arg(long, value_parser = one_of(SUITES))]
    pub suite: Option<SuiteId>,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub output: RingOutput,
}

/// Arguments of `ring add`.
#[derive(Args, Clone, Debug)]
pub struct AddArgs {
    /// The ring file
    pub ring: PathBuf,
    #[command(flatten)]
    pub keys: KeysArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub output: RingOutput,
}

/// Which slot.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct Place {
    /// The slot, counted from 0
    #[arg(long, value_name = "I")]
    pub slot: Option<usize>,
    /// The member who is in it: a public key file, or a key in hexadecimal
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub member: Option<String>,
}

/// Arguments of `ring replace`.
#[derive(Args, Clone, Debug)]
pub struct ReplaceArgs {
    /// The ring file
    pub ring: PathBuf,
    /// The new member's public key file, or the key in hexadecimal
    #[arg(value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub key: String,
    #[command(flatten)]
    pub place: Place,
    /// Take a key that comes without a proof of possession
    #[arg(long)]
    pub without_possession: bool,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub output: RingOutput,
}

/// Arguments of `ring remove`.
#[derive(Args, Clone, Debug)]
pub struct RemoveArgs {
    /// The ring file
    pub ring: PathBuf,
    #[command(flatten)]
    pub place: Place,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub output: RingOutput,
}

/// What is signed.
#[derive(Args, Clone, Debug, Default)]
pub struct MessageArgs {
    /// A message that is signed too, and does not change the tag
    #[arg(long, value_name = "TEXT")]
    pub message: Option<String>,
    /// The message in a file, at most 64 KiB
    #[arg(long, value_name = "FILE", conflicts_with = "message")]
    pub message_file: Option<PathBuf>,
}

/// Arguments of `ring prove`.
#[derive(Args, Clone, Debug)]
pub struct ProveArgs {
    /// The ring file
    pub ring: PathBuf,
    /// The secret key file of a member
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// What the tag is for, such as a vote's name: one member has one tag in one context
    #[arg(long, value_name = "TEXT")]
    pub context: String,
    #[command(flatten)]
    pub message: MessageArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `ring verify`.
#[derive(Args, Clone, Debug)]
pub struct RingVerifyArgs {
    /// The signature file
    pub signature: PathBuf,
    /// The commitment file of the ring, or the ring file
    #[arg(long, value_name = "FILE")]
    pub ring: PathBuf,
    /// The context that it must be for
    #[arg(long, value_name = "TEXT")]
    pub context: Option<String>,
    #[command(flatten)]
    pub message: MessageArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
}

/// Arguments of `ring batch-verify`.
#[derive(Args, Clone, Debug)]
pub struct BatchArgs {
    /// The signature files
    #[arg(required = true, value_name = "SIGNATURE")]
    pub signatures: Vec<PathBuf>,
    /// The commitment file of a ring, or a ring file (repeatable)
    #[arg(long, value_name = "FILE", required = true)]
    pub ring: Vec<PathBuf>,
    /// The context that all must be for
    #[arg(long, value_name = "TEXT")]
    pub context: Option<String>,
    /// Refuse the second signature of one member in the context, and all after it
    #[arg(long, requires = "context")]
    pub distinct: bool,
    #[command(flatten)]
    pub setup: SetupArgs,
}

/// Arguments of `ring demo`.
#[derive(Args, Clone, Debug)]
pub struct DemoArgs {
    /// Members of the ring
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..=1791))]
    pub members: u32,
    /// Where the ring, its commitment and the signature go [default: target/ring]
    #[arg(short, long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}
