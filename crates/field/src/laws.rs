//! The laws of the traits, one battery per trait, one line per field.
//!
//! Elements are drawn from a fixed pseudorandom sequence, so a failure repeats.

mod fold;
mod foldable;
pub(crate) mod plain;

pub use fold::fold_fibres;
pub use foldable::foldable_code;
use plain::{products, same, sum, values};
use std::borrow::Cow;

use crate::{ExtensionOf, Field, TwoAdic};

/// Makes a test out of batteries: `laws!(name: field<F>, two_adic<F>)`.
#[macro_export]
macro_rules! laws {
    ($name:ident: $($law:ident<$($F:ty),+>),+ $(,)?) => {
        #[test]
        fn $name() {
            $($crate::laws::$law::<$($F),+>();)+
        }
    };
}

/// A fixed pseudorandom sequence of elements.
pub struct Samples(u64);

impl Samples {
    /// The sequence that belongs to `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits (the generator `splitmix64`).
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// The next element.
    pub fn element<F: Field>(&mut self) -> F {
        let mut bytes = vec![0; F::UNIFORM_BYTES];
        bytes.fill_with(|| self.word() as u8);
        F::from_uniform(&bytes)
    }

    /// The next `count` elements; every eighth is an extreme one: 0, 1 or -1.
    pub fn elements<F: Field>(&mut self, count: usize) -> Vec<F> {
        let extremes = [F::ZERO, F::ONE, -F::ONE];
        let mut next = || match self.word() % 24 {
            i @ 0..3 => extremes[i as usize],
            _ => self.element(),
        };
        (0..count).map(|_| next()).collect()
    }
}

/// The laws of [`Field`].
pub fn field<F: Field>() {
    axioms::<F>();
    encoding::<F>();
    tables::<F>();
}

fn axioms<F: Field>() {
    let mut samples = Samples::new(1);
    assert!(F::bits() > 0.0 && F::bits() <= 8.0 * F::BYTES as f64);
    assert_ne!(F::ZERO, F::ONE);
    assert_eq!(F::default(), F::ZERO);
    assert_eq!(F::ZERO.inverse(), None);
    for _ in 0..200 {
        let [a, b, c] = samples.elements::<F>(3)[..] else { unreachable!("three elements") };
        assert_eq!((a + b) + c, a + (b + c));
        assert_eq!(a + b, b + a);
        assert_eq!((a * b) * c, a * (b * c));
        assert_eq!(a * b, b * a);
        assert_eq!(a * (b + c), a * b + a * c);
        assert_eq!((a + F::ZERO, a * F::ONE, a * F::ZERO), (a, a, F::ZERO));
        assert_eq!((a - b) + b, a);
        assert_eq!(a + -a, F::ZERO);
        assert_eq!([a, b, c].into_iter().sum::<F>(), a + b + c);
        assert_eq!(a.square(), a * a);
        assert_eq!(a.pow(0), F::ONE);
        assert_eq!(a.pow(13), a * a.square().square() * a.square().square().square());
        assert_eq!(a.inverse().map(|inverse| inverse * a), (a != F::ZERO).then_some(F::ONE));
        let mut assigned = a;
        assigned += b;
        assigned *= c;
        assigned -= a;
        assert_eq!(assigned, (a + b) * c - a);
        // 31-bit numbers: neither the sum nor the product leaves 64 bits.
        let (x, y) = (samples.word() >> 33, samples.word() >> 33);
        assert_eq!(F::from_u64(x) + F::from_u64(y), F::from_u64(x + y));
        assert_eq!(F::from_u64(x) * F::from_u64(y), F::from_u64(x * y));
    }
    assert_eq!(F::from_u64(u64::MAX) + F::ONE, F::from_u64(1 << 32).square());
}

/// The encodings end to end.
fn encode<F: Field>(values: &[F]) -> Vec<u8> {
    let mut bytes = vec![0xaa; values.len() * F::BYTES];
    F::write_slice(values, &mut bytes);
    bytes
}

