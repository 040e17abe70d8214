//! Keys of proofs in a directory, one of each kind for a size of batches.
//!
//! ```text
//!  batch-64-493472267ca8cfc0.proving      slots of the batch, first 8 bytes of the circuit's digest
//!  batch-64-493472267ca8cfc0.verifying
//! ```
//! A key is found by the circuit that this build has, so that keys of an older circuit are not used by mistake; when it is read, all that a key file says is
//! checked, the whole digest of its circuit among it. What a file cannot say is that nobody knows the secrets: keys of a local setup are
//! refused unless asked for, and those of a ceremony are as good as whoever brought them ([`Keys::import`] compares digests).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use curve::pairing::Bn254;
use snark::groth16::{Provenance, ProvingKey, VerifyingKey, setup_local};

use super::{NodeError, durable, random};
use crate::Invalid;
use crate::circuit::groth16::{self, circuit, digest};
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::token::Token;

/// The longest key file: some 600 bytes for each constraint of the largest circuit.
const MAX_KEY: u64 = 1 << 32;

/// The kinds of files.
const BOTH: [&str; 2] = ["verifying", "proving"];

/// The folder of keys, and which of them are accepted.
#[derive(Clone, Debug)]
pub struct Keys {
    folder: PathBuf,
    local: bool,
    /// Digests of circuits, by slots: to make a circuit takes longer than to read its key.
    circuits: Arc<Mutex<BTreeMap<usize, [u8; 32]>>>,
}

/// A key that is there.
#[derive(Clone, Debug)]
pub struct KeyInfo {
    /// The transactions of its batches.
    pub slots: usize,
    /// Where it comes from.
    pub provenance: Provenance,
    /// [`VerifyingKey::digest`].
    pub digest: [u8; 32],
    /// Whether the prover's key is there too.
    pub proves: bool,
}

impl Keys {
    /// The keys in a folder, which need not be there. **Insecure** if `local`: then keys of local setups are accepted.
    #[must_use]
    pub fn new(folder: &Path, local: bool) -> Self {
        Self { folder: folder.to_owned(), local, circuits: Arc::default() }
    }

