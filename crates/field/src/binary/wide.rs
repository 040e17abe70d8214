//! Elements side by side in vectors, and sums of products that are reduced once.
//!
//! (notes: binary-kernels)

use super::clmul::Vector;
use crate::Field;
use core::ops::AddAssign;

/// Elements that are single words or lanes, of which sums of products are reduced once.
pub trait Sums: Copy + Default + AddAssign {
    /// Sums of products that are not reduced, one for each element of a vector.
    type Sum<V: Vector>: Copy;

    /// The number of elements in a vector.
    fn per<V: Vector>() -> usize {
        16 * V::LANES / size_of::<Self>()
    }

    /// The 128 bits that hold the element in every place.
    fn lane(self) -> u128;

    fn no_sum<V: Vector>(zero: V) -> Self::Sum<V>;

    fn mac<V: Vector>(sum: Self::Sum<V>, a: V, b: V) -> Self::Sum<V>;

    fn reduce<V: Vector>(sum: Self::Sum<V>) -> V;

    /// The sum over the elements of each of the first `V::LANES` sums: one lane for each, in its first element.
    fn totals<V: Vector>(sums: [Self::Sum<V>; 4]) -> V;
}

/// A field with such elements: the base of the others.
pub trait Base: Field + Sums {
    fn add_sums<V: Vector>(a: Self::Sum<V>, b: Self::Sum<V>) -> Self::Sum<V>;

    /// The elements at the even and at the odd places of `a` followed by `b`.
    fn split<V: Vector>(a: V, b: V) -> (V, V);
}

/// A vector whose first lanes are the sums of neighbouring lanes of `a` followed by `b`.
#[inline(always)]
fn pair_sums<V: Vector>(a: V, b: V) -> V {
    let (even, odd) = a.split_lanes(b);
    even.xor(odd)
}

/// The items of [`Sums`] but `reduce` for elements `a0 + a1 Y` of 128 bits.
macro_rules! sums_of_words {
    () => {
        /// The sums of `a0 b0`, of `(a0 + a1)(b0 + b1)` and of `a1 b1` (Karatsuba).
        type Sum<V: Vector> = [V; 3];

        #[inline(always)]
        fn lane(self) -> u128 {
            self.0
        }

        #[inline(always)]
        fn no_sum<V: Vector>(zero: V) -> [V; 3] {
            [zero; 3]
        }

        #[inline(always)]
        fn mac<V: Vector>([low, mixed, high]: [V; 3], a: V, b: V) -> [V; 3] {
            let both = a.xor(a.swap()).clmul::<0x00>(b.xor(b.swap()));
            [low.xor(a.clmul::<0x00>(b)), mixed.xor(both), high.xor(a.clmul::<0x11>(b))]
        }

        #[inline(always)]
        fn totals<V: Vector>(sums: [[V; 3]; 4]) -> V {
            let mut parts = [sums[0][0]; 3];
            for (k, part) in parts.iter_mut().enumerate() {
                *part = $crate::binary::wide::lane_sums([sums[0][k], sums[1][k], sums[2][k], sums[3][k]]);
            }
            Self::reduce(parts)
        }
    };
}
pub(super) use sums_of_words;

/// A vector whose lane `i` is the sum of the lanes of `vectors[i]`, for `i < V::LANES`.
#[inline(always)]
pub(super) fn lane_sums<V: Vector>(vectors: [V; 4]) -> V {
    match V::LANES {
        1 => vectors[0],
        2 => pair_sums(vectors[0], vectors[1]),
        _ => pair_sums(pair_sums(vectors[0], vectors[1]), pair_sums(vectors[2], vectors[3])),
    }
}

/// A field that the sumcheck kernels know: a vector for each coefficient over the base.
pub(super) trait Wide: Field {
    /// As many elements as a vector holds of the base.
    type Planes<V: Vector>: Copy;
    /// Sums of products that are not reduced.
    type Sum<V: Vector>: Copy;

    fn per<V: Vector>() -> usize;

    /// # Safety
    /// The CPU has the instructions of `V`, and [`Wide::per`] elements can be read.
    unsafe fn load<V: Vector>(from: *const Self) -> Self::Planes<V>;

    /// # Safety
    /// [`Wide::per`] elements can be written.
    unsafe fn store<V: Vector>(planes: Self::Planes<V>, to: *mut Self);

    /// # Safety
    /// The CPU has the instructions of `V`.
    unsafe fn splat<V: Vector>(self) -> Self::Planes<V>;

    fn no_sum<V: Vector>(zero: V) -> Self::Sum<V>;

    fn add_planes<V: Vector>(a: Self::Planes<V>, b: Self::Planes<V>) -> Self::Planes<V>;

    fn mac<V: Vector>(sum: Self::Sum<V>, a: Self::Planes<V>, b: Self::Planes<V>) -> Self::Sum<V>;

    fn reduce<V: Vector>(sum: Self::Sum<V>) -> Self::Planes<V>;

    /// The elements at the even and at the odd places of `a` followed by `b`.
    fn split<V: Vector>(a: Self::Planes<V>, b: Self::Planes<V>) -> (Self::Planes<V>, Self::Planes<V>);
}

impl<P: Base> Wide for P {
    type Planes<V: Vector> = V;
    type Sum<V: Vector> = <P as Sums>::Sum<V>;

    #[inline(always)]
    fn per<V: Vector>() -> usize {
        <P as Sums>::per::<V>()
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> V {
        // SAFETY: by the contract; the elements fill the vector.
        unsafe { V::load(from.cast(), 16) }
    }

    #[inline(always)]
    unsafe fn store<V: Vector>(planes: V, to: *mut Self) {
        // SAFETY: by the contract; the elements fill the vector.
        unsafe { planes.store(to.cast(), 16) }
    }

    #[inline(always)]
    unsafe fn splat<V: Vector>(self) -> V {
        // SAFETY: by the contract.
        unsafe { V::splat(self.lane()) }
    }

    #[inline(always)]
    fn no_sum<V: Vector>(zero: V) -> Self::Sum<V> {
        <P as Sums>::no_sum(zero)
    }

    #[inline(always)]
    fn add_planes<V: Vector>(a: V, b: V) -> V {
        a.xor(b)
    }

    #[inline(always)]
    fn mac<V: Vector>(sum: Self::Sum<V>, a: V, b: V) -> Self::Sum<V> {
        <P as Sums>::mac(sum, a, b)
    }

    #[inline(always)]
    fn reduce<V: Vector>(sum: Self::Sum<V>) -> V {
        <P as Sums>::reduce(sum)
    }

    #[inline(always)]
    fn split<V: Vector>(a: V, b: V) -> (V, V) {
        <P as Base>::split(a, b)
    }
}
