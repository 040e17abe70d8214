//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)

mod found;
mod front;

pub use front::pareto;

use super::fields::Fields;
use super::params::Params;
use super::ring_switching::Entries;
use crate::matrix::RoundParams;
use crate::matrix::search::{
    Aim, Cost, CostTable, Job, Layered, Model, Trade, nothing_found, regimes, trimmed,
};
pub use crate::matrix::search::{Candidate, Profile};
use crate::weighted::{Facts, has_room};
use field::parallel;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Policy, Regime, Report, Theorems};

/// What to find parameters for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTarget {
    /// The fields of data and challenges.
    pub fields: Fields,
    /// Hash of trees and transcript.
    pub hash: Hash,
    /// What the entries of the data are.
    pub entries: Entries,
    /// log2 of the number of entries of the alphabet.
    pub log_size: u32,
    /// Number of polynomials.
    pub polynomials: u32,
    /// The most linear forms of one opening.
    pub max_forms: u32,
    /// Openings that stay hidden (0: none).
    pub hidden_openings: u32,
    /// Proven bits to reach, under each of the theorems.
    pub bits: u32,
    /// The theorems on lines beyond unique decoding.
    pub theorems: Theorems,
    /// The trade between time and size.
    pub profile: Profile,
    /// The predicted time that a small proof may take.
    pub budget: Budget,
    /// Fixes the rate of the commitment (log2 of its inverse).
    pub log_inv_rate: Option<u32>,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson.
    pub unique_decoding: Option<bool>,
}

/// The predicted time that a small proof may take, to commit and to open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// So many times that of the fastest layout in the regimes and at the rates that are tried.
    Fastest(f64),
    /// So many times that of a fast proof by unique decoding at rate 1/2.
    Fast(f64),
}

impl SearchTarget {
    /// One polynomial, BLAKE3, up to 16 forms, no hiding.
    pub fn new(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> Self {
        Self {
            fields,
            hash: Hash::Blake3,
            entries: Entries::Whole,
            log_size,
            polynomials: 1,
            max_forms: 16,
            hidden_openings: 0,
            bits,
            theorems: Theorems::DEFAULT,
            profile,
            budget: Budget::Fastest(TRADE.budget),
            log_inv_rate: None,
            unique_decoding: None,
        }
    }

    fn policy(&self) -> Policy {
        Policy { theorems: self.theorems, ..Policy::at_least(self.bits) }
    }

    pub(crate) fn job(&self, profile: Profile, regime: Regime, aim: Aim) -> Job {
        Job {
            log_size: self.log_size,
            polynomials: self.polynomials,
            hidden_openings: self.hidden_openings,
            field_bits: self.fields.bits(),
            degree: self.fields.degree() as u32,
            bytes: self.fields.bytes(),
            base_bytes: self.fields.base_bytes(),
            prices: prices(self.fields),
            regime,
            theorems: self.theorems,
            target: f64::from(self.bits) + aim.queries,
            fold_slack: aim.folds,
            rates: self.log_inv_rate.map_or(RATES, |r| r..=r),
            grindings: match profile {
                Profile::Fast => profile.grindings(),
                Profile::Small => self.grindings(),
            },
        }
    }

    /// The regimes tried: unique decoding alone, the Johnson ones alone, or all.
    fn regimes(&self) -> Vec<Regime> {
        let mut regimes = regimes(self.unique_decoding.or((self.hidden_openings > 0).then_some(true)));
        if regimes.iter().any(|&regime| regime != Regime::UniqueDecoding) {
            regimes.extend(MULTIPLICITIES.map(|multiplicity| Regime::Johnson { multiplicity }));
        }
        regimes
    }

    /// The same data in a fast proof by unique decoding at rate 1/2.
    fn fast(&self) -> Self {
        let (log_inv_rate, unique_decoding) = (Some(1), Some(true));
        Self { profile: Profile::Fast, log_inv_rate, unique_decoding, ..self.clone() }
    }

    /// Bits of work before positions that are tried for a small proof: beside so fast a code, what more work saves in queries is
    /// worth its time where data are large.
    fn grindings(&self) -> &'static [u32] {
        match self.log_size + self.fields.base_bytes().trailing_zeros() {
            0..22 => &[12, 15],
            22..24 => &[15],
            _ => &[15, 17, 19],
        }
    }
}

/// Multiplicities tried besides those of every scheme: the finest is for the larger challenge fields, which have bits to spare.
const MULTIPLICITIES: [u32; 1] = [150];

/// log2 of the inverse rates of the commitment that are tried: below 1/4 it costs more than all that comes after it.
const RATES: core::ops::RangeInclusive<u32> = 1..=2;

/// Beside so fast a code, a little size saves much time. The budget counts the fastest layout's time, not the fast profile's: that one
/// gives time for size where data are large, and a budget in its units would let small proofs cost more and more.
/// Work before a fold costs as much as work before positions, so that folds aim little higher.
const TRADE: Trade = Trade {
    fast: 1.3,
    small: 6.0,
    budget: 2.1,
    aims: &[Aim { queries: 1.2, folds: 1.0 }, Aim { queries: 2.5, folds: 1.0 }],
};
/// The price of a byte, in units of 100 ns, for the fastest layout, ...
const FASTEST: f64 = 0.5;
/// ... which is a measure of time only, so that its terms aim no higher than the bits.
const EXACT: Aim = Aim { queries: 0.0, folds: 1.0 };

