//! `ledger follow` and EVM nodes over HTTP: one that answers, and ones that are enemies.

use std::io::{Read, Write};
use std::net::TcpListener;

use ::ledger::machine::Machine;
use ::ledger::node::Node;
use serde_json::{Value, json};

use super::bench::Bench;
use crate::json_page::check;

/// A node `a` of a chain with a contract.
fn chain() -> Bench {
    let bench = Bench::new("");
    bench.ok(&["ledger", "keygen", "-o", "alice.key"]);
    let genesis = r#"{ "chain": 7, "accounts": [ { "key": "alice.key.pub", "balance": 1000 } ],
        "contract": { "chain_id": 31337, "address": "0x0707070707070707070707070707070707070707" } }"#;
    bench.write("genesis.json", genesis.as_bytes());
    bench.ok(&["ledger", "init", "a", "--genesis", "genesis.json"]);
    bench
}

/// Answers each connection with these bytes, made from the question's body. Returns the address.
pub fn serve(answer: impl Fn(&[u8]) -> Vec<u8> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut question) = (stream.unwrap(), Vec::new());
            let body = loop {
                let mut part = [0; 4096];
                let count = stream.read(&mut part).unwrap();
                question.extend(&part[..count]);
                let end = question.windows(4).position(|window| window == b"\r\n\r\n");
                let Some(end) = end.map(|end| end + 4) else { continue };
                let head = String::from_utf8_lossy(&question[..end]).to_lowercase();
                let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap();
                if question.len() - end >= length.parse().unwrap() {
                    break question.split_off(end);
                }
            };
            // Whoever has read enough goes away.
            let _ = stream.write_all(&answer(&body));
        }
    });
    address
}

pub fn http(body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// An EVM node whose contract has accepted nothing, and has a root.
fn evm(domain: String, root: String) -> String {
    serve(move |body| {
        let question: Value = serde_json::from_slice(body).unwrap();
        let result = match question["method"].as_str().unwrap() {
            "eth_chainId" => "0x7a69".into(),
            "eth_getBlockByNumber" => json!({ "number": "0x5", "hash": format!("0x{}", "11".repeat(32)) }),
            "eth_getCode" => "0x60".into(),
            // The selector of `root()`.
            "eth_call" if question["params"][0]["data"] == "0xebf0c717" => root.clone().into(),
            "eth_call" => domain.clone().into(),
            other => panic!("{other}"),
        };
        http(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }).to_string().as_bytes())
    })
}

#[test]
fn a_node_at_the_root_of_its_contract_has_followed_it() {
    let bench = chain();
    let hex = |bytes: &[u8]| bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"));
    let domain = hex(&Node::rules(&bench.path("a")).unwrap().domain().word());
    let root = bench.json(&["ledger", "status", "a", "--root"])["contract_root"].as_str().unwrap().to_owned();
    let address = evm(domain.clone(), format!("0x{root}"));
    let followed = bench.json(&["ledger", "follow", "a", "--rpc", &address]);
    check("ledger follow", &followed);
    assert_eq!(
        (&followed["block"], &followed["applied"], &followed["contract_root"]),
        (&5.into(), &0.into(), &root.into())
    );
    let prove = ["ledger", "prove", "a", "--root", "--rpc"];
    // The contract has this node's root, and nothing waits to be proven.
    bench.run(&[&prove[..], &[&address]].concat()).is(2, &["no transaction waits"]);
    // Another root: before events are read the key is asked for.
    let address = evm(domain, hex(&[1; 32]));
    bench.run(&["ledger", "follow", "a", "--rpc", &address]).is(2, &["no verifying key", "setup"]);
    bench.run(&[&prove[..], &[&address]].concat()).is(1, &["it would refuse the call", "ledger follow"]);
    let other = evm(hex(&[1; 32]), hex(&[1; 32]));
    bench.run(&["ledger", "follow", "a", "--rpc", &other]).is(2, &["not that of this ledger"]);
}

#[test]
fn enemies_at_the_other_end_are_errors() {
    let bench = chain();
    let cases: [(Vec<u8>, &str); 6] = [
        (http(b"<html>"), "no JSON"),
        (http(&vec![b' '; (1 << 22) + 1]), "longer than 4 MiB"),
        (b"HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(), "status 307"),
        (b"HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(), "500"),
        (b"\xff\xff\xff\xff\r\n\r\n".to_vec(), "no answer to eth_chainId"),
        (vec![], "no answer to eth_chainId"),
    ];
    for (answer, said) in cases {
        let address = serve(move |_| answer.clone());
        let ran = bench.run(&["ledger", "follow", "a", "--rpc", &format!("{address}/secret")]);
        ran.is(4, &[said]);
        assert!(!ran.err.contains("secret"), "{ran:?}");
    }
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    drop(silent);
    bench.run(&["ledger", "follow", "a", "--rpc", &address]).is(4, &["no answer", "--rpc"]);
    let named = bench.run(&["ledger", "follow", "a", "--rpc", "http://me:secret@127.0.0.1:8545/"]);
    named.is(2, &["--rpc has a user or a password", "hint: "]);
    assert!(!named.err.contains("secret"), "{named:?}");
    for address in ["https://example.org", "127.0.0.1:8545", "http://", "file:///etc/passwd"] {
        bench.run(&["ledger", "follow", "a", "--rpc", address]).is(2, &["hint: "]);
    }
}
