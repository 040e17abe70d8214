//! The built-in machine: accounts with balances.
//!
//! A cell is an account, named by a number that whoever opens it chooses. A transaction is signed by the account it is from and does one of four things:
//!
//! | operation | debit of `from` | credit |
//! |---|---|---|
//! | create | amount + fee | a new account with this key and amount |
//! | mint | amount | `to`; by the issuer alone |
//! | transfer | amount + fee | `to` |
//! | burn | amount + fee | nobody |
//!
//! The balance of the issuer is what it may still issue: so the sum of all balances never grows, and no credit overflows, because no chain begins with
//! `2^64` or more in all ([`Machine::check_genesis`]). Fees are destroyed: an account that collected them would be touched by all transactions, and no two batches would commute.
//!
//! The rules, in the order in which they are checked (the first that fails is the refusal):
//! 1. the amount is not 0;
//! 2. `from` exists;
//! 3. the nonce is that of the account, and not `2^32 - 1`;
//! 4. a mint is from the issuer;
//! 5. the debit does not overflow 64 bits, and the balance covers it;
//! 6. `from` has paid: balance less the debit, nonce plus 1;
//! 7. create: `to` does not exist; mint and transfer: `to` exists, after step 6 (a transfer to oneself costs the fee), and its balance plus the
//!    amount does not overflow 64 bits.
//!
//! (notes: ledger-token)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod account;
mod compact;
mod transaction;
mod workload;

pub use account::{Account, Index};
pub use transaction::{Kind, Operation, Transaction};
pub use workload::{Mix, Workload};

use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::machine::{Contract, Domain, Machine, State};
use crate::signature::{Message, PublicKey};

/// The rules of a chain of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Tells apart chains with the same rules.
    pub chain: u64,
    /// The account that mints.
    pub issuer: Index,
    /// What a transaction costs its sender beside the amount; mints are free.
    pub fee: u64,
    /// The contract that orders the chain's batches, if there is one.
    pub contract: Option<Contract>,
}

/// The reason that a transaction is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing would move.
    #[error("the amount is 0")]
    ZeroAmount,
    /// There is no account with the sender's number.
    #[error("account {0}, which sends, does not exist")]
    UnknownSender(u32),
    /// There is no account with the recipient's number.
    #[error("account {0}, which receives, does not exist")]
    UnknownRecipient(u32),
    /// There is an account with the new account's number.
    #[error("account {0} exists already")]
    AccountExists(u32),
    /// A transaction was left out, or comes twice.
    #[error("the nonce is {found}, the account's next one is {expected}")]
    Nonce {
        /// That of the account.
        expected: u32,
        /// That of the transaction.
        found: u32,
    },
    /// The account has sent all it ever can.
    #[error("the account has used up its nonces")]
    NoncesUsedUp,
    /// Only one account mints.
    #[error("account {0} is not the issuer")]
    NotIssuer(u32),
    /// Amount and fee, or balance and amount, have more than 64 bits.
    #[error("the sum has more than 64 bits")]
    Overflow,
    /// The account has less.
    #[error("the balance is {balance}, the amount with its fee {debit}")]
    Balance {
        /// What is there.
        balance: u64,
        /// What would be paid.
        debit: u64,
    },
}

impl Canonical for Token {
    fn write(&self, w: &mut Writer) {
        w.u64(self.chain);
        self.issuer.write(w);
        w.u64(self.fee);
        w.u8(u8::from(self.contract.is_some()));
        if let Some(contract) = &self.contract {
            contract.write(w);
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let chain = r.u64().ok_or(SHORT)?;
        let (issuer, fee) = (Index::read(r)?, r.u64().ok_or(SHORT)?);
        let contract = match r.u8().ok_or(SHORT)? {
            0 => None,
            1 => Some(Contract::read(r)?),
            _ => return Err(Malformed("a chain has no contract (0) or one (1)")),
        };
        Ok(Self { chain, issuer, fee, contract })
    }
}

impl Machine for Token {
    const NAME: &'static str = "token";
    type Key = Index;
    type Value = Account;
    type Transaction = Transaction;
    type Refusal = Refusal;

    /// The digest of the rules; with a contract, that of the rules without it and of where it is.
    fn domain(&self) -> Domain {
        let rules = Domain::of(Self::NAME, &Self { contract: None, ..*self }.to_bytes());
        self.contract.map_or(rules, |contract| contract.domain(&rules))
    }

