use curve::Field;
use curve::bn254::Fr;
use snark::gadgets::merkle::{ARITY, node};
use snark::r1cs::{Assignment, R1cs};

use super::super::tests::{Cells, TOKEN, state as all_accounts, transfer};
use super::*;
use crate::circuit::Trace;
use crate::machine::Signed;
use crate::token::{Account, Index, Transaction};

mod data;

/// 64 accounts, in eight subtrees.
pub(super) const SHAPE: Shape = match Shape::new(2, 4, 1, 1) {
    Ok(shape) => shape,
    Err(_) => panic!("a shape"),
};

pub(super) fn chain() -> Chain {
    Chain::new(TOKEN, SHAPE)
}

/// Accounts 0, 3 and 4 in one subtree, 20 in another one.
pub(super) fn state() -> Cells {
    let mut cells = all_accounts();
    let last = cells.remove(&Index(u32::MAX)).unwrap();
    cells.insert(Index(20), Account { balance: 77, nonce: 0, ..last });
    cells
}

pub(super) fn tree(state: &Cells) -> Tree {
    Tree::new(SHAPE, state).unwrap()
}

pub(super) fn batch() -> Vec<Signed<Transaction>> {
    vec![transfer([3, 4], 98, 30), transfer([4, 20], 1, 40)]
}

/// A batch with everything that a prover chooses.
#[derive(Clone)]
struct Attempt {
    trace: Trace,
    witness: Witness,
    roots: [Fr; 2],
    block: Block,
}

impl Attempt {
    fn new(batch: &[Signed<Transaction>]) -> Self {
        let trace = Trace::of(&TOKEN, &state(), batch, SHAPE.slots()).unwrap();
        let witness = Witness::new(SHAPE, &tree(&state()), &trace).unwrap();
        let (roots, block) = (witness.roots(), Block::of(&trace.statement.cells));
        Self { trace, witness, roots, block }
    }

    /// Other entries, with paths, subtrees, roots and block that fit them.
    fn with_entries(&mut self, change: impl FnOnce(&mut Vec<Entry>)) {
        let mut entries = self.witness.entries.clone();
        change(&mut entries);
        self.witness = Witness::with_entries(SHAPE, &tree(&state()), &self.trace, entries);
        self.roots = self.witness.roots();
        let used = self.witness.entries.iter().filter(|entry| entry.active);
        let low = |x: Fr| curve::PrimeField::into_bigint(x).0[0];
        let cell = |entry: &Entry| Cell {
            number: entry.number,
            balance: low(entry.after.balance),
            nonce: low(entry.after.nonce) as u32,
        };
        self.block.cells = used.map(cell).collect();
    }

    fn verdict(&self) -> Result<(), &'static str> {
        let public = self.witness.public(&chain(), self.roots, &self.block);
        let circuit = RootCircuit { shape: SHAPE, public: &public, witness: &self.witness };
        Assignment::of(&circuit).violated.map_or(Ok(()), |violated| Err(violated.label))
    }
}

fn changed(change: impl FnOnce(&mut Attempt)) -> Result<(), &'static str> {
    let mut attempt = Attempt::new(&batch());
    change(&mut attempt);
    attempt.verdict()
}

#[test]
fn batches_are_proved_without_free_cells() {
    for count in [1, 2] {
        let Attempt { witness, roots, block, .. } = Attempt::new(&batch()[..count]);
        let public = witness.public(&chain(), roots, &block);
        let circuit = RootCircuit { shape: SHAPE, public: &public, witness: &witness };
        let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
        assert_eq!(system.is_satisfied(&assignment), Ok(()));
        assert_eq!(system.free_cells(&assignment, Fr::from(0x1234_5678u64)), []);
        assert_eq!(assignment.public, public.elements());
        assert_eq!(system.digest(), groth16::circuit(SHAPE).digest());
    }
}

