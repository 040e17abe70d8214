//! Keys and proofs over BN254 in words of the EVM: what its precompiles read (EIP-196, EIP-197).

use curve::bn254::Fq2;
use curve::pairing::{Bn254, PairingCurve};
use curve::{Affine, AffineRepr, BigInteger, PrimeField};

use super::{Commitment, G1, G2, Invalid, Proof, VerifyingKey};

/// 32 bytes, big-endian.
pub type Word = [u8; 32];

/// A verifying key for a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyWords {
    /// `alpha` (2 words), then `-beta`, `-gamma`, `-delta`, `-eta` (4 words each): with these the equation is a product that is one. Zeros for `eta` if the circuit has
    /// no committed cells.
    pub pairing: [Word; 18],
    /// The points of the constant and of each public input.
    pub ic: Vec<[Word; 2]>,
}

/// The word of an element of a field of at most 256 bits.
#[must_use]
pub fn word(x: &impl PrimeField) -> Word {
    let bytes = x.into_bigint().to_bytes_le();
    let mut word = [0; 32];
    word.iter_mut().rev().zip(bytes).for_each(|(to, from)| *to = from);
    word
}

/// The identity is two zeros.
fn first(p: &G1<Bn254>) -> [Word; 2] {
    p.xy().map_or([[0; 32]; 2], |(x, y)| [word(&x), word(&y)])
}

/// The part in `i` of a coordinate comes first.
fn second(p: &Affine<<Bn254 as PairingCurve>::G2>) -> [Word; 4] {
    let parts = |x: Fq2| [word(&x.c1), word(&x.c0)];
    let [[a, b], [c, d]] = p.xy().map_or([[[0; 32]; 2]; 2], |(x, y)| [parts(x), parts(y)]);
    [a, b, c, d]
}

impl VerifyingKey<Bn254> {
    /// The key's points in words.
    #[must_use]
    pub fn words(&self) -> KeyWords {
        let minus = self.second.iter().chain(&self.eta).map(|p: &G2<Bn254>| second(&-*p));
        let mut pairing = [[0; 32]; 18];
        let words = first(&self.alpha).into_iter().chain(minus.flatten());
        pairing.iter_mut().zip(words).for_each(|(to, from)| *to = from);
        KeyWords { pairing, ic: self.ic.iter().map(first).collect() }
    }
}

impl Proof<Bn254> {
    /// `A`, `B`, `C`: 8 words.
    #[must_use]
    pub fn words(&self) -> [Word; 8] {
        let ([ax, ay], [b0, b1, b2, b3], [cx, cy]) = (first(&self.a), second(&self.b), first(&self.c));
        [ax, ay, b0, b1, b2, b3, cx, cy]
    }

    /// The proof of [`Self::words`].
    ///
    /// # Errors
    /// If a word is not reduced, or the points are not on their curves and in their subgroups, or one of them is the identity.
    pub fn from_words(words: &[Word; 8]) -> Result<Self, Invalid> {
        let [ax, ay, b0, b1, b2, b3, cx, cy] = words;
        // Files have numbers of the other byte order, and the part without `i` first.
        let bytes =
            |words: &[&Word]| words.iter().flat_map(|word| word.iter().rev().copied()).collect::<Vec<u8>>();
        let first = curve::points::read(&bytes(&[ax, ay, cx, cy]))?;
        let second = curve::points::read(&bytes(&[b1, b0, b3, b2]))?;
        let ([a, c], [b]) = (&first[..], &second[..]) else {
            return Err(Invalid("a proof of another length"));
        };
        // The subgroup is checked where encodings are.
        Self::from_bytes(&Self { a: *a, b: *b, c: *c, commitment: None }.to_bytes())
    }
}

impl Commitment<Bn254> {
    /// Both coordinates.
    #[must_use]
    pub fn words(&self) -> [Word; 2] {
        first(&self.0)
    }
}
