//! What this machine can do, which kernels run on it, what is fast here, and why. The command `doctor` prints it.

use std::time::{Duration, Instant};

use field::cpu::{self, Features, Tier};
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
    /// Kernels use it: the processor has it, and no lower tier is forced.
    pub used: bool,
    /// What uses it here.
    pub used_for: &'static str,
}

/// The facts that a measured time is quoted with.
#[derive(Clone, Debug, Serialize)]
pub struct Host {
    /// Version of tenfold.
    pub version: &'static str,
    /// The commit that it was built from, with a `+` if files were changed since, where the build was told: `scripts/release` tells it.
    pub commit: Option<&'static str>,
    /// Name of the processor, when the system tells.
    pub processor: Option<String>,
    /// Architecture of the build.
    pub architecture: &'static str,
    /// Whether this is an optimised build.
    pub optimised: bool,
    /// Tier of instruction sets that kernels use.
    pub tier: &'static str,
    /// Threads that the prover will use.
    pub threads_used: usize,
}

impl Host {
    /// Looks at the machine; measures nothing.
    #[must_use]
    pub fn here() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("TENFOLD_COMMIT"),
            processor: processor(),
            architecture: std::env::consts::ARCH,
            optimised: !cfg!(debug_assertions),
            tier: Tier::best().name(),
            threads_used: rayon::current_num_threads(),
        }
    }

    /// The name of the processor, or that the system does not tell.
    #[must_use]
    pub fn processor(&self) -> String {
        self.processor.clone().unwrap_or_else(|| "unknown".to_owned())
    }

    /// The instruction sets that kernels use: a tier, or by name what they use without one.
    #[must_use]
    pub fn kernels(&self) -> String {
        instruction_sets(&[self.tier], &features(), |feature| feature.used)
    }

    /// The kind of build, optimised or not, its commit if it is known, and its architecture.
    #[must_use]
    pub fn build(&self) -> String {
        let kind = if self.optimised { "optimised" } else { "debug" };
        let of = self.commit.map(|commit| format!(" of {commit}")).unwrap_or_default();
        format!("{kind} build{of} for {}", self.architecture)
    }
}

/// The facts, and what follows from them.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The facts that times are quoted with.
    #[serde(flatten)]
    pub host: Host,
    /// Tiers that this processor has, the fastest first.
    pub tiers: Vec<&'static str>,
    /// The tier that `TENFOLD_CPU` forces.
    pub forced: Option<&'static str>,
    /// Why `TENFOLD_CPU` is not followed.
    pub refused: Option<String>,
    /// Extensions that matter here.
    pub features: Vec<Feature>,
    /// Hardware threads that the process may use.
    pub threads_available: usize,
    /// Memory in bytes.
    pub memory: Memory,
    /// Jobs above this are refused unless `--max-memory` says otherwise.
    #[serde(rename = "memory_limit_bytes")]
    pub memory_limit: u64,
    /// BLAKE3 on one thread, bytes per second, measured now.
    pub blake3_bytes_per_second: u64,
    /// Copying memory on one thread, bytes per second, measured now.
    pub copy_bytes_per_second: u64,
    /// What follows from all this.
    pub advice: Vec<String>,
}

impl Machine {
    /// The report for a terminal, with a line about the GPU.
    #[must_use]
    pub fn render(&self, gpu: &str, paint: Paint) -> String {
        let known = |bytes: Option<u64>| bytes.map_or("unknown".to_owned(), units::bytes);
        let rate = |n: u64| format!("{}/s", units::bytes(n));
        let mut text = format!("{} {}, {}\n", paint.bold("tenfold"), self.host.version, self.host.build());
        let facts = [
            ("processor", self.host.processor()),
            ("kernels", self.kernels()),
            ("threads", format!("{} of {}", self.host.threads_used, self.threads_available)),
            ("memory", format!("{}, {} available", known(self.memory.total), known(self.memory.available))),
            ("limit", format!("jobs above {} are refused", units::bytes(self.memory_limit))),
            ("blake3", format!("{} on one thread", rate(self.blake3_bytes_per_second))),
            ("copy", format!("{} on one thread", rate(self.copy_bytes_per_second))),
            ("gpu", gpu.to_owned()),
        ];
        for (name, value) in facts {
            text.push_str(&format!("{name:<10} {value}\n"));
        }
        let mut table = Table::new(&[
            ("feature", Align::Left),
            ("processor", Align::Left),
            ("used", Align::Left),
            ("used for", Align::Left),
        ]);
        let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
        for f in &self.features {
            table.row(vec![f.name.to_owned(), yes(f.cpu), yes(f.used), f.used_for.to_owned()]);
        }
        text.push('\n');
        text.push_str(&table.render(paint));
        text.push('\n');
        for line in &self.advice {
            text.push_str(&format!("• {line}\n"));
        }
        text
    }

