//! Kinds of files, by their first bytes: those that tenfold writes tell themselves from all others.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pcs::file::{Header, Kind as Content, SchemeId};
use pcs::matrix::Params;

/// Kinds of files that the command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A commitment to data.
    Commitment,
    /// A commitment that hides: nobody can make it again.
    HidingCommitment,
    /// The proof of a value.
    Proof,
    /// A proof that used up an opening of a hiding commitment: nobody can make it again.
    HidingProof,
    /// The secret of a hiding commitment.
    HidingSecret,
    /// A witness: it opens a commitment without its data, which it holds.
    Witness,
    /// The members of a ring.
    Ring,
    /// The commitment of a ring.
    RingCommitment,
    /// A ring signature.
    Signature,
    /// A member's public key.
    PublicKey,
    /// A member's secret key.
    SecretKey,
    /// A block, a transaction or a state of a key ceremony of a ledger.
    Ledger,
    /// Parameters, as JSON.
    Params,
    /// Tables of a setup.
    Tables,
    /// Public weights that the tour makes up, as CSV.
    Weights,
    /// A report that names a rank of a cluster, as JSON.
    BlameReport,
    /// An HTML page.
    Page,
    /// Results of `tenfold bench`, as JSON.
    Measurements,
}

/// The first line of weights that the tour makes up.
pub const TOUR_WEIGHTS: &str = "tour_recency\n";

/// The first bytes of a ledger's blocks, transactions, geneses and ceremonies.
const LEDGER: [&[u8]; 4] = [b"TNFBLK", b"TNFTXN", b"TNFGEN", b"tenfold g16 "];

/// Bytes that are looked at: headers with parameters, or a page with its style.
const HEAD: u64 = 1 << 16;

