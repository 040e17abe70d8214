//! What entries are, and the coordinates of elements over their field.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use field::binary::bits;
use field::{ExtensionOf, Field};
use iop::poly::{TensorForm, dot, dot_base, powers};
use iop::transcript::Challenger;

/// What the entries of the data are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Entries {
    /// Elements of the alphabet.
    Whole = 0,
    /// Bits: GF(2).
    Bits = 1,
    /// Bytes: GF(2^8).
    Bytes = 2,
    /// Elements of GF(2^32).
    Words32 = 3,
    /// Elements of GF(2^64).
    Words64 = 4,
    /// Elements of the challenge field: their coordinates over the alphabet are columns of the matrix.
    Extension = 5,
}

impl Entries {
    /// All of them, in the order of their ids.
    pub const ALL: [Self; 6] =
        [Self::Whole, Self::Bits, Self::Bytes, Self::Words32, Self::Words64, Self::Extension];

    /// The name in parameter files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Bits => "bits",
            Self::Bytes => "bytes",
            Self::Words32 => "words32",
            Self::Words64 => "words64",
            Self::Extension => "extension",
        }
    }

    /// The byte that names them in files.
    pub fn id(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Bits => 1,
            Self::Bytes => 2,
            Self::Words32 => 3,
            Self::Words64 => 4,
            Self::Extension => 5,
        }
    }

    /// The inverse of [`Entries::id`].
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.get(usize::from(id)).copied()
    }

    /// log2 of the bits of one entry that is packed with others into an element of the alphabet; `None` if it is not.
    pub fn log_bits(self) -> Option<u32> {
        match self {
            Self::Whole | Self::Extension => None,
            Self::Bits => Some(0),
            Self::Bytes => Some(3),
            Self::Words32 => Some(5),
            Self::Words64 => Some(6),
        }
    }
}

/// The coordinates of elements over the field of the entries: so many bits each, which are consecutive bits of the tower's
/// bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coordinates {
    /// Bits of one coordinate.
    bits: usize,
}

impl Coordinates {
    pub fn new(log_bits: u32) -> Self {
        Self { bits: 1usize.checked_shl(log_bits).unwrap_or(usize::MAX) }
    }

    /// The number of coordinates of an element of `bytes` bytes.
    pub fn count(self, bytes: usize) -> usize {
        (8 * bytes).checked_div(self.bits).unwrap_or(0)
    }

    /// `σ_u` for all coordinates `u` of the challenge field, from `s_v` for all coordinates `v` of the alphabet: the matrix of
    /// coordinates, transposed.
    pub fn transpose<B: Field, E: ExtensionOf<B>>(self, parts: &[E]) -> Vec<B> {
        let (from, to) = (B::BYTES * E::DEGREE, B::BYTES);
        let bytes = iop::poly::to_bytes(&E::flatten(parts));
        let mut sums = vec![0; self.count(from) * to];
        if self.bits == 1 {
            turn_bits(&bytes, from, &mut sums, to);
        } else {
            let size = self.bits / 8;
            for (v, part) in bytes.chunks_exact(from).enumerate() {
                for (coordinate, sum) in part.chunks_exact(size).zip(sums.chunks_exact_mut(to)) {
                    let place = sum.chunks_exact_mut(size).nth(v);
                    place.into_iter().for_each(|place| place.copy_from_slice(coordinate));
                }
            }
        }
        sums.chunks_exact(to).map(|b| B::from_bytes(b).unwrap_or(B::ZERO)).collect()
    }

    /// From sums for every bit, encoded, the sums for every coordinate: its bits are its coordinates over GF(2).
    pub fn gather<B: Field, E: ExtensionOf<B>>(self, sums: &[u8]) -> Vec<E> {
        let sums = sums.chunks_exact(E::BYTES).map(|b| E::from_bytes(b).unwrap_or(E::ZERO));
        if self.bits == 1 {
            return sums.collect();
        }
        let basis = self.bit_basis::<B, E>();
        let sums: Vec<E> = sums.collect();
        sums.chunks_exact(self.bits).map(|bits| dot(bits, &basis)).collect()
    }

