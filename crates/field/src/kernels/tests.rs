//! Every kernel in every tier that this machine has, against the scalar meaning.

use super::lanes::{Kernel, LaneShape, Lanes, Vectors};
use super::{combine, encode, evaluate, extension, fold, ntt, roots::Roots, sums};
use crate::cpu::Tier;
use crate::laws::Samples;
use crate::laws::plain::{products, same, sum, times, values};
use crate::{
    ExtensionOf, Field, Goldilocks, Goldilocks2, Goldilocks3, KoalaBear, KoalaBear4, KoalaBear5, KoalaBear8,
    TwoAdic,
};
use p3_field::PrimeField64;

/// Everything that lanes do, on the first vectors of eight slices.
struct Everything<'a, F> {
    a: &'a [Vec<F>; 4],
    b: &'a [Vec<F>; 4],
    out: &'a mut Vec<Vec<F>>,
}

impl<F: Field> Kernel<F> for Everything<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let (mut a, mut b) = unsafe { ([L::splat(F::ZERO); 4], [L::splat(F::ZERO); 4]) };
        let mut factors = [F::ZERO; 4];
        for i in 0..4 {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            (a[i], b[i]) = unsafe { (L::load(&self.a[i]), L::load(&self.b[i])) };
            factors[i] = self.b[i][0];
        }
        for i in 0..4 {
            self.out.push((a[i] + b[i]).lanes().to_vec());
            self.out.push((a[i] - b[i]).lanes().to_vec());
            self.out.push((a[i] * b[i]).lanes().to_vec());
        }
        self.out.push(L::dot(&a, &b).lanes().to_vec());
        self.out.push(L::mixed_dot(&a, &factors).lanes().to_vec());
        self.out.push(L::dot(&[a[0]], &[b[0]]).lanes().to_vec());
        let mut run = 1;
        while run < L::WIDTH {
            let (x, y) = a[0].interleave(b[0], run);
            self.out.push(x.lanes().to_vec());
            self.out.push(y.lanes().to_vec());
            run *= 2;
        }
    }
}

/// The same, one element after another.
fn everything<F: Field>(a: &[Vec<F>; 4], b: &[Vec<F>; 4], width: usize) -> Vec<Vec<F>> {
    let each = |f: &dyn Fn(usize) -> F| (0..width).map(f).collect::<Vec<F>>();
    let mut out = Vec::new();
    for i in 0..4 {
        out.push(each(&|l| a[i][l] + b[i][l]));
        out.push(each(&|l| a[i][l] - b[i][l]));
        out.push(each(&|l| a[i][l] * b[i][l]));
    }
    out.push(each(&|l| (0..4).map(|i| a[i][l] * b[i][l]).sum()));
    out.push(each(&|l| (0..4).map(|i| a[i][l] * b[i][0]).sum()));
    out.push(each(&|l| a[0][l] * b[0][l]));
    let mut run = 1;
    while run < width {
        let odd = |l: usize| l / run % 2 == 1;
        out.push(each(&|l| if odd(l) { b[0][l - run] } else { a[0][l] }));
        out.push(each(&|l| if odd(l) { b[0][l] } else { a[0][l + run] }));
        run *= 2;
    }
    out
}

fn lanes_agree<F: Vectors>(extremes: &[F]) {
    let mut samples = Samples::new(7);
    let n = extremes.len();
    for round in 0..200 + n * n {
        // First every pair of extremes, then elements.
        let mut draw = |which: usize| {
            let mut next = |_| match samples.word() % 3 {
                _ if round < n * n => extremes[if which == 0 { round % n } else { round / n }],
                0 => extremes[samples.word() as usize % n],
                _ => samples.element(),
            };
            [(); 4].map(|()| (0..16).map(&mut next).collect::<Vec<F>>())
        };
        let (a, b) = (draw(0), draw(1));
        for tier in Tier::available() {
            let mut out = Vec::new();
            F::run(tier, Everything { a: &a, b: &b, out: &mut out });
            assert_eq!(out, everything(&a, &b, LaneShape::new::<F>(tier).width), "{} {tier:?}", F::NAME);
        }
    }
}

#[test]
fn lanes_of_koala_bear_agree_with_its_elements() {
    let few = [0, 1, 2, 0x7f00_0000, 0x7eff_ffff, 1 << 24, (1 << 30) + 1].map(KoalaBear::from_u64);
    lanes_agree(&few);
}

#[test]
fn lanes_of_goldilocks_agree_with_its_elements_reduced_or_not() {
    const P: u64 = 0xffff_ffff_0000_0001;
    let words = [
        0,
        1,
        P - 1,
        P,
        P + 1,
        u64::MAX,
        u64::MAX - 1,
        0xffff_ffff,
        1 << 32,
        1 << 63,
        P >> 1,
        0xffff_fffe_ffff_ffff,
    ];
    lanes_agree(&words.map(Goldilocks::new));
}

