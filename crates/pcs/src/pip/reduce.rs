//! From claims about the committed polynomials to claims about one combined fragment. (notes: pip-partial)
//!
//! Openly: the prover sends the value of every column under every form's row part; the column part of the form
//! links them to the claimed values, and a random combination of the columns inherits them.
//! Hiding: those values would leak, so the combination is masked by a random column, its one value is sent, and
//! the claims enter by the powers of a further challenge. (notes: zk-mask)

#[cfg(test)]
use super::lies::{Lie, told};
use super::params::{Params, ceil_log2};
use crate::claims::Claims;
use field::{ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::poly::{Tensor, basis, dot, powers};
use iop::transcript::{Challenger, ProverTape, VerifierTape};

/// Weights of the base-field columns and the claims about their combination.
pub(super) type Reduced<E> = (Vec<E>, Vec<(Tensor<E>, E)>);

/// The claims of an opening split into column and row parts: the commitment's out-of-domain claim first.
pub(super) struct Split<E> {
    /// Per claim: weights of the fragments, the form on a fragment's rows, one value per polynomial.
    pub parts: Vec<(Vec<E>, Tensor<E>, Vec<E>)>,
}

impl<E: field::Field> Split<E> {
    pub fn new(params: &Params, out_of_domain: Option<(&Tensor<E>, &[E])>, claims: &Claims<E>) -> Self {
        let split = |(form, values): (&Tensor<E>, &[E])| {
            let (columns, rows) = form.split(params.level.log_columns as usize);
            (columns.expand(), rows, values.to_vec())
        };
        let given = claims.forms.iter().zip(claims.values.iter().map(Vec::as_slice));
        Self { parts: out_of_domain.into_iter().chain(given).map(split).collect() }
    }
}

/// Prover: `partials[j]` holds the value of every column under claim `j`'s row part.
pub(super) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut ProverTape,
    split: &Split<E>,
    partials: &[Vec<E>],
) -> Reduced<E> {
    partials.iter().for_each(|partial| tape.send("partial evaluations", partial));
    combine::<B, E>(params, tape, split, partials)
}

/// Verifier of [`prove`].
pub(super) fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut VerifierTape<'_>,
    split: &Split<E>,
) -> Result<Reduced<E>, Invalid> {
    let fragments = 1usize << params.level.log_columns;
    let mut partials = Vec::with_capacity(split.parts.len());
    for (columns, _, values) in &split.parts {
        let partial: Vec<E> = tape.receive("partial evaluations", params.columns())?;
        if partial.len() != values.len() * fragments {
            return Err(Invalid("partial evaluations"));
        }
        for (of_polynomial, value) in partial.chunks_exact(fragments).zip(values) {
            if dot(of_polynomial, columns) != *value {
                return Err(Invalid("the partial evaluations do not add up to the value"));
            }
        }
        partials.push(partial);
    }
    Ok(combine::<B, E>(params, tape, split, &partials))
}

fn combine<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut impl Challenger,
    split: &Split<E>,
    partials: &[Vec<E>],
) -> Reduced<E> {
    let weights = column_weights(params, tape);
    let claims = split.parts.iter().zip(partials).map(|((_, rows, _), p)| (rows.clone(), dot(&weights, p)));
    let claims = claims.collect();
    (weights, claims)
}

/// Random weights of all data columns: the first entries of `⊗(1 - r_v, r_v)`.
fn column_weights<E: field::Field>(params: &Params, tape: &mut impl Challenger) -> Vec<E> {
    let r: Vec<E> = tape.challenges("combine columns", ceil_log2(params.columns()));
    let mut weights = Tensor::point(&r).expand();
    weights.truncate(params.columns());
    weights
}

/// Hiding prover: `value_of` evaluates the combination with the given column weights under the form's row part.
pub(super) fn prove_hiding<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut ProverTape,
    split: &Split<E>,
    mask: usize,
    value_of: impl FnOnce(&[E]) -> E,
) -> Reduced<E> {
    let weights = masked_weights::<B, E>(params, tape, mask);
    let masked = value_of(&weights);
    #[cfg(test)]
    let masked = if told(Lie::MaskedValue) { masked + E::ONE } else { masked };
    tape.send("masked value", &[masked]);
    add_claims(params, tape, split, weights, masked)
}

/// Verifier of [`prove_hiding`].
pub(super) fn verify_hiding<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut VerifierTape<'_>,
    split: &Split<E>,
    mask: usize,
) -> Result<Reduced<E>, Invalid> {
    let weights = masked_weights::<B, E>(params, tape, mask);
    let masked = tape.receive::<E>("masked value", 1)?.first().copied().ok_or(Invalid("masked value"))?;
    Ok(add_claims(params, tape, split, weights, masked))
}

/// Random weights of the data columns, then weight one for the chosen mask and zero for the others.
fn masked_weights<B: TwoAdic, E: ExtensionOf<B>>(
    params: &Params,
    tape: &mut impl Challenger,
    mask: usize,
) -> Vec<E> {
    let mut weights = column_weights(params, tape);
    for opening in 0..params.hidden_openings as usize {
        let unit = basis::<B, E>();
        weights.extend(unit.iter().map(|&b| if opening == mask { b } else { E::ZERO }));
    }
    weights
}

/// Adds `α^(p+1)` times polynomial `p`'s claim to the masked combination.
fn add_claims<E: field::Field>(
    params: &Params,
    tape: &mut impl Challenger,
    split: &Split<E>,
    mut weights: Vec<E>,
    masked: E,
) -> Reduced<E> {
    let alpha: E = tape.challenge("mask and claims");
    let mut claims = Vec::new();
    for (columns, rows, values) in split.parts.iter().take(1) {
        let scalars = powers(alpha, values.len() + 1);
        let fragments = 1usize << params.level.log_columns;
        for (of_polynomial, &scalar) in weights.chunks_mut(fragments).zip(scalars.iter().skip(1)) {
            of_polynomial.iter_mut().zip(columns).for_each(|(w, &c)| *w += scalar * c);
        }
        let value = scalars.iter().skip(1).zip(values).map(|(&s, &v)| s * v).sum::<E>() + masked;
        claims.push((rows.clone(), value));
    }
    (weights, claims)
}
