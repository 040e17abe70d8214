//! Lists of summands, and how all of them become their sums at once.

use ark_ec::AdditiveGroup;
use ark_ec::short_weierstrass::{Affine, Projective};
use zeroize::Zeroize;

use super::{Adder, BATCH, Points, Ref};

/// Memory for the sums of one computation, to be used again by the next.
pub(super) struct Work<A: Adder> {
    /// Every sum that was made, and behind them room that is not overwritten in vain.
    sums: Vec<A::Point>,
    used: usize,
    pairs: Vec<[Ref; 2]>,
    /// Sums on their way to another place.
    kept: Vec<A::Point>,
}

/// The summands that [`Work::sum_in_groups`] takes at once: their sums stay in a core's cache.
const GROUP: usize = 8192;

impl<A: Adder> Default for Work<A> {
    fn default() -> Self {
        Self { sums: Vec::new(), used: 0, pairs: Vec::new(), kept: Vec::new() }
    }
}

impl<A: Adder> Work<A> {
    /// Forgets the sums of the computation before.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        (self.sums.capacity() + self.kept.capacity()) * size_of::<A::Point>()
            + self.pairs.capacity() * size_of::<[Ref; 2]>()
    }

    /// Overwrites what is held.
    pub fn wipe(&mut self, zero: A::Point) {
        for points in [&mut self.sums, &mut self.kept] {
            points.clear();
            points.resize(points.capacity(), zero);
            core::hint::black_box(points);
        }
        self.pairs.clear();
        self.pairs.resize(self.pairs.capacity(), [Ref::default(); 2]);
        core::hint::black_box(&mut self.pairs);
    }

    /// [`Self::sum`], some neighbouring lists at a time: of a group only its sums are kept, so that memory is that of a group and of all
    /// the sums.
    pub fn sum_in_groups(&mut self, bases: &[A::Point], lists: &Lists) -> Vec<Option<Ref>> {
        let mut all = Vec::with_capacity(lists.len());
        let mut group = Lists::default();
        while all.len() < lists.len() {
            let first = all.len();
            let start = lists.start(first);
            let over = lists.ends[first..].iter().position(|end| *end as usize - start > GROUP);
            let count = over.map_or(lists.len() - first, |count| count.max(1));
            let ends = &lists.ends[first..first + count];
            let end = ends[count - 1] as usize;
            group.ends.clear();
            group.ends.extend(ends.iter().map(|end| end - start as u32));
            group.refs.clear();
            group.refs.extend_from_slice(&lists.refs[start..end]);
            let from = self.used;
            let sums = self.sum(bases, &mut group);
            self.kept.clear();
            for r in sums {
                all.push(r.map(|r| if r.is_sum() { Ref::sum(from + self.keep(r)) } else { r }));
            }
            self.used = from + self.kept.len();
            self.sums[from..self.used].copy_from_slice(&self.kept);
        }
        group.wipe();
        all
    }

    /// The place of a sum among those that are kept.
    fn keep(&mut self, r: Ref) -> usize {
        self.kept.push(self.sums[r.index()]);
        self.kept.len() - 1
    }

    /// Turns each list into its sum: in every round neighbours become one. `None` for a list of nothing.
    pub fn sum(&mut self, bases: &[A::Point], lists: &mut Lists) -> Vec<Option<Ref>> {
        while self.pair_up(lists) {
            let (before, count) = (self.used, self.pairs.len());
            self.used += count;
            if self.sums.len() < self.used {
                // As many as there are pairs come again, in all rounds together.
                self.sums.resize(self.used + count, bases[0]);
            }
            let (old, new) = self.sums[..self.used].split_at_mut(before);
            let from = Points { bases, sums: old };
            for (pairs, sums) in self.pairs.chunks(BATCH).zip(new.chunks_mut(BATCH)) {
                A::add(from, pairs, sums);
            }
        }
        (0..lists.len()).map(|l| lists.list(l).first().copied()).collect()
    }

    /// Moves pairs of neighbours out of the lists, and puts what will be their sums in their place.
    fn pair_up(&mut self, lists: &mut Lists) -> bool {
        self.pairs.clear();
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
        let mut grid = Lists::default();
        for window in buckets.chunks(per_window) {
            let cell = |b: usize| window.get(b).copied().flatten();
            (1..columns).for_each(|v| grid.push((0..rows).filter_map(|u| cell(u * columns + v))));
            (1..rows).for_each(|u| grid.push((0..columns).filter_map(|v| cell(u * columns + v))));
        }
        let sums = self.sum(bases, &mut grid);
        let mut bits = Lists::default();
        for window in sums.chunks(columns - 1 + rows - 1) {
            let (of_columns, of_rows) = window.split_at(columns - 1);
            let with = |line: &[Option<Ref>], bit: usize| -> Vec<Ref> {
                line.iter()
                    .zip(1_usize..)
                    .filter(|(_, n)| n >> bit & 1 == 1)
                    .filter_map(|(r, _)| *r)
                    .collect()
            };
            (0..low).for_each(|bit| bits.push(with(of_columns, bit).into_iter()));
            (0..c - low).for_each(|bit| bits.push(with(of_rows, bit).into_iter()));
        }
        let sums = self.sum(bases, &mut bits);
        let mut total = Projective::ZERO;
        for sum in sums.iter().rev() {
            total.double_in_place();
            if let Some(r) = sum {
                total += self.export(bases, *r);
            }
        }
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
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn list(&self, l: usize) -> &[Ref] {
        &self.refs[self.start(l)..self.ends[l] as usize]
    }

    fn start(&self, l: usize) -> usize {
        if l == 0 { 0 } else { self.ends[l - 1] as usize }
    }

    /// Overwrites what is held.
    pub fn wipe(&mut self) {
        self.ends.zeroize();
        self.refs.clear();
        self.refs.resize(self.refs.capacity(), Ref::default());
        core::hint::black_box(&mut self.refs);
    }

    pub fn push(&mut self, list: impl Iterator<Item = Ref>) {
        self.refs.extend(list);
        self.ends.push(self.refs.len() as u32);
    }
}
