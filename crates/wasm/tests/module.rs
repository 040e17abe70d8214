//! The verifier on proofs of every scheme, natively and as the module runs it: on 32 bits, without threads.
//!
//! `scripts/wasm` builds the module and names it in `TENFOLD_WASM`; without it the native half runs alone.

mod cases;
mod page;
mod refusals;
mod report;
mod signatures;

use cases::{BITS, Case, all};
use iop::security::{Policy, Regimes, Theorem, Theorems};
use std::time::Instant;
use tenfold_verifier::{Input, Status, judge};
use wasmi::{Config, Engine, Instance, Linker, Memory, Module, Store};

/// A running module.
struct Machine {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Machine {
    /// The module that `TENFOLD_WASM` names.
    fn new() -> Option<Self> {
        let Some(path) = std::env::var_os("TENFOLD_WASM") else {
            eprintln!("NOT RUN: the module itself; ./scripts/wasm builds it, and ./scripts/test runs it");
            return None;
        };
        let mut config = Config::default();
        let engine = Engine::new(config.consume_fuel(true));
        let module = Module::new(&engine, std::fs::read(path).expect("the module")).expect("a module");
        assert_eq!(module.imports().count(), 0, "the module asks for nothing");
        let mut store = Store::new(&engine, ());
        store.set_fuel(u64::MAX).expect("fuel is metered");
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("an instance");
        let memory = instance.get_memory(&store, "memory").expect("its memory");
        Some(Self { store, instance, memory })
    }

    fn number(&mut self, name: &str) -> u32 {
        let call = self.instance.get_typed_func::<(), u32>(&self.store, name).expect("an export");
        call.call(&mut self.store, ()).expect("no trap")
    }

    /// Judges what is in the room.
    fn verify(
        &mut self,
        [p, c, w, e]: [u32; 4],
        [bits, without_work, theorems, unique, scale]: [u32; 5],
    ) -> Result<u32, wasmi::Error> {
        type Arguments = (u32, u32, u32, u32, u32, u32, u32, u32, u32);
        let verify = self.instance.get_typed_func::<Arguments, u32>(&self.store, "tenfold_verify");
        verify
            .expect("an export")
            .call(&mut self.store, (p, c, w, e, bits, without_work, theorems, unique, scale))
    }

    /// The address of room for so many bytes.
    fn room(&mut self, length: u32) -> u32 {
        let room = self.instance.get_typed_func::<u32, u32>(&self.store, "tenfold_input").expect("an export");
        room.call(&mut self.store, length).expect("no trap")
    }

    /// Whether a part of a text is still where it stood: the allocator writes over the first bytes of what is freed.
    fn remains(&self, at: usize, text: &str) -> bool {
        let mut there = vec![0; text.len()];
        self.memory.read(&self.store, at, &mut there).expect("within the memory");
        text.as_bytes().windows(16).zip(there.windows(16)).any(|(said, there)| said == there)
    }

    fn judge(&mut self, input: Input<'_>, min_bits: u32) -> (u32, String) {
        self.judge_by(input, [min_bits, 0, 0, 0])
    }

    /// The verdict by a policy: bits, bits without work, theorems, unique decoding.
    fn judge_by(&mut self, input: Input<'_>, policy: [u32; 4]) -> (u32, String) {
        let parts = [input.proof, input.commitment, input.weights, input.expected.as_bytes()];
        let [bits, without_work, theorems, unique] = policy;
        let words = [bits, without_work, theorems, unique, input.weights_scale];
        self.judge_parts(&parts.concat(), parts.map(|part| part.len() as u32), words)
    }

    /// The verdict on an input that is said to have parts of these lengths.
    fn judge_parts(&mut self, bytes: &[u8], lengths: [u32; 4], words: [u32; 5]) -> (u32, String) {
        let at = self.room(bytes.len() as u32);
        assert!(at != 0, "room for the input");
        assert_eq!(self.number("tenfold_output_length"), 0, "a report of other input");
        self.memory.write(&mut self.store, at as usize, bytes).expect("within the memory");
        let status = self.verify(lengths, words).expect("no trap");
        let (at, length) = (self.number("tenfold_output"), self.number("tenfold_output_length"));
        let mut text = vec![0; length as usize];
        self.memory.read(&self.store, at as usize, &mut text).expect("within the memory");
        (status, String::from_utf8(text).expect("text"))
    }
}

fn input(case: &Case) -> Input<'_> {
    Input {
        proof: &case.proof,
        commitment: &case.commitment,
        weights: &case.weights,
        weights_scale: case.weights_scale,
        expected: "",
    }
}

