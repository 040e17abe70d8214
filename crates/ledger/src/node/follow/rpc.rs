//! JSON-RPC of an EVM node: questions, and strict readings of the answers. Every byte of an answer may be an enemy's.
//!
//! ```text
//!  question  {"jsonrpc":"2.0","id":N,"method":…,"params":[…]}
//!  answer    {"jsonrpc":"2.0","id":N,"result":…}      or "error": {"code":…,"message":…}
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::Cell;

use serde_json::{Value, json};
use snark::groth16::Word;

use super::FollowError;
use crate::circuit::challenges::keccak;
use crate::node::{Endpoint, TransportError};

/// The most bytes of an answer: JSON takes some ten times as much memory as its text.
pub const MOST_ANSWER: usize = 1 << 22;

/// The most bytes of a message of an endpoint that are repeated.
const MOST_MESSAGE: usize = 200;

/// A block of the EVM chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its number.
    pub number: u64,
    /// Its hash.
    pub hash: Word,
}

/// The event of an accepted batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The block that it is in.
    pub at: Header,
    /// Its place in the block.
    pub index: u64,
    /// The transaction whose input is the call.
    pub transaction: Word,
    /// The root after the batch.
    pub root: Word,
}

/// A block, by its number or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Number(u64),
    Latest,
    Finalized,
}

impl Tag {
    fn json(self) -> Value {
        match self {
            Self::Number(number) => number_json(number),
            Self::Latest => "latest".into(),
            Self::Finalized => "finalized".into(),
        }
    }
}

fn number_json(number: u64) -> Value {
    format!("{number:#x}").into()
}

/// Lowercase hexadecimal digits behind `0x`.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// The questions of a follower about one contract.
pub(super) struct Client<'a> {
    endpoint: &'a dyn Endpoint,
    contract: [u8; 20],
    next: Cell<u64>,
}

impl<'a> Client<'a> {
    pub fn new(endpoint: &'a dyn Endpoint, contract: [u8; 20]) -> Self {
        Self { endpoint, contract, next: Cell::new(1) }
    }

    fn ask(&self, method: &'static str, params: &Value) -> Result<Value, FollowError> {
        let id = self.next.replace(self.next.get().wrapping_add(1));
        let question = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let answer = self.endpoint.post(question.to_string().as_bytes(), MOST_ANSWER);
        let answer = answer.map_err(|error| FollowError::Post { method, error })?;
        if answer.len() > MOST_ANSWER {
            return Err(FollowError::Post { method, error: TransportError::TooLong(MOST_ANSWER) });
        }
        let mut answer: Value = serde_json::from_slice(&answer).map_err(|_| malformed(method, "no JSON"))?;
        let error = answer.get("error").filter(|error| !error.is_null());
        if let Some(error) = error {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no message");
            let code = error.get("code").and_then(Value::as_i64).unwrap_or(0);
            return Err(FollowError::Answer { method, code, message: printable(message) });
        }
        if answer.get("id").and_then(Value::as_u64) != Some(id) {
            return Err(malformed(method, "the answer to another question"));
        }
        match answer.get_mut("result").map(Value::take) {
            Some(result) => Ok(result),
            None => Err(malformed(method, "neither a result nor an error")),
        }
    }

    /// The number of the EVM chain.
    pub fn chain_id(&self) -> Result<u64, FollowError> {
        let method = "eth_chainId";
        quantity(&self.ask(method, &json!([]))?).ok_or_else(|| malformed(method, "no number"))
    }

    /// A block, if there is one.
    pub fn header(&self, tag: Tag) -> Result<Option<Header>, FollowError> {
        let method = "eth_getBlockByNumber";
        let block = self.ask(method, &json!([tag.json(), false]))?;
        if block.is_null() {
            return Ok(None);
        }
        let read =
            || Some(Header { number: quantity(block.get("number")?)?, hash: word(block.get("hash")?)? });
        let header = read().ok_or_else(|| malformed(method, "no block with number and hash"))?;
        if matches!(tag, Tag::Number(number) if number != header.number) {
            return Err(malformed(method, "another block than the one that was asked for"));
        }
        Ok(Some(header))
    }

    /// Tells whether there is code at the contract's address.
    pub fn has_code(&self, at: u64) -> Result<bool, FollowError> {
        let method = "eth_getCode";
        let code = self.ask(method, &json!([hex(&self.contract), number_json(at)]))?;
        let code = code.as_str().and_then(|text| text.strip_prefix("0x"));
        Ok(!code.ok_or_else(|| malformed(method, "no bytes"))?.is_empty())
    }

