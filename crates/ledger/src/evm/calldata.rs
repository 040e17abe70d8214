//! Calls of the contract: the one encoding that it takes.

use curve::bn254::{Fr, decode_fr};
use curve::pairing::Bn254;
use snark::groth16::{Proof, Word, word};

use super::Submission;
use super::export::number;
use crate::Invalid;
use crate::circuit::challenges::keccak;
use crate::circuit::root::groth16::Proven;
use crate::codec::{Reader, Writer};

const SUBMIT: &str = "submit(bytes32,uint256[2],uint256,uint256[8],bytes)";
const SUBMIT_BLOB: &str = "submitBlob(bytes32,uint256[2],uint256,uint256[8])";
const SUBMIT_ROOT: &str = "submit(uint256,uint256,uint256[8],bytes)";
/// Where the payload's length is, behind the selector.
const OFFSET: usize = 13 * 32;
/// Where the block's length is, behind the selector.
const BLOCK_OFFSET: usize = 11 * 32;

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

/// Reads what [`write_bytes`] writes, up to the end.
fn read_bytes(r: &mut Reader<'_>, offset: usize) -> Option<Vec<u8>> {
    let (found, length): (Word, Word) = (r.array()?, r.array()?);
    let length = (0..=r.remaining()).rev().take(32).find(|n| number(*n) == length)?;
    let bytes = r.bytes(length)?.to_vec();
    let padding = r.bytes(r.remaining())?;
    let padded = (length + padding.len()).is_multiple_of(32) && padding.iter().all(|byte| *byte == 0);
    (found == number(offset) && padded).then_some(bytes)
}

/// The arguments of a call of the contract with a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSubmission {
    /// The root after the batch.
    pub post: Word,
    /// The digest of the committed cells.
    pub digest: Word,
    /// The proof's points.
    pub proof: [Word; 8],
    /// The block: [`crate::circuit::root::Block::from_bytes`].
    pub block: Vec<u8>,
}

impl RootSubmission {
    /// That of a proven batch.
    ///
    /// # Errors
    /// If the proof is not one that [`prove`](crate::circuit::root::groth16::prove) makes.
    pub fn new(proven: &Proven) -> Result<Self, Invalid> {
        let [_, post] = proven.roots.map(|root| word(&root));
        let (digest, proof) = proven.proof.split_first_chunk().ok_or(Invalid("the proof is cut short"))?;
        let proof = Proof::<Bn254>::from_bytes(proof)?.words();
        Ok(Self { post, digest: *digest, proof, block: proven.block.to_bytes() })
    }

    /// The call.
    #[must_use]
    pub fn calldata(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(self.block.len() + 512);
        w.bytes(&selector(SUBMIT_ROOT));
        [&self.post, &self.digest].into_iter().chain(&self.proof).for_each(|word| w.bytes(word));
        write_bytes(&mut w, BLOCK_OFFSET, &self.block);
        w.finish()
    }

    /// The root after the batch, and the proof as [`verify`](crate::circuit::root::groth16::verify) takes it.
    ///
    /// # Errors
    /// If a number is not reduced, or the points are not those of a proof.
    pub fn post_and_proof(&self) -> Result<(Fr, Vec<u8>), Invalid> {
        let mut post = self.post;
        post.reverse();
        let proof = Proof::<Bn254>::from_words(&self.proof)?;
        Ok((decode_fr(&post)?, [&self.digest[..], &proof.to_bytes()].concat()))
    }

    /// The submission of a transaction's input. What the contract accepted is read, so that whoever follows a chain has its block.
    ///
    /// # Errors
    /// If the bytes are not the one encoding of a call of the contract with a root.
    pub fn from_calldata(input: &[u8]) -> Result<Self, Invalid> {
        let mut r = Reader::new(input);
        let mut read = || {
            (r.array()? == selector(SUBMIT_ROOT)).then_some(())?;
            let (post, digest, proof) = (r.array()?, r.array()?, read_proof(&mut r)?);
            Some(Self { post, digest, proof, block: read_bytes(&mut r, BLOCK_OFFSET)? })
        };
        read().ok_or(Invalid("no call of the contract with a root"))
    }
}

fn read_proof(r: &mut Reader<'_>) -> Option<[Word; 8]> {
    let mut proof = [[0; 32]; 8];
    for word in &mut proof {
        *word = r.array()?;
    }
    Some(proof)
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
        let words = [&self.claim].into_iter().chain(&self.binding).chain([&self.quotient]);
        for word in words.chain(&self.proof) {
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
        submission.payload = read_bytes(&mut r, OFFSET).ok_or(invalid)?;
        Ok(submission)
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
        let (claim, binding, quotient) = (r.array()?, [r.array()?, r.array()?], r.array()?);
        Some(Self { claim, binding, quotient, proof: read_proof(r)?, payload: vec![] })
    }
}
