//! The self-describing file that every commitment and every proof travels in. (notes: formats-proof)
//!
//! ```text
//! "TNFD" | version u16 | kind u8 | scheme u8 | parameters (sized) | parameter digest 32 | statement digest 32
//!        | body (sized) | end of file
//! ```
//! Integers are little-endian; "sized" is an eight-byte length and that many bytes. There is one encoding of a
//! file: reading refuses another version, unknown kinds, digests that do not fit and bytes after the end. A
//! length larger than the file is refused before anything is allocated.

mod header;

pub use header::Header;

use crate::claims::Claims;
use crate::codec::{Reader, Writer};
use crate::matrix::Commitment;
use crate::scheme::{Params as _, Pcs};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use field::Field;
use iop::hash::{Digest, Hash};
use iop::poly::{TensorForm, to_bytes};

const MAGIC: [u8; 4] = *b"TNFD";
/// The version this library writes and reads.
pub const VERSION: u16 = 1;

/// Why bytes are not a file of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The first four bytes.
    #[error("not a Tenfold file: it does not start with \"TNFD\"")]
    Magic,
    /// The version.
    #[error("file version {0}, this build reads version {VERSION}: use the release that wrote it")]
    Version(u16),
    /// A kind or scheme that is not known.
    #[error("unknown {0} in the file header")]
    Unknown(&'static str),
    /// The bytes end early or a length points beyond them.
    #[error("the file is cut short, or a length in it points beyond its end")]
    Short,
    /// There are bytes after the end.
    #[error("there are bytes after the end of the file's content")]
    Trailing,
    /// The file is longer than what its parameters can make of it.
    #[error("the file is longer than any with its parameters")]
    Long,
    /// An encoding that is not the canonical one.
    #[error("not in canonical form: the file's {0}")]
    Malformed(&'static str),
    /// A digest in the header is not that of the content.
    #[error("the {0} digest in the header is not that of the file's content")]
    Digest(&'static str),
    /// A file of ours of another kind than the one that is asked for.
    #[error("this file is of another kind: it is no {0}")]
    OtherKind(&'static str),
    /// A file of ours that is read elsewhere.
    #[error("{0}, which this verifier does not judge")]
    Elsewhere(&'static str),
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A commitment and the description of what was committed.
    Commitment = 0,
    /// A commitment, claims about it and their proof.
    Opening = 1,
    /// A commitment, a weighted sum of what it holds and its proof; the weights are no part of it.
    Weighted = 2,
    /// The members of a ring, and its commitment.
    Members = 3,
    /// A public key.
    Key = 4,
    /// A commitment, the inner product of two columns that it holds and its proof.
    Product = 5,
}

/// Which scheme a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeId {
    /// PIP_FRI.
    Pip = 0,
    /// DeepFold.
    DeepFold = 1,
    /// Ligerito.
    Ligerito = 2,
    /// Ring signatures, over a setup that the verifier brings along. This crate knows no more of them than their files' header.
    Ring = 3,
    /// Air-FRI.
    Air = 4,
    /// Virgo and DeVirgo, which measurements alone have: no file names them.
    Virgo = 5,
}

impl SchemeId {
    /// The name in tables, on the command line and in labels of transcripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pip => "pip",
            Self::DeepFold => "deepfold",
            Self::Ligerito => "ligerito",
            Self::Ring => "ring",
            Self::Air => "air",
            Self::Virgo => "virgo",
        }
    }

    /// Whether its files are about bytes, entries of binary fields; else about numbers.
    pub const fn is_of_bytes(self) -> bool {
        matches!(self, Self::Ligerito | Self::Air)
    }
}

/// The container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File<'a> {
    /// What it holds.
    pub kind: Kind,
    /// The scheme.
    pub scheme: SchemeId,
    /// The scheme's encoded parameters.
    pub params: Vec<u8>,
    /// The head of the digest of the parameters, the start of every transcript.
    pub params_digest: [u8; 32],
    /// The head of the digest of what is stated.
    pub statement: [u8; 32],
    /// The scheme's content.
    pub body: Cow<'a, [u8]>,
}

impl File<'static> {
    /// The file of an opening of a scheme.
    pub fn from_opening<S: Pcs>(
        scheme: &S,
        commitment: &Commitment<S::Challenge>,
        claims: Claims<S::Challenge>,
        proof: Vec<u8>,
    ) -> Self {
        let (params, commitment) = (scheme.params(), commitment.to_bytes());
        Self {
            kind: Kind::Opening,
            scheme: params.scheme(),
            params: params.encode(),
            params_digest: params.digest().head(),
            statement: claims.digest(params.summary().hash, &commitment).head(),
            body: Opening { commitment, claims, proof: proof.into() }.encode().into(),
        }
    }
}

impl<'a> File<'a> {
    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let Self { kind, scheme, params, params_digest, statement, body } = self;
        let mut w = Writer::new();
        w.bytes(&MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.u8(*kind as u8);
        w.u8(*scheme as u8);
        w.sized(params);
        w.bytes(params_digest);
        w.bytes(statement);
        w.sized(body);
        w.finish()
    }

