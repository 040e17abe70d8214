//! A prepared setup as bytes, so that its tables are built once.
//!
//! ```text
//!   "tenfold ring 1  "   domain (8)   BLAKE3 of the setup's file (32)   lengths of two tables (2 x 8)   their digests (2 x 32)
//!   L_0 .. L_(N-1), S_0 .. S_(K+1) (96 each)   BLAKE3 of all before (32)
//!   table of the powers, table of the rows: see curve::msm
//! ```
//! The domain is the number of rows, and 2^32 for each bit that a scalar has less than Bandersnatch's. Every byte is under a digest, and the powers of the table are compared with the setup's own. That tells damage, and tables of another setup or
//! domain. It does not tell a file that somebody made on purpose, who then decides what is summed: a prover's proofs can be made to say what they
//! should hide, and **a ring's commitment to have members that are in no list**. [`Setup::read`] checks the contents against the powers;
//! [`Setup::read_trusted`] does not, for files that are as trusted as the program itself. A verifier of commitments that others made needs no tables.
//!
//! (notes: ring-tables, ring-file)

use curve::Invalid;
use curve::bls12_381::G1;
use curve::srs::Srs;

use crate::read::take;
use crate::setup::rows_and_steps;
use crate::{Domain, Error, SCALAR_BITS, Setup, kzg};

const MAGIC: &[u8; 16] = b"tenfold ring 1  ";
const POINT: usize = 96;

impl Setup {
    /// The bytes of a file that [`Self::read`] takes. 2.5 MB for 512 rows, 4.5 MB for 1,024.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let tables = [self.powers.write(), self.rows.write()];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(number(self.domain).to_le_bytes());
        bytes.extend(self.srs);
        tables.iter().for_each(|table| bytes.extend((table.len() as u64).to_le_bytes()));
        tables.iter().for_each(|table| bytes.extend(kzg::Table::digest(table).expect("what was written")));
        bytes.extend(kzg::Table::write_points(&self.lagrange));
        bytes.extend(kzg::Table::write_points(&self.steps));
        bytes.extend(curve::srs::digest(&bytes));
        tables.iter().for_each(|table| bytes.extend(table));
        bytes
    }

    /// The setup that [`Self::write`] wrote, for the same powers and domain, whoever had the file since.
    ///
    /// Every point is checked for the subgroup and every entry of the tables is computed again: see the notes. Cost: that of [`Self::new`] less the transform of
    /// `N` points; [`Self::read_trusted`] takes a twentieth.
    ///
    /// # Errors
    /// If the bytes are damaged, too few or too many, are of another setup or domain, or false; or if the system gives no random bytes. Then
    /// [`Self::new`] makes one.
    pub fn read(bytes: &[u8], srs: &Srs, domain: Domain) -> Result<Self, Error> {
        let setup = Self::read_trusted(bytes, srs, domain)?;
        setup.check(srs)?;
        Ok(setup)
    }

    /// [`Self::read`] of a file that nobody else can write: **false tables make false commitments and proofs that tell who made them**.
    ///
    /// Cost: a hash and a copy of the bytes.
    ///
    /// # Errors
    /// If the bytes are damaged, too few or too many, or are of another setup or domain.
    pub fn read_trusted(bytes: &[u8], srs: &Srs, domain: Domain) -> Result<Self, Error> {
        const DAMAGED: Invalid = Invalid("damaged tables of a ring");
        const OTHER: Invalid = Invalid("tables of another setup or domain");
        let [rows, steps] = [domain.size(), domain.capacity() + 2];
        let head = MAGIC.len() + 8 + 32 + 16 + 64 + POINT * (rows + steps);
        let mut rest = bytes;
        if take(&mut rest)? != MAGIC {
            return Err(Invalid("not a file of tables of a ring").into());
        }
        if *take(&mut rest)? != number(domain).to_le_bytes() || take(&mut rest)? != srs.digest() {
            return Err(OTHER.into());
        }
        let lengths: [usize; 2] = [length(&mut rest)?, length(&mut rest)?];
        let digests: [&[u8; 32]; 2] = [take(&mut rest)?, take(&mut rest)?];
        let (points, behind) = rest.split_at_checked(POINT * (rows + steps)).ok_or(DAMAGED)?;
        rest = behind;
        if *take(&mut rest)? != curve::srs::digest(&bytes[..head]) {
            return Err(DAMAGED.into());
        }
        let (powers, other) = rest.split_at_checked(lengths[0]).ok_or(DAMAGED)?;
        if other.len() != lengths[1] || [powers, other].map(kzg::Table::digest) != digests.map(Some) {
            return Err(DAMAGED.into());
        }
        let monomial = srs.powers(domain.powers()).ok_or(OTHER)?;
        let mut points = kzg::Table::read_points(points, rows + steps).ok_or(DAMAGED)?;
        let steps: Vec<G1> = points.split_off(rows);
        let tables =
            [kzg::Table::read(powers, monomial)?, kzg::Table::read(other, &rows_and_steps(&points, &steps))?];
        Self::from_parts(srs, domain, [points, steps], tables)
    }
}

/// The domain in a file.
fn number(domain: Domain) -> u64 {
    domain.size() as u64 + ((SCALAR_BITS - domain.scalar_bits()) as u64) * (1 << 32)
}

fn length(rest: &mut &[u8]) -> Result<usize, Invalid> {
    usize::try_from(u64::from_le_bytes(*take(rest)?)).map_err(|_| Invalid("damaged tables of a ring"))
}
