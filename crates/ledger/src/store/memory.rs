//! A store in memory: the model of the others.

use std::collections::BTreeMap;

use super::{Cell, Store, StoreError, Tip};

/// A store in memory, for tests and simulations.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    tip: Option<Tip>,
    cells: BTreeMap<Vec<u8>, Cell>,
}

impl Store for Memory {
    fn tip(&self) -> Result<Option<Tip>, StoreError> {
        Ok(self.tip.clone())
    }

    fn load(&self, each: &mut dyn FnMut(Cell)) -> Result<(), StoreError> {
        self.cells.values().cloned().for_each(each);
        Ok(())
    }

    fn commit(&mut self, tip: &Tip, cells: &[Cell], anew: bool) -> Result<(), StoreError> {
        if anew {
            self.cells.clear();
        }
        self.cells.extend(cells.iter().map(|cell| (cell.key.clone(), cell.clone())));
        self.tip = Some(tip.clone());
        Ok(())
    }
}
