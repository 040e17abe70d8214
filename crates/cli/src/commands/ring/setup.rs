//! Setups: the one that ships, one from a file, or an insecure one of our own.

use std::path::PathBuf;
use std::sync::Arc;

use super::{refused, waits_for};
use crate::args::Common;
use crate::args::ring::SetupArgs;
use crate::commands::read_file;
use crate::exit::Failure;
use crate::files::{Kind, Lock};
use crate::terminal;
use crate::units;
use ring_proof::file::{self, Params, SuiteId};
use ring_proof::{Domain, Invalid, Setup, Srs, kzg};

/// Memory of a setup with its tables for each row of a domain: multiples of `4N` points, Lagrange points, values on the coset.
const BYTES_PER_ROW: u64 = 16 << 10;

/// The powers of a setup, and their name in verdicts.
pub struct Powers {
    powers: file::Powers,
    /// The name.
    pub name: String,
    tables: Option<Tables>,
}

/// How a setup's file is read.
type Read = fn(&[u8]) -> Result<file::Powers, Invalid>;

/// A setup that the arguments name, its file read: before a ring is locked, since who writes a pipe may wait for the lock.
pub struct Source<'a> {
    args: &'a SetupArgs,
    srs: Option<Vec<u8>>,
}

impl<'a> Source<'a> {
    /// Reads the file, if one is named.
    pub fn read(args: &'a SetupArgs, common: &Common) -> Result<Self, Failure> {
        // They are read where the ring is known, with its lock.
        if let Some(tables) =
            args.tables.as_ref().filter(|path| path.metadata().is_ok_and(|at| !at.is_file()))
        {
            let message = format!("{} is no plain file, in which tables are kept", terminal::path(tables));
            return Err(Failure::usage(message, "name another file with --tables, or leave it out"));
        }
        let srs = args.srs.as_ref().map(|path| read_file(path, common)).transpose()?;
        Ok(Self { args, srs })
    }
}

/// A file of tables.
struct Tables {
    path: PathBuf,
    trusted: bool,
}

impl Powers {
    /// The setup of a source. Of an insecure one, `count` powers are made.
    pub fn of(source: &Source<'_>, count: usize) -> Result<Self, Failure> {
        Self::read_by(file::Powers::read, source, count)
    }

    /// Reads the points of a setup that a verifier needs. Of a file only these points are checked: its digest identifies the setup.
    pub fn for_verifying(source: &Source<'_>) -> Result<Self, Failure> {
        Self::read_by(file::Powers::read_start, source, 2)
    }

    fn read_by(read: Read, source: &Source<'_>, count: usize) -> Result<Self, Failure> {
        let args = source.args;
        let tables = args.tables.clone().map(|path| Tables { path, trusted: args.trust_tables });
        let (powers, name) = Self::named(read, source, count)?;
        Ok(Self { powers, name, tables })
    }

    /// The setup that ships.
    pub fn shipped(count: usize) -> Result<Self, Failure> {
        Self::of(&Source { args: &SetupArgs::default(), srs: None }, count)
    }

    fn named(
        read: Read,
        Source { args, srs }: &Source<'_>,
        count: usize,
    ) -> Result<(file::Powers, String), Failure> {
        if let Some(seed) = &args.insecure_local_srs {
            let name = "an INSECURE setup: who knows its seed forges signatures".into();
            return Ok((file::Powers::insecure(seed, count), name));
        }
        let (Some(path), Some(bytes)) = (&args.srs, srs) else {
            return Ok((file::Powers::zcash(), "the setup of Zcash's ceremony".into()));
        };
        let found = units::hex(&file::Powers::digest(bytes));
        if let Some(wanted) = args.srs_sha256.as_ref().filter(|wanted| !wanted.eq_ignore_ascii_case(&found)) {
            let message = format!("{} has SHA-256 {found}, not {wanted}", path.display());
            return Err(Failure::usage(message, "get the setup again from where its digest is published"));
        }
        let powers = read(bytes).map_err(|e| {
            let hint = "a setup is a file in arkworks' form (URS), uncompressed";
            Failure::usage(format!("{} is no setup: {e}", path.display()), hint)
        })?;
        Ok((powers, format!("the setup of {}, sha256 {found}", terminal::path(path))))
    }

