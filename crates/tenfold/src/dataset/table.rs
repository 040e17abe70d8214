//! Columns of one length that are committed to together.

use super::{Column, Values};
use crate::error::Error;
use crate::statement::TableDescription;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// Two columns or more, of one number of rows and with names of their own: one commitment, whose proofs are about the same rows of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    columns: Vec<Column>,
}

impl Table {
    /// A table of these columns, by the name `table`.
    ///
    /// # Errors
    /// [`Error::Table`] if there are fewer than two, they have different numbers of rows, two have one name, or one is packed from bytes.
    pub fn new(columns: Vec<Column>) -> Result<Self, Error> {
        let table = Self { name: "table".to_owned(), columns };
        table.describe().check()?;
        Ok(table)
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of rows of each column.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::rows)
    }

    /// The description of the table.
    #[must_use]
    pub fn describe(&self) -> TableDescription {
        let columns = self.columns.iter().map(Column::describe).collect();
        TableDescription { name: self.name.clone(), columns }
    }
}

impl Values {
    /// Bytes of memory, with the room that they grew into.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Narrow(values) => 8 * values.capacity(),
            Self::Wide(values) => 16 * values.capacity(),
        }
    }
}
