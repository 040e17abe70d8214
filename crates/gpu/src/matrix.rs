//! A matrix on the device: its codeword, the tree over the codeword's rows, and what a prover asks of them.

use crate::args::{BLOCK_THREADS, EncodeArgs, GatherArgs, Kernel, LeavesArgs, TreeArgs};
use crate::backend::Buffer;
use crate::passes::{Pass, passes};
use crate::{Entry, Error, Gpu, staging};
use core::marker::PhantomData;
use iop::hash::{Digest, Hash};
use iop::merkle;
use iop::oracle::OracleSpec;

/// Layers of a tree that one launch makes.
const TREE_LAYERS: u32 = 9;

/// A message matrix in the device's memory, in rows of the entries of a commitment.
pub struct Message<B> {
    pub(crate) gpu: Gpu,
    spec: OracleSpec,
    pub(crate) entries: Buffer,
    entry: PhantomData<fn() -> B>,
}

/// A committed matrix in the device's memory: message, codeword and tree.
pub struct DeviceMatrix<B> {
    message: Message<B>,
    codeword: Buffer,
    /// Node `j` has the children `2j` and `2j + 1`; node 1 is the root.
    tree: Buffer,
    root: Digest,
}

/// What stands between a matrix and its codeword, and between that and its tree. The steps are apart to be timed.
pub(crate) struct Sizes {
    pub(crate) row_words: u64,
    pub(crate) log_rows: u32,
    pub(crate) log_blocks: u32,
    /// log2 of the rows of a leaf.
    log_fibre: u32,
    pub(crate) extra_words: u64,
    /// Words of a digest.
    digest_words: u64,
}

impl Sizes {
    pub(crate) fn new<B: Entry>(spec: &OracleSpec) -> Result<Self, Error> {
        let OracleSpec { code, width, .. } = *spec;
        let log_domain = code.log_rows.saturating_add(code.log_inv_rate);
        if width == 0 || log_domain > B::MAX_LOG_DOMAIN {
            return Err(Error::Shape("a matrix has columns and at most 2^31 rows of a codeword"));
        }
        hash_kernels(spec.hash)?;
        if spec.log_fibre > code.log_rows {
            return Err(Error::Shape("the rows of a leaf are of one block"));
        }
        if spec.log_parts > 0 {
            return Err(Error::Shape("the GPU hashes a leaf as a whole, not its parts"));
        }
        if code.extra > 1 << code.log_rows {
            return Err(Error::Shape("there are at most as many further coefficients as rows"));
        }
        let row_words = (width as u64).checked_mul(B::BYTES as u64 / 8).filter(|words| *words < 1 << 29);
        let row_words = row_words.filter(|words| words.saturating_mul(1 << spec.log_fibre) < 1 << 29);
        let row_words = row_words.ok_or(Error::Shape("a leaf has less than 2^32 bytes"))?;
        if row_words
            .checked_shl(log_domain as u32 + 4)
            .is_none_or(|bytes| bytes >> (log_domain + 4) != row_words || bytes >= 1 << 62)
        {
            return Err(Error::Shape("the codeword is larger than any memory"));
        }
        let extra_words = code.extra as u64 * row_words;
        Ok(Self {
            row_words,
            log_rows: code.log_rows as u32,
            log_blocks: code.log_inv_rate as u32,
            log_fibre: spec.log_fibre as u32,
            extra_words,
            digest_words: spec.hash.bytes() as u64 / 8,
        })
    }

    /// Words of a block of the codeword.
    fn block_words(&self) -> u64 {
        self.row_words << self.log_rows
    }

    /// Rows of the codeword.
    fn positions(&self) -> u64 {
        1 << (self.log_rows + self.log_blocks)
    }

    /// log2 of the leaves of the tree.
    fn log_leaves(&self) -> u32 {
        self.log_rows + self.log_blocks - self.log_fibre
    }

    /// Words of a leaf: its rows stand together.
    fn leaf_words(&self) -> u64 {
        self.row_words << self.log_fibre
    }

