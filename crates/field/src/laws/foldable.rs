//! The laws of [`FoldableCode`]: its fast paths say what the row tensors say.

use super::Samples;
use super::plain::{products, sum, values};
use crate::{BlockShape, ExtensionOf, FoldableCode};
use std::sync::Mutex;

/// The laws of [`FoldableCode`], with combinations in `E`.
pub fn foldable_code<B: FoldableCode, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(41);
    for (log_rows, log_inv_rate, width) in [(0, 1, 1), (1, 1, 3), (3, 2, 4), (5, 1, 2), (6, 3, 5)] {
        for extra in [0, 1, (1usize << log_rows) / 2] {
            blocks::<B, E>(&mut samples, (log_rows, log_inv_rate), width, extra);
        }
        rows::<B, E>(&mut samples, log_rows, log_inv_rate);
    }
    // Long enough for what provers do in another way.
    rows::<B, E>(&mut samples, 10, 1);
    // Blocks that are taken back in parts.
    for (log_rows, width) in [(12, 1), (12, 3), (16, 1)] {
        let shape = BlockShape { width, log_rows, log_domain: log_rows + 1, block: 1 };
        let (message, mut block) = (samples.elements::<B>(width << log_rows), Vec::new());
        B::encode_block(&message, shape, &mut block, &|_, _| {});
        inverse(&mut samples, shape, (&message, &block));
    }
    // Long rows, more than one piece, and sums that the transform makes.
    blocks::<B, E>(&mut samples, (5, 1), 3000, 2);
    rows::<B, E>(&mut samples, 7, 2);
    rows::<B, E>(&mut samples, 10, 1);
}

/// The row of a position: `count` weights, by the formula in the trait's documentation.
fn row<B: FoldableCode>(log_domain: usize, position: usize, count: usize) -> Vec<B> {
    let mut row = vec![B::ONE];
    let mut point = B::point(log_domain, position);
    while row.len() < count {
        let factor = B::factor(point);
        for i in 0..row.len() {
            row.push(row[i] * factor);
        }
        point = B::halved(point);
    }
    row.truncate(count);
    row
}

/// Every block holds the products of the message's columns with the rows; every row is announced once.
fn blocks<B: FoldableCode, E: ExtensionOf<B>>(
    samples: &mut Samples,
    (log_rows, log_inv_rate): (usize, usize),
    width: usize,
    extra: usize,
) {
    let (log_domain, rows) = (log_rows + log_inv_rate, 1usize << log_rows);
    let message = samples.elements::<B>((rows + extra) * width);
    let mut out = vec![B::ONE; 3];
    for block in 0..1 << log_inv_rate {
        let announced = Mutex::new(vec![0; rows]);
        let shape = BlockShape { width, log_rows, log_domain, block };
        let kept = Mutex::new(vec![B::ZERO; rows * width]);
        B::encode_block(&message, shape, &mut out, &|first, piece| {
            let count = piece.len() / width;
            assert!(count.is_power_of_two() && first.is_multiple_of(count), "an aligned piece");
            assert!(count >= 16.min(rows), "a piece that is not too short");
            for n in &mut announced.lock().unwrap()[first..first + count] {
                *n += 1;
            }
            kept.lock().unwrap()[first * width..][..piece.len()].copy_from_slice(piece);
        });
        assert!(announced.into_inner().unwrap().iter().all(|&n| n == 1), "each row once");
        assert!(kept.into_inner().unwrap() == out, "pieces are final");
        if extra == 0 {
            inverse(samples, shape, (&message, &out));
        }
        let (mut placed, last) = (message.clone(), Mutex::new(0));
        B::encode_in_place(&mut placed, shape, &|first, piece| {
            *last.lock().unwrap() += piece.len();
            assert!(piece == &out[first * width..][..piece.len()], "pieces are final");
        });
        assert!(placed == out && last.into_inner().unwrap() == out.len(), "a block in the message's place");
        two_blocks(&message, shape, &out);
        // Nothing, one row, some that are neighbours and some that are not, all.
        for wanted in [vec![], vec![rows - 1], (0..rows).step_by(3).collect(), (0..rows).collect::<Vec<_>>()]
        {
            let mut matrix = message.clone();
            B::encode_rows(&mut matrix, shape, &wanted);
            assert_eq!(matrix.len(), rows * width, "the rows of a block");
            let row = |matrix: &[B], i: usize| matrix[i * width..][..width].to_vec();
            assert!(wanted.iter().all(|&i| row(&matrix, i) == row(&out, i)), "wanted rows");
        }
        for i in 0..rows {
            let position = (block << log_rows) + i;
            let weights = row::<B>(log_domain, position, rows + extra);
            for column in 0..width {
                let (value, entry) = (out[i * width + column], |k: usize| message[k * width + column]);
                assert_eq!(value, sum(rows + extra, &|k| entry(k) * weights[k]), "position {position}");
                let lane = values(rows + extra, &|k| E::lift(entry(k)));
                assert_eq!(B::evaluate(&lane, B::point(log_domain, position)), E::lift(value));
            }
        }
    }
}

