//! Parameters and verification. Steps `V0` to `V5`, as in `prover.rs`. (notes: spartan-protocol)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use curve::bn254::Fr;
use pcs::claims::Claims;
use pcs::field::{Bn254, Field};
use pcs::fields::Fields;
use pcs::iop::error::{Invalid, ParamError};
use pcs::iop::hash::{Digest, Hash};
use pcs::iop::poly::{TensorForm, to_bytes};
use pcs::iop::security::{Policy, Report};
use pcs::iop::sumcheck::{self, Rounds, zero};
use pcs::iop::transcript::{Bound, Call, Challenger as _, Domain};
use pcs::pip::search::{Profile, SearchTarget, find};
use pcs::pip::{JointScheme, Params};
use pcs::scheme::Params as _;
use pcs::weighted::Points as _;

use super::element;
use super::layout::Layout;
use super::sparse::{Eq, Sparse};
use crate::r1cs::R1cs;

/// Labels of messages and challenges, as both sides have them.
pub(super) mod labels {
    pub const COMMITMENT: &str = "commitment";
    pub const POINT: &str = "zero test point";
    pub const PRODUCTS: &str = "values of A z, B z and C z";
    pub const COMBINATION: &str = "combination of the matrices";
    pub const CELLS: &str = "values of the polynomials";
}

/// A system with validated parameters: all that prover and verifier hold.
///
/// Made from the matrices, in time linear in their entries. The verifier's time is that of an opening, and some 50 ns for each entry that
/// [`Scheme::matrix_entries`] counts.
#[derive(Debug)]
pub struct Scheme {
    pub(super) layout: Layout,
    pub(super) sparse: Sparse,
    pub(super) joint: JointScheme<Bn254, Bn254>,
    pub(super) constraints: usize,
    hash: Hash,
    digest: Digest,
    report: Report,
}

impl Scheme {
    /// Finds parameters that prove the bits of a policy for a system.
    ///
    /// # Errors
    /// If none prove them, or the system has `2^32` rows or columns.
    pub fn new(system: &R1cs<Fr>, policy: &Policy, profile: Profile) -> Result<Self, ParamError> {
        let layout = Layout::of(system)?;
        let [_, committed, witness] = layout.polynomials;
        let polynomials = u32::try_from(committed.saturating_add(witness)).unwrap_or(u32::MAX);
        let target = SearchTarget::new(Fields::Bn254, layout.log_polynomial, policy.min_bits, profile);
        let params = find(&SearchTarget {
            polynomials,
            commitments: if committed == 0 { 1 } else { 2 },
            max_forms: 1,
            theorems: policy.theorems,
            interactive_bits: policy.interactive_bits,
            ..target
        })?;
        Self::of(system, layout, params, policy)
    }

    /// Takes parameters, of a file, say, for a system.
    ///
    /// # Errors
    /// If they are for polynomials of other sizes or numbers than the system's, are refused as such, or prove fewer bits than the policy asks for.
    pub fn with_params(system: &R1cs<Fr>, params: Params, policy: &Policy) -> Result<Self, ParamError> {
        Self::of(system, Layout::of(system)?, params, policy)
    }

    fn of(system: &R1cs<Fr>, layout: Layout, params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if params.log_size != layout.log_polynomial {
            return Err(ParamError::OutOfRange(
                "polynomials of another size than the system's cells take".into(),
            ));
        }
        let [_, committed, witness] = layout.polynomials;
        let counts = [committed, witness].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let counts = if committed == 0 { counts.get(1..).unwrap_or_default() } else { &counts };
        let hash = params.hash;
        let joint = JointScheme::new(params, counts, policy)?;
        let report = report(&layout, &joint);
        let report =
            policy.check(&report).map_err(|e| e.after("no room for the proof around the opening: "))?;
        let words: Vec<u8> = layout.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let params: &[u8] = &joint.params().digest();
        let digest = hash.digest("tenfold r1cs system v1", &[&system.digest(), &words, params]);
        let sparse = Sparse::of(system, &layout);
        Ok(Self { constraints: system.constraints(), layout, sparse, joint, hash, digest, report })
    }

