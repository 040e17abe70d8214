//! The steps of the protocol over a matrix that one family of fields alone has: packed entries over binary fields.
#![forbid(unsafe_code)]
#![allow(private_interfaces, reason = "other crates name the bound alone: its functions are called here")]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Layout;
#[cfg(feature = "prover")]
use super::Unavailable;
use crate::claims::Claims;
use crate::fields::Family;
use crate::ring_switching::{self, Coordinates};
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
#[cfg(feature = "prover")]
use iop::poly::TensorForm;
#[cfg(feature = "prover")]
use iop::transcript::ProverTape;
use iop::transcript::VerifierTape;

/// What one family of fields adds to the protocol. Validated parameters ask for no step that their family does not have.
pub trait Steps<B: FoldFibres, E: ExtensionOf<B>>: Sized + Clone + Send + Sync + 'static {
    /// The family of fields.
    const FAMILY: Family;

    /// V0: claims about packed entries become one claim about a point of the elements.
    fn verify_switch(
        coordinates: Coordinates,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        claims: &Claims<E>,
    ) -> Result<Claims<E>, Invalid>;

    /// Claims about packed entries with their parts.
    #[cfg(feature = "prover")]
    fn switched(
        coordinates: Coordinates,
        entries: &[B],
        forms: &[TensorForm<E>],
    ) -> Vec<ring_switching::Switched<E>>;

    /// A claim about packed entries with its parts, from the sums for every bit of every column, which has so many variables.
    #[cfg(feature = "prover")]
    fn switched_of_sums(
        coordinates: Coordinates,
        form: &TensorForm<E>,
        log_columns: usize,
        sums: &[u8],
    ) -> ring_switching::Switched<E>;

    /// P0, as [`Steps::verify_switch`].
    ///
    /// # Errors
    /// If the lanes of the entries are not combined.
    #[cfg(feature = "prover")]
    fn prove_switch(
        coordinates: Coordinates,
        tape: &mut ProverTape,
        combine: ring_switching::Combine<'_, E>,
        switched: &[ring_switching::Switched<E>],
    ) -> Result<Claims<E>, Unavailable>;
}

/// Prime fields: entries are not packed.
#[derive(Debug, Clone, Copy)]
pub struct Prime;

/// Binary fields: entries may be packed.
#[derive(Debug, Clone, Copy)]
pub struct Binary;

impl<B: FoldFibres, E: ExtensionOf<B>> Steps<B, E> for Prime {
    const FAMILY: Family = Family::Prime;

    fn verify_switch(
        _: Coordinates,
        _: &Layout,
        _: &mut VerifierTape<'_>,
        _: &Claims<E>,
    ) -> Result<Claims<E>, Invalid> {
        Err(Invalid("entries of a prime field are not packed"))
    }

    #[cfg(feature = "prover")]
    fn switched(_: Coordinates, _: &[B], _: &[TensorForm<E>]) -> Vec<ring_switching::Switched<E>> {
        unreachable!("validated parameters over prime fields pack no entries")
    }

    #[cfg(feature = "prover")]
    fn switched_of_sums(
        _: Coordinates,
        _: &TensorForm<E>,
        _: usize,
        _: &[u8],
    ) -> ring_switching::Switched<E> {
        unreachable!("validated parameters over prime fields pack no entries")
    }

    #[cfg(feature = "prover")]
    fn prove_switch(
        _: Coordinates,
        _: &mut ProverTape,
        _: ring_switching::Combine<'_, E>,
        _: &[ring_switching::Switched<E>],
    ) -> Result<Claims<E>, Unavailable> {
        unreachable!("validated parameters over prime fields pack no entries")
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> Steps<B, E> for Binary {
    const FAMILY: Family = Family::Binary;

    fn verify_switch(
        coordinates: Coordinates,
        layout: &Layout,
        tape: &mut VerifierTape<'_>,
        claims: &Claims<E>,
    ) -> Result<Claims<E>, Invalid> {
        ring_switching::verify::<B, E>(coordinates, layout.log_size, tape, claims)
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
    fn switched_of_sums(
        coordinates: Coordinates,
        form: &TensorForm<E>,
        log_columns: usize,
        sums: &[u8],
    ) -> ring_switching::Switched<E> {
        ring_switching::Switched::of_sums::<B>(coordinates, form, log_columns, sums)
    }

    #[cfg(feature = "prover")]
    fn prove_switch(
        coordinates: Coordinates,
        tape: &mut ProverTape,
        combine: ring_switching::Combine<'_, E>,
        switched: &[ring_switching::Switched<E>],
    ) -> Result<Claims<E>, Unavailable> {
        ring_switching::prove::<B, E>(coordinates, tape, combine, switched)
    }
}
