//! Commit and open. Step labels as in `verifier.rs`.

#[cfg(test)]
use super::lies::{Lie, told};
use super::params::Inner;
use super::reduce::{self, Reduced, Split};
use super::secret::{Secret, wipe};
use super::verifier::{Commitment, Scheme};
use super::{chain, recursion, two_chains};
use crate::claims::Claims;
pub(super) use crate::matrix::{combine_columns, combine_rows};
use field::{ExtensionOf, Field, TwoAdic};
use iop::oracle::Oracle;
use iop::poly::{Tensor, dot};
use iop::transcript::ProverTape;

/// A form's fragment weights, and the value of every column under its row part.
type Partial<E> = (Vec<E>, Vec<E>);

/// A machine that proves for a [`Scheme`]: the threads of this process. Keeps buffers from one commitment to the
/// next, because touching fresh memory costs more than encoding into it.
#[derive(Debug)]
pub struct Prover<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    pub(super) blocks: Vec<Vec<B>>,
}

/// What the prover keeps of a commitment: the message matrix, the codeword and its tree. That of a hiding commitment is
/// overwritten when dropped.
pub struct Witness<B: Field, E> {
    pub(super) message: Vec<B>,
    pub(super) oracle: Oracle<B>,
    commitment: Commitment<E>,
    /// Out-of-domain point and the columns' values under its row part.
    out_of_domain: Option<(Tensor<E>, Vec<E>)>,
    /// Of a hiding commitment.
    secret: Option<Secret>,
}

impl<B: Field, E> Drop for Witness<B, E> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<B: Field, E> Witness<B, E> {
    /// Bytes held beyond the commitment.
    pub fn memory(&self) -> usize {
        self.message.len() * size_of::<B>() + self.oracle.memory()
    }

    /// A prover who says another out-of-domain value than its columns have.
    #[cfg(test)]
    pub(super) fn lie_about_out_of_domain(&mut self)
    where
        E: Field,
    {
        self.commitment.out_of_domain[0] += E::ONE;
    }

    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }

    /// The entries of one polynomial committed without hiding: the message matrix is the data as it is.
    pub(crate) fn entries(&self) -> &[B] {
        &self.message
    }

    /// The secret of a hiding commitment, with the openings made so far: what to store for another process.
    pub fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// Ends the witness; what is left of a hiding commitment is its secret.
    pub fn into_secret(mut self) -> Option<Secret> {
        self.wipe();
        self.secret.take()
    }

    /// Overwrites data and randomness of a hiding commitment. Others are left as they are: there it would cost time, and
    /// hide nothing that an opening does not show.
    pub(super) fn wipe(&mut self) {
        if self.secret.is_some() {
            wipe(&mut self.message);
            self.oracle.blocks_mut().iter_mut().for_each(|block| wipe(block));
        }
    }
}

impl<'a, B: TwoAdic, E: ExtensionOf<B>> Prover<'a, B, E> {
    /// A prover without buffers yet.
    pub fn new(scheme: &'a Scheme<B, E>) -> Self {
        Self { scheme, blocks: Vec::new() }
    }

    /// Takes back the memory of a witness that is no longer needed; that of a hiding one without its content.
    pub fn recycle(&mut self, mut witness: Witness<B, E>) {
        witness.wipe();
        witness.secret = None;
        self.blocks = core::mem::take(witness.oracle.blocks_mut());
    }

