//! Every error source of the protocol, one labelled term each. (notes: virgo-sound)

use super::delegation;
use super::params::Params;
use crate::deepfold::Target;
use crate::deepfold::search::OneQueryPhase;
use iop::security::{Code, Regime, Report};

impl Params {
    /// The security report; [`Params::validate`] first, since it computes with every count.
    pub fn report(&self) -> Report {
        // Exhaustive: a new parameter does not build until it is accounted for here.
        let Params {
            fields,
            hash,
            regime,
            log_size: _,
            log_columns,
            log_inv_rate: _,
            queries,
            grinding,
            log_final: _,
        } = *self;
        let bits = fields.bits();
        let mut report = Report::new(regime, bits).hashed_by(hash);
        let first = code(self, 0);
        if regime != Regime::UniqueDecoding {
            // A fragment has a degree below its length in the point, and its weight one in each challenge.
            let degree = (1u32 << self.log_rows()) - 1 + log_columns;
            report.push(regime.ood_term("commit: out-of-domain", &first, bits, degree));
        }
        report.push(regime.tensor_term("combine words", &first, bits, self.word_variables() as u32));
        for round in 1..=self.rounds() {
            report.push(regime.line_term(format!("round {round}: fold"), &code(self, round), bits));
        }
        // The polynomial of the weights is given by the claim: there is one, in every regime.
        let one = Regime::UniqueDecoding;
        let points = 2 * u64::from(queries) - 1;
        report.push(one.claim_term("delegation: points", &first, bits, points));
        let degree = 2 * delegation::rounds(self.log_rows() as usize) as u64;
        report.push(one.claim_term("delegation: sumchecks", &first, bits, degree));
        report.push(regime.query_term("queries", &first, queries).ground(grinding));
        report
    }
}

impl OneQueryPhase for Params {
    fn of_target(target: &Target, regime: Regime) -> Self {
        let Target { fields, hash, log_size, log_columns, log_inv_rate, grinding, .. } = *target;
        let (queries, log_final) = (1, 0);
        Self { fields, hash, regime, log_size, log_columns, log_inv_rate, queries, grinding, log_final }
    }

    fn check_ranges(&self) -> Result<(), &'static str> {
        self.check_ranges()
    }

    fn queries(&mut self) -> &mut u32 {
        &mut self.queries
    }

    fn report(&self) -> Report {
        self.report()
    }

    fn first_code(&self) -> Code {
        code(self, 0)
    }
}

/// The code of a word as the calculator takes it.
fn code(params: &Params, round: usize) -> Code {
    let rs = params.code(round);
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}
