//! What a prover says, where a malicious one may deviate: tests have such provers, and an honest one changes nothing.

use curve::bls12_381::{Fr, G1};
use curve::columns::Column;

use crate::constraints::Row;
use crate::setup::Coset;

/// The messages of a prover, each as it is computed and before it is said.
pub(crate) trait Script {
    /// The factors of the constraints.
    fn factors(&self, alphas: [Fr; 7]) -> [Fr; 7] {
        alphas
    }

    /// The quotient that is committed to.
    fn quotient(&self, quotient: Column, _coset: &Coset) -> Column {
        quotient
    }

    /// The values at `zeta`.
    fn values(&self, values: Row) -> Row {
        values
    }

    /// The value of the linear part at `zeta w`.
    fn shifted(&self, value: Fr) -> Fr {
        value
    }

    /// The openings at `zeta` and at `zeta w`.
    fn openings(&self, openings: [G1; 2]) -> [G1; 2] {
        openings
    }
}

/// The prover of the protocol.
pub(crate) struct Honest;

impl Script for Honest {}
