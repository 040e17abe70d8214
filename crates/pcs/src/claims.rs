//! What an opening states, shared by every scheme.

use alloc::vec::Vec;
use field::Field;
use iop::hash::{Digest, Hash, concat};
use iop::poly::{TensorForm, to_bytes};

/// Linear forms, the values they take on every committed polynomial, and the context they are stated in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims<E> {
    /// One form per opening.
    pub forms: Vec<TensorForm<E>>,
    /// `values[j][p]`: form `j` on polynomial `p`.
    pub values: Vec<Vec<E>>,
    /// Application bytes bound into the proof: a label, a session, a chain id.
    pub context: Vec<u8>,
}

impl<E: Field> Claims<E> {
    /// Whether there is at least one form, each in `variables` variables, and a value per form and polynomial.
    pub fn fits(&self, variables: usize, polynomials: usize) -> bool {
        !self.forms.is_empty()
            && self.forms.len() == self.values.len()
            && self.forms.iter().all(|f| f.variables() == variables)
            && self.values.iter().all(|v| v.len() == polynomials)
    }

    /// The digest that binds all of it, with the commitment's bytes, into a transcript.
    pub fn digest(&self, hash: Hash, commitment: &[u8]) -> Digest {
        let Self { forms, values, context } = self;
        let forms: Vec<Digest> = forms.iter().map(|f| hash.digest("form", &[&f.to_bytes()])).collect();
        let values: Vec<Digest> = values.iter().map(|v| hash.digest("values", &[&to_bytes(v)])).collect();
        let parts: [&[u8]; 4] = [commitment, &concat(&forms), &concat(&values), context];
        hash.digest("tenfold claims v1", &parts)
    }
}
