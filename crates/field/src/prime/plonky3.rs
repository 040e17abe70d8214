//! The traits of this crate on the fields of Plonky3.

/// The slice methods of [`crate::Field`] for an extension of degree `$degree` of `$B`, in lanes.
macro_rules! slices {
    ($B:ty, $degree:literal) => {
        fn bind_low(values: &mut alloc::vec::Vec<Self>, r: Self) {
            let tier = crate::cpu::Tier::best();
            crate::kernels::extension::bind_low::<$B, Self, $degree>(tier, values, r);
        }

        fn scale_slice(values: &mut [Self], by: Self) {
            let tier = crate::cpu::Tier::best();
            crate::kernels::extension::scale_slice::<$B, Self, $degree>(tier, values, by);
        }

        fn multiply_slice(values: &mut [Self], factors: &[Self]) {
            let tier = crate::cpu::Tier::best();
            crate::kernels::extension::multiply_slice::<$B, Self, $degree>(tier, values, factors);
        }

        fn add_scaled(values: &[Self], by: Self, out: &mut [Self]) {
            let tier = crate::cpu::Tier::best();
            crate::kernels::extension::add_scaled::<$B, Self, $degree>(tier, values, by, out);
        }

        fn product_round(a: &[Self], b: &[Self]) -> (Self, Self) {
            crate::kernels::sums::product_round::<$B, Self, $degree>(crate::cpu::Tier::best(), a, b)
        }

        fn inner_product(a: &[Self], b: &[Self]) -> Self {
            crate::kernels::sums::inner_product::<$B, Self, $degree>(crate::cpu::Tier::best(), a, b)
        }
    };
}
pub(super) use slices;

