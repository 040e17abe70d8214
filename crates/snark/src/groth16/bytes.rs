//! Encodings of single points.

use curve::CanonicalSerialize;

/// Appends the compressed form.
pub(super) fn compress(point: &impl CanonicalSerialize, bytes: &mut Vec<u8>) {
    point.serialize_compressed(&mut *bytes).expect("memory");
}