    /// The digest that files name the setup by.
    pub fn sha256(&self) -> [u8; 32] {
        self.powers.sha256
    }

    /// The key that verifying takes.
    pub fn key(&self) -> Result<kzg::Key, Failure> {
        self.powers.key().map_err(refused)
    }

    /// Prepares the setup that proving and changing rings take.
    pub fn prepare(&self, domain: Domain, common: &Common) -> Result<Arc<Setup>, Failure> {
        if self.powers.srs.len() < domain.powers() {
            return Err(too_few(self.powers.srs.len(), domain));
        }
        let need = domain.size() as u64 * BYTES_PER_ROW;
        common.within_memory(need, "raise --max-memory, or make a smaller ring")?;
        let setup = match &self.tables {
            Some(tables) => tables.read_or_make(&self.powers.srs, domain, common)?,
            None => Setup::new(&self.powers.srs, domain).map_err(refused)?,
        };
        Ok(Arc::new(setup))
    }

    /// Refuses a ring that was made with another setup.
    pub fn check(&self, params: &Params) -> Result<(), Failure> {
        if self.powers.sha256 == params.setup {
            return Ok(());
        }
        let message = format!("the ring was made with another setup, sha256 {}", units::hex(&params.setup));
        Err(Failure::usage(message, "pass that setup with --srs, if you trust it: who made it up can forge"))
    }
}

impl Tables {
    /// The tables of the file. If it is not there they are made, by one process of several that want them at once; one that has the
    /// lock of a ring for which the first may be waiting makes them for itself.
    fn read_or_make(&self, srs: &Srs, domain: Domain, common: &Common) -> Result<Setup, Failure> {
        common.files.reserve(Kind::Tables, &self.path)?;
        if self.exists()? {
            return self.read(srs, domain, common);
        }
        let Some(_lock) = Lock::wait_in_order(&self.path, || waits_for(&self.path, common))? else {
            return Setup::new(srs, domain).map_err(refused);
        };
        if self.exists()? {
            return self.read(srs, domain, common);
        }
        let output = common.files.once(Kind::Tables, &self.path)?;
        let setup = Setup::new(srs, domain).map_err(refused)?;
        output.write(&setup.write())?;
        Ok(setup)
    }

    fn exists(&self) -> Result<bool, Failure> {
        self.path.try_exists().map_err(Failure::file("read", &self.path))
    }

    fn read(&self, srs: &Srs, domain: Domain, common: &Common) -> Result<Setup, Failure> {
        let bytes = read_file(&self.path, common)?;
        let read = if self.trusted { Setup::read_trusted } else { Setup::read };
        read(&bytes, srs, domain).map_err(|e| {
            let hint =
                "take the file away and tables are made again, or name another one for another setup or size";
            Failure::usage(format!("{}: {e}", self.path.display()), hint)
        })
    }
}

/// The failure for a ring that takes more powers of a setup than there are.
fn too_few(present: usize, domain: Domain) -> Failure {
    let enough = domain.largest_for(present).map_or("for no ring".into(), |largest| {
        let [rows, members] = [largest.size(), largest.capacity()].map(|n| units::count(n as u64));
        format!("for {rows} rows, {members} members")
    });
    let wanted = domain.powers();
    Failure::usage(
        format!("this ring takes {wanted} powers of the setup, which has {present}, enough {enough}"),
        "pass --srs with a setup of more powers, three for each row and one more, or make a smaller ring",
    )
}

/// Finds the smallest domain for so many members with keys of a suite.
pub fn domain_for(suite: SuiteId, members: usize) -> Result<Domain, Failure> {
    suite.domain_for(members).map_err(|_| {
        let most = suite.domain(Domain::SIZES[1]).map_or(0, Domain::capacity);
        let message = format!("no ring has room for {members} members: {most} at most");
        Failure::usage(message, "make several rings")
    })
}
