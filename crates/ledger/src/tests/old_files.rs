//! Files that version 1 wrote (`vectors/ledger-v1`): they are read, verified and applied as they were, whatever later versions write.
//!
//! `just ledger-vectors` writes them anew, for a new folder: those that are there are never replaced.

use std::fs;
use std::path::{Path, PathBuf};

use curve::pairing::Bn254;
use snark::groth16::ceremony::{Beacon, CircuitKey, Powers};
use snark::groth16::{ProvingKey, VerifyingKey, setup_local, word};
use snark::r1cs::{Assignment, R1cs};

use crate::Invalid;
use crate::chain::{Block, Content, Genesis, Params};
use crate::circuit::groth16::tests::{SLOTS, key as small_key, rng};
use crate::circuit::root::groth16::tests::key as root_key;
use crate::circuit::root::tests::SHAPE;
use crate::circuit::root::{self, Tree};
use crate::circuit::{groth16, root::Chain};
use crate::codec::Canonical;
use crate::evm::{self, Head, Submission, Target};
use crate::machine::{Contract, Machine, Signed};
use crate::node::tests::Cube;
use crate::node::{Draft, NoBatches, Node, file};
use crate::signature::{Secret, decode_key, encode_key};
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::store::Digest;
use crate::token::{Account, Index, Token, Transaction, Workload};

const PARAMS: Params = Params { lanes: 2, timeout: 3, plain: 8 };
const CONTRACT: Contract = Contract { chain_id: 1, address: [7; 20] };

/// The circuits of version 1, whose keys are in use: batches of 64, the two slots of the tests' contract, their root.
const BATCH_64: &str = "ee76dada48989ffab35822eece38d48a8259d85de5ca20af6761dc810aa43db0";
const SEED: [u8; 32] = [9; 32];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/ledger-v1")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn digest(hex: &str) -> Digest {
    core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
}

/// A digest of a file `expected`: a name and its hexadecimal digits in each line.
fn expected(name: &str) -> Digest {
    let text = String::from_utf8(read("expected")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    digest(line.unwrap_or_else(|| panic!("no {name}")))
}

/// The circuit that a key file says it is of.
fn circuit_of(key: &[u8]) -> Digest {
    *key[24..].first_chunk().unwrap()
}

/// Batches of version 1, whatever circuit this build has.
struct Version1(VerifyingKey<Bn254>);

impl BatchVerifier<Token> for Version1 {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        assert_eq!(size, BatchSize::B64);
        groth16::verify(&self.0, &Workload::new(7, 6, 1).genesis(PARAMS).machine, statement, proof)
    }

    fn takes(&self, _: BatchSize) -> bool {
        true
    }

    fn keys(&self) -> crate::store::Digest {
        crate::store::Digest::default()
    }
}

fn accounts(genesis: &Genesis<Token>) -> std::collections::BTreeMap<Index, Account> {
    genesis.cells.iter().cloned().collect()
}

#[test]
fn old_ledgers_open_and_their_blocks_apply() {
    let (temporary, bytes) = (tempfile::tempdir().unwrap(), read("genesis"));
    let genesis = Genesis::<Token>::from_bytes(&bytes).unwrap();
    assert_eq!((genesis.to_bytes(), &genesis), (bytes, &Workload::new(7, 6, 1).genesis(PARAMS)));
    // The log is the truth: the index follows from it.
    let old = temporary.path().join("old");
    fs::create_dir(&old).unwrap();
    ["genesis", "log"].iter().for_each(|name| fs::write(old.join(name), read(name)).unwrap());
    let node = Node::open(&old).unwrap();
    let root = expected("root");
    assert_eq!((node.recovery().replayed, node.replica().chain().root()), (4, root));
    assert_eq!(node.replica().genesis(), expected("genesis"));
    // Every block, with its signature and proof, on a new node.
    let key = read("batch-64.verifying");
    let verifier = Version1(VerifyingKey::from_bytes(&key, &digest(BATCH_64)).unwrap());
    let mut node = Node::init(&temporary.path().join("new"), genesis).unwrap();
    for height in 1..=4 {
        let block = read(&format!("{height}.block"));
        assert_eq!(node.block(node.read_block(&block).unwrap().content), block, "block {height}");
        node.apply(&node.read_block(&block).unwrap(), &verifier).unwrap();
    }
    assert_eq!(node.replica().chain().root(), root);
    let waiting = read("transaction");
    let domain = node.replica().chain().machine().domain();
    let signed: Signed<Transaction> = file::decode_transaction(&domain, &waiting).unwrap();
    assert_eq!(file::encode_transaction(&domain, &signed), waiting);
    node.accept(&signed).unwrap();
    let secret = decode_key(&read("account.key")).unwrap();
    assert_eq!(secret.public(), Secret::from_seed(&SEED).public());
}

