//! Every error source of the protocol, one labelled term each. (notes: sec-terms)

use super::params::Params;
use crate::matrix::Terms;
use iop::security::Report;

impl Params {
    /// The security report; [`Params::validate`] first, since it computes with every count.
    pub fn report(&self) -> Report {
        // Exhaustive: a new parameter does not build until it is accounted for here. The counts enter by the layout.
        let Params {
            fields,
            hash: _,
            regime,
            entries: _,
            log_size,
            polynomials: _,
            max_forms,
            hidden_openings: _,
            level: _,
            levels: _,
        } = self;
        let mut report = Report::new(*regime, fields.bits());
        let layout = self.layout();
        let mut terms = Terms { report: &mut report, regime: *regime, field_bits: fields.bits() };
        if let Some(coordinates) = self.coordinates() {
            // The batching of coordinates and of forms, and the rounds that leave a point.
            let count = coordinates.count(fields.bytes()).next_power_of_two().trailing_zeros();
            terms.claim("ring switching", &layout.first, u64::from(count + max_forms - 1), 0);
            if *log_size > 0 {
                terms.claim("ring sumcheck", &layout.first, u64::from(2 * log_size), 0);
            }
        }
        terms.reduction(&layout);
        terms.recursion(&layout.stages);
        report
    }
}
