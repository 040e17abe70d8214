//! One batch of creates, mints, transfers and burns: executed, proven with a key that was written and read, applied by a replica that verifies it.
//!
//! ```text
//! cargo run --release -p tenfold-ledger --example batch -- 64
//! cargo run --release -p tenfold-ledger --example batch -- 64 commitment
//! ```
//! The second argument is what binds the committed cells, `commitment` or `digest`, if it is not the standard of the size.
//! The setup is local, and therefore insecure: whoever ran it can prove anything. A chain takes its keys from a ceremony (`snark::groth16::ceremony`).

use std::error::Error;
use std::time::Instant;

use ledger::chain::{Content, Params, propose};
use ledger::circuit::Binding;
use ledger::circuit::groth16::{Groth16Verifier, circuit_with, prove};
use ledger::codec::Canonical;
use ledger::machine::Touched;
use ledger::node::{BatchCircuit, Keys};
use ledger::replica::Replica;
use ledger::statement::BatchSize;
use ledger::token::{Mix, Workload};
use snark::groth16::setup_local;

const ACCOUNTS: u32 = 1000;

/// New accounts, mints and burns among 128 transactions.
const MIX: Mix = Mix { creates: 8, mints: 2, burns: 2 };

/// Checks of the block, which change nothing.
const ROUNDS: usize = 101;

const PARAMS: Params = Params { lanes: 1, timeout: 0, plain: 64 };

/// How the public inputs are bound, by the second argument.
fn binding(size: BatchSize) -> Result<Binding, Box<dyn Error>> {
    match std::env::args().nth(2).as_deref() {
        None => Ok(Binding::standard(size.slots())),
        Some("commitment") => Ok(Binding::Commitment),
        Some("digest") => Ok(Binding::Sponge),
        Some(_) => Err("commitment or digest".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(64), |n| n.parse())?;
    let size = BatchSize::fitting(count as usize).ok_or("a batch has at most 1024 transactions")?;
    let mut workload = Workload::new(1, ACCOUNTS, 1).with_mix(MIX);
    let folder = tempfile::tempdir()?;
    let mut replica = Replica::init(&folder.path().join("replica"), workload.genesis(PARAMS))?;
    let machine = *replica.chain().machine();

    let start = Instant::now();
    let binding = binding(size)?;
    let shape = circuit_with(size.slots(), binding);
    let key = setup_local(&shape, &mut rand::rng())?;
    let (constraints, bytes) = (shape.constraints(), key.bytes());
    println!(
        "setup    {constraints} constraints, {:.1} MB of key, {:.2?}, INSECURE",
        bytes as f64 / 1e6,
        start.elapsed()
    );
    let keys = Keys::new(&folder.path().join("keys"), true);
    let circuit = BatchCircuit::Replicas(size.slots(), binding);
    keys.save(circuit, &key)?;
    drop((key, shape));
    let start = Instant::now();
    let key = keys.proving(circuit)?;
    println!("load     {:.2?}: the key's file, all of it checked", start.elapsed());

    let transactions: Vec<_> = (0..count).map(|_| workload.transaction()).collect();
    let start = Instant::now();
    let mut executed = Touched::default();
    transactions.iter().try_for_each(|signed| executed.execute(&machine, replica.chain(), signed))?;
    println!("execute  {:.2?}, {:.1?} for each", start.elapsed(), start.elapsed() / count);

    let (proposal, _) = propose(replica.chain(), transactions, size);
    let proposal = proposal.ok_or("no transaction was accepted")?;
    let start = Instant::now();
    let batch = (&proposal.transactions[..], size.slots());
    let proof = prove(&key, &machine, replica.chain(), batch, &mut rand::rng())?;
    println!("prove    {:.2?}, {:.2?} for each", start.elapsed(), start.elapsed() / count);
    println!("bytes    effect {}, proof {}", proposal.effect.len(), proof.len());

    let block = replica.chain().next(Content::Batch(proposal.finish(&machine, 0, proof, None)));
    let length = block.to_bytes().len();
    println!("block    {length} bytes, {:.1} for each", length as f64 / f64::from(count));
    let verifier = Groth16Verifier::insecure(machine, vec![(size, key.verifying().clone())])?;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        replica.check(&block, &verifier)?;
        times.push(start.elapsed());
    }
    let first = times[0];
    times.sort_unstable();
    println!("check    {first:.2?} the first time, {:.2?} in the middle of {ROUNDS}", times[ROUNDS / 2]);
    let start = Instant::now();
    replica.apply(&block, &verifier)?;
    let time = start.elapsed();
    println!("apply    {time:.2?}, {:.2?} for each: verified, on the disk", time / count);
    Ok(())
}
