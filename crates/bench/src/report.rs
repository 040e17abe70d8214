//! The terminal table and the JSON record of a run.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use tenfold_cli::page::{BenchRow, Meta, bench_page};

use crate::{
    harness::{Measured, Peaks},
    machine::Machine,
    stats::Spread,
};

/// A run: where, and what came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Where and with what it was measured.
    pub machine: Machine,
    /// The command.
    pub command: String,
    /// Ordered by thread count; the first case of each size and count is the one ratios refer to.
    pub measured: Vec<Measured>,
}

impl Report {
    /// Writes the report to `path`, making its folder if needed.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(path, text).with_context(|| path.display().to_string())
    }

    /// Reads what [`Report::save`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read or is no report, as that of ring proofs.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let value: serde_json::Value =
            serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        // Of results, those of ring proofs alone have sizes beside what is measured.
        ensure!(
            value.get("sizes").is_none(),
            "{}: results of ring proofs have a table and no page; `bench ring` prints it",
            path.display()
        );
        serde_json::from_value(value).with_context(|| path.display().to_string())
    }

    /// The rows of a page.
    pub fn rows(&self) -> Vec<BenchRow> {
        let row = |case: &Measured| BenchRow {
            scheme: case.facts.scheme.clone(),
            field: case.facts.field.clone(),
            profile: case.facts.profile.clone(),
            data: case.facts.data.clone(),
            series: case.facts.series.clone(),
            log_rows: case.facts.log_size,
            threads: case.threads,
            proven_bits: case.facts.proven_bits,
            regime: case.facts.regime.clone(),
            commit_ms: case.commit_ms.median,
            open_ms: case.open_ms.median,
            verify_ms: case.verify_ms.median,
            proof_bytes: (kib(case) * 1024.0) as u64,
            peak_bytes: case.samples.iter().map(|s| s.peak_bytes.open as u64).max().unwrap_or(0),
        };
        self.measured.iter().map(row).collect()
    }

    /// One line per case and thread count: medians with ranges, and in brackets how many times
    /// less (above 1) or more (below 1) it takes than the first case of the same size and thread count.
    pub fn table(&self) -> String {
        let m = &self.machine;
        let mut out = format!(
            "{} x{}, {} MiB, load {:.2}, {:?} pages, {} ({}), commit {}, {}\n",
            m.cpu, m.cores, m.memory_mib, m.load, m.pages, m.rustc, m.profile, m.commit, m.date
        );
        let name = self.measured.iter().map(|c| c.facts.name().len()).max().unwrap_or(0).max(4);
        let regime = self.measured.iter().map(|c| c.facts.regime.len()).max().unwrap_or(0).max(6);
        let mut line = |cells: [&str; 10]| {
            let [case, threads, bits, proof_of, commit, open, prove, verify, size, heap] = cells;
            let _ = writeln!(
                out,
                "{case:name$} {threads:>2} {bits:>4} {proof_of:regime$} {commit:>26} {open:>26} {prove:>14} {verify:>23} {size:>13} {heap:>13}"
            );
        };
        line([
            "case",
            "t",
            "bits",
            "regime",
            "commit ms",
            "open ms",
            "both ms",
            "verify ms",
            "proof KiB",
            "heap MiB c/o",
        ]);
        for case in &self.measured {
            let like = |b: &&Measured| b.threads == case.threads && b.facts.log_size == case.facts.log_size;
            let Some(base) = self.measured.iter().find(like) else { continue };
            let both = |c: &Measured| c.commit_ms.median + c.open_ms.median;
            line([
                &case.facts.name(),
                &case.threads.to_string(),
                &format!("{:.0}", case.facts.proven_bits.floor()),
                &case.facts.regime,
                &time(case.commit_ms, base.commit_ms),
                &time(case.open_ms, base.open_ms),
                &format!("{:.1}{}", both(case), ratio(both(base), both(case))),
                &time(case.verify_ms, base.verify_ms),
                &format!("{:.1}{}", kib(case), ratio(kib(base), kib(case))),
                &heap(case),
            ]);
        }
        out
    }
}

/// A self-contained page with plots over all reports.
pub fn page(reports: &[Report]) -> String {
    let rows: Vec<BenchRow> = reports.iter().flat_map(Report::rows).collect();
    let machine =
        |m: &Machine| format!("{} x{}, {} MiB, {}, {}", m.cpu, m.cores, m.memory_mib, m.rustc, m.date);
    let meta = Meta {
        title: "Commitments, measured".into(),
        subtitle: "Medians; the cases of a run are alternated in one process.".into(),
        command: reports.iter().map(|r| r.command.as_str()).collect::<Vec<_>>().join("\n"),
        facts: reports.iter().map(|r| ("machine".into(), machine(&r.machine))).collect(),
        notes: vec![
            "Proven bits are the union over every error term, the peer's included, by one calculator.".into(),
            "Memory is the peak of the heap from the data to the end of opening.".into(),
        ],
    };
    bench_page(&rows, &meta)
}

