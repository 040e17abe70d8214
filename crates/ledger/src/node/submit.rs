//! Transactions that are signed here or come from elsewhere, before they wait. (notes: ledger-node)

use std::path::PathBuf;

use super::inbox::{self, MOST_OF_ACCOUNT};
use super::{Inbox, Node, NodeError};
use crate::chain::{Chain, Genesis};
use crate::machine::{Machine, Signed, State, Touched};
use crate::signature::{PublicKey, Secret};
use crate::token::{Account, Index, Operation, Token, Transaction};

/// The part of a chain that is known without its state: its first accounts, whose keys stay, and the signers.
struct Unseen<'a> {
    genesis: &'a Genesis<Token>,
    signer: Index,
    key: PublicKey,
}

impl State<Token> for Unseen<'_> {
    fn cell(&self, key: &Index) -> Option<Account> {
        let first = self.genesis.cells.iter().find(|(number, _)| number == key);
        let signer = || (*key == self.signer).then_some(Account { key: self.key, balance: 0, nonce: 0 });
        first.map(|(_, account)| account.clone()).or_else(signer)
    }
}

/// Signs a transaction where there is no node: of the state only what the chain begins with is known. The transaction is that of [`Node::sign`].
///
/// # Errors
/// If the account is one of the first and has another key, or no state accepts the transaction.
pub fn sign_apart(
    genesis: &Genesis<Token>,
    transaction: Transaction,
    secret: &Secret,
) -> Result<Signed<Transaction>, NodeError> {
    let refused = |why: String| NodeError::Transaction(why);
    let (machine, from) = (&genesis.machine, transaction.from);
    let unseen = Unseen { genesis, signer: from, key: secret.public() };
    if unseen.cell(&from).is_some_and(|account| account.key != unseen.key) {
        return Err(refused(format!("the key is not that of account {}", from.0)));
    }
    machine.check_at_best(&transaction, &unseen).map_err(|reason| refused(reason.to_string()))?;
    let signature = secret.sign(&machine.domain(), &machine.message(&transaction));
    Ok(Signed { transaction, signature })
}

/// Has a transaction wait, as [`Node::accept`] does, by the state of a chain.
pub(super) fn accept(
    chain: &Chain<Token>,
    inbox: &Inbox,
    signed: &Signed<Transaction>,
) -> Result<PathBuf, NodeError> {
    let from = signed.transaction.from;
    let refused = |why: String| Err(NodeError::Transaction(why));
    match chain.cell(&from) {
        None => return refused(format!("account {} does not exist", from.0)),
        Some(account) if account.nonce > signed.transaction.nonce => {
            return refused(format!(
                "nonce {} was used, the next one is {}",
                signed.transaction.nonce, account.nonce
            ));
        }
        Some(_) if !inbox::is_signed(chain, signed) => {
            return refused(format!("the signature is not that of account {}", from.0));
        }
        Some(account) => check_next(chain, account.nonce, signed)?,
    }
    // Sent once more: nothing is counted, and nothing written.
    if let Some(path) = inbox.find(signed) {
        return Ok(path);
    }
    if queue(chain, inbox, from)?.len() >= MOST_OF_ACCOUNT {
        return Err(NodeError::TooMany { account: from.0, most: MOST_OF_ACCOUNT });
    }
    inbox.put(signed)
}

/// Checks that the state accepts the transaction with its account's next nonce, and that a later state may accept one behind it.
fn check_next(chain: &Chain<Token>, next: u32, signed: &Signed<Transaction>) -> Result<(), NodeError> {
    let refused = |reason: &dyn ToString| NodeError::Transaction(reason.to_string());
    if signed.transaction.nonce == next {
        let executed = Touched::default().execute(chain.machine(), chain, signed);
        return executed.map_err(|reason| refused(&reason));
    }
    chain.machine().check_at_best(&signed.transaction, chain).map_err(|reason| refused(&reason))
}

/// The nonces of an account's transactions that wait and that it has signed, in their order: what others put there under its name is not its own.
fn queue(chain: &Chain<Token>, inbox: &Inbox, from: Index) -> Result<Vec<u32>, NodeError> {
    let mut waiting = inbox.read()?.transactions;
    waiting.retain(|signed| signed.transaction.from == from && inbox::is_signed(chain, signed));
    Ok(waiting.iter().map(|signed| signed.transaction.nonce).collect())
}

impl Node {
    /// Has a transaction wait that was signed here or elsewhere, if a block may have it one day: 1,024 of an account at most. The state has to accept it as it is
    /// now, if it is its account's next one.
    ///
    /// # Errors
    /// If its sender does not exist or has not signed it, its nonce was used, the state or every later one refuses it, there are too many, or it cannot be written.
    pub fn accept(&self, signed: &Signed<Transaction>) -> Result<PathBuf, NodeError> {
        accept(self.replica.chain(), &self.own_inbox(), signed)
    }

    /// Signs a transaction of an account, with the nonce behind those that wait. The state has to accept it as it is now, if nothing waits before it.
    ///
    /// # Errors
    /// If the account does not exist, the key is another one, or the state or every later one refuses the transaction.
    pub fn sign(
        &self,
        from: Index,
        operation: Operation,
        secret: &Secret,
    ) -> Result<Signed<Transaction>, NodeError> {
        let refused = |why: &dyn ToString| NodeError::Transaction(why.to_string());
        let chain = self.replica.chain();
        let account =
            chain.cell(&from).ok_or_else(|| refused(&format!("account {} does not exist", from.0)))?;
        if account.key != secret.public() {
            return Err(refused(&format!("the key is not that of account {}", from.0)));
        }
        let domain = chain.machine().domain();
        let mut nonce = account.nonce;
        for next in queue(chain, &self.own_inbox(), from)? {
            // A gap is filled first.
            if next == nonce {
                nonce = nonce.saturating_add(1);
            }
        }
        let transaction = Transaction { from, nonce, operation };
        let signature = secret.sign(&domain, &chain.machine().message(&transaction));
        let signed = Signed { transaction, signature };
        check_next(chain, account.nonce, &signed)?;
        Ok(signed)
    }
}
