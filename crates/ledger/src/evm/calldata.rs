//! Calls of the contract: the one encoding that it takes.

use snark::groth16::Word;

use super::Submission;
use super::export::number;
use crate::Invalid;
use crate::circuit::challenges::keccak;
use crate::codec::{Reader, Writer};

const SUBMIT: &str = "submit(bytes32,uint256,uint256,uint256,uint256[8],bytes)";
const SUBMIT_BLOB: &str = "submitBlob(bytes32,uint256,uint256,uint256,uint256[8])";
const SUBMIT_ROOT: &str = "submit(uint256,uint256,uint256[8],bytes)";
/// Where the payload's length is, behind the selector.
const OFFSET: usize = 13 * 32;

fn selector(signature: &str) -> [u8; 4] {
    let [a, b, c, d, ..] = keccak(signature.as_bytes());
    [a, b, c, d]
}

/// Appends an argument of bytes, the last one, whose length is at an offset.
fn write_bytes(w: &mut Writer, offset: usize, bytes: &[u8]) {
    w.bytes(&number(offset));
    w.bytes(&number(bytes.len()));
    w.bytes(bytes);
    w.bytes(&vec![0; bytes.len().next_multiple_of(32) - bytes.len()]);
}

/// The call of the contract with a root: the root after the batch, the digest of the committed cells, the proof's points, the block.
#[must_use]
pub fn root_calldata(post: &Word, digest: &Word, proof: &[Word; 8], block: &[u8]) -> Vec<u8> {
    let mut w = Writer::with_capacity(block.len() + 512);
    w.bytes(&selector(SUBMIT_ROOT));
    [post, digest].into_iter().chain(proof).for_each(|word| w.bytes(word));
    write_bytes(&mut w, 11 * 32, block);
    w.finish()
}

impl Submission {
    /// The call with the payload in it.
    #[must_use]
    pub fn calldata(&self) -> Vec<u8> {
        let mut w = self.words(SUBMIT);
        write_bytes(&mut w, OFFSET, &self.payload);
        w.finish()
    }

    /// The call of a transaction whose one blob has the payload.
    #[must_use]
    pub fn blob_calldata(&self) -> Vec<u8> {
        self.words(SUBMIT_BLOB).finish()
    }

    fn words(&self, signature: &str) -> Writer {
        let mut w = Writer::with_capacity(self.payload.len() + 512);
        w.bytes(&selector(signature));
        for word in [&self.claim, &self.digest].into_iter().chain(&self.products).chain(&self.proof) {
            w.bytes(word);
        }
        w
    }

    /// The submission of a transaction's input, if the contract would take it for a call with a payload.
    ///
    /// # Errors
    /// If the bytes are not the one encoding of such a call.
    pub fn from_calldata(input: &[u8]) -> Result<Self, Invalid> {
        let invalid = Invalid("no call of the contract");
        let mut r = Reader::new(input);
        let mut submission = Self::read_words(&mut r, SUBMIT).ok_or(invalid)?;
        let (offset, length): (Word, Word) = (r.array().ok_or(invalid)?, r.array().ok_or(invalid)?);
        let length = (0..=r.remaining()).rev().take(32).find(|n| number(*n) == length).ok_or(invalid)?;
        submission.payload = r.bytes(length).ok_or(invalid)?.to_vec();
        let padding = r.bytes(r.remaining()).ok_or(invalid)?;
        let padded = (length + padding.len()).is_multiple_of(32) && padding.iter().all(|byte| *byte == 0);
        if offset == number(OFFSET) && padded { Ok(submission) } else { Err(invalid) }
    }

    /// The submission of a transaction's input and the payload of its blob.
    ///
    /// # Errors
    /// If the bytes are not the one encoding of a call without a payload.
    pub fn from_blob_calldata(input: &[u8], payload: Vec<u8>) -> Result<Self, Invalid> {
        let mut r = Reader::new(input);
        let submission = Self::read_words(&mut r, SUBMIT_BLOB);
        let submission =
            submission.filter(|_| r.remaining() == 0).ok_or(Invalid("no call of the contract"))?;
        Ok(Self { payload, ..submission })
    }

    fn read_words(r: &mut Reader<'_>, signature: &str) -> Option<Self> {
        if r.array()? != selector(signature) {
            return None;
        }
        let (claim, digest, products) = (r.array()?, r.array()?, [r.array()?, r.array()?]);
        let mut proof = [[0; 32]; 8];
        for word in &mut proof {
            *word = r.array()?;
        }
        Some(Self { claim, digest, products, proof, payload: vec![] })
    }
}
