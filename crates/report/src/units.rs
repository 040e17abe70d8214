//! Numbers as people read and write them.

pub use iop::text::{bytes, count, from_hex, hex, several};

/// [`bytes`] rounded up, so that a limit of what is written is kept by `n`.
#[must_use]
pub fn bytes_up(n: u64) -> String {
    let power = n.max(1).ilog2() / 10;
    if power == 0 {
        return bytes(n);
    }
    let tenths = (u128::from(n) * 10).div_ceil(1 << (10 * power));
    format!(
        "{}.{} {}",
        tenths / 10,
        tenths % 10,
        ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][power as usize - 1]
    )
}

/// Milliseconds with three significant digits: `0.412 ms`, `12.3 ms`, `1.50 s`.
#[must_use]
pub fn millis(ms: f64) -> String {
    let (value, unit) = if ms >= 999.5 { (ms / 1000.0, "s") } else { (ms, "ms") };
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    let digits = if value < 0.9995 { 3 } else { digits };
    format!("{value:.digits$} {unit}")
}

/// Reads `512MiB`, `4G`, `1.5 GB` or a number of bytes; letters without `i` mean powers of 1024 too.
///
/// # Errors
/// A sentence that shows the form.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is no amount of memory; write `512MiB`, `4GiB` or a number of bytes");
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(bad()),
    };
    let number: f64 = number.parse().map_err(|_| bad())?;
    Ok((number * 1024f64.powi(power)) as u64)
}

/// Reads `500ms`, `2s` or a number of milliseconds, more than none.
///
/// # Errors
/// A sentence that says what it is not.
pub fn parse_millis(text: &str) -> Result<f64, String> {
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => text.strip_suffix('s').map_or((text, 1.0), |number| (number, 1000.0)),
    };
    let millis = number.trim().parse::<f64>().ok().map(|n| n * factor);
    let positive = millis.filter(|ms| ms.is_finite() && *ms > 0.0);
    positive.ok_or_else(|| format!("`{text}` is no number of milliseconds, nor a time like `2s`"))
}

/// A second in milliseconds.
pub const SECOND: f64 = 1000.0;

/// Reads a time like [`parse_millis`], in milliseconds, of what takes seconds and more: a number below 1000 without a unit is refused, since seconds were meant.
///
/// # Errors
/// A sentence that says what it is not, or how to write what was meant.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let millis = parse_millis(text)?;
    if millis < SECOND && !text.ends_with('s') {
        let text = text.trim();
        return Err(format!(
            "a number without a unit is milliseconds: write `{text}s`, or `{text}ms` if they are meant"
        ));
    }
    Ok(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("1.5 KiB"), Ok(1536));
        for n in [1, 1023, 1024, 1025, 66_000, 68_915, (1 << 20) + 1, (5 << 30) + 3] {
            assert!(parse_bytes(&bytes_up(n)).unwrap() >= n, "{n}: {}", bytes_up(n));
        }
        assert_eq!(parse_bytes("4G"), Ok(4 << 30));
        assert_eq!(parse_bytes("77"), Ok(77));
        assert!(parse_bytes("lots").is_err() && parse_bytes("4 apples").is_err() && parse_bytes("").is_err());
    }

    #[test]
    fn times() {
        assert_eq!(millis(0.4123), "0.412 ms");
        assert_eq!(
            [parse_millis("1.5s"), parse_millis("20 ms"), parse_millis("7")],
            [Ok(1500.0), Ok(20.0), Ok(7.0)]
        );
        assert!(["0", "-1s", "inf", "s", "", "2 h"].iter().all(|text| parse_millis(text).is_err()));
        assert_eq!(["90s", "90 ms", "1000"].map(parse_seconds), [Ok(90_000.0), Ok(90.0), Ok(1000.0)]);
        assert!(parse_seconds("90").is_err_and(|e| e.contains("write `90s`, or `90ms`")));
        assert!(["999.9", "0", "s"].iter().all(|text| parse_seconds(text).is_err()));
        assert_eq!(millis(1.234), "1.23 ms");
        assert_eq!(millis(12.34), "12.3 ms");
        assert_eq!(millis(999.4), "999 ms");
        assert_eq!(millis(1500.0), "1.50 s");
    }
}
