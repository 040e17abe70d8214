//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)
//!
//! A layout is a path of stages; time and size add up along it, so the cheapest path for a given price of a byte
//! is found by dynamic programming over (variables left, rate of the last stage). A few prices give candidates;
//! the profile picks one by `time * size^weight`. Every candidate's bits are recomputed by the security report.

mod chain;
mod model;

use super::params::{InnerKind, Params};
use crate::fields::Fields;
use crate::weighted::has_room;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use model::{Cost, Model};

/// What the user wants of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Size weighs 1.3 times as much as time (in orders of magnitude).
    Fast,
    /// Size weighs twelve times as much as time, within about three times the fast profile's work.
    Small,
}

/// What to find parameters for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Data and challenge fields.
    pub fields: Fields,
    /// Hash of trees and transcript.
    pub hash: Hash,
    /// log2 of the number of entries.
    pub log_size: u32,
    /// Number of polynomials.
    pub polynomials: u32,
    /// The most linear forms of one opening.
    pub max_forms: u32,
    /// Openings that stay hidden (0: none).
    pub hidden_openings: u32,
    /// Proven bits to reach.
    pub bits: u32,
    /// The trade between time and size.
    pub profile: Profile,
    /// Fixes the rate of the commitment (log2 of its inverse).
    pub log_inv_rate: Option<u32>,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson.
    pub unique_decoding: Option<bool>,
    /// The inner argument; two chains are for one form of one polynomial in unique decoding.
    pub inner: InnerKind,
}

impl Wanted {
    /// One polynomial, BLAKE3, up to 16 forms, no hiding.
    pub fn new(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> Self {
        let (hash, polynomials, max_forms, hidden_openings) = (Hash::Blake3, 1, 16, 0);
        let (log_inv_rate, unique_decoding, inner) = (None, None, InnerKind::Recursion);
        Self {
            fields,
            hash,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            bits,
            profile,
            log_inv_rate,
            unique_decoding,
            inner,
        }
    }
}

/// Multiplicities tried, finest first: a finer one needs fewer queries and a larger field. Even, and from 6 on: the
/// bound on lines takes half of them, and at least 3.
const MULTIPLICITIES: [u32; 8] = [100, 50, 30, 20, 14, 10, 8, 6];
/// Prices of a byte that are tried, in units of 100 ns: they span the trade from all time to all size.
const PRICES: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 70.0, 100.0];
/// What the small profile may spend, in units of the fast profile's predicted time.
const SMALL_BUDGET: f64 = 3.0;
/// The cheapest parameters that prove `wanted.bits`.
pub fn find(wanted: &Wanted) -> Result<Params, ParamError> {
    find_among(&[wanted.fields], wanted)
}

/// The cheapest parameters over one of several challenge fields; `wanted.fields` does not count.
pub fn find_among(fields: &[Fields], wanted: &Wanted) -> Result<Params, ParamError> {
    let over = |&fields: &Fields| within_budget(&Wanted { fields, ..wanted.clone() });
    let found = fields.iter().filter_map(over).min_by(|a, b| wanted.score(a.1).total_cmp(&wanted.score(b.1)));
    found.map(|(params, _)| params).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|f| f.name()).collect();
        ParamError(format!(
            "no layout of 2^{} entries over {} proves {} bits: take a larger challenge field or fewer bits",
            wanted.log_size,
            names.join(" or "),
            wanted.bits
        ))
    })
}

/// The best layout; a small proof may cost a few times what a fast one does, and is the fast one if none costs less.
fn within_budget(wanted: &Wanted) -> Option<(Params, Cost)> {
    let fast = best(&Wanted { profile: Profile::Fast, ..wanted.clone() }, None)?;
    match wanted.profile {
        Profile::Fast => Some(fast),
        Profile::Small => best(wanted, Some(SMALL_BUDGET * fast.1.time)).or(Some(fast)),
    }
}

/// The best layout by the profile's score, within a budget of predicted time.
fn best(wanted: &Wanted, budget: Option<f64>) -> Option<(Params, Cost)> {
    let mut best: Option<(f64, Params, Cost)> = None;
    let policy = Policy { min_bits: wanted.bits };
    for (regime, slack) in regimes(wanted).into_iter().flat_map(|r| [(r, 1.2), (r, 2.5)]) {
        let model = Model::new(wanted, regime, f64::from(wanted.bits) + slack);
        for price in PRICES {
            let Some((params, cost)) = model.cheapest(price) else { continue };
            let score = wanted.score(cost);
            let better = best.as_ref().is_none_or(|(s, ..)| score < *s);
            let affordable = budget.is_none_or(|budget| cost.time <= budget);
            // What is found also proves weighted sums at these bits.
            if better && affordable && params.validate(&policy).is_ok() && has_room(&params, &policy) {
                best = Some((score, params, cost));
            }
        }
    }
    best.map(|(_, params, cost)| (params, cost))
}

impl Wanted {
    fn score(&self, cost: Cost) -> f64 {
        let weight = if self.profile == Profile::Fast { 1.3 } else { 12.0 };
        cost.time.ln() + weight * cost.bytes.ln()
    }
}

fn regimes(wanted: &Wanted) -> Vec<Regime> {
    let johnson = MULTIPLICITIES.map(|multiplicity| Regime::Johnson { multiplicity });
    let needs_it = wanted.hidden_openings > 0 || wanted.inner == InnerKind::TwoChains;
    let unique = wanted.unique_decoding.unwrap_or(needs_it);
    let mut regimes = if unique { Vec::new() } else { johnson.to_vec() };
    if unique || wanted.unique_decoding.is_none() {
        regimes.push(Regime::UniqueDecoding);
    }
    regimes
}
