//! Blocks: what replicas agree on, one for each height.
//!
//! ```text
//!  block  height u64 | parent 32 | root 32 | kind u8 | content
//!   0     empty
//!   1     plain: count varint | signed transactions (transaction, signature 48)
//!   2     batch: lane u8 | size u8 | before 32 | 0 u8, or 1 u8 and a signature 48 | effect, sized | proof, sized
//!   3     claim: lane u8 | sequence u32 | key 64 | signature 48
//!   4     call: size u8 | input of a contract's call, sized
//!  sized  length varint | bytes
//! ```
//! The parent is the digest of the record before, the root that of the state before the block. (notes: ledger-codec)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use core::fmt::Debug;

use super::lease::{Claim, flag};
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::machine::{LEDGER_KINDS, Machine, Signed};
use crate::signature::{Message, Signature};
use crate::statement::{BatchSize, Call};
use crate::store::Digest;
use curve::Zero;
use curve::grumpkin::{self, Fq};

/// The most bytes of a block.
pub const MAX_BLOCK: usize = 1 << 22;

/// The most plain transactions of any chain's blocks.
pub const MAX_PLAIN: u16 = 1024;

/// A block.
#[derive(Debug)]
pub struct Block<M: Machine> {
    /// One more than that of the block before.
    pub height: u64,
    /// The digest of the record before.
    pub parent: Digest,
    /// The root of the state before.
    pub root: Digest,
    /// What it does.
    pub content: Content<M>,
}

/// What a block does.
#[derive(Debug)]
pub enum Content<M: Machine> {
    /// Nothing, but heights are the clock of leases.
    Empty,
    /// Transactions that every replica executes: the slow path, which needs no prover.
    Plain(Vec<Signed<M::Transaction>>),
    /// A proven batch.
    Batch(Batch),
    /// A claim of a lane, signed by its key.
    Claim(Claim, Signature),
    /// The call of a contract that holds the root of the state: a batch whose proof leads from root to root.
    Call(Call),
}

/// A batch and its proof. It names no height: it fits every state in which the touched cells have the values that it was proved for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The lane.
    pub lane: u8,
    /// The batch size, which selects the circuit.
    pub size: BatchSize,
    /// The digest of the touched cells' values before.
    pub before: Digest,
    /// The effect ([`crate::codec::effect`]).
    pub effect: Vec<u8>,
    /// The proof.
    pub proof: Vec<u8>,
    /// By the holder of the lane, where there is one.
    pub signature: Option<Signature>,
}

impl Batch {
    /// What the holder of a lane signs.
    #[must_use]
    pub fn message(&self) -> Message {
        let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 batch of a lane");
        hash.update(&[self.size as u8]);
        hash.update(&self.before);
        hash.update(&(self.effect.len() as u64).to_le_bytes());
        hash.update(&self.effect);
        hash.update(&self.proof);
        let mut digest = [0; 32];
        digest[..31].copy_from_slice(&hash.finalize().as_bytes()[..31]);
        let digest = grumpkin::decode_fq(&digest).expect("31 bytes are reduced");
        Message([head(0, self.lane, 0), digest, Fq::zero()])
    }
}

impl Claim {
    /// What the key signs.
    #[must_use]
    pub fn message(&self) -> Message {
        Message([head(1, self.lane, self.sequence), self.key.x(), self.key.y()])
    }
}

/// The first word of a message of the ledger's own: kind 8 bits, lane 8, sequence 32.
fn head(kind: u8, lane: u8, sequence: u32) -> Fq {
    let low = u64::from(LEDGER_KINDS + kind) | u64::from(lane) << 8 | u64::from(sequence) << 16;
    grumpkin::from_words([low, 0, 0])
}

fn write_sized(w: &mut Writer, bytes: &[u8]) {
    write_varint(w, bytes.len() as u64);
    w.bytes(bytes);
}

fn read_sized(r: &mut Reader<'_>) -> Result<Vec<u8>, Malformed> {
    let length = usize::try_from(read_varint(r)?).unwrap_or(usize::MAX);
    r.bytes(length).map(<[u8]>::to_vec).ok_or(SHORT)
}

fn read_size(r: &mut Reader<'_>) -> Result<BatchSize, Malformed> {
    let size = r.u8().ok_or(SHORT)?;
    let size = BatchSize::ALL.into_iter().find(|known| *known as u8 == size);
    size.ok_or(Malformed("an unknown size of batches"))
}

impl<T: Canonical> Canonical for Signed<T> {
    fn write(&self, w: &mut Writer) {
        self.transaction.write(w);
        self.signature.write(w);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { transaction: T::read(r)?, signature: Signature::read(r)? })
    }
}

impl Canonical for Batch {
    fn write(&self, w: &mut Writer) {
        w.u8(self.lane);
        w.u8(self.size as u8);
        w.bytes(&self.before);
        w.u8(u8::from(self.signature.is_some()));
        if let Some(signature) = &self.signature {
            signature.write(w);
        }
        write_sized(w, &self.effect);
        write_sized(w, &self.proof);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let lane = r.u8().ok_or(SHORT)?;
        let size = read_size(r)?;
        let before = r.array().ok_or(SHORT)?;
        let signature = if flag(r)? { Some(Signature::read(r)?) } else { None };
        Ok(Self { lane, size, before, signature, effect: read_sized(r)?, proof: read_sized(r)? })
    }
}

impl Canonical for Call {
    fn write(&self, w: &mut Writer) {
        w.u8(self.size as u8);
        write_sized(w, &self.input);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { size: read_size(r)?, input: read_sized(r)? })
    }
}

impl<M: Machine> Canonical for Block<M> {
    fn write(&self, w: &mut Writer) {
        w.u64(self.height);
        w.bytes(&self.parent);
        w.bytes(&self.root);
        match &self.content {
            Content::Empty => w.u8(0),
            Content::Plain(transactions) => {
                w.u8(1);
                write_varint(w, transactions.len() as u64);
                transactions.iter().for_each(|signed| signed.write(w));
            }
            Content::Batch(batch) => {
                w.u8(2);
                batch.write(w);
            }
            Content::Claim(claim, signature) => {
                w.u8(3);
                claim.write(w);
                signature.write(w);
            }
            Content::Call(call) => {
                w.u8(4);
                call.write(w);
            }
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        if r.remaining() > MAX_BLOCK {
            return Err(Malformed("a block of more than 4 MiB"));
        }
        let height = r.u64().ok_or(SHORT)?;
        let [parent, root] = [r.array().ok_or(SHORT)?, r.array().ok_or(SHORT)?];
        let content = match r.u8().ok_or(SHORT)? {
            0 => Content::Empty,
            1 => {
                let count = read_varint(r)?;
                if !(1..=u64::from(MAX_PLAIN)).contains(&count) {
                    return Err(Malformed("a plain block of no transaction or too many"));
                }
                Content::Plain((0..count).map(|_| Signed::read(r)).collect::<Result<_, _>>()?)
            }
            2 => Content::Batch(Batch::read(r)?),
            3 => Content::Claim(Claim::read(r)?, Signature::read(r)?),
            4 => Content::Call(Call::read(r)?),
            _ => return Err(Malformed("an unknown kind of block")),
        };
        Ok(Self { height, parent, root, content })
    }
}
