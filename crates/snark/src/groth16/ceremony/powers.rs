//! Phase 1: powers of tau, and their multiples by alpha and beta.

use curve::fft::Domain;
use curve::msm::scale;
use curve::pairing::PairingCurve;
use curve::{AffineRepr, CurveGroup};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::beacon::Beacon;
use super::file::{Reader, seal};
use super::knowledge::{Step, contribution, ends_with, next_place, places};
use super::{combine, equal_pairings, powers_of, weights};
use crate::groth16::{G1, G2, Invalid, ParamError};

pub(super) const MAGIC: &[u8; 16] = b"tenfold g16 p1 1";

/// The state of phase 1 for domains of up to `size` points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powers<E: PairingCurve> {
    pub(super) size: usize,
    /// `tau^i`, twice `size` of them.
    pub(super) tau1: Vec<G1<E>>,
    /// `alpha tau^i` and `beta tau^i`.
    pub(super) alpha1: Vec<G1<E>>,
    pub(super) beta1: Vec<G1<E>>,
    pub(super) tau2: Vec<G2<E>>,
    pub(super) beta2: G2<E>,
    /// For each contribution tau, alpha and beta so far.
    contributions: Vec<Vec<Step<E>>>,
}

impl<E: PairingCurve> Powers<E> {
    /// The state before all contributions: all secrets are 1.
    ///
    /// # Errors
    /// If `size` is not that of a [`Domain`] from 2 to 2^27.
    pub fn new(size: usize) -> Result<Self, ParamError> {
        check_size::<E>(size)?;
        let (g1, g2) = (G1::<E>::generator(), G2::<E>::generator());
        Ok(Self {
            size,
            tau1: vec![g1; 2 * size],
            alpha1: vec![g1; size],
            beta1: vec![g1; size],
            tau2: vec![g2; size],
            beta2: g2,
            contributions: Vec::new(),
        })
    }

    /// The points of the largest domain.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of contributions.
    #[must_use]
    pub fn contributions(&self) -> usize {
        self.contributions.len()
    }

    /// Multiplies the secrets by others from the generator, which are overwritten before this returns. Cost: four multiples in the first group and one in
    /// the second for each point of the domain.
    pub fn contribute(&mut self, rng: &mut impl CryptoRng) {
        let (secrets, steps) = contribution::<E>(&self.images(), &self.place(), rng);
        let [tau, alpha, beta] = &secrets[..] else { unreachable!("a secret for each image") };
        self.contributions.push(steps);
        let powers = powers_of(**tau, 2 * self.size);
        let times = |factor: &E::Scalar| -> Zeroizing<Vec<E::Scalar>> {
            Zeroizing::new(powers[..self.size].iter().map(|power| *power * factor).collect())
        };
        self.tau1 = scale(&self.tau1, &powers);
        self.alpha1 = scale(&self.alpha1, &times(alpha));
        self.beta1 = scale(&self.beta1, &times(beta));
        self.tau2 = scale(&self.tau2, &powers[..self.size]);
        self.beta2 = (self.beta2 * **beta).into_affine();
    }

    /// The contribution of a public value: [`Self::ends_with`].
    pub fn contribute_beacon(&mut self, beacon: &Beacon) {
        let place = self.place();
        self.contribute(&mut beacon.stream(&place));
    }

    /// Tells whether the last contribution is that of a beacon, and one before it is not.
    #[must_use]
    pub fn ends_with(&self, beacon: &Beacon) -> bool {
        let start = [G1::<E>::generator(); 3];
        ends_with((first_place::<E>(self.size), &start), &self.contributions, beacon)
    }

    /// The receipts of all contributions: each is a hash of it and of all before.
    #[must_use]
    pub fn receipts(&self) -> Vec<[u8; 32]> {
        places(first_place::<E>(self.size), &self.contributions).collect()
    }

