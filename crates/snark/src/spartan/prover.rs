//! Proofs. Steps `P0` to `P5`, as in `verifier.rs`. (notes: spartan-cost)

use curve::bn254::Fr;
use pcs::field::{Bn254, Field, parallel};
use pcs::iop::hash::Digest;
use pcs::iop::poly::{TensorForm, dot};
use pcs::iop::sumcheck::{self, Rounds, zero};
use pcs::iop::transcript::{Challenger as _, ProverTape};
use pcs::pip::{Prover, Witness};

use super::layout::Places;
use super::verifier::{Scheme, labels};
use super::{ProveError, element};
use crate::r1cs::Assignment;

/// A commitment to the committed cells of an assignment that is to come.
pub struct Committed {
    /// The scheme's that made it.
    scheme: Digest,
    cells: Vec<Fr>,
    entries: Vec<Bn254>,
    pub(super) witness: Witness<Bn254, Bn254>,
}

impl Committed {
    /// The bytes that challenges are drawn from, with all else that the prover chooses before: [`Scheme::commitment`] of the proof.
    #[must_use]
    pub fn commitment(&self) -> Vec<u8> {
        self.witness.commitment().to_bytes()
    }
}

impl Scheme {
    /// Proves that there is an assignment with these public inputs, of a circuit without committed cells. Does not hide it.
    ///
    /// Cost: an encoding of all cells, and some thirty products for each constraint and each cell, on all threads of the current pool.
    ///
    /// # Errors
    /// If the assignment violates a constraint, or has other counts than the circuit; if the circuit has committed cells.
    pub fn prove(&self, assignment: &Assignment<Fr>) -> Result<Vec<u8>, ProveError> {
        self.check(assignment)?;
        if self.joint.parts().len() > 1 {
            return Err(ProveError::Commitment);
        }
        Ok(self.prove_with(assignment, None))
    }

    /// Commits to the committed cells of a circuit, in their order.
    ///
    /// # Errors
    /// If the circuit has another number of committed cells, or none.
    pub fn commit(&self, cells: &[Fr]) -> Result<Committed, ProveError> {
        let [places, _] = &self.layout.cells;
        let [part, _] = self.joint.parts() else { return Err(ProveError::Commitment) };
        if cells.len() != places.of.len() {
            return Err(ProveError::OtherCircuit);
        }
        // P0: the commitment that challenges of the circuit are drawn from.
        let [public, committed, _] = self.layout.polynomials;
        let entries = self.polynomials(places, cells, (public, committed));
        let witness = self.commit_polynomials(part, &entries);
        Ok(Committed { scheme: *self.digest(), cells: cells.to_vec(), entries, witness })
    }

    /// As [`Self::prove`], for a circuit with committed cells, whose challenges among the public inputs were drawn from the commitment.
    ///
    /// # Errors
    /// As [`Self::prove`]; if the circuit has no committed cells, those of the assignment are others than the commitment's, or a scheme of another [digest](Self::digest) made this.
    pub fn prove_committed(
        &self,
        committed: Committed,
        assignment: &Assignment<Fr>,
    ) -> Result<Vec<u8>, ProveError> {
        self.check(assignment)?;
        if self.joint.parts().len() == 1 {
            return Err(ProveError::Commitment);
        }
        if committed.scheme != *self.digest() {
            return Err(ProveError::OtherCircuit);
        }
        if committed.cells != assignment.committed {
            return Err(ProveError::OtherCells);
        }
        Ok(self.prove_with(assignment, Some(committed)))
    }

    fn check(&self, assignment: &Assignment<Fr>) -> Result<(), ProveError> {
        if let Some(violated) = assignment.violated {
            return Err(violated.into());
        }
        let [committed, witness] = &self.layout.cells;
        let cells = committed.of.len() + witness.of.len();
        let own = [1 + assignment.public.len(), assignment.committed.len() + assignment.witness.len()];
        let rows = [assignment.a.len(), assignment.b.len()];
        if (own, rows) != ([self.layout.public, cells], [self.constraints; 2]) {
            return Err(ProveError::OtherCircuit);
        }
        Ok(())
    }

    /// The entries of the polynomials from `first` on that hold cells of one kind.
    pub(super) fn polynomials(
        &self,
        places: &Places,
        cells: &[Fr],
        (first, count): (usize, usize),
    ) -> Vec<Bn254> {
        let log = self.layout.log_polynomial;
        let mut entries = vec![Bn254::ZERO; count << log];
        for (&place, cell) in places.of.iter().zip(cells) {
            entries[place as usize - (first << log)] = element(cell);
        }
        entries
    }

