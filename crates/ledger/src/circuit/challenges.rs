//! Challenges by Keccak-256 over words of 32 bytes, as a contract computes them.
//!
//! ```text
//!  prefix     Keccak(tag | domain | constants)             the public inputs of a chain that never change
//!  claim      Keccak(count u64 | cells: key, 0 or 1 and the value before, 0 or 1 and the value after | times u32, of padding last)
//!  seed       Keccak(prefix | context | claim | binding)              the binding is two words: the digest of the committed cells and zero, or the
//!                                                                     coordinates of the commitment to them, neither of which is zero
//!  challenge  Keccak(seed | 0) 2^256 + Keccak(seed | 1)  modulo the order
//! ```
//! Words are big-endian, and what is within `claim` is encoded as everywhere in the ledger. 512 bits modulo the order are within 2^-256 of uniform.

use curve::PrimeField;
use curve::bn254::Fr;
use sha3::{Digest as _, Keccak256};
use snark::groth16::{Word, word};

use super::claim::{Claim, rules};
use crate::codec::{Canonical, Writer};
use crate::machine::Domain;
use crate::token::Token;

const TAG: &[u8] = b"tenfold ledger v3 challenges";

/// The most bytes of a cell in the claim: key, both values and the time.
const CELL: usize = 4 + 2 * 77 + 4;

/// Keccak-256.
pub(crate) fn keccak(bytes: &[u8]) -> Word {
    Keccak256::digest(bytes).into()
}

/// The hash of what all statements of a chain have in common.
pub(crate) fn prefix(domain: &Domain, constants: &[Fr]) -> Word {
    let mut tag = [0; 32];
    tag.iter_mut().zip(TAG).for_each(|(to, from)| *to = *from);
    let words: Vec<Word> = [tag, domain.word()].into_iter().chain(constants.iter().map(word)).collect();
    keccak(words.as_flattened())
}

/// The input of the challenge.
pub(crate) fn seed(prefix: &Word, context: &Word, claim: &Word, [first, second]: &[Word; 2]) -> Word {
    keccak([*prefix, *context, *claim, *first, *second].as_flattened())
}

/// The challenge.
pub(crate) fn challenge(seed: &Word) -> Fr {
    let half = |number: u8| {
        let mut bytes = [0; 64];
        let (first, second) = bytes.split_at_mut(32);
        first.copy_from_slice(seed);
        second.iter_mut().rev().take(1).for_each(|byte| *byte = number);
        keccak(&bytes)
    };
    Fr::from_be_bytes_mod_order([half(0), half(1)].as_flattened())
}

impl Claim<'_> {
    /// The hash of the cells before and after, and of the times: what binds challenges to the claim, and what a contract without a state takes from its caller.
    #[must_use]
    pub fn hash(&self) -> Word {
        let count = self.statement.cells.len();
        let mut w = Writer::with_capacity(CELL * count + 16);
        w.u64(count as u64);
        for change in &self.statement.cells {
            change.key.write(&mut w);
            for value in [&change.before, &change.after] {
                w.u8(u8::from(value.is_some()));
                if let Some(account) = value {
                    account.write(&mut w);
                }
            }
        }
        self.times.iter().chain([&self.padding_time]).for_each(|time| w.u32(*time));
        keccak(&w.finish())
    }

    /// The public inputs that are the same in all batches of the chain, behind the domain.
    pub(crate) fn constants(machine: &Token) -> [Fr; 1] {
        [rules(machine.fee, machine.issuer)]
    }

    /// `α`.
    pub(super) fn challenge(&self, binding: &[Word; 2]) -> Fr {
        let prefix = prefix(&self.statement.domain, &[rules(self.fee, self.issuer)]);
        let seed = seed(&prefix, &self.context, &self.hash(), binding);
        challenge(&seed)
    }
}