    fn check_genesis(&self, cells: &[(Index, Account)]) -> Result<(), Malformed> {
        let sum = cells.iter().try_fold(0u64, |sum, (_, account)| sum.checked_add(account.balance));
        sum.map(|_| ()).ok_or(Malformed("the accounts of the genesis together hold 2^64 or more"))
    }

    fn cells(&self, t: &Transaction) -> Vec<Index> {
        match t.to() {
            Some(to) if to != t.from => vec![t.from, to],
            _ => vec![t.from],
        }
    }

    fn signer(&self, t: &Transaction, cells: &[Option<Account>]) -> Result<PublicKey, Refusal> {
        let sender = cells.first().and_then(Option::as_ref);
        Ok(sender.ok_or(Refusal::UnknownSender(t.from.0))?.key)
    }

    fn message(&self, t: &Transaction) -> Message {
        t.message()
    }

    fn apply(&self, t: &Transaction, cells: &mut [Option<Account>]) -> Result<(), Refusal> {
        let amount = t.operation.amount();
        if amount == 0 {
            return Err(Refusal::ZeroAmount);
        }
        let sender = cells.first().and_then(Option::as_ref).ok_or(Refusal::UnknownSender(t.from.0))?;
        let sender = self.debited(t, sender)?;
        let Some(to) = t.to() else {
            write(cells, [Some(sender)]);
            return Ok(());
        };
        // A transfer to oneself is the credit of the account that has paid.
        let recipient = if to == t.from { Some(&sender) } else { cells.get(1).and_then(Option::as_ref) };
        let recipient = match (&t.operation, recipient) {
            (Operation::Create { .. }, Some(_)) => return Err(Refusal::AccountExists(to.0)),
            (Operation::Create { key, .. }, None) => Account { key: *key, balance: amount, nonce: 0 },
            (_, None) => return Err(Refusal::UnknownRecipient(to.0)),
            (_, Some(account)) => {
                let balance = account.balance.checked_add(amount).ok_or(Refusal::Overflow)?;
                Account { balance, ..account.clone() }
            }
        };
        if to == t.from {
            write(cells, [Some(recipient)]);
        } else {
            write(cells, [Some(sender), Some(recipient)]);
        }
        Ok(())
    }
}

fn write<const N: usize>(cells: &mut [Option<Account>], after: [Option<Account>; N]) {
    cells.iter_mut().zip(after).for_each(|(cell, after)| *cell = after);
}

impl Token {
    /// What a transaction takes from its sender.
    ///
    /// # Errors
    /// If the sum has more than 64 bits.
    pub fn debit(&self, operation: &Operation) -> Result<u64, Refusal> {
        let fee = if operation.kind() == Kind::Mint { 0 } else { self.fee };
        operation.amount().checked_add(fee).ok_or(Refusal::Overflow)
    }

    /// Refuses a transaction that neither this state nor one after it accepts: by [`Machine::apply`], on its accounts as they would favour it most. Accounts do not end.
    ///
    /// # Errors
    /// The refusal, of whatever state is the best one.
    pub fn check_at_best(&self, t: &Transaction, state: &impl State<Self>) -> Result<(), Refusal> {
        let sender = state.cell(&t.from).ok_or(Refusal::UnknownSender(t.from.0))?;
        let sender = Account { balance: u64::MAX, nonce: t.nonce, ..sender };
        let at_best = |key: &Index| match &t.operation {
            _ if *key == t.from => Some(sender.clone()),
            Operation::Create { .. } => state.cell(key),
            _ => Some(Account { balance: 0, ..sender.clone() }),
        };
        let mut cells: Vec<_> = self.cells(t).iter().map(at_best).collect();
        self.apply(t, &mut cells)
    }

    /// The sender after it has paid.
    fn debited(&self, t: &Transaction, sender: &Account) -> Result<Account, Refusal> {
        if t.nonce != sender.nonce {
            return Err(Refusal::Nonce { expected: sender.nonce, found: t.nonce });
        }
        let nonce = sender.nonce.checked_add(1).ok_or(Refusal::NoncesUsedUp)?;
        if t.operation.kind() == Kind::Mint && t.from != self.issuer {
            return Err(Refusal::NotIssuer(t.from.0));
        }
        let debit = self.debit(&t.operation)?;
        let refusal = Refusal::Balance { balance: sender.balance, debit };
        let balance = sender.balance.checked_sub(debit).ok_or(refusal)?;
        Ok(Account { balance, nonce, ..sender.clone() })
    }
}
