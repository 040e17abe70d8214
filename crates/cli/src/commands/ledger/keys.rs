//! `ledger keygen` and `ledger setup`.

use std::path::Path;

use serde_json::json;
use zeroize::Zeroizing;

use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::{FinaliseArgs, ImportArgs, KeygenArgs, LocalArgs, SetupCommand};
use crate::commands::{read_file, with_ending};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ledger::circuit::groth16::circuit;
use ledger::codec::Canonical;
use ledger::node::{
    Contribution, circuit_state, contribute, finalise, powers_state, proving_memory, verify_ceremony,
};
use ledger::signature::{PublicKey, Secret, decode_key, encode_key};

/// Longer than any secret key file.
const MOST: usize = 128;

/// Reads a secret key file.
pub fn read_secret(path: &Path) -> Result<Secret, Failure> {
    use std::io::Read;
    let mut bytes = Zeroizing::new(Vec::with_capacity(MOST));
    let file = std::fs::File::open(path).map_err(Failure::file("read", path))?;
    file.take(MOST as u64).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    let key = decode_key(&bytes);
    key.map_err(|e| {
        Failure::usage(e.to_string(), "give the secret that `tenfold ledger keygen` wrote").in_file(path)
    })
}

/// The key in a public key file, or of 128 digits.
pub fn public_key(name: &str, folder: &Path, common: &Common) -> Result<PublicKey, Failure> {
    let hint = "give the public key that `tenfold ledger keygen` wrote, or its 128 hexadecimal digits";
    let bytes: [u8; 64] = match units::from_hex(name) {
        Some(bytes) => bytes,
        None => {
            let path = folder.join(name);
            let text = read_file(&path, common)?;
            let text = std::str::from_utf8(&text).ok().map(str::trim).and_then(units::from_hex);
            text.ok_or_else(|| Failure::usage("this is no public key of a ledger", hint).in_file(&path))?
        }
    };
    PublicKey::from_bytes(&bytes).map_err(|e| Failure::usage(format!("no public key: {e}"), hint))
}

/// `ledger keygen`.
pub fn generate(args: &KeygenArgs, common: &Common) -> Result<Exit, Failure> {
    let path = with_ending(&args.output, ".pub");
    let public_file = common.files.once(Kind::PublicKey, &path)?;
    let secret_file = common.files.secret(Kind::SecretKey, &args.output)?;
    let secret = Secret::generate().map_err(|e| Failure::io(format!("no random bytes: {e}")))?;
    let hex = units::hex(&secret.public().to_bytes());
    let line = format!("{hex}\n");
    let staged = public_file.stage(line.as_bytes())?;
    let encoded = encode_key(&secret);
    staged.place_after(secret_file.stage(&encoded)?)?;
    if common.json {
        let [secret, path] = [args.output.display().to_string(), path.display().to_string()];
        output::line(format_args!("{:#}", json!({ "secret": secret, "public": path, "key": hex })));
    } else {
        output::line(&hex);
        if !common.quiet {
            let [secret, path] = [&args.output, &path].map(|path| terminal::path(path).to_string());
            note!("  secret in {secret}: readable by you alone; public in {path}");
        }
    }
    Ok(Exit::Valid)
}

/// `ledger setup`.
pub fn setup(command: &SetupCommand, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let read = |path: &Path| read_file(path, common);
    match command {
        SetupCommand::Local(args) => return local(args, common, progress),
        SetupCommand::Finalise(args) => return make(args, common, progress),
        SetupCommand::Import(args) => return import(args, common),
        SetupCommand::Powers(args) => {
            let output = common.files.once(Kind::Ledger, &args.output)?;
            output.write(&powers_state(&circuit(args.size.batch.slots())).map_err(refused)?)?;
            said(common, "phase 1 has begun: have others contribute to this file", &[]);
        }
        SetupCommand::Circuit(args) => {
            let output = common.files.once(Kind::Ledger, &args.output)?;
            progress.phase("verifying the powers, and making the circuit's part");
            let state =
                circuit_state(&read(&args.powers)?, &circuit(args.size.batch.slots())).map_err(refused)?;
            output.write(&state)?;
            said(common, "phase 2 has begun: have others contribute to this file", &[]);
        }
        SetupCommand::Contribute(args) => {
            let output = common.files.once(Kind::Ledger, &args.output)?;
            progress.phase("contributing");
            let (phase, state, count) = contribute(&read(&args.state)?).map_err(refused)?;
            output.write(&state)?;
            let phase = if phase == Contribution::Powers { "phase 1" } else { "phase 2" };
            let digest = units::hex(blake3::hash(&state).as_bytes());
            said(
                common,
                &format!("contribution {count} to {phase}; publish its digest"),
                &[("digest", &digest)],
            );
        }
        SetupCommand::Verify(args) => {
            progress.phase("verifying");
            let shape = circuit(args.size.batch.slots());
            let counts = verify_ceremony(&read(&args.powers)?, &read(&args.state)?, &shape);
            let [powers, state] = counts.map_err(refused)?;
            said(common, &format!("valid: {powers} contributions to phase 1, {state} to phase 2"), &[]);
        }
    }
    Ok(Exit::Valid)
}

fn said(common: &Common, text: &str, facts: &[(&str, &str)]) {
    if common.json {
        let mut value = json!({ "result": text });
        facts.iter().for_each(|(name, fact)| value[*name] = json!(fact));
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        output::line(text);
        facts.iter().for_each(|(name, fact)| output::line(format_args!("  {name} {fact}")));
    }
}

fn local(args: &LocalArgs, common: &Common, mut progress: Progress) -> Result<Exit, Failure> {
    let slots = args.size.batch.slots();
    common.within_memory(proving_memory(slots), "raise `--max-memory`, or take a smaller --batch")?;
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    progress.phase("making keys");
    let key = keys.make_local(slots).map_err(refused)?;
    progress.end();
    let digest = units::hex(&key.verifying().digest());
    let provenance = Paint::stdout().red(&key.verifying().provenance().to_string());
    said(common, &format!("keys for batches of {slots}: {provenance}"), &[("digest", &digest)]);
    Ok(Exit::Valid)
}

fn make(args: &FinaliseArgs, common: &Common, mut progress: Progress) -> Result<Exit, Failure> {
    let (ceremony, slots) = (&args.ceremony, args.ceremony.size.batch.slots());
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    progress.phase("verifying all contributions");
    let [powers, state] = [read_file(&ceremony.powers, common)?, read_file(&ceremony.state, common)?];
    let key = finalise(&powers, &state, &circuit(slots)).map_err(refused)?;
    keys.save(slots, &key).map_err(refused)?;
    progress.end();
    let digest = units::hex(&key.verifying().digest());
    let provenance = key.verifying().provenance();
    said(common, &format!("keys for batches of {slots}: {provenance}"), &[("digest", &digest)]);
    Ok(Exit::Valid)
}

fn import(args: &ImportArgs, common: &Common) -> Result<Exit, Failure> {
    let keys = keys_of(&args.node.directory, &args.node.keys, common);
    let bytes = read_file(&args.key, common)?;
    let info = keys.import(args.size.batch.slots(), &bytes, &args.digest).map_err(refused)?;
    said(common, &format!("key for batches of {}: {}", info.slots, info.provenance), &[]);
    Ok(Exit::Valid)
}
