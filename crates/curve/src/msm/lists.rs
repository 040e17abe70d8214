//! Lists of summands, and how all of them become their sums at once.

use ark_ec::AdditiveGroup;
use ark_ec::short_weierstrass::{Affine, Projective};

use super::{Adder, BATCH, Points, Ref};

/// The references of neighbouring lists that are summed at once: their sums stay in a core's cache.
pub(super) const GROUP: usize = 8192;

/// Memory for the sums of one computation, to be used again by the next.
pub(super) struct Work<A: Adder> {
    /// Every sum that was made, and behind them room that is not overwritten in vain.
    sums: Vec<A::Point>,
    used: usize,
    /// How many places of `sums`, and of `kept`, were written since all was overwritten.
    written: [usize; 2],
    pairs: Vec<[Ref; 2]>,
    /// Sums on their way to another place.
    kept: Vec<A::Point>,
}

impl<A: Adder> Default for Work<A> {
    fn default() -> Self {
        Self { sums: Vec::new(), used: 0, written: [0; 2], pairs: Vec::new(), kept: Vec::new() }
    }
}

impl<A: Adder> Work<A> {
    /// Forgets the sums of the computation before.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Room for so many sums: what grows is copied.
    pub fn reserve(&mut self, sums: usize, fill: A::Point) {
        reserve(&mut self.sums, sums, fill);
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        (self.sums.capacity() + self.kept.capacity()) * size_of::<A::Point>()
            + self.pairs.capacity() * size_of::<[Ref; 2]>()
    }

    /// Overwrites what is held: of room for points what was written, since a small sum may be given that of a large one.
    pub fn wipe(&mut self, zero: A::Point) {
        let [sums, kept] = core::mem::take(&mut self.written);
        self.sums[..sums].fill(zero);
        core::hint::black_box(&mut self.sums);
        let kept = kept.max(self.kept.len());
        self.kept.clear();
        self.kept.resize(kept, zero);
        core::hint::black_box(&mut self.kept);
        self.kept.clear();
        wipe(&mut self.pairs, [Ref::default(); 2]);
    }

    /// [`Self::sum`], of which only the lists' sums are kept: memory is that of the longest lists and of all the sums. Bases of the lists that are
    /// `next` are asked for meanwhile.
    pub fn sum_and_keep(
        &mut self,
        bases: &[A::Point],
        lists: &mut Lists,
        next: &[Ref],
        to: &mut [Option<Ref>],
    ) {
        if let Some(fill) = bases.first() {
            reserve(&mut self.kept, lists.len(), *fill);
        }
        self.kept.clear();
        let from = self.used;
        let mut sums = self.sum_and_fetch(bases, lists, next);
        for (to, r) in to.iter_mut().zip(&sums) {
            *to = r.map(|r| if r.is_sum() { Ref::sum(from + self.keep(r)) } else { r });
        }
        wipe(&mut sums, None);
        self.used = from + self.kept.len();
        self.written[1] = self.written[1].max(self.kept.len());
        self.sums[from..self.used].copy_from_slice(&self.kept);
    }

    /// [`Self::sum_and_keep`] of some neighbouring lists after the other, [`GROUP`] references at once or a list that is longer; `group` is memory for them.
    pub fn sum_in_groups(
        &mut self,
        bases: &[A::Point],
        all: &Lists,
        group: &mut Lists,
        to: &mut [Option<Ref>],
    ) {
        let (mut first, mut start) = (0, 0);
        while first < all.len() {
            let mut end = first + 1;
            while end < all.len() && all.ends[end] as usize - start <= GROUP {
                end += 1;
            }
            let stop = all.ends[end - 1] as usize;
            group.ends.clear();
            reserve(&mut group.ends, end - first, 0);
            group.ends.extend(all.ends[first..end].iter().map(|at| at - start as u32));
            group.refs.clear();
            reserve(&mut group.refs, stop - start, Ref::default());
            group.refs.extend_from_slice(&all.refs[start..stop]);
            let next = &all.refs[stop..(stop + GROUP).min(all.refs.len())];
            self.sum_and_keep(bases, group, next, &mut to[first..end]);
            (first, start) = (end, stop);
        }
    }

