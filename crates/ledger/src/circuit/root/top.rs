//! The roots of all subtrees, before and after, and the nodes above them.

use curve::PrimeField;
use curve::bn254::Fr;
use snark::gadgets::boolean::{from_bits, number};
use snark::gadgets::memory::Memory;
use snark::gadgets::merkle::root_gadget;
use snark::r1cs::{Builder, LinearCombination};

use super::tree::NODE;
use super::{Shape, entry};

type Lc = LinearCombination<Fr>;

/// A subtree: its root before and after a batch, and the time of the last access to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subtree {
    /// The roots.
    pub roots: [Fr; 2],
    /// 0 if no entry has touched it.
    pub time: u64,
}

/// Starts and ends the memory with the subtrees of two roots. Returns the committed cells: their times, packed.
///
/// Their roots need no commitment of their own: they are below the public roots.
pub(super) fn synthesize(
    builder: &mut Builder<Fr>,
    shape: Shape,
    memory: &mut Memory<Fr>,
    (public, subtrees): (&[Lc; 2], &[Subtree]),
) -> Vec<Lc> {
    let mut roots = [vec![], vec![]];
    let mut bits = vec![];
    for (subtree, i) in subtrees.iter().zip(0u64..) {
        let [before, after] = subtree.roots.map(|root| builder.witness(|| root));
        let (time, time_bits) =
            number(builder, "root: time of a subtree", shape.time_bits(), || Fr::from(subtree.time));
        bits.extend(time_bits);
        let index = Lc::constant(Fr::from(i));
        let tuples = [&before, &after].map(|root| entry::subtree_lanes(builder, memory, &index, root));
        memory.include(builder, [&tuples[0], &(&tuples[1] + &time)], &Lc::one());
        roots[0].push(before);
        roots[1].push(after);
    }
    for (leaves, root) in roots.iter().zip(public) {
        let computed = root_gadget(builder, Fr::from(NODE), leaves);
        builder.enforce_equal("root: of the state", &computed, root);
    }
    bits.chunks(Fr::MODULUS_BIT_SIZE as usize - 1).map(from_bits).collect()
}