/// Constraints: of slots, entries, the top of the tree, digest, fingerprint, and what all batches share.
fn constraints(shape: Shape) -> [usize; 6] {
    let (slots, entries, subtrees) = (shape.slots(), shape.entries(), ARITY.pow(shape.top as u32));
    let slot = 1834 + 2 * time_bits(slots);
    let entry = 823 * shape.path + 2 * 297 + 33 + 2 * shape.number_bits() + 2 * shape.time_bits();
    let top = (4 + shape.time_bits()) * subtrees + 2 * 402 * (subtrees - 1) / 7;
    let committed = 10 * slots + 1 + 3 * entries + (subtrees * shape.time_bits()).div_ceil(253);
    let digest = 612 * committed.div_ceil(16) - 3;
    let words = shape.words();
    let fingerprint = words + words.ilog2() as usize + words.count_ones() as usize;
    [slots * slot, entries * entry, top, digest, fingerprint, 225]
}

#[test]
fn constraint_counts() {
    for (slots, entries, top, path) in [(2, 4, 1, 1), (3, 6, 1, 0), (1, 2, 1, 2)] {
        let shape = Shape::new(slots, entries, top, path).unwrap();
        assert_eq!(groth16::circuit(shape).constraints(), constraints(shape).iter().sum(), "{shape:?}");
    }
    let all = constraints(Shape::standard(64));
    assert_eq!(all, [118272, 615424, 65348, 40389, 71, 225]);
    let of_chains = |slots| constraints(Shape::standard(slots)).iter().sum::<usize>().div_ceil(slots);
    assert_eq!([64, 256, 1024].map(of_chains), [13121, 12354, 10991]);
}

#[test]
fn malicious_provers_are_stopped() {
    assert_eq!(changed(|_| ()), Ok(()));
    let products = Err("memory: products");
    // The accounts before are those of the tree, and each stands at its number.
    let path = Err("merkle: child on the path");
    assert_eq!(changed(|a| a.with_entries(|e| e[1].before.balance += Fr::ONE)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[1].before.nonce -= Fr::ONE)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[2].key = e[1].key)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[3].number = 21)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[1].new = true)), path);
    // A path that leads to another root, and one to the root of another subtree.
    assert_eq!(changed(|a| a.witness.entries[2].path[0][7] += Fr::ONE), products);
    assert_eq!(changed(|a| a.witness.entries[2].subtree_time = 0), products);
    // The accounts after are those that the slots leave.
    assert_eq!(changed(|a| a.with_entries(|e| e[1].after.balance += Fr::ONE)), products);
    assert_eq!(changed(|a| a.with_entries(|e| e[2].after.nonce += Fr::ONE)), products);
    assert_eq!(changed(|a| a.with_entries(|e| e[3].time += 1)), products);
    // An account that a slot touches is left out; one is passed off as untouched.
    let left_out = |a: &mut Attempt| {
        a.with_entries(|e| {
            e.pop();
            e.insert(0, e[0].clone());
        });
    };
    assert_eq!(changed(left_out), products);
    let unused = Err("root: unused entries change nothing");
    assert_eq!(changed(|a| a.with_entries(|e| e[1].active = false)), unused);
    assert_eq!(changed(|a| a.with_entries(|e| e[0].new = true)), Err("root: new entries are active"));
}

#[test]
fn accounts_are_touched_once_and_in_order() {
    let order = Err("root: increasing numbers");
    assert_eq!(changed(|a| a.with_entries(|e| e.swap(2, 3))), order);
    let unused_last = |a: &mut Attempt| {
        a.with_entries(|e| {
            e.remove(0);
            e.push(Entry { active: false, before: e[2].after, ..e[2].clone() });
        });
    };
    assert_eq!(changed(unused_last), order);
    // Account 20 twice, the second time as the first one has left it: all paths are right.
    let twice = |a: &mut Attempt| {
        a.with_entries(|e| {
            e[0] = e[1].clone();
            e[1] = e[2].clone();
            e[2] = e[3].clone();
            e[3].before = e[2].after;
        });
    };
    assert_eq!(changed(twice), order);
    // Account 0, which no slot touches, may be listed.
    let listed = |a: &mut Attempt| {
        a.with_entries(|e| {
            let account = &state()[&Index(0)];
            let lanes = Leaf { balance: account.balance.into(), nonce: account.nonce.into() };
            let key = [account.key.x(), account.key.y()];
            e[0] = Entry { active: true, number: 0, key, before: lanes, after: lanes, ..Entry::default() };
        });
    };
    assert_eq!(changed(listed), Ok(()));
}

