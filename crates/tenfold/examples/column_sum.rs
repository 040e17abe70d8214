//! Commits to a column of prices, and proves a row, the sum and a weighted mean: `cargo run --release -p tenfold --example column_sum`.

use tenfold::{Claim, Claimed, CommitmentFile, Dataset, Options, Policy};

fn main() -> Result<(), tenfold::Error> {
    // The prover's data: numbers with decimals. Any number of rows will do.
    let prices =
        Dataset::from_decimals((0..1000).map(|i| format!("{}.{:02}", i % 90, i % 100)))?.named("price");
    let (commitment, mut witness) = tenfold::commit(&prices, &Options::proven_bits(128))?;
    let published = commitment.to_bytes();
    println!("commitment: {} bytes", published.len());

    let proof = tenfold::open(&mut witness, &[Claim::Row(7), Claim::Sum])?.to_bytes();
    // A weighted sum is a proof of its own: its weights are public, and not in it.
    let weights = Dataset::from_u64s((0..1000).map(|i| 1 + i / 250).collect()).named("weight");
    let weighted = tenfold::open(&mut witness, &[Claim::Weighted(&weights), Claim::Mean])?.to_bytes();

    // The verifier has the commitment and the proofs, and never the prices.
    let commitment = CommitmentFile::from_bytes(&published)?;
    let policy = Policy::at_least(128).about(&commitment);
    let verdict = tenfold::verify(&proof, &policy)?;
    println!("proof of {} bytes, {:.1} proven bits:", proof.len(), verdict.report().proven_bits());
    for claim in &verdict.claims {
        println!("  {claim}");
    }
    // The prover chose these claims. A program takes the value of the claim that it needs.
    println!("  the price in row 7, in cents: {:?}", verdict.value_of(&Claimed::Row(7))?.integer());
    println!("proof of {} bytes:", weighted.len());
    for claim in tenfold::verify(&weighted, &policy.weights(&weights))?.claims {
        println!("  {claim}");
    }
    Ok(())
}
