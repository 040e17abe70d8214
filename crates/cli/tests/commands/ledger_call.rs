//! Calls of the contract that orders batches for replicas: `ledger prove --call` and `ledger verify --call`.

use ::ledger::machine::Machine;
use ::ledger::node::Node;
use serde_json::{Value, json};

use super::bench::{Bench, Ran};
use super::ledger_follow::{http, serve};
use crate::json_page::check;

const QUOTIENT: &str = "for this contract at this head";
const VALUES: &str = "other values than those of this state";

/// Nodes of a chain whose contract has this number of an EVM chain and this address, of 20 equal bytes.
fn nodes(bench: &Bench, names: &[&str], chain_id: u64, byte: u8) {
    let address = format!("{byte:02x}").repeat(20);
    let genesis = format!(
        r#"{{ "chain": 7, "accounts": [ {{ "key": "alice.key.pub", "balance": 1000 }}, {{ "key": "bob.key.pub", "balance": 10 }} ],
        "contract": {{ "chain_id": {chain_id}, "address": "0x{address}" }} }}"#
    );
    bench.write("contract.json", genesis.as_bytes());
    for name in names {
        bench.ok(&["ledger", "init", name, "--genesis", "contract.json"]);
    }
}

fn accounts(bench: &Bench) {
    ["alice.key", "bob.key"].iter().for_each(|name| drop(bench.ok(&["ledger", "keygen", "-o", name])));
}

fn pay(bench: &Bench, node: &str, amount: &str) {
    bench.ok(&[
        "ledger",
        "submit",
        node,
        "--key",
        "alice.key",
        "--from",
        "0",
        "--to",
        "1",
        "--amount",
        amount,
    ]);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// An EVM node with a contract of this domain and state. It answers no question about another block than the latest.
fn evm(domain: String, head: &str) -> String {
    let words = [format!("0x{:0>64}", &head[..16]), format!("0x{:0<64}", &head[16..])];
    serve(move |body| {
        let question: Value = serde_json::from_slice(body).unwrap();
        let result = match question["method"].as_str().unwrap() {
            "eth_chainId" => "0x7a69".into(),
            "eth_getBlockByNumber" => json!({ "number": "0x5", "hash": format!("0x{}", "11".repeat(32)) }),
            "eth_getCode" => "0x60".into(),
            "eth_call" => {
                assert_eq!(question["params"][1], "0x5", "all of one block");
                // The selectors of `height()`, `head()` and `domain()`.
                match question["params"][0]["data"].as_str().unwrap() {
                    "0x0ef26743" => words[0].clone().into(),
                    "0x8f7dcfa3" => words[1].clone().into(),
                    _ => domain.clone().into(),
                }
            }
            other => panic!("{other}"),
        };
        http(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }).to_string().as_bytes())
    })
}

#[test]
fn options_of_calls_are_refused_where_they_have_no_effect() {
    let bench = Bench::new("");
    accounts(&bench);
    nodes(&bench, &["a"], 31337, 7);
    let head = "0".repeat(64);
    let run = |more: &[&str]| bench.run(&[&["ledger"][..], more].concat());
    for (more, said) in [
        (&["prove", "a", "--call", "--root"][..], &["cannot be used with", "--root"][..]),
        (&["prove", "a", "--call", "--lane", "0"], &["cannot be used with", "--lane"]),
        (&["prove", "a", "--call", "--key", "alice.key"], &["cannot be used with", "--key"]),
        (&["prove", "a", "--call", "--plain"], &["cannot be used with", "--plain"]),
        (&["prove", "a", "--call", "--empty"], &["cannot be used with", "--empty"]),
        (&["prove", "a", "--call", "--rebase", "x"], &["cannot be used with", "--rebase"]),
        (&["prove", "a", "--head", &head], &["were not provided", "--call"]),
        (&["prove", "a", "--root", "--head", &head], &["cannot be used with", "--head"]),
        (&["prove", "a", "--rpc", "http://127.0.0.1:1"], &["were not provided"]),
        (&["prove", "a", "--call", "--head", &head, "--rpc", "x"], &["cannot be used with", "--rpc"]),
        (&["prove", "a", "--call", "--head", &head[1..]], &["no state of a contract", "height()", "head()"]),
        (&["verify", "a", "x", "--root", "--rpc", "http://127.0.0.1:1"], &["cannot be used with", "--root"]),
        (&["verify", "a", "x", "--head", &head], &["were not provided", "--call"]),
        (&["verify", "a", "x", "--call", "--root"], &["cannot be used with", "--root"]),
        (&["verify", "a", "contract.json", "--call"], &["no call of a contract", "prove --call"]),
        (&["prove", "a", "--call"], &["no transaction waits"]),
    ] {
        run(more).is(2, said);
    }
    bench.write("call", b"0x00112233\n");
    run(&["verify", "a", "call", "--call"]).is(1, &["call", "no call of the contract"]);
    pay(&bench, "a", "1");
    run(&["prove", "a", "--call"]).is(2, &["no verifying key for batches of 64"]);
    run(&["prove", "a", "--call", "--binding", "commitment"]).is(2, &["with a commitment"]);
    // Of a node with blocks the contract's state is not known: where it is read is said.
    bench.ok(&["ledger", "prove", "a", "--plain", "-o", "1"]);
    bench.ok(&["ledger", "apply", "a", "1"]);
    let unknown = ["the 1 blocks of this node do not tell", "--rpc", "--head", "height()", "head()"];
    run(&["prove", "a", "--call"]).is(2, &unknown);
    run(&["verify", "a", "call", "--call"]).is(2, &unknown);
    run(&["prove", "a", "--call", "--head", &head]).is(2, &["no transaction waits"]);
    // A chain without a contract has none to call.
    bench.write(
        "none.json",
        br#"{ "chain": 7, "accounts": [ { "key": "alice.key.pub", "balance": 1000 } ] }"#,
    );
    bench.ok(&["ledger", "init", "n", "--genesis", "none.json"]);
    run(&["prove", "n", "--call"]).is(2, &["names no contract"]);
    assert!(!bench.path("next.block").exists() && !bench.path("next.block.calldata").exists());
}

