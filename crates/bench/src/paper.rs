//! Figures that authors report, to stand beside our own.
//!
//! **PIP_FRI** (USENIX Security 2026, Table 1). Another machine, another language level, another security: their field has 64 bits and their 33 queries count on a
//! conjecture that was refuted, so that their parameters prove about 41 bits at most. The table's column `Open (ms)` is in seconds, as
//! its own ratios show; the last size has a proof size only.
//!
//! **Ligerito**: the table that was published with the Rust implementation (8 cores, commit and proof together), beside the authors' Julia
//! code. The verifier of that time never compared the last sumcheck claim with the message in clear, and challenges of the first
//! level came from GF(2^32); the released crate does more work than this table shows.

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

/// log2 of the 32-bit words of data; seconds of the Rust and of the Julia prover.
const LIGERITO: [(u32, f64, f64); 4] =
    [(20, 0.068, 0.091), (24, 1.24, 1.17), (28, 25.1, 18.1), (30, 77.3, 71.1)];

/// The published figures of Ligerito, with the growth from one of its sizes to the next: for sizes that are out of reach here.
pub fn ligerito() -> String {
    let mut out = String::from(
        "as published for Ligerito (8 cores, another machine, a verifier that accepted forgeries):\n",
    );
    let mut before: Option<(u32, f64, f64)> = None;
    for (log_size, rust, julia) in LIGERITO {
        let growth = before.map_or_else(String::new, |(size, r, j)| {
            format!("; {:.1}x and {:.1}x for {}x the data", rust / r, julia / j, 1 << (log_size - size))
        });
        let _ =
            writeln!(out, "  2^{log_size}: Rust {:.0} ms, Julia {:.0} ms{growth}", rust * 1e3, julia * 1e3);
        before = Some((log_size, rust, julia));
    }
    out
}

/// The rows of PIP_FRI's paper for the sizes it has.
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

    #[test]
    fn growth_is_between_neighbours() {
        let table = super::ligerito();
        assert!(table.contains("2^20: Rust 68 ms, Julia 91 ms\n"), "{table}");
        assert!(
            table.contains("2^30: Rust 77300 ms, Julia 71100 ms; 3.1x and 3.9x for 4x the data"),
            "{table}"
        );
    }
}
