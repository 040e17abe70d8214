//! Checks a GPU against the CPU and measures both; prints one JSON object.
//!
//! `gpu_check [--emulator] [--min-log N] [--max-log N] [--repeats N] [--skip-energy]`. Sizes are log2 of the entries of a matrix. Exit code 1
//! if some bytes differ from the CPU's, 2 if there is no GPU.

mod air;
mod cpu;
mod nvml;

use field::{Field, Gf128, Gf192, Tower64, Tower128};
use gpu::{Challenge, Code, Entry, Error, Gpu, Profile};
use iop::code::ReedSolomon;
use iop::hash::Hash;
use iop::oracle::OracleSpec;
use serde_json::{Value, json};
use std::time::Instant;

/// What the command line asks for.
struct Options {
    emulator: bool,
    sizes: std::ops::RangeInclusive<usize>,
    repeats: usize,
    energy: bool,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Self { emulator: false, sizes: 10..=24, repeats: 7, energy: true };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let mut number = || -> Result<usize, String> {
                let value = args.next().ok_or(format!("{name} needs a number"))?;
                value.parse().map_err(|_| format!("{name} {value}: not a number"))
            };
            match name.as_str() {
                "--emulator" => options.emulator = true,
                "--min-log" => options.sizes = number()?..=*options.sizes.end(),
                "--max-log" => options.sizes = *options.sizes.start()..=number()?,
                "--repeats" => options.repeats = number()?,
                "--skip-energy" => options.energy = false,
                _ => return Err(format!("unknown option {name}")),
            }
        }
        if *options.sizes.start() < 8 || *options.sizes.end() > 28 {
            return Err("sizes are from 8 to 28".into());
        }
        Ok(options)
    }
}

/// A matrix to commit to.
#[derive(Clone, Copy)]
struct Case {
    log_entries: usize,
    log_width: usize,
    log_inv_rate: usize,
    hash: Hash,
}

impl Case {
    fn spec(&self) -> OracleSpec {
        let code = ReedSolomon::new(self.log_entries - self.log_width, self.log_inv_rate);
        OracleSpec { code, width: 1 << self.log_width, log_fibre: 0, log_parts: 0, hash: self.hash }
    }
}

fn main() -> std::process::ExitCode {
    let options = match Options::parse() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return 2.into();
        }
    };
    let mut report =
        json!({ "cpu": cpu::model(), "threads": cpu::threads(), "driver": nvml::driver_version() });
    let codes: &[Option<Code>] =
        if options.emulator { &[None] } else { &[Some(Code::Native), Some(Code::Portable)] };
    let (mut opened, mut alike) = (0, true);
    for (i, code) in codes.iter().enumerate() {
        let gpu = code.map_or_else(Gpu::emulator, Gpu::open_with);
        let gpu = match gpu {
            Ok(gpu) => gpu,
            Err(error) => {
                report[key(*code)] = json!({ "error": error.to_string() });
                continue;
            }
        };
        opened += 1;
        let result = measure(&gpu, &options, i == 0 || opened == 1);
        alike &= result["all_bytes_equal"] == true;
        report[key(*code)] = result;
    }
    println!("{}", serde_json::to_string_pretty(&report).expect("a report is JSON"));
    if opened == 0 { 2.into() } else { u8::from(!alike).into() }
}

fn key(code: Option<Code>) -> &'static str {
    code.map_or("emulator", Code::name)
}

/// All cases on one device; the CPU's times are taken once.
fn measure(gpu: &Gpu, options: &Options, with_cpu: bool) -> Value {
    let mut runs = Vec::new();
    let case = |log_entries, hash| Case { log_entries, log_width: 4, log_inv_rate: 1, hash };
    for log_entries in options.sizes.clone() {
        // Odd sizes are checked and timed on the GPU alone.
        let cpu = with_cpu && log_entries.is_multiple_of(2);
        runs.push(run::<Tower128, Gf128>(gpu, options, case(log_entries, Hash::Blake3), cpu));
    }
    for log_entries in [16, 20, 24].into_iter().filter(|log| options.sizes.contains(log)) {
        runs.push(run::<Tower64, Gf192>(gpu, options, case(log_entries, Hash::Blake3), with_cpu));
        runs.push(run::<Tower128, Gf128>(gpu, options, case(log_entries, Hash::Sha3_256), with_cpu));
        for (log_width, log_inv_rate) in [(6, 1), (2, 1), (4, 2)] {
            let case = Case { log_width, log_inv_rate, ..case(log_entries, Hash::Blake3) };
            runs.push(run::<Tower128, Gf128>(gpu, options, case, false));
        }
    }
    let air = air::runs(gpu, options, with_cpu);
    let equal = runs.iter().chain(&air).all(|run| run["bytes_equal"] == true);
    json!({ "name": gpu.name(), "self_check": "passed", "all_bytes_equal": equal, "runs": runs, "air": air })
}

/// One case; an error of the device is a result too.
fn run<B: Entry + From64, E: Challenge<B>>(
    gpu: &Gpu,
    options: &Options,
    case: Case,
    with_cpu: bool,
) -> Value {
    let mut value = json!({
        "log_entries": case.log_entries, "entry": B::NAME, "challenge": E::NAME, "columns": 1 << case.log_width,
        "inverse_rate": 1 << case.log_inv_rate, "hash": case.hash.name(),
        "message_mib": (B::BYTES << case.log_entries) as f64 / f64::from(1 << 20),
    });
    match run_case::<B, E>(gpu, options, case, with_cpu, &mut value) {
        Ok(()) => {}
        Err(error) => value["error"] = error.to_string().into(),
    }
    value
}

