//! Provers that are honest but for one thing.
//!
//! For each constraint a witness that breaks it, in a few rows, and no other one. That it is the only one is shown twice: row by row,
//! and by a proof that is accepted once both sides leave this constraint out.

use curve::bandersnatch::{Point, doublings};
use curve::bls12_381::{Fr, G1};
use curve::{AdditiveGroup, AffineRepr, CurveGroup, Field, One, Zero};
use zeroize::Zeroizing;

use super::{Scene, bases, members, scalar, setup};
use crate::adversary::{Deviation, verify_anywhere};
use crate::constraints::{Bounds, combine};
use crate::domain::Selectors;
use crate::kzg::commit;
use crate::prover::{Honest, Script, Secret, Witness};
use crate::setup::Blinds;
use crate::{Commitment, Error, Invalid, Key, Proof, SCALAR_BITS};

pub(super) const B: usize = 0;
const IP: usize = 1;
pub(super) const X: usize = 2;
pub(super) const Y: usize = 3;
/// The member who proves.
pub(super) const INDEX: usize = 2;

pub(super) struct Malicious {
    pub(super) scene: Scene,
    /// Rows `0 .. N-4` of the points.
    points: Vec<Point>,
}

impl Malicious {
    fn new() -> Self {
        Self::of(&members(5))
    }

    /// In the ring of these members, at [`INDEX`].
    pub(super) fn of(members: &[Key]) -> Self {
        let scene = Scene::new(setup(), members, INDEX);
        let mut points = scene.ring.points();
        points.extend(doublings(bases().blinding(), SCALAR_BITS));
        Self { scene, points }
    }

    pub(super) fn keys(&self) -> usize {
        self.scene.setup.domain.capacity()
    }

    pub(super) fn last(&self) -> usize {
        self.scene.setup.domain.last_row()
    }

    /// What an honest member has, with `t` for a blinding.
    pub(super) fn honest(&self, t: u64) -> Witness {
        let blinding = if t == 0 { 0_u64.into() } else { scalar(t) };
        let blinds: Blinds =
            core::array::from_fn(|i| core::array::from_fn(|j| Fr::from((3 * i + j + 1) as u64)));
        let secret = Secret { index: INDEX, blinding: &blinding, blinds: &blinds };
        let points = self.points.split_at(self.keys());
        Witness::new(&self.scene.setup, bases(), points, &secret)
    }

    /// Sums from row `from` on, starting with what stands there, as `b` says; and the result that they lead to.
    fn follow(&self, witness: &mut Witness, from: usize) {
        let mut sum = Point::new_unchecked(witness.columns[X][from], witness.columns[Y][from]);
        for i in from..self.last() {
            if witness.columns[B][i].is_one() {
                sum = (sum + self.points[i]).into_affine();
            }
            self.set(witness, i + 1, sum);
        }
        witness.result = (sum - bases().seed()).into_affine();
    }

    pub(super) fn set(&self, witness: &mut Witness, row: usize, sum: Point) {
        witness.columns[X][row] = sum.x;
        witness.columns[Y][row] = sum.y;
    }

    fn at(&self, witness: &Witness, row: usize) -> Point {
        Point::new_unchecked(witness.columns[X][row], witness.columns[Y][row])
    }

    /// Constraints that do not hold in some row.
    pub(super) fn broken(&self, witness: &Witness) -> Vec<usize> {
        let seed = *bases().seed();
        let bounds = Bounds { seed, end: (seed + witness.result).into_affine() };
        let flag = |so: bool| if so { Fr::one() } else { Fr::zero() };
        let breaks = |constraint: usize, i: usize| {
            let alphas = core::array::from_fn(|j| flag(j == constraint));
            let at = Selectors {
                not_last: flag(i != self.last()),
                first: flag(i == 0),
                last: flag(i == self.last()),
            };
            let point = self.points.get(i).map_or([Fr::zero(); 2], |p| [p.x, p.y]);
            let [b, ip, x, y] = witness.columns.each_ref().map(|column| column[i]);
            let row = [point[0], point[1], flag(i < self.keys()), b, ip, x, y];
            let combined = combine(&row, &at, &bounds, &alphas);
            let next = [IP, X, Y].map(|column| witness.columns[column][i + 1]);
            let shift: Fr = combined.shift.iter().zip(next).map(|(k, v)| *k * v).sum();
            !(combined.constant + shift).is_zero()
        };
        (0..7).filter(|constraint| (0..=self.last()).any(|i| breaks(*constraint, i))).collect()
    }

