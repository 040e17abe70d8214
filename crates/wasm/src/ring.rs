//! Ring signatures, verified by the commitment of their ring, over the setup of Zcash's ceremony.

use alloc::string::{String, ToString};
use iop::security::Policy;
use ring_proof::file::{Committed, FileError, RingVerifier, Signed, Verified, ZCASH_SHA256, zcash_key};

use crate::report::hex;
use crate::{Failure, Input, Status};

/// Verifies a signature for the ring of a commitment file.
pub fn accept(input: Input<'_>, policy: Policy) -> Result<String, Failure> {
    let refused = |error: FileError| {
        let status = if matches!(error, FileError::Digest(_)) { Status::Invalid } else { Status::Malformed };
        (status, error.to_string())
    };
    let invalid = |reason: &str| (Status::Invalid, String::from(reason));
    let signed = Signed::decode(input.proof).map_err(refused)?;
    let committed = Committed::decode(input.commitment).map_err(refused)?;
    if !input.weights.is_empty() {
        return Err(invalid("a ring signature has no weights"));
    }
    if !input.expected.is_empty() {
        return Err(invalid("a ring signature makes no claims about data: compare its context and message"));
    }
    if policy != Policy::at_least(0) {
        let reason = "a ring signature has no proven bits, by no theorem: it rests on pairings and a setup; ask for 0 bits and nothing else";
        return Err(invalid(reason));
    }
    if committed.params.setup != ZCASH_SHA256 {
        return Err(invalid("the ring is over another setup than that of Zcash's ceremony"));
    }
    let ring = RingVerifier::new(committed, &zcash_key()).map_err(refused)?;
    let verified = signed.verify(&ring).map_err(|refused| (Status::Invalid, refused.to_string()))?;
    Ok(report(&signed, &verified, ring.committed()))
}

/// What a valid signature says.
fn report(signed: &Signed, verified: &Verified, ring: &Committed) -> String {
    format!(
        "{{\"valid\":true,\"scheme\":\"ring\",\"suite\":\"{}\",\"rows\":{},\"setup_sha256\":{},\"proven_bits\":null,\
         \"fingerprint\":{},\"context\":{},\"message\":{},\"tag\":{},\"vrf_output\":{},\
         \"stated\":{{\"members\":{},\"slots\":{}}}}}",
        ring.params.suite.name(),
        ring.params.domain.size(),
        hex(&ring.params.setup),
        hex(&ring.digest()),
        hex(&signed.context),
        hex(&signed.message),
        hex(&verified.tag),
        hex(&verified.vrf_output),
        ring.members,
        ring.slots,
    )
}
