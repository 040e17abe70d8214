//! Proofs of knowledge of a discrete logarithm, bound to their place in a ceremony.

use curve::pairing::PairingCurve;
use curve::{AffineRepr, CurveGroup, PrimeField};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::beacon::Beacon;
use crate::groth16::bytes::compress;
use crate::groth16::{G1, random_scalar};

/// A secret's image, `base` times the secret, and a proof of knowledge of the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step<E: PairingCurve> {
    pub image: G1<E>,
    pub commitment: G1<E>,
    pub response: E::Scalar,
}

impl<E: PairingCurve> Step<E> {
    /// Bytes of [`Self::write`].
    pub const BYTES: usize = 2 * E::G1_BYTES + 32;

    pub fn new(base: &G1<E>, secret: &E::Scalar, place: &[u8; 32], rng: &mut impl CryptoRng) -> Self {
        let nonce = Zeroizing::new(random_scalar::<E::Scalar>(rng));
        let image = (*base * secret).into_affine();
        let commitment = (*base * *nonce).into_affine();
        let response = *nonce + challenge::<E>(base, &image, &commitment, place) * secret;
        Self { image, commitment, response }
    }

    /// Whether the proof is right at this place, and the image not the identity.
    pub fn is_right(&self, base: &G1<E>, place: &[u8; 32]) -> bool {
        let challenge = challenge::<E>(base, &self.image, &self.commitment, place);
        !self.image.is_zero() && *base * self.response == self.image * challenge + self.commitment
    }

    pub fn write(&self, bytes: &mut Vec<u8>) {
        compress(&self.image, bytes);
        compress(&self.commitment, bytes);
        compress(&self.response, bytes);
    }
}

/// New secrets from a generator, one for each image, and the steps that they take from there.
pub(super) fn contribution<E: PairingCurve>(
    images: &[G1<E>],
    place: &[u8; 32],
    rng: &mut impl CryptoRng,
) -> (Vec<Zeroizing<E::Scalar>>, Vec<Step<E>>) {
    let secrets: Vec<_> = images.iter().map(|_| Zeroizing::new(random_scalar::<E::Scalar>(rng))).collect();
    let steps = images.iter().zip(&secrets).map(|(image, secret)| Step::<E>::new(image, secret, place, rng));
    let steps = steps.collect();
    (secrets, steps)
}

/// The places behind contributions, one by one.
pub(super) fn places<E: PairingCurve>(
    first: [u8; 32],
    contributions: &[Vec<Step<E>>],
) -> impl Iterator<Item = [u8; 32]> {
    contributions.iter().scan(first, |place, steps| {
        *place = next_place(place, steps);
        Some(*place)
    })
}

/// Whether the last contribution is the one of a beacon, and one before it is not: the secrets of a beacon are public, and alone would be no secrets. `first` is the place
/// before all contributions, and `start` what the first one multiplies.
pub(super) fn ends_with<E: PairingCurve>(
    (first, start): ([u8; 32], &[G1<E>]),
    contributions: &[Vec<Step<E>>],
    beacon: &Beacon,
) -> bool {
    let is_public = |(place, images, steps): &([u8; 32], Vec<G1<E>>, &Vec<Step<E>>)| {
        contribution::<E>(images, place, &mut beacon.stream(place)).1 == **steps
    };
    let before = core::iter::once(first).chain(places(first, contributions));
    let images = contributions.iter().map(|steps| steps.iter().map(|step| step.image).collect());
    let images = core::iter::once(start.to_vec()).chain(images);
    let all: Vec<_> = before.zip(images).zip(contributions).map(|((at, of), by)| (at, of, by)).collect();
    all.split_last().is_some_and(|(last, others)| is_public(last) && !others.iter().all(is_public))
}

fn challenge<E: PairingCurve>(
    base: &G1<E>,
    image: &G1<E>,
    commitment: &G1<E>,
    place: &[u8; 32],
) -> E::Scalar {
    let mut bytes = place.to_vec();
    [base, image, commitment].iter().for_each(|p| compress(*p, &mut bytes));
    let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 ceremony knowledge");
    hasher.update(E::ID.as_slice()).update(&bytes);
    let mut wide = [0; 64];
    hasher.finalize_xof().fill(&mut wide);
    E::Scalar::from_le_bytes_mod_order(&wide)
}

/// The place behind a contribution: a hash chain.
pub(super) fn next_place<E: PairingCurve>(place: &[u8; 32], steps: &[Step<E>]) -> [u8; 32] {
    let mut bytes = place.to_vec();
    steps.iter().for_each(|step| step.write(&mut bytes));
    let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 ceremony chain");
    *hasher.update(&bytes).finalize().as_bytes()
}
