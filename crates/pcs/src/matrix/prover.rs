//! Commit, and open. Step labels as in `scheme.rs` and `verifier.rs`.

use super::committed::{
    CommittedMatrix, HELD_HERE, HeldMatrix, PlainMatrix, RemoteMatrix, SideBySide, Unavailable,
};
use super::layout::{Layout, ProverStorage};
use super::reduce::{self, BatchedClaims, ReducedClaim};
use super::scheme::Scheme;
use super::secret::{Secret, wipe};
use super::steps::Steps;
use super::verifier::Commitment;
use super::witness::{Held, Kept, Witness};
use super::{chain, recursion, two_chains};
use crate::claims::Claims;
use field::{ExtensionOf, FoldFibres, FoldableCode};
use iop::error::ParamError;
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot};
use iop::transcript::ProverTape;

/// A machine that proves for a [`Scheme`]: the threads of this process. Keeps buffers from one commitment to the
/// next, because touching fresh memory costs more than encoding into it.
#[derive(Debug)]
pub struct Prover<'a, F, B, E> {
    pub(super) scheme: &'a Scheme<F, B, E>,
    pub(crate) blocks: Vec<Vec<B>>,
}

/// An opening on its way: the claims, split, and what the prover knows about them.
pub(crate) struct Opened<'a, E> {
    pub(super) layout: &'a Layout,
    pub(super) matrices: SideBySide<'a, E>,
    pub(super) split: BatchedClaims<'a, E>,
    /// For each form the values of the columns under its row part; the out-of-domain one first.
    pub(super) partials: Vec<Vec<E>>,
    /// The mask of a hiding opening.
    pub(super) mask: Option<usize>,
}

/// The combined fragment: its data entries, its tail, and the weights of the columns with the claim that is left.
pub(crate) struct Combined<B: FoldableCode, E> {
    pub message: Vec<E>,
    pub tail: Vec<E>,
    pub reduced: ReducedClaim<B, E>,
}

impl<'a, F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Prover<'a, F, B, E> {
    /// A prover without buffers yet.
    pub fn new(scheme: &'a Scheme<F, B, E>) -> Self {
        Self { scheme, blocks: Vec::new() }
    }

