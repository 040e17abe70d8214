//! Vectors, malicious provers, tampering.

mod adversaries;
mod batches;
mod cache;
mod fuzz;
mod hostile;
mod own;
mod rings;
mod rogue;
mod segments;
mod selector;
mod tamper;
pub(crate) mod timing;
pub(crate) mod vectors;

use std::sync::{Arc, LazyLock};

use curve::bandersnatch::{self, Point};
use curve::jubjub::Jubjub;
use curve::srs::Srs;

use crate::vrf::{Secret, Suite};
use crate::{Bases, Domain, Key, Proof, Prover, Ring, Setup, Verifier};

/// The setup that ships, for 512 rows.
pub(crate) fn setup() -> Arc<Setup> {
    static SETUP: LazyLock<Arc<Setup>> =
        LazyLock::new(|| Arc::new(Setup::new(Srs::zcash(), Domain::new(512).unwrap()).unwrap()));
    SETUP.clone()
}

/// The same for keys on Jubjub.
pub(crate) fn setup_on_jubjub() -> Arc<Setup> {
    static SETUP: LazyLock<Arc<Setup>> =
        LazyLock::new(|| Arc::new(Setup::new(Srs::zcash(), Domain::on::<Jubjub>(512).unwrap()).unwrap()));
    SETUP.clone()
}

pub(crate) fn bases() -> &'static Bases {
    Suite::v1().bases()
}

/// Keys, always the same.
pub(crate) fn members(count: u8) -> Vec<Key> {
    (0..count).map(|i| Secret::from_seed(Suite::v1(), &[i ^ 0x5a; 32]).key()).collect()
}

pub(crate) fn scalar(seed: u64) -> bandersnatch::Fr {
    use curve::Field;
    bandersnatch::Fr::from(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).pow([5])
}

/// A ring with a prover, a verifier, and one good proof.
pub(crate) struct Scene {
    pub(crate) setup: Arc<Setup>,
    pub(crate) ring: Ring,
    pub(crate) prover: Prover,
    pub(crate) verifier: Verifier,
    pub(crate) result: Point,
    pub(crate) proof: Proof,
}

impl Scene {
    pub(crate) fn new(setup: Arc<Setup>, members: &[Key], index: usize) -> Self {
        let ring = Ring::with_members(&setup, bases(), members).unwrap();
        let prover = Prover::new(&setup, &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
        let (result, proof) = prover.prove(index, &scalar(7)).unwrap();
        verifier.verify(&result, &proof).unwrap();
        Self { setup, ring, prover, verifier, result, proof }
    }
}
