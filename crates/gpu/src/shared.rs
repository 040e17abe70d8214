//! A matrix that a device and this process hold: the device answers as long as it can. (notes: pip-columns)
//!
//! ```text
//!  entries ──► device: codeword, tree ──► the root ──► PlainMatrix without codeword and tree
//!                 │ answers                             │ answers where the device failed
//!                 └──────────► SharedMatrix: CommittedMatrix ◄──────────┘
//! ```
//! Codeword and tree never leave the device: this process makes its own where the device fails. A chain (`chain.rs`) is held as the matrix is.

mod chain;

use crate::chain::DeviceChain;
use crate::challenge::{PairSearch, find_pair};
use crate::matrix::Sizes;
use crate::{Challenge, DeviceMatrix, Entry, Error, Gpu};
use core::any::{Any, TypeId};
use core::cell::RefCell;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldFibres};
use iop::hash::Digest;
use iop::oracle::{MAX_LOG_LEAF, OracleSpec};
use iop::poly::TensorForm;
use iop::transcript::ProverTape;
use pcs::ligerito::{Prover, Scheme, Witness};
use pcs::matrix::{ChainStart, ChainWords, CommittedMatrix, PlainMatrix, RemoteMatrix, Unavailable};

/// A committed matrix on a device, and without its codeword in this process. The device's first failure is noted, its memory given back, and
/// this process answers from then on.
pub struct SharedMatrix<B: Entry> {
    gpu: Gpu,
    /// None once it has failed.
    device: RefCell<Option<DeviceMatrix<B>>>,
    plain: PlainMatrix<B>,
}

impl<B: Entry> SharedMatrix<B> {
    /// Commits to a message matrix on the device. The entries are taken if that succeeds, and left otherwise.
    ///
    /// # Errors
    /// As [`Gpu::commit`]; and if rows at eight places are not those of the entries, or don't lead to the root.
    pub fn commit(gpu: &Gpu, spec: &OracleSpec, entries: &mut Vec<B>) -> Result<Self, Error> {
        if spec.log_fibre > MAX_LOG_LEAF {
            return Err(Error::Shape("a leaf of the CPU holds at most sixteen rows"));
        }
        let device = gpu.commit(spec, entries)?;
        check(spec, entries, &device)?;
        let plain = PlainMatrix::committed_elsewhere(spec, core::mem::take(entries), device.root());
        Ok(Self { gpu: gpu.clone(), device: RefCell::new(Some(device)), plain })
    }

    /// What the device answers; none if it fails or has failed.
    fn ask<T>(&self, question: impl FnOnce(&DeviceMatrix<B>) -> Result<T, Error>) -> Option<T> {
        let answer = question(self.device.borrow().as_ref()?);
        answer.map_err(|error| self.fail(error)).ok()
    }

    /// Leaves the device alone from now on.
    fn fail(&self, error: Error) {
        self.gpu.failed(error);
        *self.device.borrow_mut() = None;
    }
}

/// Places of a commitment that are looked at before it is shown.
const CHECKED: usize = 8;

/// Compares rows at places that the root draws, sixteen together and one place in each eighth of the codeword, with those of the entries, and
/// opens them against the root. The code spreads an entry over all blocks, so a wrong one shows as a wrong block does.
///
/// Cost: by [`OracleSpec::leaves_of`].
fn check<B: Entry>(spec: &OracleSpec, entries: &[B], device: &DeviceMatrix<B>) -> Result<(), Error> {
    let root = device.root();
    // Leaves of sixteen rows, which are encoded together, or of a whole block that is shorter.
    let log_leaves = MAX_LOG_LEAF.min(spec.code.log_rows) - spec.log_fibre.min(spec.code.log_rows);
    let places = 1_usize << (spec.log_leaves() - log_leaves);
    let part = places.div_ceil(CHECKED);
    let draw = |word: &[u8]| word.iter().fold(0, |drawn: usize, &byte| drawn << 8 | usize::from(byte));
    let drawn =
        (0..places).step_by(part).zip(root.chunks_exact(4)).map(|(first, word)| first + draw(word) % part);
    let leaves: Vec<usize> = drawn.flat_map(|place| place << log_leaves..(place + 1) << log_leaves).collect();
    let (rows, siblings) = device.open_rows(&leaves)?;
    if rows != spec.leaves_of(entries, &leaves) {
        return Err(Error::SelfCheck { step: "a row of a commitment" });
    }
    let opened = spec.check_leaves(&root, &leaves, (&rows, &siblings));
    opened.map_err(|_| Error::SelfCheck { step: "the root of a tree" })
}

