//! Keys, and their files.
//!
//! ```text
//!   verifying key   magic (16)  curve (8)  circuit (32)  provenance (8)  public inputs (8)
//!                   alpha  beta  gamma  delta  IC_0 .. IC_public   BLAKE3 of all before (32)
//!   proving key     magic (16)  curve (8)  circuit (32)  provenance (8)  public inputs, constraints, witness cells, domain (8 each)
//!                   alpha  beta  gamma  delta  IC  beta1  delta1  A  B1  B2  L  H                BLAKE3 of all before (32)
//! ```
//! Numbers are little-endian, points as [`curve::points`] writes them, provenance is 0 of a local setup and the number of contributions of a ceremony
//! otherwise. The length follows from the header, and is compared before anything is allocated.

use curve::fft::{Domain, Scalar};
use curve::msm::Bases;
use curve::pairing::PairingCurve;
use curve::{AffineRepr, Projective, points};

use super::{G1, G2, Invalid};
use crate::r1cs::R1cs;

const VERIFYING: &[u8; 16] = b"tenfold g16 vk 1";
const PROVING: &[u8; 16] = b"tenfold g16 pk 1";
const DIGEST: usize = blake3::OUT_LEN;
const LENGTH: Invalid = Invalid("a key of another length than it says");

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
    /// Cells that are neither the constant nor public.
    pub witness: usize,
    pub domain: usize,
}

impl Shape {
    pub fn of<F: Scalar>(circuit: &R1cs<F>, domain: usize) -> Self {
        let witness = circuit.columns() - 1 - circuit.public();
        Self { public: circuit.public(), constraints: circuit.constraints(), witness, domain }
    }
}

/// What a verifier knows of a circuit.
#[derive(Clone, Debug)]
pub struct VerifyingKey<E: PairingCurve> {
    circuit: [u8; 32],
    provenance: Provenance,
    pub(super) alpha: G1<E>,
    /// beta, gamma and delta.
    pub(super) second: [G2<E>; 3],
    pub(super) ic: Vec<G1<E>>,
    /// The lines of beta, -gamma and -delta.
    pub(super) prepared: [E::Prepared; 3],
    /// `e(alpha, beta)`
    pub(super) alpha_beta: E::Value,
}

/// What a prover knows of a circuit. Points are in the form in which they are added.
pub struct ProvingKey<E: PairingCurve> {
    pub(super) shape: Shape,
    pub(super) verifying: VerifyingKey<E>,
    pub(super) beta1: G1<E>,
    pub(super) delta1: G1<E>,
    pub(super) a: Bases<E::G1>,
    pub(super) b1: Bases<E::G1>,
    pub(super) b2: Bases<E::G2>,
    pub(super) l: Bases<E::G1>,
    pub(super) h: Bases<E::G1>,
    pub(super) domain: Domain<E::Scalar>,
}

impl<E: PairingCurve> VerifyingKey<E> {
    /// A key of points of the subgroups.
    ///
    /// # Errors
    /// If a point is the identity, gamma is delta, or two of the points of the public inputs are equal or opposite: then statements that are false have
    /// proofs that anybody can make.
    pub(super) fn new(
        circuit: [u8; 32],
        provenance: Provenance,
        alpha: G1<E>,
        second: [G2<E>; 3],
        ic: Vec<G1<E>>,
    ) -> Result<Self, Invalid> {
        let [beta, gamma, delta] = &second;
        if alpha.is_zero() || second.iter().any(AffineRepr::is_zero) || ic.iter().any(AffineRepr::is_zero) {
            return Err(Invalid("a key with the identity: a public input would not be bound"));
        }
        if gamma == delta || *gamma == -*delta {
            return Err(Invalid("a key whose gamma is its delta: anybody could forge"));
        }
        let mut abscissas: Vec<_> = ic.iter().map(|p| p.x()).collect();
        abscissas.sort_unstable();
        if abscissas.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Invalid("a key with the same point for two public inputs"));
        }
        let prepared = [E::prepare(beta), E::prepare(&-*gamma), E::prepare(&-*delta)];
        let alpha_beta = E::product(&[(alpha, &prepared[0])]);
        Ok(Self { circuit, provenance, alpha, second, ic, prepared, alpha_beta })
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

    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header(VERIFYING);
        self.write_points(&mut bytes);
        sealed(bytes)
    }

    /// The BLAKE3 digest of [`Self::to_bytes`] but for its own last bytes, which are this digest: what a verifier must know to trust a file.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let bytes = self.to_bytes();
        *bytes.last_chunk().expect("a digest")
    }

    /// Reads a key of this circuit. Checked are the digest of the content (against damage: who made the file made the digest), all points (reduced, on the
    /// curve, in the subgroup) and that it is none of the keys that let anybody forge: points that are the identity or equal, gamma equal to delta. Not checked, because it cannot be, is that nobody knows the key's secrets:
    /// compare [`Self::digest`] with one that comes from somebody you trust.
    ///
    /// # Errors
    /// If the bytes are not such a key, too many or too few, or the key is that of another circuit or curve.
    pub fn from_bytes(bytes: &[u8], circuit: &[u8; 32]) -> Result<Self, Invalid> {
        let (mut rest, _) = opened(bytes)?;
        let header = Header::read::<E>(&mut rest, VERIFYING, circuit)?;
        let [public] = numbers(&mut rest)?;
        let count = public.checked_add(2).ok_or(LENGTH)?;
        let (first, second) = (points::size::<E::G1>(), points::size::<E::G2>());
        if count.checked_mul(first).and_then(|n| n.checked_add(3 * second)) != Some(rest.len()) {
            return Err(LENGTH);
        }
        header.key(&mut rest, count)
    }

    fn header(&self, magic: &[u8; 16]) -> Vec<u8> {
        let mut bytes = magic.to_vec();
        bytes.extend(E::ID);
        bytes.extend(self.circuit);
        bytes.extend(self.provenance.number().to_le_bytes());
        bytes.extend((self.public() as u64).to_le_bytes());
        bytes
    }

    fn write_points(&self, bytes: &mut Vec<u8>) {
        points::write(&[self.alpha], bytes);
        points::write(&self.second, bytes);
        points::write(&self.ic, bytes);
    }
}

