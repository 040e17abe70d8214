//! The Fiat-Shamir transcript: a chain of digests over everything said so far.
//!
//! ```text
//! Domain::new(hash, protocol, params) ── statement ──> Bound ──> ProverTape   ── finish ──> proof bytes
//!                                                          └───> VerifierTape ── finish ──> Ok or Invalid
//!
//! state' = H(TRANSCRIPT: state ‖ kind ‖ |label| ‖ label ‖ |data| ‖ data)      every call below
//! draw_i = H(SQUEEZE:    state' ‖ i ‖ 0..)                                    a digest of challenge bytes
//! ```
//!
//! The state is a digest, as wide as the hash gives them. A number of 8 bytes stands behind it in a block that zeros fill up to a multiple of 64 bytes:
//!
//! | digest | block of a draw or a nonce | challenge bytes of a draw |
//! |---|---|---|
//! | 32 bytes | `state ‖ number ‖ 0^24`: 64 bytes | 32 |
//! | 48 bytes | `state ‖ number ‖ 0^8`: 64 bytes | 48 |
//! | 64 bytes | `state ‖ number ‖ 0^56`: 128 bytes | 64 |
//!
//! (notes: transcript-verbs)
//!
//! | verb | proof | chain | data in the chain |
//! |---|---|---|---|
//! | `public` | - | yes | the bytes |
//! | `send` / `receive` | yes | yes | the bytes |
//! | `hint` | yes | no | - (bound elsewhere, such as by a Merkle root) |
//! | `challenge`, `positions` | - | yes | what is asked for |
//! | `grind` | 8 bytes if `bits > 0` | yes | the bits, then the nonce |
//!
//! Kind, label and lengths enter with every message, so no two sequences of calls give the same input; a
//! draw never shows the state, and the state moves on before each draw. Lengths of messages are *not* in
//! the proof: the verifier asks for the number that its parameters say. (notes: transcript-absorb)
//!
//! Forgetting the statement does not compile: (notes: transcript-typestate)
//!
//! ```
//! # use iop::{hash::Hash, transcript::Domain};
//! let domain = Domain::new(Hash::Blake3, "example", &[0; 32]);
//! let tape = domain.statement(&[1; 32]).prover();
//! # drop(tape);
//! ```
//! ```compile_fail,E0599
//! # use iop::{hash::Hash, transcript::Domain};
//! let domain = Domain::new(Hash::Blake3, "example", &[0; 32]);
//! let tape = domain.prover();
//! # drop(tape);
//! ```

mod grind;
#[cfg(feature = "prover")]
mod prover;
mod verifier;

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
pub use grind::MAX_BITS;
#[cfg(feature = "prover")]
pub use prover::ProverTape;
pub use verifier::VerifierTape;

use crate::hash::{Hash, MAX_BYTES, Role, le64};
use field::Field;

/// What a call on a tape did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The statement that the proof is about.
    Statement = 0,
    /// Data that both sides know.
    Public = 1,
    /// A message of the prover.
    Send = 2,
    /// Field elements drawn.
    Challenge = 3,
    /// Positions drawn.
    Positions = 4,
    /// The work asked for.
    Grind = 5,
    /// The nonce of that work.
    Nonce = 6,
    /// Proof bytes outside the chain.
    Hint = 7,
}

/// One call on a tape, for comparing the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The verb.
    pub kind: Kind,
    /// The caller's label.
    pub label: &'static str,
    /// Bytes of a message, number of draws, or bits of work.
    pub length: usize,
}

/// A protocol and its parameters, still without a statement.
#[derive(Debug, Clone)]
#[must_use = "a domain does nothing until a statement is bound to it"]
pub struct Domain(Chain);

impl Domain {
    /// Starts a transcript: `protocol` is the name with version, `params` the digest of all parameters.
    pub fn new(hash: Hash, protocol: &str, params: &[u8]) -> Self {
        let mut chain = Chain { hash, state: [0; MAX_BYTES], script: Vec::new() };
        let parts = [&[hash.id()][..], protocol.as_bytes(), params];
        hash.write_labelled("tenfold transcript v1", &parts, chain.place());
        Self(chain)
    }

    /// Binds the digest of the statement: commitment, points, values, all public inputs.
    pub fn statement(self, statement: &[u8]) -> Bound {
        let Self(mut chain) = self;
        chain.absorb(Kind::Statement, "statement", statement);
        Bound(chain)
    }
}

/// A transcript bound to its statement.
#[derive(Debug, Clone)]
#[must_use = "a bound transcript does nothing until one side takes it"]
pub struct Bound(Chain);