/// Implements [`crate::Field`], [`crate::TwoAdic`] and the extension of degree one on a prime field, `$factor` as in
/// [`write_slice`](crate::kernels::encode::write_slice).
macro_rules! base {
    ($F:ty, $name:literal, $bytes:literal, $factor:expr, $Lanes256:ident, $Lanes512:ident) => {
        impl crate::Field for $F {
            const NAME: &'static str = $name;
            const BYTES: usize = $bytes;
            const ZERO: Self = <Self as p3_field::PrimeCharacteristicRing>::ZERO;
            const ONE: Self = <Self as p3_field::PrimeCharacteristicRing>::ONE;

            fn bits() -> f64 {
                libm::log2(<Self as p3_field::PrimeField64>::ORDER_U64 as f64)
            }

            #[inline]
            fn inverse(self) -> Option<Self> {
                <Self as p3_field::Field>::try_inverse(&self)
            }

            #[inline]
            fn from_u64(x: u64) -> Self {
                <Self as p3_field::PrimeCharacteristicRing>::from_u64(x)
            }

            #[inline]
            fn write(self, out: &mut [u8]) {
                let integer = p3_field::PrimeField64::as_canonical_u64(&self);
                out.copy_from_slice(&integer.to_le_bytes()[..$bytes]);
            }

            fn write_slice(values: &[Self], out: &mut [u8]) {
                const FACTOR: Option<$F> = $factor;
                crate::kernels::encode::write_slice(crate::cpu::Tier::best(), FACTOR, values, out);
            }

            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                let mut integer = [0; 8];
                integer[..$bytes].copy_from_slice(<&[u8; $bytes]>::try_from(bytes).ok()?);
                let integer = u64::from_le_bytes(integer);
                (integer < <Self as p3_field::PrimeField64>::ORDER_U64)
                    .then(|| crate::Field::from_u64(integer))
            }

            const UNIFORM_BYTES: usize = 16;

            fn from_uniform(bytes: &[u8]) -> Self {
                let bytes = <&[u8; 16]>::try_from(bytes).expect("sixteen uniform bytes");
                let integer = u128::from_le_bytes(*bytes);
                let (low, high) = (integer as u64, (integer >> 64) as u64);
                // 2^64 = (2^32)^2.
                let weight = <Self as crate::Field>::from_u64(1 << 32);
                let high = <Self as crate::Field>::from_u64(high) * weight * weight;
                <Self as crate::Field>::from_u64(low) + high
            }

            #[inline]
            fn square(self) -> Self {
                <Self as p3_field::PrimeCharacteristicRing>::square(&self)
            }

            crate::prime::plonky3::slices!($F, 1);
        }

        static ROOTS: crate::kernels::roots::Roots<$F> = crate::kernels::roots::Roots::new();

        impl crate::TwoAdic for $F {
            const TWO_ADICITY: usize = <Self as p3_field::TwoAdicField>::TWO_ADICITY;
            const GENERATOR: Self = <Self as p3_field::Field>::GENERATOR;

            fn root_of_unity(log_order: usize) -> Self {
                assert!(log_order <= <Self as crate::TwoAdic>::TWO_ADICITY, "no such root of unity");
                <Self as p3_field::TwoAdicField>::two_adic_generator(log_order)
            }

            fn ntt_rows(message: &[Self], width: usize, shift: Self, out: &mut [Self]) {
                let plan = crate::kernels::ntt::Plan { tier: crate::cpu::Tier::best(), width, roots: &ROOTS };
                crate::kernels::ntt::fast(plan, message, shift, out);
            }

            fn ntt_rows_into(
                message: &[Self],
                width: usize,
                shift: Self,
                rows: usize,
                out: &mut alloc::vec::Vec<Self>,
            ) {
                let plan = crate::kernels::ntt::Plan { tier: crate::cpu::Tier::best(), width, roots: &ROOTS };
                crate::kernels::ntt::fast_into(plan, message, rows, shift, out);
            }
        }

        impl crate::kernels::lanes::Vectors for $F {
            #[inline]
            fn run<K: crate::kernels::lanes::Kernel<Self>>(tier: crate::cpu::Tier, kernel: K) -> K::Output {
                assert!(crate::cpu::has(tier.needs()), "instructions that are not in use");
                #[cfg(target_arch = "x86_64")]
                {
                    use crate::cpu::Tier;
                    use crate::kernels::x86::{run_avx2, run_avx512, $Lanes256, $Lanes512};
                    match tier {
                        // SAFETY: the tier is in use, by the first line.
                        Tier::Avx512 => return unsafe { run_avx512::<_, $Lanes512, _>(kernel) },
                        // SAFETY: the tier is in use, by the first line.
                        Tier::Avx2 => return unsafe { run_avx2::<_, $Lanes256, _>(kernel) },
                        Tier::Portable => {}
                    }
                }
                // SAFETY: the library's lanes are those of the instructions that the whole build is for.
                unsafe { kernel.run::<crate::kernels::library::Library<$F>>() }
            }
        }

        crate::prime::extension_of_itself!($F);
    };
}
pub(super) use base;