    /// Bytes of a tree: two nodes for each leaf.
    fn tree_bytes(&self) -> u64 {
        (16 * self.digest_words) << self.log_leaves()
    }
}

/// The kernels of leaves and nodes.
fn hash_kernels(hash: Hash) -> Result<[Kernel; 2], Error> {
    match hash {
        Hash::Blake3 => Ok(Kernel::BLAKE3),
        Hash::Sha3_256 => Ok(Kernel::SHA3_256),
        Hash::Sha3_384 => Ok(Kernel::SHA3_384),
        Hash::Sha3_512 => Ok(Kernel::SHA3_512),
        _ => Err(Error::Shape("the GPU hashes with blake3 and sha3")),
    }
}

impl Gpu {
    /// Encodes a row-major message matrix and commits to the rows of the codeword: the root is that of [`OracleSpec::commit`].
    ///
    /// # Errors
    /// If the message is not of the shape, the device has not the memory, the hash has no kernel, or the driver fails.
    pub fn commit<B: Entry>(&self, spec: &OracleSpec, message: &[B]) -> Result<DeviceMatrix<B>, Error> {
        self.upload(spec, message)?.commit()
    }

    /// Copies a message matrix to the device.
    ///
    /// # Errors
    /// As [`Gpu::commit`].
    pub fn upload<B: Entry>(&self, spec: &OracleSpec, message: &[B]) -> Result<Message<B>, Error> {
        Sizes::new::<B>(spec)?;
        if spec.code.dimension().checked_mul(spec.width) != Some(message.len()) {
            return Err(Error::Shape("the message is not of the shape"));
        }
        let entries = self.backend().upload_elements(message)?;
        Ok(Message { gpu: self.clone(), spec: *spec, entries, entry: PhantomData })
    }
}

impl<B: Entry> Message<B> {
    /// A message whose entries are on the device already.
    ///
    /// # Errors
    /// As [`Gpu::upload`].
    pub(crate) fn from_entries(gpu: &Gpu, spec: OracleSpec, entries: Buffer) -> Result<Self, Error> {
        Sizes::new::<B>(&spec)?;
        let count = spec.code.dimension().checked_mul(spec.width);
        if count.and_then(|count| count.checked_mul(B::BYTES)) != Some(entries.len()) {
            return Err(Error::Shape("the message is not of the shape"));
        }
        Ok(Self { gpu: gpu.clone(), spec, entries, entry: PhantomData })
    }

    /// Makes the codeword and its tree.
    ///
    /// # Errors
    /// As [`Gpu::commit`].
    pub fn commit(self) -> Result<DeviceMatrix<B>, Error> {
        let codeword = self.encode()?;
        let tree = self.tree(&codeword)?;
        self.finish(codeword, tree)
    }

    /// Takes the parts of a commitment together, and its root from the device.
    pub(crate) fn finish(self, codeword: Buffer, tree: Buffer) -> Result<DeviceMatrix<B>, Error> {
        let mut root = vec![0; self.spec.hash.bytes()];
        self.gpu.backend().download(&tree, root.len(), &mut root)?;
        let root = Digest::from_slice(&root).ok_or(Error::Shape("no digest has so many bytes"))?;
        Ok(DeviceMatrix { message: self, codeword, tree, root })
    }

    /// The codeword, block after block.
    pub(crate) fn encode(&self) -> Result<Buffer, Error> {
        let sizes = Sizes::new::<B>(&self.spec)?;
        let code = self.gpu.backend().alloc((8 * sizes.block_words() as usize) << sizes.log_blocks)?;
        self.encode_to(&code)?;
        Ok(code)
    }

