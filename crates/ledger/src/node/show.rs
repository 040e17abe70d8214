//! The content of a file of a ledger, as JSON. Of the file alone: no state is looked at, and nothing is verified.

use serde_json::{Value, json};

use super::ceremony::{Phase, receipts};
use super::describe::hex;
use super::{NodeError, file};
use crate::Invalid;
use crate::chain::{Batch, Block, Content, Genesis};
use crate::circuit::root::{self, Shape};
use crate::codec::effect::Effect;
use crate::codec::{Canonical, Malformed};
use crate::evm::RootSubmission;
use crate::machine::Signed;
use crate::statement::Call;
use crate::store::MAX_RECORD;
use crate::token::{Index, Operation, Token, Transaction};

/// The most accounts of a genesis that are shown.
pub const MOST_SHOWN: usize = 1024;

/// The rules of no chain: the effect of a batch is read alike by all.
const ANY: Token = Token { chain: 0, issuer: Index(0), fee: 0, contract: None };

/// Describes a block, a transaction, a genesis or a state of a ceremony. Strict: bytes that a ledger would not read are refused. Signatures and proofs are not verified.
///
/// # Errors
/// If the bytes are none of these.
pub fn show(bytes: &[u8]) -> Result<Value, NodeError> {
    match bytes {
        [b'T', b'N', b'F', b'B', b'L', b'K', ..] => {
            let (genesis, of) = file::read_block(bytes)?;
            block(&genesis, &of)
        }
        [b'T', b'N', b'F', b'T', b'X', b'N', ..] => {
            let (domain, Signed { transaction, signature }) = file::read_transaction(bytes)?;
            Ok(
                json!({ "kind": "transaction", "domain": hex(&domain.0), "signature": hex(&signature.to_bytes()),
                "transactions": [described(&transaction, true)] }),
            )
        }
        [b'T', b'N', b'F', b'G', b'E', b'N', ..] => genesis(bytes),
        _ if bytes.starts_with(b"tenfold g16 p") => {
            let (phase, receipts) = receipts(bytes)?;
            let receipts: Value = receipts.iter().map(|receipt| hex(receipt)).collect();
            let phase = if phase == Phase::Powers { 1 } else { 2 };
            Ok(json!({ "kind": "ceremony", "phase": phase, "receipts": receipts }))
        }
        _ => Err(NodeError::File { what: "file of a ledger", reason: Malformed("it begins otherwise") }),
    }
}

/// A transaction. In the effect of a batch there are neither nonces nor memos.
fn described(t: &Transaction, is_signed: bool) -> Value {
    let (memo, key) = match &t.operation {
        Operation::Create { key, .. } => (None, Some(hex(&key.to_bytes()))),
        Operation::Mint { memo, .. } | Operation::Transfer { memo, .. } | Operation::Burn { memo, .. } => {
            (Some(memo.to_string()), None)
        }
    };
    let mut value =
        json!({ "does": does(&t.operation), "from": t.from.0, "amount": t.operation.amount().to_string() });
    let more = [
        ("to", t.to().map(|to| to.0.into())),
        ("key", key.map(Value::from)),
        ("nonce", is_signed.then(|| t.nonce.into())),
        ("memo", memo.filter(|_| is_signed).map(Value::from)),
    ];
    for (name, member) in more {
        if let Some(member) = member {
            value[name] = member;
        }
    }
    value
}

fn does(operation: &Operation) -> &'static str {
    match operation {
        Operation::Create { .. } => "create",
        Operation::Mint { .. } => "mint",
        Operation::Transfer { .. } => "transfer",
        Operation::Burn { .. } => "burn",
    }
}

fn block(genesis: &[u8; 32], block: &Block<Token>) -> Result<Value, NodeError> {
    let mut value = json!({ "kind": "block", "genesis": hex(genesis), "height": block.height,
        "parent": hex(&block.parent), "root": hex(&block.root) });
    match &block.content {
        Content::Empty => value["content"] = "nothing".into(),
        Content::Plain(transactions) => {
            value["content"] = "plain".into();
            value["transactions"] =
                transactions.iter().map(|signed| described(&signed.transaction, true)).collect();
        }
        Content::Batch(of) => batch(&mut value, of)?,
        Content::Claim(claim, _) => {
            value["content"] = "claim".into();
            value["lane"] = claim.lane.into();
            value["sequence"] = claim.sequence.into();
            value["key"] = hex(&claim.key.to_bytes()).into();
        }
        Content::Call(of) => call(&mut value, of)?,
    }
    Ok(value)
}

fn call(value: &mut Value, call: &Call) -> Result<(), NodeError> {
    let refused =
        |reason: Invalid| NodeError::File { what: "call of a contract", reason: Malformed(reason.0) };
    let submission = RootSubmission::from_calldata(&call.input).map_err(refused)?;
    let shape = Shape::standard(call.size.slots());
    let changes = root::Block::from_bytes(shape, &submission.block).map_err(refused)?;
    value["content"] = "call".into();
    value["batch"] = call.size.slots().into();
    value["contract_root"] = hex(&submission.post).into();
    value["input_bytes"] = call.input.len().into();
    value["accounts"] = changes.cells.iter().map(|cell| cell.number).collect();
    Ok(())
}

fn batch(value: &mut Value, batch: &Batch) -> Result<(), NodeError> {
    let effect = Effect::<Token>::read(&ANY, batch.size, &batch.effect);
    let effect = effect.map_err(|reason| NodeError::File { what: "batch", reason })?;
    value["content"] = "batch".into();
    value["lane"] = batch.lane.into();
    value["batch"] = batch.size.slots().into();
    value["before"] = hex(&batch.before).into();
    value["signed"] = batch.signature.is_some().into();
    value["effect_bytes"] = batch.effect.len().into();
    value["proof_bytes"] = batch.proof.len().into();
    value["accounts"] = effect.keys().iter().map(|key| key.0).collect();
    if let Some(transactions) = effect.transactions() {
        value["transactions"] = transactions.iter().map(|t| described(t, false)).collect();
    }
    Ok(())
}

fn genesis(bytes: &[u8]) -> Result<Value, NodeError> {
    let refused = |reason| NodeError::File { what: "genesis", reason };
    if bytes.len() > MAX_RECORD {
        return Err(refused(Malformed("the file is longer than any of them")));
    }
    let Genesis { machine, params, cells } = Genesis::<Token>::from_bytes(bytes).map_err(refused)?;
    let shown = cells.iter().take(MOST_SHOWN).map(|(number, account)| {
        json!({ "number": number.0, "key": hex(&account.key.to_bytes()), "balance": account.balance.to_string(), "nonce": account.nonce })
    });
    let contract = machine.contract.map(|contract| {
        json!({ "chain_id": contract.chain_id.to_string(), "address": format!("0x{}", hex(&contract.address)) })
    });
    Ok(json!({
        "kind": "genesis", "genesis": hex(&crate::store::digest(&[0; 32], 0, bytes)),
        "chain": machine.chain.to_string(), "issuer": machine.issuer.0, "fee": machine.fee.to_string(),
        "lanes": params.lanes, "timeout": params.timeout, "plain": params.plain, "contract": contract,
        "count": cells.len(), "supply": cells.iter().map(|(_, account)| account.balance).sum::<u64>().to_string(),
        "first": shown.collect::<Value>(),
    }))
}
