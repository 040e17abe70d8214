//! Rings with the members of their files, every one checked: what changes, and what members sign for.

use std::sync::Arc;

use super::{
    Committed, FileError, Member, MemberError, Members, Params, RingVerifier, SignatureError, Signed,
    check_slots,
};
use crate::vrf::{Secret, Signature};
use crate::{Error, Key, Prover, Ring, Setup};
use curve::bandersnatch::encode_point;

/// A ring whose members were checked, with the setup that changes take.
pub struct Membership {
    params: Params,
    setup: Arc<Setup>,
    ring: Ring,
    slots: Vec<Option<Member>>,
    /// True if no slot changed since the file was read: it stays the ring's, and signatures name the ring by it.
    as_read: bool,
}

impl Membership {
    /// A ring without members.
    #[must_use]
    pub fn empty(params: Params, setup: Arc<Setup>) -> Self {
        let ring = Ring::new(&setup, params.suite.suite().bases());
        Self { params, setup, ring, slots: Vec::new(), as_read: false }
    }

    /// The ring of a file: every key and every proof of possession is checked, and the commitment recomputed.
    ///
    /// # Errors
    /// As [`Members::ring`].
    pub fn of(file: Members, setup: Arc<Setup>) -> Result<Self, FileError> {
        let ring = file.ring(&setup)?;
        Ok(Self { params: file.params, setup, ring, slots: file.slots, as_read: true })
    }

    /// Adds members behind all slots that were used.
    ///
    /// # Errors
    /// If there is no room, or a key is refused: [`FileError::Slot`] counts among the new ones.
    pub fn add(&mut self, members: &[Member]) -> Result<(), FileError> {
        let slots: Vec<Option<Member>> = members.iter().cloned().map(Some).collect();
        let keys = check_slots(self.params.suite.suite(), &slots)?;
        self.ring.append_slots(&self.setup, &keys).map_err(|e| match e {
            Error::Key { at, why } => FileError::Slot { slot: at, why: MemberError::Key(why) },
            e => FileError::Ring(e),
        })?;
        self.slots.extend(slots);
        self.as_read = false;
        Ok(())
    }

    /// Puts a member in a slot that was used.
    ///
    /// # Errors
    /// As [`Self::add`], the new one being the first; if there is no such slot.
    pub fn replace(&mut self, slot: usize, member: &Member) -> Result<(), FileError> {
        let refused = |why| FileError::Slot { slot: 0, why };
        let key = member.check(self.params.suite.suite()).map_err(refused)?;
        self.ring.replace(&self.setup, slot, &key).map_err(|e| match e {
            Error::Key { why, .. } => refused(MemberError::Key(why)),
            e => FileError::Ring(e),
        })?;
        self.slots[slot] = Some(member.clone());
        self.as_read = false;
        Ok(())
    }

    /// Empties a slot.
    ///
    /// # Errors
    /// If it has no member.
    pub fn remove(&mut self, slot: usize) -> Result<(), Error> {
        self.ring.remove(&self.setup, slot)?;
        self.slots[slot] = None;
        self.as_read = false;
        Ok(())
    }

    /// The slot of a key. All slots are looked at, whichever it is in.
    #[must_use]
    pub fn slot_of(&self, key: &[u8; Key::BYTES]) -> Option<usize> {
        let at = |slot: &Option<Key>| slot.as_ref().is_some_and(|member| member.encode() == *key);
        self.ring
            .slots()
            .iter()
            .enumerate()
            .fold(None, |found, (i, slot)| if at(slot) { Some(i) } else { found })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The content of its file: the one that was read, until something changes.
    #[must_use]
    pub fn file(&self) -> Members {
        let (params, slots, commitment) = (self.params, self.slots.clone(), self.ring.commitment());
        if self.as_read {
            return Members { params, slots, commitment: commitment.encode() };
        }
        Members::new(params, slots, &commitment)
    }

    /// The content of its commitment file.
    #[must_use]
    pub fn committed(&self) -> Committed {
        self.file().committed()
    }

    /// What verifies signatures for it.
    ///
    /// # Errors
    /// None: the commitment is three points.
    pub fn verifier(&self) -> Result<RingVerifier, FileError> {
        RingVerifier::new(self.committed(), self.setup.key())
    }
}

/// What signs as a member of a ring as it is now, whichever member it is.
pub struct Signer<'a> {
    ring: &'a Membership,
    prover: Prover,
    verifier: RingVerifier,
}

/// Why nothing is signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The key is in no slot.
    #[error("the key is no member's")]
    NoMember([u8; Key::BYTES]),
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
        let prover = Prover::new(&ring.setup, &ring.ring).map_err(FileError::Ring)?;
        Ok(Self { ring, prover, verifier: ring.verifier()? })
    }

    /// The content of the ring's commitment file.
    #[must_use]
    pub fn committed(&self) -> &Committed {
        self.verifier.committed()
    }

    /// Signs `context` and `message` as the member with this secret. The signature was verified.
    ///
    /// # Errors
    /// If it is no member's, or the system gives no random bytes.
    pub fn sign(&self, secret: &Secret, context: &[u8], message: &[u8]) -> Result<Signed, SignError> {
        let key = encode_point(secret.public());
        let slot = self.ring.slot_of(&key).ok_or(SignError::NoMember(key))?;
        let suite = self.ring.params.suite.suite();
        let input = suite.input(context).map_err(Error::from)?;
        let signature = Signature::new(suite, (&self.prover, slot), secret, &input, message)?;
        let signed = Signed {
            params: self.ring.params,
            ring: self.committed().digest(),
            context: context.to_vec(),
            message: message.to_vec(),
            signature: signature.encode(),
        };
        signed.verify(&self.verifier)?;
        Ok(signed)
    }
}
