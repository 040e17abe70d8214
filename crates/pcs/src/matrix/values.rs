//! Values of linear forms on a committed matrix.

use super::committed::{CommittedMatrix, HELD_HERE, HeldMatrix, PlainMatrix, Unavailable};
use super::prover::Prover;
use super::steps::Steps;
use super::witness::Witness;
use crate::claims::Claims;
use field::{ExtensionOf, FoldFibres};
use iop::poly::{TensorForm, basis, dot};

/// A form's fragment weights, and the value of every data column under its row part.
pub(crate) struct Partial<E> {
    pub columns: Vec<E>,
    pub values: Vec<E>,
}

impl<E: field::Field> Partial<E> {
    /// The value of the form on every polynomial.
    pub fn evaluate(&self) -> Vec<E> {
        self.values.chunks_exact(self.columns.len()).map(|p| dot(p, &self.columns)).collect()
    }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Prover<'_, F, B, E> {
    /// The values of forms on every committed polynomial: `[form][polynomial]`.
    pub fn evaluate(&self, witness: &Witness<B, E>, forms: &[TensorForm<E>]) -> Vec<Vec<E>> {
        let HeldMatrix { entries, .. } = witness.held.with_entries();
        let Some(coordinates) = self.scheme.params().coordinates() else {
            return forms.iter().map(|form| self.value(witness.held.plain(), form)).collect();
        };
        self.check_variables(forms);
        F::switched(coordinates, entries, forms).into_iter().map(|s| vec![s.value]).collect()
    }

    /// A form's fragment weights and the value of every data column under its row part.
    pub(super) fn partial(
        &self,
        matrix: &dyn CommittedMatrix<E>,
        form: &TensorForm<E>,
    ) -> Result<Partial<E>, Unavailable> {
        let layout = self.layout();
        assert_eq!(form.variables(), layout.log_size, "variables of a linear form");
        let (columns, rows) = form.split(layout.log_fragments());
        Ok(Partial { columns: columns.expand(), values: self.column_values(matrix, &rows)? })
    }

    /// The value of every fragment under a form's row part.
    pub(super) fn column_values(
        &self,
        matrix: &dyn CommittedMatrix<E>,
        rows: &TensorForm<E>,
    ) -> Result<Vec<E>, Unavailable> {
        let layout = self.layout();
        let mut values = matrix.combine_rows(rows)?;
        values.truncate(layout.columns());
        if layout.entry_columns > 1 {
            // The columns of one fragment hold the coordinates of its entries.
            let basis = basis::<B, E>();
            values = values.chunks_exact(layout.entry_columns).map(|parts| dot(parts, &basis)).collect();
        }
        Ok(values)
    }

    /// The claims of forms about entries that are not packed, and for each the values of the columns under its row part.
    pub(super) fn claims_of(
        &self,
        held: &HeldMatrix<'_, B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> Result<(Claims<E>, Vec<Vec<E>>), Unavailable> {
        let stated = forms.iter().map(|form| self.stated(held, form));
        let stated = stated.collect::<Result<Vec<_>, _>>()?;
        let (values, partials) = stated.into_iter().unzip();
        Ok((Claims { forms, values, context: context.to_vec() }, partials))
    }

    /// The values that an opening claims of a form, and its partial values: those of the matrix in this process, if another machine answers for it. So one
    /// that lost an entry makes a proof that does not hold, even where nothing but the rows ties the entries to the commitment. The partial values
    /// of an entry's form are the other machine's.
    pub(super) fn stated(
        &self,
        held: &HeldMatrix<'_, B, E>,
        form: &TensorForm<E>,
    ) -> Result<(Vec<E>, Vec<E>), Unavailable> {
        let entry = held.plain.and_then(|plain| self.entry(plain, form));
        let partial = match held.plain {
            Some(plain) if entry.is_none() => self.partial(plain, form)?,
            _ => self.partial(held.matrix, form)?,
        };
        Ok((entry.map_or_else(|| partial.evaluate(), |entry| vec![entry]), partial.values))
    }

    /// The value of a form by the matrix in this process.
    fn value(&self, plain: &PlainMatrix<B>, form: &TensorForm<E>) -> Vec<E> {
        match self.entry(plain, form) {
            Some(entry) => vec![entry],
            None => self.partial(plain, form).expect(HELD_HERE).evaluate(),
        }
    }

    /// The entry that a form looks up, where it stands in the matrix in this process.
    fn entry(&self, plain: &PlainMatrix<B>, form: &TensorForm<E>) -> Option<E> {
        let layout = self.layout();
        let plainly = layout.polynomials == 1 && layout.hidden_openings == 0 && layout.entry_columns == 1;
        let index = form.as_index().filter(|_| plainly && form.variables() == layout.log_size);
        index.and_then(|index| plain.message.get(usize::try_from(index).ok()?)).map(|&entry| E::lift(entry))
    }
}
