//! Rings with the members of their files, every one checked: what changes, and what members sign for.

use std::sync::Arc;

use super::suite::{map_curve, on_curve};
use super::{
    Committed, FileError, Member, MemberError, Members, OnCurve, Params, RingVerifier, SecretKey,
    SignatureError, Signed, check_slots,
};
use crate::vrf::{Secret, Signature, Suite};
use crate::{Commitment, Duplicates, Error, Prover, Ring, RowPoints, Segment, SegmentKey, Setup};
use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;

/// A ring whose members were checked, with the points that changes take: those of a [`Setup`], or of a [`Segment`].
pub struct Membership<P: RowPoints = Setup> {
    params: Params,
    points: Arc<P>,
    ring: OnCurve<SuiteRing, SuiteRing<Jubjub>>,
    slots: Vec<Option<Member>>,
    /// True if no slot changed since the file was read: it stays the ring's, and signatures name the ring by it.
    as_read: bool,
}

/// A ring, with its suite.
struct SuiteRing<C: Embedded = Bandersnatch> {
    suite: &'static Suite<C>,
    ring: Ring<C>,
}

impl<C: Embedded> SuiteRing<C> {
    fn empty(suite: &'static Suite<C>, setup: &Setup) -> Self {
        Self { suite, ring: Ring::new(setup, suite.bases()) }
    }

    /// The ring of a file, whose commitment must be the one of its members.
    fn of(suite: &'static Suite<C>, file: &Members, setup: &Setup) -> Result<Self, FileError> {
        if setup.domain() != file.params.domain {
            return Err(FileError::Ring(Error::Mismatch("a setup for another domain")));
        }
        // (A setup for keys on another curve is an error here.)
        let mut ring = Ring::with_members(setup, suite.bases(), &[]).map_err(FileError::Ring)?;
        let keys = check_slots(suite, &file.slots)?;
        ring.append_slots(setup, &keys).map_err(FileError::Ring)?;
        if ring.commitment().encode() == file.commitment {
            Ok(Self { suite, ring })
        } else {
            Err(FileError::Commitment)
        }
    }

    /// The ring of a file, whose commitment is taken as that of its members.
    fn resume(suite: &'static Suite<C>, file: &Members, key: &SegmentKey) -> Result<Self, FileError> {
        let keys = check_slots(suite, &file.slots)?;
        let commitment = Commitment::decode(&file.commitment).map_err(FileError::Points)?;
        let params = crate::Params { bases: suite.bases().clone(), domain: file.params.domain };
        let ring = Ring::resume(key, &params, (&keys, &commitment), Duplicates::Refused);
        Ok(Self { suite, ring: ring.map_err(FileError::Ring)? })
    }

    fn add(&mut self, points: &impl RowPoints, slots: &[Option<Member>]) -> Result<(), FileError> {
        let keys = check_slots(self.suite, slots)?;
        self.ring.append_slots(points, &keys).map_err(|e| match e {
            Error::Key { at, why } => FileError::Slot { slot: at, why: MemberError::Key(why) },
            e => FileError::Ring(e),
        })
    }

    fn replace(&mut self, points: &impl RowPoints, slot: usize, member: &Member) -> Result<(), FileError> {
        let refused = |why| FileError::Slot { slot: 0, why };
        let key = member.check(self.suite).map_err(refused)?;
        self.ring.replace(points, slot, &key).map_err(|e| match e {
            Error::Key { why, .. } => refused(MemberError::Key(why)),
            e => FileError::Ring(e),
        })
    }

    fn prover(&self, setup: &Arc<Setup>) -> Result<SuiteProver<C>, Error> {
        Ok(SuiteProver { suite: self.suite, prover: Prover::new(setup, &self.ring)? })
    }
}

impl Membership {
    /// A ring without members.
    ///
    /// # Panics
    /// If the setup was prepared for keys on another curve than the suite's: see [`SuiteId::domain`](super::SuiteId::domain).
    #[must_use]
    pub fn empty(params: Params, setup: Arc<Setup>) -> Self {
        let ring = map_curve!(params.suite.suite(), suite => SuiteRing::empty(suite, &setup));
        Self { params, points: setup, ring, slots: Vec::new(), as_read: false }
    }

    /// The ring of a file: every key and every proof of possession is checked, and the commitment recomputed.
    ///
    /// # Errors
    /// If a key is refused, the setup is for another domain, or the commitment is not that of the members.
    pub fn of(file: Members, setup: Arc<Setup>) -> Result<Self, FileError> {
        let suite = file.params.suite.suite();
        let ring = map_curve!(suite, suite => SuiteRing::of(suite, &file, &setup)?);
        Ok(Self { params: file.params, points: setup, ring, slots: file.slots, as_read: true })
    }

    /// What verifies signatures for it.
    ///
    /// # Errors
    /// None: the commitment is three points.
    pub fn verifier(&self) -> Result<RingVerifier, FileError> {
        RingVerifier::new(self.committed(), self.points.key())
    }
}

impl Membership<Segment> {
    /// The ring of a file that is trusted, without the setup: every key and every proof of possession is checked, and **the commitment is taken as that of the members**. `key` is of the setup
    /// that the file names, and the one that `segment` was checked against; members are added and taken out in its rows.
    ///
    /// # Errors
    /// If a key is refused, the commitment is no three points of the subgroup, the key is for another number of rows, or the segment was checked against another one.
    pub fn resume(file: Members, key: &SegmentKey, segment: Arc<Segment>) -> Result<Self, FileError> {
        let suite = file.params.suite.suite();
        if segment.key() != key {
            return Err(FileError::Ring(Error::Mismatch("a segment that was checked against another key")));
        }
        let ring = map_curve!(suite, suite => SuiteRing::resume(suite, &file, key)?);
        Ok(Self { params: file.params, points: segment, ring, slots: file.slots, as_read: true })
    }
}