    /// The parameters of the commitments.
    #[must_use]
    pub fn params(&self) -> &Params {
        self.joint.params()
    }

    /// The proven security, term by term.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The digest of system, places and parameters: proofs are of schemes of one digest.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The entries of the matrices that a verifier evaluates: those that all parts of [repeats](R1cs::repeats) have, once, and the others.
    #[must_use]
    pub fn matrix_entries(&self) -> [usize; 2] {
        self.sparse.entries()
    }

    /// The most bytes of a proof.
    #[must_use]
    pub fn max_bytes(&self) -> usize {
        self.head_bytes().saturating_add(usize::try_from(self.joint.size().most()).unwrap_or(usize::MAX))
    }

    /// The commitment to the committed cells at the beginning of a proof, of a circuit that has some: what its challenges are drawn from.
    ///
    /// # Errors
    /// If the circuit has none, or the proof is too short.
    pub fn commitment<'a>(&self, proof: &'a [u8]) -> Result<&'a [u8], Invalid> {
        match self.joint.parts() {
            [committed, _] => {
                proof.get(..self.commitment_bytes(committed)).ok_or(Invalid("proof is too short"))
            }
            _ => Err(Invalid("a circuit without committed cells")),
        }
    }

    pub(super) fn commitment_bytes(&self, part: &pcs::pip::Scheme<Bn254, Bn254>) -> usize {
        let values = if part.params().summary().out_of_domain { part.params().polynomials } else { 0 };
        let values = usize::try_from(values).unwrap_or(usize::MAX);
        values.saturating_mul(Bn254::BYTES).saturating_add(self.hash.bytes())
    }

    /// Bytes before the opening.
    fn head_bytes(&self) -> usize {
        let commitments: usize = self.joint.parts().iter().map(|part| self.commitment_bytes(part)).sum();
        let [_, committed, witness] = self.layout.polynomials;
        let rounds = self.layout.row_variables() + self.layout.column_variables();
        commitments + (2 * rounds + 3 + committed + witness) * Bn254::BYTES
    }

    /// The sumcheck over the columns.
    pub(super) fn rounds(&self) -> Rounds {
        Rounds { count: self.layout.column_variables(), grinding: 0 }
    }

    /// The digest of the public inputs.
    pub(super) fn statement(&self, public: &[Bn254]) -> Digest {
        self.hash.digest("tenfold r1cs statement v1", &[&to_bytes(public)])
    }

    pub(super) fn bind(&self, statement: &Digest) -> Bound {
        Domain::new(self.hash, "tenfold r1cs v1", &self.digest).statement(statement)
    }

    /// The context of the opening: it belongs to this run and to no other.
    pub(super) fn context(&self, statement: &Digest, head: &[u8]) -> Vec<u8> {
        self.hash.digest("tenfold r1cs run v1", &[&self.digest, statement, head]).to_vec()
    }

    /// The point of the polynomials, and the weights of polynomials: the lowest variables of a column are those of its place in a polynomial.
    pub(super) fn split<'a>(&self, columns: &'a [Bn254]) -> (&'a [Bn254], &'a [Bn254]) {
        let log = usize::try_from(self.layout.log_polynomial).unwrap_or(usize::MAX);
        columns.split_at_checked(log).unwrap_or((columns, &[]))
    }

    /// Accepts if there is an assignment with these public inputs that satisfies the system.
    ///
    /// Of a circuit with committed cells the challenges among the public inputs **are the caller's to compute** from [`Scheme::commitment`] and all else that the
    /// prover chooses before.
    ///
    /// # Errors
    /// Why the proof is refused.
    pub fn verify(&self, public: &[Fr], proof: &[u8]) -> Result<(), Invalid> {
        self.script(public, proof).map(|_| ())
    }

    /// [`Scheme::verify`], and the calls of the proof's transcripts in order: what each of its bytes is.
    ///
    /// # Errors
    /// As there.
    pub fn script(&self, public: &[Fr], proof: &[u8]) -> Result<Vec<Call>, Invalid> {
        let layout = &self.layout;
        // V0: the shape.
        if public.len().checked_add(1) != Some(layout.public) {
            return Err(Invalid("another number of public inputs than the circuit has"));
        }
        let public: Vec<Bn254> = public.iter().map(element).collect();
        let (head, inner) = proof.split_at_checked(self.head_bytes()).ok_or(Invalid("proof is too short"))?;
        let statement = self.statement(&public);
        let mut tape = self.bind(&statement).verifier(head);
        // V1: what cells are.
        let mut commitments = Vec::with_capacity(2);
        for part in self.joint.parts() {
            let bytes = tape.receive_bytes(labels::COMMITMENT, self.commitment_bytes(part))?;
            commitments.push(part.read_commitment(bytes)?);
        }
        // V2: every constraint holds, if three values at a random point are those of A z, B z and C z.
        let point: Vec<Bn254> = tape.challenges(labels::POINT, layout.row_variables());
        let (rows, left) = zero::verify(&mut tape, &point)?;
        let products = tape.receive::<Bn254>(labels::PRODUCTS, 3)?;
        let [a, b, c] = products[..] else { return Err(Invalid("three values")) };
        if a * b - c != left {
            return Err(Invalid("the values of A z, B z and C z do not satisfy the constraints"));
        }
        // V3: they are, if z at a random point is what the matrices leave.
        let rho: Bn254 = tape.challenge(labels::COMBINATION);
        let weights = [Bn254::ONE, rho, rho.square()];
        let (columns, left) =
            sumcheck::verify(&mut tape, self.rounds(), Bn254::inner_product(&weights, &products))?;
        let [_, committed, witness] = layout.polynomials;
        let cells = tape.receive::<Bn254>(labels::CELLS, committed.saturating_add(witness))?;
        let mut script = tape.script().to_vec();
        tape.finish()?;
        // V4: the matrices there, and z from its polynomials.
        let matrices = self.sparse.bind_rows(&rows, weights).at(&columns);
        if matrices * self.cells_at((&public, &cells), &columns) != left {
            return Err(Invalid("the values of the polynomials do not give those of A z, B z and C z"));
        }
        // V5: the values are those of the committed polynomials.
        let form = TensorForm::point(self.split(&columns).0);
        let context = self.context(&statement, head);
        let (first, second) = cells.split_at_checked(committed).ok_or(Invalid("values of polynomials"))?;
        let values = [first, second].into_iter().filter(|values| !values.is_empty());
        let claim = |values: &[Bn254]| Claims {
            forms: vec![form.clone()],
            values: vec![values.to_vec()],
            context: context.clone(),
        };
        let claims: Vec<Claims<Bn254>> = values.map(claim).collect();
        let statements: Vec<_> = commitments.iter().zip(&claims).collect();
        script.extend(self.joint.script(&statements, inner)?);
        Ok(script)
    }

    /// The multilinear extension of `z` at a point, from the public inputs and the values of the polynomials.
    fn cells_at(&self, (public, cells): (&[Bn254], &[Bn254]), columns: &[Bn254]) -> Bn254 {
        let [before, ..] = self.layout.polynomials;
        let (eq, of_polynomial) = (Eq::new(columns), Eq::new(self.split(columns).1));
        let public = (1..).zip(public).map(|(place, &x)| x * eq.at(place));
        let cells = (before..).zip(cells).map(|(place, &x)| x * of_polynomial.at(place));
        eq.at(0) + public.chain(cells).sum()
    }
}

/// The report of the opening with the terms of what is around it: each member of the list around the committed words that violates the system passes with these. (notes: spartan-security)
fn report(layout: &Layout, joint: &JointScheme<Bn254, Bn254>) -> Report {
    let mut report = joint.report().clone();
    let code = joint.part(0).facts().code;
    let [rows, columns] =
        [layout.row_variables(), layout.column_variables()].map(|n| u64::try_from(n).unwrap_or(u64::MAX));
    for (label, degree) in [
        ("zero test point", rows),
        ("zero test rounds", rows.saturating_mul(2)),
        ("combination of the matrices", 2),
        ("sumcheck of the columns", columns.saturating_mul(2)),
    ] {
        report.push(report.regime.claim_term(label, &code, report.field_bits, degree));
    }
    report
}
