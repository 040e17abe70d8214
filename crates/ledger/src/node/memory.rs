//! An estimate of memory, before it is taken.

use super::BatchCircuit;
use crate::circuit::Binding;
use crate::statement::BatchSize;

/// Bytes that a process takes whatever it proves.
const PROCESS: u64 = 60 << 20;

/// Bytes for each constraint.
const CONSTRAINT: u64 = 1900;

/// Constraints, by those of a slot in the size with the most: not fewer than there are.
pub(super) const fn constraints(circuit: BatchCircuit) -> u64 {
    let slot = match circuit {
        BatchCircuit::Replicas(_, Binding::Commitment) => 1_865,
        BatchCircuit::Replicas(_, Binding::Sponge) => 2_247,
        BatchCircuit::Root(_) => 13_131,
    };
    slot * circuit.slots() as u64
}

/// The bytes of memory that a process takes which makes local keys of a circuit or reads them, and proves a batch.
///
/// Within a fifth of what was measured: 368 MB for batches of 64, 828 MB of 256 (1,036 MB with a digest), and 1,610 MB of 64 with a root.
#[must_use]
pub fn proving_memory(circuit: impl Into<BatchCircuit>) -> u64 {
    PROCESS + CONSTRAINT * constraints(circuit.into())
}

/// Bytes that a process takes which proves a batch of a size without a setup, the circuit included.
///
/// Within a fifth of what was measured: 81, 271 and 1,083 MB.
#[must_use]
pub fn transparent_memory(size: BatchSize) -> u64 {
    (20 << 20) + 540 * constraints(BatchCircuit::Replicas(size.slots(), Binding::Commitment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::root::Shape;

    /// Peaks of `tenfold ledger bench` and of `just ledger-root`, in bytes.
    #[test]
    fn estimates_are_within_a_fifth_of_what_was_measured() {
        let root = BatchCircuit::Root(Shape::standard(64));
        let digest = BatchCircuit::Replicas(256, Binding::Sponge);
        for (circuit, measured) in [(64.into(), 368), (256.into(), 828), (digest, 1_036), (root, 1_610)] {
            let (estimate, measured) = (proving_memory(circuit), measured * 1_000_000);
            assert!(estimate * 5 > measured * 4 && estimate * 5 < measured * 6, "{circuit}: {estimate}");
        }
        // Of the example `transparent`.
        for (size, measured) in BatchSize::ALL.into_iter().zip([81_000_000, 271_000_000, 1_083_000_000]) {
            let estimate = transparent_memory(size);
            assert!(estimate * 5 > measured * 4 && estimate * 5 < measured * 6, "{size:?}: {estimate}");
        }
    }
}
