//! What this machine and this build can do, what is fast here, and why.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::memory::{self, Memory};
use crate::table::{Align, Paint, Table};
use crate::units;

/// An instruction set extension.
#[derive(Clone, Debug, Serialize)]
pub struct Feature {
    /// Name, as in `-C target-feature`.
    pub name: &'static str,
    /// The processor has it.
    pub cpu: bool,
    /// The compiler was allowed to use it everywhere in this build.
    pub built: bool,
    /// What uses it here.
    pub used_for: &'static str,
}

/// Everything `doctor` says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this program.
    pub version: &'static str,
    /// Name of the processor, when the system tells.
    pub processor: Option<String>,
    /// Architecture of the build.
    pub architecture: &'static str,
    /// Whether this is an optimised build.
    pub optimised: bool,
    /// Extensions that matter here.
    pub features: Vec<Feature>,
    /// Hardware threads that the process may use.
    pub threads_available: usize,
    /// Threads that the prover will use.
    pub threads_used: usize,
    /// Memory in bytes.
    pub memory: Memory,
    /// Jobs above this are refused unless `--max-memory` says otherwise.
    pub memory_limit: u64,
    /// BLAKE3 on one thread, bytes per second, measured now.
    pub blake3_bytes_per_second: u64,
    /// Copying memory on one thread, bytes per second, measured now.
    pub copy_bytes_per_second: u64,
    /// What follows from all this.
    pub advice: Vec<String>,
}

