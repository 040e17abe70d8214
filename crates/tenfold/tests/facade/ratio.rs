//! Quotients: fractions in lowest terms, decimals that are cut off.

use proptest::prelude::*;
use tenfold::dataset::Ratio;

fn text(numerator: i128, denominator: i128, scale: u32) -> String {
    Ratio::new(numerator, denominator, scale).unwrap().text()
}

#[test]
fn fractions_are_in_lowest_terms_and_decimals_are_cut() {
    assert_eq!(text(13100, 5, 2), "131/5 = 26.20000");
    assert_eq!(text(2, 3, 0), "2/3 = 0.666…");
    assert_eq!(text(-2, 3, 0), "-2/3 = -0.666…");
    assert_eq!(text(2, -3, 0), "-2/3 = -0.666…");
    assert_eq!(text(-6, -3, 0), "2.000");
    assert_eq!(text(0, -7, 2), "0.00000");
    assert_eq!(text(500, 10, 1), "5.0000", "an integer is no fraction");
    assert_eq!(text(-1, 1_000_000, 0), "-1/1000000 = 0.000…", "no sign on a zero");
    assert_eq!(text(5, 1, 18), "1/200000000000000000 = 0.000000000000000005");
    assert_eq!(Ratio::new(1, 0, 0), None);
    assert_eq!(text(1, 3, 70_000), format!("0.{}…", "0".repeat(70_000)), "more digits than a format has");
}

#[test]
fn the_largest_numbers_have_decimals() {
    let (max, min) = (i128::MAX, i128::MIN);
    assert_eq!(text(max, 2, 0), format!("{max}/2 = {}.500", max / 2));
    assert_eq!(text(max, min, 0), format!("-{max}/{} = -0.999…", min.unsigned_abs()));
    assert_eq!(text(1, max, 18), "0.000000000000000000…", "10^18 times that is too long to write");
    assert_eq!(Ratio::new(3, max, 18).unwrap().fraction(), None);
}

proptest! {
    /// `denominator · decimal <= numerator < denominator · (decimal + 1 unit)`, in size.
    #[test]
    fn the_decimal_is_the_quotient(n in -1_000_000_000_000i128..1_000_000_000_000, d in 1i128..1_000_000, scale in 0u32..6) {
        let (decimal, exact) = Ratio::new(n, d, scale).unwrap().decimal();
        let units: i128 = decimal.replace('.', "").parse().unwrap();
        prop_assert_eq!(units, n * 1000 / d);
        prop_assert_eq!(exact, n * 1000 % d == 0);
        prop_assert_eq!(decimal.rsplit_once('.').unwrap().1.len(), scale as usize + 3);
    }
}
