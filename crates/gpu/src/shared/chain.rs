//! A chain that a device holds as long as it can, and this process from its first failure on.

use super::SharedMatrix;
use crate::chain::DeviceChain;
use crate::{Challenge, Entry, Error};
use iop::hash::Digest;
use iop::transcript::ProverTape;
use pcs::matrix::{ChainStart, ChainWords};

/// The chain below a [`SharedMatrix`].
pub(super) struct SharedChain<'a, B: Entry, E> {
    matrix: &'a SharedMatrix<B>,
    /// None once the device has failed, here or for the matrix.
    device: Option<DeviceChain<B, E>>,
    start: ChainStart<'a, E>,
    /// The steps so far: with `start`, the state of the chain.
    steps: Vec<Step<E>>,
    /// The chain in this process's memory.
    plain: Option<Box<dyn ChainWords<E> + 'a>>,
}

/// A step of a chain.
enum Step<E> {
    Bind(E),
    Commit,
}

impl<'a, B: Entry, E: Challenge<B>> SharedChain<'a, B, E> {
    pub(super) fn new(
        matrix: &'a SharedMatrix<B>,
        device: DeviceChain<B, E>,
        start: ChainStart<'a, E>,
    ) -> Self {
        Self { matrix, device: Some(device), start, steps: Vec::new(), plain: None }
    }

    /// The device's answer; none if it fails or has failed.
    fn ask<T>(&mut self, question: impl FnOnce(&mut DeviceChain<B, E>) -> Result<T, Error>) -> Option<T> {
        let device = self.device.as_mut()?;
        if self.matrix.device.borrow().is_some() {
            match question(device) {
                Ok(answer) => return Some(answer),
                Err(error) => self.matrix.fail(error),
            }
        }
        self.device = None;
        None
    }

    /// The chain in this process's memory, as far as the device had come.
    fn plain(&mut self) -> &mut (dyn ChainWords<E> + 'a) {
        let Self { matrix, start, steps, plain, .. } = self;
        let plain = plain.get_or_insert_with(|| {
            let mut chain = (start.plain)(matrix.plain.combination(&start.columns));
            for step in steps.drain(..) {
                match step {
                    Step::Bind(challenge) => chain.bind(challenge),
                    Step::Commit => drop(chain.commit()),
                }
            }
            chain
        });
        &mut **plain
    }
}

impl<B: Entry, E: Challenge<B>> ChainWords<E> for SharedChain<'_, B, E> {
    fn round(&mut self) -> (E, E) {
        self.ask(DeviceChain::round).unwrap_or_else(|| self.plain().round())
    }

    fn bind(&mut self, challenge: E) {
        match self.ask(|device| device.bind(challenge)) {
            Some(()) => self.steps.push(Step::Bind(challenge)),
            None => self.plain().bind(challenge),
        }
    }

    fn commit(&mut self) -> Digest {
        match self.ask(DeviceChain::commit) {
            Some(root) => {
                self.steps.push(Step::Commit);
                root
            }
            None => self.plain().commit(),
        }
    }

    fn message(&mut self) -> Vec<E> {
        self.ask(DeviceChain::message).unwrap_or_else(|| self.plain().message())
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        match self.ask(|device| device.open_rows(word, positions)) {
            Some((rows, siblings)) => {
                tape.hint("rows", &rows);
                tape.hint_bytes("paths", &siblings);
            }
            None => self.plain().open_rows(tape, word, positions),
        }
    }
}
