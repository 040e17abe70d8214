//! The error term, and parameters that have room for it.

use super::*;
use crate::ligerito::search as binary_search;
use crate::pip::search::{Profile, SearchTarget, find};

/// Default parameters: the term is there, its loss is small, and the room for it was kept.
#[test]
fn found_parameters_have_room() {
    for (fields, bits) in [(Fields::KoalaBear5, 128), (Fields::KoalaBear4, 100), (Fields::Goldilocks2, 100)] {
        for (log_size, profile) in
            [(1, Profile::Fast), (12, Profile::Fast), (12, Profile::Small), (24, Profile::Fast)]
        {
            let params = find(&SearchTarget::new(fields, log_size, bits, profile)).unwrap();
            crate::with_listed_fields!([
                KoalaBear4: KoalaBear, KoalaBear4;
                KoalaBear5: KoalaBear, KoalaBear5;
                Goldilocks2: Goldilocks, Goldilocks2;
            ] other => unreachable!("{other:?}"), fields, B, E => keeps_room::<pip::Scheme<B, E>>(params, log_size, bits));
        }
    }
}

#[test]
fn found_binary_parameters_have_room() {
    for (fields, bits) in [(Fields::Gf128, 100), (ligerito::Fields::Gf192, 128)] {
        for (entries, log_size) in [(Entries::Whole, 1), (Entries::Bits, 12), (Entries::Bytes, 20)] {
            let wanted = binary_search::SearchTarget::new(fields, log_size, bits, Profile::Fast);
            let params = binary_search::find(&binary_search::SearchTarget { entries, ..wanted }).unwrap();
            let variables = params.variables() as u32;
            with_tested_binary_fields!(fields, B, E => keeps_room::<ligerito::Scheme<B, E>>(params, variables, bits));
        }
    }
}

fn keeps_room<S: Points>(params: S::Params, variables: u32, bits: u32) {
    let policy = Policy::at_least(bits);
    let scheme = Scheme::<S>::new(params, &policy).unwrap();
    let (plain, report) = (scheme.inner().report(), scheme.report());
    let term = report.terms.last().unwrap();
    assert_eq!((term.label.as_str(), term.grinding), ("weighted sumcheck", 0));
    // The list bound, two roots a round, over the challenge field.
    let code = scheme.facts().code;
    let list = match report.regime {
        Regime::UniqueDecoding => 1.0,
        Regime::Johnson { multiplicity } => f64::from(multiplicity) / code.rate() / 2.0,
    };
    let error = list * f64::from(2 * variables) / S::Challenge::bits().exp2();
    assert!((term.bits + error.log2()).abs() < 1e-6, "{} is not {}", term.bits, -error.log2());
    assert_eq!(report.terms.len(), plain.terms.len() + 1);
    assert!(plain.proven_bits() - report.proven_bits() < 0.01, "2^{variables}");
    assert!(has_room(scheme.facts(), plain.clone(), &policy));
}

#[test]
fn parameters_without_room_are_refused() {
    // Sixty-four bits leave a sumcheck of 20 rounds at most 58.7, whatever the queries are worth.
    let level =
        RoundParams { log_columns: 4, log_inv_rate: 2, queries: 4096, grinding: 32, fold_grinding: 32 };
    let mut params = small(Fields::Goldilocks1, 4, Regime::UniqueDecoding);
    (params.level, params.inner) = (level, Inner::Recursion(vec![]));
    let plain = params.report().proven_bits();
    let policy = Policy::at_least(plain as u32);
    assert!(params.validate(&policy).is_ok() && Pip::<B, B>::new(params.clone(), &policy).is_err());
    let refused = Pip::<B, B>::new(params.clone(), &policy).unwrap_err().reason().to_owned();
    assert!(
        refused.starts_with("no room for a weighted sum") && refused.contains("weighted sumcheck"),
        "{refused}"
    );
    let scheme = Pip::<B, B>::new(params.clone(), &ANY).unwrap();
    assert!(!has_room(scheme.facts(), scheme.inner().report().clone(), &policy));
    let hiding = Params { hidden_openings: 1, ..small(Fields::Goldilocks2, 7, Regime::UniqueDecoding) };
    let hiding = Params { level: RoundParams { log_columns: 3, ..hiding.level }, ..hiding };
    assert!(hiding.validate(&ANY).is_ok());
    let refused = Pip::<B, E>::new(hiding, &ANY).unwrap_err().reason().to_owned();
    assert!(refused.contains("hiding"), "{refused}");
}

/// The term of combined columns: a polynomial in the challenge with a coefficient for each of them, for each member of the list.
#[test]
fn several_columns_have_a_term_of_their_own() {
    let report = |polynomials| {
        let params = Params { polynomials, ..small(Fields::Goldilocks2, 7, Regime::UniqueDecoding) };
        Pip::<B, E>::new(params, &ANY).unwrap().report().clone()
    };
    let term = |polynomials| {
        let report = report(polynomials);
        report.terms.iter().find(|term| term.label == "weighted columns").map(|term| term.bits)
    };
    assert_eq!(term(1), None);
    let bits = E::bits();
    for (polynomials, degree) in [(2, 1.0f64), (3, 2.0), (9, 8.0)] {
        assert!((term(polynomials).unwrap() - bits + degree.log2()).abs() < 1e-6, "{polynomials}");
    }
}
