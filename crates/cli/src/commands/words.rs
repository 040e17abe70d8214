//! Linear forms in words, the same for every scheme.

use field::Field;
use iop::poly::Tensor;

/// Whether every factor is `(1 - z, z)`.
fn is_point<E: Field>(form: &Tensor<E>) -> bool {
    form.factors().iter().all(|&[a, b]| a + b == E::ONE)
}

/// A form that picks no row: what it is, of whose rows, and the factors that tell it from all others, which are the
/// coordinates of a point, or the pair of each variable, lowest index bit first.
pub fn of_form<E: Field>(form: &Tensor<E>, name: &str, text: impl Fn(E) -> String) -> String {
    if is_point(form) {
        let z: Vec<String> = form.factors().iter().map(|&[_, z]| text(z)).collect();
        format!("the multilinear extension of {name} and its padding at ({})", z.join(", "))
    } else {
        let pair = |&[a, b]: &[E; 2]| format!("({}, {})", text(a), text(b));
        let pairs: Vec<String> = form.factors().iter().map(pair).collect();
        format!("the linear form of {name} and its padding with factors {}", pairs.join(" "))
    }
}

/// The row that a form picks, if it picks one.
pub fn row<E: Field>(form: &Tensor<E>) -> Option<u64> {
    form.as_index()
}