    /// Takes the digest of a circuit from somebody who has made it, in place of making it.
    #[must_use]
    pub fn with_circuit(self, slots: usize, digest: [u8; 32]) -> Self {
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner).insert(slots, digest);
        self
    }

    /// The digest of the circuit of a size, which is made once.
    #[must_use]
    pub fn circuit(&self, slots: usize) -> [u8; 32] {
        let mut known = self.circuits.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(slots).or_insert_with(|| digest(slots))
    }

    /// Whether keys of local setups are accepted.
    #[must_use]
    pub fn is_insecure(&self) -> bool {
        self.local
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, slots: usize, digest: &[u8; 32], kind: &str) -> PathBuf {
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("batch-{slots}-{name}.{kind}"))
    }

    /// **Insecure**: makes keys whose secrets this process knows, and writes them. Cost: [`setup_local`].
    ///
    /// # Errors
    /// If there is a key already, keys of local setups are not accepted, or a file cannot be written.
    pub fn make_local(&self, slots: usize) -> Result<ProvingKey<Bn254>, NodeError> {
        if !self.local {
            return Err(NodeError::LocalKey(self.folder.display().to_string()));
        }
        let shape = circuit(slots);
        let digest = shape.digest();
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner).insert(slots, digest);
        self.check_free(slots, &digest, &BOTH)?;
        let key = setup_local(&shape, &mut random()).map_err(|e| NodeError::Ceremony(e.0))?;
        self.save(slots, &key)?;
        Ok(key)
    }

    fn check_free(&self, slots: usize, digest: &[u8; 32], kinds: &[&str]) -> Result<(), NodeError> {
        let mut files = kinds.iter().map(|kind| self.file(slots, digest, kind));
        match files.find(|path| path.exists()) {
            Some(path) => Err(NodeError::Exists(path.display().to_string())),
            None => Ok(()),
        }
    }

    /// Writes both keys. The verifier's comes last: where it is, both are whole.
    ///
    /// # Errors
    /// If there is one of them already, or a file cannot be written.
    pub fn save(&self, slots: usize, key: &ProvingKey<Bn254>) -> Result<(), NodeError> {
        let digest = key.verifying().circuit();
        self.check_free(slots, digest, &BOTH)?;
        fs::create_dir_all(&self.folder).map_err(NodeError::io("make", &self.folder))?;
        durable::write_new(&self.file(slots, digest, "proving"), &key.to_bytes())?;
        durable::write_new(&self.file(slots, digest, "verifying"), &key.verifying().to_bytes())
    }

    /// Writes a verifying key that comes from elsewhere, if it has this digest.
    ///
    /// # Errors
    /// If the bytes are no key of this circuit or one of another digest, and as [`Self::save`].
    pub fn import(&self, slots: usize, bytes: &[u8], digest: &[u8; 32]) -> Result<KeyInfo, NodeError> {
        let circuit = self.circuit(slots);
        let refused = |reason| NodeError::Key { path: "that was given".into(), reason };
        let key = VerifyingKey::<Bn254>::from_bytes(bytes, &circuit).map_err(refused)?;
        if key.digest() != *digest {
            return Err(refused(Invalid("it has another digest than the one that was asked for")));
        }
        self.check_free(slots, &circuit, &["verifying"])?;
        fs::create_dir_all(&self.folder).map_err(NodeError::io("make", &self.folder))?;
        durable::write_new(&self.file(slots, &circuit, "verifying"), bytes)?;
        Ok(KeyInfo { slots, provenance: key.provenance(), digest: *digest, proves: false })
    }

    /// Reads the verifying key of a size.
    ///
    /// # Errors
    /// If there is none, it is damaged, of another circuit, or of a local setup where these are not accepted.
    pub fn verifying(&self, slots: usize) -> Result<VerifyingKey<Bn254>, NodeError> {
        if !self.names().iter().any(|name| is_verifying(name, slots)) {
            // Before the circuit is made for its digest.
            return Err(self.missing("verifying", slots));
        }
        self.verifying_of(slots, &self.circuit(slots))
    }

    fn verifying_of(&self, slots: usize, circuit: &[u8; 32]) -> Result<VerifyingKey<Bn254>, NodeError> {
        let (path, bytes) = self.read(slots, circuit, "verifying")?;
        let key = VerifyingKey::from_bytes(&bytes, circuit);
        let key = key.map_err(|reason| NodeError::Key { path: path.display().to_string(), reason })?;
        self.check(&key, &path)?;
        Ok(key)
    }

    /// Reads the proving key of a size. Cost: that of [`ProvingKey::from_bytes`], which checks every point.
    ///
    /// # Errors
    /// As [`Self::verifying`].
    pub fn proving(&self, slots: usize) -> Result<ProvingKey<Bn254>, NodeError> {
        let circuit = self.circuit(slots);
        // Whoever can change one of the files shall not have proofs made that the other one refuses.
        let verifying = self.verifying_of(slots, &circuit)?;
        let (path, bytes) = self.read(slots, &circuit, "proving")?;
        let refused = |reason| NodeError::Key { path: path.display().to_string(), reason };
        let key = ProvingKey::<Bn254>::from_bytes(&bytes, &circuit).map_err(refused)?;
        if key.verifying().digest() != verifying.digest() {
            return Err(refused(Invalid("it belongs to another verifying key")));
        }
        Ok(key)
    }

    fn read(
        &self,
        slots: usize,
        circuit: &[u8; 32],
        kind: &'static str,
    ) -> Result<(PathBuf, Vec<u8>), NodeError> {
        let path = self.file(slots, circuit, kind);
        if !path.exists() {
            return Err(self.missing(kind, slots));
        }
        let bytes = durable::read(&path, MAX_KEY)?;
        Ok((path, bytes))
    }

    fn check(&self, key: &VerifyingKey<Bn254>, path: &Path) -> Result<(), NodeError> {
        if key.provenance() == Provenance::Local && !self.local {
            return Err(NodeError::LocalKey(path.display().to_string()));
        }
        Ok(())
    }

    /// A verifier of a chain's batches of these sizes.
    ///
    /// # Errors
    /// As [`Self::verifying`].
    pub fn verifier(&self, machine: Token, sizes: &[BatchSize]) -> Result<Verifier, NodeError> {
        let read = |size: &BatchSize| Ok((*size, self.verifying(size.slots())?));
        Ok(Verifier { machine, keys: sizes.iter().map(read).collect::<Result<_, NodeError>>()? })
    }

    fn missing(&self, kind: &'static str, slots: usize) -> NodeError {
        NodeError::NoKey { kind, slots, directory: self.folder.display().to_string() }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// The sizes for which there is a file of a verifying key of this build's circuit. Whether it is one is seen when it is read.
    #[must_use]
    pub fn sizes(&self) -> Vec<BatchSize> {
        let is_current =
            |size: &BatchSize| self.file(size.slots(), &self.circuit(size.slots()), "verifying").exists();
        self.named_sizes().into_iter().filter(is_current).collect()
    }

    /// Those for which a file has the name of a verifying key, of any circuit.
    fn named_sizes(&self) -> Vec<BatchSize> {
        let names = self.names();
        let has = |size: &BatchSize| names.iter().any(|name| is_verifying(name, size.slots()));
        BatchSize::ALL.into_iter().filter(has).collect()
    }

    /// What is known of the keys that are there, local ones among them, and which cannot be used.
    #[must_use]
    pub fn list(&self) -> Vec<Result<KeyInfo, NodeError>> {
        let all = Self { local: true, ..self.clone() };
        let one = |size: BatchSize| {
            let (slots, circuit) = (size.slots(), self.circuit(size.slots()));
            let key = all.verifying_of(slots, &circuit)?;
            let proves = self.file(slots, &circuit, "proving").exists();
            Ok(KeyInfo { slots, provenance: key.provenance(), digest: key.digest(), proves })
        };
        self.named_sizes().into_iter().map(one).collect()
    }
}

fn is_verifying(name: &str, slots: usize) -> bool {
    name.starts_with(&format!("batch-{slots}-")) && name.ends_with(".verifying")
}

/// A verifier with keys that were read for the circuits of their sizes.
#[derive(Clone, Debug)]
pub struct Verifier {
    machine: Token,
    keys: Vec<(BatchSize, VerifyingKey<Bn254>)>,
}

impl BatchVerifier<Token> for Verifier {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        let key = self.keys.iter().find(|(of, _)| *of == size);
        let (_, key) = key.ok_or(Invalid("no key for batches of this size"))?;
        groth16::verify(key, &self.machine, statement, proof)
    }
}

/// The bytes of memory that proving a batch takes: the key, its file while it is read, and the values of the circuit.
#[must_use]
pub fn proving_memory(slots: usize) -> u64 {
    // Measured: 368 MB at 64 slots and 142,756 constraints, setup and key file among it.
    2600 * CONSTRAINTS * slots as u64
}

/// Constraints of a slot, rounded up.
const CONSTRAINTS: u64 = 2300;
