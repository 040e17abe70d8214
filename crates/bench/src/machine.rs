//! Machine, compiler and source of a measurement.

use std::{env, fs, os::unix::process::CommandExt, process::Command, thread};

use anyhow::{Result, bail};
use clap::ValueEnum;
use field::cpu::Tier;
use serde::{Deserialize, Serialize};
use tenfold_report::machine::processor;
use tenfold_report::memory;

/// Machine, compiler and source of a measurement. Nothing in it names a host or a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Processor model.
    pub cpu: String,
    /// Processor flags that a kernel here can use, as the system lists them.
    pub cpu_flags: Vec<String>,
    /// Cores this process may use.
    pub cores: usize,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Load average over the last minute when the run began: near 0 on a quiet machine.
    pub load: f64,
    /// Compiler of this program.
    pub rustc: String,
    /// Target features it was compiled for: all that peers use.
    pub target_features: Vec<String>,
    /// The `-C target-cpu` it was compiled for.
    #[serde(default)]
    pub target_cpu: String,
    /// The instruction sets that ours chose when it ran, as `TENFOLD_CPU` names them.
    #[serde(default)]
    pub tier: String,
    /// Treatment of freed pages by the allocator.
    pub pages: Pages,
    /// Cargo profile.
    pub profile: String,
    /// When the run began (UTC).
    pub date: String,
    /// Commit of the source, with `+` if the source differs from it.
    pub commit: String,
}

/// Flags worth recording: the ones SIMD kernels are chosen by.
const FLAGS: [&str; 14] = [
    "sse4_1",
    "avx",
    "avx2",
    "bmi2",
    "pclmulqdq",
    "vpclmulqdq",
    "gfni",
    "vaes",
    "sha_ni",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512ifma",
    "avx512_vbmi2",
];

/// Bytes of memory that are free or can be freed now; no limit where the system does not tell.
pub fn available() -> u64 {
    memory::machine().available.unwrap_or(u64::MAX)
}

impl Machine {
    /// Describes this machine now; what cannot be read is "unknown" or zero.
    pub fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let flags = entry(&cpuinfo, "flags").unwrap_or_default();
        Self {
            cpu: processor().unwrap_or_else(|| "unknown".into()),
            cpu_flags: flags.split(' ').filter(|f| FLAGS.contains(f)).map(Into::into).collect(),
            cores: thread::available_parallelism().map_or(0, Into::into),
            memory_mib: memory::machine().total.unwrap_or_default() >> 20,
            load: load.split(' ').next().and_then(|v| v.parse().ok()).unwrap_or_default(),
            rustc: env!("BENCH_RUSTC").into(),
            target_features: env!("BENCH_TARGET_FEATURES").split(',').map(Into::into).collect(),
            target_cpu: env!("BENCH_TARGET_CPU").into(),
            tier: Tier::best().name().into(),
            pages: Pages::current(),
            profile: env!("BENCH_PROFILE").into(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            commit: env!("BENCH_COMMIT").into(),
        }
    }

    /// The line above a table.
    pub fn header(&self) -> String {
        format!(
            "{} x{}, {} MiB, load {:.2}, {:?} pages, {} ({}), commit {}, {}\n{}\n",
            self.cpu,
            self.cores,
            self.memory_mib,
            self.load,
            self.pages,
            self.rustc,
            self.profile,
            self.commit,
            self.date,
            self.instructions()
        )
    }

    /// The instruction sets of both sides, in words; results of older programs do not say those of ours.
    pub fn instructions(&self) -> String {
        let peers = compiled(&self.target_features).name();
        if self.tier.is_empty() {
            return format!("compiled for {peers}");
        }
        format!(
            "ours on {} (chosen when run), peers on {peers} (compiled for {})",
            self.tier, self.target_cpu
        )
    }
}

/// The tier whose instructions are all among the target features: peers choose none when they run.
fn compiled(features: &[String]) -> Tier {
    let all = |names: &[&str]| names.iter().all(|name| features.iter().any(|feature| feature == name));
    match () {
        () if all(&["avx512f", "avx512bw", "avx512dq", "avx512vl"]) => Tier::Avx512,
        () if all(&["avx2", "bmi2"]) => Tier::Avx2,
        () => Tier::Portable,
    }
}

