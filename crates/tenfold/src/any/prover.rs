//! A prover with its types hidden.

use super::form::Form;
use super::typed::{Supported, Typed};
use super::{AnyScheme, Erased};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use field::Field;
use iop::error::ParamError;
use iop::hash::Digest;
use iop::poly::{Tensor, to_bytes};
use iop::security::Policy;
use pcs::file::File;
use pcs::pip::Secret;
use pcs::scheme::{Prove, Prover, Witness};
use std::io::{self, Read};

/// Elements that are read at a time.
const AT_ONCE: usize = 1 << 12;

/// Elements of the field of a scheme's data: no more than it commits to.
pub struct AnyEntries {
    elements: Box<dyn Any + Send>,
    scheme: Digest,
}

/// What the prover keeps of a commitment.
pub struct AnyWitness {
    witness: Box<dyn Any + Send>,
    scheme: Digest,
    commitment: Vec<u8>,
    memory: usize,
}

/// What is kept of a commitment without hiding: the canonical bytes of its entries and the nodes of its tree.
pub struct Kept {
    /// The entries, end to end.
    pub entries: Vec<u8>,
    /// The nodes.
    pub nodes: Vec<Digest>,
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

impl AnyWitness {
    /// The commitment's bytes.
    #[must_use]
    pub fn commitment(&self) -> &[u8] {
        &self.commitment
    }

    /// Bytes held beyond the commitment.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.memory
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
    /// Over a binary field, and if there are more than the parameters hold.
    pub fn integers(&self, integers: &mut dyn Iterator<Item = i128>) -> Result<AnyEntries, NoEntry> {
        Ok(AnyEntries { elements: self.machine.integers(integers).ok_or(NoEntry)?, scheme: self.scheme })
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
    pub fn weights(&self, weights: super::Weights<'_>) -> Result<AnyEntries, NoEntry> {
        Ok(AnyEntries { elements: self.machine.weights(weights).ok_or(NoEntry)?, scheme: self.scheme })
    }

    /// Commits to one polynomial, padded with zeros.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    pub fn commit(&mut self, entries: AnyEntries) -> AnyWitness {
        let elements = self.own(entries);
        self.machine.commit(elements, How::Whole)
    }

    /// Commits, and keeps no more than what opens again: less memory.
    ///
    /// # Panics
    /// If the entries are of another scheme.
    pub fn commit_lean(&mut self, entries: AnyEntries) -> AnyWitness {
        let elements = self.own(entries);
        self.machine.commit(elements, How::Lean)
    }

    /// Commits with a secret, by parameters that hide.
    ///
    /// # Panics
    /// If the parameters do not hide, or the entries are of another scheme.
    pub fn commit_hiding(&mut self, entries: AnyEntries, secret: Secret) -> AnyWitness {
        let elements = self.own(entries);
        self.machine.commit(elements, How::Hiding(secret))
    }

    /// The number of nodes that are kept of a lean witness.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.machine.nodes()
    }

    /// The bytes of what is kept of a lean witness, entries and nodes; none if the parameters hide, or the scheme restores none.
    #[must_use]
    pub fn kept_bytes(&self) -> Option<usize> {
        self.machine.kept_bytes()
    }

    /// What is kept of a lean witness; none of a hiding one.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    #[must_use]
    pub fn kept(&self, witness: &AnyWitness) -> Option<Kept> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.kept(witness)
    }

    /// The witness from what was kept of it. The parts need not be of one commitment: who restores compares
    /// [`AnyWitness::commitment`], and verifies what the witness proves.
    ///
    /// # Panics
    /// If the entries are of another scheme or another number, or there is another number of nodes.
    #[must_use]
    pub fn restore(&self, entries: AnyEntries, nodes: Vec<Digest>) -> Option<AnyWitness> {
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
    /// If there are no forms or more than the parameters allow, one is none of their variables, or a hiding commitment has no opening left
    /// or is asked for several forms.
    ///
    /// # Panics
    /// If the witness is of another scheme.
    pub fn open(
        &self,
        witness: &mut AnyWitness,
        forms: &[Form],
        context: &[u8],
    ) -> Result<Opened, ParamError> {
        assert_eq!(witness.scheme, self.scheme, "a witness of these parameters");
        self.machine.open(witness, forms, context)
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
        self.machine.open_weighted(witness, weights, (context, policy))
    }

    /// Ends a witness; of a hiding one its secret is left.
    #[must_use]
    pub fn into_secret(&self, witness: AnyWitness) -> Option<Secret> {
        self.machine.into_secret(witness)
    }

    /// Takes back the memory of a witness that is no longer needed.
    pub fn recycle(&mut self, witness: AnyWitness) {
        self.machine.recycle(witness);
    }

    fn own(&self, entries: AnyEntries) -> Box<dyn Any + Send> {
        assert_eq!(entries.scheme, self.scheme, "entries of these parameters");
        entries.elements
    }
}