fn run_case<B: Entry + From64, E: Challenge<B>>(
    gpu: &Gpu,
    options: &Options,
    case: Case,
    with_cpu: bool,
    value: &mut Value,
) -> Result<(), Error> {
    let (spec, repeats) = (case.spec(), options.repeats);
    let message: Vec<B> = B::random(1 << case.log_entries);
    let row_weights: Vec<E> = weights(1 << spec.code.log_rows);
    let column_weights: Vec<E> = weights(spec.width);

    let device = gpu.upload(&spec, &message)?;
    let profile = device.profile(repeats, &row_weights, &column_weights)?;
    let (commit, matrix) = median(repeats.min(3), || gpu.commit(&spec, &message));
    let matrix = matrix?;
    let (upload, _) = median(repeats.min(3), || gpu.upload(&spec, &message).map(|_| ()));
    let (rows_all, rows) = median(repeats.min(3), || device.combine_rows(spec.width, &row_weights));
    let (columns_all, columns) = median(repeats.min(3), || device.combine_columns(&column_weights));
    let positions: Vec<usize> = (0..200).map(|i| i * ((1 << spec.code.log_domain()) / 200).max(1)).collect();
    let positions = &positions[..positions.len().min(1 << spec.code.log_domain())];
    let (open, opened) = median(repeats.min(3), || matrix.open_rows(positions));
    value["gpu_ms"] = json!({
        "encode": profile.encode, "leaves": profile.leaves, "tree": profile.nodes,
        "combine_rows": profile.combine_rows, "combine_columns": profile.combine_columns,
        "upload": upload, "commit_with_transfers": commit, "combine_rows_with_transfers": rows_all,
        "combine_columns_with_transfers": columns_all, "open_200_rows_with_transfers": open,
    });
    value["codeword_gb_per_s"] = rates((B::BYTES << (case.log_entries + case.log_inv_rate)) as f64, &profile);
    if options.energy && case.log_entries >= 20 {
        value["gpu_joules_per_commit"] = energy(|| device.repeat_commit(1500.0))?;
    }
    drop(device);

    let expected = cpu::Expected::new(&spec, &message, &row_weights, &column_weights);
    let (opened_rows, _) = opened?;
    let alike = [
        ("root", matrix.root() == expected.codeword.root()),
        ("codeword", case.log_entries > 20 || matrix.codeword()? == expected.codeword.blocks().concat()),
        ("combine_rows", rows? == expected.rows),
        ("combine_columns", columns? == expected.columns),
        (
            "opened_rows",
            opened_rows.chunks(spec.width).zip(positions).all(|(row, &i)| row == expected.codeword.row(i)),
        ),
    ];
    for (what, equal) in alike {
        value["equal"][what] = equal.into();
    }
    value["bytes_equal"] = alike.iter().all(|(_, equal)| *equal).into();
    if with_cpu {
        for threads in [1, cpu::threads()] {
            value["cpu_ms"][threads.to_string()] =
                cpu::times(threads, &spec, &message, &row_weights, &column_weights);
        }
    }
    Ok(())
}

/// Gigabytes of the codeword that the steps of a commitment process in a second.
fn rates(code_bytes: f64, profile: &Profile) -> Value {
    json!({
        "encode": code_bytes / profile.encode / 1e6, "leaves": code_bytes / profile.leaves / 1e6,
        "on_device": code_bytes / (profile.encode + profile.leaves + profile.nodes) / 1e6,
    })
}

/// Joules of what is repeated, by the counter of the card: over a second and a half, so that it counts often enough.
fn energy(repeat: impl FnOnce() -> Result<u64, Error>) -> Result<Value, Error> {
    let Some(counter) = nvml::EnergyCounter::open() else { return Ok(Value::Null) };
    let Some(before) = counter.millijoules() else { return Ok(Value::Null) };
    let start = Instant::now();
    let count = repeat()?;
    let seconds = start.elapsed().as_secs_f64();
    let Some(after) = counter.millijoules() else { return Ok(Value::Null) };
    let joules = (after - before) as f64 / 1e3;
    Ok(json!({ "per_commit": joules / count as f64, "watts": joules / seconds, "commits": count }))
}

/// The median of the milliseconds that something takes after once for warmth, and its last result.
fn median<T>(repeats: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut last = run();
    let mut times: Vec<f64> = (0..repeats.max(1))
        .map(|_| {
            let start = Instant::now();
            last = run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], last)
}

/// Entries made of words.
trait From64: Sized {
    fn random(count: usize) -> Vec<Self>;
}

impl From64 for Tower64 {
    fn random(count: usize) -> Vec<Self> {
        words(count).map(Self).collect()
    }
}

impl From64 for Tower128 {
    fn random(count: usize) -> Vec<Self> {
        let (mut words, mut entries) = (words(2 * count), Vec::with_capacity(count));
        while let (Some(low), Some(high)) = (words.next(), words.next()) {
            entries.push(Self(u128::from(high) << 64 | u128::from(low)));
        }
        entries
    }
}

fn weights<E: Field>(count: usize) -> Vec<E> {
    let words: Vec<u64> = words(count * E::BYTES / 8).collect();
    let element = |words: &[u64]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        E::from_bytes(&bytes).expect("every string of bytes is an element")
    };
    words.chunks(E::BYTES / 8).map(element).collect()
}

/// Words without structure (splitmix64).
fn words(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| {
        let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    })
}
