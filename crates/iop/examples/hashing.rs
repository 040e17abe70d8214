//! Measured speeds of every hash on this machine, on one thread and on all:
//! `cargo run --release -p tenfold-iop --example hashing [HASH ...]`.

use field::keccak::{LANES, permute};
use iop::{hash::Hash, merkle::MerkleTree, transcript::Domain};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The best of five runs.
fn best(mut run: impl FnMut()) -> Duration {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .expect("five runs")
}

fn report(hash: Hash) {
    let width = hash.bytes();
    println!("{} on {} threads", hash.name(), rayon::current_num_threads());
    let bytes: Vec<u8> = (0..64u32 << 20).map(|i| i.wrapping_mul(2_654_435_761) as u8).collect();
    for length in [40, 64, 160, 512, 1000, 1024, 4096, 40_960] {
        let rows = &bytes[..bytes.len() / length * length];
        let count = rows.len() / length;
        let mut out = vec![0; count * width];
        let time = best(|| hash.leaves(black_box(rows), &mut out));
        println!(
            "  64 MiB of rows of {length:>5} bytes: {:>7.2} ms, {:>7.1} ns per row, {:>5.2} GB/s",
            time.as_secs_f64() * 1e3,
            time.as_secs_f64() * 1e9 / count as f64,
            rows.len() as f64 / time.as_secs_f64() / 1e9
        );
    }
    let leaves = &bytes[..width << 20];
    let mut out = vec![0; leaves.len() / 2];
    let time = best(|| hash.nodes(black_box(leaves), &mut out));
    println!("  nodes: {:.2} ns", time.as_secs_f64() * 1e9 / f64::from(1 << 19));
    let copies = vec![leaves.to_vec(); 5];
    let mut copies = copies.into_iter();
    let time = best(|| {
        let leaves = copies.next().expect("one copy per run");
        black_box(MerkleTree::new(hash, leaves));
    });
    println!("  tree of 2^20 leaves: {:.2} ms", time.as_secs_f64() * 1e3);
    let (mut trials, mut time) = (0, Duration::ZERO);
    for i in 0..16 {
        let domain = Domain::new(hash, "speed", &[i; 32]);
        let mut tape = domain.statement(&[0; 32]).prover();
        let start = Instant::now();
        tape.grind("work", 16);
        time += start.elapsed();
        let nonce = tape.finish().try_into().expect("eight bytes");
        trials += u64::from_le_bytes(nonce) + 1;
    }
    println!("  grinding: {:.2} ns per trial", time.as_secs_f64() * 1e9 / trials as f64);
}

/// The least that a sponge can take: eight states at a time and no messages.
fn permutation() {
    let mut states = [[1; LANES]; 25];
    let time = best(|| (0..1 << 16).for_each(|_| permute(black_box(&mut states), LANES)));
    println!("Keccak-f[1600]: {:.2} ns", time.as_secs_f64() * 1e9 / (LANES << 16) as f64);
}

fn main() {
    permutation();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one = one.expect("a pool of one thread");
    let names: Vec<String> = std::env::args().skip(1).collect();
    for hash in Hash::ALL.into_iter().filter(|h| names.is_empty() || names.iter().any(|n| n == h.name())) {
        one.install(|| report(hash));
        report(hash);
    }
}
