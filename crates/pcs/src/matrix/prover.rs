//! Commit, and the prover's part of an opening that every inner argument shares. Step labels as in `verifier.rs`.

#[cfg(test)]
use super::adversary::{Deviation, told};
use super::layout::{Layout, ProverStorage};
use super::reduce::{self, BatchedClaims, ReducedClaim};
use super::secret::{Secret, wipe};
use super::verifier::Commitment;
use super::witness::Witness;
use crate::claims::Claims;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot};
use iop::transcript::ProverTape;

/// A form's fragment weights, and the value of every column under its row part.
type Partial<E> = (Vec<E>, Vec<E>);

/// Commits to matrices and reduces openings to one combined fragment, on the threads of this process. Keeps buffers from
/// one commitment to the next, because touching fresh memory costs more than encoding into it.
#[derive(Debug)]
pub(crate) struct Prover<'a, B> {
    layout: &'a Layout,
    pub blocks: Vec<Vec<B>>,
}

/// An opening on its way: the claims, split, and what the prover knows about them.
pub(crate) struct Opened<'a, B: Field, E> {
    pub layout: &'a Layout,
    pub witness: &'a Witness<B, E>,
    pub split: &'a BatchedClaims<'a, E>,
    partials: Vec<Vec<E>>,
    mask: Option<usize>,
}

/// The combined fragment: its data entries, its tail, and the weights of the columns with the claim that is left.
pub(crate) struct Combined<B: FoldableCode, E> {
    pub message: Vec<E>,
    pub tail: Vec<E>,
    pub reduced: ReducedClaim<B, E>,
}

impl<'a, B: FoldableCode> Prover<'a, B> {
    /// A prover without buffers yet.
    pub fn new(layout: &'a Layout) -> Self {
        Self { layout, blocks: Vec::new() }
    }

    /// Takes back the memory of a witness that is no longer needed; that of a hiding one without its content.
    pub fn recycle<E>(&mut self, mut witness: Witness<B, E>) {
        witness.wipe();
        witness.secret = None;
        self.blocks = core::mem::take(witness.oracle.blocks_mut());
    }

