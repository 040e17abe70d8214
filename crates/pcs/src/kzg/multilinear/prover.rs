//! Committing and opening.
//!
//! (notes: kzg-shred)

use curve::bls12_381::{Fr, G1, G1Projective, encode_g1};
use curve::srs::MultilinearSrs;
use curve::{CurveGroup, Zero};
use field::parallel;
use iop::error::ParamError;
use iop::poly::TensorForm;

use super::super::Table;
use super::super::verifier::factors;
use super::verifier::{SplitForm, seal};
use super::{Commitment, Key, Scalar, Scheme};
use crate::claims::Claims;
use crate::matrix::Unavailable;

/// A setup's points, prepared for commitments to fragments and to quotients.
pub struct Prover<'a> {
    scheme: &'a Scheme,
    /// By the number of variables that are summed out.
    levels: Vec<Table>,
}

/// Polynomials cut into fragments, and the commitment to them.
pub struct Witness {
    fragments: Vec<Vec<Fr>>,
    commitment: Commitment,
}

impl Witness {
    /// What the verifier is given.
    #[must_use]
    pub fn commitment(&self) -> &Commitment {
        &self.commitment
    }

    /// Bytes held beyond the commitment.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.fragments.iter().map(|fragment| size_of_val(fragment.as_slice())).sum()
    }
}

/// Whoever holds the fragments of all committed polynomials.
///
/// Law: both functions are about the committed fragments, so that an opening has the same bytes whoever holds them.
pub trait HeldFragments {
    /// The sum of the fragments of one polynomial by `weights`, entry by entry: all entries of a fragment.
    ///
    /// # Errors
    /// If who holds a fragment does not answer.
    fn combine(&self, polynomial: usize, weights: &[Scalar]) -> Result<Vec<Fr>, Unavailable>;

    /// The commitments to the quotients of `combined` at `point`, variable 0 first.
    ///
    /// # Errors
    /// As [`HeldFragments::combine`].
    fn quotients(&self, combined: Vec<Fr>, point: &[Scalar]) -> Result<Vec<G1>, Unavailable>;
}

/// The quotient of a table by its lowest variable at `u`, and the table bound to it: `f = f(u, ..) + (X_0 - u) q`.
#[must_use]
pub fn divide_lowest(table: &[Fr], u: Fr) -> (Vec<Fr>, Vec<Fr>) {
    let pairs = table.as_chunks::<2>().0;
    let quotient: Vec<Fr> = pairs.iter().map(|[low, high]| *high - low).collect();
    let bound = pairs.iter().zip(&quotient).map(|([low, _], q)| *low + u * q).collect();
    (quotient, bound)
}

/// Adds a multiple of a fragment to a sum.
pub fn add_multiple(sum: &mut [Fr], fragment: &[Fr], weight: Fr) {
    if !weight.is_zero() {
        sum.iter_mut().zip(fragment).for_each(|(sum, entry)| *sum += weight * entry);
    }
}

impl<'a> Prover<'a> {
    /// A prover with the scheme's setup. Cost: tables over all levels, some 4 KiB for each point of the longest one.
    ///
    /// # Errors
    /// If the setup is another than the scheme's.
    pub fn new(scheme: &'a Scheme, srs: &MultilinearSrs) -> Result<Self, ParamError> {
        let key = Key::new(srs).map_err(|e| ParamError::OutOfRange(e.to_string()))?;
        if key != scheme.params().key {
            return Err(ParamError::OutOfRange("another setup than the scheme's".into()));
        }
        let levels = (0..=srs.variables()).map(|first| Table::new(srs.level(first))).collect();
        Ok(Self { scheme, levels })
    }

    /// Commits to polynomials by their values on the hypercube, variable 0 the lowest bit of an index. Variables 0 to `log_fragments - 1`
    /// are the number of the fragment.
    ///
    /// # Errors
    /// If there are more or fewer polynomials or values than the parameters say.
    pub fn commit(&self, polynomials: &[Vec<Scalar>]) -> Result<Witness, ParamError> {
        let params = self.scheme.params();
        let (count, entries) = (params.polynomials(), 1usize << params.variables());
        if polynomials.len() != count || polynomials.iter().any(|p| p.len() != entries) {
            return Err(ParamError::OutOfRange(format!(
                "{count} polynomials of {entries} entries are expected"
            )));
        }
        let each = polynomials.iter().flat_map(|p| (0..params.fragments()).map(move |c| (p, c)));
        let fragments = parallel::map(each, |(polynomial, c)| fragment(polynomial, c, params.fragments()));
        let points = self.commit_fragments(&fragments);
        Ok(Witness { fragments, commitment: Commitment { points } })
    }

    /// The commitments to fragments.
    ///
    /// # Panics
    /// If a fragment has more entries than the setup has points.
    #[must_use]
    pub fn commit_fragments(&self, fragments: &[Vec<Fr>]) -> Vec<G1> {
        let sums = parallel::map(fragments.iter(), |fragment| self.levels[0].sum(fragment));
        G1Projective::normalize_batch(&sums)
    }

