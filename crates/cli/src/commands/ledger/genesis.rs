//! `ledger init`.

use std::path::Path;

use serde_json::json;

use super::keys::public_key;
use super::refused;
use crate::args::Common;
use crate::args::ledger::InitArgs;
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::units;
use ledger::chain::Genesis;
use ledger::node::{DescriptionError, Node, read_genesis};
use ledger::token::Token;

/// Memory of a description for each byte of its text, at most: two are a number in a list, whose room doubles as it grows.
const BYTES_PER_CHARACTER: u64 = 24;

/// Reads what a chain begins with: a description, or a file `genesis`.
pub fn read(path: &Path, common: &Common) -> Result<Genesis<Token>, Failure> {
    let bytes = read_file(path, common)?;
    if Kind::of(&bytes) != Some(Kind::Ledger) {
        let hint = "raise `--max-memory`, or give the file `genesis` of another node's directory";
        common.within_memory(BYTES_PER_CHARACTER.saturating_mul(bytes.len() as u64), hint)?;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let genesis = read_genesis(&bytes, &mut |key| public_key(key, folder, common));
    let genesis = genesis.map_err(|error| match error {
        DescriptionError::Content(what) => {
            Failure::usage(what, "docs/ledger.md has an example of a description")
        }
        DescriptionError::Key(failure) => failure,
    });
    genesis.map_err(|e| e.in_file(path))
}

/// The command.
pub fn init(args: &InitArgs, common: &Common) -> Result<Exit, Failure> {
    let genesis = read(&args.genesis, common)?;
    let node = Node::init(&args.directory, genesis).map_err(refused)?;
    let (chain, root) = (units::hex(&node.replica().genesis()), units::hex(&node.replica().chain().root()));
    if common.json {
        output::json(&json!({ "genesis": chain, "root": root }));
    } else if !common.quiet {
        output::line(format_args!("genesis {chain}\nroot    {root}"));
    }
    Ok(Exit::Valid)
}
