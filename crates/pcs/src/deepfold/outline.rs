//! The layout in words, for the reports of front ends.

use super::Params;
use alloc::string::String;
use alloc::vec::Vec;

impl Params {
    /// A line for the committed matrix, the folds and the final message.
    pub fn outline(&self) -> Vec<String> {
        let deep = if self.own.deep { ", each word with a value outside of the domain" } else { "" };
        let (rows, columns, rate) = (self.log_rows(), self.columns(), 1u64 << self.log_inv_rate);
        vec![
            format!(
                "commitment: 2^{rows} rows x {columns} columns, rate 1/{rate}, {} queries, {} bits of grinding",
                self.queries, self.grinding
            ),
            format!("one chain of {} folds by 2{deep}", self.rounds()),
            format!("final message: 2^{} elements in clear", self.log_final),
        ]
    }
}
