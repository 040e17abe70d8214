//! Every error source of the protocol, one labelled term each. (notes: sec-terms)

use super::{Inner, Params};
use crate::matrix::chain::Chain;
use crate::matrix::{Round, Terms, code};
use iop::security::{Code, Report};

impl Params {
    /// The security report; [`Params::validate`] first, since it computes with every count.
    pub fn report(&self) -> Report {
        self.report_of(1)
    }

    /// The report of proofs about so many commitments together, which have the polynomials of the parameters among them. (notes: pip-joint)
    pub(crate) fn report_of(&self, commitments: u32) -> Report {
        // Exhaustive: a new parameter does not build until it is accounted for here. The counts enter by the layout.
        let Params {
            fields,
            hash,
            regime,
            entries: _,
            log_size,
            polynomials: _,
            max_forms,
            hidden_openings: _,
            // However leaves are hashed, who opens a position twice has a collision. (notes: codes-parts)
            log_parts: _,
            // A leaf of several fibres binds each of them as one of its own does.
            log_leaf_fibres: _,
            level: _,
            inner,
        } = self;
        let mut report = Report::new(*regime, fields.bits()).hashed_by(*hash);
        let layout = self.layout();
        let mut terms = Terms { report: &mut report, regime: *regime, field_bits: fields.bits() };
        let (first, chain) = (&layout.first, self.chain(&layout.first));
        if let (Inner::TwoChains, Some(chain)) = (inner, &chain) {
            terms.two_chains(first, chain);
            return report;
        }
        if let Some(coordinates) = self.coordinates() {
            // The batching of coordinates and of forms, and the rounds that leave a point.
            let count = coordinates.count(fields.bytes()).next_power_of_two().trailing_zeros();
            terms.claim("ring switching", first, u64::from(count + max_forms - 1), 0);
            if *log_size > 0 {
                terms.claim("ring sumcheck", first, u64::from(2 * log_size), 0);
            }
        }
        terms.reduction(&layout, commitments);
        match chain {
            None => terms.recursion(&layout.stages),
            Some(chain) => terms.chain(first, &chain),
        }
        report
    }
}

impl Terms<'_> {
    /// The folds of one chain, a variable at a time, and one set of positions through all words. (notes: sec-chain)
    fn chain(&mut self, first: &Round, chain: &Chain) {
        let words = (0..chain.folds()).flat_map(|word| core::iter::repeat_n(word, chain.step(word)));
        for (variable, word) in words.enumerate() {
            let (before, folded) = (squared(chain, variable), squared(chain, variable + 1));
            let grinding = chain.rounds(word).grinding;
            let term = self.regime.line_term(format!("fold {variable}"), &folded, self.field_bits);
            self.push(term.ground(grinding));
            let term = self.regime.claim_term(format!("sumcheck {variable}"), &before, self.field_bits, 2);
            self.push(term.ground(grinding));
        }
        self.query_term("queries", first);
    }

    /// The combination of the fragments, the folds with a word of the value chain swept in, the queries. The value has no
    /// term of its own: its words are fixed before any challenge. (notes: sec-two-chains)
    fn two_chains(&mut self, first: &Round, chain: &Chain) {
        let grinding = first.rounds.grinding;
        if first.rounds.count > 0 {
            let columns = first.rounds.count as u32;
            let term = self.regime.tensor_term("combine columns", &code(first), self.field_bits, columns);
            self.push(term.ground(grinding));
        }
        for i in 0..chain.folds() {
            let swept = if i + 1 < chain.folds() { 3 } else { 2 };
            let folded = squared(chain, i + 1);
            let term = self.regime.powers_term(format!("fold {i}"), &folded, self.field_bits, swept);
            self.push(term.ground(grinding));
        }
        self.query_term("queries", first);
    }
}

/// The code after so many folds.
fn squared(chain: &Chain, folds: usize) -> Code {
    let domain = chain.word(0).folded(folds);
    Code { dimension: domain.length() as u64, log_domain: domain.log_domain() as u32 }
}
