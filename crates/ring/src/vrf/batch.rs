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

use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point};
use curve::{AffineRepr, Zero};

use super::pedersen::Equations;
use super::terms::{self, Terms};
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
/// ```
#[derive(Clone, Debug)]
pub struct SignatureBatch<C: Embedded = Bandersnatch> {
    rings: Batch,
    items: Vec<Item<C>>,
}

/// The Pedersen proof of a signature.
#[derive(Clone, Debug)]
struct Item<C: Embedded> {
    /// `None`: refused before any equation.
    proven: Option<Proven<C>>,
    /// What this item adds to what the weights depend on.
    digest: [u8; 32],
}

#[derive(Clone, Debug)]
struct Proven<C: Embedded> {
    /// `H` of the suite.
    blinding: Point<C>,
    equations: Equations<C>,
    pedersen: Pedersen<C>,
}

impl<C: Embedded> SignatureBatch<C> {
    /// A batch for verifiers with this key of a setup.
    #[must_use]
    pub fn new(key: &kzg::Key) -> Self {
        Self { rings: Batch::new(key), items: Vec::new() }
    }

    /// How many signatures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
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
        let equations = if verifier.params().bases == *suite.bases() {
            pedersen.equations(suite, &[(input, *output)], data).ok()
        } else {
            None
        };
        let blinding = *suite.bases().blinding();
        let proven = equations.map(|equations| Proven { blinding, equations, pedersen: pedersen.clone() });
        let digest = proven.as_ref().map(Proven::digest).unwrap_or_default();
        self.items.push(Item { proven, digest });
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
        let (rings, own) = (self.rings.weights()?, self.weights()?);
        let hold = |items: &[usize]| {
            let both = rayon::join(|| self.rings.holds(items, &rings), || self.open(items, &own));
            both == (true, true)
        };
        let invalid = kzg::invalid_among(self.items.len(), &hold);
        if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) }
    }

    /// Two weights of 128 bits for each item, from the whole batch and from the system.
    pub(super) fn weights(&self) -> Result<Vec<[C::ScalarField; 2]>, Error> {
        let digests: Vec<_> = self.items.iter().map(|item| item.digest).collect();
        terms::weights(b"tenfold ring signature batch", &digests)
    }

    /// Whether the Pedersen proofs of these items hold together under these weights.
    pub(super) fn open(&self, items: &[usize], weights: &[[C::ScalarField; 2]]) -> bool {
        let mut terms = Terms::<C>::default();
        let mut generator = C::ScalarField::zero();
        for item in items {
            let (Some(item), Some([outputs, keys])) = (self.items.get(*item), weights.get(*item)) else {
                return false;
            };
            let Some(Proven { blinding, equations, pedersen }) = &item.proven else { return false };
            let Equations { pairs, challenge } = equations;
            let ([s, sb], [r, ok]) = (pedersen.responses, pedersen.nonces);
            terms.add_response(pairs, *outputs, [s, *challenge], &ok);
            terms.add(-*pedersen.blinded(), *keys * challenge);
            terms.add(-r, *keys);
            generator += *keys * s;
            terms.add_common(blinding, *keys * sb);
        }
        terms.add(Point::<C>::generator(), generator);
        terms.vanishes()
    }
}

impl<C: Embedded> Proven<C> {
    /// The challenge has the suite, the input, the output and the data in it.
    fn digest(&self) -> [u8; 32] {
        let ([s, sb], [r, ok]) = (self.pedersen.responses, self.pedersen.nonces);
        let Equations { pairs, challenge } = &self.equations;
        let points = [*self.pedersen.blinded(), r, ok, self.blinding];
        terms::digest(b"tenfold pedersen proof", pairs, &points, &[s, sb, *challenge])
    }
}
