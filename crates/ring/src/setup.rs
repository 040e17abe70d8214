//! A setup, prepared for a domain: what provers and makers of rings hold.

use std::sync::OnceLock;

use crate::{Domain, Error, SegmentKey, ZK_ROWS, kzg};
use curve::bls12_381::{Fr, G1, G1Projective};
use curve::columns::{Column, Form, Transform, powers};
use curve::msm::Tier;
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, FftField, Field, Invalid, One, Zero};

/// Powers of a secret in both bases, and tables.
pub struct Setup {
    pub(crate) domain: Domain,
    /// The digest of the powers' file.
    pub(crate) srs: [u8; 32],
    pub(crate) key: SegmentKey,
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
        f.debug_struct("Setup").field("domain", &self.domain).field("key", self.key()).finish_non_exhaustive()
    }
}

/// Where the quotient is computed: four cosets of the domain that make one of the roots of unity of order `4N`. No denominator is 0 there.
///
/// ```text
///   coset s:  h_s w^i,  h_s = g r^s,  r^4 = w
///   a column's values there: the transform of h_s^j c_j
///   their coefficients:      h_s^j sum_k q_(j+kN) h_s^(kN)         of a quotient q
///   so that                  q_(j+kN) = 1/4 g^(-kN) sum_s r^(-kNs) part_s,j
/// ```
pub(crate) struct Coset {
    form: Form,
    transform: Transform,
    pub(crate) quarters: [Quarter; 4],
    /// `1/4 g^(-kN) r^(-kNs)` at `[k][s]`.
    join: [[Fr; 4]; 4],
    /// The selector of the keys.
    pub(crate) s: Column,
    /// The length of a quotient.
    powers: usize,
}

/// One of the four cosets.
pub(crate) struct Quarter {
    /// `h^j` and `h^-j`.
    shift: [Column; 2],
    /// The selectors, and what makes the quotient of the combined constraints.
    pub(crate) selectors: [Column; 4],
    /// The values of the selector of the keys.
    pub(crate) s: Column,
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

    /// A setup whose commitments are made in these lanes, for measurements.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// # Panics
    /// If the machine does not have the instructions.
    pub fn on(srs: &Srs, domain: Domain, tier: Tier) -> Result<Self, Error> {
        Self::with(srs, domain, |points, c| kzg::Table::on(points, c, tier))
    }

    fn with(srs: &Srs, domain: Domain, table: impl Fn(&[G1], usize) -> kzg::Table) -> Result<Self, Error> {
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
        Self::from_parts(srs, domain, [lagrange, steps], tables)
    }

    pub(crate) fn from_parts(
        srs: &Srs,
        domain: Domain,
        [lagrange, steps]: [Vec<G1>; 2],
        [powers, rows]: [kzg::Table; 2],
    ) -> Result<Self, Error> {
        let form = if powers.is_vector() { Form::best() } else { Form::Single };
        Ok(Self {
            domain,
            srs: *srs.digest(),
            key: SegmentKey::new(srs, domain.size())?,
            powers,
            rows,
            lagrange,
            steps,
            coset: Coset::new(domain, form),
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

    /// The memory of sums, in bytes, which is kept from one proof to the next: as much as was used at the same time.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.powers.kept_bytes() + self.rows.kept_bytes()
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
        self.key.kzg()
    }

    /// What its segments are checked against.
    #[must_use]
    pub fn segment_key(&self) -> &SegmentKey {
        &self.key
    }
}

/// The points of the table of the rows.
pub(crate) fn rows_and_steps(lagrange: &[G1], steps: &[G1]) -> Vec<G1> {
    lagrange.iter().chain(steps.first()).chain(steps.last()).copied().collect()
}

impl Coset {
    fn new(domain: Domain, form: Form) -> Self {
        let size = domain.size();
        let transform = Transform::new(size, form);
        let g = Fr::GENERATOR;
        let root = Fr::get_root_of_unity(4 * size as u64).expect("the field has these roots");
        let inverse = |x: Fr| x.inverse().expect("not zero");
        let mut ones = vec![Fr::one(); domain.capacity()];
        ones.resize(size, Fr::zero());
        let s = transform.coefficients(&Column::new(&ones, form));
        let quarters = [0, 1, 2, 3].map(|i: u64| {
            let h = g * root.pow([i]);
            let shift = [h, inverse(h)].map(|h| Column::new(&powers(h, size), form));
            let at = domain.at_coset(h).expect("the coset does not meet the domain");
            let selectors = at.map(|column| Column::new(&column, form));
            let values = transform.values(&s.times(&shift[0]));
            Quarter { shift, selectors, s: values }
        });
        let (over_four, step) = (inverse(Fr::from(4_u64)), inverse(g.pow([size as u64])));
        let turn = inverse(root.pow([size as u64]));
        let factor = |k: usize, s: usize| over_four * step.pow([k as u64]) * turn.pow([(k * s) as u64]);
        let join = core::array::from_fn(|k| core::array::from_fn(|s| factor(k, s)));
        Self { form, transform, quarters, join, s, powers: domain.powers() }
    }

    /// From a column's rows to its coefficients.
    pub(crate) fn coefficients(&self, rows: &[Fr]) -> Column {
        self.transform.coefficients(&Column::new(rows, self.form))
    }

    /// A constant polynomial.
    #[cfg(test)]
    pub(crate) fn constant(&self, value: &Fr) -> Column {
        Column::new(core::slice::from_ref(value), self.form)
    }

    /// From coefficients to values on one of the cosets.
    pub(crate) fn values(&self, quarter: &Quarter, coefficients: &Column) -> Column {
        self.transform.values(&coefficients.times(&quarter.shift[0]))
    }

    /// From the quotient's values on a coset to the coefficients of what it is modulo `X^N - h^N`.
    pub(crate) fn part(&self, quarter: &Quarter, values: &Column) -> Column {
        self.transform.coefficients(values).times(&quarter.shift[1])
    }

    /// From the parts to the quotient, as many coefficients as there are powers. (A witness that breaks a constraint leaves something behind
    /// them: its proof is refused.)
    pub(crate) fn quotient(&self, parts: &[Column; 4]) -> Column {
        let sum = |k: usize| Column::sum(core::array::from_fn::<_, 4, _>(|s| (self.join[k][s], &parts[s])));
        let sums: [Column; 4] = core::array::from_fn(sum);
        Column::concat(sums.each_ref(), self.powers)
    }
}

/// Rows of a column that are drawn at random.
pub(crate) type Blinds = [[Fr; ZK_ROWS]; 4];
