//! The commitment, which all ranks make together; and what each states about it. (notes: cluster-blame)
//!
//! ```text
//!   every rank p: digests of its parts ──► slice for each owner q          all to all
//!   every rank q: subtree over its leaves
//!   every rank  : root of its subtree, hashes of all slices sent and had   to the coordinator
//! ```
//! So a rank's digests are bound to it before there is a challenge, and sender and receiver of each slice state what it was. Where the two differ,
//! the sender gives the slice to the coordinator, who knows its hash, and gives it to the receiver.

use crate::error::{Deviation, Error};
use crate::meter::Phase;
use crate::ownership::Ownership;
use crate::party::{Party, Way};
use crate::share::{Share, Subtree};
use crate::wire::Question;
use field::{Field, FoldableCode};
use iop::hash::{Digest, Hash};

/// Bytes of the rank that a statement complains of.
const COMPLAINT: usize = 8;

/// Steps that the coordinator waits for the sender of a relay, that the receiver waits for the coordinator from the same moment on, and that the
/// coordinator waits for the receiver then. Each has a step more than whom it waits for, or it would name an honest rank.
const RELAY_STEPS: [u32; 3] = [2, 3, 4];

/// A rank's statement about its part of the commitment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// A rank whose slice did not come, or not whole.
    complaint: Option<usize>,
    /// The root of the subtree.
    pub root: Digest,
    /// The hashes of the slices for all ranks.
    pub sent: Vec<Digest>,
    /// The hashes of the slices from all ranks.
    received: Vec<Digest>,
}

impl Statement {
    /// The hashes of the slices from all ranks.
    pub fn received(&self) -> &[Digest] {
        &self.received
    }

    fn bytes(hash: Hash, ranks: usize) -> usize {
        COMPLAINT + (1 + 2 * ranks) * hash.bytes()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let complaint = self.complaint.map_or(0, |rank| rank as u64 + 1);
        let mut bytes = complaint.to_le_bytes().to_vec();
        let digests = core::iter::once(&self.root).chain(&self.sent).chain(&self.received);
        digests.for_each(|digest| bytes.extend_from_slice(digest));
        bytes
    }

    pub fn parse(hash: Hash, ranks: usize, bytes: &[u8]) -> Option<Self> {
        let (complaint, digests) = bytes.split_first_chunk::<COMPLAINT>()?;
        let complaint = match u64::from_le_bytes(*complaint) {
            0 => None,
            rank => Some(usize::try_from(rank - 1).ok().filter(|&rank| rank < ranks)?),
        };
        let digests: Option<Vec<Digest>> = digests.chunks(hash.bytes()).map(Digest::from_slice).collect();
        let mut digests = digests.filter(|digests| digests.len() == 1 + 2 * ranks)?;
        let received = digests.split_off(1 + ranks);
        let sent = digests.split_off(1);
        Some(Self { complaint, root: digests.pop()?, sent, received })
    }
}

/// The hash by which a slice is known.
pub(crate) fn slice_hash(hash: Hash, slice: &[u8]) -> Digest {
    hash.digest("tenfold cluster slice v1", &[slice])
}

fn hashes(ownership: &Ownership, slices: &[u8]) -> Vec<Digest> {
    hashes_but(ownership, slices, None)
}

/// The hashes of slices, of which one rank's is known.
fn hashes_but(ownership: &Ownership, slices: &[u8], known: Option<(usize, Digest)>) -> Vec<Digest> {
    let hash = ownership.spec().hash;
    let of = |(rank, slice): (usize, &[u8])| match known {
        Some((known, digest)) if known == rank => digest,
        _ => slice_hash(hash, slice),
    };
    slices.chunks_exact(ownership.slice_bytes()).enumerate().map(of).collect()
}

/// A rank's part of a commitment.
pub(crate) struct Part<B: Field> {
    pub share: Share<B>,
    pub tree: Subtree,
    /// The slices of all ranks, as long as one may be replaced.
    slices: Vec<u8>,
    statement: Statement,
}

impl<B: FoldableCode> Part<B> {
    /// Encodes a share, exchanges digests, and builds the subtree.
    fn make(party: &mut Party<'_>, mut share: Share<B>) -> Self {
        let ownership = share.ownership;
        let digests = party.compute(Phase::Encode, || share.encode());
        let mut slices = vec![0; digests.len()];
        let exchanged = party.all_to_all(Phase::Digests, &digests, &mut slices);
        let (tree, statement) = party.compute(Phase::Tree, || {
            let tree = Subtree::new(&ownership, &slices);
            let sent = hashes(&ownership, &digests);
            // What a rank has of itself it did not receive.
            let own = (share.rank, sent[share.rank]);
            let statement = Statement {
                // Whoever is at fault, the coordinator hears of it in this rank's statement.
                complaint: exchanged.err().and_then(|error| error.rank()),
                root: tree.root(),
                received: hashes_but(&ownership, &slices, Some(own)),
                sent,
            };
            (tree, statement)
        });
        Self { share, tree, slices, statement }
    }

