//! `ledger submit`, `prove`, `verify` and `apply`: transactions and blocks.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::keys::{public_key, read_secret};
use super::{keys_of_batches, open, refused};
use crate::args::Common;
use crate::args::ledger::{BlockArgs, BlocksArgs, OperationArgs, ProveArgs, SubmitArgs};
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ledger::chain::{Block, Content};
use ledger::circuit::BatchProver;
use ledger::circuit::transparent::BITS;
use ledger::machine::{Machine, Signed};
use ledger::node::{
    BatchCircuit, Draft, Keys, LeftOut, Node, ProvingKey, Verifiers, batch_size, file, proving_memory,
    transparent_memory,
};
use ledger::signature::Secret;
use ledger::statement::{BatchSize, BatchVerifier};
use ledger::token::{Index, Operation, Token, Transaction};

/// The time for which another process may have the directory when a proof is made.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most transactions of which it is said why they are left out.
const SHOWN: usize = 16;

/// `ledger submit`.
pub fn submit(args: &SubmitArgs, common: &Common) -> Result<Exit, Failure> {
    let output = args.output.as_deref().map(|path| common.files.once(Kind::Ledger, path)).transpose()?;
    let node = open(&args.directory)?;
    let machine = *node.replica().chain().machine();
    let signed = match (&args.transaction, &args.key, args.from) {
        (Some(path), ..) => {
            let bytes = read_file(path, common)?;
            file::decode_transaction(&machine.domain(), &bytes).map_err(|e| refused(e).in_file(path))?
        }
        (None, Some(key), Some(from)) => {
            let (operation, secret) = (operation(&args.operation, common)?, read_secret(key, common)?);
            node.sign(Index(from), operation, &secret).map_err(refused)?
        }
        _ => {
            return Err(Failure::usage("no transaction", "name a file, or --key, --from, --to and --amount"));
        }
    };
    let transaction = &signed.transaction;
    let place = match output {
        Some(output) => {
            output.write(&file::encode_transaction(&machine.domain(), &signed))?;
            output.path().to_owned()
        }
        None => node.accept(&signed).map_err(refused)?,
    };
    say_signed(transaction, &place, common);
    Ok(Exit::Valid)
}

/// Says where a signed transaction is.
pub fn say_signed(transaction: &Transaction, place: &Path, common: &Common) {
    let (from, nonce) = (transaction.from.0, transaction.nonce);
    if common.json {
        output::json(&json!({ "from": from, "nonce": nonce, "file": place.display().to_string() }));
    } else if !common.quiet {
        note!("transaction {nonce} of account {from}, signed, in {}", terminal::path(place));
    }
}

/// The effect of a transaction, by its arguments.
pub fn operation(args: &OperationArgs, common: &Common) -> Result<Operation, Failure> {
    let missing = || Failure::usage("a transaction has an amount and a recipient", "name --to and --amount");
    let (amount, memo) = (args.amount.ok_or_else(missing)?, args.memo);
    if args.burn {
        return Ok(Operation::Burn { amount, memo });
    }
    let to = Index(args.to.ok_or_else(missing)?);
    Ok(match &args.create {
        Some(key) => Operation::Create { to, amount, key: public_key(key, Path::new(""), common)? },
        None if args.mint => Operation::Mint { to, amount, memo },
        None => Operation::Transfer { to, amount, memo },
    })
}

/// `ledger prove`.
pub fn prove(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    let output = common.files.once(Kind::Ledger, &args.output)?;
    let secret = args.key.as_deref().map(|path| read_secret(path, common)).transpose()?;
    let directory = &args.node.directory;
    let node = open(directory)?;
    let waiting = node.waiting().map_err(refused)?;
    if !common.quiet {
        waiting.unusable.iter().for_each(|(path, e)| note!("left out: {}: {e}", terminal::path(path)));
    }
    let content = match (&args.rebase, &secret) {
        (Some(path), _) => {
            node.read_block(&read_file(path, common)?).map_err(|e| refused(e).in_file(path))?.content
        }
        (None, Some(secret)) if args.claim => node.claim(args.lane, secret).map_err(refused)?,
        _ if args.plain => {
            let (content, left_out) = node.plain(waiting.transactions).map_err(refused)?;
            say_left_out(&left_out, common);
            content
        }
        _ if args.empty => Content::Empty,
        _ => {
            let by = (args, secret.as_ref());
            return prove_batch(node, waiting.transactions, by, (&output, common));
        }
    };
    finish(&node, content, args, (&output, common))
}

