//! Lies a prover can tell in tests: honest but for one, and consistent with its own transcript afterwards.
//! Compiled for tests only.

use core::cell::Cell;

/// One lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lie {
    /// The claimed value is off by one; everything else is honest.
    Value,
    /// The claimed value is off by one and one partial evaluation makes up for it.
    PartialEvaluation,
    /// A recursion level commits to another message that satisfies the same claims.
    NextMessage,
    /// A recursion level sends the root of another matrix than the one it opens.
    Root,
    /// An out-of-domain value of a recursion level is off by one.
    OutOfDomain,
    /// The final message is another one that satisfies the running claim.
    FinalMessage,
    /// One coefficient of the tail is off by one.
    Tail,
    /// The masked value is off by one.
    MaskedValue,
    /// The mask index names a mask that does not exist.
    Mask,
    /// Every fragment of the codeword has one word added that is no codeword, and the first mask the same taken away.
    Garbage,
}

thread_local! {
    static TOLD: Cell<Option<Lie>> = const { Cell::new(None) };
}

/// Whether the lie is to be told.
pub(super) fn told(lie: Lie) -> bool {
    TOLD.get() == Some(lie)
}

/// Runs `f` with a prover that tells one lie.
pub(super) fn telling<T>(lie: Lie, f: impl FnOnce() -> T) -> T {
    TOLD.set(Some(lie));
    let result = f();
    TOLD.set(None);
    result
}