    /// Checks every contribution, and that the points are powers of what the last one says. Cost: a sum over all points and nine pairings.
    ///
    /// # Errors
    /// If there is no contribution, a proof of knowledge is not right where it stands, or a point is another one.
    pub fn verify(&self) -> Result<(), Invalid> {
        let (g1, g2) = (G1::<E>::generator(), G2::<E>::generator());
        let mut place = first_place::<E>(self.size);
        let mut images = [g1; 3];
        for steps in &self.contributions {
            if steps.len() != images.len()
                || !steps.iter().zip(&images).all(|(step, base)| step.is_right(base, &place))
            {
                return Err(Invalid("a contribution without knowledge of its secrets, or at another place"));
            }
            images = [steps[0].image, steps[1].image, steps[2].image];
            place = next_place(&place, steps);
        }
        if self.contributions.is_empty() {
            return Err(Invalid("powers without a contribution: everybody knows their secrets"));
        }
        if images != self.images() || self.tau1.first() != Some(&g1) || self.tau2.first() != Some(&g2) {
            return Err(Invalid("other powers than the last contribution says"));
        }
        let w = weights::<E::Scalar>(blake3::hash(&self.to_bytes()).as_bytes(), 2 * self.size);
        let tau2 = self.tau2[1];
        let in_sequence = |list: &[G1<E>]| {
            let (low, high) = (combine(&list[..list.len() - 1], &w), combine(&list[1..], &w));
            equal_pairings::<E>([low, high], [tau2, g2])
        };
        let second = [combine(&self.tau2[..self.size - 1], &w), combine(&self.tau2[1..], &w)];
        let right = [&self.tau1, &self.alpha1, &self.beta1].iter().all(|list| in_sequence(list))
            && equal_pairings::<E>([self.tau1[1], g1], second)
            && equal_pairings::<E>([self.beta1[0], g1], [g2, self.beta2]);
        if right { Ok(()) } else { Err(Invalid("not the powers of one secret")) }
    }

    /// tau, alpha and beta in the first group.
    fn images(&self) -> [G1<E>; 3] {
        [self.tau1[1], self.alpha1[0], self.beta1[0]]
    }

    fn place(&self) -> [u8; 32] {
        let first = first_place::<E>(self.size);
        places(first, &self.contributions).last().unwrap_or(first)
    }

    /// The digest of all contributions and their points.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(&self.to_bytes()).as_bytes()
    }

    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(E::ID);
        [self.size, self.contributions.len()].iter().for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        [&self.tau1, &self.alpha1, &self.beta1]
            .iter()
            .for_each(|list| curve::points::write(list, &mut bytes));
        curve::points::write(&self.tau2, &mut bytes);
        curve::points::write(&[self.beta2], &mut bytes);
        self.contributions.iter().flatten().for_each(|step| step.write(&mut bytes));
        seal(bytes)
    }

    /// Reads a state: every point is one of its subgroup. [`Self::verify`] checks what they have to do with one another.
    ///
    /// # Errors
    /// If the bytes are not a state, too many or too few.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut reader = Reader::new::<E>(bytes, MAGIC)?;
        let (size, count) = (reader.number()?, reader.number()?);
        // Before anything is allocated by the size.
        check_size::<E>(size).map_err(|ParamError(why)| Invalid(why))?;
        reader.expect_length::<E>(&[2 * size, size, size], &[size, 1], (count, 3))?;
        let tau1 = reader.first::<E>(2 * size)?;
        let [alpha1, beta1] = [reader.first::<E>(size)?, reader.first::<E>(size)?];
        let tau2 = reader.second::<E>(size)?;
        let [beta2] = reader.second::<E>(1)?[..] else { return Err(Invalid("no point")) };
        let contributions = reader.steps(count, 3)?;
        Ok(Self { size, tau1, alpha1, beta1, tau2, beta2, contributions })
    }
}

fn check_size<E: PairingCurve>(size: usize) -> Result<(), ParamError> {
    if Domain::<E::Scalar>::is_size(size) && (2..=1 << 27).contains(&size) {
        Ok(())
    } else {
        Err(ParamError("a domain has 2^k, 3 2^k or 9 2^k points, from 2 to 2^27"))
    }
}

fn first_place<E: PairingCurve>(size: usize) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 ceremony powers");
    *hasher.update(&E::ID).update(&(size as u64).to_le_bytes()).finalize().as_bytes()
}
