//! The functions behind [`super::AnyProver`], generic over the scheme.

use super::form::Form;
use super::prover::{AnyWitness, Kept, Opened};
use super::supported::Supported;
use super::typed::Typed;
use super::{Erased, Weights};
use crate::dataset::Base;
use crate::device::Device;
use crate::read::fill;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use field::Field;
use iop::error::ParamError;
use iop::poly::{TensorForm, to_bytes};
use iop::security::Policy;
use pcs::file::File;
use pcs::pip::Secret;
use pcs::scheme::{Prove, Prover, Witness};
use std::io::{self, Read};

/// Elements that are read at a time.
const AT_ONCE: usize = 1 << 12;

/// What a prover keeps of a commitment.
pub enum Mode {
    /// Entries, codeword and tree.
    Whole,
    /// No more than what opens again: less memory.
    Lean,
    /// What openings need that show nothing but the value they prove, with the secret of the commitment.
    Hiding(Secret),
}

type Elements = Box<dyn Any + Send + Sync>;
/// The integers of a column.
pub(crate) type Integers<'a> = Box<dyn Iterator<Item = i128> + 'a>;

/// A prover behind its table of functions.
pub(crate) trait Machine: Send + Sync {
    fn integers(&self, columns: Vec<Integers<'_>>) -> Option<Elements>;
    fn bytes(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>>;
    fn canonical(&self, reader: &mut dyn Read) -> io::Result<Option<Elements>>;
    fn weights(&self, weights: Weights<'_>) -> Option<Elements>;
    fn commit(&mut self, entries: Elements, mode: Mode, device: &Device) -> AnyWitness;
    fn recommit(&mut self, witness: &AnyWitness) -> AnyWitness;
    fn node_bytes(&self) -> usize;
    fn kept_bytes(&self) -> Option<usize>;
    fn kept(&self, witness: &AnyWitness) -> Option<Kept>;
    #[cfg(feature = "cluster")]
    fn padded(&self, entries: Elements) -> Elements;
    fn count(&self, entries: &Elements) -> usize;
    fn restore(&self, entries: Elements, nodes: Vec<u8>) -> Result<AnyWitness, ParamError>;
    fn each_entry(&self, witness: &AnyWitness, each: &mut dyn FnMut(&[u8]));
    fn open(&self, witness: &mut AnyWitness, forms: &[Form], context: &[u8]) -> Result<Opened, ParamError>;
    fn open_weighted(
        &self,
        witness: &mut AnyWitness,
        weights: Elements,
        bound: (&[u8], &Policy),
    ) -> Result<File<'static>, ParamError>;
    fn open_product(
        &self,
        witness: &mut AnyWitness,
        product: ([u32; 2], u64),
        bound: (&[u8], &Policy),
    ) -> Result<File<'static>, ParamError>;
    fn secret<'w>(&self, witness: &'w AnyWitness) -> Option<&'w Secret>;
    fn end(&self, witness: AnyWitness) -> Option<Secret>;
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

    /// The elements of all polynomials.
    fn capacity(&self) -> usize {
        self.of_each() * self.typed.summary.polynomials as usize
    }

    /// The elements of one polynomial.
    fn of_each(&self) -> usize {
        self.typed.summary.entry_elements << self.typed.summary.log_size
    }

    /// Returns true if the data's field is a prime field that holds an integer.
    fn holds(&self, x: i128) -> bool {
        Base::from_data(self.typed.summary.fields[0]).is_some_and(|base| base.holds(x))
    }

    fn hide(&self, witness: S::Witness) -> AnyWitness {
        let (commitment, memory) = (witness.commitment().to_bytes(), witness.memory());
        let remote = witness.is_remote();
        AnyWitness { witness: Box::new(witness), scheme: self.typed.digest(), commitment, memory, remote }
    }

    fn shown<'w>(&self, witness: &'w AnyWitness) -> &'w S::Witness {
        witness.witness.downcast_ref().expect("the types of these parameters")
    }

    fn shown_mut<'w>(&self, witness: &'w mut AnyWitness) -> &'w mut S::Witness {
        witness.witness.downcast_mut().expect("the types of these parameters")
    }
}

