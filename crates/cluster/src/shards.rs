//! Files with the columns of one rank each, written once from one data set. (notes: cluster-shards)
//!
//! ```text
//!   0   magic "tfshard" and a zero     8    version, index, count       4 bytes each
//!   20  bytes of the entries           28   digest of the parameters
//!   60  digest of the statement        92   digest of the data
//!   124 digests of all shards' entries, 32 bytes each
//!   124 + 32 count                     the columns of the shard, row by row, in canonical bytes
//! ```
//! Numbers are little-endian. The statement is what the caller says about the entries, such as their name. The data's digest is that of the statement's and of the
//! list of digests, so that every shard names all the others: one of other data, with another statement, of another
//! place, cut off or changed is refused before anything is committed to. A rank of `n` reads `count / n` shards.

use crate::error::Error;
use crate::hello::parameters;
use crate::identity::{DIGEST, digest};
use crate::ownership::Ownership;
use crate::wire::{are_elements, elements};
use core::marker::PhantomData;
use core::ops::Range;
use field::Field;
use iop::oracle::{MAX_LOG_PARTS, OracleSpec};
use pcs::matrix::Params;
use std::io::{self, Read, Seek, SeekFrom, Write};

const MAGIC: [u8; 8] = *b"tfshard\0";
const VERSION: u32 = 2;

/// Bytes of a header before the list of digests.
const FIXED: usize = 28 + 3 * DIGEST;

/// Bytes of rows that are read at once.
const AT_ONCE: usize = 1 << 20;

/// The beginning of a shard file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The number of the shard, from zero.
    pub index: usize,
    /// How many shards the data were split into.
    pub count: usize,
    /// Bytes of the entries.
    pub bytes: u64,
    /// Digest of the parameters.
    pub parameters: [u8; DIGEST],
    /// [`statement`] of what is said about the entries.
    pub statement: [u8; DIGEST],
    /// Digests of all shards' entries.
    pub shards: Vec<[u8; DIGEST]>,
}

/// The digest of what is said about the entries, in parts.
pub fn statement(parts: &[&[u8]]) -> [u8; DIGEST] {
    digest("tenfold cluster statement v1", parts)
}

fn refused<T>(reason: String) -> Result<T, Error> {
    Err(Error::Input(reason))
}

fn cut_off(index: &dyn core::fmt::Display) -> impl Fn(io::Error) -> Error {
    move |error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Input(format!("shard {index} is cut off")),
        _ => Error::Input(format!("shard {index} could not be read: {error}")),
    }
}

impl Header {
    /// The digest of the data that the shard is of: that of the statement and all shards.
    pub fn data(&self) -> [u8; DIGEST] {
        let parts = core::iter::once(&self.statement).chain(&self.shards);
        let parts: Vec<&[u8]> = parts.map(|part| &part[..]).collect();
        digest("tenfold cluster data v2", &parts)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [VERSION, self.index as u32, self.count as u32];
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(self.bytes.to_le_bytes());
        bytes.extend(self.parameters);
        bytes.extend(self.statement);
        bytes.extend(self.data());
        self.shards.iter().for_each(|shard| bytes.extend(shard));
        bytes
    }

    /// Reads the beginning of a shard file.
    ///
    /// # Errors
    /// If reading fails, or it is none of this version.
    pub fn read(mut file: impl Read) -> Result<Self, Error> {
        let cut_off = cut_off(&"file");
        let mut fixed = [0; FIXED];
        file.read_exact(&mut fixed[..MAGIC.len()]).map_err(&cut_off)?;
        if fixed[..MAGIC.len()] != MAGIC {
            return refused("the file is no shard".into());
        }
        file.read_exact(&mut fixed[MAGIC.len()..]).map_err(&cut_off)?;
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| fixed[at + i]));
        let digest = |at: usize| -> [u8; DIGEST] { core::array::from_fn(|i| fixed[at + i]) };
        let [version, index, count] = [8, 12, 16].map(number);
        if version != VERSION {
            return refused(format!("the shard has version {version} and not {VERSION}"));
        }
        if !count.is_power_of_two() || count > 1 << MAX_LOG_PARTS || index >= count {
            return refused(format!("there is no shard {index} of {count}"));
        }
        let mut shards = vec![[0; DIGEST]; count as usize];
        file.read_exact(shards.as_flattened_mut()).map_err(&cut_off)?;
        let bytes = u64::from(number(20)) | u64::from(number(24)) << 32;
        let [parameters, statement, data] = [0, 1, 2].map(|i| digest(28 + i * DIGEST));
        let (index, count) = (index as usize, count as usize);
        let header = Self { index, count, bytes, parameters, statement, shards };
        if header.data() != data {
            return refused(format!("the header of shard {index} was changed"));
        }
        Ok(header)
    }
}

