//! Tables as bytes, so that they are built once.
//!
//! ```text
//!   "tenfold tables 1"   curve (8)   form (8)   bits of a digit (8)   points (8)   the table   BLAKE3 of all before (32)
//! ```
//! The digest tells damage, and the points are compared with those that the caller expects. It does not tell a file that somebody
//! made on purpose: who can write the cache decides what is summed.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;

use super::fixed::{FixedBase, Table, recoding};
use super::{Adder, Curve, Single};
use crate::Invalid;

const MAGIC: &[u8; 16] = b"tenfold tables 1";
const DIGEST: usize = blake3::OUT_LEN;
/// The forms of a point, by the adder that reads it as it is.
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
        match &self.table {
            Table::Vector(t) => C::Vector::write(t, &mut bytes),
            Table::Single(t) => Single::write(t, &mut bytes),
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
        let body = body.strip_prefix(MAGIC).ok_or(Invalid("not a file of tables"))?;
        let body = body.strip_prefix(&C::NAME).ok_or(Invalid("tables of another curve"))?;
        let (numbers, body) = body.split_at_checked(24).ok_or(damaged)?;
        let number = |i: usize| numbers[8 * i..8 * i + 8].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        let (form, c, count) = (number(0), number(1), number(2));
        if count != points.len() as u64 || !(4..=16).contains(&c) {
            return Err(Invalid("tables of other points"));
        }
        let (recoding, row) = recoding::<C>(c as usize);
        let entries = row * points.len();
        let table = match form {
            SINGLE => Table::<C>::Single(Single::read(body, entries).ok_or(damaged)?),
            VECTOR if <C::Vector as Adder>::available() => {
                Table::Vector(C::Vector::read(body, entries).ok_or(damaged)?)
            }
            VECTOR => {
                let table = C::Vector::read(body, entries).ok_or(damaged)?;
                Table::Single(table.iter().map(C::Vector::export).collect())
            }
            _ => return Err(damaged),
        };
        let table = match table {
            Table::Single(t) if <C::Vector as Adder>::available() => Table::Vector(C::Vector::import(&t)),
            table => table,
        };
        let bases = Self { recoding, row, live: points.iter().map(|p| !p.is_zero()).collect(), table };
        let same = |(i, p): (usize, &Affine<C>)| p.is_zero() || bases.entry(i * bases.row) == *p;
        if points.iter().enumerate().all(same) { Ok(bases) } else { Err(Invalid("tables of other points")) }
    }

    fn entry(&self, at: usize) -> Affine<C> {
        match &self.table {
            Table::Vector(t) => C::Vector::export(&t[at]),
            Table::Single(t) => t[at],
        }
    }
}
