//! Words on the prover's side: folding. Positions are bit-reversed, so `x` and `-x` are neighbours.

use field::{ExtensionOf, TwoAdic, parallel};

/// Folded values that one task computes: its pairs stay in the second-level cache.
const TASK: usize = 1 << 12;

/// The inverses of the points of a domain without its shift, `w^-bitrev(2j)` for the pairs `j`. Squaring the domain
/// halves the table: the pairs of a folded word use its first entries.
#[derive(Debug)]
pub(crate) struct InverseRoots<B>(Vec<B>);

impl<B: TwoAdic> InverseRoots<B> {
    /// The table for a domain of `2^log_domain` points. Cost: one product per pair.
    pub fn new(log_domain: usize) -> Self {
        let mut table = Vec::with_capacity(1 << (log_domain - 1));
        table.push(B::ONE);
        // Bit k of j is bit log_domain - 2 - k of the exponent, whatever the domain.
        for k in 0..log_domain - 1 {
            let step = B::root_of_unity(k + 2).inverse().expect("a root of unity");
            table.extend_from_within(..);
            parallel::for_each(table[1 << k..].chunks_mut(TASK), |part| {
                part.iter_mut().for_each(|x| *x *= step)
            });
        }
        Self(table)
    }

    /// Folds a word by `r`; `squarings` folds came before it.
    pub fn fold<E: ExtensionOf<B>>(&self, word: &[E], squarings: usize, r: E) -> Vec<E> {
        let [even, odd] = [E::ONE - r, r.scale(inverse_shift(squarings))];
        let mut out = vec![E::ZERO; word.len() / 2];
        let parts = word.chunks(2 * TASK).zip(self.0.chunks(TASK)).zip(out.chunks_mut(TASK));
        parallel::for_each(parts, |((pairs, points), out)| {
            E::fold_pairs(pairs, &points[..out.len()], even, odd, out);
        });
        out
    }

    /// Folds a word over the base field, the first, by `r`.
    pub fn fold_base<E: ExtensionOf<B>>(&self, word: &[B], r: E) -> Vec<E> {
        let half = (B::ONE + B::ONE).inverse().expect("the characteristic is odd");
        let weights = [(E::ONE - r).scale(half), r.scale(half * inverse_shift(0))];
        let mut out = vec![E::ZERO; word.len() / 2];
        let task = |((pairs, points), out): ((&[B], &[B]), &mut [E])| {
            let mut parts = Vec::with_capacity(pairs.len());
            for (p, &x) in pairs.chunks_exact(2).zip(points) {
                parts.extend_from_slice(&[p[0] + p[1], (p[0] - p[1]) * x]);
            }
            E::combine_columns(&parts, &weights, out);
        };
        parallel::for_each(word.chunks(2 * TASK).zip(self.0.chunks(TASK)).zip(out.chunks_mut(TASK)), task);
        out
    }
}

/// The inverse of the domain's shift after so many squarings.
fn inverse_shift<B: TwoAdic>(squarings: usize) -> B {
    let inverse = B::GENERATOR.inverse().expect("a generator");
    (0..squarings).fold(inverse, |x, _| x.square())
}
