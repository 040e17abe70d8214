//! Files of bytes: their source, and the choice of parameters for them.

pub mod params;
pub mod source;

pub use tenfold::statement::{BytesDescription, Unit};

#[cfg(test)]
mod tests;
