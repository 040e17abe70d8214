//! Sums over many fixed points, without tables: what a proving key of 2^14 points and more asks for.
//!
//! ```text
//!   scalars -> short ones (one digit), long ones -> for each window: buckets in groups -> weighted sum -> doublings
//! ```
//! A table of a point's multiples saves the buckets' weighted sums of all windows but one, which for 2^16 points and more are below a tenth of the
//! additions, and takes 17 times the memory: so there is none. Points are kept in the form in which they are added.
//!
//! (notes: curve-bases)

use core::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};
use field::parallel;
use zeroize::{Zeroize, Zeroizing};

use super::digits::{Recoding, Words};
use super::fixed::bits;
use super::lists::{GROUP, Lists, Work, place, reserve, resize, wipe};
use super::variable::best_window;
use super::{Adder, Curve, Ref, Single, Tier};
use crate::{Invalid, points};

/// Scalars below it, or above the order less it, have one digit in every recoding.
const SHORT: u64 = 7;

/// Points of one curve, in the form in which this machine adds them fastest.
pub struct Bases<C: Curve> {
    /// Flags of the points that are not the identity. (Multiples of the identity are left out of the sums.)
    live: Vec<bool>,
    points: Points<C>,
}

enum Points<C: Curve> {
    Vector(Vec<<C::Vector as Adder>::Point>),
    Middle(Vec<<C::Middle as Adder>::Point>),
    Single(Vec<Affine<C>>),
}

/// The digits of a sum's scalars. Overwritten when dropped.
struct Digits {
    recoding: Recoding,
    /// A digit of the first window and the number of its point.
    short: Zeroizing<Vec<(i32, u32)>>,
    /// The numbers of the points of `lifted`.
    long: Vec<u32>,
    lifted: Zeroizing<Vec<Words>>,
}

impl<C: Curve> Bases<C> {
    /// These points, of the subgroup. Cost: a product for each coordinate.
    #[must_use]
    pub fn new(points: &[Affine<C>]) -> Self {
        Self::on(points, Tier::best::<C>())
    }

    /// These points for these lanes.
    ///
    /// # Panics
    /// If the machine does not have the instructions, or there are 2^30 points.
    #[must_use]
    pub fn on(points: &[Affine<C>], tier: Tier) -> Self {
        assert!(tier.available::<C>(), "instructions that this CPU does not have");
        assert!(points.len() < 1 << 30, "too many points");
        let live = points.iter().map(|p| !p.is_zero()).collect();
        let points = match tier {
            Tier::Avx512Ifma => Points::Vector(import::<C::Vector>(points)),
            Tier::Avx2 => Points::Middle(import::<C::Middle>(points)),
            Tier::Portable => Points::Single(points.to_vec()),
        };
        Self { live, points }
    }

    /// The points of bytes, as [`points::write`] writes them, if `accept` takes all of them; it is asked about some at a time. Of points that are accepted outside the
    /// subgroup sums can be wrong.
    ///
    /// Cost: two products for each coordinate, and one check of the curve's equation for each point, on all threads of the current pool; memory beside the points themselves
    /// for a few hundred of them.
    ///
    /// # Errors
    /// If the bytes are not a whole number of points of the curve, or one is not accepted.
    pub fn read(bytes: &[u8], accept: impl Fn(&[Affine<C>]) -> bool + Sync) -> Result<Self, Invalid> {
        Self::read_on(bytes, accept, Tier::best::<C>())
    }

