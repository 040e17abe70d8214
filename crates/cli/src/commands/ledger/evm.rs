//! `ledger export-evm`: contracts for a chain's batches.

use std::path::Path;

use serde_json::json;

use super::{insecure, refused};
use crate::args::Common;
use crate::args::ledger::ExportEvmArgs;
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::terminal;
use crate::units;
use ledger::evm::Export;
use ledger::node::{self, Node};

/// The command.
pub fn export(args: &ExportEvmArgs, common: &Common) -> Result<Exit, Failure> {
    let folder = &args.output;
    if folder.symlink_metadata().is_ok() {
        let message = format!("{} is there already, and nothing is overwritten", terminal::path(folder));
        return Err(Failure::usage(message, "name a new folder with -o"));
    }
    if args.insecure_local && !common.quiet {
        insecure();
    }
    let genesis = Node::genesis(&args.chain).map_err(refused)?;
    let key = read_file(&args.key, common)?;
    let exported = node::export(&genesis, (args.batch.circuit(), &key), args.insecure_local);
    let (export, provenance) = exported.map_err(|e| refused(e).in_file(&args.key))?;
    let names = write(folder, export, common)?;
    let contract = genesis.machine.contract;
    let address = contract.map(|contract| format!("0x{}", units::hex(&contract.address)));
    if common.json {
        let place = contract.zip(address);
        let place = place.map(
            |(contract, address)| json!({ "chain_id": contract.chain_id.to_string(), "address": address }),
        );
        output::json(&json!({
            "insecure": args.insecure_local, "provenance": provenance.to_string(), "files": names, "contract": place,
            "directory": folder.display().to_string(),
        }));
    } else if !common.quiet {
        note!("{} in {}: {provenance}", names.join(", "), terminal::path(folder));
        match contract.zip(address) {
            Some((contract, address)) => {
                note!(
                    "  the chain is that of the contract at {address} of the EVM chain {}: deploy it there",
                    contract.chain_id
                );
            }
            None => {
                note!("  the chain's description names no contract: one that does takes these batches alone")
            }
        }
    }
    Ok(Exit::Valid)
}

/// Writes all files, and returns their names.
fn write(folder: &Path, export: Export, common: &Common) -> Result<Vec<String>, Failure> {
    std::fs::create_dir(folder).map_err(Failure::file("make", folder))?;
    let write = |(name, bytes): (String, Vec<u8>)| {
        common.files.once(Kind::Ledger, &folder.join(&name))?.write(&bytes).map(|()| name)
    };
    export.files().into_iter().map(write).collect()
}
