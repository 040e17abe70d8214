//! Batches for a contract: drafted and proven by a node that has the state which the contract's calls lead to. (notes: ledger-evm, ledger-root-proof)
//!
//! ```text
//!  node at the contract's state ─► draft ─► proof ─► calldata, which whoever pays for the transaction submits
//!                                             └────► a plain block with the same transactions, which nodes apply once the contract has accepted the batch
//! ```
//! A root follows from the node's own accounts. The head of a contract for replicas does not: it is a hash of all calls, the worthless ones that no replica applied
//! among them, and a plain block has none of what was hashed.

use curve::pairing::Bn254;
use snark::groth16::{ProvingKey, VerifyingKey, Word, word};

use super::{Cost, Draft, LeftOut, Node, NodeError, Unfit, clock, file, random};
use crate::Invalid;
use crate::chain::{Block, Content, Rejected};
use crate::circuit::Public;
use crate::circuit::root::groth16::Unverified;
use crate::circuit::root::{self, Chain, Shape, Tree};
use crate::evm::{self, Head, RootSubmission, Submission, Target};
use crate::machine::Signed;
use crate::replica::ReplicaError;
use crate::store::Digest;
use crate::token::{Account, Index, Token, Transaction};

/// The contract that a call is for, with what a node's accounts do not tell of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// One that orders batches for replicas: the transactions that its key has room for, and its state.
    Replicas(usize, Head),
    /// One that holds the root.
    Root(Shape),
}

/// A batch for a contract that lacks its proof, with all that the prover has to know of the state.
#[derive(Debug)]
pub struct CallDraft {
    draft: Draft,
    place: Place,
    genesis: Digest,
    /// The plain block of the same transactions.
    block: Block<Token>,
}

/// The state of a contract, as proofs are bound to it.
#[derive(Debug)]
enum Place {
    Replicas { machine: Token, slots: usize, head: Head },
    Root { chain: Chain, tree: Tree },
}

/// A batch with its proof, verified.
#[derive(Debug)]
pub struct CallBatch {
    /// The states of the contract before and after: roots, or [`Head`]s.
    pub states: [Word; 2],
    /// The input of the transaction to the contract.
    pub calldata: Vec<u8>,
    /// The file of a plain block with the same transactions, the next one of the node that drafted it: it leads to the state that the contract's new one is about.
    pub block: Vec<u8>,
}

/// The error of a chain without a contract.
pub(super) const NO_CONTRACT: NodeError =
    NodeError::Genesis("it names no contract, whose address every signature and proof for it is bound to");

/// The rules of a node's chain, if it has a contract.
fn machine(node: &Node) -> Result<Token, NodeError> {
    let machine = *node.replica().chain().machine();
    machine.contract.map(|_| machine).ok_or(NO_CONTRACT)
}

fn tree(node: &Node, shape: Shape) -> Result<Tree, NodeError> {
    Tree::new(shape, node.replica().chain().cells()).map_err(|e| NodeError::Genesis(e.0))
}

/// The root that the contract of a node's chain has after the node's last block. Cost: [`Tree::new`].
///
/// # Errors
/// If the chain names no contract, or an account has no place in the tree.
pub fn contract_root(node: &Node, shape: Shape) -> Result<Word, NodeError> {
    machine(node)?;
    Ok(word(&tree(node, shape)?.root()))
}

/// The state that the contract for replicas of a node's chain has when it was deployed, and nobody has called it.
///
/// # Errors
/// If the chain names no contract.
pub fn first_head(node: &Node) -> Result<Head, NodeError> {
    Ok(Head::genesis(&machine(node)?, &node.replica().genesis()))
}

/// A call's target, whose payload is calldata.
fn target(machine: &Token, slots: usize, last: Head) -> Target<'_> {
    Target { machine, slots, last, blob: None }
}

impl Place {
    fn of(node: &Node, callee: Callee) -> Result<Self, NodeError> {
        let machine = machine(node)?;
        Ok(match callee {
            Callee::Replicas(slots, head) => Self::Replicas { machine, slots, head },
            Callee::Root(shape) => Self::Root { chain: Chain::new(machine, shape), tree: tree(node, shape)? },
        })
    }

    /// Proves a batch. Returns the states before and after, and the call.
    fn prove(&self, key: &ProvingKey<Bn254>, draft: &Draft) -> Result<([Word; 2], Vec<u8>), NodeError> {
        let (state, batch) = (draft.accounts(), draft.transactions());
        match self {
            Self::Replicas { machine, slots, head } => {
                let target = target(machine, *slots, *head);
                let submission = evm::prove(key, &target, state, batch, &mut random())?;
                Ok(([*head, target.next(&submission)].map(|head| head.0), submission.calldata()))
            }
            Self::Root { chain, tree } => {
                let proven = root::groth16::prove(key, chain, (state, tree), batch, &mut random())?;
                let submission =
                    RootSubmission::new(&proven).map_err(|reason| NodeError::Proof(reason.into()))?;
                Ok((proven.roots.map(|root| word(&root)), submission.calldata()))
            }
        }
    }
}

