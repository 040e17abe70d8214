//! Openings of packed entries: ring switching first, by the entries, or by whoever holds the matrix. (notes: ligerito-ring)

use super::combine::combine_columns;
use super::committed::{CommittedMatrix, HeldMatrix, Unavailable};
use super::prover::Prover;
use super::steps::Steps;
use super::witness::Kept;
use crate::claims::Claims;
use crate::ring_switching::{Coordinates, Switched};
use field::{ExtensionOf, FoldFibres};
use iop::poly::TensorForm;

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Prover<'_, F, B, E> {
    pub(super) fn open_packed(
        &self,
        (coordinates, held): (Coordinates, HeldMatrix<'_, B, E>),
        kept: &mut Kept<E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> Result<(Claims<E>, Vec<u8>), Unavailable> {
        let HeldMatrix { matrix, entries, .. } = held;
        self.check_variables(&forms);
        let switched = match entries {
            [] => self.switched_elsewhere(coordinates, matrix, &forms)?,
            entries => {
                assert_eq!(entries.len(), 1 << self.layout().log_size, "number of packed entries");
                F::switched(coordinates, entries, &forms)
            }
        };
        let values = switched.iter().map(|s| vec![s.value]).collect();
        let claims = Claims { forms, values, context: context.to_vec() };
        let mut tape = self.layout().bind(&kept.commitment, &claims).prover();
        // P0: claims about packed entries become one claim about a point of the elements.
        let combine = |weights: &[E]| match entries {
            [] => matrix.combine_columns(weights),
            entries => Ok(combine_columns(entries, weights)),
        };
        let point = F::prove_switch(coordinates, &mut tape, &combine, &switched)?;
        let partials = vec![self.partial(matrix, &point.forms[0])?.values];
        self.prove(&mut tape, &self.opened(matrix, kept, &point, partials))?;
        Ok((claims, tape.finish()))
    }

    /// Claims about packed entries that this process has not, with their parts.
    fn switched_elsewhere(
        &self,
        coordinates: Coordinates,
        matrix: &dyn CommittedMatrix<E>,
        forms: &[TensorForm<E>],
    ) -> Result<Vec<Switched<E>>, Unavailable> {
        let log_columns = self.layout().log_fragments();
        let switched = |form| {
            let (_, rows) = Switched::lanes::<B>(coordinates, form, log_columns);
            Ok(F::switched_of_sums(coordinates, form, log_columns, &matrix.combine_bits(&rows)?))
        };
        forms.iter().map(switched).collect()
    }
}
