//! Followers of a contract, whose endpoint is honest or an enemy's.

mod hostile;

use std::cell::{Cell, RefCell};
use std::path::Path;

use serde_json::{Value, json};

use super::root::Operator;
use super::*;
use crate::circuit::challenges::keccak;
use crate::circuit::root::RootVerifier;
use crate::circuit::root::groth16::tests::key;
use crate::circuit::root::tests::SHAPE;
use crate::evm::tests::machine::Outcome;
use crate::statement::Call;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// A block of the EVM chain.
#[derive(Clone)]
struct EvmBlock {
    hash: [u8; 32],
    calls: Vec<(Vec<u8>, [u8; 32])>,
    root: [u8; 32],
}

/// Changes to an answer.
type Spoil = Box<dyn Fn(&str, &mut Value)>;

/// An EVM node with one contract.
struct Chain {
    operator: RefCell<Operator>,
    blocks: RefCell<Vec<EvmBlock>>,
    /// The blocks behind the last final one.
    behind: Cell<u64>,
    asked: RefCell<Vec<String>>,
    spoil: RefCell<Spoil>,
    /// The most blocks of which it tells events at once.
    most: Cell<u64>,
    /// The status with which it refuses more, in the place of an error in JSON.
    status: Cell<Option<u16>>,
}

impl Chain {
    fn new() -> Self {
        let operator = Operator::new();
        let first = EvmBlock { hash: [1; 32], calls: vec![], root: operator.root() };
        Self {
            operator: RefCell::new(operator),
            blocks: RefCell::new(vec![first]),
            behind: Cell::new(0),
            asked: RefCell::default(),
            spoil: RefCell::new(Box::new(|_, _| {})),
            most: Cell::new(1 << 20),
            status: Cell::new(None),
        }
    }

    /// A block with calls that the contract accepts, of one transfer each.
    fn mine(&self, transfers: &[(u32, u32, u64)]) {
        let mut operator = self.operator.borrow_mut();
        let calls = transfers.iter().map(|(from, to, amount)| {
            let transfer = operator.setting.transfer(*from, *to, *amount).unwrap();
            let (batch, _) = operator.draft(vec![transfer]).prove(key()).unwrap();
            let contract = operator.contract;
            assert!(matches!(operator.evm.call(&contract, &batch.calldata), Outcome::Success { .. }));
            let block = operator.setting.node.read_block(&batch.block).unwrap();
            operator.setting.node.apply(&block, &NoBatches).unwrap();
            (batch.calldata, batch.states[1])
        });
        let calls: Vec<_> = calls.collect();
        let mut blocks = self.blocks.borrow_mut();
        let before = blocks.last().unwrap();
        let root = calls.last().map_or(before.root, |(_, root)| *root);
        let hash = keccak(&[before.hash, [calls.len() as u8; 32], root].concat());
        blocks.push(EvmBlock { hash, calls, root });
    }

    /// A directory of a node that has applied nothing, and keys.
    fn follower(&self, name: &str) -> PathBuf {
        let operator = self.operator.borrow();
        let path = operator.setting.path(name);
        let genesis = Node::genesis(&operator.setting.path("node")).unwrap();
        Node::init(&path, genesis).unwrap();
        keys(&path).save(BatchCircuit::Root(SHAPE), key()).unwrap();
        path
    }

    fn round(&self, path: &Path, from: Option<u64>) -> Result<Followed, FollowError> {
        self.round_to(path, (Finality::Finalized, from))
    }

    fn round_to(&self, path: &Path, to: (Finality, Option<u64>)) -> Result<Followed, FollowError> {
        let keys = keys(path);
        self.to((path, &keys), to).round(&mut |_| {})
    }

