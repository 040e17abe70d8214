//! Arguments of `compare`.

use clap::Args;
use iop::hash::Hash;
use iop::security::Policy;
use pcs::file::SchemeId;

use super::choices::{self, FieldChoice, one_of};
use super::policy::regimes;
use super::{Input, Output, TheoremArgs, of_an_output};
use crate::units;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", of_an_output))]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: Input,
    /// Proven bits of security
    #[arg(long, value_parser = one_of(choices::BITS), default_value = "128")]
    pub bits: u32,
    /// Proven bits without proof of work
    #[arg(long, value_name = "BITS", default_value_t = 0)]
    pub interactive_bits: u32,
    /// Parameters within unique decoding alone
    #[arg(long)]
    pub unique_decoding: bool,
    #[command(flatten)]
    pub theorems: TheoremArgs,
    /// Hash function [default: blake3; above 128 bits SHA-3 with digests of twice the bits]
    #[arg(long, value_parser = one_of(choices::HASHES))]
    pub hash: Option<Hash>,
    /// Schemes to measure, separated by commas [default: all]
    #[arg(long, value_parser = one_of(choices::COMPARED), value_delimiter = ',', value_name = "SCHEME,...")]
    pub scheme: Vec<SchemeId>,
    /// Prime fields to measure, separated by commas [default: all that hold the rows, and binary fields]
    #[arg(long, value_parser = one_of(choices::FIELDS), value_delimiter = ',', value_name = "FIELD,...")]
    pub field: Vec<FieldChoice>,
    /// Skip what is predicted to take longer to commit and open, such as `500ms` or `2s`
    #[arg(long, value_name = "TIME", value_parser = units::parse_millis)]
    pub max_time: Option<f64>,
    #[command(flatten)]
    pub output: Output,
}

impl CompareArgs {
    /// The policy that every case meets.
    pub fn policy(&self) -> Policy {
        let (theorems, interactive_bits) = (self.theorems.set(), self.interactive_bits);
        let regimes = regimes(self.unique_decoding);
        Policy { regimes, theorems, interactive_bits, ..Policy::at_least(self.bits) }
    }
}
