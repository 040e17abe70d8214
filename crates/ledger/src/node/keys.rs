//! Keys of proofs in a directory, one of each kind for a size of batches.
//!
//! ```text
//!  batch-64-493472267ca8cfc0.proving      slots of the batch, first 8 bytes of the circuit's digest
//!  batch-64-493472267ca8cfc0.verifying    one pair for each binding of the committed cells ([`Binding`])
//!  root-64-….proving, .verifying          of batches for a contract that holds a root
//! ```
//! A key is found by the circuit that this build has, so that keys of an older circuit are not used by mistake; when it is read, all that a key file says is
//! checked, the whole digest of its circuit among it. What a file cannot say is that nobody knows the secrets: keys of a local setup are
//! refused unless asked for, and those of a ceremony are as good as whoever brought them ([`Keys::import`] compares digests).

mod info;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use curve::pairing::Bn254;
use snark::groth16::{Provenance, ProvingKey, VerifyingKey, setup_local};

use super::{BatchCircuit, Mode, NodeError, durable, random};
use crate::Invalid;
use crate::circuit::groth16::{self, Groth16Verifier};
use crate::circuit::transparent::{self, TransparentVerifier};
use crate::circuit::{BatchProver, Binding};
use crate::statement::{BatchSize, BatchVerifier};
use crate::token::Token;
pub use info::KeyInfo;

/// The longest key file: some 600 bytes for each constraint of the largest circuit.
const MAX_KEY: u64 = 1 << 33;

/// The kinds of files.
const BOTH: [&str; 2] = ["verifying", "proving"];

/// Parameters of transparent proofs that a test compares with the circuits.
const UNKNOWN: NodeError = NodeError::GivenKey(Invalid("the parameters written down are of another circuit"));

/// Circuits and their digests.
type Digests = Vec<(BatchCircuit, [u8; 32])>;

/// The folder of keys, and which of them are accepted.
#[derive(Clone, Debug)]
pub struct Keys {
    folder: PathBuf,
    local: bool,
    /// Digests of circuits: to make one takes longer than to read its key.
    circuits: Arc<Mutex<Digests>>,
    /// The binding of the circuits, if it is not that of the keys that are there.
    binding: Option<Binding>,
    /// Batches are proven without keys.
    transparent: bool,
}

impl Keys {
    /// The keys in a folder, which need not be there. **Insecure** if `local`: then keys of local setups are accepted.
    #[must_use]
    pub fn new(folder: &Path, local: bool) -> Self {
        Self { folder: folder.to_owned(), local, circuits: Arc::default(), binding: None, transparent: false }
    }

    /// Takes batches that are proven without a setup ([`crate::circuit::transparent`]), and none with a key of the folder, if it is told so.
    #[must_use]
    pub fn transparent(self, transparent: bool) -> Self {
        Self { transparent, ..self }
    }

    /// Returns true if batches are proven without keys.
    #[must_use]
    pub fn is_transparent(&self) -> bool {
        self.transparent
    }

    /// Takes keys of circuits with this binding alone, where batches for replicas are proven or verified.
    #[must_use]
    pub fn with_binding(self, binding: Option<Binding>) -> Self {
        Self { binding, ..self }
    }

    /// The binding that was asked for.
    #[must_use]
    pub fn binding(&self) -> Option<Binding> {
        self.binding
    }

    /// The circuit of batches for replicas with so many slots whose verifying key is there: with the binding that was asked for; else the standard one, or the other one
    /// if that is there alone.
    #[must_use]
    pub fn present(&self, slots: usize) -> BatchCircuit {
        let standard = BatchCircuit::from(slots);
        if let Some(binding) = self.binding {
            return BatchCircuit::Replicas(slots, binding);
        }
        // To make a circuit for its digest takes time.
        if !self.names().iter().any(|name| is_verifying(name, standard)) {
            return standard;
        }
        let is_there = |of: &BatchCircuit| self.file(*of, &self.circuit(*of), "verifying").exists();
        let others = Binding::ALL.map(|binding| BatchCircuit::Replicas(slots, binding));
        [standard].into_iter().chain(others).find(is_there).unwrap_or(standard)
    }

