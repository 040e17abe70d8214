//! The terminal table and the JSON record of a run.

use std::{fmt::Write as _, fs::File, io::Read, path::Path};

use serde::{Deserialize, Serialize};
use tenfold_report::exit::Failure;
use tenfold_report::page::{BenchRow, Meta, RingRow, bench_page, ring_page};

use crate::{
    harness::{Measured, Peaks},
    machine::Machine,
    rings,
    stats::Spread,
};

/// The longest file that is read as results: those of the longest runs have a sixtieth.
const LONGEST: u64 = 16 << 20;

/// The content of a file of results.
#[derive(Clone, Debug)]
pub enum Results {
    /// Of commitments.
    Commitments(Report),
    /// Of ring proofs.
    Rings(rings::Report),
}

impl Results {
    /// Reads results from a file.
    ///
    /// # Errors
    /// If the file cannot be read or holds no results.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
        read.map_err(Failure::file("read", path))?;
        if text.len() as u64 > LONGEST {
            let message = format!("{} is longer than 16 MiB, as no results are", path.display());
            return Err(Failure::usage(message, "give files that `tenfold bench` wrote"));
        }
        let other = |e| {
            let message = format!("{} holds no results of a benchmark: {e}", path.display());
            Failure::usage(message, "give files that `tenfold bench table`, `binary`, `peer` or `ring` wrote")
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(other)?;
        // Of results, those of ring proofs alone have sizes beside what is measured.
        if value.get("sizes").is_some() {
            return serde_json::from_value(value).map(Self::Rings).map_err(other);
        }
        serde_json::from_value(value).map(Self::Commitments).map_err(other)
    }
}

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

/// Draws a self-contained page over all results, which must be of one sort.
///
/// # Errors
/// If some are of commitments and some of ring proofs.
pub fn page(results: &[Results]) -> Result<String, Failure> {
    let (mut commitments, mut of_rings) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Results::Commitments(report) => commitments.push(report),
            Results::Rings(report) => of_rings.push(report),
        }
    }
    match (&commitments[..], &of_rings[..]) {
        ([], reports) => Ok(page_of_rings(reports)),
        (reports, []) => Ok(page_of_commitments(reports)),
        _ => Err(Failure::usage(
            "some of these results are of commitments, and some of ring proofs",
            "draw a page of each",
        )),
    }
}

/// The plots of commitments.
pub fn page_of_commitments(reports: &[&Report]) -> String {
    let rows: Vec<BenchRow> = reports.iter().flat_map(|report| report.rows()).collect();
    let meta = Meta {
        title: "Commitments, measured".into(),
        notes: vec![
            "Proven bits are the union over every error term, the peer's included, by one calculator.".into(),
            "Memory is the peak of the heap from the data to the end of opening.".into(),
        ],
        ..meta(reports.iter().map(|report| (&report.machine, report.command.as_str())))
    };
    bench_page(&rows, &meta)
}

fn page_of_rings(reports: &[&rings::Report]) -> String {
    let (mut rows, mut sizes) = (Vec::new(), Vec::new());
    for (n, report) in reports.iter().enumerate() {
        let run = if reports.len() > 1 { format!("run {}", n + 1) } else { String::new() };
        rows.extend(report.measured.iter().map(|case| RingRow {
            run: run.clone(),
            rows: case.rows,
            members: case.members,
            operation: case.operation.clone(),
            who: case.who.clone(),
            threads: case.threads,
            ms: case.ms.median,
        }));
        for rings::Size { rows, what, bytes } in &report.sizes {
            let size = format!("{what} at {rows} rows: {bytes} bytes");
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
    }
    let meta = Meta {
        title: "Ring proofs, measured".into(),
        notes: vec!["The peers are built without their parallel features: they have one thread.".into()],
        ..meta(reports.iter().map(|report| (&report.machine, report.command.as_str())))
    };
    ring_page(&rows, &sizes, &meta)
}

/// The text about runs: their machines and commands.
fn meta<'a>(runs: impl Iterator<Item = (&'a Machine, &'a str)>) -> Meta {
    let machine = |m: &Machine| {
        format!("{} x{}, {} MiB, {}, {}; {}", m.cpu, m.cores, m.memory_mib, m.rustc, m.date, m.instructions())
    };
    let runs: Vec<_> = runs.enumerate().collect();
    let name = |n: usize| if runs.len() > 1 { format!("machine of run {}", n + 1) } else { "machine".into() };
    Meta {
        subtitle: "Medians; the cases of a run are alternated in one process.".into(),
        command: runs.iter().map(|(_, (_, command))| *command).collect::<Vec<_>>().join("\n"),
        facts: runs.iter().map(|(n, (of, _))| (name(*n), machine(of))).collect(),
        ..Meta::default()
    }
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
    use tenfold_report::files::{Files, Kind};

    use super::{Report, Results, page};
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
        let report = Report { machine: Machine::here(), command: "tenfold bench table".into(), measured };
        let table = report.table();
        let lines: Vec<_> = table.lines().skip(3).collect();
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
        let Results::Commitments(read) = Results::load(&path).unwrap() else {
            panic!("results of ring proofs")
        };
        assert_eq!(read.table(), table);
    }

    fn load(name: &str) -> Result<Results, tenfold_report::exit::Failure> {
        Results::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name))
    }

    /// Every file of results that is kept has a page, and of one with a single size it shows bars.
    #[test]
    fn all_results_have_a_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let html = page(&[Results::load(&path).unwrap()]).unwrap();
            assert!(html.contains("aria-label=") && !html.contains("NaN"), "{path:?}");
        }
        assert!(page(&[load("table-20-100.json").unwrap()]).unwrap().contains("class=\"bars\""));
    }

    #[test]
    fn ring_proofs_and_commitments_have_pages_of_their_own() {
        let ring = page(&[load("ring.json").unwrap(), load("ring-zen5.json").unwrap()]).unwrap();
        assert!(ring.contains("w3f-ring-proof") && ring.contains("run 2: "));
        let mixed = page(&[load("ring.json").unwrap(), load("table-20-100.json").unwrap()]);
        assert!(mixed.unwrap_err().message.contains("ring proofs"));
        let error = load("../Cargo.toml").unwrap_err();
        assert!(error.message.contains("no results") && error.hint.is_some(), "{error}");
    }
}
