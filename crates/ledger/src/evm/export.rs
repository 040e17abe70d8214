//! The contract of a key, ready to be deployed.

use curve::pairing::Bn254;
use snark::groth16::{Provenance, VerifyingKey, Word, word};

use crate::Invalid;
use crate::circuit::Claim;
use crate::machine::Machine;
use crate::token::Token;

const CREATION: &str = include_str!("../../contracts/compiled/LedgerReplicas.bin");
const ABI: &str = include_str!("../../contracts/compiled/LedgerReplicas.abi.json");

/// A file of the contract's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A contract for one key.
#[derive(Clone, Debug)]
pub struct Export {
    /// The Solidity sources, which are the same for all keys.
    pub sources: [Source; 2],
    /// The program that compiles them to [`Self::creation`], with its settings: standard JSON without the sources.
    pub compiler: &'static str,
    /// The interface, JSON.
    pub abi: &'static str,
    /// Creation bytecode with the constructor's arguments behind it: the data of the transaction that deploys.
    pub creation: Vec<u8>,
}

const SOURCES: [Source; 2] = [
    Source { name: "Groth16Bn254.sol", text: include_str!("../../contracts/Groth16Bn254.sol") },
    Source { name: "LedgerReplicas.sol", text: include_str!("../../contracts/LedgerReplicas.sol") },
];

/// The number of public inputs that differ from batch to batch.
const VARIABLE: usize = 5;

/// The contract for batches that this key is of, on the chain with these rules. `genesis` is a digest of the state at the beginning, which the first head binds; the
/// contract part of the rules is not looked at, since the contract derives its own domain from where it is deployed ([`crate::machine::Contract`]).
///
/// # Errors
/// If the key is of a local setup or of a circuit with another number of public inputs.
pub fn export(key: &VerifyingKey<Bn254>, token: &Token, genesis: Word) -> Result<Export, Invalid> {
    if key.provenance() == Provenance::Local {
        return Err(Invalid("a key of a local setup: whoever made it can prove anything"));
    }
    insecure(key, token, genesis)
}

/// **Insecure**: as [`export`], with keys of a local setup too. Whoever made the key can have any batch accepted.
///
/// # Errors
/// If the key is of a circuit with another number of public inputs.
pub fn insecure(key: &VerifyingKey<Bn254>, token: &Token, genesis: Word) -> Result<Export, Invalid> {
    let constants = Claim::constants(token.fee);
    if key.public() != 1 + constants.len() + VARIABLE {
        return Err(Invalid("a key of a circuit with another number of public inputs"));
    }
    let words = key.words();
    let rules = Token { contract: None, ..*token }.domain();
    let mut creation = hex(CREATION).ok_or(Invalid("no bytecode"))?;
    // Fourteen words of the key, then where `ic` and `constants` begin, and what has a fixed size.
    let head = 14 + 4;
    let after_ic = head + 1 + 2 * words.ic.len();
    let mut arguments: Vec<Word> = words.pairing.to_vec();
    arguments.extend([
        number(32 * head),
        rules.word(),
        number(32 * after_ic),
        genesis,
        number(words.ic.len()),
    ]);
    arguments.extend(words.ic.iter().flatten());
    arguments.push(number(constants.len()));
    arguments.extend(constants.iter().map(word));
    creation.extend(arguments.as_flattened());
    Ok(Export { sources: SOURCES, compiler: COMPILER, abi: ABI, creation })
}

const COMPILER: &str = include_str!("../../contracts/settings.json");

/// The word of a small number.
pub(super) fn number(x: usize) -> Word {
    let mut word = [0; 32];
    word.iter_mut().rev().zip((x as u64).to_le_bytes()).for_each(|(to, from)| *to = from);
    word
}

/// Bytes of lower-case hexadecimal digits, with line breaks.
fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().filter(|c| *c != '\n').map(|c| c.to_digit(16).map(|x| x as u8)).collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
