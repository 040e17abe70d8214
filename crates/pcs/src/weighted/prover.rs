//! Prove a weighted sum. Step labels as in `verifier.rs`.

use super::points::Points;
use super::security::rounds;
use super::statement::Claim;
use super::verifier::{Scheme, extension, factors};
use crate::matrix::{self, Commitment, Steps};
use crate::ring_switching::{Entries, unpack};
use crate::scheme::{Pcs, Prove, Prover as _};
use field::{ExtensionOf, Field, FoldFibres, parallel};
use iop::poly::{TensorForm, dot_base, dot_parallel};
use iop::sumcheck::{self, Rounds};
use std::borrow::Cow;

/// A scheme that this process opens at points.
pub trait Open:
    Points + Prove<Witness = matrix::Witness<<Self as Pcs>::Base, <Self as Pcs>::Challenge>>
{
    /// The entries of the polynomials that were committed to, one for each place, a polynomial after the other.
    fn entries<'a>(&self, witness: &'a Self::Witness) -> Cow<'a, [Self::Base]>;
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Open for matrix::Scheme<F, B, E> {
    fn entries<'a>(&self, witness: &'a matrix::Witness<B, E>) -> Cow<'a, [B]> {
        let params = self.params();
        let entries = if params.polynomials == 1 {
            witness.entries()
        } else {
            let mut entries = Vec::with_capacity((params.polynomials as usize) << params.log_size);
            self.layout().each_entry(&witness.entries(), &mut |entry| entries.push(*entry));
            entries.into()
        };
        match params.entries {
            Entries::Whole => entries,
            packed => unpack(&entries, packed).into(),
        }
    }
}

/// A machine that proves for a [`Scheme`]: the threads of this process. Commitments are those of [`Scheme::inner`].
#[derive(Debug)]
pub struct Prover<'a, S> {
    scheme: &'a Scheme<S>,
}

impl<'a, S: Open> Prover<'a, S> {
    /// A prover.
    pub fn new(scheme: &'a Scheme<S>) -> Self {
        Self { scheme }
    }

    /// Proves the sum of each polynomial's entries weighted by `weights`, of which those beyond the last are zero.
    ///
    /// Cost: about four products for each entry in the sumcheck, and an opening; two tables over the challenge field, half
    /// as long as the data. Of several polynomials three products for each entry of every one, to combine them and for the values at the point, and one
    /// sumcheck, over two tables as long as a polynomial; all are copied. Packed entries are unpacked: each of them takes an element of the alphabet, and so does
    /// each weight.
    ///
    /// # Panics
    /// If there are more weights than entries.
    pub fn open(
        &self,
        witness: &mut S::Witness,
        weights: Vec<S::Base>,
        context: &[u8],
    ) -> (Claim<S::Base>, Vec<u8>) {
        let (scheme, inner) = (self.scheme, self.scheme.inner());
        let (facts, hash) = (scheme.facts(), scheme.facts().hash);
        let entries = inner.entries(witness);
        let columns: Vec<&[S::Base]> = entries.chunks_exact(1 << facts.variables).collect();
        assert!(weights.len() <= 1 << facts.variables, "more weights than entries");
        let values: Vec<S::Base> = columns.iter().map(|column| dot_parallel(&weights, column)).collect();
        let claim = Claim { weights, values, context: context.to_vec() };
        let statement = claim.statement(hash);
        let bound = statement.digest(hash, &witness.commitment().to_bytes());
        // P1: the sum becomes a product at a random point.
        let mut tape = scheme.bind(&bound).prover();
        let factors = factors(&mut tape, columns.len());
        let mut padded = claim.weights.clone();
        padded.resize(1 << facts.variables, S::Base::ZERO);
        let (r, values) = match &columns[..] {
            [column] => {
                let claimed = S::Challenge::lift(claim.values[0]);
                let (r, _, f) = sumcheck::prove_base(&mut tape, rounds(facts), column, &padded, claimed);
                (r, f)
            }
            columns => {
                let mut f = combined(columns, &factors);
                let mut w: Vec<S::Challenge> =
                    padded.iter().map(|&weight| S::Challenge::lift(weight)).collect();
                let claimed = dot_base(&claim.values, &factors);
                let (r, _) = sumcheck::prove(&mut tape, rounds(facts), &mut f, &mut w, claimed);
                let values = parallel::map(columns.iter(), |column| extension(column, &r));
                (r, values)
            }
        };
        drop(columns);
        drop((entries, padded));
        // P2: the columns' factors of it; the verifier has the other one.
        tape.send("value at the point", &values);
        let mut proof = tape.finish();
        // P3: the factors are the columns'.
        let context = statement.inner_context(hash, &bound, &proof);
        proof.extend(inner.prover().open(witness, vec![TensorForm::point(&r)], &context).1);
        (claim, proof)
    }
}

