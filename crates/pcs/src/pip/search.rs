//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)

mod chain;
mod found;
mod front;

pub use front::pareto_among;

use super::params::{Inner, InnerKind, Params};
use crate::fields::Fields;
use crate::matrix::RoundParams;
use crate::matrix::search::{
    Aim, Cost, CostTable, Job, Layered, Model, Trade, nothing_found, regimes, trimmed,
};
pub use crate::matrix::search::{Candidate, Profile};
use crate::weighted::{Facts, has_room};
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Policy, Regime, Report, Theorems};

/// What to find parameters for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTarget {
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
    /// Proven bits to reach, under each of the theorems.
    pub bits: u32,
    /// The theorems on lines beyond unique decoding.
    pub theorems: Theorems,
    /// The trade between time and size.
    pub profile: Profile,
    /// Fixes the rate of the commitment (log2 of its inverse).
    pub log_inv_rate: Option<u32>,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson.
    pub unique_decoding: Option<bool>,
    /// The inner argument; two chains are for one form of one polynomial in unique decoding.
    pub inner: InnerKind,
}

impl SearchTarget {
    /// One polynomial, BLAKE3, up to 16 forms, no hiding.
    pub fn new(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> Self {
        let (hash, polynomials, max_forms, hidden_openings) = (Hash::Blake3, 1, 16, 0);
        let (theorems, log_inv_rate, unique_decoding) = (Theorems::DEFAULT, None, None);
        let inner = InnerKind::Recursion;
        Self {
            fields,
            hash,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            bits,
            theorems,
            profile,
            log_inv_rate,
            unique_decoding,
            inner,
        }
    }
}

/// Work before a fold is what lets a smaller challenge field do: how much of it is best depends on the field, so that more than one
/// aim is tried.
const TRADE: Trade = Trade {
    fast: 1.38,
    small: 12.0,
    budget: 3.0,
    aims: &[
        Aim { queries: 1.2, folds: 1.5 },
        Aim { queries: 2.5, folds: 1.5 },
        Aim { queries: 2.5, folds: 1.0 },
    ],
};

/// The cheapest parameters that prove `wanted.bits`.
pub fn find(wanted: &SearchTarget) -> Result<Params, ParamError> {
    find_among(&[wanted.fields], wanted)
}

/// The cheapest parameters over one of several challenge fields; `wanted.fields` does not count.
///
/// Cost: some ten microseconds for the sizes of the table of common wishes, else up to a second.
pub fn find_among(fields: &[Fields], wanted: &SearchTarget) -> Result<Params, ParamError> {
    if let Some(params) = found::known(fields, wanted) {
        return Ok(params);
    }
    found_among(fields, wanted).map(|(params, _)| params).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|f| f.name()).collect();
        nothing_found(wanted.log_size, &names, wanted.bits)
    })
}

/// The search itself.
pub(super) fn found_among(fields: &[Fields], wanted: &SearchTarget) -> Option<(Params, Cost)> {
    let over = |&fields: &Fields| within_budget(&SearchTarget { fields, ..wanted.clone() });
    let score = |cost| wanted.profile.score(TRADE, cost);
    fields.iter().filter_map(over).min_by(|a, b| score(a.1).total_cmp(&score(b.1)))
}

fn within_budget(wanted: &SearchTarget) -> Option<(Params, Cost)> {
    let needs_it = wanted.hidden_openings > 0 || wanted.inner == InnerKind::TwoChains;
    let regimes = regimes(wanted.unique_decoding.or(needs_it.then_some(true)));
    let policy = wanted.policy();
    let valid = |params: &Params| validate(params, &policy).is_ok();
    wanted.profile.within_budget(TRADE, |profile, budget| {
        let candidates = |regime, aim, prices: &[f64]| {
            let model = Model::new(wanted.job(profile, regime, aim));
            cheapest(&model, wanted, prices)
        };
        let found = profile.best(TRADE, (&regimes, budget), candidates, valid)?;
        Some(trimmed(found, TRIAL, valid))
    })
}

/// The report of parameters that also prove weighted sums at these bits.
fn validate(params: &Params, policy: &Policy) -> Result<Report, ParamError> {
    let report = params.validate(policy)?;
    let room = has_room(&Facts::of(&params.layout()), report.clone(), policy);
    if room { Ok(report) } else { Err(ParamError("no room for a weighted sum".into())) }
}

impl Layered for Params {
    fn level(&mut self, i: usize) -> Option<&mut RoundParams> {
        match (&mut self.inner, i.checked_sub(1)) {
            (_, None) => Some(&mut self.level),
            (Inner::Recursion(levels), Some(i)) => levels.get_mut(i),
            _ => None,
        }
    }

    fn bytes(&self) -> f64 {
        self.size().expected()
    }
}

/// The cheapest parameters when a byte costs so many nanoseconds, times one hundred, for each of these prices.
fn cheapest(model: &Model, wanted: &SearchTarget, prices: &[f64]) -> Vec<(Params, Cost)> {
    let SearchTarget { fields, hash, log_size, polynomials, max_forms, hidden_openings, .. } = *wanted;
    let regime = model.job.regime;
    let params = |(level, inner, cost)| {
        let params =
            Params { fields, hash, regime, log_size, polynomials, max_forms, hidden_openings, level, inner };
        (params, cost)
    };
    match wanted.inner {
        InnerKind::Recursion => {
            let of = |(level, levels, cost)| params((level, Inner::Recursion(levels), cost));
            model.layouts(prices).into_iter().map(of).collect()
        }
        InnerKind::Chain => {
            let of = |&price: &f64| {
                model.cheapest(price, |level, log_rows| chain::chain(model, level, log_rows, price))
            };
            prices.iter().filter_map(of).map(params).collect()
        }
        InnerKind::TwoChains => {
            let of = |&price: &f64| {
                model.cheapest(price, |level, log_rows| chain::two_chains(model, level, log_rows))
            };
            prices.iter().filter_map(of).map(params).collect()
        }
    }
}

impl SearchTarget {
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
            rates: self.log_inv_rate.map_or(1..=4, |r| r..=r),
            grindings: profile.grindings(),
        }
    }
}

/// Nanoseconds of a trial of a proof of work.
const TRIAL: f64 = 9.0;

fn prices(fields: Fields) -> CostTable {
    let (base, extension) = match fields {
        Fields::KoalaBear4 | Fields::KoalaBear5 => (0.08, 4.0),
        Fields::KoalaBear8 => (0.08, 10.0),
        Fields::Goldilocks1 => (0.25, 1.0),
        Fields::Goldilocks2 => (0.25, 2.5),
        Fields::Goldilocks3 => (0.25, 5.0),
        Fields::Mersenne61x2 => (4.0, 4.0),
        Fields::Bn254 => (15.0, 15.0),
    };
    let row = (fields.degree() as f64 + 1.0) * base * 1.3;
    CostTable {
        base,
        layer: 0.8 * base,
        memory: [2.0, 0.0],
        extension,
        entry: 10.0 * extension,
        row,
        position: 0.0,
        hash: [0.13, 14.0, TRIAL],
    }
}
