//! Commit and open. Step labels as in `verifier.rs`.

use super::pack::Switched;
use super::ring_switching::{Batch, Coordinates};
use super::verifier::Scheme;
use crate::claims::Claims;
#[cfg(test)]
use crate::matrix::adversary::{Deviation, told};
use crate::matrix::{self, Commitment, Opened, Secret, Witness, combine_columns, recursion};
#[cfg(test)]
use field::Field;
use field::{ExtensionOf, FoldableCode};
use iop::hash::Digest;
use iop::poly::{TensorForm, dot};
use iop::sumcheck::{self, Rounds};
use iop::transcript::ProverTape;

/// A machine that proves for a [`Scheme`]: the threads of this process. Keeps buffers from one commitment to the
/// next, because touching fresh memory costs more than encoding into it.
#[derive(Debug)]
pub struct Prover<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    matrix: matrix::Prover<'a, B>,
}

impl<'a, B: FoldableCode, E: ExtensionOf<B>> Prover<'a, B, E> {
    /// A prover without buffers yet.
    pub fn new(scheme: &'a Scheme<B, E>) -> Self {
        Self { scheme, matrix: matrix::Prover::new(scheme.layout()) }
    }

    /// Takes back the memory of a witness that is no longer needed; that of a hiding one without its content.
    pub fn recycle(&mut self, witness: Witness<B, E>) {
        self.matrix.recycle(witness);
    }