macro_rules! features {
    ($detected:ident; $($name:tt => $used_for:literal),* $(,)?) => {
        vec![$(Feature {
            name: $name,
            cpu: std::arch::$detected!($name),
            built: cfg!(target_feature = $name),
            used_for: $used_for,
        }),*]
    };
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    features! { is_x86_feature_detected;
        "sse4.1" => "BLAKE3, 4 lanes",
        "avx2" => "prime fields and BLAKE3, 8 lanes",
        "bmi2" => "64-bit products (Goldilocks, Mersenne61, BN254)",
        "adx" => "carry chains (BN254)",
        "sha" => "SHA-256",
        "avx512f" => "prime fields and BLAKE3, 16 lanes",
        "avx512vl" => "BLAKE3, 16 lanes",
        "avx512dq" => "64-bit lanes (Goldilocks)",
        "avx512ifma" => "52-bit products; not used yet",
    }
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<Feature> {
    features! { is_aarch64_feature_detected;
        "neon" => "prime fields and BLAKE3, 4 lanes",
        "sha2" => "SHA-256",
        "sha3" => "Keccak; not used yet",
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<Feature> {
    Vec::new()
}

/// Looks at the machine and measures it for about a tenth of a second.
#[must_use]
pub fn examine(max_memory: Option<u64>) -> Report {
    let features = features();
    let memory = memory::machine();
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        processor: processor(),
        architecture: std::env::consts::ARCH,
        optimised: !cfg!(debug_assertions),
        features,
        threads_available: std::thread::available_parallelism().map_or(1, usize::from),
        threads_used: rayon::current_num_threads(),
        memory,
        memory_limit: max_memory.unwrap_or_else(memory::default_limit),
        blake3_bytes_per_second: blake3_speed(),
        copy_bytes_per_second: copy_speed(),
        advice: Vec::new(),
    };
    report.advice = advice(&report);
    report
}

/// The name of the processor, when the system tells.
pub fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

const MEASURE: Duration = Duration::from_millis(50);

/// Repeats `work` on `bytes` bytes and returns bytes per second.
fn speed(bytes: usize, mut work: impl FnMut()) -> u64 {
    work();
    let start = Instant::now();
    let mut rounds = 0u64;
    while start.elapsed() < MEASURE {
        work();
        rounds += 1;
    }
    (rounds as f64 * bytes as f64 / start.elapsed().as_secs_f64()) as u64
}

fn blake3_speed() -> u64 {
    let data = vec![0x5a; 1 << 20];
    speed(data.len(), || {
        std::hint::black_box(blake3::hash(std::hint::black_box(&data)));
    })
}

fn copy_speed() -> u64 {
    let from = vec![0x5a; 64 << 20];
    let mut to = vec![0; from.len()];
    speed(from.len(), || {
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&mut to);
    })
}

/// What follows from the facts; pure, so that it can be tested on facts of other machines.
fn advice(report: &Report) -> Vec<String> {
    let mut advice = Vec::new();
    let has = |name: &str, built: bool| {
        report.features.iter().any(|f| f.name == name && f.cpu && (f.built || !built))
    };
    let unused: Vec<&str> = report.features.iter().filter(|f| f.cpu && !f.built).map(|f| f.name).collect();
    let lanes = match (has("avx512f", true), has("avx2", true), has("neon", true)) {
        (true, ..) => Some(("AVX-512", 16)),
        (_, true, _) => Some(("AVX2", 8)),
        (.., true) => Some(("NEON", 4)),
        _ => None,
    };
    advice.push(match lanes {
        Some((set, n)) => format!(
            "koalabear is the fastest field here: {n} elements per {set} instruction. goldilocks does {} and \
             needs a field of 64 bits only when values or sums exceed 2^30.",
            n / 2
        ),
        None => {
            "prime fields run without SIMD in this build: proving is several times slower than it could be."
                .to_owned()
        }
    });
    if !unused.is_empty() {
        advice.push(format!(
            "this build does not use {} although the processor has it; prime fields choose their instructions \
             when compiled. Build from source with RUSTFLAGS=\"-C target-cpu=native\" to use it. \
             BLAKE3 chooses at run time and is not affected.",
            unused.join(", ")
        ));
    }
    if !report.optimised {
        advice.push(
            "this is a build with debug assertions: times are not representative; use --release.".to_owned(),
        );
    }
    if report.threads_used < report.threads_available {
        advice.push(format!(
            "{} of {} threads are used; leave --threads out to use all.",
            report.threads_used, report.threads_available
        ));
    }
    let sha = has("sha", false) || has("sha2", false);
    advice.push(if sha {
        "blake3 hashes many leaves at once and is the fastest hash here; sha256 has instructions of its own and \
         is next."
            .to_owned()
    } else {
        "use blake3: this processor has no SHA instructions, so sha256 would dominate the prover.".to_owned()
    });
    if let Some(available) = report.memory.available.filter(|&a| a < 1 << 30) {
        advice.push(format!(
            "only {} of memory are available: large files will be refused.",
            units::bytes(available)
        ));
    }
    advice
}

impl Report {
    /// The report for a terminal.
    #[must_use]
    pub fn render(&self, paint: Paint) -> String {
        let known = |bytes: Option<u64>| bytes.map_or("unknown".to_owned(), units::bytes);
        let rate = |n: u64| format!("{}/s", units::bytes(n));
        let mut text = format!(
            "{} {}, {} build for {}\n",
            paint.bold("tenfold"),
            self.version,
            if self.optimised { "optimised" } else { "debug" },
            self.architecture
        );
        let facts = [
            ("processor", self.processor.clone().unwrap_or_else(|| "unknown".to_owned())),
            ("threads", format!("{} of {}", self.threads_used, self.threads_available)),
            ("memory", format!("{}, {} available", known(self.memory.total), known(self.memory.available))),
            ("limit", format!("jobs above {} are refused", units::bytes(self.memory_limit))),
            ("blake3", format!("{} on one thread", rate(self.blake3_bytes_per_second))),
            ("copy", format!("{} on one thread", rate(self.copy_bytes_per_second))),
        ];
        for (name, value) in facts {
            text.push_str(&format!("{name:<10} {value}\n"));
        }
        let mut table = Table::new(&[
            ("feature", Align::Left),
            ("processor", Align::Left),
            ("build", Align::Left),
            ("used for", Align::Left),
        ]);
        let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
        for f in &self.features {
            table.row(vec![f.name.to_owned(), yes(f.cpu), yes(f.built), f.used_for.to_owned()]);
        }
        text.push('\n');
        text.push_str(&table.render(paint));
        text.push('\n');
        for line in &self.advice {
            text.push_str(&format!("• {line}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(cpu: bool, built: bool) -> Report {
        let mut report = examine(Some(1 << 30));
        report.features = vec![Feature { name: "avx2", cpu, built, used_for: "" }];
        report
    }

    #[test]
    fn advice_follows_the_facts() {
        let all = |cpu, built| advice(&report(cpu, built)).join("\n");
        assert!(all(true, true).contains("8 elements per AVX2"));
        assert!(all(true, false).contains("does not use avx2"));
        assert!(all(true, false).contains("without SIMD"));
        assert!(!all(false, false).contains("does not use"));
        assert!(all(false, false).contains("no SHA instructions"));
    }

    #[test]
    fn speeds_are_measured() {
        let report = examine(None);
        assert!(report.blake3_bytes_per_second > 1 << 20);
        assert!(report.copy_bytes_per_second > 1 << 20);
        assert!(report.render(Paint::off()).contains("used for"));
    }
}
