//! What others put into a node's folders or do to its directory, and what becomes of a proof meanwhile.

use super::*;
use crate::chain::Batch;
use crate::signature::Signature;

impl Setting {
    /// Something with account `from` in the place of its sender, which account 5 has signed.
    pub(super) fn forged(&self, from: u32, nonce: u32, memo: u64) -> Signed<Transaction> {
        let operation = Operation::Transfer { to: Index(2), amount: 1, memo };
        let transaction = Transaction { from: Index(from), nonce, operation };
        let chain = self.node.replica().chain();
        let signature: Signature =
            self.workload.secret(5).sign(&chain.machine().domain(), &chain.machine().message(&transaction));
        Signed { transaction, signature }
    }

    fn ends(&self) -> Vec<(u32, u32)> {
        let waiting = self.inbox().read().unwrap().transactions;
        waiting.iter().map(|signed| (signed.transaction.from.0, signed.transaction.nonce)).collect()
    }
}

/// A full batch of forgeries in front, and one honest transaction behind them.
#[test]
fn worthless_transactions_keep_no_room_from_others() {
    let mut s = Setting::new();
    let size = BatchSize::B64;
    (0..64).for_each(|memo| drop(s.inbox().put(&s.forged(0, 0, memo)).unwrap()));
    s.inbox().put(&s.forged(77, 0, 0)).unwrap();
    let honest = s.transfer(3, 4, 5).unwrap();
    s.inbox().put(&honest).unwrap();
    // Those that the state refuses take no room.
    let all = s.inbox().read().unwrap().transactions;
    assert_eq!(all.len(), 66);
    let (draft, left_out) = Draft::of(s.node.replica().chain(), all, size).unwrap();
    assert_eq!((draft.transactions(), left_out.len(), draft.size()), (&[honest.clone()][..], 65, size));
    // Nor do honest ones that cannot be paid.
    let mut queue: Vec<_> = (0..65).map(|nonce| s.payment(0, nonce, 1 << 50)).collect();
    queue.push(honest.clone());
    let (draft, left_out) = Draft::of(s.node.replica().chain(), queue, size).unwrap();
    assert_eq!((draft.transactions().len(), left_out.len()), (1, 65));
    // A full batch is not exceeded.
    let many = some(&mut Workload::new(7, 6, 1), 70);
    let (draft, _) = Draft::of(s.node.replica().chain(), many, size).unwrap();
    assert_eq!(draft.transactions().len(), 64);
    // They are removed where the state is at hand: by whoever proves, and of accounts that do not exist by whoever applies a block.
    let block = s.next(Content::Empty);
    s.node.apply(&block, &NoBatches).unwrap();
    assert_eq!(s.ends().len(), 65);
    let waiting = s.node.waiting().unwrap();
    assert_eq!((waiting.transactions, s.ends()), (vec![honest], vec![(3, 0)]));
}

#[test]
fn transactions_from_elsewhere_are_checked_before_they_wait() {
    let s = Setting::new();
    let refused = |signed: &Signed<Transaction>| s.node.accept(signed).unwrap_err().to_string();
    assert!(refused(&s.forged(0, 0, 0)).contains("not that of account 0"));
    assert!(refused(&s.forged(77, 0, 0)).contains("account 77 does not exist"));
    let first = s.transfer(3, 4, 5).unwrap();
    let path = s.node.accept(&first).unwrap();
    assert_eq!(s.node.accept(&first).unwrap(), path, "twice is once");
    assert_eq!(s.ends(), [(3, 0)]);
    let block = s.next(s.node.plain(vec![first.clone()]).unwrap().0);
    let mut s = s;
    s.node.apply(&block, &NoBatches).unwrap();
    assert!(s.node.accept(&first).unwrap_err().to_string().contains("nonce 0 was used, the next one is 1"));
    assert_eq!(s.ends(), []);
}

