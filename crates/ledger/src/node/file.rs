//! Files of transactions and blocks: the encoding behind a header that names the chain.
//!
//! ```text
//!  transaction  "TNFTXN" 1 u16 | domain 31 | transaction, signature 48
//!  block        "TNFBLK" 1 u16 | digest of the first record 32 | block
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use super::NodeError;
use crate::chain::{Block, MAX_BLOCK};
use crate::codec::{Canonical, Malformed, Reader, Writer};
use crate::machine::{Domain, Signed};
use crate::store::Digest;
use crate::token::{Token, Transaction};

const TRANSACTION: [u8; 8] = *b"TNFTXN\x01\0";
const BLOCK: [u8; 8] = *b"TNFBLK\x01\0";

/// The longest transaction file.
pub const MAX_TRANSACTION_FILE: usize = 512;

/// The longest block file.
pub const MAX_BLOCK_FILE: usize = MAX_BLOCK + 64;

/// The file of a signed transaction.
#[must_use]
pub fn encode_transaction(domain: &Domain, signed: &Signed<Transaction>) -> Vec<u8> {
    with_header(TRANSACTION, &domain.0, signed)
}

/// Reads a transaction file of a chain.
///
/// # Errors
/// If the bytes are none, or it is of another chain. The signature is not checked: its key is in a state.
pub fn decode_transaction(domain: &Domain, bytes: &[u8]) -> Result<Signed<Transaction>, NodeError> {
    read(bytes, ("transaction", MAX_TRANSACTION_FILE), TRANSACTION, &domain.0)
}

/// The file of a block of the chain with this first record.
#[must_use]
pub fn encode_block(genesis: &Digest, block: &Block<Token>) -> Vec<u8> {
    with_header(BLOCK, genesis, block)
}

/// Reads a block file of a chain.
///
/// # Errors
/// If the bytes are none, or it is of another chain. What the block does is not checked.
pub fn decode_block(genesis: &Digest, bytes: &[u8]) -> Result<Block<Token>, NodeError> {
    read(bytes, ("block", MAX_BLOCK_FILE), BLOCK, genesis)
}

/// Reads a transaction file of any chain, and returns the domain that it names.
///
/// # Errors
/// If the bytes are none.
pub fn read_transaction(bytes: &[u8]) -> Result<(Domain, Signed<Transaction>), NodeError> {
    let (domain, signed) = parse(bytes, ("transaction", MAX_TRANSACTION_FILE), TRANSACTION, None)?;
    Ok((Domain(domain), signed))
}

/// Reads a block file of any chain, and returns the digest of the first record that it names.
///
/// # Errors
/// If the bytes are none.
pub fn read_block(bytes: &[u8]) -> Result<(Digest, Block<Token>), NodeError> {
    parse(bytes, ("block", MAX_BLOCK_FILE), BLOCK, None)
}

fn with_header(magic: [u8; 8], chain: &[u8], value: &impl Canonical) -> Vec<u8> {
    let mut w = Writer::new();
    w.bytes(&magic);
    w.bytes(chain);
    value.write(&mut w);
    w.finish()
}

fn read<T: Canonical, const N: usize>(
    bytes: &[u8],
    kind: (&'static str, usize),
    magic: [u8; 8],
    chain: &[u8; N],
) -> Result<T, NodeError> {
    parse(bytes, kind, magic, Some(chain)).map(|(_, value)| value)
}

/// Reads a file, of a chain if one is named, and returns the chain that it names.
fn parse<T: Canonical, const N: usize>(
    bytes: &[u8],
    (what, longest): (&'static str, usize),
    magic: [u8; 8],
    chain: Option<&[u8; N]>,
) -> Result<([u8; N], T), NodeError> {
    let refused = |reason| NodeError::File { what, reason };
    if bytes.len() > longest {
        return Err(refused(Malformed("the file is longer than any of them")));
    }
    let mut r = Reader::new(bytes);
    if r.array() != Some(magic) {
        return Err(refused(Malformed("it begins otherwise")));
    }
    let named: [u8; N] = r.array().ok_or_else(|| refused(crate::codec::SHORT))?;
    if chain.is_some_and(|chain| *chain != named) {
        return Err(NodeError::OtherChain(what));
    }
    let value = T::read(&mut r).map_err(refused)?;
    r.finish().ok_or_else(|| refused(Malformed("bytes follow it")))?;
    Ok((named, value))
}
