//! What codes need of a field.

use crate::{ExtensionOf, Field, parallel};
use alloc::vec::Vec;
use core::fmt::Debug;

/// The alphabet of Reed-Solomon codes whose positions form a tower of 2-to-1 maps. (notes: codes-alphabet)
///
/// ```text
///  codeword[q] = ⟨message, ⊗_v (1, t_v(q))⟩       t_v(q) = factor(halved v times (point(q)))
/// ```
/// Two kinds: fields with a two-power subgroup ([`TwoAdic`]: `t_v = x^(2^v)`, so the message holds monomial coefficients), and
/// binary fields (`t_v = W_v(x)`, the vanishing polynomial of a subspace, so it holds coefficients of the novel basis).
///
/// Laws: [`FoldableCode::encode_block`], [`FoldableCode::encode_rows`], [`FoldableCode::accumulate_rows`], [`FoldableCode::apply_rows`] and
/// [`FoldableCode::evaluate`] agree with the formula above; [`FoldableCode::encode_in_place`] with [`FoldableCode::encode_block`], of which
/// [`FoldableCode::decode_block`] is the inverse.
pub trait FoldableCode: Field {
    /// A position of a code, as far as the tower maps need to know it.
    type Point: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// log2 of the longest code.
    const MAX_LOG_DOMAIN: usize;

    /// The point at a position of the code with `2^log_domain` positions.
    fn point(log_domain: usize, position: usize) -> Self::Point;

    /// The weight of the message's lowest variable at a point.
    fn factor(point: Self::Point) -> Self;

    /// The image of a point under the 2-to-1 map: where the rest of the variables are looked up.
    #[must_use]
    fn halved(point: Self::Point) -> Self::Point;

