//! Laws, hand-checked numbers, refusals. Numbers published elsewhere are in `golden`.

mod collisions;

use proptest::prelude::*;

use super::{Code, Policy, Regime, Regimes, Report, Shown, Term, Theorem, Theorems};
use crate::error::ParamError;

/// `2^log_dimension` coefficients at rate `2^-log_inverse`.
pub(super) fn code(log_dimension: u32, log_inverse: u32) -> Code {
    Code { dimension: 1 << log_dimension, log_domain: log_dimension + log_inverse }
}

pub(super) fn johnson(multiplicity: u32) -> Regime {
    Regime::Johnson { multiplicity }
}

fn term(bits: f64, grinding: u32) -> Term {
    Term { label: "t".into(), bits, grinding, formula: "f".into(), source: "s", lines: None }
}

/// What labels count with.
const ALL: Theorems = Theorems::DEFAULT;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Rate 1/4 has √ρ = 1/2, so everything can be done on paper.
#[test]
fn rate_one_quarter_by_hand() {
    let code = Code { dimension: 1024, log_domain: 12 };
    assert!(near(code.rate(), 0.25));
    assert!(near(Regime::UniqueDecoding.distance(&code), 3.0 / 8.0));
    // m = 4: 1 - 1/2 - 1/8.
    assert!(near(johnson(4).distance(&code), 3.0 / 8.0));
    // L = m / (2ρ) = 8.
    assert!(near(johnson(4).list_bits(&code), 3.0));
    assert!(near(Regime::UniqueDecoding.list_bits(&code), 0.0));
    // 8·7/2 = 28 pairs, two samples of 16 variables over 2^128.
    assert!(near(johnson(4).ood_bits(&code, 128.0, 16, 2), 2.0 * 124.0 - 28f64.log2()));
    // (5/8)^10.
    assert!(near(johnson(4).query_bits(&code, 10), 10.0 * 1.6f64.log2()));
    assert!(near(Regime::UniqueDecoding.line_bits(&code, 128.0, ALL), 116.0));
    assert!(near(Regime::UniqueDecoding.powers_bits(&code, 128.0, ALL, 65), 110.0));
    assert!(near(Regime::UniqueDecoding.tensor_bits(&code, 128.0, ALL, 8), 113.0));
    assert!(near(Regime::UniqueDecoding.claim_bits(&code, 128.0, 2), 127.0));
    assert!(near(johnson(4).claim_bits(&code, 128.0, 2), 124.0));
}

/// The example of the notes.
#[test]
fn example_of_the_notes() {
    let (code, regime) = (code(14, 3), johnson(10));
    assert!((regime.distance(&code) - 0.61109).abs() < 1e-5);
    assert!((regime.query_bits(&code, 1) - 1.3625).abs() < 1e-4);
    assert!(near(regime.list_bits(&code), 40f64.log2()));
    assert!((regime.line_bits(&code, 192.0, ALL) - 158.79).abs() < 5e-3);
    let newer = Theorems::only(Theorem::Dkt26);
    assert!((regime.line_bits(&code, 192.0, newer) - 163.21).abs() < 5e-3);
}

/// The theorems evaluated as they are printed, with plain powers.
#[test]
fn johnson_lines_are_the_printed_formulas() {
    for (dimension, log_domain, m) in [(1u64 << 14, 17u32, 3u32), (1000, 12, 10), (77, 9, 25), (2, 5, 7)] {
        let code = Code { dimension, log_domain };
        let (n, gamma) = (f64::from(log_domain).exp2(), johnson(m).distance(&code));
        let r = (dimension - 1) as f64 / n;
        let half = [3.0, f64::from(m) / 2.0].into_iter().fold(0.0, f64::max).ceil() + 0.5;
        let whole = f64::from(m.max(3)) + 0.5;
        let bchks = |h: f64| (2.0 * h.powi(5) + 3.0 * h * gamma * r) / (3.0 * r.powf(1.5)) * n + h / r.sqrt();
        for (theorem, count) in [
            (Theorem::Bciks20, half.powi(7) * n * n / (3.0 * r.powf(1.5))),
            (Theorem::Bchks25, bchks(half)),
            (Theorem::Bchks25List, bchks(whole)),
            (Theorem::Dkt26, 8.0 * n * half.powi(3) / (3.0 * r)),
        ] {
            let bits = johnson(m).line_bits(&code, 256.0, Theorems::only(theorem));
            assert!(near(bits, 256.0 - count.log2()), "{theorem}, {dimension} {log_domain} {m}: {bits}");
        }
    }
}