/// Adds one to a little-endian integer.
fn increment(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

fn encoding<F: Field>() {
    let mut samples = Samples::new(2);
    for count in [0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 100, 1000] {
        let values = samples.elements::<F>(count);
        let bytes = encode(&values);
        assert!(F::encoded(&values).is_none_or(|encoded| encoded == bytes));
        for (v, bytes) in values.iter().zip(bytes.chunks_exact(F::BYTES)) {
            let mut alone = vec![0x55; F::BYTES];
            v.write(&mut alone);
            assert_eq!(alone, bytes);
            assert_eq!(F::from_bytes(bytes), Some(*v));
            assert_eq!(F::from_bytes(&bytes[1..]), None);
            assert_eq!(F::from_bytes(&[bytes, &[0]].concat()), None);
        }
    }
    assert_eq!(F::from_bytes(&[]), None);
    assert_eq!(F::from_bytes(&vec![0; F::BYTES]), Some(F::ZERO));
    let mut one = vec![0; F::BYTES];
    one[0] = 1;
    assert_eq!(F::from_bytes(&one), Some(F::ONE));
    assert_eq!(F::from_uniform(&vec![0; F::UNIFORM_BYTES]), F::ZERO);
    if F::ONE + F::ONE == F::ZERO { all_bytes::<F>() } else { refused_bytes::<F>() }
}

/// In characteristic two every string of [`Field::BYTES`] bytes is the encoding of an element.
fn all_bytes<F: Field>() {
    assert_eq!(F::bits(), 8.0 * F::BYTES as f64);
    let mut samples = Samples::new(9);
    for i in 0..1000 {
        let mut bytes = vec![0xff; F::BYTES];
        if i > 0 {
            bytes.fill_with(|| samples.word() as u8);
        }
        let value = F::from_bytes(&bytes).expect("every string is an element");
        assert_eq!(encode(&[value]), bytes);
    }
}

/// In odd characteristic, coefficients from p on are refused.
fn refused_bytes<F: Field>() {
    assert_eq!(F::from_bytes(&vec![0xff; F::BYTES]), None);
    // -1 is p - 1 in the first coefficient and zero elsewhere; p and what follows is refused.
    let mut bytes = encode(&[-F::ONE]);
    assert_eq!(F::from_bytes(&bytes), Some(-F::ONE));
    let base = bytes.iter().rposition(|&byte| byte != 0).expect("-1 is not 0") + 1;
    for _ in 0..4 {
        increment(&mut bytes[..base]);
        assert_eq!(F::from_bytes(&bytes), None);
        // The same in the last coefficient.
        let mut last = vec![0; F::BYTES - base];
        last.extend_from_slice(&bytes[..base]);
        assert_eq!(F::from_bytes(&last), None);
    }
    // Every value below 2^k - 1 with all higher bits set is above every modulus of this crate.
    for bit in 0..8 {
        let mut bytes = vec![0xff; F::BYTES];
        bytes[0] ^= 1 << bit;
        assert_eq!(F::from_bytes(&bytes), None);
    }
}

fn tables<F: Field>() {
    let mut samples = Samples::new(3);
    for half in [0, 1, 2, 3, 7, 8, 9, 16, 17, 40, 129] {
        let a = samples.elements::<F>(2 * half);
        let b = samples.elements::<F>(2 * half);
        let r = samples.element::<F>();
        let mut bound = a.clone();
        F::bind_low(&mut bound, r);
        let expected = values(half, &|i| (F::ONE - r) * a[2 * i] + r * a[2 * i + 1]);
        same(&bound, &expected, format_args!("{half} pairs bound"));
        let line = |table: &[F], i: usize, x: F| table[2 * i] + x * (table[2 * i + 1] - table[2 * i]);
        let at = |x: F| sum(half, &|i| line(&a, i, x) * line(&b, i, x));
        let (constant, quadratic) = F::product_round(&a, &b);
        assert_eq!(constant, at(F::ZERO));
        // The other values of h(X) = c + l X + q X^2 follow from h(1), in any characteristic.
        let linear = at(F::ONE) - constant - quadratic;
        assert_eq!(at(r), constant + r * (linear + r * quadratic));
    }
    for count in (0..20).chain([31, 32, 33, 100]) {
        let (a, b, r) = (samples.elements::<F>(count), samples.elements::<F>(count), samples.element::<F>());
        let mut scaled = a.clone();
        F::scale_slice(&mut scaled, r);
        same(&scaled, &values(count, &|i| r * a[i]), format_args!("a multiple of {count}"));
        let mut multiplied = a.clone();
        F::multiply_slice(&mut multiplied, &b);
        same(&multiplied, &values(count, &|i| a[i] * b[i]), format_args!("products of {count}"));
        let mut sums = b.clone();
        F::add_scaled(&a, r, &mut sums);
        same(&sums, &values(count, &|i| b[i] + r * a[i]), format_args!("a multiple of {count} added"));
        assert_eq!(F::inner_product(&a, &b), products(&a, &b), "an inner product of {count}");
    }
}

/// The laws of [`ExtensionOf`].
pub fn extension<B: Field, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(4);
    assert!((E::bits() - E::DEGREE as f64 * B::bits()).abs() < 1e-6);
    assert_eq!(E::BYTES, E::DEGREE * B::BYTES);
    assert_eq!((E::lift(B::ZERO), E::lift(B::ONE)), (E::ZERO, E::ONE));
    for _ in 0..100 {
        let (a, b) = (samples.element::<B>(), samples.element::<B>());
        let x = samples.element::<E>();
        assert_eq!(E::lift(a) + E::lift(b), E::lift(a + b));
        assert_eq!(E::lift(a) * E::lift(b), E::lift(a * b));
        assert_eq!(x.scale(a), x * E::lift(a));
    }
    let base = samples.elements::<B>(37);
    same(&E::lift_slice(&base), &values(base.len(), &|i| E::lift(base[i])), format_args!("lifted"));
    coefficients::<B, E>(&mut samples);
    combinations::<B, E>();
    powers::<B, E>();
    if E::ONE != -E::ONE {
        folds::<B, E>();
    }
}