    /// Encodes every column of a row-major message of at least `2^log_rows` rows; `out` becomes the rows of the codeword
    /// at positions `block << log_rows` and on, `2^log_rows` of them. What it held does not matter; its capacity is used again.
    ///
    /// Rows of the message beyond `2^log_rows` are further coefficients; binary fields take `2^log_rows` of them at most.
    /// `done` is called with pieces of rows that are final, each row once, from any thread, while they are still in the
    /// cache, and the number of their first row: `2^k` rows that start at a multiple of `2^k`, at least 16 unless
    /// the block is shorter.
    ///
    /// # Panics
    /// If the lengths do not fit, or the code is too long.
    fn encode_block(message: &[Self], shape: BlockShape, out: &mut Vec<Self>, done: Done<'_, Self>);

    /// Encodes a message where it stands, as far as some rows of a block depend on it: of the `2^log_rows` rows that `matrix`
    /// holds afterwards, those that `rows` counts, in ascending order, are the rows of the block. The others are not specified.
    ///
    /// Cost: at most that of [`FoldableCode::encode_block`]; over binary fields no memory is taken, and layers of few rows cost
    /// what these rows do.
    ///
    /// # Panics
    /// As [`FoldableCode::encode_block`].
    fn encode_rows(matrix: &mut Vec<Self>, shape: BlockShape, rows: &[usize]) {
        debug_assert!(
            rows.is_sorted() && rows.iter().all(|row| row >> shape.log_rows == 0),
            "rows of the block"
        );
        let message = core::mem::take(matrix);
        Self::encode_block(&message, shape, matrix, &|_, _| {});
    }

    /// [`FoldableCode::encode_block`] where the message stands: `matrix` becomes the rows of the block.
    ///
    /// Cost: over binary fields no memory is taken.
    ///
    /// # Panics
    /// As [`FoldableCode::encode_block`].
    fn encode_in_place(matrix: &mut Vec<Self>, shape: BlockShape, done: Done<'_, Self>) {
        let message = core::mem::take(matrix);
        Self::encode_block(&message, shape, matrix, done);
    }

    /// [`FoldableCode::encode_in_place`], and [`FoldableCode::encode_block`] of another block of the same message, whose number and place are
    /// `other`; `dones` in the same order.
    ///
    /// Cost: over binary fields of large blocks one pass over the message for both.
    ///
    /// # Panics
    /// As [`FoldableCode::encode_block`].
    fn encode_two(
        matrix: &mut Vec<Self>,
        shape: BlockShape,
        (block, out): (usize, &mut Vec<Self>),
        dones: [Done<'_, Self>; 2],
    ) {
        Self::encode_block(matrix, BlockShape { block, ..shape }, out, dones[1]);
        Self::encode_in_place(matrix, shape, dones[0]);
    }

    /// From a block back to the message of `2^log_rows` rows whose encoding it is.
    ///
    /// # Panics
    /// If `matrix` is not `2^log_rows` rows.
    fn decode_block(matrix: &mut [Self], shape: BlockShape) {
        let inverse = |[t, u]: [Self; 2], [a, b]: [Self; 2]| {
            let high = (b - a) * u;
            [a - t * high, high]
        };
        (0..shape.log_rows).for_each(|bit| layer(matrix, shape, bit, inverse));
    }

    /// The transpose of [`FoldableCode::decode_block`]: from weights of a message's rows to those of the block's rows with
    /// the same sum, column by column.
    ///
    /// # Panics
    /// If `weights` are not `2^log_rows` rows.
    fn weigh_block(weights: &mut [Self], shape: BlockShape) {
        let transposed = |[t, u]: [Self; 2], [a, b]: [Self; 2]| {
            let high = (b - t * a) * u;
            [a - high, high]
        };
        (0..shape.log_rows).rev().for_each(|bit| layer(weights, shape, bit, transposed));
    }

    /// `out[i] += Σ_j scalars[j] · (row of points[j])[i]`: the transposed encoding of a word that is zero but at a few
    /// positions. `out` has a power of two of entries. One thread: for verifiers.
    fn accumulate_rows<E: ExtensionOf<Self>>(points: &[Self::Point], scalars: &[E], out: &mut [E]) {
        for (&point, &scalar) in points.iter().zip(scalars) {
            let (mut point, mut row) = (point, Vec::with_capacity(out.len()));
            row.push(scalar);
            while row.len() < out.len() {
                let factor = E::lift(Self::factor(point));
                row.extend_from_within(..);
                let half = row.len() / 2;
                row.iter_mut().skip(half).for_each(|w| *w *= factor);
                point = Self::halved(point);
            }
            out.iter_mut().zip(row).for_each(|(o, w)| *o += w);
        }
    }

    /// [`FoldableCode::accumulate_rows`] on all threads, for provers.
    fn accumulate_rows_parallel<E: ExtensionOf<Self>>(points: &[Self::Point], scalars: &[E], out: &mut [E]) {
        Self::accumulate_rows(points, scalars, out);
    }

    /// Binds the lowest variable of a sum of rows to `r`: `scalars[j] *= 1 + r (t_0 - 1)`, and the points halve.
    fn bind_rows<E: ExtensionOf<Self>>(points: &mut [Self::Point], scalars: &mut [E], r: E) {
        for (point, scalar) in points.iter_mut().zip(scalars) {
            *scalar *= E::ONE + r.scale(Self::factor(*point) - Self::ONE);
            *point = Self::halved(*point);
        }
    }

    /// `Σ_j scalars[j] · ⟨message, row of points[j]⟩`: the product of a message and what [`FoldableCode::accumulate_rows`] adds up. One
    /// thread: for verifiers.
    fn apply_rows<E: ExtensionOf<Self>>(points: &[Self::Point], scalars: &[E], message: &[E]) -> E {
        let mut weights = vec![E::ZERO; message.len()];
        Self::accumulate_rows(points, scalars, &mut weights);
        weights.iter().zip(message).map(|(&w, &x)| w * x).sum()
    }

    /// [`FoldableCode::evaluate`] at many points, of one code or of several.
    fn evaluate_many<E: ExtensionOf<Self>>(message: &[E], points: &[Self::Point]) -> Vec<E> {
        points.iter().map(|&point| Self::evaluate(message, point)).collect()
    }

    /// The codeword of a message, of any length, at a point.
    fn evaluate<E: ExtensionOf<Self>>(message: &[E], mut point: Self::Point) -> E {
        let mut left = message.to_vec();
        while left.len() > 1 {
            let factor = E::lift(Self::factor(point));
            let pair = |pair: &[E]| match *pair {
                [low, high] => low + high * factor,
                [low, ..] => low,
                [] => E::ZERO,
            };
            left = left.chunks(2).map(pair).collect();
            point = Self::halved(point);
        }
        left.first().copied().unwrap_or(E::ZERO)
    }
}

/// Replaces the pairs of rows that differ in a bit of their number; `change` is given the weight `t` of the bit's variable at the
/// first row, and the inverse of the difference to its weight at the other.
fn layer<B: FoldableCode>(
    matrix: &mut [B],
    shape: BlockShape,
    bit: usize,
    change: impl Fn([B; 2], [B; 2]) -> [B; 2],
) {
    let BlockShape { width, log_rows, log_domain, block } = shape;
    assert_eq!(matrix.len(), width << log_rows, "the rows of a block");
    let weight = |position| B::factor((0..bit).fold(B::point(log_domain, position), |x, _| B::halved(x)));
    for (node, rows) in matrix.chunks_exact_mut(width << (bit + 1)).enumerate() {
        let first = (block << log_rows) + (node << (bit + 1));
        let t = weight(first);
        let inverse = (weight(first + (1 << bit)) - t).inverse().expect("two points have two weights");
        let (low, high) = rows.split_at_mut(width << bit);
        for (a, b) in low.iter_mut().zip(high) {
            [*a, *b] = change([t, inverse], [*a, *b]);
        }
    }
}

/// What [`FoldableCode::encode_block`] tells its caller: the number of a first row, and rows from it on.
pub type Done<'a, B> = &'a (dyn Fn(usize, &[B]) + Sync);

/// One block of a codeword of [`FoldableCode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    /// Number of columns.
    pub width: usize,
    /// log2 of the rows of the message, and of a block.
    pub log_rows: usize,
    /// log2 of the number of positions of the code.
    pub log_domain: usize,
    /// Number of the block.
    pub block: usize,
}

/// A field with a large two-power subgroup.
///
/// Laws: `root_of_unity(k)` has order exactly `2^k`, and `root_of_unity(k)^2 == root_of_unity(k-1)`;
/// `GENERATOR` lies in no proper two-power subgroup; `ntt_rows` agrees with evaluation.
pub trait TwoAdic: Field {
    /// The largest `k` such that `2^k` divides the order of the multiplicative group.
    const TWO_ADICITY: usize;
    /// An element outside every two-power subgroup: the shift of evaluation cosets.
    const GENERATOR: Self;

