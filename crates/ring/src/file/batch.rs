//! Many signature files in one check.

use std::collections::BTreeMap;

use super::suite::on_curve;
use super::{OnCurve, RingVerifier, SignatureError, Signed, SuiteId, SuiteVerifier};
use crate::vrf::{Input, SignatureBatch, Statement};
use crate::{Rejected, kzg};
use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;
use pcs::iop::text::hex;

/// Signature files to be verified together, of one ring or several over one setup.
pub struct SignedBatch<'a> {
    rings: &'a [RingVerifier],
    bandersnatch: CurveBatch,
    jubjub: CurveBatch<Jubjub>,
    /// How many were added.
    len: usize,
}

/// Those whose keys are on one curve.
struct CurveBatch<C: Embedded = Bandersnatch> {
    batch: SignatureBatch<C>,
    /// Their numbers among all that were added.
    numbers: Vec<usize>,
    /// The last input that was hashed: most batches are of one context.
    last: Option<(SuiteId, Vec<u8>, Input<C>)>,
}

impl<C: Embedded> CurveBatch<C> {
    fn new(kzg: &kzg::Key) -> Self {
        Self { batch: SignatureBatch::new(kzg), numbers: Vec::new(), last: None }
    }

    /// Adds a signature that is about this ring.
    fn push(
        &mut self,
        number: usize,
        ring: &SuiteVerifier<C>,
        signed: &Signed,
    ) -> Result<(), SignatureError> {
        let signature = ring.decode(signed)?;
        let input = self.input(ring, signed)?;
        let SuiteVerifier { suite, verifier } = ring;
        let statement = Statement { suite, verifier, input, data: &signed.message };
        self.batch.push(&statement, &signature).map_err(SignatureError::Batch)?;
        self.numbers.push(number);
        Ok(())
    }

    fn input(&mut self, ring: &SuiteVerifier<C>, signed: &Signed) -> Result<Input<C>, SignatureError> {
        let suite = signed.params.suite;
        if let Some((known, context, input)) = &self.last
            && *known == suite
            && *context == signed.context
        {
            return Ok(*input);
        }
        let input = ring.input(&signed.context)?;
        self.last = Some((suite, signed.context.clone(), input));
        Ok(input)
    }

    /// The numbers of those that are invalid.
    fn invalid(&self) -> Result<Vec<usize>, Rejected> {
        if self.batch.is_empty() {
            return Ok(Vec::new());
        }
        match self.batch.verify() {
            Ok(()) => Ok(Vec::new()),
            Err(Rejected::Items(items)) => Ok(items.into_iter().map(|item| self.numbers[item]).collect()),
            Err(error) => Err(error),
        }
    }
}

impl<'a> SignedBatch<'a> {
    /// An empty batch for these rings; none if there are no rings.
    #[must_use]
    pub fn new(rings: &'a [RingVerifier]) -> Option<Self> {
        let kzg = on_curve!(&rings.first()?.verifier, ring => &ring.verifier.key().kzg);
        Some(Self { rings, bandersnatch: CurveBatch::new(kzg), jubjub: CurveBatch::new(kzg), len: 0 })
    }

    /// Adds the signature of a file; the batch counts those that were added.
    ///
    /// # Errors
    /// If the file is about none of the rings, or its bytes are no points and scalars.
    pub fn push(&mut self, signed: &Signed) -> Result<(), SignatureError> {
        let ring = self.ring_of(signed)?;
        signed.check_ring(ring.committed())?;
        match &ring.verifier {
            OnCurve::Bandersnatch(ring) => self.bandersnatch.push(self.len, ring, signed),
            OnCurve::Jubjub(ring) => self.jubjub.push(self.len, ring, signed),
        }?;
        self.len += 1;
        Ok(())
    }

    /// Verifies all that were added: those on one curve together.
    ///
    /// # Errors
    /// [`Rejected::Items`] names those that are invalid.
    pub fn verify(&self) -> Result<(), Rejected> {
        let mut invalid = [self.bandersnatch.invalid()?, self.jubjub.invalid()?].concat();
        invalid.sort_unstable();
        if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) }
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
}

