//! Witnesses that are kept, and opened later without the data.

use super::{Room, Witness};
use crate::any::{AnyScheme, AnyWitness, Kept};
use crate::device::Device;
use crate::error::Error;
use crate::file::{CommitmentFile, WitnessFile};
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::security::Policy;

impl Witness {
    /// The bytes of a witness file, by which the commitment is opened later without the data ([`Witness::from_bytes`]): entries and tree. None of a table, and of a hiding
    /// commitment, which is opened with its secret. Whoever has these bytes has the data.
    ///
    /// ```
    /// use tenfold::{Claim, CommitmentFile, Dataset, Options, Policy, Witness};
    ///
    /// let (commitment, witness) = tenfold::commit(&Dataset::from_u64s((0..500).collect()), &Options::proven_bits(128))?;
    /// let (published, kept) = (commitment.to_bytes(), witness.to_bytes().expect("it does not hide"));
    /// // Another process, later: the two files, and no data.
    /// let commitment = CommitmentFile::from_bytes(&published)?;
    /// let mut witness = Witness::from_bytes(&kept, &commitment, &Policy::at_least(128))?;
    /// let proof = witness.open(&[Claim::Row(7)])?;
    /// # Ok::<(), tenfold::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let file = WitnessFile::new(self.kept()?);
        Some(file.into_bytes(&self.commitment.to_bytes()))
    }

    /// The witness in a file's bytes, of a commitment whose parameters the policy accepts.
    ///
    /// # Errors
    /// If the policy refuses the parameters, or the bytes are not, byte for byte, the witness of this commitment.
    pub fn from_bytes(
        bytes: &[u8],
        commitment: &CommitmentFile,
        policy: &crate::Policy<'_>,
    ) -> Result<Self, Error> {
        let policy = policy.security();
        let scheme = commitment.params.clone().build(policy).map_err(Error::Params)?;
        let of = commitment.to_bytes();
        let witness = WitnessFile::read(bytes, Some(bytes.len() as u64), &of, &scheme.prover());
        let witness = witness.map_err(|error| Error::Witness(error.to_string()))?;
        Self::restore(scheme, commitment.clone(), witness, policy)
    }

    /// Entries and tree, of which [`Witness::to_bytes`] makes a file.
    #[must_use]
    pub fn kept(&self) -> Option<Kept> {
        self.scheme.prover().kept(&self.witness)
    }

    /// The witness that was kept of a commitment.
    ///
    /// # Errors
    /// If scheme or witness are of another commitment, or it hides: then it is opened with its secret, by [`Witness::from_entries`].
    pub fn restore(
        scheme: AnyScheme,
        commitment: CommitmentFile,
        witness: AnyWitness,
        policy: &Policy,
    ) -> Result<Self, Error> {
        if scheme.digest() != commitment.params.digest() || witness.commitment() != commitment.commitment {
            return Err(Error::OtherData);
        }
        // Parameters that differ in what no commitment shows, such as their queries, have the same root.
        if !witness.is_of(&scheme) {
            return Err(Error::OtherParams("the witness was made by other parameters".into()));
        }
        if scheme.summary().hidden_openings > 0 {
            return Err(Error::OtherParams("a hiding commitment is opened with its secret".into()));
        }
        let (device, policy, room) = (Device::default(), *policy, Room::default());
        let (wrong, left, stored, sums) = (false, None, false, None);
        Ok(Self { device, scheme, policy, commitment, witness, wrong, left, stored, sums, room })
    }
}
