//! The answers in a report, read by their questions. (notes: cluster-report)

use super::verify::Case;
use super::{Exhibit, Hex};
use crate::commit::Statement;
use crate::identity::DIGEST;
use crate::meter::Phase;
use crate::weighted::{FIRST, ROUND};
use crate::wire::{Question, elements};
use crate::worker::{bit_bytes, in_order, row_block_bytes};
use field::{ExtensionOf, Field, FoldFibres};
use iop::error::Invalid;
use iop::poly::TensorForm;

/// An answer to a question, read as the accused rank has to write it.
pub(super) enum Said<B, E> {
    Statement(Statement),
    Slice {
        owner: usize,
        slice: Vec<u8>,
    },
    Values {
        form: TensorForm<E>,
        values: Option<Vec<E>>,
    },
    Bits {
        form: TensorForm<E>,
        bits: Option<Vec<u8>>,
    },
    Columns {
        weights: Vec<E>,
        sums: Option<Vec<E>>,
    },
    Rows {
        positions: Vec<usize>,
        part: Option<Vec<B>>,
        nodes: Vec<u8>,
    },
    /// The rank's part of a weighted sum, and its message of the first round.
    Weighed {
        /// The digest of its weights.
        weights: [u8; DIGEST],
        first: Option<[B; FIRST]>,
    },
    /// A message of a later round of a weighted sum, or what is left of the rank's columns.
    Bound {
        /// The digest of the sum before the challenge.
        sum: [u8; DIGEST],
        challenge: E,
        answer: Option<Vec<E>>,
    },
    /// A statement that is none.
    Malformed,
    /// An answer whose digest is all that there is.
    Unseen,
}

/// The question to all ranks, and what was for the accused rank alone.
fn question<E: Field>(asked: &[Hex]) -> Option<(Question<E>, &[Hex])> {
    let (header, rest) = asked.split_first()?;
    let header = header.array::<16>()?;
    let length = usize::try_from(u64::from_le_bytes(header[8..].try_into().ok()?)).ok()?;
    let (payload, rest) = match rest.split_first() {
        Some((payload, rest)) if length != 0 => (&payload.0[..], rest),
        _ => (&[][..], rest),
    };
    if length != payload.len() || header[1..8] != [0; 7] {
        return None;
    }
    Some((Question::parse(usize::from(header[0]), payload)?, rest))
}

impl<B: FoldFibres> Case<'_, B> {
    /// Reads an answer by the question. A question that an honest rank does not answer is refused.
    pub(super) fn read<E: ExtensionOf<B>>(&self, exhibit: &Exhibit) -> Result<Said<B, E>, Invalid> {
        let refused = Invalid("a question is none that a rank answers");
        let (ownership, spec, block) = (&self.ownership, self.ownership.spec(), &exhibit.block.0[..]);
        if exhibit.digest.is_some() {
            return Ok(Said::Unseen);
        }
        if exhibit.phase == Phase::Tree {
            let statement = Statement::parse(spec.hash, ownership.ranks(), block);
            return Ok(statement.map_or(Said::Malformed, Said::Statement));
        }
        let (question, rest) = question(&exhibit.asked).ok_or(refused)?;
        let width = ownership.columns(self.rank).len();
        Ok(match (question, exhibit.phase, rest) {
            (Question::Values(form), Phase::Values, []) if form.variables() <= spec.code.log_rows => {
                self.check_length(block, ownership.most_columns() * E::BYTES)?;
                Said::Values { form, values: elements(block, width) }
            }
            (Question::Bits(form), Phase::Values, [])
                if form.variables() == spec.code.log_rows && self.entries.log_bits().is_some() =>
            {
                self.check_length(block, bit_bytes::<B, E>(ownership.most_columns()))?;
                let own = bit_bytes::<B, E>(width);
                let sums: Option<Vec<E>> = elements(block, own / E::BYTES);
                Said::Bits { form, bits: sums.map(|_| block[..own].to_vec()) }
            }
            (Question::Columns, Phase::Columns, [weights]) => {
                self.check_length(block, ownership.rows() * E::BYTES)?;
                self.check_length(&weights.0, ownership.most_columns() * E::BYTES)?;
                let weights = elements(&weights.0, width).ok_or(refused)?;
                Said::Columns { weights, sums: elements(block, ownership.rows()) }
            }
            (Question::Weigh, Phase::Values, [weights]) => {
                let weights = weights.array().ok_or(refused)?;
                self.check_length(block, FIRST * B::BYTES)?;
                let first = elements(block, FIRST).and_then(|first| first.try_into().ok());
                Said::Weighed { weights, first }
            }
            (Question::Bind(challenge), Phase::Values, [sum]) => {
                let sum = sum.array().ok_or(refused)?;
                Said::Bound { sum, challenge, answer: self.bound(block)? }
            }
            (Question::Rows(positions), Phase::Rows, []) if in_order(&positions, spec.log_leaves()) => {
                let (of_rows, of_nodes) = row_block_bytes::<B>(ownership, &positions);
                self.check_length(block, of_rows + of_nodes)?;
                let (rows, nodes) = block.split_at(of_rows);
                let part = elements(rows, positions.len() * (width << spec.log_fibre));
                Said::Rows { positions, part, nodes: nodes.to_vec() }
            }
            (Question::Slices(owner), Phase::Blame, []) if owner < ownership.ranks() => {
                self.slice(owner, block)?
            }
            (Question::Relay { sender, receiver }, Phase::Blame, [])
                if sender == self.rank && receiver < ownership.ranks() =>
            {
                self.slice(receiver, block)?
            }
            _ => return Err(refused),
        })
    }

    /// The elements of a round of a weighted sum, or of its end.
    fn bound<E: ExtensionOf<B>>(&self, block: &[u8]) -> Result<Option<Vec<E>>, Invalid> {
        let rows = self.ownership.rows();
        let count = if block.len() == ROUND * E::BYTES { ROUND } else { rows };
        self.check_length(block, count * E::BYTES)?;
        Ok(elements(block, count))
    }

    fn slice<E>(&self, owner: usize, block: &[u8]) -> Result<Said<B, E>, Invalid> {
        self.check_length(block, self.ownership.slice_bytes())?;
        Ok(Said::Slice { owner, slice: block.to_vec() })
    }

    fn check_length(&self, block: &[u8], expected: usize) -> Result<(), Invalid> {
        if block.len() == expected { Ok(()) } else { Err(Invalid("a message has another length")) }
    }
}