/// The folder that keeps results, if the current directory is a checkout of this project.
pub fn results_folder() -> Option<PathBuf> {
    let folder = PathBuf::from("crates/bench/results");
    folder.is_dir().then_some(folder)
}

/// Where to write a result: the file asked for, or one of that name in [`results_folder`]; says so if there is neither.
pub fn destination(asked: Option<&Path>, name: &str) -> Option<PathBuf> {
    let path = asked.map(Path::to_path_buf).or_else(|| results_folder().map(|folder| folder.join(name)));
    if path.is_none() {
        eprintln!("not saved: there is no crates/bench/results here, and --out names no file");
    }
    path
}

fn time(spread: Spread, base: Spread) -> String {
    let Spread { median, min, max } = spread;
    let digits = if median < 10.0 { 2 } else { 1 };
    format!("{median:.digits$} ({min:.digits$}-{max:.digits$}){}", ratio(base.median, median))
}

fn ratio(base: f64, this: f64) -> String {
    format!(" [{:.2}]", base / this)
}

fn kib(case: &Measured) -> f64 {
    Spread::of(case.samples.iter().map(|s| s.proof_bytes as f64)).median / 1024.0
}

fn heap(case: &Measured) -> String {
    let mib = |of: fn(&Peaks) -> usize| {
        Spread::of(case.samples.iter().map(|s| of(&s.peak_bytes) as f64)).median / f64::from(1 << 20)
    };
    format!("{:.0}/{:.0}", mib(|p| p.commit), mib(|p| p.open))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::{Report, destination};
    use crate::{
        harness::{Facts, Measured, Peaks, Sample},
        machine::Machine,
        stats::Spread,
    };

    fn case(name: &str, threads: usize, ms: f64) -> Measured {
        let peak_bytes = Peaks { commit: 3 << 20, open: 2 << 20, verify: 0 };
        let sample = Sample { commit_ms: ms, open_ms: ms, verify_ms: 1.0, proof_bytes: 2048, peak_bytes };
        let spread = Spread::of([ms]);
        Measured {
            facts: Facts {
                scheme: name.into(),
                field: "none".into(),
                profile: "plain".into(),
                data: "none".into(),
                series: name.into(),
                log_size: 4,
                proven_bits: 100.0,
                regime: "none".into(),
                params: Value::Null,
            },
            threads,
            commit_ms: spread,
            open_ms: spread,
            verify_ms: Spread::of([1.0]),
            samples: vec![sample],
        }
    }

    /// Ratios are against the first case of the same thread count, not of the whole table.
    #[test]
    fn table_and_record() {
        let measured = vec![case("a", 1, 8.0), case("b", 1, 2.0), case("a", 2, 4.0), case("b", 2, 2.0)];
        let report = Report { machine: Machine::here(), command: "bench".into(), measured };
        let table = report.table();
        let lines: Vec<_> = table.lines().skip(2).collect();
        let ratios = ["[1.00]", "[4.00]", "[1.00]", "[2.00]"];
        assert_eq!(lines.len(), ratios.len());
        for (line, ratio) in lines.iter().zip(ratios) {
            assert_eq!(line.matches(ratio).count(), if ratio == "[1.00]" { 5 } else { 3 }, "{line}");
            assert!(line.contains(" 2.0 [1.00]") && line.ends_with("3/2"), "{line}");
        }

        let path = std::env::temp_dir().join(format!("tenfold-bench-{}", std::process::id())).join("r.json");
        report.save(&path).unwrap();
        let read: Report = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(read.table(), table);
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    /// Results of ring proofs are told apart in words; those of commitments in the same folder load.
    #[test]
    fn results_of_ring_proofs_have_no_page() {
        let load =
            |name: &str| Report::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name));
        let error = load("ring.json").unwrap_err().to_string();
        assert!(error.contains("ring proofs") && error.contains("ring.json"), "{error}");
        assert!(!load("table-20-100.json").unwrap().rows().is_empty());
    }

    /// What is asked for is taken; nothing is written into the folder that this program was built in.
    #[test]
    fn results_go_where_they_are_asked_for_or_below_the_current_folder() {
        let asked = destination(Some(Path::new("a/b.json")), "c.json");
        assert_eq!(asked.as_deref(), Some(Path::new("a/b.json")));
        // Tests run in the folder of the crate, which has no `crates/bench/results` below it.
        assert_eq!(destination(None, "c.json"), None);
    }
}
