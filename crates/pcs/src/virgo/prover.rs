//! Commit and open. Step labels as in `verifier.rs`.

use super::share::{Quotients, Share};
use super::weights::RowWeights;
use super::words::WordWeights;
use super::{Prover, Scheme};
use crate::claims::Claims;
use crate::matrix::{Commitment, Unavailable};
use field::{ExtensionOf, TwoAdic};
use iop::hash::Digest;
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot};
use iop::transcript::{Challenger, ProverTape};

/// Fragments that are committed to, wherever they are.
pub trait CommittedFragments<E> {
    /// Each fragment's value under a form on the rows.
    ///
    /// # Errors
    /// If another machine holds fragments and does not answer.
    fn values(&mut self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable>;
    /// Commits to each fragment's quotient for the form that was asked for last, whose weights these are.
    ///
    /// # Errors
    /// As [`CommittedFragments::values`].
    fn quotients(&mut self, weights: &RowWeights<E>) -> Result<Digest, Unavailable>;
    /// The coefficients of the combination of all words.
    ///
    /// # Errors
    /// As [`CommittedFragments::values`].
    fn combine(&mut self, weights: &WordWeights<E>) -> Result<Vec<E>, Unavailable>;
    /// Writes the fragments' leaves at positions (sorted and distinct) with their paths, and then those of the quotients.
    ///
    /// # Errors
    /// As [`CommittedFragments::values`].
    fn open_rows(&mut self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable>;
}

/// What the prover keeps of a commitment: the fragments, their codeword and its tree.
#[derive(Debug)]
pub struct Witness<B, E> {
    share: Share<B>,
    oracle: CommittedCodeword<B>,
    commitment: Commitment<E>,
}

impl<B: TwoAdic, E> Witness<B, E> {
    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }

    /// The entries.
    pub fn message(&self) -> &[B] {
        self.share.entries()
    }

    /// Bytes held beyond the commitment.
    pub fn memory(&self) -> usize {
        self.share.memory() + self.oracle.memory()
    }
}

impl<B: TwoAdic, E: ExtensionOf<B>> Prover<'_, B, E> {
    /// Takes back the memory of a witness that is no longer needed.
    pub fn recycle(&mut self, witness: Witness<B, E>) {
        self.buffer = witness.oracle.into_blocks().pop().unwrap_or_default();
    }

    /// Commits to a polynomial of `2^log_size` entries; entry `i` stands in fragment `i mod 2^log_columns`.
    ///
    /// Cost: one transform of the entries, one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    ///
    /// # Panics
    /// If the number of entries is another.
    pub fn commit(&mut self, entries: Vec<B>) -> Witness<B, E> {
        let params = self.scheme.params();
        assert_eq!(entries.len(), 1 << params.log_size, "number of entries");
        let share = Share::new(params.code(0), entries, params.columns());
        let word = share.codeword(core::mem::take(&mut self.buffer));
        let oracle = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
        let root = oracle.root();
        let outside = self.scheme.outside_point(&root);
        let out_of_domain = outside.iter().map(|z| share.evaluate(&z.weights, z.point)).collect();
        Witness { share, oracle, commitment: Commitment { root, out_of_domain } }
    }

    /// Opens: the value of a form, and the proof.
    ///
    /// Cost: about twelve transforms of the entries over the challenge field, eight of them to the quotients' codeword, whose hash;
    /// then about two products for each element of the folded words, and four for each row and query.
    ///
    /// # Panics
    /// If there is not one form, or it has the wrong number of variables.
    pub fn open(
        &self,
        witness: &Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        let mut held = Held { scheme: self.scheme, witness, quotients: None };
        self.open_held(&witness.commitment, &mut held, (forms, context))
            .expect("this process holds the fragments")
    }

    /// Opens fragments wherever they are: the proof has the bytes of [`Prover::open`].
    ///
    /// # Errors
    /// If a machine that holds fragments does not answer.
    ///
    /// # Panics
    /// As [`Prover::open`].
    pub fn open_held(
        &self,
        commitment: &Commitment<E>,
        held: &mut impl CommittedFragments<E>,
        (forms, context): (Vec<TensorForm<E>>, &[u8]),
    ) -> Result<(Claims<E>, Vec<u8>), Unavailable> {
        let params = self.scheme.params();
        let [form] = &forms[..] else { panic!("one linear form") };
        assert_eq!(form.variables(), params.variables(), "variables of a linear form");
        let (columns, rows) = form.split(params.log_columns as usize);
        let sums = held.values(&rows)?;
        let values = vec![vec![dot(&columns.expand(), &sums)]];
        let claims = Claims { forms, values, context: context.to_vec() };
        let mut tape = self.scheme.bind(commitment, &claims).prover();
        // P1: each fragment's sum over the subgroup.
        if params.log_columns > 0 {
            tape.send("fragment values", &sums);
        }
        // P2: the quotients that show these sums, then one combination of all words.
        let weights = RowWeights::new::<B>(rows);
        tape.send_bytes("quotients root", &held.quotients(&weights)?);
        let combined = held.combine(&self.scheme.word_weights(&mut tape, &commitment.root))?;
        // P3: each round folds the combination.
        let oracles = self.fold(&mut tape, combined);
        // P4: open the words along the queries.
        let positions = self.positions(&mut tape);
        held.open_rows(&mut tape, &positions)?;
        // P5: the weights' polynomial at these positions.
        weights.prove(&mut tape, &self.scheme.points(&positions));
        Self::open_words(&mut tape, &oracles, positions);
        Ok((claims, tape.finish()))
    }

    /// Folds the combination round by round and sends what is left; returns the words after the first.
    fn fold(&self, tape: &mut ProverTape, mut message: Vec<E>) -> Vec<CommittedCodeword<E>> {
        let params = self.scheme.params();
        let mut oracles: Vec<CommittedCodeword<E>> = Vec::new();
        for round in 0..params.rounds() {
            if let Some(oracle) = oracles.last() {
                tape.send_bytes("root", &oracle.root());
            }
            let r: E = tape.challenge("fold");
            iop::sumcheck::bind(&mut message, r);
            if round + 1 < params.rounds() {
                oracles.push(self.commit_folded((oracles.last(), &message), round, r));
            }
        }
        tape.send("final message", &message);
        oracles
    }
}

/// Fragments in the memory of this process.
struct Held<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    witness: &'a Witness<B, E>,
    quotients: Option<(Quotients<B>, CommittedCodeword<E>)>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> CommittedFragments<E> for Held<'_, B, E> {
    fn values(&mut self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        Ok(self.witness.share.values(form))
    }

    fn quotients(&mut self, weights: &RowWeights<E>) -> Result<Digest, Unavailable> {
        let Witness { share, oracle, .. } = self.witness;
        let params = self.scheme.params();
        let first = &oracle.blocks()[0][..share.entries().len()];
        let (quotients, word) = share.quotients(first, weights);
        let oracle = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
        let root = oracle.root();
        self.quotients = Some((quotients, oracle));
        Ok(root)
    }

    fn combine(&mut self, weights: &WordWeights<E>) -> Result<Vec<E>, Unavailable> {
        let (quotients, _) = self.quotients.as_ref().expect("quotients are committed to before");
        Ok(self.witness.share.combine(quotients, weights, 0..self.scheme.params().columns()))
    }

    fn open_rows(&mut self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        let (_, quotients) = self.quotients.as_ref().expect("quotients are committed to before");
        self.witness.oracle.open_rows(tape, positions);
        quotients.open_rows(tape, positions);
        Ok(())
    }
}
