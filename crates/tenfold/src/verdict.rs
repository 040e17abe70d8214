//! The verdict on a proof file, in the terms of the data.
//!
//! ```text
//!  bytes of a proof, Policy ─► verify::verify ─► about the right commitment? ─► claims with their values
//! ```
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

mod claimed;
mod claims;
mod expected;
mod same;
mod weighing;

pub use claimed::Claimed;
pub use claims::{Value, VerifiedClaim};
pub use expected::{Expected, NoExpected};

use crate::dataset::Dataset;
use crate::error::Error;
use crate::file::CommitmentFile;
use crate::params::AnyParams;
use crate::statement::Description;
use crate::verify::{self, About, Limits, Proven, Refused, Verified, Weights};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use iop::security::{Regime, Regimes, Report, Theorems};
use pcs::file::{File, FileError, Kind};

/// Terms on which a verifier accepts a proof.
///
/// One of [`Policy::about`], [`Policy::fingerprint`] and [`Policy::self_contained`] must be chosen: a proof alone may be about
/// invented data.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    limits: Limits,
    /// The right commitment.
    commitment: Named,
    weights: Given<'a>,
}

/// The weights that a verifier is given.
#[derive(Clone, Copy, Debug)]
enum Given<'a> {
    Nothing,
    Data(&'a Dataset),
    /// Elements of the data's field in canonical bytes end to end, with their decimals, or the bytes of a file.
    Canonical {
        bytes: &'a [u8],
        scale: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// Nothing was chosen yet.
    Unsaid,
    /// Any commitment is accepted.
    Any,
    /// The commitment with this fingerprint.
    Fingerprint([u8; 32]),
    /// Two fingerprints were chosen, which no commitment has.
    Contradiction,
}

impl<'a> Policy<'a> {
    /// Accepts parameters that prove so many bits by the default theorems, in any regime, and spends 1 GiB on weights.
    #[must_use]
    pub fn at_least(bits: u32) -> Self {
        Self::from_limits(Limits::new(bits))
    }

    /// The policy with these limits.
    #[must_use]
    pub fn from_limits(limits: Limits) -> Self {
        Self { limits, commitment: Named::Unsaid, weights: Given::Nothing }
    }

    /// Accepts proofs about this commitment alone.
    #[must_use]
    pub fn about(self, commitment: &CommitmentFile) -> Self {
        self.fingerprint(commitment.fingerprint())
    }

    /// Accepts proofs about the commitment with this [`CommitmentFile::fingerprint`] alone. With two different ones no proof is accepted.
    #[must_use]
    pub fn fingerprint(self, fingerprint: [u8; 32]) -> Self {
        let commitment = match self.commitment {
            Named::Unsaid | Named::Any => Named::Fingerprint(fingerprint),
            Named::Fingerprint(other) if other == fingerprint => Named::Fingerprint(other),
            Named::Fingerprint(_) | Named::Contradiction => Named::Contradiction,
        };
        Self { commitment, ..self }
    }

    /// Accepts proofs about any commitment, unless one is named too: whether the data are the right ones is for the caller to find out.
    #[must_use]
    pub fn self_contained(self) -> Self {
        let commitment = if self.commitment == Named::Unsaid { Named::Any } else { self.commitment };
        Self { commitment, ..self }
    }

    /// The terms on which parameters are accepted.
    #[cfg(feature = "prover")]
    pub(crate) fn security(&self) -> &iop::security::Policy {
        &self.limits.policy
    }

    /// Verifies a weighted sum with these weights, which are not in its proof.
    #[must_use]
    pub fn weights(self, weights: &'a Dataset) -> Self {
        Self { weights: Given::Data(weights), ..self }
    }

    /// Verifies a weighted sum with the weights of these bytes: of a column each weight as an element of the data's field in canonical bytes, end to
    /// end, of which `scale` digits are decimals: a proof by weights with another number of decimals is refused, because they move the point of its sum. Of
    /// a file the bytes are as they are, and have none: `scale` is 0.
    #[must_use]
    pub fn canonical_weights(self, bytes: &'a [u8], scale: u32) -> Self {
        Self { weights: Given::Canonical { bytes, scale }, ..self }
    }

    /// Counts proven bits with these theorems.
    #[must_use]
    pub fn theorems(mut self, theorems: Theorems) -> Self {
        self.limits.policy.theorems = theorems;
        self
    }

    /// Accepts these decoding regimes alone.
    #[must_use]
    pub fn regimes(mut self, regimes: Regimes) -> Self {
        self.limits.policy.regimes = regimes;
        self
    }

    /// Accepts parameters that prove so many bits without proof of work.
    #[must_use]
    pub fn interactive_bits(mut self, bits: u32) -> Self {
        self.limits.policy.interactive_bits = bits;
        self
    }

    /// Spends so many bytes on weights when they are unpacked.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.max_memory = bytes;
        self
    }
}

