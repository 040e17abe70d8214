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

use crate::verify::Refused;
use iop::security::Policy;
use pcs::file::{FileError, Header, Kind, SchemeId};
use pcs::scheme::{Params, Summary};
use pcs::{deepfold, matrix};

/// Bytes of a description or of a context that are read: more than any name of a column has.
pub const MAX_CONTEXT: u64 = 1 << 20;

/// Returns true for a description or a context that no reader takes, though a file with a short proof has room for it.
pub(crate) fn is_long(context: &[u8]) -> bool {
    u64::try_from(context.len()).is_ok_and(|length| length > MAX_CONTEXT)
}

/// Bytes of a length.
const SIZED: u64 = 8;

/// What parameters of any scheme say of the length of files.
struct Lengths {
    /// Bytes of a digest.
    digest: u64,
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

/// Returns the length that no file with a header exceeds. Its contexts have [`MAX_CONTEXT`] bytes at most.
///
/// Cost: a security report. Memory: some kilobytes, whatever the parameters are.
///
/// # Errors
/// If the parameters are out of range, or the file is about a ring, whose sizes are known elsewhere.
pub fn longest(header: &Header) -> Result<u64, Refused> {
    let lengths = lengths(header)?;
    let Lengths { digest, base, extension, polynomials, .. } = lengths;
    let commitment = SIZED + digest + lengths.outside * extension;
    let context = SIZED + MAX_CONTEXT;
    let [of_all, of_one] = lengths.most;
    let body = match header.kind {
        Kind::Commitment => context + commitment,
        Kind::Opening => {
            let form = (2 * lengths.variables + polynomials) * extension;
            let claims = SIZED + 12 + lengths.forms * form + context;
            commitment + claims + SIZED + of_all
        }
        Kind::Weighted => {
            let rounds = (2 * lengths.variables + 1) * extension;
            commitment + digest + base + context + SIZED + rounds + of_one
        }
        Kind::Product => {
            let rounds = (2 * lengths.variables + polynomials) * extension;
            commitment + 16 + base + context + SIZED + rounds + of_all
        }
        _ => return Err(FileError::Unknown("kind").into()),
    };
    Ok(header.before_body() + body)
}

/// Refuses a file that is longer than its parameters allow.
///
/// # Errors
/// As [`longest`].
pub fn check_length(header: &Header) -> Result<(), Refused> {
    if header.length() > longest(header)? { Err(FileError::Long.into()) } else { Ok(()) }
}

fn lengths(header: &Header) -> Result<Lengths, Refused> {
    match header.scheme {
        SchemeId::Pip | SchemeId::Ligerito | SchemeId::Air => of_params::<matrix::Params>(header),
        SchemeId::DeepFold => of_params::<deepfold::Params>(header),
        SchemeId::Ring => Err(FileError::Elsewhere("this is a file about a ring").into()),
        SchemeId::Virgo => Err(FileError::Unknown("scheme").into()),
    }
}

fn of_params<P: Params>(header: &Header) -> Result<Lengths, Refused> {
    let params = P::decode(header.scheme, &header.params).ok_or(FileError::Malformed("parameters"))?;
    params.validate(&ANY).map_err(Refused::Params)?;
    Ok(Lengths::of(&params))
}

/// Ranges alone matter here.
const ANY: Policy = Policy::at_least(0);

impl Lengths {
    /// Those of parameters in range: products of two or three of their counts are far below 2^64.
    fn of(params: &impl Params) -> Self {
        let Summary {
            hash, bytes: [base, extension], variables, polynomials, max_forms, out_of_domain, ..
        } = params.summary();
        let wide = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let forms = usize::try_from(max_forms).unwrap_or(usize::MAX);
        Self {
            digest: wide(hash.bytes()),
            base: wide(base),
            extension: wide(extension),
            variables: wide(variables),
            polynomials: polynomials.into(),
            forms: max_forms.into(),
            outside: if out_of_domain { polynomials.into() } else { 0 },
            most: [forms, 1].map(|forms| params.size(forms).most()),
        }
    }
}
