//! Setups: the one that ships, one from a file, or an insecure one of our own.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::refused;
use crate::args::Common;
use crate::args::ring::SetupArgs;
use crate::commands::read_file;
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Lock};
use crate::memory;
use crate::terminal;
use crate::units;
use curve::PrimeField;
use curve::bls12_381::Fr;
use curve::srs::Srs;
use ring_proof::file::Params;
use ring_proof::{Domain, Setup, kzg};
use sha2::{Digest, Sha256};

/// SHA-256 of the file that ships with the curves.
pub const ZCASH_SHA256: &str = "1d7d27e4f5f3c6190989bea58803180d3e19f725a57069392a405ac78b233c7d";

/// Memory of a setup with its tables for each row of a domain: multiples of `4N` points, Lagrange points, values on the coset.
const BYTES_PER_ROW: u64 = 16 << 10;

/// Powers of a secret, with their digest and name.
pub struct Powers {
    srs: Cow<'static, Srs>,
    /// SHA-256 of the file; of an insecure setup, of its seed behind a label.
    pub sha256: [u8; 32],
    /// The name in verdicts.
    pub name: String,
    tables: Option<Tables>,
}

/// A file of tables.
struct Tables {
    path: PathBuf,
    trusted: bool,
}

impl Powers {
    /// The setup that the arguments name. Of an insecure one, `count` powers are made.
    ///
    /// # Errors
    /// If the file cannot be read, is no setup, or has another digest than it must.
    pub fn open(args: &SetupArgs, count: usize, common: &Common) -> Result<Self, Failure> {
        let tables = args.tables.clone().map(|path| Tables { path, trusted: args.trust_tables });
        Ok(Self { tables, ..Self::read(args, count, common)? })
    }

    fn read(args: &SetupArgs, count: usize, common: &Common) -> Result<Self, Failure> {
        if let Some(seed) = &args.insecure_local_srs {
            return Ok(Self::insecure(seed, count));
        }
        let Some(path) = &args.srs else { return Ok(Self::zcash()) };
        let bytes = read_file(path, common)?;
        let sha256: [u8; 32] = Sha256::digest(&bytes).into();
        let found = units::hex(&sha256);
        if let Some(wanted) = &args.srs_sha256
            && !wanted.eq_ignore_ascii_case(&found)
        {
            let message = format!("{} has SHA-256 {found}, not {wanted}", path.display());
            return Err(Failure::usage(message, "get the setup again from where its digest is published"));
        }
        let srs = Srs::read(&bytes).map_err(|e| {
            let hint = "a setup is a file in arkworks' form (URS), uncompressed";
            Failure::usage(format!("{} is no setup: {e}", path.display()), hint)
        })?;
        let name = format!("the setup of {}, sha256 {found}", terminal::path(path));
        Ok(Self { srs: Cow::Owned(srs), sha256, name, tables: None })
    }

    fn zcash() -> Self {
        let mut sha256 = [0; 32];
        for (byte, digits) in sha256.iter_mut().zip(ZCASH_SHA256.as_bytes().chunks(2)) {
            let digits = core::str::from_utf8(digits).expect("hexadecimal");
            *byte = u8::from_str_radix(digits, 16).expect("hexadecimal");
        }
        Self {
            srs: Cow::Borrowed(Srs::zcash()),
            sha256,
            name: "the setup of Zcash's ceremony".into(),
            tables: None,
        }
    }

    fn insecure(seed: &str, count: usize) -> Self {
        const LABEL: &str = "tenfold insecure local setup v1";
        let mut wide = [0; 64];
        blake3::Hasher::new_derive_key(LABEL).update(seed.as_bytes()).finalize_xof().fill(&mut wide);
        let srs = Srs::insecure_from_tau(Fr::from_le_bytes_mod_order(&wide), count.max(2));
        let sha256 = Sha256::new().chain_update(LABEL).chain_update(seed).finalize().into();
        let name = "an INSECURE setup: who knows its seed forges signatures".into();
        Self { srs: Cow::Owned(srs), sha256, name, tables: None }
    }

    /// The key that verifying takes.
    ///
    /// # Errors
    /// If a point is the identity.
    pub fn key(&self) -> Result<kzg::Key, Failure> {
        kzg::Key::new(&self.srs).map_err(|e| refused(e.into()))
    }

    /// Prepares the setup that proving and changing rings take.
    ///
    /// # Errors
    /// If there are not enough powers, or not enough memory; if a file of tables is damaged, false or of another setup or domain.
    pub fn prepare(&self, domain: Domain, common: &Common) -> Result<Arc<Setup>, Failure> {
        let need = domain.size() as u64 * BYTES_PER_ROW;
        let limit = common.max_memory.unwrap_or_else(memory::default_limit);
        if need > limit {
            let [need, limit] = [need, limit].map(units::bytes);
            return Err(Failure {
                exit: Exit::Io,
                message: format!(
                    "a setup for {} rows needs about {need}, more than the limit of {limit}",
                    domain.size()
                ),
                hint: Some("raise --max-memory, or make a smaller ring".into()),
            });
        }
        let setup = match &self.tables {
            Some(tables) => tables.read_or_make(&self.srs, domain, common)?,
            None => Setup::new(&self.srs, domain).map_err(refused)?,
        };
        Ok(Arc::new(setup))
    }

    /// Refuses a ring that was made with another setup.
    ///
    /// # Errors
    /// [`Exit::Usage`].
    pub fn check(&self, params: &Params) -> Result<(), Failure> {
        if self.sha256 == params.setup {
            return Ok(());
        }
        let message = format!("the ring was made with another setup, sha256 {}", units::hex(&params.setup));
        Err(Failure::usage(message, "pass that setup with --srs, if you trust it: who made it up can forge"))
    }
}

impl Tables {
    /// The tables of the file. If it is not there they are made, by one process of several that want them at once.
    fn read_or_make(&self, srs: &Srs, domain: Domain, common: &Common) -> Result<Setup, Failure> {
        common.files.reserve(Kind::Tables, &self.path)?;
        if self.exists()? {
            return self.read(srs, domain, common);
        }
        let _lock = Lock::wait(&self.path, || common.waits_for(&self.path))?;
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

/// Finds the smallest domain for so many members.
///
/// # Errors
/// If there is none.
pub fn domain_for(members: usize) -> Result<Domain, Failure> {
    Domain::for_members(members).map_err(|_| {
        let most = Domain::new(Domain::SIZES[1]).map_or(0, Domain::capacity);
        let message = format!("no ring has room for {members} members: {most} at most");
        Failure::usage(message, "make several rings")
    })
}