    /// Takes part as a rank that is not the coordinator.
    pub fn contribute(party: &mut Party<'_>, share: Share<B>) -> Result<Self, Error> {
        let part = Self::make(party, share);
        party.gather(Phase::Tree, &part.statement.to_bytes())?;
        Ok(part)
    }

    /// Lets the slices go: the commitment is settled.
    pub fn settle(&mut self) {
        self.slices = Vec::new();
    }

    /// A slice of one rank for another, by way of the coordinator, who has the sender's statement. Returns the receiver's new one there.
    pub fn relay(
        &mut self,
        party: &mut Party<'_>,
        [sender, receiver]: [usize; 2],
        stated: Option<Digest>,
    ) -> Result<Option<Statement>, Error> {
        let ownership = self.share.ownership;
        if sender >= ownership.ranks() || receiver >= ownership.ranks() || self.slices.is_empty() {
            return Err(Error::Question("about a slice that is not there"));
        }
        let (phase, hash, length) = (Phase::Blame, ownership.spec().hash, ownership.slice_bytes());
        let mut slice = vec![0; length];
        if party.rank() == sender {
            slice = party.compute(phase, || self.share.digests(ownership.leaves(receiver)));
        }
        let [for_sender, for_coordinator, for_receiver] = RELAY_STEPS;
        party.pass(phase, Way::FromRank(sender), &mut slice, for_sender)?;
        if stated.is_some_and(|stated| stated != slice_hash(hash, &slice)) {
            return Err(Error::Deviation { rank: sender, deviation: Deviation::Statement });
        }
        party.pass(phase, Way::ToRank(receiver), &mut slice, for_coordinator)?;
        if party.rank() == receiver {
            self.slices[sender * length..][..length].copy_from_slice(&slice);
            self.tree = Subtree::new(&ownership, &self.slices);
            self.statement.complaint = None;
            self.statement.root = self.tree.root();
            self.statement.received = hashes(&ownership, &self.slices);
        }
        let mut bytes = self.statement.to_bytes();
        party.pass(Phase::Tree, Way::FromRank(receiver), &mut bytes, for_receiver)?;
        Ok(party.coordinates().then(|| Statement::parse(hash, ownership.ranks(), &bytes)).flatten())
    }
}

/// The coordinator's view of a commitment.
pub(crate) struct Agreed<B: Field> {
    pub part: Part<B>,
    /// By rank.
    pub statements: Vec<Statement>,
    /// Slices that came otherwise than they were stated, with their senders and receivers.
    pub disputes: Vec<[usize; 2]>,
}

impl<B: FoldableCode> Agreed<B> {
    /// Takes part as the coordinator.
    pub fn coordinate<E: Field>(party: &mut Party<'_>, share: Share<B>) -> Result<Self, Error> {
        let asked = Question::<E>::Commit.ask(party);
        // Who has heard it exchanges digests, even if another rank is gone.
        let part = Part::make(party, share);
        asked?;
        let ownership = part.share.ownership;
        let (hash, ranks) = (ownership.spec().hash, ownership.ranks());
        let answers = party.gather(Phase::Tree, &part.statement.to_bytes())?;
        let parse = |(rank, block): (usize, &[u8])| {
            let answer = Error::Deviation { rank, deviation: Deviation::Answer };
            Statement::parse(hash, ranks, block).ok_or(answer)
        };
        let blocks = answers.chunks_exact(Statement::bytes(hash, ranks)).enumerate();
        let statements = blocks.map(parse).collect::<Result<_, _>>()?;
        let mut agreed = Self { part, statements, disputes: Vec::new() };
        while let Some(dispute) = agreed.disputed() {
            agreed.relay::<E>(party, dispute)?;
        }
        agreed.part.settle();
        Ok(agreed)
    }

    /// The sender and the receiver of a slice about which they differ.
    fn disputed(&self) -> Option<[usize; 2]> {
        let complained = self.statements.iter().enumerate().find_map(|(q, s)| Some([s.complaint?, q]));
        let differ = |&[p, q]: &[usize; 2]| self.statements[p].sent[q] != self.statements[q].received[p];
        let ranks = self.statements.len();
        complained.or_else(|| (0..ranks * ranks).map(|i| [i / ranks, i % ranks]).find(differ))
    }

    /// Settles a dispute; a receiver that does not take what it is given has deviated.
    fn relay<E: Field>(&mut self, party: &mut Party<'_>, dispute: [usize; 2]) -> Result<(), Error> {
        let [sender, receiver] = dispute;
        let refused = Error::Deviation { rank: receiver, deviation: Deviation::Tree };
        if self.disputes.contains(&dispute) {
            return Err(refused);
        }
        self.disputes.push(dispute);
        Question::<E>::Relay { sender, receiver }.ask(party)?;
        let stated = self.statements[sender].sent[receiver];
        let statement = self.part.relay(party, dispute, Some(stated))?.ok_or(refused)?;
        let before = &mut self.statements[receiver];
        if statement.sent != before.sent {
            return Err(Error::Deviation { rank: receiver, deviation: Deviation::Statement });
        }
        *before = statement;
        Ok(())
    }
}