    pub(super) fn layout(&self) -> &'a Layout {
        &self.scheme.layout
    }

    /// Takes back the memory of a witness that is no longer needed; that of a hiding one without its content.
    pub fn recycle(&mut self, mut witness: Witness<B, E>) {
        witness.wipe();
        witness.kept.secret = None;
        if let Held::Plain(matrix) = &mut witness.held
            && let Some(blocks) = matrix.blocks_mut().map(core::mem::take)
        {
            // A prover that keeps no block has its scratch already.
            if !blocks.is_empty() {
                self.blocks = blocks;
            }
        }
    }

    /// Commits to one polynomial of `2^log_size` elements.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    ///
    /// # Panics
    /// If the parameters are for several polynomials, or for another number of elements.
    pub fn commit(&mut self, mut entries: Vec<B>) -> Witness<B, E> {
        assert_eq!(self.layout().polynomials, 1, "one polynomial");
        if self.layout().hidden_openings > 0 {
            let witness = self.commit_batch(&[&entries]);
            wipe(&mut entries);
            return witness;
        }
        self.commit_matrix(entries, None)
    }

    /// The commitment that [`Prover::commit`] makes, without what an opening needs: blocks of the codeword are hashed and dropped.
    ///
    /// Memory: the entries, and one block of the codeword, as long as they are.
    ///
    /// # Panics
    /// If the parameters hide: then a commitment without its secret could never be opened.
    pub fn commit_only(&mut self, entries: Vec<B>) -> Commitment<E> {
        self.commit_lean(entries).commitment().clone()
    }

    /// The witness that [`Prover::commit`] makes, without the codeword: rows are recomputed when they are opened, which gives the
    /// same proofs.
    ///
    /// Memory: as [`Prover::commit_only`]; afterwards the entries and a tree.
    ///
    /// # Panics
    /// If the parameters hide.
    pub fn commit_lean(&mut self, entries: Vec<B>) -> Witness<B, E> {
        assert!(self.is_plain(), "one polynomial, openly");
        let mut blocks = core::mem::take(&mut self.blocks);
        let shape = &self.layout().first.shape;
        let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &entries, &mut blocks);
        drop(blocks);
        self.witness(entries, oracle, None)
    }

    /// Calls `each` with every entry of a witness that keeps them as they are, polynomial by polynomial: neither with the masks behind the data of a row nor with the
    /// random rows below them.
    pub fn each_entry(&self, witness: &Witness<B, E>, each: &mut dyn FnMut(&B)) {
        self.layout().each_entry(witness.message(), each);
    }

    fn is_plain(&self) -> bool {
        self.layout().hidden_openings == 0 && self.layout().polynomials == 1
    }

    /// The number of bytes of [`Witness::nodes`].
    pub fn node_bytes(&self) -> usize {
        self.layout().first.shape.node_bytes()
    }

    /// The witness of [`Prover::commit_lean`] from its entries and nodes. They need not be those of one commitment: who
    /// restores compares [`Witness::commitment`], and verifies what the witness proves.
    ///
    /// Cost: the upper layers of the tree, and one pass for an out-of-domain value.
    ///
    /// # Errors
    /// If the parameters hide or are for several polynomials, or there are other numbers of entries or nodes.
    pub fn restore(&self, entries: Vec<B>, nodes: Vec<u8>) -> Result<Witness<B, E>, ParamError> {
        if !self.is_plain() {
            return Err(ParamError::OutOfRange(
                "a witness is restored of one polynomial without hiding".into(),
            ));
        }
        let length = self.layout().entry_columns << self.layout().log_size;
        let (found, bytes) = (entries.len(), nodes.len());
        if (found, bytes) != (length, self.node_bytes()) {
            return Err(ParamError::OutOfRange(format!(
                "{found} entries and {bytes} bytes of nodes are no witness of these parameters"
            )));
        }
        Ok(self.witness(entries, self.layout().first.shape.oracle_of_nodes(nodes), None))
    }

    /// Commits to `polynomials` polynomials of `2^log_size` elements each; if the parameters hide, with a new secret.
    ///
    /// # Panics
    /// If there are other numbers of polynomials or elements than in the parameters.
    pub fn commit_batch(&mut self, polynomials: &[&[B]]) -> Witness<B, E> {
        if self.layout().hidden_openings > 0 {
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
        assert!(self.layout().hidden_openings > 0, "parameters that hide");
        let mut message = self.matrix(polynomials);
        secret.randomise(self.layout(), &mut message);
        self.commit_matrix(message, Some(secret))
    }

    /// The message matrix, with zeros where randomness belongs.
    fn matrix(&self, polynomials: &[&[B]]) -> Vec<B> {
        let layout = self.layout();
        assert_eq!(polynomials.len(), layout.polynomials, "number of polynomials");
        let length = layout.entry_columns << layout.log_size;
        for polynomial in polynomials {
            assert_eq!(polynomial.len(), length, "length of a polynomial");
        }
        let fragments = layout.entry_columns << layout.log_fragments();
        let shape = &layout.first.shape;
        let mut message = vec![B::ZERO; shape.code.dimension() * shape.width];
        for (i, row) in message.chunks_exact_mut(shape.width).take(1 << layout.log_rows).enumerate() {
            for (target, polynomial) in row.chunks_exact_mut(fragments).zip(polynomials) {
                target.copy_from_slice(&polynomial[i * fragments..][..fragments]);
            }
        }
        message
    }

    fn commit_matrix(&mut self, message: Vec<B>, secret: Option<Secret>) -> Witness<B, E> {
        let layout = self.layout();
        let (shape, mut blocks) = (&layout.first.shape, core::mem::take(&mut self.blocks));
        let (message, oracle) = match layout.kept {
            _ if layout.keeps_no_block() => {
                let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &message, &mut blocks);
                // The next commitment's, too.
                self.blocks = blocks;
                (message, oracle)
            }
            ProverStorage::Codeword => (Vec::new(), shape.commit_in_place(message, blocks)),
            kept => {
                // Message and the other blocks are a codeword.
                let forgotten = usize::from(kept == ProverStorage::Message && layout.first.opens_few_rows());
                let oracle = shape.commit_and_forget(forgotten, &message, &mut blocks);
                (message, oracle)
            }
        };
        self.witness(message, oracle, secret)
    }

    /// What opens a committed message.
    pub(super) fn witness(
        &self,
        message: Vec<B>,
        oracle: CommittedCodeword<B>,
        secret: Option<Secret>,
    ) -> Witness<B, E> {
        let matrix = PlainMatrix::new(message, oracle, self.layout().first.shape);
        let kept = self.adopt(&matrix, secret).expect(HELD_HERE);
        Witness { kept, held: Held::Plain(Box::new(matrix)) }
    }

    /// The witness of a matrix that another machine holds too.
    ///
    /// # Panics
    /// If the parameters hide, or are for several polynomials.
    pub fn hold(&self, matrix: Box<dyn RemoteMatrix<B, E>>) -> Witness<B, E> {
        assert!(self.is_plain(), "one polynomial, openly");
        // The out-of-domain value, which every proof is bound to, is that of the entries in this process.
        let kept = self.adopt(matrix.plain(), None).expect(HELD_HERE);
        Witness { kept, held: Held::Remote(matrix) }
    }

    /// Commits to a matrix that may be held elsewhere: its root, with its out-of-domain values. The secret is that of the masks and random
    /// rows in the matrix.
    ///
    /// Cost: one combination of the rows outside unique decoding.
    ///
    /// # Errors
    /// If the matrix does not answer.
    ///
    /// # Panics
    /// If the parameters hide and there is no secret, or the other way round.
    pub fn adopt(
        &self,
        matrix: &dyn CommittedMatrix<E>,
        secret: Option<Secret>,
    ) -> Result<Kept<E>, Unavailable> {
        let hides = self.layout().hidden_openings > 0;
        assert_eq!(secret.is_some(), hides, "a secret if and only if the parameters hide");
        let mut commitment = Commitment { root: matrix.root(), out_of_domain: Vec::new() };
        let point = self.layout().out_of_domain_point(&commitment.root);
        let partial = point.map(|point| self.partial(matrix, &point)).transpose()?;
        let out_of_domain = partial.map(|partial| {
            commitment.out_of_domain = partial.evaluate();
            partial.values
        });
        Ok(Kept { params: self.layout().digest, commitment, out_of_domain, secret })
    }

    /// Opens: the values of the forms on every polynomial, and the proof. What a protocol absorbs before and after: [under a proof system](crate::scheme#under-a-proof-system).
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
        let Witness { held, kept } = witness;
        self.open_matrix(held.with_entries(), kept, forms, context).expect(HELD_HERE)
    }

    /// [`Prover::open`] of a matrix that may be held elsewhere, by what [`Prover::adopt`] kept of it. The proof has the same bytes.
    ///
    /// # Errors
    /// If the matrix does not answer. A hiding opening may have used its mask up nevertheless.
    ///
    /// # Panics
    /// As [`Prover::open`]; and if packed entries are given that are not as many as there are.
    pub fn open_matrix(
        &self,
        held: HeldMatrix<'_, B, E>,
        kept: &mut Kept<E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> Result<(Claims<E>, Vec<u8>), Unavailable> {
        self.check_count(&forms);
        if let Some(coordinates) = self.scheme.params().coordinates() {
            return self.open_packed((coordinates, held), kept, forms, context);
        }
        let (claims, partials) = self.claims_of(&held, forms, context)?;
        let mut tape = self.layout().bind(&kept.commitment, &claims).prover();
        self.prove(&mut tape, &self.opened(held.matrix, kept, &claims, partials))?;
        Ok((claims, tape.finish()))
    }

    pub(super) fn check_count(&self, forms: &[TensorForm<E>]) {
        assert!(!forms.is_empty() && forms.len() <= self.layout().max_forms, "number of linear forms");
    }

    pub(super) fn check_variables(&self, forms: &[TensorForm<E>]) {
        let variables = self.scheme.params().variables();
        assert!(forms.iter().all(|form| form.variables() == variables), "variables of a linear form");
    }

    /// Claims whose forms' row parts have the given values on the columns; a hiding opening takes its mask.
    pub(crate) fn opened<'b>(
        &'b self,
        matrix: &'b dyn CommittedMatrix<E>,
        kept: &'b mut Kept<E>,
        claims: &'b Claims<E>,
        partials: Vec<Vec<E>>,
    ) -> Opened<'b, E> {
        let layout = self.layout();
        let matrices = SideBySide(vec![(matrix, layout.first.shape.width)]);
        let mask = kept.secret.as_mut().map(|secret| secret.spend(layout.hidden_openings));
        let split = layout.split(&kept.commitment, claims);
        let partials = kept.out_of_domain.iter().cloned().chain(partials).collect();
        Opened { layout, matrices, split, partials, mask }
    }

    /// P1, P2: claims about the polynomials become one claim about one combined fragment, which the inner argument proves.
    pub(crate) fn prove(&self, tape: &mut ProverTape, opened: &Opened<'_, E>) -> Result<(), Unavailable> {
        if let Some(chain) = self.scheme.chain.as_ref().filter(|chain| chain.is_double()) {
            return two_chains::prove::<B, E>(chain, tape, opened);
        }
        let reduced = opened.reduce::<B>(tape)?;
        if let Some(chain) = &self.scheme.chain {
            return chain::prove(chain, tape, opened, reduced);
        }
        recursion::prove::<B, E>(opened.layout, tape, &opened.matrices, opened.combine(reduced)?)
    }
}

