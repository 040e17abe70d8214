//! `ledger http`: a node that others reach over HTTP.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::HttpArgs;
use crate::exit::{Exit, Failure};
use crate::interrupts;
use crate::output;
use crate::terminal;
use ledger::node::{Limits, Served, Service};

/// Events that wait for whoever reads the output; further ones are lost.
const MOST_EVENTS: usize = 1024;

/// The time for the last events to be read.
const LAST_EVENTS: Duration = Duration::from_secs(1);

/// Does something whose events are said by a thread of their own, so that a pipe that nobody reads holds up no request, and not the end. With what
/// was done: whether all events were said.
fn telling<R>(
    mut say: impl FnMut(&Served) + Send + 'static,
    work: impl FnOnce(&(dyn Fn(Served) + Sync)) -> R,
) -> (R, bool) {
    let (to, events) = sync_channel(MOST_EVENTS);
    let (guard, over) = sync_channel::<()>(0);
    std::thread::spawn(move || {
        let _guard = guard;
        events.iter().for_each(|event| say(&event));
    });
    let done = work(&|event| {
        let _ = to.try_send(event);
    });
    drop(to);
    (done, over.recv_timeout(LAST_EVENTS) == Err(RecvTimeoutError::Disconnected))
}

/// The command.
pub fn run(args: &HttpArgs, common: &Common) -> Result<Exit, Failure> {
    if !args.listen.ip().is_loopback() && !args.public {
        let message = format!("{} can be reached from other machines", args.listen);
        let hint = "there is neither TLS nor authentication: take 127.0.0.1, or pass --public if a proxy or a network of your own is in front";
        return Err(Failure::usage(message, hint));
    }
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let service = Service::new(&args.node.directory, &keys, Limits::default()).map_err(refused)?;
    let service = if args.public { service.public() } else { service };
    let failed = |e| Failure::io(format!("cannot listen at {}: {e}", args.listen));
    let listener = TcpListener::bind(args.listen).map_err(failed)?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::take(&[interrupts::SIGINT, interrupts::SIGTERM], &stop);
    let address = listener.local_addr().map_err(failed)?;
    if common.json {
        output::json(&json!({ "event": "listening", "address": address.to_string() }));
    } else if !common.quiet {
        note!("listening at http://{address}, until Ctrl-C or SIGTERM");
    }
    let (json, quiet) = (common.json, common.quiet);
    let say = move |event: &Served| say(event, (json, quiet));
    telling(say, |tell| service.run(&listener, &stop, tell)).0.map_err(failed)?;
    Ok(Exit::Valid)
}

fn object(event: &Served) -> Value {
    match event {
        Served::Accepted { from, nonce } => json!({ "event": "accepted", "from": from, "nonce": nonce }),
        Served::Failed(why) => json!({ "event": "failed", "error": why }),
    }
}

fn say(event: &Served, (json, quiet): (bool, bool)) {
    if json {
        return output::json(&object(event));
    }
    if quiet {
        return;
    }
    match event {
        Served::Accepted { from, nonce } => note!("transaction {nonce} of account {from} waits"),
        Served::Failed(why) => note!("requests fail: {}", terminal::escape(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_page::check;

    /// The output of a pipe that nobody reads.
    #[test]
    fn events_that_nobody_reads_hold_up_nothing() {
        let (held, unread) = std::sync::mpsc::channel::<()>();
        let blocked = move |_: &Served| assert!(unread.recv().is_err());
        let all: Vec<_> = (0..2000).map(|nonce| Served::Accepted { from: 0, nonce }).collect();
        let (told, said) = telling(blocked, |tell| all.iter().cloned().for_each(tell));
        assert_eq!((told, said), ((), false));
        drop(held);
        let (say, said) = std::sync::mpsc::channel();
        let say = move |event: &Served| say.send(event.clone()).unwrap();
        assert!(telling(say, |tell| all.iter().take(9).cloned().for_each(tell)).1);
        assert_eq!(said.iter().collect::<Vec<_>>(), all[..9]);
    }

    #[test]
    fn objects_are_those_of_the_page() {
        check("ledger http", &object(&Served::Accepted { from: 1, nonce: 2 }));
        check("ledger http", &object(&Served::Failed("a disk".into())));
    }
}
