//! The length of a proof, as far as parameters fix it. (notes: pip-size)
//!
//! Everything but the opened rows and their paths has one length. Those depend on where the drawn positions fall: equal
//! positions are opened once, and neighbours share their paths.
//!
//! ```text
//!  o_l: nodes of depth l above an opened leaf, of 2^l        rows = o_h        siblings = Σ_{l=1}^{h} (2 o_{l-1} - o_l)
//! ```

use super::layout::Layout;
use super::round::Round;
use alloc::vec::Vec;
use iop::sumcheck::Rounds;
#[cfg(test)]
use iop::transcript::{Call, Kind};

/// Bytes of a proof of work.
const NONCE: u64 = 8;

/// The length of proofs under some parameters, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    fixed: u64,
    openings: Vec<Opening>,
}

/// Rows of a tree of `2^log_leaves`, opened at so many positions drawn with replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Opening {
    pub log_leaves: u32,
    pub queries: u32,
    /// Bytes of a leaf.
    pub row: u64,
    /// Bytes of a digest.
    pub digest: u64,
}

/// Bytes of a proof of work of so many bits.
pub(crate) fn nonce(grinding: u32) -> u64 {
    if grinding > 0 { NONCE } else { 0 }
}

/// Bytes of the messages of a sumcheck over elements of `extension` bytes.
pub(crate) fn rounds(rounds: Rounds, extension: u64) -> u64 {
    rounds.count as u64 * (2 * extension + nonce(rounds.grinding))
}

impl Size {
    /// Messages of so many bytes, and rows.
    pub(crate) fn new(fixed: u64, openings: Vec<Opening>) -> Self {
        Self { fixed, openings }
    }

    /// The same messages with the rows of the first matrix in several trees, of so many polynomials each.
    pub(crate) fn among(mut self, polynomials: &[u32]) -> Self {
        let Some(first) = self.openings.first().copied() else { return self };
        let all: u64 = polynomials.iter().copied().map(u64::from).sum();
        let row = |&count: &u32| Opening { row: first.row / all.max(1) * u64::from(count), ..first };
        self.openings.splice(..1, polynomials.iter().map(row));
        self
    }

    /// Bytes that every proof has: all messages but rows and paths.
    pub fn fixed(&self) -> u64 {
        self.fixed
    }

    /// The expected length, over uniform positions.
    pub fn expected(&self) -> f64 {
        self.openings.iter().map(Opening::expected).sum::<f64>() + self.fixed as f64
    }

    /// The length that no proof exceeds, and that some positions reach.
    pub fn most(&self) -> u64 {
        self.openings.iter().map(Opening::most).sum::<u64>().saturating_add(self.fixed)
    }
}

impl Opening {
    fn expected(&self) -> f64 {
        // 2^l leaves without one that was drawn are 2^l (1 - 2^-l)^q.
        let occupied = |depth: u32| {
            let n = libm::exp2(f64::from(depth));
            -n * libm::expm1(f64::from(self.queries) * libm::log1p(-1.0 / n))
        };
        let siblings: f64 = (1..=self.log_leaves).map(|l| 2.0 * occupied(l - 1) - occupied(l)).sum();
        self.row as f64 * occupied(self.log_leaves) + self.digest as f64 * siblings
    }

    /// For a number of distinct positions, paths are longest where every depth has as many nodes as it can, which evenly
    /// spread positions have at all depths at once.
    fn most(&self) -> u64 {
        let leaves = 1u64 << self.log_leaves;
        let of = |positions: u64| {
            let nodes = |l: u32| positions.min(1 << l);
            let siblings: u64 = (1..=self.log_leaves).map(|l| 2 * nodes(l - 1) - nodes(l)).sum();
            self.row * positions + self.digest * siblings
        };
        (1..=leaves.min(self.queries.into())).map(of).max().unwrap_or(0)
    }
}

impl Layout {
    /// Bytes of the messages that turn the claims into one about one combined fragment.
    pub fn reduction(&self, extension: u64) -> u64 {
        let first = &self.first;
        if self.hidden_openings > 0 {
            // The mask's number and the masked value, between two proofs of work.
            1 + extension + 2 * nonce(first.rounds.grinding)
        } else {
            rounds(first.rounds, extension)
        }
    }

