//! Verification. Steps `V1` to `V3`.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::msm;
use curve::pairing::PairingCurve;
use curve::{AdditiveGroup, Affine, CurveGroup, PrimeField, Projective};

use super::key::VerifyingKey;
use super::{Commitment, G1, Invalid, Proof};

const PUBLIC: Invalid = Invalid("another number of public inputs than the circuit has");
const COMMITMENT: Invalid =
    Invalid("a proof without the commitment that its circuit has, or with one that it has not");
const WRONG: Invalid = Invalid("the pairing equation does not hold");

/// What a pairing is taken of.
type Pair<'a, E> = (G1<E>, &'a <E as PairingCurve>::Prepared);

impl<E: PairingCurve> VerifyingKey<E> {
    /// Checks a proof for public inputs. Cost: three pairings, four with a commitment, and a multiple for each public input.
    ///
    /// Of a circuit with committed cells the challenges among the public inputs **are the caller's to compute** from [`Proof::commitment`] and all else that the
    /// prover chooses before.
    ///
    /// # Errors
    /// If the number of public inputs is another one, a point of the proof is the identity, there is a commitment where the circuit has no committed cells or none
    /// where it has some, or the equation does not hold.
    pub fn verify(&self, public: &[E::Scalar], proof: &Proof<E>) -> Result<(), Invalid> {
        // V1: points, with a commitment if the circuit has committed cells.
        proof.check_not_identity()?;
        let commitment = self.commitment_of(proof)?;
        // V2: the public inputs' part, as many as the circuit has.
        let sum = self.inputs(public)?.into_affine();
        // V3: the equation.
        let [_, gamma, delta] = &self.prepared;
        let b = E::prepare(&proof.b);
        let mut pairs = vec![(proof.a, &b), (sum, gamma), (proof.c, delta)];
        pairs.extend(commitment);
        if E::product(&pairs) == self.alpha_beta { Ok(()) } else { Err(WRONG) }
    }

    /// The commitment and the lines of -eta, if the circuit has committed cells.
    fn commitment_of(&self, proof: &Proof<E>) -> Result<Option<Pair<'_, E>>, Invalid> {
        match (&proof.commitment, &self.prepared_eta) {
            (Some(Commitment(point)), Some(eta)) => Ok(Some((*point, eta))),
            (None, None) => Ok(None),
            _ => Err(COMMITMENT),
        }
    }

    /// `IC_0 + sum x_i IC_i`
    fn inputs(&self, public: &[E::Scalar]) -> Result<Projective<E::G1>, Invalid> {
        match self.ic.split_first() {
            Some((constant, ic)) if ic.len() == public.len() => {
                let sum = match &self.multiples {
                    Some(multiples) => multiples.sum(public),
                    None => msm::sum(ic, public),
                };
                Ok(sum + constant)
            }
            _ => Err(PUBLIC),
        }
    }
}

/// Checks many proofs for one key by a random linear combination: `n + 3` pairings, one more with commitments, that share one final exponentiation.
///
/// The weights are 128 bits of a hash of the key, the inputs and the proofs: a false proof passes with probability `2^-128` for each attempt of its author.
/// Which one is false is not said.
///
/// # Errors
/// If one of the proofs is not valid, as [`VerifyingKey::verify`] would find.
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
    let [mut inputs, mut c, mut d] = [Projective::<E::G1>::ZERO; 3];
    let mut total = E::Scalar::ZERO;
    let mut pairs = Vec::with_capacity(proofs.len() + 4);
    for (public, proof) in proofs {
        let mut bytes = [0; 16];
        stream.fill(&mut bytes);
        let weight = E::Scalar::from(u128::from_le_bytes(bytes));
        total += weight;
        inputs += key.inputs(public)? * weight;
        c += proof.c * weight;
        if let Some((commitment, _)) = key.commitment_of(proof)? {
            d += commitment * weight;
        }
        pairs.push(((proof.a * weight).into_affine(), E::prepare(&proof.b)));
    }
    let [beta, gamma, delta] = &key.prepared;
    let alpha = -(key.alpha * total).into_affine();
    let mut all: Vec<(G1<E>, &E::Prepared)> = pairs.iter().map(|(p, q)| (*p, q)).collect();
    let [inputs, c, d]: [Affine<E::G1>; 3] = [inputs, c, d].map(CurveGroup::into_affine);
    all.extend([(alpha, beta), (inputs, gamma), (c, delta)]);
    all.extend(key.prepared_eta.as_ref().map(|eta| (d, eta)));
    if E::product(&all) == E::product(&[]) { Ok(()) } else { Err(WRONG) }
}
