//! w3f-ring-proof 0.0.11 and ark-vrf 0.6.1, over the setup and the keys of ours.

use anyhow::{Result, bail, ensure};
use ark_vrf::reexports::ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_vrf::ring::{PcsParams, Proof as SignatureProof, RingSetup};
use ark_vrf::suites::bandersnatch::BandersnatchSha512Ell2 as Suite;
use ark_vrf::{Input, Output, Public, Secret, VrfIo};
use curve::bandersnatch::{ArkworksConfig, to_arkworks};
use curve::bls12_381::{Engine, Fr};
use curve::srs::Srs;
use w3f_ring_proof::pcs::kzg::KZG;
use w3f_ring_proof::pcs::kzg::urs::URS;
use w3f_ring_proof::ring_prover::RingProver;
use w3f_ring_proof::ring_verifier::RingVerifier;
use w3f_ring_proof::{ArkTranscript, Domain, PiopParams, RingProof, index};

use super::ours::{BATCH, INDEX, Scene};
use super::{Job, done};

const W3F: &str = "w3f-ring-proof 0.0.11";
const ARK: &str = "ark-vrf 0.6.1";
/// Those that ratios are against, in this order.
pub(super) const NAMES: [&str; 2] = [W3F, ARK];

type Kzg = KZG<Engine>;
type Theirs = RingProof<Fr, Kzg>;

fn read<T: CanonicalDeserialize>(bytes: &[u8]) -> Result<T> {
    Ok(T::deserialize_compressed(bytes)?)
}

fn bytes(value: &impl CanonicalSerialize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    value.serialize_compressed(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn jobs(scene: &Scene) -> Result<Vec<Job>> {
    let mut jobs = w3f(scene)?;
    jobs.extend(ark(scene)?);
    Ok(jobs)
}

fn w3f(scene: &Scene) -> Result<Vec<Job>> {
    let bases = scene.suite.bases();
    let label: &'static [u8] = scene.suite.id();
    let points = [bases.blinding(), bases.seed(), bases.padding()].map(to_arkworks);
    let rows = scene.rows;
    let (file, keys) = (Srs::zcash().write(), scene.keys().iter().map(to_arkworks).collect::<Vec<_>>());
    let params = move || {
        let [h, seed, padding] = points;
        PiopParams::setup(Domain::with_zk_rows(rows, 3), h, seed, padding)
    };
    let load = move || -> Result<URS<Engine>> { Ok(URS::deserialize_uncompressed_unchecked(&file[..])?) };
    let (urs, piop) = (load()?, params());
    let setup = move || {
        std::hint::black_box((load()?, params()));
        Ok(())
    };
    let (prover_key, verifier_key) = index::<Fr, Kzg, _>(&urs, &piop, &keys);
    ensure!(bytes(&verifier_key)? == scene.ring.verifier_key().encode(), "another verifier key");
    let indexing = |name| {
        let (urs, piop, keys) = (urs.clone(), piop.clone(), keys.clone());
        Job::new(name, W3F, move || {
            std::hint::black_box(index::<Fr, Kzg, _>(&urs, &piop, &keys));
            Ok(())
        })
    };
    let prover = RingProver::init(prover_key, piop.clone(), INDEX, ArkTranscript::new(label));
    let verifier = || {
        RingVerifier::<Fr, Kzg, ArkworksConfig>::init(
            verifier_key.clone(),
            piop.clone(),
            ArkTranscript::new(label),
        )
    };
    let (t, result, ours) = (scene.blinding, to_arkworks(&scene.result), scene.proof.encode());
    let proof: Theirs = read(&ours)?;
    let prove = move || {
        std::hint::black_box(prover.prove(t));
        Ok(())
    };
    let accepted = |so: bool| if so { Ok(()) } else { bail!("refused") };
    let (v, p) = (verifier(), proof.clone());
    let verify = move || accepted(v.verify(p.clone(), result));
    let v = verifier();
    let from_bytes = move || accepted(v.verify(read(&ours)?, result));
    let v = verifier();
    let batch = move || accepted(v.verify_batch_kzg(vec![proof.clone(); BATCH], vec![result; BATCH]));
    Ok(vec![
        Job::new("setup and tables", W3F, setup),
        indexing("index"),
        indexing("index for a prover"),
        Job::new("prove", W3F, prove),
        Job::new("verify", W3F, verify),
        Job::new("verify from bytes", W3F, from_bytes),
        Job::new("batch of 32", W3F, batch),
    ])
}

fn ark(scene: &Scene) -> Result<Vec<Job>> {
    let error = |e: ark_vrf::Error| anyhow::anyhow!("ark-vrf: {e:?}");
    let (file, members) = (Srs::zcash().write(), scene.members());
    let load = move || {
        let urs = PcsParams::<Suite>::deserialize_uncompressed_unchecked(&file[..])?;
        RingSetup::<Suite>::from_pcs_params(members, urs).map_err(error)
    };
    let setup = load()?;
    let keys: Vec<Public<Suite>> =
        scene.keys().iter().map(|key| Public::from_affine_unchecked(to_arkworks(key))).collect();
    let secret = Secret::<Suite>::from_seed(core::array::from_fn(|j| {
        INDEX.to_le_bytes().get(j).copied().unwrap_or(7)
    }));
    ensure!(bytes(&secret)? == *scene.secrets[INDEX].encode(), "another secret");
    let context = setup.ring_context().clone();
    let prover = context.ring_prover(setup.prover_key(&keys).map_err(error)?, INDEX);
    let verifier = context.ring_verifier(setup.verifier_key(&keys).map_err(error)?);
    let input = Input::<Suite>::new(b"input").map_err(error)?;
    let io = secret.vrf_io(input);
    let (s, k) = (load()?, keys.clone());
    let index = move || {
        std::hint::black_box(s.verifier_key(&k).map_err(error)?);
        Ok(())
    };
    let index_prover = move || {
        std::hint::black_box(setup.prover_key(&keys).map_err(error)?);
        Ok(())
    };
    let sign = move || {
        std::hint::black_box(secret.prove_ring(io, b"data", &prover));
        Ok(())
    };
    let signature = scene.signature.encode();
    let verify = move || {
        let (output, proof) = signature.split_at(32);
        let (output, proof): (Output<Suite>, SignatureProof<Suite>) = (read(output)?, read(proof)?);
        proof.verify(VrfIo { input, output }, b"data", &verifier).map_err(error)
    };
    Ok(vec![
        Job::new("setup and tables", ARK, move || done(load()?)),
        Job::new("index", ARK, index),
        Job::new("index for a prover", ARK, index_prover),
        Job::new("sign", ARK, sign),
        Job::new("verify a signature", ARK, verify),
    ])
}
