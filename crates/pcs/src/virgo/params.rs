//! What Virgo adds to the parameters of baselines: limits, and counts that follow from them.

use super::Params;
use crate::baseline::{Baseline, Labels, Limits};
use alloc::vec::Vec;
use iop::code::ReedSolomon;
use iop::oracle::OracleSpec;
use iop::security::{Regime, Report};

/// Virgo, with one fragment, and DeVirgo, with one or several for each machine: no parameters of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Virgo;

impl Baseline for Virgo {
    const LABELS: Labels = Labels {
        params: "tenfold virgo params v1",
        commit: "tenfold virgo commit v1",
        open: "tenfold virgo open v1",
    };
    const LIMITS: Limits = Limits {
        family: "the univariate sumcheck needs a two-power subgroup",
        log_columns: 10,
        log_rows: 30,
        // The identity behind a value has degree below twice a fragment's length, and must hold on more positions than that.
        log_inv_rate: (2, "the rate must lie between 1/4 and 2^-16"),
        final_work: "queries times entries of the final message exceed 2^26",
    };
    const PARTS: [usize; 2] = [0, 0];

    fn in_regime(_regime: Regime) -> Self {
        Self
    }

    fn flags(&self) -> Vec<u8> {
        Vec::new()
    }

    fn counts(&self) -> Vec<u32> {
        Vec::new()
    }

    fn from_parts(flags: &[u8], counts: &[u32]) -> Option<Self> {
        (flags.is_empty() && counts.is_empty()).then_some(Self)
    }

    fn max_forms(&self) -> u32 {
        1
    }

    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// Fragments and their quotients have the shape of word 0.
    fn opened(params: &Params) -> u64 {
        let degree = params.fields.degree() as u64;
        params.columns() as u64 * (1 + degree) + params.rounds() as u64 * degree
    }

    fn passes(params: &Params) -> u64 {
        params.queries.into()
    }

    fn report(params: &Params) -> Report {
        super::security::report(params)
    }
}

impl Params {
    /// Challenges that combine the words of the fragments, of their quotients, of their remainders and of these times `X`, and the
    /// quotient by the point outside of the domain.
    pub fn word_variables(&self) -> usize {
        self.log_columns as usize + if self.out_of_domain() { 3 } else { 2 }
    }

    /// The code of fragments and quotients.
    pub fn first_code(&self) -> ReedSolomon {
        self.code(0)
    }

    /// The tree over fragments, and that over quotients: a leaf holds the rows at `x` and `-x`.
    pub fn first_tree(&self) -> OracleSpec {
        self.tree(0)
    }
}
