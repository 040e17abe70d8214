//! The block: what a batch changes, for whoever follows a chain by its blocks, and the fingerprint that ties it to a proof.
//!
//! ```text
//!  block  number of keys u16 | key.x 32 | key.y 32, of each | words of 30 bytes         all integers are big-endian
//!  word   cell | cell
//!  cell   number u24 | balance after u64 | nonce after u32
//! ```
//! Cells are in strictly increasing order. If their number is odd, the first word starts with 15 zero bytes. Keys are those of new accounts, in the order of their cells.
//!
//! At the point `r` the fingerprint is `keys(r) r^(most words) + cells(r)`, polynomials whose coefficients, the highest first, are the coordinates and the words.
//! (notes: ledger-root-block)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::bn254::{Fr, decode_fr, encode_fr};
use curve::{AdditiveGroup, Field, PrimeField};
use snark::gadgets::boolean::select;
use snark::r1cs::{Builder, LinearCombination};

use super::Shape;
use super::entry::Touched;
use crate::Invalid;
use crate::codec::Reader;
use crate::machine::State;
use crate::signature::PublicKey;
use crate::token::{Account, Index, Token};

type Lc = LinearCombination<Fr>;

const CELL: usize = 15;
const WORD: usize = 2 * CELL;
const LENGTH: Invalid = Invalid("a block that is cut short, or bytes that follow it");

/// An account after a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The account's number, below `2^24`.
    pub number: u32,
    /// The balance.
    pub balance: u64,
    /// The nonce.
    pub nonce: u32,
}

/// What a batch changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Keys of new accounts, in the order of their cells.
    pub keys: Vec<PublicKey>,
    /// Touched accounts, in strictly increasing order of their numbers.
    pub cells: Vec<Cell>,
}

/// 32 bytes, big-endian: a word of contracts.
pub(super) fn word(x: &Fr) -> [u8; 32] {
    let mut bytes = encode_fr(x);
    bytes.reverse();
    bytes
}

fn read_word(r: &mut Reader<'_>) -> Result<Fr, Invalid> {
    let mut bytes: [u8; 32] = r.array().ok_or(LENGTH)?;
    bytes.reverse();
    decode_fr(&bytes)
}

impl Cell {
    fn to_bytes(self) -> [u8; CELL] {
        let packed = u128::from(self.number) << 96 | u128::from(self.balance) << 32 | u128::from(self.nonce);
        let mut bytes = [0; CELL];
        bytes.iter_mut().zip(packed.to_be_bytes().into_iter().skip(1)).for_each(|(to, from)| *to = from);
        bytes
    }

    fn from_bytes(bytes: [u8; CELL]) -> Self {
        let packed = bytes.into_iter().fold(0u128, |sum, byte| sum << 8 | u128::from(byte));
        Self { number: (packed >> 96) as u32, balance: (packed >> 32) as u64, nonce: packed as u32 }
    }
}