#[test]
fn the_state_of_the_contract_is_asked_for() {
    let bench = Bench::new("");
    accounts(&bench);
    nodes(&bench, &["a"], 31337, 7);
    let domain = hex(&Node::rules(&bench.path("a")).unwrap().domain().word());
    let prove = |address: &str| bench.run(&["ledger", "prove", "a", "--call", "--rpc", address]);
    let state = format!("{:016x}{}", 3, "ab".repeat(24));
    prove(&evm(domain.clone(), &state)).is(2, &["no transaction waits"]);
    prove(&evm(hex(&[1; 32]), &state)).is(2, &["not that of this ledger"]);
    // A head of more than 24 bytes.
    prove(&evm(domain, &format!("{state}01"))).is(4, &["no head of 24 bytes"]);
    prove("http://127.0.0.1:1").is(4, &["no answer", "--rpc"]);
}

/// A batch as a call, checked by another node; with keys that are there, in a folder without these nodes.
pub fn calls(bench: &Bench, keys: &str) {
    accounts(bench);
    nodes(bench, &["op", "replica"], 31337, 7);
    nodes(bench, &["elsewhere"], 31337, 8);
    nodes(bench, &["fork"], 31338, 7);
    let with = ["--call", "--keys", keys, "--insecure-local"];
    let run = |command: &[&str], more: &[&str]| -> Ran {
        bench.run(&[&["ledger"][..], command, &with, more].concat())
    };
    let json =
        |command: &[&str], more: &[&str]| bench.json(&[&["ledger"][..], command, &with, more].concat());
    pay(bench, "op", "5");
    pay(bench, "op", "6");
    let made = json(&["prove", "op", "-o", "1.block"], &[]);
    check("ledger prove with --call", &made);
    assert_eq!((&made["transactions"], &made["calldata"]), (&2.into(), &"1.block.calldata".into()));
    let [before, after] = ["before", "after"].map(|member| made[member].as_str().unwrap());
    let verified = json(&["verify", "replica", "1.block.calldata"], &[]);
    check("ledger verify with --call", &verified);
    assert_eq!((&verified["after"], &verified["accounts"]), (&made["after"], &2.into()));
    // The state is that of a contract without calls, and can be named; no local key is taken unasked.
    run(&["verify", "replica", "1.block.calldata"], &["--head", before, "--batch", "64"])
        .is(0, &["valid:", after]);
    bench
        .run(&["ledger", "verify", "replica", "1.block.calldata", "--call", "--keys", keys])
        .is(2, &["--insecure-local"]);
    // Nothing is overwritten: neither of both outputs, and nothing is written where one is there.
    let [block, call] = ["1.block", "1.block.calldata"].map(|name| bench.read(name));
    run(&["prove", "op", "-o", "1.block"], &[]).is(2, &["1.block"]);
    bench.write("2.block.calldata", b"mine");
    run(&["prove", "op", "-o", "2.block"], &[]).is(2, &["2.block.calldata"]);
    assert!(!bench.path("2.block").exists() && bench.read("2.block.calldata") == b"mine");
    assert_eq!([block, call.clone()], ["1.block", "1.block.calldata"].map(|name| bench.read(name)));
    // Other bytes, from the selector to the payload's padding.
    for at in (2..call.len() - 1).step_by(call.len() / 12).chain([call.len() - 2]) {
        let mut bad = call.clone();
        bad[at] = if bad[at] == b'1' { b'2' } else { b'1' };
        bench.write("bad", &bad);
        run(&["verify", "replica", "bad"], &[]).is(1, &["bad", "the proof is refused"]);
    }
    bench.write("bad", &call[..call.len() - 3]);
    run(&["verify", "replica", "bad"], &[]).is(1, &["no call of the contract"]);
    // Another head, address and EVM chain; a block, which is no call; a call, which is no block nor one for a root.
    run(&["verify", "replica", "1.block.calldata"], &["--head", after]).is(1, &[QUOTIENT]);
    for other in ["elsewhere", "fork"] {
        run(&["verify", other, "1.block.calldata"], &[]).is(1, &[QUOTIENT]);
    }
    run(&["verify", "replica", "1.block"], &[]).is(2, &["no call of a contract"]);
    bench.run(&["ledger", "verify", "replica", "1.block.calldata"]).is(2, &["no block"]);
    let root = ["ledger", "verify", "replica", "1.block.calldata", "--root"];
    bench.run(&root).is(1, &["no call of the contract with a root"]);
    // Behind the call: what was proven before is stale, and the next one starts from the head that was printed.
    for node in ["op", "replica"] {
        bench.ok(&["ledger", "apply", node, "1.block"]);
    }
    run(&["verify", "replica", "1.block.calldata"], &["--head", before]).is(1, &[VALUES]);
    run(&["verify", "replica", "1.block.calldata"], &["--head", after]).is(1, &[VALUES]);
    pay(bench, "op", "7");
    let next = json(&["prove", "op", "-o", "3.block"], &["--head", after]);
    assert_eq!(next["before"], after);
    let domain = hex(&Node::rules(&bench.path("op")).unwrap().domain().word());
    let address = evm(domain, after);
    let verified = json(&["verify", "replica", "3.block.calldata"], &["--rpc", &address]);
    assert_eq!(verified["after"], next["after"]);
    bench.run(&["ledger", "verify", "replica", "3.block"]).is(0, &["valid:"]);
}
