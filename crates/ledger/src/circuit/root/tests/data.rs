//! The tree and the block, without the circuit.

use super::*;
use crate::Invalid;

/// The root by its definition.
fn plain(cells: &Cells) -> Fr {
    let mut level: Vec<Fr> = (0..64).map(|number| leaf(cells.get(&Index(number)))).collect();
    while level.len() > 1 {
        let groups = level.chunks(ARITY);
        level = groups.map(|group| node(Fr::from(tree::NODE), group.try_into().unwrap())).collect();
    }
    level[0]
}

#[test]
fn changed_trees_have_the_root_of_their_accounts() {
    assert_eq!(tree(&Cells::new()).root(), plain(&Cells::new()));
    let (mut cells, mut tree) = (state(), tree(&state()));
    assert_eq!(tree.root(), plain(&cells));
    let some = cells[&Index(3)].clone();
    for number in [5, 20, 63, 0, 21] {
        let account = Account { balance: 1 + u64::from(number), ..some.clone() };
        tree.update([(&Index(number), &account)]).unwrap();
        cells.insert(Index(number), account);
        assert_eq!(tree.root(), plain(&cells), "{number}");
        assert_eq!(tree.root(), Tree::new(SHAPE, &cells).unwrap().root());
        assert_eq!(tree.leaf_at(Index(number)), leaf(cells.get(&Index(number))));
    }
    let root = tree.root();
    assert!(tree.update([(&Index(1), &some), (&Index(64), &some)]).is_err(), "beyond the tree");
    assert_eq!(tree.root(), root);
}

#[test]
fn trees_of_states_that_the_circuit_cannot_take_are_refused() {
    let mut cells = state();
    let some = cells[&Index(3)].clone();
    cells.insert(Index(64), some.clone());
    let refused = Tree::new(SHAPE, &cells).map(|_| ());
    assert_eq!(refused, Err(ShapeError("an account's number is not one of the tree")));
    cells = state();
    cells.insert(Index(5), Account { balance: u64::MAX, ..some });
    let refused = Tree::new(SHAPE, &cells).map(|_| ());
    assert_eq!(refused, Err(ShapeError("the accounts together hold 2^64 or more")));
}

#[test]
fn leaves_depend_on_every_lane_and_are_no_nodes() {
    let account = state()[&Index(3)].clone();
    let other_key = state()[&Index(4)].key;
    let leaves = [
        leaf(Some(&account)),
        leaf(Some(&Account { balance: account.balance + 1, ..account.clone() })),
        leaf(Some(&Account { nonce: account.nonce + 1, ..account.clone() })),
        leaf(Some(&Account { key: other_key, ..account })),
        leaf(None),
        node(Fr::from(tree::NODE), &[leaf(None); ARITY]),
        node(Fr::from(tree::LEAF), &[leaf(None); ARITY]),
    ];
    assert!((1..leaves.len()).all(|i| !leaves[..i].contains(&leaves[i])));
}

#[test]
fn shapes_have_bounds() {
    assert_eq!(Shape::standard(64), Shape::new(64, 128, 3, 5).unwrap());
    assert_eq!(Shape::standard(1024), Shape::new(1024, 2048, 4, 4).unwrap());
    assert_eq!((Shape::standard(64).accounts(), Shape::standard(64).words()), (1 << 24, 64));
    for (slots, entries, top, path) in
        [(0, 2, 1, 1), (4097, 2, 1, 1), (1, 0, 1, 1), (1, 3, 1, 1), (1, 2, 0, 0), (1, 2, 5, 1), (1, 2, 1, 8)]
    {
        assert!(Shape::new(slots, entries, top, path).is_err(), "{slots} {entries} {top} {path}");
    }
}

fn block(cells: u32, keys: u32) -> Block {
    let cell = |number| Cell { number: 60 - cells + number, balance: u64::MAX - 7, nonce: 5 + number };
    let keys = (0..keys).map(|i| state()[&Index([3, 4][i as usize])].key).collect();
    Block { keys, cells: (0..cells).map(cell).collect() }
}

