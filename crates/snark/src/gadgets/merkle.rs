//! Merkle trees of Poseidon whose nodes have eight children. (notes: snark-merkle)
//!
//! A node is lane 0 of the permutation on nine lanes: the tree's domain, then the children. With eight children a level costs 134 constraints for each bit of a
//! position, the least of all powers of two (240 with two, 148.5 with four, 152 with sixteen).

use curve::PrimeField;
use curve::bn254::Fr;

use crate::poseidon::{hash, hash_gadget};
use crate::r1cs::{Builder, LinearCombination};

/// The number of children of a node.
pub const ARITY: usize = 8;

/// The number of bits of a position among siblings.
pub const POSITION_BITS: usize = 3;

type Lc = LinearCombination<Fr>;

/// The node above eight children, in a tree with this domain.
#[must_use]
pub fn node(domain: Fr, children: &[Fr; ARITY]) -> Fr {
    hash(domain, children)
}

/// The root of a full tree in a circuit: 402 constraints for each node.
///
/// # Panics
/// If the number of leaves is not a power of eight.
pub fn root_gadget(builder: &mut Builder<Fr>, domain: Fr, leaves: &[Lc]) -> Lc {
    let domain = Lc::constant(domain);
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        assert!(level.len().is_multiple_of(ARITY), "a full tree has a power of eight leaves");
        level = level.chunks(ARITY).map(|children| hash_gadget(builder, &domain, children)).collect();
    }
    level.pop().expect("a full tree has a leaf")
}

/// The roots of two trees that differ in one leaf alone, by its path: 823 constraints for each level.
///
/// `position` has three booleans for each level, the lowest first; `paths` the children of the node above, in the tree before the change, level by level from the
/// leaf. That the leaf before is one of these children is enforced.
///
/// # Panics
/// If there are not three bits for each level.
pub fn update_gadget(
    builder: &mut Builder<Fr>,
    domain: Fr,
    position: &[Lc],
    paths: &[[Fr; ARITY]],
    leaf: [Lc; 2],
) -> [Lc; 2] {
    assert_eq!(position.len(), POSITION_BITS * paths.len(), "three bits for each level");
    let domain = Lc::constant(domain);
    let mut pair = leaf;
    for (bits, children) in position.chunks(POSITION_BITS).zip(paths) {
        let chosen = one_hot(builder, bits);
        let before: Vec<Lc> = children.iter().map(|child| builder.witness(|| *child)).collect();
        enforce_selected(builder, &chosen, &before, &pair[0]);
        let after = replaced(builder, &chosen, &before, &(&pair[1] - &pair[0]));
        pair = [before, after].map(|children| hash_gadget(builder, &domain, &children));
    }
    pair
}

/// Eight booleans of which one is 1, that of the number of three bits: four constraints.
fn one_hot<F: PrimeField>(
    builder: &mut Builder<F>,
    bits: &[LinearCombination<F>],
) -> Vec<LinearCombination<F>> {
    let [low, middle, high] = bits else { panic!("three bits for each level") };
    let both = builder.multiply("merkle: position", low, middle);
    let pairs =
        [&(&(&LinearCombination::one() - low) - middle) + &both, low - &both, middle - &both, both.clone()];
    let mut upper: Vec<_> =
        pairs[..3].iter().map(|pair| builder.multiply("merkle: position", pair, high)).collect();
    upper.push(upper.iter().fold(high.clone(), |rest, pair| &rest - pair));
    let lower: Vec<_> = pairs.iter().zip(&upper).map(|(pair, upper)| pair - upper).collect();
    lower.into_iter().chain(upper).collect()
}

/// Enforces that `value` is the chosen one of some items: a constraint for each.
fn enforce_selected<F: PrimeField>(
    builder: &mut Builder<F>,
    chosen: &[LinearCombination<F>],
    items: &[LinearCombination<F>],
    value: &LinearCombination<F>,
) {
    let last = items.len() - 1;
    let mut rest = value.clone();
    for (bit, item) in chosen.iter().zip(&items[..last]) {
        rest = &rest - &builder.multiply("merkle: child", bit, item);
    }
    builder.enforce("merkle: child on the path", &chosen[last], &items[last], &rest);
}

/// The items with `change` added to the chosen one: a constraint for each but one.
fn replaced<F: PrimeField>(
    builder: &mut Builder<F>,
    chosen: &[LinearCombination<F>],
    items: &[LinearCombination<F>],
    change: &LinearCombination<F>,
) -> Vec<LinearCombination<F>> {
    let last = items.len() - 1;
    let mut rest = change.clone();
    let mut after = Vec::with_capacity(items.len());
    for (bit, item) in chosen.iter().zip(&items[..last]) {
        let added = builder.multiply("merkle: change", bit, change);
        rest = &rest - &added;
        after.push(item + &added);
    }
    after.push(&items[last] + &rest);
    after
}

