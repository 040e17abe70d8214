//! Arguments of `params search`.

use super::{Output, SchemeArgs};
use crate::units;
use clap::{Args, Subcommand};

/// What `params` does beside showing.
#[derive(Clone, Debug, Subcommand)]
pub enum ParamsCommand {
    /// Show every layout that no other one beats in both time and size, and mark the one that is taken
    Search(SearchArgs),
}

/// Arguments of `params search`.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// log2 of the number of entries; with `--scheme ligerito` or `air`, of bytes
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub log_size: u32,
    /// The scheme.
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// The parameter file of the one that is taken, for `commit --params`.
    #[command(flatten)]
    pub output: Output,
    /// Take none whose proof can be longer, such as `64KiB`
    #[arg(long, value_name = "SIZE", value_parser = units::parse_bytes)]
    pub max_size: Option<u64>,
    /// Take none that is predicted to take longer to commit and open, such as `5ms`; without a unit, milliseconds
    #[arg(long, value_name = "TIME", value_parser = units::parse_millis)]
    pub max_time: Option<f64>,
}
