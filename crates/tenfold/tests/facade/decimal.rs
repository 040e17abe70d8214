//! Exact decimals.

use proptest::prelude::*;
use tenfold::dataset::decimal::*;

fn ok(text: &str) -> (i128, u32) {
    let d = parse(text.as_bytes()).unwrap();
    (d.mantissa, d.scale)
}

#[test]
fn reads_what_people_write() {
    assert_eq!(ok("0"), (0, 0));
    assert_eq!(ok(" -12.50 "), (-1250, 2));
    assert_eq!(ok("+7"), (7, 0));
    assert_eq!(ok(".5"), (5, 1));
    assert_eq!(ok("5."), (5, 0));
    assert_eq!(ok("1e3"), (1000, 0));
    assert_eq!(ok("1.25E-2"), (125, 4));
    assert_eq!(ok("0.10000000000000000000000"), (100_000_000_000_000_000, 18));
    assert_eq!(ok("0.1"), (1, 1), "0.1 is exact, unlike as a float");
}

#[test]
fn refuses_the_rest() {
    let cases: [(&str, Refused); 16] = [
        ("", Refused::Empty),
        ("  ", Refused::Empty),
        ("-", Refused::NotANumber),
        (".", Refused::NotANumber),
        ("1,000", Refused::NotANumber),
        ("12 EUR", Refused::NotANumber),
        ("1.2.3", Refused::NotANumber),
        ("1e", Refused::NotANumber),
        ("e5", Refused::NotANumber),
        ("0x10", Refused::NotANumber),
        ("NaN", Refused::NotFinite),
        ("-Infinity", Refused::NotFinite),
        ("inf", Refused::NotFinite),
        ("0.0000000000000000001", Refused::TooManyDecimals(19)),
        ("1e400", Refused::TooLarge),
        ("999999999999999999999999999999999999999999", Refused::TooLarge),
    ];
    for (text, why) in cases {
        assert_eq!(parse(text.as_bytes()), Err(why), "{text:?}");
    }
}

/// As many zeros as an exponent that is cut at 999 makes up for.
#[test]
fn long_fractions_and_exponents_are_exact() {
    let zeros = "0".repeat(998);
    assert_eq!(ok(&format!("0.{zeros}1e999")), (1, 0));
    assert_eq!(ok(&format!("0.{zeros}1e1001")), (100, 0));
    assert_eq!(parse(format!("0.{zeros}1e5000").as_bytes()), Err(Refused::TooLarge));
    assert_eq!(parse(format!("0.{zeros}1e{}", u128::MAX).as_bytes()), Err(Refused::TooLarge));
    assert_eq!(parse(b"1e-5000"), Err(Refused::TooManyDecimals(5000)));
    let said = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(said("1e-99999"), "it has 99,999 decimals, and 18 are kept");
    assert_eq!(said("1e-99999999999999999999"), "it has more than 4 billion decimals, and 18 are kept");
}

/// Digits are read in words; a point stands anywhere, at the ends of words too.
#[test]
fn numbers_of_every_length_are_exact() {
    let digits = "98765432109876543210987654321098765432";
    for length in 1..=digits.len() {
        for after in 0..=length.min(MAX_SCALE as usize) {
            let (whole, fraction) = digits[..length].split_at(length - after);
            let mantissa = digits[..length].parse().unwrap();
            assert_eq!(ok(&format!("{whole}.{fraction}")), (mantissa, after as u32), "{whole}.{fraction}");
        }
    }
    assert_eq!(ok(&i128::MAX.to_string()), (i128::MAX, 0));
    assert_eq!(parse(b"170141183460469231731687303715884105728"), Err(Refused::TooLarge));
}

#[test]
fn formats_with_all_digits() {
    assert_eq!(format(-5, 2), "-0.05");
    assert_eq!(format(1250, 2), "12.50");
    assert_eq!(format(0, 0), "0");
    assert_eq!(format(i128::MIN, 0), i128::MIN.to_string());
}

proptest! {
    #[test]
    fn parse_inverts_format(value in -(1i128 << 120)..(1i128 << 120), scale in 0..=MAX_SCALE) {
        let text = format(value, scale);
        prop_assert_eq!(parse(text.as_bytes()), Ok(Decimal { mantissa: value, scale }));
    }

    #[test]
    fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let _ = parse(&bytes);
    }
}