/// Proves a batch of what waits, without the directory, and writes it whatever has happened there meanwhile.
fn prove_batch(
    node: Node,
    waiting: Vec<Signed<Transaction>>,
    (args, secret): (&ProveArgs, Option<&Secret>),
    (output, common): (&Output, &Common),
) -> Result<Exit, Failure> {
    let holds = node.holds(args.lane, secret).map_err(refused)?;
    let draft = Draft::of(node.replica().chain(), waiting, args.batch.size.batch);
    let (draft, left_out) = draft.map_err(refused)?;
    say_left_out(&left_out, common);
    let place = node.place();
    // Others may use the directory meanwhile.
    drop(node);
    let content = batch(draft, args, secret.filter(|_| holds), common)?;
    let finished = place.finish(&args.node.directory, content, PATIENCE);
    output.write(&finished.bytes)?;
    if let Some(e) = finished.refused {
        // A proof is not thrown away.
        let name = terminal::path(output.path());
        note!("the batch is in {name}: `prove --rebase` puts it behind another block");
        return Err(refused(e));
    }
    say(&finished.bytes, finished.height, args, (output, common));
    Ok(Exit::Valid)
}

/// Names the first of them: senders may have queued many that wait for one.
pub fn say_left_out(left_out: &[LeftOut], common: &Common) {
    if common.quiet {
        return;
    }
    for (signed, why) in left_out.iter().take(SHOWN) {
        let t = &signed.transaction;
        note!("left out: transaction {} of account {}: {why}", t.nonce, t.from.0);
    }
    if let more @ 1.. = left_out.len().saturating_sub(SHOWN) {
        note!("left out: {more} more");
    }
}

fn batch(
    draft: Draft,
    args: &ProveArgs,
    holder: Option<&Secret>,
    common: &Common,
) -> Result<Content<Token>, Failure> {
    let keys = keys_of_batches(&args.node, (args.batch.binding, args.proofs), common);
    let mut progress = Progress::new(common.quiet || common.json);
    let (prover, origin) = prover(&keys, draft.size(), &mut progress, common)?;
    let count = draft.transactions().len();
    let (batch, cost) = draft.prove(&*prover, args.lane, holder).map_err(refused)?;
    progress.end();
    if !common.quiet {
        let time = units::millis(cost.wall.as_secs_f64() * 1e3);
        note!("{count} transactions proven in {time}; {origin}");
    }
    Ok(Content::Batch(batch))
}

/// The prover of batches of a size, if there is memory for it, and where its key comes from.
fn prover(
    keys: &Keys,
    size: BatchSize,
    progress: &mut Progress,
    common: &Common,
) -> Result<(Box<dyn BatchProver>, String), Failure> {
    if !keys.is_transparent() {
        let key = proving_key(keys, keys.present(size.slots()), progress, common)?;
        let origin = key.verifying().provenance().to_string();
        return Ok((Box::new(key), origin));
    }
    let need = transparent_memory(size);
    let what = format!("batches of {} without a setup", size.slots());
    announce(need, &what, common)?;
    progress.phase("making the circuit");
    let prover = keys.prover(size).map_err(refused)?;
    progress.phase("proving");
    Ok((prover, format!("without a setup, by {BITS} proven bits")))
}

/// Says how much memory a proof takes, and refuses one for which there is less.
fn announce(need: u64, what: &str, common: &Common) -> Result<(), Failure> {
    common.within_memory(need, "raise `--max-memory`, or take a smaller --batch")?;
    if !common.quiet && !common.json {
        note!("proving {what} takes about {} of memory", units::bytes_up(need));
    }
    Ok(())
}

