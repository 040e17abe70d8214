//! Phase 2: delta, and eta where there are committed cells, for one circuit.

use curve::msm::{Bases, scale};
use curve::pairing::PairingCurve;
use curve::srs::lagrange;
use curve::{AdditiveGroup, Affine, AffineRepr, CurveGroup, Field, Projective};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::beacon::Beacon;
use super::file::{Reader, seal};
use super::knowledge::{Step, contribution, ends_with, next_place, places};
use super::{Powers, combine, equal_pairings, powers_of, weights};
use crate::groth16::key::{CommitmentKey, Provenance, ProvingKey, Shape, VerifyingKey};
use crate::groth16::setup::domain_of;
use crate::groth16::{G1, G2, Invalid, ParamError};
use crate::r1cs::R1cs;

pub(super) const MAGIC: &[u8; 16] = b"tenfold g16 p2 2";

/// The state of phase 2 for a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircuitKey<E: PairingCurve> {
    circuit: [u8; 32],
    /// The digest of the powers.
    powers: [u8; 32],
    shape: Shape,
    /// What contributions do not change.
    fixed: Fixed<E>,
    l: Vec<G1<E>>,
    h: Vec<G1<E>>,
    delta1: G1<E>,
    delta2: G2<E>,
    /// eta in both groups and what is divided by it, if the circuit has committed cells.
    eta: Option<Eta<E>>,
    /// For each contribution delta so far, and eta if there is one.
    contributions: Vec<Vec<Step<E>>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Eta<E: PairingCurve> {
    first: G1<E>,
    second: G2<E>,
    cells: Vec<G1<E>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Fixed<E: PairingCurve> {
    /// alpha and beta.
    constants: [G1<E>; 2],
    beta2: G2<E>,
    ic: Vec<G1<E>>,
    a: Vec<G1<E>>,
    b1: Vec<G1<E>>,
    b2: Vec<G2<E>>,
}

impl<E: PairingCurve> CircuitKey<E> {
    /// The state before all contributions: delta and eta are 1. The powers are taken as they are: verify them before.
    ///
    /// # Errors
    /// If the powers are for another domain than the circuit's.
    pub fn new(powers: &Powers<E>, circuit: &R1cs<E::Scalar>) -> Result<Self, ParamError> {
        let domain = domain_of(circuit)?;
        if domain.size() != powers.size() {
            return Err(ParamError("powers for another domain than the circuit's"));
        }
        let shape = Shape::of(circuit, domain.size());
        let size = domain.size();
        let tau1 = lagrange(&powers.tau1[..size]);
        let (alpha1, beta1) = (lagrange(&powers.alpha1), lagrange(&powers.beta1));
        let b2 = affine(columns(circuit, 1, &lagrange(&powers.tau2)));
        let mut a = columns(circuit, 0, &tau1);
        let mut sums = columns(circuit, 0, &beta1);
        // z_i * 0 = 0 for the constant and the public inputs.
        for i in 0..=shape.public {
            a[i] += tau1[shape.constraints + i];
            sums[i] += beta1[shape.constraints + i];
        }
        let more = columns(circuit, 1, &alpha1).into_iter().zip(columns(circuit, 2, &tau1));
        sums.iter_mut().zip(more).for_each(|(sum, (v, w))| *sum += v + w);
        let mut ic = affine(sums);
        let l = ic.split_off(1 + shape.public + shape.committed);
        let cells = ic.split_off(1 + shape.public);
        let (first, second) = (G1::<E>::generator(), G2::<E>::generator());
        // The Lagrange polynomials of the coset times Z over the value -2 of Z there.
        let back = domain.shift().inverse().expect("a root of unity");
        let half = -E::Scalar::from(2_u64).inverse().expect("an odd characteristic");
        let factors: Vec<_> = powers_of(back, size).iter().map(|x| *x * half).collect();
        let (low, high) = powers.tau1.split_at(size);
        let differences = affine(high.iter().zip(low).map(|(p, q)| *p - q).collect());
        let h = lagrange(&scale(&differences, &factors));
        let constants = [powers.alpha1[0], powers.beta1[0]];
        let b1 = affine(columns(circuit, 1, &tau1));
        Ok(Self {
            circuit: circuit.digest(),
            powers: powers.digest(),
            shape,
            fixed: Fixed { constants, beta2: powers.beta2, ic, a: affine(a), b1, b2 },
            l,
            h,
            delta1: first,
            delta2: second,
            eta: (!cells.is_empty()).then_some(Eta { first, second, cells }),
            contributions: Vec::new(),
        })
    }

    /// The number of contributions.
    #[must_use]
    pub fn contributions(&self) -> usize {
        self.contributions.len()
    }

    /// Multiplies delta, and eta if there is one, by secrets of their own from the generator, which are overwritten before this returns.
    pub fn contribute(&mut self, rng: &mut impl CryptoRng) {
        let (secrets, steps) = contribution::<E>(&self.images(), &self.place(), rng);
        self.contributions.push(steps);
        divide(&mut [&mut self.l, &mut self.h], &secrets[0]);
        self.delta1 = (self.delta1 * *secrets[0]).into_affine();
        self.delta2 = (self.delta2 * *secrets[0]).into_affine();
        if let (Some(eta), Some(secret)) = (&mut self.eta, secrets.get(1)) {
            divide(&mut [&mut eta.cells], secret);
            eta.first = (eta.first * **secret).into_affine();
            eta.second = (eta.second * **secret).into_affine();
        }
    }

    /// The contribution of a public value: [`Self::ends_with`].
    pub fn contribute_beacon(&mut self, beacon: &Beacon) {
        let place = self.place();
        self.contribute(&mut beacon.stream(&place));
    }

    /// Tells whether the last contribution is that of a beacon, and one before it is not.
    #[must_use]
    pub fn ends_with(&self, beacon: &Beacon) -> bool {
        let start = vec![G1::<E>::generator(); self.images().len()];
        ends_with((self.first_place(), &start), &self.contributions, beacon)
    }

    /// The receipts of all contributions: each is a hash of it and of all before.
    #[must_use]
    pub fn receipts(&self) -> Vec<[u8; 32]> {
        places(self.first_place(), &self.contributions).collect()
    }

    fn place(&self) -> [u8; 32] {
        self.receipts().last().copied().unwrap_or_else(|| self.first_place())
    }

    /// Checks that this is what contributions made of these powers and this circuit. The powers themselves are verified by [`Powers::verify`]. Cost: that
    /// of [`Self::new`], a sum over the lists of points that contributions divide, and six pairings, ten with committed cells.
    ///
    /// # Errors
    /// If the powers or the circuit are others, a proof of knowledge is not right where it stands, or a point is another one.
    pub fn verify(&self, powers: &Powers<E>, circuit: &R1cs<E::Scalar>) -> Result<(), Invalid> {
        let start = Self::new(powers, circuit).map_err(|ParamError(why)| Invalid(why))?;
        let same = (start.circuit, start.powers, start.shape) == (self.circuit, self.powers, self.shape);
        if !same || start.fixed != self.fixed {
            return Err(Invalid("a key of other powers or of another circuit"));
        }
        let (first, last) = (start.images(), self.images());
        let counts = |key: &Self| key.divided().map(|(lists, _)| lists.map(<[_]>::len)).collect::<Vec<_>>();
        if counts(&start) != counts(self) || first.len() != last.len() {
            return Err(Invalid("a key with other counts than its circuit's"));
        }
        let (mut place, mut images) = (self.first_place(), first.clone());
        for steps in &self.contributions {
            let known = steps.iter().zip(&images).all(|(step, base)| step.is_right(base, &place));
            if !known || steps.len() != images.len() {
                return Err(Invalid("a contribution without knowledge of its secret, or at another place"));
            }
            images = steps.iter().map(|step| step.image).collect();
            place = next_place(&place, steps);
        }
        if images != last {
            return Err(Invalid("another delta or eta than the last contribution says"));
        }
        let one = G2::<E>::generator();
        let seed = blake3::hash(&self.to_bytes());
        for ((image, (before, _)), (after, second)) in images.iter().zip(start.divided()).zip(self.divided())
        {
            if !equal_pairings::<E>([*image, G1::<E>::generator()], [one, *second]) {
                return Err(Invalid("two different deltas or etas"));
            }
            for (before, after) in before.into_iter().zip(after).filter(|(list, _)| !list.is_empty()) {
                let w = weights::<E::Scalar>(seed.as_bytes(), before.len());
                if !equal_pairings::<E>([combine(before, &w), combine(after, &w)], [one, *second]) {
                    return Err(Invalid("points that are not divided by delta or eta"));
                }
            }
        }
        Ok(())
    }

    /// delta and eta in the first group.
    fn images(&self) -> Vec<G1<E>> {
        core::iter::once(self.delta1).chain(self.eta.as_ref().map(|eta| eta.first)).collect()
    }

    /// The lists that are divided by delta and by eta, and these in the second group.
    fn divided(&self) -> impl Iterator<Item = ([&[G1<E>]; 2], &G2<E>)> {
        let of_eta = self.eta.as_ref().map(|eta| ([&eta.cells[..], &[]], &eta.second));
        core::iter::once(([&self.l[..], &self.h], &self.delta2)).chain(of_eta)
    }

    /// The key, after [`Powers::verify`] and [`Self::verify`].
    ///
    /// # Errors
    /// As both, and if there is no contribution: then delta is gamma, and anybody could forge.
    pub fn finalise(&self, powers: &Powers<E>, circuit: &R1cs<E::Scalar>) -> Result<ProvingKey<E>, Invalid> {
        powers.verify()?;
        self.verify(powers, circuit)?;
        let Fixed { constants: [alpha, beta1], beta2, ic, a, b1, b2 } = &self.fixed;
        let provenance = Provenance::Ceremony(self.contributions.len() as u64);
        let second = ([*beta2, G2::<E>::generator(), self.delta2], self.eta.as_ref().map(|eta| eta.second));
        let commitment = self.eta.as_ref();
        let commitment =
            commitment.map(|eta| CommitmentKey { eta1: eta.first, cells: Bases::new(&eta.cells) });
        Ok(ProvingKey {
            shape: self.shape,
            verifying: VerifyingKey::new(self.circuit, provenance, *alpha, second, ic.clone())?,
            beta1: *beta1,
            delta1: self.delta1,
            commitment,
            a: Bases::new(a),
            b1: Bases::new(b1),
            b2: Bases::new(b2),
            l: Bases::new(&self.l),
            h: Bases::new(&self.h),
            domain: domain_of(circuit).map_err(|ParamError(why)| Invalid(why))?,
            watch: None,
        })
    }

    fn first_place(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 ceremony circuit");
        *hasher.update(&E::ID).update(&self.circuit).update(&self.powers).finalize().as_bytes()
    }

    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(E::ID);
        bytes.extend(self.circuit);
        bytes.extend(self.powers);
        let Shape { public, constraints, committed, witness, domain } = self.shape;
        let counts = [public, constraints, committed, witness, domain, self.contributions.len()];
        counts.iter().for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        let Fixed { constants, beta2, ic, a, b1, b2 } = &self.fixed;
        for list in [&constants[..], ic, a, b1, &self.l, &self.h, &[self.delta1]] {
            curve::points::write(list, &mut bytes);
        }
        curve::points::write(b2, &mut bytes);
        curve::points::write(&[*beta2, self.delta2], &mut bytes);
        if let Some(eta) = &self.eta {
            curve::points::write(&eta.cells, &mut bytes);
            curve::points::write(&[eta.first], &mut bytes);
            curve::points::write(&[eta.second], &mut bytes);
        }
        self.contributions.iter().flatten().for_each(|step| step.write(&mut bytes));
        seal(bytes)
    }

    /// Reads a state: every point is one of its subgroup. [`Self::verify`] checks what they have to do with a circuit.
    ///
    /// # Errors
    /// If the bytes are not a state, too many or too few.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Invalid> {
        let length = Invalid("a state of another length than it says");
        let mut reader = Reader::new::<E>(bytes, MAGIC)?;
        let mut digest = || reader.take(32)?.try_into().map_err(|_| length);
        let (circuit, powers) = (digest()?, digest()?);
        let [public, constraints, committed] = [reader.number()?, reader.number()?, reader.number()?];
        let [witness, domain, count] = [reader.number()?, reader.number()?, reader.number()?];
        let shape = Shape { public, constraints, committed, witness, domain };
        let sum = |numbers: &[usize]| numbers.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
        let columns = sum(&[1, public, committed, witness]).ok_or(length)?;
        let public_points = public.checked_add(1).ok_or(length)?;
        let has = usize::from(committed > 0);
        let first = [2, public_points, columns, columns, witness, domain, 1, committed, has];
        reader.expect_length::<E>(&first, &[columns, 2, has], (count, 1 + has))?;
        let [alpha, beta1] = reader.first::<E>(2)?[..] else { return Err(length) };
        let ic = reader.first::<E>(public_points)?;
        let [a, b1] = [reader.first::<E>(columns)?, reader.first::<E>(columns)?];
        let [l, h] = [reader.first::<E>(witness)?, reader.first::<E>(domain)?];
        let [delta1] = reader.first::<E>(1)?[..] else { return Err(length) };
        let b2 = reader.second::<E>(columns)?;
        let [beta2, delta2] = reader.second::<E>(2)?[..] else { return Err(length) };
        let mut eta = None;
        if committed > 0 {
            let cells = reader.first::<E>(committed)?;
            let [first] = reader.first::<E>(1)?[..] else { return Err(length) };
            let [second] = reader.second::<E>(1)?[..] else { return Err(length) };
            eta = Some(Eta { first, second, cells });
        }
        let contributions = reader.steps(count, 1 + has)?;
        let fixed = Fixed { constants: [alpha, beta1], beta2, ic, a, b1, b2 };
        Ok(Self { circuit, powers, shape, fixed, l, h, delta1, delta2, eta, contributions })
    }
}

