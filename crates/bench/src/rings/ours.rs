//! Our side.

use std::fs;
use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result};
use curve::AffineRepr;
use curve::bandersnatch::{Fr, Point};
use curve::bls12_381::G1;
use curve::msm::Tier;
use curve::srs::Srs;
use ring_proof::vrf::{Secret, Signature, Suite};
use ring_proof::{Batch, Domain, Key, Proof, Prover, Ring, Setup, Verifier};
use tempfile::NamedTempFile;

use super::{Job, Size, done};

const VECTOR: &str = "ours";
const AVX2: &str = "ours, AVX2";
const PORTABLE: &str = "ours, one lane";
/// Proofs in a sample.
const PROOFS: u32 = 8;
/// Proofs of a batch.
pub(super) const BATCH: usize = 32;
/// The index of the prover.
pub(super) const INDEX: usize = 3;

/// The setup's bytes, the keys and proofs that all implementations share.
pub(super) struct Scene {
    pub(super) rows: usize,
    pub(super) suite: &'static Suite,
    pub(super) secrets: Vec<Secret>,
    pub(super) ring: Ring,
    pub(super) blinding: Fr,
    pub(super) result: Point,
    pub(super) proof: Proof,
    pub(super) signature: Signature,
    sizes: Vec<Size>,
}

impl Scene {
    pub(super) fn members(&self) -> usize {
        self.ring.slots().len()
    }

    pub(super) fn keys(&self) -> Vec<Point> {
        self.secrets.iter().map(|s| *s.public()).collect()
    }

    pub(super) fn sizes(&self) -> Vec<Size> {
        self.sizes.clone()
    }
}

pub(super) fn jobs(rows: usize) -> Result<(Vec<Job>, Scene)> {
    let domain = Domain::new(rows)?;
    let suite = Suite::v1();
    let setup = Arc::new(Setup::new(Srs::zcash(), domain)?);
    let portable = Arc::new(Setup::portable(Srs::zcash(), domain)?);
    let middle = match Tier::Avx2.available::<<G1 as AffineRepr>::Config>() {
        true => Some(Arc::new(Setup::on(Srs::zcash(), domain, Tier::Avx2)?)),
        false => None,
    };
    let seed = |i: usize| core::array::from_fn(|j| i.to_le_bytes().get(j).copied().unwrap_or(7));
    let secrets: Vec<Secret> = (0..domain.capacity()).map(|i| Secret::from_seed(suite, &seed(i))).collect();
    let keys: Vec<Key> = secrets.iter().map(Secret::key).collect();
    let ring = Ring::with_members(&setup, suite.bases(), &keys)?;
    let prover = Arc::new(Prover::new(&setup, &ring)?);
    let mut others = vec![(PORTABLE, Arc::new(Prover::new(&portable, &ring)?))];
    if let Some(middle) = &middle {
        others.push((AVX2, Arc::new(Prover::new(middle, &ring)?)));
    }
    let verifier = Arc::new(Verifier::new(ring.params(), setup.key(), &ring.commitment()));
    let blinding = Fr::from(0x1234_5678_9abc_def1_u64);
    let (result, proof) = prover.prove(INDEX, &blinding)?;
    let input = suite.input(b"input")?;
    let signature = Signature::new(suite, (&prover, INDEX), &secrets[INDEX], &input, b"data")?;
    let tables = setup.write();
    let sizes = [
        ("tables in memory", setup.table_bytes()),
        ("tables in memory, one lane", portable.table_bytes()),
        ("memory of sums, kept", setup.kept_bytes()),
        ("tables in a file", tables.len()),
        ("proof", proof.encode().len()),
        ("signature", signature.encode().len()),
    ];
    let sizes = sizes.map(|(what, bytes)| Size { rows, what: what.into(), bytes }).into();
    let scene = Scene { rows, suite, secrets, ring, blinding, result, proof, signature, sizes };
    let mut jobs = makers(&scene, &setup, &keys, &tables)?;
    jobs.extend(provers(&scene, &prover, &others)?);
    jobs.extend(verifiers(&scene, &setup, &verifier)?);
    Ok((jobs, scene))
}

