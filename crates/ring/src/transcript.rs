//! The transcript: SHAKE128, where every write is followed by its length in four bytes, big-endian.
//!
//! ```text
//!   new(label)           label len
//!   append(label, m)     label len  m len
//!   challenge(label)     label len  "challenge"  -> 48 bytes of a copy, a number to the base 256, mod r
//!                        len("challenge")
//! ```
//! This is ark-transcript 0.0.6. It is not the transcript of `iop`: the bytes are those of networks that exist.
//!
//! (notes: ring-transcript)

#[cfg(feature = "prover")]
use alloc::vec::Vec;

use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};

use curve::bls12_381::Fr;
use curve::scalar::reduce_field;

/// What was said up to now.
#[derive(Clone)]
pub(crate) struct Transcript(Shake128);

impl core::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Transcript")
    }
}

impl Transcript {
    /// A transcript that has nothing but a label.
    pub(crate) fn new(label: &[u8]) -> Self {
        let mut transcript = Self(Shake128::default());
        transcript.write(label);
        transcript
    }

    /// Says `message`, under a name.
    pub(crate) fn append(&mut self, label: &[u8], message: &[u8]) {
        self.write(label);
        self.write(message);
    }

    /// A scalar that depends on all that was said.
    pub(crate) fn challenge(&mut self, label: &[u8]) -> Fr {
        let mut bytes = [0; 48];
        self.squeeze(label, &mut bytes);
        // arkworks reduces byte by byte, which takes longer than the permutation.
        bytes.reverse();
        reduce_field(&bytes)
    }

    /// `N` challenges, each with the same label.
    pub(crate) fn challenges<const N: usize>(&mut self, label: &[u8]) -> [Fr; N] {
        core::array::from_fn(|_| self.challenge(label))
    }

    /// Bytes that depend on all that was said.
    pub(crate) fn squeeze(&mut self, label: &[u8], bytes: &mut [u8]) {
        const CHALLENGE: &[u8] = b"challenge";
        self.write(label);
        self.0.update(CHALLENGE);
        self.0.clone().finalize_xof().read(bytes);
        self.length(CHALLENGE);
    }

    /// `N` numbers of 128 bits for each of so many items of a batch, which depend on all that was said.
    #[cfg(feature = "prover")]
    pub(crate) fn weights<F: From<u128>, const N: usize>(&mut self, items: usize) -> Vec<[F; N]> {
        let mut bytes = vec![0; 16 * N * items];
        self.squeeze(b"weights", &mut bytes);
        let (numbers, _) = bytes.as_chunks::<16>();
        let (tuples, _) = numbers.as_chunks::<N>();
        tuples.iter().map(|numbers| numbers.map(|number| F::from(u128::from_le_bytes(number)))).collect()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
        self.length(bytes);
    }

    /// No message has 2^31 bytes: labels and encodings of fixed length.
    fn length(&mut self, bytes: &[u8]) {
        assert!(bytes.len() < 1 << 31);
        self.0.update(&(bytes.len() as u32).to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve::PrimeField;

    fn transcript() -> Transcript {
        let mut transcript = Transcript::new(b"test");
        transcript.append(b"message", &[7; 200]);
        transcript
    }

    /// A challenge is the number of its bytes as arkworks reduces it, here of a hundred challenges; weights are their bytes, little-endian.
    #[test]
    fn scalars_are_those_of_their_bytes() {
        let (mut one, mut other) = (transcript(), transcript());
        for _ in 0..100 {
            let mut bytes = [0; 48];
            other.squeeze(b"c", &mut bytes);
            assert_eq!(one.challenge(b"c"), Fr::from_be_bytes_mod_order(&bytes));
        }
        let mut bytes = [0; 96];
        other.squeeze(b"weights", &mut bytes);
        let expected: Vec<Fr> = bytes.chunks(16).map(Fr::from_le_bytes_mod_order).collect();
        assert_eq!(one.weights::<Fr, 2>(3).as_flattened(), expected);
        assert!(one.weights::<Fr, 2>(0).is_empty());
    }
}