    /// A follower of final blocks.
    fn of<'a>(&'a self, path: &'a Path, keys: &'a Keys) -> Follower<'a> {
        self.to((path, keys), (Finality::Finalized, None))
    }

    fn to<'a>(&'a self, of: (&'a Path, &'a Keys), to: (Finality, Option<u64>)) -> Follower<'a> {
        Follower::new(of, BatchSize::B64, self, to).unwrap().with_shape(SHAPE)
    }

    fn spoiled(&self, spoil: impl Fn(&str, &mut Value) + 'static) {
        *self.spoil.borrow_mut() = Box::new(spoil);
    }

    fn asked(&self, method: &str) -> usize {
        self.asked.borrow().iter().filter(|asked| *asked == method).count()
    }

    fn number(&self, tag: &Value) -> usize {
        let last = self.blocks.borrow().len() as u64 - 1;
        let number = match tag.as_str().unwrap() {
            "latest" => last,
            "finalized" => last - self.behind.get(),
            number => u64::from_str_radix(number.strip_prefix("0x").unwrap(), 16).unwrap(),
        };
        number as usize
    }

    fn answer(&self, method: &str, params: &Value) -> Value {
        let blocks = self.blocks.borrow();
        let operator = self.operator.borrow();
        let contract = hex(&operator.contract.address);
        let transaction = |at: usize, index: usize| hex(&keccak(&[at as u8, index as u8]));
        match method {
            "eth_chainId" => format!("{:#x}", operator.contract.chain_id).into(),
            "eth_getBlockByNumber" => {
                let at = self.number(&params[0]);
                let block = blocks.get(at);
                block.map_or(
                    Value::Null,
                    |block| json!({ "number": format!("{at:#x}"), "hash": hex(&block.hash) }),
                )
            }
            "eth_getCode" => "0x60".into(),
            "eth_call" => {
                let at = self.number(&params[1]);
                let machine = *operator.setting.node.replica().chain().machine();
                let domain = params[0]["data"] == hex(&keccak(b"domain()")[..4]);
                let answer = if domain { machine.domain().word() } else { blocks[at].root };
                hex(&answer).into()
            }
            "eth_getLogs" => {
                let [from, to] = ["fromBlock", "toBlock"].map(|name| self.number(&params[0][name]));
                if to as u64 - from as u64 >= self.most.get() {
                    return json!({ "error": { "code": -32005, "message": "too many\u{1b}[31m blocks" } });
                }
                let within = blocks.iter().enumerate().filter(|(at, _)| (from..=to).contains(at));
                let log = |at: usize, block: &EvmBlock, index: usize| {
                    json!({ "address": contract, "topics": [hex(&keccak(b"Batch(uint256)"))],
                        "data": hex(&block.calls[index].1), "blockNumber": format!("{at:#x}"), "blockHash": hex(&block.hash),
                        "logIndex": format!("{index:#x}"), "transactionHash": transaction(at, index), "removed": false })
                };
                within
                    .flat_map(|(at, block)| (0..block.calls.len()).map(move |index| log(at, block, index)))
                    .collect()
            }
            "eth_getTransactionByHash" => {
                let all = blocks.iter().enumerate();
                let mut all =
                    all.flat_map(|(at, block)| (0..block.calls.len()).map(move |index| (at, index)));
                let found = all.find(|(at, index)| params[0] == transaction(*at, *index));
                found.map_or(Value::Null, |(at, index)| {
                    json!({ "hash": transaction(at, index), "to": contract, "blockNumber": format!("{at:#x}"),
                        "blockHash": hex(&blocks[at].hash), "input": hex(&blocks[at].calls[index].0) })
                })
            }
            other => panic!("{other}"),
        }
    }
}

fn keys(path: &Path) -> Keys {
    let keys = Keys::new(&Node::keys_folder(path), true);
    keys.remember(BatchCircuit::Root(SHAPE), *key().verifying().circuit());
    keys
}

fn height(path: &Path) -> u64 {
    Node::open(path).unwrap().replica().chain().tip().height
}

impl Endpoint for Chain {
    fn post(&self, question: &[u8], _: usize) -> Result<Vec<u8>, TransportError> {
        let question: Value = serde_json::from_slice(question).unwrap();
        let method = question["method"].as_str().unwrap();
        self.asked.borrow_mut().push(method.to_owned());
        let result = self.answer(method, &question["params"]);
        if let (Some(status), Some(_)) = (self.status.get(), result.get("error")) {
            return Err(TransportError::Status(status));
        }
        let mut answer = match result.get("error") {
            Some(error) => json!({ "jsonrpc": "2.0", "id": question["id"], "error": error }),
            None => json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }),
        };
        self.spoil.borrow()(method, &mut answer);
        Ok(answer.to_string().into_bytes())
    }
}

