//! Leases of provers: who may prove on a lane, until when. Heights are the only clock.
//!
//! A lane that is held takes batches signed by its holder alone; every batch renews the lease. After `timeout` blocks without one the lane is open: anybody
//! proves on it, and anybody may claim it. After a lease without a batch it stays open for another `timeout` blocks before any claim: claims are free, and
//! keys that take turns at them would keep it for ever. Blocks without content count, so that
//! consensus which makes a block now and then frees every lane. Plain transactions need no lane. (notes: ledger-lease)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::signature::PublicKey;

/// The most lanes.
pub const MAX_LANES: u8 = 16;

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Lane {
    /// Who claimed it last.
    pub holder: Option<PublicKey>,
    /// The height of the claim, or of the holder's last batch.
    pub active: u64,
    /// Whether the holder has proved a batch since the claim.
    pub proved: bool,
    /// The number of claims so far, which the next one names.
    pub claims: u32,
}

/// All lanes of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leases(Vec<Lane>);

/// The reason that a claim or a batch is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeaseError {
    /// The chain has fewer lanes.
    #[error("there is no lane {0}")]
    NoLane(u8),
    /// Lanes are open to all.
    #[error("this chain has no leases: every lane is open")]
    NoLeases,
    /// Somebody has it.
    #[error("the lane is held until height {0}")]
    Held(u64),
    /// The last holder let it lapse without a batch.
    #[error(
        "the last holder of the lane proved nothing: it is open to batches of anybody, and to claims from height {0} on"
    )]
    Waits(u64),
    /// A claim that was made before, or for a later one.
    #[error("the claim has number {found}, the lane's next one is {expected}")]
    Sequence {
        /// The lane's.
        expected: u32,
        /// The claim's.
        found: u32,
    },
}

impl Leases {
    /// Lanes that nobody holds.
    #[must_use]
    pub fn new(lanes: u8) -> Self {
        Self(vec![Lane::default(); usize::from(lanes)])
    }

    /// A lane.
    ///
    /// # Errors
    /// If there is none of this number.
    pub fn lane(&self, lane: u8) -> Result<&Lane, LeaseError> {
        self.0.get(usize::from(lane)).ok_or(LeaseError::NoLane(lane))
    }

    /// Who alone may prove on a lane in the block of this height, if anybody.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn holder(&self, lane: u8, height: u64, timeout: u32) -> Result<Option<PublicKey>, LeaseError> {
        let lane = self.lane(lane)?;
        Ok(lane.holder.filter(|_| height < lane.active.saturating_add(u64::from(timeout))))
    }

    /// The height of the first block in which anybody may claim a lane, if no batch comes before.
    ///
    /// # Errors
    /// If there is no such lane, or the chain has no leases.
    pub fn claimable(&self, lane: u8, timeout: u32) -> Result<u64, LeaseError> {
        let lane = self.lane(lane)?;
        if timeout == 0 {
            return Err(LeaseError::NoLeases);
        }
        // Of whichever key: another one costs nothing.
        let times = if lane.proved { 1 } else { 2 };
        Ok(lane.holder.map_or(0, |_| lane.active.saturating_add(times * u64::from(timeout))))
    }

    /// Gives a lane to a key, in the block of this height.
    ///
    /// # Errors
    /// If the lane is held, it lapsed without a batch and has to stay open first, or the claim is not the lane's next one.
    pub fn claim(&mut self, claim: &Claim, height: u64, timeout: u32) -> Result<(), LeaseError> {
        let held = self.holder(claim.lane, height, timeout)?;
        let claimable = self.claimable(claim.lane, timeout)?;
        let lane = self.0.get_mut(usize::from(claim.lane)).ok_or(LeaseError::NoLane(claim.lane))?;
        let wait = u64::from(timeout);
        if claim.sequence != lane.claims {
            return Err(LeaseError::Sequence { expected: lane.claims, found: claim.sequence });
        }
        if held.is_some() {
            return Err(LeaseError::Held(lane.active.saturating_add(wait)));
        }
        if height < claimable {
            return Err(LeaseError::Waits(claimable));
        }
        let claims = lane.claims.wrapping_add(1);
        *lane = Lane { holder: Some(claim.key), active: height, proved: false, claims };
        Ok(())
    }

    /// Renews the lease of a lane's holder, who proved the batch in the block of this height.
    pub(super) fn renew(&mut self, lane: u8, height: u64) {
        if let Some(lane) = self.0.get_mut(usize::from(lane)) {
            (lane.active, lane.proved) = (height, true);
        }
    }
}

/// ```text
///  lanes u8 | for each: 0 u8, or 1 u8 and the holder's key 64 | active u64 | proved u8 | claims u32
/// ```
impl Canonical for Leases {
    fn write(&self, w: &mut Writer) {
        w.u8(self.0.len() as u8);
        for lane in &self.0 {
            w.u8(u8::from(lane.holder.is_some()));
            if let Some(holder) = &lane.holder {
                holder.write(w);
            }
            w.u64(lane.active);
            w.u8(u8::from(lane.proved));
            w.u32(lane.claims);
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let lanes = r.u8().filter(|lanes| *lanes <= MAX_LANES).ok_or(Malformed("too many lanes"))?;
        let mut read = |_| {
            let holder = if flag(r)? { Some(PublicKey::read(r)?) } else { None };
            let active = r.u64().ok_or(SHORT)?;
            Ok(Lane { holder, active, proved: flag(r)?, claims: r.u32().ok_or(SHORT)? })
        };
        (0..lanes).map(&mut read).collect::<Result<_, _>>().map(Self)
    }
}

/// A claim of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The lane.
    pub lane: u8,
    /// The number of claims of the lane before it.
    pub sequence: u32,
    /// The key that will sign batches.
    pub key: PublicKey,
}

impl Canonical for Claim {
    fn write(&self, w: &mut Writer) {
        w.u8(self.lane);
        w.u32(self.sequence);
        self.key.write(w);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (lane, sequence) = (r.u8().ok_or(SHORT)?, r.u32().ok_or(SHORT)?);
        Ok(Self { lane, sequence, key: PublicKey::read(r)? })
    }
}

/// A byte that is 0 or 1.
pub(super) fn flag(r: &mut Reader<'_>) -> Result<bool, Malformed> {
    match r.u8() {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        Some(_) => Err(Malformed("a byte that is neither 0 nor 1")),
        None => Err(SHORT),
    }
}
