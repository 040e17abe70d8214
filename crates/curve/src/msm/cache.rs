//! Tables as bytes, so that they are built once.
//!
//! ```text
//!   "tenfold tables 2"   curve (8)   form (8)   bits of a digit (8)   points (8)   the table   BLAKE3 of all before (32)
//! ```
//! Images by the endomorphism are left out: a product each makes them again.
//! The digest tells damage, and every 32nd point is compared with the one that the caller expects. It does not tell a file that somebody
//! made on purpose: who can write the cache decides what is summed, unless [`FixedBase::is_of`] is asked.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;

use super::fixed::{FixedBase, Table, recoding};
use super::scratch::Kept;
use super::{Adder, Curve, Single, Tier};
use crate::Invalid;

const MAGIC: &[u8; 16] = b"tenfold tables 2";
/// Every so many points are compared.
const SAMPLE: usize = 32;
const DIGEST: usize = blake3::OUT_LEN;
/// The forms of a point: that of one lane, which [`Lanes::Middle`](super::Lanes::Middle) writes too, and that of vectors.
const SINGLE: u64 = 0;
const VECTOR: u64 = 1;

impl<C: Curve> FixedBase<C> {
    /// The tables as bytes, for [`Self::read`].
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(C::NAME);
        let form = if matches!(self.table, Table::Vector(_)) { VECTOR } else { SINGLE };
        for number in [form, self.window() as u64, self.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        let windows = self.recoding.windows;
        match &self.table {
            Table::Vector(t) => {
                t.chunks(self.row).for_each(|row| C::Vector::write(&row[..windows], &mut bytes))
            }
            Table::Middle(t) => {
                t.chunks(self.row).for_each(|row| C::Middle::write(&row[..windows], &mut bytes))
            }
            Table::Single(t) => t.chunks(self.row).for_each(|row| Single::write(&row[..windows], &mut bytes)),
        }
        bytes.extend(blake3::hash(&bytes).as_bytes());
        bytes
    }

    /// Reads what [`Self::write`] wrote of tables for these points. Cost: a hash of the bytes and a copy, on the kind of machine
    /// that wrote them; elsewhere a conversion of all points.
    ///
    /// # Errors
    /// If the bytes are not tables of this curve for these points, or are damaged.
    pub fn read(bytes: &[u8], points: &[Affine<C>]) -> Result<Self, Invalid> {
        let damaged = Invalid("damaged tables");
        let (body, digest) = bytes.split_at_checked(bytes.len().wrapping_sub(DIGEST)).ok_or(damaged)?;
        if blake3::hash(body).as_bytes() != digest {
            return Err(damaged);
        }
        Self::read_body(body, points)
    }

    /// The digest at the end of what [`Self::write`] wrote.
    #[must_use]
    pub fn digest(bytes: &[u8]) -> Option<&[u8; DIGEST]> {
        bytes.last_chunk()
    }

    fn read_body(body: &[u8], points: &[Affine<C>]) -> Result<Self, Invalid> {
        let damaged = Invalid("damaged tables");
        let body = body.strip_prefix(MAGIC).ok_or(Invalid("not a file of tables"))?;
        let body = body.strip_prefix(&C::NAME).ok_or(Invalid("tables of another curve"))?;
        let (numbers, body) = body.split_at_checked(24).ok_or(damaged)?;
        let number = |i: usize| numbers[8 * i..8 * i + 8].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (form, c, count) = (number(0), number(1), number(2));
        if count != points.len() as u64 || !(4..=16).contains(&c) {
            return Err(Invalid("tables of other points"));
        }
        let (recoding, row) = recoding::<C>(c as usize);
        let (windows, twice) = (recoding.windows, row > recoding.windows);
        let vector = || C::Vector::read(body, points.len(), windows, twice).ok_or(damaged);
        let table = match form {
            SINGLE => Table::<C>::Single(Single::read(body, points.len(), windows, twice).ok_or(damaged)?),
            VECTOR if <C::Vector as Adder>::available() => Table::Vector(vector()?),
            VECTOR => {
                let table = vector()?;
                Table::Single(table.iter().map(C::Vector::export).collect())
            }
            _ => return Err(damaged),
        };
        let table = match table {
            Table::Single(t) => match Tier::best::<C>() {
                Tier::Avx512Ifma => Table::Vector(C::Vector::import(&t)),
                Tier::Avx2 => Table::Middle(C::Middle::import(&t)),
                Tier::Portable => Table::Single(t),
            },
            table => table,
        };
        let live = points.iter().map(|p| !p.is_zero()).collect();
        let bases = Self { recoding, row, live, table, kept: Kept::default() };
        // The tables of other points in a file without damage are a mistake, which some of the points show.
        let some = points.iter().enumerate().filter(|(i, _)| i % SAMPLE == 0 || i + 1 == points.len());
        let same = |(i, p): (usize, &Affine<C>)| p.is_zero() || bases.entry(i * bases.row) == *p;
        if some.into_iter().all(same) { Ok(bases) } else { Err(Invalid("tables of other points")) }
    }

    /// The points as bytes, without a digest and without a check.
    #[must_use]
    pub fn write_points(points: &[Affine<C>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Single::write(points, &mut bytes);
        bytes
    }

    /// As many points as [`Self::write_points`] wrote, if the bytes are so many reduced coordinates. Whether they are points of the curve is
    /// not looked at.
    #[must_use]
    pub fn read_points(bytes: &[u8], count: usize) -> Option<Vec<Affine<C>>> {
        Single::read(bytes, count, 1, false)
    }

    fn entry(&self, at: usize) -> Affine<C> {
        match &self.table {
            Table::Vector(t) => C::Vector::export(&t[at]),
            Table::Middle(t) => C::Middle::export(&t[at]),
            Table::Single(t) => t[at],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::{G1Affine, G1Projective, g1};
    use ark_ec::{CurveGroup, PrimeGroup};

    /// Files under their right digest: of a digit of too few or too many bits, of another length, for a last point that is another.
    #[test]
    fn whole_files_that_lie_are_refused() {
        let points: Vec<G1Affine> =
            (2..8_u64).map(|k| G1Projective::generator().mul_bigint([k]).into_affine()).collect();
        let mut other = points.clone();
        other[5] = -other[5];
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available::<g1::Config>()) {
            let file = FixedBase::<g1::Config>::on(&points, 7, tier).write();
            let body = &file[..file.len() - DIGEST];
            let refused = |body: &[u8], points: &[G1Affine]| {
                let whole = [body, blake3::hash(body).as_bytes()].concat();
                FixedBase::<g1::Config>::read(&whole, points).err()
            };
            const OTHER: Option<Invalid> = Some(Invalid("tables of other points"));
            const DAMAGED: Option<Invalid> = Some(Invalid("damaged tables"));
            assert_eq!((refused(body, &points), refused(body, &other)), (None, OTHER));
            for bits in [0, 3, 17, 255] {
                let mut bad = body.to_vec();
                bad[32] = bits;
                assert_eq!(refused(&bad, &points), OTHER, "{bits} bits");
            }
            let row = (body.len() - 48) / points.len();
            for length in [48, body.len() - row, body.len() - 1] {
                assert_eq!(refused(&body[..length], &points), DAMAGED, "{length} bytes");
            }
            for more in [1, row] {
                assert_eq!(refused(&[body, &vec![0; more]].concat(), &points), DAMAGED, "{more} more");
            }
        }
    }
}