#[test]
fn followers_rebuild_the_state_from_the_calls_of_final_blocks() {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5), (2, 3, 7)]);
    chain.mine(&[]);
    chain.mine(&[(3, 1, 2)]);
    chain.behind.set(3);
    let found = chain.round(&path, None).unwrap();
    assert_eq!((found.head.number, found.applied, found.height), (0, 0, 0), "nothing is final");
    chain.behind.set(1);
    let found = chain.round(&path, None).unwrap();
    assert_eq!((found.head.number, found.applied, found.height), (2, 2, 2));
    chain.behind.set(0);
    chain.asked.borrow_mut().clear();
    let found = chain.round(&path, None).unwrap();
    assert_eq!((found.applied, found.height, found.root), (1, 3, chain.operator.borrow().root()));
    assert_eq!(chain.asked("eth_getTransactionByHash"), 1, "what was applied is not asked for again");
    assert_eq!(chain.round(&path, None).unwrap().applied, 0);
    let node = Node::open(&path).unwrap();
    assert_eq!(contract_root(&node, SHAPE).unwrap(), chain.operator.borrow().root());
    let (own, all) = (node.replica().chain(), chain.operator.borrow());
    let theirs = all.setting.node.replica().chain();
    assert!(own.cells().eq(theirs.cells()), "balances, nonces and keys are those of the operator");
    // The next batch is drafted behind what the contract holds.
    let transfer = all.setting.transfer(1, 3, 4).unwrap();
    let (draft, _) = CallDraft::of(&node, vec![transfer], Callee::Root(SHAPE)).unwrap();
    let (batch, _) = draft.prove(key()).unwrap();
    assert_eq!(batch.states[0], all.root());
    drop((node, all));
    let mut operator = chain.operator.borrow_mut();
    let contract = operator.contract;
    assert!(matches!(operator.evm.call(&contract, &batch.calldata), Outcome::Success { .. }));
}

/// Blocks with calls are blocks as others: read again, verified by whoever has the key, and refused when they were changed.
#[test]
fn blocks_with_calls_are_verified_and_read_again() {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5)]);
    chain.mine(&[(2, 1, 1)]);
    chain.round(&path, None).unwrap();
    let out = path.with_extension("blocks");
    export_blocks(&path, 1, None, &out).unwrap();
    let genesis = Node::genesis(&path).unwrap();
    let machine = genesis.machine;
    let mut other = Node::init(&path.with_extension("other"), genesis).unwrap();
    let verifier = RootVerifier::new(machine, (BatchSize::B64, SHAPE), key().verifying().clone()).unwrap();
    for name in ["0000000001.block", "0000000002.block"] {
        let bytes = fs::read(out.join(name)).unwrap();
        assert_eq!(show(&bytes).unwrap()["content"], "call");
        let block = other.read_block(&bytes).unwrap();
        let Content::Call(call) = &block.content else { panic!("no call") };
        assert!(other.verify(&block, &NoBatches).unwrap_err().to_string().contains("no key here for calls"));
        for at in (0..call.input.len()).step_by(5) {
            let mut bad = call.clone();
            bad.input[at] ^= 1;
            let bad = other.replica().chain().next(Content::Call(bad));
            assert!(other.verify(&bad, &verifier).is_err(), "byte {at}");
        }
        let larger = Call { size: BatchSize::B256, ..call.clone() };
        let larger = other.replica().chain().next(Content::Call(larger));
        assert!(other.verify(&larger, &verifier).is_err());
        other.apply(&block, &verifier).unwrap();
        let again = other.replica().chain().next(block.content);
        assert!(other.verify(&again, &verifier).unwrap_err().to_string().contains("proof is refused"));
    }
    assert_eq!(other.replica().chain().tip(), Node::open(&path).unwrap().replica().chain().tip());
    // Another state than the verifier saw last: it is not taken for that one.
    let bytes = fs::read(out.join("0000000001.block")).unwrap();
    let fresh = Node::init(&path.with_extension("fresh"), Node::genesis(&path).unwrap()).unwrap();
    fresh.verify(&fresh.read_block(&bytes).unwrap(), &verifier).unwrap();
    // Of the standard circuit there is no key in this folder.
    let keys = keys(&path);
    let missing =
        Verifiers::new(&keys, machine).of(&fresh.read_block(&bytes).unwrap()).map(|_| ()).unwrap_err();
    assert!(matches!(missing, NodeError::NoKey { circuit: BatchCircuit::Root(_), .. }), "{missing}");
    // A chain without a contract takes no calls.
    let s = Setting::new();
    let Content::Call(call) = fresh.read_block(&bytes).unwrap().content else { panic!("no call") };
    let refused = s.node.verify(&s.next(Content::Call(call)), &verifier).unwrap_err();
    assert!(refused.to_string().contains("which the chain does not name"), "{refused}");
}