    pub(crate) fn read_on(
        bytes: &[u8],
        accept: impl Fn(&[Affine<C>]) -> bool + Sync,
        tier: Tier,
    ) -> Result<Self, Invalid> {
        let size = points::size::<C>();
        if !bytes.len().is_multiple_of(size) || bytes.len() / size >= 1 << 30 {
            return Err(Invalid("a piece of a point, or too many points"));
        }
        let mut live = vec![false; bytes.len() / size];
        let points = match tier {
            Tier::Avx512Ifma => Points::Vector(read::<C::Vector>(bytes, &mut live, accept)?),
            Tier::Avx2 => Points::Middle(read::<C::Middle>(bytes, &mut live, accept)?),
            Tier::Portable => Points::Single(read::<Single<C>>(bytes, &mut live, accept)?),
        };
        Ok(Self { live, points })
    }

    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Returns true if there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The memory of the points, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.points {
            Points::Vector(p) => size_of_val(p.as_slice()),
            Points::Middle(p) => size_of_val(p.as_slice()),
            Points::Single(p) => size_of_val(p.as_slice()),
        }
    }

    /// A point in the common form.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn point(&self, i: usize) -> Affine<C> {
        match &self.points {
            _ if !self.live[i] => Affine::zero(),
            Points::Vector(p) => C::Vector::export(&p[i]),
            Points::Middle(p) => C::Middle::export(&p[i]),
            Points::Single(p) => p[i],
        }
    }

    /// `sum k_i P_i`. Not constant time; what it leaves in memory is overwritten.
    ///
    /// Cost: an addition for each digit that is not zero, and for each window `2^c`: so a boolean takes one addition or none. On
    /// all threads of the current pool.
    ///
    /// # Panics
    /// If there are not as many scalars as points.
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        assert_eq!(scalars.len(), self.len(), "as many scalars as points");
        self.total(&Digits::new::<C>(scalars, &self.live))
    }

    /// `sum k_i P_i` of numbers below `2^bits`, 3 to 15 bits: an addition for each, on this thread. Not constant time.
    ///
    /// # Panics
    /// If there are not as many numbers as points.
    pub(crate) fn sum_of_digits(&self, numbers: &[u16], bits: usize) -> Projective<C> {
        assert_eq!(numbers.len(), self.len(), "as many numbers as points");
        let short = (0..).zip(numbers).filter(|(i, k)| **k != 0 && self.live[*i as usize]);
        let short: Vec<(i32, u32)> = short.map(|(i, k)| (i32::from(*k), i)).collect();
        let (long, lifted) = (Vec::new(), Zeroizing::default());
        self.total(&Digits { recoding: Recoding::new(bits + 1, bits), short: short.into(), long, lifted })
    }

    fn total(&self, digits: &Digits) -> Projective<C> {
        match &self.points {
            Points::Vector(p) => total::<C::Vector>(p, digits),
            Points::Middle(p) => total::<C::Middle>(p, digits),
            Points::Single(p) => total::<Single<C>>(p, digits),
        }
    }
}

/// Points for an adder, in parallel.
fn import<A: Adder>(points: &[Affine<A::Curve>]) -> Vec<A::Point> {
    parallel::map(points.chunks(1 << 12), |chunk| A::import(chunk)).concat()
}

/// Points for an adder, of bytes, in parallel, and flags of those that are not the identity.
fn read<A: Adder>(
    bytes: &[u8],
    live: &mut [bool],
    accept: impl Fn(&[Affine<A::Curve>]) -> bool + Sync,
) -> Result<Vec<A::Point>, Invalid> {
    // So many points, in every form, stay in a core's cache.
    const CHUNK: usize = 512;
    let mut all = vec![A::import(&[Affine::zero()])[0]; live.len()];
    let pieces = bytes.chunks(CHUNK * points::size::<A::Curve>());
    let tasks = all.chunks_mut(CHUNK).zip(live.chunks_mut(CHUNK)).zip(pieces);
    let read = parallel::map(tasks, |((all, live), bytes)| {
        let points = points::some::<A::Curve>(bytes)?;
        if !accept(&points) {
            return Err(Invalid("a point outside the subgroup"));
        }
        live.iter_mut().zip(&points).for_each(|(live, p)| *live = !p.is_zero());
        all.copy_from_slice(&A::import(&points));
        Ok(())
    });
    read.into_iter().collect::<Result<(), _>>()?;
    Ok(all)
}

impl Digits {
    fn new<C: Curve>(scalars: &[C::ScalarField], live: &[bool]) -> Self {
        let (mut short, mut long) = (Vec::with_capacity(scalars.len()), Vec::with_capacity(scalars.len()));
        let mut numbers = Zeroizing::new(vec![[0; 6]; scalars.len()]);
        parallel::for_each(numbers.chunks_mut(1 << 10).zip(scalars.chunks(1 << 10)), |(numbers, scalars)| {
            for (number, k) in numbers.iter_mut().zip(scalars) {
                if !k.is_zero() {
                    number[..4].copy_from_slice(k.into_bigint().as_ref());
                }
            }
        });
        for (i, number) in numbers.iter().enumerate().filter(|(i, _)| live[*i]) {
            match short_digit::<C>(number) {
                Some(0) => {}
                Some(digit) => short.push((digit, i as u32)),
                None => long.push(i as u32),
            }
        }
        let bits = bits::<C>();
        let recoding = Recoding::new(best_window(long.len(), bits), bits);
        let mut lifted = Zeroizing::new(vec![[0; 6]; long.len()]);
        parallel::for_each(lifted.chunks_mut(1 << 10).zip(long.chunks(1 << 10)), |(lifted, at)| {
            for (lifted, i) in lifted.iter_mut().zip(at) {
                *lifted = recoding.lift(&numbers[*i as usize][..4]);
            }
        });
        Self { recoding, short: short.into(), long, lifted }
    }

