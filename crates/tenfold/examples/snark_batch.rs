//! What the author of a SNARK needs of a commitment scheme: many polynomials at once, opened at one point of the challenge field, with a proof
//! that is bound to the protocol around it: `cargo run --release -p tenfold --example snark_batch`.
//!
//! Fields and scheme are types here, as [`tenfold::pcs`] has them: no files, and no names of data.

use tenfold::pcs::claims::Claims;
use tenfold::pcs::field::{Field, Goldilocks, Goldilocks3};
use tenfold::pcs::fields::Fields;
use tenfold::pcs::iop::poly::TensorForm;
use tenfold::pcs::iop::security::Policy;
use tenfold::pcs::pip::search::{Profile, SearchTarget, find};
use tenfold::pcs::pip::{Prover, Scheme};

/// Polynomials of the witness, in so many variables.
const POLYNOMIALS: u32 = 8;
const VARIABLES: u32 = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Prover and verifier: parameters, which the policy refuses if they prove fewer than 128 bits.
    let target = SearchTarget::new(Fields::Goldilocks3, VARIABLES, 128, Profile::Fast);
    let params = find(&SearchTarget { polynomials: POLYNOMIALS, ..target })?;
    let scheme = Scheme::<Goldilocks, Goldilocks3>::new(params, &Policy::at_least(128))?;

    // The prover: evaluations over the hypercube, the lowest index bit first.
    let polynomials: Vec<Vec<Goldilocks>> = (0..u64::from(POLYNOMIALS))
        .map(|k| (0..1u64 << VARIABLES).map(|i| Goldilocks::from_u64(i * i + k)).collect())
        .collect();
    let views: Vec<&[Goldilocks]> = polynomials.iter().map(Vec::as_slice).collect();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit_batch(&views);
    let sent = witness.commitment().to_bytes();

    // The protocol around it has sent the commitment and drawn a point, by its own transcript. What that has absorbed is bound by the context.
    let point: Vec<Goldilocks3> =
        (0..u64::from(VARIABLES)).map(|v| Goldilocks3::from_u64(3 * v + 5)).collect();
    let context = b"round 1 of the protocol around it";
    let (Claims { values, .. }, proof) = prover.open(&mut witness, vec![TensorForm::point(&point)], context);

    // The verifier reads the commitment and the values that it was sent. Point and context are its own, whatever the prover has opened.
    let commitment = scheme.read_commitment(&sent)?;
    let claims = Claims { forms: vec![TensorForm::point(&point)], values, context: context.to_vec() };
    scheme.verify(&commitment, &claims, &proof)?;
    println!("{} values at one point, by a proof of {} bytes", claims.values[0].len(), proof.len());
    Ok(())
}