#[test]
fn reorganisations_are_seen_and_followed_where_they_change_nothing() {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5)]);
    chain.mine(&[]);
    chain.round(&path, None).unwrap();
    // Other blocks with the same calls.
    for block in chain.blocks.borrow_mut().iter_mut().skip(1) {
        block.hash[0] ^= 1;
    }
    let found = chain.round(&path, None).unwrap();
    assert!(found.reorganised && found.applied == 0, "{found:?}");
    assert!(!chain.round(&path, None).unwrap().reorganised);
    // The endpoint has fewer final blocks than were followed: with the node's state, and without.
    chain.behind.set(1);
    let found = chain.round(&path, None).unwrap();
    assert!((found.head.number, found.applied, found.reorganised) == (1, 0, false), "{found:?}");
    chain.behind.set(2);
    assert!(matches!(chain.round(&path, None), Err(FollowError::Behind { head: 0, followed: 1 })));
    chain.behind.set(0);
    // The call is gone.
    chain.mine(&[(2, 1, 1)]);
    let genesis = chain.blocks.borrow()[0].root;
    for block in chain.blocks.borrow_mut().iter_mut().skip(1) {
        *block = EvmBlock { hash: [9; 32], calls: vec![], root: genesis };
    }
    let gone = chain.round(&path, None).unwrap_err();
    assert!(matches!(gone, FollowError::Unknown { reorganised: true, .. }), "{gone}");
    assert!(!gone.is_transient() && gone.to_string().contains("another block in the place"), "{gone}");
    assert_eq!(height(&path), 1, "nothing has changed");
}

/// An operator who applied their block before it was final; one who applied others.
#[test]
fn nodes_that_are_ahead_wait_and_others_are_told() {
    let chain = Chain::new();
    chain.mine(&[(1, 2, 5)]);
    chain.mine(&[(2, 1, 1)]);
    let node = chain.operator.borrow().setting.path("node");
    // Give the operator's directory to the follower.
    let copy = chain.follower("copy");
    chain.round_to(&copy, (Finality::Depth(0), None)).unwrap();
    assert!(node.exists());
    fs::remove_file(copy.join("followed")).unwrap();
    chain.behind.set(1);
    let ahead = chain.round(&copy, None).unwrap_err();
    assert!(matches!(ahead, FollowError::Ahead { head: 1 }) && ahead.is_transient(), "{ahead}");
    chain.behind.set(0);
    assert_eq!(chain.round(&copy, None).unwrap().applied, 0, "without the file too");
    // A block that no call is of.
    let mut other = Node::open(&copy).unwrap();
    let pay = Operation::Transfer { to: Index(3), amount: 9, memo: 0 };
    let signed = other.sign(Index(1), pay, chain.operator.borrow().setting.workload.secret(1)).unwrap();
    let block = other.replica().chain().next(Content::Plain(vec![signed]));
    other.apply(&block, &NoBatches).unwrap();
    drop(other);
    let unknown = chain.round(&copy, None).unwrap_err();
    assert!(matches!(unknown, FollowError::Unknown { reorganised: false, .. }), "{unknown}");
    assert!(!unknown.is_transient());
}

#[test]
fn depths_and_ranges_are_those_of_the_options() {
    let chain = Chain::new();
    let path = chain.follower("a");
    for transfer in [(1, 2, 5), (2, 3, 7), (3, 1, 2)] {
        chain.mine(&[transfer]);
    }
    let too_deep = chain.round_to(&path, (Finality::Depth(9), None)).unwrap_err();
    assert!(matches!(too_deep, FollowError::NothingFinal), "{too_deep}");
    chain.spoiled(|method, answer| {
        if method == "eth_getBlockByNumber" {
            answer["result"]["number"] = "0x1".into();
        }
    });
    let other = chain.round_to(&path, (Finality::Depth(1), None)).unwrap_err().to_string();
    assert!(other.contains("another block than the one that was asked for"), "{other}");
    chain.spoiled(|_, _| {});
    // An endpoint that takes one block at a time.
    chain.most.set(1);
    let found = chain.round_to(&path, (Finality::Depth(1), None)).unwrap();
    assert_eq!((found.head.number, found.applied), (2, 2));
    // From a block on that is too late, a call is missing: its proof does not start from the node's root.
    let late = chain.follower("late");
    let refused = chain.round(&late, Some(2)).unwrap_err();
    assert!(matches!(refused, FollowError::Refused { number: 2, .. }), "{refused}");
    assert_eq!(height(&late), 0);
    assert_eq!(chain.round(&late, Some(1)).unwrap().applied, 3);
    // One that says so by a status.
    chain.status.set(Some(413));
    assert_eq!(chain.round(&chain.follower("status"), None).unwrap().applied, 3);
    for status in [401, 429, 500] {
        chain.status.set(Some(status));
        chain.asked.borrow_mut().clear();
        let refused = chain.round(&chain.follower(&status.to_string()), None).unwrap_err();
        assert_eq!(refused.to_string(), format!("no answer to eth_getLogs: status {status}"));
        assert_eq!(chain.asked("eth_getLogs"), 1, "{status} is said of another fault");
    }
    chain.status.set(None);
    // One that takes none.
    chain.most.set(0);
    let path = chain.follower("none");
    let refused = chain.round(&path, None).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the endpoint answers eth_getLogs with error -32005: too many [31m blocks"
    );
}