    /// The length of openings whose inner argument is the recursion, with elements of `base` and of `extension` bytes;
    /// `before` is what the scheme sends before the claims become one.
    pub fn size(&self, [base, extension]: [usize; 2], before: u64) -> Size {
        let [base, extension] = [base as u64, extension as u64];
        let first = &self.first;
        let sample = if self.out_of_domain { extension } else { 0 };
        let digest = self.hash.bytes() as u64;
        let level = |stage: &Round| digest + sample + rounds(stage.rounds, extension);
        let last = self.stages.last().unwrap_or(first).shape.code.log_rows;
        let in_clear = extension * (first.shape.code.extra as u64 + (1 << last));
        let work: u64 = self.stages.iter().map(|stage| nonce(stage.grinding)).sum();
        let levels: u64 = self.stages.iter().skip(1).map(level).sum();
        let opening = |stage: &Round| Opening {
            log_leaves: stage.shape.code.log_domain() as u32,
            queries: stage.queries as u32,
            row: stage.shape.width as u64 * base,
            digest,
        };
        let rest = self.reduction(extension) + levels + in_clear + work;
        Size::new(before.saturating_add(rest), self.stages.iter().map(opening).collect())
    }
}

#[cfg(test)]
impl Size {
    /// Holds real proofs to what is predicted: all but rows and paths to the byte, none longer than the most, and their
    /// mean within so many hundredths of what is expected.
    pub(crate) fn check(&self, proofs: &[Vec<Call>], hundredths: f64) {
        let mut total = 0;
        for script in proofs {
            let bytes = |hints: bool| {
                let hint = |c: &&Call| (c.kind == Kind::Hint) == hints;
                let sent = |c: &&Call| matches!(c.kind, Kind::Send | Kind::Nonce | Kind::Hint);
                script.iter().filter(sent).filter(hint).map(|c| c.length as u64).sum::<u64>()
            };
            assert_eq!(bytes(false), self.fixed, "messages and nonces");
            assert!(bytes(true) + self.fixed <= self.most(), "{} and {self:?}", bytes(true));
            total += bytes(true) + self.fixed;
        }
        let (mean, expected) = (total as f64 / proofs.len() as f64, self.expected());
        assert!((mean / expected - 1.0).abs() < hundredths / 100.0, "{mean} and {expected}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iop::merkle::opening_len;

    /// Every choice of positions in a small tree: the longest opening is the one predicted, and the mean is the expected.
    #[test]
    fn all_positions_of_a_small_tree() {
        for (log_leaves, queries, row) in [(0, 2, 5), (1, 3, 100), (2, 3, 1), (3, 4, 40), (4, 3, 7)] {
            let opening = Opening { log_leaves, queries, row, digest: 32 };
            let leaves = 1usize << log_leaves;
            let (mut sum, mut most) = (0, 0);
            let draws = leaves.pow(queries);
            for draw in 0..draws {
                let drawn = (0..queries).map(|q| draw / leaves.pow(q) % leaves);
                let mut positions: Vec<usize> = drawn.collect();
                positions.sort_unstable();
                positions.dedup();
                let siblings = opening_len(log_leaves as usize, 0, &positions) as u64;
                let length = row * positions.len() as u64 + 32 * siblings;
                (sum, most) = (sum + length, most.max(length));
            }
            assert_eq!(opening.most(), most, "{opening:?}");
            let mean = sum as f64 / draws as f64;
            assert!((opening.expected() - mean).abs() < 1e-9 * mean, "{opening:?}: {mean}");
        }
    }

    /// In large trees the powers of numbers close to one keep their digits.
    #[test]
    fn large_trees_have_few_shared_paths() {
        let opening = Opening { log_leaves: 31, queries: 1, row: 64, digest: 48 };
        let one = (64 + 31 * 48) as f64;
        assert!((opening.expected() - one).abs() < 1e-6 && opening.most() == one as u64);
        let opening = Opening { queries: 100, ..opening };
        assert!(
            opening.expected() < opening.most() as f64 && opening.expected() > 0.95 * opening.most() as f64
        );
    }
}
