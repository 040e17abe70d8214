//! The files of keys.
//!
//! ```text
//!   verifying key   magic (16)  curve (8)  circuit (32)  provenance (8)  public inputs (8)  1 with a commitment, 0 without (8)
//!                   alpha  beta  gamma  delta  (eta)  IC_0 .. IC_public   BLAKE3 of all before (32)
//!   proving key     magic (16)  curve (8)  circuit (32)  provenance (8)  public inputs, constraints, committed, witness cells, domain (8 each)
//!                   alpha  beta  gamma  delta  (eta)  IC  beta1  delta1  (eta1)  A  B1  B2  committed  L  H          BLAKE3 of all before (32)
//! ```
//! Numbers are little-endian, points as [`curve::points`] writes them, provenance is 0 of a local setup and the number of contributions of a ceremony
//! otherwise. There is eta if there are committed cells. The length follows from the header, and is compared before anything is allocated.

use curve::fft::Domain;
use curve::msm::Bases;
use curve::pairing::PairingCurve;
use curve::points;

use super::{CommitmentKey, Provenance, ProvingKey, Shape, VerifyingKey};
use crate::groth16::{G1, G2, Invalid};

const VERIFYING: &[u8; 16] = b"tenfold g16 vk 2";
const PROVING: &[u8; 16] = b"tenfold g16 pk 2";
const DIGEST: usize = blake3::OUT_LEN;
const LENGTH: Invalid = Invalid("a key of another length than it says");
const DAMAGED: Invalid = Invalid("a damaged key");
const OUTSIDE: Invalid = Invalid("a point outside the subgroup");

impl<E: PairingCurve> VerifyingKey<E> {
    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header(VERIFYING);
        bytes.extend(u64::from(self.eta.is_some()).to_le_bytes());
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
        let mut rest = opened(bytes)?;
        let header = Header::read::<E>(&mut rest, VERIFYING, circuit)?;
        let [public, commitment] = numbers(&mut rest)?;
        if commitment > 1 {
            return Err(Invalid("a key that neither has a commitment nor has none"));
        }
        let count = public.checked_add(2).ok_or(LENGTH)?;
        let (first, second) = (points::size::<E::G1>(), points::size::<E::G2>());
        let all = count.checked_mul(first).and_then(|n| n.checked_add((3 + commitment) * second));
        if all != Some(rest.len()) {
            return Err(LENGTH);
        }
        header.key(&mut rest, count, commitment == 1)
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
        points::write(self.eta.as_slice(), bytes);
        points::write(&self.ic, bytes);
    }
}

