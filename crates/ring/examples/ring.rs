//! A ring whose members prove: `cargo run --release -p tenfold-ring --example ring [rows] [members]`. Prints times in milliseconds,
//! medians of some runs.

use std::sync::Arc;
use std::time::Instant;

use ring_proof::vrf::{Secret, Signature, Suite};
use ring_proof::{Bandersnatch, Batch, Domain, Proof, Prover, Ring, Setup, Srs, Verifier, random_blinding};

/// The median of `runs` times of `f`, in milliseconds, and its last value.
fn time<T>(name: &str, runs: usize, mut f: impl FnMut() -> T) -> T {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(f());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!("{name:28} {:9.3}", times[runs / 2]);
    last.expect("a run")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let domain = Domain::new(args.next().unwrap_or(Ok(512))?)?;
    let count = args.next().unwrap_or(Ok(domain.capacity()))?;
    let suite = Suite::v1();
    let srs = Srs::zcash();
    let setup = Arc::new(time("setup and tables", 1, || Setup::new(srs, domain))?);
    let tables = setup.write();
    time("tables from bytes, checked", 5, || Setup::read(&tables, srs, domain))?;
    time("tables from bytes, trusted", 5, || Setup::read_trusted(&tables, srs, domain))?;
    let seed = |i: usize| core::array::from_fn(|j| i.to_le_bytes().get(j).copied().unwrap_or(7));
    let secrets: Vec<Secret> = (0..=count).map(|i| Secret::from_seed(suite, &seed(i))).collect();
    let keys: Vec<_> = secrets[..count].iter().map(Secret::key).collect();
    let empty = time("empty ring", 5, || Ring::new(&setup, suite.bases()));
    let mut ring = time("members appended", 5, || {
        let mut ring = empty.clone();
        ring.append(&setup, &keys).map(|()| ring)
    })?;
    let other = secrets[count].key();
    time("a member replaced, and back", 11, || {
        ring.replace(&setup, 0, &other).and_then(|()| ring.replace(&setup, 0, &keys[0]))
    })?;
    let commitment = ring.commitment();
    let prover = time("prover", 5, || Prover::new(&setup, &ring))?;
    let verifier = time("verifier", 5, || Verifier::new(ring.params(), setup.key(), &commitment));
    let t = random_blinding::<Bandersnatch>()?;
    let (result, proof) = time("prove", 11, || prover.prove(count / 2, &t))?;
    time("verify", 21, || verifier.verify(&result, &proof))?;
    let bytes = proof.encode();
    time("decode and verify", 21, || {
        Proof::decode(&bytes).and_then(|proof| verifier.verify(&result, &proof))
    })?;
    let batch = |n: usize| {
        Batch::verify_all(setup.key(), &vec![&verifier; n], &vec![result; n], &vec![proof.clone(); n])
    };
    time("batch of 32", 5, || batch(32))?;
    let input = suite.input(b"a vote")?;
    let sign = || Signature::new(suite, (&prover, 1), &secrets[1], &input, b"yes");
    let signature = time("sign", 5, sign)?;
    time("verify a signature", 21, || signature.verify(suite, &verifier, &input, b"yes"))?;
    Ok(())
}
