//! Arguments that say which circuit batches are proven in, and by which proof system.

use clap::Args;
use ledger::circuit::Binding;
use ledger::node::{BatchCircuit, Mode};
use ledger::statement::BatchSize;

use super::parse_size;

/// The size of batches.
#[derive(Args, Clone, Debug)]
pub struct SizeArgs {
    /// Transactions in a batch: 64, 256 or 1024
    #[arg(long, value_name = "N", default_value = "64", value_parser = parse_size)]
    pub batch: BatchSize,
}

/// The circuit of batches: a size, and who verifies them.
#[derive(Args, Clone, Debug)]
pub struct CircuitSizeArgs {
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub binding: BindingArgs,
    /// The circuit of batches for a contract that holds the root of the state (`export-evm --root`): about six times the constraints
    #[arg(long, conflicts_with = "binding")]
    pub root: bool,
}

/// The binding of the committed cells of batches for replicas.
#[derive(Args, Clone, Copy, Debug)]
pub struct BindingArgs {
    /// The binding of the cells that a proof commits to: `commitment`, whose proofs take a sixth less time, or `digest`, which spares whoever verifies a pairing; the keys of one
    /// are none of the other [default: digest for batches of 64, commitment for larger ones; where keys are read, that of the keys that are there]
    #[arg(long, value_name = "KIND", value_parser = parse_binding)]
    pub binding: Option<Binding>,
}

impl CircuitSizeArgs {
    /// The circuit.
    pub fn circuit(&self) -> BatchCircuit {
        match self.binding.binding {
            Some(binding) if !self.root => BatchCircuit::Replicas(self.size.batch.slots(), binding),
            _ => BatchCircuit::new(if self.root { Mode::Root } else { Mode::Replicas }, self.size.batch),
        }
    }
}

/// The proof system of batches for replicas.
#[derive(Args, Clone, Copy, Debug)]
pub struct TransparentArgs {
    /// Batches are proven without a setup, by 128 proven bits and no keys: proofs have 170 to 290 KB. All replicas of a chain have to say so, or none
    #[arg(long, conflicts_with_all = ["keys", "insecure_local", "binding"])]
    pub transparent: bool,
}

fn parse_binding(text: &str) -> Result<Binding, &'static str> {
    // A digest is made by a sponge.
    let name = if text == "sponge" { "digest" } else { text };
    let known = Binding::ALL.into_iter().find(|binding| binding.to_string() == name);
    known.ok_or("cells are bound by a `commitment` or a `digest`")
}