/// Each of these would hold up its account for ever: the rules, or the accounts that there are, refuse it in every later state.
#[test]
fn what_no_state_will_accept_does_not_wait() {
    let s = Setting::new();
    let (one, key) = (Index(1), s.workload.secret(5).public());
    let hopeless = [
        (Operation::Transfer { to: Index(2), amount: 0, memo: 0 }, "the amount is 0"),
        (Operation::Burn { amount: 0, memo: 0 }, "the amount is 0"),
        (Operation::Transfer { to: Index(2), amount: u64::MAX, memo: 0 }, "more than 64 bits"),
        (Operation::Create { to: one, amount: 1, key }, "account 1 exists already"),
        (Operation::Create { to: Index(2), amount: 1, key }, "account 2 exists already"),
        (Operation::Mint { to: Index(2), amount: 1, memo: 0 }, "account 1 is not the issuer"),
    ];
    let (chain, secret) = (s.node.replica().chain(), s.workload.secret(1));
    let signed = |nonce: u32, operation: Operation| {
        let transaction = Transaction { from: one, nonce, operation };
        let signature = secret.sign(&chain.machine().domain(), &chain.machine().message(&transaction));
        Signed { transaction, signature }
    };
    let refused = |result: Result<PathBuf, NodeError>, said: &str| {
        let refused = result.unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    };
    for waiting in [0, 1] {
        for (operation, said) in &hopeless {
            refused(s.node.sign(one, operation.clone(), secret).map(|_| PathBuf::new()), said);
            for nonce in [0, 1, 7] {
                refused(s.node.accept(&signed(nonce, operation.clone())), said);
            }
        }
        // What a later state may accept waits behind another transaction alone: more than there is, and to whom there is not yet.
        let later = [
            Operation::Transfer { to: Index(2), amount: u64::MAX - 1, memo: 0 },
            Operation::Transfer { to: Index(77), amount: 1, memo: 0 },
            Operation::Create { to: Index(77), amount: u64::MAX - 1, key },
        ];
        for operation in later {
            assert_eq!(s.node.sign(one, operation.clone(), secret).is_ok(), waiting == 1, "{operation:?}");
            assert!(s.node.accept(&signed(0, operation)).is_err());
        }
        assert_eq!(s.ends().len(), waiting);
        s.node.accept(&s.transfer(1, 2, 5).unwrap()).unwrap();
    }
    let last = signed(u32::MAX, Operation::Burn { amount: 1, memo: 0 });
    refused(s.node.accept(&last), "used up its nonces");
    s.node.accept(&signed(5, Operation::Transfer { to: Index(77), amount: 1 << 60, memo: 0 })).unwrap();
}

/// Opening a pipe waits for whoever is at its other end: what is no plain file is named instead.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_holds_up_nobody() {
    let s = Setting::new();
    s.node.accept(&s.transfer(3, 4, 5).unwrap()).unwrap();
    let pipe = |name: &str| {
        let path = s.path(name);
        let _ = fs::remove_file(&path);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let in_inbox = pipe("node/inbox/pipe.transaction");
    let waiting = s.inbox().read().unwrap();
    assert_eq!((waiting.transactions.len(), &waiting.unusable[0].0), (1, &in_inbox));
    assert!(waiting.unusable[0].1.to_string().contains("no plain file"));
    assert_eq!(s.node.waiting().unwrap().unusable.len(), 1);
    let path = s.path("node");
    let names = ["lock", "index", "log", "genesis"].map(|name| format!("node/{name}"));
    let kept: Vec<_> = names.iter().map(|name| fs::read(s.path(name)).unwrap()).collect();
    for (name, bytes) in names.iter().zip(kept) {
        let there = pipe(name);
        let refused = Node::open(&path).unwrap_err().to_string();
        assert!(refused.contains("no plain file"), "{name}: {refused}");
        fs::remove_file(&there).unwrap();
        fs::write(there, bytes).unwrap();
    }
}

/// However many files there are, each sender's first ones are read, and all that is over is removed.
#[test]
fn nobody_fills_the_inbox_for_others() {
    let s = Setting::new();
    (0..40).for_each(|nonce| drop(s.inbox().put(&s.forged(1, nonce, 0)).unwrap()));
    let honest = [s.transfer(3, 4, 5).unwrap(), s.transfer(4, 3, 5).unwrap()];
    honest.iter().for_each(|signed| drop(s.inbox().put(signed).unwrap()));
    (0..20).for_each(|i| fs::write(s.path(&format!("node/inbox/{i}.part")), b"").unwrap());
    (0..20).for_each(|i| fs::write(s.path(&format!("node/inbox/{i}.transaction")), b"").unwrap());
    let waiting = s.inbox().read_at_most(8).unwrap();
    let list = waiting.transactions;
    assert!(list.len() <= 8 && waiting.unusable.len() <= 8, "{}", list.len());
    assert!(honest.iter().all(|signed| list.contains(signed)));
    let of_one: Vec<u32> =
        list.iter().filter(|s| s.transaction.from.0 == 1).map(|s| s.transaction.nonce).collect();
    assert!(of_one.is_sorted() && !of_one.is_empty(), "{of_one:?}");
    assert_eq!(s.inbox().sweep(|signed| signed.transaction.from.0 == 1).unwrap(), 40, "all of them");
    let one_each = s.inbox().read_at_most(1).unwrap().transactions;
    assert_eq!(one_each.len(), 1);
}