impl<E: PairingCurve> ProvingKey<E> {
    /// The bytes that [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Shape { constraints, committed, witness, domain, .. } = self.shape;
        let mut bytes = self.verifying.header(PROVING);
        [constraints, committed, witness, domain]
            .iter()
            .for_each(|n| bytes.extend((*n as u64).to_le_bytes()));
        self.verifying.write_points(&mut bytes);
        points::write(&[self.beta1, self.delta1], &mut bytes);
        points::write(self.commitment.as_ref().map(|key| key.eta1).as_slice(), &mut bytes);
        write_bases(&self.a, &mut bytes);
        write_bases(&self.b1, &mut bytes);
        write_bases(&self.b2, &mut bytes);
        self.commitment.iter().for_each(|key| write_bases(&key.cells, &mut bytes));
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
        let (body, digest) = split(bytes)?;
        Self::checked(body, digest, || Self::read(body, circuit, Some(digest)))
    }

    /// Reads a key that this machine wrote or that somebody trusted named: its last bytes are this digest, and are that of its content. Points are checked to be on
    /// the curve alone.
    ///
    /// # Errors
    /// If the digest is another one, and as [`Self::from_bytes`].
    pub fn from_pinned_bytes(bytes: &[u8], circuit: &[u8; 32], digest: &[u8; 32]) -> Result<Self, Invalid> {
        match split(bytes)? {
            (body, own) if own == digest => Self::checked(body, digest, || Self::read(body, circuit, None)),
            _ => Err(Invalid("another key than the one that was asked for")),
        }
    }

    /// The key, if the digest is that of the content: both are computed side by side, and reading trusts nothing.
    fn checked(
        body: &[u8],
        digest: &[u8; DIGEST],
        read: impl FnOnce() -> Result<Self, Invalid> + Send,
    ) -> Result<Self, Invalid> {
        let (hash, key) = rayon::join(|| blake3::hash(body), read);
        if hash.as_bytes() == digest { key } else { Err(DAMAGED) }
    }

    /// With a seed, the subgroups are checked.
    fn read(mut rest: &[u8], circuit: &[u8; 32], seed: Option<&[u8; 32]>) -> Result<Self, Invalid> {
        let header = Header::read::<E>(&mut rest, PROVING, circuit)?;
        let [public, constraints, committed, witness, size] = numbers(&mut rest)?;
        let shape = Shape { public, constraints, committed, witness, domain: size };
        let sum = |numbers: &[usize]| numbers.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
        let columns = sum(&[1, public, committed, witness]).ok_or(LENGTH)?;
        let least = sum(&[1, public, constraints]).ok_or(LENGTH)?;
        if Domain::<E::Scalar>::smallest(least) != Some(size) || constraints == 0 {
            return Err(Invalid("a key with another domain than its circuit's"));
        }
        let has = usize::from(committed > 0);
        let first = sum(&[public, 4 + has, columns, columns, committed, witness, size]);
        let second = sum(&[3 + has, columns]);
        let length = |count: Option<usize>, size: usize| count.and_then(|n| n.checked_mul(size));
        let all = length(first, points::size::<E::G1>()).zip(length(second, points::size::<E::G2>()));
        if all.and_then(|(a, b)| a.checked_add(b)) != Some(rest.len()) {
            return Err(LENGTH);
        }
        let verifying = header.key::<E>(&mut rest, public + 2, committed > 0)?;
        let [beta1, delta1] = list::<E::G1>(&mut rest, 2)?[..] else { return Err(LENGTH) };
        let eta1 = list::<E::G1>(&mut rest, has)?;
        let mut first = |count: usize| part::<E::G1>(&mut rest, count);
        let [a, b1] = [first(columns)?, first(columns)?];
        let b2 = part::<E::G2>(&mut rest, columns)?;
        let mut first = |count: usize| part::<E::G1>(&mut rest, count);
        let [cells, l, h] = [first(committed)?, first(witness)?, first(size)?];
        let inside = |points: &[G1<E>]| seed.is_none() || E::g1_in_subgroup(points);
        let first = |bytes: &[u8]| Bases::<E::G1>::read(bytes, inside);
        if !inside(&[beta1, delta1]) || !inside(&eta1) {
            return Err(OUTSIDE);
        }
        let second = || {
            let points = Bases::<E::G2>::read(b2, |_| true)?;
            let inside = seed.is_none_or(|seed| E::g2_in_subgroup(&points, seed));
            if inside { Ok(points) } else { Err(OUTSIDE) }
        };
        // The memory of a list is taken by one thread.
        let ((b2, domain), (a, (b1, (cells, (l, h))))) = rayon::join(
            || (second(), Domain::new(size)),
            || {
                rayon::join(
                    || first(a),
                    || rayon::join(|| first(b1), || (first(cells), (first(l), first(h)))),
                )
            },
        );
        let cells = cells?;
        let commitment = eta1.first().map(|eta1| CommitmentKey { eta1: *eta1, cells });
        let domain = domain.ok_or(Invalid("a domain that the field does not have"))?;
        let (a, b1, b2, l, h) = (a?, b1?, b2?, l?, h?);
        Ok(Self { shape, verifying, beta1, delta1, commitment, a, b1, b2, l, h, domain, watch: None })
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

    /// The verifier's points, of which `count` are in the first group, with eta or without.
    fn key<E: PairingCurve>(
        self,
        rest: &mut &[u8],
        count: usize,
        commitment: bool,
    ) -> Result<VerifyingKey<E>, Invalid> {
        let [alpha] = list::<E::G1>(rest, 1)?[..] else { return Err(LENGTH) };
        let [beta, gamma, delta] = list::<E::G2>(rest, 3)?[..] else { return Err(LENGTH) };
        let eta: Option<G2<E>> = list::<E::G2>(rest, usize::from(commitment))?.pop();
        let ic = list::<E::G1>(rest, count - 1)?;
        let second = [beta, gamma, delta];
        let inside = E::g1_in_subgroup(&[alpha]) && E::g1_in_subgroup(&ic);
        if !inside || !second.iter().chain(&eta).all(|p| p.is_in_correct_subgroup_assuming_on_curve()) {
            return Err(OUTSIDE);
        }
        VerifyingKey::new(self.circuit, self.provenance, alpha, (second, eta), ic)
    }
}

/// Appends the digest.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    bytes
}

/// The bytes before the digest, if that is right.
fn opened(bytes: &[u8]) -> Result<&[u8], Invalid> {
    let (body, digest) = split(bytes)?;
    if blake3::hash(body).as_bytes() == digest { Ok(body) } else { Err(DAMAGED) }
}

/// The bytes before the digest, and the digest.
fn split(bytes: &[u8]) -> Result<(&[u8], &[u8; DIGEST]), Invalid> {
    bytes.split_last_chunk::<DIGEST>().ok_or(LENGTH)
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

/// The bytes of so many points.
fn part<'a, C: curve::msm::Curve>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], Invalid> {
    let length = count.checked_mul(points::size::<C>()).ok_or(LENGTH)?;
    let (bytes, behind) = rest.split_at_checked(length).ok_or(LENGTH)?;
    *rest = behind;
    Ok(bytes)
}

fn list<C: curve::msm::Curve>(rest: &mut &[u8], count: usize) -> Result<Vec<curve::Affine<C>>, Invalid> {
    points::read(part::<C>(rest, count)?)
}

fn write_bases<C: curve::msm::Curve>(bases: &Bases<C>, bytes: &mut Vec<u8>) {
    for i in 0..bases.len() {
        points::write(&[bases.point(i)], bytes);
    }
}
