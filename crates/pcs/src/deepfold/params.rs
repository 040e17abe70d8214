//! What DeepFold adds to the parameters of baselines.

use super::Params;
use crate::baseline::params::{MAX_LOG_SIZE, check};
use crate::baseline::{Baseline, Labels, Limits};
use alloc::vec::Vec;
use iop::security::{Regime, Report};

/// DeepFold's own parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeepFold {
    /// The most linear forms that one opening may prove.
    pub max_forms: u32,
    /// Whether each folded word comes with a value at a random point, as in the paper. The security report does
    /// not rely on it: mutual correlated agreement, proven after the paper, follows every member of a list.
    // notes: deepfold-deep
    pub deep: bool,
}

impl Baseline for DeepFold {
    const LABELS: Labels = Labels {
        params: "tenfold deepfold params v1",
        commit: "tenfold deepfold commit v1",
        open: "tenfold deepfold open v1",
    };
    const LIMITS: Limits = Limits {
        family: "words are folded over prime fields",
        log_columns: 24,
        log_rows: MAX_LOG_SIZE,
        log_inv_rate: (1, "the rate must lie between 1/2 and 2^-16"),
        final_work: "claims times entries of the final message exceed 2^26",
    };
    const PARTS: [usize; 2] = [1, 1];

    /// In the Johnson regime, a value outside of the domain for each word.
    fn in_regime(regime: Regime) -> Self {
        Self { max_forms: 1, deep: regime != Regime::UniqueDecoding }
    }

    fn flags(&self) -> Vec<u8> {
        vec![u8::from(self.deep)]
    }

    fn counts(&self) -> Vec<u32> {
        vec![self.max_forms]
    }

    fn from_parts(flags: &[u8], counts: &[u32]) -> Option<Self> {
        match (flags, counts) {
            (&[deep @ (0 | 1)], &[max_forms]) => Some(Self { max_forms, deep: deep == 1 }),
            _ => None,
        }
    }

    fn max_forms(&self) -> u32 {
        self.max_forms
    }

    fn check(&self) -> Result<(), &'static str> {
        check((1..=1 << 8).contains(&self.max_forms), "the number of linear forms per opening")
    }

    fn opened(params: &Params) -> u64 {
        params.columns() as u64 + params.rounds() as u64 * params.fields.degree() as u64
    }

    fn passes(params: &Params) -> u64 {
        u64::from(params.own.max_forms) + 1 + params.rounds() as u64 + u64::from(params.queries)
    }

    fn report(params: &Params) -> Report {
        super::security::report(params)
    }
}
