//! How threads share a sum over fixed points: groups of neighbouring buckets, which they take one after another.
//!
//! ```text
//!   some of the terms for each thread          ->  their digits, those of a group of buckets together
//!   the next group, for a thread that is free  ->  the sum of each of its buckets
//!   all buckets that a thread has summed       ->  their weighted sum
//! ```
//! What follows the buckets' sums has many short rounds, each with an inversion: so it is done once for a thread, not once for a group.

use core::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::short_weierstrass::Projective;
use ark_ff::AdditiveGroup;
use field::parallel;

use super::digits::Recoding;
use super::fixed::{FixedBase, Table};
use super::lists::{Lists, Work, place, reserve, resize};
use super::scratch::{Digits, Share};
use super::{Adder, Curve, Ref};

/// The most digits of a group, where there is a choice: their sums stay in a core's cache.
const MOST: usize = 8192;

/// The fewest digits of one of several groups: of fewer, rounds would be too short for their inversions.
const LEAST: usize = 4096;

/// The most groups.
const GROUPS: usize = 1024;

impl<C: Curve> FixedBase<C> {
    /// The sum of so many terms, on so many threads.
    pub(super) fn run<'a>(
        &self,
        count: usize,
        threads: usize,
        term: impl Fn(usize) -> (usize, &'a C::ScalarField) + Sync,
    ) -> Projective<C> {
        let sizes = sizes(count * self.row, threads);
        let threads = threads.min(sizes.len());
        let groups = Groups::new(&self.recoding, count * (self.row / self.recoding.windows), sizes);
        self.kept.digits.lend(|digits| {
            digits.resize_with(threads.max(digits.len()), Digits::default);
            let digits = &mut digits[..threads];
            let cut = |(i, digits): (usize, &mut Digits)| {
                self.cut(digits, &groups, (count * i / threads..count * (i + 1) / threads).map(&term));
            };
            let next = AtomicUsize::new(0);
            if let [all] = digits {
                cut((0, all));
                return self.share(digits, &groups, &next);
            }
            parallel::for_each(digits.iter_mut().enumerate(), cut);
            let shares = parallel::map(0..threads, |_| self.share(digits, &groups, &next));
            shares.into_iter().sum()
        })
    }

    /// The digits of some terms, those of each group together.
    fn cut<'a>(
        &self,
        Digits(lists): &mut Digits,
        groups: &Groups,
        terms: impl ExactSizeIterator<Item = (usize, &'a C::ScalarField)>,
    ) {
        lists.resize_with(groups.len().max(lists.len()), Vec::new);
        let all = terms.len() * self.row;
        for (list, size) in lists.iter_mut().zip(&groups.sizes) {
            // Groups have not quite as many as they should.
            let expected = all * size / groups.digits + 16;
            list.clear();
            reserve(list, expected + expected / 8, (0, 0));
        }
        for (i, k) in terms {
            self.each_digit(i, k, |digit, at| {
                if digit != 0 {
                    let list = &mut lists[usize::from(groups.owners[digit.unsigned_abs() as usize])];
                    if list.len() == list.capacity() {
                        let count = 2 * list.len();
                        reserve(list, count, (0, 0));
                    }
                    list.push((digit, at as u32));
                }
            });
        }
    }

    /// The part of a sum that is of the groups which nobody else takes.
    fn share(&self, digits: &[Digits], groups: &Groups, next: &AtomicUsize) -> Projective<C> {
        // Who comes late finds nothing to do.
        if next.load(Ordering::Relaxed) >= groups.len() {
            return Projective::ZERO;
        }
        let take = |lists: &mut Lists| {
            let group = next.fetch_add(1, Ordering::Relaxed);
            let first = *groups.starts[..groups.len()].get(group)?;
            let those: Vec<&[(i32, u32)]> = digits.iter().map(|digits| &digits.0[group][..]).collect();
            sort([first, groups.starts[group + 1]], &those, lists);
            Some(first)
        };
        let c = self.recoding.c;
        self.kept.shares.lend(|Share { lists, buckets, vector, middle, single }| {
            buckets.clear();
            resize(buckets, (1 << (c - 1)) + 1, None);
            let memory = (lists, &mut buckets[..]);
            match &self.table {
                Table::Vector(t) => gather(vector, memory, t, c, take),
                Table::Middle(t) => gather(middle, memory, t, c, take),
                Table::Single(t) => gather(single, memory, t, c, take),
            }
        })
    }
}

