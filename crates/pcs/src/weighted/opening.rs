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

/// A commitment, a weighted sum and its proof, without the weights.
///
/// ```text
/// commitment (sized) | digest of the weights 32 | value, one element of the data's field | context (sized) | proof (sized)
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
        let Self { commitment, statement: Statement { weights, value, context }, proof } = self;
        let mut w = Writer::new();
        w.sized(commitment);
        w.bytes(weights);
        w.bytes(&to_bytes(&[*value]));
        w.sized(context);
        w.sized(proof);
        w.finish()
    }

    /// Reads a body with digests of the parameters' hash, exactly. The proof is not copied.
    pub fn decode(hash: Hash, bytes: &'a [u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let commitment = r.sized().ok_or(FileError::Short)?.to_vec();
        let weights = r.digest(hash).ok_or(FileError::Short)?;
        let value = r.bytes(B::BYTES).ok_or(FileError::Short)?;
        let value = B::from_bytes(value).ok_or(FileError::Malformed("field element"))?;
        let context = r.sized().ok_or(FileError::Short)?.to_vec();
        let proof = r.sized().ok_or(FileError::Short)?.into();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { commitment, statement: Statement { weights, value, context }, proof })
    }
}
