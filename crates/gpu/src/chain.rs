//! A chain on the device: the rounds of its sumcheck, and its words, each encoded and committed to as a matrix is.
//!
//! ```text
//!  combination of the columns ──► round, bind ──► .. ──► coordinates over the tower ──► encode, leaves of fibres, tree ──► root
//!  weights of the claim       ──►    │  (k times)
//!                                    └──► round, bind ──► ..
//! ```
//! No element leaves the device but two for each round, the message at the end and those of opened fibres. To fold a message and encode what is
//! left moves as much memory as to fold its word by two, and less than to fold it by more; and the fold of a message has no points.

use crate::args::{BLOCK_THREADS, FoldArgs, Kernel, RoundArgs, SumArgs, TensorArgs};
use crate::backend::Buffer;
use crate::matrix::Message;
use crate::{Challenge, DeviceMatrix, Entry, Error, Gpu};
use iop::hash::Digest;
use iop::oracle::OracleSpec;
use iop::poly::TensorForm;

/// Blocks that share a round at most: enough to fill a device some times.
const ROUND_BLOCKS: u64 = 1024;
/// Elements up to which this process does the rounds: they cost less here than an answer of the device. Tuned.
const SHORT: usize = 1 << 8;
/// Words of a challenge at most.
const CHALLENGE_WORDS: usize = 5;

/// A chain in the device's memory.
pub(crate) struct DeviceChain<B, E> {
    gpu: Gpu,
    shapes: Vec<OracleSpec>,
    message: Table<E>,
    form: Table<E>,
    /// Message and form once they are short: then this process does the rounds, and the device's message is bound when a word asks for it.
    short: Option<[Vec<E>; 2]>,
    words: Vec<DeviceMatrix<B>>,
}

/// Elements in the polynomial basis.
struct Table<E> {
    elements: Buffer,
    /// Challenges of the lowest variables, which are not bound yet.
    challenges: Vec<E>,
}

impl<E: field::Field> Table<E> {
    fn new(elements: Buffer) -> Self {
        Self { elements, challenges: Vec::new() }
    }

    /// Elements that are left.
    fn count(&self) -> usize {
        (self.elements.len() / E::BYTES) >> self.challenges.len()
    }

    /// Its elements, none of whose variables is to be bound.
    fn download(&self, gpu: &Gpu) -> Result<Vec<E>, Error> {
        gpu.backend().download_elements(&self.elements)
    }
}

impl<B: Entry, E: Challenge<B>> DeviceChain<B, E> {
    /// The chain of a combination of the columns of a message, weighted by a sum of forms times their scalars: there are no words yet.
    ///
    /// # Errors
    /// If the message is not whole rows, of which forms have a weight for each, or the device fails.
    pub(crate) fn new(
        message: &Message<B>,
        columns: &[E],
        forms: &[(E, TensorForm<E>)],
        shapes: Vec<OracleSpec>,
    ) -> Result<Self, Error> {
        let gpu = message.gpu.clone();
        let message = Table::new(message.keep_columns(columns)?);
        let form = Table::new(weights::<B, E>(&gpu, forms, message.count())?);
        Ok(Self { gpu, shapes, message, form, short: None, words: Vec::new() })
    }

    /// The constant and the quadratic coefficient of the next round.
    ///
    /// # Errors
    /// If no variable is left, or the device fails.
    pub(crate) fn round(&mut self) -> Result<(E, E), Error> {
        if let Some([message, form]) = self.short()? {
            return Ok(E::product_round(message, form));
        }
        let (count, backend) = (self.message.count(), self.gpu.backend());
        let pairs = count as u64 / 2;
        let blocks = pairs.div_ceil(BLOCK_THREADS).min(ROUND_BLOCKS);
        let partial = backend.alloc(blocks as usize * 2 * E::BYTES)?;
        let (mut challenge, mut binds, mut bound) = ([0; CHALLENGE_WORDS], 0, [None, None]);
        let mut addresses = [0; 2];
        for (i, table) in [&self.message, &self.form].into_iter().enumerate() {
            if let Some(&r) = table.challenges.first() {
                (challenge, binds) = (words_of(r), binds | 1 << i);
                addresses[i] = bound[i].insert(backend.alloc(count * E::BYTES)?).address();
            }
        }
        let args = RoundArgs {
            message: self.message.elements.address(),
            form: self.form.elements.address(),
            bound_message: addresses[0],
            bound_form: addresses[1],
            partial: partial.address(),
            pairs,
            blocks,
            challenge,
            binds,
        };
        // SAFETY: each table has two elements for a pair, or four and a place for the two that they are bound to; there are two sums for each block.
        unsafe { backend.launch(E::KERNELS.round, blocks, &args)? };
        for (table, bound) in [&mut self.message, &mut self.form].into_iter().zip(bound) {
            if let Some(elements) = bound {
                *table = Table::new(elements);
            }
        }
        let sums = if blocks == 1 {
            partial
        } else {
            let out = backend.alloc(2 * E::BYTES)?;
            let words = out.len() as u64 / 8;
            let args = SumArgs { rows: partial.address(), out: out.address(), count: blocks, words };
            // SAFETY: there are `blocks` rows of so many words, and a block writes one word.
            unsafe { backend.launch(Kernel::SUM_ROWS, words, &args)? };
            out
        };
        match backend.download_elements::<E>(&sums)?[..] {
            [constant, quadratic] => Ok((constant, quadratic)),
            _ => Err(Error::Shape("a round has two sums")),
        }
    }