impl CallDraft {
    /// Executes transactions until a batch for the contract is full, or a plain block of the chain. Cost: for a root that of the tree over all accounts, too.
    ///
    /// # Errors
    /// If the state accepts none, the chain names no contract, or an account has no place in the tree.
    pub fn of(
        node: &Node,
        transactions: Vec<Signed<Transaction>>,
        callee: Callee,
    ) -> Result<(Self, Vec<LeftOut>), NodeError> {
        let (place, replica) = (Place::of(node, callee)?, node.replica());
        // What is too large for the tree would keep all others from being proven.
        let (mut fitting, mut left_out) = (Vec::with_capacity(transactions.len()), Vec::new());
        for signed in transactions {
            match without_place(&signed.transaction, callee) {
                None => fitting.push(signed),
                Some(Index(account)) => left_out.push((signed, Unfit::Place(account))),
            }
        }
        if fitting.is_empty() && !left_out.is_empty() {
            return Err(NodeError::nothing_waits(&left_out));
        }
        let slots = match callee {
            Callee::Replicas(slots, _) => slots,
            Callee::Root(shape) => shape.slots(),
        };
        let most = slots.min(usize::from(replica.chain().params().plain));
        let (draft, refused) = Draft::at_most(replica.chain(), fitting, most)?;
        left_out.extend(refused);
        let block = replica.chain().next(Content::Plain(draft.transactions().to_vec()));
        Ok((Self { draft, place, genesis: replica.genesis(), block }, left_out))
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
    pub fn prove(self, key: &ProvingKey<Bn254>) -> Result<(CallBatch, Cost), NodeError> {
        let Self { draft, place, genesis, block } = self;
        let start = clock::Start::now();
        let (states, calldata) = place.prove(key, &draft)?;
        let cost = start.cost();
        Ok((CallBatch { states, calldata, block: file::encode_block(&genesis, &block) }, cost))
    }
}

/// An account of a transaction that has no place in the contract's tree, if there is one.
fn without_place(transaction: &Transaction, callee: Callee) -> Option<Index> {
    let Callee::Root(shape) = callee else { return None };
    let accounts = [Some(transaction.from), transaction.to()];
    accounts.into_iter().flatten().find(|index| u64::from(index.0) >= shape.accounts())
}

/// A call of a contract that was read beside the state of a node, and whose proof was not checked.
#[derive(Clone, Debug)]
pub struct UnverifiedCall {
    after: Word,
    accounts: Vec<(Index, Account)>,
    proof: CallProof,
}

/// What a proof is checked with.
#[derive(Clone, Debug)]
enum CallProof {
    Replicas(Submission, Public),
    Root(Chain, Unverified),
}

impl UnverifiedCall {
    /// Reads a call, and all that can be told of it without a key: of one for replicas that they apply it, if its proof holds. Cost: for a root [`Tree::new`].
    ///
    /// # Errors
    /// If the bytes are no call of the contract, it is about no batch in this state or another state of the contract, or the chain names no contract.
    pub fn read(node: &Node, calldata: &[u8], callee: Callee) -> Result<Self, NodeError> {
        let state = node.replica().chain();
        match callee {
            Callee::Replicas(slots, head) => {
                let (call, machine) = (Submission::from_calldata(calldata).map_err(refused)?, machine(node)?);
                let target = target(&machine, slots, head);
                let (statement, public) = call.judged(&target, state).map_err(refused)?;
                let changes = statement.cells.into_iter();
                let accounts = changes.filter_map(|change| Some((change.key, change.after?))).collect();
                let after = target.next(&call).0;
                Ok(Self { after, accounts, proof: CallProof::Replicas(call, public) })
            }
            Callee::Root(shape) => {
                let call = RootSubmission::from_calldata(calldata).map_err(refused)?;
                let (post, proof) = call.post_and_proof().map_err(refused)?;
                let (chain, tree) = (Chain::new(machine(node)?, shape), tree(node, shape)?);
                let batch = Unverified::read(shape, [tree.root(), post], (&call.block, &proof));
                let batch = batch.map_err(refused)?;
                let accounts = batch.block().accounts(state).map_err(refused)?;
                Ok(Self { after: call.post, accounts, proof: CallProof::Root(chain, batch) })
            }
        }
    }

    /// Checks that the contract accepts the call in the state of the node: that its proof leads from there to the accounts after it. Returns the contract's state after it,
    /// a root or a [`Head`], and the accounts that the batch changes.
    ///
    /// # Errors
    /// If the proof does not hold in this state.
    pub fn verify(self, key: &VerifyingKey<Bn254>) -> Result<(Word, Vec<(Index, Account)>), NodeError> {
        let checked = match self.proof {
            CallProof::Replicas(call, public) => call.check_proof(key, public),
            CallProof::Root(chain, batch) => batch.verify(key, &chain).map(drop),
        };
        checked.map_err(refused)?;
        Ok((self.after, self.accounts))
    }
}

fn refused(reason: Invalid) -> NodeError {
    NodeError::Replica(ReplicaError::Rejected(Rejected::Proof(reason)))
}
