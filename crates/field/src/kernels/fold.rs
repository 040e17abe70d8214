//! The fold of a codeword: the reference.

use crate::{ExtensionOf, Field};

/// The meaning of [`ExtensionOf::fold_pairs`]; `weights` are those of the even and the odd part.
pub(crate) fn scalar<B: Field, E: ExtensionOf<B>>(
    pairs: &[E],
    inverse_points: &[B],
    weights: [E; 2],
    out: &mut [E],
) {
    check(pairs.len(), inverse_points.len(), out.len());
    let [even, odd] = halves(weights);
    for ((pair, &x), o) in pairs.chunks_exact(2).zip(inverse_points).zip(out) {
        *o = even * (pair[0] + pair[1]) + odd * (pair[0] - pair[1]).scale(x);
    }
}

/// The weights divided by two.
pub(crate) fn halves<E: Field>(weights: [E; 2]) -> [E; 2] {
    let half = E::from_u64(2).inverse().expect("the characteristic is odd");
    weights.map(|weight| weight * half)
}

/// Checks the shape of a call of [`ExtensionOf::fold_pairs`].
pub(crate) fn check(pairs: usize, points: usize, out: usize) {
    assert_eq!(pairs, 2 * out, "two values fold into one");
    assert_eq!(points, out, "one point per folded value");
}