    /// The field of the entries as a space over GF(2).
    pub fn bit_basis<B: Field, E: ExtensionOf<B>>(self) -> Vec<E> {
        (0..self.bits).map(|b| Self::new(0).basis::<B, E>(b)).collect()
    }

    /// `Σ_x w(x) ⊗(1 - r, r)(x)` for `w(x) = Σ_u ρ_u form_u(x)`: the weight's extension at `r`, by the product of the form's and
    /// the point's factors in the tensor product of the challenge field with itself over the entries' field.
    ///
    /// Cost: for each variable four products for each coordinate, and two products of bit matrices.
    pub fn extension<B: Field, E: ExtensionOf<B>>(self, form: &TensorForm<E>, r: &[E], rho: &[E]) -> E {
        let count = self.count(B::BYTES * E::DEGREE);
        // Left coordinates of 1 ⊗ 1: the first coordinate is that of the field of the entries.
        let mut left = vec![E::ZERO; count];
        if let Some(first) = left.first_mut() {
            *first = E::ONE;
        }
        let basis: Vec<E> = (0..count).map(|u| self.basis::<B, E>(u)).collect();
        for (&[a, b], &r) in form.factors().iter().zip(r) {
            // (a ⊗ (1 - r) + b ⊗ r) = a ⊗ 1 + (a + b) ⊗ r in characteristic two.
            let low = self.act::<B, E>(&basis, a, &left);
            let high = if a + b == E::ONE { left } else { self.act::<B, E>(&basis, a + b, &left) };
            left = low.iter().zip(&high).map(|(&low, &high)| low + high * r).collect();
        }
        left.iter().zip(rho).map(|(&l, &w)| l * w).sum()
    }

    /// The basis element of a coordinate.
    pub fn basis<B: Field, E: ExtensionOf<B>>(self, u: usize) -> E {
        let mut bytes = vec![0u8; B::BYTES * E::DEGREE];
        let at = u * self.bits;
        if let Some(byte) = bytes.get_mut(at / 8) {
            *byte = 1 << (at % 8);
        }
        let coefficients: Vec<B> =
            bytes.chunks_exact(B::BYTES).map(|b| B::from_bytes(b).unwrap_or(B::ZERO)).collect();
        E::from_coefficients(&coefficients)
    }

    /// The left coordinates of `(a ⊗ 1) · Σ_u basis_u ⊗ left_u`.
    fn act<B: Field, E: ExtensionOf<B>>(self, basis: &[E], a: E, left: &[E]) -> Vec<E> {
        let products: Vec<E> = basis.iter().map(|&e| e * a).collect();
        let bytes = iop::poly::to_bytes(&E::flatten(&products));
        // The bits of the products, transposed, times the elements on the right.
        let mut sums = vec![0; 8 * B::BYTES * E::DEGREE * E::BYTES];
        bits::add_transposed_product(&bytes, &iop::poly::to_bytes(left), left.len(), &mut sums);
        self.gather::<B, E>(&sums)
    }
}

/// The transpose of a matrix of bits with rows of `from` bytes, to one with rows of `to` bytes.
fn turn_bits(bytes: &[u8], from: usize, out: &mut [u8], to: usize) {
    for (k, rows) in bytes.chunks_exact(8 * from).enumerate() {
        for (j, out) in out.chunks_exact_mut(8 * to).enumerate() {
            let column = core::array::from_fn(|i| rows.get(i * from + j).copied().unwrap_or(0));
            for (byte, row) in bits::transpose(column).into_iter().zip(out.chunks_exact_mut(to)) {
                row.iter_mut().skip(k).take(1).for_each(|place| *place = byte);
            }
        }
    }
}

/// The challenges that batch coordinates and forms.
pub(crate) struct Batch<E> {
    /// One weight for each coordinate of the challenge field.
    pub rho: Vec<E>,
    /// One for each form.
    pub gammas: Vec<E>,
}

impl<E: Field> Batch<E> {
    /// Draws them, after all parts of all claims.
    pub fn draw(tape: &mut impl Challenger, coordinates: usize, forms: usize) -> Self {
        let variables = usize::try_from(coordinates.next_power_of_two().trailing_zeros()).unwrap_or(0);
        let mut rho = TensorForm::point(&tape.challenges::<E>("coordinates", variables)).expand();
        rho.truncate(coordinates);
        Self { rho, gammas: powers(tape.challenge("forms"), forms) }
    }