/// What a proof proves.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The claims in the order of the proof, of a table column by column; a mean follows its sum. The prover chose them: the value of the claim that is needed is that of
    /// [`Verdict::value_of`].
    pub claims: Vec<VerifiedClaim>,
    /// The commitment that the proof is about: compared with the policy's, unless that says [`Policy::self_contained`].
    pub commitment: CommitmentFile,
    /// Tells whether the commitment was compared with one that the policy names.
    pub compared: bool,
    /// The proof's statement in canonical bytes.
    pub proven: Proven,
}

impl Verdict {
    /// The proven security, term by term.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.proven.report
    }

    /// What the verdict rests on beside the verifier's arithmetic, a sentence each.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let bits = self.report().digest_bits;
        let mut assumptions = vec![
            format!("the hash is a random oracle with digests of {bits} bits; T hashes gain at most 3(T^2+1)/2^{bits} by collisions, on top of the proven bits"),
            "proven bits count proof of work; against unlimited computing power, in the interactive protocol, the interactive bits hold".to_owned(),
            "name, length, decimals and source of the data are the committer's word; nothing proves what lies beyond that length".to_owned(),
        ];
        if self.report().regime != Regime::UniqueDecoding {
            let sources: Vec<&str> = self.report().theorems.iter().map(|theorem| theorem.source()).collect();
            assumptions.push(format!("each of these theorems on lines alone: {}", sources.join("; ")));
        }
        assumptions
    }

    /// Each claim with the name of the column that it is about, and the modulus of its value, or of the sum that a mean is made of: a mean is behind its
    /// sum. No name of bytes, nor of an inner product, which names two.
    pub fn readings(&self) -> impl Iterator<Item = (&VerifiedClaim, Option<&str>, Option<String>)> {
        let single = match &self.commitment.description {
            Description::Column(column) => Some(column.name.as_str()),
            Description::Table(_) | Description::Bytes(_) => None,
        };
        let mut sum = None;
        self.claims.iter().map(move |claim| {
            let single = single.filter(|_| !matches!(claim.claimed, Claimed::Product(..)));
            let modulus = if let Value::Ratio(_) = claim.value { sum.take() } else { claim.value.modulus() };
            sum.clone_from(&modulus);
            (claim, claim.claimed.split().0.or(single), modulus)
        })
    }

    /// Refuses another commitment.
    ///
    /// # Errors
    /// If the proof is about a commitment with another fingerprint.
    pub fn check_fingerprint(&self, fingerprint: &[u8; 32]) -> Result<(), Error> {
        let found = self.commitment.fingerprint();
        if found == *fingerprint { Ok(()) } else { Err(Error::OtherCommitment { found }) }
    }

    fn from_verified(verified: Verified, weights: Given<'_>) -> Result<Self, Error> {
        let Verified { proven, about, readings } = &verified;
        let params = AnyParams::decode(proven.scheme, &proven.params);
        let params = params.ok_or(Refused::File(FileError::Malformed("parameters")))?;
        check_scale(weights, about)?;
        let of_product = matches!(readings[..], [verify::Reading::Product { .. }]);
        let claims = match about {
            _ if of_product => claims::of_product(readings, (about, proven))?,
            About::Column(context) => claims::of_column(readings, (context, proven), weights)?,
            About::Table(context) => claims::of_table(verified.columns(), (context, proven), weights)?,
            About::Bytes(bytes) => claims::of_bytes(readings, (bytes, &params, proven), weights)?,
        };
        let Verified { proven, about, .. } = verified;
        let description = match about {
            About::Column(context) => Description::Column(context.column),
            About::Table(context) => Description::Table(context.table),
            About::Bytes(bytes) => Description::Bytes(bytes),
        };
        let commitment = CommitmentFile { params, description, commitment: proven.commitment.clone() };
        Ok(Self { claims, commitment, compared: false, proven })
    }
}