    /// The proof that an honest prover makes of this witness.
    pub(super) fn prove(&self, witness: &Witness) -> Proof {
        self.prove_by(witness, &Honest)
    }

    fn prove_by(&self, witness: &Witness, script: &impl Script) -> Proof {
        let setup = &self.scene.setup;
        let column = |rows: &Zeroizing<Vec<Fr>>| {
            commit(&setup.powers, &setup.coset.coefficients(rows).values()).into_affine()
        };
        let columns: [G1; 4] = witness.columns.each_ref().map(column);
        self.scene.prover.finish(witness, columns, script)
    }

    /// Wherever the blinded key is on the curve.
    fn accepted(&self, witness: &Witness) -> bool {
        self.accepted_by(witness, &Honest)
    }

    /// [`Self::accepted`] by a script of both sides.
    fn accepted_by(&self, witness: &Witness, script: &impl Script) -> bool {
        let proof = self.prove_by(witness, script);
        verify_anywhere(&self.scene.verifier, &witness.result, &proof, script).is_ok()
    }

    /// That the witness breaks this constraint alone, and is refused for it.
    fn is_refused(&self, witness: &Witness, constraint: usize) {
        assert_eq!(self.broken(witness), [constraint]);
        assert!(self.accepted_by(witness, &Deviation::Forgiven(constraint)), "all else is honest");
        assert!(!self.accepted(witness));
        assert!(self.scene.verifier.verify(&witness.result, &self.prove(witness)).is_err());
    }
}

#[test]
fn an_honest_witness_breaks_nothing() {
    let malicious = Malicious::new();
    for t in [0, 1, 9] {
        let witness = malicious.honest(t);
        assert!(malicious.broken(&witness).is_empty());
        assert!(malicious.accepted(&witness));
        let mut followed = malicious.honest(t);
        malicious.follow(&mut followed, 0);
        assert_eq!(followed.result, witness.result);
        assert_eq!(*followed.columns[X], *witness.columns[X]);
    }
    // Commitments from Lagrange points are those from coefficients.
    let witness = malicious.honest(4);
    let proof = malicious.prove(&witness);
    let mut masks = crate::prover::masks_of(&malicious.scene.setup);
    assert_eq!(witness.commit(&malicious.scene.setup, &masks, INDEX).unwrap(), proof.columns);
    // Each of them hides what it sums under a mask of its own: with another mask's sum it is wrong, and no other one is.
    for column in 0..4 {
        let sum = core::mem::replace(&mut masks[column].sum, G1::generator());
        let wrong = witness.commit(&malicious.scene.setup, &masks, INDEX).unwrap();
        for (i, (wrong, right)) in wrong.iter().zip(&proof.columns).enumerate() {
            assert_eq!(wrong != right, i == column);
        }
        masks[column].sum = sum;
    }
}

/// Nobody's key, but the count says one.
#[test]
fn inner_product() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(5);
    witness.columns[B][INDEX] = Fr::zero();
    malicious.follow(&mut witness, 0);
    assert_eq!(witness.result, (*bases().blinding() * scalar(5)).into_affine());
    malicious.is_refused(&witness, 0);
}

/// The sum jumps to another point with the same `y`.
#[test]
fn addition_x() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(0);
    let sum = malicious.at(&witness, 100);
    malicious.set(&mut witness, 100, -sum);
    malicious.follow(&mut witness, 100);
    malicious.is_refused(&witness, 1);
}

/// The sum jumps to another point with the same `x`.
#[test]
fn addition_y() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(0);
    let sum = malicious.at(&witness, 100);
    malicious.set(&mut witness, 100, Point::new_unchecked(sum.x, -sum.y));
    malicious.follow(&mut witness, 100);
    malicious.is_refused(&witness, 2);
}

/// A fraction of a point is added, in a row of the scalar where nothing counts bits. What the formulas give for it is on the curve for
/// two fractions besides 0 and 1, if they are in the field.
#[test]
fn booleanity() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(0);
    let (row, fraction, sum) = (malicious.keys()..malicious.last())
        .find_map(|row| {
            fraction(malicious.at(&witness, row), malicious.points[row]).map(|(b, sum)| (row, b, sum))
        })
        .expect("half of all rows have one");
    witness.columns[B][row] = fraction;
    malicious.set(&mut witness, row + 1, sum);
    malicious.follow(&mut witness, row + 1);
    malicious.is_refused(&witness, 3);
}

