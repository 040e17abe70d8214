//! What the authors of PIP_FRI report (USENIX Security 2026, Table 1), to stand beside our own figures.
//!
//! Another machine, another language level, another security: their field has 64 bits and their 33 queries count on a
//! conjecture that was refuted, so that their parameters prove about 41 bits at most. The table's column `Open (ms)` is in seconds, as
//! its own ratios show; the last size has a proof size only.

use std::fmt::Write;

/// log2 of the size; commit and open in seconds; verify in milliseconds; proof in KiB.
type Row = (u32, Option<[f64; 3]>, u32);

const TABLE_1: [Row; 6] = [
    (20, Some([0.55, 0.23, 1.56]), 156),
    (21, Some([1.13, 0.46, 1.69]), 176),
    (22, Some([2.34, 0.94, 1.87]), 196),
    (23, Some([4.80, 1.85, 2.08]), 228),
    (24, Some([9.29, 1.89, 2.27]), 262),
    (25, None, 288),
];

/// The paper's rows for the sizes it has.
pub fn table(sizes: &[u32]) -> String {
    let mut out =
        String::from("as reported by the paper (its machine, goldilocks alone, at most 41 proven bits):\n");
    for (log_size, times, kib) in TABLE_1.iter().filter(|row| sizes.contains(&row.0)) {
        let _ = match times {
            Some([commit, open, verify]) => writeln!(
                out,
                "  2^{log_size}: commit {:.0} ms, open {:.0} ms, verify {verify} ms, {kib} KiB",
                commit * 1e3,
                open * 1e3
            ),
            None => writeln!(out, "  2^{log_size}: {kib} KiB"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_units_of_the_opening_are_seconds() {
        let table = super::table(&[20, 25, 30]);
        assert!(
            table.contains("2^20: commit 550 ms, open 230 ms") && table.contains("2^25: 288 KiB"),
            "{table}"
        );
        assert_eq!(table.lines().count(), 3);
    }
}