impl<E: PairingCurve> ProvingKey<E> {
    /// The key of the verifier.
    #[must_use]
    pub fn verifying(&self) -> &VerifyingKey<E> {
        &self.verifying
    }

    /// The memory of the points, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let first: usize = [&self.a, &self.b1, &self.l, &self.h].iter().map(|bases| bases.bytes()).sum();
        first + self.b2.bytes()
    }

    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Shape { constraints, witness, domain, .. } = self.shape;
        let mut bytes = self.verifying.header(PROVING);
        [constraints, witness, domain].iter().for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        self.verifying.write_points(&mut bytes);
        points::write(&[self.beta1, self.delta1], &mut bytes);
        write_bases(&self.a, &mut bytes);
        write_bases(&self.b1, &mut bytes);
        write_bases(&self.b2, &mut bytes);
        write_bases(&self.l, &mut bytes);
        write_bases(&self.h, &mut bytes);
        sealed(bytes)
    }

    /// Reads a key of this circuit, from any source. Checked are the digest of the content, all points (reduced, on the curve, in the subgroup: those of the second
    /// group together, [`PairingCurve::g2_in_subgroup`]), the counts against one another, and what is checked of the verifier's key. Not checked is that the
    /// points are those of the circuit: with others a prover makes proofs that no verifier accepts, whose blinding need not hide the witness. So
    /// prove with keys of your own setup or of a ceremony that you verified.
    ///
    /// # Errors
    /// If the bytes are not such a key, too many or too few, or the key is that of another circuit or curve.
    pub fn from_bytes(bytes: &[u8], circuit: &[u8; 32]) -> Result<Self, Invalid> {
        let (body, digest) = opened(bytes)?;
        Self::read(body, circuit, Some(digest))
    }

    /// Reads a key that this machine wrote or that somebody trusted named: its last bytes are this digest, and are that of its content. Points are checked to be on
    /// the curve alone.
    ///
    /// # Errors
    /// If the digest is another one, and as [`Self::from_bytes`].
    pub fn from_pinned_bytes(bytes: &[u8], circuit: &[u8; 32], digest: &[u8; 32]) -> Result<Self, Invalid> {
        match opened(bytes)? {
            (body, own) if own == digest => Self::read(body, circuit, None),
            _ => Err(Invalid("another key than the one that was asked for")),
        }
    }

    /// With a seed, the subgroups are checked.
    fn read(mut rest: &[u8], circuit: &[u8; 32], seed: Option<&[u8; 32]>) -> Result<Self, Invalid> {
        let header = Header::read::<E>(&mut rest, PROVING, circuit)?;
        let [public, constraints, witness, size] = numbers(&mut rest)?;
        let columns = public.checked_add(witness).and_then(|n| n.checked_add(1)).ok_or(LENGTH)?;
        let least = constraints.checked_add(public).and_then(|n| n.checked_add(1)).ok_or(LENGTH)?;
        if Domain::<E::Scalar>::smallest(least) != Some(size) || constraints == 0 {
            return Err(Invalid("a key with another domain than its circuit's"));
        }
        let (first, second) = (points::size::<E::G1>(), points::size::<E::G2>());
        let of_first = [public, 4, columns, columns, witness, size];
        let length = |counts: &[usize], size: usize| {
            counts.iter().try_fold(0_usize, |sum, n| sum.checked_add(n.checked_mul(size)?))
        };
        let all = length(&of_first, first).zip(length(&[3, columns], second));
        if all.and_then(|(a, b)| a.checked_add(b)) != Some(rest.len()) {
            return Err(LENGTH);
        }
        let verifying = header.key::<E>(&mut rest, public + 2)?;
        let [beta1, delta1] = list::<E::G1>(&mut rest, 2)?[..] else { return Err(LENGTH) };
        let [a, b1] = [list::<E::G1>(&mut rest, columns)?, list::<E::G1>(&mut rest, columns)?];
        let b2 = Bases::new(&list::<E::G2>(&mut rest, columns)?);
        let [l, h] = [list::<E::G1>(&mut rest, witness)?, list::<E::G1>(&mut rest, size)?];
        if let Some(seed) = seed {
            let inside = [&[beta1, delta1][..], &a, &b1, &l, &h].iter().all(|list| E::g1_in_subgroup(list));
            if !inside || !E::g2_in_subgroup(&b2, seed) {
                return Err(Invalid("a point outside the subgroup"));
            }
        }
        let domain = Domain::new(size).ok_or(Invalid("a domain that the field does not have"))?;
        Ok(Self {
            shape: Shape { public, constraints, witness, domain: size },
            verifying,
            beta1,
            delta1,
            a: Bases::new(&a),
            b1: Bases::new(&b1),
            b2,
            l: Bases::new(&l),
            h: Bases::new(&h),
            domain,
        })
    }
}

