//! Why something is not built.

use crate::Invalid;

/// Why a constructor or a prover refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No domain has this size.
    #[error("no domain of {0} rows: powers of two from 512 to 65536")]
    Domain(usize),
    /// A ring has not so many slots.
    #[error("a ring of this domain has {capacity} slots, not {wanted}")]
    Capacity {
        /// What was asked for.
        wanted: usize,
        /// What there is.
        capacity: usize,
    },
    /// The setup has too few powers.
    #[error("the domain takes {wanted} powers of the setup, which has {present}")]
    Srs {
        /// What the domain takes.
        wanted: usize,
        /// What there is.
        present: usize,
    },
    /// A segment lacks rows that a change takes.
    #[error(
        "the change takes the setup's points of the slots from {} to below {}, the segment has those from {} to below {}",
        .wanted[0], .wanted[1], .present[0], .present[1]
    )]
    Rows {
        /// The first row, and the one behind the last.
        wanted: [usize; 2],
        /// Those of the segment.
        present: [usize; 2],
    },
    /// There is no member there.
    #[error("no member in slot {0}")]
    Slot(usize),
    /// There is no member at the prover's index. It is a secret, so that the error does not say it.
    #[error("no member at the prover's index")]
    Index,
    /// The blinding is 0: the blinded key would be the key itself.
    #[error("a blinding of 0 shows the key: draw a random one")]
    Blinding,
    /// The prover's own proof does not verify, or has a point outside of the subgroup. It was not released. Tables, Lagrange points or the ring's commitment
    /// are false: make the setup again with [`Setup::new`](crate::Setup::new), or read it with [`Setup::read`](crate::Setup::read).
    #[error(
        "the proof does not verify and was not released: the setup's tables, or the ring's commitment, are false or damaged"
    )]
    OwnProof,
    /// A key is refused.
    #[error("key {at}: {why}")]
    Key {
        /// Its place in what was given.
        at: usize,
        /// The reason.
        why: KeyError,
    },
    /// A batch is full.
    #[error("a batch of {0} proofs takes no more")]
    Full(usize),
    /// Parts that were made for different domains, bases or setups.
    #[error("{0}")]
    Mismatch(&'static str),
    /// The bases are not what they have to be.
    #[error("bases: {0}")]
    Bases(&'static str),
    /// The identifier of a suite is refused.
    #[error("the identifier of a suite: {0}")]
    Identifier(&'static str),
    /// Bytes or points that are refused.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The system gives no random bytes.
    #[cfg(feature = "prover")]
    #[error("no random bytes: {0}")]
    Random(getrandom::Error),
}

/// Why a key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Bytes that are no point of the subgroup, or not its encoding.
    #[error("not the encoding of a point of the subgroup")]
    Encoding,
    /// The identity is a key whose secret is 0.
    #[error("the identity")]
    Identity,
    /// Not a point of the curve.
    #[error("not on the curve")]
    OffCurve,
    /// A point of another order.
    #[error("outside the subgroup")]
    Subgroup,
    /// The point where the sum begins, where the addition's second constraint says nothing; of a seed outside the subgroup its part there, or the
    /// opposite.
    #[error("the seed of the accumulator")]
    Seed,
    /// The point that fills empty slots.
    #[error("the padding point")]
    Padding,
    /// The base of the blinding: its multiples are what the proof hides a key with.
    #[error("the base of the blinding")]
    BlindingBase,
    /// A member has it.
    #[error("a member has it already")]
    Duplicate,
    /// The proof that its secret is known is not valid.
    #[error("without a valid proof of possession")]
    Possession,
}
