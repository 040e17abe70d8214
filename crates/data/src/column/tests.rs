//! Values of columns, and what builds them.

use super::*;

fn build(cells: &[&str], fixed: Option<u32>) -> Result<Column, DataError> {
    let mut builder = Builder::new(Some("x".into()), fixed, Limits::NONE);
    for cell in cells {
        builder.push_text(cell.as_bytes(), None)?;
    }
    builder.finish("file", "none")
}

#[test]
fn scale_is_the_largest_seen() {
    let column = build(&["1", "-2.5", "0.125", "3.0"], None).unwrap();
    assert_eq!(column.scale, 3);
    assert_eq!(column.values, Values::Narrow(vec![1000, -2500, 125, 3000]));
    assert_eq!(column.text(1).unwrap(), "-2.500");
    assert_eq!((column.rows(), column.padded_rows()), (4, 4));
    assert_eq!(column.values.range(), Some((-2500, 3000)));
    assert_eq!(column.values.sum(), Some(1625));
}

#[test]
fn a_fixed_scale_refuses_finer_values_only() {
    let column = build(&["1", "2.50"], Some(1)).unwrap();
    assert_eq!(column.values, Values::Narrow(vec![10, 25]));
    let error = build(&["1", "2.55"], Some(1)).unwrap_err();
    assert!(matches!(error, DataError::TooManyDecimals { decimals: 2, limit: 1, .. }), "{error}");
}

#[test]
fn widens_once_and_keeps_values() {
    let column = build(&["1", "99999999999999999999", "-3"], None).unwrap();
    assert_eq!(column.values, Values::Wide(vec![1, 99_999_999_999_999_999_999, -3]));
    assert_eq!(column.padded_rows(), 4);
}

#[test]
fn rescaling_detects_overflow() {
    let big = "99999999999999999999999999999999999999";
    let error = build(&[big, "0.5"], None).unwrap_err();
    assert!(matches!(error, DataError::TooLarge { decimals: true, .. }), "{error}");
    for (texts, fixed) in [(vec!["0.5", big], None), (vec!["1", big], Some(2))] {
        let error = build(&texts, fixed).unwrap_err();
        assert!(matches!(error, DataError::TooLarge { decimals: true, .. }), "{error}");
    }
    let larger = format!("{big}99");
    let error = build(&["1", &larger], None).unwrap_err();
    assert!(matches!(error, DataError::TooLarge { decimals: false, .. }), "{error}");
}

#[test]
fn memory_limit_stops_the_reading() {
    let limits = Limits { max_bytes: 1 << 16 };
    let mut builder = Builder::new(None, None, limits);
    let error = (0..1 << 20).find_map(|i| builder.push_integer(i).err()).expect("stopped");
    assert!(matches!(error, DataError::OverMemory { limit: 65536, .. }), "{error}");
}
