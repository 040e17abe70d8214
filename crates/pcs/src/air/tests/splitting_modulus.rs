//! The published modulus of level L3 splits: what a ring that is no field costs.

use field::{Field, FoldableCode, Gf64, Tower64};

/// An element of GF(2^64)[y] modulo the published `y^4 + y + 1`.
type Ring = [Gf64; 4];

const ONE: Ring = [Gf64(1), Gf64(0), Gf64(0), Gf64(0)];
const LOG_DOMAIN: usize = 10;

fn product(a: &Ring, b: &Ring) -> Ring {
    let mut sums = [Gf64::ZERO; 7];
    for (i, &a) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, &b)| sums[i + j] += a * b);
    }
    for i in (4..7).rev() {
        let high = sums[i];
        sums[i - 4] += high;
        sums[i - 3] += high;
    }
    [sums[0], sums[1], sums[2], sums[3]]
}

fn sum(a: &Ring, b: &Ring) -> Ring {
    core::array::from_fn(|i| a[i] + b[i])
}

fn value(a: &Ring, at: Gf64) -> Gf64 {
    a.iter().rev().fold(Gf64::ZERO, |acc, &c| acc * at + c)
}

/// The roots of the modulus in GF(2^64), elements of GF(16).
fn roots() -> [Gf64; 4] {
    let elements = (2..).map(|i| Gf64(i).pow(u64::MAX / 15));
    let root = elements.into_iter().find(|&r| r.pow(4) + r + Gf64::ONE == Gf64::ZERO);
    let root = root.expect("a root");
    [root, root.square(), root.pow(4), root.pow(8)]
}

/// The element that is one at the first root and zero at the others.
fn idempotent([first, others @ ..]: [Gf64; 4]) -> Ring {
    others.iter().fold(ONE, |unit, &root| {
        let scale = (first + root).inverse().expect("roots differ");
        product(&unit, &[root * scale, scale, Gf64::ZERO, Gf64::ZERO])
    })
}

fn weight(pair: usize) -> Gf64 {
    Tower64::factor(Tower64::point(LOG_DOMAIN, 2 * pair)).into()
}

/// The ring is a product of four fields of 64 bits. A word that lives in one of them, far from the code, folds to a codeword for one
/// challenge of 2^64, whatever the other 192 bits of it are: over a field it would be one of 2^256.
#[test]
fn a_far_word_folds_to_a_codeword_by_64_bits_of_luck() {
    let roots = roots();
    let unit = idempotent(roots);
    assert_eq!(product(&unit, &unit), unit, "idempotent");
    assert_eq!(product(&unit, &sum(&unit, &ONE)), [Gf64::ZERO; 4], "zero divisors");
    let lucky = Gf64(0x1234_5678_9abc_def1);
    // u + (lucky + t)(u + v) = 0 for every pair.
    let pair = |i: usize| {
        let (t, u) = (lucky + weight(i), Gf64(i as u64 + 2).pow(77));
        let v = u * (t + Gf64::ONE) * t.inverse().expect("no point of the domain");
        [u, v].map(|x| unit.map(|c| c * x))
    };
    let word: Vec<[Ring; 2]> = (0..1 << (LOG_DOMAIN - 1)).map(pair).collect();
    assert!(word.iter().flatten().all(|x| *x != [Gf64::ZERO; 4]), "far from the codeword zero");
    for trial in 0..50u64 {
        let random: Ring = core::array::from_fn(|i| Gf64(trial + 3 + i as u64).pow(1 << 40 | 5));
        // The same at three roots; at the first, the lucky value.
        let shift = lucky + value(&random, roots[0]);
        let alpha = sum(&random, &unit.map(|c| c * shift));
        let folds_to = |alpha: &Ring| {
            let zero = |(i, [u, v]): (usize, &[Ring; 2])| {
                let factor = sum(alpha, &[weight(i), Gf64::ZERO, Gf64::ZERO, Gf64::ZERO]);
                sum(u, &product(&factor, &sum(u, v))) == [Gf64::ZERO; 4]
            };
            word.iter().enumerate().filter(|&(i, pair)| zero((i, pair))).count()
        };
        assert_eq!(folds_to(&alpha), word.len(), "the codeword zero");
        assert_eq!(folds_to(&random), 0, "not by other challenges");
    }
}
