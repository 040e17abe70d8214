//! The entry and challenge types that the kernels know.

use crate::args::Kernel;
use field::{ExtensionOf, FoldableCode, Gf128, Gf192, Gf256, Tower64, Tower128};

/// An entry of a matrix over the byte tower, whose bytes are its encoding.
pub trait Entry: FoldableCode + sealed::Entry {}

/// A challenge field over `B`.
pub trait Challenge<B>: ExtensionOf<B> + sealed::Challenge<B>
where
    B: Entry,
{
}

pub(crate) mod sealed {
    use crate::args::Kernel;

    pub trait Entry {}

    pub trait Challenge<B> {
        /// The kernels of row and of column combinations.
        #[allow(private_interfaces, reason = "the trait is sealed")]
        const KERNELS: [Kernel; 2];
    }
}

impl sealed::Entry for Tower64 {}
impl Entry for Tower64 {}
impl sealed::Entry for Tower128 {}
impl Entry for Tower128 {}

macro_rules! challenge {
    ($challenge:ty, $entry:ty, $rows:ident, $columns:ident) => {
        impl sealed::Challenge<$entry> for $challenge {
            #[allow(private_interfaces, reason = "the trait is sealed")]
            const KERNELS: [Kernel; 2] = [Kernel::$rows, Kernel::$columns];
        }
        impl Challenge<$entry> for $challenge {}
    };
}

challenge!(Gf128, Tower128, CombineRowsGf128, CombineColumnsGf128);
challenge!(Gf192, Tower64, CombineRowsGf192, CombineColumnsGf192);
challenge!(Gf256, Tower128, CombineRowsGf256, CombineColumnsGf256);
