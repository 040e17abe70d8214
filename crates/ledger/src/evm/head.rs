//! The contract's state: what a proof is bound to, and what follows from an accepted batch.

use snark::groth16::Word;

use super::Submission;
use super::export::number;
use crate::circuit::Claim;
use crate::circuit::challenges::{self, keccak};
use crate::machine::Machine;
use crate::token::Token;

/// Where the payload of a batch is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// In calldata, with this Keccak-256 hash.
    Calldata(Word),
    /// In a blob, with this versioned hash (EIP-4844).
    Blob(Word),
}

/// Height and head of the contract, as it stores them: 8 bytes height, big-endian, and 24 bytes of a hash of all accepted batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head(pub Word);

impl Head {
    /// That of a contract just deployed for these rules; `token` has the contract in it.
    #[must_use]
    pub fn genesis(token: &Token, genesis: &Word) -> Self {
        let prefix = challenges::prefix(&token.domain(), &Claim::constants(token));
        Self::new(0, &keccak(&[prefix, *genesis].concat()))
    }

    /// That of the words which the contract's functions `height()` and `head()` return.
    #[must_use]
    pub fn of_views(height: &Word, head: &Word) -> Option<Self> {
        let (above, height) = height.split_last_chunk::<8>()?;
        let zeros = above.iter().chain(head.last_chunk::<8>()?).all(|byte| *byte == 0);
        zeros.then(|| Self::new(u64::from_be_bytes(*height), head))
    }

    fn new(height: u64, hash: &Word) -> Self {
        let mut state = [0; 32];
        let (first, rest) = state.split_at_mut(8);
        first.copy_from_slice(&height.to_be_bytes());
        rest.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
        Self(state)
    }

    /// The number of accepted batches.
    #[must_use]
    pub fn height(&self) -> u64 {
        self.0.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }

    /// The context of a proof that the contract accepts in this state: [`Claim::context`].
    #[must_use]
    pub fn context(&self, published: Published) -> Word {
        let (kind, hash) = match published {
            Published::Calldata(hash) => (0, hash),
            Published::Blob(hash) => (1, hash),
        };
        keccak([self.0, number(kind), hash].as_flattened())
    }

    /// The state after this submission was accepted.
    #[must_use]
    pub fn next(&self, token: &Token, published: Published, submission: &Submission) -> Self {
        let prefix = challenges::prefix(&token.domain(), &Claim::constants(token));
        let Submission { claim, binding, quotient, .. } = submission;
        let seed = challenges::seed(&prefix, &self.context(published), claim, binding);
        Self::new(self.height() + 1, &keccak([seed, *quotient].as_flattened()))
    }
}
