//! Contracts that order the batches of a chain.

use sha3::{Digest as _, Keccak256};

use super::Domain;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};

const TAG: &[u8] = b"tenfold ledger v2 contract";

/// A contract on an EVM chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The number of the chain (EIP-155).
    pub chain_id: u64,
    /// The contract's address there.
    pub address: [u8; 20],
}

impl Canonical for Contract {
    fn write(&self, w: &mut Writer) {
        w.u64(self.chain_id);
        w.bytes(&self.address);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { chain_id: r.u64().ok_or(SHORT)?, address: r.array().ok_or(SHORT)? })
    }
}

impl Contract {
    /// The domain of a chain whose batches this contract orders, from that of its rules: the upper 31 bytes of Keccak-256 over four words (tag, rules, chain id,
    /// address), as a big-endian number. The contract computes the same when it is deployed.
    #[must_use]
    pub fn domain(&self, rules: &Domain) -> Domain {
        let mut words = [[0; 32]; 4];
        let [tag, domain, chain, address] = &mut words;
        tag.iter_mut().zip(TAG).for_each(|(to, from)| *to = *from);
        *domain = rules.word();
        chain.iter_mut().rev().zip(self.chain_id.to_le_bytes()).for_each(|(to, from)| *to = from);
        address.iter_mut().skip(12).zip(self.address).for_each(|(to, from)| *to = from);
        let hash: [u8; 32] = Keccak256::digest(words.as_flattened()).into();
        let mut bytes = [0; 31];
        bytes.iter_mut().rev().zip(hash).for_each(|(to, from)| *to = from);
        Domain(bytes)
    }
}
