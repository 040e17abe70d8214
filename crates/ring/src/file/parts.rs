//! The bytes of a file's body by their meaning.

use pcs::codec::Reader;
use pcs::file::{File, Kind};

use super::{FileError, SuiteId};
use crate::Commitment;

/// Runs of bytes of a body, with their meaning; some may be empty.
///
/// # Errors
/// If the suite is not known here, or a signature's lengths go beyond the body. Nothing else is checked.
pub fn parts(file: &File) -> Result<Vec<(usize, String)>, FileError> {
    let number = file.params.first().ok_or(FileError::Malformed("parameter block"))?;
    let point = SuiteId::read(*number)?.point_bytes();
    let rest = |before: usize| file.body.len().saturating_sub(before);
    let parts = match file.kind {
        Kind::Key => vec![(point, "key"), (rest(point), "proof of possession")],
        Kind::Members => vec![
            (4, "number of slots"),
            (rest(4 + Commitment::BYTES), "slots"),
            (Commitment::BYTES, "commitment"),
        ],
        // Of weighted sums and inner products there is none.
        Kind::Commitment | Kind::Weighted | Kind::Product => vec![
            (16, "number of slots and of members, with their length"),
            (8, "length of the commitment"),
            (rest(24), "commitment: keys in x and y, selector"),
        ],
        Kind::Opening => {
            let mut r = Reader::new(&file.body);
            let sized = r.bytes(32).and_then(|_| Some([r.sized()?.len(), r.sized()?.len()]));
            let [context, message] = sized.ok_or(FileError::Malformed("signature"))?;
            vec![
                (32, "fingerprint of the ring"),
                (8 + context, "context with its length"),
                (8 + message, "message with its length"),
                (point, "tag"),
                (3 * point + 64, "proof of the tag: Yb, R, Ok, s, sb"),
                (192, "ring proof: columns"),
                (224, "ring proof: values"),
                (80, "ring proof: quotient, shifted value"),
                (96, "ring proof: openings"),
            ]
        }
    };
    Ok(parts.into_iter().map(|(length, name)| (length, name.to_owned())).collect())
}
