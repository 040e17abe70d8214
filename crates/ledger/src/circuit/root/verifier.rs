//! A verifier of contracts' calls on states: it keeps the tree of the state that it saw last. (notes: ledger-follow)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::RefCell;
use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::pairing::Bn254;
use snark::groth16::VerifyingKey;

use super::groth16::{self, Unverified};
use super::{Chain, Shape, ShapeError, Tree};
use crate::Invalid;
use crate::evm::RootSubmission;
use crate::statement::{BatchSize, BatchVerifier, Call, Cells, Statement, digest_of_keys};
use crate::store::Digest;
use crate::token::{Account, Index, Token};

/// The tree of a state, brought up to date by what has changed: whatever state comes next, its root is that state's.
#[derive(Debug, Default)]
pub struct Mirror {
    accounts: BTreeMap<Index, Account>,
    tree: Option<Tree>,
}

impl Mirror {
    /// The tree of a state. Time: a comparison for each account, and hashes for those that changed since the last time ([`Tree::update`]).
    ///
    /// # Errors
    /// As [`Tree::new`].
    pub fn tree(&mut self, shape: Shape, cells: &mut Cells<'_, Token>) -> Result<&Tree, ShapeError> {
        let (mut changed, mut held, mut count) = (Vec::new(), 0u64, 0);
        for (number, account) in cells {
            let sum = held.checked_add(account.balance);
            held = sum.ok_or(ShapeError("the accounts together hold 2^64 or more"))?;
            count += 1;
            if self.accounts.get(number) != Some(account) {
                changed.push((*number, account.clone()));
            }
        }
        let known = self.tree.take();
        self.accounts.extend(changed.iter().cloned());
        let tree = match known {
            // An account that is gone is in the map and not in the state.
            Some(mut tree) if self.accounts.len() == count && tree.depth() == shape.depth() => {
                let updated = tree.update(changed.iter().map(|(number, account)| (number, account)));
                updated.map_err(|e| ShapeError(e.0))?;
                tree
            }
            _ if self.accounts.len() == count => Tree::new(shape, &self.accounts)?,
            _ => {
                self.accounts.clear();
                return Err(ShapeError("an account of the state before is gone"));
            }
        };
        Ok(self.tree.insert(tree))
    }
}

/// Takes calls of the contract with a root, and no other batches.
#[derive(Debug)]
pub struct RootVerifier {
    chain: Chain,
    size: BatchSize,
    key: VerifyingKey<Bn254>,
    mirror: RefCell<Mirror>,
}

impl RootVerifier {
    /// A verifier with the key of a contract for batches of this size, which is one of a circuit with these sizes.
    ///
    /// # Errors
    /// If the key is of another circuit.
    pub fn new(
        machine: Token,
        (size, shape): (BatchSize, Shape),
        key: VerifyingKey<Bn254>,
    ) -> Result<Self, Invalid> {
        if *key.circuit() != groth16::digest(shape) {
            return Err(Invalid("a key of another circuit than that of the contract's batches"));
        }
        Ok(Self { chain: Chain::new(machine, shape), size, key, mirror: RefCell::default() })
    }

    fn root(&self, cells: &mut Cells<'_, Token>) -> Result<Fr, Invalid> {
        let mut mirror = self.mirror.borrow_mut();
        let tree = mirror.tree(self.chain.shape, cells).map_err(|e| Invalid(e.0))?;
        Ok(tree.root())
    }
}

impl BatchVerifier<Token> for RootVerifier {
    fn verify(&self, _: &Statement<Token>, _: BatchSize, _: &[u8]) -> Result<(), Invalid> {
        Err(Invalid("there is no key here for batches of replicas"))
    }

    fn verify_call(&self, call: &Call, cells: &mut Cells<'_, Token>) -> Result<(), Invalid> {
        if call.size != self.size {
            return Err(Invalid("a call for a contract with batches of another size"));
        }
        let submission = RootSubmission::from_calldata(&call.input)?;
        let (post, proof) = submission.post_and_proof()?;
        let batch =
            Unverified::read(self.chain.shape, [self.root(cells)?, post], (&submission.block, &proof))?;
        batch.verify(&self.key, &self.chain).map(drop)
    }

    fn takes(&self, _: BatchSize) -> bool {
        false
    }

    fn keys(&self) -> Digest {
        digest_of_keys([(self.size, self.key.digest())])
    }
}
