//! A setup, prepared for a domain: what provers and makers of rings hold.

use std::sync::OnceLock;

use crate::domain::Selectors;
use crate::ntt::{Ntt, powers};
use crate::{Domain, Error, ZK_ROWS, kzg};
use curve::bls12_381::{Fr, G1, G1Projective};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, FftField, Field, Invalid, One, Zero};

/// Powers of a secret in both bases, and tables.
pub struct Setup {
    pub(crate) domain: Domain,
    /// The digest of the powers' file.
    pub(crate) srs: [u8; 32],
    pub(crate) key: kzg::Key,
    /// `tau^i G1`, `3N + 1` of them.
    pub(crate) powers: kzg::Table,
    /// `L_i(tau) G1`, row by row.
    pub(crate) lagrange: Vec<G1>,
    /// `sum_(i <= j <= N-4) L_j(tau) G1` for `i = 0 .. K+1`: the commitment to a step.
    pub(crate) steps: Vec<G1>,
    /// The Lagrange points, row by row, and behind them the steps from row 0 and from row `K+1`.
    pub(crate) rows: kzg::Table,
    pub(crate) coset: Coset,
    /// The first empty ring: the points it depends on, and commitments to `px` and `py`.
    pub(crate) empty: OnceLock<([[Fr; 2]; 2], [G1Projective; 2])>,
}

impl core::fmt::Debug for Setup {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup").field("domain", &self.domain).field("key", &self.key).finish_non_exhaustive()
    }
}

/// A coset of the roots of unity of order `4N`, where the quotient is computed: no denominator is 0 there.
pub(crate) struct Coset {
    pub(crate) small: Ntt,
    large: Ntt,
    /// `g^i` and `g^-i`.
    shift: Vec<Fr>,
    shift_back: Vec<Fr>,
    pub(crate) selectors: Vec<Selectors>,
    /// What makes the quotient of the combined constraints.
    pub(crate) factors: Vec<Fr>,
    /// The selector of the keys.
    pub(crate) s: (Vec<Fr>, Vec<Fr>),
}

impl Setup {
    /// Prepares `srs` for `domain`. Cost: a transform of `N` points, and the tables of [`kzg::Table`] for `4N`.
    ///
    /// # Errors
    /// If there are not enough powers, or one is the identity.
    pub fn new(srs: &Srs, domain: Domain) -> Result<Self, Error> {
        Self::with(srs, domain, kzg::Table::with_window)
    }

    /// A setup as on a machine without vector instructions, for measurements.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn portable(srs: &Srs, domain: Domain) -> Result<Self, Error> {
        Self::with(srs, domain, kzg::Table::portable)
    }

    fn with(srs: &Srs, domain: Domain, table: fn(&[G1], usize) -> kzg::Table) -> Result<Self, Error> {
        let wanted = domain.powers();
        let short = Error::Srs { wanted, present: srs.len() };
        let monomial = srs.powers(wanted).ok_or(short)?;
        let lagrange = srs.lagrange(domain.size()).ok_or(short)?;
        let [keys, last] = [domain.capacity(), domain.last_row()];
        let mut sums = vec![G1Projective::zero(); last + 2];
        for i in (0..=last).rev() {
            sums[i] = sums[i + 1] + lagrange[i];
        }
        let steps = G1Projective::normalize_batch(&sums[..keys + 2]);
        if lagrange.iter().chain(&steps).any(AffineRepr::is_zero) {
            return Err(Invalid("a setup with the identity in it").into());
        }
        let rows = rows_and_steps(&lagrange, &steps);
        // Sums over rows are shorter than the table: the digits are right for half of it.
        let window = kzg::Table::best_window(domain.size() / 2);
        let tables = [table(monomial, kzg::Table::best_window(wanted)), table(&rows, window)];
        Self::of_parts(srs, domain, [lagrange, steps], tables)
    }

    pub(crate) fn of_parts(
        srs: &Srs,
        domain: Domain,
        [lagrange, steps]: [Vec<G1>; 2],
        [powers, rows]: [kzg::Table; 2],
    ) -> Result<Self, Error> {
        Ok(Self {
            domain,
            srs: *srs.digest(),
            key: kzg::Key::new(srs)?,
            powers,
            rows,
            lagrange,
            steps,
            coset: Coset::new(domain),
            empty: OnceLock::new(),
        })
    }

    /// The memory of the tables, in bytes.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.powers.bytes()
            + self.rows.bytes()
            + size_of_val(&self.lagrange[..])
            + size_of_val(&self.steps[..])
    }

    /// `sum k_i P_i` over the table of the rows, from row `K` on: the rows behind the keys, then the steps from rows 0 and `K+1`.
    pub(crate) fn tail_sum(&self, scalars: &[Fr]) -> G1Projective {
        self.rows.sum_from(self.domain.capacity(), scalars)
    }

    /// How many points [`Self::tail_sum`] is over.
    pub(crate) fn tail_len(&self) -> usize {
        self.rows.len() - self.domain.capacity()
    }

    /// The rows that it is for.
    #[must_use]
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// What verifiers need of it.
    #[must_use]
    pub fn key(&self) -> &kzg::Key {
        &self.key
    }
}

/// The points of the table of the rows.
pub(crate) fn rows_and_steps(lagrange: &[G1], steps: &[G1]) -> Vec<G1> {
    lagrange.iter().chain(steps.first()).chain(steps.last()).copied().collect()
}

impl Coset {
    fn new(domain: Domain) -> Self {
        let size = domain.size();
        let [small, large] = [Ntt::new(size), Ntt::new(4 * size)];
        let g = Fr::GENERATOR;
        let root = Fr::get_root_of_unity(4 * size as u64).expect("the field has these roots");
        let back = g.inverse().expect("not zero");
        let at = domain.at_coset(g, root).expect("the coset does not meet the domain");
        let (selectors, factors) = at.into_iter().unzip();
        let mut coset = Self {
            small,
            large,
            shift: powers(g, size),
            shift_back: powers(back, 4 * size),
            selectors,
            factors,
            s: (Vec::new(), Vec::new()),
        };
        let ones = (0..size).map(|i| if i < domain.capacity() { Fr::one() } else { Fr::zero() }).collect();
        coset.s = coset.column(ones);
        coset
    }

    /// From a column's rows to its coefficients and its values on the coset.
    pub(crate) fn column(&self, mut rows: Vec<Fr>) -> (Vec<Fr>, Vec<Fr>) {
        self.small.inverse(&mut rows);
        let values = self.large.forward_quarter(rows.iter().zip(&self.shift).map(|(c, g)| *c * g));
        (rows, values)
    }

    /// From values on the coset to coefficients.
    pub(crate) fn interpolate(&self, values: &mut [Fr]) {
        self.large.inverse(values);
        values.iter_mut().zip(&self.shift_back).for_each(|(c, g)| *c *= g);
    }
}

/// Rows of a column that are drawn at random.
pub(crate) type Blinds = [[Fr; ZK_ROWS]; 4];