fn unwritten(error: io::Error) -> Error {
    Error::Input(format!("a shard could not be written: {error}"))
}

fn hasher() -> blake3::Hasher {
    blake3::Hasher::new_derive_key("tenfold cluster shard entries v1")
}

/// Splits the entries of one polynomial, in canonical bytes to the last one, into files: as many as there are places, a power of two, which is the most
/// ranks that can read them, each with the digest of a [`statement`]. Returns the digest of the data.
///
/// Memory: a few rows. The entries are read once.
///
/// # Errors
/// If there are more or fewer entries, one is not canonical, reading or writing fails, or leaves have fewer parts than there are files.
pub fn split<B: Field, W: Write + Seek>(
    params: (&Params, &OracleSpec),
    statement: [u8; DIGEST],
    mut entries: impl Read,
    files: &mut [W],
) -> Result<[u8; DIGEST], Error> {
    let mut splitter = Splitter::<B, W>::new(params, statement, files)?;
    let mut piece = vec![0; AT_ONCE];
    loop {
        match entries.read(&mut piece) {
            Ok(0) => return splitter.finish(),
            Ok(length) => splitter.push(&piece[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return refused(format!("the entries could not be read: {error}")),
        }
    }
}

/// [`split`] of entries that come piece by piece.
pub struct Splitter<'a, B, W> {
    files: &'a mut [W],
    /// Of each file.
    columns: Vec<Range<usize>>,
    hashers: Vec<blake3::Hasher>,
    header: Header,
    rows: usize,
    /// Bytes of a row.
    stride: usize,
    /// Whole rows that are not written yet, and a part of one.
    piece: Vec<u8>,
    /// Rows that are written.
    written: usize,
    entries: PhantomData<fn(B)>,
}

impl<'a, B: Field, W: Write + Seek> Splitter<'a, B, W> {
    /// Begins files with the digest of a [`statement`].
    ///
    /// # Errors
    /// As [`split`].
    pub fn new(
        (params, spec): (&Params, &OracleSpec),
        statement: [u8; DIGEST],
        files: &'a mut [W],
    ) -> Result<Self, Error> {
        let count = files.len();
        if params.polynomials != 1 || !count.is_power_of_two() {
            return Err(Error::Unsupported("one polynomial is split into a power of two of shards".into()));
        }
        let ownership = Ownership::new(spec, count.ilog2() as usize)?;
        let columns = (0..count).map(|index| ownership.data_columns(index, params.columns()));
        let shards = vec![[0; DIGEST]; count];
        let header = Header { index: 0, count, bytes: 0, parameters: parameters(params), statement, shards };
        for file in &mut *files {
            file.write_all(&header.to_bytes()).map_err(unwritten)?;
        }
        Ok(Self {
            files,
            columns: columns.collect(),
            hashers: vec![hasher(); count],
            header,
            rows: 1 << params.log_rows(),
            stride: params.columns() * B::BYTES,
            piece: Vec::new(),
            written: 0,
            entries: PhantomData,
        })
    }

    /// Bytes of rows that are written at once.
    fn at_once(&self) -> usize {
        (AT_ONCE / self.stride).max(1) * self.stride
    }

    /// Takes the next bytes of the entries.
    ///
    /// # Errors
    /// As [`split`].
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let room = self.at_once() - self.piece.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if now.len() == room {
                self.write()?;
            }
        }
        Ok(())
    }

    /// Writes the rows that are whole.
    fn write(&mut self) -> Result<(), Error> {
        let (first, count) = (self.written, self.piece.len() / self.stride);
        if count > self.rows - first || first + count == self.rows && self.piece.len() > count * self.stride {
            return refused("there are more entries than the parameters say".into());
        }
        let whole = &self.piece[..count * self.stride];
        if !are_elements::<B>(whole, whole.len() / B::BYTES) {
            return refused(format!("an entry in row {first} or one of the next {count} is not canonical"));
        }
        for ((file, hasher), columns) in self.files.iter_mut().zip(&mut self.hashers).zip(&self.columns) {
            let own = columns.start * B::BYTES..columns.end * B::BYTES;
            let own: Vec<u8> =
                whole.chunks_exact(self.stride).flat_map(|row| &row[own.clone()]).copied().collect();
            hasher.update(&own);
            file.write_all(&own).map_err(unwritten)?;
        }
        self.written += count;
        self.piece.drain(..count * self.stride);
        Ok(())
    }

    /// Takes zeros in the place of all entries that are left.
    ///
    /// # Errors
    /// As [`split`].
    pub fn pad(&mut self) -> Result<(), Error> {
        let zeros = vec![0; self.at_once()];
        loop {
            let left =
                (self.rows - self.written).saturating_mul(self.stride).saturating_sub(self.piece.len());
            if left == 0 {
                return Ok(());
            }
            self.push(&zeros[..left.min(zeros.len())])?;
        }
    }

    /// Ends the files; returns the digest of the data.
    ///
    /// # Errors
    /// As [`split`].
    pub fn finish(mut self) -> Result<[u8; DIGEST], Error> {
        self.write()?;
        if self.written < self.rows {
            return refused(
                "the entries could not be read to the end: there are fewer than the parameters say".into(),
            );
        }
        let shards: Vec<[u8; DIGEST]> =
            self.hashers.iter().map(|hasher| *hasher.finalize().as_bytes()).collect();
        let header = Header { shards, ..self.header };
        for (index, (file, columns)) in self.files.iter_mut().zip(&self.columns).enumerate() {
            let bytes = (columns.len() * self.rows * B::BYTES) as u64;
            let header = Header { index, bytes, ..header.clone() };
            file.seek(SeekFrom::Start(0)).map_err(unwritten)?;
            file.write_all(&header.to_bytes()).and_then(|()| file.flush()).map_err(unwritten)?;
        }
        Ok(header.data())
    }
}