    /// The instruction sets in use, and what else there is.
    fn kernels(&self) -> String {
        let used = instruction_sets(&[self.host.tier], &self.features, |feature| feature.used);
        let there = instruction_sets(&self.tiers, &self.features, |feature| feature.cpu);
        let why = if self.forced.is_some() { ", forced by TENFOLD_CPU" } else { "" };
        let refused = if self.refused.is_some() { "; TENFOLD_CPU cannot be followed, see below" } else { "" };
        format!("{used}{why} (this processor has {there}){refused}")
    }
}

/// Tiers by their names; without one above what every processor of the architecture has, as on ARM, the extensions that kernels look for.
fn instruction_sets(tiers: &[&str], features: &[Feature], with: impl Fn(&Feature) -> bool) -> String {
    let ours = |feature: &&Feature| Features::ALL.iter().any(|(name, _)| *name == feature.name);
    let names: Vec<_> = features.iter().filter(ours).filter(|f| with(f)).map(|f| f.name).collect();
    if tiers == [Tier::Portable.name()] && !names.is_empty() { names.join(", ") } else { tiers.join(", ") }
}

/// What kernels use each extension for; they choose when the program runs.
const USED_FOR: &[(&str, &str)] = &[
    ("pclmulqdq", "binary fields, one product"),
    ("avx2", "prime fields (8 and 4 lanes), Keccak, additions on curves, binary transforms"),
    ("fma", "additions on curves"),
    ("bmi2", "prime fields"),
    ("gfni", "binary transforms and conversions"),
    ("vpclmulqdq", "binary fields, 2 or 4 products"),
    ("avx512f", "prime fields (16 and 8 lanes), Keccak, BLAKE3, binary fields"),
    ("avx512bw", "binary transforms"),
    ("avx512vl", "prime fields"),
    ("avx512dq", "ring proofs and KZG"),
    ("avx512vbmi", "binary conversions"),
    ("avx512ifma", "ring proofs and KZG, 8 lanes"),
    ("neon", "prime fields and binary transforms"),
    ("aes", "binary fields, one product"),
];

/// The extensions of this architecture that kernels look for, then those that outside libraries look for themselves.
fn features() -> Vec<Feature> {
    let known = |&(name, used_for): &(&'static str, &'static str)| {
        let (_, feature) = *Features::of_this_architecture().find(|(other, _)| *other == name)?;
        Some(Feature { name, cpu: cpu::present().contains(feature), used: cpu::has(feature), used_for })
    };
    let mut features: Vec<Feature> = USED_FOR.iter().filter_map(known).collect();
    let mut library = |name, cpu, used_for| features.push(Feature { name, cpu, used: cpu, used_for });
    #[cfg(target_arch = "x86_64")]
    {
        library("sse4.1", std::arch::is_x86_feature_detected!("sse4.1"), "BLAKE3 (its library's own choice)");
        library("sha", std::arch::is_x86_feature_detected!("sha"), "SHA-256 (its library's own choice)");
    }
    #[cfg(target_arch = "aarch64")]
    library("sha2", std::arch::is_aarch64_feature_detected!("sha2"), "SHA-256 (its library's own choice)");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = &mut library;
    features
}