impl<B: Entry, E: Challenge<B>> CommittedMatrix<E> for SharedMatrix<B> {
    fn root(&self) -> Digest {
        self.plain.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        let width = self.plain.shape().width;
        let found = self.ask(|device| device.message().combine_rows_by(width, form));
        found.map_or_else(|| self.plain.combine_rows(form), Ok)
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        let found = self.ask(|device| device.message().combine_columns(weights));
        found.map_or_else(|| self.plain.combine_columns(weights), Ok)
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        match self.ask(|device| device.open_rows(positions)) {
            Some((rows, siblings)) => {
                tape.hint("rows", &rows);
                tape.hint_bytes("paths", &siblings);
                Ok(())
            }
            None => CommittedMatrix::<E>::open_rows(&self.plain, tape, positions),
        }
    }

    fn hold_chain<'a>(
        &'a self,
        mut start: ChainStart<'a, E>,
    ) -> Result<Option<Box<dyn ChainWords<E> + 'a>>, Unavailable> {
        let shapes = core::mem::take(&mut start.shapes);
        let chain =
            self.ask(|device| DeviceChain::new(device.message(), &start.columns, &start.forms, shapes));
        Ok(chain.map(|device| Box::new(chain::SharedChain::new(self, device, start)) as Box<_>))
    }
}

impl<B: Entry, E: Challenge<B>> RemoteMatrix<B, E> for SharedMatrix<B> {
    fn plain(&self) -> &PlainMatrix<B> {
        &self.plain
    }
}

/// Commits to the entries of a Ligerito or Air-FRI scheme on a device: a witness that any prover of the scheme opens, with the CPU's bytes. The entries
/// are taken if that succeeds, and left otherwise.
///
/// A device that fails during an opening hands over to the CPU ([`Gpu::take_failures`] says why). One that answers wrongly makes a proof
/// that does not hold, since the claimed values are the CPU's: whoever opens verifies the proof before showing it.
///
/// # Errors
/// As [`SharedMatrix::commit`] and [`supports`].
pub fn commit<B, E>(gpu: &Gpu, scheme: &Scheme<B, E>, entries: &mut Vec<B>) -> Result<Witness<B, E>, Error>
where
    B: FoldFibres,
    E: ExtensionOf<B>,
{
    supports(scheme)?;
    let mut commitment = Commit { gpu, spec: scheme.matrix(), entries, challenge: PhantomData };
    let found = find_pair(&mut commitment);
    let matrix = found.unwrap_or(Err(no_kernels::<B, E>()))?;
    Ok(Prover::new(scheme).hold(matrix))
}

/// Says whether [`commit`] has what a scheme needs, before a GPU is opened.
///
/// # Errors
/// If there are no kernels for fields, hash or leaves, the matrix is too large, or the parameters hide.
pub fn supports<B, E>(scheme: &Scheme<B, E>) -> Result<(), Error>
where
    B: FoldFibres,
    E: ExtensionOf<B>,
{
    let params = scheme.params();
    if params.hidden_openings > 0 || params.polynomials != 1 {
        return Err(Error::Shape("the GPU commits to one polynomial, without hiding"));
    }
    let mut support = Support { spec: scheme.matrix(), pair: PhantomData::<(B, E)> };
    find_pair(&mut support).unwrap_or(Err(no_kernels::<B, E>()))
}

fn no_kernels<B: FoldFibres, E: ExtensionOf<B>>() -> Error {
    Error::NoKernels { base: B::NAME, challenge: E::NAME }
}

/// The check of a matrix whose types are looked for among those with kernels.
struct Support<'a, B, E> {
    spec: &'a OracleSpec,
    pair: PhantomData<(B, E)>,
}

impl<B: FoldFibres, E: ExtensionOf<B>> PairSearch<Result<(), Error>> for Support<'_, B, E> {
    fn with<B0: Entry, E0: Challenge<B0>>(&mut self) -> Option<Result<(), Error>> {
        let found = TypeId::of::<(B0, E0)>() == TypeId::of::<(B, E)>();
        found.then(|| Sizes::new::<B0>(self.spec).map(drop))
    }
}

/// A commitment whose types are looked for among those with kernels.
struct Commit<'a, B, E> {
    gpu: &'a Gpu,
    spec: &'a OracleSpec,
    entries: &'a mut Vec<B>,
    challenge: PhantomData<E>,
}

type Committed<B, E> = Result<Box<dyn RemoteMatrix<B, E>>, Error>;

impl<B: FoldFibres, E: ExtensionOf<B>> PairSearch<Committed<B, E>> for Commit<'_, B, E> {
    fn with<B0: Entry, E0: Challenge<B0>>(&mut self) -> Option<Committed<B, E>> {
        if TypeId::of::<E0>() != TypeId::of::<E>() {
            return None;
        }
        let entries = (self.entries as &mut dyn Any).downcast_mut::<Vec<B0>>()?;
        Some(SharedMatrix::commit(self.gpu, self.spec, entries).map(|matrix| {
            let matrix: Box<dyn RemoteMatrix<B0, E0>> = Box::new(matrix);
            let matrix = (Box::new(matrix) as Box<dyn Any>).downcast::<Box<dyn RemoteMatrix<B, E>>>();
            *matrix.expect("both types were compared")
        }))
    }
}

#[cfg(all(test, emulator))]
mod tests;
