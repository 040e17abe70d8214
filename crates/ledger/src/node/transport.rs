//! Questions of a node to others over a network, and missing answers. The transport is whoever drives the node's: the library has none.

/// The reason that there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// It has more bytes than it may have.
    TooLong(usize),
    /// Another status than success.
    Status(u16),
    /// No connection, or no answer in time.
    Failed(String),
}

impl TransportError {
    /// Tells whether the question was too large, perhaps: it is refused as the client's fault, and not for want of a right, of a place or of patience.
    pub(super) fn is_too_much(&self) -> bool {
        match self {
            Self::TooLong(_) => true,
            Self::Status(status) => {
                (400..500).contains(status) && !matches!(status, 401 | 403 | 404 | 407 | 429)
            }
            Self::Failed(_) => false,
        }
    }
}

impl core::fmt::Display for TransportError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong(most) if most.is_multiple_of(1 << 20) => {
                write!(f, "it is longer than {} MiB", most >> 20)
            }
            Self::TooLong(most) => write!(f, "it is longer than {most} bytes"),
            Self::Status(status) => write!(f, "status {status}"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

/// An endpoint that answers questions to an EVM node.
pub trait Endpoint {
    /// Sends a question and returns the answer.
    ///
    /// # Errors
    /// If there is none of at most `most` bytes.
    fn post(&self, question: &[u8], most: usize) -> Result<Vec<u8>, TransportError>;
}

/// A node that is reached over HTTP ([`super::Service`]).
pub trait Source {
    /// The content at a path.
    ///
    /// # Errors
    /// If there is none of at most `most` bytes.
    fn get(&self, path: &str, most: usize) -> Result<Vec<u8>, TransportError>;
}
