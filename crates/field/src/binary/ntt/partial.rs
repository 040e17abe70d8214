//! A block of which few rows count: those that are wanted of a codeword, or those that are not zero before the transpose.

use super::plan::{Plan, each_piece};

/// Bytes of a node that is done wholly if one of its rows counts. Tuned.
const NODE_BYTES: usize = 1 << 12;

/// The block, and its rows that count.
pub(super) struct Partial<'a> {
    pub plan: Plan,
    /// The position of the block's first row.
    pub first: usize,
    /// The rows of the block, in ascending order.
    pub rows: &'a [usize],
}

/// What is done with a node.
enum Node {
    /// Nothing: no row in it counts.
    Unused,
    /// All of it.
    Whole,
    /// Its children, each by itself.
    Parts,
}

impl Partial<'_> {
    fn node(&self, bytes: usize, row: usize, layers: usize) -> Node {
        let start = row - self.first;
        let next = self.rows.partition_point(|&place| place < start);
        if self.rows.get(next).is_none_or(|place| place - start >= 1 << layers) {
            Node::Unused
        } else if bytes <= NODE_BYTES || layers == 0 {
            Node::Whole
        } else {
            Node::Parts
        }
    }

    /// All layers of the rows from position `row`, where they lead to rows that count.
    pub fn descend(&self, data: &mut [u8], row: usize, layers: usize) {
        match self.node(data.len(), row, layers) {
            Node::Whole if layers > 0 => self.plan.finish(data, row, layers, 0),
            Node::Unused | Node::Whole => {}
            Node::Parts => {
                let step = self.plan.shared_pass(data, row, layers);
                let child = |(k, child): (usize, &mut [u8])| {
                    self.descend(child, row + (k << (layers - step)), layers - step);
                };
                each_piece(data, data.len() >> step, child);
            }
        }
    }

    /// The transpose of all layers of the rows from position `row`, of which only those that count are not zero.
    pub fn ascend(&self, data: &mut [u8], row: usize, layers: usize) {
        match self.node(data.len(), row, layers) {
            Node::Whole if layers > 0 => self.plan.gather(data, row, layers),
            Node::Unused | Node::Whole => {}
            Node::Parts => {
                let step = self.plan.step(layers);
                let child = |(k, child): (usize, &mut [u8])| {
                    self.ascend(child, row + (k << (layers - step)), layers - step);
                };
                each_piece(data, data.len() >> step, child);
                self.plan.transposed(data, row, layers, (0, step));
            }
        }
    }
}
