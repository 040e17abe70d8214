//! `ledger status`.

use serde_json::{Value, json};

use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::StatusArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::units;
use ledger::chain::Chain;
use ledger::codec::Canonical;
use ledger::machine::State;
use ledger::node::{Keys, Mode, Node};
use ledger::token::{Account, Index, Token};

/// The command.
pub fn run(args: &StatusArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = &args.node.directory;
    let node = Node::open(directory).map_err(refused)?;
    let waiting = Node::inbox(directory).and_then(|inbox| inbox.read()).map_err(refused)?;
    let keys = keys_of(directory, &args.node.keys, common);
    let chain = node.replica().chain();
    let account = args.account.map(|number| {
        let none = || Failure::usage(format!("account {number} does not exist"), "name another one");
        chain.cell(&Index(number)).ok_or_else(none)
    });
    let account = account.transpose()?;
    let (tip, machine, params) = (chain.tip(), chain.machine(), chain.params());
    let value = json!({
        "height": tip.height,
        "root": units::hex(&tip.root),
        "block": units::hex(&tip.digest),
        "genesis": units::hex(&node.replica().genesis()),
        "chain": machine.chain, "issuer": machine.issuer.0, "fee": machine.fee,
        "timeout": params.timeout, "plain": params.plain,
        "accounts": chain.cells().count(),
        "supply": chain.cells().map(|(_, account)| account.balance).sum::<u64>(),
        "waiting": waiting.transactions.len(), "unusable": waiting.unusable.len(),
        "lanes": lanes(chain),
        "keys": listed(&keys), "insecure": keys.is_insecure(),
        "account": account.map(|account| shown(&account)),
    });
    if common.json {
        output::line(format_args!("{value:#}"));
    } else {
        print(&value);
    }
    Ok(Exit::Valid)
}

fn shown(account: &Account) -> Value {
    json!({ "key": units::hex(&account.key.to_bytes()), "balance": account.balance, "nonce": account.nonce })
}

fn lanes(chain: &Chain<Token>) -> Vec<Value> {
    let params = chain.params();
    let lane = |number: u8| {
        let lane = chain.leases().lane(number).ok()?;
        let holder = chain.leases().holder(number, chain.tip().height + 1, params.timeout).ok()?;
        let until = holder.map(|_| lane.active.saturating_add(u64::from(params.timeout)));
        Some(json!({ "holder": holder.map(|key| units::hex(&key.to_bytes())), "until": until }))
    };
    (0..params.lanes).filter_map(lane).collect()
}

fn listed(keys: &Keys) -> Vec<Value> {
    let one = |key: Result<ledger::node::KeyInfo, ledger::node::NodeError>| match key {
        Ok(key) => {
            json!({ "batch": key.slots, "root": key.mode == Mode::Root, "binding": key.binding.to_string(), "provenance": key.provenance.to_string(), "digest": units::hex(&key.digest), "proves": key.proves })
        }
        Err(e) => json!({ "error": e.to_string() }),
    };
    keys.list().into_iter().map(one).collect()
}

fn print(value: &Value) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for name in
        ["height", "root", "block", "genesis", "chain", "issuer", "fee", "accounts", "supply", "waiting"]
    {
        output::line(format_args!("{name:<9}{}", text(&value[name])));
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
        output::line(format_args!("balance  {}\nnonce    {}", account["balance"], account["nonce"]));
    }
}