/// The columns by their factors, added up.
fn combined<B: Field, E: ExtensionOf<B>>(columns: &[&[B]], factors: &[E]) -> Vec<E> {
    let mut all = vec![E::ZERO; columns.first().map_or(0, |column| column.len())];
    parallel::for_each(all.chunks_mut(COMBINED_AT_ONCE).enumerate(), |(chunk, sums)| {
        for (column, &factor) in columns.iter().zip(factors) {
            let entries = &column[chunk * COMBINED_AT_ONCE..];
            sums.iter_mut().zip(entries).for_each(|(sum, &entry)| *sum += factor.scale(entry));
        }
    });
    all
}

/// Places that one task combines.
const COMBINED_AT_ONCE: usize = 1 << 12;

/// A committed column that several machines hold, each a run of places in every row, as [`prove_parts`] asks about it.
///
/// Law: machine `p` has the places `p 2^k` to `(p+1) 2^k - 1` of each run of `2^k` places for each of them. All answers are about one column.
pub trait Parts<B, E> {
    /// Why a machine has not answered.
    type Error;

    /// Gives each machine its weights, one for each place; the weighted sum, and the message of the first round.
    ///
    /// # Errors
    /// If a machine does not answer.
    fn weigh(&mut self, weights: &[B]) -> Result<(B, (E, E)), Self::Error>;
    /// Binds the lowest variable to a challenge; the message of the next round.
    ///
    /// # Errors
    /// As [`Parts::weigh`].
    fn round(&mut self, challenge: E) -> Result<(E, E), Self::Error>;
    /// Binds the last variable within a machine's run; what is left of the column, and of the weights.
    ///
    /// # Errors
    /// As [`Parts::weigh`].
    fn rest(&mut self, challenge: E) -> Result<[Vec<E>; 2], Self::Error>;
    /// Opens the column at a point, bound to a context, at which the rounds left the value that is given; the proof.
    ///
    /// # Errors
    /// As [`Parts::weigh`]; or if the column has another value there.
    fn open(&mut self, point: &[E], value: E, context: &[u8]) -> Result<Vec<u8>, Self::Error>;
}

/// A claim and the bytes of its proof.
pub type Opened<B> = (Claim<B>, Vec<u8>);

/// [`Prover::open`] of a column in parts of `2^variables` places of a run, with the same bytes.
///
/// # Errors
/// If a machine does not answer.
///
/// # Panics
/// If there are more weights than entries, parts of one place, or several polynomials.
pub fn prove_parts<S: Points, P: Parts<S::Base, S::Challenge>>(
    scheme: &Scheme<S>,
    commitment: &Commitment<S::Challenge>,
    (parts, variables): (&mut P, usize),
    weights: Vec<S::Base>,
    context: &[u8],
) -> Result<Opened<S::Base>, P::Error> {
    let (facts, hash) = (scheme.facts(), scheme.facts().hash);
    assert!(weights.len() <= 1 << facts.variables && variables > 0, "weights and parts of the entries");
    assert_eq!(facts.polynomials, 1, "one column in parts");
    let mut padded = weights.clone();
    padded.resize(1 << facts.variables, S::Base::ZERO);
    let (value, mut message) = parts.weigh(&padded)?;
    drop(padded);
    let claim = Claim { weights, values: vec![value], context: context.to_vec() };
    let statement = claim.statement(hash);
    let bound = statement.digest(hash, &commitment.to_bytes());
    // P1, by all machines as long as the variables are within their parts.
    let mut tape = scheme.bind(&bound).prover();
    let Rounds { count, grinding } = rounds(facts);
    let (mut r, mut left) = (Vec::with_capacity(count), S::Challenge::lift(value));
    for _ in 1..variables {
        let challenge = sumcheck::send_round(&mut tape, grinding, message, &mut left);
        r.push(challenge);
        message = parts.round(challenge)?;
    }
    let challenge = sumcheck::send_round(&mut tape, grinding, message, &mut left);
    r.push(challenge);
    let [mut f, mut w] = parts.rest(challenge)?;
    let others = Rounds { count: count - variables, grinding };
    r.extend(sumcheck::prove(&mut tape, others, &mut f, &mut w, left).0);
    // P2, P3.
    tape.send("value at the point", &f);
    let mut proof = tape.finish();
    let context = statement.inner_context(hash, &bound, &proof);
    proof.extend(parts.open(&r, f[0], &context)?);
    Ok((claim, proof))
}
