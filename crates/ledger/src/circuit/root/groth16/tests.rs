use super::super::tests::{SHAPE, batch, chain, state, tree};
use super::*;
use crate::circuit::tests::{Cells, TOKEN, burn, transfer};
use crate::token::{Index, Token};
use rand::SeedableRng;
use rand::rngs::StdRng;
use snark::groth16::{ProveError, setup_local};
use std::sync::OnceLock;

fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

pub(crate) fn key() -> &'static ProvingKey<Bn254> {
    static KEY: OnceLock<ProvingKey<Bn254>> = OnceLock::new();
    KEY.get_or_init(|| setup_local(&circuit(SHAPE), &mut rng(1)).unwrap())
}

fn attempt(batch: &[Signed<Transaction>]) -> Result<Proven, ProofError> {
    prove(key(), &chain(), (&state(), &tree(&state())), batch, &mut rng(2))
}

fn verdict(roots: [Fr; 2], block: &[u8], proof: &[u8]) -> Result<(), Invalid> {
    verify(key().verifying(), &chain(), roots, (block, proof)).map(drop)
}

#[test]
fn proofs_of_batches_hold_and_no_other_roots_block_or_byte_does() {
    let Proven { roots, block, proof } = attempt(&batch()).unwrap();
    let bytes = block.to_bytes();
    assert_eq!(verify(key().verifying(), &chain(), roots, (&bytes, &proof)), Ok(block.clone()));
    assert_eq!((proof.len(), bytes.len()), (160, 2 + 64 + 2 * 30), "three accounts, one new");
    let [before, after] = roots;
    assert_eq!(before, tree(&state()).root());
    let mut follower = tree(&state());
    let accounts = block.accounts(&state()).unwrap();
    follower.update(accounts.iter().map(|(number, account)| (number, account))).unwrap();
    assert_eq!(after, follower.root());

    assert_eq!(verdict([before, before], &bytes, &proof), Err(Invalid("a batch that changes nothing")));
    assert!(verdict([after, before], &bytes, &proof).is_err());
    assert!(verdict([before + Fr::from(1u64), after], &bytes, &proof).is_err());
    assert!(verdict([before, after + Fr::from(1u64)], &bytes, &proof).is_err());
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        assert!(verdict(roots, &bad, &proof).is_err(), "byte {at} of the block");
    }
    let one_cell_less = Block { cells: block.cells[1..].to_vec(), ..block.clone() };
    assert!(verdict(roots, &one_cell_less.to_bytes(), &proof).is_err());
    let key_more = Block { keys: vec![state()[&Index(3)].key], ..block };
    assert!(verdict(roots, &key_more.to_bytes(), &proof).is_err());
    for at in 0..proof.len() {
        let mut bad = proof.clone();
        bad[at] ^= 1;
        assert!(verdict(roots, &bytes, &bad).is_err(), "byte {at} of the proof");
        assert!(verdict(roots, &bytes, &proof[..at]).is_err(), "{at} bytes");
    }
    assert!(verdict(roots, &bytes, &[&proof[..], &[0]].concat()).is_err());
    let others = [
        Chain::new(Token { chain: TOKEN.chain + 1, ..TOKEN }, SHAPE),
        Chain { machine: Token { fee: TOKEN.fee + 1, ..TOKEN }, ..chain() },
        Chain { context: [1; 32], ..chain() },
    ];
    for other in others {
        assert!(verify(key().verifying(), &other, roots, (&bytes, &proof)).is_err());
    }
}

#[test]
fn a_batch_with_padding_is_proven_and_its_proof_is_of_no_other_batch() {
    let one = attempt(&batch()[..1]).unwrap();
    assert_eq!(verdict(one.roots, &one.block.to_bytes(), &one.proof), Ok(()));
    let other = attempt(&batch()).unwrap();
    assert!(verdict(other.roots, &other.block.to_bytes(), &one.proof).is_err());
    assert!(verdict([one.roots[0], other.roots[1]], &one.block.to_bytes(), &one.proof).is_err());
}