    /// Message and form, if they are short and a variable is left.
    fn short(&mut self) -> Result<Option<&[Vec<E>; 2]>, Error> {
        if self.message.count() < 2 || self.short.is_none() && self.message.count() != self.form.count() {
            return Err(Error::Shape("a round binds a variable"));
        }
        if self.short.is_none() && self.message.count() <= SHORT {
            let form = settle::<B, E>(&self.gpu, &mut self.form).and_then(|_| self.form.download(&self.gpu));
            self.short = Some([self.message()?, form?]);
        }
        Ok(self.short.as_ref())
    }

    /// Binds the lowest variable of message and form, when they are looked at next.
    ///
    /// # Errors
    /// If no variable is left, or the device fails.
    pub(crate) fn bind(&mut self, challenge: E) -> Result<(), Error> {
        if self.message.count() < 2 {
            return Err(Error::Shape("there is a variable to bind"));
        }
        if let Some(tables) = &mut self.short {
            tables.iter_mut().for_each(|table| E::bind_low(table, challenge));
            self.message.challenges.push(challenge);
            return Ok(());
        }
        for table in [&mut self.message, &mut self.form] {
            if !table.challenges.is_empty() {
                settle::<B, E>(&self.gpu, table)?;
            }
            table.challenges.push(challenge);
        }
        Ok(())
    }

    /// Commits to the word of what is left of the message.
    ///
    /// # Errors
    /// If there is no further word, it is not that of the message, or the device fails.
    pub(crate) fn commit(&mut self) -> Result<Digest, Error> {
        let spec = *self.shapes.get(self.words.len()).ok_or(Error::Shape("a chain ends"))?;
        if spec.code.dimension() != self.message.count() || spec.width != E::DEGREE {
            return Err(Error::Shape("a word is that of what is left"));
        }
        let flat = settle::<B, E>(&self.gpu, &mut self.message)?;
        let word = Message::from_entries(&self.gpu, spec, flat)?.commit()?;
        let root = word.root();
        self.words.push(word);
        Ok(root)
    }

    /// The folded message.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn message(&mut self) -> Result<Vec<E>, Error> {
        if let Some([message, _]) = &self.short {
            return Ok(message.clone());
        }
        if !self.message.challenges.is_empty() {
            settle::<B, E>(&self.gpu, &mut self.message)?;
        }
        self.message.download(&self.gpu)
    }

    /// Leaves of a word with their siblings, as [`DeviceMatrix::open_rows`].
    pub(crate) fn open_rows(&self, word: usize, positions: &[usize]) -> Result<(Vec<B>, Vec<u8>), Error> {
        self.words.get(word).ok_or(Error::Shape("no such word"))?.open_rows(positions)
    }
}

/// Binds what is still to be bound of a table; its elements coordinate by coordinate over the tower, too.
fn settle<B: Entry, E: Challenge<B>>(gpu: &Gpu, table: &mut Table<E>) -> Result<Buffer, Error> {
    let (count, backend) = (table.count(), gpu.backend());
    let log_fold = table.challenges.len() as u32;
    let weights = backend.upload_elements(&TensorForm::point(&table.challenges).expand())?;
    let (folded, flat) = (backend.alloc(count * E::BYTES)?, backend.alloc(count * E::BYTES)?);
    let args = FoldArgs {
        tables: gpu.tables().address(),
        message: table.elements.address(),
        weights: weights.address(),
        folded: folded.address(),
        flat: flat.address(),
        count: count as u64,
        log_fold,
        unused: 0,
    };
    // SAFETY: the table has `2^log_fold` elements for each of `count` sums, by its `count`, and there is a weight for each of so many;
    // both outputs have a place for each sum.
    unsafe { backend.launch(E::KERNELS.fold, (count as u64).div_ceil(BLOCK_THREADS), &args)? };
    *table = Table::new(folded);
    Ok(flat)
}

/// The weights of a sum of forms times their scalars, so many.
pub(crate) fn weights<B: Entry, E: Challenge<B>>(
    gpu: &Gpu,
    forms: &[(E, TensorForm<E>)],
    count: usize,
) -> Result<Buffer, Error> {
    let backend = gpu.backend();
    let out = backend.alloc(count * E::BYTES)?;
    if forms.is_empty()
        || forms.iter().any(|(_, form)| 1_usize.checked_shl(form.variables() as u32) != Some(count))
    {
        return Err(Error::Shape("a form has a weight for each element"));
    }
    for (i, (scalar, form)) in forms.iter().enumerate() {
        let (low, high) = form.split(form.variables() / 2);
        let log_low = low.variables() as u32;
        let low = backend.upload_elements(&low.expand())?;
        let high = backend.upload_elements(&high.expand_scaled(*scalar))?;
        let args = TensorArgs {
            low: low.address(),
            high: high.address(),
            out: out.address(),
            count: count as u64,
            log_low,
            adds: u32::from(i > 0),
        };
        // SAFETY: both tables have the elements that an index below `2^variables` of the form asks for, and there is a place for each product.
        unsafe { backend.launch(E::KERNELS.tensor, (count as u64).div_ceil(BLOCK_THREADS), &args)? };
    }
    Ok(out)
}

/// The words of an element's encoding, with zeros behind.
fn words_of<E: field::Field>(element: E) -> [u64; CHALLENGE_WORDS] {
    let mut bytes = [0; 8 * CHALLENGE_WORDS];
    E::write_slice(&[element], &mut bytes[..E::BYTES]);
    let mut words = [0; CHALLENGE_WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    }
    words
}