/// What both files begin with.
struct Header {
    circuit: [u8; 32],
    provenance: Provenance,
}

impl Header {
    fn read<E: PairingCurve>(
        rest: &mut &[u8],
        magic: &[u8; 16],
        circuit: &[u8; 32],
    ) -> Result<Self, Invalid> {
        if take::<16>(rest)? != *magic {
            return Err(Invalid("no key of this kind"));
        }
        if take::<8>(rest)? != E::ID {
            return Err(Invalid("a key on another curve"));
        }
        if take::<32>(rest)? != *circuit {
            return Err(Invalid("a key of another circuit"));
        }
        let [provenance] = numbers(rest)?;
        Ok(Self { circuit: *circuit, provenance: Provenance::from_number(provenance as u64) })
    }

    /// The verifier's points, of which `count` are in the first group.
    fn key<E: PairingCurve>(self, rest: &mut &[u8], count: usize) -> Result<VerifyingKey<E>, Invalid> {
        let [alpha] = list::<E::G1>(rest, 1)?[..] else { return Err(LENGTH) };
        let [beta, gamma, delta] = list::<E::G2>(rest, 3)?[..] else { return Err(LENGTH) };
        let ic = list::<E::G1>(rest, count - 1)?;
        let second = [beta, gamma, delta];
        let inside = E::g1_in_subgroup(&[alpha]) && E::g1_in_subgroup(&ic);
        if !inside || !second.iter().all(|p| p.is_in_correct_subgroup_assuming_on_curve()) {
            return Err(Invalid("a point outside the subgroup"));
        }
        VerifyingKey::new(self.circuit, self.provenance, alpha, second, ic)
    }
}

/// Appends the digest.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    bytes
}

/// What stands before the digest, if that is right, and the digest.
fn opened(bytes: &[u8]) -> Result<(&[u8], &[u8; DIGEST]), Invalid> {
    let (body, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(LENGTH)?;
    if blake3::hash(body).as_bytes() != digest {
        return Err(Invalid("a damaged key"));
    }
    Ok((body, digest))
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Invalid> {
    let (bytes, behind) = rest.split_first_chunk::<N>().ok_or(LENGTH)?;
    *rest = behind;
    Ok(*bytes)
}

fn numbers<const N: usize>(rest: &mut &[u8]) -> Result<[usize; N], Invalid> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = usize::try_from(u64::from_le_bytes(take(rest)?)).map_err(|_| LENGTH)?;
    }
    Ok(numbers)
}

fn list<C: curve::msm::Curve>(rest: &mut &[u8], count: usize) -> Result<Vec<curve::Affine<C>>, Invalid> {
    let length = count.checked_mul(points::size::<C>()).ok_or(LENGTH)?;
    let (bytes, behind) = rest.split_at_checked(length).ok_or(LENGTH)?;
    *rest = behind;
    points::read(bytes)
}

fn write_bases<C: curve::msm::Curve>(bases: &Bases<C>, bytes: &mut Vec<u8>) {
    for i in 0..bases.len() {
        points::write(&[bases.point(i)], bytes);
    }
}

/// Affine forms, with one inversion.
pub(super) fn affine<C: curve::msm::Curve, const N: usize>(
    points: [Projective<C>; N],
) -> [curve::Affine<C>; N] {
    let all = <Projective<C> as curve::CurveGroup>::normalize_batch(&points);
    core::array::from_fn(|i| all[i])
}
