//! Words of a chain on the device: the message is folded there, and each word encoded and committed to as a matrix is.
//!
//! ```text
//!  combination of the columns ──► fold by 2^k ──► coordinates over the tower ──► encode, leaves of fibres, tree ──► root
//!   (polynomial basis)              │
//!                                   └──► fold by 2^k ──► ...
//! ```
//! No element leaves the device but those of opened fibres. To fold a message and encode what is left moves as much memory as to fold its word
//! by two, and less than to fold it by more; and the fold of a message has no points.

use crate::args::{BLOCK_THREADS, FoldArgs};
use crate::backend::Buffer;
use crate::matrix::Message;
use crate::{Challenge, DeviceMatrix, Entry, Error, Gpu};
use iop::hash::Digest;
use iop::oracle::OracleSpec;
use iop::poly::TensorForm;

/// The words of a chain in the device's memory.
pub(crate) struct DeviceWords<B> {
    gpu: Gpu,
    shapes: Vec<OracleSpec>,
    /// What is left of the combination of the columns, in the polynomial basis.
    message: Buffer,
    words: Vec<DeviceMatrix<B>>,
}

impl<B: Entry> DeviceWords<B> {
    /// No words yet, below a combination of columns.
    pub(crate) fn new(gpu: &Gpu, shapes: Vec<OracleSpec>, combination: Buffer) -> Self {
        Self { gpu: gpu.clone(), shapes, message: combination, words: Vec::new() }
    }

    /// Folds the message by challenges and commits to its word.
    ///
    /// # Errors
    /// If there is no further word, it is not the fold of the one before by so many challenges, or the device fails.
    pub(crate) fn fold<E: Challenge<B>>(&mut self, challenges: &[E]) -> Result<Digest, Error> {
        let spec = *self.shapes.get(self.words.len()).ok_or(Error::Shape("a chain ends"))?;
        let count = spec.code.dimension();
        let elements = count.checked_shl(challenges.len() as u32).and_then(|n| n.checked_mul(E::BYTES));
        let fits = elements.is_some_and(|bytes| bytes <= self.message.len());
        if !fits || spec.width != E::DEGREE {
            return Err(Error::Shape("a word is the fold of the one before"));
        }
        let backend = self.gpu.backend();
        let weights = backend.upload_elements(&TensorForm::point(challenges).expand())?;
        let (folded, flat) = (backend.alloc(count * E::BYTES)?, backend.alloc(count * E::BYTES)?);
        let args = FoldArgs {
            tables: self.gpu.tables().address(),
            message: self.message.address(),
            weights: weights.address(),
            folded: folded.address(),
            flat: flat.address(),
            count: count as u64,
            log_fold: challenges.len() as u32,
            unused: 0,
        };
        // SAFETY: the message has `2^log_fold` elements for each of `count` sums, by the check, and there is a weight for each of so many;
        // both outputs have a place for each sum.
        unsafe { backend.launch(E::KERNELS[2], (count as u64).div_ceil(BLOCK_THREADS), &args)? };
        self.message = folded;
        let word = Message::from_entries(&self.gpu, spec, flat)?.commit()?;
        let root = word.root();
        self.words.push(word);
        Ok(root)
    }

    /// Leaves of a word with their siblings, as [`DeviceMatrix::open_rows`].
    pub(crate) fn open_rows(&self, word: usize, positions: &[usize]) -> Result<(Vec<B>, Vec<u8>), Error> {
        self.words.get(word).ok_or(Error::Shape("no such word"))?.open_rows(positions)
    }
}
