//! `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::words::{OutsidePoint, Row, Stated, WordWeights};
use super::{Scheme, Virgo, delegation};
use crate::baseline::{Links, Steps, Words};
use crate::claims::Claims;
use crate::matrix::Commitment;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldableCode, TwoAdic};
use iop::error::Invalid;
use iop::fold;
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::transcript::{Challenger, VerifierTape};

/// Roots of fragments and quotients, both word 0, and the weights that combine them.
struct First<E> {
    fragments: Digest,
    quotients: Digest,
    weights: WordWeights<E>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Steps<B, E> for Virgo {
    // Cost: for the weights about `log_rows²` products, and `4·log_rows` for each query.
    fn check_steps(
        scheme: &Scheme<B, E>,
        tape: &mut VerifierTape<'_>,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
    ) -> Result<(), Invalid> {
        // V1: the value is a combination of the fragments' sums over the subgroup.
        let (rows, sums) = scheme.fragment_sums(tape, claims)?;
        let stated = Stated { sums, outside: commitment.out_of_domain.first().copied() };
        // V2: the quotients that show these sums, then one combination of all words.
        let quotients = tape.receive_digest("quotients root")?;
        let weights = scheme.word_weights(tape, &commitment.root);
        // V3: each round folds the combination.
        let (mut roots, mut challenges) = (Vec::new(), Vec::new());
        for round in 0..scheme.params.rounds() {
            if round > 0 {
                roots.push(tape.receive_digest("root")?);
            }
            challenges.push(tape.challenge("fold"));
        }
        let length = scheme.params.code(scheme.params.rounds()).dimension();
        let message: Vec<E> = tape.receive("final message", length)?;
        // V4: each word is the fold of the one before, and the final message that of the last.
        let first = First { fragments: commitment.root, quotients, weights };
        let leaves = scheme.positions(tape)?;
        let (values, points) = scheme.first_word(tape, &first, (&rows, &stated), &leaves)?;
        let words = Words { roots: &roots, challenges: &challenges, message: &message };
        scheme.check_words(tape, Links { leaves: &leaves, values: &values, points }, &words)
    }
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
    /// The form on the rows, and each fragment's value under it.
    fn fragment_sums(
        &self,
        tape: &mut VerifierTape<'_>,
        claims: &Claims<E>,
    ) -> Result<(TensorForm<E>, Vec<E>), Invalid> {
        let missing = Invalid("the claims do not fit the parameters");
        let form = claims.forms.first().ok_or(missing)?;
        let value = claims.values.first().and_then(|values| values.first()).copied().ok_or(missing)?;
        let (columns, rows) = form.split(self.log_columns());
        if self.log_columns() == 0 {
            return Ok((rows, vec![value]));
        }
        let sums: Vec<E> = tape.receive("fragment values", self.params.columns())?;
        if columns.apply(&sums) != value {
            return Err(Invalid("the fragments' values do not add up to the value"));
        }
        Ok((rows, sums))
    }

    /// The combination's values at `x` and `-x` for each leaf, and the inverses of the points `x`.
    fn first_word(
        &self,
        tape: &mut VerifierTape<'_>,
        words: &First<E>,
        (rows, stated): (&TensorForm<E>, &Stated<E>),
        leaves: &[usize],
    ) -> Result<(Vec<E>, Vec<B>), Invalid> {
        let (tree, columns) = (self.params.tree(0), self.params.columns());
        let fragments: Vec<B> = tree.read_rows(tape, &words.fragments, leaves)?.all()?;
        let quotients: Vec<E> = tree.read_rows(tape, &words.quotients, leaves)?.all()?;
        let inverses = fold::points::<B>(&self.params.code(0), leaves, 1)?;
        let points: Vec<B> = self.points(leaves).into_iter().flat_map(|x| [x, -x]).collect();
        // V5: the weights' polynomial at these positions, by the prover, who shows it.
        let weights = delegation::verify(tape, rows, &points)?;
        let both = points.iter().copied().zip(inverses.iter().flat_map(|&inverse| [inverse, -inverse]));
        let opened = fragments.chunks_exact(columns).zip(quotients.chunks_exact(columns));
        let mut values = Vec::with_capacity(weights.len());
        for ((point, (fragments, quotients)), &weight) in both.zip(opened).zip(&weights) {
            let row = Row { point: point.into(), fragments, quotients, weight };
            values.push(words.weights.value(&row, stated, rows.variables())?);
        }
        Ok((values, inverses))
    }

    /// The point that a commitment's out-of-domain value belongs to; `None` in unique decoding.
    pub fn outside_point(&self, root: &Digest) -> Option<OutsidePoint<E>> {
        let mut tape = self.committed(root)?.verifier(&[]);
        let point = tape.challenge("out-of-domain point");
        let columns = tape.challenges::<E>("out-of-domain fragments", self.log_columns());
        Some(OutsidePoint { point, weights: TensorForm::point(&columns).expand() })
    }

    /// Random weights of all words.
    pub(super) fn word_weights(&self, tape: &mut impl Challenger, root: &Digest) -> WordWeights<E> {
        self.weights_from(tape.challenges::<E>("combine words", self.params.word_variables()), root)
    }

    /// The weights of all words that follow from `word_variables` challenges of the parameters.
    pub fn weights_from(&self, challenges: Vec<E>, root: &Digest) -> WordWeights<E> {
        WordWeights::new(self.params.columns(), challenges, self.outside_point(root))
    }

    /// The point `x` of each leaf, which holds the rows of `x` and `-x`.
    pub(super) fn points(&self, leaves: &[usize]) -> Vec<B> {
        let log_domain = self.params.code(0).log_domain();
        leaves.iter().map(|&leaf| B::point(log_domain, leaf << 1)).collect()
    }
}
