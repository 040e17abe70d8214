//! Verification. Steps `V1` to `V3`.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::msm;
use curve::pairing::PairingCurve;
use curve::{AdditiveGroup, Affine, CurveGroup, PrimeField, Projective};

use super::key::VerifyingKey;
use super::{G1, Invalid, Proof};

const PUBLIC: Invalid = Invalid("another number of public inputs than the circuit has");
const WRONG: Invalid = Invalid("the pairing equation does not hold");

impl<E: PairingCurve> VerifyingKey<E> {
    /// Checks a proof for public inputs. Cost: three pairings and a multiple for each public input.
    ///
    /// # Errors
    /// If the number of public inputs is another one, a point of the proof is the identity, or the equation does not hold.
    pub fn verify(&self, public: &[E::Scalar], proof: &Proof<E>) -> Result<(), Invalid> {
        // V1: as many public inputs as the circuit has, and points.
        proof.check_not_identity()?;
        // V2: the public inputs' part.
        let sum = self.inputs(public)?.into_affine();
        // V3: the equation.
        let [_, gamma, delta] = &self.prepared;
        let b = E::prepare(&proof.b);
        if E::product(&[(proof.a, &b), (sum, gamma), (proof.c, delta)]) == self.alpha_beta {
            Ok(())
        } else {
            Err(WRONG)
        }
    }

    /// `IC_0 + sum x_i IC_i`
    fn inputs(&self, public: &[E::Scalar]) -> Result<Projective<E::G1>, Invalid> {
        match self.ic.split_first() {
            Some((constant, ic)) if ic.len() == public.len() => {
                let [sum] = msm::sums([(ic, public)]);
                Ok(sum + constant)
            }
            _ => Err(PUBLIC),
        }
    }
}

/// Checks many proofs for one key by a random linear combination: `n + 3` pairings that share one final exponentiation.
///
/// The weights are 128 bits of a hash of the key, the inputs and the proofs: a false proof passes with probability `2^-128` for each attempt of its author.
/// Which one is false is not said.
///
/// # Errors
/// If one of the proofs is not valid.
pub fn verify_batch<E: PairingCurve>(
    key: &VerifyingKey<E>,
    proofs: &[(&[E::Scalar], Proof<E>)],
) -> Result<(), Invalid> {
    let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 batch");
    hasher.update(&key.digest());
    for (public, proof) in proofs {
        proof.check_not_identity()?;
        hasher.update(&(public.len() as u64).to_le_bytes());
        for x in *public {
            hasher.update(&curve::BigInteger::to_bytes_le(&x.into_bigint()));
        }
        hasher.update(&proof.to_bytes());
    }
    let mut stream = hasher.finalize_xof();
    let (mut inputs, mut c) = (Projective::<E::G1>::ZERO, Projective::<E::G1>::ZERO);
    let mut total = E::Scalar::ZERO;
    let mut pairs = Vec::with_capacity(proofs.len() + 3);
    for (public, proof) in proofs {
        let mut bytes = [0; 16];
        stream.fill(&mut bytes);
        let weight = E::Scalar::from(u128::from_le_bytes(bytes));
        total += weight;
        inputs += key.inputs(public)? * weight;
        c += proof.c * weight;
        pairs.push(((proof.a * weight).into_affine(), E::prepare(&proof.b)));
    }
    let [beta, gamma, delta] = &key.prepared;
    let alpha = -(key.alpha * total).into_affine();
    let mut all: Vec<(G1<E>, &E::Prepared)> = pairs.iter().map(|(p, q)| (*p, q)).collect();
    let [inputs, c]: [Affine<E::G1>; 2] = [inputs.into_affine(), c.into_affine()];
    all.extend([(alpha, beta), (inputs, gamma), (c, delta)]);
    if E::product(&all) == E::product(&[]) { Ok(()) } else { Err(WRONG) }
}
