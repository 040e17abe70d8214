//! Commit and open. Step labels as in `verifier.rs`.

use super::Prover;
use super::claim::{Claim, Halved};
use crate::claims::Claims;
use crate::matrix::{Commitment, combine_columns, combine_rows};
use field::{ExtensionOf, Field, TwoAdic, parallel};
use iop::fold::Squared;
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot};
use iop::transcript::{Challenger, ProverTape};

/// log2 of the pairs of entries that share one table of weights: it stays in the first-level cache.
const LOG_WEIGHTS: usize = 9;
/// log2 of the columns that a matrix is read with at least, where the layout leaves the choice.
const LOG_WIDTH: usize = 5;

/// What the prover keeps of a commitment: the message matrix, the codeword and its tree.
#[derive(Debug)]
pub struct Witness<B, E> {
    message: Vec<B>,
    oracle: CommittedCodeword<B>,
    commitment: Commitment<E>,
    /// The fragments' values at the row part of the out-of-domain point.
    out_of_domain: Option<Vec<E>>,
}

impl<B: Field, E> Witness<B, E> {
    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }

    /// The entries.
    pub fn message(&self) -> &[B] {
        &self.message
    }

    /// Bytes held beyond the commitment.
    pub fn memory(&self) -> usize {
        self.message.len() * size_of::<B>() + self.oracle.memory()
    }
}

impl<B: TwoAdic, E: ExtensionOf<B>> Prover<'_, B, E> {
    /// Takes back the memory of a witness that is no longer needed.
    pub fn recycle(&mut self, witness: Witness<B, E>) {
        self.buffer = witness.oracle.into_blocks().pop().unwrap_or_default();
    }

    /// Commits to a polynomial of `2^log_size` entries; entry `i` stands in column `i mod 2^log_columns`.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    ///
    /// # Panics
    /// If the number of entries is another.
    pub fn commit(&mut self, entries: Vec<B>) -> Witness<B, E> {
        let params = self.scheme.params();
        assert_eq!(entries.len(), 1 << params.log_size, "number of entries");
        let mut word = core::mem::take(&mut self.buffer);
        word.resize(entries.len() << params.log_inv_rate, B::ZERO);
        Squared { code: params.code(0), squarings: 0 }.encode(&entries, params.columns(), &mut word);
        let oracle = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
        let root = oracle.root();
        let (mut values, mut partial) = (Vec::new(), None);
        if let Some(point) = self.scheme.out_of_domain_point(&root) {
            let (columns, of_columns) = self.partial(&entries, &point);
            values.push(dot(&columns, &of_columns));
            partial = Some(of_columns);
        }
        let commitment = Commitment { root, out_of_domain: values };
        Witness { message: entries, oracle, commitment, out_of_domain: partial }
    }

    /// The values of forms on the committed polynomial: `[form][0]`.
    pub fn evaluate(&self, witness: &Witness<B, E>, forms: &[TensorForm<E>]) -> Vec<Vec<E>> {
        let partials = forms.iter().map(|form| self.partial(&witness.message, form));
        partials.map(|(columns, partial)| vec![dot(&columns, &partial)]).collect()
    }

    /// A form's fragment weights and the value of every fragment under its row part.
    fn partial(&self, message: &[B], form: &TensorForm<E>) -> (Vec<E>, Vec<E>) {
        let params = self.scheme.params();
        assert_eq!(form.variables(), params.log_size as usize, "variables of a linear form");
        let log_columns = params.log_columns as usize;
        // A matrix of few columns is read as one of more, half as many rows for each.
        let log_width = log_columns.max(LOG_WIDTH).min(params.log_size as usize);
        let (low, high) = form.split(log_width);
        let (columns, middle) = low.split(log_columns);
        let wide = combine_rows(message, 1 << log_width, &high.expand());
        let mut partial = vec![E::ZERO; params.columns()];
        for (row, weight) in wide.chunks_exact(params.columns()).zip(middle.expand()) {
            partial.iter_mut().zip(row).for_each(|(p, &x)| *p += weight * x);
        }
        (columns.expand(), partial)
    }

    /// Opens: the values of the forms, and the proof.
    ///
    /// Cost: one pass over the data for each form, then about two products for each element of the first word that
    /// is folded (`size / rate` without fragments, `2^-log_columns` of that with).
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables.
    pub fn open(
        &self,
        witness: &Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        let params = self.scheme.params();
        assert!(!forms.is_empty() && forms.len() <= params.own.max_forms as usize, "number of linear forms");
        let (mut values, mut partials) = (Vec::new(), Vec::from_iter(witness.out_of_domain.clone()));
        for form in &forms {
            let (columns, partial) = self.partial(&witness.message, form);
            values.push(vec![dot(&columns, &partial)]);
            partials.push(partial);
        }
        let claims = Claims { forms, values, context: context.to_vec() };
        let mut tape = self.scheme.bind(&witness.commitment, &claims).prover();
        let stated = self.scheme.stated(&witness.commitment, &claims);
        // P1: claims about the polynomial become claims about one combination of its fragments.
        if params.log_columns == 0 {
            self.prove(&mut tape, witness, Table::Base(&witness.message), stated);
        } else {
            partials.iter().for_each(|partial| tape.send("partial evaluations", partial));
            let weights = self.scheme.column_point(&mut tape).expand();
            let rows = |claim: Claim<E>| claim.form.split(params.log_columns as usize).1;
            let combined = stated.into_iter().map(rows).zip(&partials);
            let combined = combined.map(|(form, p)| Claim { form, value: dot(&weights, p) }).collect();
            let table = Table::Extension(combine_columns(&witness.message, &weights));
            self.prove(&mut tape, witness, table, combined);
        }
        (claims, tape.finish())
    }

    fn prove(
        &self,
        tape: &mut ProverTape,
        witness: &Witness<B, E>,
        mut table: Table<'_, B, E>,
        claims: Vec<Claim<E>>,
    ) {
        let params = self.scheme.params();
        let (rounds, mut claims) = (params.rounds(), claims);
        let mut oracles: Vec<CommittedCodeword<E>> = Vec::new();
        // P2: each round folds every claim with the word.
        for round in 0..rounds {
            if let Some(oracle) = oracles.last() {
                tape.send_bytes("root", &oracle.root());
                if params.own.deep {
                    let form = self.scheme.deep_point(tape, round);
                    let value = table.apply(&form);
                    tape.send("deep value", &[value]);
                    claims.push(Claim { form, value });
                }
            }
            let r = fold_claims(tape, &mut claims, &table);
            let message = table.bind(r);
            if round + 1 < rounds {
                oracles.push(match oracles.last() {
                    // The commitment's word is folded if it has one column; else the message is encoded, which is cheaper than to
                    // combine the columns of that word.
                    None if params.log_columns == 0 => self.commit_first(&witness.oracle, r),
                    last => self.commit_folded((last, &message), round, r),
                });
            }
            table = Table::Extension(message);
        }
        // P3: the final message in clear.
        tape.send("final message", &table.into_vec());
        // P4: open the words along the queries.
        let positions = self.positions(tape);
        witness.oracle.open_rows(tape, &positions);
        Self::open_words(tape, &oracles, positions);
    }
}

