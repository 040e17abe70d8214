//! `ledger setup`: local keys, and the steps of a ceremony.

use std::path::Path;

use serde_json::{Value, json};

use super::{keys_of, refused};
use crate::args::Common;
use crate::args::ledger::{
    BeaconStateArgs, CeremonyArgs, CircuitArgs, ContributeArgs, ExpectedArgs, FinaliseArgs, ImportArgs,
    LocalArgs, NodeArgs, PowersArgs, SetupCommand,
};
use crate::commands::{read_exactly, read_file};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use ledger::node::{
    BatchCircuit, Beacon, Contribution, Expected, KeyInfo, Keys, Node, Phase, STATE_HEAD, Verified,
    circuit_state, contribute, contribute_beacon, finalise, powers_bytes, powers_state, proving_memory,
    state_bytes, verify_ceremony,
};

/// The command.
pub fn run(command: &SetupCommand, common: &Common) -> Result<Exit, Failure> {
    let progress = Progress::new(common.quiet || common.json);
    match command {
        SetupCommand::Local(args) => local(args, common, progress)?,
        SetupCommand::Powers(args) => powers(args, common, progress)?,
        SetupCommand::Circuit(args) => circuit(args, common, progress)?,
        SetupCommand::Contribute(args) => contribution(args, None, common, progress)?,
        SetupCommand::Beacon(args) => beacon(args, common, progress)?,
        SetupCommand::Verify(args) => verify(args, common, progress)?,
        SetupCommand::Finalise(args) => make(args, common, progress)?,
        SetupCommand::Import(args) => import(args, common)?,
    }
    Ok(Exit::Valid)
}

/// A result and facts about it, the same for people and in JSON.
fn said(common: &Common, text: &str, facts: &[(&str, Value)]) {
    if common.json {
        output::json(&object(text, facts));
    } else if !common.quiet {
        output::line(text);
        // Of insecure keys it was said that they are.
        for (name, fact) in facts.iter().filter(|(_, fact)| !fact.is_boolean()) {
            for fact in fact.as_array().unwrap_or(&vec![fact.clone()]) {
                output::line(format_args!("  {name} {}", fact.as_str().unwrap_or_default()));
            }
        }
    }
}

fn object(text: &str, facts: &[(&str, Value)]) -> Value {
    let mut value = json!({ "result": text });
    facts.iter().for_each(|(name, fact)| {
        value[name.trim_end_matches(':').replace(' ', "_")] = fact.clone();
    });
    value
}

