//! Verifies many signatures at once.
//!
//! ```text
//!   push     the ring proof goes into a batch of ring proofs; the Pedersen proof's challenge is computed
//!   verify   w, w' of 128 bits for each signature, from all of them and 32 bytes of the system
//!            0 = sum w (s I - c O - Ok) + w' (s G + sb H - c Yb - R)        one multi-scalar multiplication
//!            the ring proofs: see ring-batch                                   two more, and two pairings
//! ```
//! All points are in the subgroup: see `terms`.
//!
//! (notes: ring-signature-batch)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, encode_point};

use super::pairs::Equation;
use super::terms::{self, Items, Proven, Terms};
use super::{Input, Pedersen, Signature, Suite};
use crate::{Batch, Error, Rejected, Verifier, kzg};

/// What a signature is verified against.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Embedded = Bandersnatch> {
    /// The suite.
    pub suite: &'a Suite<C>,
    /// The ring.
    pub verifier: &'a Verifier<C>,
    /// What the tag is for.
    pub input: Input<C>,
    /// What is signed too.
    pub data: &'a [u8],
}

/// Ring signatures to be verified together. Suites, rings, domains and inputs may differ, the setup and the curve not.
///
/// ```text
///   let mut batch = SignatureBatch::new(setup.key());
///   batch.push(&Statement { suite, verifier: &verifier, input, data: b"yes" }, &signature)?;
///   batch.verify()?;                                  // Rejected::Items names the invalid ones
///   batch.repeated(&[])                               // signatures by one member for one input
/// ```
#[derive(Clone, Debug)]
pub struct SignatureBatch<C: Embedded = Bandersnatch> {
    rings: Batch,
    /// The Pedersen proofs.
    pub(super) items: Items<Item<C>>,
}

/// The Pedersen proof of a signature.
#[derive(Clone, Debug)]
pub(super) struct Item<C: Embedded> {
    /// `H` of the suite.
    blinding: Point<C>,
    equation: Equation<C>,
    pedersen: Pedersen<C>,
}

impl<C: Embedded> SignatureBatch<C> {
    /// A batch for verifiers with this key of a setup.
    #[must_use]
    pub fn new(key: &kzg::Key) -> Self {
        Self { rings: Batch::new(key), items: Items(Vec::new()) }
    }

    /// How many signatures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.0.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.0.is_empty()
    }

    /// Adds a signature. One that can be refused at once is refused by [`Self::verify`], with its number.
    ///
    /// # Errors
    /// If the verifier has another setup, or there are [`Batch::MOST`] signatures.
    pub fn push(&mut self, statement: &Statement<'_, C>, signature: &Signature<C>) -> Result<(), Error> {
        let Statement { suite, verifier, input, data } = *statement;
        let Signature { output, pedersen, ring } = signature;
        // A Pedersen proof was made or decoded: its points are in the subgroup.
        self.rings.push_inside(verifier, pedersen.blinded(), ring)?;
        let own = verifier.params().bases == *suite.bases();
        let equation = own.then(|| pedersen.equations(suite, &[(input, *output)], data));
        let blinding = *suite.bases().blinding();
        let item = |equation| Item { blinding, equation, pedersen: pedersen.clone() };
        self.items.0.push(equation.and_then(Result::ok).map(item));
        Ok(())
    }

    /// Verifies all signatures. An empty batch is valid.
    ///
    /// Cost: for `n` signatures a multi-scalar multiplication over `4n + m + 2` points of the curve of the keys, where `m` inputs differ, and [`Batch::verify`]. If it fails, as much
    /// again for halves, to find the invalid ones.
    ///
    /// # Errors
    /// If some are invalid: which; or if the system gives no random bytes.
    pub fn verify(&self) -> Result<(), Rejected> {
        let (rings, own) = (self.rings.weights()?, self.items.weights()?);
        Rejected::unless(self.len(), &|items| {
            let both = rayon::join(|| self.rings.holds(items, &rings), || self.items.hold(items, &own));
            both == (true, true)
        })
    }

    /// Signatures by a signer who signed for the same input before, in the order in which they were added: the number of the first one with this tag, and
    /// that of the later one. All but the first of a signer are in it, each with the first.
    ///
    /// Two signatures are compared by their inputs and their tags ([`Signature::output`]), and by nothing else: for one input two tags are equal if and only if the
    /// secrets are. So
    /// - signatures for different inputs are never a pair, whoever made them: a signer's tags for two inputs cannot be linked;
    /// - one context has another input in each suite ([`Suite::input`] hashes the suite's identifier): a signer who changes the suite is not found. Take one suite for a vote;
    /// - data and rings may differ: two messages, the same signature twice, and one key in two rings are found;
    /// - two keys of one person are two signers.
    ///
    /// `invalid` are the numbers that [`Self::verify`] found, in any order. They are left out, and so are those that it refuses at once: anybody can copy a tag
    /// into a signature that does not verify, and would otherwise make a member's only signature a repeated one. **Before [`Self::verify`] the pairs say nothing.**
    ///
    /// Cost: `n log n` comparisons, and nothing is combined.
    #[must_use]
    pub fn repeated(&self, invalid: &[usize]) -> Vec<[usize; 2]> {
        let invalid: BTreeSet<usize> = invalid.iter().copied().collect();
        let mut firsts = BTreeMap::new();
        let mut repeated = Vec::new();
        for (at, item) in self.items.0.iter().enumerate() {
            let Some(item) = item.as_ref().filter(|_| !invalid.contains(&at)) else { continue };
            match firsts.entry(item.tag()) {
                Entry::Vacant(free) => _ = free.insert(at),
                Entry::Occupied(first) => repeated.push([*first.get(), at]),
            }
        }
        repeated
    }
}

impl<C: Embedded> Item<C> {
    /// The input and its output: a signature has one of each.
    fn tag(&self) -> [Option<[u8; 32]>; 2] {
        let pairs = &self.equation.pairs;
        [&pairs.inputs, &pairs.outputs].map(|points| points.first().map(encode_point))
    }
}

impl<C: Embedded> Proven<C, 2> for Item<C> {
    const BATCH: &'static [u8] = b"tenfold ring signature batch";

    /// The challenge has the suite, the input, the output and the data in it.
    fn digest(&self) -> [u8; 32] {
        let ([s, sb], [r, ok]) = (self.pedersen.responses, self.pedersen.nonces);
        let Equation { pairs, challenge } = &self.equation;
        let points = [*self.pedersen.blinded(), r, ok, self.blinding];
        terms::digest(b"tenfold pedersen proof", pairs, &points, &[s, sb, *challenge])
    }

    fn add_to(&self, sum: &mut Terms<C>, [outputs, keys]: [C::ScalarField; 2]) {
        let Equation { pairs, challenge } = &self.equation;
        let ([s, sb], [r, ok]) = (self.pedersen.responses, self.pedersen.nonces);
        sum.add_response(pairs, outputs, [s, *challenge], &ok);
        sum.add(-*self.pedersen.blinded(), keys * challenge);
        sum.add(-r, keys);
        sum.add_common(&Point::<C>::generator(), keys * s);
        sum.add_common(&self.blinding, keys * sb);
    }
}