    /// [`Message::encode`] to memory of the codeword's length.
    pub(crate) fn encode_to(&self, code: &Buffer) -> Result<(), Error> {
        let sizes = Sizes::new::<B>(&self.spec)?;
        assert_eq!(code.len() as u64, (8 * sizes.block_words()) << sizes.log_blocks, "a codeword's memory");
        let passes = passes(sizes.log_rows, sizes.row_words);
        for (i, &Pass { below, layers, log_columns }) in passes.iter().enumerate() {
            let inner = sizes.row_words << below;
            let chunks = inner.div_ceil(1 << log_columns);
            let log_groups = sizes.log_rows - below - layers;
            let args = EncodeArgs {
                tables: self.gpu.tables().address(),
                message: self.entries.address(),
                code: code.address(),
                block_words: sizes.block_words(),
                extra_words: sizes.extra_words,
                inner,
                chunks: u32::try_from(chunks).map_err(|_| Error::Shape("more blocks than a launch has"))?,
                first_block: 1 << sizes.log_blocks,
                log_groups,
                layers,
                log_columns,
                ends: u32::from(i == 0) | u32::from(i + 1 == passes.len()) << 1,
            };
            let blocks = chunks << (log_groups + sizes.log_blocks);
            // SAFETY: every word of the codeword is in one tile: `inner` words side by side, runs of `2^layers` times so many, and
            // blocks. The message has a block and `extra_words` more, by `Gpu::upload`. Tiles fit the shared memory, by the
            // limits of `passes`; positions are below 2^32, by `Sizes::new`.
            unsafe { self.gpu.backend().launch(Kernel::ENCODE, blocks, &args)? };
        }
        Ok(())
    }

    /// The tree over the rows of a codeword.
    pub(crate) fn tree(&self, codeword: &Buffer) -> Result<Buffer, Error> {
        let bytes = Sizes::new::<B>(&self.spec)?.tree_bytes();
        let nodes = self.gpu.backend().alloc(bytes as usize)?;
        self.leaves_to(codeword, &nodes)?;
        self.nodes_to(&nodes)?;
        Ok(nodes)
    }

    /// Digests of the leaves, to the lowest layer of a tree.
    pub(crate) fn leaves_to(&self, codeword: &Buffer, nodes: &Buffer) -> Result<(), Error> {
        let sizes = Sizes::new::<B>(&self.spec)?;
        let count = 1u64 << sizes.log_leaves();
        assert_eq!(codeword.len() as u64, 8 * sizes.positions() * sizes.row_words, "a codeword");
        assert_eq!(nodes.len() as u64, sizes.tree_bytes(), "two nodes for each leaf");
        let args = LeavesArgs {
            tables: self.gpu.tables().address(),
            rows: codeword.address(),
            digests: nodes.address() + 8 * sizes.digest_words * count,
            count,
            row_words: sizes.leaf_words(),
        };
        // SAFETY: all rows of the codeword are read, and a digest for each leaf of them written in the upper half of the nodes; the lengths
        // of both were checked, and the kernel's digests have `digest_words` words. A leaf has less than 2^22 chunks, by `Sizes::new`.
        unsafe {
            self.gpu.backend().launch(hash_kernels(self.spec.hash)?[0], count.div_ceil(BLOCK_THREADS), &args)
        }
    }

    /// All nodes above the lowest layer.
    pub(crate) fn nodes_to(&self, nodes: &Buffer) -> Result<(), Error> {
        let sizes = Sizes::new::<B>(&self.spec)?;
        assert_eq!(nodes.len() as u64, sizes.tree_bytes(), "two nodes for each leaf");
        let mut depth = sizes.log_leaves();
        while depth > 0 {
            let layers = depth.min(TREE_LAYERS);
            let args =
                TreeArgs { tables: self.gpu.tables().address(), nodes: nodes.address(), depth, layers };
            let blocks = (1u64 << depth).div_ceil(2 * BLOCK_THREADS);
            // SAFETY: the children are the nodes from `2^depth` to `2^(depth+1)`, below twice the number of leaves; their ancestors have
            // smaller numbers. The kernel's nodes have `digest_words` words, so that all are within the buffer.
            unsafe { self.gpu.backend().launch(hash_kernels(self.spec.hash)?[1], blocks, &args)? };
            depth -= layers;
        }
        Ok(())
    }
}

