//! Commits to a file, and proves single bytes of it: `cargo run --release -p tenfold --example byte_of_file [FILE] [BYTE]`.

use tenfold::pcs::ligerito::Preset;
use tenfold::{Claim, Claimed, Dataset, Options, Policy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (name, content) = match args.next() {
        Some(path) => (path.clone(), std::fs::read(path)?),
        None => ("this example".to_owned(), include_bytes!("byte_of_file.rs").to_vec()),
    };
    let byte = args.next().map_or(Ok(0), |byte| byte.parse())?;

    let data = Dataset::from_bytes(content).named(name);
    // A profile is a name for proven bits, regime and rate: here 128 bits and small proofs.
    let (commitment, mut witness) = tenfold::commit(&data, &Options::default().profile(Preset::Secure128))?;
    let proof = witness.open(&[Claim::Row(byte)])?.to_bytes();

    let verdict = tenfold::verify(&proof, &Policy::at_least(128).about(&commitment))?;
    // An error if the proof were of another byte.
    let value = verdict.value_of(&Claimed::Entry(byte))?;
    println!("byte {byte} is {value}, by a proof of {} bytes", proof.len());
    Ok(())
}
