//! What files are accepted at which policy.
#![expect(clippy::as_conversions, reason = "small numbers of tests")]

use super::longest::{of_pip, pip_file};
use iop::security::Policy;
use iop::security::{Regime, Regimes, Theorem, Theorems};
use pcs::file::File;
use pcs::pip::{Inner, Params, RoundParams};
use tenfold::verify::{Limits, Refused, verify};

/// Parameters whose bits are those of their lines, so that the theorems on them differ by far.
fn params() -> Params {
    let level = |log_columns, queries| RoundParams {
        log_columns,
        log_inv_rate: 2,
        queries,
        grinding: 0,
        fold_grinding: 2,
    };
    let (regime, inner) = (Regime::Johnson { multiplicity: 60 }, Inner::Recursion(vec![level(2, 140)]));
    Params { level: level(3, 140), ..of_pip(regime, inner) }
}

/// A file proves what the least of the verifier's theorems proves; it has no say in which they are, and nobody has to name them.
#[test]
fn a_file_is_accepted_under_each_theorem_or_not_at_all() {
    let params = params();
    let report = params.report();
    let [bchks, dkt] = [Theorem::Bchks25, Theorem::Dkt26]
        .map(|theorem| report.under(Theorems::only(theorem)).proven_bits().floor() as u32);
    assert!(bchks + 3 < dkt, "{bchks} {dkt}");
    let bytes = pip_file(params);
    let file = File::decode(&bytes).unwrap();
    let verdict = |policy| verify(&file, None, &Limits { policy, ..Limits::new(0) });
    assert_eq!(verify(&file, None, &Limits::new(bchks)).unwrap().proven.report.theorems, Theorems::DEFAULT);
    for bits in [bchks + 1, dkt] {
        let refused = verify(&file, None, &Limits::new(bits)).unwrap_err();
        assert!(matches!(refused, Refused::Params(_)) && !refused.is_malformed(), "{refused}");
        let (only, both) = (Theorems::only(Theorem::Dkt26), Theorems::DEFAULT);
        let named = verdict(Policy { theorems: only, ..Policy::at_least(bits) }).unwrap();
        assert!(named.proven.report.theorems == only && named.proven.report.proven_bits() >= f64::from(bits));
        let also = verdict(Policy { theorems: only.and(Theorem::Bchks25), ..Policy::at_least(bits) });
        assert!(also.is_err() && only.and(Theorem::Bchks25) == both, "{bits}");
    }
    // Without work, and without Johnson's regime.
    let plain = report.interactive_bits().floor() as u32;
    assert!(plain < bchks, "{plain} {bchks}");
    let interactive = |interactive_bits| verdict(Policy { interactive_bits, ..Policy::at_least(0) });
    assert!(interactive(plain).is_ok() && interactive(plain + 1).is_err());
    assert!(verdict(Policy { regimes: Regimes::UniqueDecoding, ..Policy::at_least(0) }).is_err());
}