impl Kind {
    /// The kind of an existing file, if tenfold writes such files.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn found(path: &Path) -> io::Result<Option<Self>> {
        let mut head = zeroize::Zeroizing::new(Vec::new());
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(Self::of(&head))
    }

    /// The kind of a file that begins so.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        let holds = |text: &str| head.windows(text.len()).any(|window| window == text.as_bytes());
        if head.starts_with(b"TNFD") {
            Self::of_header(&Header::decode(head).ok()?)
        } else if head.starts_with(b"TNFS") {
            Some(Self::HidingSecret)
        } else if head.starts_with(b"TNFW") {
            Some(Self::Witness)
        } else if head.starts_with(b"TNFK") {
            Some(Self::SecretKey)
        } else if LEDGER.iter().any(|magic| head.starts_with(magic)) {
            Some(Self::Ledger)
        } else if head.starts_with(b"tenfold ring ") {
            Some(Self::Tables)
        } else if head.starts_with(b"{") && holds("\"tenfold parameters v1\"") {
            Some(Self::Params)
        } else if head.starts_with(b"{") && holds("\"tenfold cluster blame report v1\"") {
            Some(Self::BlameReport)
        } else if head.starts_with(b"{") && holds("\"command\": \"tenfold bench") {
            Some(Self::Measurements)
        } else if head.starts_with(TOUR_WEIGHTS.as_bytes()) {
            Some(Self::Weights)
        } else if head.starts_with(b"<!DOCTYPE html>") && holds("<p class=\"brand\">tenfold ") {
            Some(Self::Page)
        } else {
            None
        }
    }

    /// The kind of a file with this header: kind, scheme, and the parameters, which say whether it hides.
    #[must_use]
    pub fn of_header(header: &Header) -> Option<Self> {
        let (kind, scheme) = (header.kind, header.scheme);
        if scheme == SchemeId::Ring {
            return match kind {
                Content::Commitment => Some(Self::RingCommitment),
                Content::Opening => Some(Self::Signature),
                Content::Members => Some(Self::Ring),
                Content::Key => Some(Self::PublicKey),
                Content::Weighted | Content::Product => None,
            };
        }
        let hides = Params::decode(scheme, &header.params)?.hidden_openings > 0;
        match kind {
            Content::Commitment => Some(if hides { Self::HidingCommitment } else { Self::Commitment }),
            Content::Opening | Content::Weighted | Content::Product => {
                Some(if hides { Self::HidingProof } else { Self::Proof })
            }
            Content::Members | Content::Key => None,
        }
    }

    /// Returns true for a file that is never replaced: whoever loses it loses what only it can do.
    #[must_use]
    pub fn is_secret(self) -> bool {
        matches!(self, Self::HidingSecret | Self::SecretKey)
    }

    /// Returns true if such a file may replace another, unasked. A hiding one cannot be made again, and stays.
    pub(super) fn replaces(self, found: Self) -> bool {
        match found {
            Self::HidingCommitment | Self::HidingProof => false,
            Self::Commitment => matches!(self, Self::Commitment | Self::HidingCommitment),
            found => self == found,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Commitment => "a commitment",
            Self::HidingCommitment => "a commitment that hides",
            Self::Proof => "a proof",
            Self::HidingProof => "a proof of a hiding commitment",
            Self::HidingSecret => "the secret of a hiding commitment",
            Self::Witness => "a witness",
            Self::Ring => "a ring",
            Self::RingCommitment => "the commitment of a ring",
            Self::Signature => "a ring signature",
            Self::PublicKey => "a public key",
            Self::SecretKey => "a secret key",
            Self::Ledger => "a file of a ledger",
            Self::Params => "a parameter file",
            Self::Tables => "the tables of a setup",
            Self::Weights => "weights of the tour",
            Self::BlameReport => "a blame report",
            Self::Page => "a page",
            Self::Measurements => "results of a benchmark",
        }
    }

    /// The ids of the options that name such an output, where a command has an option for it alone.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self {
            Self::Commitment | Self::HidingCommitment | Self::RingCommitment => &["commitment_output"],
            Self::HidingSecret => &["secret_output"],
            Self::Witness => &["witness_output"],
            Self::Tables => &["tables_output"],
            Self::BlameReport => &["report_output"],
            Self::Page => &["page_output"],
            _ => &[],
        }
    }

    /// Says what may be lost with an older file of this kind.
    pub(super) fn loses(self) -> Option<&'static str> {
        match self {
            Self::HidingSecret => Some(
                "it may be all that can open a commitment (an interrupted `commit` leaves one without a commitment, which you may remove): ",
            ),
            Self::SecretKey | Self::PublicKey => Some("it may be a key that is in use: "),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcs::file;

    #[test]
    fn kinds_of_ours() {
        let of = |kind, scheme| {
            let file = file::File {
                kind,
                scheme,
                params: Vec::new(),
                params_digest: [0; 32],
                statement: [0; 32],
                body: Vec::new().into(),
            };
            Kind::of(&file.encode())
        };
        assert_eq!(of(Content::Members, SchemeId::Ring), Some(Kind::Ring));
        assert_eq!(of(Content::Commitment, SchemeId::Ring), Some(Kind::RingCommitment));
        assert_eq!(of(Content::Opening, SchemeId::Ring), Some(Kind::Signature));
        assert_eq!(of(Content::Key, SchemeId::Ring), Some(Kind::PublicKey));
        assert_eq!(of(Content::Weighted, SchemeId::Ring), None);
        assert_eq!(of(Content::Commitment, SchemeId::Pip), None, "parameters that are none");
    }

    #[test]
    fn kinds_by_their_beginning() {
        assert_eq!(Kind::of(b"TNFK\x01"), Some(Kind::SecretKey));
        assert_eq!(Kind::of(b"TNFS"), Some(Kind::HidingSecret));
        assert_eq!(Kind::of(b"TNFW"), Some(Kind::Witness));
        assert_eq!(Kind::of(b"TNFBLK\x01\0"), Some(Kind::Ledger));
        assert_eq!(Kind::of(b"tenfold g16 p1 1"), Some(Kind::Ledger));
        let blame = b"{\n  \"format\": \"tenfold cluster blame report v1\",\n";
        assert_eq!(Kind::of(blame), Some(Kind::BlameReport));
        assert_eq!(Kind::of(b"tour_recency\n1\n"), Some(Kind::Weights));
        assert_eq!(Kind::of(b"{\n  \"format\": \"tenfold parameters v1\"}"), Some(Kind::Params));
        let results = b"{\n  \"machine\": {},\n  \"command\": \"tenfold bench ring\"}";
        assert_eq!(Kind::of(results), Some(Kind::Measurements));
        for none in
            [&b""[..], b"price\n1\n", b"{}", b"<!DOCTYPE html><p>mine</p>", b"TNFD", b"TNFD\x02\0\0\x03"]
        {
            assert_eq!(Kind::of(none), None);
        }
        let page = crate::page::comparison_page(&[], &crate::page::Meta::default());
        assert_eq!(Kind::of(page.as_bytes()), Some(Kind::Page));
        assert!(page.find("class=\"brand\"").unwrap() < HEAD as usize / 2);
    }
}
