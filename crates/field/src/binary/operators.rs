//! The operators of a field of characteristic two, from its methods `sum` and `product`.

/// Implements the operators that [`crate::Field`] asks for. Functions cannot: there are eight traits to implement.
macro_rules! operators {
    ($F:ty) => {
        impl core::ops::Add for $F {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                self.sum(other)
            }
        }

        impl core::ops::Sub for $F {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.sum(other)
            }
        }

        impl core::ops::Neg for $F {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self
            }
        }

        impl core::ops::Mul for $F {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.product(other)
            }
        }

        impl core::ops::AddAssign for $F {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = self.sum(other);
            }
        }

        impl core::ops::SubAssign for $F {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = self.sum(other);
            }
        }

        impl core::ops::MulAssign for $F {
            #[inline(always)]
            fn mul_assign(&mut self, other: Self) {
                *self = self.product(other);
            }
        }

        impl core::iter::Sum for $F {
            fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
                terms.fold(<Self as crate::Field>::ZERO, |sum, term| sum + term)
            }
        }
    };
}
pub(super) use operators;

/// `a^(2^n - 2)`, the inverse of `a` in a field of `2^n` elements and zero for zero, by the chain of Itoh and Tsujii:
/// `n - 1` squares and about `2 log n` products.
pub(super) fn itoh_tsujii<F: crate::Field>(a: F, n: u32) -> F {
    let (mut power, mut k) = (a, 1);
    // power = a^(2^k - 1).
    for bit in (0..(n - 1).ilog2()).rev() {
        let mut shifted = power;
        for _ in 0..k {
            shifted = shifted.square();
        }
        power *= shifted;
        k *= 2;
        if (n - 1) >> bit & 1 == 1 {
            power = power.square() * a;
            k += 1;
        }
    }
    power.square()
}
