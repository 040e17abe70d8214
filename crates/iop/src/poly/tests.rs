//! Forms against their definition, and the parallel forms against the plain ones.

use super::*;
use field::{Goldilocks, Goldilocks3 as E};

fn point(variables: u64) -> Vec<E> {
    (0..variables).map(|v| E::from_u64(v + 2).pow(7)).collect()
}

/// Every form is `sum_i f[i] prod_v t_v[bit v of i]`.
#[test]
fn forms_are_their_weights() {
    let z = point(5);
    let table: Vec<E> = (0..32).map(|i| E::from_u64(i * i + 1).pow(3)).collect();
    let forms = [
        TensorForm::point(&z),
        TensorForm::monomial(&z),
        TensorForm::index(19, 5),
        TensorForm::sum(5),
        TensorForm::powers(z[2], 5),
        TensorForm::new(z.iter().map(|&x| [x, x.square()]).collect()),
    ];
    for form in forms {
        let weight = |i: usize| {
            form.factors().iter().enumerate().fold(E::ONE, |acc, (v, factor)| acc * factor[i >> v & 1])
        };
        let weights: Vec<E> = (0..32).map(weight).collect();
        assert_eq!(form.expand(), weights);
        assert_eq!(form.apply(&table), dot(&weights, &table));
        assert_eq!(form.expand_scaled(z[1]), weights.iter().map(|&w| w * z[1]).collect::<Vec<_>>());
        let (scalar, rest) = form.bind_low(&z[..2]);
        let low = TensorForm::point(&z[..2]).expand();
        let bound: Vec<E> = weights.chunks(4).map(|chunk| dot(chunk, &low)).collect();
        assert_eq!(rest.expand_scaled(scalar), bound, "the weight table bound to a point");
    }
}

#[test]
fn parallel_forms_agree() {
    for variables in [0, 1, 12, 13, 15] {
        let form = TensorForm::point(&point(variables));
        let table = form.expand();
        assert_eq!(form.expand_parallel(), table, "{variables} variables");
        let mut sums = table.clone();
        form.add_scaled(E::from_u64(6), &mut sums);
        assert!(sums.iter().zip(&table).all(|(&s, &w)| s == w * E::from_u64(7)), "{variables} variables");
        let shifted: Vec<E> = table.iter().map(|&x| x + E::ONE).collect();
        assert_eq!(dot_parallel(&table, &shifted), dot(&table, &shifted));
    }
}

#[test]
fn powers_basis_and_flattening() {
    let x = E::from_u64(9).pow(5);
    assert_eq!(powers(x, 3), [E::ONE, x, x * x]);
    let weights = point(4);
    let flat = flatten_weights::<Goldilocks, E>(&weights);
    let elements: Vec<E> = (0..4).map(|i| E::from_u64(i + 3).pow(13)).collect();
    let coefficients: &[Goldilocks] = &E::flatten(&elements);
    assert_eq!(dot_base(coefficients, &flat), dot(&weights, &elements));
}
