//! Errors of files about rings.

use crate::{Error, Invalid, KeyError};

/// An error of a file about rings: another file than the wanted one, or a content that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Not a file of the container's format.
    #[error("{error}")]
    Container {
        /// The file that was expected.
        wanted: &'static str,
        /// The reason.
        error: pcs::file::FileError,
    },
    /// A file of another scheme.
    #[error("this file is not about a ring")]
    NotRing {
        /// The file that was expected.
        wanted: &'static str,
    },
    /// A file about rings of another kind.
    #[error("this file is {found}")]
    Kind {
        /// The file that was expected.
        wanted: &'static str,
        /// The file that was found.
        found: &'static str,
    },
    /// A part that is not in its one encoding.
    #[error("the file's {0} is malformed")]
    Malformed(&'static str),
    /// A suite that this build does not know, by its number.
    #[error("the file is of suite number {0}, which this build does not know")]
    Suite(u8),
    /// A digest in the header that is not that of the content.
    #[error("{0}")]
    Digest(pcs::file::FileError),
    /// A key that cannot be a member's.
    #[error("the key in slot {slot} is refused: {why}")]
    Slot {
        /// The slot.
        slot: usize,
        /// The reason.
        why: MemberError,
    },
    /// The members make no ring.
    #[error(transparent)]
    Ring(Error),
    /// The commitment in a ring file is not the one of its members.
    #[error("the commitment in the file is not that of its members")]
    Commitment,
    /// A commitment that is no three points of the subgroup.
    #[error("the ring's commitment is refused: {0}")]
    Points(Invalid),
}

/// The reason that a key cannot be a member's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberError {
    /// The key itself.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The proof that its secret is known.
    #[error("its proof of possession is refused: {0}")]
    Possession(Invalid),
}