/// The verdict, natively, and in the module if there is one: the same to the letter.
fn judged(machine: &mut Option<Machine>, input: Input<'_>, min_bits: u32, name: &str) -> (Status, String) {
    let (status, text) = judge(input, Policy::at_least(min_bits));
    if let Some(machine) = machine {
        let started = Instant::now();
        let in_module = machine.judge(input, min_bits);
        eprintln!("{name}: {} in {:.1?}, interpreted", in_module.0, started.elapsed());
        assert_eq!(in_module, (status as u32, text.clone()), "{name}");
    }
    (status, text)
}

#[test]
fn proofs_of_every_scheme_hold_and_tampered_ones_do_not() {
    let mut machine = Machine::new();
    let all = all();
    for case in &all {
        let name = &case.name;
        let (status, text) = judged(&mut machine, input(case), BITS, name);
        assert_eq!(status, Status::Valid, "{name}: {text}");
        // Behind the description of a column come the decimals of its weights, and that there is no mean.
        let context = if name == "weighted sum" { "0100000000" } else { "" };
        assert!(text.contains(&format!("\"context\":\"{context}\"")), "{name}: {text}");
        let entry = text.contains("{\"entry\":7,") || !case.weights.is_empty();
        assert!(entry, "{name}: {text}");
        let hidden = if name.ends_with("hiding") { 1 } else { 0 };
        assert!(text.contains(&format!("\"hidden_openings\":{hidden},")), "{name}: {text}");

        // The last byte of the proof, a byte in its middle, one of the commitment's root.
        for at in [case.proof.len() - 1, case.proof.len() / 2] {
            let mut proof = case.proof.clone();
            proof[at] ^= 1;
            let tampered = Input { proof: &proof, ..input(case) };
            assert_ne!(judged(&mut machine, tampered, BITS, name).0, Status::Valid, "{name}, byte {at}");
        }
        let enough = judged(&mut machine, input(case), 200, name);
        assert_eq!(enough.0, Status::Invalid, "{name}: more bits than any proof has");
    }
    // A proof about one commitment is none about another, whatever the scheme.
    let next = all.iter().cycle().skip(1);
    for (case, other) in all.iter().zip(next) {
        let about = Input { commitment: &other.commitment, ..input(case) };
        let (status, text) = judged(&mut machine, about, BITS, &case.name);
        assert_eq!(status, Status::Invalid, "{}: {text}", case.name);
    }
}

/// The module's policies are those of the Rust function: the verdict and the report are the same to the letter. What is no policy is
/// no verdict.
#[test]
fn every_part_of_a_policy_reaches_the_verifier() {
    let mut machine = Machine::new();
    let all = all();
    let case = &all[0];
    let of = |interactive_bits, theorems, regimes| Policy {
        interactive_bits,
        theorems,
        regimes,
        ..Policy::at_least(BITS)
    };
    let (any, unique) = (Regimes::Any, Regimes::UniqueDecoding);
    let [bciks20, bchks25, printed, dkt26] = Theorem::ALL.map(Theorems::only);
    let both = Theorems::DEFAULT;
    for (policy, words, holds) in [
        (of(0, both, any), [0, 0, 0], true),
        (of(0, both, any), [0, 10, 0], true),
        (of(0, bchks25, any), [0, 2, 0], true),
        (of(0, dkt26, any), [0, 8, 0], true),
        (of(0, printed, any), [0, 4, 0], true),
        (of(0, bciks20, any), [0, 1, 0], false),
        (of(0, both.and(Theorem::Bciks20), any), [0, 11, 0], false),
        (of(60, both, any), [60, 0, 0], true),
        (of(BITS, both, any), [BITS, 0, 0], false),
        (of(0, both, unique), [0, 0, 1], false),
    ] {
        let (status, text) = judge(input(case), policy);
        assert_eq!(status, if holds { Status::Valid } else { Status::Invalid }, "{policy:?}: {text}");
        let Some(machine) = &mut machine else { continue };
        let [without_work, theorems, unique] = words;
        let in_module = machine.judge_by(input(case), [BITS, without_work, theorems, unique]);
        assert_eq!(in_module, (status as u32, text), "{policy:?}");
    }
    let Some(machine) = &mut machine else { return };
    for policy in
        [[0, 0, 16, 0], [0, 0, u32::MAX, 0], [0, 0, 1 << 31 | 2, 0], [0, 0, 0, 2], [0, 0, 0, u32::MAX]]
    {
        let (status, text) = machine.judge_by(input(case), policy);
        let refused = text.contains("no such theorem or regime");
        assert!(status == Status::Malformed as u32 && refused, "{policy:?}: {text}");
    }
}

