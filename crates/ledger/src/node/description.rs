//! Descriptions of what a chain begins with: JSON that people write. (docs/ledger.md)

use serde_json::{Map, Value};

use crate::chain::{Genesis, Params};
use crate::codec::Canonical;
use crate::evm::from_hex;
use crate::machine::Contract;
use crate::signature::PublicKey;
use crate::token::{Account, Index, Token};

/// Why a description is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptionError<E> {
    /// It says too little, too much, or what no chain can have.
    #[error("{0}")]
    Content(String),
    /// The key of an account cannot be had.
    #[error(transparent)]
    Key(E),
}

/// Reads a description, or the file `genesis` of a node. `key` finds the public key that a description names.
///
/// # Errors
/// If the bytes are neither; those of `key`.
pub fn read_genesis<E>(
    bytes: &[u8],
    key: &mut dyn FnMut(&str) -> Result<PublicKey, E>,
) -> Result<Genesis<Token>, DescriptionError<E>> {
    if bytes.starts_with(b"TNFGEN") {
        let genesis = Genesis::from_bytes(bytes);
        return genesis.map_err(|e| DescriptionError::Content(format!("no genesis: {e}")));
    }
    let value = serde_json::from_slice(bytes);
    let value: Value = value.map_err(|e| DescriptionError::Content(format!("no description: {e}")))?;
    let (machine, params, accounts) = described(&value).map_err(DescriptionError::Content)?;
    let mut cells = Vec::new();
    for Described { number, key: name, balance } in accounts {
        let key = key(name).map_err(DescriptionError::Key)?;
        cells.push((number, Account { key, balance, nonce: 0 }));
    }
    cells.sort_by_key(|(index, _)| *index);
    let twice = cells.iter().zip(cells.iter().skip(1)).find(|((one, _), (next, _))| one == next);
    if let Some(((Index(number), _), _)) = twice {
        return Err(DescriptionError::Content(format!("two accounts have the number {number}")));
    }
    let genesis = Genesis { machine, params, cells };
    // The encoding has the ranges.
    Genesis::from_bytes(&genesis.to_bytes()).map_err(|e| DescriptionError::Content(e.to_string()))
}

/// An account of a description.
struct Described<'a> {
    number: Index,
    key: &'a str,
    balance: u64,
}

fn described(value: &Value) -> Result<(Token, Params, Vec<Described<'_>>), String> {
    let known = ["chain", "issuer", "fee", "lanes", "timeout", "plain", "contract", "accounts"];
    let map = object(value, &known)?;
    let machine = Token {
        chain: number(map, "chain", None)?,
        issuer: Index(number(map, "issuer", Some(0))?),
        fee: number(map, "fee", Some(0))?,
        contract: map.get("contract").map(contract).transpose()?,
    };
    let params = Params {
        lanes: number(map, "lanes", Some(1))?,
        timeout: number(map, "timeout", Some(0))?,
        plain: number(map, "plain", Some(64))?,
    };
    let accounts = map.get("accounts").and_then(Value::as_array).ok_or("there is no list `accounts`")?;
    let accounts: Result<_, String> = (0..).zip(accounts).map(|(at, of)| account(at, of)).collect();
    Ok((machine, params, accounts?))
}

fn account(at: u64, value: &Value) -> Result<Described<'_>, String> {
    let map = object(value, &["number", "key", "balance"])?;
    let key = map.get("key").and_then(Value::as_str).ok_or("an account without a `key`")?;
    let number_of = Index(number(map, "number", Some(at))?);
    Ok(Described { number: number_of, key, balance: number(map, "balance", None)? })
}

/// `{ "chain_id": 1, "address": "0x…" }`.
fn contract(value: &Value) -> Result<Contract, String> {
    let map = object(value, &["chain_id", "address"])?;
    let address = map.get("address").and_then(Value::as_str).and_then(from_hex);
    let address = address.and_then(|bytes| bytes.try_into().ok());
    let address = address.ok_or("a contract's `address` is 40 hexadecimal digits")?;
    Ok(Contract { chain_id: number(map, "chain_id", None)?, address })
}

fn object<'a>(value: &'a Value, known: &[&str]) -> Result<&'a Map<String, Value>, String> {
    let map = value.as_object().ok_or("a description is an object, and so is each account")?;
    match map.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("there is no member `{name}`, but {}", known.join(", "))),
        None => Ok(map),
    }
}

fn number<T: TryFrom<u64>>(map: &Map<String, Value>, name: &str, default: Option<u64>) -> Result<T, String> {
    let found = match map.get(name) {
        // As text too: programs whose numbers have 53 bits write larger ones so, as `status --json` does.
        Some(Value::String(digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok(),
        Some(value) => value.as_u64(),
        None => Some(default.ok_or_else(|| format!("there is no number `{name}`"))?),
    };
    let found = found.and_then(|n| T::try_from(n).ok());
    found.ok_or_else(|| format!("`{name}` is no number, or out of range"))
}
