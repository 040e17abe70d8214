//! Cells, and linear combinations of them.

use core::ops::{Add, AddAssign, Mul, Neg, Sub};

use curve::PrimeField;

/// A cell of the vector `z` that is no constant. Cells of a kind are numbered in the order of allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A public input.
    Public(u32),
    /// A witness cell that a commitment may bind before challenges are drawn.
    Committed(u32),
    /// A witness cell.
    Witness(u32),
}

/// A constant plus multiples of cells.
///
/// While matrices are made, `offset` is the constant and `terms` are sorted by cell, without repetition. While an assignment is made, `terms` is
/// empty and `offset` is the value of the whole combination. Every operation below is the same in both cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearCombination<F> {
    pub(super) offset: F,
    pub(super) terms: Vec<(Variable, F)>,
    /// No cell went into it. Known in both cases, unlike the absence of terms.
    pub(super) constant: bool,
}

impl<F: PrimeField> LinearCombination<F> {
    /// The constant `value`.
    #[must_use]
    pub fn constant(value: F) -> Self {
        Self { offset: value, terms: Vec::new(), constant: true }
    }

    /// The constant 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::constant(F::ZERO)
    }

    /// The constant 1.
    #[must_use]
    pub fn one() -> Self {
        Self::constant(F::ONE)
    }

    /// The value under the assignment that is being made. While matrices are made it is the constant term and means nothing: only
    /// the closures that compute witness cells, which do not run then, may use it.
    #[must_use]
    pub fn value(&self) -> F {
        self.offset
    }

    /// The value if no cell went into the combination: it is the same for the matrices and for every assignment.
    #[must_use]
    pub fn as_constant(&self) -> Option<F> {
        self.constant.then_some(self.offset)
    }

    /// Adds `scale · other`.
    pub fn add_scaled(&mut self, scale: F, other: &Self) {
        self.constant &= other.constant;
        self.offset += scale * other.offset;
        if other.terms.is_empty() || scale.is_zero() {
            return;
        }
        let scaled = other.terms.iter().map(|&(v, x)| (v, scale * x));
        let apart = match (self.terms.last(), other.terms.first()) {
            (Some((last, _)), Some((first, _))) => last < first,
            _ => true,
        };
        if apart {
            self.terms.extend(scaled);
        } else {
            self.terms = merge(&self.terms, scaled);
        }
    }

    /// The sum of `weights[i] · items[i]`.
    #[must_use]
    pub fn weighted_sum<'a>(items: impl IntoIterator<Item = (F, &'a Self)>) -> Self {
        let mut sum = Self::zero();
        for (weight, item) in items {
            sum.add_scaled(weight, item);
        }
        sum
    }
}

/// The sum of two sorted lists of terms, without those that cancel.
fn merge<F: PrimeField>(
    left: &[(Variable, F)],
    right: impl Iterator<Item = (Variable, F)>,
) -> Vec<(Variable, F)> {
    let mut sum = Vec::with_capacity(left.len() + 4);
    let mut left = left.iter().copied().peekable();
    for (variable, mut coefficient) in right {
        while let Some(term) = left.next_if(|term| term.0 < variable) {
            sum.push(term);
        }
        if let Some((_, other)) = left.next_if(|term| term.0 == variable) {
            coefficient += other;
        }
        if !coefficient.is_zero() {
            sum.push((variable, coefficient));
        }
    }
    sum.extend(left);
    sum
}

impl<F: PrimeField> Add for &LinearCombination<F> {
    type Output = LinearCombination<F>;

    fn add(self, other: Self) -> LinearCombination<F> {
        let mut sum = self.clone();
        sum += other;
        sum
    }
}

impl<F: PrimeField> AddAssign<&LinearCombination<F>> for LinearCombination<F> {
    fn add_assign(&mut self, other: &Self) {
        self.add_scaled(F::ONE, other);
    }
}

impl<F: PrimeField> Sub for &LinearCombination<F> {
    type Output = LinearCombination<F>;

    fn sub(self, other: Self) -> LinearCombination<F> {
        let mut difference = self.clone();
        difference.add_scaled(-F::ONE, other);
        difference
    }
}

impl<F: PrimeField> Mul<F> for &LinearCombination<F> {
    type Output = LinearCombination<F>;

    fn mul(self, scale: F) -> LinearCombination<F> {
        let mut product = LinearCombination::zero();
        product.add_scaled(scale, self);
        product
    }
}

impl<F: PrimeField> Neg for &LinearCombination<F> {
    type Output = LinearCombination<F>;

    fn neg(self) -> LinearCombination<F> {
        self * -F::ONE
    }
}