    /// Reads a file, exactly. The body is not copied.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let Header { kind, scheme, params, params_digest, statement, body } = Header::read(&mut r)?;
        let length = usize::try_from(body).map_err(|_| FileError::Short)?;
        let body = r.bytes(length).ok_or(FileError::Short)?.into();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { kind, scheme, params, params_digest, statement, body })
    }

    /// The file with a body of its own.
    pub fn into_owned(self) -> File<'static> {
        let Self { kind, scheme, params, params_digest, statement, body } = self;
        File { kind, scheme, params, params_digest, statement, body: body.into_owned().into() }
    }

    /// The runs of bytes before the body, with their meaning.
    pub fn header_parts(&self) -> [(usize, &'static str); 8] {
        [
            (MAGIC.len(), "magic TNFD"),
            (2, "version"),
            (1, "kind"),
            (1, "scheme"),
            (8 + self.params.len(), "parameters with their length"),
            (32, "parameter digest"),
            (32, "statement digest"),
            (8, "length of the body"),
        ]
    }

    /// Refuses a header with other digests than those of the content.
    pub fn check_digests(&self, params: Digest, statement: Digest) -> Result<(), FileError> {
        if params.head() != self.params_digest {
            return Err(FileError::Digest("parameter"));
        }
        if statement.head() != self.statement {
            return Err(FileError::Digest("statement"));
        }
        Ok(())
    }

    /// The opening in the file, whose header must have the digests of its content.
    pub fn opening<E: Field>(&self, params: Digest, hash: Hash) -> Result<Opening<'_, E>, FileError> {
        let body = Opening::<E>::decode(&self.body)?;
        self.check_digests(params, body.claims.digest(hash, &body.commitment))?;
        Ok(body)
    }

    /// The content of a commitment file, whose header must have the digests of its content.
    pub fn committed(&self, params: Digest, hash: Hash) -> Result<Committed, FileError> {
        let body = Committed::decode(&self.body)?;
        self.check_digests(params, body.digest(hash))?;
        Ok(body)
    }
}

/// The body of a commitment file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// What was committed to, in the application's words; proofs begin their context with it.
    pub description: Vec<u8>,
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
}

impl Committed {
    /// The bytes of the body.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(&self.description);
        w.sized(&self.commitment);
        w.finish()
    }

    /// Reads a body, exactly.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let description = r.sized().ok_or(FileError::Short)?.to_vec();
        let commitment = r.sized().ok_or(FileError::Short)?.to_vec();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { description, commitment })
    }

    /// The statement digest of the file.
    pub fn digest(&self, hash: Hash) -> Digest {
        hash.digest("tenfold committed v1", &[&self.description, &self.commitment])
    }
}

/// The body of an opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening<'a, E> {
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// What is claimed.
    pub claims: Claims<E>,
    /// The proof.
    pub proof: Cow<'a, [u8]>,
}

impl<'a, E: Field> Opening<'a, E> {
    /// The bytes of the body.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(&self.commitment);
        w.sized(&self.claims.encode());
        w.sized(&self.proof);
        w.finish()
    }

    /// Reads a body, exactly. The proof is not copied.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let commitment = r.sized().ok_or(FileError::Short)?.to_vec();
        let claims = Claims::decode(r.sized().ok_or(FileError::Short)?)?;
        let proof = r.sized().ok_or(FileError::Short)?.into();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { commitment, claims, proof })
    }
}

impl<E: Field> Claims<E> {
    /// Counts, then factors of every form, values of every form, and the context.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        let count = |n: usize| u32::try_from(n).expect("fewer than 2^32 claims");
        w.u32(count(self.forms.len()));
        w.u32(count(self.forms.first().map_or(0, TensorForm::variables)));
        w.u32(count(self.values.first().map_or(0, Vec::len)));
        self.forms.iter().for_each(|form| w.bytes(&form.to_bytes()));
        self.values.iter().for_each(|values| w.bytes(&to_bytes(values)));
        w.sized(&self.context);
        w.finish()
    }

    /// Reads what [`Claims::encode`] writes, exactly.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        let mut r = Reader::new(bytes);
        let mut count = || r.u32().and_then(|n| usize::try_from(n).ok()).ok_or(FileError::Short);
        let (forms, variables, polynomials) = (count()?, count()?, count()?);
        // Counts of nothing would have many encodings, and could be large without a byte behind them.
        if forms == 0 || polynomials == 0 {
            return Err(FileError::Malformed("list of claims"));
        }
        let needed = variables.saturating_mul(2).saturating_add(polynomials).saturating_mul(E::BYTES);
        if needed.saturating_mul(forms) > r.remaining() {
            return Err(FileError::Short);
        }
        let forms_read = (0..forms).map(|_| {
            let factors = elements::<E>(&mut r, variables.saturating_mul(2))?;
            Ok(TensorForm::new(factors.as_chunks().0.to_vec()))
        });
        let forms_read = forms_read.collect::<Result<Vec<_>, FileError>>()?;
        let values = (0..forms).map(|_| elements::<E>(&mut r, polynomials)).collect::<Result<_, _>>()?;
        let context = r.sized().ok_or(FileError::Short)?.to_vec();
        r.finish().ok_or(FileError::Trailing)?;
        Ok(Self { forms: forms_read, values, context })
    }
}

fn elements<E: Field>(r: &mut Reader<'_>, count: usize) -> Result<Vec<E>, FileError> {
    let bytes = r.bytes(count.saturating_mul(E::BYTES)).ok_or(FileError::Short)?;
    let read = bytes.chunks_exact(E::BYTES).map(E::from_bytes).collect::<Option<_>>();
    read.ok_or(FileError::Malformed("field element"))
}

#[cfg(test)]
mod tests;
