//! Segments: the Lagrange points of some rows, by which rings change where the setup is not at hand.
//!
//! ```text
//!   key       N (4)   G1, G2, tau G2 (240)   tau^N G1 (48)
//!   segment   "tenfold segment1"   N (4)   first row (4)   number of rows (4)   L_i(tau) G1 (48 each)
//!   check     L_i = w^i/N (X^N - 1) / (X - w^i) is the quotient of an opening of w^i/N X^N at w^i, whose value is w^i/N:
//!             sum r_i e(L_i, tau G2) = sum r_i e(w^i/N tau^N G1 - w^i/N G1 + w^i L_i, G2)
//! ```
//! Numbers are little-endian, points compressed. Each `r_i` has 128 bits of the system's, drawn when the points are there, and each point is in the subgroup: a segment with a
//! false point passes with a probability of `2^-128`, whoever wrote it. **What is trusted is the key**: `tau G2` and `tau^N G1` say which points are right.
//!
//! (notes: ring-segments)

use std::ops::Range;
use std::sync::Arc;

use curve::bls12_381::{Fr, G1, G1Projective, decode_g1, encode_g1};
use curve::{AdditiveGroup, AffineRepr, Field};
use curve::{Invalid, msm, srs::Srs};
use rayon::prelude::*;

use crate::kzg::{self, Claims, Opening};
use crate::read::{end, take};
use crate::transcript::Transcript;
use crate::{Domain, Error, Setup};

const MAGIC: &[u8; 16] = b"tenfold segment1";

/// What segments of a setup are checked against, for one number of rows. It does not depend on the curve of the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentKey {
    domain: Domain,
    kzg: kzg::Key,
    /// `tau^N G1`
    top: G1,
}

impl SegmentKey {
    /// Bytes of a key.
    pub const BYTES: usize = 4 + kzg::Key::BYTES + 48;

    /// The key of a setup, for domains of `rows` rows: no sum is computed.
    ///
    /// # Errors
    /// If no domain has so many rows, there are not `rows + 1` powers, or the secret is in the domain.
    pub fn new(srs: &Srs, rows: usize) -> Result<Self, Error> {
        let (domain, kzg) = (Domain::new(rows)?, kzg::Key::new(srs)?);
        match srs.powers(rows + 1) {
            Some([.., top]) => Self::of_points(domain, kzg, *top),
            _ => Err(Error::Srs { wanted: rows + 1, present: srs.len() }),
        }
    }

    /// Refuses a secret in the domain, whose Lagrange points are the identity but for one, and the secret 0.
    fn of_points(domain: Domain, kzg: kzg::Key, top: G1) -> Result<Self, Error> {
        if top.is_zero() || kzg.encode().starts_with(&encode_g1(&top)) {
            return Err(Invalid("a setup with the identity in it").into());
        }
        Ok(Self { domain, kzg, top })
    }

