//! A proof and its 592 bytes.
//!
//! ```text
//!   b ip x y             4 x 48   commitments to the witness columns
//!   px py s b ip x y     7 x 32   values at zeta
//!   q                        48   commitment to the quotient
//!   lin                      32   value of the linear part at zeta w
//!   pi, pi_w             2 x 48   openings at zeta and at zeta w
//! ```
//! (notes: ring-bytes)

use alloc::vec::Vec;

use crate::Invalid;
use crate::constraints::Row;
use crate::read::{end, take};
use crate::transcript::Transcript;
use curve::bls12_381::{self, Fr, G1};
use curve::embedded::{Embedded, Point};

/// A proof of membership: points of the subgroup and reduced scalars, nothing else is known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// `b`, `ip`, `x`, `y`.
    pub(crate) columns: [G1; 4],
    pub(crate) values: Row,
    pub(crate) quotient: G1,
    pub(crate) shifted: Fr,
    pub(crate) opening: G1,
    pub(crate) shifted_opening: G1,
}

impl Proof {
    /// Bytes of a proof.
    pub const BYTES: usize = 592;

    /// The bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        self.columns.iter().for_each(|c| bytes.extend(bls12_381::encode_g1(c)));
        self.values.iter().for_each(|v| bytes.extend(bls12_381::encode_fr(v)));
        bytes.extend(bls12_381::encode_g1(&self.quotient));
        bytes.extend(bls12_381::encode_fr(&self.shifted));
        bytes.extend(bls12_381::encode_g1(&self.opening));
        bytes.extend(bls12_381::encode_g1(&self.shifted_opening));
        bytes.try_into().expect("the lengths above")
    }

    /// Tells whether all points are in the subgroup, as those of decoded proofs are.
    #[cfg(feature = "prover")]
    pub(crate) fn in_subgroup(&self) -> bool {
        let [b, ip, x, y] = self.columns;
        bls12_381::in_subgroup(&[b, ip, x, y, self.quotient, self.opening, self.shifted_opening])
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`], a point is not one of the subgroup, a scalar is not reduced, or the bytes are
    /// not the encoding of what they say.
    pub fn decode(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        if bytes.len() != Self::BYTES {
            return Err(Invalid("a proof has 592 bytes"));
        }
        let [b, ip, x, y] = [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?, take(&mut rest)?];
        let mut values = [&[0; 32]; 7];
        for value in &mut values {
            *value = take(&mut rest)?;
        }
        let (quotient, shifted) = (take(&mut rest)?, take(&mut rest)?);
        let [opening, shifted_opening] = [take(&mut rest)?, take(&mut rest)?];
        end(rest)?;
        // All points at once, which takes less time than one by one; what is wrong first is said.
        let [b, ip, x, y, quotient, opening, shifted_opening] =
            bls12_381::decode_g1_each([b, ip, x, y, quotient, opening, shifted_opening]);
        let columns = [b?, ip?, x?, y?];
        let mut row = Row::default();
        for (value, bytes) in row.iter_mut().zip(values) {
            *value = bls12_381::decode_fr(bytes)?;
        }
        Ok(Self {
            columns,
            values: row,
            quotient: quotient?,
            shifted: bls12_381::decode_fr(shifted)?,
            opening: opening?,
            shifted_opening: shifted_opening?,
        })
    }
}

/// The messages in their order, as both sides say them. (notes: ring-transcript)
impl Transcript {
    /// P1, V1. The point, then the columns; gives the factors of the constraints.
    pub(crate) fn columns<C: Embedded>(&mut self, result: &Point<C>, columns: &[G1; 4]) -> [Fr; 7] {
        let coordinates = [result.x, result.y].map(|c| bls12_381::encode_fr(&c));
        self.append(b"instance", coordinates.as_flattened());
        self.append(b"committed_cols", columns.map(|c| bls12_381::encode_g1_uncompressed(&c)).as_flattened());
        self.challenges(b"constraints_aggregation")
    }

    /// P2, V2. The quotient; gives `zeta`.
    pub(crate) fn quotient(&mut self, quotient: &G1) -> Fr {
        self.append(b"quotient", &bls12_381::encode_g1_uncompressed(quotient));
        self.challenge(b"evaluation_point")
    }

    /// P3, V3. The values; gives the factors of the columns in the opening, the quotient's last.
    pub(crate) fn values(&mut self, values: &Row, shifted: &Fr) -> [Fr; 8] {
        self.append(b"register_evaluations", values.map(|v| bls12_381::encode_fr(&v)).as_flattened());
        self.append(b"shifted_linearization_evaluation", &bls12_381::encode_fr(shifted));
        self.challenges(b"kzg_aggregation")
    }

    /// The openings. No message depends on what comes after them: weights of a verifier do.
    pub(crate) fn openings(&mut self, opening: &G1, shifted: &G1) {
        self.append(b"kzg_proof_zeta", &bls12_381::encode_g1_uncompressed(opening));
        self.append(b"kzg_proof_zeta_omega", &bls12_381::encode_g1_uncompressed(shifted));
    }
}
