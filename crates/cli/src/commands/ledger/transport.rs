//! The transport of questions to other nodes, those of an EVM chain among them: HTTP, without proxies and redirections, bounded in time and length.

use std::time::Duration;

use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use crate::exit::Failure;
use ledger::node::{Endpoint, Source, TransportError};

/// The time for a question and its answer, in seconds, where nothing else is said.
pub const PATIENCE: u64 = 60;

/// The option of the address of an EVM node, and an example.
pub const RPC: (&str, &str) = ("--rpc", "http://127.0.0.1:8545, the address of an EVM node of your own");

/// The address of a node.
pub struct Http {
    agent: Agent,
    url: String,
}

impl Http {
    /// The node at the URL of an option, such as `http://127.0.0.1:8545`. It may have a secret in its path, and is not repeated in messages.
    pub fn new((option, example): (&str, &str), url: &str, patience: u64) -> Result<Self, Failure> {
        let hint = format!("{option} {example}");
        if url.starts_with("https://") {
            let hint = "name a node of your own, or a program on this machine that speaks TLS to it";
            return Err(Failure::usage("addresses with https are not supported", hint));
        }
        let rest = url.strip_prefix("http://").unwrap_or_default();
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.is_empty() {
            return Err(Failure::usage(format!("{option} is no address that begins with http://"), hint));
        }
        if authority.contains('@') {
            let message = format!("{option} has a user or a password, and none is sent");
            return Err(Failure::usage(message, format!("leave out what stands before the @: {hint}")));
        }
        // Of a port that is none the default one would be taken.
        let whole = |uri: Uri| {
            let authority = uri.authority()?.clone();
            let port = authority.port().map_or(0, |port| port.as_str().len().saturating_add(1));
            (authority.as_str().len() == authority.host().len().saturating_add(port)).then_some(())
        };
        if url.parse().ok().and_then(whole).is_none() {
            return Err(Failure::usage(format!("{option} is no address"), hint));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(patience)))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None);
        Ok(Self { agent: config.build().into(), url: url.to_owned() })
    }
}

fn failed(e: ureq::Error) -> TransportError {
    TransportError::Failed(match e {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => "the address is none".into(),
        e => e.to_string(),
    })
}

/// The body of an answer, if it is a success and has at most so many bytes.
fn content(answer: Result<Response<Body>, ureq::Error>, most: usize) -> Result<Vec<u8>, TransportError> {
    let mut answer = answer.map_err(failed)?;
    if !answer.status().is_success() {
        return Err(TransportError::Status(answer.status().as_u16()));
    }
    let read = answer.body_mut().with_config().limit(most as u64).read_to_vec();
    read.map_err(|e| match e {
        ureq::Error::BodyExceedsLimit(_) => TransportError::TooLong(most),
        e => failed(e),
    })
}

impl Endpoint for Http {
    fn post(&self, question: &[u8], most: usize) -> Result<Vec<u8>, TransportError> {
        content(self.agent.post(&self.url).header("content-type", "application/json").send(question), most)
    }
}

impl Source for Http {
    fn get(&self, path: &str, most: usize) -> Result<Vec<u8>, TransportError> {
        content(self.agent.get(format!("{}{path}", self.url.trim_end_matches('/'))).call(), most)
    }
}