    /// Opens forms on all polynomials, and binds `context` into the proof: what is stated, and 48 bytes for each form and variable of a fragment, and 16.
    ///
    /// With one polynomial and one form an opening is a fact that does not depend on who states it where: whoever has the proof can make one for
    /// another context of it.
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables, or factors `(a, -a)` in
    /// a variable of the fragments.
    #[must_use]
    pub fn open(
        &self,
        witness: &Witness,
        forms: Vec<TensorForm<Scalar>>,
        context: &[u8],
    ) -> (Claims<Scalar>, Vec<u8>) {
        let held = Local { prover: self, fragments: &witness.fragments };
        let claims = Claims { forms, values: vec![], context: context.to_vec() };
        open_held(self.scheme, &witness.commitment, &held, claims)
            .unwrap_or_else(|error| unreachable!("fragments in this memory: {error}"))
    }

    /// What a part of a table contributes to the commitments to the quotients by as many variables as the part has: part `index` among equal
    /// ones of consecutive entries, of a table whose lowest `bound` variables are bound; `point` has the coordinates from `bound` on.
    ///
    /// # Panics
    /// If the part is not a power of two of entries within the setup's, or there are fewer coordinates than its variables.
    #[must_use]
    pub fn part_of_quotients(
        &self,
        part: &[Fr],
        (bound, index): (usize, usize),
        point: &[Scalar],
    ) -> Vec<G1Projective> {
        assert!(part.len().is_power_of_two(), "a power of two of entries");
        let (mut table, mut quotients) = (part.to_vec(), Vec::new());
        for u in &point[..part.len().ilog2() as usize] {
            let (quotient, rest) = divide_lowest(&table, u.0);
            quotients.push(quotient);
            table = rest;
        }
        let levels = quotients.iter().zip(&self.levels[bound + 1..]);
        parallel::map(levels, |(quotient, bases)| bases.sum_from(index * quotient.len(), quotient))
    }
}

/// Every `fragments`-th entry from `c` on.
fn fragment(polynomial: &[Scalar], c: usize, fragments: usize) -> Vec<Fr> {
    polynomial.iter().skip(c).step_by(fragments).map(|entry| entry.0).collect()
}

/// The fragments of all polynomials in this memory.
struct Local<'a> {
    prover: &'a Prover<'a>,
    fragments: &'a [Vec<Fr>],
}

/// Entries that are combined at once by one thread.
const PIECE: usize = 1 << 10;

impl HeldFragments for Local<'_> {
    fn combine(&self, polynomial: usize, weights: &[Scalar]) -> Result<Vec<Fr>, Unavailable> {
        let own = &self.fragments[polynomial * weights.len()..][..weights.len()];
        let mut sum = vec![Fr::zero(); own[0].len()];
        parallel::for_each(sum.chunks_mut(PIECE).enumerate(), |(i, sum)| {
            for (fragment, weight) in own.iter().zip(weights) {
                add_multiple(sum, &fragment[i * PIECE..][..sum.len()], weight.0);
            }
        });
        Ok(sum)
    }

    fn quotients(&self, combined: Vec<Fr>, point: &[Scalar]) -> Result<Vec<G1>, Unavailable> {
        Ok(G1Projective::normalize_batch(&self.prover.part_of_quotients(&combined, (0, 0), point)))
    }
}

/// Opens polynomials whose fragments somebody holds; `claims` have no values yet.
///
/// # Errors
/// If who holds the fragments does not answer.
///
/// # Panics
/// As [`Prover::open`].
pub fn open_held(
    scheme: &Scheme,
    commitment: &Commitment,
    held: &impl HeldFragments,
    mut claims: Claims<Scalar>,
) -> Result<(Claims<Scalar>, Vec<u8>), Unavailable> {
    let params = scheme.params();
    assert!(claims.forms.iter().all(|form| form.variables() == params.variables()), "forms in all variables");
    let split = |form| SplitForm::new(params, form).expect("factors (a, b) with a + b not zero");
    let forms: Vec<SplitForm> = claims.forms.iter().map(split).collect();
    // The combination of each polynomial's fragments has the form's value at the point.
    let mut combined: Vec<Vec<Vec<Fr>>> = Vec::with_capacity(forms.len());
    for form in &forms {
        let each = (0..params.polynomials()).map(|polynomial| held.combine(polynomial, &form.weights));
        let each: Vec<Vec<Fr>> = each.collect::<Result<_, _>>()?;
        claims.values.push(each.iter().map(|table| evaluate(table, &form.point)).collect());
        combined.push(each);
    }
    assert!(params.fits(&claims), "from one form to as many as the parameters allow");
    // P1. The statement, then the factors that make one polynomial of all.
    let mut tape = scheme.bound(commitment, &claims).prover();
    let factors = factors(&mut tape, params.polynomials());
    // P2. The quotients of each form.
    for (form, each) in forms.iter().zip(combined) {
        let mut each = each.into_iter();
        let mut table = each.next().expect("a polynomial");
        // The first factor is one.
        each.zip(&factors[1..]).for_each(|(other, factor)| add_multiple(&mut table, &other, *factor));
        for quotient in held.quotients(table, &form.point)? {
            tape.send_bytes("quotient", &encode_g1(&quotient));
        }
    }
    // P3. The seal.
    let seal = seal(&mut tape);
    tape.send("seal", &[seal]);
    Ok((claims, tape.finish()))
}

/// The value of a table's multilinear extension at a point.
fn evaluate(table: &[Fr], point: &[Scalar]) -> Scalar {
    let last = point.iter().fold(table.to_vec(), |table, u| {
        let pairs = table.as_chunks::<2>().0;
        pairs.iter().map(|[low, high]| *low + u.0 * (*high - low)).collect()
    });
    Scalar(last[0])
}