/// Under several theorems a line has the bits of the one that proves least, and unique decoding asks none of them.
#[test]
fn a_set_of_theorems_is_its_weakest() {
    let one = |theorem| johnson(20).line_bits(&code(14, 2), 192.0, Theorems::only(theorem));
    let [bciks, bchks, list, dkt] = Theorem::ALL.map(one);
    assert!(bciks < list && list < bchks && bchks < dkt, "{bciks} {list} {bchks} {dkt}");
    let set = Theorems::of(&[Theorem::Dkt26, Theorem::Bciks20]).unwrap();
    assert_eq!(johnson(20).line_bits(&code(14, 2), 192.0, set), bciks);
    assert_eq!(johnson(20).line_bits(&code(14, 2), 192.0, ALL), bchks);
    assert_eq!((ALL.to_string(), set.to_string()), ("bchks25, dkt26".into(), "bciks20, dkt26".into()));
    assert_eq!(Theorems::of(&[]), None);
    for theorem in Theorem::ALL {
        assert_eq!(Theorem::from_name(theorem.name()), Some(theorem));
        let bits = Regime::UniqueDecoding.line_bits(&code(14, 2), 128.0, Theorems::only(theorem));
        assert_eq!(bits, 112.0, "{theorem}");
    }
}

/// Our δ is set by ρ and the theorem's multiplicity, `√ρ'/(2(1-√ρ'-δ))`, by `ρ' < ρ`: it must not exceed the one put in.
#[test]
fn multiplicity_is_large_enough_for_the_degree_rate() {
    for dimension in [2u64, 3, 16, 1000, 1 << 20] {
        for log_inverse in 1..6 {
            for m in [3u32, 4, 16, 100] {
                let log_domain = dimension.next_power_of_two().ilog2() + log_inverse;
                let code = Code { dimension, log_domain };
                let (delta, root) = (johnson(m).distance(&code), code.degree_rate().sqrt());
                if delta > 0.0 {
                    let needed = root / (1.0 - root - delta);
                    for theorem in Theorem::ALL {
                        let of = if theorem == Theorem::Bchks25List { needed } else { needed / 2.0 };
                        assert!(of <= f64::from(theorem.multiplicity(m)) + 1e-6, "{theorem}");
                    }
                }
            }
        }
    }
}

/// The bad challenges of a line of constants, counted over a small field, never exceed the pairs of positions.
#[test]
fn constants_lose_a_pair_of_positions_at_most() {
    let code = Code { dimension: 1, log_domain: 4 };
    assert!(near(johnson(3).line_bits(&code, 128.0, ALL), 128.0 - 7.0));
    // What is printed is what is counted: 2^7, and not 2^4·15/2.
    assert_eq!(johnson(3).line_term("t", &code, 128.0).formula, "1·2^4·2^4/2 / 2^128.00");
    // Words u0 = x², u1 = x on four points of GF(101): the sum agrees in two positions for z = -(a + b).
    let points = [1u64, 2, 5, 11];
    let bad = (0..101u64).filter(|z| {
        let sum = points.map(|x| (x * x + z * x) % 101);
        (0..4).any(|i| (0..i).any(|j| sum[i] == sum[j]))
    });
    assert_eq!(bad.count(), 4 * 3 / 2);
}

