//! The contracts of a key, ready to be deployed.

use curve::pairing::Bn254;
use snark::groth16::{Provenance, VerifyingKey, Word, word};

use crate::Invalid;
use crate::circuit::root::{self, Shape};
use crate::circuit::{Claim, groth16};
use crate::machine::Machine;
use crate::statement::BatchSize;
use crate::token::Token;

/// A file of a contract's source.
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
    /// The Solidity sources, which are the same for all keys; the last one is the contract's.
    pub sources: [Source; 3],
    /// The version and settings of the compiler that makes the bytecode of [`Self::sources`]: JSON.
    pub compiler: &'static str,
    /// The interface, JSON.
    pub abi: &'static str,
    /// Creation bytecode with the constructor's arguments behind it: the data of the transaction that deploys.
    pub creation: Vec<u8>,
}

impl Export {
    /// The files of the export by name: sources, settings of the compiler, interface, and the data of the transaction that deploys, in hexadecimal.
    #[must_use]
    pub fn files(self) -> Vec<(String, Vec<u8>)> {
        let name = self.sources.last().map_or("", |source| source.name.trim_end_matches(".sol"));
        let creation: String = self.creation.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut files: Vec<(String, Vec<u8>)> =
            self.sources.iter().map(|source| (source.name.to_owned(), source.text.into())).collect();
        files.push(("settings.json".to_owned(), self.compiler.into()));
        files.push((format!("{name}.abi.json"), self.abi.into()));
        files.push((format!("{name}.bin"), format!("{creation}\n").into()));
        files
    }
}

/// What `scripts/solc` has compiled.
struct Artefact {
    source: Source,
    creation: &'static str,
    abi: &'static str,
}

const REPLICAS: Artefact = Artefact {
    source: Source { name: "LedgerReplicas.sol", text: include_str!("../../contracts/LedgerReplicas.sol") },
    creation: include_str!("../../contracts/compiled/LedgerReplicas.bin"),
    abi: include_str!("../../contracts/compiled/LedgerReplicas.abi.json"),
};

const ROOT: Artefact = Artefact {
    source: Source { name: "LedgerRoot.sol", text: include_str!("../../contracts/LedgerRoot.sol") },
    creation: include_str!("../../contracts/compiled/LedgerRoot.bin"),
    abi: include_str!("../../contracts/compiled/LedgerRoot.abi.json"),
};

/// What both contracts import.
const BASES: [Source; 2] = [
    Source { name: "Groth16Bn254.sol", text: include_str!("../../contracts/Groth16Bn254.sol") },
    Source { name: "LedgerKey.sol", text: include_str!("../../contracts/LedgerKey.sol") },
];

const COMPILER: &str = include_str!("../../contracts/settings.json");

const OTHER_CIRCUIT: Invalid = Invalid("a key of another circuit than that of the contract's batches");

/// The contract that orders batches for replicas, for batches with so many slots that this key is of, on the chain with these rules. `genesis` is a digest of the
/// state at the beginning, which the first head binds; the contract part of the rules is not looked at, since the contract derives its own domain from where it
/// is deployed ([`crate::machine::Contract`]).
///
/// Cost: the circuit is made, to compare its digest, unless its size is one of [`BatchSize`].
///
/// # Errors
/// If the key is of a local setup or of another circuit, or there are no slots or more than a batch has.
pub fn export(
    key: &VerifyingKey<Bn254>,
    token: &Token,
    slots: usize,
    genesis: Word,
) -> Result<Export, Invalid> {
    check_provenance(key)?;
    insecure(key, token, slots, genesis)
}

/// **Insecure**: as [`export`], with keys of a local setup too. Whoever made the key can have any batch accepted.
///
/// # Errors
/// If the key is of another circuit, or there are no slots or more than a batch has.
pub fn insecure(
    key: &VerifyingKey<Bn254>,
    token: &Token,
    slots: usize,
    genesis: Word,
) -> Result<Export, Invalid> {
    BatchSize::fitting(slots).filter(|_| slots > 0).ok_or(Invalid("no batch has so many slots"))?;
    if !groth16::is_of_batches(key, slots) {
        return Err(OTHER_CIRCUIT);
    }
    artefact(&REPLICAS, key, token, &[genesis])
}