/// How a commitment is made.
pub(crate) enum How {
    Whole,
    Lean,
    Hiding(Secret),
}

type Elements = Box<dyn Any + Send>;

/// A prover behind its table of functions.
pub(crate) trait Machine {
    fn integers(&self, integers: &mut dyn Iterator<Item = i128>) -> Option<Elements>;
    fn bytes(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>>;
    fn canonical(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>>;
    fn weights(&self, weights: super::Weights<'_>) -> Option<Elements>;
    fn commit(&mut self, entries: Elements, how: How) -> AnyWitness;
    fn nodes(&self) -> usize;
    fn kept_bytes(&self) -> Option<usize>;
    fn kept(&self, witness: &AnyWitness) -> Option<Kept>;
    fn restore(&self, entries: Elements, nodes: Vec<Digest>) -> Option<AnyWitness>;
    fn each_entry(&self, witness: &AnyWitness, each: &mut dyn FnMut(&[u8]));
    fn open(&self, witness: &mut AnyWitness, forms: &[Form], context: &[u8]) -> Result<Opened, ParamError>;
    fn open_weighted(
        &self,
        witness: &mut AnyWitness,
        weights: Elements,
        bound: (&[u8], &Policy),
    ) -> Result<File<'static>, ParamError>;
    fn into_secret(&self, witness: AnyWitness) -> Option<Secret>;
    fn recycle(&mut self, witness: AnyWitness);
}

/// A scheme's prover.
pub(super) struct Proving<'a, S: Prove, P> {
    typed: &'a Typed<S>,
    prover: P,
}

/// The one way back to the type: entries and witnesses are made by a [`Machine`] of the parameters that they are used with.
fn own<T: 'static>(hidden: Box<dyn Any + Send>) -> T {
    *hidden.downcast::<T>().expect("the types of these parameters")
}

impl<'a, S: Supported, P: Prover<S>> Proving<'a, S, P> {
    pub fn new(typed: &'a Typed<S>, prover: P) -> Self {
        Self { typed, prover }
    }

    fn capacity(&self) -> usize {
        1 << self.typed.summary.log_size
    }

    fn hide(&self, witness: S::Witness) -> AnyWitness {
        let (commitment, memory) = (witness.commitment().to_bytes(), witness.memory());
        AnyWitness { witness: Box::new(witness), scheme: self.typed.digest(), commitment, memory }
    }

    fn shown<'w>(&self, witness: &'w AnyWitness) -> &'w S::Witness {
        witness.witness.downcast_ref().expect("the types of these parameters")
    }

    fn shown_mut<'w>(&self, witness: &'w mut AnyWitness) -> &'w mut S::Witness {
        witness.witness.downcast_mut().expect("the types of these parameters")
    }
}

