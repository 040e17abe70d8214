//! A prover with its types hidden.

use super::machine::{Integers, Machine, Mode};
use super::{AnyScheme, Form, Weights};
use crate::device::Device;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use field::parallel;
use iop::error::ParamError;
use iop::hash::Digest;
use iop::security::Policy;
use pcs::file::File;
use pcs::pip::Secret;
use std::io::{self, Read};

/// Elements of the field of a scheme's data: no more than it commits to.
pub struct AnyEntries {
    pub(super) elements: Box<dyn Any + Send + Sync>,
    pub(super) scheme: Digest,
}

/// What the prover keeps of a commitment.
pub struct AnyWitness {
    pub(super) witness: Box<dyn Any + Send>,
    pub(super) scheme: Digest,
    pub(super) commitment: Vec<u8>,
    pub(super) memory: usize,
    pub(super) remote: bool,
}

/// What is kept of a commitment without hiding: the canonical bytes of its entries and the nodes of its tree.
pub struct Kept {
    /// The entries, end to end.
    pub entries: Vec<u8>,
    /// The nodes.
    pub nodes: Vec<u8>,
}

/// A proof of some forms.
pub struct Opened {
    /// The file.
    pub file: File<'static>,
    /// Bytes of the proof in it, without what is claimed.
    pub proof_bytes: usize,
}

/// Why entries are refused: one is not in canonical form, there are more than the scheme commits to, or the scheme's field has no such ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no entry of the scheme's field, or more than its parameters hold")]
pub struct NoEntry;

impl AnyEntries {
    /// Returns true if they were read for a scheme with the parameters of this one.
    #[must_use]
    pub fn are_of(&self, scheme: &AnyScheme) -> bool {
        self.scheme == scheme.digest()
    }
}

impl AnyWitness {
    /// Returns true if it was made by a scheme with the parameters of this one.
    #[must_use]
    pub fn is_of(&self, scheme: &AnyScheme) -> bool {
        self.scheme == scheme.digest()
    }

    /// The commitment's bytes.
    #[must_use]
    pub fn commitment(&self) -> &[u8] {
        &self.commitment
    }

    /// Bytes that this process held beyond the commitment when it was made. A GPU's are the entries; where it fails later, a tree comes on top.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// True if a GPU holds the matrix too, and answers openings as long as it can: whoever opens verifies the proof before it is shown.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote
    }
}

/// A prover for a scheme. Keeps buffers from one commitment to the next.
///
/// Entries and witnesses belong to the parameters of the scheme that made them.
pub struct AnyProver<'a> {
    machine: Box<dyn Machine + 'a>,
    scheme: Digest,
}

impl<'a> AnyProver<'a> {
    pub(super) fn new(scheme: &'a AnyScheme) -> Self {
        Self { machine: scheme.0.machine(), scheme: scheme.digest() }
    }

    /// Signed integers as elements of a prime field.
    ///
    /// # Errors
    /// Over a binary field, if the field does not hold one, and if there are more than the parameters hold.
    pub fn integers(&self, integers: &mut dyn Iterator<Item = i128>) -> Result<AnyEntries, NoEntry> {
        self.columns(vec![Box::new(integers)])
    }

    /// Signed integers of several columns, a polynomial each.
    ///
    /// # Errors
    /// As [`AnyProver::integers`], and if there are not as many columns as the parameters have polynomials.
    pub fn columns(&self, columns: Vec<Integers<'_>>) -> Result<AnyEntries, NoEntry> {
        Ok(AnyEntries { elements: self.machine.integers(columns).ok_or(NoEntry)?, scheme: self.scheme })
    }

    /// The bytes that come from a reader, padded with zeros to whole elements of a binary field.
    ///
    /// Memory: the elements of as many entries as the parameters hold, and a buffer.
    ///
    /// # Errors
    /// If reading fails; inside, over a prime field, and if there are more than the parameters hold.
    pub fn bytes(&self, reader: &mut dyn Read) -> io::Result<Result<AnyEntries, NoEntry>> {
        let elements = self.machine.bytes(reader)?;
        Ok(elements.map(|elements| AnyEntries { elements, scheme: self.scheme }).ok_or(NoEntry))
    }

    /// The elements whose canonical bytes come from a reader, as many as the parameters hold.
    ///
    /// # Errors
    /// If reading fails, at the end of the bytes too; inside, if one is not in canonical form.
    pub fn canonical(&self, reader: &mut dyn Read) -> io::Result<Result<AnyEntries, NoEntry>> {
        let elements = self.machine.canonical(reader)?;
        Ok(elements.map(|elements| AnyEntries { elements, scheme: self.scheme }).ok_or(NoEntry))
    }

    /// Weights for entries: over a prime field integers, else the bytes of a file as long as the one that was committed to.
    ///
    /// # Errors
    /// If they are none, or more than the parameters hold.
    pub fn weights(&self, weights: Weights<'_>) -> Result<AnyEntries, NoEntry> {
        Ok(AnyEntries { elements: self.machine.weights(weights).ok_or(NoEntry)?, scheme: self.scheme })
    }