    /// The place of a sum among those that are kept.
    fn keep(&mut self, r: Ref) -> usize {
        self.kept.push(self.sums[r.index()]);
        self.kept.len() - 1
    }

    /// Turns each list into its sum: in every round neighbours become one. `None` for a list of nothing.
    pub fn sum(&mut self, bases: &[A::Point], lists: &mut Lists) -> Vec<Option<Ref>> {
        self.sum_and_fetch(bases, lists, &[])
    }

    fn sum_and_fetch(&mut self, bases: &[A::Point], lists: &mut Lists, mut next: &[Ref]) -> Vec<Option<Ref>> {
        // About as many as there are additions.
        let (additions, later) = (lists.refs.len().saturating_sub(lists.len()).max(1), next.len());
        while self.pair_up(lists) {
            let (before, count) = (self.used, self.pairs.len());
            self.used += count;
            self.written[0] = self.written[0].max(self.used);
            if self.sums.len() < self.used {
                // As many as there are pairs come again, in all rounds together.
                resize(&mut self.sums, self.used + count, bases[0]);
            }
            let (old, new) = self.sums[..self.used].split_at_mut(before);
            let from = Points { bases, sums: old };
            for (pairs, sums) in self.pairs.chunks(BATCH).zip(new.chunks_mut(BATCH)) {
                let (now, behind) = next.split_at((later * pairs.len()).div_ceil(additions).min(next.len()));
                A::add_and_fetch(from, pairs, sums, now);
                next = behind;
            }
        }
        (0..lists.len()).map(|l| lists.list(l).first().copied()).collect()
    }

    /// Moves pairs of neighbours out of the lists, and puts what will be their sums in their place.
    fn pair_up(&mut self, lists: &mut Lists) -> bool {
        self.pairs.clear();
        reserve(&mut self.pairs, lists.refs.len() / 2, [Ref::default(); 2]);
        let (mut start, mut to) = (0, 0);
        for end in &mut lists.ends {
            let list = start..*end as usize;
            start = list.end;
            for at in list.clone().step_by(2) {
                lists.refs[to] = if at + 1 < list.end {
                    self.pairs.push([lists.refs[at], lists.refs[at + 1]]);
                    Ref::sum(self.used + self.pairs.len() - 1)
                } else {
                    lists.refs[at]
                };
                to += 1;
            }
            *end = to as u32;
        }
        lists.refs.truncate(to);
        !self.pairs.is_empty()
    }

    /// The point of a reference, with its sign.
    pub fn export(&self, bases: &[A::Point], r: Ref) -> Affine<A::Curve> {
        let point = A::export(Points { bases, sums: &self.sums }.at(r));
        if r.is_negative() { -point } else { point }
    }

