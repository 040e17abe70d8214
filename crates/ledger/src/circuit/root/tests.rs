use curve::Field;
use curve::bn254::Fr;
use snark::gadgets::merkle::{ARITY, node};
use snark::r1cs::{Assignment, R1cs};

use super::super::tests::{Cells, NEW, TOKEN, burn, create, mint, public, state as all_accounts, transfer};
use super::*;
use crate::circuit::Trace;
use crate::machine::Signed;
use crate::token::{Account, Index, Transaction};

mod data;

/// 64 accounts, in eight subtrees.
pub(crate) const SHAPE: Shape = match Shape::new(2, 4, 1, 1) {
    Ok(shape) => shape,
    Err(_) => panic!("a shape"),
};

pub(super) fn chain() -> Chain {
    Chain::new(TOKEN, SHAPE)
}

/// Accounts 0, 3 and 4 in one subtree, 20 in another one.
pub(crate) fn state() -> Cells {
    let mut cells = all_accounts();
    cells.remove(&Index(u32::MAX));
    cells.insert(Index(20), Account { key: public(20), balance: 77, nonce: 0 });
    cells
}

pub(crate) fn tree(state: &Cells) -> Tree {
    Tree::new(SHAPE, state).unwrap()
}

/// An account that is opened, and pays.
pub(crate) fn batch() -> Vec<Signed<Transaction>> {
    vec![create([4, NEW], 50, 40), transfer([NEW, 20], 30, 0)]
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
        assert!(system.free_cells(&assignment, Fr::from(0x1234_5678u64)).is_empty());
        assert_eq!(assignment.public, public.elements());
        assert_eq!(system.without_commitment().digest(), groth16::circuit(SHAPE).digest());
    }
}

/// Constraints: of slots, entries, the top of the tree, digest, fingerprint, and what all batches share.
fn constraints(shape: Shape) -> [usize; 6] {
    let (slots, entries, subtrees) = (shape.slots(), shape.entries(), ARITY.pow(shape.top as u32));
    let slot = 1842 + 2 * time_bits(slots);
    let entry = 823 * shape.path + 2 * 297 + 33 + 2 * shape.number_bits() + 2 * shape.time_bits();
    let top = (4 + shape.time_bits()) * subtrees + 2 * 402 * (subtrees - 1) / 7;
    let committed = 10 * slots + 1 + 3 * entries + (subtrees * shape.time_bits()).div_ceil(253);
    let digest = 612 * committed.div_ceil(16) - 3;
    let words = shape.words();
    let fingerprint = words + words.ilog2() as usize + words.count_ones() as usize;
    [slots * slot, entries * entry, top, digest, fingerprint, 321]
}

#[test]
fn constraint_counts() {
    for (slots, entries, top, path) in [(2, 4, 1, 1), (3, 6, 1, 0), (1, 2, 1, 2)] {
        let shape = Shape::new(slots, entries, top, path).unwrap();
        assert_eq!(
            groth16::circuit(shape).constraints(),
            constraints(shape).iter().sum::<usize>(),
            "{shape:?}"
        );
    }
    let all = constraints(Shape::standard(64));
    assert_eq!(all, [118784, 615424, 65348, 40389, 71, 321]);
    let of_chains = |slots| constraints(Shape::standard(slots)).iter().sum::<usize>().div_ceil(slots);
    assert_eq!([64, 256, 1024].map(of_chains), [13131, 12363, 11000]);
}

#[test]
fn malicious_provers_are_stopped() {
    assert_eq!(changed(|_| ()), Ok(()));
    let products = Err("memory: products");
    // The accounts before are those of the tree, and each stands at its number.
    let path = Err("merkle: child on the path");
    assert_eq!(changed(|a| a.with_entries(|e| e[1].before.balance += Fr::ONE)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[1].before.nonce -= Fr::ONE)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[3].key = e[1].key)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[3].number = 21)), path);
    // A path that leads to another root, and one to the root that the subtree had before.
    assert_eq!(changed(|a| a.witness.entries[2].path[0][7] += Fr::ONE), products);
    assert_eq!(changed(|a| a.witness.entries[1].subtree_time = 0), products);
    // The accounts after are those that the slots leave.
    assert_eq!(changed(|a| a.with_entries(|e| e[1].after.balance += Fr::ONE)), products);
    assert_eq!(changed(|a| a.with_entries(|e| e[2].after.nonce += Fr::ONE)), products);
    assert_eq!(changed(|a| a.with_entries(|e| e[3].time += 1)), products);
    assert_eq!(changed(|a| a.witness.padding_time += 1), products);
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
}

