//! The names that one quantity of committed data has: who asks for it by one of them is answered by a claim of another.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{Claimed, Verdict};
use crate::any::{AnyScheme, Form};
use crate::statement::Description;
use alloc::vec::Vec;
use core::ops::Range;
use iop::security::Policy;

impl Verdict {
    /// The quantities of a verdict that a quantity is, by any name that it has for these data.
    pub(super) fn same(&self, claimed: &Claimed) -> Vec<Claimed> {
        match (claimed, &self.commitment.description) {
            (Claimed::Column(name, quantity), Description::Column(column)) if *name == column.name => {
                self.same(quantity)
            }
            (Claimed::Column(name, quantity), Description::Table(_)) => {
                self.same(quantity).into_iter().map(|quantity| quantity.of(name.as_str())).collect()
            }
            (Claimed::Product(a, b), _) => vec![claimed.clone(), Claimed::Product(b.clone(), a.clone())],
            (Claimed::Evaluation(z), _) => {
                self.forms(|scheme| scheme.is_coordinate(*z).then(|| scheme.powers(*z)))
            }
            (Claimed::Point(z), _) => self.forms(|scheme| {
                let whole =
                    z.len() == scheme.summary().variables && z.iter().all(|&z| scheme.is_coordinate(z));
                whole.then(|| scheme.point(z))
            }),
            (Claimed::Row(_) | Claimed::Sum | Claimed::Range(_), of) => match numbers(of) {
                Some(rows) => of_rows(claimed, rows),
                None => vec![claimed.clone()],
            },
            _ => vec![claimed.clone()],
        }
    }

    /// The quantities that a form is: one of its own, an element of the data, or a sum of them.
    fn forms(&self, form: impl FnOnce(&AnyScheme) -> Option<Form>) -> Vec<Claimed> {
        let scheme = self.commitment.params.clone().build(&Policy::at_least(0)).ok();
        let Some(form) = scheme.and_then(|scheme| form(&scheme)) else { return Vec::new() };
        let rows = numbers(&self.commitment.description);
        match entries(&form) {
            Some(summed) => summed_over(&summed, rows),
            None => vec![Claimed::Form(form)],
        }
    }
}

/// The quantities that one of the rows of numbers is; of one that reaches beyond them, which is about none, itself.
fn of_rows(claimed: &Claimed, rows: u64) -> Vec<Claimed> {
    let summed = match claimed {
        Claimed::Row(row) => row.checked_add(1).map(|end| *row..end),
        Claimed::Sum => Some(0..rows),
        Claimed::Range(summed) => Some(summed.clone()),
        _ => None,
    };
    match summed.filter(|summed| !summed.is_empty() && summed.end <= rows) {
        Some(summed) => summed_over(&summed, Some(rows)),
        None => vec![claimed.clone()],
    }
}

/// The entries that a form is the sum of.
fn entries(form: &Form) -> Option<Range<u64>> {
    let (start, length) = match form {
        Form::Entry(at) => (*at, 1),
        Form::Block { start, log_length } => (*start, 1u64.checked_shl(*log_length)?),
        Form::Product(..) | Form::Weights(_) | Form::Columns { .. } => return None,
    };
    Some(start..start.checked_add(length)?)
}

/// All quantities that the sum of these entries is, of numbers with so many rows, or of bytes. A verdict says of an entry by its place whether it is a row
/// or padding, and of a sum of rows none that are not there.
fn summed_over(summed: &Range<u64>, rows: Option<u64>) -> Vec<Claimed> {
    let start = summed.start;
    let length = summed.end.saturating_sub(start);
    let mut same = vec![Claimed::Range(summed.clone())];
    if rows.is_some_and(|rows| *summed == (0..rows)) {
        same.push(Claimed::Sum);
    }
    if length == 1 {
        same.extend([Claimed::Row(start), Claimed::Entry(start), Claimed::Padding(start)]);
        same.push(Claimed::Form(Form::Entry(start)));
    } else if length.is_power_of_two() && start.is_multiple_of(length) {
        same.push(Claimed::Form(Form::Block { start, log_length: length.trailing_zeros() }));
    }
    same
}

/// The rows of numbers; none of bytes.
fn numbers(of: &Description) -> Option<u64> {
    match of {
        Description::Column(column) => Some(column.rows),
        Description::Table(table) => Some(table.rows()),
        Description::Bytes(_) => None,
    }
}