/// The weighted sum of the buckets that `take` puts into lists: some neighbours, the first of them, until there are none.
fn gather<A: Adder>(
    work: &mut Work<A>,
    (lists, buckets): (&mut Lists, &mut [Option<Ref>]),
    bases: &[A::Point],
    c: usize,
    take: impl Fn(&mut Lists) -> Option<usize>,
) -> Projective<A::Curve> {
    work.clear();
    while let Some(first) = take(lists) {
        let count = lists.len();
        work.sum_and_keep(bases, lists, &[], &mut buckets[first..first + count]);
    }
    work.weigh(bases, buckets, c)
}

/// Lists of the table's points, one for each of some neighbouring buckets: a counting sort.
fn sort([first, end]: [usize; 2], digits: &[&[(i32, u32)]], lists: &mut Lists) {
    let Lists { ends, refs } = lists;
    ends.clear();
    resize(ends, end - first + 1, 0);
    for (digit, _) in digits.iter().copied().flatten() {
        ends[digit.unsigned_abs() as usize - first + 1] += 1;
    }
    place(first, digits, ends, refs);
}

/// The digits of each group, the largest group first: of several threads each takes half of its share in large ones, so that a slower one
/// leaves the last to the others.
pub(super) fn sizes(digits: usize, threads: usize) -> Vec<usize> {
    let (mut sizes, mut rest) = (Vec::new(), digits);
    let most = MOST.max(digits / GROUPS);
    let mut push = |count: usize, size: usize| {
        sizes.extend(core::iter::repeat_n(size, count));
    };
    while threads > 1 && rest > 2 * threads * LEAST.max(most / 2) {
        let size = (rest / (2 * threads)).min(most);
        push(threads, size);
        rest -= size * threads;
    }
    let last = if threads == 1 { rest.div_ceil(most) } else { (rest / LEAST).min(threads) }.max(1);
    push(last, rest.div_ceil(last));
    sizes
}

/// The buckets of each group.
pub(super) struct Groups {
    /// The digits of each, about.
    sizes: Vec<usize>,
    /// The digits of all.
    digits: usize,
    /// The group of each bucket.
    owners: Vec<u16>,
    /// The first bucket of each, and the end of the last.
    starts: Vec<usize>,
}

impl Groups {
    /// Groups for sums of so many numbers whose parts of the additions are as these sizes: an addition for each digit and one for the
    /// bucket. Digits are anywhere but for the highest, which is short.
    pub(super) fn new(recoding: &Recoding, numbers: usize, sizes: Vec<usize>) -> Self {
        let Recoding { c, windows, top, .. } = *recoding;
        let buckets = 1 << (c - 1);
        // Numbers are below two thirds, or a little more, of what so many bits hold.
        let high = ((2 << top) / 3).max(1);
        let short = |b: usize| if b <= high { buckets / high } else { 0 };
        // In parts of an addition, of which there are as many as buckets.
        let cost = |b: usize| (numbers as u64) * (windows - 1 + short(b)) as u64 + buckets as u64;
        let total = u128::from((1..=buckets).map(cost).sum::<u64>());
        let digits = sizes.iter().sum::<usize>().max(1);
        let (mut sum, mut group, mut until) = (0, 0, sizes[0] as u128);
        let mut owners = vec![0; buckets + 1];
        let mut starts = vec![1];
        for (b, owner) in owners.iter_mut().enumerate().skip(1) {
            *owner = group as u16;
            sum += u128::from(cost(b));
            while group + 1 < sizes.len() && sum * digits as u128 >= until * total {
                group += 1;
                until += sizes[group] as u128;
                starts.push(b + 1);
            }
        }
        starts.resize(sizes.len() + 1, buckets + 1);
        Self { sizes, digits, owners, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The group of a digit that is not 0.
    #[cfg(test)]
    pub(super) fn of(&self, digit: i32) -> usize {
        usize::from(self.owners[digit.unsigned_abs() as usize])
    }
}
