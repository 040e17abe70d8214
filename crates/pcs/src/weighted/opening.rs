//! The body of a file that holds a weighted sum. (notes: formats-proof)
#![forbid(unsafe_code)]

use super::statement::Statement;
use crate::codec::{Reader, Writer};
use crate::file::FileError;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use field::Field;
use iop::hash::Hash;
use iop::poly::to_bytes;

/// A commitment, the weighted sum of each of its polynomials, and the proof, without the weights.
///
/// ```text
/// commitment (sized) | digest of the weights 32 | a value for each polynomial, elements of the data's field | context (sized) | proof (sized)
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening<'a, B> {
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// What is stated.
    pub statement: Statement<B>,
    /// The proof.
    pub proof: Cow<'a, [u8]>,
}

impl<'a, B: Field> Opening<'a, B> {
    /// The bytes of the body.
    pub fn encode(&self) -> Vec<u8> {
        let Self { commitment, statement: Statement { weights, values, context }, proof } = self;
        let mut w = Writer::new();
        w.sized(commitment);
        w.bytes(weights);
        w.bytes(&to_bytes(values));
        w.sized(context);
        w.sized(proof);
        w.finish()
    }

    /// Reads a body with digests of the parameters' hash, about so many polynomials, exactly. The proof is not copied.
    ///
    /// # Errors
    /// If it is no such body.
    pub fn decode((hash, polynomials): (Hash, usize), bytes: &'a [u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let commitment = r.sized().ok_or(FileError::Short)?.to_vec();
        let weights = r.digest(hash).ok_or(FileError::Short)?;
        let values = r.bytes(polynomials.saturating_mul(B::BYTES)).ok_or(FileError::Short)?;
        let values: Option<Vec<B>> = values.chunks_exact(B::BYTES).map(B::from_bytes).collect();
        let values = values.ok_or(FileError::Malformed("field element"))?;
        let context = r.sized().ok_or(FileError::Short)?.to_vec();
        let proof = r.sized().ok_or(FileError::Short)?.into();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { commitment, statement: Statement { weights, values, context }, proof })
    }
}