    /// Takes the digest of a circuit from somebody who has made it, in place of making it.
    #[must_use]
    pub fn with_circuit(self, slots: usize, digest: [u8; 32]) -> Self {
        self.remember(slots.into(), digest);
        self
    }

    pub(super) fn remember(&self, circuit: BatchCircuit, digest: [u8; 32]) {
        self.circuits.lock().unwrap_or_else(PoisonError::into_inner).push((circuit, digest));
    }

    /// The digest of a circuit, which is made once.
    #[must_use]
    pub fn circuit(&self, circuit: impl Into<BatchCircuit>) -> [u8; 32] {
        let circuit = circuit.into();
        let known = self.circuits.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.into_iter().find(|(of, _)| *of == circuit).map_or_else(
            || {
                let digest = circuit.digest();
                self.remember(circuit, digest);
                digest
            },
            |(_, digest)| digest,
        )
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

    fn file(&self, circuit: BatchCircuit, digest: &[u8; 32], kind: &str) -> PathBuf {
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{circuit}-{name}.{kind}"))
    }

    /// **Insecure**: makes keys whose secrets this process knows, and writes them. Cost: [`setup_local`]; where a process was killed that had written the prover's key of a
    /// local setup and not yet the verifier's, only the latter is written.
    ///
    /// # Errors
    /// If there is a key already, keys of local setups are not accepted, or a file cannot be written.
    pub fn make_local(&self, circuit: impl Into<BatchCircuit>) -> Result<ProvingKey<Bn254>, NodeError> {
        let circuit = circuit.into();
        if !self.local {
            return Err(NodeError::LocalKey(self.folder.display().to_string()));
        }
        let matrices = circuit.matrices();
        let digest = matrices.digest();
        self.remember(circuit, digest);
        self.check_free(circuit, &digest, &["verifying"])?;
        let is_local = |key: &ProvingKey<Bn254>| key.verifying().provenance() == Provenance::Local;
        if let Some(key) = self.half(circuit, &digest)?.filter(is_local) {
            self.write_verifying(circuit, key.verifying())?;
            return Ok(key);
        }
        self.check_free(circuit, &digest, &BOTH)?;
        let key = setup_local(&matrices, &mut random()).map_err(|e| NodeError::Ceremony(e.0))?;
        self.save(circuit, &key)?;
        Ok(key)
    }

    fn check_free(&self, circuit: BatchCircuit, digest: &[u8; 32], kinds: &[&str]) -> Result<(), NodeError> {
        let mut files = kinds.iter().map(|kind| self.file(circuit, digest, kind));
        match files.find(|path| path.exists()) {
            Some(path) => Err(NodeError::Exists(path.display().to_string())),
            None => Ok(()),
        }
    }

    /// Writes both keys. The verifier's comes last: where it is, both are whole. Of a process that was killed between them the prover's is there, which stays.
    ///
    /// # Errors
    /// If there is one of them already, but for this prover's key alone; if a file cannot be written.
    pub fn save(&self, circuit: impl Into<BatchCircuit>, key: &ProvingKey<Bn254>) -> Result<(), NodeError> {
        let (circuit, digest) = (circuit.into(), key.verifying().circuit());
        self.check_free(circuit, digest, &["verifying"])?;
        let (proving, bytes) = (self.file(circuit, digest, "proving"), key.to_bytes());
        fs::create_dir_all(&self.folder).map_err(NodeError::io("make", &self.folder))?;
        match durable::write_new(&proving, &bytes) {
            Err(NodeError::Exists(_)) if durable::read(&proving, MAX_KEY)? == bytes => {}
            written => written?,
        }
        self.write_verifying(circuit, key.verifying())
    }

    fn write_verifying(&self, of: BatchCircuit, key: &VerifyingKey<Bn254>) -> Result<(), NodeError> {
        durable::write_new(&self.file(of, key.circuit(), "verifying"), &key.to_bytes())
    }

    /// The prover's key that is there, if it is one of this circuit.
    fn half(&self, of: BatchCircuit, circuit: &[u8; 32]) -> Result<Option<ProvingKey<Bn254>>, NodeError> {
        let path = self.file(of, circuit, "proving");
        if !path.exists() {
            return Ok(None);
        }
        let key = ProvingKey::from_bytes(&durable::read(&path, MAX_KEY)?, circuit).ok();
        Ok(key.filter(|key| check_binding(of, key.verifying()).is_ok()))
    }

    /// Writes a verifying key that comes from elsewhere, if it has this digest.
    ///
    /// # Errors
    /// If the bytes are no key of this circuit or one of another digest, and as [`Self::save`].
    pub fn import(
        &self,
        of: impl Into<BatchCircuit>,
        bytes: &[u8],
        digest: &[u8; 32],
    ) -> Result<KeyInfo, NodeError> {
        let of = of.into();
        let circuit = self.circuit(of);
        let key = VerifyingKey::<Bn254>::from_bytes(bytes, &circuit).map_err(NodeError::GivenKey)?;
        if key.digest() != *digest {
            return Err(NodeError::GivenKey(Invalid(
                "it has another digest than the one that was asked for",
            )));
        }
        check_binding(of, &key).map_err(NodeError::GivenKey)?;
        self.check_free(of, &circuit, &["verifying"])?;
        fs::create_dir_all(&self.folder).map_err(NodeError::io("make", &self.folder))?;
        durable::write_new(&self.file(of, &circuit, "verifying"), bytes)?;
        Ok(KeyInfo::new(of, &key, false))
    }

    /// Reads a verifying key.
    ///
    /// # Errors
    /// If there is none, it is damaged, of another circuit, or of a local setup where these are not accepted.
    pub fn verifying(&self, circuit: impl Into<BatchCircuit>) -> Result<VerifyingKey<Bn254>, NodeError> {
        let circuit = circuit.into();
        if !self.names().iter().any(|name| is_verifying(name, circuit)) {
            // Before the circuit is made for its digest.
            return Err(self.missing("verifying", circuit));
        }
        self.verifying_of(circuit, &self.circuit(circuit))
    }

    fn verifying_of(&self, of: BatchCircuit, circuit: &[u8; 32]) -> Result<VerifyingKey<Bn254>, NodeError> {
        let (path, bytes) = self.read(of, circuit, "verifying")?;
        let refused = |reason| NodeError::Key { path: path.display().to_string(), reason };
        let key = VerifyingKey::from_bytes(&bytes, circuit).map_err(refused)?;
        check_binding(of, &key).map_err(refused)?;
        self.check(&key, &path)?;
        Ok(key)
    }

    /// The prover of a chain's batches of a size: the proving key of [`Self::present`], or what needs none.
    ///
    /// # Errors
    /// As [`Self::proving`].
    pub fn prover(&self, size: BatchSize) -> Result<Box<dyn BatchProver>, NodeError> {
        if self.transparent {
            return Ok(Box::new(transparent::scheme(size).map_err(|_| UNKNOWN)?));
        }
        Ok(Box::new(self.proving(self.present(size.slots()))?))
    }

    /// Reads a proving key. Cost: that of [`ProvingKey::from_bytes`], which checks every point.
    ///
    /// # Errors
    /// As [`Self::verifying`].
    pub fn proving(&self, of: impl Into<BatchCircuit>) -> Result<ProvingKey<Bn254>, NodeError> {
        let of = of.into();
        let circuit = self.circuit(of);
        // Whoever can change one of the files shall not have proofs made that the other one refuses.
        let verifying = self.verifying_of(of, &circuit)?;
        let (path, bytes) = self.read(of, &circuit, "proving")?;
        let refused = |reason| NodeError::Key { path: path.display().to_string(), reason };
        let key = ProvingKey::<Bn254>::from_bytes(&bytes, &circuit).map_err(refused)?;
        if key.verifying().digest() != verifying.digest() {
            return Err(refused(Invalid("it belongs to another verifying key")));
        }
        Ok(key)
    }

    fn read(
        &self,
        of: BatchCircuit,
        circuit: &[u8; 32],
        kind: &'static str,
    ) -> Result<(PathBuf, Vec<u8>), NodeError> {
        let path = self.file(of, circuit, kind);
        if !path.exists() {
            return Err(self.missing(kind, of));
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
    pub fn verifier(
        &self,
        machine: Token,
        sizes: &[BatchSize],
    ) -> Result<Box<dyn BatchVerifier<Token>>, NodeError> {
        if self.transparent {
            let verifier = TransparentVerifier::new(machine, sizes).map_err(|_| UNKNOWN)?;
            return Ok(Box::new(verifier));
        }
        let read = |size: &BatchSize| Ok((*size, self.verifying(self.present(size.slots()))?));
        let keys = sizes.iter().map(read).collect::<Result<_, NodeError>>()?;
        // Keys of local setups were refused when they were read, unless they are taken.
        Ok(Box::new(Groth16Verifier::read(machine, keys)))
    }

    fn missing(&self, kind: &'static str, circuit: BatchCircuit) -> NodeError {
        NodeError::NoKey { kind, circuit, directory: self.folder.display().to_string() }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// The sizes for which there is a file of a verifying key of this build's circuit. Whether it is one is seen when it is read.
    #[must_use]
    pub fn sizes(&self) -> Vec<BatchSize> {
        let named = self.named(Mode::Replicas).into_iter();
        let is_current = |circuit: &BatchCircuit| {
            let present = self.present(circuit.slots());
            self.file(present, &self.circuit(present), "verifying").exists()
        };
        named.filter(is_current).filter_map(|circuit| super::size_of(circuit.slots())).collect()
    }

    /// The circuits of a mode for which a file has the name of a verifying key.
    fn named(&self, mode: Mode) -> Vec<BatchCircuit> {
        let names = self.names();
        let all = BatchSize::ALL.map(|size| BatchCircuit::new(mode, size));
        all.into_iter().filter(|circuit| names.iter().any(|name| is_verifying(name, *circuit))).collect()
    }

    /// Facts about the keys that are there, local ones among them, and which cannot be used.
    #[must_use]
    pub fn list(&self) -> Vec<Result<KeyInfo, NodeError>> {
        let all = Self { local: true, ..self.clone() };
        let one = |(of, circuit): (BatchCircuit, [u8; 32])| {
            let key = all.verifying_of(of, &circuit)?;
            Ok(KeyInfo::new(of, &key, self.file(of, &circuit, "proving").exists()))
        };
        let batches = self.named(Mode::Replicas).into_iter().flat_map(|of| self.bound(of.slots()));
        let roots = self.named(Mode::Root).into_iter().map(|of| (of, self.circuit(of)));
        batches.chain(roots).map(one).collect()
    }

    /// The circuits of batches for replicas for which there is a verifying key, with either binding; if there is none, the standard one, which is missing.
    fn bound(&self, slots: usize) -> Vec<(BatchCircuit, [u8; 32])> {
        let all = Binding::ALL.map(|binding| BatchCircuit::Replicas(slots, binding));
        let all = all.map(|of| (of, self.circuit(of)));
        let there = all.into_iter().filter(|(of, digest)| self.file(*of, digest, "verifying").exists());
        let there: Vec<_> = there.collect();
        let standard = || vec![(slots.into(), self.circuit(slots))];
        if there.is_empty() { standard() } else { there }
    }
}

/// Checks that a key has a commitment if the circuit that it was read for has committed cells, and none otherwise. Its file says which; the circuit of its digest decides it.
pub(super) fn check_binding(of: BatchCircuit, key: &VerifyingKey<Bn254>) -> Result<(), Invalid> {
    if groth16::binding_of(key) == of.binding() {
        return Ok(());
    }
    Err(Invalid("a commitment where the circuit has none, or none where it has one"))
}

fn is_verifying(name: &str, circuit: BatchCircuit) -> bool {
    name.starts_with(&format!("{circuit}-")) && name.ends_with(".verifying")
}
