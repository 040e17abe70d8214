//! The longest file that a header can begin: known before more than the header is read. (notes: formats-proof)
//!
//! ```text
//!  header ─► its lengths ─► the file's length   ┐
//!     │                                         ├─ refused if longer, before it is read
//!     └────► parameters ──► the longest proof   ┘
//! ```
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(test)]
pub(crate) mod tests;

use crate::file::{FileError, Header, Kind, SchemeId};
use crate::matrix::Size;
use crate::verify::Refused;
use crate::{deepfold, ligerito, pip};
use iop::error::ParamError;
use iop::security::{Policy, Report};

/// Bytes of a description or of a context that are read: more than any name of a column has.
pub const MAX_CONTEXT: u64 = 1 << 20;

/// Bytes of a length.
const SIZED: u64 = 8;
const DIGEST: u64 = 32;

/// What parameters of any scheme say of the length of files.
struct Lengths {
    base: u64,
    extension: u64,
    variables: u64,
    polynomials: u64,
    forms: u64,
    /// Values of a commitment outside of the domain.
    outside: u64,
    /// The longest proof of as many forms as there may be, and of one.
    most: [u64; 2],
}

impl Header {
    /// The length that no file exceeds whose header this is. Its contexts have [`MAX_CONTEXT`] bytes at most.
    ///
    /// Cost: a security report. Memory: some kilobytes, whatever the parameters are.
    ///
    /// # Errors
    /// If the parameters are out of range, or the file is about a ring, whose sizes this crate does not know.
    pub fn longest(&self) -> Result<u64, Refused> {
        let lengths = self.lengths()?;
        let Lengths { base, extension, polynomials, .. } = lengths;
        let commitment = SIZED + DIGEST + lengths.outside * extension;
        let context = SIZED + MAX_CONTEXT;
        let [of_all, of_one] = lengths.most;
        let body = match self.kind {
            Kind::Commitment => context + commitment,
            Kind::Opening => {
                let form = (2 * lengths.variables + polynomials) * extension;
                let claims = SIZED + 12 + lengths.forms * form + context;
                commitment + claims + SIZED + of_all
            }
            Kind::Weighted => {
                let rounds = (2 * lengths.variables + 1) * extension;
                commitment + DIGEST + base + context + SIZED + rounds + of_one
            }
            _ => return Err(FileError::Unknown("kind").into()),
        };
        Ok(self.before_body() + body)
    }

    /// Refuses a file that is longer than its parameters allow.
    ///
    /// # Errors
    /// As [`Header::longest`].
    pub fn check_length(&self) -> Result<(), Refused> {
        if self.length() > self.longest()? { Err(FileError::Long.into()) } else { Ok(()) }
    }

    fn lengths(&self) -> Result<Lengths, Refused> {
        let malformed = FileError::Malformed("parameters");
        match self.scheme {
            SchemeId::Pip => {
                let p = pip::Params::decode(&self.params).ok_or(malformed)?;
                in_range(p.validate(&ANY))?;
                let bytes = [p.fields.base_bytes(), p.fields.bytes()];
                let counts = [p.variables(), number(p.polynomials), number(p.max_forms)];
                Ok(Lengths::new(bytes, counts, p.out_of_domain(), |_| p.size()))
            }
            SchemeId::DeepFold => {
                let p = deepfold::Params::decode(&self.params).ok_or(malformed)?;
                in_range(p.validate(&ANY))?;
                let bytes = [p.fields.base_bytes(), p.fields.bytes()];
                let counts = [p.variables(), 1, number(p.max_forms)];
                Ok(Lengths::new(bytes, counts, p.out_of_domain(), |forms| p.size(forms)))
            }
            SchemeId::Ligerito => {
                let p = ligerito::Params::decode(&self.params).ok_or(malformed)?;
                in_range(p.validate(&ANY))?;
                let bytes = [p.fields.base_bytes(), p.fields.bytes()];
                let counts = [p.variables(), number(p.polynomials), number(p.max_forms)];
                Ok(Lengths::new(bytes, counts, p.out_of_domain(), |forms| p.size(forms)))
            }
            SchemeId::Ring => Err(FileError::Elsewhere("this is a file about a ring").into()),
        }
    }
}

/// Ranges alone matter here.
const ANY: Policy = Policy::at_least(0);

fn in_range(validated: Result<Report, ParamError>) -> Result<(), Refused> {
    validated.map(|_| ()).map_err(Refused::Params)
}

fn number(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl Lengths {
    fn new(
        [base, extension]: [usize; 2],
        [variables, polynomials, forms]: [usize; 3],
        outside: bool,
        size: impl Fn(usize) -> Size,
    ) -> Self {
        // Counts in range: products of two or three of them are far below 2^64.
        let wide = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        Self {
            base: wide(base),
            extension: wide(extension),
            variables: wide(variables),
            polynomials: wide(polynomials),
            forms: wide(forms),
            outside: if outside { wide(polynomials) } else { 0 },
            most: [forms, 1].map(|forms| size(forms).most()),
        }
    }
}
