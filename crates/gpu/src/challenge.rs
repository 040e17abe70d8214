//! The entry and challenge types that the kernels know.

use crate::args::Kernel;
use core::ffi::CStr;
use field::{ExtensionOf, FoldFibres, Gf128, Gf192, Gf256, Gf320, Tower64, Tower128};

/// An entry of a matrix over the byte tower, whose bytes are its encoding.
pub trait Entry: FoldFibres + sealed::Entry {}

/// A challenge field over `B`.
pub trait Challenge<B>: ExtensionOf<B> + sealed::Challenge<B>
where
    B: Entry,
{
}

pub(crate) mod sealed {
    use super::PairKernels;

    pub trait Entry {}

    pub trait Challenge<B> {
        /// The kernels over the pair.
        #[allow(private_interfaces, reason = "the trait is sealed")]
        const KERNELS: PairKernels;
    }
}

impl sealed::Entry for Tower64 {}
impl Entry for Tower64 {}
impl sealed::Entry for Tower128 {}
impl Entry for Tower128 {}

/// The kernels over an entry type and a challenge field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairKernels {
    /// Combinations of rows.
    pub(crate) rows: Kernel,
    /// Combinations of columns.
    pub(crate) columns: Kernel,
    /// Weighted sums of neighbours.
    pub(crate) fold: Kernel,
    /// Rounds of the sumcheck.
    pub(crate) round: Kernel,
    /// Tensors of two tables.
    pub(crate) tensor: Kernel,
}

impl PairKernels {
    /// All of them.
    pub(crate) fn all(&self) -> [Kernel; 5] {
        let Self { rows, columns, fold, round, tensor } = *self;
        [rows, columns, fold, round, tensor]
    }
}

/// A name that ends with a zero.
const fn c_str(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("one zero, at the end"),
    }
}

/// The pairs of fields with kernels: `PAIRS` of cuda/fields.h has the same.
macro_rules! pairs {
    ($($entry:ident, $challenge:ident: $name:literal;)*) => {
        $(
            impl sealed::Challenge<$entry> for $challenge {
                #[allow(private_interfaces, reason = "the trait is sealed")]
                const KERNELS: PairKernels = PairKernels {
                    rows: Kernel(c_str(concat!("combine_rows_", $name, "\0"))),
                    columns: Kernel(c_str(concat!("combine_columns_", $name, "\0"))),
                    fold: Kernel(c_str(concat!("fold_", $name, "\0"))),
                    round: Kernel(c_str(concat!("round_", $name, "\0"))),
                    tensor: Kernel(c_str(concat!("tensor_", $name, "\0"))),
                };
            }
            impl Challenge<$entry> for $challenge {}
        )*

        /// The kernels of all pairs.
        pub(crate) const PAIR_KERNELS: &[PairKernels] =
            &[$(<$challenge as sealed::Challenge<$entry>>::KERNELS),*];

        /// Runs a function with each pair in turn until it gives an answer.
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
    Tower128, Gf128: "gf128";
    Tower64, Gf192: "gf192";
    Tower128, Gf256: "gf256";
    Tower64, Gf320: "gf320";
}