    /// The batched sum, from the sums of all coordinates of each form.
    pub fn value<B: Field>(&self, sums: &[Vec<B>]) -> E
    where
        E: ExtensionOf<B>,
    {
        let of_form = |sums: &Vec<B>| dot_base(sums, &self.rho);
        sums.iter().zip(&self.gammas).map(|(sums, &gamma)| gamma * of_form(sums)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Fields;
    use crate::matrix::battery::elements;
    use crate::with_binary_fields;
    use field::FoldableCode;

    /// What [`Coordinates`] computes by products of bit matrices, from the coordinates one by one: the weight
    /// `w(x) = Σ_u ρ_u high_u(x)` at a point, and `σ_u` from the coordinates of all `s_v`.
    fn check<B: FoldableCode, E: ExtensionOf<B>>(entries: Entries, log_bits: u32) {
        let coordinates = Coordinates::new(log_bits);
        let (bits, count) = (1usize << log_bits, coordinates.count(E::BYTES));
        // Bits from `u * bits` on of an element, at the lowest place of one of the alphabet.
        let coordinate = |x: E, u: usize| {
            let bytes = iop::poly::to_bytes::<B>(&E::flatten(&[x]));
            let mut element = vec![0u8; B::BYTES];
            for b in 0..bits {
                let at = u * bits + b;
                element[b / 8] |= (bytes[at / 8] >> (at % 8) & 1) << (b % 8);
            }
            B::from_bytes(&element).unwrap()
        };
        let sum =
            |x: E| (0..count).map(|u| E::lift(coordinate(x, u)) * coordinates.basis::<B, E>(u)).sum::<E>();
        let parts: Vec<E> = elements(coordinates.count(B::BYTES), 4);
        assert!(parts.iter().all(|&part| sum(part) == part), "coordinates over {entries:?}");
        let turned: Vec<B> = coordinates.transpose(&parts);
        for (u, &turned) in turned.iter().enumerate() {
            let alone = |v: usize| coordinates.basis::<B, E>(v) * E::lift(coordinate(parts[v], u));
            assert_eq!(E::lift(turned), (0..parts.len()).map(alone).sum::<E>(), "sum {u} over {entries:?}");
        }
        let rho: Vec<E> = elements(count, 5);
        for variables in [0, 1, 3] {
            let (r, z): (Vec<E>, Vec<E>) = (elements(variables, 6), elements(variables, 7));
            let pairs = elements::<E>(2 * variables, 8).as_chunks().0.to_vec();
            let forms = [
                TensorForm::point(&z),
                TensorForm::sum(variables),
                TensorForm::index(0, variables),
                TensorForm::new(pairs),
            ];
            for form in forms {
                let weight =
                    |x: E| rho.iter().enumerate().map(|(u, &w)| w * E::lift(coordinate(x, u))).sum::<E>();
                let table: Vec<E> = form.expand().into_iter().map(weight).collect();
                let expected = TensorForm::point(&r).apply(&table);
                let said = coordinates.extension::<B, E>(&form, &r, &rho);
                assert_eq!(said, expected, "{variables} variables over {entries:?}");
            }
        }
    }

    #[test]
    fn entries_have_their_names_and_bits() {
        let facts = [
            ("whole", None),
            ("bits", Some(0)),
            ("bytes", Some(3)),
            ("words32", Some(5)),
            ("words64", Some(6)),
            ("extension", None),
        ];
        for (id, (entries, facts)) in (0..).zip(Entries::ALL.into_iter().zip(facts)) {
            assert_eq!((entries.name(), entries.log_bits()), facts);
            assert_eq!((entries.id(), Entries::from_id(id)), (id, Some(entries)));
        }
        assert_eq!(Entries::from_id(6), None);
    }

    #[test]
    fn bit_matrices_compute_what_coordinates_do() {
        for fields in Fields::BINARY {
            for entries in Entries::ALL {
                let packed = entries.log_bits().filter(|log_bits| 1 << log_bits < 8 * fields.base_bytes());
                let Some(log_bits) = packed else { continue };
                with_binary_fields!(fields, B, E => check::<B, E>(entries, log_bits));
            }
        }
    }
}
