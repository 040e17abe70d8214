//! The self-check: a small commitment and its combinations, compared with the CPU's.

use crate::chain::DeviceChain;
use crate::challenge::{PairSearch, find_pair};
use crate::{Challenge, Entry, Error, Gpu};
use field::{Field, Tower64, Tower128};
use iop::code::ReedSolomon;
use iop::hash::Hash;
use iop::oracle::OracleSpec;
use iop::poly::TensorForm;

/// Columns and log2 of the rows: the smallest matrix whose transform takes two passes over either entry type.
const WIDTH: usize = 16;
const LOG_ROWS: usize = 9;
/// log2 of the message of a chain: its first rounds are the device's, of several blocks, with no table, one or both to be bound.
const LOG_CHAIN: usize = 11;
/// The variable of a chain before which its word is committed to.
const FOLDED: usize = 1;

/// Elements without structure.
pub(crate) fn elements<F: Field>(count: usize, seed: u64) -> Vec<F> {
    let mut state = seed;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31).to_le_bytes()
    };
    let mut element = || {
        let bytes: Vec<u8> = (0..F::UNIFORM_BYTES.div_ceil(8)).flat_map(|_| word()).collect();
        F::from_uniform(&bytes[..F::UNIFORM_BYTES])
    };
    (0..count).map(|_| element()).collect()
}

/// Compares all kernels with the CPU.
pub(crate) fn run(gpu: &Gpu) -> Result<(), Error> {
    commitment::<Tower64>(gpu, &spec(Hash::Sha3_256))?;
    commitment::<Tower128>(gpu, &spec(Hash::Blake3))?;
    for hash in [Hash::Sha3_384, Hash::Sha3_512] {
        let code = ReedSolomon::new(5, 1);
        commitment::<Tower64>(gpu, &OracleSpec { code, width: 3, log_fibre: 2, log_parts: 0, hash })?;
    }
    find_pair(&mut Combinations(gpu)).map_or(Ok(()), Err)
}

/// The combinations and chains of each pair of fields.
struct Combinations<'a>(&'a Gpu);

impl PairSearch<Error> for Combinations<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<Error> {
        combinations::<B, E>(self.0).and_then(|()| chain::<B, E>(self.0)).err()
    }
}

fn spec(hash: Hash) -> OracleSpec {
    OracleSpec { code: ReedSolomon::new(LOG_ROWS, 1), width: WIDTH, log_fibre: 0, log_parts: 0, hash }
}

/// The codeword, the root and an opening.
fn commitment<B: Entry>(gpu: &Gpu, spec: &OracleSpec) -> Result<(), Error> {
    let message: Vec<B> = elements(spec.code.dimension() * spec.width, 1);
    let matrix = gpu.commit(spec, &message)?;
    let oracle = spec.commit(&message, Vec::new());
    differs("the codeword", matrix.codeword()? != oracle.blocks().concat())?;
    differs("the Merkle root", matrix.root() != oracle.root())?;
    let (rows, _) = matrix.open_rows(&[3, 10])?;
    differs("an opened row", rows != [oracle.row(3), oracle.row(10)].concat())
}

fn combinations<B: Entry, E: Challenge<B>>(gpu: &Gpu) -> Result<(), Error> {
    let message: Vec<B> = elements(WIDTH << LOG_ROWS, 2);
    let weights: Vec<E> = elements(1 << LOG_ROWS, 3);
    let (mut rows, mut columns) = (vec![E::ZERO; WIDTH], vec![E::ZERO; 1 << LOG_ROWS]);
    E::combine_rows(&message, &weights, &mut rows);
    E::combine_columns(&message, &weights[..WIDTH], &mut columns);
    let message = gpu.upload(&spec(Hash::Blake3), &message)?;
    differs("a combination of rows", message.combine_rows(WIDTH, &weights)? != rows)?;
    differs("a combination of columns", message.combine_columns(&weights[..WIDTH])? != columns)
}

/// A chain of one word, with rounds of the sumcheck before and behind it.
fn chain<B: Entry, E: Challenge<B>>(gpu: &Gpu) -> Result<(), Error> {
    let (hash, width) = (Hash::Blake3, E::DEGREE);
    let shape = |log_rows| OracleSpec {
        code: ReedSolomon::new(log_rows, 1),
        width,
        log_fibre: 1,
        log_parts: 0,
        hash,
    };
    let message: Vec<B> = elements(width << LOG_CHAIN, 4);
    let points = [5, 6].map(|seed| TensorForm::point(&elements::<E>(LOG_CHAIN, seed)));
    let forms: Vec<(E, TensorForm<E>)> = elements(2, 7).into_iter().zip(points).collect();
    let (columns, challenges): (Vec<E>, Vec<E>) = (elements(width, 8), elements(LOG_CHAIN, 9));
    let mut left = vec![E::ZERO; 1 << LOG_CHAIN];
    E::combine_columns(&message, &columns, &mut left);
    let mut weights = vec![E::ZERO; 1 << LOG_CHAIN];
    forms.iter().for_each(|(scalar, form)| form.add_scaled(*scalar, &mut weights));
    let (matrix, word) = (gpu.upload(&shape(LOG_CHAIN), &message)?, shape(LOG_CHAIN - FOLDED));
    let mut held = DeviceChain::new(&matrix, &columns, &forms, vec![word])?;
    for (i, &challenge) in challenges.iter().enumerate() {
        if i == FOLDED {
            let expected = word.commit::<B>(&E::flatten(&left), Vec::new()).root();
            differs("a word of a chain", held.commit()? != expected)?;
        }
        differs("a round of a sumcheck", held.round()? != E::product_round(&left, &weights))?;
        held.bind(challenge)?;
        E::bind_low(&mut left, challenge);
        E::bind_low(&mut weights, challenge);
    }
    differs("what is left of a chain", held.message()? != left)
}

fn differs(step: &'static str, differs: bool) -> Result<(), Error> {
    if differs { Err(Error::SelfCheck { step }) } else { Ok(()) }
}
