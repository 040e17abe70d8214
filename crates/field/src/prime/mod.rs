//! The fields: adapters over the outside libraries, and one of our own.

pub(crate) mod bn254;
pub(crate) mod goldilocks;
pub(crate) mod koala_bear;
pub(crate) mod mersenne61;
mod plonky3;

/// Makes a field the extension of degree one of itself.
macro_rules! extension_of_itself {
    ($F:ty) => {
        impl crate::ExtensionOf<$F> for $F {
            const DEGREE: usize = 1;

            #[inline]
            fn lift(b: $F) -> $F {
                b
            }

            #[inline]
            fn scale(self, b: $F) -> $F {
                self * b
            }

            fn from_coefficients(coefficients: &[$F]) -> $F {
                assert_eq!(coefficients.len(), 1, "a field has degree one over itself");
                coefficients[0]
            }

            fn flatten(values: &[$F]) -> alloc::borrow::Cow<'_, [$F]> {
                values.into()
            }

            fn with_flat_mut(values: &mut [$F], edit: impl FnOnce(&mut [$F])) {
                edit(values);
            }
        }
    };
}
pub(crate) use extension_of_itself;