/// The reason that one file of several is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No signature could be read, for this reason of the caller's.
    #[error("{0}")]
    Unread(String),
    /// The signature is not valid for any of the rings, or not for the context that is expected.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The batch names it, and what was read once more is a valid signature: other bytes than those that were read first.
    #[error("no member signed this")]
    Changed,
    /// The member signed before in the context, and signatures have to be distinct.
    #[error("the member signed before")]
    Repeated,
}

/// The verdict on one file of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The context and the tag in hexadecimal, if the file could be read.
    pub tag: Option<(Vec<u8>, String)>,
    /// The reason, if it is invalid.
    pub refused: Option<Refused>,
    /// The number of the first file in which the same member signed in the same context.
    pub again: Option<usize>,
}

/// Verdicts on signature files that are read one after the other, and of which none is kept. Signatures in memory go into a [`SignatureBatch`].
pub struct Verdicts<'a> {
    batch: SignedBatch<'a>,
    verdicts: Vec<Verdict>,
    /// The verdict of each item of the batch.
    places: Vec<usize>,
}

impl<'a> Verdicts<'a> {
    /// Over these rings; none if there are no rings.
    #[must_use]
    pub fn new(rings: &'a [RingVerifier]) -> Option<Self> {
        Some(Self { batch: SignedBatch::new(rings)?, verdicts: Vec::new(), places: Vec::new() })
    }

    /// Takes the next file, or the reason why it is none. It is refused for another context than the one that is expected.
    pub fn push(&mut self, read: Result<Signed, String>, context: Option<&[u8]>) {
        let (tag, pushed) = match read {
            Ok(signed) => {
                let tag = hex(signed.tag());
                let expected = signed.check_expected(context, None);
                let pushed = expected.and_then(|()| self.batch.push(&signed));
                (Some((signed.context, tag)), pushed.map_err(Refused::Signature))
            }
            Err(why) => (None, Err(Refused::Unread(why))),
        };
        if pushed.is_ok() {
            self.places.push(self.verdicts.len());
        }
        self.verdicts.push(Verdict { tag, refused: pushed.err(), again: None });
    }

    /// Verifies all of them. `read` reads a file once more, by its number, to say why it is invalid. If signatures have to be `distinct`, the second one of a
    /// member in a context is refused, and all after it.
    ///
    /// # Errors
    /// If the batch cannot be verified, whatever is in it.
    pub fn finish(
        mut self,
        read: impl Fn(usize) -> Result<Signed, String>,
        distinct: bool,
    ) -> Result<Vec<Verdict>, Rejected> {
        match self.batch.verify() {
            Ok(()) => {}
            Err(Rejected::Items(items)) => {
                for place in items.into_iter().filter_map(|item| self.places.get(item).copied()) {
                    let alone = match read(place) {
                        Ok(signed) => self.batch.verify_alone(&signed).map_err(Refused::Signature),
                        Err(why) => Err(Refused::Unread(why)),
                    };
                    if let Some(verdict) = self.verdicts.get_mut(place) {
                        verdict.refused = Some(alone.err().unwrap_or(Refused::Changed));
                    }
                }
            }
            Err(error) => return Err(error),
        }
        find_again(&mut self.verdicts, distinct);
        Ok(self.verdicts)
    }
}

/// Marks signatures of one member in one context, all but the first.
fn find_again(verdicts: &mut [Verdict], distinct: bool) {
    let mut seen = BTreeMap::new();
    for (at, verdict) in verdicts.iter_mut().enumerate() {
        let (None, Some(tag)) = (&verdict.refused, &verdict.tag) else { continue };
        let first = *seen.entry(tag.clone()).or_insert(at);
        if first == at {
            continue;
        }
        verdict.again = Some(first);
        if distinct {
            verdict.refused = Some(Refused::Repeated);
        }
    }
}
