//! Many signature files in one check.

use std::collections::BTreeMap;

use super::{RingVerifier, SignatureError, Signed, SuiteId};
use crate::Rejected;
use crate::vrf::{Input, Signature, SignatureBatch, Statement};
use pcs::iop::text::hex;

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

/// The verdict on one file of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The context and the tag in hexadecimal, if the file could be read.
    pub tag: Option<(Vec<u8>, String)>,
    /// The reason, if it is invalid.
    pub refused: Option<String>,
    /// The number of the first file in which the same member signed in the same context.
    pub again: Option<usize>,
}

/// Verdicts on signature files that are read one after the other, and of which none is kept.
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
                let (tag, _) = signed.signature.split_at(TAG);
                let expected = signed.check_expected(context, None);
                let pushed = expected.and_then(|()| self.batch.push(&signed)).map_err(|e| e.to_string());
                (Some((signed.context, hex(tag))), pushed)
            }
            Err(why) => (None, Err(why)),
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
                    let alone = read(place)
                        .and_then(|signed| self.batch.verify_alone(&signed).map_err(|e| e.to_string()));
                    let reason = alone.err().unwrap_or_else(|| "no member signed this".into());
                    if let Some(verdict) = self.verdicts.get_mut(place) {
                        verdict.refused = Some(reason);
                    }
                }
            }
            Err(error) => return Err(error),
        }
        find_again(&mut self.verdicts, distinct);
        Ok(self.verdicts)
    }
}

/// Bytes of the tag, with which a signature begins.
const TAG: usize = 32;
const _: () = assert!(TAG < Signature::BYTES);

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
            verdict.refused = Some("the member signed before".into());
        }
    }
}