/// The contract that holds the root of a state, for batches of these sizes that this key is of. `genesis` is the first root, a number below the order.
///
/// Cost: the circuit is made, to compare its digest, unless the slots are those of a [`BatchSize`].
///
/// # Errors
/// If the key is of a local setup or of another circuit, the slots are not a power of two, or there are not two entries for each.
pub fn export_root(
    key: &VerifyingKey<Bn254>,
    token: &Token,
    shape: Shape,
    genesis: Word,
) -> Result<Export, Invalid> {
    check_provenance(key)?;
    insecure_root(key, token, shape, genesis)
}

/// **Insecure**: as [`export_root`], with keys of a local setup too. Whoever made the key can set any root.
///
/// # Errors
/// If the key is of another circuit, the slots are not a power of two, or there are not two entries for each.
pub fn insecure_root(
    key: &VerifyingKey<Bn254>,
    token: &Token,
    shape: Shape,
    genesis: Word,
) -> Result<Export, Invalid> {
    if !shape.slots().is_power_of_two() || shape.words() != shape.slots() {
        return Err(Invalid("the contract has a power of two of slots, and two entries for each"));
    }
    if *key.circuit() != root::groth16::digest(shape) {
        return Err(OTHER_CIRCUIT);
    }
    artefact(&ROOT, key, token, &[number(shape.slots()), genesis])
}

fn check_provenance(key: &VerifyingKey<Bn254>) -> Result<(), Invalid> {
    match key.provenance() {
        Provenance::Local => Err(Invalid("a key of a local setup: whoever made it can prove anything")),
        Provenance::Ceremony(_) => Ok(()),
    }
}

/// `last` are the constructor's arguments behind those of `LedgerKey`.
fn artefact(
    artefact: &Artefact,
    key: &VerifyingKey<Bn254>,
    token: &Token,
    last: &[Word],
) -> Result<Export, Invalid> {
    let constants = Claim::constants(token);
    let words = key.words();
    let rules = Token { contract: None, ..*token }.domain();
    let mut creation = from_hex(artefact.creation).ok_or(Invalid("no bytecode"))?;
    // The key, where `ic` begins, the rules, where `constants` begins, and the others; then the two lists.
    let head = words.pairing.len() + 3 + last.len();
    let after_ic = head + 1 + 2 * words.ic.len();
    let mut arguments: Vec<Word> = words.pairing.to_vec();
    arguments.extend([number(32 * head), rules.word(), number(32 * after_ic)]);
    arguments.extend(last);
    arguments.push(number(words.ic.len()));
    arguments.extend(words.ic.iter().flatten());
    arguments.push(number(constants.len()));
    arguments.extend(constants.iter().map(word));
    creation.extend(arguments.as_flattened());
    let [first, second] = BASES;
    let sources = [first, second, artefact.source];
    Ok(Export { sources, compiler: COMPILER, abi: artefact.abi, creation })
}

/// The word of a small number.
pub(super) fn number(x: usize) -> Word {
    let mut word = [0; 32];
    word.iter_mut().rev().zip((x as u64).to_le_bytes()).for_each(|(to, from)| *to = from);
    word
}

/// Reads the bytes of hexadecimal digits, with `0x` before them or not; line breaks between them are left out.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    let digits: Option<Vec<u8>> =
        text.chars().filter(|c| *c != '\n').map(|c| c.to_digit(16).map(|x| x as u8)).collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// Contracts for keys of any circuit with their public inputs: what they compute and cost does not depend on it.
#[cfg(test)]
pub(super) mod unchecked {
    use super::*;

    pub fn replicas(key: &VerifyingKey<Bn254>, token: &Token, genesis: Word) -> Export {
        artefact(&REPLICAS, key, token, &[genesis]).unwrap()
    }

    pub fn root(key: &VerifyingKey<Bn254>, token: &Token, slots: usize, genesis: Word) -> Export {
        artefact(&ROOT, key, token, &[number(slots), genesis]).unwrap()
    }
}