#[test]
fn roots_block_and_digest_are_those_of_the_batch() {
    let state_root = Err("root: of the state");
    let other = Attempt::new(&batch()[..1]);
    let stale = tree(&Cells::new()).root();
    assert_eq!(changed(|a| a.roots[0] = stale), state_root);
    assert_eq!(changed(|a| a.roots[1] = other.roots[1]), state_root);
    // An account that no slot touches is changed, in a subtree that no entry touches.
    let stolen = |a: &mut Attempt| {
        a.witness.subtrees[5].roots[1] += Fr::ONE;
        a.roots = a.witness.roots();
    };
    assert_eq!(changed(stolen), Err("memory: products"));
    assert_eq!(changed(|a| a.witness.subtrees[0].time += 1), Err("memory: products"));
    let block = Err("root: block");
    assert_eq!(changed(|a| a.block.cells[0].balance += 1), block);
    assert_eq!(changed(|a| a.block.cells[2].nonce += 1), block);
    assert_eq!(changed(|a| a.block.cells[1].number += 1), block);
    assert_eq!(changed(|a| a.block.cells.truncate(2)), block);
    assert_eq!(changed(|a| a.block.keys.push(state()[&Index(3)].key)), block);
    let Attempt { witness, roots, block, .. } = Attempt::new(&batch());
    let public = witness.public(&chain(), roots, &block);
    let digest = chain().public(roots, public.digest + Fr::ONE, &block);
    let circuit = RootCircuit { shape: SHAPE, public: &digest, witness: &witness };
    let violated = Assignment::of(&circuit).violated.map(|violated| violated.label);
    assert_eq!(violated, Some("root: digest of the committed cells"));
}

/// Batches of random transfers, most of which the rules accept: the roots are those of the states before and after plain execution, and a follower of blocks has the latter.
#[test]
fn roots_are_those_of_plain_execution() {
    let (mut cells, mut tree) = (state(), tree(&state()));
    let mut numbers = blake3::Hasher::new().update(b"roots").finalize_xof();
    let mut draw = |n: u64| {
        let mut bytes = [0; 8];
        numbers.fill(&mut bytes);
        u64::from_le_bytes(bytes) % n
    };
    let mut proved = 0;
    for _ in 0..12 {
        let [from, next] = [(); 2].map(|()| [0, 3, 4][draw(3) as usize]);
        let [to, last] = [(); 2].map(|()| [0, 3, 4, 20][draw(4) as usize]);
        let nonces = [from, next].map(|number| cells[&Index(number)].nonce);
        let again = nonces[1] + u32::from(from == next);
        let batch =
            [transfer([from, to], 1 + draw(60), nonces[0]), transfer([next, last], 1 + draw(9), again)];
        let batch = &batch[..1 + draw(2) as usize];
        let Ok(trace) = Trace::of(&TOKEN, &cells, batch, SHAPE.slots()) else { continue };
        let witness = Witness::new(SHAPE, &tree, &trace).unwrap();
        let block = Block::of(&trace.statement.cells);
        let after = block.accounts(&cells).unwrap();
        let executed = crate::machine::run(&TOKEN, &cells, batch);
        assert!(executed.is_ok_and(|statement| statement == trace.statement));
        let before = tree.root();
        tree.update(after.iter().map(|(number, account)| (number, account))).unwrap();
        cells.extend(after);
        assert_eq!(witness.roots(), [before, tree.root()]);
        assert_eq!(tree.root(), Tree::new(SHAPE, &cells).unwrap().root());
        let attempt = Attempt { roots: witness.roots(), trace, witness, block };
        assert_eq!(attempt.verdict(), Ok(()), "{batch:?}");
        proved += 1;
    }
    assert!(proved >= 6, "{proved} of 12 batches are accepted");
}