    /// A generator of the subgroup of order `2^log_order`.
    ///
    /// # Panics
    /// If `log_order` exceeds [`TwoAdic::TWO_ADICITY`].
    fn root_of_unity(log_order: usize) -> Self;

    /// Evaluates every column of a row-major matrix on the coset `shift * <w>`, with `w` of order `rows`.
    ///
    /// Column `k` of `message` holds the coefficients of a polynomial of degree below
    /// `message.len() / width`; `out` has `rows * width` elements, `rows` a power of two. The message may
    /// have fewer rows than `out` (the rest counts as zero) or more: coefficient `i` then adds
    /// `shift^i c_i` to slot `i mod rows`, because `w^rows = 1`. Row `i` of the result is the evaluation at
    /// `shift * w^bitrev(i)`, so the points `x` and `-x` stand in adjacent rows. What `out` held before
    /// does not matter.
    ///
    /// # Panics
    /// If `width` is zero, the lengths are no multiples of it, or `rows` is not a power of two.
    fn ntt_rows(message: &[Self], width: usize, shift: Self, out: &mut [Self]) {
        crate::kernels::ntt::scalar(message, width, shift, out);
    }

    /// [`TwoAdic::ntt_rows`] into a vector: the `rows * width` values replace what it held. Its capacity is used
    /// again, and the values are the first thing written to it.
    fn ntt_rows_into(message: &[Self], width: usize, shift: Self, rows: usize, out: &mut Vec<Self>) {
        out.clear();
        out.resize(rows * width, Self::ZERO);
        Self::ntt_rows(message, width, shift, out);
    }
}

/// Position `i` is the point `GENERATOR w^bitrev(i)`: `x` and `-x` are neighbours, and squaring keeps the order.
impl<F: TwoAdic> FoldableCode for F {
    type Point = F;
    const MAX_LOG_DOMAIN: usize = F::TWO_ADICITY;

    fn point(log_domain: usize, position: usize) -> F {
        let reversed =
            if log_domain == 0 { 0 } else { (position as u64).reverse_bits() >> (64 - log_domain) };
        F::GENERATOR * F::root_of_unity(log_domain).pow(reversed)
    }

    fn factor(point: F) -> F {
        point
    }

    fn halved(point: F) -> F {
        point.square()
    }

    fn encode_block(message: &[F], shape: BlockShape, out: &mut Vec<F>, done: Done<'_, F>) {
        let BlockShape { width, log_rows, log_domain, block } = shape;
        let shift = F::point(log_domain, block << log_rows);
        F::ntt_rows_into(message, width, shift, 1 << log_rows, out);
        done(0, out);
    }

    fn accumulate_rows<E: ExtensionOf<F>>(points: &[F], scalars: &[E], out: &mut [E]) {
        E::accumulate_powers(points, scalars, out);
    }

    fn accumulate_rows_parallel<E: ExtensionOf<F>>(points: &[F], scalars: &[E], out: &mut [E]) {
        // Several chunks a thread, so that one that starts late does not keep the others waiting.
        let chunk = out.len().div_ceil(4 * parallel::threads()).max(1 << 10);
        parallel::for_each(out.chunks_mut(chunk).enumerate(), |(i, out)| {
            let start = (i * chunk) as u64;
            let shifted: Vec<E> = points.iter().zip(scalars).map(|(x, &s)| s.scale(x.pow(start))).collect();
            E::accumulate_powers(points, &shifted, out);
        });
    }

    /// `1 + r (x - 1)` is the value of `(1 - r) + r X` at `x`.
    fn bind_rows<E: ExtensionOf<F>>(points: &mut [F], scalars: &mut [E], r: E) {
        let mut factors = vec![E::ZERO; points.len()];
        E::evaluate_powers(&[E::ONE - r, r], points, &mut factors);
        E::multiply_slice(scalars, &factors);
        points.iter_mut().for_each(|x| *x = x.square());
    }

    fn apply_rows<E: ExtensionOf<F>>(points: &[F], scalars: &[E], message: &[E]) -> E {
        E::inner_product(&Self::evaluate_many(message, points), scalars)
    }

    fn evaluate_many<E: ExtensionOf<F>>(message: &[E], points: &[F]) -> Vec<E> {
        let mut values = vec![E::ZERO; points.len()];
        E::evaluate_powers(message, points, &mut values);
        values
    }

    fn evaluate<E: ExtensionOf<F>>(message: &[E], x: F) -> E {
        message.iter().rev().fold(E::ZERO, |acc, &c| acc.scale(x) + c)
    }
}
