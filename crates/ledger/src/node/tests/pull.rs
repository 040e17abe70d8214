//! Nodes that pull blocks from another one, which is honest or an enemy's.

use std::cell::{Cell, RefCell};

use super::*;

type Reply = Result<Vec<u8>, TransportError>;

/// Changes to an answer, by its path.
type Spoil = Box<dyn Fn(&str, Reply) -> Reply>;

/// A node that has blocks, and a folder with others of its chain.
struct Other {
    s: Setting,
    blocks: RefCell<Vec<Vec<u8>>>,
    spoil: RefCell<Spoil>,
    asked: Cell<usize>,
}

impl Source for Other {
    fn get(&self, path: &str, _: usize) -> Reply {
        self.asked.set(self.asked.get() + 1);
        let found = match path.strip_prefix("/blocks/") {
            Some(number) => {
                let at = number.parse::<usize>().unwrap() - 1;
                self.blocks.borrow().get(at).cloned().ok_or(TransportError::Status(404))
            }
            None => {
                assert_eq!(path, "/genesis");
                Ok(fs::read(self.s.path("node/genesis")).unwrap())
            }
        };
        self.spoil.borrow()(path, found)
    }
}

impl Other {
    /// With a transfer, a claim, and `empty` blocks behind them.
    fn new(empty: usize) -> Self {
        let s = Setting::new();
        let spoil: Spoil = Box::new(|_, reply| reply);
        let (blocks, spoil, asked) = (RefCell::default(), RefCell::new(spoil), Cell::new(0));
        let mut other = Self { s, blocks, spoil, asked };
        let transfer = other.s.transfer(1, 2, 5).unwrap();
        other.put(Content::Plain(vec![transfer]));
        let claim = other.s.node.claim(0, other.s.workload.secret(1)).unwrap();
        other.put(claim);
        (0..empty).for_each(|_| other.put(Content::Empty));
        other
    }

    fn put(&mut self, content: Content<Token>) {
        let bytes = self.s.node.block(content);
        let block = self.s.node.read_block(&bytes).unwrap();
        self.s.node.apply(&block, &NoBatches).unwrap();
        self.blocks.borrow_mut().push(bytes);
    }

    /// A node of the chain that has nothing.
    fn node(&self, name: &str) -> PathBuf {
        let path = self.s.path(name);
        Node::init(&path, self.s.workload.genesis(PARAMS)).unwrap();
        path
    }

    fn pull(&self, path: &Path, to: Option<u64>) -> Result<Pulled, PullError> {
        let keys = Keys::new(&Node::keys_folder(path), false);
        Puller::new((path, &keys), self).unwrap().round(to)
    }

    fn spoiled(&self, spoil: impl Fn(&str, Reply) -> Reply + 'static) {
        *self.spoil.borrow_mut() = Box::new(spoil);
    }
}

fn height(path: &Path) -> u64 {
    Node::open(path).unwrap().replica().chain().tip().height
}

#[test]
fn a_node_has_the_root_of_the_one_that_it_pulls_from() {
    let mut other = Other::new(38);
    let path = other.node("b");
    let pulled = other.pull(&path, Some(1)).unwrap();
    assert_eq!((pulled.height, pulled.applied, other.asked.get()), (1, 1, 2));
    // More than a group, and the answer of the end.
    let pulled = other.pull(&path, None).unwrap();
    let tip = other.s.node.replica().chain().tip();
    assert_eq!((pulled.height, pulled.applied, pulled.root), (40, 39, tip.root));
    assert_eq!(Node::open(&path).unwrap().replica().chain().tip(), tip);
    let keys = Keys::new(&Node::keys_folder(&path), false);
    assert_eq!(other.pull(&path, None).unwrap().applied, 0);
    other.put(Content::Empty);
    let mut puller = Puller::new((&path, &keys), &other).unwrap();
    assert_eq!([puller.round(None).unwrap().applied, puller.round(None).unwrap().applied], [1, 0]);
    // The other end's chain was looked at once.
    let asked = other.asked.get();
    puller.round(None).unwrap();
    assert_eq!(other.asked.get() - asked, 2, "the last block and the next one");
}