impl<S: Supported, P: Prover<S>> Machine for Proving<'_, S, P> {
    fn integers(&self, integers: &mut dyn Iterator<Item = i128>) -> Option<Elements> {
        // With room for the padding.
        let mut elements: Vec<S::Base> = Vec::with_capacity(self.capacity());
        for x in integers {
            let element = S::integer(x).filter(|_| elements.len() < self.capacity())?;
            elements.push(element);
        }
        Some(Box::new(elements))
    }

    fn bytes(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>> {
        if !S::OF_BYTES {
            return Ok(None);
        }
        let mut elements: Vec<S::Base> = Vec::with_capacity(self.capacity());
        let mut buffer = vec![0; S::Base::BYTES * AT_ONCE];
        loop {
            let filled = fill(reader, &mut buffer)?;
            if filled == 0 {
                return Ok(Some(Box::new(elements)));
            }
            // The last element is padded as well.
            buffer[filled..].fill(0);
            let whole = filled.div_ceil(S::Base::BYTES);
            if elements.len() + whole > self.capacity() {
                return Ok(None);
            }
            let chunks = buffer.chunks_exact(S::Base::BYTES).take(whole);
            elements
                .extend(chunks.map(|bytes| S::Base::from_bytes(bytes).expect("any bytes are an element")));
        }
    }

    fn canonical(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>> {
        let mut elements: Vec<S::Base> = Vec::with_capacity(self.capacity());
        let mut buffer = vec![0; AT_ONCE.min(self.capacity()) * S::Base::BYTES];
        while elements.len() < self.capacity() {
            let count = AT_ONCE.min(self.capacity() - elements.len());
            let bytes = &mut buffer[..count * S::Base::BYTES];
            reader.read_exact(bytes)?;
            for bytes in bytes.chunks_exact(S::Base::BYTES) {
                let Some(element) = S::Base::from_bytes(bytes) else { return Ok(None) };
                elements.push(element);
            }
        }
        Ok(Some(Box::new(elements)))
    }

    fn weights(&self, weights: super::Weights<'_>) -> Option<Elements> {
        Some(Box::new(self.typed.scheme.read_weights(weights).ok()?))
    }

    fn commit(&mut self, entries: Elements, how: How) -> AnyWitness {
        let mut entries: Vec<S::Base> = own(entries);
        entries.resize(self.capacity(), S::Base::ZERO);
        let witness = match how {
            How::Whole => self.prover.commit(entries),
            How::Lean => self.prover.commit_lean(entries),
            How::Hiding(secret) => self.prover.commit_hiding(&entries, secret).expect("a scheme that hides"),
        };
        self.hide(witness)
    }

    fn nodes(&self) -> usize {
        self.prover.nodes()
    }

    fn kept_bytes(&self) -> Option<usize> {
        let summary = &self.typed.summary;
        let plain = summary.hidden_openings == 0 && summary.polynomials == 1 && self.prover.nodes() > 0;
        plain.then(|| self.capacity() * S::Base::BYTES + self.prover.nodes() * size_of::<Digest>())
    }

    fn kept(&self, witness: &AnyWitness) -> Option<Kept> {
        let witness = self.shown(witness);
        let plain = self.kept_bytes().is_some() && !witness.nodes().is_empty();
        plain.then(|| Kept { entries: to_bytes(witness.message()), nodes: witness.nodes().to_vec() })
    }

    fn restore(&self, entries: Elements, nodes: Vec<Digest>) -> Option<AnyWitness> {
        self.prover.restore(own(entries), nodes).map(|witness| self.hide(witness))
    }

    fn each_entry(&self, witness: &AnyWitness, each: &mut dyn FnMut(&[u8])) {
        let mut bytes = vec![0; S::Base::BYTES];
        for entry in self.shown(witness).message() {
            entry.write(&mut bytes);
            each(&bytes);
        }
    }

    fn open(&self, witness: &mut AnyWitness, forms: &[Form], context: &[u8]) -> Result<Opened, ParamError> {
        let summary = &self.typed.summary;
        let most = if summary.hidden_openings > 0 { 1 } else { summary.max_forms as usize };
        if forms.is_empty() || forms.len() > most {
            return Err(ParamError(format!("{} forms, where there may be 1 to {most}", forms.len())));
        }
        let tensors: Option<Vec<Tensor<S::Challenge>>> =
            forms.iter().map(|form| form.to_tensor(summary.variables)).collect();
        let tensors = tensors.ok_or_else(|| ParamError("a form that is none of the entries".into()))?;
        let (claims, proof) = self.prover.open(self.shown_mut(witness), tensors, context);
        let (proof_bytes, commitment) = (proof.len(), self.shown(witness).commitment());
        let file = File::of_opening(&self.typed.scheme, commitment, claims, proof);
        Ok(Opened { file, proof_bytes })
    }

    fn open_weighted(
        &self,
        witness: &mut AnyWitness,
        weights: Elements,
        (context, policy): (&[u8], &Policy),
    ) -> Result<File<'static>, ParamError> {
        self.typed.scheme.prove_weighted(self.shown_mut(witness), own(weights), context, policy)
    }

    fn into_secret(&self, witness: AnyWitness) -> Option<Secret> {
        own::<S::Witness>(witness.witness).into_secret()
    }

    fn recycle(&mut self, witness: AnyWitness) {
        self.prover.recycle(own(witness.witness));
    }
}

/// Reads until the buffer is full or nothing is left; the number of bytes read.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