/// Facts about a contribution.
fn contributed(receipt: &[u8; 32], state: &[u8]) -> [(&'static str, Value); 2] {
    [("receipt", hex(receipt)), ("file blake3", hex(blake3::hash(state).as_bytes()))]
}

/// Facts about a ceremony.
fn receipts(of: &Verified) -> [(&'static str, Value); 2] {
    let list = |list: &[[u8; 32]]| list.iter().map(hex).collect::<Value>();
    [("phase 1:", list(&of.powers)), ("phase 2:", list(&of.circuit))]
}

fn hex(digest: &[u8; 32]) -> Value {
    units::hex(digest).into()
}

/// The binding of a circuit's committed cells, in words.
fn binding(circuit: BatchCircuit) -> (&'static str, Value) {
    ("binding", circuit.binding().to_string().into())
}

/// The keys of a node, if there is one: nothing is made in a directory that is none.
fn keys_of_node(node: &NodeArgs, common: &Common) -> Result<Keys, Failure> {
    Node::rules(&node.directory).map_err(refused)?;
    Ok(keys_of(&node.directory, &node.keys, common))
}

/// Says which keys were made or taken.
fn say_keys(keys: &Keys, (circuit, info): (BatchCircuit, &KeyInfo), common: &Common) {
    let (what, provenance) = (if info.proves { "keys" } else { "key" }, info.provenance.to_string());
    let provenance = if info.is_local() { Paint::stdout().red(&provenance) } else { provenance };
    let facts = [binding(circuit), ("digest", hex(&info.digest)), ("insecure", keys.is_insecure().into())];
    said(common, &format!("{what} for {}: {provenance}", circuit.words()), &facts);
}

fn local(args: &LocalArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let circuit = args.batch.circuit();
    common.within_memory(proving_memory(circuit), "raise `--max-memory`, or take a smaller --batch")?;
    let keys = keys_of_node(&args.node, common)?;
    progress.phase("making keys");
    let key = keys.make_local(circuit).map_err(refused)?;
    progress.end();
    say_keys(&keys, (circuit, &KeyInfo::new(circuit, key.verifying(), true)), common);
    Ok(())
}

fn powers(args: &PowersArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let output = common.files.once(Kind::Ledger, &args.output)?;
    let circuit = args.batch.circuit();
    // A contributor reads the file into a half of the memory: what none here could read is not written.
    let need = powers_bytes(circuit).saturating_mul(2);
    common.within_memory(
        need,
        "raise `--max-memory`, of which a file may be a half, or take a smaller --batch",
    )?;
    progress.phase("measuring the circuit");
    output.write(&powers_state(&circuit.matrices()).map_err(refused)?)?;
    progress.end();
    said(common, "phase 1 has begun: have others contribute to this file", &[binding(circuit)]);
    Ok(())
}

fn circuit(args: &CircuitArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let output = common.files.once(Kind::Ledger, &args.output)?;
    progress.phase("verifying the powers, and making the circuit's part");
    let circuit = args.batch.circuit();
    let powers = read_state(&args.powers, Some(circuit), common)?;
    let state = circuit_state(&powers, &circuit.matrices());
    output.write(&state.map_err(|e| refused(e).in_file(&args.powers))?)?;
    progress.end();
    said(common, "phase 2 has begun: have others contribute to this file", &[binding(circuit)]);
    Ok(())
}

fn contribution(
    args: &ContributeArgs,
    beacon: Option<&Beacon>,
    common: &Common,
    mut progress: Progress,
) -> Result<(), Failure> {
    let output = common.files.once(Kind::Ledger, &args.output)?;
    let state = read_state(&args.state, None, common)?;
    progress.phase("contributing");
    let made = match beacon {
        Some(beacon) => contribute_beacon(&state, beacon),
        None => contribute(&state),
    };
    let Contribution { phase, state, count, receipt } = made.map_err(|e| refused(e).in_file(&args.state))?;
    output.write(&state)?;
    progress.end();
    let phase = if phase == Phase::Powers { "phase 1" } else { "phase 2" };
    let text = match beacon {
        Some(_) => {
            format!("contribution {count} to {phase}, that of the beacon: everybody can make the same file")
        }
        None => {
            format!("contribution {count} to {phase}; publish its receipt, and look for it in the last state")
        }
    };
    said(common, &text, &contributed(&receipt, &state));
    Ok(())
}

/// Hashes a value `2^log2` times, with a bar of hundredths where that takes longer than a moment.
fn delayed(value: &str, log2: u32, progress: &mut Progress) -> Beacon {
    const STEPS: u64 = 128;
    let (all, mut beacon) = (1u64 << log2, Beacon::new(value.as_bytes()));
    if all < 1 << 20 {
        return beacon.delay(all);
    }
    progress.steps("hashing the public value", STEPS);
    for _ in 0..STEPS {
        beacon = beacon.delay(all / STEPS);
        progress.advance(1);
    }
    beacon
}

fn beacon(args: &BeaconStateArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let beacon = delayed(&args.beacon.value, args.beacon.log2_hashes, &mut progress);
    contribution(&args.step, Some(&beacon), common, progress)
}

fn expected(args: &ExpectedArgs, progress: &mut Progress) -> Expected {
    let mut of =
        |value: &Option<String>, log2: u32| value.as_deref().map(|value| delayed(value, log2, progress));
    let powers_beacon = of(&args.powers_beacon, args.powers_log2_hashes.unwrap_or(args.log2_hashes));
    let beacon = of(&args.beacon, args.log2_hashes);
    Expected { receipts: args.receipts.clone(), powers_beacon, beacon }
}

/// Reads a state of a ceremony, for a circuit if it is known, or for any that there is: no more bytes than such a state has.
fn read_state(path: &Path, circuit: Option<BatchCircuit>, common: &Common) -> Result<Vec<u8>, Failure> {
    let length = |head: &[u8]| state_bytes(head, circuit).map_err(|e| refused(e).in_file(path));
    read_exactly(path, STATE_HEAD, length, common)
}

/// The files of both phases.
fn states(args: &CeremonyArgs, common: &Common) -> Result<[Vec<u8>; 2], Failure> {
    let circuit = Some(args.batch.circuit());
    Ok([read_state(&args.powers, circuit, common)?, read_state(&args.state, circuit, common)?])
}

fn verify(args: &CeremonyArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let [powers, state] = states(args, common)?;
    let expected = expected(&args.expected, &mut progress);
    progress.phase("verifying all contributions");
    let verified = verify_ceremony(&powers, &state, &args.batch.circuit().matrices(), &expected);
    let verified = verified.map_err(refused)?;
    progress.end();
    let [first, second] = [&verified.powers, &verified.circuit];
    let text = format!("valid: {} contributions to phase 1, {} to phase 2", first.len(), second.len());
    said(common, &text, &receipts(&verified));
    Ok(())
}

fn make(args: &FinaliseArgs, common: &Common, mut progress: Progress) -> Result<(), Failure> {
    let (ceremony, circuit) = (&args.ceremony, args.ceremony.batch.circuit());
    let keys = keys_of_node(&args.node, common)?;
    let [powers, state] = states(ceremony, common)?;
    let expected = expected(&ceremony.expected, &mut progress);
    progress.phase("verifying all contributions");
    let key = finalise(&powers, &state, &circuit.matrices(), &expected).map_err(refused)?;
    progress.phase("writing the keys");
    keys.save(circuit, &key).map_err(refused)?;
    progress.end();
    say_keys(&keys, (circuit, &KeyInfo::new(circuit, key.verifying(), true)), common);
    Ok(())
}

fn import(args: &ImportArgs, common: &Common) -> Result<(), Failure> {
    let keys = keys_of_node(&args.node, common)?;
    let bytes = read_file(&args.key, common)?;
    let circuit = args.batch.circuit();
    let info = keys.import(circuit, &bytes, &args.digest).map_err(|e| refused(e).in_file(&args.key))?;
    say_keys(&keys, (circuit, &info), common);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_page::check;

    /// Of a ceremony, which takes minutes: what is printed is what the page has.
    #[test]
    fn objects_are_those_of_the_page() {
        let two = Verified { powers: vec![[1; 32]], circuit: vec![[2; 32]] };
        check("ledger setup verify", &object("valid", &receipts(&two)));
        check("ledger setup contribute", &object("contribution 1", &contributed(&[1; 32], b"state")));
        check("ledger setup powers", &object("phase 1 has begun", &[binding(64.into())]));
    }

    /// Phases whose values were hashed differently, and one number for both.
    #[test]
    fn each_phase_has_its_number_of_hashes() {
        let mut args = ExpectedArgs {
            receipts: Vec::new(),
            beacon: Some("two".into()),
            powers_beacon: Some("one".into()),
            log2_hashes: 3,
            powers_log2_hashes: Some(1),
        };
        let after = |value: &str, hashes| Some(Beacon::new(value.as_bytes()).delay(hashes));
        let found = expected(&args, &mut Progress::new(true));
        assert_eq!((found.powers_beacon, found.beacon), (after("one", 2), after("two", 8)));
        args.powers_log2_hashes = None;
        let found = expected(&args, &mut Progress::new(true));
        assert_eq!((found.powers_beacon, found.beacon), (after("one", 8), after("two", 8)));
    }
}