impl<E: field::Field> Opened<'_, E> {
    /// P1: claims about the polynomials become one claim about one combined fragment.
    pub(crate) fn reduce<B: FoldableCode>(
        &self,
        tape: &mut ProverTape,
    ) -> Result<ReducedClaim<B, E>, Unavailable>
    where
        E: ExtensionOf<B>,
    {
        let rounds = self.layout.first.rounds;
        match self.mask {
            None => Ok(reduce::prove::<B, E>(rounds, tape, &self.split, &self.partials)),
            Some(mask) => self.reduce_hiding(tape, mask),
        }
    }

    /// The combination of the columns that a claim is reduced to.
    pub(super) fn combine<B: FoldableCode>(
        &self,
        reduced: ReducedClaim<B, E>,
    ) -> Result<Combined<B, E>, Unavailable>
    where
        E: ExtensionOf<B>,
    {
        let mut message = self.matrices.combine_columns(&reduced.0.expand())?;
        let tail = message.split_off(1 << self.layout.log_rows);
        Ok(Combined { message, tail, reduced })
    }

    fn reduce_hiding<B: FoldableCode>(
        &self,
        tape: &mut ProverTape,
        mask: usize,
    ) -> Result<ReducedClaim<B, E>, Unavailable>
    where
        E: ExtensionOf<B>,
    {
        assert!(self.split.len() == 1, "a hiding opening proves one linear form");
        tape.send_bytes("mask", &[mask as u8]);
        let value_of = |weights: &[E]| self.value_of(weights);
        reduce::prove_hiding::<B, E>(self.layout.first.rounds, tape, &self.split, mask, value_of)
    }

    /// The value of a combination of the columns under the form's row part.
    pub(super) fn value_of(&self, weights: &[E]) -> Result<E, Unavailable> {
        let mut rows = Vec::new();
        for form in self.split.rows() {
            rows.extend_from_slice(&form.expand());
        }
        Ok(dot(&rows, &self.matrices.combine_columns(weights)?))
    }
}
