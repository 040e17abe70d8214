//! Verifies a proof file with the library alone that needs no standard library and cannot prove:
//! `cargo run --release -p tenfold --no-default-features --example verify_only -- PROOF COMMITMENT [BITS]`.

use tenfold::{CommitmentFile, Error, Policy, Verdict};

/// The verifier: bytes and a policy, as an embedded program or a contract has them. `core` and `alloc` suffice.
fn judge(proof: &[u8], commitment: &[u8], bits: u32) -> Result<Verdict, Error> {
    let commitment = CommitmentFile::from_bytes(commitment)?;
    tenfold::verify(proof, &Policy::at_least(bits).about(&commitment))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [proof, commitment, bits @ ..] = &args[..] else {
        println!("usage: verify_only PROOF COMMITMENT [BITS]");
        return Ok(());
    };
    let bits = bits.first().map_or(Ok(128), |bits| bits.parse())?;
    for claim in judge(&std::fs::read(proof)?, &std::fs::read(commitment)?, bits)?.claims {
        println!("valid: {claim}");
    }
    Ok(())
}