#[test]
fn nonsense_proves_nothing() {
    let empty = Code { dimension: 0, log_domain: 10 };
    let full = Code { dimension: 1024, log_domain: 10 };
    let over = Code { dimension: u64::MAX, log_domain: 0 };
    let proper = code(10, 3);
    let cases = [
        (Regime::UniqueDecoding, empty),
        (Regime::UniqueDecoding, full),
        (johnson(10), over),
        (johnson(2), proper),
        (johnson(0), proper),
        // Rate 9/10: √ρ(1 + 1/3) > 1, no radius is left.
        (johnson(3), Code { dimension: 922, log_domain: 10 }),
    ];
    for (regime, code) in cases {
        assert_eq!(regime.distance(&code), 0.0, "{regime:?} {code:?}");
        assert_eq!(regime.query_bits(&code, 1000), 0.0);
        assert_eq!(regime.line_bits(&code, 256.0, ALL), 0.0);
        assert_eq!(regime.powers_bits(&code, 256.0, ALL, 2), 0.0);
        assert_eq!(regime.tensor_bits(&code, 256.0, ALL, 1), 0.0);
        assert_eq!(regime.ood_bits(&code, 256.0, 10, 2), 0.0);
        assert_eq!(regime.claim_bits(&code, 256.0, 2), 0.0);
        assert_eq!(regime.list_bits(&code), f64::INFINITY);
    }
    for regime in [Regime::UniqueDecoding, johnson(5)] {
        assert_eq!(regime.query_bits(&proper, 0), 0.0);
        for field_bits in [f64::NAN, -1.0, 0.0] {
            assert_eq!(regime.line_bits(&proper, field_bits, ALL), 0.0);
            assert_eq!(regime.claim_bits(&proper, field_bits, 2), 0.0);
        }
    }
    assert_eq!(johnson(5).ood_bits(&proper, 128.0, 10, 0), 0.0, "no sample separates nothing");
    assert!(johnson(2).validate().is_err() && johnson(3).validate().is_ok());
}

#[test]
fn no_challenge_no_error() {
    let code = code(10, 3);
    for regime in [Regime::UniqueDecoding, johnson(5)] {
        assert_eq!(regime.powers_bits(&code, 128.0, ALL, 1), f64::INFINITY);
        assert_eq!(regime.tensor_bits(&code, 128.0, ALL, 0), f64::INFINITY);
        assert_eq!(regime.claim_bits(&code, 128.0, 0), f64::INFINITY);
        assert_eq!(regime.ood_bits(&code, 128.0, 0, 1), f64::INFINITY);
    }
    assert_eq!(Regime::UniqueDecoding.ood_bits(&code, 128.0, 10, 0), f64::INFINITY);
}

#[test]
fn union_of_known_errors() {
    let mut report = Report::new(Regime::UniqueDecoding, 128.0);
    assert_eq!(report.proven_bits(), 0.0, "an empty report proves nothing");
    report.push(term(f64::INFINITY, 0));
    assert_eq!(report.proven_bits(), f64::INFINITY);
    // 2^-101 + 2^-101 = 2^-100; a third of 2^-1000 changes nothing; infinite bits neither.
    report.push(term(81.0, 20));
    report.push(term(101.0, 0));
    report.push(term(1000.0, 0));
    assert!(near(report.proven_bits(), 100.0));
    assert!(near(report.round_by_round(), 101.0));
    // The sum stays exact where 2^-bits underflows.
    let far = Report { terms: vec![term(5000.0, 0); 4], ..report.clone() };
    assert!(near(far.proven_bits(), 4998.0));
    report.push(term(f64::NAN, 60));
    assert_eq!(report.proven_bits(), 0.0, "what is not a number counts as nothing");
}

/// Work counts for a policy's bits and for nothing of its interactive bits.
#[test]
fn work_is_told_from_probability() {
    let mut report = Report::new(Regime::UniqueDecoding, 128.0);
    report.terms = vec![term(90.0, 20), term(95.0, 0)];
    assert!(near(report.interactive_bits(), 90.0 - (1.0 + (-5f64).exp2()).log2()));
    let policy = |interactive_bits| Policy { interactive_bits, ..Policy::at_least(94) };
    assert!(policy(0).check(&report).is_ok() && policy(89).check(&report).is_ok());
    let refused = policy(90).check(&report).unwrap_err();
    let message = refused.reason();
    assert!(matches!(refused, ParamError::TooFewBits { required: 90, without_work: true, .. }), "{refused}");
    assert!(message.contains("89.95 bits without work is below the required 90"), "{message}");
}

