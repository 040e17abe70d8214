//! SHA-256, with the SHA instructions where the machine has them (found at run time).

use super::{Digest, Role};
use ::sha2::{Digest as _, Sha256};

/// The digest of one message, given in parts, behind its role byte.
pub(super) fn one(role: Role, parts: &[&[u8]]) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update([role as u8]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}