/// Verifies the bytes of a proof file: parameters against the policy, the proof, and that it is about the right commitment.
///
/// # Errors
/// If anything is wrong, or the policy does not say which commitment the proof must be about.
pub fn verify(proof: &[u8], policy: &Policy<'_>) -> Result<Verdict, Error> {
    match policy.commitment {
        Named::Unsaid => return Err(Error::NothingExpected),
        Named::Contradiction => return Err(Error::TwoCommitments),
        Named::Any | Named::Fingerprint(_) => {}
    }
    let file = File::decode(proof).map_err(Refused::File)?;
    if file.kind == Kind::Commitment {
        return Err(Error::NoProof);
    }
    check_kind(&file, policy.weights)?;
    let judge = |weights: Option<Weights<'_>>| verify::verify(&file, weights, &policy.limits);
    let verified = match policy.weights {
        Given::Nothing => judge(None),
        Given::Data(data) => data.with_weights(|weights| judge(Some(weights))),
        Given::Canonical { bytes, .. } => judge(Some(Weights::Bytes(bytes))),
    };
    let verified = verified.map_err(|refused| match refused {
        Refused::MissingWeights => Error::NoWeights,
        other => other.into(),
    });
    let verdict = Verdict::from_verified(verified?, policy.weights)?;
    match policy.commitment {
        Named::Any => Ok(verdict),
        Named::Fingerprint(fingerprint) => {
            verdict.check_fingerprint(&fingerprint)?;
            Ok(Verdict { compared: true, ..verdict })
        }
        // Refused above; were it not, no proof would be accepted.
        Named::Unsaid | Named::Contradiction => {
            Err(Error::OtherCommitment { found: verdict.commitment.fingerprint() })
        }
    }
}

/// Refuses weights in canonical bytes with another number of decimals than the proof states of them.
fn check_scale(weights: Given<'_>, about: &About) -> Result<(), Refused> {
    let stated = match about {
        About::Column(context) => context.weights_scale,
        About::Table(context) => context.weights_scale,
        About::Bytes(_) => Some(0),
    };
    match (weights, stated) {
        (Given::Canonical { scale, .. }, Some(stated)) if scale != stated => {
            Err(Refused::WeightsScale { given: scale, stated })
        }
        _ => Ok(()),
    }
}

/// Refuses weights that are none of the kind of data that a proof is about. A proof without weights refuses them all, later.
fn check_kind(file: &File<'_>, weights: Given<'_>) -> Result<(), Error> {
    match (weights, file.scheme.is_of_bytes()) {
        (Given::Data(Dataset::Table(_)), _) => Err(Error::WeightsKind("a column are numbers")),
        _ if file.kind != Kind::Weighted => Ok(()),
        (Given::Data(Dataset::Bytes(_)), false) => Err(Error::WeightsKind("a column are numbers")),
        (Given::Data(Dataset::Column(_)), true) => Err(Error::WeightsKind("bytes are bytes")),
        _ => Ok(()),
    }
}
