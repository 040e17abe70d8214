//! Opening several commitments by one proof. Step labels as in `matrix/prover.rs`.

use super::JointScheme;
use crate::claims::Claims;
use crate::matrix::committed::{HELD_HERE, SideBySide};
use crate::matrix::steps::Steps;
use crate::matrix::{BatchedClaims, Commitment, Opened, Prover, Unavailable, Witness};
use field::{ExtensionOf, FoldFibres};
use iop::poly::TensorForm;

/// For each form the values of the columns under its row part.
type Partials<E> = Vec<Vec<E>>;

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> JointScheme<F, B, E> {
    /// Opens: the values of each commitment's forms on its own polynomials, and one proof. What a protocol absorbs before and after:
    /// [under a proof system](crate::scheme#under-a-proof-system).
    ///
    /// Cost: one combination of all columns and one inner argument, whatever the number of commitments; and for each form, those of the out-of-domain samples among them, a
    /// combination of the rows of all commitments.
    ///
    /// Outside unique decoding each commitment has a sample, so that many commitments cost as many passes over all data. A matrix that this process holds no entries of is not
    /// opened so.
    ///
    /// # Panics
    /// If there are other numbers of witnesses or lists of forms than commitments, a witness is not of its part's parameters, a list is empty or longer than the parameters
    /// allow, or a form has the wrong number of variables.
    pub fn open(
        &self,
        witnesses: &[&Witness<B, E>],
        forms: Vec<Vec<TensorForm<E>>>,
        context: &[u8],
    ) -> (Vec<Claims<E>>, Vec<u8>) {
        let count = self.parts.len();
        assert_eq!(
            (witnesses.len(), forms.len()),
            (count, count),
            "numbers of witnesses and of lists of forms"
        );
        let stated: Result<Vec<_>, Unavailable> = self
            .parts
            .iter()
            .zip(witnesses)
            .zip(forms)
            .map(|((part, witness), forms)| {
                assert_eq!(witness.kept.params, part.layout().digest, "a witness of its part's parameters");
                Prover::new(part).state(witness, forms, context)
            })
            .collect();
        let (claims, partials): (Vec<_>, Vec<_>) = stated.expect(HELD_HERE).into_iter().unzip();
        let proof = self.prove(witnesses, &claims, partials).expect(HELD_HERE);
        (claims, proof)
    }

    /// The proof of claims whose forms have these partial values on the polynomials of their commitment.
    pub(crate) fn prove(
        &self,
        witnesses: &[&Witness<B, E>],
        claims: &[Claims<E>],
        partials: Vec<Partials<E>>,
    ) -> Result<Vec<u8>, Unavailable> {
        let commitments = witnesses.iter().map(|witness| witness.commitment());
        let statements: Vec<(&Commitment<E>, &Claims<E>)> = commitments.zip(claims).collect();
        let points = self.out_of_domain_points(&statements);
        let split = self.split(&points, &statements);
        let of_commitment = witnesses.iter().map(|witness| witness.kept.out_of_domain.clone());
        let own =
            of_commitment.zip(partials).map(|(first, others)| first.into_iter().chain(others).collect());
        let partials = self.of_all_columns(witnesses, &split, &own.collect::<Vec<_>>())?;
        let matrices = witnesses.iter().zip(&self.parts);
        let matrices = matrices.map(|(witness, part)| (witness.held.committed(), part.matrix().width));
        let matrices = SideBySide(matrices.collect());
        let opened = Opened { layout: self.all.layout(), matrices, split, partials, mask: None };
        let mut tape = self.bind(&statements).prover();
        Prover::new(&self.all).prove(&mut tape, &opened)?;
        Ok(tape.finish())
    }

    /// The values of all columns under the row part of each claim, from those of its own commitment's columns: what a claim leaves is about the combination of all.
    ///
    /// Cost: for each claim a combination of the rows of each other commitment, unless that has a claim with the same row part.
    fn of_all_columns(
        &self,
        witnesses: &[&Witness<B, E>],
        split: &BatchedClaims<'_, E>,
        own: &[Partials<E>],
    ) -> Result<Partials<E>, Unavailable> {
        let own = own.iter().enumerate().flat_map(|(number, own)| own.iter().map(move |own| (number, own)));
        let known: Vec<(usize, &TensorForm<E>, &Vec<E>)> =
            own.zip(split.rows()).map(|((number, own), rows)| (number, rows, own)).collect();
        let mut made: Vec<(usize, &TensorForm<E>, Vec<E>)> = Vec::new();
        let mut partials = Vec::with_capacity(known.len());
        for &(_, rows, _) in &known {
            let mut all = Vec::new();
            for (number, (part, witness)) in self.parts.iter().zip(witnesses).enumerate() {
                let of_claim =
                    known.iter().find(|known| known.0 == number && known.1 == rows).map(|known| known.2);
                let before =
                    || made.iter().find(|made| made.0 == number && made.1 == rows).map(|made| &made.2);
                if let Some(values) = of_claim.or_else(before) {
                    all.extend_from_slice(values);
                    continue;
                }
                let values = Prover::new(part).column_values(witness.held.committed(), rows)?;
                all.extend_from_slice(&values);
                made.push((number, rows, values));
            }
            partials.push(all);
        }
        Ok(partials)
    }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Prover<'_, F, B, E> {
    /// The claims of forms, with their partial values.
    fn state(
        &self,
        witness: &Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> Result<(Claims<E>, Partials<E>), Unavailable> {
        self.check_count(&forms);
        self.claims_of(&witness.held.with_entries(), forms, context)
    }
}
