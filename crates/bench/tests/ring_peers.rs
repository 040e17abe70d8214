//! Ring proofs of w3f-ring-proof 0.0.11 and signatures of ark-vrf 0.6.1, both ways: theirs are verified here and ours there.

use std::sync::Arc;

use ark_vrf::reexports::ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_vrf::ring::RingSuite;
use curve::bandersnatch::{ArkworksConfig, ArkworksPoint, Point, to_arkworks};
use curve::bls12_381::Engine as Bls12_381;
use curve::srs::Srs;
use ring_proof::vrf::{Pedersen, Secret, Signature, Suite};
use ring_proof::{Bases, Batch, Domain, Key, Proof, Prover, Ring, Setup, Verifier};
use w3f_ring_proof::pcs::kzg::KZG;
use w3f_ring_proof::pcs::kzg::urs::URS;
use w3f_ring_proof::ring_prover::RingProver;
use w3f_ring_proof::ring_verifier::RingVerifier;
use w3f_ring_proof::{ArkTranscript, PiopParams, RingProof, index};

type Kzg = KZG<Bls12_381>;
type Field = curve::bls12_381::Fr;

fn bytes(value: &impl CanonicalSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.serialize_compressed(&mut bytes).unwrap();
    bytes
}

fn read<T: CanonicalDeserialize>(bytes: &[u8]) -> T {
    T::deserialize_compressed(bytes).unwrap()
}

/// A point whose logarithm nobody needs to know.
fn point(name: &[u8]) -> Point {
    *Suite::v1().input(name).unwrap().point()
}

#[test]
fn proofs_of_w3f_ring_proof() {
    const LABEL: &[u8] = b"proofs both ways";
    let [h, seed, padding] = [point(b"h"), point(b"seed"), point(b"padding")];
    let bases = Bases::new(LABEL, h, seed, padding).unwrap();
    let urs: URS<Bls12_381> = URS::deserialize_uncompressed_unchecked(&Srs::zcash().write()[..]).unwrap();
    for (size, members) in [(512, 255), (1024, 700), (2048, 5)] {
        let domain = Domain::new(size).unwrap();
        let setup = Arc::new(Setup::new(Srs::zcash(), domain).unwrap());
        let keys: Vec<Point> = (0..members).map(|i: usize| point(&i.to_le_bytes())).collect();
        let ring = Ring::with_members(&setup, &bases, &Key::all(&keys).unwrap()).unwrap();
        let [their_h, their_seed, their_padding] = [&h, &seed, &padding].map(to_arkworks);
        let domain = w3f_ring_proof::Domain::with_zk_rows(size, 3);
        let theirs = PiopParams::setup(domain, their_h, their_seed, their_padding);
        let keys: Vec<ArkworksPoint> = keys.iter().map(to_arkworks).collect();
        let (prover_key, verifier_key) = index::<Field, Kzg, _>(&urs, &theirs, &keys);
        assert_eq!(bytes(&verifier_key), ring.verifier_key().encode(), "{size}");
        let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
        let their_verifier = RingVerifier::<Field, Kzg, ArkworksConfig>::init(
            verifier_key,
            theirs.clone(),
            ArkTranscript::new(LABEL),
        );
        for slot in [0, members - 1] {
            let t = curve::bandersnatch::Fr::from(0x1234_5678_u64 + slot as u64);
            let (result, proof) = Prover::new(&setup, &ring).unwrap().prove(slot, &t).unwrap();
            let there = to_arkworks(&result);
            assert!(their_verifier.verify(read(&proof.encode()), there), "ours there, {size}");
            let prover =
                RingProver::init(prover_key.clone(), theirs.clone(), slot, ArkTranscript::new(LABEL));
            let (other, proof): (ArkworksPoint, RingProof<Field, Kzg>) = prover.rerandomize_pk(slot, t);
            assert_eq!(other, there);
            let proof = Proof::decode(&bytes(&proof)).unwrap();
            verifier.verify(&result, &proof).expect("theirs here");
            Batch::verify_all(setup.key(), &[&verifier], &[result], &[proof]).unwrap();
        }
    }
}