/// The policy's theorems decide, not those that a report was made with; a refusal names the theorem that would do.
#[test]
fn the_theorems_are_the_policy_s() {
    let mut report = Report::new(johnson(30), 128.0);
    report.push(johnson(30).line_term("line", &code(14, 2), 128.0).ground(13));
    let [bchks, dkt] = [Theorem::Bchks25, Theorem::Dkt26].map(|t| report.under(Theorems::only(t)));
    let (low, high) = (bchks.proven_bits(), dkt.proven_bits());
    let between = ((low + high) / 2.0) as u32;
    assert!(low < f64::from(between) && f64::from(between) < high);
    for made in [&bchks, &dkt, &report] {
        let message = Policy::at_least(between).check(made).unwrap_err().to_string();
        assert!(message.contains("under bchks25, dkt26: the theorem dkt26 alone proves"), "{message}");
        let by_name = Policy { theorems: Theorems::only(Theorem::Dkt26), ..Policy::at_least(between) };
        assert_eq!(by_name.check(made).unwrap(), dkt);
        assert_eq!(Policy::at_least(0).check(made).unwrap(), bchks.under(ALL));
    }
    let table = report.to_string();
    for words in ["bciks20", "bchks25-4.6", "row union as flock charges it", "(counted: bchks25, dkt26)"] {
        assert!(table.contains(words), "{table}");
    }
    let json = report.to_json();
    assert!(json.contains(&format!("\"dkt26\":{{\"proven_bits\":{:.3},", Shown(high))), "{json}");
}

#[test]
fn a_policy_may_want_unique_decoding() {
    let policy = Policy { regimes: Regimes::UniqueDecoding, ..Policy::at_least(100) };
    let at = |regime| Report { terms: vec![term(110.0, 0)], ..Report::new(regime, 128.0) };
    assert!(policy.check(&at(Regime::UniqueDecoding)).is_ok());
    let refused = policy.check(&at(johnson(10))).unwrap_err();
    assert!(refused.reason().contains("unique decoding is required"));
    assert!(matches!(refused, ParamError::OtherRegime(_)), "{refused}");
}

#[test]
fn policy_compares_the_union() {
    let mut report = Report::new(Regime::UniqueDecoding, 128.0);
    let policy = Policy::at_least(100);
    assert!(policy.check(&report).is_err());
    report.push(term(100.0, 0));
    assert_eq!(policy.check(&report), Ok(report.clone()));
    report.push(Term { label: "second".into(), ..term(99.0, 1) });
    let refused = policy.check(&report).unwrap_err();
    let message = refused.reason();
    let ParamError::TooFewBits { proven, required: 100, without_work: false, .. } = refused else {
        panic!("{refused}")
    };
    assert!(near(proven, report.proven_bits()));
    assert!(message.contains("99.00") && message.contains("100"), "{message}");
    report.terms.truncate(1);
    report.regime = johnson(2);
    assert!(policy.check(&report).is_err(), "an invalid regime is refused whatever the terms say");
}

#[test]
fn report_prints_as_table_and_json() {
    let (code, regime) = (code(14, 3), johnson(10));
    let mut report = Report::new(regime, 192.0);
    report.push(regime.query_term("level 0: \"queries\"", &code, 70).ground(16));
    report.push(regime.tensor_term("level 0: columns", &code, 192.0, 6));
    report.push(regime.powers_term("level 0: powers", &code, 192.0, 64));
    report.push(regime.line_term("level 1: fold", &code, 192.0));
    report.push(regime.ood_term("level 0: sample", &code, 192.0, 20));
    report.push(regime.claim_term("level 1: sumcheck", &code, 192.0, 2));
    report.push(Regime::UniqueDecoding.ood_term("none", &code, 192.0, 20));
    let bits: Vec<f64> = report.terms.iter().map(|t| t.bits).collect();
    let expected = [
        regime.query_bits(&code, 70),
        regime.tensor_bits(&code, 192.0, ALL, 6),
        regime.powers_bits(&code, 192.0, ALL, 64),
        regime.line_bits(&code, 192.0, ALL),
        regime.ood_bits(&code, 192.0, 20, 1),
        regime.claim_bits(&code, 192.0, 2),
        f64::INFINITY,
    ];
    assert_eq!(bits, expected);
    let table = report.to_string();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 2 + 7 + 4 + 1 + 4 + 2, "{table}");
    let column = |row: &str, text: &str| row.find(text).map(|at| row[..at].chars().count());
    assert_eq!(column(rows[1], "source"), column(rows[4], "BCHKS25"), "{table}");
    assert!(table.contains("2·5.5^5") && table.contains("r = 16383/2^17"), "{table}");
    let json = report.to_json();
    assert!(
        json.starts_with(
            "{\"regime\":{\"name\":\"johnson\",\"multiplicity\":10},\"theorems\":\"bchks25, dkt26\",\"field_bits\":192.000,"
        )
    );
    assert!(json.contains("\"label\":\"level 0: \\\"queries\\\"\""), "{json}");
    assert!(json.contains("\"bits\":null,\"grinding\":0,\"total\":null"), "{json}");
    assert_eq!(json.matches("\"source\":").count(), 7);
}