/// Sends the slope of every claim, draws the challenge and folds the claims by it.
fn fold_claims<B: TwoAdic, E: ExtensionOf<B>>(
    tape: &mut ProverTape,
    claims: &mut Vec<Claim<E>>,
    table: &Table<'_, B, E>,
) -> E {
    let halve = |claim: &Claim<E>| {
        let halved = claim.halve().expect("a variable for each round");
        let [even, slope] = table.halves(&halved.rest);
        (halved, even, slope)
    };
    let halves: Vec<(Halved<E>, E, E)> = claims.iter().map(halve).collect();
    let mut sent = Vec::with_capacity(2 * halves.len());
    for (halved, even, slope) in &halves {
        sent.extend_from_slice(&[*slope, *even][..halved.sent()]);
    }
    tape.send("slopes", &sent);
    let r = tape.challenge("fold");
    *claims = halves.into_iter().map(|(halved, even, slope)| halved.fold(even, slope, r)).collect();
    r
}

/// The current message: over the base field until the first fold, if it is no combination.
enum Table<'a, B, E> {
    Base(&'a [B]),
    Extension(Vec<E>),
}

impl<B: TwoAdic, E: ExtensionOf<B>> Table<'_, B, E> {
    /// The values of a form on the even entries and on the differences to their odd neighbours.
    fn halves(&self, rest: &TensorForm<E>) -> [E; 2] {
        match self {
            Self::Base(entries) => {
                let log_width = LOG_WIDTH.min(rest.variables());
                let (low, high) = rest.split(log_width);
                let wide = combine_rows(entries, 2 << log_width, &high.expand());
                pair_sums(&wide, &low)
            }
            Self::Extension(entries) => pair_sums(entries, rest),
        }
    }

    /// The value of a form.
    fn apply(&self, form: &TensorForm<E>) -> E {
        let (low, rest) = form.split(1);
        let ([even, slope], [a, b]) = (self.halves(&rest), low.factors()[0]);
        a * even + b * (even + slope)
    }

    /// The message folded by `r`.
    fn bind(self, r: E) -> Vec<E> {
        match self {
            Self::Base(entries) => combine_columns(entries, &[E::ONE - r, r]),
            Self::Extension(mut entries) => {
                iop::sumcheck::bind(&mut entries, r);
                entries
            }
        }
    }

    fn into_vec(self) -> Vec<E> {
        match self {
            Self::Base(entries) => entries.iter().map(|&x| E::lift(x)).collect(),
            Self::Extension(entries) => entries,
        }
    }
}

/// `[Σ_j w_j t_2j, Σ_j w_j (t_2j+1 - t_2j)]`, `w` the weights of `rest`: the sums of a product round with `w, 2w`
/// as the other table.
fn pair_sums<E: Field>(table: &[E], rest: &TensorForm<E>) -> [E; 2] {
    let (low, high) = rest.split(LOG_WEIGHTS);
    let mut weights = Vec::with_capacity(2 << low.variables());
    for w in low.expand() {
        weights.extend_from_slice(&[w, w + w]);
    }
    let sums = parallel::map(table.chunks(weights.len()).zip(high.expand()), |(entries, scale)| {
        let (even, slope) = E::product_round(entries, &weights);
        [scale * even, scale * slope]
    });
    sums.into_iter().fold([E::ZERO; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
}
