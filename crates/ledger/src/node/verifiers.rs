//! The verifiers of blocks, each read when a block needs it and kept.

use super::{Keys, NodeError, batch_size};
use crate::chain::{Block, Content};
use crate::circuit::root::{RootVerifier, Shape};
use crate::statement::{BatchSize, BatchVerifier};
use crate::token::Token;

/// The verifiers of a chain's blocks by keys of a folder.
pub struct Verifiers<'a> {
    keys: &'a Keys,
    machine: Token,
    sizes: Vec<BatchSize>,
    batches: Option<Box<dyn BatchVerifier<Token>>>,
    calls: Option<(BatchSize, RootVerifier)>,
}

impl<'a> Verifiers<'a> {
    /// None is read yet.
    #[must_use]
    pub fn new(keys: &'a Keys, machine: Token) -> Self {
        Self { keys, machine, sizes: Vec::new(), batches: None, calls: None }
    }

    /// The verifier that a block needs.
    ///
    /// # Errors
    /// As [`Keys::verifying`].
    pub fn of(&mut self, block: &Block<Token>) -> Result<&dyn BatchVerifier<Token>, NodeError> {
        if let Content::Call(call) = &block.content {
            let known = self.calls.take().filter(|(size, _)| *size == call.size);
            let known = known.map_or_else(|| Ok((call.size, self.calls(call.size)?)), Ok::<_, NodeError>);
            return Ok(&self.calls.insert(known?).1);
        }
        let size = batch_size(block).filter(|size| !self.sizes.contains(size));
        let known = self.batches.take().filter(|_| size.is_none());
        self.sizes.extend(size);
        let known = known.map_or_else(|| self.keys.verifier(self.machine, &self.sizes), Ok);
        Ok(&**self.batches.insert(known?))
    }

    fn calls(&self, size: BatchSize) -> Result<RootVerifier, NodeError> {
        let shape = Shape::standard(size.slots());
        let key = self.keys.verifying(super::BatchCircuit::Root(shape))?;
        RootVerifier::new(self.machine, (size, shape), key).map_err(NodeError::GivenKey)
    }
}