/// Implements [`crate::Field`] and [`crate::ExtensionOf`] on an extension of a prime field, and the
/// extension of degree one.
macro_rules! extension {
    ($B:ty, $E:ty, $degree:literal, $name:literal) => {
        impl crate::Field for $E {
            const NAME: &'static str = $name;
            const BYTES: usize = $degree * <$B as crate::Field>::BYTES;
            const ZERO: Self = <Self as p3_field::PrimeCharacteristicRing>::ZERO;
            const ONE: Self = <Self as p3_field::PrimeCharacteristicRing>::ONE;

            fn bits() -> f64 {
                $degree as f64 * <$B as crate::Field>::bits()
            }

            #[inline]
            fn inverse(self) -> Option<Self> {
                <Self as p3_field::Field>::try_inverse(&self)
            }

            #[inline]
            fn from_u64(x: u64) -> Self {
                <Self as p3_field::PrimeCharacteristicRing>::from_u64(x)
            }

            #[inline]
            fn write(self, out: &mut [u8]) {
                let coefficients: &[$B] = p3_field::BasedVectorSpace::as_basis_coefficients_slice(&self);
                assert_eq!(out.len(), Self::BYTES, "one encoding");
                <$B as crate::Field>::write_slice(coefficients, out);
            }

            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                let mut coefficients = [<$B as crate::Field>::ZERO; $degree];
                if bytes.len() != Self::BYTES {
                    return None;
                }
                let parts = bytes.chunks_exact(<$B as crate::Field>::BYTES);
                for (c, part) in coefficients.iter_mut().zip(parts) {
                    *c = <$B as crate::Field>::from_bytes(part)?;
                }
                Some(Self::new(coefficients))
            }

            const UNIFORM_BYTES: usize = $degree * <$B as crate::Field>::UNIFORM_BYTES;

            fn from_uniform(bytes: &[u8]) -> Self {
                assert_eq!(bytes.len(), Self::UNIFORM_BYTES, "uniform bytes for every coefficient");
                let mut parts = bytes.chunks_exact(<$B as crate::Field>::UNIFORM_BYTES);
                Self::new(core::array::from_fn(|_| {
                    <$B as crate::Field>::from_uniform(parts.next().expect("counted above"))
                }))
            }

            #[inline]
            fn square(self) -> Self {
                <Self as p3_field::PrimeCharacteristicRing>::square(&self)
            }

            crate::prime::plonky3::slices!($B, $degree);
        }

        impl crate::ExtensionOf<$B> for $E {
            const DEGREE: usize = $degree;

            #[inline]
            fn lift(b: $B) -> Self {
                Self::from(b)
            }

            #[inline]
            fn scale(self, b: $B) -> Self {
                self * b
            }

            fn from_coefficients(coefficients: &[$B]) -> Self {
                Self::new(coefficients.try_into().expect("one coefficient per degree"))
            }

            fn flatten(values: &[Self]) -> alloc::borrow::Cow<'_, [$B]> {
                const { assert!(size_of::<$E>() == $degree * size_of::<$B>()) };
                const { assert!(align_of::<$E>() == align_of::<$B>()) };
                let length = $degree * values.len();
                // SAFETY: the extension is `repr(transparent)` over `[B; DEGREE]`, so the slice is
                // `DEGREE * len` consecutive initialised values of `B`, borrowed for as long.
                let flat: &[$B] = unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), length) };
                flat.into()
            }

            fn with_flat_mut(values: &mut [Self], edit: impl FnOnce(&mut [$B])) {
                const { assert!(size_of::<$E>() == $degree * size_of::<$B>()) };
                const { assert!(align_of::<$E>() == align_of::<$B>()) };
                let length = $degree * values.len();
                // SAFETY: as in `flatten`; the exclusive borrow passes to `edit`, and every value
                // of `B` is allowed as a coefficient.
                edit(unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), length) });
            }

            fn combine_columns(matrix: &[$B], weights: &[Self], out: &mut [Self]) {
                crate::kernels::combine::columns(crate::cpu::Tier::best(), matrix, weights, out);
            }

            fn combine_rows(matrix: &[$B], weights: &[Self], out: &mut [Self]) {
                let tier = crate::cpu::Tier::best();
                crate::kernels::combine::rows::<$B, Self, $degree>(tier, matrix, weights, out);
            }

            fn fold_pairs(pairs: &[Self], inverse_points: &[$B], even: Self, odd: Self, out: &mut [Self]) {
                let (tier, values) = (crate::cpu::Tier::best(), (pairs, inverse_points));
                crate::kernels::extension::fold_pairs::<$B, Self, $degree>(tier, values, [even, odd], out);
            }

            fn accumulate_powers(points: &[$B], coefficients: &[Self], out: &mut [Self]) {
                crate::kernels::combine::powers(crate::cpu::Tier::best(), points, coefficients, out);
            }

            fn evaluate_powers(coefficients: &[Self], points: &[$B], out: &mut [Self]) {
                let tier = crate::cpu::Tier::best();
                crate::kernels::evaluate::powers::<$B, Self, $degree>(tier, coefficients, points, out);
            }
        }

        crate::prime::extension_of_itself!($E);
    };
}
pub(super) use extension;