/// Elements and their coefficients.
fn coefficients<B: Field, E: ExtensionOf<B>>(samples: &mut Samples) {
    let mut elements = samples.elements::<E>(9);
    let coefficients = E::flatten(&elements).into_owned();
    assert_eq!(coefficients.len(), 9 * E::DEGREE);
    let rebuilt = values(9, &|i| E::from_coefficients(&coefficients[i * E::DEGREE..][..E::DEGREE]));
    same(&rebuilt, &elements, format_args!("elements of their coefficients"));
    if let Cow::Borrowed(borrowed) = E::flatten(&elements) {
        assert_eq!(encode(&elements), encode(borrowed), "one encoding where the memory is one");
    }
    let mut unit = vec![B::ZERO; E::DEGREE];
    unit[0] = B::ONE;
    assert_eq!(E::from_coefficients(&unit), E::ONE);
    let mut again = samples.elements::<E>(9);
    E::unflatten(&coefficients, &mut again);
    same(&again, &elements, format_args!("values of coefficients"));
    E::with_flat_mut(&mut elements[8..], |flat| {
        same(flat, &coefficients[8 * E::DEGREE..], format_args!("coefficients in place"));
        flat[E::DEGREE - 1] += B::ONE;
    });
    unit.rotate_left(1);
    let last = E::from_coefficients(&coefficients[8 * E::DEGREE..]);
    assert_eq!(elements[8], last + E::from_coefficients(&unit));
}

fn combinations<B: Field, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(5);
    let shapes =
        [(1, 1), (1, 40), (40, 1), (3, 5), (8, 9), (16, 16), (17, 33), (64, 30), (7, 200), (1100, 6)];
    for (width, rows) in shapes.into_iter().chain([(5, 0), (64, 0), (2100, 2), (32, 64)]) {
        let matrix = samples.elements::<B>(width * rows);
        let entry = |i: usize, k: usize| matrix[i * width + k];
        let (before, weights) = (samples.elements::<E>(rows), samples.elements::<E>(width));
        let mut out = before.clone();
        E::combine_columns(&matrix, &weights, &mut out);
        let row = |i: usize| sum(width, &|k| weights[k].scale(entry(i, k)));
        let expected = values(rows, &|i| before[i] + row(i));
        same(&out, &expected, format_args!("columns of {rows} x {width}"));

        let (before, weights) = (samples.elements::<E>(width), samples.elements::<E>(rows));
        let mut out = before.clone();
        E::combine_rows(&matrix, &weights, &mut out);
        let column = |k: usize| sum(rows, &|i| weights[i].scale(entry(i, k)));
        let expected = values(width, &|k| before[k] + column(k));
        same(&out, &expected, format_args!("rows of {rows} x {width}"));
    }
}

fn powers<B: Field, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(6);
    for (points, length) in [(0, 5), (1, 1), (3, 16), (5, 40), (8, 100), (17, 0), (9, 300), (90, 129)] {
        let x = samples.elements::<B>(points);
        let c = samples.elements::<E>(points);
        let before = samples.elements::<E>(length);
        let mut out = before.clone();
        E::accumulate_powers(&x, &c, &mut out);
        let at = |i: usize| sum(points, &|k| c[k].scale(x[k].pow(i as u64)));
        let expected = values(length, &|i| before[i] + at(i));
        same(&out, &expected, format_args!("{points} points, {length} powers"));
    }
}