    pub(super) fn commit_polynomials(
        &self,
        part: &pcs::pip::Scheme<Bn254, Bn254>,
        entries: &[Bn254],
    ) -> Witness<Bn254, Bn254> {
        let polynomials: Vec<&[Bn254]> = entries.chunks(1 << self.layout.log_polynomial).collect();
        Prover::new(part).commit_batch(&polynomials)
    }

    fn prove_with(&self, assignment: &Assignment<Fr>, committed: Option<Committed>) -> Vec<u8> {
        let layout = &self.layout;
        let public: Vec<Bn254> = assignment.public.iter().map(element).collect();
        let [of_public, of_committed, of_witness] = layout.polynomials;
        // P1: the commitments.
        let cells: Vec<Fr> = if committed.is_none() {
            assignment.committed.iter().chain(&assignment.witness).copied().collect()
        } else {
            assignment.witness.clone()
        };
        let [_, places] = &layout.cells;
        let entries = self.polynomials(places, &cells, (of_public + of_committed, of_witness));
        let last = self.joint.parts().len() - 1;
        let witness = self.commit_polynomials(self.joint.part(last), &entries);
        let (first, before) = committed.map_or_else(|| (None, vec![]), |it| (Some(it.witness), it.entries));
        let witnesses: Vec<&Witness<Bn254, Bn254>> = first.iter().chain([&witness]).collect();
        let statement = self.statement(&public);
        let mut tape = self.bind(&statement).prover();
        for witness in &witnesses {
            tape.send_bytes(labels::COMMITMENT, &witness.commitment().to_bytes());
        }
        // P2: the zero test.
        let point: Vec<Bn254> = tape.challenges(labels::POINT, layout.row_variables());
        let (rows, products) = zero::prove(&mut tape, &point, self.products(assignment));
        tape.send(labels::PRODUCTS, &products);
        // P3: the sumcheck over the columns.
        let rho: Bn254 = tape.challenge(labels::COMBINATION);
        let weights = [Bn254::ONE, rho, rho.square()];
        let mut z = vec![Bn254::ONE];
        z.extend(public);
        z.resize(of_public << layout.log_polynomial, Bn254::ZERO);
        z.extend_from_slice(&before);
        z.extend_from_slice(&entries);
        let matrices = self.sparse.bind_rows(&rows, weights).table(z.len());
        let columns = self.sum(&mut tape, [z, matrices], dot(&weights, &products));
        // P4: the values of the polynomials. P5: the opening that shows them.
        let form = TensorForm::point(self.split(&columns).0);
        let all = before.chunks(1 << layout.log_polynomial).chain(entries.chunks(1 << layout.log_polynomial));
        let weights = form.expand_parallel();
        let cells = parallel::map(all, |entries| dot(entries, &weights));
        tape.send(labels::CELLS, &cells);
        let mut proof = tape.finish();
        let context = self.context(&statement, &proof);
        let forms = witnesses.iter().map(|_| vec![form.clone()]).collect();
        proof.extend(self.joint.open(&witnesses, forms, &context).1);
        proof
    }

    /// The sumcheck over the columns, of tables that end with the last polynomial: behind it both are zero, up to a power of two.
    fn sum(&self, tape: &mut ProverTape, [mut z, mut matrices]: [Vec<Bn254>; 2], claim: Bn254) -> Vec<Bn254> {
        let (all, within) = (self.rounds(), self.layout.log_polynomial as usize);
        let of = |count: usize| Rounds { count, ..all };
        let (mut point, claim) = sumcheck::prove(tape, of(within), &mut z, &mut matrices, claim);
        for table in [&mut z, &mut matrices] {
            table.resize(1 << (all.count - within), Bn254::ZERO);
        }
        point.extend(sumcheck::prove(tape, of(all.count - within), &mut z, &mut matrices, claim).0);
        point
    }

    /// `A z`, `B z` and their product, by places.
    pub(super) fn products(&self, assignment: &Assignment<Fr>) -> [Vec<Bn254>; 3] {
        let mut tables = [(); 3].map(|()| vec![Bn254::ZERO; 1 << self.layout.row_variables()]);
        let rows = self.layout.rows.of.iter().zip(assignment.a.iter().zip(&assignment.b));
        for (&place, (a, b)) in rows {
            let (a, b) = (element(a), element(b));
            for (table, value) in tables.iter_mut().zip([a, b, a * b]) {
                table[place as usize] = value;
            }
        }
        tables
    }
}
