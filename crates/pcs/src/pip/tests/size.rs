//! Predicted lengths and real proofs.

use super::*;
use crate::matrix::search::found_among;
use crate::pip::search::{Profile, SearchTarget, find, find_among, over, pareto_among};

fn check<B: TwoAdic, E: ExtensionOf<B>>(params: Params, proofs: usize, hundredths: f64) {
    check_lengths::<Prime, B, E>(&params, (1, proofs), hundredths);
}

#[test]
fn proofs_are_as_long_as_predicted() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            check::<B, E>(small(fields, 0, JOHNSON), 40, 2.0);
            let batch = Params { polynomials: 3, log_parts: 3, ..small(fields, 0, Regime::UniqueDecoding) };
            check::<B, E>(batch, 40, 2.0);
            check::<B, E>(small(fields, 2, Regime::UniqueDecoding), 2, 10.0);
        });
    }
}

/// Chains open whole fibres, and of every word the leaves that they fall into.
#[test]
fn proofs_of_chains_are_as_long_as_predicted() {
    for fields in [Fields::KoalaBear5, Fields::Goldilocks2] {
        with_tested_fields!(fields, B, E => {
            for steps in [vec![1, 1], vec![0, 2], vec![2]] {
                check::<B, E>(Params { inner: Inner::Chain(steps), ..small(fields, 0, JOHNSON) }, 160, 2.0);
            }
            let hiding = small(fields, 2, Regime::UniqueDecoding);
            check::<B, E>(Params { inner: Inner::Chain(vec![0, 1]), ..hiding }, 2, 10.0);
            let params = small(fields, 0, Regime::UniqueDecoding);
            check::<B, E>(Params { inner: Inner::TwoChains, max_forms: 1, ..params }, 160, 2.0);
        });
    }
}

#[test]
fn the_front_holds_what_is_found() {
    let wanted = SearchTarget::new(Fields::KoalaBear4, 12, 100, Profile::Small);
    let found = find_among(Fields::OVER_KOALA_BEAR, &wanted).unwrap();
    let front = pareto_among(Fields::OVER_KOALA_BEAR, &wanted);
    assert!(front.iter().any(|c| c.params == found) && front.len() > 3, "{}", front.len());
    let others: Vec<_> = front.iter().filter(|c| c.params != found).collect();
    assert!(others.windows(2).all(|pair| pair[0].size.expected() > pair[1].size.expected()));
    let found = find(&SearchTarget { fields: Fields::KoalaBear5, ..wanted }).unwrap();
    check::<KoalaBear, KoalaBear5>(found, 4, 2.0);
}

/// Expected bytes and predicted milliseconds at 2^20 rows: before, when a label had to hold by DKT26 alone, and now, when it
/// has to hold by BCHKS25 too. Neither may be more than 6 hundredths above what it was.
#[test]
fn labels_under_every_theorem_cost_six_hundredths_at_most() {
    use Profile::{Fast, Small};
    let [koala, gold] = [Fields::OVER_KOALA_BEAR, Fields::OVER_GOLDILOCKS];
    for (fields, bits, profile, before, now) in [
        (koala, 100, Fast, (86_712, 14.003), 89_380),
        (koala, 100, Small, (62_271, 40.118), 64_890),
        (koala, 128, Fast, (115_971, 14.904), 122_280),
        (koala, 128, Small, (80_327, 42.516), 82_699),
        (gold, 100, Fast, (108_059, 26.675), 111_964),
        (gold, 100, Small, (69_134, 77.410), 72_360),
        (gold, 128, Fast, (148_133, 29.727), 148_133),
        (gold, 128, Small, (95_118, 86.733), 95_118),
    ] {
        let wanted = SearchTarget::new(fields[0], 20, bits, profile);
        let (params, cost) = found_among(&over(fields, &wanted)).unwrap();
        let name = format!("{}, {bits}, {profile:?}", fields[0].base_name());
        let (bytes, millis) = (params.size(1).expected(), cost.time / 1e6);
        assert_eq!(bytes.round(), f64::from(now), "{name}: {params:?}");
        assert!(bytes <= 1.06 * f64::from(before.0), "{name}: {bytes} bytes");
        assert!(millis <= 1.06 * before.1, "{name}: {millis} ms");
        for theorem in Theorems::DEFAULT.iter() {
            let alone = params.report().under(Theorems::only(theorem)).proven_bits();
            assert!(alone >= f64::from(bits), "{name}, {theorem}: {alone}");
        }
    }
}

/// No position is drawn, and no work done, that the bits do without.
#[test]
fn found_parameters_have_nothing_to_spare() {
    let wanted = SearchTarget::new(Fields::KoalaBear4, 14, 100, Profile::Fast);
    let params = find_among(Fields::OVER_KOALA_BEAR, &wanted).unwrap();
    let Inner::Recursion(levels) = &params.inner else { panic!("{params:?}") };
    let numbers: [fn(&mut RoundParams) -> &mut u32; 3] =
        [|level| &mut level.queries, |level| &mut level.grinding, |level| &mut level.fold_grinding];
    for i in 0..=levels.len() {
        for number in numbers {
            let mut fewer = params.clone();
            let Inner::Recursion(levels) = &mut fewer.inner else { continue };
            let number = number(if i == 0 { &mut fewer.level } else { &mut levels[i - 1] });
            let Some(less) = number.checked_sub(1) else { continue };
            *number = less;
            let facts = crate::weighted::Facts::of(&fewer.layout());
            let policy = Policy::at_least(100);
            let room = |report| crate::weighted::has_room(&facts, report, &policy);
            assert!(!fewer.validate(&policy).is_ok_and(room), "matrix {i}: {params:?}");
        }
    }
}
