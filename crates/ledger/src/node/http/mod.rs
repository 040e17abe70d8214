//! A node over HTTP/1.1: what replicas pull, what clients ask, and transactions that come from elsewhere. (notes: ledger-http)
//!
//! ```text
//!  connection ─► head, at most 8 KiB ─► endpoint ─► view of the state ─► answer, and the end of the connection
//! ```
//! There is no TLS and no authentication: on this machine alone, requests that a browser was made to send by a page of another host are refused. The directory is taken when the log has been written and for no longer than reading it takes; blocks are read from the log
//! beside whoever has the directory, and transactions are files of the inbox. What a client sends is bounded in length and time, and one connection is one request.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod counts;
mod request;
mod view;

use std::io::{self, ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use serde_json::json;

use self::answer::Answer;
use self::counts::Counts;
use self::request::{Head, Method, Timed, Unread};
use self::view::Views;
use super::describe::{describe, describe_account, hex};
use super::{Inbox, Keys, Node, NodeError, file, submit};
use crate::codec::Canonical;
use crate::machine::{Domain, Machine};

/// The time between two looks for a connection.
const PAUSE: Duration = Duration::from_millis(10);

/// The bounds of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time; further ones are answered with 503.
    pub connections: usize,
    /// The time for a request to arrive.
    pub request: Duration,
    /// The time for an answer to be taken.
    pub answer: Duration,
    /// Transactions that may wait, for the service to take another one.
    pub waiting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let [request, answer] = [10, 60].map(Duration::from_secs);
        Self { connections: 64, request, answer, waiting: 4096 }
    }
}

/// The events of a service, for whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// A transaction waits now.
    Accepted {
        /// The account that sends.
        from: u32,
        /// The number of the transaction.
        nonce: u32,
    },
    /// Requests fail, for a reason that is the node's; another one than before.
    Failed(String),
}

/// A callback for events, from any thread.
type Each<'a> = &'a (dyn Fn(Served) + Sync);

/// A node's directory as a service.
pub struct Service {
    keys: Keys,
    limits: Limits,
    domain: Domain,
    genesis: (crate::store::Digest, Arc<[u8]>),
    views: Views,
    counts: Counts,
    /// Requests by another name than one of this machine's own are answered.
    public: bool,
    /// The inbox is read by one request at a time.
    inbox: Mutex<Inbox>,
    failure: Mutex<String>,
}

/// A connection that is counted.
struct Slot<'a>(&'a AtomicUsize);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl core::fmt::Debug for Service {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Service").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Service {
    /// Of the node in a directory; its status names the keys of a folder. Requests are answered that name this machine by a loopback name: a page in
    /// a browser of this machine reaches it by a name of its own that is made to point here.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened. Another process may have it meanwhile.
    pub fn new(path: &Path, keys: &Keys, limits: Limits) -> Result<Self, NodeError> {
        let genesis = Node::genesis(path)?;
        let (domain, bytes) = (genesis.machine.domain(), genesis.to_bytes());
        let digest = crate::store::digest(&[0; 32], 0, &bytes);
        Ok(Self {
            keys: keys.clone(),
            limits,
            domain,
            genesis: (digest, bytes.into()),
            views: Views::new(path, digest)?,
            counts: Counts::default(),
            public: false,
            inbox: Mutex::new(Node::inbox(path)?),
            failure: Mutex::default(),
        })
    }

    /// The same for requests by any name, as a service has that other machines reach, or a proxy.
    #[must_use]
    pub fn public(self) -> Self {
        Self { public: true, ..self }
    }

