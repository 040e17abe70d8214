//! The entry and challenge types that the kernels know.

use crate::args::Kernel;
use field::{ExtensionOf, FoldFibres, Gf128, Gf192, Gf256, Tower64, Tower128};

/// An entry of a matrix over the byte tower, whose bytes are its encoding.
pub trait Entry: FoldFibres + sealed::Entry {}

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

/// The pairs of fields with kernels, each with those of its row and of its column combinations. `shared::commit` knows no others.
macro_rules! pairs {
    ($($entry:ident, $challenge:ident: $rows:ident, $columns:ident;)*) => {
        $(
            impl sealed::Challenge<$entry> for $challenge {
                #[allow(private_interfaces, reason = "the trait is sealed")]
                const KERNELS: [Kernel; 2] = [Kernel::$rows, Kernel::$columns];
            }
            impl Challenge<$entry> for $challenge {}
        )*

        /// Runs something with each pair in turn until it gives an answer.
        pub(crate) fn find_pair<T>(search: &mut impl PairSearch<T>) -> Option<T> {
            None$(.or_else(|| search.with::<$entry, $challenge>()))*
        }
    };
}

/// A function over a pair of fields.
pub(crate) trait PairSearch<T> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<T>;
}

pairs! {
    Tower128, Gf128: CombineRowsGf128, CombineColumnsGf128;
    Tower64, Gf192: CombineRowsGf192, CombineColumnsGf192;
    Tower128, Gf256: CombineRowsGf256, CombineColumnsGf256;
}
