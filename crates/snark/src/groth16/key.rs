//! Keys.

mod file;

use std::sync::Arc;

use curve::fft::{Domain, Scalar};
use curve::msm::{Bases, DirectTable};
use curve::pairing::PairingCurve;
use curve::{AffineRepr, CurveGroup, Projective};

use super::{G1, G2, Invalid};
use crate::r1cs::R1cs;

/// Where a key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// **Insecure**: one process knew the secrets of the key.
    Local,
    /// A ceremony with so many contributions to the circuit's part: secure if one contributor of each part was honest.
    Ceremony(u64),
}

impl core::fmt::Display for Provenance {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Local => f.write_str(
                "INSECURE KEY: made by one process, which knew secrets with which any statement can be proved",
            ),
            Self::Ceremony(count) => write!(f, "key of a ceremony, {count} contributions for this circuit"),
        }
    }
}

impl Provenance {
    fn number(self) -> u64 {
        match self {
            Self::Local => 0,
            Self::Ceremony(count) => count,
        }
    }

    fn from_number(number: u64) -> Self {
        if number == 0 { Self::Local } else { Self::Ceremony(number) }
    }
}

/// The counts of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub public: usize,
    pub constraints: usize,
    /// Cells with a commitment of their own.
    pub committed: usize,
    /// Cells that are neither the constant nor public nor committed.
    pub witness: usize,
    pub domain: usize,
}

impl Shape {
    pub fn of<F: Scalar>(circuit: &R1cs<F>, domain: usize) -> Self {
        let (public, committed) = (circuit.public(), circuit.committed());
        Self { public, constraints: circuit.constraints(), committed, witness: circuit.witness(), domain }
    }

    /// The number of cells that are neither the constant nor public.
    pub fn cells(&self) -> usize {
        self.committed + self.witness
    }
}

/// Multiples of points of the first group.
type Multiples<E> = Arc<DirectTable<<E as PairingCurve>::G1>>;

/// The most public inputs whose points get a table of multiples.
const FEW: usize = 8;

/// What a verifier knows of a circuit. What can be computed before there is a proof is computed when the key is made or read: some milliseconds, and 88 KiB for
/// each of up to eight public inputs.
#[derive(Clone, Debug)]
pub struct VerifyingKey<E: PairingCurve> {
    circuit: [u8; 32],
    provenance: Provenance,
    pub(super) alpha: G1<E>,
    /// beta, gamma and delta.
    pub(super) second: [G2<E>; 3],
    /// eta, if the circuit has committed cells.
    pub(super) eta: Option<G2<E>>,
    pub(super) ic: Vec<G1<E>>,
    /// Multiples of the points of the public inputs, if they are few.
    pub(super) multiples: Option<Multiples<E>>,
    /// The lines of beta, -gamma and -delta.
    pub(super) prepared: [E::Prepared; 3],
    /// The lines of -eta.
    pub(super) prepared_eta: Option<E::Prepared>,
    /// `e(alpha, beta)`
    pub(super) alpha_beta: E::Value,
}

/// What a prover knows of a circuit. Points are in the form in which they are added.
pub struct ProvingKey<E: PairingCurve> {
    pub(super) shape: Shape,
    pub(super) verifying: VerifyingKey<E>,
    pub(super) beta1: G1<E>,
    pub(super) delta1: G1<E>,
    pub(super) commitment: Option<CommitmentKey<E>>,
    pub(super) a: Bases<E::G1>,
    pub(super) b1: Bases<E::G1>,
    pub(super) b2: Bases<E::G2>,
    pub(super) l: Bases<E::G1>,
    pub(super) h: Bases<E::G1>,
    pub(super) domain: Domain<E::Scalar>,
    /// Told of the hundredths of a proof that are done.
    pub(super) watch: Option<Watch>,
}

/// [`ProvingKey::watch`].
pub(super) type Watch = Box<dyn Fn(u64) + Send + Sync>;

/// What commitments are made of: eta, and the points of the committed cells.
pub(super) struct CommitmentKey<E: PairingCurve> {
    pub(super) eta1: G1<E>,
    pub(super) cells: Bases<E::G1>,
}

