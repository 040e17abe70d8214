//! `ledger http`: a node that others reach over HTTP.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::HttpArgs;
use crate::commands::on_signals;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::terminal;
use ledger::node::{Limits, Served, Service};

/// The command.
pub fn run(args: &HttpArgs, common: &Common) -> Result<Exit, Failure> {
    if !args.listen.ip().is_loopback() && !args.public {
        let message = format!("{} can be reached from other machines", args.listen);
        let hint = "there is neither TLS nor authentication: take 127.0.0.1, or pass --public if a proxy or a network of your own is in front";
        return Err(Failure::usage(message, hint));
    }
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let service = Service::new(&args.node.directory, &keys, Limits::default()).map_err(refused)?;
    let failed = |e| Failure::io(format!("cannot listen at {}: {e}", args.listen));
    let listener = TcpListener::bind(args.listen).map_err(failed)?;
    let stop = Arc::new(AtomicBool::new(false));
    on_signals(&[signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM], &stop);
    let address = listener.local_addr().map_err(failed)?;
    if common.json {
        output::json(&json!({ "event": "listening", "address": address.to_string() }));
    } else if !common.quiet {
        note!("listening at http://{address}, until Ctrl-C or SIGTERM");
    }
    let each = |event: Served| say(&event, common);
    service.run(&listener, &stop, &each).map_err(failed)?;
    Ok(Exit::Valid)
}

fn object(event: &Served) -> Value {
    match event {
        Served::Accepted { from, nonce } => json!({ "event": "accepted", "from": from, "nonce": nonce }),
        Served::Failed(why) => json!({ "event": "failed", "error": why }),
    }
}

fn say(event: &Served, common: &Common) {
    if common.json {
        return output::json(&object(event));
    }
    if common.quiet {
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

    #[test]
    fn objects_are_those_of_the_page() {
        check("ledger http", &object(&Served::Accepted { from: 1, nonce: 2 }));
        check("ledger http", &object(&Served::Failed("a disk".into())));
    }
}
