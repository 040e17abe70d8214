//! `ledger init`, and descriptions of what a chain begins with.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::keys::public_key;
use super::refused;
use crate::args::Common;
use crate::args::ledger::InitArgs;
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units;
use ledger::chain::{Genesis, Params};
use ledger::codec::Canonical;
use ledger::machine::Contract;
use ledger::node::Node;
use ledger::token::{Account, Index, Token};

const HINT: &str = "docs/ledger.md has an example of a description";

/// `ledger init`.
pub fn init(args: &InitArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_file(&args.genesis, common)?;
    let folder = args.genesis.parent().unwrap_or(Path::new(""));
    let genesis = if bytes.starts_with(b"TNFGEN") {
        Genesis::from_bytes(&bytes).map_err(|e| Failure::usage(format!("no genesis: {e}"), HINT))
    } else {
        described(&bytes, folder, common)
    };
    let genesis = genesis.map_err(|e| e.in_file(&args.genesis))?;
    let node = Node::init(&args.directory, genesis).map_err(refused)?;
    let (chain, root) = (units::hex(&node.replica().genesis()), units::hex(&node.replica().chain().root()));
    if common.json {
        output::line(format_args!("{:#}", json!({ "genesis": chain, "root": root })));
    } else if !common.quiet {
        output::line(format_args!("genesis {chain}\nroot    {root}"));
    }
    Ok(Exit::Valid)
}

fn wrong(what: impl Into<String>) -> Failure {
    Failure::usage(what, HINT)
}

/// Reads a description.
fn described(bytes: &[u8], folder: &Path, common: &Common) -> Result<Genesis<Token>, Failure> {
    let value: Value = serde_json::from_slice(bytes).map_err(|e| wrong(format!("no description: {e}")))?;
    let known = ["chain", "issuer", "fee", "lanes", "timeout", "plain", "contract", "accounts"];
    let map = object(&value, &known)?;
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
    let accounts =
        map.get("accounts").and_then(Value::as_array).ok_or_else(|| wrong("there is no list `accounts`"))?;
    let mut cells = Vec::new();
    for (at, account) in (0..).zip(accounts) {
        let map = object(account, &["number", "key", "balance"])?;
        let key =
            map.get("key").and_then(Value::as_str).ok_or_else(|| wrong("an account without a `key`"))?;
        let account = Account {
            key: public_key(key, folder, common)?,
            balance: number(map, "balance", None)?,
            nonce: 0,
        };
        cells.push((Index(number(map, "number", Some(at))?), account));
    }
    cells.sort_by_key(|(index, _)| *index);
    let genesis = Genesis { machine, params, cells };
    // The encoding has the ranges, and refuses numbers that come twice.
    Genesis::from_bytes(&genesis.to_bytes()).map_err(|e| wrong(e.to_string()))
}

/// `{ "chain_id": 1, "address": "0x…" }`.
fn contract(value: &Value) -> Result<Contract, Failure> {
    let map = object(value, &["chain_id", "address"])?;
    let address = map.get("address").and_then(Value::as_str).and_then(units::from_hex);
    let address = address.ok_or_else(|| wrong("a contract's `address` is 40 hexadecimal digits"))?;
    Ok(Contract { chain_id: number(map, "chain_id", None)?, address })
}

fn object<'a>(value: &'a Value, known: &[&str]) -> Result<&'a Map<String, Value>, Failure> {
    let map = value.as_object().ok_or_else(|| wrong("a description is an object, and so is each account"))?;
    match map.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(wrong(format!("there is no member `{name}`, but {}", known.join(", ")))),
        None => Ok(map),
    }
}

fn number<T: TryFrom<u64>>(map: &Map<String, Value>, name: &str, default: Option<u64>) -> Result<T, Failure> {
    let found = match map.get(name) {
        Some(value) => value.as_u64(),
        None => Some(default.ok_or_else(|| wrong(format!("there is no number `{name}`")))?),
    };
    found
        .and_then(|n| T::try_from(n).ok())
        .ok_or_else(|| wrong(format!("`{name}` is no number, or out of range")))
}