    /// Makes the lists of the points of each bucket of window `j`, the first that of digit 1.
    fn sort<A: Adder>(&self, j: usize, scratch: &mut Scratch<A>) {
        let Scratch { digits, lists, .. } = scratch;
        lists.ends.clear();
        resize(&mut lists.ends, (1 << (self.recoding.c - 1)) + 1, 0);
        digits.clear();
        reserve(digits, self.long.len(), (0, 0));
        let long = self.lifted.iter().zip(&self.long).map(|(lifted, i)| (self.recoding.digit(lifted, j), *i));
        digits.extend(long.filter(|(digit, _)| *digit != 0));
        let short: &[(i32, u32)] = if j == 0 { &self.short } else { &[] };
        for (digit, _) in digits.iter().chain(short) {
            lists.ends[digit.unsigned_abs() as usize] += 1;
        }
        place(1, &[digits, short], &mut lists.ends, &mut lists.refs);
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.long.zeroize();
    }
}

/// The only digit of a number that is small, or is the order less a small one.
fn short_digit<C: Curve>(number: &Words) -> Option<i32> {
    if number[1..4] == [0; 3] && number[0] <= SHORT {
        return Some(number[0] as i32);
    }
    let mut order = C::ScalarField::MODULUS;
    if number[3] != order.as_ref()[3] {
        return None;
    }
    let mut own = order;
    own.as_mut().copy_from_slice(&number[..4]);
    order.sub_with_borrow(&own);
    let rest = order.as_ref();
    (rest[1..4] == [0; 3] && rest[0] <= SHORT).then(|| -(rest[0] as i32))
}

/// The memory of a thread that sums windows one after another: fresh memory comes from the system a page at a time, and what grows is copied.
struct Scratch<A: Adder> {
    digits: Vec<(i32, u32)>,
    lists: Lists,
    /// The lists of neighbouring buckets that are summed at once.
    group: Lists,
    buckets: Vec<Option<Ref>>,
    work: Work<A>,
}

impl<A: Adder> Default for Scratch<A> {
    fn default() -> Self {
        let (digits, buckets) = (Vec::new(), Vec::new());
        Self { digits, lists: Lists::default(), group: Lists::default(), buckets, work: Work::default() }
    }
}

impl<A: Adder> Scratch<A> {
    fn wipe(&mut self) {
        wipe(&mut self.digits, (0, 0));
        self.lists.wipe();
        self.group.wipe();
        wipe(&mut self.buckets, None);
        self.work.wipe(A::import(&[Affine::zero()])[0]);
    }
}

/// The windows' sums, each by the thread that is free, and their weighted sum.
fn total<A: Adder>(bases: &[A::Point], digits: &Digits) -> Projective<A::Curve> {
    if digits.long.is_empty() && digits.short.is_empty() {
        return Projective::ZERO;
    }
    let c = digits.recoding.c;
    let windows = if digits.long.is_empty() { 1 } else { digits.recoding.windows };
    let next = AtomicUsize::new(0);
    let some = |_| {
        let mut scratch = Scratch::<A>::default();
        let mut sums = Vec::new();
        loop {
            let j = next.fetch_add(1, Ordering::Relaxed);
            if j >= windows {
                break;
            }
            digits.sort(j, &mut scratch);
            sums.push((j, window(bases, &mut scratch, c)));
        }
        scratch.wipe();
        sums
    };
    let mut sums = parallel::map(0..parallel::threads().min(windows), some).concat();
    sums.sort_unstable_by_key(|(j, _)| *j);
    sums.iter().rev().fold(Projective::ZERO, |mut total, (_, sum)| {
        (0..c).for_each(|_| {
            total.double_in_place();
        });
        total + sum
    })
}

/// The weighted sum of a window's buckets, which are summed in groups of neighbours.
fn window<A: Adder>(bases: &[A::Point], scratch: &mut Scratch<A>, c: usize) -> Projective<A::Curve> {
    let Scratch { lists: all, group, buckets, work, .. } = scratch;
    buckets.clear();
    resize(buckets, all.len() + 1, None);
    work.clear();
    let longest = (0..all.len()).map(|l| all.ends[l] as usize - all.start(l)).max().unwrap_or(0);
    // The buckets' sums, those of rows and columns, and those of a group.
    work.reserve(3 * all.len() + longest.max(GROUP), bases[0]);
    work.sum_in_groups(bases, all, group, &mut buckets[1..]);
    work.weigh(bases, buckets, c)
}
