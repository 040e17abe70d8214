//! Calls of the contract with a root, as blocks of a ledger. (notes: ledger-follow)

use super::RootSubmission;
use crate::circuit::root::{Block, Shape};
use crate::codec::Malformed;
use crate::machine::{Machine, State};
use crate::statement::{Call, Change, Statement};
use crate::token::Token;

/// The accounts that a call changes. That signed transactions lead there is what its proof says.
pub(crate) fn statement(
    machine: &Token,
    state: &impl State<Token>,
    call: &Call,
) -> Result<Statement<Token>, Malformed> {
    if machine.contract.is_none() {
        return Err(Malformed("a call of a contract, which the chain does not name"));
    }
    let submission = RootSubmission::from_calldata(&call.input).map_err(|e| Malformed(e.0))?;
    let block = Block::from_bytes(Shape::standard(call.size.slots()), &submission.block);
    let accounts = block.and_then(|block| block.accounts(state)).map_err(|e| Malformed(e.0))?;
    let change = |(key, account)| Change { key, before: state.cell(&key), after: Some(account) };
    Ok(Statement { domain: machine.domain(), cells: accounts.into_iter().map(change).collect() })
}