impl<E: PairingCurve> VerifyingKey<E> {
    /// A key of points of the subgroups.
    ///
    /// # Errors
    /// If a point is the identity, two of gamma, delta and eta are equal or opposite, or two of the points of the public inputs are: then statements that are false
    /// have proofs that anybody can make.
    pub(super) fn new(
        circuit: [u8; 32],
        provenance: Provenance,
        alpha: G1<E>,
        (second, eta): ([G2<E>; 3], Option<G2<E>>),
        ic: Vec<G1<E>>,
    ) -> Result<Self, Invalid> {
        let [beta, gamma, delta] = &second;
        let identity = second.iter().chain(&eta).any(AffineRepr::is_zero);
        if alpha.is_zero() || identity || ic.iter().any(AffineRepr::is_zero) {
            return Err(Invalid("a key with the identity: a public input would not be bound"));
        }
        let same = |p: &G2<E>, q: &G2<E>| p == q || *p == -*q;
        if same(gamma, delta) {
            return Err(Invalid("a key whose gamma is its delta: anybody could forge"));
        }
        if eta.as_ref().is_some_and(|eta| same(eta, gamma) || same(eta, delta)) {
            return Err(Invalid("a key whose eta is its gamma or delta: a commitment would not bind"));
        }
        let mut abscissas: Vec<_> = ic.iter().map(|p| p.x()).collect();
        abscissas.sort_unstable();
        if abscissas.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Invalid("a key with the same point for two public inputs"));
        }
        let prepared = [E::prepare(beta), E::prepare(&-*gamma), E::prepare(&-*delta)];
        let prepared_eta = eta.as_ref().map(|eta| E::prepare(&-*eta));
        let alpha_beta = E::product(&[(alpha, &prepared[0])]);
        let few = ic.get(1..).filter(|inputs| inputs.len() <= FEW);
        let multiples = few.map(|inputs| Arc::new(DirectTable::new(inputs)));
        Ok(Self {
            circuit,
            provenance,
            alpha,
            second,
            eta,
            ic,
            multiples,
            prepared,
            prepared_eta,
            alpha_beta,
        })
    }

    /// The digest of the circuit ([`R1cs::digest`]).
    #[must_use]
    pub fn circuit(&self) -> &[u8; 32] {
        &self.circuit
    }

    /// Where the key comes from.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// The number of public inputs.
    #[must_use]
    pub fn public(&self) -> usize {
        self.ic.len() - 1
    }

    /// Tells whether proofs have a commitment: the circuit has committed cells.
    #[must_use]
    pub fn has_commitment(&self) -> bool {
        self.eta.is_some()
    }
}

impl<E: PairingCurve> ProvingKey<E> {
    /// The key of the verifier.
    #[must_use]
    pub fn verifying(&self) -> &VerifyingKey<E> {
        &self.verifying
    }

    /// Has a function told, from any thread, how many more hundredths of a proof's work are done: 100 for each proof in all. By the sums' share of the
    /// time where half of the cells are small; nothing else of the witness is told.
    pub fn watch(&mut self, done: impl Fn(u64) + Send + Sync + 'static) {
        self.watch = Some(Box::new(done));
    }

    /// Passes a value on whose computation was so many hundredths of a proof.
    pub(super) fn done<T>(&self, hundredths: u64, value: T) -> T {
        if let Some(watch) = &self.watch {
            watch(hundredths);
        }
        value
    }

    /// The memory of the points, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let first: usize = [&self.a, &self.b1, &self.l, &self.h].iter().map(|bases| bases.bytes()).sum();
        let committed = self.commitment.as_ref().map_or(0, |key| key.cells.bytes());
        first + committed + self.b2.bytes()
    }
}

/// Affine forms, with one inversion.
pub(super) fn affine<C: curve::msm::Curve, const N: usize>(
    points: [Projective<C>; N],
) -> [curve::Affine<C>; N] {
    let all = <Projective<C> as CurveGroup>::normalize_batch(&points);
    core::array::from_fn(|i| all[i])
}