fn encodings_agree<F: Vectors + PrimeField64>(factor: Option<F>, extremes: &[F]) {
    let mut samples = Samples::new(8);
    for count in [1, 31, 32, 33, 48, 64, 100] {
        let values = [extremes.to_vec(), samples.elements(count)].concat();
        let mut expected = vec![0; values.len() * F::BYTES];
        for (x, out) in values.iter().zip(expected.chunks_exact_mut(F::BYTES)) {
            out.copy_from_slice(&x.as_canonical_u64().to_le_bytes()[..F::BYTES]);
        }
        for tier in Tier::available() {
            let mut out = vec![0xaa; expected.len()];
            encode::write_slice(tier, factor, &values, &mut out);
            assert_eq!(out, expected, "{} {tier:?}: {count}", F::NAME);
        }
    }
}

#[test]
fn encodings_agree_in_every_tier() {
    let factor = KoalaBear::from_u64(1 << 32).inverse();
    encodings_agree::<KoalaBear>(factor, &[0, 1, 2, 0x7f00_0000, 0x7eff_ffff].map(KoalaBear::from_u64));
    encodings_agree::<Goldilocks>(None, &[0, 1, u64::MAX, u64::MAX - (1 << 32)].map(Goldilocks::new));
}

/// Kernels take a vector's width and more from shapes: small and odd ones, and past the first-level cache.
fn transforms_agree<F: TwoAdic + Vectors>() {
    static SHAPES: [(usize, usize); 12] =
        [(1, 0), (1, 1), (1, 4), (1, 5), (1, 9), (1, 14), (2, 6), (3, 5), (4, 7), (16, 3), (17, 8), (40, 10)];
    let (mut samples, roots) = (Samples::new(3), Roots::new());
    for (width, log_rows) in SHAPES {
        let rows = 1usize << log_rows;
        for message_rows in [1, rows.div_ceil(4), rows / 2 + 1, rows, 2 * rows + 1] {
            let message: Vec<F> = samples.elements(message_rows * width);
            let shift = samples.element();
            let mut expected = vec![F::ZERO; rows * width];
            ntt::scalar(&message, width, shift, &mut expected);
            for tier in Tier::available() {
                let plan = ntt::Plan { tier, width, roots: &roots };
                let mut out = vec![F::ONE; rows * width];
                ntt::fast(plan, &message, shift, &mut out);
                assert_eq!(out, expected, "{} {tier:?}: {width} x {message_rows} to {rows}", F::NAME);
                let mut made = vec![F::ONE; 3];
                ntt::fast_into(plan, &message, rows, shift, &mut made);
                assert_eq!(made, expected, "{} {tier:?}: {width} x {message_rows} to {rows}", F::NAME);
            }
        }
    }
}

#[test]
fn transforms_agree_in_every_tier() {
    transforms_agree::<KoalaBear>();
    transforms_agree::<Goldilocks>();
}

fn combinations_agree<B: Vectors, E: ExtensionOf<B>, const D: usize>() {
    let mut samples = Samples::new(5);
    for (rows, width) in [(1, 1), (3, 16), (16, 15), (17, 16), (33, 17), (64, 64), (21, 100)] {
        let matrix: Vec<B> = samples.elements(rows * width);
        let start: Vec<E> = samples.elements(rows.max(width));
        let weights: Vec<E> = samples.elements(rows.max(width));
        let scaled = |i: usize, k: usize, w: usize| weights[w].scale(matrix[i * width + k]);
        let columns = values(rows, &|i| start[i] + sum(width, &|k| scaled(i, k, k)));
        let sums = values(width, &|k| start[k] + sum(rows, &|i| scaled(i, k, i)));
        let power = |i: usize, j: usize| weights[j].scale(matrix[j].pow(i as u64));
        let powers = values(width, &|i| start[i] + sum(rows, &|j| power(i, j)));
        for tier in Tier::available() {
            let told = format!("{} {tier:?}: {rows} x {width}", E::NAME);
            let mut out = start[..rows].to_vec();
            combine::columns(tier, &matrix, &weights[..width], &mut out);
            same(&out, &columns, format_args!("columns, {told}"));
            let mut out = start[..width].to_vec();
            combine::rows::<B, E, D>(tier, &matrix, &weights[..rows], &mut out);
            same(&out, &sums, format_args!("rows, {told}"));
            let mut out = start[..width].to_vec();
            combine::powers(tier, &matrix[..rows], &weights[..rows], &mut out);
            same(&out, &powers, format_args!("powers, {told}"));
        }
    }
}

