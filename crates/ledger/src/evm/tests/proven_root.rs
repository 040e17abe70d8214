//! The contract with a root, by proofs of the circuit: two slots, on a tree of 64 accounts.

use snark::groth16::word;

use super::*;
use crate::circuit::root::groth16::tests::key as root_key;
use crate::circuit::root::groth16::{Proven, prove as prove_root};
use crate::circuit::root::tests::{SHAPE, state, tree};
use crate::circuit::root::{Block, Chain, Tree};
use crate::circuit::tests::{NEW, TOKEN, burn, create, mint, signed_for, transfer};

/// A contract, and whoever holds the state: prover and follower.
struct Ledger {
    evm: Evm,
    contract: Contract,
    chain: Chain,
    cells: Cells,
    tree: Tree,
}

impl Ledger {
    fn new() -> Self {
        let (mut evm, cells) = (Evm::new(), state());
        let (contract, tree) = (evm.next_contract(), tree(&cells));
        let export = insecure_root(root_key().verifying(), &TOKEN, SHAPE, word(&tree.root())).unwrap();
        assert!(accepted(&evm.deploy(&export.creation)));
        let chain = Chain::new(Token { contract: Some(contract), ..TOKEN }, SHAPE);
        Self { evm, contract, chain, cells, tree }
    }

    fn prove(&self, batch: &[Signed<Transaction>]) -> RootSubmission {
        let signed =
            |signed: &Signed<Transaction>| signed_for(&self.chain.machine, signed.transaction.clone());
        let batch: Vec<_> = batch.iter().map(signed).collect();
        let state = (&self.cells, &self.tree);
        let proven: Proven = prove_root(root_key(), &self.chain, state, &batch, &mut rng(3)).unwrap();
        assert_eq!(proven.roots[0], self.tree.root());
        RootSubmission::new(&proven).unwrap()
    }

    fn submit(&mut self, submission: &RootSubmission) -> Outcome {
        self.evm.call(&self.contract, &submission.calldata())
    }

    fn root(&mut self) -> Word {
        self.evm.view(&self.contract, "root")
    }

    /// What whoever follows the chain does with the input of an accepted transaction.
    fn follow(&mut self, input: &[u8]) {
        let submission = RootSubmission::from_calldata(input).unwrap();
        let block = Block::from_bytes(SHAPE, &submission.block).unwrap();
        let accounts = block.accounts(&self.cells).unwrap();
        self.tree.update(accounts.iter().map(|(number, account)| (number, account))).unwrap();
        self.cells.extend(accounts);
    }
}

#[test]
fn proofs_of_the_circuit_move_the_root() {
    let mut ledger = Ledger::new();
    let genesis = word(&ledger.tree.root());
    let first = ledger.prove(&[create([4, NEW], 50, 40), transfer([NEW, 20], 30, 0)]);
    let rival = ledger.prove(&[transfer([3, 20], 10, 30)]);
    for at in 0..first.block.len() {
        let mut bad = first.clone();
        bad.block[at] ^= 1;
        let outcome = ledger.submit(&bad);
        let encoding = [reason("InvalidProof"), reason("NotCanonical")];
        assert!(encoding.contains(&outcome), "byte {at} of the block: {outcome:?}");
    }
    let mixed = [
        RootSubmission { proof: rival.proof, ..first.clone() },
        RootSubmission { proof: rival.proof, digest: rival.digest, ..first.clone() },
        RootSubmission { block: rival.block.clone(), ..first.clone() },
        RootSubmission { post: rival.post, ..first.clone() },
    ];
    for submission in &mixed {
        assert_eq!(ledger.submit(submission), reason("InvalidProof"), "parts of another batch");
    }
    assert_eq!(ledger.root(), genesis);

    assert!(accepted(&ledger.submit(&first)));
    ledger.follow(&first.calldata());
    assert_eq!([ledger.root(), word(&ledger.tree.root())], [first.post; 2]);
    assert_eq!(ledger.submit(&first), reason("Unchanged"), "a second time");
    assert_eq!(ledger.submit(&rival), reason("InvalidProof"), "from a root that has gone");

    let second = ledger.prove(&[mint([0, 3], 5, 0), burn(NEW, 3, 1)]);
    assert!(accepted(&ledger.submit(&second)));
    ledger.follow(&second.calldata());
    assert_eq!([ledger.root(), word(&ledger.tree.root())], [second.post; 2]);
    assert_eq!(ledger.submit(&first), reason("InvalidProof"), "from a root that has gone");
}

#[test]
fn calls_with_a_root_are_read_back_and_have_one_form() {
    for length in [0, 2, 31, 32, 33, 1922] {
        let word = |i: u8| [i; 32];
        let proof = [3, 4, 5, 6, 7, 8, 9, 10].map(word);
        let submission = RootSubmission { post: word(1), digest: word(2), proof, block: vec![7; length] };
        let data = submission.calldata();
        assert_eq!(RootSubmission::from_calldata(&data), Ok(submission));
        assert!((0..data.len()).all(|end| RootSubmission::from_calldata(&data[..end]).is_err()));
        assert!(RootSubmission::from_calldata(&[&data[..], &[0; 32]].concat()).is_err());
        for at in (0..4).chain(4 + 10 * 32..4 + 12 * 32 - 1).chain(4 + 12 * 32 + length..data.len()) {
            let mut bad = data.clone();
            bad[at] ^= 1;
            assert!(RootSubmission::from_calldata(&bad).is_err(), "byte {at} of {length}");
        }
    }
}