impl Bound {
    /// The prover's side, with an empty proof.
    #[cfg(feature = "prover")]
    pub fn prover(self) -> ProverTape {
        ProverTape::new(self.0)
    }

    /// The verifier's side, reading `proof`.
    pub fn verifier<'a>(self, proof: &'a [u8]) -> VerifierTape<'a> {
        VerifierTape::new(self.0, proof)
    }
}

/// What both sides do alike: drawing challenges.
pub trait Challenger {
    /// The chain of this tape; nothing outside this module can use it.
    #[doc(hidden)]
    fn chain(&mut self) -> &mut Chain;

    /// One field element, within 2^-60 of uniform.
    fn challenge<E: Field>(&mut self, label: &'static str) -> E {
        let bytes = self.chain().draw(Kind::Challenge, label, (1, E::UNIFORM_BYTES), &[]);
        E::from_uniform(&bytes)
    }

    /// `n` field elements; `n` comes from parameters. With `n = 1` the same as [`Challenger::challenge`].
    fn challenges<E: Field>(&mut self, label: &'static str, n: usize) -> Vec<E> {
        let bytes = self.chain().draw(Kind::Challenge, label, (n, E::UNIFORM_BYTES), &[]);
        bytes.chunks_exact(E::UNIFORM_BYTES).map(E::from_uniform).collect()
    }

    /// `count` uniform draws below `2^log_size`, sorted, equal ones once. (notes: transcript-queries)
    ///
    /// Every draw is 8 bytes under a mask, so each is exactly uniform. `log_size < 32` on 32-bit targets.
    fn positions(&mut self, label: &'static str, log_size: usize, count: usize) -> Vec<usize> {
        let bytes = self.chain().draw(Kind::Positions, label, (count, 8), &le64(log_size));
        let mask =
            u32::try_from(log_size).ok().and_then(|n| 1u64.checked_shl(n)).map_or(u64::MAX, |size| size - 1);
        let (draws, _) = bytes.as_chunks::<8>();
        let mut positions: Vec<usize> =
            draws.iter().map(|&draw| (u64::from_le_bytes(draw) & mask) as usize).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}

/// The state of a transcript and the calls so far.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Chain {
    hash: Hash,
    /// As many bytes as the hash gives, and zeros.
    state: [u8; MAX_BYTES],
    script: Vec<Call>,
}

/// Bytes of a block that holds a state and a number.
fn block_bytes(hash: Hash) -> usize {
    (hash.bytes() + 8).next_multiple_of(64)
}

/// The digests of `count` blocks that hold a state and numbers from `first` on.
fn numbered(hash: Hash, role: Role, state: &[u8], (first, count): (u64, usize)) -> Vec<u8> {
    let mut blocks = vec![0; count * block_bytes(hash)];
    for (block, number) in blocks.chunks_exact_mut(block_bytes(hash)).zip(first..) {
        block[..state.len()].copy_from_slice(state);
        block[state.len()..state.len() + 8].copy_from_slice(&number.to_le_bytes());
    }
    let mut digests = vec![0; count * hash.bytes()];
    hash.many(role, &blocks, &mut digests);
    digests
}

impl Chain {
    fn state(&self) -> &[u8] {
        &self.state[..self.hash.bytes()]
    }

    fn place(&mut self) -> &mut [u8] {
        &mut self.state[..self.hash.bytes()]
    }

    /// Notes a call in the script.
    fn note(&mut self, kind: Kind, label: &'static str, length: usize) {
        self.script.push(Call { kind, label, length });
    }

    /// Advances the state by a message.
    fn step(&mut self, kind: Kind, label: &'static str, data: &[u8]) {
        let before = self.state;
        let before = &before[..self.hash.bytes()];
        self.hash.write(
            Role::Transcript,
            &[before, &[kind as u8], &le64(label.len()), label.as_bytes(), &le64(data.len()), data],
            self.place(),
        );
    }

    fn absorb(&mut self, kind: Kind, label: &'static str, data: &[u8]) {
        self.note(kind, label, data.len());
        self.step(kind, label, data);
    }

    /// Draws `count` items of `width` bytes, end to end; the request itself enters the chain.
    fn draw(
        &mut self,
        kind: Kind,
        label: &'static str,
        (count, width): (usize, usize),
        request: &[u8],
    ) -> Vec<u8> {
        self.note(kind, label, count);
        let request = [&le64(count), &le64(width), request].concat();
        self.step(kind, label, &request);
        let length = count * width;
        let draws = length.div_ceil(self.hash.bytes());
        let mut bytes = numbered(self.hash, Role::Squeeze, self.state(), (0, draws));
        bytes.truncate(length);
        bytes
    }
}
