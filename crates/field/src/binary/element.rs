//! What the fields of the tower have in common, written once.

/// Implements [`Field`](crate::Field) and its operators for a newtype of an unsigned integer: addition is XOR, every
/// string of bytes is an element, the product and the inverse are the functions given. A macro, because
/// a trait cannot be implemented for all newtypes at once.
macro_rules! binary_field {
    ($name:ident($word:ty), $text:literal, $mul:path, $square:path, $inverse:path) => {
        impl $name {
            #[inline]
            fn sum(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            #[inline]
            fn product(self, other: Self) -> Self {
                Self($mul(self.0, other.0))
            }
        }

        $crate::binary::operators::operators!($name);

        impl $crate::Field for $name {
            const NAME: &'static str = $text;
            const BYTES: usize = size_of::<$word>();
            const ZERO: Self = Self(0);
            const ONE: Self = Self(1);
            const UNIFORM_BYTES: usize = Self::BYTES;

            fn bits() -> f64 {
                f64::from(<$word>::BITS)
            }

            fn inverse(self) -> Option<Self> {
                (self.0 != 0).then(|| Self($inverse(self.0)))
            }

            fn from_u64(x: u64) -> Self {
                Self(<$word>::from(x % 2 == 1))
            }

            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.0.to_le_bytes());
            }

            fn encoded(values: &[Self]) -> Option<&[u8]> {
                // SAFETY: the elements are transparent over unsigned integers, so all their bytes are initialised, and
                // they are borrowed for as long as the result.
                let bytes = unsafe {
                    core::slice::from_raw_parts(values.as_ptr().cast(), core::mem::size_of_val(values))
                };
                cfg!(target_endian = "little").then_some(bytes)
            }

            fn write_slice(values: &[Self], out: &mut [u8]) {
                match Self::encoded(values) {
                    Some(bytes) => out.copy_from_slice(bytes),
                    None => {
                        values.iter().zip(out.chunks_exact_mut(Self::BYTES)).for_each(|(v, o)| v.write(o))
                    }
                }
            }

            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(|bytes| Self(<$word>::from_le_bytes(bytes)))
            }

            fn from_uniform(bytes: &[u8]) -> Self {
                Self(<$word>::from_le_bytes(bytes.try_into().expect("UNIFORM_BYTES bytes")))
            }

            #[inline]
            fn square(self) -> Self {
                Self($square(self.0))
            }
        }
    };
}

pub(crate) use binary_field;