/// The key of a circuit, if there is memory to prove with it, and a bar for the proof.
pub fn proving_key(
    keys: &Keys,
    circuit: BatchCircuit,
    progress: &mut Progress,
    common: &Common,
) -> Result<ProvingKey, Failure> {
    announce(proving_memory(circuit), &circuit.words(), common)?;
    progress.phase("reading the key");
    let mut key = keys.proving(circuit).map_err(refused)?;
    progress.steps("proving", 100);
    key.watch(progress.counter());
    Ok(key)
}

/// Writes the block, if its replica would accept it but for its proof, which was verified when it was made.
fn finish(
    node: &Node,
    content: Content<Token>,
    args: &ProveArgs,
    (output, common): (&Output, &Common),
) -> Result<Exit, Failure> {
    let bytes = node.block(content);
    let block = node.read_block(&bytes).map_err(refused)?;
    node.check_made(&block).map_err(|e| Failure::invalid(format!("the block would be refused: {e}")))?;
    output.write(&bytes)?;
    say(&bytes, block.height, args, (output, common));
    Ok(Exit::Valid)
}

fn say(bytes: &[u8], height: u64, args: &ProveArgs, (output, common): (&Output, &Common)) {
    let name = output.path().display().to_string();
    if common.json {
        output::json(
            &json!({ "height": height, "bytes": bytes.len(), "file": name, "insecure": args.node.keys.insecure_local }),
        );
    } else if !common.quiet {
        note!("block {height} ({} bytes) in {}", bytes.len(), terminal::escape(&name));
    }
}

/// A block, checked or applied with the key of its batch.
fn with_key<T>(
    node: &mut Node,
    (path, keys, verifiers): (&Path, &Keys, &mut Verifiers<'_>),
    common: &Common,
    f: impl FnOnce(&mut Node, &Block<Token>, &dyn BatchVerifier<Token>) -> Result<T, ledger::node::NodeError>,
) -> Result<(u64, T), Failure> {
    let block = node.read_block(&read_file(path, common)?).map_err(|e| refused(e).in_file(path))?;
    // The wrong place of a block is said before a key is looked for.
    let placed = node.replica().chain().check(&block, None);
    placed.map_err(|e| Failure::invalid(e.to_string()).in_file(path))?;
    if batch_size(&block).is_none() && keys.binding().is_some() && !common.quiet && !common.json {
        note!("  --binding is about the proof of a batch, and block {} has none", block.height);
    }
    let verifier = verifiers.of(&block).map_err(refused)?;
    let value = f(node, &block, verifier).map_err(|e| refused(e).in_file(path))?;
    Ok((block.height, value))
}

/// `ledger verify`.
pub fn verify(args: &BlockArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = keys_of_batches(&args.node, (args.batch.binding, args.proofs), common);
    let mut node = open(&args.node.directory)?;
    let mut verifiers = Verifiers::new(&keys, *node.replica().chain().machine());
    let of = (&*args.block, &keys, &mut verifiers);
    let (height, ()) = with_key(&mut node, of, common, |node, block, verifier| node.verify(block, verifier))?;
    if common.json {
        output::json(&json!({ "valid": true, "height": height, "insecure": keys.is_insecure() }));
    } else if !common.quiet {
        note!("{} the block of height {height} would be accepted", Paint::stderr().green("valid:"));
    }
    Ok(Exit::Valid)
}

/// `ledger apply`.
pub fn apply(args: &BlocksArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = keys_of_batches(&args.node, (args.binding, args.proofs), common);
    let mut node = open(&args.node.directory)?;
    let mut verifiers = Verifiers::new(&keys, *node.replica().chain().machine());
    for path in &args.blocks {
        let of = (&**path, &keys, &mut verifiers);
        with_key(&mut node, of, common, |node, block, verifier| node.apply(block, verifier))?;
    }
    let tip = node.replica().chain().tip();
    if common.json {
        output::json(
            &json!({ "height": tip.height, "root": units::hex(&tip.root), "insecure": keys.is_insecure() }),
        );
    } else if !common.quiet {
        note!("{} height {}, root {}", Paint::stderr().green("applied:"), tip.height, units::hex(&tip.root));
    }
    Ok(Exit::Valid)
}