    /// The word that a function without arguments returns.
    pub fn view(&self, function: &str, at: Tag) -> Result<Word, FollowError> {
        let method = "eth_call";
        let hash = keccak(format!("{function}()").as_bytes());
        let call = json!({ "to": hex(&self.contract), "data": hex(hash.get(..4).unwrap_or_default()) });
        let word = word(&self.ask(method, &json!([call, at.json()]))?);
        word.ok_or_else(|| malformed(method, "no word"))
    }

    /// The contract's events in blocks from one to another, in their order.
    pub fn events(&self, from: u64, to: u64) -> Result<Vec<Event>, FollowError> {
        let method = "eth_getLogs";
        let topic = keccak(b"Batch(uint256)");
        let filter = json!({ "fromBlock": number_json(from), "toBlock": number_json(to),
            "address": hex(&self.contract), "topics": [hex(&topic)] });
        let logs = self.ask(method, &json!([filter]))?;
        let logs = logs.as_array().ok_or_else(|| malformed(method, "no list"))?;
        let mut events: Vec<Event> = Vec::with_capacity(logs.len());
        for log in logs {
            if log.get("removed").and_then(Value::as_bool) == Some(true) {
                return Err(malformed(method, "an event that was removed"));
            }
            let event =
                self.event(log, &topic).ok_or_else(|| malformed(method, "no event of the contract"))?;
            let place = |event: &Event| (event.at.number, event.index);
            let in_order = events.last().is_none_or(|last| place(last) < place(&event));
            if !in_order || !(from..=to).contains(&event.at.number) {
                return Err(malformed(method, "events out of order, twice, or of other blocks"));
            }
            events.push(event);
        }
        Ok(events)
    }

    fn event(&self, log: &Value, topic: &Word) -> Option<Event> {
        let topics = log.get("topics")?.as_array()?;
        let from = bytes(log.get("address")?, 20)?;
        let known = topics.len() == 1 && word(topics.first()?)? == *topic && from == self.contract;
        let at = Header { number: quantity(log.get("blockNumber")?)?, hash: word(log.get("blockHash")?)? };
        let (index, transaction) = (quantity(log.get("logIndex")?)?, word(log.get("transactionHash")?)?);
        known.then_some(Event { at, index, transaction, root: word(log.get("data")?)? })
    }

    /// The input of an event's transaction to the contract.
    pub fn input(&self, event: &Event) -> Result<Vec<u8>, FollowError> {
        let method = "eth_getTransactionByHash";
        let found = self.ask(method, &json!([hex(&event.transaction)]))?;
        if found.is_null() {
            return Err(FollowError::Reorganised { number: event.at.number });
        }
        let read = || {
            let to = bytes(found.get("to")?, 20)?;
            let at =
                Header { number: quantity(found.get("blockNumber")?)?, hash: word(found.get("blockHash")?)? };
            let same = word(found.get("hash")?)? == event.transaction && to == self.contract;
            Some((same, at, bytes(found.get("input")?, MOST_ANSWER)?))
        };
        let (same, at, input) = read().ok_or_else(|| malformed(method, "no transaction in a block"))?;
        if !same {
            return Err(malformed(method, "another transaction, or one to another address"));
        }
        if at != event.at {
            return Err(FollowError::Reorganised { number: event.at.number });
        }
        Ok(input)
    }
}

fn malformed(method: &'static str, what: &'static str) -> FollowError {
    FollowError::Malformed { method, what }
}

/// A number of at most 64 bits: `0x` and its digits.
fn quantity(value: &Value) -> Option<u64> {
    let digits = value.as_str()?.strip_prefix("0x")?;
    // A sign would be read, too.
    digits.bytes().all(|c| c.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok())?
}

/// At most so many bytes.
fn bytes(value: &Value, most: usize) -> Option<Vec<u8>> {
    let digits = value.as_str()?.strip_prefix("0x")?;
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    if !rest.is_empty() || pairs.len() > most {
        return None;
    }
    let digit = |c: u8| char::from(c).to_digit(16);
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8)).collect()
}

fn word(value: &Value) -> Option<Word> {
    bytes(value, 32)?.try_into().ok()
}

/// The beginning of a stranger's text, without what a terminal would obey.
fn printable(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(clean).take(MOST_MESSAGE).collect()
}
