//! Calls of a contract that orders batches for replicas, by nodes that have the state of its calls.

use curve::pairing::Bn254;
use snark::groth16::Word;

use super::root::setting;
use super::*;
use crate::circuit::Binding;
use crate::circuit::groth16::tests::{SLOTS, committed_key, key};
use crate::evm::tests::machine::{Machine as Evm, Outcome, reason};
use crate::evm::{Head, Submission, Target};
use crate::machine::{Contract, State as _};

/// A contract for a key, and a node of its chain.
struct Prover {
    setting: Setting,
    evm: Evm,
    contract: Contract,
    key: &'static snark::groth16::ProvingKey<Bn254>,
}

impl Prover {
    fn new(binding: Binding) -> Self {
        let mut evm = Evm::new();
        let contract = evm.next_contract();
        let setting = setting(Some(contract));
        let key = match binding {
            Binding::Sponge => key(),
            Binding::Commitment => committed_key(),
        };
        let genesis = Node::genesis(&setting.path("node")).unwrap();
        let of = (BatchCircuit::Replicas(SLOTS, binding), &key.verifying().to_bytes()[..]);
        assert!(accepted(&evm.deploy(&export(&genesis, of, true).unwrap().0.creation)));
        Self { setting, evm, contract, key }
    }

    /// The state of the contract.
    fn head(&mut self) -> Head {
        let [height, head] = ["height", "head"].map(|function| self.evm.view(&self.contract, function));
        Head::of_views(&height, &head).unwrap()
    }

    fn prove(&self, transfers: &[(u32, u32, u64)], head: Head) -> CallBatch {
        let transfer =
            |(from, to, amount): &(u32, u32, u64)| self.setting.transfer(*from, *to, *amount).unwrap();
        let waiting = transfers.iter().map(transfer).collect();
        let (draft, left_out) = CallDraft::of(&self.setting.node, waiting, callee(head)).unwrap();
        assert!(left_out.is_empty(), "{left_out:?}");
        draft.prove(self.key).unwrap().0
    }

    fn verify(&self, call: &[u8], head: Head) -> Result<Word, String> {
        let call = UnverifiedCall::read(&self.setting.node, call, callee(head));
        let verified = call.and_then(|call| call.verify(self.key.verifying()));
        verified.map(|(after, _)| after).map_err(|e| e.to_string())
    }

    fn call(&mut self, call: &[u8]) -> Outcome {
        self.evm.call(&self.contract, call)
    }
}

fn callee(head: Head) -> Callee {
    Callee::Replicas(SLOTS, head)
}

fn accepted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Success { .. })
}

/// What a refusal says.
fn refused(verdict: Result<Word, String>, said: &str) {
    let error = verdict.unwrap_err();
    assert!(error.contains("the proof is refused") && error.contains(said), "{error}");
}

const QUOTIENT: &str = "for this contract at this head";
const VALUES: &str = "other values than those of this state";

#[test]
fn calls_of_a_node_are_accepted_in_their_order() {
    for binding in Binding::ALL {
        let mut p = Prover::new(binding);
        let head = p.head();
        assert_eq!(first_head(&p.setting.node).unwrap(), head, "the contract begins with the node's genesis");
        let rival = p.prove(&[(4, 5, 1)], head);
        let batch = p.prove(&[(1, 2, 5), (2, 3, 7)], head);
        assert_eq!((batch.states[0], p.verify(&batch.calldata, head)), (head.0, Ok(batch.states[1])));
        assert!(accepted(&p.call(&batch.calldata)), "{binding}");
        let next = p.head();
        assert_eq!((next.0, next.height()), (batch.states[1], 1));
        // What a replica makes of the call is what nodes make of the block.
        let machine = *p.setting.node.replica().chain().machine();
        let target = Target { machine: &machine, slots: SLOTS, last: head, blob: None };
        let call = Submission::from_calldata(&batch.calldata).unwrap();
        let statement = call.verify(p.key.verifying(), &target, p.setting.node.replica().chain()).unwrap();
        let block = p.setting.node.read_block(&batch.block).unwrap();
        p.setting.node.apply(&block, &NoBatches).unwrap();
        assert_eq!(statement.cells.len(), 3);
        for change in statement.cells {
            assert_eq!(p.setting.node.replica().chain().cell(&change.key), change.after);
        }
        // Neither once more, nor another prover's, whose accounts are still what they were.
        for late in [&batch.calldata, &rival.calldata] {
            assert_eq!(p.call(late), reason("InvalidProof"));
            assert!(p.verify(late, next).is_err());
        }
        refused(p.verify(&rival.calldata, next), QUOTIENT);
        refused(p.verify(&batch.calldata, next), VALUES);
        let second = p.prove(&[(2, 1, 9)], next);
        assert_eq!(p.verify(&second.calldata, next), Ok(second.states[1]));
        assert!(accepted(&p.call(&second.calldata)));
        assert_eq!(p.head().0, second.states[1]);
    }
}

