//! Keys of circuits with either binding, and files that say another one than their circuit has.

use curve::pairing::Bn254;
use snark::groth16::{VerifyingKey, setup_local};

use super::*;
use crate::circuit::Binding;

fn verifying(folder: &std::path::Path, slots: usize, circuit: &[u8; 32]) -> PathBuf {
    let name: String = circuit.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("batch-{slots}-{name}.verifying"))
}

/// The file of a key with eta, which is another point of the key, and the digest that goes with it.
fn with_commitment(file: &[u8]) -> Vec<u8> {
    let mut bytes = file[..file.len() - 32].to_vec();
    bytes[72] = 1;
    let beta = bytes[80 + 64..][..128].to_vec();
    bytes.splice(80 + 64 + 3 * 128..80 + 64 + 3 * 128, beta);
    let digest = *blake3::hash(&bytes).as_bytes();
    [bytes, digest.to_vec()].concat()
}

/// Its points, circuit and digest are right; with its flag another proof would be asked for than the circuit has.
#[test]
fn a_key_with_another_binding_than_its_circuit_is_refused() {
    let key = setup_local::<Bn254>(&R1cs::of(&Cube), &mut random()).unwrap();
    let (plain, circuit) = (key.verifying().to_bytes(), *key.verifying().circuit());
    let committed = with_commitment(&plain);
    assert!(VerifyingKey::<Bn254>::from_bytes(&committed, &circuit).unwrap().has_commitment());
    let digest = |file: &[u8]| *file.last_chunk::<32>().unwrap();
    for (slots, right, wrong) in [(64, &plain, &committed), (256, &committed, &plain)] {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::new(folder.path(), true).with_circuit(slots, circuit);
        let path = verifying(folder.path(), slots, &circuit);
        fs::write(&path, right).unwrap();
        assert_eq!(keys.verifying(slots).unwrap().digest(), digest(right));
        fs::write(&path, wrong).unwrap();
        for refused in [keys.verifying(slots).map(drop), keys.proving(slots).map(drop)] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("a commitment where the circuit has none"), "{slots}: {refused}");
        }
        assert!(keys.list().iter().all(Result::is_err));
        // Nor is it imported, by its own digest.
        fs::remove_file(&path).unwrap();
        let refused = keys.import(slots, wrong, &digest(wrong)).unwrap_err().to_string();
        assert!(refused.contains("a commitment where the circuit has none") && !path.exists(), "{refused}");
        assert_eq!(keys.import(slots, right, &digest(right)).unwrap().binding, Binding::standard(slots));
    }
}

#[test]
fn the_key_that_is_there_is_taken_and_the_standard_one_of_two() {
    let folder = tempfile::tempdir().unwrap();
    let keys = Keys::new(folder.path(), true);
    let [commitment, digest] =
        [Binding::Commitment, Binding::Sponge].map(|binding| BatchCircuit::Replicas(64, binding));
    assert_eq!((keys.present(64), keys.sizes()), (digest, vec![]), "none is there");
    fs::write(verifying(folder.path(), 64, &commitment.digest()), b"").unwrap();
    assert_eq!((keys.present(64), keys.sizes()), (commitment, vec![BatchSize::B64]));
    fs::write(verifying(folder.path(), 64, &digest.digest()), b"").unwrap();
    assert_eq!((keys.present(64), keys.list().len()), (digest, 2));
    assert_eq!(keys.with_binding(Some(Binding::Commitment)).present(64), commitment);
    let keys = Keys::new(&folder.path().join("none"), true);
    let missing = keys.verifying(commitment).unwrap_err().to_string();
    assert!(missing.contains("batches of 64 with a commitment"), "{missing}");
}
