//! Reading pieces of fixed length from the front of bytes.

use curve::Invalid;

/// The next `N` bytes.
pub(crate) fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], Invalid> {
    let (piece, behind) = rest.split_first_chunk().ok_or(Invalid("too few bytes"))?;
    *rest = behind;
    Ok(piece)
}

/// That nothing is left.
pub(crate) fn end(rest: &[u8]) -> Result<(), Invalid> {
    if rest.is_empty() { Ok(()) } else { Err(Invalid("too many bytes")) }
}