#[cfg(test)]
mod tests {
    use curve::{AdditiveGroup, Field};

    use super::*;
    use crate::gadgets::boolean::number;
    use crate::testing::{audited, stopped_by};

    const DOMAIN: u64 = 9;

    fn leaves() -> Vec<Fr> {
        (0u64..64).map(|i| Fr::from(1000 + 7 * i)).collect()
    }

    fn native(leaves: &[Fr]) -> Fr {
        let above = |level: &[Fr]| -> Vec<Fr> {
            level.chunks(ARITY).map(|group| node(Fr::from(DOMAIN), group.try_into().unwrap())).collect()
        };
        above(&above(leaves))[0]
    }

    /// A change of leaf 29 with everything that a prover chooses.
    #[derive(Clone)]
    struct Change {
        position: u64,
        leaves: [Fr; 2],
        paths: Vec<[Fr; ARITY]>,
        roots: [Fr; 2],
    }

    impl Change {
        fn honest() -> Self {
            let (old, new) = (leaves()[29], Fr::from(5u64));
            let nodes: Vec<Fr> = leaves()
                .chunks(ARITY)
                .map(|group| node(Fr::from(DOMAIN), group.try_into().unwrap()))
                .collect();
            let paths = vec![leaves()[24..32].try_into().unwrap(), nodes.try_into().unwrap()];
            let mut changed = leaves();
            changed[29] = new;
            Self { position: 29, leaves: [old, new], paths, roots: [native(&leaves()), native(&changed)] }
        }

        fn circuit(&self) -> impl Fn(&mut Builder<Fr>) + '_ {
            |builder| {
                let roots = self.roots.map(|root| builder.public(|| root));
                let leaves = self.leaves.map(|leaf| builder.public(|| leaf));
                let (_, bits) = number(builder, "position", 6, || Fr::from(self.position));
                let computed = update_gadget(builder, Fr::from(DOMAIN), &bits, &self.paths, leaves);
                builder.enforce_equal("root before", &computed[0], &roots[0]);
                builder.enforce_equal("root after", &computed[1], &roots[1]);
            }
        }
    }

    fn stopped(change: impl Fn(&mut Change)) -> &'static str {
        let mut changed = Change::honest();
        change(&mut changed);
        stopped_by(changed.circuit())
    }

    #[test]
    fn an_update_changes_one_leaf() {
        assert_eq!(audited(Change::honest().circuit()), Ok(6 + 2 * 823 + 2));
        let on_path = "merkle: child on the path";
        assert_eq!(stopped(|c| c.leaves[0] += Fr::ONE), on_path);
        assert_eq!(stopped(|c| c.position = 28), on_path);
        assert_eq!(stopped(|c| c.position = 21), on_path);
        assert_eq!(stopped(|c| c.paths[0][0] += Fr::ONE), on_path);
        assert_eq!(stopped(|c| c.paths[1][0] += Fr::ONE), "root before");
        assert_eq!(stopped(|c| c.leaves[1] += Fr::ONE), "root after");
        assert_eq!(stopped(|c| c.roots.swap(0, 1)), "root before");
    }

    #[test]
    fn each_position_is_its_own() {
        for position in 0..8 {
            let circuit = |builder: &mut Builder<Fr>| {
                let (_, bits) = number(builder, "position", 3, || Fr::from(position));
                let chosen = one_hot(builder, &bits);
                for (bit, i) in chosen.iter().zip(0..) {
                    let public = builder.public(|| Fr::from(i == position));
                    builder.enforce_equal("chosen", bit, &public);
                }
            };
            assert_eq!(audited(circuit), Ok(3 + 4 + 8), "{position}");
        }
    }

    #[test]
    fn a_full_tree_has_its_root() {
        let circuit = |change: Fr| {
            move |builder: &mut Builder<Fr>| {
                let cells: Vec<Lc> = leaves().into_iter().map(|leaf| builder.public(|| leaf)).collect();
                let root = root_gadget(builder, Fr::from(DOMAIN), &cells);
                let public = builder.public(|| native(&leaves()) + change);
                builder.enforce_equal("root", &root, &public);
            }
        };
        assert_eq!(audited(circuit(Fr::ZERO)), Ok(9 * 402 + 1));
        assert_eq!(stopped_by(circuit(Fr::ONE)), "root");
    }
}