    /// `sum_b b B_b` over buckets of each window, and of these the sum of `2^(cj)` times that of window `j`.
    ///
    /// A number `b <= 2^(c-1)` is a row and a column; sums of rows and columns are taken first, then for each bit the sum of the rows
    /// or columns that have it. Each bucket is in two additions. `buckets`: `2^(c-1) + 1` for each window, number 0 without
    /// meaning.
    pub fn weigh(&mut self, bases: &[A::Point], buckets: &[Option<Ref>], c: usize) -> Projective<A::Curve> {
        let per_window = (1 << (c - 1)) + 1;
        let low = c / 2;
        let (columns, rows) = (1 << low, (1 << (c - 1 - low)) + 1);
        // As many references as there can be: what grows leaves a copy behind, and all of it is overwritten.
        let windows = buckets.len().div_ceil(per_window);
        let mut grid = Lists::with_capacity(windows * (columns + rows), 2 * buckets.len());
        for window in buckets.chunks(per_window) {
            let cell = |b: usize| window.get(b).copied().flatten();
            (1..columns).for_each(|v| grid.push((0..rows).filter_map(|u| cell(u * columns + v))));
            (1..rows).for_each(|u| grid.push((0..columns).filter_map(|v| cell(u * columns + v))));
        }
        let mut sums = self.sum(bases, &mut grid);
        grid.wipe();
        let mut bits = Lists::with_capacity(windows * (c + 1), sums.len() * c);
        for window in sums.chunks(columns - 1 + rows - 1) {
            let (of_columns, of_rows) = window.split_at(columns - 1);
            let mut push = |line: &[Option<Ref>], bit: usize| {
                let with = line.iter().zip(1_usize..).filter(|(_, n)| n >> bit & 1 == 1);
                bits.push(with.filter_map(|(r, _)| *r));
            };
            (0..low).for_each(|bit| push(of_columns, bit));
            (0..c - low).for_each(|bit| push(of_rows, bit));
        }
        wipe(&mut sums, None);
        let mut sums = self.sum(bases, &mut bits);
        bits.wipe();
        let mut total = Projective::ZERO;
        for sum in sums.iter().rev() {
            total.double_in_place();
            if let Some(r) = sum {
                total += self.export(bases, *r);
            }
        }
        wipe(&mut sums, None);
        total
    }
}

/// Lists of references, one after another.
#[derive(Default)]
pub(super) struct Lists {
    /// Where each list ends.
    pub ends: Vec<u32>,
    pub refs: Vec<Ref>,
}

impl Lists {
    fn with_capacity(lists: usize, refs: usize) -> Self {
        Self { ends: Vec::with_capacity(lists), refs: Vec::with_capacity(refs) }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn list(&self, l: usize) -> &[Ref] {
        &self.refs[self.start(l)..self.ends[l] as usize]
    }

    pub fn start(&self, l: usize) -> usize {
        if l == 0 { 0 } else { self.ends[l - 1] as usize }
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        size_of::<u32>() * self.ends.capacity() + size_of::<Ref>() * self.refs.capacity()
    }

    /// Overwrites what is held.
    pub fn wipe(&mut self) {
        wipe(&mut self.ends, 0);
        wipe(&mut self.refs, Ref::default());
    }

    pub fn push(&mut self, list: impl Iterator<Item = Ref>) {
        self.refs.extend(list);
        self.ends.push(self.refs.len() as u32);
    }
}

/// Puts references into the lists of their digits, none of which is 0; `ends[b + 1]` comes with the length of list `b`, that of the digits
/// `first + b` and `-first - b`.
pub(super) fn place(first: usize, digits: &[&[(i32, u32)]], ends: &mut Vec<u32>, refs: &mut Vec<Ref>) {
    // `ends[b]` becomes where list `b` starts, and grows to where it ends.
    (1..ends.len()).for_each(|b| ends[b] += ends[b - 1]);
    refs.clear();
    resize(refs, ends.last().map_or(0, |end| *end as usize), Ref::default());
    for &(digit, at) in digits.iter().copied().flatten() {
        let end = &mut ends[digit.unsigned_abs() as usize - first];
        refs[*end as usize] = Ref::base(at as usize, digit < 0);
        *end += 1;
    }
    ends.pop();
}

/// Overwrites a list, the room behind it too, and empties it.
pub(super) fn wipe<T: Copy>(list: &mut Vec<T>, zero: T) {
    list.clear();
    list.resize(list.capacity(), zero);
    core::hint::black_box(&mut *list);
    list.clear();
}

/// Room for so many elements in all. The place that is left behind is overwritten.
pub(super) fn reserve<T: Copy>(list: &mut Vec<T>, count: usize, zero: T) {
    if list.capacity() < count {
        let mut larger = Vec::with_capacity(count);
        larger.extend_from_slice(list);
        wipe(list, zero);
        *list = larger;
    }
}

/// [`Vec::resize`] that overwrites the place that is left behind.
pub(super) fn resize<T: Copy>(list: &mut Vec<T>, count: usize, fill: T) {
    reserve(list, count, fill);
    list.resize(count, fill);
}