fn signatures<S: RingSuite<Affine = ArkworksPoint, Pairing = Bls12_381>>(suite: &Suite) {
    use ark_vrf::ring::{PcsParams, RingSetup};
    use ark_vrf::{Input, Output, VrfIo};
    assert_eq!(suite.id(), S::SUITE_ID);
    let setup = Arc::new(Setup::new(Srs::zcash(), Domain::new(512).unwrap()).unwrap());
    let urs: PcsParams<S> =
        PcsParams::<S>::deserialize_uncompressed_unchecked(&Srs::zcash().write()[..]).unwrap();
    let their_setup = RingSetup::<S>::from_pcs_params(255, urs).unwrap();
    let secrets: Vec<Secret> = (0..6_u8).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
    let their_secrets: Vec<ark_vrf::Secret<S>> =
        (0..6_u8).map(|i| ark_vrf::Secret::from_seed([i; 32])).collect();
    for (ours, theirs) in secrets.iter().zip(&their_secrets) {
        assert_eq!(ours.encode()[..], bytes(theirs)[..]);
    }
    let keys: Vec<Key> = secrets.iter().map(Secret::key).collect();
    let their_keys: Vec<_> = their_secrets.iter().map(ark_vrf::Secret::public).collect();
    let ring = Ring::with_members(&setup, suite.bases(), &keys).unwrap();
    let their_key = their_setup.verifier_key(&their_keys).unwrap();
    assert_eq!(bytes(&their_key), ring.verifier_key().encode());
    let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
    let context = their_setup.ring_context();
    let their_verifier = context.ring_verifier(their_key);

    let input = suite.input(b"message").unwrap();
    let their_input = Input::<S>::new(b"message").unwrap();
    assert_eq!(their_input.point(), to_arkworks(input.point()));
    // Ours there.
    let prover = Prover::new(&setup, &ring).unwrap();
    let signature = Signature::new(suite, (&prover, 4), &secrets[4], &input, b"data").unwrap();
    let encoded = signature.encode();
    let output: Output<S> = read(&encoded[..32]);
    assert_eq!(output.hash::<32>(), signature.output.hash(suite));
    let proof: ark_vrf::ring::Proof<S> = read(&encoded[32..]);
    let io = VrfIo { input: their_input, output };
    proof.verify(io, b"data", &their_verifier).expect("ours there");
    assert!(proof.verify(io, b"other", &their_verifier).is_err());
    // Theirs here.
    let prover = context.ring_prover(their_setup.prover_key(&their_keys).unwrap(), 1);
    let io = their_secrets[1].vrf_io(their_input);
    let proof = their_secrets[1].prove_ring(io, b"data", &prover);
    let encoded = [bytes(&io.output), bytes(&proof)].concat();
    let signature = Signature::decode(&encoded).unwrap();
    assert_eq!(signature.encode()[..], encoded);
    signature.verify(suite, &verifier, &input, b"data").expect("theirs here");
    assert!(signature.verify(suite, &verifier, &input, b"other").is_err());
    // Several inputs.
    let messages: [&[u8]; 3] = [b"a", b"b", b"c"];
    let pairs = messages.map(|m| {
        let input = suite.input(m).unwrap();
        (input, secrets[2].output(&input))
    });
    let their_pairs = messages.map(|m| their_secrets[2].vrf_io(Input::<S>::new(m).unwrap()));
    let (proof, _) = Pedersen::prove(suite, &secrets[2], &pairs, b"data").unwrap();
    let theirs = their_secrets[2].prove_pedersen(their_pairs, b"data").0;
    assert_eq!(proof.encode()[..], bytes(&theirs)[..]);
    assert_eq!(theirs.key_commitment(), to_arkworks(proof.blinded()));
}

#[test]
fn signatures_of_ark_vrf() {
    signatures::<ark_vrf::suites::bandersnatch::BandersnatchSha512Ell2>(Suite::v1());
    signatures::<ark_vrf::suites::bandersnatch_v2::BandersnatchSha512Ell2>(Suite::v2());
    signatures::<ark_vrf::suites::bandersnatch_shake128::BandersnatchShake128Ell2>(Suite::shake128());
}
