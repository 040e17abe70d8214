//! gnark, as a program that reads the case from a file and commands from a pipe: `go/main.go`.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, anyhow, ensure};
use curve::bn254::encode_fr;

use super::{Case, Groth16, Time};

pub(super) struct Gnark {
    process: Child,
    answers: BufReader<ChildStdout>,
    _folder: tempfile::TempDir,
}

impl Gnark {
    /// Builds and starts the program; `None` if there is no Go compiler.
    pub(super) fn start(case: &Case) -> Result<Option<Self>> {
        if Command::new("go").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            return Ok(None);
        }
        let folder = tempfile::tempdir()?;
        let (program, file) = (folder.path().join("groth16"), folder.path().join("system"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("go");
        let built =
            Command::new("go").arg("build").arg("-o").arg(&program).arg(".").current_dir(source).status()?;
        ensure!(built.success(), "gnark's program is not compiled: see the lines above");
        write(case, &file)?;
        let mut process =
            Command::new(program).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(process.stdout.take().context("a pipe")?);
        let mut gnark = Self { process, answers, _folder: folder };
        ensure!(gnark.answer()? == "ready", "gnark made no key");
        Ok(Some(gnark))
    }

    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        let pipe = self.process.stdin.as_mut().context("a pipe")?;
        writeln!(pipe, "{command}")?;
        self.answer()
    }
}

impl Drop for Gnark {
    /// Closes the pipe, after which the program ends.
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The two times with which an answer begins, and the rest.
fn time(answer: &str) -> Result<(Time, &str)> {
    let mut words = answer.splitn(3, ' ');
    let mut seconds =
        || words.next().and_then(|word| word.parse().ok()).ok_or_else(|| anyhow!("gnark failed"));
    let (cpu, clock) = (seconds()?, seconds()?);
    Ok((Time { cpu, clock }, words.next().unwrap_or_default()))
}

impl Groth16 for Gnark {
    fn name(&self) -> &'static str {
        "gnark"
    }

    fn prove(&mut self, threads: usize) -> Result<(Time, usize)> {
        self.ask(&format!("threads {threads}"))?;
        let answer = self.ask("prove")?;
        let (time, bytes) = time(&answer)?;
        Ok((time, bytes.parse()?))
    }

    fn verify(&mut self) -> Result<Time> {
        let answer = self.ask("verify")?;
        Ok(time(&answer)?.0)
    }
}

/// Writes counts, coefficients, rows and values, as `go/main.go` reads them.
fn write(case: &Case, path: &Path) -> Result<()> {
    let Case { system, assignment, .. } = case;
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let number = |file: &mut BufWriter<_>, n: usize| -> Result<()> {
        Ok(file.write_all(&u32::try_from(n)?.to_le_bytes())?)
    };
    let mut numbers = std::collections::HashMap::new();
    let mut table = vec![];
    for matrix in system.matrices() {
        for (_, x) in (0..system.constraints()).flat_map(|i| system.row(matrix, i)) {
            numbers.entry(x).or_insert_with(|| {
                table.push(x);
                table.len() - 1
            });
        }
    }
    let public = assignment.public.len();
    for n in [public, system.columns() - 1 - public, system.constraints(), table.len()] {
        number(&mut file, n)?;
    }
    for x in &table {
        file.write_all(&encode_fr(x))?;
    }
    for i in 0..system.constraints() {
        for matrix in system.matrices() {
            number(&mut file, system.row(matrix, i).count())?;
            for (column, x) in system.row(matrix, i) {
                number(&mut file, column)?;
                number(&mut file, numbers[&x])?;
            }
        }
    }
    for x in &assignment.z()[1..] {
        file.write_all(&encode_fr(x))?;
    }
    Ok(file.flush()?)
}