/// The cheapest parameters that prove `wanted.bits`.
pub fn find(wanted: &SearchTarget) -> Result<Params, ParamError> {
    find_among(core::slice::from_ref(wanted))
}

/// The cheapest parameters for one of several wishes, such as the same bytes over different fields. What is best is
/// decided by the first wish's profile.
pub fn find_among(wanted: &[SearchTarget]) -> Result<Params, ParamError> {
    let nothing = || ParamError("there is nothing to find parameters for".into());
    let first = wanted.first().ok_or_else(nothing)?;
    if let Some(params) = found::known(wanted) {
        return Ok(params);
    }
    found_among(wanted).map(|(params, _)| params).ok_or_else(|| {
        let names: Vec<&str> = wanted.iter().map(|w| w.fields.name()).collect();
        nothing_found(first.log_size, &names, first.bits)
    })
}

/// The search itself.
fn found_among(wanted: &[SearchTarget]) -> Option<(Params, Cost)> {
    let first = wanted.first()?;
    let score = |cost| first.profile.score(TRADE, cost);
    wanted.iter().filter_map(within_budget).min_by(|a, b| score(a.1).total_cmp(&score(b.1)))
}

fn within_budget(wanted: &SearchTarget) -> Option<(Params, Cost)> {
    let policy = wanted.policy();
    let regimes = wanted.regimes();
    let candidates = |wanted: &SearchTarget, profile, regime, aim, prices: &[f64]| -> Vec<(Params, Cost)> {
        let model = Model::new(wanted.job(profile, regime, aim));
        cheapest(&model, wanted, prices)
    };
    let valid = |params: &Params| validate(params, &policy).is_ok();
    let best = |profile: Profile, budget| {
        let candidates = |regime, aim, prices: &[f64]| candidates(wanted, profile, regime, aim, prices);
        profile.best(TRADE, (&regimes, budget), candidates, valid)
    };
    let trimmed = |found| trimmed(found, TRIAL, valid);
    if wanted.profile == Profile::Small {
        let budget = match wanted.budget {
            Budget::Fastest(times) => {
                // To fix a rate that would be tried anyway changes nothing of what is dear.
                let log_inv_rate = wanted.log_inv_rate.filter(|rate| !RATES.contains(rate));
                let free = SearchTarget { log_inv_rate, ..wanted.clone() };
                let of = |&regime| candidates(&free, Profile::Fast, regime, EXACT, &[FASTEST]);
                let fastest: Vec<(Params, Cost)> =
                    parallel::map(regimes.iter(), of).into_iter().flatten().collect();
                times * fastest.into_iter().map(|(_, cost)| cost.time).min_by(f64::total_cmp)?
            }
            Budget::Fast(times) => times * within_budget(&wanted.fast())?.1.time,
        };
        if let Some(small) = best(Profile::Small, Some(budget)) {
            return Some(trimmed(small));
        }
    }
    best(Profile::Fast, None).map(trimmed)
}

/// The report of parameters that also prove weighted sums at these bits.
fn validate(params: &Params, policy: &Policy) -> Result<Report, ParamError> {
    let report = params.validate(policy)?;
    let room = has_room(&Facts::of(&params.layout()), report.clone(), policy);
    if room { Ok(report) } else { Err(ParamError("no room for a weighted sum".into())) }
}

impl Layered for Params {
    fn level(&mut self, i: usize) -> Option<&mut RoundParams> {
        core::iter::once(&mut self.level).chain(&mut self.levels).nth(i)
    }

    fn bytes(&self) -> f64 {
        self.size(1).expected()
    }
}

/// The cheapest parameters when a byte costs so many nanoseconds, times one hundred, for each of these prices.
fn cheapest(model: &Model, wanted: &SearchTarget, prices: &[f64]) -> Vec<(Params, Cost)> {
    let params = |level, levels| Params {
        fields: wanted.fields,
        hash: wanted.hash,
        regime: model.job.regime,
        entries: wanted.entries,
        log_size: wanted.log_size,
        polynomials: wanted.polynomials,
        max_forms: wanted.max_forms,
        hidden_openings: wanted.hidden_openings,
        level,
        levels,
    };
    let layouts = model.layouts(prices).into_iter();
    layouts.map(|(level, levels, cost)| (params(level, levels), cost)).collect()
}

/// Nanoseconds of a trial of a proof of work.
const TRIAL: f64 = 8.0;

/// Measured on one core with AVX-512, GFNI and VPCLMULQDQ. Rows of opened positions come out of one transform over all
/// positions.
fn prices(fields: Fields) -> CostTable {
    let (base, layer, extension, entry, position) = match fields {
        Fields::Gf128 => (1.25, 0.096, 1.0, 35.0, 2.0),
        Fields::Gf192 => (0.4, 0.048, 4.0, 45.0, 3.0),
        Fields::Gf256 => (0.8, 0.096, 5.0, 60.0, 4.0),
    };
    let hash = [0.093, 10.0, TRIAL];
    CostTable { base, layer, memory: [0.0, 3.5], extension, entry, row: 0.0, position, hash }
}