    /// The bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        [&word(self.domain.size())[..], &self.kzg.encode(), &encode_g1(&self.top)].concat()
    }

    /// The key of these bytes. **Who makes a key decides which segments are right**: take it from a setup that you trust ([`Self::new`]), or compare it with one, `SegmentKey::new(Srs::zcash(), rows)` for the setup that
    /// ships. That [`Self::kzg`] is the setup's is not enough: with another `tau^N G1` false points are right.
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`], they are not the encoding of a key, or of one of a secret that is 0 or in the domain.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut rest = bytes;
        let domain = Domain::new(number(&mut rest)?)?;
        let kzg = kzg::Key::decode(take(&mut rest)?)?;
        let top = decode_g1(take(&mut rest)?)?;
        end(rest)?;
        Self::of_points(domain, kzg, top)
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.domain.size()
    }

    /// The key of the setup, which verifiers take. Another key for segments may have the same.
    #[must_use]
    pub fn kzg(&self) -> &kzg::Key {
        &self.kzg
    }

    /// Checks the points of rows from `first` on.
    fn check(&self, first: usize, points: &[G1]) -> Result<(), Error> {
        let weights = weights(points.len())?;
        let omega = self.domain.omega();
        let scale = Fr::from(self.domain.size() as u64).inverse().expect("not the characteristic");
        let mut claims = Claims::default();
        let mut top = Fr::ZERO;
        let mut at = omega.pow([first as u64]);
        for (point, [weight]) in points.iter().zip(weights) {
            let value = at * scale;
            claims.add(&Opening { terms: &[], at, value, proof: *point }, weight);
            top += weight * value;
            at *= omega;
        }
        claims.add_point(self.top, top);
        if claims.hold(&self.kzg) { Ok(()) } else { Err(Invalid("false points in a segment").into()) }
    }
}

/// The Lagrange points of neighbouring rows: of a [`Setup`], or of bytes that were checked.
///
/// ```
/// use ring_proof::vrf::{Secret, Suite};
/// use ring_proof::{Domain, Duplicates, Ring, Segment, SegmentKey, Setup, Srs};
///
/// let suite = Suite::v1();
/// let keys = (0..3).map(|_| Ok(Secret::generate(suite)?.key())).collect::<Result<Vec<_>, ring_proof::Error>>()?;
/// let setup = Setup::new(Srs::zcash(), Domain::new(512)?)?;
/// let ring = Ring::with_members(&setup, suite.bases(), &keys[..2])?;
/// let bytes = setup.segment(2..4)?.encode();
///
/// // Elsewhere: the key (292 bytes), the members and the commitment, all trusted; and the segment, which is not.
/// let key = SegmentKey::new(Srs::zcash(), 512)?;
/// let segment = Segment::decode(&bytes, &key)?;
/// let known = (ring.slots(), &ring.commitment());
/// let mut other = Ring::resume(&key, ring.params(), known, Duplicates::Refused)?;
/// other.append(&segment, &keys[2..])?;
/// assert_eq!(other.commitment(), Ring::with_members(&setup, suite.bases(), &keys)?.commitment());
/// # Ok::<(), ring_proof::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What the points were checked against.
    key: SegmentKey,
    first: usize,
    pub(crate) points: Vec<G1>,
}

impl Segment {
    /// What the points were checked against.
    #[must_use]
    pub fn key(&self) -> &SegmentKey {
        &self.key
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.points.len()
    }

    /// The bytes: 28, and 48 for each row.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let numbers = [self.key.rows(), self.first, self.points.len()].map(word);
        let mut bytes = [&MAGIC[..], numbers.as_flattened()].concat();
        self.points.iter().for_each(|point| bytes.extend(encode_g1(point)));
        bytes
    }

    /// The segment of these bytes, whoever wrote them: every point is checked for the subgroup, and all of them against `key`.
    ///
    /// Cost: for each point a square root and a check of the subgroup, on all threads; two multi-scalar multiplications over the points; two pairings.
    ///
    /// # Errors
    /// If there are too many or too few bytes, the rows are none, are not in the domain, or of another domain than the key's, a point is none of the subgroup or not the
    /// Lagrange point of its row; or if the system gives no random bytes.
    pub fn decode(bytes: &[u8], key: &SegmentKey) -> Result<Self, Error> {
        let mut rest = bytes;
        if take(&mut rest)? != MAGIC {
            return Err(Invalid("not a segment of a setup").into());
        }
        let [rows, first, count] = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
        if rows != key.rows() {
            return Err(Error::Mismatch("a segment for another number of rows"));
        }
        check_rows(rows, first, count)?;
        let (points, rest) = rest.as_chunks::<48>();
        if points.len() != count || !rest.is_empty() {
            return Err(Invalid("a segment of another length than it says").into());
        }
        let points = points.par_iter().map(decode_g1).collect::<Result<Vec<_>, _>>()?;
        key.check(first, &points)?;
        Ok(Self { key: key.clone(), first, points })
    }
}

