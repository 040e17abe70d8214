//! `ledger http` and `ledger pull`: a node over HTTP, a second one that pulls from it, and servers that are enemies.

use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::bench::Bench;
use crate::json_page::check;

/// A node `a`.
fn chain() -> Bench {
    let bench = Bench::new("");
    bench.ok(&["ledger", "keygen", "-o", "alice.key"]);
    let genesis = r#"{ "chain": 7, "accounts": [ { "key": "alice.key.pub", "balance": 1000 },
        { "number": 5, "key": "alice.key.pub", "balance": 1 } ] }"#;
    bench.write("genesis.json", genesis.as_bytes());
    bench.ok(&["ledger", "init", "a", "--genesis", "genesis.json"]);
    bench
}

/// A node of the chain of `a` that has no block.
fn join(bench: &Bench, name: &str) {
    bench.ok(&["ledger", "init", name, "--genesis", "a/genesis"]);
}

/// A block of `a` with what waits, applied.
fn block(bench: &Bench, name: &str, kind: &str) {
    bench.ok(&["ledger", "prove", "a", kind, "-o", name]);
    bench.ok(&["ledger", "apply", "a", name]);
}

/// The service of a node, killed with this value.
pub struct Served {
    child: Child,
    events: serde_json::StreamDeserializer<'static, serde_json::de::IoRead<Box<dyn Read>>, Value>,
    address: String,
}

impl Served {
    pub fn new(bench: &Bench, node: &str, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold"));
        Self::of(bench, command.args(["ledger", "http", node, "--json"]).args(more))
    }