/// Warns if peers were compiled without the vector instructions that ours choose when they run.
pub fn warn_of_portable_peers() {
    let features: Vec<String> = env!("BENCH_TARGET_FEATURES").split(',').map(Into::into).collect();
    if compiled(&features) < Tier::best() {
        note!(
            "peers run on {} and ours on {}: peers choose when they are compiled, with RUSTFLAGS=\"-C target-cpu=native\" for this CPU",
            compiled(&features).name(),
            Tier::best().name()
        );
    }
}

/// The treatment of freed memory between two samples.
///
/// By default the allocator of glibc unmaps large blocks when they are freed, so that every sample
/// faults its pages in anew, as a program does that commits once. A prover at work in a loop keeps
/// its pages. Both are real; they must only not be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Pages {
    /// Returned to the system and faulted in again.
    Fresh,
    /// Kept by the process.
    Kept,
}

/// Settings of glibc that keep pages: no block is mapped on its own, the top is never trimmed, and
/// there is one arena, as only the first can grow past 64 MiB.
const KEEP: [(&str, &str); 3] = [
    ("MALLOC_MMAP_THRESHOLD_", "1099511627776"),
    ("MALLOC_TRIM_THRESHOLD_", "1099511627776"),
    ("MALLOC_ARENA_MAX", "1"),
];

impl Pages {
    /// The setting that this process was started with.
    pub fn current() -> Self {
        let kept = KEEP.iter().all(|(key, value)| env::var(key).as_deref() == Ok(value));
        if kept { Self::Kept } else { Self::Fresh }
    }

    /// Makes the process run this way: the allocator reads its settings at the start only, so where
    /// they differ, the program is replaced by itself with the same arguments.
    ///
    /// # Errors
    /// If the program cannot be started again.
    pub fn settle(self) -> Result<()> {
        if self == Self::current() {
            return Ok(());
        }
        let mut again = Command::new(env::current_exe()?);
        again.args(env::args_os().skip(1));
        for (key, value) in KEEP {
            match self {
                Self::Kept => again.env(key, value),
                Self::Fresh => again.env_remove(key),
            };
        }
        bail!("cannot restart with other allocator settings: {}", again.exec())
    }
}

/// The value of the first `key : value` line.
fn entry<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'))?;
    Some(line.trim())
}

#[cfg(test)]
mod tests {
    use super::{Machine, Tier, compiled, entry};

    #[test]
    fn entries_are_found_by_whole_key() {
        let text = "model\t\t: 2\nmodel name\t: A CPU\nMemTotal:   4096 kB\n";
        assert_eq!(entry(text, "model name"), Some("A CPU"));
        assert_eq!(entry(text, "model"), Some("2"));
        assert_eq!(entry(text, "MemTotal"), Some("4096 kB"));
        assert_eq!(entry(text, "absent"), None);
    }

    #[test]
    fn this_machine_has_a_core_and_a_compiler() {
        let here = Machine::here();
        assert!(here.cores > 0 && here.rustc.starts_with("rustc "), "{here:?}");
        assert!(here.commit == "unknown" || here.commit.trim_end_matches('+').len() >= 12, "{here:?}");
    }

    /// Results say what both sides ran on; those of older programs, what they were compiled for.
    #[test]
    fn both_sides_instructions_are_said() {
        let tiers = ["sse2", "avx2,bmi2", "avx2,bmi2,avx512f,avx512bw,avx512dq,avx512vl"];
        let features = |names: &str| names.split(',').map(Into::into).collect::<Vec<String>>();
        assert_eq!(tiers.map(|names| compiled(&features(names))), Tier::ALL);
        let here = Machine {
            target_features: features("sse2"),
            target_cpu: "generic".into(),
            tier: "avx512".into(),
            ..Machine::here()
        };
        let said = "ours on avx512 (chosen when run), peers on portable (compiled for generic)";
        assert_eq!(here.instructions(), said);
        assert!(here.header().ends_with(&format!("{said}\n")));
        let older = Machine { tier: String::new(), ..here };
        assert_eq!(older.instructions(), "compiled for portable");
    }
}