    /// Answers connections until `stop`; then answers that are on their way have a second.
    ///
    /// # Errors
    /// If the listener is of no use.
    pub fn run(&self, listener: &TcpListener, stop: &AtomicBool, each: Each<'_>) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let open = AtomicUsize::new(0);
        let mut failed = false;
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => self.begin(scope, stream, (&open, stop), each),
                    // Nobody is there; or who was is gone, or there are no files to be had for a while.
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) => {
                        let fails = !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionAborted);
                        if fails && !failed {
                            self.fail(&format!("no connection can be taken: {e}"), each);
                        }
                        failed = fails;
                        thread::sleep(PAUSE);
                    }
                }
            }
        });
        Ok(())
    }

    fn begin<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        stream: TcpStream,
        (open, stop): (&'s AtomicUsize, &'s AtomicBool),
        each: Each<'s>,
    ) {
        let count = open.fetch_add(1, Ordering::AcqRel);
        let slot = Slot(open);
        if count >= self.limits.connections {
            return self.turn_away(&stream);
        }
        // On some systems it is as its listener is.
        if stream.set_nonblocking(false).is_err() {
            return;
        }
        let spawned = thread::Builder::new().spawn_scoped(scope, move || {
            let _slot = slot;
            self.connection(&stream, stop, each);
        });
        if let Err(e) = spawned {
            self.fail(&format!("no thread for a connection: {e}"), each);
        }
    }

    /// Answers that there is no room, as far as that can be done at once.
    fn turn_away(&self, mut stream: &TcpStream) {
        self.counts.request("other", 503);
        if stream.set_nonblocking(true).is_ok() {
            let answer = Answer::refused(503, "too many connections: try again later");
            // What was sent is read, or the answer may be lost with the connection.
            let _ = stream.read(&mut [0; 8192]);
            let _ = answer.write(&mut stream, false);
        }
    }

    fn connection(&self, stream: &TcpStream, stop: &AtomicBool, each: Each<'_>) {
        let mut timed = Timed::new(stream, self.limits.request, stop);
        let read = Head::read(&mut timed);
        let without_body = read.as_ref().is_ok_and(|head| head.method == Method::Head);
        let answered = read.map_err(|unread| ("other", unread)).and_then(|head| {
            let (endpoint, number) = endpoint(&head.target);
            let answer = self.answer(head, (endpoint, number), &mut timed, each);
            answer.map(|answer| (endpoint, answer)).map_err(|unread| (endpoint, unread))
        });
        let (endpoint, answer) = match answered {
            Ok(answered) => answered,
            Err((endpoint, Unread::Refused(status, why))) => (endpoint, Answer::refused(status, why)),
            Err((_, Unread::Gone)) => return,
        };
        self.counts.request(endpoint, answer.status);
        let mut timed = Timed::new(stream, self.limits.answer, stop);
        if answer.write(&mut timed, without_body).is_ok() {
            timed.end();
        }
    }

    /// The answer to a request.
    fn answer(
        &self,
        head: Head,
        (endpoint, number): (&'static str, u64),
        stream: &mut impl Read,
        each: Each<'_>,
    ) -> Result<Answer, Unread> {
        if let Some(refused) = self.foreign(&head) {
            return Ok(refused);
        }
        let allow = match endpoint {
            "other" => return Ok(Answer::refused(404, "nothing is there")),
            "transactions" => "POST",
            _ => "GET",
        };
        match (head.method, allow) {
            (Method::Post, "POST") => {
                let body = head.body(stream, file::MAX_TRANSACTION_FILE)?;
                return Ok(self.submit(&body, each));
            }
            (Method::Get, "GET") => {}
            _ => return Ok(Answer::other_method(allow)),
        }
        if head.length.is_some_and(|length| length > 0) {
            return Err(Unread::Refused(400, "the request has a body, and none belongs there"));
        }
        let found = match endpoint {
            "health" => Ok(self.health(each)),
            "metrics" => Ok(self.metrics()),
            "status" => self.status(),
            "genesis" => Ok(Answer::shared(Arc::clone(&self.genesis.1))),
            "blocks" => self.block(number),
            _ => self.account(number),
        };
        Ok(found.unwrap_or_else(|e| self.unavailable(&e, each)))
    }

    /// Refuses what a page of another host has a browser ask: reading by a name that is made to point here, and sending from wherever it is.
    fn foreign(&self, head: &Head) -> Option<Answer> {
        let why = if self.public {
            return None;
        } else if !head.to_loopback {
            "the header Host names no loopback address of this machine: ask by localhost, 127.0.0.1 or [::1], or serve with --public"
        } else if head.method == Method::Post && !head.from_loopback {
            "the header Origin is that of a page of another host, which sends nothing here: serve with --public if it may"
        } else {
            return None;
        };
        Some(Answer::refused(403, why))
    }

    /// Health is that the state is had and the last record of the log is what it was.
    fn health(&self, each: Each<'_>) -> Answer {
        let found = self.views.view().and_then(|view| self.views.check_last(&view).map(|()| view.height()));
        match found {
            Ok(height) => Answer::json(200, &json!({ "healthy": true, "height": height })),
            Err(e) => {
                self.fail(&e.to_string(), each);
                Answer::json(503, &json!({ "healthy": false, "error": e.to_string() }))
            }
        }
    }

    fn metrics(&self) -> Answer {
        let view = self.views.view().ok();
        let waiting = self.inbox().count(usize::MAX).ok();
        Answer::metrics(self.counts.text(view.as_deref(), waiting))
    }

    fn status(&self) -> Result<Answer, NodeError> {
        let view = self.views.view()?;
        let inbox = self.inbox();
        let value = describe((&view.chain, &self.genesis.0), &inbox, &self.keys, None)?;
        Ok(Answer::json(200, &value))
    }

    fn block(&self, number: u64) -> Result<Answer, NodeError> {
        let height = self.views.view()?.height();
        if number == 0 || number > height {
            return Ok(Answer::refused(404, &format!("there are blocks from 1 to {height}")));
        }
        self.views.block(number).map(Answer::bytes)
    }

    fn account(&self, number: u64) -> Result<Answer, NodeError> {
        let (view, none) = (self.views.view()?, || Ok(Answer::refused(404, "there is no such account")));
        let Ok(number) = u32::try_from(number) else { return none() };
        let (tip, account) = (view.chain.tip(), describe_account(&view.chain, number));
        match account {
            Err(NodeError::NoAccount(_)) => none(),
            account => Ok(Answer::json(
                200,
                &json!({ "height": tip.height, "root": hex(&tip.root), "account": account? }),
            )),
        }
    }

    /// Has a transaction wait.
    fn submit(&self, bytes: &[u8], each: Each<'_>) -> Answer {
        let tried = file::decode_transaction(&self.domain, bytes).and_then(|signed| {
            let view = self.views.view()?;
            let inbox = self.inbox();
            // Sent once more it takes no room, and nothing has happened.
            let waits = inbox.find(&signed).is_some();
            if !waits && inbox.count(self.limits.waiting)? >= self.limits.waiting {
                return Ok(None);
            }
            submit::accept(&view.chain, &inbox, &signed)?;
            Ok(Some((signed.transaction, waits)))
        });
        let refused = |status, why: &str| {
            self.counts.refuse();
            Answer::refused(status, why)
        };
        match tried {
            Ok(Some((transaction, waits))) => {
                let (from, nonce) = (transaction.from.0, transaction.nonce);
                if !waits {
                    each(Served::Accepted { from, nonce });
                }
                Answer::json(202, &json!({ "from": from, "nonce": nonce }))
            }
            Ok(None) => refused(503, "as many transactions wait as may: try again later"),
            Err(e @ NodeError::TooMany { .. }) => refused(429, &e.to_string()),
            Err(e @ (NodeError::Transaction(_) | NodeError::File { .. } | NodeError::OtherChain(_))) => {
                refused(400, &e.to_string())
            }
            Err(e) => self.unavailable(&e, each),
        }
    }

    fn inbox(&self) -> std::sync::MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer where the node fails: why is said to whoever runs the service.
    fn unavailable(&self, e: &NodeError, each: Each<'_>) -> Answer {
        self.fail(&e.to_string(), each);
        Answer::refused(503, "the node cannot do this now: whoever runs it is told why")
    }

    /// Tells a failure, once in a row.
    fn fail(&self, why: &str, each: Each<'_>) {
        let mut last = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != why {
            why.clone_into(&mut last);
            each(Served::Failed(last.clone()));
        }
    }
}

/// The endpoint of a target, to the letter, and the number behind it.
fn endpoint(target: &str) -> (&'static str, u64) {
    let name = target.strip_prefix('/').unwrap_or_default();
    if let Some(plain) =
        ["health", "metrics", "status", "genesis", "transactions"].iter().find(|of| **of == name)
    {
        return (plain, 0);
    }
    for (prefix, endpoint) in [("blocks/", "blocks"), ("accounts/", "accounts")] {
        let digits = name.strip_prefix(prefix);
        let digits =
            digits.filter(|d| d.bytes().all(|c| c.is_ascii_digit()) && (*d == "0" || !d.starts_with('0')));
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            return (endpoint, number);
        }
    }
    ("other", 0)
}