#[test]
fn old_keys_and_ceremonies_are_read() {
    let bytes = read("cube.proving");
    let key = ProvingKey::<Bn254>::from_bytes(&bytes, &circuit_of(&bytes)).unwrap();
    let assignment = Assignment::of(&Cube);
    let proof = key.prove(&assignment, &mut rng(1)).unwrap();
    assert_eq!(key.verifying().verify(&assignment.public, &proof), Ok(()));
    assert_eq!(key.to_bytes(), bytes);
    let powers = Powers::<Bn254>::from_bytes(&read("cube.powers")).unwrap();
    let state = CircuitKey::<Bn254>::from_bytes(&read("cube.state")).unwrap();
    let key = state.finalise(&powers, &R1cs::of(&Cube)).unwrap();
    assert_eq!(key.verifying().digest(), expected("ceremony"));
    assert!(state.ends_with(&Beacon::new(b"version 1").delay(10)));
}

#[test]
fn old_calls_of_contracts_are_read() {
    let genesis = Genesis::<Token>::from_bytes(&read("genesis")).unwrap();
    let (token, cells) = (Token { contract: Some(CONTRACT), ..genesis.machine }, accounts(&genesis));
    let input = read("replicas.calldata");
    let call = Submission::from_calldata(&input).unwrap();
    assert_eq!(call.calldata(), input);
    let last = Head::genesis(&token, &expected("genesis"));
    let target = Target { machine: &token, slots: SLOTS, last, blob: None };
    assert_eq!(call.statement(&target, &cells).unwrap().cells.len(), 3);
    assert_eq!(target.next(&call).0, expected("head"));

    let (key, input) = (read("root-2.verifying"), read("root.calldata"));
    let key = VerifyingKey::<Bn254>::from_bytes(&key, &circuit_of(&key)).unwrap();
    let call = evm::RootSubmission::from_calldata(&input).unwrap();
    assert_eq!(call.calldata(), input);
    let tree = Tree::new(SHAPE, &cells).unwrap();
    assert_eq!(word(&tree.root()), expected("root-before"));
    let (post, proof) = call.post_and_proof().unwrap();
    let roots = [tree.root(), post];
    let block = root::groth16::verify(&key, &Chain::new(token, SHAPE), roots, (&call.block, &proof)).unwrap();
    assert_eq!(block.accounts(&cells).unwrap().len(), 3);
}

/// Two transfers of the accounts of the genesis, signed for a chain.
fn transfers(workload: &Workload, token: &Token) -> Vec<Signed<Transaction>> {
    let transfer = |(from, to): (u32, u32)| {
        let operation = crate::token::Operation::Transfer { to: Index(to), amount: 5, memo: 0 };
        let transaction = Transaction { from: Index(from), nonce: 0, operation };
        let signature = workload.secret(from).sign(&token.domain(), &token.message(&transaction));
        Signed { transaction, signature }
    };
    [(1, 2), (2, 3)].map(transfer).into()
}

/// Writes a ledger into the folder, which is not there. Run it with `--ignored`, before the other one.
#[test]
#[ignore = "writes files, once for a version"]
fn write_a_ledger_of_this_version() {
    assert!(!folder().exists(), "files of a version are never replaced");
    fs::create_dir_all(folder()).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder().join(name), bytes).unwrap();
    let (temporary, workload) = (tempfile::tempdir().unwrap(), Workload::new(7, 6, 1));
    let path = temporary.path().join("node");
    write_ledger(&path, &workload, &write);
    for name in ["genesis", "log"] {
        write(name, &fs::read(path.join(name)).unwrap());
    }
}

