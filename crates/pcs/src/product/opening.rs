//! The body of a file that holds an inner product. (notes: formats-proof)
#![forbid(unsafe_code)]

use super::statement::Statement;
use crate::codec::{Reader, Writer};
use crate::file::FileError;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use field::Field;

/// A commitment, an inner product of two of its columns, and the proof.
///
/// ```text
/// commitment (sized) | columns 4, 4 | rows 8 | value, one element of the data's field | context (sized) | proof (sized)
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening<'a, B> {
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// The statement.
    pub statement: Statement<B>,
    /// The proof.
    pub proof: Cow<'a, [u8]>,
}

impl<'a, B: Field> Opening<'a, B> {
    /// The bytes of the body.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(&self.commitment);
        w.bytes(&self.statement.head());
        w.sized(&self.statement.context);
        w.sized(&self.proof);
        w.finish()
    }

    /// Reads a body, exactly. The proof is not copied.
    ///
    /// # Errors
    /// If it is no such body.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let commitment = r.sized().ok_or(FileError::Short)?.to_vec();
        let columns = [r.u32().ok_or(FileError::Short)?, r.u32().ok_or(FileError::Short)?];
        let rows = r.u64().ok_or(FileError::Short)?;
        let value = r.bytes(B::BYTES).ok_or(FileError::Short)?;
        let value = B::from_bytes(value).ok_or(FileError::Malformed("field element"))?;
        let context = r.sized().ok_or(FileError::Short)?.to_vec();
        let proof = r.sized().ok_or(FileError::Short)?.into();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { commitment, statement: Statement { columns, rows, value, context }, proof })
    }
}
