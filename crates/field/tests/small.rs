//! Small cases of the kernels of binary fields, few enough for an interpreter: `just miri` looks for undefined behaviour in them.
//! (The laws take it hours.)

use field::laws::Samples;
use field::{Alphabet, BlockShape, ExtensionOf, Field, Gf128, Gf192, Gf256, Tower64, Tower128};

fn kernels<B: Field, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(51);
    for (width, rows) in [(1, 1), (3, 5), (9, 2), (17, 4)] {
        let matrix = samples.elements::<B>(width * rows);
        let (across, down) = (samples.elements::<E>(width), samples.elements::<E>(rows));
        let (mut columns, mut sums) = (vec![E::ZERO; rows], vec![E::ZERO; width]);
        E::combine_columns(&matrix, &across, &mut columns);
        E::combine_rows(&matrix, &down, &mut sums);
        for (i, &column) in columns.iter().enumerate() {
            assert_eq!(column, (0..width).map(|k| across[k].scale(matrix[i * width + k])).sum());
        }
        for (k, &sum) in sums.iter().enumerate() {
            assert_eq!(sum, (0..rows).map(|i| down[i].scale(matrix[i * width + k])).sum());
        }
    }
    for length in [0, 1, 2, 6, 18] {
        let (a, b) = (samples.elements::<E>(length), samples.elements::<E>(length));
        let (mut multiple, mut sums, r) = (a.clone(), b.clone(), samples.element::<E>());
        E::scale_slice(&mut multiple, r);
        E::add_scaled(&a, r, &mut sums);
        for i in 0..length {
            assert_eq!((multiple[i], sums[i]), (r * a[i], r * a[i] + b[i]));
        }
        let inner: E = a.iter().zip(&b).map(|(&a, &b)| a * b).sum();
        assert_eq!(E::inner_product(&a, &b), inner);
        let even: E = a.chunks_exact(2).zip(b.chunks_exact(2)).map(|(a, b)| a[0] * b[0]).sum();
        assert_eq!(E::product_round(&a, &b).0, even);
        let mut bound = a.clone();
        E::bind_low(&mut bound, r);
        let line = |pair: &[E]| pair[0] + r * (pair[1] - pair[0]);
        assert_eq!(bound, a.chunks_exact(2).map(line).collect::<Vec<_>>());
    }
    let values = samples.elements::<E>(3);
    let mut again = vec![E::ZERO; 3];
    E::unflatten(&E::flatten(&values), &mut again);
    assert_eq!(again, values);
}

#[test]
fn kernels_of_gf128() {
    kernels::<Tower128, Gf128>();
    kernels::<Gf128, Gf128>();
}

#[test]
fn kernels_of_gf192() {
    kernels::<Tower64, Gf192>();
}

#[test]
fn kernels_of_gf256() {
    kernels::<Tower128, Gf256>();
}

#[test]
fn blocks_there_and_back() {
    let message = Samples::new(52).elements::<Tower64>(16);
    let shape = BlockShape { width: 2, log_rows: 3, log_domain: 4, block: 1 };
    let mut block = Vec::new();
    Tower64::encode_block(&message, shape, &mut block, &|_, _| {});
    Tower64::decode_block(&mut block, shape);
    assert_eq!(block, message);
}
