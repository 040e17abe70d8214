//! Keys from secrets.

use curve::fft::Domain;
use curve::msm::{Bases, multiples};
use curve::pairing::PairingCurve;
use curve::{AdditiveGroup, AffineRepr, Field, PrimeField, batch_inversion};
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::key::{CommitmentKey, Provenance, ProvingKey, Shape, VerifyingKey};
use super::{Invalid, random_scalar};
use crate::r1cs::R1cs;

/// A circuit or parameters that a setup refuses, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParamError(pub &'static str);

/// The secrets of a key. Overwritten when dropped.
pub(super) struct Secrets<F: PrimeField> {
    pub tau: F,
    pub alpha: F,
    pub beta: F,
    pub gamma: F,
    pub delta: F,
    pub eta: F,
}

impl<F: PrimeField> Drop for Secrets<F> {
    fn drop(&mut self) {
        let Self { tau, alpha, beta, gamma, delta, eta } = self;
        [tau, alpha, beta, gamma, delta, eta].into_iter().for_each(Zeroize::zeroize);
    }
}

/// **Insecure**: a key whose secrets this process knew. Whoever kept them proves any statement, true or false; the key and its files say so
/// ([`Provenance::Local`]). For tests, measurements, and provers that are their own verifiers.
///
/// Cost: for each cell of the circuit four multiples in the first group and one in the second.
///
/// # Errors
/// If the circuit has no constraint, or more than the field has roots of unity for.
pub fn setup_local<E: PairingCurve>(
    circuit: &R1cs<E::Scalar>,
    rng: &mut impl CryptoRng,
) -> Result<ProvingKey<E>, ParamError> {
    let domain = domain_of(circuit)?;
    let tau = loop {
        let tau: E::Scalar = random_scalar(rng);
        // Neither on the domain nor on its coset.
        if tau.pow([2 * domain.size() as u64]) != E::Scalar::ONE {
            break tau;
        }
    };
    let [alpha, beta, gamma, delta, eta] = core::array::from_fn(|_| random_scalar(rng));
    let secrets = Secrets { tau, alpha, beta, gamma, delta, eta };
    from_secrets(circuit, domain, &secrets).map_err(|Invalid(why)| ParamError(why))
}

/// The domain of a circuit, the smallest with a point for each constraint, for the constant, and for each public input.
pub(super) fn domain_of<F: curve::fft::Scalar>(circuit: &R1cs<F>) -> Result<Domain<F>, ParamError> {
    if circuit.constraints() == 0 {
        return Err(ParamError("a circuit without constraints"));
    }
    let points = circuit.constraints() + 1 + circuit.public();
    Domain::<F>::smallest(points)
        .and_then(Domain::new)
        .ok_or(ParamError("more constraints than the field has roots of unity for"))
}

/// The columns of the three matrices at tau, by the values of the Lagrange polynomials there.
pub(super) struct Columns<T> {
    pub u: T,
    pub v: T,
    pub w: T,
}

impl<F: PrimeField> Columns<Zeroizing<Vec<F>>> {
    fn at(circuit: &R1cs<F>, lagrange: &[F]) -> Self {
        let [mut u, v, w] = circuit.matrices().map(|matrix| {
            let mut column = Zeroizing::new(vec![F::ZERO; circuit.columns()]);
            for (i, value) in lagrange.iter().take(circuit.constraints()).enumerate() {
                circuit.row(matrix, i).for_each(|(at, x)| column[at] += x * value);
            }
            column
        });
        // z_i * 0 = 0 for the constant and the public inputs.
        for (u, value) in u.iter_mut().zip(&lagrange[circuit.constraints()..]).take(1 + circuit.public()) {
            *u += value;
        }
        Self { u, v, w }
    }
}

/// `scale w^k / (tau - g w^k)` for the domain, shifted by `g`.
fn fractions<F: curve::fft::Scalar>(domain: &Domain<F>, tau: F, g: F, scale: F) -> Zeroizing<Vec<F>> {
    let points = || core::iter::successors(Some(F::ONE), |x| Some(*x * domain.root())).take(domain.size());
    let mut values: Zeroizing<Vec<F>> = Zeroizing::new(points().map(|x| tau - g * x).collect());
    batch_inversion(&mut values);
    values.iter_mut().zip(points()).for_each(|(value, x)| *value *= scale * x);
    values
}

fn from_secrets<E: PairingCurve>(
    circuit: &R1cs<E::Scalar>,
    domain: Domain<E::Scalar>,
    secrets: &Secrets<E::Scalar>,
) -> Result<ProvingKey<E>, Invalid> {
    let Secrets { tau, alpha, beta, gamma, delta, eta } = secrets;
    let size = E::Scalar::from(domain.size() as u64);
    let inverse = |x: E::Scalar| x.inverse().expect("not zero");
    let power = tau.pow([domain.size() as u64]);
    let lagrange = fractions(&domain, *tau, E::Scalar::ONE, (power - E::Scalar::ONE) * inverse(size));
    // The Lagrange polynomials of the coset, times Z(tau) / delta over the value -2 of Z there.
    let g = domain.shift();
    let scale = g * (power.square() - E::Scalar::ONE) * inverse(size.double() * delta);
    let h = fractions(&domain, *tau, g, scale);
    let Columns { u, v, w } = Columns::at(circuit, &lagrange);
    let public = 1 + circuit.public();
    let committed = public + circuit.committed();
    let [over_gamma, over_delta, over_eta] = [*gamma, *delta, *eta].map(inverse);
    let sums: Zeroizing<Vec<E::Scalar>> = Zeroizing::new(
        (0..circuit.columns())
            .map(|i| {
                let over = match i {
                    _ if i < public => over_gamma,
                    _ if i < committed => over_eta,
                    _ => over_delta,
                };
                (*beta * u[i] + *alpha * v[i] + w[i]) * over
            })
            .collect(),
    );
    let (g1, g2) = (super::G1::<E>::generator(), super::G2::<E>::generator());
    let first = |scalars: &[E::Scalar]| multiples::<E::G1>(&g1, scalars);
    let second = |scalars: &[E::Scalar]| multiples::<E::G2>(&g2, scalars);
    let [alpha1, beta1, delta1, eta1] = first(&[*alpha, *beta, *delta, *eta])[..] else {
        unreachable!("four multiples")
    };
    let [beta2, gamma2, delta2, eta2] = second(&[*beta, *gamma, *delta, *eta])[..] else {
        unreachable!("four multiples")
    };
    let (ic, rest) = sums.split_at(public);
    let (cells, l) = rest.split_at(circuit.committed());
    let commitment = (!cells.is_empty()).then(|| CommitmentKey { eta1, cells: Bases::new(&first(cells)) });
    let second_points = ([beta2, gamma2, delta2], commitment.as_ref().map(|_| eta2));
    let verifying = VerifyingKey::new(circuit.digest(), Provenance::Local, alpha1, second_points, first(ic))?;
    Ok(ProvingKey {
        shape: Shape::of(circuit, domain.size()),
        verifying,
        beta1,
        delta1,
        commitment,
        a: Bases::new(&first(&u)),
        b1: Bases::new(&first(&v)),
        b2: Bases::new(&second(&v)),
        l: Bases::new(&first(l)),
        h: Bases::new(&first(&h)),
        domain,
        watch: None,
    })
}