/// Setups, rings.
fn makers(scene: &Scene, setup: &Arc<Setup>, keys: &[Key], tables: &[u8]) -> Result<Vec<Job>> {
    let (domain, bases) = (setup.domain(), scene.suite.bases());
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let (srs, digest) = (Srs::zcash().write(), hex(Srs::zcash().digest()));
    // Removed with the job that reads it.
    let mut cache = NamedTempFile::new()?;
    cache.write_all(tables)?;
    let load = move || Srs::read_pinned(&srs, &digest).context("the setup that ships");
    let all = {
        let load = load.clone();
        move || done(Setup::new(&load()?, domain)?)
    };
    let cached = move || done(Setup::read_trusted(&fs::read(cache.path())?, &load()?, domain)?);
    let points: Vec<Point> = keys.iter().map(|key| *key.point()).collect();
    let check = move || done(Key::all(&points)?);
    let (s, k) = (setup.clone(), keys.to_vec());
    let index = move || {
        std::hint::black_box(Ring::with_members(&s, bases, &k)?.commitment());
        Ok(())
    };
    let (s, k) = (setup.clone(), keys.to_vec());
    let index_prover = move || done(Prover::new(&s, &Ring::with_members(&s, bases, &k)?)?);
    let (s, other) = (setup.clone(), Secret::from_seed(scene.suite, &[9; 32]).key());
    let (mut ring, own, mut flip) = (scene.ring.clone(), keys[0], false);
    let replace = move || {
        flip = !flip;
        Ok(ring.replace(&s, 0, if flip { &other } else { &own })?)
    };
    let jobs = [
        Job::new("setup and tables", VECTOR, all),
        Job::new("setup, tables from a file", VECTOR, cached),
        Job::new("keys checked", VECTOR, check),
        Job::new("index", VECTOR, index),
        Job::new("index for a prover", VECTOR, index_prover),
        Job::new("replace a member", VECTOR, replace).times(20),
    ];
    jobs.into_iter().map(|job| job.on(1)).collect()
}

fn provers(scene: &Scene, prover: &Arc<Prover>, others: &[(&'static str, Arc<Prover>)]) -> Result<Vec<Job>> {
    let t = scene.blinding;
    let prove = |who: &'static str, prover: &Arc<Prover>| {
        let prover = prover.clone();
        // About as long as a proof of the peer: what a second core takes to wake up is no part of a prover that works.
        Job::new("prove", who, move || done(prover.prove(INDEX, &t)?)).times(PROOFS)
    };
    let (suite, input, secret) = (scene.suite, scene.suite.input(b"input")?, scene.secrets[INDEX].clone());
    let signer = prover.clone();
    let sign = move || done(Signature::new(suite, (&signer, INDEX), &secret, &input, b"data")?);
    let mut jobs = vec![prove(VECTOR, prover).on(1)?, prove(VECTOR, prover).on(2)?];
    for (who, prover) in others {
        jobs.extend([prove(who, prover).on(1)?, prove(who, prover).on(2)?]);
    }
    jobs.push(Job::new("sign", VECTOR, sign).on(1)?);
    Ok(jobs)
}

fn verifiers(scene: &Scene, setup: &Arc<Setup>, verifier: &Arc<Verifier>) -> Result<Vec<Job>> {
    let (v, result, proof) = (verifier.clone(), scene.result, scene.proof.clone());
    let verify = move || Ok(v.verify(&result, &proof)?);
    let (v, bytes) = (verifier.clone(), scene.proof.encode());
    let from_bytes = move || Ok(v.verify(&result, &Proof::decode(&bytes)?)?);
    let (v, suite, input) = (verifier.clone(), scene.suite, scene.suite.input(b"input")?);
    let bytes = scene.signature.encode();
    let signature = move || Ok(Signature::decode(&bytes)?.verify(suite, &v, &input, b"data")?);
    let (v, s, proofs) = (verifier.clone(), setup.clone(), vec![scene.proof.clone(); BATCH]);
    let batch = move || Ok(Batch::verify_all(s.key(), &[&*v; BATCH], &[result; BATCH], &proofs)?);
    let jobs = [
        Job::new("verify", VECTOR, verify).times(5),
        Job::new("verify from bytes", VECTOR, from_bytes).times(5),
        Job::new("verify a signature", VECTOR, signature).times(5),
        Job::new("batch of 32", VECTOR, batch),
    ];
    jobs.into_iter().map(|job| job.on(1)).collect()
}