    /// Commits to one polynomial of `2^log_size` entries.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    pub fn commit<E: ExtensionOf<B>>(&mut self, mut entries: Vec<B>) -> Witness<B, E> {
        assert_eq!(self.layout.polynomials, 1, "one polynomial");
        if self.layout.hidden_openings > 0 {
            let witness = self.commit_batch(&[&entries]);
            wipe(&mut entries);
            return witness;
        }
        self.commit_matrix(entries, None)
    }

    /// The commitment that [`Prover::commit`] makes, without what an opening needs: blocks of the codeword are hashed and forgotten.
    ///
    /// Memory: the entries, and one block of the codeword, as long as they are.
    ///
    /// # Panics
    /// If the parameters hide: then a commitment without its secret could never be opened.
    pub fn commit_only<E: ExtensionOf<B>>(&mut self, entries: Vec<B>) -> Commitment<E> {
        self.commit_lean(entries).commitment.clone()
    }

    /// The witness that [`Prover::commit`] makes, without the codeword: rows are made again when they are opened.
    ///
    /// Memory: as [`Prover::commit_only`]; afterwards the entries and a tree.
    ///
    /// # Panics
    /// If the parameters hide.
    pub fn commit_lean<E: ExtensionOf<B>>(&mut self, entries: Vec<B>) -> Witness<B, E> {
        self.assert_plain();
        let blocks = core::mem::take(&mut self.blocks);
        let shape = &self.layout.first.shape;
        let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &entries, blocks);
        self.witness(entries, oracle, None)
    }

    fn assert_plain(&self) {
        assert!(self.layout.hidden_openings == 0 && self.layout.polynomials == 1, "one polynomial, openly");
    }

    /// The number of [`Witness::nodes`].
    pub fn nodes(&self) -> usize {
        self.layout.first.shape.nodes()
    }

    /// The witness of [`Prover::commit_lean`] from its entries and nodes. They need not be those of one commitment: who
    /// restores compares [`Witness::commitment`], and verifies what the witness proves.
    ///
    /// Cost: the upper layers of the tree, and one pass for an out-of-domain value.
    ///
    /// # Panics
    /// If the parameters hide, or there are other numbers of entries or nodes.
    pub fn restore<E: ExtensionOf<B>>(&self, entries: Vec<B>, nodes: Vec<Digest>) -> Witness<B, E> {
        self.assert_plain();
        assert_eq!(entries.len(), 1 << self.layout.log_size, "number of entries");
        self.witness(entries, self.layout.first.shape.oracle_of_nodes(nodes), None)
    }

    /// Commits to `polynomials` polynomials of `2^log_size` entries each; if the parameters hide, with a new secret.
    pub fn commit_batch<E: ExtensionOf<B>>(&mut self, polynomials: &[&[B]]) -> Witness<B, E> {
        if self.layout.hidden_openings > 0 {
            return self.commit_hiding(polynomials, Secret::from_os());
        }
        self.commit_matrix(self.matrix(polynomials), None)
    }

    /// Commits with a secret of the caller's.
    ///
    /// # Panics
    /// If the parameters do not hide, or the polynomials do not fit them.
    pub fn commit_hiding<E: ExtensionOf<B>>(
        &mut self,
        polynomials: &[&[B]],
        secret: Secret,
    ) -> Witness<B, E> {
        assert!(self.layout.hidden_openings > 0, "parameters that hide");
        let mut message = self.matrix(polynomials);
        secret.randomise(self.layout, &mut message);
        self.commit_matrix(message, Some(secret))
    }

    /// The message matrix, with zeros where randomness belongs.
    fn matrix(&self, polynomials: &[&[B]]) -> Vec<B> {
        let layout = self.layout;
        assert_eq!(polynomials.len(), layout.polynomials, "number of polynomials");
        assert!(polynomials.iter().all(|p| p.len() == 1 << layout.log_size), "length of a polynomial");
        let fragments = 1 << layout.log_fragments();
        let shape = &layout.first.shape;
        let mut message = vec![B::ZERO; shape.code.dimension() * shape.width];
        for (i, row) in message.chunks_exact_mut(shape.width).take(1 << layout.log_rows).enumerate() {
            for (target, polynomial) in row.chunks_exact_mut(fragments).zip(polynomials) {
                target.copy_from_slice(&polynomial[i * fragments..][..fragments]);
            }
        }
        message
    }

    fn commit_matrix<E: ExtensionOf<B>>(&mut self, message: Vec<B>, secret: Option<Secret>) -> Witness<B, E> {
        let layout = self.layout;
        let (shape, blocks) = (&layout.first.shape, core::mem::take(&mut self.blocks));
        let (message, oracle) = match layout.kept {
            #[cfg(test)]
            _ if lies_about_codeword() => lie_about_codeword(layout, message),
            ProverStorage::Codeword => (Vec::new(), shape.commit_in_place(message, blocks)),
            kept => {
                // Message and the other blocks are a codeword.
                let forgotten = usize::from(kept == ProverStorage::Message && layout.first.opens_few_rows());
                let oracle = shape.commit_and_forget(forgotten, &message, blocks);
                (message, oracle)
            }
        };
        self.witness(message, oracle, secret)
    }

    /// What opens a committed message, with its out-of-domain values.
    fn witness<E: ExtensionOf<B>>(
        &self,
        message: Vec<B>,
        oracle: CommittedCodeword<B>,
        secret: Option<Secret>,
    ) -> Witness<B, E> {
        let layout = self.layout;
        let commitment = Commitment { root: oracle.root(), out_of_domain: Vec::new() };
        let mut witness = Witness { message, oracle, commitment, out_of_domain: None, secret };
        if let Some(point) = layout.out_of_domain_point(&witness.commitment.root) {
            let (columns, partial) = self.partial(&witness, &point);
            let values = partial.chunks_exact(columns.len()).map(|p| dot(p, &columns));
            witness.commitment.out_of_domain = values.collect();
            witness.out_of_domain = Some((point, partial));
        }
        witness
    }

    /// The values of forms on every committed polynomial: `[form][polynomial]`.
    pub fn evaluate<E: ExtensionOf<B>>(
        &self,
        witness: &Witness<B, E>,
        forms: &[TensorForm<E>],
    ) -> Vec<Vec<E>> {
        let partials = forms.iter().map(|form| self.partial(witness, form));
        partials
            .map(|(columns, p)| p.chunks_exact(columns.len()).map(|p| dot(p, &columns)).collect())
            .collect()
    }

    /// A form's fragment weights and the value of every data column under its row part.
    pub fn partial<E: ExtensionOf<B>>(&self, witness: &Witness<B, E>, form: &TensorForm<E>) -> Partial<E> {
        let layout = self.layout;
        assert_eq!(form.variables(), layout.log_size, "variables of a linear form");
        let (columns, rows) = form.split(layout.log_fragments());
        let mut partial = witness.combine_rows(layout.first.shape.width, rows.expand_parallel());
        partial.truncate(layout.columns());
        (columns.expand(), partial)
    }

    /// Opens: the values of the forms on every polynomial, and the proof that `protocol` writes.
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables, or
    /// more hiding openings are asked for than the parameters provide masks for.
    pub fn open<E: ExtensionOf<B>>(
        &self,
        witness: &mut Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
        protocol: impl FnOnce(&mut ProverTape, &Opened<'_, B, E>),
    ) -> (Claims<E>, Vec<u8>) {
        let layout = self.layout;
        assert!(!forms.is_empty() && forms.len() <= layout.max_forms, "number of linear forms");
        let partials: Vec<Partial<E>> = forms.iter().map(|form| self.partial(witness, form)).collect();
        let value =
            |(columns, p): &Partial<E>| p.chunks_exact(columns.len()).map(|p| dot(p, columns)).collect();
        let values: Vec<Vec<E>> = partials.iter().map(value).collect();
        #[cfg(test)]
        let (values, partials) = lie_about_values(values, partials);
        let claims = Claims { forms, values, context: context.to_vec() };
        let mut tape = layout.bind(&witness.commitment, &claims).prover();
        let partials = partials.into_iter().map(|p| p.1).collect();
        self.prove(&mut tape, witness, (&claims, partials), protocol);
        (claims, tape.finish())
    }

    /// Proves claims whose forms' row parts have the given values on the columns.
    pub fn prove<E: ExtensionOf<B>>(
        &self,
        tape: &mut ProverTape,
        witness: &mut Witness<B, E>,
        (claims, partials): (&Claims<E>, Vec<Vec<E>>),
        protocol: impl FnOnce(&mut ProverTape, &Opened<'_, B, E>),
    ) {
        let layout = self.layout;
        let mask = witness.secret.as_mut().map(|secret| secret.spend(layout.hidden_openings));
        let split = &layout.split(&witness.commitment, claims);
        let of_commit = witness.out_of_domain.as_ref().map(|(_, p)| p.clone());
        let partials = of_commit.into_iter().chain(partials).collect();
        protocol(tape, &Opened { layout, witness, split, partials, mask });
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> Opened<'_, B, E> {
    /// P1: claims about the polynomials become one claim about one combined fragment.
    pub fn reduce(&self, tape: &mut ProverTape) -> Combined<B, E> {
        let rounds = self.layout.first.rounds;
        let reduced = match self.mask {
            None => reduce::prove::<B, E>(rounds, tape, self.split, &self.partials),
            Some(mask) => self.reduce_hiding(tape, mask),
        };
        let mut message = self.witness.combine_columns(&reduced.0.expand());
        let tail = message.split_off(1 << self.layout.log_rows);
        Combined { message, tail, reduced }
    }

    fn reduce_hiding(&self, tape: &mut ProverTape, mask: usize) -> ReducedClaim<B, E> {
        assert!(self.split.len() == 1, "a hiding opening proves one linear form");
        #[cfg(test)]
        let mask = if told(Deviation::Mask) { self.layout.hidden_openings as usize } else { mask };
        tape.send_bytes("mask", &[mask as u8]);
        let rows: Vec<E> = self.split.rows().flat_map(TensorForm::expand).collect();
        let value_of = |weights: &[E]| {
            let combined = self.witness.combine_columns(weights);
            dot(&rows, &combined)
        };
        reduce::prove_hiding::<B, E>(self.layout.first.rounds, tape, self.split, mask, value_of)
    }
}

#[cfg(test)]
fn lies_about_codeword() -> bool {
    told(Deviation::Garbage) || told(Deviation::Opposite)
}

/// Adds garbage to every fragment and takes it from the first mask, so that their plain sum does not show it.
#[cfg(test)]
fn lie_about_codeword<B: FoldableCode>(layout: &Layout, message: Vec<B>) -> (Vec<B>, CommittedCodeword<B>) {
    let (columns, width) = (layout.columns(), layout.first.shape.width);
    let mut codeword = layout.first.shape.commit(&message, Vec::new()).into_blocks().concat();
    for (i, row) in codeword.chunks_exact_mut(width).enumerate() {
        let garbage = B::from_u64(i as u64 + 1).pow(1 << 20);
        if told(Deviation::Garbage) {
            row[..columns].iter_mut().for_each(|x| *x += garbage);
            row[columns] -= garbage;
        } else {
            row[0] += garbage;
            row[columns - 1] -= garbage;
        }
    }
    (message, CommittedCodeword::from_codeword(layout.hash, codeword, width))
}

/// Every value off by one, with or without a partial evaluation that makes up for it.
#[cfg(test)]
fn lie_about_values<E: Field>(
    mut values: Vec<Vec<E>>,
    mut partials: Vec<Partial<E>>,
) -> (Vec<Vec<E>>, Vec<Partial<E>>) {
    if told(Deviation::Value) || told(Deviation::PartialEvaluation) || told(Deviation::ForeignValueChain) {
        values[0][0] += E::ONE;
    }
    if told(Deviation::PartialEvaluation) {
        let (columns, partial) = &mut partials[0];
        let k = columns.iter().position(|&c| c != E::ZERO).expect("a form that looks at some column");
        partial[k] += columns[k].inverse().expect("not zero");
    }
    for (j, (values, (columns, partial))) in values.iter_mut().zip(&mut partials).enumerate() {
        for (p, value) in values.iter_mut().enumerate().filter(|&(p, _)| told(Deviation::ValueOf(j, p))) {
            let k = columns.iter().position(|&c| c != E::ZERO).expect("a form that looks at some column");
            *value += E::ONE;
            partial[p * columns.len() + k] += columns[k].inverse().expect("not zero");
        }
    }
    if told(Deviation::Cancelling) {
        values[0][0] += E::ONE;
        *values.last_mut().and_then(|v| v.last_mut()).expect("a value") -= E::ONE;
    }
    (values, partials)
}
