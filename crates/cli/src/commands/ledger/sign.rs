//! `ledger sign`: transactions that are signed where no node is.

use super::blocks::{operation, say_signed};
use super::genesis;
use super::keys::read_secret;
use super::refused;
use crate::args::Common;
use crate::args::ledger::SignArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use ledger::machine::Machine;
use ledger::node::{file, sign_apart};
use ledger::token::{Index, Transaction};

/// The command.
pub fn run(args: &SignArgs, common: &Common) -> Result<Exit, Failure> {
    let output = common.files.once(Kind::Ledger, &args.output)?;
    let genesis = genesis::read(&args.genesis, common)?;
    let operation = operation(&args.operation, common)?;
    let secret = read_secret(&args.key, common)?;
    let transaction = Transaction { from: Index(args.from), nonce: args.nonce, operation };
    let signed = sign_apart(&genesis, transaction, &secret).map_err(refused)?;
    output.write(&file::encode_transaction(&genesis.machine.domain(), &signed))?;
    say_signed(&signed.transaction, output.path(), common);
    Ok(Exit::Valid)
}