#[test]
fn what_is_no_file_is_no_verdict() {
    let mut machine = Machine::new();
    let all = all();
    let case = all.last().expect("a weighted sum");
    let swapped = Input {
        proof: &case.commitment,
        commitment: &case.proof,
        weights: &[],
        weights_scale: 0,
        expected: "",
    };
    let empty = Input { proof: &[], commitment: &[], weights: &[], weights_scale: 0, expected: "" };
    let short = Input { commitment: &case.commitment[..40], ..input(case) };
    let not_about = Input { commitment: &case.proof, ..input(case) };
    for (name, input) in
        [("swapped", swapped), ("empty", empty), ("short", short), ("no commitment", not_about)]
    {
        assert_eq!(judged(&mut machine, input, BITS, name).0, Status::Malformed, "{name}");
    }
    let mut weights = case.weights.clone();
    weights[0] ^= 1;
    for (name, weights) in [("no weights", &[][..]), ("other weights", &weights)] {
        let input = Input { weights, ..input(case) };
        assert_eq!(judged(&mut machine, input, BITS, name).0, Status::Invalid, "{name}");
    }
    let fewer = Input { weights: &weights[1..], ..input(case) };
    assert_eq!(judged(&mut machine, fewer, BITS, "fewer weights").0, Status::Malformed);
}

/// On 32 bits a code of 2^40 positions would wrap around to a short one, with another distance than the report's.
#[test]
fn malicious_prover_whose_code_is_longer_than_the_machine_counts() {
    let proof = cases::of_a_long_code();
    let all = all();
    let input = Input { proof: &proof, ..input(&all[0]) };
    let (status, text) = judge(input, Policy::at_least(0));
    assert!(status == Status::Invalid && text.contains("the parameter digest"), "{text}");
    let Some(mut machine) = Machine::new() else { return };
    let (status, text) = machine.judge(input, 0);
    assert!(status == Status::Invalid as u32 && text.contains("more positions than this machine"), "{text}");
}

/// A verification that ends in a trap leaves no verdict: the last one is gone, where it stood and as the report.
#[test]
fn a_trap_leaves_no_verdict_of_an_earlier_call() {
    let Some(mut machine) = Machine::new() else { return };
    let all = all();
    let case = &all[0];
    let (status, text) = machine.judge(input(case), BITS);
    assert_eq!(status, Status::Valid as u32, "{text}");
    let at = machine.number("tenfold_output") as usize;
    let lengths = [&case.proof[..], &case.commitment, &case.weights, &[]].map(|part| part.len() as u32);
    // Enough to begin with, and far from enough to end: this trap comes from nothing in the input.
    machine.store.set_fuel(1_000_000).expect("fuel is metered");
    machine.verify(lengths, [BITS, 0, 0, 0, 0]).expect_err("a trap");
    machine.store.set_fuel(u64::MAX).expect("fuel is metered");
    assert_eq!(machine.number("tenfold_output_length"), 0, "a report after a trap");
    assert!(!machine.remains(at, &text), "the report of another call is still there");
}

