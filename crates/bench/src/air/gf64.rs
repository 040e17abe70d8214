//! The additive transform with coefficients and twiddles in GF(2^64) by carry-less products: what encoding over the byte tower is measured
//! against.
//!
//! The same code as the schemes', by the isomorphism of GF(2^64) and the tower, a plane of coefficients for each coordinate. Layers of long
//! runs multiply a run by one twiddle; before the layers of short ones the plane is transposed, so that runs are long again, with a
//! twiddle for each element. All products are the field's kernels on slices.

use field::binary::domain::point;
use field::{Field, Gf64, Tower64};

/// log2 of the elements of the shortest run that is multiplied by one twiddle.
const LOG_SHORT: usize = 6;

/// Encodes messages of `2^log_rows` coefficients of the novel basis, at least 2^6, to blocks of as many positions.
pub struct Encoder {
    log_rows: usize,
    /// For each short layer, the lowest first: twiddles of the first block, one for each column of the transposed plane, for each node.
    twiddles: Vec<Vec<Gf64>>,
    transposed: Vec<Gf64>,
    factors: Vec<Gf64>,
}

/// The point `w(q)`.
fn twiddle(q: usize) -> Gf64 {
    Tower64(point(q as u32).into()).into()
}

impl Encoder {
    /// Makes the twiddles of the short layers.
    ///
    /// # Panics
    /// If messages are shorter than 2^6.
    pub fn new(log_rows: usize) -> Self {
        assert!(log_rows >= LOG_SHORT, "a run of 2^6 elements");
        let columns = 1usize << (log_rows - LOG_SHORT);
        let layer = |s: usize| {
            let nodes = 0..1usize << (LOG_SHORT - 1 - s);
            let row =
                |node: usize| (0..columns).map(move |column| twiddle((column << (LOG_SHORT - s)) + 2 * node));
            nodes.flat_map(row).collect()
        };
        let twiddles = (0..LOG_SHORT).map(layer).collect();
        Self { log_rows, twiddles, transposed: Vec::new(), factors: Vec::new() }
    }

    /// Block number `block` of the codeword, in place of the message.
    ///
    /// # Panics
    /// If the plane has another length.
    pub fn encode(&mut self, plane: &mut [Gf64], block: usize) {
        assert_eq!(plane.len(), 1 << self.log_rows, "the coefficients of a message");
        for s in (LOG_SHORT..self.log_rows).rev() {
            for (node, run) in plane.chunks_exact_mut(2 << s).enumerate() {
                let (u, v) = run.split_at_mut(1 << s);
                // u += t v, v += u
                Gf64::add_scaled(v, twiddle((block << (self.log_rows - s)) + 2 * node), u);
                v.iter_mut().zip(u).for_each(|(v, u)| *v += *u);
            }
        }
        let mut transposed = std::mem::take(&mut self.transposed);
        transposed.resize(plane.len(), Gf64::ZERO);
        transpose(plane, &mut transposed, 1 << LOG_SHORT);
        self.short_layers(&mut transposed, block);
        transpose(&transposed, plane, plane.len() >> LOG_SHORT);
        self.transposed = transposed;
    }

    fn short_layers(&mut self, plane: &mut [Gf64], block: usize) {
        let columns = plane.len() >> LOG_SHORT;
        for s in (0..LOG_SHORT).rev() {
            // Points are linear in their positions: the block adds one to all twiddles of a layer.
            let of_block = twiddle(block << (self.log_rows - s));
            let nodes = self.twiddles[s].chunks_exact(columns);
            for (node, twiddles) in plane.chunks_exact_mut(columns << (s + 1)).zip(nodes) {
                let (u, v) = node.split_at_mut(columns << s);
                for (u, v) in u.chunks_exact_mut(columns).zip(v.chunks_exact_mut(columns)) {
                    self.factors.clear();
                    self.factors.extend(twiddles.iter().map(|&t| t + of_block));
                    Gf64::multiply_slice(&mut self.factors, v);
                    for ((u, v), product) in u.iter_mut().zip(v).zip(&self.factors) {
                        *u += *product;
                        *v += *u;
                    }
                }
            }
        }
    }
}

/// The transpose of a row-major matrix with rows of `width`, by squares that fit the first-level cache.
fn transpose(from: &[Gf64], to: &mut [Gf64], width: usize) {
    const SQUARE: usize = 16;
    let height = from.len() / width;
    for rows in (0..height).step_by(SQUARE) {
        for columns in (0..width).step_by(SQUARE) {
            for column in columns..width.min(columns + SQUARE) {
                for row in rows..height.min(rows + SQUARE) {
                    to[column * height + row] = from[row * width + column];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ours::random;
    use field::{BlockShape, FoldableCode};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The values of the polynomial by the definition of its basis, and the schemes' codeword under the isomorphism.
    #[test]
    fn the_code_is_the_schemes() {
        for (log_rows, log_inv_rate) in [(6, 1), (7, 0), (8, 2)] {
            let mut rng = ChaCha8Rng::seed_from_u64(log_rows);
            let log_rows = log_rows as usize;
            let message: Vec<Tower64> = random(&mut rng, 1 << log_rows);
            let coefficients: Vec<Gf64> = message.iter().map(|&x| x.into()).collect();
            let mut encoder = Encoder::new(log_rows);
            for block in 0..1usize << log_inv_rate {
                let shape = BlockShape { width: 1, log_rows, log_domain: log_rows + log_inv_rate, block };
                let marked = (1 << log_inv_rate) + block;
                let mut plane = coefficients.clone();
                encoder.encode(&mut plane, marked);
                let mut tower = Vec::new();
                Tower64::encode_block(&message, shape, &mut tower, &|_, _| {});
                let expected: Vec<Gf64> = tower.into_iter().map(Gf64::from).collect();
                assert_eq!(plane, expected, "block {block} of 2^{log_rows}");
                for (i, &value) in plane.iter().enumerate().step_by(37) {
                    let q = (marked << log_rows) + i;
                    let basis = |c: usize| {
                        let factors = (0..log_rows).filter(|b| c >> b & 1 == 1).map(|b| twiddle(q >> b));
                        factors.fold(Gf64::ONE, |product, w| product * w)
                    };
                    let sum: Gf64 = coefficients.iter().enumerate().map(|(c, &x)| x * basis(c)).sum();
                    assert_eq!(value, sum, "position {q}");
                }
            }
        }
    }
}
