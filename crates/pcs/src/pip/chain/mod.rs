//! One chain of folded codewords beside a sumcheck (temporary signatures).
use super::params::Stage;
use super::recursion::First;
use super::security::Terms;
use crate::codec::{Reader, Writer};
use field::{ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::hash::Digest;
use iop::poly::Tensor;
use iop::transcript::{ProverTape, VerifierTape};

/// Shape of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// log2 of the folding factor between two committed codewords.
    pub log_arity: u32,
    /// log2 of the length of the final message sent in clear.
    pub log_final: u32,
}

impl Shape {
    pub(super) fn check(&self, _log_rows: u32) -> Result<(), &'static str> {
        Ok(())
    }
    pub(super) fn encode(&self, w: &mut Writer) {
        w.u32(self.log_arity);
        w.u32(self.log_final);
    }
    pub(super) fn decode(r: &mut Reader<'_>) -> Option<Self> {
        Some(Self { log_arity: r.u32()?, log_final: r.u32()? })
    }
}
pub(super) fn terms(_terms: &mut Terms<'_>, _first: &Stage, _shape: &Shape) {
    unreachable!()
}
pub(super) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    _stages: &[Stage],
    _shape: &Shape,
    _tape: &mut ProverTape,
    _first: First<'_, B, E>,
    _message: Vec<E>,
    _claims: &[(Tensor<E>, E)],
) {
    unreachable!()
}
pub(super) fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    _stages: &[Stage],
    _shape: &Shape,
    _tape: &mut VerifierTape<'_>,
    _first: (Digest, Vec<E>),
    _claims: Vec<(Tensor<E>, E)>,
) -> Result<(), Invalid> {
    unreachable!()
}