impl<S: Supported, P: Prover<S>> Machine for Proving<'_, S, P> {
    fn integers(&self, columns: Vec<Integers<'_>>) -> Option<Elements> {
        let field = Base::from_data(self.typed.summary.fields[0])?;
        if columns.len() != self.typed.summary.polynomials as usize {
            return None;
        }
        // With room for the padding.
        let mut elements: Vec<S::Base> = Vec::with_capacity(self.capacity());
        let (mut end, several) = (0, columns.len() > 1);
        for column in columns {
            end += self.of_each();
            for x in column {
                // One outside of the field would stand for another.
                let room = field.holds(x) && elements.len() < end;
                elements.push(S::integer(x).filter(|_| room)?);
            }
            // Where the next one begins.
            if several {
                elements.resize(end, S::Base::ZERO);
            }
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

    fn weights(&self, weights: Weights<'_>) -> Option<Elements> {
        // Those of packed entries are unpacked: not before there are places for them.
        if self.typed.scheme.weights_count(&weights) > 1 << self.typed.summary.variables {
            return None;
        }
        if let Weights::Integers { count, get, .. } = weights
            && !(0..count).all(|i| self.holds(get(i)))
        {
            return None;
        }
        Some(Box::new(self.typed.scheme.read_weights(weights).ok()?))
    }

    fn commit(&mut self, entries: Elements, mode: Mode, device: &Device) -> AnyWitness {
        let mut entries: Vec<S::Base> = own(entries);
        entries.resize(self.capacity(), S::Base::ZERO);
        if self.typed.summary.hidden_openings > 0 {
            device.note_unsupported(&"the GPU makes no commitments that hide");
        } else if let Some(witness) = self.typed.scheme.commit_on(device, &mut entries) {
            return self.hide(witness);
        }
        let polynomials = || entries.chunks_exact(self.of_each()).collect::<Vec<_>>();
        let several = self.typed.summary.polynomials > 1;
        let witness = match mode {
            Mode::Hiding(secret) => {
                self.prover.commit_hiding(&polynomials(), secret).expect("a scheme that hides")
            }
            Mode::Whole | Mode::Lean if several => self.prover.commit_batch(&polynomials()),
            Mode::Whole => self.prover.commit(entries),
            Mode::Lean => self.prover.commit_lean(entries),
        };
        self.hide(witness)
    }

    fn recommit(&mut self, witness: &AnyWitness) -> AnyWitness {
        let entries = self.shown(witness).message().to_vec();
        let witness = self.prover.commit_lean(entries);
        self.hide(witness)
    }

    fn node_bytes(&self) -> usize {
        self.prover.node_bytes()
    }

    fn kept_bytes(&self) -> Option<usize> {
        let summary = &self.typed.summary;
        let plain = summary.hidden_openings == 0 && summary.polynomials == 1 && self.prover.node_bytes() > 0;
        plain.then(|| self.capacity() * S::Base::BYTES + self.prover.node_bytes())
    }

    fn kept(&self, witness: &AnyWitness) -> Option<Kept> {
        let witness = self.shown(witness);
        let plain = self.kept_bytes().is_some() && !witness.is_remote() && !witness.nodes().is_empty();
        plain.then(|| Kept { entries: to_bytes(&witness.entries()), nodes: witness.nodes().to_vec() })
    }

    #[cfg(feature = "cluster")]
    fn padded(&self, entries: Elements) -> Elements {
        let mut entries: Vec<S::Base> = own(entries);
        entries.resize(self.capacity(), S::Base::ZERO);
        Box::new(entries)
    }

    fn count(&self, entries: &Elements) -> usize {
        entries.downcast_ref::<Vec<S::Base>>().expect("the types of these parameters").len()
    }

    fn restore(&self, entries: Elements, nodes: Vec<u8>) -> Result<AnyWitness, ParamError> {
        self.prover.restore(own(entries), nodes).map(|witness| self.hide(witness))
    }

    fn each_entry(&self, witness: &AnyWitness, each: &mut dyn FnMut(&[u8])) {
        let mut bytes = vec![0; S::Base::BYTES];
        self.prover.each_entry(self.shown(witness), &mut |entry| {
            entry.write(&mut bytes);
            each(&bytes);
        });
    }

    fn open(&self, witness: &mut AnyWitness, forms: &[Form], context: &[u8]) -> Result<Opened, ParamError> {
        let summary = &self.typed.summary;
        let most = if summary.hidden_openings > 0 { 1 } else { summary.max_forms as usize };
        if forms.is_empty() || forms.len() > most {
            return Err(ParamError::OutOfRange(format!(
                "{} forms, where there may be 1 to {most}",
                forms.len()
            )));
        }
        let tensors: Option<Vec<TensorForm<S::Challenge>>> =
            forms.iter().map(|form| form.to_tensor(summary.variables)).collect();
        let tensors =
            tensors.ok_or_else(|| ParamError::OutOfRange("a form that is none of the entries".into()))?;
        let (claims, proof) = self.prover.open(self.shown_mut(witness), tensors, context);
        let (proof_bytes, commitment) = (proof.len(), self.shown(witness).commitment());
        let file = File::from_opening(&self.typed.scheme, commitment, claims, proof);
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

    fn open_product(
        &self,
        witness: &mut AnyWitness,
        (columns, rows): ([u32; 2], u64),
        (context, policy): (&[u8], &Policy),
    ) -> Result<File<'static>, ParamError> {
        let summary = &self.typed.summary;
        if columns.iter().any(|column| *column >= summary.polynomials)
            || !(1..=1 << summary.log_size).contains(&rows)
        {
            return Err(ParamError::OutOfRange("columns or rows that there are not".into()));
        }
        self.typed.scheme.prove_product(self.shown_mut(witness), (columns, rows, context), policy)
    }

    fn secret<'w>(&self, witness: &'w AnyWitness) -> Option<&'w Secret> {
        self.shown(witness).secret()
    }

    fn end(&self, witness: AnyWitness) -> Option<Secret> {
        own::<S::Witness>(witness.witness).into_secret()
    }

    fn recycle(&mut self, witness: AnyWitness) {
        self.prover.recycle(own(witness.witness));
    }
}