prop_compose! {
    fn regimes()(unique in any::<bool>(), m in 3u32..200) -> Regime {
        if unique { Regime::UniqueDecoding } else { Regime::Johnson { multiplicity: m } }
    }
}

proptest! {
    #[test]
    fn more_queries_are_never_worse(regime in regimes(), k in 2u32..30, r in 1u32..8, q in 0u32..500) {
        let code = code(k, r);
        prop_assert!(regime.query_bits(&code, q) <= regime.query_bits(&code, q + 1));
    }

    #[test]
    fn a_lower_rate_is_never_worse_per_query(regime in regimes(), k in 2u32..30, r in 1u32..8) {
        prop_assert!(regime.query_bits(&code(k, r), 50) <= regime.query_bits(&code(k, r + 1), 50));
    }

    #[test]
    fn a_longer_domain_costs_field_bits(regime in regimes(), k in 2u32..30, r in 1u32..8, f in 64.0f64..300.0) {
        prop_assert!(regime.line_bits(&code(k + 1, r), f, ALL) <= regime.line_bits(&code(k, r), f, ALL));
        prop_assert!(regime.line_bits(&code(k, r), f, ALL) <= regime.line_bits(&code(k, r), f + 1.0, ALL));
    }

    #[test]
    fn more_words_cost_bits(regime in regimes(), k in 2u32..30, r in 1u32..8, words in 2u64..1000, v in 1u32..20) {
        let code = code(k, r);
        prop_assert!(regime.powers_bits(&code, 192.0, ALL, words + 1) <= regime.powers_bits(&code, 192.0, ALL, words));
        prop_assert!(regime.tensor_bits(&code, 192.0, ALL, v + 1) <= regime.tensor_bits(&code, 192.0, ALL, v));
        prop_assert!(near(regime.tensor_bits(&code, 192.0, ALL, 1), regime.line_bits(&code, 192.0, ALL)));
        prop_assert!(near(regime.powers_bits(&code, 192.0, ALL, 2), regime.line_bits(&code, 192.0, ALL)));
    }

    /// Nearer to the Johnson radius: fewer queries, a longer list, a weaker line.
    #[test]
    fn multiplicity_trades_queries_for_field(m in 3u32..500, k in 2u32..30, r in 1u32..8) {
        let code = code(k, r);
        prop_assert!(johnson(m).query_bits(&code, 50) <= johnson(m + 1).query_bits(&code, 50));
        prop_assert!(johnson(m).list_bits(&code) <= johnson(m + 1).list_bits(&code));
        prop_assert!(johnson(m).line_bits(&code, 300.0, ALL) >= johnson(m + 1).line_bits(&code, 300.0, ALL));
        prop_assert!(johnson(m).ood_bits(&code, 300.0, k, 1) >= johnson(m + 1).ood_bits(&code, 300.0, k, 1));
    }

    #[test]
    fn union_lies_between_the_least_term_and_its_multiple(
        bits in prop::collection::vec((0.0f64..300.0, 0u32..30), 1..40),
    ) {
        let terms: Vec<Term> = bits.iter().map(|&(b, g)| term(b, g)).collect();
        let report = Report { terms, ..Report::new(Regime::UniqueDecoding, 128.0) };
        let least = report.round_by_round();
        prop_assert!(report.proven_bits() <= least + 1e-9);
        prop_assert!(report.proven_bits() >= (least - (bits.len() as f64).log2()).max(0.0) - 1e-9);
    }

    /// Whatever is asked, the answer is a number of bits: not NaN, not negative.
    #[test]
    fn bits_are_bits(
        regime in regimes(), dimension in any::<u64>(), log_domain in 0u32..2000, f in -10.0f64..2000.0,
        words in any::<u64>(), v in any::<u32>(), q in any::<u32>(),
    ) {
        let code = Code { dimension, log_domain };
        for bits in [
            regime.distance(&code), regime.query_bits(&code, q), regime.line_bits(&code, f, ALL),
            regime.powers_bits(&code, f, ALL, words), regime.tensor_bits(&code, f, ALL, v),
            regime.ood_bits(&code, f, v, q), regime.claim_bits(&code, f, words),
        ] {
            prop_assert!(bits >= 0.0, "{bits}");
        }
        prop_assert!(regime.distance(&code) < 1.0);
    }
}
