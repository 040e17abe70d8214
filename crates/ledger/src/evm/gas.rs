//! The gas of a call of the contract for replicas, before there is one.
//!
//! ```text
//!  calldata   16 for each byte that is not zero, 4 for each that is (EIP-2028)
//!  all        21000 + calldata + execution, and at least 21000 and 2.5 times the calldata (EIP-7623)
//! ```
//! The execution hardly depends on the batch: it is measured on an EVM with 64 transactions (`gas_of_batches`), most of it the pairings.

use super::Submission;
use super::payload::{Payload, tokens};
use crate::circuit::groth16::ProofError;
use crate::circuit::{Binding, Trace};
use crate::machine::{Signed, State};
use crate::token::{Token, Transaction};

/// Gas of every transaction of an EVM chain.
const TRANSACTION: u64 = 21_000;

/// The gas of a batch as a call of the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gas {
    /// Of its calldata.
    pub calldata: u64,
    /// Of the whole transaction.
    pub all: u64,
}

/// Gas of the contract's code, with keys of a binding.
#[must_use]
pub const fn execution(binding: Binding) -> u64 {
    match binding {
        Binding::Sponge => 211_050,
        Binding::Commitment => 238_540,
    }
}

impl Gas {
    /// That of a call with this payload, whose words of the proof have no zeros: one byte in 256 is one.
    #[must_use]
    pub fn of(binding: Binding, payload: &[u8]) -> Self {
        let word = [0xff; 32];
        let binds = match binding {
            Binding::Sponge => [word, [0; 32]],
            Binding::Commitment => [word; 2],
        };
        let of = Submission {
            claim: word,
            binding: binds,
            quotient: word,
            proof: [word; 8],
            payload: payload.into(),
        };
        let tokens = tokens(&of.calldata());
        let calldata = 4 * tokens;
        Self { calldata, all: TRANSACTION + (calldata + execution(binding)).max(10 * tokens) }
    }

    /// That of a batch in a state.
    ///
    /// # Errors
    /// If the state has no such batch.
    pub fn of_batch(
        machine: &Token,
        state: &impl State<Token>,
        batch: &[Signed<Transaction>],
        slots: usize,
    ) -> Result<Self, ProofError> {
        let trace = Trace::of(machine, state, batch, slots)?;
        Ok(Self::of(Binding::standard(slots), &Payload::encode(machine, batch, &trace)))
    }
}
