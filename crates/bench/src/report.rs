//! The terminal table and the JSON record of a run.

use std::{fmt::Write as _, fs, path::Path};

use serde::{Deserialize, Serialize};
use tenfold_cli::exit::Failure;
use tenfold_cli::page::{BenchRow, Meta, bench_page};

use crate::{
    harness::{Measured, Peaks},
    machine::Machine,
    stats::Spread,
};

/// A run: where, and what came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Machine, compiler and source.
    pub machine: Machine,
    /// The command.
    pub command: String,
    /// Ordered by thread count; the first case of each size and count is the one ratios refer to.
    pub measured: Vec<Measured>,
}

impl Report {
    /// Reads results from a file.
    ///
    /// # Errors
    /// If the file cannot be read or holds no results of commitments.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(Failure::file("read", path))?;
        let name = path.display();
        let other = |e| {
            let message = format!("{name} holds no results of a benchmark: {e}");
            Failure::usage(message, "give files that `tenfold bench table`, `binary` or `peer` wrote")
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(other)?;
        // Of results, those of ring proofs alone have sizes beside what is measured.
        if value.get("sizes").is_some() {
            let message = format!("{name} holds results of ring proofs, which have a table and no page");
            return Err(Failure::usage(message, "`tenfold bench ring` prints the table"));
        }
        serde_json::from_value(value).map_err(other)
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
        let mut out = self.machine.header();
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
    let machine = |m: &Machine| {
        format!("{} x{}, {} MiB, {}, {}; {}", m.cpu, m.cores, m.memory_mib, m.rustc, m.date, m.instructions())
    };
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
    use tenfold_cli::files::{Files, Kind};

    use super::Report;
    use crate::{
        harness::{Facts, Measured, Peaks, Sample},
        machine::Machine,
        outputs,
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

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        outputs::save(&Files::default().result(Kind::Measurements, &path).unwrap(), &report).unwrap();
        assert_eq!(Kind::found(&path).unwrap(), Some(Kind::Measurements));
        assert_eq!(Report::load(&path).unwrap().table(), table);
    }

    /// Results of ring proofs are told apart in words; those of commitments in the same folder load.
    #[test]
    fn results_of_ring_proofs_have_no_page() {
        let load =
            |name: &str| Report::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name));
        let error = load("ring.json").unwrap_err().message;
        assert!(error.contains("ring proofs") && error.contains("ring.json"), "{error}");
        assert!(!load("table-20-100.json").unwrap().rows().is_empty());
        let error = load("../Cargo.toml").unwrap_err();
        assert!(error.message.contains("no results") && error.hint.is_some(), "{error}");
    }
}
