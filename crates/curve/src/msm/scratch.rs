//! Memory of sums, used again: fresh memory comes from the system a page at a time, which took up to a tenth of a proof.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;
use field::parallel;

use super::lists::{Lists, Work, wipe};
use super::{Adder, Curve, Ref, Single};

/// Memory that is lent to one computation after the other: as many pieces as there were at the same time.
pub(super) struct Pool<T>(Mutex<Vec<(usize, T)>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Memory> Pool<T> {
    /// What `f` returns, with memory that is overwritten behind it, by the thread whose cache has it. A thread gets what it had before, if
    /// nobody else has it.
    pub fn lend<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        let me = rayon::current_thread_index().unwrap_or(usize::MAX);
        let mut memory = self.take(me).unwrap_or_default();
        let result = f(&mut memory);
        memory.wipe();
        self.lock().push((me, memory));
        result
    }

    fn take(&self, thread: usize) -> Option<T> {
        let mut free = self.lock();
        let last = free.len().checked_sub(1)?;
        let own = free.iter().rposition(|(who, _)| *who == thread);
        Some(free.swap_remove(own.unwrap_or(last)).1)
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        self.lock().iter().map(|(_, memory)| memory.bytes()).sum()
    }

    /// A list is whole whoever panicked.
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a pool holds. Dropped, it is overwritten too.
pub(super) trait Memory: Default {
    /// The bytes that are held.
    fn bytes(&self) -> usize;

    /// Overwrites what is held, and keeps the room.
    fn wipe(&mut self);
}

/// The memory of a table's sums.
pub(super) struct Kept<C: Curve> {
    pub shares: Pool<Share<C>>,
    pub digits: Pool<Vec<Digits>>,
}

impl<C: Curve> Default for Kept<C> {
    fn default() -> Self {
        Self { shares: Pool::default(), digits: Pool::default() }
    }
}

/// Digits of some of the terms, those of each group of buckets together.
#[derive(Default)]
pub(super) struct Digits(pub Vec<Vec<(i32, u32)>>);

impl Memory for Vec<Digits> {
    fn bytes(&self) -> usize {
        self.iter().flat_map(|d| &d.0).map(|d| size_of::<(i32, u32)>() * d.capacity()).sum()
    }

    fn wipe(&mut self) {
        match &mut self[..] {
            [digits] => digits.wipe(),
            all => parallel::for_each(all.iter_mut(), Digits::wipe),
        }
    }
}

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

/// What a thread takes for its share of the buckets.
pub(super) struct Share<C: Curve> {
    /// The lists of a group.
    pub lists: Lists,
    /// The sums of the buckets, of those that are not the share's none.
    pub buckets: Vec<Option<Ref>>,
    pub vector: Work<C::Vector>,
    pub middle: Work<C::Middle>,
    pub single: Work<Single<C>>,
}

impl<C: Curve> Default for Share<C> {
    fn default() -> Self {
        let (vector, middle, single) = Default::default();
        Self { lists: Lists::default(), buckets: Vec::new(), vector, middle, single }
    }
}

impl<C: Curve> Memory for Share<C> {
    fn bytes(&self) -> usize {
        self.vector.bytes()
            + self.middle.bytes()
            + self.single.bytes()
            + self.lists.bytes()
            + size_of::<Option<Ref>>() * self.buckets.capacity()
    }

    fn wipe(&mut self) {
        self.lists.wipe();
        wipe(&mut self.buckets, None);
        self.vector.wipe(C::Vector::import(&[Affine::zero()])[0]);
        self.middle.wipe(C::Middle::import(&[Affine::zero()])[0]);
        self.single.wipe(Affine::zero());
    }
}

impl<C: Curve> Drop for Share<C> {
    fn drop(&mut self) {
        self.wipe();
    }
}