#[test]
fn accounts_are_opened_where_there_is_none_and_with_a_published_key() {
    let path = Err("merkle: child on the path");
    // An account that is there, passed off as new, and the other way round.
    assert_eq!(changed(|a| a.with_entries(|e| e[1].new = true)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[2].new = false)), path);
    assert_eq!(changed(|a| a.with_entries(|e| e[0].new = true)), Err("root: new entries are active"));
    // A batch of a state in which the number has no account, on a tree in which it has one; and the other way round.
    let mut occupied = state();
    occupied.insert(Index(NEW), Account { key: public(NEW), balance: 40, nonce: 0 });
    let on = |cells: &Cells, batch: &[Signed<Transaction>], other: &Cells| {
        let trace = Trace::of(&TOKEN, cells, batch, SHAPE.slots()).unwrap();
        let honest = Witness::new(SHAPE, &tree(cells), &trace).unwrap();
        let witness = Witness::with_entries(SHAPE, &tree(other), &trace, honest.entries);
        let (roots, block) = (witness.roots(), Block::of(&trace.statement.cells));
        Attempt { trace, witness, roots, block }
    };
    assert_eq!(on(&occupied, &[transfer([NEW, 20], 30, 0)], &occupied).verdict(), Ok(()));
    assert_eq!(on(&state(), &batch(), &occupied).verdict(), path);
    assert_eq!(on(&occupied, &[transfer([4, NEW], 30, 40)], &state()).verdict(), path);
    // A key that is not on the curve, and one with another y than the block has: no block has an odd one.
    let opened = |change: fn(Fr) -> Fr| {
        let mut attempt = Attempt::new(&batch()[..1]);
        let y = &mut attempt.witness.slots[0].other.key.1;
        *y = change(*y);
        attempt.trace.slots = attempt.witness.slots.clone();
        let y = attempt.witness.slots[0].other.key.1;
        attempt.with_entries(|e| e[3].key[1] = y);
        attempt.verdict()
    };
    assert_eq!(opened(|y| y), Ok(()));
    assert_eq!(opened(|y| y + Fr::ONE), Err("root: key on the curve"));
    assert_eq!(opened(|y| -y), Err("root: block"));
    // A key that is not published, and another one.
    assert_eq!(changed(|a| a.block.keys.clear()), Err("root: block"));
    assert_eq!(changed(|a| a.block.keys[0] = public(3)), Err("root: block"));
    assert_eq!(changed(|a| a.block.keys.insert(0, public(3))), Err("root: block"));
}

/// A transaction with the last nonce, which the rules refuse, by a prover who carries it over to the balance of the block: the cell has the same number.
#[test]
fn a_nonce_that_is_used_up_is_not_carried_into_the_balance() {
    let sent_with = |nonce: u32| {
        let mut cells = state();
        // What a transaction with nonce 0 does, with another nonce everywhere.
        let mut trace = Trace::of(&TOKEN, &cells, &[transfer([20, 3], 30, 0)], SHAPE.slots()).unwrap();
        let signed = transfer([20, 3], 30, nonce);
        trace.slots[0].signature = (signed.signature.challenge, signed.signature.response);
        trace.slots[0].sender.nonce = nonce.into();
        cells.get_mut(&Index(20)).unwrap().nonce = nonce;
        trace.statement.cells[1].before.as_mut().unwrap().nonce = nonce;
        let mut entries = Witness::new(SHAPE, &tree(&cells), &trace).unwrap().entries;
        let after = u64::from(nonce) + 1;
        entries.last_mut().unwrap().after.nonce = after.into();
        let witness = Witness::with_entries(SHAPE, &tree(&cells), &trace, entries);
        let mut block = Block::of(&trace.statement.cells);
        let cell = block.cells.last_mut().unwrap();
        (cell.balance, cell.nonce) = (cell.balance + (after >> 32), after as u32);
        Attempt { roots: witness.roots(), trace, witness, block }.verdict()
    };
    assert_eq!(sent_with(u32::MAX - 1), Ok(()));
    assert_eq!(sent_with(u32::MAX), Err("slot: nonces used up"));
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
    let Attempt { witness, roots, block, .. } = Attempt::new(&batch());
    let public = witness.public(&chain(), roots, &block);
    let digest = chain().public(roots, public.digest + Fr::ONE, &block);
    let circuit = RootCircuit { shape: SHAPE, public: &digest, witness: &witness };
    let violated = Assignment::of(&circuit).violated.map(|violated| violated.label);
    assert_eq!(violated, Some("root: digest of the committed cells"));
}

/// Random batches, most of which the rules accept: the roots are those of the states before and after plain execution, and a follower of blocks has the latter.
#[test]
fn roots_are_those_of_plain_execution() {
    let (mut cells, mut tree) = (state(), tree(&state()));
    let mut numbers = blake3::Hasher::new().update(b"roots").finalize_xof();
    let mut draw = |n: u64| {
        let mut bytes = [0; 8];
        numbers.fill(&mut bytes);
        u64::from_le_bytes(bytes) % n
    };
    let (mut proved, mut opened) = (0, 0);
    for step in 0..12 {
        let batch: Vec<_> = (0..1 + draw(2))
            .map(|_| {
                let [from, to] = [(); 2].map(|()| [0, 3, 4, 20][draw(4) as usize]);
                let (nonce, amount) = (cells[&Index(from)].nonce, 1 + draw(30));
                match draw(5) {
                    0 => create([from, 8 + step], amount, nonce),
                    1 => mint([0, to], amount, cells[&Index(0)].nonce),
                    2 => burn(from, amount, nonce),
                    _ => transfer([from, to], amount, nonce),
                }
            })
            .collect();
        let Ok(trace) = Trace::of(&TOKEN, &cells, &batch, SHAPE.slots()) else { continue };
        let executed = crate::machine::run(&TOKEN, &cells, &batch);
        assert!(executed.is_ok_and(|statement| statement == trace.statement));
        let witness = Witness::new(SHAPE, &tree, &trace).unwrap();
        let block = Block::of(&trace.statement.cells);
        let after = block.accounts(&cells).unwrap();
        let before = tree.root();
        tree.update(after.iter().map(|(number, account)| (number, account))).unwrap();
        cells.extend(after);
        assert_eq!(witness.roots(), [before, tree.root()]);
        assert_eq!(tree.root(), Tree::new(SHAPE, &cells).unwrap().root());
        (proved, opened) = (proved + 1, opened + block.keys.len());
        let attempt = Attempt { roots: witness.roots(), trace, witness, block };
        assert_eq!(attempt.verdict(), Ok(()), "{batch:?}");
    }
    assert!(proved >= 6 && opened >= 1, "{proved} of 12 batches are accepted, {opened} accounts opened");
}