#[test]
fn a_forgery_takes_no_nonce_of_its_victim() {
    let s = Setting::new();
    s.inbox().put(&s.forged(3, 0, 0)).unwrap();
    let signed = s.transfer(3, 4, 5).unwrap();
    assert_eq!(signed.transaction.nonce, 0);
    s.node.accept(&signed).unwrap();
    s.inbox().put(&s.forged(3, 1, 0)).unwrap();
    assert_eq!(s.transfer(3, 4, 5).unwrap().transaction.nonce, 1, "behind its own alone");
}

impl Setting {
    fn payment(&self, from: u32, nonce: u32, amount: u64) -> Signed<Transaction> {
        let operation = Operation::Transfer { to: Index(2), amount, memo: 0 };
        let transaction = Transaction { from: Index(from), nonce, operation };
        let chain = self.node.replica().chain();
        let (domain, message) = (chain.machine().domain(), chain.machine().message(&transaction));
        let signature = self.workload.secret(from).sign(&domain, &message);
        Signed { transaction, signature }
    }

    /// A batch of one transfer whose proof is taken for granted.
    pub(super) fn batch(&self, lane: u8, holder: Option<&Secret>) -> Batch {
        let transfer = self.transfer(3, 4, 5).unwrap();
        let chain = self.node.replica().chain();
        let (proposal, _) = crate::chain::propose(chain, vec![transfer], BatchSize::B64);
        proposal.unwrap().finish(chain.machine(), lane, vec![1; 8], holder)
    }
}

/// Others have the directory, put blocks in front, or take the lane while a proof is made: the proof is not lost.
#[test]
fn a_proof_survives_what_happens_meanwhile() {
    let mut s = Setting::new();
    let (path, batch) = (s.path("node"), s.batch(0, None));
    let content = || Content::Batch(batch.clone());
    let place = s.node.place();
    let short = Duration::from_millis(1);
    // The directory is never free.
    let finished = place.finish(&path, content(), short);
    assert!(matches!(finished.refused, Some(NodeError::Replica(ReplicaError::Store(StoreError::Locked(_))))));
    assert_eq!(finished.bytes, s.node.block(content()), "where it was to be");
    // It is free after a while, and another block is there.
    let block = s.next(Content::Empty);
    s.node.apply(&block, &NoBatches).unwrap();
    let Setting { folder, workload, node } = s;
    drop(node);
    let (opened, is_open) = std::sync::mpsc::channel();
    let theirs = path.clone();
    let other = std::thread::spawn(move || {
        let node = Node::open(&theirs).unwrap();
        opened.send(()).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        drop(node);
    });
    is_open.recv().unwrap();
    let finished = place.finish(&path, content(), Duration::from_secs(60));
    other.join().unwrap();
    assert!(finished.refused.is_none() && finished.height == 2, "{:?}", finished.refused);
    let mut s = Setting { folder, workload, node: Node::open(&path).unwrap() };
    assert_eq!(finished.bytes, s.node.block(content()), "behind the last block");
    // The lane, which was open, is somebody's: a batch without their signature is no next block, though its values fit.
    let block = s.next(s.node.claim(0, s.workload.secret(5)).unwrap());
    s.node.apply(&block, &NoBatches).unwrap();
    let next = s.next(content());
    assert!(s.node.replica().chain().check(&next, None).is_ok(), "but for its signature");
    drop(s.node);
    let finished = place.finish(&path, content(), short);
    let refused = finished.refused.unwrap().to_string();
    assert!(refused.contains("not signed") && finished.height == 1, "{refused}");
    // With the signature it is.
    let node = Node::open(&path).unwrap();
    let s = Setting { folder: s.folder, workload: s.workload, node };
    let signed = s.next(Content::Batch(s.batch(0, Some(s.workload.secret(5)))));
    s.node.check_made(&signed).unwrap();
}

/// Names of files on their way are nobody's guess, and what is there stays.
#[test]
fn what_is_beside_a_file_is_left_alone() {
    let s = Setting::new();
    let process = std::process::id();
    let beside = s.path(&format!("other.{process}.part"));
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("theirs"), b"1").unwrap();
    Node::init(&s.path("other"), s.workload.genesis(PARAMS)).unwrap();
    assert_eq!(fs::read(beside.join("theirs")).unwrap(), b"1");
    let [key, target] = ["key.proving", "target"].map(|name| s.path(name));
    fs::write(&key, b"proving").unwrap();
    fs::hard_link(&key, s.path(&format!("key.{process}.part"))).unwrap();
    durable::write_new(&s.path("key.verifying"), b"verifying").unwrap();
    assert_eq!(fs::read(&key).unwrap(), b"proving");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&target, s.path(&format!("new.{process}.part"))).unwrap();
        durable::write_new(&s.path("new"), b"1").unwrap();
        assert!(!target.exists());
    }
    fs::write(&target, b"1").unwrap();
    assert!(matches!(durable::write_new(&target, b"2"), Err(NodeError::Exists(_))));
    let names: Vec<String> = fs::read_dir(s.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".part") && !name.contains(&format!(".{process}.")))
        .collect();
    assert_eq!(names, Vec::<String>::new());
}

