//! Parameters of several commitments, and the verifier of proofs about them.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::claims::Claims;
use crate::matrix::rows::Matrix;
use crate::matrix::steps::Steps;
use crate::matrix::{BatchedClaims, Commitment, InnerKind, Params, Scheme, Size};
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres};
use iop::error::{Invalid, ParamError};
use iop::hash::concat;
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::transcript::{Bound, Call, Domain};

/// The most commitments of one proof.
pub const MAX_COMMITMENTS: usize = 64;

/// Validated parameters of proofs about several commitments at once: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct JointScheme<F, B, E> {
    /// All polynomials, as if they were committed to together.
    pub(super) all: Scheme<F, B, E>,
    /// Each commitment by itself.
    pub(super) parts: Vec<Scheme<F, B, E>>,
}

/// A commitment and the claims that are proven of it: its place in the list is its number.
pub type Statement<'a, E> = (&'a Commitment<E>, &'a Claims<E>);

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> JointScheme<F, B, E> {
    /// Validates parameters of all polynomials together, and how many of them each commitment holds, against a policy.
    ///
    /// # Errors
    /// If the parameters name other fields or are out of range, the numbers do not add up to the parameters', there are no commitments or more than
    /// [`MAX_COMMITMENTS`], or fewer bits are proven than the policy wants; and if the parameters hide, pack entries or are those of two chains, which prove about one
    /// commitment each.
    pub fn new(params: Params, polynomials: &[u32], policy: &Policy) -> Result<Self, ParamError> {
        let refuse = |reason: &str| Err(ParamError::OutOfRange(reason.into()));
        if !(1..=MAX_COMMITMENTS).contains(&polynomials.len()) {
            return refuse("one proof is about 1 to 64 commitments");
        }
        let sum = polynomials.iter().try_fold(0u32, |sum, &count| sum.checked_add(count));
        if sum != Some(params.polynomials) || polynomials.contains(&0) {
            return refuse("the polynomials of the commitments are not as many as the parameters say");
        }
        if params.hidden_openings > 0 {
            return refuse("a proof about several commitments does not hide");
        }
        if params.coordinates().is_some() {
            return refuse("a proof about several commitments is not about packed entries");
        }
        if params.inner.kind() == InnerKind::TwoChains {
            return refuse("two chains prove about one commitment");
        }
        let part = |&polynomials: &u32| Scheme::new(Params { polynomials, ..params.clone() }, policy);
        let parts: Vec<_> = polynomials.iter().map(part).collect::<Result<_, _>>()?;
        let commitments = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let report = params.validate_of(commitments, policy)?;
        let mut layout = params.layout();
        let counts: Vec<u8> = polynomials.iter().flat_map(|count| count.to_le_bytes()).collect();
        layout.digest = params.hash.digest(&layout.label("joint params"), &[&params.encode(), &counts]);
        Ok(Self { all: Scheme::of(params, report, layout), parts })
    }

    /// The parameters of all polynomials together.
    pub fn params(&self) -> &Params {
        self.all.params()
    }

    /// The proven security of a proof about all commitments, term by term; those of [`JointScheme::parts`] are of proofs about one.
    pub fn report(&self) -> &Report {
        self.all.report()
    }

    /// The scheme of each commitment, which commits, reads commitments and opens them by themselves.
    pub fn parts(&self) -> &[Scheme<F, B, E>] {
        &self.parts
    }

    /// The scheme of one commitment.
    ///
    /// # Panics
    /// If there are not so many.
    #[expect(clippy::indexing_slicing, reason = "as of a slice")]
    pub fn part(&self, number: usize) -> &Scheme<F, B, E> {
        &self.parts[number]
    }

    /// The expected and the maximal length of a proof.
    pub fn size(&self) -> Size {
        let polynomials: Vec<u32> = self.parts.iter().map(|part| part.params().polynomials).collect();
        self.params().size(1).among(&polynomials)
    }

    /// Accepts if every claim holds for the polynomials of its commitment.
    ///
    /// Cost: as for one commitment to all polynomials, with paths in each tree.
    ///
    /// # Errors
    /// If a claim does not hold, a commitment or its claims do not fit its parameters, or the proof is wrong in any way.
    pub fn verify(&self, statements: &[Statement<'_, E>], proof: &[u8]) -> Result<(), Invalid> {
        self.script(statements, proof).map(|_| ())
    }

    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    ///
    /// # Errors
    /// As [`JointScheme::verify`].
    pub fn script(&self, statements: &[Statement<'_, E>], proof: &[u8]) -> Result<Vec<Call>, Invalid> {
        let layout = self.all.layout();
        layout.check_length::<B>(proof)?;
        if statements.len() != self.parts.len() {
            return Err(Invalid("another number of commitments than the parameters say"));
        }
        for (part, (commitment, claims)) in self.parts.iter().zip(statements) {
            part.layout().check_shapes(commitment, claims)?;
        }
        let matrix = |(part, (commitment, _)): (&Scheme<F, B, E>, &Statement<'_, E>)| Matrix {
            root: commitment.root,
            shape: *part.matrix(),
        };
        let matrices: Vec<Matrix> = self.parts.iter().zip(statements).map(matrix).collect();
        let points = self.out_of_domain_points(statements);
        layout.read(self.bind(statements), proof, |tape| {
            self.all.argue(&matrices, tape, &self.split(&points, statements))
        })
    }

    /// The point of each commitment's out-of-domain values, which its root gives: none in unique decoding.
    pub(super) fn out_of_domain_points(&self, statements: &[Statement<'_, E>]) -> Vec<Option<TensorForm<E>>> {
        let pairs = self.parts.iter().zip(statements);
        pairs.map(|(part, (commitment, _))| part.layout().out_of_domain_point(&commitment.root)).collect()
    }

    /// The claims of all commitments, those of each one about its own polynomials.
    pub(super) fn split<'a>(
        &'a self,
        points: &[Option<TensorForm<E>>],
        statements: &[Statement<'a, E>],
    ) -> BatchedClaims<'a, E> {
        let (mut split, mut first) = (BatchedClaims::none(self.all.layout()), 0);
        for ((part, point), &(commitment, claims)) in self.parts.iter().zip(points).zip(statements) {
            let out_of_domain = point.as_ref().map(|z| (z, commitment.out_of_domain.as_slice()));
            split.add(first, out_of_domain, claims);
            first += part.layout().polynomials;
        }
        split
    }

    /// The transcript of an opening, bound to the parameters and to each commitment with its claims, in their order.
    pub(super) fn bind(&self, statements: &[Statement<'_, E>]) -> Bound {
        let layout = self.all.layout();
        let digest =
            |(commitment, claims): &Statement<'_, E>| claims.digest(layout.hash, &commitment.to_bytes());
        let digests: Vec<_> = statements.iter().map(digest).collect();
        let statement = layout.hash.digest("tenfold joint claims v1", &[&concat(&digests)]);
        Domain::new(layout.hash, &layout.label("joint open"), &layout.digest).statement(&statement)
    }
}