/// Writes keys, calls, and what is expected of all files. Run it with `--ignored`.
#[test]
#[ignore = "writes files, once for a version"]
fn write_keys_and_calls_of_this_version() {
    assert!(!folder().join("expected").exists(), "files of a version are never replaced");
    let write = |name: &str, bytes: &[u8]| fs::write(folder().join(name), bytes).unwrap();
    let (temporary, workload) = (tempfile::tempdir().unwrap(), Workload::new(7, 6, 1));
    let genesis = workload.genesis(PARAMS);
    ["genesis", "log"].iter().for_each(|name| fs::write(temporary.path().join(name), read(name)).unwrap());
    let node = Node::open(temporary.path()).unwrap();
    let mut lines = vec![("genesis", node.replica().genesis()), ("root", node.replica().chain().root())];
    // Keys and a ceremony of a small circuit.
    let cube = R1cs::of(&Cube);
    write("cube.proving", &setup_local::<Bn254>(&cube, &mut rng(2)).unwrap().to_bytes());
    let beacon = Beacon::new(b"version 1").delay(10);
    let mut powers = Powers::<Bn254>::from_bytes(&crate::node::powers_state(&cube).unwrap()).unwrap();
    powers.contribute(&mut rng(3));
    let mut state = CircuitKey::new(&powers, &cube).unwrap();
    state.contribute(&mut rng(4));
    state.contribute_beacon(&beacon);
    write("cube.powers", &powers.to_bytes());
    write("cube.state", &state.to_bytes());
    lines.push(("ceremony", state.finalise(&powers, &cube).unwrap().verifying().digest()));
    // Calls of both contracts.
    let token = Token { contract: Some(CONTRACT), ..genesis.machine };
    let (batch, cells) = (transfers(&workload, &token), accounts(&genesis));
    let last = Head::genesis(&token, &lines[0].1);
    let target = Target { machine: &token, slots: SLOTS, last, blob: None };
    let call = evm::prove(small_key(), &target, &cells, &batch, &mut rng(5)).unwrap();
    write("replicas.calldata", &call.calldata());
    lines.push(("head", target.next(&call).0));
    let tree = Tree::new(SHAPE, &cells).unwrap();
    let chain = Chain::new(token, SHAPE);
    let proven = root::groth16::prove(root_key(), &chain, (&cells, &tree), &batch, &mut rng(6)).unwrap();
    write("root.calldata", &evm::RootSubmission::new(&proven).unwrap().calldata());
    write("root-2.verifying", &root_key().verifying().to_bytes());
    lines.push(("root-before", word(&tree.root())));
    write("account.key", &encode_key(&Secret::from_seed(&SEED)));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let text: String = lines.iter().map(|(name, value)| format!("{name} {}\n", hex(value))).collect();
    write("expected", text.as_bytes());
}

/// Four blocks, one of each kind.
fn write_ledger(path: &Path, workload: &Workload, write: &dyn Fn(&str, &[u8])) {
    let mut node = Node::init(path, workload.genesis(PARAMS)).unwrap();
    let token = *node.replica().chain().machine();
    let holder = Secret::from_seed(&SEED);
    let key = setup_local(&groth16::circuit(64), &mut rng(1)).unwrap();
    assert_eq!(*key.verifying().circuit(), digest(BATCH_64));
    write("batch-64.verifying", &key.verifying().to_bytes());
    let verifier = Version1(key.verifying().clone());
    let batch = transfers(workload, &token);
    for height in 1..=4 {
        let content = match height {
            1 => Content::Plain(batch[..1].to_vec()),
            2 => node.claim(1, &holder).unwrap(),
            3 => {
                let waiting = batch[1..].to_vec();
                let (draft, _) = Draft::of(node.replica().chain(), waiting, BatchSize::B64).unwrap();
                Content::Batch(draft.prove(&key, 1, Some(&holder)).unwrap().0)
            }
            _ => Content::Empty,
        };
        let bytes = node.block(content);
        let block: Block<Token> = node.read_block(&bytes).unwrap();
        match height {
            3 => node.apply(&block, &verifier).unwrap(),
            _ => node.apply(&block, &NoBatches).unwrap(),
        };
        write(&format!("{height}.block"), &bytes);
    }
    let operation = crate::token::Operation::Burn { amount: 3, memo: 4 };
    let signed = node.sign(Index(4), operation, workload.secret(4)).unwrap();
    write("transaction", &file::encode_transaction(&token.domain(), &signed));
}
