//! The search as it is written down first, price by price, and the one for all prices.

use super::*;
use crate::ligerito;
use crate::matrix::search::{Aim, Profile};
use crate::pip;
use iop::security::Regime;
use std::collections::HashMap;

/// The levels of a recursion and their cost.
type Plan = (Vec<RoundParams>, Cost);

/// The cheapest stages below a message of `2^log_m` entries whose rows are opened as `before` says.
fn deeper(
    model: &Model,
    (log_m, before): (u32, RoundParams),
    price: f64,
    memo: &mut HashMap<(u32, u32), Option<Plan>>,
) -> Option<Plan> {
    if let Some(plan) = memo.get(&(log_m, before.log_inv_rate)) {
        return plan.clone();
    }
    let value = |c: &Cost| c.time + 100.0 * price * c.bytes;
    let mut best: Option<Plan> =
        (log_m <= MAX_LOG_FINAL).then(|| (Vec::new(), model.in_clear(log_m, before.queries)));
    for log_columns in 2..=log_m.min(6) {
        for log_inv_rate in (1..=3).filter_map(|s| (before.log_inv_rate + log_columns).checked_sub(s)) {
            if !(1..=12).contains(&log_inv_rate) {
                continue;
            }
            let log_rows = log_m - log_columns;
            for level in model.levels(log_columns, log_rows, log_inv_rate) {
                let Some((mut levels, rest)) = deeper(model, (log_rows, level), price, memo) else {
                    continue;
                };
                let width = f64::from(model.job.degree) * f64::from(1 << level.log_columns);
                let encode = model.encode(width, log_rows, log_inv_rate);
                let time = model.between(log_m, encode, before);
                let stage = Cost { time, bytes: model.messages(level) };
                let cost = rest.plus(stage.plus(model.openings(width, level, log_rows)));
                if best.as_ref().is_none_or(|(_, c)| value(&cost) < value(c)) {
                    levels.insert(0, level);
                    best = Some((levels, cost));
                }
            }
        }
    }
    memo.insert((log_m, before.log_inv_rate), best.clone());
    best
}

fn same(model: &Model) -> usize {
    let plain = PRICES.iter().filter_map(|&price| {
        let mut memo = HashMap::new();
        model.cheapest(price, |level, log_rows| deeper(model, (log_rows, level), price, &mut memo))
    });
    let plain: Vec<_> = plain.collect();
    assert_eq!(model.layouts(&PRICES), plain, "{:?}", model.job);
    plain.len()
}

#[test]
fn all_prices_at_once_find_what_each_finds() {
    let regimes = [Regime::UniqueDecoding, Regime::Johnson { multiplicity: 20 }];
    let mut found = 0;
    for log_size in [0, 3, 11, 18, 24] {
        for (regime, profile) in regimes.into_iter().flat_map(|r| [(r, Profile::Fast), (r, Profile::Small)]) {
            for fields in pcs_fields() {
                let wanted = pip::search::SearchTarget::new(fields, log_size, 100, profile);
                found += same(&Model::new(wanted.job(profile, regime, Aim { queries: 1.2, folds: 3.0 })));
            }
            for (fields, bits) in [(ligerito::Fields::Gf128, 100), (ligerito::Fields::Gf192, 128)] {
                let wanted = ligerito::search::SearchTarget::new(fields, log_size, bits, profile);
                found += same(&Model::new(wanted.job(profile, regime, Aim { queries: 2.5, folds: 1.0 })));
            }
        }
    }
    let hiding = pip::search::SearchTarget {
        hidden_openings: 2,
        ..pip::search::SearchTarget::new(crate::fields::Fields::Goldilocks3, 16, 100, Profile::Fast)
    };
    found += same(&Model::new(hiding.job(
        Profile::Fast,
        Regime::UniqueDecoding,
        Aim { queries: 1.2, folds: 3.0 },
    )));
    assert!(found > 300, "{found} layouts were compared");
}

fn pcs_fields() -> [crate::fields::Fields; 2] {
    [crate::fields::Fields::KoalaBear5, crate::fields::Fields::Goldilocks2]
}
