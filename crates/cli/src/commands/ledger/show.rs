//! `ledger show`: what is in a file of a ledger.

use serde_json::Value;

use super::refused;
use crate::args::Common;
use crate::args::ledger::ShowArgs;
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::output;
use ledger::node::{MOST_SHOWN, show};

/// The members that stand on a line of their own, in this order.
const LINES: [&str; 26] = [
    "kind",
    "genesis",
    "domain",
    "height",
    "parent",
    "root",
    "content",
    "lane",
    "sequence",
    "key",
    "batch",
    "contract_root",
    "input_bytes",
    "before",
    "signed",
    "effect_bytes",
    "proof_bytes",
    "signature",
    "chain",
    "issuer",
    "fee",
    "lanes",
    "timeout",
    "plain",
    "supply",
    "phase",
];

/// The command.
pub fn run(args: &ShowArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_file(&args.file, common)?;
    let value = show(&bytes).map_err(|e| refused(e).in_file(&args.file))?;
    if common.json {
        output::json(&value);
    } else {
        print(&value);
    }
    Ok(Exit::Valid)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn print(value: &Value) {
    for name in LINES {
        if let Some(member) = value.get(name) {
            output::line(format_args!("{:<13}{}", name.replace('_', " "), text(member)));
        }
    }
    if let Some(contract) = value["contract"].as_object() {
        let (address, chain) = (text(&contract["address"]), text(&contract["chain_id"]));
        output::line(format_args!("contract     {address} of the EVM chain {chain}"));
    }
    if let Some(accounts) = value["accounts"].as_array() {
        let numbers: Vec<String> = accounts.iter().map(Value::to_string).collect();
        output::line(format_args!("accounts     {}", numbers.join(" ")));
    }
    for transaction in value["transactions"].as_array().into_iter().flatten() {
        output::line(words(transaction));
    }
    if let Some(first) = value["first"].as_array() {
        for account in first {
            let (balance, key) = (text(&account["balance"]), text(&account["key"]));
            output::line(format_args!(
                "account      {}: balance {balance}, nonce {}, key {key}",
                account["number"], account["nonce"]
            ));
        }
        let count = value["count"].as_u64().unwrap_or(0);
        if count > MOST_SHOWN as u64 {
            output::line(format_args!("             and {} more", count - MOST_SHOWN as u64));
        }
    }
    for receipt in value["receipts"].as_array().into_iter().flatten() {
        output::line(format_args!("receipt      {}", text(receipt)));
    }
}

/// A transaction in a line.
fn words(of: &Value) -> String {
    let mut line = match of.get("nonce") {
        Some(nonce) => format!("transaction  {nonce} of account {}: ", of["from"]),
        None => format!("transaction  of account {}: ", of["from"]),
    };
    line += &format!("{} {}", text(&of["does"]), text(&of["amount"]));
    if let Some(to) = of.get("to") {
        line += &format!(", to account {to}");
    }
    for name in ["memo", "key"] {
        if let Some(member) = of.get(name) {
            line += &format!(", {name} {}", text(member));
        }
    }
    line
}