impl<B: Entry> DeviceMatrix<B> {
    /// The Merkle root.
    pub fn root(&self) -> Digest {
        self.root
    }

    /// The message.
    pub fn message(&self) -> &Message<B> {
        &self.message
    }

    /// A layer of the tree, of so many nodes, end to end.
    ///
    /// # Errors
    /// If there is no such layer, or the driver fails.
    pub fn nodes(&self, count: usize) -> Result<Vec<u8>, Error> {
        let sizes = Sizes::new::<B>(&self.message.spec)?;
        if !count.is_power_of_two() || count as u64 > 1 << sizes.log_leaves() {
            return Err(Error::Shape("a layer has a power of two of nodes, at most one for each leaf"));
        }
        let mut nodes = vec![0; 8 * sizes.digest_words as usize * count];
        self.message.gpu.backend().download(&self.tree, nodes.len(), &mut nodes)?;
        Ok(nodes)
    }

    /// The leaves at `positions` (strictly increasing), row after row, and the siblings that open them against
    /// the root: what [`iop::oracle::CommittedCodeword::open_rows`] sends.
    ///
    /// # Errors
    /// If positions are out of order or range, or the driver fails.
    pub fn open_rows(&self, positions: &[usize]) -> Result<(Vec<B>, Vec<u8>), Error> {
        let sizes = Sizes::new::<B>(&self.message.spec)?;
        let log_leaves = sizes.log_leaves() as usize;
        let in_range = positions.last().is_none_or(|&last| last < 1 << log_leaves);
        if !in_range || !positions.is_sorted_by(|a, b| a < b) {
            return Err(Error::Shape("positions of leaves are strictly increasing"));
        }
        let siblings = merkle::opening_places(log_leaves, 0, positions);
        // The node at a height and an index.
        let place = |(height, index): &(usize, usize)| (1 << (log_leaves - height)) + *index as u64;
        let siblings: Vec<u64> = siblings.iter().map(place).collect();
        let leaves: Vec<u64> = positions.iter().map(|&position| position as u64).collect();
        let (leaf, digest) = (sizes.leaf_words(), sizes.digest_words);
        let bytes = 8 * leaf as usize * leaves.len();
        let backend = self.message.gpu.backend();
        let out = backend.alloc(bytes + 8 * digest as usize * siblings.len())?;
        self.gather((&self.codeword, &leaves, leaf), &out, 0)?;
        self.gather((&self.tree, &siblings, digest), &out, bytes)?;
        let mut rows = vec![0; out.len()];
        backend.download(&out, 0, &mut rows)?;
        let digests = rows.split_off(bytes);
        let mut elements = Vec::with_capacity(bytes / B::BYTES);
        staging::decode(&rows, &mut elements)?;
        Ok((elements, digests))
    }

    /// The whole codeword.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn codeword(&self) -> Result<Vec<B>, Error> {
        self.message.gpu.backend().download_elements(&self.codeword)
    }

    /// Copies rows of so many words of a table to a place, within the device's memory.
    fn gather(
        &self,
        (table, indices, words): (&Buffer, &[u64], u64),
        out: &Buffer,
        offset: usize,
    ) -> Result<(), Error> {
        if indices.is_empty() {
            return Ok(());
        }
        let row = 8 * words as usize;
        assert!(indices.iter().all(|&i| (i as usize) < table.len() / row), "rows of the table");
        assert!(offset + indices.len() * row <= out.len(), "a place for each row");
        let backend = self.message.gpu.backend();
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let (count, index) = (indices.len() as u64, backend.upload(&bytes)?);
        let (rows, table, indices) = ((table.len() / row) as u64, table.address(), index.address());
        let args = GatherArgs { table, indices, out: out.address() + offset as u64, rows, count, words };
        // SAFETY: the table has so many rows, beyond which no index is followed, and there is a place for each one, by the check.
        unsafe { backend.launch(Kernel::GATHER, (count * words).div_ceil(BLOCK_THREADS), &args) }
    }
}
