//! The usual signature of ledgers, which proving is compared with.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey, verify_batch};

use super::{Baseline, NodeError, cost_of};

const COUNT: usize = 1024;

/// The time of checking one ed25519 signature on one thread, strictly and in batches of 1,024.
///
/// # Errors
/// If this machine refuses signatures that it made.
pub fn ed25519() -> Result<[Baseline; 2], NodeError> {
    let invalid = |_| NodeError::Peer("this machine refuses signatures that it made".into());
    let key = |i: usize| SigningKey::from_bytes(blake3::hash(&i.to_le_bytes()).as_bytes());
    let keys: Vec<SigningKey> = (0..COUNT).map(key).collect();
    let texts: Vec<[u8; 80]> = (0..COUNT).map(|i| [i as u8; 80]).collect();
    let signatures: Vec<Signature> = keys.iter().zip(&texts).map(|(key, text)| key.sign(text)).collect();
    let public: Vec<VerifyingKey> = keys.iter().map(SigningKey::verifying_key).collect();
    let mut signed = public.iter().zip(&texts).zip(&signatures);
    let (valid, strict) =
        cost_of(|| signed.try_for_each(|((key, text), signature)| key.verify_strict(text, signature)));
    valid.map_err(invalid)?;
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    let (valid, batch) = cost_of(|| verify_batch(&texts, &signatures, &public));
    valid.map_err(invalid)?;
    let [strict, batch] = [strict, batch].map(|cost| cost.cpu / COUNT as u32);
    Ok([
        Baseline { name: "ed25519, strict", time: strict },
        Baseline { name: "ed25519, batches of 1024", time: batch },
    ])
}