#[test]
fn other_bytes_heads_states_chains_and_addresses_are_refused() {
    for binding in Binding::ALL {
        let mut p = Prover::new(binding);
        let head = p.head();
        let batch = p.prove(&[(1, 2, 5)], head);
        let call = Submission::from_calldata(&batch.calldata).unwrap();
        for at in (0..batch.calldata.len()).step_by(11) {
            let mut bad = batch.calldata.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(p.verify(&bad, head).is_err(), "byte {at}");
            assert!(!accepted(&p.call(&bad)), "byte {at}");
        }
        for end in (0..batch.calldata.len()).step_by(13) {
            refused(p.verify(&batch.calldata[..end], head), "no call of the contract");
        }
        refused(p.verify(&[&batch.calldata[..], &[0; 32]].concat(), head), "no call of the contract");
        // The parts of another call that holds as well: the same batch, proven once more, and another batch.
        let [again, other] = [&[(1, 2, 5)][..], &[(1, 2, 6)]].map(|batch| p.prove(batch, head).calldata);
        let [again, other] = [again, other].map(|call| Submission::from_calldata(&call).unwrap());
        assert!(p.verify(&again.calldata(), head).is_ok());
        let proof = Submission { proof: other.proof, ..call.clone() };
        refused(p.verify(&proof.calldata(), head), "");
        assert_eq!(p.call(&proof.calldata()), reason("InvalidProof"));
        refused(p.verify(&Submission { proof: [[7; 32]; 8], ..call.clone() }.calldata(), head), "");
        refused(p.verify(&Submission { binding: other.binding, ..call.clone() }.calldata(), head), QUOTIENT);
        refused(
            p.verify(&Submission { quotient: other.quotient, ..call.clone() }.calldata(), head),
            QUOTIENT,
        );
        refused(p.verify(&Submission { claim: other.claim, ..call.clone() }.calldata(), head), VALUES);
        refused(p.verify(&Submission { payload: other.payload, ..call.clone() }.calldata(), head), VALUES);
        // Another head of the same contract, the same state for another address, and for another EVM chain.
        refused(p.verify(&batch.calldata, Head(batch.states[1])), QUOTIENT);
        let [address, chain] = [
            Contract { address: [8; 20], ..p.contract },
            Contract { chain_id: p.contract.chain_id + 1, ..p.contract },
        ]
        .map(|contract| setting(Some(contract)));
        for elsewhere in [address, chain] {
            let theirs = UnverifiedCall::read(&elsewhere.node, &batch.calldata, callee(head));
            assert!(theirs.unwrap_err().to_string().contains(QUOTIENT));
        }
        // A node that is behind, or ahead.
        assert!(accepted(&p.call(&batch.calldata)));
        p.setting.node.apply(&p.setting.node.read_block(&batch.block).unwrap(), &NoBatches).unwrap();
        refused(p.verify(&batch.calldata, head), "");
        let next = p.head();
        refused(p.verify(&batch.calldata, next), "");
    }
}

