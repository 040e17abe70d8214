//! A directory with a small table in it, and the command run there.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Five rows, so that three of the eight places are padding; the sum of `price` is 131.00.
pub const FIVE: &str = "price,count\n10.50,1\n-5.75,2\n30.25,3\n46.00,4\n50.00,5\n";

/// A directory of its own, gone with the value.
pub struct Bench(TempDir);

/// What a run of the command left.
#[derive(Debug)]
pub struct Ran {
    pub out: String,
    pub err: String,
    code: Option<i32>,
}

impl From<std::process::Output> for Ran {
    fn from(output: std::process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }
}

impl Ran {
    /// Prints what the command said and its exit code, for `--nocapture`.
    #[cfg(feature = "cluster")]
    pub fn shown(&self) -> &Self {
        println!("shows: exit code {:?}\n{}", self.code(), self.err.trim_end());
        self
    }

    /// The exit code, and what stderr must say.
    #[track_caller]
    pub fn is(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        says.iter().for_each(|text| assert!(self.err.contains(text), "{text}: {self:?}"));
    }

    /// The exit code.
    pub fn code(&self) -> Option<i32> {
        self.code
    }

    /// Stdout as JSON.
    #[track_caller]
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

impl Bench {
    pub fn new(table: &str) -> Self {
        let bench = Self(TempDir::new().unwrap());
        bench.write("data.csv", table.as_bytes());
        bench
    }

    /// With `data.commitment` to the column `price`.
    pub fn committed(table: &str, options: &[&str]) -> Self {
        let bench = Self::new(table);
        bench.ok(&[&["commit", "data.csv", "-c", "price"], options].concat());
        bench
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// A file of so many zeros that takes no room.
    pub fn sparse(&self, name: &str, length: u64) {
        std::fs::File::create(self.0.path().join(name)).unwrap().set_len(length).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Runs the command. Where a test says nothing of it, `open` and `verify` want 100 bits, and `verify` compares with no
    /// commitment, which is as good as done here; [`Bench::as_given`] adds nothing.
    pub fn run(&self, args: &[&str]) -> Ran {
        let says = |options: &[&str]| options.iter().any(|option| args.contains(option));
        let (mut args, verify) = (args.to_vec(), args.first() == Some(&"verify"));
        if (verify || args.first() == Some(&"open")) && !says(&["--min-bits"]) {
            args.extend(["--min-bits", "100"]);
        }
        let alone = verify && !says(&["--commitment", "--fingerprint", "--self-contained"]);
        if alone {
            args.push("--self-contained");
        }
        let ran = self.as_given(&args);
        Ran { code: if alone && ran.code == Some(3) { Some(0) } else { ran.code }, ..ran }
    }

    /// Runs the command with these arguments and no others.
    pub fn as_given(&self, args: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("tenfold").unwrap();
        command.current_dir(self.0.path()).args(args).output().unwrap().into()
    }

    /// With these bytes on standard input.
    pub fn fed(&self, stdin: &[u8], args: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("tenfold").unwrap();
        command.current_dir(self.0.path()).args(args).write_stdin(stdin).output().unwrap().into()
    }

    /// A line of the shell, `$TENFOLD` being the command.
    #[cfg(unix)]
    pub fn shell(&self, line: &str) -> Ran {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path()).env("TENFOLD", env!("CARGO_BIN_EXE_tenfold"));
        command.output().unwrap().into()
    }

    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        ran.is(0, &[]);
        ran
    }

    /// Runs with `--json`.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        self.ok(&[args, &["--json"]].concat()).value()
    }

    /// Opens `data.commitment` into `data.proof`.
    pub fn try_open(&self, what: &[&str]) -> Ran {
        self.run(&[&["open", "data.csv", "-c", "price", "--commitment", "data.commitment"], what].concat())
    }

    /// Uses and inspects bytes in place of `data.proof` or `data.commitment`, both of which are there.
    pub fn instead_of(&self, name: &str, bytes: &[u8]) -> [Ran; 2] {
        self.write("file", bytes);
        let used = match name {
            "data.proof" => self.run(&["verify", "file"]),
            _ => self.run(&["verify", "data.proof", "--commitment", "file"]),
        };
        [used, self.run(&["inspect", "file"])]
    }

    /// Files that were cut, lengthened or exchanged are unusable, each with its reason.
    #[track_caller]
    pub fn refuses_damaged_files(&self) {
        for name in ["data.proof", "data.commitment"] {
            let whole = self.read(name);
            let all = |bytes: &[u8], says: &str| {
                self.instead_of(name, bytes).iter().for_each(|r| r.is(2, &["error:", says, "hint:"]));
            };
            for cut in [4, 5, 20, whole.len() / 2, whole.len() - 1] {
                all(&whole[..cut], "cut short");
            }
            all(&[&whole[..], &[0]].concat(), "bytes after the end");
            let mut newer = whole.clone();
            newer[4] = 2;
            all(&newer, "file version 2, this build reads version 1");
            all(b"price\n1\n", "not a Tenfold file");
            all(b"", "the file is empty");
        }
        self.run(&["verify", "data.commitment"]).is(2, &["this file is no proof", "hint:"]);
        let swapped = self.run(&["verify", "data.proof", "--commitment", "data.proof"]);
        swapped.is(2, &["this file is no commitment", "hint:"]);
        let mut wrong = self.read("data.commitment");
        *wrong.last_mut().unwrap() ^= 1;
        self.write("wrong.commitment", &wrong);
        let digest = self.run(&["verify", "data.proof", "--commitment", "wrong.commitment"]);
        digest.is(2, &["digests", "hint:"]);
    }

    /// Verifies `bad.proof` by a command, in place of `data.proof` with a byte changed, or its end cut off.
    #[track_caller]
    pub fn refuses_tampered_proofs(&self, verify: &[&str]) {
        let whole = self.read("data.proof");
        for back in [1, 40, whole.len() / 3, whole.len() / 2] {
            let mut changed = whole.clone();
            changed[whole.len() - back] ^= 1;
            self.write("bad.proof", &changed);
            self.run(verify).is(1, &["invalid:"]);
            self.run(&["inspect", "bad.proof"]).is(1, &["invalid:"]);
        }
        for cut in [4, 20, whole.len() / 2, whole.len() - 1] {
            self.write("bad.proof", &whole[..cut]);
            self.run(verify).is(2, &["cut short", "hint:"]);
        }
    }

    /// What `inspect` names in a file: parts that follow each other without a gap, from the first byte to the last.
    #[track_caller]
    pub fn parts(&self, name: &str) -> Vec<String> {
        let value = self.json(&["inspect", name]);
        let (mut end, mut names) = (0, Vec::new());
        for part in value["parts"].as_array().unwrap() {
            assert_eq!(part["offset"].as_u64(), Some(end), "{part}");
            end += part["bytes"].as_u64().unwrap();
            names.push(part["part"].as_str().unwrap().to_owned());
        }
        assert_eq!(end, self.read(name).len() as u64);
        names
    }

    #[track_caller]
    pub fn open(&self, what: &[&str]) -> Ran {
        let ran = self.try_open(what);
        ran.is(0, &[]);
        ran
    }
}

/// A NPY file of two elements.
pub fn npy(dtype: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': (2,), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}
