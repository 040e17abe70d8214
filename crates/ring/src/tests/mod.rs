//! Vectors, liars, tampering.

mod vectors;
