//! The contract with a root, by proofs of a circuit with its public inputs and no statement: what is tested is what the contract computes.

use curve::bn254::Fr;
use curve::{AdditiveGroup, Field as _, PrimeField};
use snark::groth16::word;
use snark::r1cs::Assignment;

use super::export::unchecked;
use super::gas::{Free, free_key};
use super::*;
use crate::circuit::Binding;
use crate::circuit::challenges::keccak;

static KEY: LazyLock<snark::groth16::ProvingKey<curve::pairing::Bn254>> =
    LazyLock::new(|| free_key(7, Binding::Sponge));

/// Of the contract.
const SLOTS: usize = 64;

/// What a block says: keys, then words of 30 bytes.
#[derive(Clone)]
struct Block {
    keys: Vec<[Word; 2]>,
    words: Vec<[u8; 30]>,
}

impl Block {
    /// Cells that are all different, two in each word, and the keys of the first ones.
    fn new(keys: usize, words: usize) -> Self {
        let inverse = |i: usize| Fr::from(i as u64 + 3).inverse().unwrap();
        let even = |y: Fr| if word(&y)[31] & 1 == 0 { y } else { -y };
        let key = |i: usize| [inverse(2 * i), even(inverse(2 * i + 1))].map(|x| word(&x));
        let cells = |i: usize| {
            let mut cells = [0; 30];
            for (cell, number) in cells.chunks_mut(15).zip([2 * i + 1, 2 * i + 2]) {
                cell[1..3].copy_from_slice(&(number as u16).to_be_bytes());
                cell[3..11].copy_from_slice(&(number as u64 * 0x9e37_79b9).to_be_bytes());
                cell[14] = number as u8;
            }
            cells
        };
        Self { keys: (0..keys).map(key).collect(), words: (0..words).map(cells).collect() }
    }

    fn bytes(&self) -> Vec<u8> {
        let count = (self.keys.len() as u16).to_be_bytes();
        [&count, self.keys.as_flattened().as_flattened(), self.words.as_flattened()].concat()
    }

    /// By the definition.
    fn fingerprint(&self, r: Fr) -> Fr {
        fn horner<'a>(words: impl Iterator<Item = &'a [u8]>, r: Fr) -> Fr {
            words.fold(Fr::ZERO, |sum, word| sum * r + Fr::from_be_bytes_mod_order(word))
        }
        let keys = horner(self.keys.as_flattened().iter().map(|word| &word[..]), r);
        keys * r.pow([SLOTS as u64]) + horner(self.words.iter().map(|word| &word[..]), r)
    }
}

struct Chain {
    evm: Evm,
    contract: Contract,
    token: Token,
    slots: usize,
    root: Fr,
}

impl Chain {
    fn new() -> Self {
        Self::with_slots(SLOTS)
    }

    fn with_slots(slots: usize) -> Self {
        let mut evm = Evm::new();
        let contract = evm.next_contract();
        let rules = Token { chain: 1, issuer: Index(0), fee: 0, contract: None };
        let root = Fr::from(77u64).inverse().unwrap();
        let export = unchecked::root(KEY.verifying(), &rules, slots, word(&root));
        assert!(accepted(&evm.deploy(&export.creation)));
        Self { evm, contract, token: Token { contract: Some(contract), ..rules }, slots, root }
    }

    /// The call for a block whose fingerprint may be another one than the definition's.
    fn call(&self, post: Fr, block: &[u8], fingerprint: impl Fn(Fr) -> Fr) -> Vec<u8> {
        let digest = Fr::from(5u64).inverse().unwrap();
        let slots = (self.slots as u32).to_be_bytes();
        let context = keccak(&[&b"tenfold ledger v1 root mode"[..], &self.token.domain().0, &slots].concat());
        let [pre, after, committed] = [self.root, post, digest].map(|x| word(&x));
        let hash = keccak(&[&context, &pre, &after, &committed, block].concat());
        let r = Fr::from_be_bytes_mod_order(&hash);
        let inputs = [self.token.domain().element(), Fr::ZERO, self.root, post, digest, r, fingerprint(r)];
        let proof = KEY.prove(&Assignment::of(&Free(&inputs, Binding::Sponge)), &mut rng(9)).unwrap();
        let (proof, block) = (proof.words(), block.to_vec());
        RootSubmission { post: after, digest: committed, proof, block }.calldata()
    }