    /// Commits to one polynomial of `2^log_size` entries.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    pub fn commit(&mut self, mut entries: Vec<B>) -> Witness<B, E> {
        assert_eq!(self.scheme.params().polynomials, 1, "one polynomial");
        if self.scheme.params().hidden_openings > 0 {
            let witness = self.commit_batch(&[&entries]);
            wipe(&mut entries);
            return witness;
        }
        self.commit_matrix(entries, None)
    }

    /// Commits to `polynomials` polynomials of `2^log_size` entries each; if the parameters hide, with a new secret.
    pub fn commit_batch(&mut self, polynomials: &[&[B]]) -> Witness<B, E> {
        if self.scheme.params().hidden_openings > 0 {
            return self.commit_hiding(polynomials, Secret::from_os());
        }
        self.commit_matrix(self.matrix(polynomials), None)
    }

    /// Commits with a secret of the caller's: the same secret, data and parameters give the same commitment, and the
    /// openings that the secret has used stay used.
    ///
    /// # Panics
    /// If the parameters do not hide, or the polynomials do not fit them.
    pub fn commit_hiding(&mut self, polynomials: &[&[B]], secret: Secret) -> Witness<B, E> {
        let params = self.scheme.params();
        assert!(params.hidden_openings > 0, "parameters that hide");
        let mut message = self.matrix(polynomials);
        secret.randomise(params, self.scheme.stages()[0].shape.width, &mut message);
        self.commit_matrix(message, Some(secret))
    }

    /// The message matrix, with zeros where randomness belongs.
    fn matrix(&self, polynomials: &[&[B]]) -> Vec<B> {
        let params = self.scheme.params();
        assert_eq!(polynomials.len(), params.polynomials as usize, "number of polynomials");
        assert!(polynomials.iter().all(|p| p.len() == 1 << params.log_size), "length of a polynomial");
        let fragments = 1 << params.level.log_columns;
        let stage = &self.scheme.stages()[0];
        let width = stage.shape.width;
        let mut message = vec![B::ZERO; stage.shape.code.dimension() * width];
        for (i, row) in message.chunks_exact_mut(width).take(1 << params.log_rows()).enumerate() {
            for (target, polynomial) in row.chunks_exact_mut(fragments).zip(polynomials) {
                target.copy_from_slice(&polynomial[i * fragments..][..fragments]);
            }
        }
        message
    }

    fn commit_matrix(&mut self, message: Vec<B>, secret: Option<Secret>) -> Witness<B, E> {
        let params = self.scheme.params();
        let oracle = self.scheme.stages()[0].shape.commit(&message, core::mem::take(&mut self.blocks));
        #[cfg(test)]
        let oracle = lie_about_codeword(oracle, params);
        let root = oracle.root();
        let mut values = Vec::new();
        let out_of_domain = self.scheme.out_of_domain_point(&root).map(|point| {
            let (columns, rows) = point.split(params.level.log_columns as usize);
            let partial = combine_rows(&message, params.columns(), &rows.expand_parallel());
            let columns = columns.expand();
            values = partial.chunks_exact(columns.len()).map(|p| dot(p, &columns)).collect();
            (point, partial)
        });
        let commitment = Commitment { root, out_of_domain: values };
        Witness { message, oracle, commitment, out_of_domain, secret }
    }

    /// The values of forms on every committed polynomial: `[form][polynomial]`.
    pub fn evaluate(&self, witness: &Witness<B, E>, forms: &[Tensor<E>]) -> Vec<Vec<E>> {
        let partials = forms.iter().map(|form| self.partial(witness, form));
        partials
            .map(|(columns, p)| p.chunks_exact(columns.len()).map(|p| dot(p, &columns)).collect())
            .collect()
    }

    /// A form's fragment weights and the value of every data column under its row part.
    fn partial(&self, witness: &Witness<B, E>, form: &Tensor<E>) -> Partial<E> {
        let params = self.scheme.params();
        assert_eq!(form.variables(), params.log_size as usize, "variables of a linear form");
        let (columns, rows) = form.split(params.level.log_columns as usize);
        let width = self.scheme.stages()[0].shape.width;
        let mut partial = combine_rows(&witness.message, width, &rows.expand_parallel());
        partial.truncate(params.columns());
        (columns.expand(), partial)
    }

    /// Opens: the values of the forms on every polynomial, and the proof.
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables, or
    /// more hiding openings are asked for than the parameters provide masks for.
    pub fn open(
        &self,
        witness: &mut Witness<B, E>,
        forms: Vec<Tensor<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        let params = self.scheme.params();
        assert!(!forms.is_empty() && forms.len() <= params.max_forms as usize, "number of linear forms");
        let partials: Vec<Partial<E>> = forms.iter().map(|form| self.partial(witness, form)).collect();
        let value =
            |(columns, p): &Partial<E>| p.chunks_exact(columns.len()).map(|p| dot(p, columns)).collect();
        let values: Vec<Vec<E>> = partials.iter().map(value).collect();
        #[cfg(test)]
        let (values, partials) = lie_about_values(values, partials);
        let claims = Claims { forms, values, context: context.to_vec() };
        let mask = witness.secret.as_mut().map(|secret| secret.spend(params.hidden_openings));
        let mut tape = self.scheme.bind(&witness.commitment, &claims).prover();
        let out_of_domain = witness.out_of_domain.as_ref();
        let at_commit = out_of_domain.map(|(z, _)| (z, witness.commitment.out_of_domain.as_slice()));
        let split = Split::new(params, at_commit, &claims);
        let of_commit = out_of_domain.map(|(_, p)| p.clone());
        let partials: Vec<Vec<E>> = of_commit.into_iter().chain(partials.into_iter().map(|p| p.1)).collect();
        match mask {
            None => self.prove(&mut tape, witness, &split, &partials),
            Some(mask) => self.prove_hiding(&mut tape, witness, &split, mask),
        }
        (claims, tape.finish())
    }

    fn prove(
        &self,
        tape: &mut ProverTape,
        witness: &Witness<B, E>,
        split: &Split<'_, E>,
        partials: &[Vec<E>],
    ) {
        let stages = self.scheme.stages();
        let committed = (&stages[0], &witness.oracle);
        let params = self.scheme.params();
        if let (Inner::TwoChains, Some(chain)) = (&params.inner, params.chain(&stages[0])) {
            let only = split.only().expect("one form of one polynomial, by the parameters' limits");
            return two_chains::prove(&chain, tape, committed, &witness.message, &only);
        }
        // P1: claims about the polynomials become one claim about one combined fragment.
        let (weights, claim) = reduce::prove::<B, E>(stages[0].rounds, tape, split, partials);
        let message = combine_columns(&witness.message, &weights);
        // P2: the inner argument.
        self.prove_inner(tape, witness, (message, &[]), (weights, claim));
    }

    /// The inner argument for the combination (by `weights`) of the columns, `message`, and what is above the data rows.
    fn prove_inner(
        &self,
        tape: &mut ProverTape,
        witness: &Witness<B, E>,
        message: (Vec<E>, &[E]),
        (weights, claim): Reduced<B, E>,
    ) {
        let (params, stages) = (self.scheme.params(), self.scheme.stages());
        match params.chain(&stages[0]) {
            None => {
                let first = recursion::First { oracle: &witness.oracle, weights };
                recursion::prove(stages, tape, (first, params.out_of_domain()), message, claim);
            }
            Some(chain) => {
                chain::prove(&chain, tape, (&stages[0], &witness.oracle), message, &claim);
            }
        }
    }

    fn prove_hiding(
        &self,
        tape: &mut ProverTape,
        witness: &Witness<B, E>,
        split: &Split<'_, E>,
        mask: usize,
    ) {
        let params = self.scheme.params();
        assert!(split.len() == 1, "a hiding opening proves one linear form");
        #[cfg(test)]
        let mask = if told(Lie::Mask) { params.hidden_openings as usize } else { mask };
        tape.send_bytes("mask", &[mask as u8]);
        let rows: Vec<E> = split.rows().flat_map(Tensor::expand).collect();
        let value_of = |weights: &[E]| {
            let combined = combine_columns(&witness.message, weights);
            dot(&rows, &combined)
        };
        let rounds = self.scheme.stages()[0].rounds;
        let (weights, claim) = reduce::prove_hiding::<B, E>(rounds, tape, split, mask, value_of);
        let mut message = combine_columns(&witness.message, &weights);
        let tail = message.split_off(1 << params.log_rows());
        self.prove_inner(tape, witness, (message, &tail), (weights, claim));
    }
}