#[test]
fn what_an_enemy_serves_is_an_error_and_nothing_is_lost() {
    type Case = (&'static str, fn(Vec<u8>) -> Reply, &'static str, bool, u64);
    let cases: [Case; 12] = [
        (
            "/genesis",
            |mut bytes| {
                bytes[30] ^= 1;
                Ok(bytes)
            },
            "of another chain",
            false,
            0,
        ),
        ("/genesis", |bytes| Ok([bytes, vec![0]].concat()), "of another chain", false, 0),
        ("/genesis", |_| Ok(vec![]), "of another chain", false, 0),
        ("/genesis", |_| Err(TransportError::Status(404)), "no answer to /genesis: status 404", true, 0),
        ("/blocks/2", |_| Err(TransportError::Status(503)), "no answer to /blocks/2: status 503", true, 1),
        (
            "/blocks/2",
            |_| Err(TransportError::Failed("timeout".into())),
            "no answer to /blocks/2: timeout",
            true,
            1,
        ),
        ("/blocks/2", |_| Ok(vec![0; (1 << 22) + 65]), "longer than 4194368 bytes", true, 1),
        ("/blocks/2", |_| Ok(b"<html>".to_vec()), "as block 2 is none", true, 1),
        ("/blocks/2", |bytes| Ok(bytes[..60].to_vec()), "as block 2 is none", true, 1),
        (
            "/blocks/2",
            |mut bytes| {
                bytes[9] ^= 1;
                Ok(bytes)
            },
            "of another chain",
            false,
            1,
        ),
        // The last byte of the claim's signature.
        (
            "/blocks/2",
            |mut bytes| {
                *bytes.last_mut().unwrap() ^= 1;
                Ok(bytes)
            },
            "block 2 of the other node is refused",
            false,
            1,
        ),
        // The parent.
        (
            "/blocks/1",
            |mut bytes| {
                bytes[50] ^= 1;
                Ok(bytes)
            },
            "block 1 of the other node is refused",
            false,
            0,
        ),
    ];
    let other = Other::new(1);
    for (at, (of, change, said, transient, applied)) in cases.into_iter().enumerate() {
        let path = other.node(&format!("{at}"));
        other.spoiled(move |path, reply| if path == of { change(reply.unwrap()) } else { reply });
        let refused = other.pull(&path, None).expect_err(said);
        assert!(refused.to_string().contains(said), "{said}: {refused}");
        assert_eq!((refused.is_transient(), height(&path)), (transient, applied), "{said}");
        other.spoiled(|_, reply| reply);
        assert_eq!(other.pull(&path, None).unwrap().height, 3, "an honest one goes on: {said}");
    }
    // Another block in the place of the next one, and a batch for which there is no key.
    let path = other.node("swapped");
    let (third, batch) = (other.blocks.borrow()[2].clone(), Content::Batch(other.s.batch(0, None)));
    let block = Node::open(&path).unwrap().block(batch);
    for (bytes, said) in [(third, "refused: the block has height 3"), (block, "no verifying key")] {
        other.spoiled(move |path, reply| if path == "/blocks/1" { Ok(bytes.clone()) } else { reply });
        let refused = other.pull(&path, None).expect_err(said);
        assert!(refused.to_string().contains(said) && !refused.is_transient(), "{said}: {refused}");
        assert_eq!(height(&path), 0);
    }
}

#[test]
fn nodes_that_are_behind_or_have_parted_are_told() {
    let other = Other::new(0);
    let path = other.node("b");
    other.pull(&path, None).unwrap();
    let last = other.blocks.borrow_mut().pop().unwrap();
    let behind = other.pull(&path, None).unwrap_err();
    assert!(matches!(behind, PullError::Behind { height: 2 }) && behind.is_transient(), "{behind}");
    // Another one in its place, which the chain would have taken, too.
    let mut node = Node::open(&other.node("c")).unwrap();
    let first = node.read_block(&other.blocks.borrow()[0]).unwrap();
    node.apply(&first, &NoBatches).unwrap();
    other.blocks.borrow_mut().push(node.block(Content::Empty));
    drop(node);
    let parted = other.pull(&path, None).unwrap_err();
    assert!(matches!(parted, PullError::Parted { height: 2 }) && !parted.is_transient(), "{parted}");
    // Another process has the directory, or has applied a block while the answer was waited for.
    other.blocks.borrow_mut().truncate(1);
    other.blocks.borrow_mut().push(last);
    let node = Node::open(&path).unwrap();
    let locked = other.pull(&path, None).unwrap_err();
    assert!(locked.is_transient() && locked.to_string().contains("another process"), "{locked}");
    drop(node);
    let (fresh, block) = (other.node("d"), other.blocks.borrow()[0].clone());
    let theirs = fresh.clone();
    other.spoiled(move |path, reply| {
        if path == "/blocks/1" && height(&theirs) == 0 {
            let mut node = Node::open(&theirs).unwrap();
            let block = node.read_block(&block).unwrap();
            node.apply(&block, &NoBatches).unwrap();
        }
        reply
    });
    let moved = other.pull(&fresh, None).unwrap_err();
    assert!(matches!(moved, PullError::Moved) && moved.is_transient(), "{moved}");
    assert_eq!(other.pull(&fresh, None).unwrap().height, 2);
}