    /// Commits to one polynomial of `2^log_size` entries.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    pub fn commit(&mut self, entries: Vec<B>) -> Witness<B, E> {
        self.matrix.commit(entries)
    }

    /// The commitment that [`Prover::commit`] makes, without what an opening needs.
    ///
    /// Memory: the entries, and one block of the codeword, as long as they are.
    ///
    /// # Panics
    /// If the parameters hide: then a commitment without its secret could never be opened.
    pub fn commit_only(&mut self, entries: Vec<B>) -> Commitment<E> {
        self.matrix.commit_only(entries)
    }

    /// The witness that [`Prover::commit`] makes, without the codeword: rows are made again when they are opened, which gives the
    /// same proofs.
    ///
    /// Memory: as [`Prover::commit_only`]; afterwards the entries and a tree.
    ///
    /// # Panics
    /// If the parameters hide.
    pub fn commit_lean(&mut self, entries: Vec<B>) -> Witness<B, E> {
        self.matrix.commit_lean(entries)
    }

    /// The number of [`Witness::nodes`].
    pub fn nodes(&self) -> usize {
        self.matrix.nodes()
    }

    /// The witness of [`Prover::commit_lean`] from its entries and nodes. They need not be those of one commitment: who restores
    /// compares [`Witness::commitment`], and verifies what the witness proves.
    ///
    /// Cost: the upper layers of the tree, and one pass for an out-of-domain value.
    ///
    /// # Panics
    /// If the parameters hide, or there are other numbers of entries or nodes.
    pub fn restore(&self, entries: Vec<B>, nodes: Vec<Digest>) -> Witness<B, E> {
        self.matrix.restore(entries, nodes)
    }

    /// Commits to `polynomials` polynomials of `2^log_size` entries each; if the parameters hide, with a new secret.
    pub fn commit_batch(&mut self, polynomials: &[&[B]]) -> Witness<B, E> {
        self.matrix.commit_batch(polynomials)
    }

    /// Commits with a secret of the caller's: the same secret, data and parameters give the same commitment, and the
    /// openings that the secret has used stay used.
    ///
    /// # Panics
    /// If the parameters do not hide, or the polynomials do not fit them.
    pub fn commit_hiding(&mut self, polynomials: &[&[B]], secret: Secret) -> Witness<B, E> {
        self.matrix.commit_hiding(polynomials, secret)
    }

    /// The values of forms on every committed polynomial: `[form][polynomial]`.
    pub fn evaluate(&self, witness: &Witness<B, E>, forms: &[TensorForm<E>]) -> Vec<Vec<E>> {
        match self.scheme.params().coordinates() {
            None => self.matrix.evaluate(witness, forms),
            Some(_) => forms.iter().map(|form| vec![self.switched(witness, form).value]).collect(),
        }
    }

    /// Opens: the values of the forms on every polynomial, and the proof.
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables, or
    /// more hiding openings are asked for than the parameters provide masks for.
    pub fn open(
        &self,
        witness: &mut Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        let Some(coordinates) = self.scheme.params().coordinates() else {
            return self.matrix.open(witness, forms, context, |tape, opened| self.recurse(tape, opened));
        };
        let layout = self.scheme.layout();
        assert!(!forms.is_empty() && forms.len() <= layout.max_forms, "number of linear forms");
        let switched: Vec<Switched<E>> = forms.iter().map(|form| self.switched(witness, form)).collect();
        let values = switched.iter().map(|s| vec![s.value]).collect();
        #[cfg(test)]
        let (values, switched) = lie_about_parts::<B, E>(coordinates, values, switched);
        let claims = Claims { forms, values, context: context.to_vec() };
        let mut tape = layout.bind(witness.commitment(), &claims).prover();
        let point = self.switch(coordinates, &mut tape, witness, &switched);
        let partials = vec![self.matrix.partial(witness, &point.forms[0]).1];
        let protocol = |tape: &mut ProverTape, opened: &Opened<'_, B, E>| self.recurse(tape, opened);
        self.matrix.prove(&mut tape, witness, (&point, partials), protocol);
        (claims, tape.finish())
    }

    /// P1, P2: claims about the polynomials become one claim about one combined lane, which the recursion proves.
    fn recurse(&self, tape: &mut ProverTape, opened: &Opened<'_, B, E>) {
        let combined = opened.reduce(tape);
        let Witness { oracle, message, .. } = opened.witness;
        recursion::prove(self.scheme.layout(), tape, (oracle, message), combined);
    }

    /// The parts of a claim about packed entries.
    fn switched(&self, witness: &Witness<B, E>, form: &TensorForm<E>) -> Switched<E> {
        let params = self.scheme.params();
        assert_eq!(form.variables(), params.variables(), "variables of a linear form");
        let coordinates = params.coordinates().expect("packed entries");
        Switched::new(coordinates, &witness.message, form)
    }

    /// P0: claims about packed entries become one claim about the value at a point of the entries of the alphabet.
    fn switch(
        &self,
        coordinates: Coordinates,
        tape: &mut ProverTape,
        witness: &Witness<B, E>,
        switched: &[Switched<E>],
    ) -> Claims<E> {
        switched.iter().for_each(|s| tape.send("parts", &s.parts));
        let batch = Batch::draw(tape, coordinates.count(E::BYTES), switched.len());
        // The variables of the lanes, by the sums of each lane; then those of the rows of the lanes' combination.
        let (mut sums, mut weights) = coordinates.tables::<B, E>(switched, &batch);
        let claimed = dot(&sums, &weights);
        let lanes = Rounds { count: switched[0].log_lanes(), grinding: 0 };
        let (mut r, claim) = sumcheck::prove(tape, lanes, &mut sums, &mut weights, claimed);
        let mut entries: Vec<E> = combine_columns(&witness.message, &TensorForm::point(&r).expand());
        let mut weights = coordinates.row_weights::<B, E>(switched, &weights);
        let rows = Rounds { count: self.scheme.layout().log_size - lanes.count, grinding: 0 };
        r.extend(sumcheck::prove(tape, rows, &mut entries, &mut weights, claim).0);
        #[cfg(test)]
        lie_about_point(&mut entries);
        tape.send("value at the point", &entries);
        Claims { forms: vec![TensorForm::point(&r)], values: vec![entries], context: Vec::new() }
    }
}

/// A value that is off, with or without a part that makes up for it.
#[cfg(test)]
fn lie_about_parts<B: FoldableCode, E: ExtensionOf<B>>(
    coordinates: Coordinates,
    mut values: Vec<Vec<E>>,
    mut switched: Vec<Switched<E>>,
) -> (Vec<Vec<E>>, Vec<Switched<E>>) {
    let two = told(Deviation::PartOfTwoCoordinates);
    let off = if two { E::ONE + coordinates.basis::<B, E>(1) } else { E::ONE };
    let part = two || told(Deviation::Part) || told(Deviation::PartOfAll);
    let first = if told(Deviation::PartOfAll) { 0 } else { values.len() - 1 };
    for (value, switched) in values.iter_mut().zip(&mut switched).skip(first) {
        if part || told(Deviation::PackedValue) {
            value[0] += off;
        }
        if part {
            // The lies' form looks at one entry, with weight one.
            let k = switched.low.iter().position(|&weight| weight == E::ONE).expect("the entry's part");
            switched.parts[k] += off;
        }
    }
    (values, switched)
}

#[cfg(test)]
fn lie_about_point<E: Field>(entries: &mut [E]) {
    if told(Deviation::ValueAtThePoint) {
        entries[0] += E::ONE;
    }
}