    /// Commits to the polynomials of the parameters, each padded with zeros.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    pub fn commit(&mut self, entries: AnyEntries) -> AnyWitness {
        self.commit_as(entries, Mode::Whole)
    }

    /// Commits and keeps what the mode says.
    ///
    /// # Panics
    /// If the parameters do not hide and the mode does, or the entries are of another scheme.
    pub fn commit_as(&mut self, entries: AnyEntries, mode: Mode) -> AnyWitness {
        self.commit_on(entries, mode, &Device::default())
    }

    /// Commits on a device, if it commits by the scheme; else by the threads of this process, and keeps what the mode says. A commitment that
    /// hides is theirs.
    ///
    /// # Panics
    /// As [`AnyProver::commit_as`].
    pub fn commit_on(&mut self, entries: AnyEntries, mode: Mode, device: &Device) -> AnyWitness {
        let elements = self.own(entries);
        parallel::inside(|| self.machine.commit(elements, mode, device))
    }

    /// The witness of the same entries by the threads of this process, whatever made it. Its commitment is another one if that was wrong.
    ///
    /// # Panics
    /// If the witness is of another scheme, or does not keep its entries as they are.
    #[must_use]
    pub fn recommit(&mut self, witness: &AnyWitness) -> AnyWitness {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.recommit(witness)
    }

    /// The number of nodes that are kept of a lean witness.
    #[must_use]
    pub fn node_bytes(&self) -> usize {
        self.machine.node_bytes()
    }

    /// The bytes of what is kept of a lean witness, entries and nodes; none if the parameters hide, or the scheme restores none.
    #[must_use]
    pub fn kept_bytes(&self) -> Option<usize> {
        self.machine.kept_bytes()
    }

    /// Returns the entries and the tree of a witness, with its codeword or without; none of a hiding one.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    #[must_use]
    pub fn kept(&self, witness: &AnyWitness) -> Option<Kept> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.kept(witness)
    }

    /// The entries with their padding: as many as the parameters hold.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    #[cfg(feature = "cluster")]
    #[must_use]
    pub fn padded(&self, entries: AnyEntries) -> AnyEntries {
        let elements = self.own(entries);
        AnyEntries { elements: self.machine.padded(elements), scheme: self.scheme }
    }

    /// The number of elements that entries are; padding is not counted unless it was read.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    #[must_use]
    pub fn count(&self, entries: &AnyEntries) -> usize {
        assert_eq!(entries.scheme, self.scheme, "entries of these parameters");
        self.machine.count(&entries.elements)
    }

    /// The witness from what was kept of it. The parts need not be of one commitment: who restores compares
    /// [`AnyWitness::commitment`], and verifies what the witness proves.
    ///
    /// # Errors
    /// If the parameters hide, the scheme restores none, or there is another number of entries or nodes.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    pub fn restore(&self, entries: AnyEntries, nodes: Vec<u8>) -> Result<AnyWitness, ParamError> {
        let elements = self.own(entries);
        self.machine.restore(elements, nodes)
    }

    /// Calls `each` with the canonical bytes of every entry of a witness that keeps them as they are.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    pub fn each_entry(&self, witness: &AnyWitness, each: &mut dyn FnMut(&[u8])) {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.each_entry(witness, each);
    }

    /// Proves the values of forms.
    ///
    /// # Errors
    /// If there are no forms or more than the parameters allow, one is none of their variables, or a hiding commitment is
    /// asked for several.
    ///
    /// # Panics
    /// If the witness is of another scheme, or no opening of a hiding commitment is left.
    pub fn open(
        &self,
        witness: &mut AnyWitness,
        forms: &[Form],
        context: &[u8],
    ) -> Result<Opened, ParamError> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        parallel::inside(|| self.machine.open(witness, forms, context))
    }

    /// Proves the sum of the entries weighted by `weights`, of which those beyond the last are zero.
    ///
    /// # Errors
    /// If the scheme or its parameters prove no weighted sums at that policy.
    ///
    /// # Panics
    /// If witness or weights are of another scheme.
    pub fn open_weighted(
        &self,
        witness: &mut AnyWitness,
        weights: AnyEntries,
        context: &[u8],
        policy: &Policy,
    ) -> Result<File<'static>, ParamError> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        let weights = self.own(weights);
        parallel::inside(|| self.machine.open_weighted(witness, weights, (context, policy)))
    }

    /// Proves the inner product of two columns, by their places, over the first rows; the places behind are zero.
    ///
    /// # Errors
    /// If there are no such columns or rows, or the scheme or its parameters prove no inner products at that policy.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    pub fn open_product(
        &self,
        witness: &mut AnyWitness,
        product: ([u32; 2], u64),
        context: &[u8],
        policy: &Policy,
    ) -> Result<File<'static>, ParamError> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        parallel::inside(|| self.machine.open_product(witness, product, (context, policy)))
    }

    /// The secret of a hiding witness, with the openings made so far.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    #[must_use]
    pub fn secret<'w>(&self, witness: &'w AnyWitness) -> Option<&'w Secret> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.secret(witness)
    }

    /// Ends a witness; of a hiding one its secret is left.
    #[must_use]
    pub fn end(&self, witness: AnyWitness) -> Option<Secret> {
        self.machine.end(witness)
    }

    /// Takes back the memory of a witness that is no longer needed.
    pub fn recycle(&mut self, witness: AnyWitness) {
        self.machine.recycle(witness);
    }

    fn own(&self, entries: AnyEntries) -> Box<dyn Any + Send + Sync> {
        assert_eq!(entries.scheme, self.scheme, "entries of these parameters");
        entries.elements
    }
}
