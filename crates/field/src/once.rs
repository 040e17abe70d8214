//! Values of statics that are made at their first use.

#[cfg(not(feature = "prover"))]
use once_cell::race::OnceBox as Lock;
#[cfg(feature = "prover")]
use std::sync::OnceLock as Lock;

/// A value made at its first use. With the feature `prover` it is made once, and threads wait for each other; without it
/// threads that meet here may each make it, and all get the same one.
#[derive(Debug)]
pub struct Once<T>(Lock<T>);

impl<T> Once<T> {
    /// Not made yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "statics need a constant")]
    pub const fn new() -> Self {
        Self(Lock::new())
    }

    /// The value; `make` must give the same one whenever it is called.
    pub fn get(&self, make: impl FnOnce() -> T) -> &T {
        #[cfg(not(feature = "prover"))]
        let make = || alloc::boxed::Box::new(make());
        self.0.get_or_init(make)
    }
}
