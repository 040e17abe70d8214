//! The parts that interactive oracle proofs are made of, in the order of the data's way.
//!
//! Rows of a codeword are hashed ([`hash`]) into a Merkle tree ([`merkle`]), the transcript ([`transcript`])
//! turns the prover's messages into the verifier's challenges, and a proof that is wrong in any way is
//! [`error::Invalid`].
#![cfg_attr(not(feature = "prover"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

pub mod code;
pub mod codec;
pub mod error;
pub mod fold;
pub mod hash;
pub mod merkle;
pub mod oracle;
pub mod poly;
pub mod security;
pub mod sumcheck;
pub mod text;
pub mod transcript;