/// `b`, neither 0 nor 1, and a point of the curve that the additions' formulas accept for it as the next sum.
fn fraction(acc: Point, point: Point) -> Option<(Fr, Point)> {
    let ([x1, y1], [x2, y2]) = ([acc.x, acc.y], [point.x, point.y]);
    let five = Fr::from(5_u64);
    let g = Point::generator();
    let d = (g.y.square() - five * g.x.square() - Fr::one()) * (g.x * g.y).square().inverse()?;
    let next = |b: Fr| {
        let mix = |full: Fr, none: Fr| b * full + (Fr::one() - b) * none;
        let x = [mix(x1 * y1 + x2 * y2, x1), mix(y1 * y2 - five * x1 * x2, Fr::one())];
        let y = [mix(x1 * y1 - x2 * y2, y1), mix(x1 * y2 - x2 * y1, Fr::one())];
        (x, y)
    };
    // The curve's equation in b has degree 4 and the roots 0 and 1; the rest is a quadratic.
    let rest = |b: u64| {
        let ([nx, dx], [ny, dy]) = next(Fr::from(b));
        let left = (ny * dx).square() - five * (nx * dy).square();
        let right = (dx * dy).square() + d * (nx * ny).square();
        (left - right) * Fr::from(b * (b - 1)).inverse().expect("not zero")
    };
    let [r2, r3, r4] = [2, 3, 4].map(rest);
    let half = Fr::from(2_u64).inverse()?;
    let a2 = (r4 - r3.double() + r2) * half;
    let a1 = r3 - r2 - five * a2;
    let a0 = r2 - a1.double() - a2.double().double();
    let root = (a1.square() - (a0 * a2).double().double()).sqrt()?;
    let b = (root - a1) * half * a2.inverse()?;
    let ([nx, dx], [ny, dy]) = next(b);
    let sum = Point::new_unchecked(nx * dx.inverse()?, ny * dy.inverse()?);
    assert!(sum.is_on_curve() && !b.is_zero() && !b.is_one());
    Some((b, sum))
}

/// The sum begins at another point with the seed's `y`.
#[test]
fn boundary_x() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(6);
    malicious.set(&mut witness, 0, -*bases().seed());
    malicious.follow(&mut witness, 0);
    malicious.is_refused(&witness, 4);
}

/// The sum begins at another point with the seed's `x`.
#[test]
fn boundary_y() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(6);
    let seed = bases().seed();
    malicious.set(&mut witness, 0, Point::new_unchecked(seed.x, -seed.y));
    malicious.follow(&mut witness, 0);
    malicious.is_refused(&witness, 5);
}

/// The sum ends elsewhere than at the seed and the result.
#[test]
fn boundary_at_the_end() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(6);
    let end = malicious.at(&witness, malicious.last());
    witness.result = (-end - bases().seed()).into_affine();
    malicious.is_refused(&witness, 4);
    witness.result = (Point::new_unchecked(end.x, -end.y) - bases().seed()).into_affine();
    malicious.is_refused(&witness, 5);
}

/// No key, or two keys, and a count that is right in each row.
#[test]
fn boundary_of_the_inner_product() {
    let malicious = Malicious::new();
    for count in [0_u64, 2] {
        let mut witness = malicious.honest(6);
        witness.columns[B][INDEX] = Fr::zero();
        witness.columns[B][..count as usize].fill(Fr::one());
        for i in 0..=malicious.last() {
            witness.columns[IP][i] = Fr::from(count.min(i as u64));
        }
        malicious.follow(&mut witness, 0);
        malicious.is_refused(&witness, 6);
    }
    // A count that begins at 1 and counts nothing.
    let mut witness = malicious.honest(6);
    witness.columns[B][INDEX] = Fr::zero();
    witness.columns[IP][..=malicious.last()].fill(Fr::one());
    malicious.follow(&mut witness, 0);
    malicious.is_refused(&witness, 6);
}

/// A blinded key that is no point, and that the seed takes to the end of an honest sum all the same: the addition that the verifier does is one
/// line and one hyperbola, which meet twice.
#[test]
fn a_blinded_key_that_is_no_point() {
    let malicious = Malicious::new();
    let mut witness = malicious.honest(6);
    let (seed, result) = (*bases().seed(), witness.result);
    let end = (seed + result).into_affine();
    let g = Point::generator();
    let five = Fr::from(5_u64);
    let d = (g.y.square() - five * g.x.square() - Fr::one()) * (g.x * g.y).square().inverse().unwrap();
    // alpha y + beta x = 2 end.x end.y, and seed.x y + seed.y x = end.x (1 + k x y).
    let alpha = end.y * seed.x + end.x * seed.y;
    let beta = end.y * seed.y + five * end.x * seed.x;
    let k = d * seed.x * seed.y;
    let x = ((end.y * seed.x).double() - alpha) * (k * beta * result.x).inverse().unwrap();
    let y = ((end.x * end.y).double() - beta * x) * alpha.inverse().unwrap();
    witness.result = Point::new_unchecked(x, y);
    assert!(!witness.result.is_on_curve());
    assert_eq!((seed + witness.result).into_affine(), end);
    assert!(malicious.broken(&witness).is_empty(), "all else is honest");
    let refused = malicious.scene.verifier.verify(&witness.result, &malicious.prove(&witness));
    assert_eq!(refused, Err(Invalid("the blinded key is not on the curve")));
}

