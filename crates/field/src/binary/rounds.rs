//! The tables of a sumcheck: binding a variable, one round of a product; multiples of a table, and inner products.
//!
//! (notes: binary-kernels)

use super::clmul::{self, Kernel, Vector};
use super::wide::Wide;
use alloc::vec::Vec;

/// The kernel of [`bind_low`]: writes the first half of the table.
pub(super) struct Bind<'a, F> {
    pub(super) values: &'a mut [F],
    pub(super) r: F,
}

impl<F: Wide> Kernel for Bind<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let (half, per) = (self.values.len() / 2, F::per::<V>());
        let whole = half / per * per;
        let table = self.values.as_mut_ptr();
        // SAFETY: the contract of `run` for the instructions. Of the 2 * half values of the table, 2i to 2i + 2 per are
        // read and then i to i + per written, for i + per <= half; no value is written before it is read.
        unsafe {
            let (r, zero) = (self.r.splat::<V>(), F::no_sum(V::splat(0)));
            for i in (0..whole).step_by(per) {
                let from = table.add(2 * i);
                let (even, odd) = F::split(F::load::<V>(from), F::load::<V>(from.add(per)));
                let product = F::reduce(F::mac(zero, F::add_planes::<V>(even, odd), r));
                F::store::<V>(F::add_planes::<V>(even, product), table.add(i));
            }
        }
        for i in whole..half {
            let (even, odd) = (self.values[2 * i], self.values[2 * i + 1]);
            self.values[i] = even + self.r * (odd - even);
        }
    }
}

/// The kernel of [`product_round`].
pub(super) struct Round<'a, F> {
    pub(super) a: &'a [F],
    pub(super) b: &'a [F],
}

impl<F: Wide> Kernel for Round<'_, F> {
    type Output = (F, F);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (F, F) {
        let half = self.a.len().min(self.b.len()) / 2;
        let per = F::per::<V>();
        let whole = half / per * per;
        let (a, b) = (self.a.as_ptr(), self.b.as_ptr());
        // SAFETY: the contract of `run` for the instructions; the values 2i to 2i + 2 per of both tables are read, for
        // i + per <= half, and both have at least 2 * half.
        let (constant, quadratic) = unsafe {
            let mut constant = F::no_sum(V::splat(0));
            let mut quadratic = constant;
            for i in (0..whole).step_by(per) {
                let (a0, a1) = F::split(F::load::<V>(a.add(2 * i)), F::load::<V>(a.add(2 * i + per)));
                let (b0, b1) = F::split(F::load::<V>(b.add(2 * i)), F::load::<V>(b.add(2 * i + per)));
                constant = F::mac(constant, a0, b0);
                quadratic = F::mac(quadratic, F::add_planes::<V>(a0, a1), F::add_planes::<V>(b0, b1));
            }
            (total::<V, F>(constant), total::<V, F>(quadratic))
        };
        let rest = 2 * whole..2 * half;
        let pairs = self.a[rest.clone()].chunks_exact(2).zip(self.b[rest].chunks_exact(2));
        pairs.fold((constant, quadratic), |(constant, quadratic), (a, b)| {
            (constant + a[0] * b[0], quadratic + (a[1] - a[0]) * (b[1] - b[0]))
        })
    }
}

/// The kernel of [`scale`].
pub(super) struct Scale<'a, F> {
    pub(super) values: &'a mut [F],
    pub(super) by: F,
}

impl<F: Wide> Kernel for Scale<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`; a chunk has `per` elements.
        unsafe {
            let (by, zero) = (self.by.splat::<V>(), F::no_sum(V::splat(0)));
            let mut chunks = self.values.chunks_exact_mut(F::per::<V>());
            for chunk in &mut chunks {
                let product = F::reduce(F::mac(zero, F::load::<V>(chunk.as_ptr()), by));
                F::store::<V>(product, chunk.as_mut_ptr());
            }
            let rest = chunks.into_remainder();
            let product = F::reduce(F::mac(zero, load_some::<V, F>(rest), by));
            store_some::<V, F>(product, rest);
        }
    }
}

/// The kernel of [`multiply`]; both slices have one length.
pub(super) struct Multiply<'a, F> {
    pub(super) values: &'a mut [F],
    pub(super) factors: &'a [F],
}

impl<F: Wide> Kernel for Multiply<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let per = F::per::<V>();
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`; chunks of both have `per` elements.
        unsafe {
            let zero = F::no_sum(V::splat(0));
            let (mut values, mut factors) =
                (self.values.chunks_exact_mut(per), self.factors.chunks_exact(per));
            for (value, factor) in (&mut values).zip(&mut factors) {
                let product = F::mac(zero, F::load::<V>(value.as_ptr()), F::load::<V>(factor.as_ptr()));
                F::store::<V>(F::reduce(product), value.as_mut_ptr());
            }
            let (rest, factors) = (values.into_remainder(), factors.remainder());
            let product = F::reduce(F::mac(zero, load_some::<V, F>(rest), load_some::<V, F>(factors)));
            store_some::<V, F>(product, rest);
        }
    }
}

/// The kernel of [`add_scaled`]; both slices have one length.
pub(super) struct AddScaled<'a, F> {
    pub(super) values: &'a [F],
    pub(super) by: F,
    pub(super) out: &'a mut [F],
}

