//! Batches of signatures beside Pedersen proofs verified one by one: `cargo run --release -p tenfold-ring --example signatures [count] [rounds]`.
//!
//! Both ways alternate in each round. What is printed is the processor time of all threads of this process, which other work on the machine hardly changes.

use std::sync::Arc;

use ring_proof::vrf::{Secret, Signature, SignatureBatch, Statement, Suite};
use ring_proof::{Batch, Domain, Prover, Ring, Setup, Srs, Verifier};

/// Nanoseconds that the threads of this process ran, as Linux counts them.
fn processor_time() -> std::io::Result<u64> {
    let mut sum = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        sum += text.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0);
    }
    Ok(sum)
}

fn time(f: &mut dyn FnMut()) -> std::io::Result<f64> {
    let start = processor_time()?;
    f();
    Ok((processor_time()? - start) as f64 / 1e6)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let [count, rounds] = [args.next().unwrap_or(Ok(256))?, args.next().unwrap_or(Ok(11))?];
    let suite = Suite::v1();
    let setup = Arc::new(Setup::new(Srs::zcash(), Domain::new(1024)?)?);
    let secrets = (0..16).map(|_| Secret::generate(suite)).collect::<Result<Vec<_>, _>>()?;
    let keys: Vec<_> = secrets.iter().map(Secret::key).collect();
    let ring = Ring::with_members(&setup, suite.bases(), &keys)?;
    let prover = Prover::new(&setup, &ring)?;
    let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
    let input = suite.input(b"a vote")?;
    let sign =
        |i: usize| Signature::new(suite, (&prover, i % 16), &secrets[i % 16], &input, &i.to_le_bytes());
    let signatures = (0..count).map(sign).collect::<Result<Vec<_>, _>>()?;

    let mut one_by_one = || {
        let mut batch = Batch::new(setup.key());
        for (i, Signature { output, pedersen, ring }) in signatures.iter().enumerate() {
            pedersen.verify(suite, &[(input, *output)], &i.to_le_bytes()).expect("valid");
            batch.push(&verifier, pedersen.blinded(), ring).expect("the same setup");
        }
        batch.verify().expect("valid");
    };
    let mut together = || {
        let mut batch = SignatureBatch::new(setup.key());
        for (i, signature) in signatures.iter().enumerate() {
            let statement = Statement { suite, verifier: &verifier, input, data: &i.to_le_bytes() };
            batch.push(&statement, signature).expect("the same setup");
        }
        batch.verify().expect("valid");
    };
    let mut rings = || {
        let mut batch = Batch::new(setup.key());
        for signature in &signatures {
            batch.push(&verifier, signature.pedersen.blinded(), &signature.ring).expect("the same setup");
        }
        batch.verify().expect("valid");
    };
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        let old = time(&mut one_by_one)?;
        let new = time(&mut together)?;
        let rings = time(&mut rings)?;
        for (list, value) in times.iter_mut().zip([old, new, rings, old / new]) {
            list.push(value);
        }
    }
    let [old, new, rings, ratio] = times.map(median);
    println!("{count} signatures, medians of {rounds} rounds, milliseconds of processor time");
    println!("Pedersen proofs one by one {old:9.2}\nSignatureBatch             {new:9.2}   ratio {ratio:.2}");
    println!("ring proofs alone          {rings:9.2}");
    Ok(())
}
