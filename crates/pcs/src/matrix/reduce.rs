//! From claims about the committed polynomials to one claim about one combined fragment. (notes: pip-columns)
//!
//! Openly: the column parts of all forms, batched by the powers of one challenge, are summed out by a sumcheck over
//! the columns, whose challenges combine the columns: `log2(columns)` rounds of two elements each, on tables as long as
//! one row.
//! Hiding: round messages would leak, so the combination is masked by a random column, its one value is sent, and
//! the claims enter by the powers of a further challenge. (notes: zk-mask)
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::claim::Claim;
#[cfg(feature = "prover")]
use super::committed::Unavailable;
use super::layout::Layout;
use super::weights::Weights;
use crate::claims::Claims;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldableCode};
use iop::error::Invalid;
use iop::poly::{TensorForm, basis, powers};
use iop::sumcheck::{self, Rounds};
#[cfg(feature = "prover")]
use iop::transcript::ProverTape;
use iop::transcript::{Challenger, VerifierTape};

/// Weights of the base-field columns and the claim about their combination.
pub(crate) type ReducedClaim<B, E> = (Weights<E>, Claim<B, E>);

/// A claim of the only form of an opening: its weights on the fragments, its factors on their rows, the value.
pub(crate) struct SingleClaim<'a, E> {
    pub columns: Weights<E>,
    pub rows: &'a TensorForm<E>,
    pub value: E,
}

/// A form split into the factors of the fragments and those of a fragment's rows, with one value for each of some consecutive polynomials.
struct Part<'a, E> {
    columns: TensorForm<E>,
    rows: TensorForm<E>,
    /// The first of the polynomials.
    first: usize,
    values: &'a [E],
}

/// The claims of an opening, split: of each commitment its out-of-domain claim first.
pub(crate) struct BatchedClaims<'a, E> {
    layout: &'a Layout,
    parts: Vec<Part<'a, E>>,
}

