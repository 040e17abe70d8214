//! Small cases of the kernels, few enough for an interpreter: `just miri` looks for undefined behaviour in them.
//! (The laws take it hours.)

use field::laws::Samples;
use field::{
    BlockShape, ExtensionOf, Field, FoldableCode, Gf128, Gf192, Gf256, Gf320, Goldilocks, Goldilocks3,
    KoalaBear, KoalaBear4, KoalaBear5, Tower64, Tower128, keccak,
};

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
        let mut products = a.clone();
        E::multiply_slice(&mut products, &b);
        for i in 0..length {
            assert_eq!((multiple[i], sums[i]), (r * a[i], r * a[i] + b[i]));
            assert_eq!(products[i], a[i] * b[i]);
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
fn kernels_of_gf320() {
    kernels::<Tower64, Gf320>();
}

#[test]
fn kernels_of_koala_bear() {
    kernels::<KoalaBear, KoalaBear4>();
    kernels::<KoalaBear, KoalaBear5>();
}

#[test]
fn kernels_of_goldilocks() {
    kernels::<Goldilocks, Goldilocks3>();
}

/// Every way of encoding a message of `width` columns: they agree, and decoding gives the message back.
fn blocks<B: FoldableCode>(width: usize, log_rows: usize) {
    let rows = width << log_rows;
    let mut samples = Samples::new(52);
    // As many coefficients as a block has rows, and three rows more.
    for message in [samples.elements::<B>(rows), samples.elements::<B>(rows + width * 3.min(1 << log_rows))] {
        let [here, there] =
            [0, 1].map(|block| BlockShape { width, log_rows, log_domain: log_rows + 2, block });
        let encode = |shape| {
            let mut out = Vec::new();
            B::encode_block(&message, shape, &mut out, &|_, _| {});
            out
        };
        let expected = [encode(here), encode(there)];
        let mut single = message.clone();
        B::encode_in_place(&mut single, there, &|_, _| {});
        assert_eq!(single, expected[1]);
        let (mut first, mut second) = (message.clone(), Vec::new());
        B::encode_two(&mut first, here, (1, &mut second), [&|_, _| {}, &|_, _| {}]);
        assert_eq!([first, second], expected);
        let (mut some, last) = (message.clone(), (1 << log_rows) - 1);
        B::encode_rows(&mut some, there, &[last]);
        assert_eq!(some[last * width..][..width], expected[1][last * width..]);
        if message.len() == rows {
            let mut back = expected[1].clone();
            B::decode_block(&mut back, there);
            assert_eq!(back, message);
        }
    }
}

#[test]
fn blocks_there_and_back() {
    for (width, log_rows) in [(1, 0), (2, 3), (4, 2), (5, 4)] {
        blocks::<Tower64>(width, log_rows);
        blocks::<Tower128>(width, log_rows);
        blocks::<KoalaBear>(width, log_rows);
        blocks::<Goldilocks>(width, log_rows);
    }
}

/// The first words of Keccak-f of the zero state (FIPS 202), in the first lane and in the last one used.
#[test]
fn keccak_of_zero() {
    for used in [1, 3] {
        let mut states = [[0; keccak::LANES]; 25];
        keccak::permute(&mut states, used);
        for lane in [0, used - 1] {
            assert_eq!([states[0][lane], states[1][lane]], [0xf125_8f79_40e1_dde7, 0x84d5_ccf9_33c0_478a]);
        }
    }
}
