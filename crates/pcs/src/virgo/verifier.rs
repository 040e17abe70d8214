//! What a verifier holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::delegation;
use super::params::Params;
use super::words::{OutsidePoint, Row, Stated, WordWeights};
use crate::claims::Claims;
use crate::codec::Reader;
use crate::fields::Fields;
use crate::pip::Commitment;
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldableCode, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::fold::{self, Queries, Squared};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<B, E> {
    params: Params,
    report: Report,
    digest: Digest,
    fields: PhantomData<fn() -> (B, E)>,
}

/// Roots of the committed words and the challenges that fold them; those of the fragments and of their quotients are both word 0.
struct Words<E> {
    fragments: Digest,
    quotients: Digest,
    folded: Vec<Digest>,
    challenges: Vec<E>,
    weights: WordWeights<E>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If the parameters name other fields, are out of range, or prove too few bits.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) {
            return Err(ParamError("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let digest = params.digest();
        Ok(Self { params, report, digest, fields: PhantomData })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Reads the encoding of a commitment, exactly.
    ///
    /// # Errors
    /// If it is too short or long, or the value is no canonical field element.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        let short = Invalid("the commitment is cut short");
        let mut r = Reader::new(bytes);
        let root = r.digest(self.params.hash).ok_or(short)?;
        let count = usize::from(self.params.out_of_domain());
        let values = r.bytes(count.saturating_mul(E::BYTES)).ok_or(short)?;
        let values = values.chunks_exact(E::BYTES).map(E::from_bytes).collect::<Option<_>>();
        let out_of_domain = values.ok_or(Invalid("non-canonical field element in the commitment"))?;
        r.finish().ok_or(Invalid("bytes after the commitment"))?;
        Ok(Commitment { root, out_of_domain })
    }

    /// Accepts if the claim holds for the committed polynomial.
    ///
    /// Cost: for each of the `rounds` words, `queries` leaves with their paths; for the weights about `log_rows²` products, and
    /// `4·log_rows` for each query.
    ///
    /// # Errors
    /// If the claims or the commitment do not fit the parameters, or the proof is wrong in any way.
    pub fn verify(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        self.script(commitment, claims, proof).map(|_| ())
    }

    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    ///
    /// # Errors
    /// As [`Scheme::verify`].
    pub fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        self.check_shapes(commitment, claims)?;
        let mut tape = self.bind(commitment, claims).verifier(proof);
        // V1: the value is a combination of the fragments' sums over the subgroup.
        let (rows, sums) = self.fragment_sums(&mut tape, claims)?;
        let stated = Stated { sums, outside: commitment.out_of_domain.first().copied() };
        // V2: the quotients that show these sums, then one combination of all words.
        let quotients = tape.receive_digest("quotients root")?;
        let weights = self.word_weights(&mut tape, &commitment.root);
        // V3: each round folds the combination.
        let (mut folded, mut challenges) = (Vec::new(), Vec::new());
        for round in 0..self.params.rounds() {
            if round > 0 {
                folded.push(tape.receive_digest("root")?);
            }
            challenges.push(tape.challenge("fold"));
        }
        let length = self.params.code(self.params.rounds()).dimension();
        let message: Vec<E> = tape.receive("final message", length)?;
        // V4: each word is the fold of the one before, and the final message that of the last.
        let words = Words { fragments: commitment.root, quotients, folded, challenges, weights };
        let links = self.follow(&mut tape, &words, (&rows, &stated))?;
        let last = Squared { code: self.params.code(0), squarings: self.params.rounds() };
        for link in links {
            if B::evaluate(&message, last.point::<B>(link.position)) != link.value {
                return Err(Invalid("the final message is not the fold of the last word"));
            }
        }
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok(script)
    }

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

    /// Opens the words at random positions, checks all links between them, and returns those into the final message.
    fn follow(
        &self,
        tape: &mut VerifierTape<'_>,
        words: &Words<E>,
        opened: (&TensorForm<E>, &Stated<E>),
    ) -> Result<Queries<B, E>, Invalid> {
        let positions = self.positions(tape)?;
        let (values, points) = self.first_word(tape, words, opened, &positions)?;
        let mut challenges = words.challenges.iter();
        let &r = challenges.next().ok_or(Invalid("no rounds"))?;
        let mut links = fold::fold(&positions, points, &values, &[[E::ONE - r, r]])?;
        for (round, (root, &r)) in (1..).zip(words.folded.iter().zip(challenges)) {
            let leaves = fold::leaf_indices(&links, 1);
            let pairs: Vec<E> = self.params.tree(round).read_rows(tape, root, &leaves)?.all()?;
            let points = fold::check_consistency::<B, E>(&links, &leaves, &pairs, 1)?;
            links = fold::fold(&leaves, points, &pairs, &[[E::ONE - r, r]])?;
        }
        Ok(links)
    }

    /// The combination's values at `x` and `-x` for each leaf, and the inverses of the points `x`.
    fn first_word(
        &self,
        tape: &mut VerifierTape<'_>,
        words: &Words<E>,
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

    fn check_shapes(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Result<(), Invalid> {
        if !claims.fits(self.params.variables(), 1) {
            return Err(Invalid("the claims do not fit the parameters"));
        }
        if claims.forms.len() > 1 {
            return Err(Invalid("more linear forms than the parameters allow"));
        }
        if commitment.out_of_domain.len() != usize::from(self.params.out_of_domain()) {
            return Err(Invalid("the commitment does not fit the parameters"));
        }
        Ok(())
    }

    /// The transcript of an opening, bound to parameters, commitment, form, value and context.
    pub(super) fn bind(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Bound {
        let statement = claims.digest(self.params.hash, &commitment.to_bytes());
        Domain::new(self.params.hash, "tenfold virgo open v1", &self.digest).statement(&statement)
    }

    /// The point that a commitment's out-of-domain value belongs to; `None` in unique decoding.
    pub fn outside_point(&self, root: &Digest) -> Option<OutsidePoint<E>> {
        self.params.out_of_domain().then(|| {
            let bound =
                Domain::new(self.params.hash, "tenfold virgo commit v1", &self.digest).statement(root);
            let mut tape = bound.verifier(&[]);
            let point = tape.challenge("out-of-domain point");
            let columns = tape.challenges::<E>("out-of-domain fragments", self.log_columns());
            OutsidePoint { point, weights: TensorForm::point(&columns).expand() }
        })
    }

    /// Random weights of all words.
    pub(super) fn word_weights(&self, tape: &mut impl Challenger, root: &Digest) -> WordWeights<E> {
        self.weights_from(tape.challenges::<E>("combine words", self.params.word_variables()), root)
    }

    /// The weights of all words that follow from [`Params::word_variables`] challenges.
    pub fn weights_from(&self, challenges: Vec<E>, root: &Digest) -> WordWeights<E> {
        WordWeights::new(self.params.columns(), challenges, self.outside_point(root))
    }

    /// The point `x` of each leaf, which holds the rows of `x` and `-x`.
    pub(super) fn points(&self, leaves: &[usize]) -> Vec<B> {
        let log_domain = self.params.code(0).log_domain();
        leaves.iter().map(|&leaf| B::point(log_domain, leaf << 1)).collect()
    }

    fn log_columns(&self) -> usize {
        usize::try_from(self.params.log_columns).unwrap_or(0)
    }

    /// Checks the work and draws leaves of the first tree.
    fn positions(&self, tape: &mut VerifierTape<'_>) -> Result<Vec<usize>, Invalid> {
        tape.grind("query grinding", self.params.grinding)?;
        let queries = usize::try_from(self.params.queries).map_err(|_| Invalid("queries"))?;
        Ok(tape.positions("positions", self.params.tree(0).code.log_domain(), queries))
    }
}
