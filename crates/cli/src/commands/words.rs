//! Linear forms in words, the same for every scheme.

use tenfold::any::{Form, Product};

/// A form that picks no row: what it is, of whose rows, and the factors that tell it from all others, which are the
/// coordinates of a point, or the pair of each variable, lowest index bit first.
pub fn of_form(form: &Form, variables: usize, name: &str, text: impl Fn(&[u8]) -> String) -> String {
    let factors = form.factors(variables, [&[0], &[1]]).unwrap_or_default();
    if let Form::Product(_, Product::Point) = form {
        let z: Vec<String> = factors.iter().map(|[_, z]| text(z)).collect();
        format!("the multilinear extension of {name} and its padding at ({})", z.join(", "))
    } else {
        let pair = |[a, b]: &[Vec<u8>; 2]| format!("({}, {})", text(a), text(b));
        let pairs: Vec<String> = factors.iter().map(pair).collect();
        format!("the linear form of {name} and its padding with factors {}", pairs.join(" "))
    }
}

/// The row that a form picks, if it picks one.
pub fn row(form: &Form) -> Option<u64> {
    match form {
        Form::Entry(row) => Some(*row),
        _ => None,
    }
}
