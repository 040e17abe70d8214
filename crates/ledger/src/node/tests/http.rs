//! A node over HTTP: its endpoints, beside others who have the directory, and clients that are enemies.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::Value;

use super::*;

/// A service that runs until this value is dropped.
struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    events: Arc<Mutex<Vec<Served>>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Running {
    fn new(path: &Path, limits: Limits) -> Self {
        Self::of(Service::new(path, &keys(path), limits).unwrap())
    }

    fn of(service: Service) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, events) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
        let (theirs, told): (_, Arc<Mutex<Vec<_>>>) = (Arc::clone(&stop), Arc::clone(&events));
        let run = move || service.run(&listener, &theirs, &|event| told.lock().unwrap().push(event));
        Self { address, stop, events, thread: Some(std::thread::spawn(run)) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The status and the body of the answer to these bytes, and its head.
    fn raw(&self, bytes: &[u8]) -> (u16, Vec<u8>, String) {
        let mut stream = self.connect();
        // Whoever has read enough answers and goes away.
        let _ = stream.write_all(bytes);
        answer(stream)
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let (status, body, _) =
            self.raw(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        (status, body)
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    fn post(&self, body: &[u8]) -> (u16, String) {
        let head = format!(
            "POST /transactions HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let (status, body, _) = self.raw(&[head.as_bytes(), body].concat());
        (status, String::from_utf8(body).unwrap())
    }

    fn metrics(&self) -> String {
        String::from_utf8(self.get("/metrics").1).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// All that comes, up to the end of the connection; status 0 if it was reset before, which who is turned away may see.
fn answer(mut stream: TcpStream) -> (u16, Vec<u8>, String) {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return (0, bytes, String::new());
    };
    let end = end + 4;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    (head[9..12].parse().unwrap(), bytes.split_off(end), head)
}

fn keys(path: &Path) -> Keys {
    Keys::new(&Node::keys_folder(path), false)
}

impl Setting {
    /// The file of a signed transfer, with any nonce.
    fn file(&self, from: u32, nonce: u32) -> Vec<u8> {
        let operation = Operation::Transfer { to: Index(2), amount: 1, memo: 0 };
        let transaction = Transaction { from: Index(from), nonce, operation };
        let machine = *self.node.replica().chain().machine();
        let signature = self.workload.secret(from).sign(&machine.domain(), &machine.message(&transaction));
        file::encode_transaction(&machine.domain(), &Signed { transaction, signature })
    }
}

#[test]
fn endpoints_answer_beside_who_has_the_directory() {
    let s = Setting::new();
    let (path, first, second) = (s.path("node"), s.file(1, 0), s.file(1, 1));
    let described = s.node.describe(&keys(&path), None).unwrap();
    let Setting { folder: _folder, node, .. } = s;
    // The directory is another process's when the service begins.
    let running = Running::new(&path, Limits::default());
    assert_eq!((running.get("/status").0, running.get("/health").0), (503, 503));
    assert_eq!(running.get("/genesis"), (200, fs::read(path.join("genesis")).unwrap()));
    drop(node);
    assert_eq!(running.json("/health")["height"], 0);
    assert_eq!(running.json("/status"), described);
    assert_eq!((running.get("/blocks/0").0, running.get("/blocks/1").0), (404, 404));
    assert_eq!(running.get("/accounts/77").0, 404);
    let (status, said) = running.post(&first);
    assert_eq!((status, &*said), (202, "{\"from\":1,\"nonce\":0}\n"));
    assert_eq!(running.events.lock().unwrap().last(), Some(&Served::Accepted { from: 1, nonce: 0 }));
    assert!(running.metrics().contains("tenfold_ledger_waiting_transactions 1\n"));
    // A block is made and applied beside the service, and served when the directory is free again.
    let mut node = Node::open(&path).unwrap();
    let content = node.plain(node.waiting().unwrap().transactions).unwrap().0;
    let bytes = node.block(content);
    let block = node.read_block(&bytes).unwrap();
    node.apply(&block, &NoBatches).unwrap();
    assert_eq!((running.get("/blocks/1").0, running.json("/health")["height"].clone()), (404, 0.into()));
    drop(node);
    assert_eq!(running.get("/blocks/1"), (200, bytes.clone()));
    // What was seen is served while another process has the directory, and transactions are taken.
    let node = Node::open(&path).unwrap();
    assert_eq!((running.get("/blocks/1"), running.get("/blocks/2").0), ((200, bytes), 404));
    assert_eq!(running.json("/status"), node.describe(&keys(&path), None).unwrap());
    let account = running.json("/accounts/1");
    assert_eq!((&account["height"], &account["account"]["nonce"]), (&1.into(), &1.into()));
    assert_eq!(running.post(&second).0, 202);
    assert_eq!(node.waiting().unwrap().transactions.len(), 1);
    let metrics = running.metrics();
    for line in [
        "height 1",
        "http_requests_total{endpoint=\"blocks\",status=\"200\"} 2",
        "refused_transactions_total 0",
    ] {
        assert!(metrics.contains(&format!("tenfold_ledger_{line}\n")), "{line}: {metrics}");
    }
    assert!(metrics.contains("tenfold_ledger_seconds_since_last_block "), "{metrics}");
}

/// Beyond the records whose places are remembered, and when another log is in its place.
#[test]
fn any_block_of_a_long_log_is_served() {
    let mut s = Setting::new();
    let mut all = vec![];
    for _ in 0..130 {
        let block = s.next(Content::Empty);
        all.push(s.node.block(Content::Empty));
        s.node.replica.apply(&block, &NoBatches).unwrap();
    }
    let path = s.path("node");
    let Setting { folder: _folder, node, workload } = s;
    drop(node);
    let running = Running::new(&path, Limits::default());
    for height in [130, 1, 64, 63, 129, 65, 128] {
        assert_eq!(running.get(&format!("/blocks/{height}")), (200, all[height - 1].clone()), "{height}");
    }
    // Another ledger of the chain, with fewer and other blocks.
    fs::remove_dir_all(&path).unwrap();
    let mut node = Node::init(&path, workload.genesis(PARAMS)).unwrap();
    let claim = node.claim(0, workload.secret(1)).unwrap();
    let other = node.block(claim);
    let block = node.read_block(&other).unwrap();
    node.apply(&block, &NoBatches).unwrap();
    drop(node);
    assert_eq!((running.get("/blocks/1"), running.get("/blocks/2").0), ((200, other), 404));
    // One of another chain is not served.
    fs::remove_dir_all(&path).unwrap();
    drop(Node::init(&path, Workload::new(8, 6, 1).genesis(PARAMS)).unwrap());
    assert_eq!((running.get("/status").0, running.get("/health").0), (503, 503));
}

#[test]
fn transactions_are_refused_as_by_submit() {
    let s = Setting::new();
    let (path, domain) = (s.path("node"), s.node.replica().chain().machine().domain());
    let all: Vec<_> = (0..4).map(|nonce| s.file(3, nonce)).collect();
    let forged = file::encode_transaction(&domain, &s.forged(0, 0, 0));
    let first = s.file(4, 0);
    s.inbox().put(&file::decode_transaction(&domain, &first).unwrap()).unwrap();
    for nonce in 1..1024 {
        fs::write(path.join(format!("inbox/{nonce}.transaction")), s.file(4, nonce)).unwrap();
    }
    let late = s.file(4, 1024);
    let other = file::encode_transaction(&crate::machine::Domain([1; 31]), &s.forged(0, 0, 0));
    let Setting { folder: _folder, node, .. } = s;
    drop(node);
    let running = Running::new(&path, Limits { waiting: 1026, ..Limits::default() });
    for (bytes, said) in [
        (forged, "not that of account 0"),
        (other, "of another chain"),
        (all[0][..all[0].len() - 1].to_vec(), "no transaction"),
        (vec![], "no transaction"),
        (vec![0; 512], "no transaction"),
    ] {
        let (status, why) = running.post(&bytes);
        let why: Value = serde_json::from_str(&why).unwrap();
        assert!(status == 400 && why["error"].as_str().unwrap().contains(said), "{status} {why}");
    }
    assert_eq!(running.post(&late).0, 429, "the account's room");
    assert_eq!([0, 1, 2].map(|nonce| running.post(&all[nonce]).0), [202, 202, 503], "everybody's");
    let told = running.events.lock().unwrap().len();
    // Those that wait do so still, wherever there is no room.
    let again = [&all[0], &all[1], &first].map(|bytes| running.post(bytes).0);
    assert_eq!((again, running.events.lock().unwrap().len()), ([202; 3], told), "sent once more");
    assert!(running.metrics().contains("tenfold_ledger_refused_transactions_total 7\n"));
    assert_eq!(fs::read_dir(path.join("inbox")).unwrap().count(), 1026);
}

/// A page in a browser asks by a name of its own that is made to point here; behind a proxy every name is a client's.
#[test]
fn pages_of_other_hosts_are_refused_unless_the_service_is_public() {
    let s = Setting::new();
    let path = s.path("node");
    let Setting { folder: _folder, node, .. } = s;
    drop(node);
    let service = || Service::new(&path, &keys(&path), Limits::default()).unwrap();
    let by_name = b"GET /status HTTP/1.1\r\nHost: a.example\r\n\r\n";
    let page = b"POST /transactions HTTP/1.1\r\nHost: [::1]:1\r\nOrigin: http://a.example\r\nContent-Length: 1\r\n\r\na";
    let running = Running::of(service());
    for (bytes, says) in
        [(&by_name[..], "the header Host names no loopback address"), (page, "the header Origin")]
    {
        let (status, body, head) = running.raw(bytes);
        assert!(status == 403 && head.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{head}");
        assert!(String::from_utf8(body).unwrap().contains(says), "{says}");
    }
    assert_eq!(running.get("/status").0, 200);
    drop(running);
    let public = Running::of(service().public());
    // That it is no transaction is all that is wrong with it.
    assert_eq!((public.raw(by_name).0, public.raw(page).0), (200, 400));
}

#[test]
fn requests_of_enemies_are_refused() {
    let s = Setting::new();
    let path = s.path("node");
    let Setting { folder: _folder, node, .. } = s;
    drop(node);
    let running = Running::new(&path, Limits::default());
    let post = |more: &str| format!("POST /transactions HTTP/1.1\r\nHost: localhost\r\n{more}\r\n");
    let get = |more: &str| format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{more}\r\n");
    let long = "a".repeat(9000);
    let cases: Vec<(String, u16)> = vec![
        (get(""), 200),
        ("GET /health HTTP/1.0\r\n\r\n".into(), 200),
        ("GET /health HTTP/1.1\r\n\r\n".into(), 400),
        (get("Host: b\r\n"), 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".into(), 403),
        ("GET /none HTTP/1.1\r\nHost: 10.0.0.1:8645\r\n\r\n".into(), 403),
        ("GET /health HTTP/1.0\r\nHost: localhost\r\nHost: a\r\n\r\n".into(), 403),
        ("GET http://localhost/health HTTP/1.1\r\nHost: a\r\n\r\n".into(), 403),
        ("POST /transactions HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na".into(), 403),
        (post("Origin: http://a\r\nContent-Length: 1\r\n") + "a", 403),
        (post("Origin: null\r\nContent-Length: 1\r\n") + "a", 403),
        (post("Origin: http://127.0.0.1:3000\r\nContent-Length: 1\r\n") + "a", 400),
        (get("Origin: http://a\r\n"), 200),
        ("GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n".into(), 505),
        ("GET /health\r\n\r\n".into(), 400),
        ("\r\n\r\n".into(), 400),
        ("\u{0}\u{ff}\r\n\r\n".into(), 400),
        (get("Cookie: \u{0}\r\n"), 400),
        (get(" folded\r\n"), 400),
        (get("Content-Length : 0\r\n"), 400),
        (get(&format!("Cookie: {long}\r\n")), 431),
        (format!("GET /{long}"), 431),
        (get(&"A: b\r\n".repeat(70)), 431),
        (get("Content-Length: 0\r\n"), 200),
        (get("Content-Length: 5\r\n"), 400),
        (get("Transfer-Encoding: chunked\r\n"), 411),
        (post(""), 411),
        (post("Content-Length: 513\r\n"), 413),
        (post("Content-Length: 99999999999999999999999999999999\r\n"), 413),
        (post("Content-Length: 18446744073709551616\r\n"), 413),
        (post("Content-Length: -1\r\n"), 400),
        (post("Content-Length: +1\r\n"), 400),
        (post("Content-Length: 1, 1\r\n"), 400),
        (post("Content-Length: 0x1\r\n"), 400),
        (post("Content-Length:\r\n"), 400),
        (post("Content-Length: 1\r\nContent-Length: 1\r\n") + "a", 400),
        (post("Content-Length: 1\r\ncontent-length: 2\r\n") + "a", 400),
        (post("Transfer-Encoding: chunked\r\n") + "1\r\na\r\n0\r\n\r\n", 411),
        (post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n") + "a", 400),
        (post("Content-Length: 1\r\nExpect: 100-continue\r\n"), 417),
    ];
    for (request, status) in &cases {
        let (found, body, _) = running.raw(request.as_bytes());
        assert_eq!(found, *status, "{request:?}: {}", String::from_utf8_lossy(&body));
    }
    for path in [
        "/",
        "//health",
        "/health/",
        "/./health",
        "/a/../health",
        "/health?a",
        "/health#a",
        "/%68ealth",
        "/HEALTH",
        "http://a/health",
        "*",
        "/blocks",
        "/blocks/",
        "/blocks/01",
        "/blocks/+1",
        "/blocks/-1",
        "/blocks/1/",
        "/blocks/99999999999999999999",
        "/accounts/4294967296",
        "/accounts/../health",
        "/../../etc/passwd",
    ] {
        assert_eq!(running.get(path).0, 404, "{path}");
    }
    for (line, allow) in [
        ("DELETE /health", "GET"),
        ("POST /status", "GET"),
        ("OPTIONS /blocks/1", "GET"),
        ("GET /transactions", "POST"),
        ("get /health", "GET"),
        ("PRI /genesis", "GET"),
    ] {
        let (status, _, head) = running.raw(format!("{line} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        assert!(status == 405 && head.contains(&format!("\r\nallow: {allow}\r\n")), "{line}: {head}");
    }
    let (status, body, _) = running.raw(b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!((status, body.len()), (405, 0), "an answer about the head has no body");
    // Of requests behind each other the first is answered, and the connection is over.
    let (status, body, _) = running.raw(get("").repeat(3).as_bytes());
    assert_eq!((status, body.split(|c| *c == b'\n').count()), (200, 2), "one line");
    // Whoever goes away in the midst of a request is no request.
    for part in ["GET /hea".to_owned(), post("Content-Length: 9\r\n") + "abc"] {
        let mut stream = running.connect();
        stream.write_all(part.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(stream.read(&mut [0; 9]).unwrap(), 0);
    }
    assert!(running.events.lock().unwrap().is_empty(), "no fault of the node's");
    assert!(!path.join("inbox").exists());
}

#[test]
fn slow_and_many_connections_keep_nobody_out_for_long() {
    let s = Setting::new();
    let path = s.path("node");
    let Setting { folder: _folder, node, .. } = s;
    drop(node);
    let short = Duration::from_millis(300);
    let running = Running::new(&path, Limits { connections: 2, request: short, ..Limits::default() });
    // Two that say nothing, and a third one, which is seen before these are over but on a machine that stands still.
    let third = (0..100).map(|_| {
        let _both = [running.connect(), running.connect()];
        answer(running.connect())
    });
    let (_, _, full) = third.into_iter().find(|(status, ..)| *status == 503).unwrap();
    assert!(full.contains("retry-after"), "{full}");
    // One byte after the other.
    let mut slow = running.connect();
    let goes_on = |_| {
        std::thread::sleep(Duration::from_millis(20));
        slow.write_all(b"G").is_ok()
    };
    assert!(!(0..1000).all(goes_on), "the connection is over");
    assert!((0..100).any(|_| answer(running.connect()).0 == 408), "nothing at all");
    while running.get("/health").0 != 200 {}
    // The service ends, whoever is connected.
    let _open = [running.connect(), running.connect()];
    drop(running);
}

#[test]
fn a_damaged_log_is_no_health() {
    let mut s = Setting::new();
    let block = s.next(Content::Empty);
    s.node.apply(&block, &NoBatches).unwrap();
    let path = s.path("node");
    let Setting { folder: _folder, node, .. } = s;
    drop(node);
    let running = Running::new(&path, Limits::default());
    assert_eq!(running.get("/health").0, 200);
    let mut log = fs::read(path.join("log")).unwrap();
    *log.last_mut().unwrap() ^= 1;
    fs::write(path.join("log"), &log).unwrap();
    for _ in 0..2 {
        let (status, body) = running.get("/health");
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert!(status == 503 && body["error"].as_str().unwrap().contains("damaged"), "{status} {body}");
    }
    let (status, body) = running.get("/blocks/1");
    assert!(status == 503 && !String::from_utf8(body).unwrap().contains("node/"), "no paths for strangers");
    assert_eq!(running.events.lock().unwrap().len(), 1, "said once");
    log.truncate(3);
    fs::write(path.join("log"), &log).unwrap();
    assert_eq!(running.get("/health").0, 503);
    assert_eq!(running.get("/metrics").0, 200);
    assert!(Service::new(&path, &keys(&path), Limits::default()).is_err());
}