/// Room for an input is zeros: of the one before nothing is left. Where there is no room there is no address, and the instance goes on.
#[test]
fn an_input_begins_with_nothing() {
    let Some(mut machine) = Machine::new() else { return };
    let all = all();
    let case = &all[0];
    assert_eq!(machine.judge(input(case), BITS).0, Status::Valid as u32);
    let mut there = vec![1; case.proof.len()];
    let at = machine.room(there.len() as u32) as usize;
    machine.memory.read(&machine.store, at, &mut there).expect("within the memory");
    assert!(there.iter().all(|byte| *byte == 0), "an earlier input");
    let (_, text) = machine.judge(input(case), BITS);
    let at = machine.number("tenfold_output") as usize;
    assert!(machine.remains(at, &text));
    machine.room(0);
    assert!(!machine.remains(at, &text), "an earlier report");
    for length in [u32::MAX, 1 << 31] {
        assert_eq!(machine.room(length), 0, "room for {length} bytes");
        assert_eq!(machine.judge(input(case), BITS).0, Status::Valid as u32, "after {length}");
    }
}

/// What is no text names no claim, and no verdict comes of it.
#[test]
fn claims_that_are_no_text() {
    let Some(mut machine) = Machine::new() else { return };
    let all = all();
    let case = &all[0];
    let bytes = [&case.proof[..], &case.commitment, &[0xff]].concat();
    let lengths = [&case.proof[..], &case.commitment, &[], &[0xff]].map(|part| part.len() as u32);
    let (status, text) = machine.judge_parts(&bytes, lengths, [0; 5]);
    assert!(status == Status::Malformed as u32 && text.contains("not UTF-8"), "{text}");
}

/// Lengths that go beyond the input, or leave some of it, are refused, and the instance goes on.
#[test]
fn lengths_that_do_not_make_up_the_input() {
    let Some(mut machine) = Machine::new() else { return };
    let all = all();
    let case = &all[0];
    let bytes = [&case.proof[..], &case.commitment].concat();
    let [proof, commitment] = [&case.proof, &case.commitment].map(|part| part.len() as u32);
    let wrapping = u32::MAX - proof + 1;
    for lengths in [
        [proof + 1, commitment, 0, 0],
        [proof, commitment - 1, 0, 0],
        [proof, commitment, 1, 0],
        [proof, commitment, 0, 1],
        [0, 0, 0, 0],
        [proof + commitment + 1, 0, 0, 0],
        [u32::MAX, commitment, 0, 0],
        [proof, wrapping, proof + commitment, 0],
        [proof, commitment, u32::MAX, 0],
        [proof, commitment, 0, u32::MAX],
    ] {
        let (status, text) = machine.judge_parts(&bytes, lengths, [0; 5]);
        assert!(status == Status::Malformed as u32 && text.contains("the lengths"), "{lengths:?}: {text}");
        assert_eq!(machine.judge(input(case), BITS).0, Status::Valid as u32, "after {lengths:?}");
    }
}

/// The corpora of proof files and of ring signatures, whose verdicts all front ends share. (`vectors/verdicts`, `vectors/ring-verdicts`)
#[test]
fn the_module_has_the_verdicts_of_the_corpora() {
    let mut machine = Machine::new();
    for (name, least, in_module) in [("verdicts", 50, 1), ("ring-verdicts", 40, 8)] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
        let read = |name: &serde_json::Value| {
            std::fs::read(folder.join(name.as_str().expect("a name"))).expect("a file")
        };
        let cases = std::fs::read(folder.join("verdicts.json")).expect("the corpus");
        let cases: Vec<serde_json::Value> = serde_json::from_slice(&cases).expect("cases");
        assert!(cases.len() > least, "every case is read");
        for (at, case) in cases.iter().enumerate() {
            let (proof, commitment) = (read(&case["proof"]), read(&case["commitment"]));
            let weights = case.get("field_weights").or_else(|| case.get("weights")).map_or(Vec::new(), read);
            let (proof, commitment, weights) = (&proof[..], &commitment[..], &weights[..]);
            let input = Input { proof, commitment, weights, weights_scale: 0, expected: "" };
            let bits = case["min_bits"].as_u64().expect("bits") as u32;
            // A signature takes a while to interpret.
            let mut native = None;
            let machine = if at % in_module == 0 { &mut machine } else { &mut native };
            let (found, text) = judged(machine, input, bits, &case["name"].to_string());
            let same = match case["verdict"].as_str().expect("a verdict") {
                "valid" => found == Status::Valid,
                "invalid" => found == Status::Invalid,
                "malformed" => found == Status::Malformed,
                _ => found != Status::Valid,
            };
            assert!(same, "{case}: {text}");
        }
    }
}
