//! Messages between a node's process and whoever drives it.
//!
//! ```text
//!  frame    length u32 | kind u8 | body                                                        at most 16 MiB
//!  request  0 status | 1 check: block file | 2 apply: block file | 3 prove: lane u8, size u8, count varint, signed transactions | 4 claim: lane u8
//!  reply    0 tip: height u64, root 32, CPU of the check u64, wall of all u64 (ns) | 1 refused: text | 2 batch: CPU u64, wall u64 (ns), batch
//!           3 block: block file | 4 failed: text
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use std::io::{self, ErrorKind, Read, Write};
use std::time::Duration;

use super::Cost;
use crate::chain::Batch;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer, read_varint, write_varint};
use crate::machine::Signed;
use crate::statement::BatchSize;
use crate::store::Digest;
use crate::token::Transaction;

/// The longest body.
const MAX: u32 = 1 << 24;

/// What a node is asked for.
#[derive(Debug)]
pub(super) enum Request {
    Status,
    Check(Vec<u8>),
    Apply(Vec<u8>),
    Prove { lane: u8, size: BatchSize, transactions: Vec<Signed<Transaction>> },
    Claim(u8),
}

/// What it answers.
#[derive(Debug)]
pub(super) enum Reply {
    /// After what was asked for, at this height and with this root.
    Tip {
        height: u64,
        root: Digest,
        cost: Cost,
    },
    /// A block or a batch is refused; the node goes on.
    Refused(String),
    Batch(Box<Batch>, Cost),
    Block(Vec<u8>),
    /// The node ends.
    Failed(String),
}

/// Writes a frame.
pub(super) fn write(output: &mut impl Write, (kind, body): &(u8, Vec<u8>)) -> io::Result<()> {
    let length = u32::try_from(body.len()).ok().filter(|length| *length <= MAX);
    let length = length.ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&[*kind])?;
    output.write_all(body)?;
    output.flush()
}

/// Reads a frame; none at the end of the stream.
pub(super) fn read(input: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut head = [0; 5];
    match input.read_exact(&mut head) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let [a, b, c, d, kind] = head;
    let length = u32::from_le_bytes([a, b, c, d]);
    if length > MAX {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut body = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut body)?;
    if body.len() as u64 == u64::from(length) { Ok(Some((kind, body))) } else { Ok(None) }
}

impl Request {
    pub fn encode(&self) -> (u8, Vec<u8>) {
        match self {
            Self::Status => (0, Vec::new()),
            Self::Check(block) => (1, block.clone()),
            Self::Apply(block) => (2, block.clone()),
            Self::Prove { lane, size, transactions } => {
                let mut w = Writer::new();
                w.u8(*lane);
                w.u8(*size as u8);
                write_varint(&mut w, transactions.len() as u64);
                transactions.iter().for_each(|signed| signed.write(&mut w));
                (3, w.finish())
            }
            Self::Claim(lane) => (4, vec![*lane]),
        }
    }

    pub fn decode((kind, body): (u8, Vec<u8>)) -> Result<Self, Malformed> {
        let mut r = Reader::new(&body);
        let request = match kind {
            0 => Self::Status,
            1 => return Ok(Self::Check(body)),
            2 => return Ok(Self::Apply(body)),
            3 => {
                let lane = r.u8().ok_or(SHORT)?;
                let size = r.u8().ok_or(SHORT)?;
                let size = BatchSize::ALL.into_iter().find(|known| *known as u8 == size);
                let size = size.ok_or(Malformed("an unknown size of batches"))?;
                let count = read_varint(&mut r)?;
                if count > size.slots() as u64 {
                    return Err(Malformed("more transactions than the batch has room for"));
                }
                let transactions = (0..count).map(|_| Signed::read(&mut r)).collect::<Result<_, _>>()?;
                Self::Prove { lane, size, transactions }
            }
            4 => Self::Claim(r.u8().ok_or(SHORT)?),
            _ => return Err(Malformed("an unknown request")),
        };
        r.finish().ok_or(Malformed("bytes follow a request"))?;
        Ok(request)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn write_cost(w: &mut Writer, cost: &Cost) {
    w.u64(nanoseconds(cost.cpu));
    w.u64(nanoseconds(cost.wall));
}

fn read_cost(r: &mut Reader<'_>) -> Result<Cost, Malformed> {
    let [cpu, wall] = [r.u64().ok_or(SHORT)?, r.u64().ok_or(SHORT)?].map(Duration::from_nanos);
    Ok(Cost { wall, cpu })
}

impl Reply {
    pub fn encode(&self) -> (u8, Vec<u8>) {
        let mut w = Writer::new();
        match self {
            Self::Tip { height, root, cost } => {
                w.u64(*height);
                w.bytes(root);
                write_cost(&mut w, cost);
                (0, w.finish())
            }
            Self::Refused(text) => (1, text.as_bytes().to_vec()),
            Self::Batch(batch, cost) => {
                write_cost(&mut w, cost);
                batch.write(&mut w);
                (2, w.finish())
            }
            Self::Block(block) => (3, block.clone()),
            Self::Failed(text) => (4, text.as_bytes().to_vec()),
        }
    }

    pub fn decode((kind, body): (u8, Vec<u8>)) -> Result<Self, Malformed> {
        let mut r = Reader::new(&body);
        let text = || String::from_utf8_lossy(&body).into_owned();
        let reply = match kind {
            0 => {
                let (height, root) = (r.u64().ok_or(SHORT)?, r.array().ok_or(SHORT)?);
                Self::Tip { height, root, cost: read_cost(&mut r)? }
            }
            1 => return Ok(Self::Refused(text())),
            2 => {
                let cost = read_cost(&mut r)?;
                Self::Batch(Box::new(Batch::read(&mut r)?), cost)
            }
            3 => return Ok(Self::Block(body)),
            4 => return Ok(Self::Failed(text())),
            _ => return Err(Malformed("an unknown reply")),
        };
        r.finish().ok_or(Malformed("bytes follow a reply"))?;
        Ok(reply)
    }
}