#[test]
fn combinations_agree_in_every_tier() {
    combinations_agree::<KoalaBear, KoalaBear4, 4>();
    combinations_agree::<KoalaBear, KoalaBear5, 5>();
    combinations_agree::<KoalaBear, KoalaBear8, 8>();
    combinations_agree::<Goldilocks, Goldilocks2, 2>();
    combinations_agree::<Goldilocks, Goldilocks3, 3>();
}

#[test]
#[cfg(target_arch = "x86_64")]
fn no_tier_has_the_lanes_of_another() {
    let widths = |tier| [LaneShape::new::<KoalaBear>(tier).width, LaneShape::new::<Goldilocks>(tier).width];
    for tier in Tier::available().filter(|&tier| tier != Tier::Portable) {
        assert_eq!(widths(tier), if tier == Tier::Avx512 { [16, 8] } else { [8, 4] });
    }
}

/// The slices of an extension of degree `D`: too few for vectors, whole vectors, and a rest.
fn extensions_agree<B: Vectors, E: ExtensionOf<B>, const D: usize>() {
    let mut samples = Samples::new(9);
    for half in [0, 1, 15, 16, 63, 64, 65, 100, 257] {
        let [a, b] = [(); 2].map(|()| samples.elements::<E>(2 * half));
        let points: Vec<B> = samples.elements(half);
        let [r, s] = [(); 2].map(|()| samples.element::<E>());
        let every = |x: &[E], odd: usize| values(half, &|i| x[2 * i + odd]);
        let steps = |x: &[E]| values(half, &|i| x[2 * i + 1] - x[2 * i]);
        let bound = values(half, &|i| a[2 * i] + times(r, a[2 * i + 1] - a[2 * i]));
        let round = (products(&every(&a, 0), &every(&b, 0)), products(&steps(&a), &steps(&b)));
        let multiple = values(2 * half, &|i| times(a[i], r));
        let multiplied = values(2 * half, &|i| times(a[i], b[i]));
        let added = values(2 * half, &|i| b[i] + multiple[i]);
        let inner = [2 * half, half].map(|length| products(&a[..length], &b[..length]));
        let polynomial = &a[..half.min(20)];
        let value = |x: B| polynomial.iter().rev().fold(E::ZERO, |value, &c| value.scale(x) + c);
        let evaluated = values(half, &|i| value(points[i]));
        let mut folded = vec![E::ZERO; half];
        fold::scalar(&a, &points, [r, s], &mut folded);
        for tier in Tier::available() {
            let told = format!("{} {tier:?}: {half} pairs", E::NAME);
            let mut out = a.clone();
            extension::bind_low::<B, E, D>(tier, &mut out, r);
            same(&out, &bound, format_args!("bind_low, {told}"));
            let mut out = a.clone();
            extension::scale_slice::<B, E, D>(tier, &mut out, r);
            same(&out, &multiple, format_args!("scale_slice, {told}"));
            let mut out = a.clone();
            extension::multiply_slice::<B, E, D>(tier, &mut out, &b);
            same(&out, &multiplied, format_args!("multiply_slice, {told}"));
            let mut out = vec![E::ONE; half];
            evaluate::powers::<B, E, D>(tier, polynomial, &points, &mut out);
            same(&out, &evaluated, format_args!("evaluate, {told}"));
            let mut out = b.clone();
            extension::add_scaled::<B, E, D>(tier, &a, r, &mut out);
            same(&out, &added, format_args!("add_scaled, {told}"));
            assert!(sums::product_round::<B, E, D>(tier, &a, &b) == round, "product_round, {told}");
            let found = [&b[..], &b[..half]].map(|b| sums::inner_product::<B, E, D>(tier, &a, b));
            assert!(found == inner, "inner_product, {told}");
            let mut out = vec![E::ONE; half];
            extension::fold_pairs::<B, E, D>(tier, (&a, &points), [r, s], &mut out);
            same(&out, &folded, format_args!("fold_pairs, {told}"));
        }
    }
}

#[test]
fn slices_agree_in_every_tier() {
    extensions_agree::<KoalaBear, KoalaBear, 1>();
    extensions_agree::<Goldilocks, Goldilocks, 1>();
    extensions_agree::<KoalaBear, KoalaBear4, 4>();
    extensions_agree::<KoalaBear, KoalaBear5, 5>();
    extensions_agree::<KoalaBear, KoalaBear8, 8>();
    extensions_agree::<Goldilocks, Goldilocks2, 2>();
    extensions_agree::<Goldilocks, Goldilocks3, 3>();
}
