//! A memory checked by two products. (notes: snark-memory)
//!
//! Source: Blum, Evans, Gemmell, Kannan, Naor, "Checking the correctness of memories", 1994, with products for the multisets.
//!
//! A cell is a tuple of lanes, of which the first ones name it and the others are its content, with the time of its last access. An access takes the tuple
//! that is there out and puts another one in, with the same name and the access's own time. If what was there before all accesses
//! and everything put in is, as a multiset, everything taken out and what is there after them, then each access takes what the last one before it
//! put: names are different before, times of accesses are different, and each access takes an older time than its own.
//!
//! A multiset is the product of `γ + time + Σ α^(i+1) lane_i`, which is right but with probability `(lanes + 1) tuples / |F|` if everything
//! but `α` and `γ` was fixed before these were drawn.

use curve::PrimeField;

use super::boolean::number;
use crate::r1cs::{Builder, LinearCombination};

/// The factor of a tuple in a product.
#[must_use]
pub fn factor<F: PrimeField>([alpha, gamma]: [F; 2], lanes: &[F], time: F) -> F {
    gamma + time + lanes.iter().rev().fold(F::ZERO, |sum, lane| (sum + lane) * alpha)
}

/// One access: the lanes that it finds, and what it adds to some of them.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a, F> {
    /// The lanes found.
    pub lanes: &'a [LinearCombination<F>],
    /// By lane, what is added to it.
    pub changes: &'a [(usize, &'a LinearCombination<F>)],
    /// The access's own time, at least 1; different for each access.
    pub time: u64,
}

/// The factors of an access: those of the tuple that it takes out, and of the one that it puts in.
#[derive(Clone, Debug)]
#[must_use = "an access counts once its factors are multiplied"]
pub struct Factors<F> {
    taken: LinearCombination<F>,
    put: LinearCombination<F>,
}

/// The products of a memory, access by access.
#[derive(Debug)]
pub struct Memory<F> {
    gamma: LinearCombination<F>,
    /// `α, α², ...`
    powers: Vec<LinearCombination<F>>,
    taken: LinearCombination<F>,
    put: LinearCombination<F>,
}

impl<F: PrimeField> Memory<F> {
    /// A memory with the challenges `α` and `γ`: one constraint less than a tuple has lanes.
    ///
    /// `ends` are the products of the tuples before all accesses and after them, which whoever verifies computes.
    pub fn new(
        builder: &mut Builder<F>,
        [alpha, gamma]: [&LinearCombination<F>; 2],
        [before, after]: [LinearCombination<F>; 2],
        lanes: usize,
    ) -> Self {
        let mut powers = vec![alpha.clone()];
        while powers.len() < lanes {
            let next = builder.multiply("memory: power", &powers[powers.len() - 1], alpha);
            powers.push(next);
        }
        Self { gamma: gamma.clone(), powers, taken: after, put: before }
    }

    /// One access: a constraint for each lane and for each change that is no constant, and as many as times have bits.
    ///
    /// Returns the time between this access and the one before it, less 1, which is a number of `time_bits` bits, and what [`Self::multiply`] takes.
    ///
    /// # Panics
    /// If there are more lanes than the memory has.
    pub fn access(
        &self,
        builder: &mut Builder<F>,
        access: Access<'_, F>,
        time_bits: usize,
        found: impl FnOnce() -> F,
    ) -> (LinearCombination<F>, Factors<F>) {
        assert!(access.lanes.len() <= self.powers.len(), "more lanes than the memory has");
        let mut before = LinearCombination::zero();
        for (i, lane) in access.lanes.iter().enumerate() {
            before += &self.lane(builder, i, lane);
        }
        let mut after = before.clone();
        for &(i, change) in access.changes {
            after += &self.lane(builder, i, change);
        }
        self.exchange(builder, [&before, &after], (access.time, time_bits), found)
    }

    /// The summand of a lane in the factor of a tuple, `α^(i+1) x`: one constraint unless `x` is a constant.
    ///
    /// # Panics
    /// If the memory has no lane `i`.
    pub fn lane(&self, builder: &mut Builder<F>, i: usize, x: &LinearCombination<F>) -> LinearCombination<F> {
        scaled(builder, &self.powers[i], x)
    }

    /// One access to a tuple whose lanes give the sum `before` and then the sum `after` of their [`Self::lane`]s: as many constraints as times have bits.
    ///
    /// Both sums have to be functions of cells that were fixed before the challenges, and name the same cell. `time` is the access's own, as in [`Access`], and
    /// the number of bits of the first result; both are those of [`Self::access`].
    pub fn exchange(
        &self,
        builder: &mut Builder<F>,
        [before, after]: [&LinearCombination<F>; 2],
        (time, time_bits): (u64, usize),
        found: impl FnOnce() -> F,
    ) -> (LinearCombination<F>, Factors<F>) {
        let last = F::from(time - 1);
        let (gap, _) = number(builder, "memory: time", time_bits, || last - found());
        let taken = &(&(&self.gamma + before) + &LinearCombination::constant(last)) - &gap;
        let put = &(&self.gamma + after) + &LinearCombination::constant(F::from(time));
        (gap, Factors { taken, put })
    }

    /// Multiplies the products by the factors of an access: two constraints.
    ///
    /// An access counts if this is called for it, once.
    pub fn multiply(&mut self, builder: &mut Builder<F>, factors: &Factors<F>) {
        self.taken = builder.multiply("memory: taken", &factors.taken, &self.taken);
        self.put = builder.multiply("memory: put", &factors.put, &self.put);
    }

    /// A cell of which the circuit knows what was there before all accesses and what is there after them: two constraints.
    ///
    /// Both are sums of [`Self::lane`]s, of which the second has the time of the last access added; they name the same cell, and no other pair names it. Where
    /// `present` is 0 there is no such cell, for two constraints more.
    pub fn include(
        &mut self,
        builder: &mut Builder<F>,
        [before, after]: [&LinearCombination<F>; 2],
        present: &LinearCombination<F>,
    ) {
        let one = LinearCombination::one();
        let mut factor = |sum: &LinearCombination<F>| {
            let tuple = &self.gamma + sum;
            match present.as_constant() {
                Some(present) => &one + &(&(&tuple - &one) * present),
                None => &one + &builder.multiply("memory: present", present, &(&tuple - &one)),
            }
        };
        let [before, after] = [factor(before), factor(after)];
        self.put = builder.multiply("memory: before", &self.put, &before);
        self.taken = builder.multiply("memory: after", &self.taken, &after);
    }

    /// Enforces that the multisets are equal: one constraint.
    pub fn finish(self, builder: &mut Builder<F>) {
        builder.enforce_equal("memory: products", &self.taken, &self.put);
    }
}

fn scaled<F: PrimeField>(
    builder: &mut Builder<F>,
    power: &LinearCombination<F>,
    lane: &LinearCombination<F>,
) -> LinearCombination<F> {
    match lane.as_constant() {
        Some(constant) => power * constant,
        None => builder.multiply("memory: lane", lane, power),
    }
}
