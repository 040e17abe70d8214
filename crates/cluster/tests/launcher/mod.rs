//! Starts jobs of several ranks by `mpirun` for tests, each within a time. `TENFOLD_MPIRUN` is the launcher of another library than the one that
//! `mpirun` is of; `TENFOLD_MPI=required` makes a missing one an error.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a launcher that is asked to end may take to end its ranks.
const GRACE: Duration = Duration::from_secs(5);

/// How often a job is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// The launcher of the library that this program was built with.
pub fn mpirun() -> String {
    std::env::var("TENFOLD_MPIRUN").unwrap_or_else(|_| "mpirun".into())
}

/// True if there is a launcher; says so if there is none, past what a test's harness keeps to itself.
///
/// # Panics
/// If there is none and `TENFOLD_MPI=required`.
pub fn is_there() -> bool {
    let version = Command::new(mpirun()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut version) = version {
        let _ = version.wait();
        return true;
    }
    let said = format!("\n  SKIPPED: no `{}` here, so nothing ran under MPI\n\n", mpirun());
    let _ = std::io::stderr().write_all(said.as_bytes());
    let required = std::env::var("TENFOLD_MPI").is_ok_and(|value| value == "required");
    assert!(!required, "no launcher of MPI, and TENFOLD_MPI=required");
    false
}

/// The command that starts so many ranks of the program that is its next argument.
pub fn ranks(count: usize) -> Command {
    let mut command = Command::new(mpirun());
    command.args(["-n", &count.to_string()]).envs(SURROUNDINGS).stdin(Stdio::null());
    command
}

/// More ranks than cores, as root in a container: what Open MPI asks for. Other launchers know other variables.
pub const SURROUNDINGS: [(&str, &str); 6] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_MCA_hwloc_base_binding_policy", "none"),
    ("OMPI_MCA_mpi_yield_when_idle", "1"),
    ("RAYON_NUM_THREADS", "1"),
];

/// A job that runs.
pub struct Job {
    launcher: Child,
    said: [Said; 2],
}

/// A stream of the launcher, which a thread reads to its end.
struct Said {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Said {
    fn read(mut stream: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let read = Arc::clone(&bytes);
        let reader = std::thread::spawn(move || {
            let mut some = [0; 4096];
            while let Ok(length @ 1..) = stream.read(&mut some) {
                read.lock().expect("bytes").extend_from_slice(&some[..length]);
            }
        });
        Self { bytes, reader }
    }

    /// What came. A process that the launcher left behind may have the stream for ever.
    fn end(&self) -> Vec<u8> {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < GRACE {
            std::thread::sleep(LOOK);
        }
        self.bytes.lock().expect("bytes").clone()
    }
}

impl Job {
    /// Starts a launcher.
    pub fn start(mut command: Command) -> Self {
        let mut launcher =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a launcher of MPI");
        let (out, err) = launcher.stdout.take().zip(launcher.stderr.take()).expect("its output");
        Self { launcher, said: [Said::read(out), Said::read(err)] }
    }

    /// Waits for the end of the job. One that is not over within a time is ended, with its ranks.
    ///
    /// # Panics
    /// Then, with what it has said.
    pub fn end(mut self, within: Duration) -> Output {
        let status = self.wait(within);
        if status.is_none() {
            // Asked to end, a launcher ends its ranks; killed, it may leave them.
            signal("TERM", self.launcher.id());
            if self.wait(GRACE).is_none() {
                let _ = self.launcher.kill();
                let _ = self.launcher.wait();
            }
        }
        let [stdout, stderr] = self.said.map(|said| said.end());
        let Some(status) = status else {
            let said = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
            panic!("a job under MPI was not over within {within:?}, and was ended; it said:\n{said}");
        };
        Output { status, stdout, stderr }
    }

    fn wait(&mut self, within: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let status = self.launcher.try_wait().expect("a process of this one");
            if status.is_some() || start.elapsed() >= within {
                return status;
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Sends a signal by its name to a process, which may be gone.
pub fn signal(name: &str, process: u32) {
    let _ =
        Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).stderr(Stdio::null()).status();
}