    fn submit(&mut self, data: &[u8]) -> Outcome {
        self.evm.call(&self.contract, data)
    }
}

#[test]
fn roots_follow_one_another() {
    let mut chain = Chain::new();
    let (contract, mut gases) = (chain.contract, vec![]);
    assert_eq!(chain.evm.view(&contract, "domain"), chain.token.domain().word());
    for (i, (keys, words)) in [(0, 3), (0, 64), (2, 1), (3, 64), (1, 0)].into_iter().enumerate() {
        let (post, block) = (Fr::from(i as u64 + 1), Block::new(keys, words));
        let data = chain.call(post, &block.bytes(), |r| block.fingerprint(r));
        let outcome = chain.submit(&data);
        let Outcome::Success { gas, .. } = outcome else { panic!("{keys} keys, {words} words: {outcome:?}") };
        println!("root: {keys} keys, {words} words: {gas} gas");
        gases.push(gas);
        assert_eq!(chain.evm.view(&contract, "root"), word(&post));
        assert_eq!(chain.submit(&data), reason("Unchanged"), "a second time");
        chain.root = post;
    }
    assert!(gases[1].abs_diff(274_446) * 200 <= gases[1], "64 transfers between 128 accounts: {gases:?}");
    let first = Block::new(0, 3);
    let data = Chain::new().call(Fr::from(1u64), &first.bytes(), |r| first.fingerprint(r));
    assert_eq!(chain.submit(&data), reason("InvalidProof"), "after its root has gone");
}

/// Gas of a transaction with one full batch between accounts that are all different, by Prague's rules.
#[test]
fn gas_of_full_batches_with_a_root() {
    let gas = [64, 256, 1024].map(|slots| {
        let chain = &mut Chain::with_slots(slots);
        let block = Block::new(0, slots);
        let data = chain.call(Fr::from(9u64), &block.bytes(), |r| block.fingerprint(r));
        let Outcome::Success { gas, .. } = chain.submit(&data) else { panic!("{slots} slots") };
        println!("root {slots:5} {gas:8} gas, {:7.1} each", gas as f64 / slots as f64);
        gas
    });
    for (found, expected) in gas.into_iter().zip([274_458, 356_878, 872_550]) {
        assert!(found.abs_diff(expected) * 200 <= expected, "{gas:?}");
    }
}

/// As of the contract for replicas; a root that moves without a transaction's input would be lost to all who follow.
#[test]
fn a_root_is_replaced_by_a_transaction_alone() {
    let chain = &mut Chain::new();
    let block = Block::new(1, 2);
    let data = chain.call(Fr::from(9u64), &block.bytes(), |r| block.fingerprint(r));
    super::tampering::refuses_indirect_calls(&mut chain.evm, &chain.contract, &data, "root");
}

/// The circuit's verifier and the contract have one challenge and one fingerprint.
#[test]
fn the_contract_computes_the_inputs_of_the_circuit() {
    use crate::circuit::root::{Block, Cell, Chain as Verifier, Shape};
    let chain = &mut Chain::new();
    let verifier = Verifier::new(chain.token, Shape::standard(SLOTS));
    for (i, (keys, cells)) in [(0, 2), (2, 5), (1, 128)].into_iter().enumerate() {
        let cell = |i: u32| Cell { number: 7 * i, balance: 1 << (i % 60), nonce: i };
        let keys = (0..keys).map(|i| workload().secret(i).public()).collect();
        let block = Block { keys, cells: (1..=cells).map(cell).collect() };
        let [post, digest] = [i as u64 + 8, 3].map(|x| Fr::from(x).inverse().unwrap());
        let public = verifier.public([chain.root, post], digest, &block);
        let inputs = public.elements();
        let proof = KEY.prove(&Assignment::of(&Free(&inputs, Binding::Sponge)), &mut rng(9)).unwrap();
        let [next, digest] = [post, digest].map(|x| word(&x));
        let call = RootSubmission { post: next, digest, proof: proof.words(), block: block.to_bytes() };
        assert!(accepted(&chain.submit(&call.calldata())), "{cells} cells");
        chain.root = post;
    }
}

