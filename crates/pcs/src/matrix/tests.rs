//! Hiding, by linear algebra. (notes: zk-rows)
//!
//! All that a hiding opening reveals is a function of the opened rows and of the combined message with its tail,
//! both linear in the data and the randomness. For fixed challenges, the view is independent of the data given
//! the claimed value exactly if every combination of revealed elements in which all randomness cancels is a
//! multiple of the claim: a simulator can then draw the rest uniformly. The test computes that, with the
//! committing code itself, and shows that it fails without the random rows or without the mask.

mod one_root;
mod work;

use super::combine_columns;
use field::{
    ExtensionOf, Field, FoldFibres, Gf128, Gf192, Gf256, Gf320, Goldilocks, Goldilocks2, KoalaBear,
    KoalaBear5, Tower64, Tower128,
};
use iop::code::ReedSolomon;
use iop::hash::Hash;
use iop::oracle::OracleSpec;

const LOG_COLUMNS: usize = 2;
const LOG_ROWS: usize = 2;

/// What hides: coefficients above the data rows, and the mask's; and what is opened: leaves of `2^log_fibre` rows.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    tail: usize,
    mask: bool,
    log_fibre: usize,
    positions: &'a [usize],
}

/// The revealed elements, as linear functions: one row per unknown (data first), one column per element.
fn view<B: FoldFibres, E: ExtensionOf<B>>(View { tail, mask, log_fibre, positions }: View) -> Vec<Vec<B>> {
    let columns = 1 << LOG_COLUMNS;
    let width = columns + E::DEGREE;
    let code = ReedSolomon { log_rows: LOG_ROWS, extra: tail, log_inv_rate: 2 };
    let shape: OracleSpec = OracleSpec { code, width, log_fibre, log_parts: 0, hash: Hash::Blake3 };
    let mut weights: Vec<E> = elements(columns);
    let unit = iop::poly::basis::<B, E>();
    weights.extend(unit.iter().map(|&b| if mask { b } else { E::ZERO }));
    let unknowns = unknowns([tail, width, columns], mask);
    let reveal = |&cell: &usize| {
        let mut message = vec![B::ZERO; code.dimension() * width];
        message[cell] = B::ONE;
        let oracle = shape.commit(&message, Vec::new());
        let mut revealed: Vec<B> = positions.iter().flat_map(|&p| oracle.row(p)).copied().collect();
        let combined: Vec<E> = combine_columns(&message, &weights);
        revealed.extend_from_slice(&E::flatten(&combined));
        revealed
    };
    unknowns.iter().map(reveal).collect()
}

/// Cells of the message matrix: data cells first, then the random ones.
fn unknowns([tail, width, columns]: [usize; 3], mask: bool) -> Vec<usize> {
    let rows = (1 << LOG_ROWS) + tail;
    let is_data = |cell: &usize| cell / width < 1 << LOG_ROWS && cell % width < columns;
    let usable = |cell: &usize| mask || cell % width < columns;
    let data = (0..rows * width).filter(is_data);
    data.chain((0..rows * width).filter(|c| !is_data(c) && usable(c))).collect()
}

/// Rank by elimination.
fn rank<B: Field>(mut rows: Vec<Vec<B>>) -> usize {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != B::ZERO) else { continue };
        rows.swap(rank, pivot);
        let inverse = rows[rank][column].inverse().unwrap();
        let lead = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column] * inverse;
            row.iter_mut().zip(&lead).for_each(|(x, &l)| *x -= factor * l);
        }
        rank += 1;
    }
    rank
}

/// How many independent linear functions of the data the view gives away.
fn leaked<B: FoldFibres, E: ExtensionOf<B>>(what: View) -> usize {
    let all = view::<B, E>(what);
    let data = 1 << (LOG_COLUMNS + LOG_ROWS);
    rank(all.clone()) - rank(all[data..].to_vec())
}

/// The rows and the masked combination together give away nothing: the claimed value enters beside them, through
/// the masked value, which the mask makes uniform. Without the mask, or with too short a tail, they do.
fn hides<B: FoldFibres, E: ExtensionOf<B>>() {
    for positions in [&[0][..], &[3, 9], &[0, 1, 14], &[2, 5, 7, 11], &[0, 1, 2, 3]] {
        for tail in [positions.len(), positions.len() + 1] {
            // A binary code takes as many further coefficients as it has data rows.
            if tail <= 1 << LOG_ROWS {
                let what = View { tail, mask: true, log_fibre: 0, positions };
                assert_eq!(leaked::<B, E>(what), 0, "{what:?}");
            }
        }
    }
    let what = View { tail: 2, mask: true, log_fibre: 0, positions: &[0, 1, 14] };
    assert!(leaked::<B, E>(what) > 0, "too short a tail");
    assert!(leaked::<B, E>(View { tail: 0, positions: &[5], ..what }) > 0, "no tail");
    assert!(leaked::<B, E>(View { tail: 4, mask: false, positions: &[3], ..what }) > 0, "no mask");
}

/// Leaves of fibres reveal all their rows: as many further coefficients hide them, and one less does not.
fn hides_fibres<B: FoldFibres, E: ExtensionOf<B>>() {
    for (log_fibre, positions) in [(1, &[5][..]), (1, &[0, 7]), (1, &[2, 3]), (2, &[0]), (2, &[3])] {
        let rows = positions.len() << log_fibre;
        let what = View { tail: rows, mask: true, log_fibre, positions };
        assert_eq!(leaked::<B, E>(what), 0, "{what:?}");
        assert!(leaked::<B, E>(View { tail: rows - 1, ..what }) > 0, "a shorter tail than {what:?}");
        assert!(leaked::<B, E>(View { mask: false, ..what }) > 0, "no mask for {what:?}");
    }
}

#[test]
fn the_view_is_independent_of_the_data() {
    hides::<Goldilocks, Goldilocks2>();
    hides::<KoalaBear, KoalaBear5>();
}

/// The domain of a binary code must keep away from the subspace where what stands above the data rows vanishes.
#[test]
fn the_view_of_a_binary_code_is_independent_of_the_data() {
    hides::<Tower128, Gf128>();
    hides::<Tower64, Gf192>();
    hides::<Tower128, Gf256>();
    hides::<Tower64, Gf320>();
    hides_fibres::<Tower128, Gf128>();
    hides_fibres::<Tower64, Gf192>();
    hides_fibres::<Tower128, Gf256>();
    hides_fibres::<Tower64, Gf320>();
}

/// Elements without structure.
fn elements<F: Field>(n: usize) -> Vec<F> {
    let mut x = 1u64;
    let mut byte = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (x >> 56) as u8
    };
    (0..n).map(|_| F::from_uniform(&(0..F::UNIFORM_BYTES).map(|_| byte()).collect::<Vec<u8>>())).collect()
}