/// The columns of a rank, row by row, from its shards in their order.
pub(crate) fn read<B: Field>(
    (params, data): (&Params, &[u8; DIGEST]),
    (ownership, rank): (&Ownership, usize),
    files: &mut [impl Read],
) -> Result<Vec<B>, Error> {
    let (rows, own) = (1usize << params.log_rows(), files.len());
    let count = own * ownership.ranks();
    let shards = Ownership::new(ownership.spec(), count.checked_ilog2().unwrap_or_default() as usize)?;
    let width = |index: usize| shards.data_columns(index, params.columns()).len();
    let mut pieces: Vec<Vec<B>> = Vec::new();
    for (i, file) in files.iter_mut().enumerate() {
        let (index, header) = (rank * own + i, Header::read(&mut *file)?);
        if header.count != count {
            return refused(format!(
                "a shard of {} where each of {} ranks reads {own}",
                header.count,
                ownership.ranks()
            ));
        }
        if header.parameters != parameters(params) {
            return refused(format!("shard {} was split for other parameters", header.index));
        }
        if header.data() != *data {
            return refused(format!("shard {} is of other data", header.index));
        }
        if header.index != index {
            return refused(format!("shard {} is where shard {index} belongs", header.index));
        }
        pieces.push(entries(file, &header, width(index) * rows)?);
    }
    let row = |row: usize| {
        let part = move |(i, piece): (usize, &Vec<B>)| {
            piece[row * width(rank * own + i)..][..width(rank * own + i)].to_vec()
        };
        pieces.iter().enumerate().flat_map(part).collect::<Vec<B>>()
    };
    if own == 1 { Ok(pieces.remove(0)) } else { Ok((0..rows).flat_map(row).collect()) }
}

/// The entries of a shard, so many: those that its header has the digest of.
fn entries<B: Field>(file: &mut impl Read, header: &Header, count: usize) -> Result<Vec<B>, Error> {
    let (index, mut hasher) = (header.index, hasher());
    if header.bytes != (count * B::BYTES) as u64 {
        return refused(format!(
            "shard {index} has {} bytes of entries and not {}",
            header.bytes,
            count * B::BYTES
        ));
    }
    let mut own = Vec::with_capacity(count);
    let mut piece = vec![0; (AT_ONCE / B::BYTES).min(count) * B::BYTES];
    while own.len() < count {
        let length = piece.len().min((count - own.len()) * B::BYTES);
        let piece = &mut piece[..length];
        file.read_exact(piece).map_err(cut_off(&index))?;
        hasher.update(piece);
        let changed = || Error::Input(format!("an entry of shard {index} is not canonical"));
        own.extend(elements::<B>(piece, piece.len() / B::BYTES).ok_or_else(changed)?);
    }
    if file.read(&mut [0]).map_err(cut_off(&index))? > 0 {
        return refused(format!("shard {index} has bytes behind its entries"));
    }
    if *hasher.finalize().as_bytes() != header.shards[index] {
        return refused(format!("shard {index} was changed: its entries are not those that were split"));
    }
    Ok(own)
}