impl<P: RowPoints> Membership<P> {
    /// Adds members behind all slots that were used.
    ///
    /// # Errors
    /// If there is no room, or a key is refused: [`FileError::Slot`] counts among the new ones.
    pub fn add(&mut self, members: &[Member]) -> Result<(), FileError> {
        let slots: Vec<Option<Member>> = members.iter().cloned().map(Some).collect();
        on_curve!(&mut self.ring, ring => ring.add(&self.points, &slots))?;
        self.slots.extend(slots);
        self.as_read = false;
        Ok(())
    }

    /// Puts a member in a slot that was used.
    ///
    /// # Errors
    /// As [`Self::add`], the new one being the first; if there is no such slot.
    pub fn replace(&mut self, slot: usize, member: &Member) -> Result<(), FileError> {
        on_curve!(&mut self.ring, ring => ring.replace(&self.points, slot, member))?;
        self.slots[slot] = Some(member.clone());
        self.as_read = false;
        Ok(())
    }

    /// Empties a slot.
    ///
    /// # Errors
    /// If it has no member.
    pub fn remove(&mut self, slot: usize) -> Result<(), Error> {
        on_curve!(&mut self.ring, ring => ring.ring.remove(&self.points, slot))?;
        self.slots[slot] = None;
        self.as_read = false;
        Ok(())
    }

    /// The slot of a key, in the suite's bytes. All slots are looked at, whichever it is in.
    #[must_use]
    pub fn slot_of(&self, key: &[u8]) -> Option<usize> {
        let at = |slot: &Option<Member>| slot.as_ref().is_some_and(|member| member.key == key);
        let slots = self.slots.iter().enumerate();
        slots.fold(None, |found, (i, slot)| if at(slot) { Some(i) } else { found })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The content of its file: the one that was read, until something changes.
    #[must_use]
    pub fn file(&self) -> Members {
        let (params, slots, commitment) = (self.params, self.slots.clone(), self.commitment());
        if self.as_read {
            return Members { params, slots, commitment: commitment.encode() };
        }
        Members::new(params, slots, &commitment)
    }

    fn commitment(&self) -> Commitment {
        on_curve!(&self.ring, ring => ring.ring.commitment())
    }

    /// The content of its commitment file.
    #[must_use]
    pub fn committed(&self) -> Committed {
        self.file().committed()
    }
}

/// What signs as a member of a ring as it is now, whichever member it is.
pub struct Signer<'a> {
    ring: &'a Membership,
    prover: OnCurve<SuiteProver, SuiteProver<Jubjub>>,
    verifier: RingVerifier,
}

/// The prover of a ring, with its suite.
struct SuiteProver<C: Embedded = Bandersnatch> {
    suite: &'static Suite<C>,
    prover: Prover<C>,
}

impl<C: Embedded> SuiteProver<C> {
    /// Signs as the member in a slot.
    fn sign(
        &self,
        slot: usize,
        secret: &Secret<C>,
        [context, message]: [&[u8]; 2],
    ) -> Result<Vec<u8>, Error> {
        let input = self.suite.input(context)?;
        let signature = Signature::new(self.suite, (&self.prover, slot), secret, &input, message)?;
        Ok(signature.encode_in(self.suite))
    }
}

/// Why nothing is signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// A key of another suite.
    #[error("a key of {key}, and a ring of {ring}")]
    Suite {
        /// The key's.
        key: &'static str,
        /// The ring's.
        ring: &'static str,
    },
    /// The key is in no slot.
    #[error("the key is no member's")]
    NoMember(Vec<u8>),
    /// The context is no input of the VRF, or the system gives no random bytes.
    #[error(transparent)]
    Ring(#[from] Error),
    /// The signature that was made does not verify.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

impl<'a> Signer<'a> {
    /// For any member of the ring.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(ring: &'a Membership) -> Result<Self, FileError> {
        let prover = map_curve!(&ring.ring, of => of.prover(&ring.points).map_err(FileError::Ring)?);
        Ok(Self { ring, prover, verifier: ring.verifier()? })
    }

    /// The content of the ring's commitment file.
    #[must_use]
    pub fn committed(&self) -> &Committed {
        self.verifier.committed()
    }

    /// Signs `context` and `message` as the member with this key. The signature was verified.
    ///
    /// # Errors
    /// If it is no member's or of another suite, or the system gives no random bytes.
    pub fn sign(&self, key: &SecretKey, context: &[u8], message: &[u8]) -> Result<Signed, SignError> {
        let suite = self.ring.params.suite;
        let other = SignError::Suite { key: key.suite().name(), ring: suite.name() };
        if key.suite() != suite {
            return Err(other);
        }
        let public = key.key();
        let slot = self.ring.slot_of(&public).ok_or(SignError::NoMember(public))?;
        let signature = match (&self.prover, &key.secret) {
            (OnCurve::Bandersnatch(prover), OnCurve::Bandersnatch(key)) => {
                prover.sign(slot, &key.secret, [context, message])?
            }
            (OnCurve::Jubjub(prover), OnCurve::Jubjub(key)) => {
                prover.sign(slot, &key.secret, [context, message])?
            }
            _ => return Err(other),
        };
        let (ring, context, message) = (self.committed().digest(), context.to_vec(), message.to_vec());
        let signed = Signed { params: self.ring.params, ring, context, message, signature };
        signed.verify(&self.verifier)?;
        Ok(signed)
    }
}