impl<F: Wide> Kernel for AddScaled<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let per = F::per::<V>();
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`; chunks of both have `per` elements.
        unsafe {
            let (by, zero) = (self.by.splat::<V>(), F::no_sum(V::splat(0)));
            let (mut from, mut to) = (self.values.chunks_exact(per), self.out.chunks_exact_mut(per));
            for (from, to) in (&mut from).zip(&mut to) {
                let product = F::reduce(F::mac(zero, F::load::<V>(from.as_ptr()), by));
                F::store::<V>(F::add_planes::<V>(product, F::load::<V>(to.as_ptr())), to.as_mut_ptr());
            }
            let to = to.into_remainder();
            let product = F::reduce(F::mac(zero, load_some::<V, F>(from.remainder()), by));
            store_some::<V, F>(F::add_planes::<V>(product, load_some::<V, F>(to)), to);
        }
    }
}

/// The kernel of [`inner_product`]; both slices have one length.
pub(super) struct Dot<'a, F> {
    pub(super) a: &'a [F],
    pub(super) b: &'a [F],
}

impl<F: Wide> Kernel for Dot<'_, F> {
    type Output = F;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> F {
        let per = F::per::<V>();
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`; chunks of both have `per` elements.
        unsafe {
            let mut sum = F::no_sum(V::splat(0));
            let (mut a, mut b) = (self.a.chunks_exact(per), self.b.chunks_exact(per));
            for (a, b) in (&mut a).zip(&mut b) {
                sum = F::mac(sum, F::load::<V>(a.as_ptr()), F::load::<V>(b.as_ptr()));
            }
            let rest = (load_some::<V, F>(a.remainder()), load_some::<V, F>(b.remainder()));
            total::<V, F>(F::mac(sum, rest.0, rest.1))
        }
    }
}

/// The most elements that a vector holds of a base.
const MOST: usize = 8;

/// Loads fewer elements than a vector holds, and zeros.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn load_some<V: Vector, F: Wide>(from: &[F]) -> F::Planes<V> {
    let mut elements = [F::ZERO; MOST];
    elements[..from.len()].copy_from_slice(from);
    // SAFETY: the instructions by the contract; a vector holds at most four lanes of two words, `MOST` elements.
    unsafe { F::load::<V>(elements.as_ptr()) }
}

/// Stores the first elements of a vector.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn store_some<V: Vector, F: Wide>(planes: F::Planes<V>, to: &mut [F]) {
    let mut elements = [F::ZERO; MOST];
    // SAFETY: the instructions by the contract; a vector holds at most four lanes of two words, `MOST` elements.
    unsafe { F::store::<V>(planes, elements.as_mut_ptr()) };
    to.copy_from_slice(&elements[..to.len()]);
}

/// The sum over all elements of a sum.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn total<V: Vector, F: Wide>(sum: F::Sum<V>) -> F {
    let mut elements = [F::ZERO; MOST];
    // SAFETY: the instructions by the contract; a vector holds at most four lanes of two words, `MOST` elements.
    unsafe { F::store::<V>(F::reduce(sum), elements.as_mut_ptr()) };
    elements.into_iter().sum()
}

/// [`crate::Field::bind_low`].
pub(super) fn bind_low<F: Wide>(values: &mut Vec<F>, r: F) {
    clmul::dispatch(Bind { values, r });
    values.truncate(values.len() / 2);
}

/// [`crate::Field::product_round`].
pub(super) fn product_round<F: Wide>(a: &[F], b: &[F]) -> (F, F) {
    clmul::dispatch(Round { a, b })
}

/// [`crate::Field::scale_slice`].
pub(super) fn scale<F: Wide>(values: &mut [F], by: F) {
    clmul::dispatch(Scale { values, by });
}

/// [`crate::Field::multiply_slice`].
pub(super) fn multiply<F: Wide>(values: &mut [F], factors: &[F]) {
    assert_eq!(values.len(), factors.len(), "slices of one length");
    clmul::dispatch(Multiply { values, factors });
}

/// [`crate::Field::add_scaled`].
pub(super) fn add_scaled<F: Wide>(values: &[F], by: F, out: &mut [F]) {
    assert_eq!(values.len(), out.len(), "slices of one length");
    clmul::dispatch(AddScaled { values, by, out });
}

/// [`crate::Field::inner_product`].
pub(super) fn inner_product<F: Wide>(a: &[F], b: &[F]) -> F {
    let length = a.len().min(b.len());
    clmul::dispatch(Dot { a: &a[..length], b: &b[..length] })
}

/// The methods of a [`crate::Field`] over slices, by the functions above.
macro_rules! slice_methods {
    () => {
        fn bind_low(values: &mut Vec<Self>, r: Self) {
            $crate::binary::rounds::bind_low(values, r);
        }

        fn product_round(a: &[Self], b: &[Self]) -> (Self, Self) {
            $crate::binary::rounds::product_round(a, b)
        }

        fn scale_slice(values: &mut [Self], by: Self) {
            $crate::binary::rounds::scale(values, by);
        }

        fn multiply_slice(values: &mut [Self], factors: &[Self]) {
            $crate::binary::rounds::multiply(values, factors);
        }

        fn add_scaled(values: &[Self], by: Self, out: &mut [Self]) {
            $crate::binary::rounds::add_scaled(values, by, out);
        }

        fn inner_product(a: &[Self], b: &[Self]) -> Self {
            $crate::binary::rounds::inner_product(a, b)
        }
    };
}
pub(super) use slice_methods;