/// Divides the points of lists by a secret.
fn divide<C: curve::msm::Curve>(lists: &mut [&mut Vec<Affine<C>>], secret: &C::ScalarField) {
    let inverse = Zeroizing::new(secret.inverse().expect("not zero"));
    for list in lists {
        let inverses = Zeroizing::new(vec![*inverse; list.len()]);
        **list = scale(list, &inverses);
    }
}

/// For each column of a matrix the sum of its entries times the points of their rows.
fn columns<F: curve::PrimeField, C: curve::msm::Curve<ScalarField = F>>(
    circuit: &R1cs<F>,
    matrix: usize,
    points: &[Affine<C>],
) -> Vec<Projective<C>> {
    let mut sums = vec![Projective::ZERO; circuit.columns()];
    let matrix = circuit.matrices()[matrix];
    for (row, point) in points.iter().enumerate().take(circuit.constraints()) {
        for (column, x) in circuit.row(matrix, row) {
            if x == F::ONE {
                sums[column] += point;
            } else if x == -F::ONE {
                sums[column] -= *point;
            } else {
                sums[column] += *point * x;
            }
        }
    }
    sums
}

fn affine<C: curve::msm::Curve>(points: Vec<Projective<C>>) -> Vec<Affine<C>> {
    Projective::normalize_batch(&points)
}
