//! What a prover does before it proves: executes transactions, and gathers what a batch needs.

use super::{Batch, Chain};
use crate::codec::effect;
use crate::machine::{Compact, Refused, Signed, Touched};
use crate::signature::Secret;
use crate::statement::{BatchSize, Statement};
use crate::store::Digest;

/// A batch that lacks its proof.
#[derive(Debug)]
pub struct Proposal<M: Compact> {
    /// What is to be proved.
    pub statement: Statement<M>,
    /// The transactions, in their order: the witness.
    pub transactions: Vec<Signed<M::Transaction>>,
    /// The smallest size with room for them.
    pub size: BatchSize,
    /// The digest of the values before.
    pub before: Digest,
    /// The smaller encoding of the effect.
    pub effect: Vec<u8>,
}

/// A transaction that is in no batch, and why.
type LeftOut<M> =
    (Signed<<M as crate::machine::Machine>::Transaction>, Refused<<M as crate::machine::Machine>::Refusal>);

/// Executes transactions until a batch of size `most` is full. Returns the batch, unless it would be empty, and the transactions that are refused: these take no
/// room, and those behind a full batch are not looked at. Cost: a check of a signature for each.
pub fn propose<M: Compact>(
    chain: &Chain<M>,
    transactions: impl IntoIterator<Item = Signed<M::Transaction>>,
    most: BatchSize,
) -> (Option<Proposal<M>>, Vec<LeftOut<M>>) {
    propose_at_most(chain, transactions, most.slots())
}

/// As [`propose`], of at most so many transactions.
pub(crate) fn propose_at_most<M: Compact>(
    chain: &Chain<M>,
    transactions: impl IntoIterator<Item = Signed<M::Transaction>>,
    most: usize,
) -> (Option<Proposal<M>>, Vec<LeftOut<M>>) {
    let machine = chain.machine();
    let (mut touched, mut taken, mut refused) = (Touched::default(), Vec::new(), Vec::new());
    for signed in transactions {
        match touched.execute(machine, chain, &signed) {
            Ok(()) => taken.push(signed),
            Err(reason) => refused.push((signed, reason)),
        }
        if taken.len() == most {
            break;
        }
    }
    let size = BatchSize::fitting(taken.len()).filter(|_| !taken.is_empty());
    let proposal = size.map(|size| {
        let statement = touched.statement(machine);
        let keys: Vec<M::Key> = statement.cells.iter().map(|change| change.key).collect();
        let list: Vec<_> = taken.iter().map(|signed| signed.transaction.clone()).collect();
        let effect = effect::encode(machine, &list, &statement);
        let before = effect::digest_before(machine, chain, &keys);
        Proposal { statement, transactions: taken, size, before, effect }
    });
    (proposal, refused)
}

impl<M: Compact> Proposal<M> {
    /// The batch with its proof, signed by whoever holds the lane.
    pub fn finish(self, machine: &M, lane: u8, proof: Vec<u8>, holder: Option<&Secret>) -> Batch {
        let Self { size, before, effect, .. } = self;
        let mut batch = Batch { lane, size, before, effect, proof, signature: None };
        batch.signature = holder.map(|secret| secret.sign(&machine.domain(), &batch.message()));
        batch
    }
}