impl Setup {
    /// The points of some rows, for those who change rings of this setup without it.
    ///
    /// # Errors
    /// If there are none, or they are not in the domain.
    pub fn segment(&self, rows: Range<usize>) -> Result<Segment, Error> {
        check_rows(self.domain.size(), rows.start, rows.len())?;
        Ok(Segment { key: self.key.clone(), first: rows.start, points: self.lagrange[rows].to_vec() })
    }
}

/// Weights that nobody knew before they are drawn: whoever wrote the points did not choose them by the weights.
pub(crate) fn weights(count: usize) -> Result<Vec<[Fr; 1]>, Error> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(Error::Random)?;
    let mut transcript = Transcript::new(b"tenfold segment");
    transcript.append(b"random", &random);
    Ok(transcript.weights(count))
}

fn check_rows(rows: usize, first: usize, count: usize) -> Result<(), Error> {
    let inside = first.checked_add(count).is_some_and(|end| end <= rows);
    if count > 0 && inside { Ok(()) } else { Err(Invalid("a segment of no rows of the domain").into()) }
}

fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("a number of rows").to_le_bytes()
}

fn number(rest: &mut &[u8]) -> Result<usize, Invalid> {
    usize::try_from(u32::from_le_bytes(*take(rest)?)).map_err(|_| Invalid("a number of rows"))
}

/// Lagrange points by which a ring changes: those of a [`Setup`] or of a [`Segment`], or of one that is shared.
pub trait RowPoints: sealed::Points {}

impl RowPoints for Setup {}
impl RowPoints for Segment {}
impl<P: RowPoints> RowPoints for Arc<P> {}

mod sealed {
    use super::*;

    /// What they are, for this crate alone: a caller's rows are checked before sums take them.
    pub trait Points {
        /// Checks that the points are those of a ring's setup, and that the rows are among them.
        fn check(&self, domain: Domain, key: &SegmentKey, rows: Range<usize>) -> Result<(), Error>;

        /// `sum k_i L_(from + i)` for each of two columns, of rows that were checked.
        fn sums(&self, from: usize, columns: [&[Fr]; 2]) -> [G1Projective; 2];
    }
}

const OTHER: Error = Error::Mismatch("a ring of another setup or domain");

impl sealed::Points for Setup {
    fn check(&self, domain: Domain, key: &SegmentKey, _: Range<usize>) -> Result<(), Error> {
        if self.domain == domain && self.key == *key { Ok(()) } else { Err(OTHER) }
    }

    fn sums(&self, from: usize, columns: [&[Fr]; 2]) -> [G1Projective; 2] {
        match columns {
            [&[x], &[y]] => {
                let multiples = self.rows.multiples(from, &[x, y]);
                [multiples[0], multiples[1]]
            }
            columns => columns.map(|column| self.rows.sum_from(from, column)),
        }
    }
}

impl sealed::Points for Segment {
    fn check(&self, _: Domain, key: &SegmentKey, rows: Range<usize>) -> Result<(), Error> {
        let own = self.rows();
        if self.key != *key {
            Err(OTHER)
        } else if own.start <= rows.start && rows.end <= own.end {
            Ok(())
        } else {
            Err(Error::Rows { wanted: [rows.start, rows.end], present: [own.start, own.end] })
        }
    }

    fn sums(&self, from: usize, columns: [&[Fr]; 2]) -> [G1Projective; 2] {
        columns.map(|column| msm::sum(&self.points[from - self.first..][..column.len()], column))
    }
}

impl<P: sealed::Points> sealed::Points for Arc<P> {
    fn check(&self, domain: Domain, key: &SegmentKey, rows: Range<usize>) -> Result<(), Error> {
        (**self).check(domain, key, rows)
    }

    fn sums(&self, from: usize, columns: [&[Fr]; 2]) -> [G1Projective; 2] {
        (**self).sums(from, columns)
    }
}
