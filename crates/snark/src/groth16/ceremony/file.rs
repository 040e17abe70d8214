//! What files of both phases have in common.
//!
//! ```text
//!   magic (16)  curve (8)  .. counts (8 each) ..  points (`curve::points`)  contributions: steps of image, commitment (compressed), response (32)
//!   BLAKE3 of all before (32)
//! ```

use curve::pairing::PairingCurve;
use curve::{PrimeField, points};

use super::knowledge::Step;
use crate::groth16::{G1, G2, Invalid};

const LENGTH: Invalid = Invalid("a state of another length than it says");

/// Appends the digest.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    bytes
}

/// Bytes of a file's beginning that say how long it is.
pub const HEAD: usize = 136;

/// The length of a state's file, by its beginning. Its numbers are anybody's: compare them with those of a circuit before so much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Points of the domain.
    pub domain: usize,
    /// Columns of the circuit, in phase 2.
    pub columns: usize,
    /// Contributions.
    pub contributions: usize,
    /// Bytes of the file.
    pub bytes: usize,
}

impl Extent {
    /// That of a state of phase 1 for a domain.
    #[must_use]
    pub fn of_powers<E: PairingCurve>(domain: usize, contributions: usize) -> Option<Self> {
        let first = [domain.checked_mul(2)?, domain, domain];
        let body = length::<E>(&first, &[domain, 1], (contributions, 3))?;
        Some(Self { domain, columns: 0, contributions, bytes: body.checked_add(40 + 32)? })
    }

    /// Reads it from the first bytes of a file of either phase; [`HEAD`] are enough.
    #[must_use]
    pub fn read<E: PairingCurve>(head: &[u8]) -> Option<Self> {
        let (magic, rest) = head.split_at_checked(16)?;
        let rest = rest.strip_prefix(&E::ID)?;
        let number = |at: usize| {
            let bytes = rest.get(at..at.checked_add(8)?)?.try_into().ok()?;
            usize::try_from(u64::from_le_bytes(bytes)).ok()
        };
        if magic == super::powers::MAGIC {
            return Self::of_powers::<E>(number(0)?, number(8)?);
        }
        if magic != super::circuit::MAGIC {
            return None;
        }
        let [public, committed, witness] = [number(64)?, number(80)?, number(88)?];
        let [domain, contributions] = [number(96)?, number(104)?];
        let columns = public.checked_add(committed)?.checked_add(witness)?.checked_add(1)?;
        let has = usize::from(committed > 0);
        let first = [2, public.checked_add(1)?, columns, columns, witness, domain, 1, committed, has];
        let body = length::<E>(&first, &[columns, 2, has], (contributions, 1 + has))?;
        Some(Self { domain, columns, contributions, bytes: body.checked_add(HEAD + 32)? })
    }
}

/// Bytes of points, and of contributions of so many steps each.
fn length<E: PairingCurve>(
    first: &[usize],
    second: &[usize],
    (contributions, steps): (usize, usize),
) -> Option<usize> {
    let sum = |counts: &[usize], size: usize| {
        counts.iter().try_fold(0_usize, |sum, n| sum.checked_add(n.checked_mul(size)?))
    };
    let steps = contributions.checked_mul(steps)?.checked_mul(Step::<E>::BYTES)?;
    let points = sum(first, points::size::<E::G1>())?.checked_add(sum(second, points::size::<E::G2>())?)?;
    points.checked_add(steps)
}

/// What is left of a file.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    digest: &'a [u8; 32],
}

impl<'a> Reader<'a> {
    pub fn new<E: PairingCurve>(bytes: &'a [u8], magic: &[u8; 16]) -> Result<Self, Invalid> {
        let (rest, digest) = bytes.split_last_chunk::<32>().ok_or(LENGTH)?;
        if blake3::hash(rest).as_bytes() != digest {
            return Err(Invalid("a damaged state"));
        }
        let mut reader = Self { rest, digest };
        if reader.take(16)? != magic {
            return Err(Invalid("no state of this phase"));
        }
        if reader.take(8)? != E::ID {
            return Err(Invalid("a state on another curve"));
        }
        Ok(reader)
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Invalid> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(LENGTH)?;
        self.rest = rest;
        Ok(bytes)
    }

    pub fn number(&mut self) -> Result<usize, Invalid> {
        let bytes = self.take(8)?.try_into().map_err(|_| LENGTH)?;
        usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| LENGTH)
    }

    /// Compares the length of what is left with counts of points, and of contributions of so many steps each.
    pub fn expect_length<E: PairingCurve>(
        &self,
        first: &[usize],
        second: &[usize],
        (contributions, steps): (usize, usize),
    ) -> Result<(), Invalid> {
        let all = length::<E>(first, second, (contributions, steps));
        if all == Some(self.rest.len()) { Ok(()) } else { Err(LENGTH) }
    }

    pub fn first<E: PairingCurve>(&mut self, count: usize) -> Result<Vec<G1<E>>, Invalid> {
        let list = points::read(self.take(count.checked_mul(points::size::<E::G1>()).ok_or(LENGTH)?)?)?;
        if E::g1_in_subgroup(&list) { Ok(list) } else { Err(Invalid("a point outside the subgroup")) }
    }

    pub fn second<E: PairingCurve>(&mut self, count: usize) -> Result<Vec<G2<E>>, Invalid> {
        let list = points::read(self.take(count.checked_mul(points::size::<E::G2>()).ok_or(LENGTH)?)?)?;
        let inside = E::g2_in_subgroup(&curve::msm::Bases::new(&list), self.digest);
        if inside { Ok(list) } else { Err(Invalid("a point outside the subgroup")) }
    }

    /// Contributions of so many steps each. Call it last.
    pub fn steps<E: PairingCurve>(
        &mut self,
        count: usize,
        steps: usize,
    ) -> Result<Vec<Vec<Step<E>>>, Invalid> {
        let mut all = Vec::new();
        for _ in 0..count {
            all.push((0..steps).map(|_| self.step()).collect::<Result<_, _>>()?);
        }
        if self.rest.is_empty() { Ok(all) } else { Err(LENGTH) }
    }

    fn step<E: PairingCurve>(&mut self) -> Result<Step<E>, Invalid> {
        let image = E::decode_g1(self.take(E::G1_BYTES)?)?;
        let commitment = E::decode_g1(self.take(E::G1_BYTES)?)?;
        let bytes = self.take(32)?;
        let response = E::Scalar::from_le_bytes_mod_order(bytes);
        let again = curve::BigInteger::to_bytes_le(&response.into_bigint());
        if again != bytes {
            return Err(Invalid("a scalar that is not reduced"));
        }
        Ok(Step { image, commitment, response })
    }
}
