//! Inner products of two committed columns: `Σ_i f_a[i] f_b[i] = y` over the first rows; `a = b` is a sum of squares.
//! (notes: linear-forms-product)
//!
//! ```text
//!  statement: commitment, columns a and b, rows, value y, context
//!      │
//!      ▼  sumcheck of f_a·f_b over all places: a round for each index bit, two elements a round
//!  f_a(r)·f_b(r) = s
//!      │
//!      ▼  the prover sends v_j = f_j(r) of every column j; the verifier checks v_a·v_b = s
//!      ▼  a random point z
//!  an opening of all columns, by the scheme below: at r to the v_j, and each block of the padding, at z, to zero
//! ```
//!
//! The sum is over all places, and the padding behind the rows is zero by what the opening says of it: so it is one over the rows.
//!
//! The sumcheck's messages speak about the data, so a hiding commitment is refused.

mod opening;
#[cfg(feature = "prover")]
mod prover;
mod statement;
mod verifier;

#[cfg(test)]
mod tests;

pub use opening::Opening;
#[cfg(feature = "prover")]
pub use prover::open;
pub use statement::Statement;
#[cfg(feature = "prover")]
pub(crate) use verifier::has_room;
pub use verifier::{MAX_VALUES, Scheme};
