//! Batches in which some pairs are no chord.

use ark_ec::AffineRepr;

use super::{Adder, Lanes, Points, Ref, Single};

/// Writes the sums of pairs, of which those that are `plain` are done by `additions`, and the others one by one.
pub(crate) fn add_apart<A: Adder<Curve: Lanes>>(
    from: Points<A::Point>,
    pairs: &[[Ref; 2]],
    sums: &mut [A::Point],
    is_plain: impl Fn([&A::Point; 2]) -> bool,
    additions: impl Fn(&[[Ref; 2]], &mut [A::Point]) -> bool,
) {
    let zero = AffineRepr::zero();
    let (plain, other): (Vec<usize>, Vec<usize>) =
        (0..pairs.len()).partition(|&i| is_plain(pairs[i].map(|r| from.at(r))));
    let some: Vec<[Ref; 2]> = plain.iter().map(|&i| pairs[i]).collect();
    let mut their_sums = A::import(&vec![zero; some.len()]);
    assert!(additions(&some, &mut their_sums), "differences that are not zero");
    plain.iter().zip(their_sums).for_each(|(&i, sum)| sums[i] = sum);
    let export = |r: Ref| {
        let p = A::export(from.at(r));
        if r.is_negative() { -p } else { p }
    };
    let points: Vec<_> = other.iter().flat_map(|&i| pairs[i].map(export)).collect();
    let neighbours: Vec<_> =
        (0..other.len()).map(|i| [Ref::base(2 * i, false), Ref::base(2 * i + 1, false)]).collect();
    let mut their_sums = vec![zero; other.len()];
    Single::<A::Curve>::add(Points { bases: &points, sums: &[] }, &neighbours, &mut their_sums);
    other.iter().zip(A::import(&their_sums)).for_each(|(&i, sum)| sums[i] = sum);
}
