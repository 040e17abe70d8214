//! Parameters in words.

use super::{Inner, Params};
use crate::matrix::RoundParams;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Params {
    /// A line for each committed matrix or fold, in their order.
    #[must_use]
    pub fn outline(&self) -> Vec<String> {
        let mut rows = self.log_rows();
        let mut lines = vec![matrix("commitment", &self.level, rows)];
        if self.log_parts > 0 {
            lines.push(format!("leaves: {} parts of consecutive columns", 1u64 << self.log_parts));
        }
        if self.log_leaf_fibres > 0 {
            lines.push(format!(
                "leaves: {} fibres that fold into a position each",
                1u64 << self.log_leaf_fibres
            ));
        }
        if self.hidden_openings > 0 {
            let (tail, openings) = (self.tail(), self.hidden_openings);
            let masks = self.fields.degree() * openings as usize;
            lines.push(format!(
                "hiding: {tail} random rows, {masks} random columns, {openings} hidden opening(s)"
            ));
        }
        match &self.inner {
            Inner::Recursion(levels) => {
                for (i, level) in levels.iter().enumerate() {
                    rows -= level.log_columns;
                    lines.push(matrix(&format!("level {}", i + 1), level, rows));
                }
            }
            Inner::Chain(steps) => {
                for (i, step) in steps.iter().enumerate() {
                    let before = if i == 0 { "combined fragment".to_string() } else { format!("word {i}") };
                    rows -= step;
                    lines.push(format!("{before}: folded by {} into 2^{rows} entries", 1u64 << step));
                }
            }
            Inner::TwoChains => {
                lines.push(format!("two chains of {rows} folds by 2, for the value and for proximity"));
                rows = 0;
            }
        }
        lines.push(format!("final message: 2^{rows} elements in clear"));
        lines
    }
}

/// A committed matrix in words.
fn matrix(what: &str, level: &RoundParams, rows: u32) -> String {
    format!(
        "{what}: 2^{rows} rows x {} columns, rate 1/{}, {} queries, {} bits of grinding, {} before each fold",
        1u64 << level.log_columns,
        1u64 << level.log_inv_rate,
        level.queries,
        level.grinding,
        level.fold_grinding
    )
}