    fn of(bench: &Bench, command: &mut Command) -> Self {
        let mut child = command.current_dir(bench.path("")).stdout(Stdio::piped()).spawn().unwrap();
        let output: Box<dyn Read> = Box::new(BufReader::new(child.stdout.take().unwrap()));
        let mut events = serde_json::Deserializer::from_reader(output).into_iter();
        let first: Value = events.next().unwrap().unwrap();
        check("ledger http", &first);
        assert_eq!(first["event"], "listening");
        let address = first["address"].as_str().unwrap().to_owned();
        Self { child, events, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The status and the body.
    fn ask(&self, line: &str, body: &[u8]) -> (u16, Vec<u8>) {
        self.ask_by(&self.address, line, body)
    }

    /// The same by a name in the header `Host`.
    fn ask_by(&self, host: &str, line: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let head = format!("{line} HTTP/1.1\r\nHost: {host}\r\n{length}\r\n");
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        let status = std::str::from_utf8(&answer[9..12]).unwrap().parse().unwrap();
        (status, answer.split_off(end))
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.ask(&format!("GET {path}"), b"");
        assert_eq!(status, 200, "{path}");
        serde_json::from_slice(&body).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn a_second_node_has_the_root_of_one_over_http() {
    let bench = chain();
    join(&bench, "b");
    let mut served = Served::new(&bench, "a", &["--listen", "127.0.0.1:0"]);
    let sign =
        ["ledger", "sign", "--genesis", "genesis.json", "--key", "alice.key", "--from", "0", "--to", "5"];
    bench.ok(&[&sign[..], &["--nonce", "0", "--amount", "3", "-o", "pay"]].concat());
    assert_eq!(served.ask("POST /transactions", &bench.read("pay")).0, 202);
    let event = served.events.next().unwrap().unwrap();
    check("ledger http", &event);
    assert_eq!(
        (&event["event"], &event["from"], &event["nonce"]),
        (&"accepted".into(), &0.into(), &0.into())
    );
    assert_eq!(served.ask("POST /transactions", b"pay").0, 400);
    // Blocks are made and applied beside the service.
    block(&bench, "1", "--plain");
    let first = bench.json(&["ledger", "pull", "b", "--from", &served.url()]);
    check("ledger pull", &first);
    block(&bench, "2", "--empty");
    block(&bench, "3", "--empty");
    let pulled = bench.json(&["ledger", "pull", "b", "--from", &served.url(), "--every", "1s", "--to", "3"]);
    assert_eq!((&pulled["height"], &pulled["applied"]), (&3.into(), &2.into()));
    let status = served.json("/status");
    check("ledger status", &status);
    let [a, b] = ["a", "b"].map(|node| bench.json(&["ledger", "status", node]));
    assert_eq!((&a, &b["root"], &pulled["root"]), (&status, &a["root"], &a["root"]));
    assert_eq!(served.json("/accounts/5")["account"]["balance"], "4");
    assert_eq!(served.ask("GET /blocks/1", b""), (200, bench.read("1")));
    assert_eq!(served.ask("GET /genesis", b""), (200, bench.read("a/genesis")));
    assert_eq!(served.json("/health")["healthy"], true);
    let killed = Command::new("kill").args(["-TERM", &served.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    let gone = bench.run(&["ledger", "pull", "b", "--from", &served.url()]);
    gone.is(4, &["no answer to /genesis", "hint: --from"]);
}

/// One that serves or follows the node has its directory for moments.
#[test]
fn a_command_waits_for_another_process_that_has_the_directory() {
    let bench = chain();
    let (path, (opened, is_open)) = (bench.path("a"), std::sync::mpsc::channel());
    let other = std::thread::spawn(move || {
        let node = ::ledger::node::Node::open(&path).unwrap();
        opened.send(()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(node);
    });
    is_open.recv().unwrap();
    bench.run(&["ledger", "prove", "a", "--empty", "-o", "1"]).is(0, &["block 1"]);
    other.join().unwrap();
}

/// Without files for connections the service says so, and goes on when there are some.
#[cfg(unix)]
#[test]
fn a_service_without_files_says_so() {
    let bench = chain();
    let script = "ulimit -n 24; exec \"$0\" ledger http a --json --listen 127.0.0.1:0";
    let mut served =
        Served::of(&bench, Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_tenfold")]));
    let silent: Vec<_> = (0..30).map(|_| TcpStream::connect(&served.address).unwrap()).collect();
    let event = served.events.next().unwrap().unwrap();
    check("ledger http", &event);
    assert!(event["error"].as_str().unwrap().starts_with("no connection can be taken: "), "{event}");
    drop(silent);
    assert_eq!(served.json("/health")["healthy"], true);
}

#[test]
fn a_service_that_others_reach_is_asked_for() {
    let bench = chain();
    let served = Served::new(&bench, "a", &["--listen", "127.0.0.1:0"]);
    let (status, body) = served.ask_by("a.example", "GET /status", b"");
    assert!(status == 403 && String::from_utf8(body).unwrap().contains("serve with --public"));
    assert_eq!(served.ask_by("localhost", "GET /status", b"").0, 200);
    drop(served);
    let public = Served::new(&bench, "a", &["--listen", "127.0.0.1:0", "--public"]);
    assert_eq!(public.ask_by("a.example", "GET /status", b"").0, 200);
    drop(public);
    drop(Served::new(&bench, "a", &["--listen", "0.0.0.0:0", "--public"]));
    let open = bench.run(&["ledger", "http", "a", "--listen", "0.0.0.0:0"]);
    open.is(
        2,
        &["0.0.0.0:0 can be reached from other machines", "neither TLS nor authentication", "--public"],
    );
    bench.run(&["ledger", "http", "none", "--listen", "127.0.0.1:0"]).is(2, &["no ledger in this directory"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    bench.run(&["ledger", "http", "a", "--listen", &address]).is(4, &["cannot listen at 127.0.0.1"]);
}

/// Answers each connection with what a function writes for its path.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut question) = (stream.unwrap(), Vec::new());
            while !question.ends_with(b"\r\n\r\n") {
                let mut part = [0; 4096];
                let count = stream.read(&mut part).unwrap_or(0);
                if count == 0 {
                    break;
                }
                question.extend(&part[..count]);
            }
            let question = String::from_utf8_lossy(&question).into_owned();
            answer(question.split(' ').nth(1).unwrap_or_default(), &mut stream);
        }
    });
    address
}

fn send(stream: &mut TcpStream, body: &[u8]) {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}

#[test]
fn servers_of_enemies_are_errors_and_nothing_is_lost() {
    let bench = chain();
    block(&bench, "1", "--empty");
    block(&bench, "2", "--empty");
    let (genesis, first, other) = (bench.read("a/genesis"), bench.read("1"), bench.read("2"));
    type Second = fn(&mut TcpStream);
    let endless: Second = |stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        while stream.write_all(&[b"10000\r\n".as_slice(), &[7; 1 << 16], b"\r\n"].concat()).is_ok() {}
    };
    let hangs: Second = |stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
        let _ = stream.read(&mut [0]);
    };
    let headers: Second = |stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(&b"a: b\r\n".repeat(1000)).is_ok() {}
    };
    let moved: Second = |stream| {
        let _ = stream.write_all(b"HTTP/1.1 307 No\r\nlocation: /genesis\r\ncontent-length: 0\r\n\r\n");
    };
    let cases: [(Second, i32, &str); 6] = [
        (endless, 4, "no answer to /blocks/2: it is longer than 4194368 bytes"),
        (hangs, 4, "no answer to /blocks/2: "),
        (headers, 4, "no answer to /blocks/2: "),
        (moved, 4, "no answer to /blocks/2: status 307"),
        (|stream| send(stream, b"<html>"), 4, "what the other node has as block 2 is none"),
        (|stream| drop(stream.write_all(b"\xff\xff\r\n\r\n")), 4, "no answer to /blocks/2: "),
    ];
    for (at, (second, code, said)) in cases.into_iter().enumerate() {
        let name = format!("n{at}");
        join(&bench, &name);
        let (genesis, first) = (genesis.clone(), first.clone());
        let url = serve(move |path, stream| match path {
            "/prefix/genesis" => send(stream, &genesis),
            "/prefix/blocks/1" => send(stream, &first),
            _ => second(stream),
        });
        let from = format!("{url}/prefix/");
        bench.run(&["ledger", "pull", &name, "--from", &from, "--timeout", "2s"]).is(code, &[said]);
        assert_eq!(bench.json(&["ledger", "status", &name])["height"], 1, "{said}");
    }
    join(&bench, "b");
    let theirs = genesis.clone();
    let url = serve(move |path, stream| send(stream, if path == "/genesis" { &theirs } else { &other }));
    let refused = bench.run(&["ledger", "pull", "b", "--from", &url, "--every", "1"]);
    refused.is(1, &["invalid: block 1 of the other node is refused", "take this one from another node"]);
    let url = serve(move |_, stream| send(stream, &[&genesis[..genesis.len() - 1], &[9]].concat()));
    bench
        .run(&["ledger", "pull", "b", "--from", &url, "--every", "1"])
        .is(2, &["of another chain", "hint: "]);
    let none = ["http://a:70000", "http://a:1;b", "http://a:", "http://a b", "http://[::1"];
    for from in ["https://a", "a:1", "http://", "http://a/?b", "ftp://a"].into_iter().chain(none) {
        bench.run(&["ledger", "pull", "b", "--from", from]).is(2, &["hint: "]);
    }
    let named = bench.run(&["ledger", "pull", "b", "--from", "http://me:secret@127.0.0.1:1/"]);
    named.is(2, &["--from has a user or a password", "hint: "]);
    assert!(!named.err.contains("secret"), "{named:?}");
    bench.run(&["ledger", "pull", "b", "--from", "http://a", "--every", "0"]).is(2, &["a time in seconds"]);
}

/// Answers that may be others in a while are asked for again, with `--every` alone.
#[test]
fn errors_of_a_while_are_tried_again() {
    let bench = chain();
    block(&bench, "1", "--empty");
    join(&bench, "b");
    let (genesis, first) = (bench.read("a/genesis"), bench.read("1"));
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let url =
        serve(move |path, stream| match (path, asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            // The first time by each of both commands.
            (_, 0 | 1) => drop(stream.write_all(b"HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n")),
            ("/genesis", _) => send(stream, &genesis),
            _ => send(stream, &first),
        });
    let pull = ["ledger", "pull", "b", "--from", &url, "--to", "1"];
    bench.run(&pull).is(4, &["no answer to /genesis: status 503", "--every tries again"]);
    let again = bench.run(&[&pull[..], &["--every", "1s"]].concat());
    again.is(0, &["not now: no answer to /genesis: status 503", "pulled: 1 blocks applied, height 1"]);
}
