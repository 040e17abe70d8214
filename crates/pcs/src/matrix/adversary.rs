//! Lies a prover can tell in tests: honest but for one, and consistent with its own transcript afterwards.
//! Compiled for tests only.

use core::cell::Cell;
use field::Field;

/// One lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deviation {
    /// The claimed value is off by one; everything else is honest.
    Value,
    /// The claimed value is off by one and one partial evaluation makes up for it.
    PartialEvaluation,
    /// The value of this form on this polynomial is off by one, and a partial evaluation of it makes up for that.
    ValueOf(usize, usize),
    /// The first value is too high by one and the last too low, so that their sum is right.
    Cancelling,
    /// A recursion level commits to another message that satisfies the same claims.
    NextMessage,
    /// A recursion level sends the root of another matrix than the one it opens.
    Root,
    /// An out-of-domain value of a recursion level is off by one.
    OutOfDomain,
    /// The final message is another one that satisfies the running claim.
    FinalMessage,
    /// A chain goes on with another message that satisfies the claim, after this fold.
    AfterFold(usize),
    /// The value is off by one, and the value chain belongs to another polynomial from its first word on.
    ForeignValueChain,
    /// A word of the value chain, by its number, is that of another message which leads to the claimed value.
    ValueWord(usize),
    /// A word of the proximity chain, by its number, is off by a constant word.
    ProximityWord(usize),
    /// The constant that the proximity chain ends in is off by one.
    Constant,
    /// One coefficient of the tail is off by one.
    Tail,
    /// The masked value is off by one.
    MaskedValue,
    /// The mask index names a mask that does not exist.
    Mask,
    /// Every fragment of the codeword has one word added that is no codeword, and the first mask the same taken away.
    Garbage,
    /// The value of the last claim about packed entries is off by one.
    PackedValue,
    /// The value of a claim about packed entries is off by one, and a part of it makes up for that.
    Part,
    /// [`Deviation::Part`] about every claim: errors that add up to nothing in characteristic two.
    PartOfAll,
    /// [`Deviation::Part`] by the sum of two basis elements: errors of two coordinates that add up to nothing.
    PartOfTwoCoordinates,
    /// The value at the point that packed claims are reduced to is off by one.
    ValueAtThePoint,
    /// The first fragment of the codeword has a word added that is no codeword, and the last the same taken away.
    Opposite,
}

thread_local! {
    static TOLD: Cell<Option<Deviation>> = const { Cell::new(None) };
}

/// Whether the lie is to be told.
pub(crate) fn told(lie: Deviation) -> bool {
    TOLD.get() == Some(lie)
}

/// Runs `f` with a prover that tells one lie.
pub(crate) fn telling<T>(lie: Deviation, f: impl FnOnce() -> T) -> T {
    TOLD.set(Some(lie));
    let result = f();
    TOLD.set(None);
    result
}

/// Turns a message into another one with the same value under a form.
pub(crate) fn another<E: Field>(message: &mut [E], form: &[E]) {
    message[0] += form[1];
    message[1] -= form[0];
}

/// The tail as sent.
pub(crate) fn tail_told<E: Field>(tail: &[E]) -> Vec<E> {
    let mut tail = tail.to_vec();
    if told(Deviation::Tail) {
        tail[0] += E::ONE;
    }
    tail
}
