//! `ledger status`.

use serde_json::Value;

use super::{keys_of, open, refused};
use crate::args::Common;
use crate::args::ledger::StatusArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::units;
use ledger::circuit::root::Shape;
use ledger::node::{Mode, contract_root};
use ledger::statement::BatchSize;

/// The command.
pub fn run(args: &StatusArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = &args.node.directory;
    let node = open(directory)?;
    let keys = keys_of(directory, &args.node.keys, common);
    let mut value = node.describe(&keys, args.account).map_err(refused)?;
    if args.root {
        // The trees of all sizes of batches have one depth, and so one root.
        let root = contract_root(&node, Shape::standard(BatchSize::B64.slots())).map_err(refused)?;
        value["contract_root"] = units::hex(&root).into();
    }
    if common.json {
        output::json(&value);
    } else {
        print(&value);
    }
    Ok(Exit::Valid)
}

fn print(value: &Value) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for name in
        ["height", "root", "block", "genesis", "chain", "issuer", "fee", "accounts", "supply", "waiting"]
    {
        output::line(format_args!("{name:<9}{}", text(&value[name])));
    }
    if value["unusable"] != 0 {
        let unusable = &value["unusable"];
        output::line(format_args!(
            "unusable {unusable} in `inbox`: no transactions of this chain (`prove` names them)"
        ));
    }
    if let Some(root) = value["contract_root"].as_str() {
        output::line(format_args!("contract {root}"));
    }
    for (at, lane) in value["lanes"].as_array().into_iter().flatten().enumerate() {
        let held = match lane["holder"].as_str() {
            Some(key) => format!("held until height {} by {}…", lane["until"], &key[..16]),
            None => "open".to_owned(),
        };
        output::line(format_args!("lane {at}   {held}"));
    }
    for key in value["keys"].as_array().into_iter().flatten() {
        let said = match key["error"].as_str() {
            Some(error) => Paint::stdout().red(error),
            None => format!(
                "batches of {}{}, bound by a {}: {}, digest {}",
                key["batch"],
                if key["root"] == true { Mode::Root.words() } else { "" },
                text(&key["binding"]),
                text(&key["provenance"]),
                text(&key["digest"])
            ),
        };
        output::line(format_args!("key      {said}"));
    }
    if let Some(account) = value["account"].as_object() {
        output::line(format_args!("balance  {}\nnonce    {}", text(&account["balance"]), account["nonce"]));
    }
}
