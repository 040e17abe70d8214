//! Ring signatures: the verdict of `tenfold verify` on their files, by the setup of Zcash's ceremony.

use alloc::string::{String, ToString};
use iop::security::Policy;
use ring_proof::file::{Committed, FileError, RingVerifier, Signed, ZCASH_SHA256, zcash_key};
use ring_proof::vrf::Signature;

use crate::report::hex;
use crate::{Input, Status};

/// Verifies a signature for the ring of a commitment file.
pub fn accept(input: Input<'_>, policy: Policy) -> Result<String, (Status, String)> {
    let malformed = |error: FileError| (Status::Malformed, error.to_string());
    let invalid = |reason: &str| (Status::Invalid, String::from(reason));
    let signed = Signed::decode(input.proof).map_err(malformed)?;
    let committed = Committed::decode(input.commitment).map_err(malformed)?;
    if !input.weights.is_empty() {
        return Err(invalid("a ring signature has no weights"));
    }
    if policy.min_bits > 0 || policy.interactive_bits > 0 {
        return Err(invalid(
            "a ring signature has no proven bits: it rests on pairings and a setup; ask for 0 bits",
        ));
    }
    if committed.params.setup != ZCASH_SHA256 {
        return Err(invalid("the ring is over another setup than that of Zcash's ceremony"));
    }
    let ring = RingVerifier::new(committed, &zcash_key()).map_err(malformed)?;
    let signature = signed.verify(&ring).map_err(|refused| (Status::Invalid, refused.to_string()))?;
    Ok(report(&signed, &signature, ring.committed()))
}

/// What a valid signature says.
fn report(signed: &Signed, signature: &Signature, ring: &Committed) -> String {
    let suite = ring.params.suite;
    format!(
        "{{\"valid\":true,\"scheme\":\"ring\",\"suite\":\"{}\",\"rows\":{},\"setup_sha256\":{},\"proven_bits\":null,\
         \"fingerprint\":{},\"context\":{},\"message\":{},\"tag\":{},\"vrf_output\":{},\
         \"stated\":{{\"members\":{},\"slots\":{}}}}}",
        suite.name(),
        ring.params.domain.size(),
        hex(&ring.params.setup),
        hex(&ring.digest()),
        hex(&signed.context),
        hex(&signed.message),
        hex(&signature.output.encode()),
        hex(&signature.output.hash(suite.suite())),
        ring.members,
        ring.slots,
    )
}
