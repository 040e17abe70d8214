//! The memory that proving may take.

use crate::error::Error;

/// The memory that proving may take, and what the caller holds of it: the data, roughly.
#[derive(Clone, Copy, Default)]
pub(crate) struct Room {
    /// None for no limit.
    pub limit: Option<u64>,
    /// Bytes held.
    pub data: u64,
}

impl Room {
    /// Refuses work that takes so many bytes beside the data, if there are not as many.
    pub fn check(self, work: u64) -> Result<(), Error> {
        let need = work.saturating_add(self.data);
        match self.limit {
            Some(limit) if need > limit => Err(Error::Memory { need, limit }),
            _ => Ok(()),
        }
    }
}
