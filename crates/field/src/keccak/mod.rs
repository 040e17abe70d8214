//! Keccak-f\[1600\] (FIPS 202, section 3) on up to eight states at once, a state in each lane of vectors. (notes: merkle-lanes)
//!
//! The permutation is written once, over a [`Word`]; each instruction set is one file with one vector type. The hash function of one message is a
//! library's.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod rounds;
#[cfg(test)]
mod tests;

use crate::cpu::Tier;

/// States in one call.
pub const LANES: usize = 8;

/// The states of up to [`LANES`] sponges: word `x + 5 y` of all of them, one after another.
pub type States = [[u64; LANES]; 25];

/// Permutes the states in the first `used` lanes; what the others hold afterwards is not specified.
///
/// Cost: with AVX-512 that of one state for all, with AVX2 for each four, else for each.
///
/// # Panics
/// If `used` is more than [`LANES`].
pub fn permute(states: &mut States, used: usize) {
    permute_with(Tier::best(), states, used);
}

/// [`permute`] with the instructions of a tier.
///
/// # Panics
/// If the tier is not in use.
fn permute_with(tier: Tier, states: &mut States, used: usize) {
    assert!(used <= LANES, "as many states as lanes");
    assert!(crate::cpu::has(tier.needs()), "instructions that are not in use");
    let words = states.as_flattened_mut().as_mut_ptr();
    // SAFETY: the tier is in use; the lanes from `first` on, as many as the word has, are within the `LANES` of each of the 25 rows.
    unsafe {
        match tier {
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 => avx512::permute(words),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 => (0..used).step_by(4).for_each(|first| avx2::permute(words.add(first))),
            _ => (0..used).for_each(|first| rounds::permute::<u64>(words.add(first))),
        }
    }
}
