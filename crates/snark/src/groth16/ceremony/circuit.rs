//! Phase 2: delta, for one circuit.

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
use crate::groth16::key::{Provenance, ProvingKey, Shape, VerifyingKey};
use crate::groth16::setup::domain_of;
use crate::groth16::{G1, G2, Invalid, ParamError};
use crate::r1cs::R1cs;

const MAGIC: &[u8; 16] = b"tenfold g16 p2 1";

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
    contributions: Vec<[Step<E>; 1]>,
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
    /// The state before all contributions: delta is 1. The powers are taken as they are: verify them before.
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
        let l = ic.split_off(1 + shape.public);
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
            delta1: G1::<E>::generator(),
            delta2: G2::<E>::generator(),
            contributions: Vec::new(),
        })
    }

    /// The number of contributions.
    #[must_use]
    pub fn contributions(&self) -> usize {
        self.contributions.len()
    }

    /// Multiplies delta by a secret from the generator, which is overwritten before this returns.
    pub fn contribute(&mut self, rng: &mut impl CryptoRng) {
        let ([secret], steps) = contribution::<E, 1>(&[self.delta1], &self.place(), rng);
        self.contributions.push(steps);
        let inverse = Zeroizing::new(secret.inverse().expect("not zero"));
        let inverses = Zeroizing::new(vec![*inverse; self.l.len().max(self.h.len())]);
        self.l = scale(&self.l, &inverses[..self.l.len()]);
        self.h = scale(&self.h, &inverses[..self.h.len()]);
        self.delta1 = (self.delta1 * *secret).into_affine();
        self.delta2 = (self.delta2 * *secret).into_affine();
    }

    /// The contribution of a public value: [`Self::ends_with`].
    pub fn contribute_beacon(&mut self, beacon: &Beacon) {
        let place = self.place();
        self.contribute(&mut beacon.stream(&place));
    }

    /// Tells whether the last contribution is that of a beacon.
    #[must_use]
    pub fn ends_with(&self, beacon: &Beacon) -> bool {
        ends_with(self.first_place(), &self.contributions, beacon)
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
    /// of [`Self::new`], a sum over two lists of points, and four pairings.
    ///
    /// # Errors
    /// If the powers or the circuit are others, a proof of knowledge is not right where it stands, or a point is another one.
    pub fn verify(&self, powers: &Powers<E>, circuit: &R1cs<E::Scalar>) -> Result<(), Invalid> {
        let start = Self::new(powers, circuit).map_err(|ParamError(why)| Invalid(why))?;
        let same = (start.circuit, start.powers, start.shape) == (self.circuit, self.powers, self.shape);
        if !same || start.fixed != self.fixed {
            return Err(Invalid("a key of other powers or of another circuit"));
        }
        if (start.l.len(), start.h.len()) != (self.l.len(), self.h.len()) {
            return Err(Invalid("a key with other counts than its circuit's"));
        }
        let (mut place, mut delta) = (self.first_place(), start.delta1);
        for steps in &self.contributions {
            if !steps[0].is_right(&delta, &place) {
                return Err(Invalid("a contribution without knowledge of its secret, or at another place"));
            }
            delta = steps[0].image;
            place = next_place(&place, steps);
        }
        if delta != self.delta1 {
            return Err(Invalid("another delta than the last contribution says"));
        }
        if !equal_pairings::<E>([delta, start.delta1], [start.delta2, self.delta2]) {
            return Err(Invalid("two different deltas"));
        }
        let w =
            weights::<E::Scalar>(blake3::hash(&self.to_bytes()).as_bytes(), self.l.len().max(self.h.len()));
        for (before, after) in [(&start.l, &self.l), (&start.h, &self.h)] {
            let sums = [combine(before, &w), combine(after, &w)];
            if !equal_pairings::<E>(sums, [start.delta2, self.delta2]) {
                return Err(Invalid("points that are not divided by delta"));
            }
        }
        Ok(())
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
        let second = [*beta2, G2::<E>::generator(), self.delta2];
        Ok(ProvingKey {
            shape: self.shape,
            verifying: VerifyingKey::new(self.circuit, provenance, *alpha, second, ic.clone())?,
            beta1: *beta1,
            delta1: self.delta1,
            a: Bases::new(a),
            b1: Bases::new(b1),
            b2: Bases::new(b2),
            l: Bases::new(&self.l),
            h: Bases::new(&self.h),
            domain: domain_of(circuit).map_err(|ParamError(why)| Invalid(why))?,
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
        let Shape { public, constraints, witness, domain } = self.shape;
        let counts = [public, constraints, witness, domain, self.contributions.len()];
        counts.iter().for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        let Fixed { constants, beta2, ic, a, b1, b2 } = &self.fixed;
        for list in [&constants[..], ic, a, b1, &self.l, &self.h, &[self.delta1]] {
            curve::points::write(list, &mut bytes);
        }
        curve::points::write(b2, &mut bytes);
        curve::points::write(&[*beta2, self.delta2], &mut bytes);
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
        let [public, constraints] = [reader.number()?, reader.number()?];
        let [witness, domain, count] = [reader.number()?, reader.number()?, reader.number()?];
        let columns = public.checked_add(witness).and_then(|n| n.checked_add(1)).ok_or(length)?;
        let public_points = public.checked_add(1).ok_or(length)?;
        let first = [2, public_points, columns, columns, witness, domain, 1];
        reader.expect_length::<E>(&first, &[columns, 2], (count, 1))?;
        let [alpha, beta1] = reader.first::<E>(2)?[..] else { return Err(length) };
        let ic = reader.first::<E>(public_points)?;
        let [a, b1] = [reader.first::<E>(columns)?, reader.first::<E>(columns)?];
        let [l, h] = [reader.first::<E>(witness)?, reader.first::<E>(domain)?];
        let [delta1] = reader.first::<E>(1)?[..] else { return Err(length) };
        let b2 = reader.second::<E>(columns)?;
        let [beta2, delta2] = reader.second::<E>(2)?[..] else { return Err(length) };
        let contributions = reader.steps(count)?;
        let shape = Shape { public, constraints, witness, domain };
        let fixed = Fixed { constants: [alpha, beta1], beta2, ic, a, b1, b2 };
        Ok(Self { circuit, powers, shape, fixed, l, h, delta1, delta2, contributions })
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
