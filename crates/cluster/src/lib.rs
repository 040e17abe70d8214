//! One proof made by several machines, with the bytes of one machine. (notes: cluster-ownership, cluster-messages)
//!
//! Each rank of a job holds some columns of the committed matrix, encodes them and answers for them; only digests, short vectors and opened rows
//! travel. The first rank coordinates: it has the transcript, asks the others, and names the one whose answers contradict each other.
//!
//! ```
//! use cluster::{Deadlines, Member, comm::threads};
//! use field::{Goldilocks, Goldilocks2};
//! use iop::{hash::Hash, poly::TensorForm, security::{Policy, Regime}};
//! use pcs::{fields::Fields, matrix::{Inner, Params, RoundParams}, pip, ring_switching::Entries};
//!
//! let level = RoundParams { log_columns: 4, log_inv_rate: 3, queries: 30, grinding: 0, fold_grinding: 0 };
//! let params = Params {
//!     fields: Fields::Goldilocks2, hash: Hash::Blake3, regime: Regime::UniqueDecoding, entries: Entries::Whole, log_size: 10,
//!     polynomials: 1, max_forms: 1, hidden_openings: 0, log_parts: 4, log_leaf_fibres: 0, level, inner: Inner::Chain(vec![2, 2]),
//! };
//! let scheme = pip::Scheme::<Goldilocks, Goldilocks2>::new(params, &Policy::at_least(0))?;
//! // Four ranks, each a thread, run the same program.
//! let results = threads::run(4, |comm| {
//!     let mut rank = Member::join(&scheme, Box::new(comm), Deadlines::default())?;
//!     let entries: Vec<Goldilocks> = (0..1 << 10).map(Goldilocks::new).collect();
//!     let columns = rank.scatter(&[&entries])?;
//!     if !rank.coordinates() {
//!         return rank.serve(columns).map(|_| ());
//!     }
//!     let mut coordinator = rank.coordinate(columns)?;
//!     let (claims, proof) = coordinator.open(vec![TensorForm::index(7, 10)], b"")?;
//!     assert_eq!(scheme.verify(coordinator.commitment(), &claims, &proof), Ok(()));
//!     println!("{}", coordinator.finish()?);
//!     Ok::<_, cluster::Error>(())
//! });
//! assert!(results.iter().all(Result::is_ok));
//! # Ok::<(), iop::error::ParamError>(())
//! ```
#![forbid(unsafe_code)]

mod blame;
mod check;
pub mod comm;
mod commit;
pub mod doctor;
mod error;
mod hello;
mod hiding;
mod host;
mod identity;
mod input;
mod key_file;
pub mod kzg;
mod matrix;
mod member;
pub mod meter;
mod ownership;
mod party;
mod recall;
pub mod report;
mod retry;
mod session;
pub mod shards;
mod share;
#[cfg(test)]
mod tests;
pub mod virgo;
mod weighted;
mod wire;
mod worker;

pub use error::{Deviation, Difference, Error, Reason};
pub use host::{Hosts, Waiting};
pub use identity::{Identity, Key, PublicKey, Records};
pub use key_file::{KeyFileError, KeyListError};
pub use member::{Coordinator, Member};
pub use ownership::Ownership;
pub use party::Deadlines;
pub use retry::{publish, retry};
