//! Words of a chain that a device holds as long as it can, and this process from its first failure on.

use super::SharedMatrix;
use crate::backend::Buffer;
use crate::chain::DeviceWords;
use crate::{Challenge, Entry};
use iop::hash::Digest;
use iop::oracle::OracleSpec;
use iop::transcript::ProverTape;
use pcs::matrix::ChainWords;

/// The words of a chain below a [`SharedMatrix`].
pub(super) struct SharedWords<'a, B: Entry, E> {
    matrix: &'a SharedMatrix<B>,
    /// None once the device has failed, here or for the matrix.
    device: Option<DeviceWords<B>>,
    /// What this process needs to make the device's words: challenges and message of each.
    folds: Vec<(Vec<E>, Vec<E>)>,
    /// The words of this process.
    plain: Box<dyn ChainWords<E> + 'a>,
}

impl<'a, B: Entry, E: Challenge<B>> SharedWords<'a, B, E> {
    pub(super) fn new(
        matrix: &'a SharedMatrix<B>,
        shapes: Vec<OracleSpec>,
        combined: Buffer,
        plain: Box<dyn ChainWords<E> + 'a>,
    ) -> Self {
        let device = Some(DeviceWords::new(&matrix.gpu, shapes, combined));
        Self { matrix, device, folds: Vec::new(), plain }
    }

    /// What the device answers; none if it fails or has failed. Then this process has all words.
    fn ask<T>(&mut self, question: impl FnOnce(&mut DeviceWords<B>) -> Result<T, crate::Error>) -> Option<T> {
        let device = self.device.as_mut()?;
        if self.matrix.device.borrow().is_some() {
            match question(device) {
                Ok(answer) => return Some(answer),
                Err(error) => self.matrix.fail(error),
            }
        }
        self.device = None;
        for (challenges, message) in self.folds.drain(..) {
            self.plain.fold(&challenges, &message);
        }
        None
    }
}

impl<B: Entry, E: Challenge<B>> ChainWords<E> for SharedWords<'_, B, E> {
    fn fold(&mut self, challenges: &[E], message: &[E]) -> Digest {
        match self.ask(|device| device.fold(challenges)) {
            Some(root) => {
                self.folds.push((challenges.to_vec(), message.to_vec()));
                root
            }
            None => self.plain.fold(challenges, message),
        }
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        match self.ask(|device| device.open_rows(word, positions)) {
            Some((rows, siblings)) => {
                tape.hint("rows", &rows);
                tape.hint_bytes("paths", &siblings);
            }
            None => self.plain.open_rows(tape, word, positions),
        }
    }
}
