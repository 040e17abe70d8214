//! Suites that a user defines.
//!
//! ```text
//!   identifier   1 to 128 letters, digits, '-', '_' and '.', none of this library's
//!   blinding     hash_to_curve("pedersen-blinding")
//!   seed         hash_to_curve("ring-accumulator")
//!   padding      hash_to_curve("ring-padding")
//! ```
//! (notes: ring-own-suite)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point};
use curve::jubjub::Jubjub;

use super::suite::{Hashes, Kind};
use super::{Form, HashToCurve, Suite, SuiteName};
use crate::{Bases, Error};

/// The hash that challenges and nonces of a suite are made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChallengeHash {
    /// SHA-512, with a counter where more than 64 bytes are asked for.
    Sha512,
    /// SHAKE128.
    Shake128,
}

/// What a suite is made of, besides its identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteParams<C: Embedded = Bandersnatch> {
    /// The hash of challenges and nonces, and of hashes to the curve.
    pub hash: ChallengeHash,
    /// How messages become inputs.
    pub to_curve: HashToCurve<C>,
    /// How points are written, and hashed.
    pub form: Form<C>,
    /// `H`, the base of the blinding. `None`: derived, so that nobody knows a relation to other points. Whoever knows one forges signatures.
    pub blinding: Option<Point<C>>,
    /// Where the sum of a ring proof begins. `None`: derived. Whoever knows a relation to other points makes ring proofs for keys that are no member's.
    pub seed: Option<Point<C>>,
    /// What empty slots of a ring hold. `None`: derived. Whoever knows its secret, or a relation to `G` and `H`, is a member of every ring that is not full.
    pub padding: Option<Point<C>>,
}

impl SuiteParams {
    /// SHA-512, Elligator 2, Edwards form, derived points.
    pub const BANDERSNATCH: Self = Self {
        hash: ChallengeHash::Sha512,
        to_curve: HashToCurve::ELLIGATOR2,
        form: Form::EDWARDS,
        blinding: None,
        seed: None,
        padding: None,
    };
}

impl SuiteParams<Jubjub> {
    /// SHA-512, try and increment, Edwards form, derived points.
    pub const JUBJUB: Self = Self {
        hash: ChallengeHash::Sha512,
        to_curve: HashToCurve::TRY_AND_INCREMENT,
        form: Form::EDWARDS,
        blinding: None,
        seed: None,
        padding: None,
    };
}

impl<C: Embedded> Suite<C> {
    /// The longest identifier.
    const MAX_IDENTIFIER: usize = 128;

    /// Defines a suite of the caller's own, whose keys may be those of other suites and whose signatures and proofs are nothing to them.
    ///
    /// The identifier names the suite in all that is hashed. It should say what the suite is for, and a version: **whoever defines another suite by the same identifier gets
    /// the same hashes**, and signatures that differ in points alone. **Never sign under one identifier with two bases of the blinding**: the blinding is the same, and the
    /// two blinded keys show the signer. Points that are not given are hashes to the curve, of `pedersen-blinding`, `ring-accumulator` and `ring-padding`, as in the suites
    /// of this library; ark-vrf 0.6.1 makes the same bytes with this identifier as its `SUITE_ID`, and the same points and hashes. The [`file`](crate::file)s of this crate know the suites of this library alone.
    ///
    /// ```
    /// use ring_proof::vrf::{ChallengeHash, Secret, Suite, SuiteParams, Thin};
    ///
    /// let params = SuiteParams { hash: ChallengeHash::Shake128, ..SuiteParams::BANDERSNATCH };
    /// let suite = Suite::define("Club-Votes-v1", &params)?;
    ///
    /// let secret = Secret::generate(&suite)?;
    /// let pair = secret.pair(&suite.input(b"vote 7")?);
    /// let proof = Thin::prove(&suite, &secret, &[pair], b"yes")?;
    /// proof.verify(&suite, &secret.key(), &[pair], b"yes")?;
    /// assert!(proof.verify(Suite::shake128(), &secret.key(), &[pair], b"yes").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the identifier is empty, longer than 128 bytes, one of this library's, or has other bytes than letters, digits, `-`, `_` and `.` of ASCII; or if a point is the generator or
    /// its opposite, or refused by [`Bases::new`]: off the curve, outside of the subgroup, the identity, two of them the same or opposites, or one without a sum with the seed.
    pub fn define(identifier: &str, params: &SuiteParams<C>) -> Result<Self, Error> {
        check_identifier(identifier)?;
        let kind = match params.hash {
            ChallengeHash::Sha512 => Kind::Sha512,
            ChallengeHash::Shake128 => Kind::Shake128,
        };
        Self::derive(identifier, Hashes { kind, to_curve: params.to_curve }, params)
    }

    /// The suite of an identifier that was checked.
    pub(super) fn derive(
        identifier: &str,
        hashes: Hashes<C>,
        params: &SuiteParams<C>,
    ) -> Result<Self, Error> {
        let SuiteParams { form, blinding, seed, padding, .. } = params;
        let point = |given: &Option<Point<C>>, message: &[u8]| {
            given.unwrap_or_else(|| hashes.point(identifier.as_bytes(), form, message))
        };
        let blinding = point(blinding, b"pedersen-blinding");
        let seed = point(seed, b"ring-accumulator");
        let padding = point(padding, b"ring-padding");
        let generator = Point::<C>::generator();
        if [blinding, seed, padding].iter().any(|p| *p == generator || *p == -generator) {
            return Err(Error::Bases("a point is the generator or its opposite"));
        }
        let bases = Bases::new(identifier.as_bytes().to_vec(), blinding, seed, padding)?;
        Ok(Self::from_parts(None, hashes, *form, bases))
    }
}

fn check_identifier(identifier: &str) -> Result<(), Error> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if identifier.is_empty() || identifier.len() > Suite::<Bandersnatch>::MAX_IDENTIFIER {
        return Err(Error::Identifier("1 to 128 bytes are expected"));
    }
    if !identifier.bytes().all(known) {
        return Err(Error::Identifier("letters, digits, '-', '_' and '.' are expected, and nothing else"));
    }
    if identifier.parse::<SuiteName>().is_ok() {
        return Err(Error::Identifier("a suite of this library has it: choose another one"));
    }
    Ok(())
}