impl<'a, E: field::Field> BatchedClaims<'a, E> {
    /// Claims of all polynomials.
    pub fn new(
        layout: &'a Layout,
        out_of_domain: Option<(&TensorForm<E>, &'a [E])>,
        claims: &'a Claims<E>,
    ) -> Self {
        let mut all = Self { layout, parts: Vec::new() };
        all.add(0, out_of_domain, claims);
        all
    }

    /// No claims yet.
    pub fn none(layout: &'a Layout) -> Self {
        Self { layout, parts: Vec::new() }
    }

    /// Adds those of as many polynomials as they have values, from a polynomial on.
    pub fn add(
        &mut self,
        first: usize,
        out_of_domain: Option<(&TensorForm<E>, &'a [E])>,
        claims: &'a Claims<E>,
    ) {
        let log_fragments = self.layout.log_fragments();
        let split = |(form, values): (&TensorForm<E>, &'a [E])| {
            let (columns, rows) = form.split(log_fragments);
            Part { columns, rows, first, values }
        };
        let given = claims.forms.iter().zip(claims.values.iter().map(Vec::as_slice));
        self.parts.extend(out_of_domain.into_iter().chain(given).map(split));
    }

    /// The only claim, if there is one form and one polynomial.
    pub fn only<B: field::Field>(&self) -> Option<SingleClaim<'_, E>>
    where
        E: ExtensionOf<B>,
    {
        let [Part { columns, rows, first: 0, values: [value] }] = self.parts.as_slice() else { return None };
        let columns = Weights::of_fragments::<B>(self.layout, columns, E::ONE);
        Some(SingleClaim { columns, rows, value: *value })
    }

    /// The number of forms.
    #[cfg(feature = "prover")]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The row parts of the forms.
    #[cfg(feature = "prover")]
    pub fn rows(&self) -> impl Iterator<Item = &TensorForm<E>> {
        self.parts.iter().map(|part| &part.rows)
    }

    /// For each part the powers of `gamma` that batch the claims of its polynomials.
    fn scalars(&self, gamma: E) -> impl Iterator<Item = (&Part<'a, E>, Vec<E>)> {
        let mut next = E::ONE;
        self.parts.iter().map(move |part| {
            let scalars: Vec<E> = powers(gamma, part.values.len() + 1).iter().map(|&g| next * g).collect();
            next = scalars.last().copied().unwrap_or(next);
            (part, scalars)
        })
    }

    /// The batched value of all claims.
    pub(crate) fn value(&self, gamma: E) -> E {
        let of_part = |(part, scalars): (&Part<'_, E>, Vec<E>)| {
            part.values.iter().zip(scalars).map(|(&v, s)| v * s).sum()
        };
        self.scalars(gamma).map(of_part).sum()
    }

    /// The claim that is left when the columns are bound to `r`: fragments by its low part, polynomials by the rest.
    fn bind<B: FoldableCode>(&self, gamma: E, r: &[E], value: E) -> Claim<B, E>
    where
        E: ExtensionOf<B>,
    {
        let fragments = self.layout.log_fragments().min(r.len());
        let (low, high) = r.split_at(fragments);
        let polynomials = TensorForm::point(high).expand();
        let bound = |(part, scalars): (&Part<'_, E>, Vec<E>)| {
            let polynomials = polynomials.iter().skip(part.first);
            let of_values: E =
                part.values.iter().zip(&scalars).zip(polynomials).map(|((_, &s), &w)| s * w).sum();
            (part.columns.bind_low(low).0 * of_values, part.rows.clone())
        };
        Claim::new(self.scalars(gamma).map(bound).collect(), value)
    }
}

/// Prover: `partials[j]` holds the value of every column under form `j`'s row part, of polynomials that the form is not about too.
#[cfg(feature = "prover")]
pub(crate) fn prove<B: FoldableCode, E: ExtensionOf<B>>(
    rounds: Rounds,
    tape: &mut ProverTape,
    split: &BatchedClaims<'_, E>,
    partials: &[Vec<E>],
) -> ReducedClaim<B, E> {
    let gamma: E = tape.challenge("batch columns");
    let length = 1 << rounds.count;
    let (mut values, mut weights) = (Vec::new(), Vec::new());
    // All products in one sum: the tables of the forms stand one behind the other.
    for ((part, scalars), partial) in split.scalars(gamma).zip(partials) {
        let end = values.len() + length;
        // Polynomials that the form is not about have weight zero.
        weights.resize(values.len() + (part.first << split.layout.log_fragments()), E::ZERO);
        values.extend_from_slice(partial);
        values.resize(end, E::ZERO);
        for &scalar in scalars.iter().take(part.values.len()) {
            weights.extend(part.columns.expand_scaled(scalar));
        }
        weights.resize(end, E::ZERO);
    }
    let (r, value) = sumcheck::prove(tape, rounds, &mut values, &mut weights, split.value(gamma));
    (column_weights::<B, E>(split.layout, &r, E::ONE), split.bind(gamma, &r, value))
}

/// Verifier of [`prove`].
pub(crate) fn verify<B: FoldableCode, E: ExtensionOf<B>>(
    rounds: Rounds,
    tape: &mut VerifierTape<'_>,
    split: &BatchedClaims<'_, E>,
) -> Result<ReducedClaim<B, E>, Invalid> {
    let gamma: E = tape.challenge("batch columns");
    let (r, value) = sumcheck::verify(tape, rounds, split.value(gamma))?;
    Ok((column_weights::<B, E>(split.layout, &r, E::ONE), split.bind(gamma, &r, value)))
}

/// Weights of all data columns: the first entries of `⊗(1 - r_v, r_v)`, one for each fragment.
fn column_weights<B: FoldableCode, E: ExtensionOf<B>>(layout: &Layout, r: &[E], factor: E) -> Weights<E> {
    Weights::of_fragments::<B>(layout, &TensorForm::point(r), factor)
}

/// Hiding prover: `value_of` evaluates the combination with the given column weights under the form's row part.
#[cfg(feature = "prover")]
pub(crate) fn prove_hiding<B: FoldableCode, E: ExtensionOf<B>>(
    rounds: Rounds,
    tape: &mut ProverTape,
    split: &BatchedClaims<'_, E>,
    mask: usize,
    value_of: impl FnOnce(&[E]) -> Result<E, Unavailable>,
) -> Result<ReducedClaim<B, E>, Unavailable> {
    tape.grind("fold grinding", rounds.grinding);
    let weights = masked_weights::<B, E>(split.layout, tape, mask);
    let masked = value_of(&weights.expand())?;
    tape.send("masked value", &[masked]);
    tape.grind("fold grinding", rounds.grinding);
    let [part] = split.parts.as_slice() else { unreachable!("a hiding proof is of one form") };
    Ok(add_claims(tape, (part, split.layout), weights, masked))
}

/// Verifier of [`prove_hiding`].
pub(crate) fn verify_hiding<B: FoldableCode, E: ExtensionOf<B>>(
    rounds: Rounds,
    tape: &mut VerifierTape<'_>,
    split: &BatchedClaims<'_, E>,
    mask: usize,
) -> Result<ReducedClaim<B, E>, Invalid> {
    let [part] = split.parts.as_slice() else {
        return Err(Invalid("a hiding proof is of one form"));
    };
    tape.grind("fold grinding", rounds.grinding)?;
    let weights = masked_weights::<B, E>(split.layout, tape, mask);
    let masked = tape.receive::<E>("masked value", 1)?.first().copied().ok_or(Invalid("masked value"))?;
    tape.grind("fold grinding", rounds.grinding)?;
    Ok(add_claims(tape, (part, split.layout), weights, masked))
}

/// Random weights of the data columns, then weight one for the chosen mask and zero for the others. The weights
/// `⊗(1 - r_v, r_v)` add up to one whatever `r` is, so that beside a mask of weight one they are no random combination: what
/// every column has too much, the mask could have too little. A factor of their own makes them one. (notes: zk-mask)
pub(crate) fn masked_weights<B: FoldableCode, E: ExtensionOf<B>>(
    layout: &Layout,
    tape: &mut impl Challenger,
    mask: usize,
) -> Weights<E> {
    let r: Vec<E> = tape.challenges("combine columns", layout.log_columns());
    let factor: E = tape.challenge("columns beside the mask");
    let mut weights = column_weights::<B, E>(layout, &r, factor);
    for opening in (0..layout.hidden_openings).filter_map(|i| usize::try_from(i).ok()) {
        let unit = basis::<B, E>();
        weights.push(unit.iter().map(|&b| if opening == mask { b } else { E::ZERO }));
    }
    weights
}

/// Adds `α^(p+1)` times polynomial `p`'s claim to the masked combination.
fn add_claims<B: FoldableCode, E: ExtensionOf<B>>(
    tape: &mut impl Challenger,
    (part, layout): (&Part<'_, E>, &Layout),
    mut weights: Weights<E>,
    masked: E,
) -> ReducedClaim<B, E> {
    let alpha: E = tape.challenge("mask and claims");
    let mut claim = Claim::new(Vec::new(), E::ZERO);
    let scalars: Vec<E> = powers(alpha, part.values.len() + 1).into_iter().skip(1).collect();
    weights.add::<B>(&part.columns, &scalars, layout.entry_columns);
    let value = scalars.iter().zip(part.values).map(|(&s, &v)| s * v).sum::<E>() + masked;
    claim.add_form(E::ONE, part.rows.clone(), value);
    (weights, claim)
}
