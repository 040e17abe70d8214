//! The loops around the instructions of GFNI.
//!
//! `gf2p8affineqb` multiplies 8x8 bits, a word of one operand, by eight vectors of eight bits, a word of the other. Eight rows
//! make a tile for each byte of a row. Turned, so that a byte holds a bit of all eight rows, a tile of `b` (the matrix) times a
//! tile of `a` (the vectors) is their product over these rows. Tiles are turned a block at a time, while they stay in the
//! first-level cache; the sums stay in registers for one word of `a` and two of `b` at a time, over all tiles of the block.

/// Tiles of a block.
pub(super) const TILES: usize = 32;

/// Words of a row that are turned together: the bytes of a line of the cache.
pub(super) const WORDS: usize = 8;

/// Bits of all rows of a tile, for the eight bytes of a word: byte `m` of word `k` holds bit `m` of the word's byte `k`.
pub(super) type Plane = [u64; 8];

/// The order of a tile's bits as vectors: bit `m` in byte `m`.
const VECTORS: u64 = 0x8040_2010_0804_0201;
/// As a matrix: row `m` is byte `7 - m`.
const MATRIX: u64 = 0x0102_0408_1020_4080;

/// What an instruction set does. All functions ask for its instructions.
pub(super) struct Tier {
    /// Turns the tiles of a strip, in an order of the bits: plane `w * TILES + t` is word `w` of tile `t`.
    pub turn: unsafe fn(&Strip<'_>, u64, &mut [Plane]),
    /// Adds the products of an even number of tiles: `sums[8 g + j] += Σ_t planes[t] · word j of matrices[g * TILES + t]`, for
    /// as many `g` as there are sums, one or two.
    pub multiply: unsafe fn(&[Plane], &[Plane], &mut [Plane]),
}

/// Some words of the rows of some tiles.
pub(super) struct Strip<'a> {
    /// From the first word of the first row on.
    pub bytes: &'a [u8],
    /// Bytes from row to row.
    pub width: usize,
    /// At most [`TILES`].
    pub tiles: usize,
    /// From one to [`WORDS`].
    pub words: usize,
}

impl Strip<'_> {
    /// The first byte of a tile, for kernels that read its eight rows.
    ///
    /// # Panics
    /// If there are not so many bytes, or there is no such tile.
    pub fn tile(&self, t: usize) -> *const u8 {
        assert!(t < self.tiles && self.words <= WORDS);
        self.bytes[8 * t * self.width..][..7 * self.width + 8 * self.words].as_ptr()
    }
}

/// Adds `aᵀ b` of matrices with rows in multiples of eight.
///
/// # Safety
/// The CPU has the instructions of the tier.
pub(super) unsafe fn add(tier: &Tier, [a, b]: [&[u8]; 2], [wa, wb]: [usize; 2], out: &mut [u8]) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    let mut planes = vec![[0; 8]; WORDS * TILES];
    let mut matrices = vec![[0; 8]; wb / 8 * TILES];
    let mut sums = vec![[0; 8]; wa / 8 * wb];
    for (a, b) in a.chunks(8 * TILES * wa).zip(b.chunks(8 * TILES * wb)) {
        let tiles = a.len() / (8 * wa);
        let pairs = 2 * tiles.div_ceil(2);
        for (at, matrices) in (0..wb).step_by(8 * WORDS).zip(matrices.chunks_mut(WORDS * TILES)) {
            let strip = Strip { bytes: &b[at..], width: wb, tiles, words: matrices.len() / TILES };
            // SAFETY: the contract.
            unsafe { (tier.turn)(&strip, MATRIX, matrices) };
            // The odd tile's neighbour, whatever is left there of `a`, meets zeros.
            matrices.chunks_exact_mut(TILES).for_each(|word| word[tiles..pairs].fill([0; 8]));
        }
        for (at, sums) in (0..wa).step_by(8 * WORDS).zip(sums.chunks_mut(WORDS * wb)) {
            let strip = Strip { bytes: &a[at..], width: wa, tiles, words: sums.len() / wb };
            // SAFETY: the contract.
            unsafe { (tier.turn)(&strip, VECTORS, &mut planes) };
            for (planes, sums) in planes.chunks_exact(TILES).zip(sums.chunks_exact_mut(wb)) {
                for (matrices, sums) in matrices.chunks(2 * TILES).zip(sums.chunks_mut(16)) {
                    // SAFETY: the contract.
                    unsafe { (tier.multiply)(&planes[..pairs], matrices, sums) };
                }
            }
        }
    }
    spread(&sums, wb, out);
}

/// Adds the sums to the rows of the product: byte `m` of word `k` of sum `j` is byte `j` of row `8 k + m` of their word of `a`.
fn spread(sums: &[Plane], wb: usize, out: &mut [u8]) {
    for (sums, out) in sums.chunks_exact(wb).zip(out.chunks_exact_mut(64 * wb)) {
        for (k, out) in out.chunks_exact_mut(8 * wb).enumerate() {
            for (at, sums) in (0..wb).step_by(8).zip(sums.as_chunks::<8>().0) {
                let rows = turn_bytes(sums.map(|sum| sum[k]));
                for (row, out) in rows.into_iter().zip(out.chunks_exact_mut(wb)) {
                    let (places, _) = out[at..].as_chunks_mut::<8>();
                    places[0] = (u64::from_le_bytes(places[0]) ^ row).to_le_bytes();
                }
            }
        }
    }
}

/// The transpose of eight by eight bytes, one word a row.
fn turn_bytes(mut rows: [u64; 8]) -> [u64; 8] {
    let steps = [(1, 0x00ff_00ff_00ff_00ff), (2, 0x0000_ffff_0000_ffff), (4, 0x0000_0000_ffff_ffff)];
    for (step, mask) in steps {
        for low in (0..8).filter(|i| i & step == 0) {
            let (x, y) = (rows[low], rows[low + step]);
            rows[low] = (x & mask) | ((y & mask) << (8 * step));
            rows[low + step] = ((x >> (8 * step)) & mask) | (y & !mask);
        }
    }
    rows
}
