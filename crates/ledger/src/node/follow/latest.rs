//! The state of a contract in the latest block of its EVM chain, final or not: what a prover asks for before a proof.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use snark::groth16::Word;

use super::rpc::{Client, Tag};
use super::{FollowError, check_contract};
use crate::evm::Head;
use crate::machine::Contract;
use crate::node::Endpoint;
use crate::node::call::NO_CONTRACT;
use crate::token::Token;

/// The contract of a chain, and questions about it to an endpoint of its EVM chain.
fn client<'a>(machine: &Token, endpoint: &'a dyn Endpoint) -> Result<(Contract, Client<'a>), FollowError> {
    let contract = machine.contract.ok_or(NO_CONTRACT)?;
    let client = Client::new(endpoint, contract.address);
    let (expected, found) = (contract.chain_id, client.chain_id()?);
    if found != expected {
        return Err(FollowError::WrongChain { expected, found });
    }
    Ok((contract, client))
}

/// The root that the contract of a chain has.
///
/// # Errors
/// If the chain names no contract, the endpoint is of another one, or does not answer.
pub fn latest_root(machine: &Token, endpoint: &dyn Endpoint) -> Result<Word, FollowError> {
    client(machine, endpoint)?.1.view("root", Tag::Latest)
}

/// The state of the contract of a chain that orders batches for replicas. Height and head are of one block, whatever is accepted between the questions.
///
/// # Errors
/// As [`latest_root`]; if the contract is that of another ledger.
pub fn latest_head(machine: &Token, endpoint: &dyn Endpoint) -> Result<Head, FollowError> {
    let (contract, client) = client(machine, endpoint)?;
    let malformed = |method, what| FollowError::Malformed { method, what };
    let latest = client.header(Tag::Latest)?;
    let latest = latest.ok_or(malformed("eth_getBlockByNumber", "no latest block"))?.number;
    check_contract(&client, machine, contract, latest)?;
    let view = |function| client.view(function, Tag::Number(latest));
    let head = Head::of_views(&view("height")?, &view("head")?);
    head.ok_or(malformed("eth_call", "no height of 64 bits, or no head of 24 bytes"))
}