/// Two blocks made at a time, one of them in the message's place, are what each is alone.
fn two_blocks<B: FoldableCode>(message: &[B], shape: BlockShape, block: &[B]) {
    let (mut placed, mut beside, last) = (message.to_vec(), Vec::new(), Mutex::new(0));
    let other = (shape.block + 1) % (1 << (shape.log_domain - shape.log_rows));
    let [here, there]: [crate::Done<'_, B>; 2] = [
        &|first, piece| {
            *last.lock().unwrap() += piece.len();
            assert!(piece == &block[first * shape.width..][..piece.len()], "pieces are final");
        },
        &|_, piece| *last.lock().unwrap() += piece.len(),
    ];
    B::encode_two(&mut placed, shape, (other, &mut beside), [here, there]);
    assert!(placed == block && last.into_inner().unwrap() == 2 * block.len(), "two blocks at a time");
    B::encode_block(message, BlockShape { block: other, ..shape }, &mut placed, &|_, _| {});
    assert!(placed == beside, "the other of two blocks");
}

/// A block gives the message back, and its rows under other weights what the message's give.
fn inverse<B: FoldableCode>(samples: &mut Samples, shape: BlockShape, (message, block): (&[B], &[B])) {
    let mut decoded = block.to_vec();
    B::decode_block(&mut decoded, shape);
    assert!(decoded == message, "the message of a block");
    let weights = samples.elements::<B>(message.len());
    let mut of_block = weights.clone();
    B::weigh_block(&mut of_block, shape);
    for column in 0..shape.width {
        let weighed = |weights: &[B], rows: &[B]| {
            sum(rows.len() / shape.width, &|i| {
                weights[i * shape.width + column] * rows[i * shape.width + column]
            })
        };
        assert_eq!(weighed(&weights, message), weighed(&of_block, block), "column {column}");
    }
}

/// Sums of rows, on one thread and on many.
fn rows<B: FoldableCode, E: ExtensionOf<B>>(samples: &mut Samples, log_rows: usize, log_inv_rate: usize) {
    let (log_domain, count) = (log_rows + log_inv_rate, 1usize << log_rows);
    let positions: Vec<usize> = (0..7)
        .map(|_| samples.word() as usize % (1 << log_domain))
        .chain([0, (1 << log_domain) - 1])
        .collect();
    let points = values(positions.len(), &|i| B::point(log_domain, positions[i]));
    let scalars = samples.elements::<E>(points.len());
    let start = samples.elements::<E>(count);
    let mut expected = start.clone();
    for (&position, &scalar) in positions.iter().zip(&scalars) {
        let row = row::<B>(log_domain, position, count);
        for i in 0..count {
            expected[i] += scalar.scale(row[i]);
        }
    }
    let (mut one, mut many) = (start.clone(), start);
    B::accumulate_rows(&points, &scalars, &mut one);
    B::accumulate_rows_parallel(&points, &scalars, &mut many);
    assert!(one == expected && many == expected, "sums of rows of 2^{log_rows} entries");
    bound::<B, E>(samples, &points, &scalars, log_rows);
    let message = samples.elements::<E>(count);
    let every = values(1 << log_domain, &|p| B::point(log_domain, p));
    let evaluated = |points: &[B::Point]| values(points.len(), &|i| B::evaluate(&message, points[i]));
    for points in [&points, &every] {
        assert!(B::evaluate_many(&message, points) == evaluated(points), "many points of 2^{log_domain}");
    }
    // Points of two codes at once, each of the first twice.
    let longer = values(points.len(), &|i| B::point(log_domain + 1, positions[i] + (1 << log_domain)));
    let mixed = [&points[..], &points, &longer].concat();
    let scalars = samples.elements::<E>(mixed.len());
    let at_mixed = evaluated(&mixed);
    assert!(B::evaluate_many(&message, &mixed) == at_mixed, "points of two codes");
    assert_eq!(
        B::apply_rows(&mixed, &scalars, &message),
        products(&at_mixed, &scalars),
        "a sum of rows of two codes on a message"
    );
    let (mut all, each) = (samples.elements::<E>(count), samples.elements::<E>(every.len()));
    let before = all.clone();
    let mut many = before.clone();
    B::accumulate_rows(&every, &each, &mut all);
    B::accumulate_rows_parallel(&every, &each, &mut many);
    assert!(all == many, "sums of all rows on many threads");
    let expected = products(&B::evaluate_many(&message, &every), &each);
    assert_eq!(
        products(&all, &message),
        products(&before, &message) + expected,
        "rows and evaluations are one form"
    );
}

/// A sum of rows with its lowest variable bound is a sum of rows of the halved code.
fn bound<B: FoldableCode, E: ExtensionOf<B>>(
    samples: &mut Samples,
    points: &[B::Point],
    scalars: &[E],
    log_rows: usize,
) {
    if log_rows == 0 {
        return;
    }
    let (r, mut table) = (samples.element::<E>(), vec![E::ZERO; 1 << log_rows]);
    B::accumulate_rows(points, scalars, &mut table);
    E::bind_low(&mut table, r);
    let (mut points, mut scalars) = (points.to_vec(), scalars.to_vec());
    B::bind_rows(&mut points, &mut scalars, r);
    let mut halved = vec![E::ZERO; table.len()];
    B::accumulate_rows(&points, &scalars, &mut halved);
    assert!(table == halved, "a bound sum of rows");
}
