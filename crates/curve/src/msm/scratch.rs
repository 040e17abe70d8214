//! Memory of sums, used again: fresh memory comes from the system a page at a time, which took up to a tenth of a proof.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;

use super::lists::{Lists, Work, wipe};
use super::{Adder, Curve, Single};

/// The memory of a table's sums: one [`Scratch`] for each that is made at the same time.
pub(super) struct Kept<C: Curve>(Mutex<Vec<Scratch<C>>>);

impl<C: Curve> Default for Kept<C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<C: Curve> Kept<C> {
    /// What `sum` returns, with memory that is overwritten behind it.
    pub fn lend<T>(&self, sum: impl FnOnce(&mut Scratch<C>) -> T) -> T {
        let mut scratch = self.lock().pop().unwrap_or_default();
        let result = sum(&mut scratch);
        scratch.wipe();
        self.lock().push(scratch);
        result
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        self.lock().iter().map(Scratch::bytes).sum()
    }

    /// A list is whole whoever panicked.
    fn lock(&self) -> MutexGuard<'_, Vec<Scratch<C>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Memory of a sum. Dropped, it is overwritten: it holds partial sums.
pub(super) struct Scratch<C: Curve> {
    pub parts: Vec<Part<C>>,
    pub digits: Vec<Digits>,
}

impl<C: Curve> Default for Scratch<C> {
    fn default() -> Self {
        Self { parts: Vec::new(), digits: Vec::new() }
    }
}

impl<C: Curve> Scratch<C> {
    fn bytes(&self) -> usize {
        let of = |p: &Part<C>| p.vector.bytes() + p.single.bytes() + p.lists.bytes();
        let digits = self.digits.iter().flat_map(|d| &d.0).map(|d| size_of::<(i32, u32)>() * d.capacity());
        self.parts.iter().map(of).chain(digits).sum()
    }

    fn wipe(&mut self) {
        self.parts.iter_mut().for_each(Part::wipe);
        self.digits.iter_mut().for_each(Digits::wipe);
    }
}

/// Digits of some of the terms, those of each part of the buckets together.
#[derive(Default)]
pub(super) struct Digits(pub Vec<Vec<(i32, u32)>>);

impl Digits {
    fn wipe(&mut self) {
        self.0.iter_mut().for_each(|digits| wipe(digits, (0, 0)));
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// What a part of the buckets takes.
pub(super) struct Part<C: Curve> {
    pub lists: Lists,
    pub vector: Work<C::Vector>,
    pub single: Work<Single<C>>,
}

impl<C: Curve> Default for Part<C> {
    fn default() -> Self {
        Self { lists: Lists::default(), vector: Work::default(), single: Work::default() }
    }
}

impl<C: Curve> Part<C> {
    fn wipe(&mut self) {
        self.lists.wipe();
        self.vector.wipe(C::Vector::import(&[Affine::zero()])[0]);
        self.single.wipe(Affine::zero());
    }
}

impl<C: Curve> Drop for Part<C> {
    fn drop(&mut self) {
        self.wipe();
    }
}