fn folds<B: Field, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(7);
    for length in [0, 1, 2, 7, 8, 15, 16, 17, 33, 100] {
        let (pairs, points) = (samples.elements::<E>(2 * length), samples.elements::<B>(length));
        let (even, odd) = (samples.element::<E>(), samples.element::<E>());
        let mut out = vec![E::ONE; length];
        E::fold_pairs(&pairs, &points, even, odd, &mut out);
        for (i, &folded) in out.iter().enumerate() {
            let (low, high) = (pairs[2 * i], pairs[2 * i + 1]);
            let twice = even * (low + high) + odd * (low - high).scale(points[i]);
            assert_eq!(folded + folded, twice, "fold to {length}");
        }
    }
}

/// The laws of [`TwoAdic`].
pub fn two_adic<F: TwoAdic>() {
    assert_eq!(F::root_of_unity(0), F::ONE);
    assert_eq!(F::root_of_unity(1), -F::ONE);
    let mut power = F::GENERATOR;
    for k in 1..=F::TWO_ADICITY {
        // With the line above, by induction, the order is exactly 2^k.
        assert_eq!(F::root_of_unity(k).square(), F::root_of_unity(k - 1));
        power = power.square();
    }
    assert_ne!(power, F::ONE, "the generator lies in a two-power subgroup");
    let mut samples = Samples::new(8);
    for log_rows in 0..6 {
        for width in [1, 2, 3, 4, 8, 16, 17, 40] {
            for message_rows in [0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 100] {
                naive::<F>(&mut samples, message_rows, width, log_rows);
            }
        }
    }
    for log_rows in 6..11 {
        for (rows, width) in [(16, 1), (64, 2), (1 << log_rows, 1), (2 << log_rows, 4), (5, 8), (48, 5)] {
            against_scalar::<F>(&mut samples, rows, width, log_rows);
        }
    }
    // Rows longer than a node that is done at a time.
    for (rows, log_rows) in [(1, 0), (1, 2), (3, 2), (4, 2), (8, 3), (9, 3)] {
        against_scalar::<F>(&mut samples, rows, 5000, log_rows);
    }
    against_scalar::<F>(&mut samples, 1 << 11, 64, 11);
    against_scalar::<F>(&mut samples, 1 << 12, 3, 14);
    against_scalar::<F>(&mut samples, 1 << 15, 1, 15);
}

/// The shift of the `i`-th test.
fn shift<F: TwoAdic>(samples: &mut Samples) -> F {
    if samples.word().is_multiple_of(4) { F::ONE } else { F::GENERATOR * samples.element() }
}

fn naive<F: TwoAdic>(samples: &mut Samples, message_rows: usize, width: usize, log_rows: usize) {
    let message = samples.elements::<F>(message_rows * width);
    let shift = shift::<F>(samples);
    let mut out = vec![-F::ONE; width << log_rows];
    F::ntt_rows(&message, width, shift, &mut out);
    let root = F::root_of_unity(log_rows);
    for (i, row) in out.chunks_exact(width).enumerate() {
        let reversed = if log_rows == 0 { 0 } else { i.reverse_bits() >> (usize::BITS as usize - log_rows) };
        let x = shift * root.pow(reversed as u64);
        for (k, &value) in row.iter().enumerate() {
            let horner = |sum: F, i: usize| sum * x + message[i * width + k];
            let expected = (0..message_rows).rev().fold(F::ZERO, horner);
            assert_eq!(value, expected, "row {i} column {k} of {message_rows} x {width} on 2^{log_rows}");
        }
    }
}

fn against_scalar<F: TwoAdic>(samples: &mut Samples, rows: usize, width: usize, log_rows: usize) {
    let message = samples.elements::<F>(rows * width);
    let shift = shift::<F>(samples);
    let (mut fast, mut slow) = (vec![F::ONE; width << log_rows], vec![F::ZERO; width << log_rows]);
    F::ntt_rows(&message, width, shift, &mut fast);
    // What the vector held before, longer or shorter, does not matter.
    let mut made = vec![F::ONE; 7 * width];
    F::ntt_rows_into(&message, width, shift, fast.len() / width, &mut made);
    assert!(made == fast, "into a vector");
    crate::kernels::ntt::scalar(&message, width, shift, &mut slow);
    assert!(fast == slow, "{rows} x {width} on 2^{log_rows}");
}