impl Block {
    /// The bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.keys.len() as u16).to_be_bytes().to_vec();
        for key in &self.keys {
            bytes.extend(word(&key.x()));
            bytes.extend(word(&key.y()));
        }
        if self.cells.len() % 2 == 1 {
            bytes.extend([0; CELL]);
        }
        bytes.extend(self.cells.iter().flat_map(|cell| cell.to_bytes()));
        bytes
    }

    /// The block of some bytes.
    ///
    /// # Errors
    /// If they are not the one encoding of a block with at most as many cells as a circuit has entries, and no more keys than cells.
    pub fn from_bytes(shape: Shape, bytes: &[u8]) -> Result<Self, Invalid> {
        let mut r = Reader::new(bytes);
        let count = u16::from_be_bytes(r.array().ok_or(LENGTH)?);
        if usize::from(count) > shape.entries() {
            return Err(Invalid("more keys than there are entries"));
        }
        let mut keys = vec![];
        for _ in 0..count {
            let [x, y] = [read_word(&mut r)?, read_word(&mut r)?];
            keys.push(PublicKey::from_point(curve::grumpkin::from_coordinates(x, y)?)?);
        }
        if !r.remaining().is_multiple_of(WORD) {
            return Err(LENGTH);
        }
        if r.remaining() > WORD * shape.words() {
            return Err(Invalid("more cells than there are entries"));
        }
        let mut cells = vec![];
        while r.remaining() > 0 {
            cells.push(Cell::from_bytes(r.array().ok_or(LENGTH)?));
        }
        // A cell of zeros at the front is none, but only one in front of another is.
        if cells.first() == Some(&Cell { number: 0, balance: 0, nonce: 0 }) {
            cells.remove(0);
        }
        if cells.first() == Some(&Cell { number: 0, balance: 0, nonce: 0 }) {
            return Err(Invalid("a block that starts with a word of zeros"));
        }
        if !cells.is_sorted_by(|a, b| a.number < b.number) {
            return Err(Invalid("the cells are not in strictly increasing order"));
        }
        if keys.len() > cells.len() {
            return Err(Invalid("more keys than cells"));
        }
        Ok(Self { keys, cells })
    }

    /// The fingerprint at a point, of a circuit with so many words.
    #[must_use]
    pub fn fingerprint(&self, point: Fr, words: usize) -> Fr {
        let shift = Fr::from(1u128 << (8 * CELL));
        let horner = |sum: Fr, coefficient: Fr| sum * point + coefficient;
        let keys = self.keys.iter().flat_map(|key| [key.x(), key.y()]).fold(Fr::ZERO, horner);
        let cells: Vec<Fr> =
            self.cells.iter().map(|cell| Fr::from_be_bytes_mod_order(&cell.to_bytes())).collect();
        let pairs = cells.rchunks(2).rev().map(|pair| match pair {
            [high, low] => *high * shift + low,
            other => other.iter().sum(),
        });
        keys * point.pow([words as u64]) + pairs.fold(Fr::ZERO, horner)
    }

    /// The accounts after the block, of which some are new.
    ///
    /// # Errors
    /// If there is not one key for each account that the state does not have. No block that was proved for this state is refused.
    pub fn accounts(&self, state: &impl State<Token>) -> Result<Vec<(Index, Account)>, Invalid> {
        let mut keys = self.keys.iter();
        let account = |cell: &Cell| {
            let key = match state.cell(&Index(cell.number)) {
                Some(account) => account.key,
                None => *keys.next().ok_or(Invalid("a new account without a key"))?,
            };
            Ok((Index(cell.number), Account { key, balance: cell.balance, nonce: cell.nonce }))
        };
        let accounts = self.cells.iter().map(account).collect::<Result<Vec<_>, _>>()?;
        if keys.next().is_some() {
            return Err(Invalid("a key without a new account"));
        }
        Ok(accounts)
    }
}

/// The fingerprint in the circuit, entry by entry.
pub(super) struct Fingerprint {
    point: Lc,
    keys: Lc,
    cells: Lc,
    /// The first cell of a word.
    half: Option<Lc>,
}

impl Fingerprint {
    pub(super) fn new(point: &Lc) -> Self {
        Self { point: point.clone(), keys: Lc::zero(), cells: Lc::zero(), half: None }
    }

    /// Three constraints, and one for two entries.
    pub(super) fn push(&mut self, builder: &mut Builder<Fr>, touched: &Touched) {
        let [x, y] = &touched.key;
        let first = &builder.multiply("root: fingerprint", &self.keys, &self.point) + x;
        let second = &builder.multiply("root: fingerprint", &first, &self.point) + y;
        self.keys = select(builder, "root: fingerprint", &touched.new, [&second, &self.keys]);
        self.half = match self.half.take() {
            None => Some(touched.cell.clone()),
            Some(half) => {
                let word = &(&half * Fr::from(1u128 << (8 * CELL))) + &touched.cell;
                self.cells = &builder.multiply("root: fingerprint", &self.cells, &self.point) + &word;
                None
            }
        };
    }

    /// The fingerprint: one constraint, and at most two for each bit of the number of words.
    pub(super) fn finish(self, builder: &mut Builder<Fr>, words: usize) -> Lc {
        let mut power = self.point.clone();
        for i in (0..words.ilog2()).rev() {
            power = builder.multiply("root: fingerprint", &power, &power);
            if words >> i & 1 == 1 {
                power = builder.multiply("root: fingerprint", &power, &self.point);
            }
        }
        &builder.multiply("root: fingerprint", &self.keys, &power) + &self.cells
    }
}