/// One block for each list of cells: everything else is refused although its proof is right.
#[test]
fn blocks_have_one_encoding_of_their_cells() {
    let chain = &mut Chain::new();
    let post = Fr::from(9u64);
    let mut refused = |block: &Block, bytes: &[u8], what: &str| {
        let data = chain.call(post, bytes, |r| block.fingerprint(r));
        assert_eq!(chain.submit(&data), reason("NotCanonical"), "{what}");
    };
    let block = Block::new(2, 3);
    let bytes = block.bytes();
    refused(&block, &bytes[..1], "no number of keys");
    refused(&block, &[], "nothing");
    refused(&block, &[&bytes[..], &[0]].concat(), "a byte more");
    refused(&block, &bytes[..bytes.len() - 15], "half a word");
    refused(&block, &bytes[..2 + 64], "fewer bytes than keys");
    refused(&block, &[&[255, 255], &bytes[2..]].concat(), "far fewer");
    let long = Block::new(0, 65);
    refused(&long, &long.bytes(), "more words than slots");
    let mut zero = block.clone();
    zero.words[0] = [0; 30];
    refused(&zero, &zero.bytes(), "a first word of zeros");
    let mut key = block.clone();
    key.keys[0][1] = [0; 32];
    refused(&key, &key.bytes(), "a first key without y");
    key = block.clone();
    let mut order: Word = curve::BigInteger::to_bytes_be(&Fr::MODULUS).try_into().unwrap();
    key.keys[1][0] = order;
    refused(&key, &key.bytes(), "an x that is not reduced");
    key = block.clone();
    order[31] += 1; // 2 modulo the order, and even
    key.keys[1][1] = order;
    refused(&key, &key.bytes(), "a y that is not reduced");
    key = block.clone();
    key.keys[1][1][31] ^= 1;
    refused(&key, &key.bytes(), "a key with an odd y");
    let data = chain.call(post, &bytes, |r| block.fingerprint(r));
    assert!(accepted(&chain.submit(&data)));
}

#[test]
fn every_bit_of_a_call_with_a_root_is_checked() {
    let chain = &mut Chain::new();
    let block = Block::new(1, 2);
    let data = chain.call(Fr::from(9u64), &block.bytes(), |r| block.fingerprint(r));
    for at in (0..data.len()).step_by(7).chain((35..data.len()).step_by(32)) {
        let mut bad = data.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(matches!(chain.submit(&bad), Outcome::Revert(_)), "byte {at}");
    }
    for end in (0..data.len()).step_by(29) {
        assert!(matches!(chain.submit(&data[..end]), Outcome::Revert(_)), "{end} bytes");
    }
    assert_eq!(chain.submit(&[&data[..], &[0; 32]].concat()), reason("NotCanonical"));
    for index in 0..2 {
        let mut bad = data.clone();
        bad[4 + 32 * index..36 + 32 * index].fill(255);
        assert_eq!(chain.submit(&bad), reason("NotReduced"), "word {index}");
    }
    let other = chain.call(Fr::from(9u64), &block.bytes(), |r| block.fingerprint(r) + Fr::ONE);
    assert_eq!(chain.submit(&other), reason("InvalidProof"), "another fingerprint");
    chain.evm.fork(1);
    assert_eq!(chain.submit(&data), reason("WrongChain"));
    chain.evm.fork(machine::CHAIN);
    assert!(accepted(&chain.submit(&data)));
}