/// Adds garbage to every fragment and takes it from the first mask, so that their plain sum does not show it.
#[cfg(test)]
fn lie_about_codeword<B: TwoAdic>(oracle: Oracle<B>, params: &super::Params) -> Oracle<B> {
    if !told(Lie::Garbage) && !told(Lie::Opposite) {
        return oracle;
    }
    let columns = params.columns();
    let mut codeword = oracle.into_blocks().concat();
    let width = columns + params.fields.degree() * params.hidden_openings as usize;
    for (i, row) in codeword.chunks_exact_mut(width).enumerate() {
        let garbage = B::from_u64(i as u64 + 1).pow(1 << 20);
        if told(Lie::Garbage) {
            row[..columns].iter_mut().for_each(|x| *x += garbage);
            row[columns] -= garbage;
        } else {
            row[0] += garbage;
            row[columns - 1] -= garbage;
        }
    }
    Oracle::from_codeword(params.hash, codeword, width)
}

/// Every value off by one, with or without a partial evaluation that makes up for it.
#[cfg(test)]
fn lie_about_values<E: Field>(
    mut values: Vec<Vec<E>>,
    mut partials: Vec<Partial<E>>,
) -> (Vec<Vec<E>>, Vec<Partial<E>>) {
    if told(Lie::Value) || told(Lie::PartialEvaluation) || told(Lie::ForeignValueChain) {
        values[0][0] += E::ONE;
    }
    if told(Lie::PartialEvaluation) {
        let (columns, partial) = &mut partials[0];
        let k = columns.iter().position(|&c| c != E::ZERO).expect("a form that looks at some column");
        partial[k] += columns[k].inverse().expect("not zero");
    }
    for (j, (values, (columns, partial))) in values.iter_mut().zip(&mut partials).enumerate() {
        for (p, value) in values.iter_mut().enumerate().filter(|&(p, _)| told(Lie::ValueOf(j, p))) {
            let k = columns.iter().position(|&c| c != E::ZERO).expect("a form that looks at some column");
            *value += E::ONE;
            partial[p * columns.len() + k] += columns[k].inverse().expect("not zero");
        }
    }
    if told(Lie::Cancelling) {
        values[0][0] += E::ONE;
        *values.last_mut().and_then(|v| v.last_mut()).expect("a value") -= E::ONE;
    }
    (values, partials)
}
