//! Arguments of `ledger setup`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::{CircuitSizeArgs, NodeArgs, parse_digest};

/// Public randomness.
#[derive(Args, Clone, Debug)]
pub struct BeaconArgs {
    /// The value, as text: named before the last contribution, published after it (the hash of a block of some chain, a draw)
    #[arg(long, value_name = "TEXT")]
    pub value: String,
    /// The value is hashed 2^N times, one after the other. Take N so large that this takes longer than anybody can still choose the value: 24 is about a second
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=48))]
    pub log2_hashes: u32,
}

/// Facts about a ceremony that its verifier has from elsewhere.
#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("values").args(["beacon", "powers_beacon"]).multiple(true)))]
pub struct ExpectedArgs {
    /// The receipt of a contribution that has to be there: what `setup contribute` printed. May be repeated
    #[arg(long = "receipt", value_name = "HEX", value_parser = parse_digest)]
    pub receipts: Vec<[u8; 32]>,
    /// The last contribution to phase 2 has to be that of this public value
    #[arg(long, value_name = "TEXT")]
    pub beacon: Option<String>,
    /// The last contribution to phase 1 has to be that of this public value
    #[arg(long, value_name = "TEXT")]
    pub powers_beacon: Option<String>,
    /// The values were hashed 2^N times
    #[arg(long, value_name = "N", default_value_t = 24, requires = "values", value_parser = clap::value_parser!(u32).range(0..=48))]
    pub log2_hashes: u32,
    /// That of phase 1 was hashed 2^N times, if not as often as that of phase 2
    #[arg(long, value_name = "N", requires = "powers_beacon", value_parser = clap::value_parser!(u32).range(0..=48))]
    pub powers_log2_hashes: Option<u32>,
}

/// Steps of a setup. A state of the ceremony is a file that goes from one contributor to the next.
#[derive(Clone, Debug, Subcommand)]
pub enum SetupCommand {
    /// INSECURE: make both keys here; with `--insecure-local` alone
    Local(LocalArgs),
    /// Begin phase 1: powers of secrets that nobody has contributed to yet
    Powers(PowersArgs),
    /// Begin phase 2 for the circuit of a size, with powers that are verified
    Circuit(CircuitArgs),
    /// Contribute secrets, which are overwritten, to the state of either phase
    Contribute(ContributeArgs),
    /// Contribute a public value, the last one of either phase: so that whoever contributed last has not chosen the key
    Beacon(BeaconStateArgs),
    /// Verify all contributions, and print their receipts
    Verify(CeremonyArgs),
    /// Verify all contributions, and make the keys
    Finalise(FinaliseArgs),
    /// Take a verifying key whose digest somebody you trust has published
    Import(ImportArgs),
}

/// Arguments of `ledger setup local`.
#[derive(Args, Clone, Debug)]
pub struct LocalArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
}

/// Arguments of `ledger setup powers`.
#[derive(Args, Clone, Debug)]
pub struct PowersArgs {
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    /// The state
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Arguments of `ledger setup circuit`.
#[derive(Args, Clone, Debug)]
pub struct CircuitArgs {
    /// The last state of phase 1
    pub powers: PathBuf,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    /// The state
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Arguments of `ledger setup contribute`.
#[derive(Args, Clone, Debug)]
pub struct ContributeArgs {
    /// The state so far
    pub state: PathBuf,
    /// The state after it
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Arguments of `ledger setup beacon`.
#[derive(Args, Clone, Debug)]
pub struct BeaconStateArgs {
    #[command(flatten)]
    pub step: ContributeArgs,
    #[command(flatten)]
    pub beacon: BeaconArgs,
}

/// Arguments of `ledger setup verify`.
#[derive(Args, Clone, Debug)]
pub struct CeremonyArgs {
    /// The last state of phase 1
    pub powers: PathBuf,
    /// The last state of phase 2
    pub state: PathBuf,
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
    #[command(flatten)]
    pub expected: ExpectedArgs,
}

/// Arguments of `ledger setup finalise`.
#[derive(Args, Clone, Debug)]
pub struct FinaliseArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    #[command(flatten)]
    pub ceremony: CeremonyArgs,
}

/// Arguments of `ledger setup import`.
#[derive(Args, Clone, Debug)]
pub struct ImportArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// The verifying key
    pub key: PathBuf,
    /// Its digest: 64 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = parse_digest)]
    pub digest: [u8; 32],
    #[command(flatten)]
    pub batch: CircuitSizeArgs,
}