/// Bytes that are no JSON, and answers that are too long, whatever the endpoint was asked to read.
#[test]
fn bytes_of_any_kind_are_errors() {
    struct Bytes(Vec<u8>);
    impl Endpoint for Bytes {
        fn post(&self, _: &[u8], _: usize) -> Result<Vec<u8>, TransportError> {
            Ok(self.0.clone())
        }
    }
    let chain = Chain::new();
    let (path, keys) = (chain.follower("a"), keys(&chain.operator.borrow().setting.path("a")));
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let long = vec![b' '; MOST_ANSWER + 1];
    for bytes in [vec![], vec![0xff], b"null".to_vec(), b"[]".to_vec(), deep, long, b"{\"id\":1}".to_vec()] {
        let endpoint = Bytes(bytes);
        let to = (Finality::Finalized, None);
        let mut follower = Follower::new((&path, &keys), BatchSize::B64, &endpoint, to).unwrap();
        let refused = follower.round(&mut |_| {}).unwrap_err();
        assert!(refused.is_transient(), "{refused}");
    }
    assert_eq!(height(&path), 0);
}

#[test]
fn what_is_in_the_directory_is_not_trusted() {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5)]);
    chain.round(&path, None).unwrap();
    let honest = fs::read(path.join("followed")).unwrap();
    for bad in [vec![], honest[..87].to_vec(), [&honest[..], &[0]].concat(), vec![0xff; 88]] {
        fs::write(path.join("followed"), bad).unwrap();
        let refused = chain.round(&path, None).unwrap_err();
        assert!(refused.to_string().contains("file `followed`"), "{refused}");
    }
    fs::write(path.join("followed"), &honest).unwrap();
    // One that says that later blocks were followed than the node has: calls are looked for all the same.
    let behind = chain.follower("b");
    fs::write(behind.join("followed"), &honest).unwrap();
    assert_eq!(chain.round(&behind, None).unwrap().applied, 1);
    // A key of another contract: the proofs do not hold.
    assert!(matches!(
        Follower::new(
            (&Setting::new().path("node"), &keys(&path)),
            BatchSize::B64,
            &chain,
            (Finality::Finalized, None)
        )
        .map(drop),
        Err(NodeError::Genesis(_))
    ));
    // Two at once: one has the directory.
    let held = Node::open(&path).unwrap();
    let refused = chain.round(&path, None).unwrap_err();
    assert!(matches!(
        refused,
        FollowError::Node(NodeError::Replica(ReplicaError::Store(StoreError::Locked(_))))
    ));
    assert!(refused.is_transient(), "whoever follows goes on when the other process has ended");
    drop(held);
    // Without a key nothing is read for long.
    chain.mine(&[(2, 1, 1)]);
    fs::remove_dir_all(Node::keys_folder(&path)).unwrap();
    chain.asked.borrow_mut().clear();
    let refused = chain.round(&path, None).unwrap_err();
    assert!(matches!(refused, FollowError::Node(NodeError::NoKey { .. })), "{refused}");
    assert_eq!(chain.asked("eth_getLogs"), 0);
}

#[test]
fn the_latest_root_is_that_of_the_contract() {
    let chain = Chain::new();
    chain.mine(&[(1, 2, 5)]);
    let machine = *chain.operator.borrow().setting.node.replica().chain().machine();
    assert_eq!(latest_root(&machine, &chain).unwrap(), chain.operator.borrow().root());
    chain.spoiled(|method, answer| {
        if method == "eth_chainId" {
            answer["result"] = "0x1".into()
        }
    });
    assert!(matches!(latest_root(&machine, &chain), Err(FollowError::WrongChain { .. })));
}