/// Looks at the machine and measures it for about a tenth of a second.
#[must_use]
pub fn examine(max_memory: Option<u64>) -> Machine {
    let features = features();
    let memory = memory::machine();
    let mut report = Machine {
        host: Host::here(),
        tiers: Tier::ALL.into_iter().rev().filter(|tier| tier.is_there()).map(Tier::name).collect(),
        forced: cpu::forced().ok().flatten().map(Tier::name),
        refused: cpu::forced().err().map(|e| e.to_string()),
        features,
        threads_available: std::thread::available_parallelism().map_or(1, usize::from),
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
#[must_use]
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
fn advice(report: &Machine) -> Vec<String> {
    let mut advice = Vec::new();
    let used = |name: &str| report.features.iter().any(|f| f.name == name && f.used);
    let lanes = match report.host.tier {
        "avx512" => Some(("AVX-512", 16)),
        "avx2" => Some(("AVX2", 8)),
        _ if used("neon") => Some(("NEON", 4)),
        _ => None,
    };
    advice.push(match lanes {
        Some((set, n)) => format!(
            "koalabear is the fastest field here: {n} elements per {set} instruction. goldilocks does {} and \
             needs a field of 64 bits only when values or sums exceed 2^30.",
            n / 2
        ),
        None => {
            "prime fields run without SIMD: proving is several times slower than on a processor with AVX2."
                .to_owned()
        }
    });
    if let Some(refused) = &report.refused {
        advice.push(format!("{refused}. Other commands stop with exit code 2."));
    }
    if let Some(forced) = report.forced.filter(|&forced| Some(&forced) != report.tiers.first()) {
        advice.push(format!(
            "TENFOLD_CPU={forced} keeps kernels from instructions that the processor has; leave it out for full speed. \
             BLAKE3 of single messages, SHA-256 and blst choose for themselves."
        ));
    }
    if !report.host.optimised {
        advice.push(
            "this is a build with debug assertions: times are not representative; use --release.".to_owned(),
        );
    }
    if report.host.threads_used < report.threads_available {
        advice.push(format!(
            "{} of {} threads are used; leave --threads out to use all.",
            report.host.threads_used, report.threads_available
        ));
    }
    let sha = used("sha") || used("sha2");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report(tier: &'static str) -> Machine {
        // Measured once: only facts matter here.
        static MEASURED: std::sync::OnceLock<Machine> = std::sync::OnceLock::new();
        let mut report = MEASURED.get_or_init(|| examine(Some(1 << 30))).clone();
        (report.host.tier, report.tiers, report.forced, report.refused) = (tier, vec![tier], None, None);
        let avx2 = tier != "portable";
        report.features = vec![Feature { name: "avx2", cpu: avx2, used: avx2, used_for: "" }];
        report
    }

    #[test]
    fn advice_follows_the_facts() {
        let all = |report: &Machine| advice(report).join("\n");
        assert!(all(&report("avx512")).contains("16 elements per AVX-512"));
        assert!(all(&report("avx2")).contains("8 elements per AVX2"));
        assert!(all(&report("portable")).contains("without SIMD"));
        assert!(all(&report("portable")).contains("no SHA instructions"));
        assert!(!all(&report("portable")).contains("TENFOLD_CPU"));
        let forced =
            Machine { forced: Some("portable"), tiers: vec!["avx2", "portable"], ..report("portable") };
        assert!(all(&forced).contains("TENFOLD_CPU=portable keeps"));
        let best = Machine { forced: Some("avx2"), ..report("avx2") };
        assert!(!all(&best).contains("TENFOLD_CPU"));
        let refused = Machine { refused: Some(cpu::BadTier::Unknown.to_string()), ..report("avx2") };
        assert!(all(&refused).contains("names no instruction set") && all(&refused).contains("exit code 2"));
    }

    #[test]
    fn the_kernels_of_a_processor_without_tiers_are_named() {
        let with = |names: &[&'static str], cpu, used| {
            names.iter().map(|name| Feature { name, cpu, used, used_for: "" }).collect::<Vec<_>>()
        };
        let mut arm = Machine { features: with(&["neon", "aes", "sha2"], true, true), ..report("portable") };
        assert_eq!(arm.kernels(), "neon, aes (this processor has neon, aes)");
        arm.forced = Some("portable");
        arm.features = with(&["neon", "aes"], true, false);
        assert_eq!(arm.kernels(), "portable, forced by TENFOLD_CPU (this processor has neon, aes)");
        arm = report("portable");
        assert_eq!(arm.kernels(), "portable (this processor has portable)");
        arm = report("avx2");
        assert_eq!(arm.kernels(), "avx2 (this processor has avx2)");
    }

    /// The list is of what kernels look for, so that it cannot fall behind them.
    #[test]
    fn every_extension_that_kernels_look_for_is_listed() {
        let names: Vec<_> = features().iter().map(|f| f.name).collect();
        for (name, _) in Features::of_this_architecture() {
            assert!(names.contains(name), "{name} is not listed");
        }
    }

    #[test]
    fn speeds_are_measured_and_all_facts_are_shown() {
        let report = examine(None);
        assert!(report.blake3_bytes_per_second > 1 << 20);
        assert!(report.copy_bytes_per_second > 1 << 20);
        let text = report.render("none: no driver", Paint::off());
        assert!(text.contains("gpu        none: no driver\n"));
        assert!(text.contains("used for") && text.contains("kernels"));
    }
}
