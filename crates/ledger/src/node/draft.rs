//! Batches on their way: drafted under the directory's lock, proven without it.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{NodeError, clock};
use crate::chain::{Batch, Chain, Proposal, propose_at_most};
use crate::circuit::BatchProver;
use crate::machine::{Refused, Signed, State};
use crate::signature::Secret;
use crate::statement::BatchSize;
use crate::token::{Account, Index, Refusal, Token, Transaction};

/// A batch that lacks its proof, with all that the prover has to know of the state. Others may change the state meanwhile: if they touch one of its accounts, the
/// batch will be stale.
#[derive(Debug)]
pub struct Draft {
    machine: Token,
    proposal: Proposal<Token>,
    accounts: BTreeMap<Index, Account>,
}

/// A transaction that is in no batch, and why.
pub type LeftOut = (Signed<Transaction>, Unfit);

/// The reason that a transaction is in no batch.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// The state refuses it.
    #[error(transparent)]
    Refused(#[from] Refused<Refusal>),
    /// The contract that the batch is for has no place for one of its accounts.
    #[error("account {0} has no place in the contract's tree")]
    Place(u32),
}

/// Refused transactions as those that are left out.
fn unfit(refused: Vec<(Signed<Transaction>, Refused<Refusal>)>) -> Vec<LeftOut> {
    refused.into_iter().map(|(signed, reason)| (signed, reason.into())).collect()
}

/// What proving took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Of the wall clock.
    pub wall: Duration,
    /// Of all threads of the process; on systems without such a clock, that of the wall.
    pub cpu: Duration,
}

impl Draft {
    /// Executes transactions until a batch of a size is full. Those that the state refuses are left out and take no room, so that nobody
    /// can fill a batch with them; those behind a full batch are not looked at.
    ///
    /// # Errors
    /// If the state accepts none.
    pub fn of(
        chain: &Chain<Token>,
        transactions: Vec<Signed<Transaction>>,
        size: BatchSize,
    ) -> Result<(Self, Vec<LeftOut>), NodeError> {
        let (mut draft, left_out) = Self::at_most(chain, transactions, size.slots())?;
        // The least size that has room may be one without a key.
        draft.proposal.size = draft.proposal.size.max(size);
        Ok((draft, left_out))
    }

    /// As [`Self::of`], for batches of any size.
    pub(super) fn at_most(
        chain: &Chain<Token>,
        transactions: Vec<Signed<Transaction>>,
        most: usize,
    ) -> Result<(Self, Vec<LeftOut>), NodeError> {
        let (proposal, left_out) = propose_at_most(chain, transactions, most);
        let Some(proposal) = proposal else {
            return Err(NodeError::nothing_waits(&unfit(left_out)));
        };
        let account = |change: &crate::statement::Change<Token>| Some((change.key, chain.cell(&change.key)?));
        let accounts = proposal.statement.cells.iter().filter_map(account).collect();
        Ok((Self { machine: *chain.machine(), proposal, accounts }, unfit(left_out)))
    }

    /// The size of its circuit.
    #[must_use]
    pub fn size(&self) -> BatchSize {
        self.proposal.size
    }

    /// The transactions, in their order.
    #[must_use]
    pub fn transactions(&self) -> &[Signed<Transaction>] {
        &self.proposal.transactions
    }

    /// The accounts that it touches, before it.
    pub(super) fn accounts(&self) -> &BTreeMap<Index, Account> {
        &self.accounts
    }

    /// Proves it for a lane, whose holder signs it. Memory: [`super::proving_memory`].
    ///
    /// # Errors
    /// If the prover's circuit is another one, or a transaction is of a kind that has none.
    pub fn prove(
        self,
        prover: &dyn BatchProver,
        lane: u8,
        holder: Option<&Secret>,
    ) -> Result<(Batch, Cost), NodeError> {
        let start = clock::Start::now();
        let batch = (&self.proposal.transactions[..], self.proposal.size.slots());
        let proof = prover.prove_batch(&self.machine, &self.accounts, batch)?;
        let cost = start.cost();
        Ok((self.proposal.finish(&self.machine, lane, proof, holder), cost))
    }
}
