//! The steps of the protocol over a matrix that one family of fields alone has: chains as inner arguments over prime fields, packed entries
//! over binary ones.
#![forbid(unsafe_code)]
#![allow(
    private_interfaces,
    reason = "a bound that no other crate names: its functions are called here alone"
)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(feature = "prover")]
use super::Opened;
use super::chain::{self, Chain};
use super::reduce::BatchedClaims;
use super::{Layout, two_chains};
use crate::claims::Claims;
use crate::fields::Family;
use crate::ring_switching::{self, Coordinates};
use field::{ExtensionOf, FoldableCode, TwoAdic};
use iop::error::Invalid;
use iop::hash::Digest;
#[cfg(feature = "prover")]
use iop::poly::TensorForm;
#[cfg(feature = "prover")]
use iop::transcript::ProverTape;
use iop::transcript::VerifierTape;

/// What one family of fields adds to the protocol. Validated parameters ask for no step that their family does not have.
pub trait Steps<B: FoldableCode, E: ExtensionOf<B>>: Sized + Clone + Send + Sync + 'static {
    /// The family of fields.
    const FAMILY: Family;

    /// V0: claims about packed entries become one claim about a point of the elements.
    fn verify_switch(
        coordinates: Coordinates,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        claims: &Claims<E>,
    ) -> Result<Claims<E>, Invalid>;

    /// V1 and V2 with chains as inner argument.
    fn verify_chain(
        chain: &Chain,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        opening: (Digest, &BatchedClaims<'_, E>),
    ) -> Result<(), Invalid>;

    /// Claims about packed entries with their parts.
    #[cfg(feature = "prover")]
    fn switched(
        coordinates: Coordinates,
        entries: &[B],
        forms: &[TensorForm<E>],
    ) -> Vec<ring_switching::Switched<E>>;

    /// P0, as [`Steps::verify_switch`].
    #[cfg(feature = "prover")]
    fn prove_switch(
        coordinates: Coordinates,
        tape: &mut ProverTape,
        entries: &[B],
        switched: &[ring_switching::Switched<E>],
    ) -> Claims<E>;

    /// P1 and P2, as [`Steps::verify_chain`].
    #[cfg(feature = "prover")]
    fn prove_chain(chain: &Chain, tape: &mut ProverTape, opened: &Opened<'_, E>);
}

/// Prime fields: chains are inner arguments, entries are not packed.
#[derive(Debug, Clone, Copy)]
pub struct Prime;

/// Binary fields: entries may be packed, the recursion is the inner argument.
#[derive(Debug, Clone, Copy)]
pub struct Binary;

impl<B: TwoAdic, E: ExtensionOf<B>> Steps<B, E> for Prime {
    const FAMILY: Family = Family::Prime;

    fn verify_switch(
        _: Coordinates,
        _: &Layout,
        _: &mut VerifierTape<'_>,
        _: &Claims<E>,
    ) -> Result<Claims<E>, Invalid> {
        Err(Invalid("entries of a prime field are not packed"))
    }

    fn verify_chain(
        chain: &Chain,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        (root, split): (Digest, &BatchedClaims<'_, E>),
    ) -> Result<(), Invalid> {
        if chain.is_double() {
            let only = split.only().ok_or(Invalid("two chains prove one form of one polynomial"))?;
            return two_chains::verify::<B, E>(chain, &layout.first, tape, root, &only);
        }
        // V1: claims about the polynomials become one claim about one combined fragment.
        let (weights, claim) = layout.reduce::<B, E>(tape, split)?;
        // V2: the chain.
        chain::verify::<B, E>(chain, &layout.first, tape, (root, weights), claim)
    }

    #[cfg(feature = "prover")]
    fn switched(_: Coordinates, _: &[B], _: &[TensorForm<E>]) -> Vec<ring_switching::Switched<E>> {
        unreachable!("validated parameters over prime fields pack no entries")
    }

    #[cfg(feature = "prover")]
    fn prove_switch(
        _: Coordinates,
        _: &mut ProverTape,
        _: &[B],
        _: &[ring_switching::Switched<E>],
    ) -> Claims<E> {
        unreachable!("validated parameters over prime fields pack no entries")
    }

    #[cfg(feature = "prover")]
    fn prove_chain(chain: &Chain, tape: &mut ProverTape, opened: &Opened<'_, E>) {
        if chain.is_double() {
            return two_chains::prove(chain, tape, opened);
        }
        // P1: claims about the polynomials become one claim about one combined fragment.
        let combined = opened.reduce(tape);
        // P2: the chain.
        chain::prove(chain, tape, opened, combined);
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> Steps<B, E> for Binary {
    const FAMILY: Family = Family::Binary;

    fn verify_switch(
        coordinates: Coordinates,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        claims: &Claims<E>,
    ) -> Result<Claims<E>, Invalid> {
        ring_switching::verify::<B, E>(coordinates, layout.log_size, tape, claims)
    }

    fn verify_chain(
        _: &Chain,
        _: &Layout,
        _: &mut VerifierTape<'_>,
        _: (Digest, &BatchedClaims<'_, E>),
    ) -> Result<(), Invalid> {
        Err(Invalid("over binary fields there is no other inner argument than recursion"))
    }

    #[cfg(feature = "prover")]
    fn switched(
        coordinates: Coordinates,
        entries: &[B],
        forms: &[TensorForm<E>],
    ) -> Vec<ring_switching::Switched<E>> {
        forms.iter().map(|form| ring_switching::Switched::new(coordinates, entries, form)).collect()
    }

    #[cfg(feature = "prover")]
    fn prove_switch(
        coordinates: Coordinates,
        tape: &mut ProverTape,
        entries: &[B],
        switched: &[ring_switching::Switched<E>],
    ) -> Claims<E> {
        ring_switching::prove(coordinates, tape, entries, switched)
    }

    #[cfg(feature = "prover")]
    fn prove_chain(_: &Chain, _: &mut ProverTape, _: &Opened<'_, E>) {
        unreachable!("validated parameters over binary fields have no chains")
    }
}