/// One deviation for each equation of the verifier.
#[test]
fn quotient_values_and_openings() {
    let Scene { prover, verifier, .. } = Scene::new(setup(), &members(5), INDEX);
    let accepts = |script: &Deviation| {
        let (result, proof) = prover.prove_unchecked(INDEX, &scalar(3), script).unwrap();
        // The prover itself gives no such proof away.
        assert_eq!(prover.prove_by(INDEX, &scalar(3), script).err(), Some(Error::OwnProof));
        verifier.verify(&result, &proof).is_ok()
    };
    let (result, proof) = prover.prove_unchecked(INDEX, &scalar(3), &Honest).unwrap();
    assert_eq!(verifier.verify(&result, &proof), Ok(()));
    for forged in [Deviation::Quotient, Deviation::Shifted, Deviation::Opening, Deviation::ShiftedOpening] {
        assert!(!accepts(&forged), "{forged:?}");
    }
    for column in 0..7 {
        assert!(!accepts(&Deviation::Value(column)), "column {column}");
    }
    // Zero instead of either opening, and both openings exchanged.
    let (result, proof) = prover.prove(INDEX, &scalar(3)).unwrap();
    for forged in [
        Proof { opening: G1::zero(), ..proof.clone() },
        Proof { shifted_opening: G1::zero(), ..proof.clone() },
        Proof { opening: proof.shifted_opening, shifted_opening: proof.opening, ..proof.clone() },
    ] {
        assert!(verifier.verify(&result, &forged).is_err());
    }
}

/// Proofs of malicious provers for the vectors: the deviation, the ring, the blinded key, and the proof.
pub(super) fn deviating() -> Vec<(&'static str, Commitment, Point, Proof)> {
    let malicious = Malicious::new();
    let mut all = Vec::new();
    let mut tell = |what, t: u64, edit: &dyn Fn(&mut Witness)| {
        let mut witness = malicious.honest(t);
        edit(&mut witness);
        all.push((what, malicious.scene.ring.commitment(), witness.result, malicious.prove(&witness)));
    };
    tell("no key is chosen, and counted all the same", 5, &|witness| {
        witness.columns[B][INDEX] = Fr::zero();
        malicious.follow(witness, 0);
    });
    tell("the sum jumps to a point with the same y", 0, &|witness| {
        let sum = malicious.at(witness, 100);
        malicious.set(witness, 100, -sum);
        malicious.follow(witness, 100);
    });
    // Twice, so that the blinded key is in the subgroup and nothing else speaks against it.
    tell("the sum jumps to a point with the same x, and again", 0, &|witness| {
        for row in [100, 200] {
            let sum = malicious.at(witness, row);
            malicious.set(witness, row, Point::new_unchecked(sum.x, -sum.y));
            malicious.follow(witness, row);
        }
    });
    tell("a fraction of a point is added", 0, &|witness| {
        let (row, part, sum) = (malicious.keys()..malicious.last())
            .find_map(|row| {
                let (part, sum) = fraction(malicious.at(witness, row), malicious.points[row])?;
                sum.is_in_correct_subgroup_assuming_on_curve().then_some((row, part, sum))
            })
            .expect("an eighth of all rows have one in the subgroup");
        witness.columns[B][row] = part;
        malicious.set(witness, row + 1, sum);
        malicious.follow(witness, row + 1);
    });
    tell("the sum begins elsewhere", 6, &|witness| {
        malicious.set(witness, 0, -*bases().seed());
        malicious.follow(witness, 0);
    });
    tell("the sum ends elsewhere", 6, &|witness| {
        let end = malicious.at(witness, malicious.last());
        witness.result = (-end - bases().seed()).into_affine();
    });
    tell("two keys are chosen", 6, &|witness| {
        witness.columns[B][INDEX] = Fr::zero();
        witness.columns[B][..2].fill(Fr::one());
        for i in 0..=malicious.last() {
            witness.columns[IP][i] = Fr::from(2.min(i as u64));
        }
        malicious.follow(witness, 0);
    });
    all
}