#[test]
fn scratch_is_new_and_goes_alone() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = || Scratch::within(folder.path(), "x").unwrap();
    let [first, second] = [scratch(), scratch()];
    assert_ne!(first.path(), second.path());
    fs::write(first.path().join("file"), b"1").unwrap();
    drop(second);
    assert_eq!(fs::read(first.path().join("file")).unwrap(), b"1");
    drop(first);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The rules in a directory are those of its log.
#[test]
fn a_genesis_of_another_chain_is_found() {
    let s = Setting::new();
    let path = s.path("node");
    drop(s.node);
    let mut other = s.workload.genesis(PARAMS);
    other.machine.chain += 1;
    let right = fs::read(path.join(GENESIS)).unwrap();
    fs::write(path.join(GENESIS), other.to_bytes()).unwrap();
    assert!(matches!(Node::open(&path), Err(NodeError::OtherChain("file `genesis`"))));
    fs::write(path.join(GENESIS), &right).unwrap();
    Node::open(&path).unwrap();
}

/// A directory with a file of that name that is none: its owner's files stay as they are, and nothing is added.
#[test]
fn nothing_is_written_into_a_directory_that_is_no_node() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join(GENESIS), b"of something else").unwrap();
    for name in ["index", "log"] {
        fs::write(path.join(name), b"precious").unwrap();
        assert!(matches!(Node::open(path), Err(NodeError::File { what: "genesis", .. })));
        assert_eq!(fs::read(path.join(name)).unwrap(), b"precious");
        assert!(!path.join("lock").exists());
    }
}

/// A key of an older build, and requests for batches without a key: the node verifies what it has keys for.
#[test]
fn a_node_without_a_key_goes_on() {
    let s = Setting::new();
    let transactions = vec![s.transfer(1, 2, 5).unwrap()];
    let empty = s.node.block(Content::Empty);
    let Setting { folder, node, .. } = s;
    let keys = Keys::new(&folder.path().join("keys"), false).with_circuit(64, [1; 32]);
    fs::create_dir(keys.folder()).unwrap();
    fs::write(keys.folder().join("batch-64-0000000000000000.verifying"), b"old").unwrap();
    assert_eq!(keys.sizes(), []);
    let prove = Request::Prove { lane: 0, size: BatchSize::B64, transactions };
    let mut input = Vec::new();
    for request in [prove, Request::Apply(empty)] {
        frame::write(&mut input, &request.encode()).unwrap();
    }
    let mut output = Vec::new();
    serve(node, &keys, None, &mut Cursor::new(input), &mut output).unwrap();
    let mut output = Cursor::new(output);
    let mut reply = || Reply::decode(frame::read(&mut output).unwrap().unwrap()).unwrap();
    assert!(matches!(reply(), Reply::Refused(why) if why.contains("no verifying key")));
    assert!(matches!(reply(), Reply::Tip { height: 1, .. }));
}

/// One half of a pair of keys is no free place for another pair.
#[test]
fn a_proving_key_alone_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let keys = Keys::new(folder.path(), true);
    let name: String = keys.circuit(SLOTS)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let path = folder.path().join(format!("batch-{SLOTS}-{name}.proving"));
    fs::write(&path, b"from the coordinator").unwrap();
    assert!(matches!(keys.make_local(SLOTS), Err(NodeError::Exists(_))));
    assert_eq!(fs::read(&path).unwrap(), b"from the coordinator");
}

/// A process is killed after it has written the prover's key: the same command writes the other one, of the same pair.
#[test]
fn a_pair_of_keys_of_which_one_is_missing_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let keys = Keys::new(folder.path(), true);
    let key = keys.make_local(SLOTS).unwrap();
    let paths = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let verifying = paths.into_iter().find(|path| path.extension().is_some_and(|e| e == "verifying"));
    let (verifying, digest) = (verifying.unwrap(), key.verifying().digest());
    let complete = |made: Result<(), NodeError>| {
        made.unwrap();
        assert_eq!(keys.proving(SLOTS).unwrap().verifying().digest(), digest);
        fs::remove_file(&verifying).unwrap();
    };
    fs::remove_file(&verifying).unwrap();
    complete(keys.make_local(SLOTS).map(drop));
    complete(keys.save(SLOTS, &key));
    let other = Keys::new(&folder.path().join("other"), true).make_local(SLOTS).unwrap();
    assert!(matches!(keys.save(SLOTS, &other), Err(NodeError::Exists(_))), "half of another pair");
    assert!(!verifying.exists());
}
