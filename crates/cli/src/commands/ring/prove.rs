//! `ring prove`: a signature of a member.

use super::change::no_member;
use super::keys::read_secret_key;
use super::members::{Opened, fingerprint, size};
use super::place::warn_of_stale;
use super::signature::{message, shown};
use super::{invalid, refused};
use crate::args::Common;
use crate::args::ring::ProveArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use curve::bandersnatch::encode_point;
use ring_proof::Prover;
use ring_proof::file::{Committed, MAX_MESSAGE, RingVerifier, Signed};
use ring_proof::vrf::{Secret, Signature};
use serde_json::json;

/// A member's tools: the ring as it is, and its prover.
pub struct Signer<'a> {
    ring: &'a Opened,
    prover: Prover,
    verifier: RingVerifier,
}

impl<'a> Signer<'a> {
    /// For any member of the ring.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(ring: &'a Opened) -> Result<Self, Failure> {
        let prover = Prover::new(&ring.setup, &ring.ring).map_err(refused)?;
        Ok(Self { ring, prover, verifier: ring.verifier()? })
    }

    /// The ring's commitment file.
    #[must_use]
    pub fn committed(&self) -> &Committed {
        self.verifier.committed()
    }

    /// Signs `context` and `message` as the member with this secret. The signature was verified.
    ///
    /// # Errors
    /// If it is no member's, or the system gives no random bytes.
    pub fn sign(&self, secret: &Secret, context: &[u8], message: &[u8]) -> Result<Signed, Failure> {
        let key = encode_point(secret.public());
        let slot = self.ring.slot_of(&key).ok_or_else(|| no_member(&units::hex(&key)))?;
        let suite = self.ring.params.suite.suite();
        let input = suite.input(context).map_err(|e| refused(e.into()))?;
        let signature =
            Signature::new(suite, (&self.prover, slot), secret, &input, message).map_err(refused)?;
        let signed = Signed {
            params: self.ring.params,
            ring: self.committed().digest(),
            context: context.to_vec(),
            message: message.to_vec(),
            signature: signature.encode(),
        };
        signed.verify(&self.verifier).map_err(invalid)?;
        Ok(signed)
    }
}

/// The command.
pub fn run(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    let message = message(&args.message)?.unwrap_or_default();
    if args.context.len() > MAX_MESSAGE {
        return Err(Failure::usage(
            "the context is longer than 64 KiB",
            "give a short one: it stands in the file",
        ));
    }
    let path = args.output.output.clone().unwrap_or_else(|| args.ring.with_extension("signature"));
    let output = common.files.result(Kind::Signature, &path)?;
    let key = read_secret_key(&args.key, common)?;
    let ring = Opened::open(&args.ring, &args.setup, common)?;
    if key.suite != ring.params.suite {
        let message = format!("a key of {}, and a ring of {}", key.suite.name(), ring.params.suite.name());
        return Err(Failure::usage(
            message,
            "keys are of one suite: make one of the ring's with `tenfold ring keygen --suite`",
        ));
    }
    let signer = Signer::new(&ring)?;
    warn_of_stale(&args.ring, signer.committed(), common);
    let signed = signer.sign(&key.secret, args.context.as_bytes(), &message)?;
    let bytes = signed.encode();
    output.write(&bytes)?;
    let tag = units::hex(&signed.signature[..32]);
    let committed = signer.committed();
    if common.json {
        let value = json!({ "file": path.display().to_string(), "bytes": bytes.len(), "tag": tag,
            "fingerprint": fingerprint(committed), "members": committed.members });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        note!(
            "{} in the context {}, as one of {}\n  tag {tag}: yours in this context, in every ring\n  {}, written to {}",
            Paint::stderr().green("signed:"),
            shown(&signed.context),
            size(committed),
            units::bytes(bytes.len() as u64),
            terminal::path(&path)
        );
    }
    Ok(Exit::Valid)
}
