//! The transport of questions to an EVM node: HTTP, without proxies and redirections, bounded in time and length.

use std::time::Duration;

use ureq::Agent;

use crate::exit::Failure;
use ledger::node::{Endpoint, PostError};

/// The time for a question and its answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of an EVM node.
pub struct Http {
    agent: Agent,
    url: String,
}

impl Http {
    /// The node at a URL. It may have a secret in its path, and is not repeated in messages.
    pub fn new(url: &str) -> Result<Self, Failure> {
        let hint = "--rpc http://127.0.0.1:8545, the address of an EVM node of your own";
        if url.starts_with("https://") {
            let hint = "name a node of your own, or a program on this machine that speaks TLS to it";
            return Err(Failure::usage("addresses with https are not supported", hint));
        }
        let is_address =
            url.strip_prefix("http://").is_some_and(|rest| !rest.starts_with('/') && !rest.is_empty());
        if !is_address {
            return Err(Failure::usage("--rpc is no address that begins with http://", hint));
        }
        let config = Agent::config_builder().timeout_global(Some(PATIENCE)).max_redirects(0).proxy(None);
        Ok(Self { agent: config.build().into(), url: url.to_owned() })
    }
}

impl Endpoint for Http {
    fn post(&self, question: &[u8], most: usize) -> Result<Vec<u8>, PostError> {
        let failed = |e: ureq::Error| match e {
            ureq::Error::BodyExceedsLimit(_) => PostError::TooLong,
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => PostError::Failed("the address is none".into()),
            e => PostError::Failed(e.to_string()),
        };
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let mut answer = request.send(question).map_err(failed)?;
        if !answer.status().is_success() {
            return Err(PostError::Failed(format!("status {}", answer.status().as_u16())));
        }
        answer.body_mut().with_config().limit(most as u64).read_to_vec().map_err(failed)
    }
}