/// With a key of another binding, or of other secrets, a call does not hold; of a digest the second word is zero.
#[test]
fn proofs_are_of_the_key_and_bindings_have_one_encoding() {
    let mut p = Prover::new(Binding::Sponge);
    let head = p.head();
    let calldata = p.prove(&[(1, 2, 5)], head).calldata;
    let machine = *p.setting.node.replica().chain().machine();
    let target = Target { machine: &machine, slots: SLOTS, last: head, blob: None };
    let call = Submission::from_calldata(&calldata).unwrap();
    let (_, public) = call.judged(&target, p.setting.node.replica().chain()).unwrap();
    let check = |binding: [Word; 2]| {
        Submission { binding, ..call.clone() }.check_proof(key().verifying(), public).map_err(|e| e.0)
    };
    assert_eq!(check(call.binding), Ok(()));
    assert_eq!(check([call.binding[0], [1; 32]]), Err("a digest of more than one word"));
    assert!(check([[255; 32], [0; 32]]).is_err(), "a number beyond the order");
    assert!(call.check_proof(committed_key().verifying(), public).is_err());

    let committed = Prover { key: committed_key(), ..p };
    let calldata = committed.prove(&[(1, 2, 5)], head).calldata;
    let call = Submission::from_calldata(&calldata).unwrap();
    let (_, public) = call.judged(&target, committed.setting.node.replica().chain()).unwrap();
    let check = |binding: [Word; 2]| {
        Submission { binding, ..call.clone() }.check_proof(committed_key().verifying(), public).is_ok()
    };
    let [x, y] = call.binding;
    assert!(check([x, y]));
    assert!(call.check_proof(key().verifying(), public).is_err());
    // The upper bits, which encodings of points in files use for flags, and the identity.
    for bit in [0x40, 0x80, 0xc0] {
        let mut flagged = y;
        flagged[0] |= bit;
        assert!(!check([x, flagged]), "{bit}");
        let mut flagged = x;
        flagged[0] |= bit;
        assert!(!check([flagged, y]), "{bit}");
    }
    for bad in [
        [y, x],
        [x, [0; 32]],
        [[0; 32]; 2],
        [[0; 32], {
            let mut zero = [0; 32];
            zero[0] = 0x40;
            zero
        }],
    ] {
        assert!(!check(bad));
    }
}

#[test]
fn a_chain_without_a_contract_has_no_calls() {
    let s = setting(None);
    let transfer = s.transfer(1, 2, 5).unwrap();
    let head = Head([0; 32]);
    let drafted = CallDraft::of(&s.node, vec![transfer], callee(head)).map(drop);
    for refused in [drafted, first_head(&s.node).map(drop)] {
        assert!(refused.unwrap_err().to_string().contains("names no contract"));
    }
}

/// A batch has as many transactions as the key has room for, and as a plain block may have; what waits stays.
#[test]
fn a_call_has_as_many_transactions_as_the_contract_takes() {
    let mut p = Prover::new(Binding::Sponge);
    let head = p.head();
    let waiting: Vec<_> = (0..4).map(|from| p.setting.transfer(from, 5, 1).unwrap()).collect();
    let (draft, left_out) = CallDraft::of(&p.setting.node, waiting.clone(), callee(head)).unwrap();
    assert_eq!((draft.transactions(), left_out.len()), (&waiting[..SLOTS], 0));
    // An account beyond the tree of a root is none beyond replicas.
    let open =
        Operation::Create { to: Index(1 << 30), amount: 1, key: p.setting.workload.secret(5).public() };
    let far = p.setting.node.sign(Index(1), open, p.setting.workload.secret(1)).unwrap();
    let (draft, _) = CallDraft::of(&p.setting.node, vec![far], callee(head)).unwrap();
    let (batch, _) = draft.prove(p.key).unwrap();
    assert!(p.verify(&batch.calldata, head).is_ok() && accepted(&p.call(&batch.calldata)));
}

#[test]
fn heads_are_read_from_two_words() {
    let [mut height, mut head] = [[0; 32], [5; 32]];
    height[24..].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    head[24..].fill(0);
    let read = Head::of_views(&height, &head).unwrap();
    assert_eq!((read.height(), &read.0[8..]), (0x0102_0304_0506_0708, &[5; 24][..]));
    for at in 0..24 {
        let mut long = height;
        long[at] = 1;
        assert_eq!(Head::of_views(&long, &head), None);
    }
    for at in 24..32 {
        let mut long = head;
        long[at] = 1;
        assert_eq!(Head::of_views(&height, &long), None);
    }
}
