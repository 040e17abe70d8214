//! The contract on an EVM: what it accepts, what it refuses, what it costs.

mod batches;
mod commitment;
mod gas;
mod kinds;
pub(crate) mod machine;
mod proven_root;
mod root;
mod tampering;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use curve::pairing::Bn254;
use machine::{Machine as Evm, Outcome, reason};

use snark::groth16::ProvingKey;

use super::*;
use crate::chain::Params;
use crate::circuit::groth16::tests::{SLOTS, key, rng};
use crate::machine::{Contract, Machine, Signed, State};
use crate::signature::Secret;
use crate::token::{Account, Index, Operation, Token, Transaction, Workload};

type Cells = BTreeMap<Index, Account>;

const GENESIS: Word = [9; 32];
const FEE: u64 = 3;

/// A contract, its chain, and a replica.
struct Ledger {
    evm: Evm,
    contract: Contract,
    token: Token,
    last: Head,
    cells: Cells,
}

fn workload() -> Workload {
    Workload::new(4, 8, FEE)
}

impl Ledger {
    fn new() -> Self {
        Self::with(Evm::new())
    }

    fn with(evm: Evm) -> Self {
        Self::for_key(evm, key())
    }

    fn for_key(mut evm: Evm, key: &ProvingKey<Bn254>) -> Self {
        let genesis = workload().genesis(Params { lanes: 1, timeout: 0, plain: 1 });
        let contract = evm.next_contract();
        let export = insecure(key.verifying(), &genesis.machine, SLOTS, GENESIS).unwrap();
        let deployed = evm.deploy(&export.creation);
        assert!(matches!(deployed, Outcome::Success { output, .. } if output == contract.address));
        let token = Token { contract: Some(contract), ..genesis.machine };
        let last = Head::genesis(&token, &GENESIS);
        Self { evm, contract, token, last, cells: genesis.cells.into_iter().collect() }
    }

    fn target(&self) -> Target<'_> {
        Target { machine: &self.token, slots: SLOTS, last: self.last, blob: None }
    }

    fn transfer(&self, [from, to]: [u32; 2], amount: u64) -> Signed<Transaction> {
        let nonce = State::<Token>::cell(&self.cells, &Index(from)).unwrap().nonce;
        let operation = Operation::Transfer { to: Index(to), amount, memo: 0 };
        let transaction = Transaction { from: Index(from), nonce, operation };
        self.sign(workload().secret(from), transaction)
    }

    fn sign(&self, secret: &Secret, transaction: Transaction) -> Signed<Transaction> {
        let message = self.token.message(&transaction);
        let signature = secret.sign_with(&self.token.domain(), &message, &[0; 32]);
        Signed { transaction, signature }
    }

    fn prove(&self, batch: &[Signed<Transaction>]) -> Submission {
        prove(key(), &self.target(), &self.cells, batch, &mut rng(5)).unwrap()
    }

    fn submit(&mut self, submission: &Submission) -> Outcome {
        self.evm.call(&self.contract, &submission.calldata())
    }

    /// What a replica does with a batch that the contract accepted.
    fn follow(&mut self, submission: &Submission) -> Result<(), crate::Invalid> {
        let statement = submission.statement(&self.target(), &self.cells);
        self.last = self.target().next(submission);
        for change in statement?.cells {
            self.cells.insert(change.key, change.after.unwrap());
        }
        Ok(())
    }

    /// The contract's height and head.
    fn head(&mut self) -> Head {
        let [height, head] = ["height", "head"].map(|function| self.evm.view(&self.contract, function));
        let mut state = [0; 32];
        state[..8].copy_from_slice(&height[24..]);
        state[8..].copy_from_slice(&head[..24]);
        Head(state)
    }
}

/// A ledger with one accepted batch, and a second one that is not sent yet.
static SECOND: LazyLock<(Submission, Submission)> = LazyLock::new(|| {
    let mut ledger = Ledger::new();
    let first = ledger.prove(&[ledger.transfer([1, 2], 500), ledger.transfer([3, 1], 70)]);
    ledger.follow(&first).unwrap();
    let second = ledger.prove(&[ledger.transfer([1, 5], 60_000)]);
    (first, second)
});

fn accepted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Success { .. })
}
