//! The search itself, for a target over whatever family of fields.

use super::{
    Aim, Budget, Cost, EXACT, FASTEST, MAX_LOG_COLUMNS, Model, Profile, SearchTarget, chain, trimmed,
};
use crate::matrix::round_params::{MAX_FORMS, MAX_LOG_SIZE, MAX_POLYNOMIALS};
use crate::matrix::{Inner, InnerKind, MAX_COMMITMENTS, Params, Size};
use crate::product;
use crate::weighted::{Facts, has_room};
use field::parallel;
use iop::error::ParamError;
use iop::security::{Regime, Report};

/// The cheapest parameters for one of several targets, such as the same bytes over different fields. What is best is
/// decided by the first target's profile. None if nothing proves the bits.
pub(crate) fn found_among(targets: &[SearchTarget]) -> Option<(Params, Cost)> {
    let first = targets.first()?;
    let score = |cost| first.profile.score(first.preferences().trade, cost);
    let possible = targets.iter().filter(|target| target.log_size <= MAX_LOG_SIZE);
    possible.filter_map(within_budget).min_by(|a, b| score(a.1).total_cmp(&score(b.1)))
}

/// As [`found_among`], or why there are none.
pub(crate) fn find_among(targets: &[SearchTarget]) -> Result<Params, ParamError> {
    let nothing = || ParamError::OutOfRange("there is nothing to find parameters for".into());
    let first = targets.first().ok_or_else(nothing)?;
    targets.iter().try_for_each(check_counts)?;
    found_among(targets).map(|(params, _)| params).ok_or_else(|| {
        let names: Vec<&str> = targets.iter().map(|target| target.fields.name()).collect();
        let (names, SearchTarget { log_size, bits, interactive_bits, hash, .. }) = (names.join(" or "), first);
        if *log_size > MAX_LOG_SIZE {
            return ParamError::OutOfRange(format!(
                "2^{log_size} entries are more than the 2^{MAX_LOG_SIZE} that one commitment holds: split the data"
            ));
        }
        let level = 4 * hash.bytes() as u32;
        if *bits > level {
            let name = hash.name();
            return ParamError::OutOfRange(format!(
                "{bits} bits are more than the {level} of the level that {name} resists collisions at: take a hash with wider digests or fewer bits"
            ));
        }
        let without_work = match interactive_bits {
            0 => String::new(),
            bits => format!(", {bits} of them without work"),
        };
        let (columns, other) = match first.log_columns {
            None => (String::new(), ""),
            Some(log_columns) => (format!(" in {} columns", 1 << log_columns), "other columns, "),
        };
        ParamError::OutOfRange(format!(
            "no layout of 2^{log_size} entries{columns} over {names} proves {bits} bits{without_work}: take {other}a larger challenge field or fewer bits"
        ))
    })
}

/// Refuses counts that no parameters have.
pub(super) fn check_counts(target: &SearchTarget) -> Result<(), ParamError> {
    if let Some(columns) = target.log_columns
        && columns > target.log_size.min(MAX_LOG_COLUMNS)
    {
        let most = 1 << target.log_size.min(MAX_LOG_COLUMNS);
        return Err(ParamError::OutOfRange(format!(
            "2^{columns} columns are asked for: 2^{} entries stand in at most {most}",
            target.log_size
        )));
    }
    if target.commitments > 1 && target.hidden_openings > 0 {
        return Err(ParamError::OutOfRange("a proof about several commitments does not hide".into()));
    }
    for (what, given, most) in [
        ("polynomials", target.polynomials, MAX_POLYNOMIALS),
        ("commitments", target.commitments, target.polynomials.min(MAX_COMMITMENTS as u32)),
        ("linear forms per opening", target.max_forms, MAX_FORMS),
    ] {
        if !(1..=most).contains(&given) {
            return Err(ParamError::OutOfRange(format!(
                "{given} {what} are asked for: from 1 to {most} are possible"
            )));
        }
    }
    Ok(())
}

/// The best of the target's profile; a small proof is the fast one if none is within its budget.
pub(super) fn within_budget(target: &SearchTarget) -> Option<(Params, Cost)> {
    let (regimes, preferences) = (target.regimes(), target.preferences());
    let valid = |params: &Params| target.validate(params).is_ok();
    let best = |profile: Profile, budget| {
        let candidates = |regime, aim, prices: &[f64]| layouts(target, profile, (regime, aim), prices);
        let found = profile.best(preferences.trade, (&regimes, budget), candidates, valid)?;
        Some(trimmed(found, target))
    };
    if target.profile == Profile::Small {
        let (times, fast) = match target.budget {
            Budget::FastProof(times) => (times, best(Profile::Fast, None)?.1.time),
            Budget::Fastest(times) => (times, fastest(target, &regimes)?),
            Budget::Fast(times) => (times, within_budget(&target.fast())?.1.time),
        };
        if let Some(small) = best(Profile::Small, Some(times * fast)) {
            return Some(small);
        }
    }
    best(Profile::Fast, None)
}

/// The predicted time of the fastest layout. To fix a rate that would be tried anyway changes nothing of what is dear.
fn fastest(target: &SearchTarget, regimes: &[Regime]) -> Option<f64> {
    let free = target.at_any_rate();
    let of = |&regime| layouts(&free, Profile::Fast, (regime, EXACT), &[FASTEST]);
    let found: Vec<(Params, Cost)> = parallel::map(regimes.iter(), of).into_iter().flatten().collect();
    found.into_iter().map(|(_, cost)| cost.time).min_by(f64::total_cmp)
}

impl SearchTarget {
    /// The length of an opening of one form.
    pub(crate) fn size(&self, params: &Params) -> Size {
        let (polynomials, commitments) = (self.polynomials, self.commitments);
        if commitments == 1 {
            return params.size(1);
        }
        let of = |number: u32| (polynomials + number) / commitments;
        params.size(1).among(&(0..commitments).map(of).collect::<Vec<_>>())
    }

    /// The report of parameters that prove the wanted bits, of weighted sums and inner products too.
    pub(crate) fn validate(&self, params: &Params) -> Result<Report, ParamError> {
        let policy = self.policy();
        let report = params.validate_of(self.commitments, &policy)?;
        let facts = Facts::of(&params.layout());
        let room =
            has_room(&facts, report.clone(), &policy) && product::has_room(&facts, params, &report, &policy);
        if room {
            Ok(report)
        } else {
            Err(ParamError::OutOfRange("no room for a weighted sum or an inner product".into()))
        }
    }
}

/// The cheapest parameters when a byte costs so many nanoseconds, times one hundred, for each of these prices.
pub(super) fn layouts(
    target: &SearchTarget,
    profile: Profile,
    (regime, aim): (Regime, Aim),
    prices: &[f64],
) -> Vec<(Params, Cost)> {
    let model = &Model::new(target.job(profile, regime, aim));
    let SearchTarget { fields, hash, entries, log_size, polynomials, max_forms, hidden_openings, .. } =
        *target;
    let params = |(level, inner, cost)| {
        let params = Params {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            log_parts: 0,
            log_leaf_fibres: 0,
            level,
            inner,
        };
        (params, cost)
    };
    match target.inner {
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
