//! A long circuit, half of whose cells are bits, and what it costs: `just groth16`.

use std::time::{Duration, Instant};

use curve::bn254::Fr;
use curve::pairing::Bn254;

use super::{Squarings, prove, rng};
use crate::groth16::{ProvingKey, setup_local};
use crate::r1cs::{Assignment, R1cs};

/// Runs a closure, and returns its result and its time: that of the clock, and of all threads where the system says it in `/proc`.
fn timed<T>(what: &str, constraints: usize, run: impl FnOnce() -> T) -> T {
    let (start, before) = (Instant::now(), cpu());
    let result = run();
    let (clock, cpu) = (start.elapsed(), cpu() - before);
    let each = cpu.as_secs_f64() * 1e6 / constraints as f64;
    println!("{what}: {clock:.2?}, CPU {cpu:.2?}, {each:.2} us of CPU for a constraint");
    result
}

fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

#[test]
#[ignore = "minutes, for measurements: just groth16"]
fn long_circuits() {
    for log in [14, 16, 18] {
        let squarings =
            Squarings { start: Fr::from(3_u64), steps: (1 << (log - 1)) - 8, free: Fr::from(1_u64) };
        let circuit = R1cs::of(&squarings);
        let assignment = Assignment::of(&squarings);
        let count = circuit.constraints();
        println!("2^{log}: {count} constraints, half of the cells bits");
        let key = timed("setup", count, || setup_local::<Bn254>(&circuit, &mut rng(50))).expect("a circuit");
        let proof =
            timed("proof", count, || prove(&key, &assignment, &mut rng(51))).expect("a true statement");
        let verifying = key.verifying();
        let public = &assignment.public;
        let rounds = 20;
        let verify = || (0..rounds).all(|_| verifying.verify(public, &proof).is_ok());
        assert!(timed("20 verifications", rounds, verify));
        let bytes = timed("key written", count, || key.to_bytes());
        println!("key: {} MB in a file, {} MB in memory", bytes.len() >> 20, key.bytes() >> 20);
        let digest = circuit.digest();
        let read = timed("key read, all checked", count, || ProvingKey::<Bn254>::from_bytes(&bytes, &digest));
        assert!(read.is_ok());
        let own = bytes.last_chunk().expect("a digest");
        let read =
            timed("key read, pinned", count, || ProvingKey::<Bn254>::from_pinned_bytes(&bytes, &digest, own));
        assert!(read.is_ok());
    }
}
