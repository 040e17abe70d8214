//! Batches for a contract that holds the root of the state: drafted and proven by a node that follows it. (notes: ledger-root-proof)
//!
//! ```text
//!  node at the contract's root ─► draft ─► proof ─► calldata, which whoever pays for the transaction submits
//!                                            └────► a plain block with the same transactions, which nodes apply once the contract has accepted the batch
//! ```

use curve::pairing::Bn254;
use snark::groth16::{ProvingKey, VerifyingKey, Word, word};

use super::{Cost, Draft, LeftOut, Node, NodeError, Unfit, clock, file, random};
use crate::Invalid;
use crate::chain::{Block, Content, Rejected};
use crate::circuit::root::groth16::{Unverified, prove};
use crate::circuit::root::{Chain, Shape, Tree};
use crate::evm::RootSubmission;
use crate::machine::Signed;
use crate::replica::ReplicaError;
use crate::store::Digest;
use crate::token::{Account, Index, Token, Transaction};

/// A batch for a contract that lacks its proof, with all that the prover has to know of the state.
#[derive(Debug)]
pub struct RootDraft {
    draft: Draft,
    chain: Chain,
    tree: Tree,
    genesis: Digest,
    /// The plain block of the same transactions.
    block: Block<Token>,
}

/// A batch with its proof, verified.
#[derive(Debug)]
pub struct RootBatch {
    /// The roots of the contract before and after.
    pub roots: [Word; 2],
    /// The input of the transaction to the contract.
    pub calldata: Vec<u8>,
    /// The file of a plain block with the same transactions, the next one of the node that drafted it: it leads to a state with the second root.
    pub block: Vec<u8>,
}

/// The error of a chain without a contract.
pub(super) const NO_CONTRACT: NodeError = NodeError::Genesis(
    "it names no contract, whose address every signature and proof for a root is bound to",
);

/// The sizes and the context of a node's contract.
fn chain(node: &Node, shape: Shape) -> Result<Chain, NodeError> {
    let machine = *node.replica().chain().machine();
    if machine.contract.is_none() {
        return Err(NO_CONTRACT);
    }
    Ok(Chain::new(machine, shape))
}

fn tree(node: &Node, shape: Shape) -> Result<Tree, NodeError> {
    Tree::new(shape, node.replica().chain().cells()).map_err(|e| NodeError::Genesis(e.0))
}

/// The root that the contract of a node's chain has after the node's last block. Cost: [`Tree::new`].
///
/// # Errors
/// If the chain names no contract, or an account has no place in the tree.
pub fn contract_root(node: &Node, shape: Shape) -> Result<Word, NodeError> {
    chain(node, shape)?;
    Ok(word(&tree(node, shape)?.root()))
}

impl RootDraft {
    /// Executes transactions until a batch for a contract of this shape is full, or a plain block of the chain. Cost: that of the tree over all accounts, too.
    ///
    /// # Errors
    /// If the state accepts none, the chain names no contract, or an account has no place in the tree.
    pub fn of(
        node: &Node,
        transactions: Vec<Signed<Transaction>>,
        shape: Shape,
    ) -> Result<(Self, Vec<LeftOut>), NodeError> {
        let (chain, tree) = (chain(node, shape)?, tree(node, shape)?);
        let replica = node.replica();
        // What is too large for the tree would keep all others from being proven.
        let (mut fitting, mut left_out) = (Vec::with_capacity(transactions.len()), Vec::new());
        for signed in transactions {
            match without_place(&signed.transaction, shape) {
                None => fitting.push(signed),
                Some(Index(account)) => left_out.push((signed, Unfit::Place(account))),
            }
        }
        if fitting.is_empty() && !left_out.is_empty() {
            return Err(NodeError::nothing_waits(&left_out));
        }
        let most = shape.slots().min(usize::from(replica.chain().params().plain));
        let (draft, refused) = Draft::at_most(replica.chain(), fitting, most)?;
        left_out.extend(refused);
        let block = replica.chain().next(Content::Plain(draft.transactions().to_vec()));
        Ok((Self { draft, chain, tree, genesis: replica.genesis(), block }, left_out))
    }

    /// The transactions, in their order.
    #[must_use]
    pub fn transactions(&self) -> &[Signed<Transaction>] {
        self.draft.transactions()
    }

    /// Proves it. The proof is verified before it is returned. Memory: [`super::proving_memory`].
    ///
    /// # Errors
    /// If the key is of another circuit.
    pub fn prove(self, key: &ProvingKey<Bn254>) -> Result<(RootBatch, Cost), NodeError> {
        let Self { draft, chain, tree, genesis, block } = self;
        let start = clock::Start::now();
        let proven = prove(key, &chain, (draft.accounts(), &tree), draft.transactions(), &mut random())?;
        let cost = start.cost();
        let refused = |reason: Invalid| NodeError::Proof(reason.into());
        let calldata = RootSubmission::new(&proven).map_err(refused)?.calldata();
        let roots = proven.roots.map(|root| word(&root));
        Ok((RootBatch { roots, calldata, block: file::encode_block(&genesis, &block) }, cost))
    }
}

/// An account of a transaction that has no place in the tree, if there is one.
fn without_place(transaction: &Transaction, shape: Shape) -> Option<Index> {
    let accounts = [Some(transaction.from), transaction.to()];
    accounts.into_iter().flatten().find(|index| u64::from(index.0) >= shape.accounts())
}

/// A call of a contract that was read beside the state of a node, and whose proof was not checked.
#[derive(Clone, Debug)]
pub struct RootCall {
    chain: Chain,
    after: Word,
    accounts: Vec<(Index, Account)>,
    batch: Unverified,
}

impl RootCall {
    /// Reads a call, and all that can be told of it without a key. Cost: [`Tree::new`].
    ///
    /// # Errors
    /// If the bytes are no call of the contract, its block is none of a batch in this state, or the chain names no contract.
    pub fn read(node: &Node, calldata: &[u8], shape: Shape) -> Result<Self, NodeError> {
        let call = RootSubmission::from_calldata(calldata).map_err(refused)?;
        let (post, proof) = call.post_and_proof().map_err(refused)?;
        let (chain, tree) = (chain(node, shape)?, tree(node, shape)?);
        let batch = Unverified::read(shape, [tree.root(), post], (&call.block, &proof)).map_err(refused)?;
        let accounts = batch.block().accounts(node.replica().chain()).map_err(refused)?;
        Ok(Self { chain, after: call.post, accounts, batch })
    }

    /// Checks that the contract accepts the call in the state of the node: that its proof leads from the node's root to the one in it. Returns that root, and the accounts
    /// that the batch changes.
    ///
    /// # Errors
    /// If the proof does not hold in this state.
    pub fn verify(self, key: &VerifyingKey<Bn254>) -> Result<(Word, Vec<(Index, Account)>), NodeError> {
        self.batch.verify(key, &self.chain).map_err(refused)?;
        Ok((self.after, self.accounts))
    }
}

fn refused(reason: Invalid) -> NodeError {
    NodeError::Replica(ReplicaError::Rejected(Rejected::Proof(reason)))
}
