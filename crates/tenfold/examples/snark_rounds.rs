//! A protocol of two rounds, as SNARKs have them: columns, a challenge, a column that depends on it, and one proof about both
//! commitments at the end: `cargo run --release -p tenfold --example snark_rounds`.
//!
//! The second round's column is the combination of the first round's by powers of the challenge, which the verifier checks at one point. In a real
//! protocol it would be a running product or a sum of fractions; what is committed, drawn, bound and opened, and when, stays as here.

use tenfold::pcs::claims::Claims;
use tenfold::pcs::field::{Bn254, Field};
use tenfold::pcs::fields::Fields;
use tenfold::pcs::iop::hash::Hash;
use tenfold::pcs::iop::poly::TensorForm;
use tenfold::pcs::iop::security::Policy;
use tenfold::pcs::iop::transcript::{Challenger, Domain};
use tenfold::pcs::pip::search::{Profile, SearchTarget, find};
use tenfold::pcs::pip::{JointScheme, Prover};

const COLUMNS: u32 = 7;
const VARIABLES: u32 = 12;

/// The protocol's own transcript, here no more than a draw from all that was sent before.
fn draw(round: &[u8], sent: &[&[u8]], count: usize) -> Vec<Bn254> {
    let hash = Hash::Blake3;
    let domain = Domain::new(hash, "example of two rounds v1", &hash.digest("round", &[round]));
    domain.statement(&hash.digest("sent", sent)).verifier(&[]).challenges("challenge", count)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Prover and verifier: parameters of all columns together, which two commitments share.
    let policy = Policy::at_least(128);
    let target = SearchTarget::new(Fields::Bn254, VARIABLES, 128, Profile::Fast);
    let params = find(&SearchTarget { polynomials: COLUMNS + 1, commitments: 2, ..target })?;
    let joint = JointScheme::<Bn254, Bn254>::new(params, &[COLUMNS, 1], &policy)?;

    // Round 1: columns.
    let entry = |i: u64, k: u32| Bn254::from_u64(i * i + 1).pow(u64::from(k) + 1);
    let columns: Vec<Vec<Bn254>> =
        (0..COLUMNS).map(|k| (0..1 << VARIABLES).map(|i| entry(i, k)).collect()).collect();
    let views: Vec<&[Bn254]> = columns.iter().map(Vec::as_slice).collect();
    let mut first = Prover::new(joint.part(0)).commit_batch(&views);
    let sent_first = first.commitment().to_bytes();

    // Round 2: a column that depends on a challenge, which depends on the first commitment.
    let beta = draw(b"beta", &[&sent_first], 1)[0];
    let combine = |values: &[Bn254]| values.iter().rev().fold(Bn254::ZERO, |sum, &value| sum * beta + value);
    let column = |i: usize| combine(&columns.iter().map(|column| column[i]).collect::<Vec<_>>());
    let mut second = Prover::new(joint.part(1)).commit((0..1 << VARIABLES).map(column).collect());
    let sent_second = second.commitment().to_bytes();

    // The end: a point that depends on all commitments, and one proof about all columns there.
    let point = TensorForm::point(&draw(b"point", &[&sent_first, &sent_second], VARIABLES as usize));
    let forms = vec![vec![point.clone()], vec![point]];
    let context = Hash::Blake3.digest("example of two rounds v1", &[&sent_first, &sent_second]);
    let (claims, proof) = joint.open(&[&first, &second], forms.clone(), &context);

    // The verifier: commitments as they were sent, the challenges from them, the claims that it wants.
    let commitments =
        [joint.part(0).read_commitment(&sent_first)?, joint.part(1).read_commitment(&sent_second)?];
    let beta = draw(b"beta", &[&sent_first], 1)[0];
    let point = TensorForm::point(&draw(b"point", &[&sent_first, &sent_second], VARIABLES as usize));
    let context = Hash::Blake3.digest("example of two rounds v1", &[&sent_first, &sent_second]);
    // Of what the prover says the values are taken: forms and context are the verifier's own.
    let stated = |sent: Claims<Bn254>| Claims {
        forms: vec![point.clone()],
        values: sent.values,
        context: context.to_vec(),
    };
    let claims: Vec<_> = claims.into_iter().map(stated).collect();
    joint.verify(&[(&commitments[0], &claims[0]), (&commitments[1], &claims[1])], &proof)?;
    let combined = claims[0].values[0].iter().rev().fold(Bn254::ZERO, |sum, &value| sum * beta + value);
    assert_eq!(
        combined, claims[1].values[0][0],
        "the second round's column is the combination of the first's"
    );

    // Two proofs instead, one about each commitment.
    let [a, b] = [forms[0].clone(), forms[1].clone()];
    let apart = Prover::new(joint.part(0)).open(&mut first, a, &context).1.len()
        + Prover::new(joint.part(1)).open(&mut second, b, &context).1.len();
    println!(
        "{} bits: {} columns of two commitments at one point, by a proof of {} bytes; two proofs have {apart}",
        joint.report().proven_bits().floor(),
        COLUMNS + 1,
        proof.len()
    );
    Ok(())
}
