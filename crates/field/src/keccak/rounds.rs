//! The 24 rounds, over any word.

use super::LANES;

/// A word of some states, 64 bits of each. A value exists only where the instructions do.
pub(super) trait Word: Copy {
    /// The words from a place on, one for each lane.
    ///
    /// # Safety
    /// The CPU has the instructions of this type, and as many words can be read there as it has lanes.
    unsafe fn load(from: *const u64) -> Self;

    /// The inverse of [`Word::load`].
    ///
    /// # Safety
    /// As many words can be written there as the type has lanes.
    unsafe fn store(self, to: *mut u64);

    /// The same word in all lanes, added to this one.
    fn add_constant(self, x: u64) -> Self;

    fn xor(self, other: Self) -> Self;

    /// `self + a + b`
    fn xor3(self, a: Self, b: Self) -> Self;

    /// `self + a + b`, where the third of the terms is `a + b`: the sum of two or of three words, whichever is one instruction.
    #[inline(always)]
    fn add_terms(self, terms: &[Self; 3]) -> Self {
        self.xor(terms[2])
    }

    /// Rotates each word to the left.
    fn rotate<const BITS: i32>(self) -> Self;

    /// `self + (not a) b`
    fn chi(self, a: Self, b: Self) -> Self;
}

impl Word for u64 {
    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: by the contract.
        unsafe { *from }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: by the contract.
        unsafe { *to = self };
    }

    #[inline(always)]
    fn add_constant(self, x: u64) -> Self {
        self ^ x
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn xor3(self, a: Self, b: Self) -> Self {
        self ^ a ^ b
    }

    #[inline(always)]
    fn rotate<const BITS: i32>(self) -> Self {
        self.rotate_left(BITS as u32)
    }

    #[inline(always)]
    fn chi(self, a: Self, b: Self) -> Self {
        self ^ (!a & b)
    }
}

/// The constants of step ι.
const ROUNDS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Permutes the states in the lanes of `W` from the first row's `words` on; rows are [`LANES`] words apart.
///
/// # Safety
/// The CPU has the instructions of `W`, and its lanes can be read and written in 25 rows.
#[inline(always)]
pub(super) unsafe fn permute<W: Word>(words: *mut u64) {
    // SAFETY: by the contract.
    let mut state = unsafe { [W::load(words); 25] };
    let mut i = 1;
    while i < 25 {
        // SAFETY: by the contract.
        state[i] = unsafe { W::load(words.add(i * LANES)) };
        i += 1;
    }
    let mut round = 0;
    while round < ROUNDS.len() {
        state = one(&state, ROUNDS[round]);
        round += 1;
    }
    let mut i = 0;
    while i < 25 {
        // SAFETY: by the contract.
        unsafe { state[i].store(words.add(i * LANES)) };
        i += 1;
    }
}

/// One round. Every index is written out, so that words stay in registers and distances of rotations are constants.
#[inline(always)]
#[rustfmt::skip]
fn one<W: Word>(s: &[W; 25], constant: u64) -> [W; 25] {
    // θ: what is added to each column.
    let c0 = s[0].xor3(s[5], s[10]).xor3(s[15], s[20]);
    let c1 = s[1].xor3(s[6], s[11]).xor3(s[16], s[21]);
    let c2 = s[2].xor3(s[7], s[12]).xor3(s[17], s[22]);
    let c3 = s[3].xor3(s[8], s[13]).xor3(s[18], s[23]);
    let c4 = s[4].xor3(s[9], s[14]).xor3(s[19], s[24]);
    let d = [
        terms(c4, c1.rotate::<1>()),
        terms(c0, c2.rotate::<1>()),
        terms(c1, c3.rotate::<1>()),
        terms(c2, c4.rotate::<1>()),
        terms(c3, c0.rotate::<1>()),
    ];
    // ρ and π.
    let b = [
        [s[0].add_terms(&d[0]), s[6].add_terms(&d[1]).rotate::<44>(), s[12].add_terms(&d[2]).rotate::<43>(), s[18].add_terms(&d[3]).rotate::<21>(), s[24].add_terms(&d[4]).rotate::<14>()],
        [s[3].add_terms(&d[3]).rotate::<28>(), s[9].add_terms(&d[4]).rotate::<20>(), s[10].add_terms(&d[0]).rotate::<3>(), s[16].add_terms(&d[1]).rotate::<45>(), s[22].add_terms(&d[2]).rotate::<61>()],
        [s[1].add_terms(&d[1]).rotate::<1>(), s[7].add_terms(&d[2]).rotate::<6>(), s[13].add_terms(&d[3]).rotate::<25>(), s[19].add_terms(&d[4]).rotate::<8>(), s[20].add_terms(&d[0]).rotate::<18>()],
        [s[4].add_terms(&d[4]).rotate::<27>(), s[5].add_terms(&d[0]).rotate::<36>(), s[11].add_terms(&d[1]).rotate::<10>(), s[17].add_terms(&d[2]).rotate::<15>(), s[23].add_terms(&d[3]).rotate::<56>()],
        [s[2].add_terms(&d[2]).rotate::<62>(), s[8].add_terms(&d[3]).rotate::<55>(), s[14].add_terms(&d[4]).rotate::<39>(), s[15].add_terms(&d[0]).rotate::<41>(), s[21].add_terms(&d[1]).rotate::<2>()],
    ];
    // χ and ι.
    let [r0, r1, r2, r3, r4] = [row(&b[0]), row(&b[1]), row(&b[2]), row(&b[3]), row(&b[4])];
    [
        r0[0].add_constant(constant), r0[1], r0[2], r0[3], r0[4],
        r1[0], r1[1], r1[2], r1[3], r1[4],
        r2[0], r2[1], r2[2], r2[3], r2[4],
        r3[0], r3[1], r3[2], r3[3], r3[4],
        r4[0], r4[1], r4[2], r4[3], r4[4],
    ]
}

/// The two terms of a sum that [`Word::add_terms`] computes where it is used.
#[inline(always)]
fn terms<W: Word>(a: W, b: W) -> [W; 3] {
    [a, b, a.xor(b)]
}

/// χ on a row.
#[inline(always)]
fn row<W: Word>(b: &[W; 5]) -> [W; 5] {
    [
        b[0].chi(b[1], b[2]),
        b[1].chi(b[2], b[3]),
        b[2].chi(b[3], b[4]),
        b[3].chi(b[4], b[0]),
        b[4].chi(b[0], b[1]),
    ]
}
