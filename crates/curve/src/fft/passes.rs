//! The two passes of a transform, and their layers.

use ark_ff::PrimeField;

use super::{Pack, Plan, parts};

/// The first pass over columns `block V::WIDTH ..`: their transforms, times `w^(i2 k1)`.
#[inline(always)]
pub(crate) fn columns<F: PrimeField, V: Pack<F>>(
    plan: &Plan<F, V>,
    values: &[F],
    block: usize,
    out: &mut [V],
) {
    let [n1, n2] = plan.sizes;
    for i in 0..n1 {
        let at = i * n2 + block * V::WIDTH;
        out[plan.positions[0][i] as usize] = V::pack(&values[at..at + V::WIDTH]);
    }
    layers(out, &plan.roots[0]);
    let first = plan.root.pow([(block * V::WIDTH) as u64]);
    let mut step = [F::ONE; 8];
    for (step, lane) in step.iter_mut().zip(&plan.lanes) {
        *step = first * lane;
    }
    let step = V::pack(&step[..V::WIDTH]);
    let [square, fourth] = {
        let square = step * step;
        [square, square * square]
    };
    // Four chains of products, since one would wait for itself.
    let one = V::pack(&[F::ONE; 8][..V::WIDTH]);
    let mut chains = [one, step, square, square * step];
    for four in out.chunks_mut(4) {
        for i in 0..four.len() {
            four[i] = four[i] * chains[i];
        }
        let [a, b] = V::products([&chains[0], &chains[1]], [&fourth; 2]);
        let [c, d] = V::products([&chains[2], &chains[3]], [&fourth; 2]);
        chains = [a, b, c, d];
    }
}

/// The second pass over rows `block V::WIDTH ..`: their transforms, times the factor of the result.
#[inline(always)]
pub(crate) fn rows<F: PrimeField, V: Pack<F>>(plan: &Plan<F, V>, columns: &[V], block: usize, out: &mut [V]) {
    let [n1, n2] = plan.sizes;
    let first = V::WIDTH * block;
    let mut square = [columns[0]; 8];
    for b in 0..n2 / V::WIDTH {
        for i in 0..V::WIDTH {
            square[i] = columns[b * n1 + first + i];
        }
        V::transpose(&mut square[..V::WIDTH]);
        for i in 0..V::WIDTH {
            out[plan.positions[1][b * V::WIDTH + i] as usize] = square[i];
        }
    }
    layers(out, &plan.roots[1]);
    if let Some([slow, fast]) = &plan.after {
        for k in 0..n2 {
            out[k] = out[k] * (slow[k] * fast[block]);
        }
    }
}

/// The lengths of columns and of rows, which have the factor that is odd.
pub(super) fn sizes(size: usize) -> [usize; 2] {
    let [odd, even] = parts(size);
    let log = even.trailing_zeros();
    let log_columns = if odd == 1 { log / 2 } else { (log + odd.ilog2()).div_ceil(2).min(log - 3) };
    [1 << log_columns, odd << (log - log_columns)]
}

/// The positions of elements before the layers: those of a remainder by the last layer's factor are neighbours, and among them the same holds of the layers
/// before. For `2^k`, bits reversed.
pub(super) fn positions(n: usize) -> Vec<u32> {
    let mut positions = vec![0];
    while positions.len() < n {
        let len = positions.len();
        let factor = if parts(n)[1] > len { 2 } else { 3 };
        positions = (0..factor * len).map(|i| positions[i / factor] + ((i % factor) * len) as u32).collect();
    }
    positions
}

/// The layers of a transform of packs in the order of [`positions`]; `roots` are the powers of the root, half as many if there are `2^k` packs.
#[inline(always)]
fn layers<F, V: Pack<F>>(values: &mut [V], roots: &[V]) {
    let n = values.len();
    let [_, even] = parts(n);
    for pair in values.chunks_exact_mut(2) {
        (pair[0], pair[1]) = (pair[0] + pair[1], pair[0] - pair[1]);
    }
    let mut half = 2;
    while half < even {
        let step = n / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            let mut i = 0;
            while i < half {
                let t = V::products([&high[i], &high[i + 1]], [&roots[i * step], &roots[(i + 1) * step]]);
                (low[i], high[i]) = (low[i] + t[0], low[i] - t[0]);
                (low[i + 1], high[i + 1]) = (low[i + 1] + t[1], low[i + 1] - t[1]);
                i += 2;
            }
        }
        half *= 2;
    }
    let mut third = even;
    while third < n {
        let step = n / (3 * third);
        let unit = roots[n / 3];
        for block in values.chunks_exact_mut(3 * third) {
            for i in 0..third {
                let [b, c] = V::products(
                    [&block[third + i], &block[2 * third + i]],
                    [&roots[i * step], &roots[2 * i * step]],
                );
                // With 1 + u + u^2 = 0: a + u b + u^2 c = a - c + u (b - c).
                let (a, turned) = (block[i], (b - c) * unit);
                block[i] = a + b + c;
                block[third + i] = a - c + turned;
                block[2 * third + i] = a - b - turned;
            }
        }
        third *= 3;
    }
}
