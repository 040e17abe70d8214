//! PolyFRIM's two chains (temporary signatures).
use super::params::Stage;
use super::reduce::Split;
use super::security::Terms;
use field::{ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::hash::Digest;
use iop::oracle::Oracle;
use iop::transcript::{ProverTape, VerifierTape};
pub(super) fn terms(_terms: &mut Terms<'_>, _first: &Stage) {
    unreachable!()
}
pub(super) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    _stages: &[Stage],
    _tape: &mut ProverTape,
    _oracle: &Oracle<B>,
    _message: &[B],
    _split: &Split<E>,
) {
    unreachable!()
}
pub(super) fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    _stages: &[Stage],
    _tape: &mut VerifierTape<'_>,
    _root: Digest,
    _split: &Split<E>,
) -> Result<(), Invalid> {
    unreachable!()
}