#[test]
fn what_has_no_proof_gets_none() {
    let refused = |batch: &[Signed<Transaction>]| attempt(batch).unwrap_err().to_string();
    let mut forged = batch();
    forged[0].signature = forged[1].signature;
    assert!(matches!(attempt(&forged), Err(ProofError::Prove(_))), "a wrong signature");
    assert!(refused(&[]).contains("a batch that changes nothing"));
    assert!(refused(&[batch(), batch()].concat()).contains("do not fit"));
    let stale = prove(key(), &chain(), (&state(), &tree(&Cells::new())), &batch(), &mut rng(3));
    assert!(stale.unwrap_err().to_string().contains("the tree is not that of the state"));
    let beyond = transfer([3, u32::MAX], 1, 30);
    let all = crate::circuit::tests::state();
    let beyond = prove(key(), &chain(), (&all, &tree(&state())), &[beyond], &mut rng(3));
    assert!(beyond.unwrap_err().to_string().contains("an account's number is not one of the tree"));
    let small = Chain { shape: Shape::new(2, 2, 1, 1).unwrap(), ..chain() };
    let many = prove(key(), &small, (&state(), &tree(&state())), &batch(), &mut rng(3));
    assert!(many.unwrap_err().to_string().contains("more accounts than the circuit has entries"));
    let other = prove(key(), &small, (&state(), &tree(&state())), &batch()[..1], &mut rng(3));
    assert!(matches!(other, Err(ProofError::Prove(ProveError::OtherCircuit))));
    let deep = Chain { shape: Shape::new(2, 4, 1, 2).unwrap(), ..chain() };
    let deep = prove(key(), &deep, (&state(), &tree(&state())), &batch(), &mut rng(3));
    assert!(deep.unwrap_err().to_string().contains("a tree of another depth"));
    assert!(refused(&[burn(3, 0, 30)]).contains("the amount is 0"));
}

/// Another digest is another circuit, whose keys of before are of no use, and whose digests for chains are written down: `just ledger-circuit` prints them, and compares.
#[test]
fn the_circuit_is_that_of_version_1() {
    let made: String = circuit(SHAPE).digest()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(made, "02b2fd27658fdd82", "write down what `just ledger-circuit` prints");
}

#[test]
#[ignore = "minutes, and gigabytes: `just ledger-circuit`"]
fn the_largest_circuits_of_contracts_have_the_digests_that_are_written_down() {
    let shapes = BatchSize::ALL.map(|size| Shape::standard(size.slots()));
    let made = shapes.map(|shape| {
        let digest = circuit(shape).digest();
        let [high, low] = [&digest[..16], &digest[16..]]
            .map(|half| half.iter().map(|x| format!("{x:02x}")).collect::<String>());
        println!("[0x{high}, 0x{low}],");
        digest
    });
    assert_eq!(made, shapes.map(digest));
}

/// One batch of the sizes of chains. Run it with `--release --ignored --nocapture`.
#[test]
#[ignore = "minutes, and gigabytes"]
fn a_batch_of_64_on_2_to_the_24_accounts() {
    use crate::token::Workload;
    let shape = Shape::standard(64);
    let mut workload = Workload::new(7, 2000, 1);
    let genesis = workload.genesis(crate::chain::Params { lanes: 1, timeout: 0, plain: 16 });
    let chain = Chain::new(genesis.machine, shape);
    let cells: std::collections::BTreeMap<_, _> = genesis.cells.into_iter().collect();
    let mut timed = Timed::default();
    let mut tree = Tree::new(shape, &cells).unwrap();
    timed.lap("tree of 2000 accounts");
    let circuit = circuit(shape);
    timed.lap(&format!("circuit of {} constraints", circuit.constraints()));
    let key = setup_local(&circuit, &mut rng(1)).unwrap();
    timed.lap("setup");
    drop(circuit);
    let batch: Vec<_> = (0..64).map(|_| workload.transaction()).collect();
    let proven = prove(&key, &chain, (&cells, &tree), &batch, &mut rng(2)).unwrap();
    timed.lap(&format!("proof of a batch that touches {} accounts", proven.block.cells.len()));
    let bytes = proven.block.to_bytes();
    verify(key.verifying(), &chain, proven.roots, (&bytes, &proven.proof)).unwrap();
    timed.lap(&format!("verification, block of {} bytes", bytes.len()));
    let accounts = proven.block.accounts(&cells).unwrap();
    tree.update(accounts.iter().map(|(number, account)| (number, account))).unwrap();
    assert_eq!(tree.root(), proven.roots[1]);
    timed.lap("tree after it");
}

/// Wall-clock and CPU time, and the most memory so far.
struct Timed(std::time::Instant, f64);

impl Default for Timed {
    fn default() -> Self {
        Self(std::time::Instant::now(), cpu())
    }
}

impl Timed {
    fn lap(&mut self, what: &str) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak =
            status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown").to_owned();
        println!("{what}: {:.2} s, {:.2} CPU-s, {peak}", self.0.elapsed().as_secs_f64(), cpu() - self.1);
        *self = Self::default();
    }
}

/// CPU time of the process in seconds; 0 where the system does not say.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}
