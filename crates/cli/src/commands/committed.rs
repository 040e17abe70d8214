//! The commitment file.

use super::subject::Subject;
use crate::exit::Failure;
use crate::units;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use pcs::pip::Params;

/// Everything a commitment file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The parameters, not yet held against a policy.
    pub params: Params,
    /// What was committed to.
    pub subject: Subject,
    /// The scheme's commitment.
    pub commitment: Vec<u8>,
}

impl Committed {
    /// The BLAKE3 digest of the file's bytes, in hexadecimal: what two people compare. The root would not do, since the
    /// name, the number of rows and the scale stand beside it, and a narrow matrix has the root of one with more columns of
    /// zeros.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        units::hex(blake3::hash(&self.encode()).as_bytes())
    }

    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut body = Writer::new();
        body.sized(&self.subject.encode());
        body.sized(&self.commitment);
        let statement =
            self.params.hash.digest("tenfold committed v1", &[&self.subject.encode(), &self.commitment]);
        let file = File {
            kind: Kind::Commitment,
            scheme: SchemeId::Pip,
            params: self.params.encode(),
            params_digest: self.params.digest(),
            statement,
            body: body.finish(),
        };
        file.encode()
    }

    /// Reads a commitment file, exactly.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let bad = |what: &str| Failure::usage(what, "make it again with `tenfold commit`");
        let file = File::decode(bytes).map_err(|e| bad(&e.to_string()))?;
        if file.kind != Kind::Commitment || file.scheme != SchemeId::Pip {
            return Err(bad("this file is no commitment"));
        }
        let params =
            Params::decode(&file.params).ok_or_else(|| bad("the file's parameters are malformed"))?;
        let mut r = Reader::new(&file.body);
        let read = (|| {
            let subject = Subject::decode(r.sized()?)?;
            let commitment = r.sized()?.to_vec();
            r.finish()?;
            Some((subject, commitment))
        })();
        let (subject, commitment) = read.ok_or_else(|| bad("the file's content is malformed"))?;
        let committed = Self { params, subject, commitment };
        if committed.encode() != bytes {
            return Err(bad("the digests in the file's header do not match its content"));
        }
        Ok(committed)
    }
}