#[test]
fn blocks_have_one_encoding() {
    for (cells, keys) in [(0, 0), (1, 0), (2, 2), (3, 1), (4, 2)] {
        let block = block(cells, keys);
        let bytes = block.to_bytes();
        assert_eq!(bytes.len(), 2 + 64 * keys as usize + 30 * cells.div_ceil(2) as usize);
        assert_eq!(Block::from_bytes(SHAPE, &bytes), Ok(block));
        for end in 0..bytes.len() {
            let cut = Block::from_bytes(SHAPE, &bytes[..end]);
            assert!(cut.is_err() || cut.unwrap().to_bytes() == bytes[..end], "{end} bytes");
        }
        assert!(Block::from_bytes(SHAPE, &[&bytes[..], &[1]].concat()).is_err());
    }
    let refused = |block: &Block| Block::from_bytes(SHAPE, &block.to_bytes()).unwrap_err().0;
    let cells = |numbers: &[u32]| {
        let cell = |&number| Cell { number, balance: 1, nonce: 0 };
        Block { keys: vec![], cells: numbers.iter().map(cell).collect() }
    };
    assert_eq!(refused(&block(5, 0)), "more cells than there are entries");
    assert_eq!(refused(&block(1, 2)), "more keys than cells");
    assert_eq!(refused(&cells(&[3, 3])), "the cells are not in strictly increasing order");
    assert_eq!(refused(&cells(&[3, 2])), "the cells are not in strictly increasing order");
    let zeros = [&[0; 32][..], &block(2, 0).to_bytes()[2..]].concat();
    assert_eq!(Block::from_bytes(SHAPE, &zeros), Err(Invalid("a block that starts with a word of zeros")));
    let mut bytes = block(2, 1).to_bytes();
    bytes[1] = 5;
    assert_eq!(Block::from_bytes(SHAPE, &bytes), Err(Invalid("more keys than there are entries")));
    bytes[1] = 1;
    bytes[40] ^= 1;
    assert!(Block::from_bytes(SHAPE, &bytes).is_err(), "no point of the curve");
    bytes[40] ^= 1;
    let odd = block::word(&-public(3).y());
    bytes[34..66].copy_from_slice(&odd);
    assert!(Block::from_bytes(SHAPE, &bytes).is_err(), "an odd y");
    bytes[2..34].fill(0xff);
    assert!(Block::from_bytes(SHAPE, &bytes).is_err(), "a coordinate that is not reduced");
}

/// The formula of the contract, over the bytes.
#[test]
fn the_fingerprint_is_that_of_the_bytes() {
    let r = Fr::from(0x1234_5678_9abc_def1u64).pow([5]);
    for (cells, keys) in [(0, 0), (1, 1), (2, 0), (3, 2)] {
        let block = block(cells, keys);
        let bytes = block.to_bytes();
        let (coordinates, words) = bytes[2..].split_at(64 * keys as usize);
        let horner = |bytes: &[u8], length| {
            let words = bytes.chunks(length).map(Fr::from_be_bytes_mod_order);
            words.fold(Fr::from(0u64), |sum, word| sum * r + word)
        };
        let expected = horner(coordinates, 32) * r.pow([2]) + horner(words, 30);
        assert_eq!(block.fingerprint(r, SHAPE.words()), expected, "{cells} {keys}");
    }
}

#[test]
fn followers_of_blocks_learn_new_accounts() {
    let key = state()[&Index(3)].key;
    let cell = |number| Cell { number, balance: 9, nonce: 1 };
    let known = Block { keys: vec![], cells: vec![cell(3)] };
    let new = Block { keys: vec![key], cells: vec![cell(3), cell(9)] };
    assert_eq!(known.accounts(&state()).unwrap(), [(Index(3), Account { key, balance: 9, nonce: 1 })]);
    assert_eq!(new.accounts(&state()).unwrap()[1], (Index(9), Account { key, balance: 9, nonce: 1 }));
    assert!(Block { keys: vec![], ..new }.accounts(&state()).is_err(), "a key is missing");
    assert!(Block { keys: vec![key], ..known }.accounts(&state()).is_err(), "a key too many");
}

/// What a contract is told, for its authors: the bytes and numbers of one block.
#[test]
fn challenges_are_bound_to_everything() {
    let [a, b, digest] = [1u64, 2, 3].map(Fr::from);
    let public = chain().public([a, b], digest, &block(3, 1));
    let others = [
        chain().public([b, b], digest, &block(3, 1)),
        chain().public([a, a], digest, &block(3, 1)),
        chain().public([a, b], a, &block(3, 1)),
        chain().public([a, b], digest, &block(4, 1)),
        chain().public([a, b], digest, &block(3, 0)),
        Chain { context: [0; 32], ..chain() }.public([a, b], digest, &block(3, 1)),
        Chain::new(Token { chain: 6, ..TOKEN }, SHAPE).public([a, b], digest, &block(3, 1)),
    ];
    assert!(others.iter().all(|other| other.challenge != public.challenge));
}
