//! Many signature files in one check.

use super::{RingVerifier, SignatureError, Signed, SuiteId};
use crate::Rejected;
use crate::vrf::{Input, SignatureBatch, Statement};

/// Signature files to be verified together, of one ring or several over one setup.
pub struct SignedBatch<'a> {
    rings: &'a [RingVerifier],
    batch: SignatureBatch,
    /// The last input that was hashed: most batches are of one context.
    last: Option<(SuiteId, Vec<u8>, Input)>,
}

impl<'a> SignedBatch<'a> {
    /// An empty batch for these rings; none if there are no rings.
    #[must_use]
    pub fn new(rings: &'a [RingVerifier]) -> Option<Self> {
        let batch = SignatureBatch::new(&rings.first()?.verifier().key().kzg);
        Some(Self { rings, batch, last: None })
    }

    /// Adds the signature of a file; the batch counts those that were added.
    ///
    /// # Errors
    /// If the file is about none of the rings, or its bytes are no points and scalars.
    pub fn push(&mut self, signed: &Signed) -> Result<(), SignatureError> {
        let ring = self.ring_of(signed)?;
        let signature = signed.for_ring(ring)?;
        let (suite, input) = (signed.params.suite, self.input(signed)?);
        let (verifier, data) = (ring.verifier(), &signed.message);
        let statement = Statement { suite: suite.suite(), verifier, input, data };
        self.batch.push(&statement, &signature).map_err(SignatureError::Batch)
    }

    /// Verifies all that were added.
    ///
    /// # Errors
    /// [`Rejected::Items`] names those that are invalid.
    pub fn verify(&self) -> Result<(), Rejected> {
        self.batch.verify()
    }

    /// Verifies one file alone.
    ///
    /// # Errors
    /// Why it is not valid.
    pub fn verify_alone(&self, signed: &Signed) -> Result<(), SignatureError> {
        signed.verify(self.ring_of(signed)?).map(drop)
    }

    fn ring_of(&self, signed: &Signed) -> Result<&'a RingVerifier, SignatureError> {
        let rings = self.rings;
        let ring = rings.iter().find(|ring| ring.committed().digest() == signed.ring).or(match rings {
            // Says what differs.
            [one] => Some(one),
            _ => None,
        });
        ring.ok_or(SignatureError::NoRing)
    }

    fn input(&mut self, signed: &Signed) -> Result<Input, SignatureError> {
        let suite = signed.params.suite;
        if let Some((known, context, input)) = &self.last
            && *known == suite
            && *context == signed.context
        {
            return Ok(*input);
        }
        let input = signed.input()?;
        self.last = Some((suite, signed.context.clone(), input));
        Ok(input)
    }
}
