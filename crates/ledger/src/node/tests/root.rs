//! An operator of a contract that holds the root: from what waits to calls that the contract takes.

use super::*;
use crate::circuit::root::groth16::tests::key;
use crate::circuit::root::tests::SHAPE;
use crate::evm::RootSubmission;
use crate::evm::tests::machine::{Machine as Evm, Outcome, reason};
use crate::machine::Contract;
use std::sync::OnceLock;

/// A contract, and its operator.
pub(super) struct Operator {
    pub setting: Setting,
    pub evm: Evm,
    pub contract: Contract,
}

/// A node of a chain whose batches this contract takes.
pub(super) fn setting(contract: Option<Contract>) -> Setting {
    let (folder, workload) = (tempfile::tempdir().unwrap(), Workload::new(7, 6, 1));
    let mut genesis = workload.genesis(PARAMS);
    genesis.machine.contract = contract;
    let node = Node::init(&folder.path().join("node"), genesis).unwrap();
    Setting { folder, workload, node }
}

impl Operator {
    pub fn new() -> Self {
        let mut evm = Evm::new();
        let contract = evm.next_contract();
        let setting = setting(Some(contract));
        // All operators' chains have one genesis: the contract is exported once.
        static CREATION: OnceLock<Vec<u8>> = OnceLock::new();
        let creation = CREATION.get_or_init(|| {
            let genesis = Node::genesis(&setting.path("node")).unwrap();
            let of = (BatchCircuit::Root(SHAPE), &key().verifying().to_bytes()[..]);
            export(&genesis, of, true).unwrap().0.creation
        });
        assert!(matches!(evm.deploy(creation), Outcome::Success { .. }));
        Self { setting, evm, contract }
    }

    pub fn draft(&self, transactions: Vec<Signed<Transaction>>) -> CallDraft {
        let (draft, left_out) = CallDraft::of(&self.setting.node, transactions, Callee::Root(SHAPE)).unwrap();
        assert!(left_out.is_empty(), "{left_out:?}");
        draft
    }

    fn verify(&self, call: &[u8]) -> Result<Digest, String> {
        let call = UnverifiedCall::read(&self.setting.node, call, Callee::Root(SHAPE));
        let verified = call.and_then(|call| call.verify(key().verifying()));
        verified.map(|(root, _)| root).map_err(|e| e.to_string())
    }

    pub fn root(&self) -> Digest {
        contract_root(&self.setting.node, SHAPE).unwrap()
    }
}

#[test]
fn contracts_are_exported_for_keys_of_their_circuit_and_of_a_ceremony_unless_asked_for() {
    let setting = setting(Some(Contract { chain_id: 1, address: [7; 20] }));
    let genesis = Node::genesis(&setting.path("node")).unwrap();
    let bytes = key().verifying().to_bytes();
    let refused = export(&genesis, (BatchCircuit::Root(SHAPE), &bytes), false);
    assert!(matches!(refused, Err(NodeError::LocalKey(_))));
    let small = export(&genesis, (BatchCircuit::from(SLOTS), &bytes), true).map(drop).unwrap_err();
    assert!(small.to_string().contains("another circuit"), "{small}");
}

#[test]
fn an_operator_moves_the_root_of_a_contract() {
    let mut o = Operator::new();
    assert_eq!(o.evm.view(&o.contract, "root"), o.root(), "the contract begins with the node's state");
    let [first, second] =
        [(1, 2, 5), (2, 3, 7)].map(|(from, to, x)| o.setting.transfer(from, to, x).unwrap());
    let rival = o.draft(vec![second.clone()]);
    let draft = o.draft(vec![first, second]);
    assert_eq!(draft.transactions().len(), 2);
    let (batch, _) = draft.prove(key()).unwrap();
    assert_eq!((batch.states[0], o.verify(&batch.calldata)), (o.root(), Ok(batch.states[1])));
    // What is changed is refused by operators as by contracts.
    for at in [0, 10, 40, 100, 300, batch.calldata.len() - 40] {
        let mut bad = batch.calldata.clone();
        bad[at] ^= 1;
        assert!(o.verify(&bad).is_err(), "byte {at}");
        assert!(!matches!(o.evm.call(&o.contract, &bad), Outcome::Success { .. }), "byte {at}");
    }
    assert!(o.verify(&batch.calldata[..99]).unwrap_err().contains("no call of the contract"));
    // No key is needed to refuse what is no call, has no proof's points, no block, or a block of no batch in this state.
    let read = |call: &[u8]| UnverifiedCall::read(&o.setting.node, call, Callee::Root(SHAPE)).map(drop);
    assert!(read(&batch.calldata).is_ok());
    let call = RootSubmission::from_calldata(&batch.calldata).unwrap();
    let proof = RootSubmission { proof: [[7; 32]; 8], ..call.clone() };
    let keyed = [&1u16.to_be_bytes()[..], &[0; 64], &call.block[2..]].concat();
    let still = RootSubmission { post: o.root(), ..call.clone() };
    for other in [
        proof,
        still,
        RootSubmission { block: keyed, ..call.clone() },
        RootSubmission { block: vec![0], ..call },
    ] {
        assert!(
            read(&other.calldata()).unwrap_err().to_string().contains("the proof is refused"),
            "{other:?}"
        );
    }
    assert!(matches!(o.evm.call(&o.contract, &batch.calldata), Outcome::Success { .. }));
    let block = o.setting.node.read_block(&batch.block).unwrap();
    o.setting.node.apply(&block, &NoBatches).unwrap();
    assert_eq!([o.evm.view(&o.contract, "root"), o.root()], [batch.states[1]; 2], "both have moved");
    // Once more, and a batch that was proven for the root before.
    assert!(o.verify(&batch.calldata).unwrap_err().contains("the proof is refused"));
    let (rival, _) = rival.prove(key()).unwrap();
    assert!(o.verify(&rival.calldata).unwrap_err().contains("the proof is refused"));
    assert_eq!(o.evm.call(&o.contract, &rival.calldata), reason("InvalidProof"));
    assert!(o.setting.node.apply(&o.setting.node.read_block(&rival.block).unwrap(), &NoBatches).is_err());
}

#[test]
fn what_has_no_place_on_a_contract_is_named() {
    let s = setting(None);
    let transfer = s.transfer(1, 2, 5).unwrap();
    let refused =
        CallDraft::of(&s.node, vec![transfer], Callee::Root(SHAPE)).map(drop).unwrap_err().to_string();
    assert!(refused.contains("names no contract"), "{refused}");
    assert!(contract_root(&s.node, SHAPE).is_err());
    // An account beyond the tree is left out: nobody keeps others from being proven by it.
    let s = setting(Some(Contract { chain_id: 1, address: [7; 20] }));
    let key = s.workload.secret(5).public();
    let open = |to| Operation::Create { to: Index(to), amount: 1, key };
    let far = s.node.sign(Index(1), open(1 << 20), s.workload.secret(1)).unwrap();
    let refused = CallDraft::of(&s.node, vec![far.clone()], Callee::Root(SHAPE)).map(drop).unwrap_err();
    assert!(matches!(refused, NodeError::NothingWaits(_)), "{refused}");
    assert!(refused.to_string().contains("account 1048576 has no place"), "{refused}");
    let near = s.transfer(2, 3, 4).unwrap();
    let (draft, left_out) =
        CallDraft::of(&s.node, vec![far.clone(), near.clone()], Callee::Root(SHAPE)).unwrap();
    assert_eq!((draft.transactions(), left_out), (&[near][..], vec![(far, Unfit::Place(1 << 20))]));
}
