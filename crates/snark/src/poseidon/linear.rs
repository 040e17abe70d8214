//! The matrix of the linear layer, and the paper's conditions on it.

use curve::PrimeField;

/// The first Cauchy matrix `1 / (x_i + y_j)` from `draw` that withstands trails of subspaces. Its minors are all non-zero (MDS).
pub(super) fn secure_matrix<F: PrimeField>(width: usize, mut draw: impl FnMut() -> F) -> Vec<F> {
    loop {
        let numbers: Vec<F> = (0..2 * width).map(|_| draw()).collect();
        if let Some(matrix) = cauchy(&numbers)
            && withstands_trails(&matrix, width)
        {
            return matrix;
        }
    }
}

fn cauchy<F: PrimeField>(numbers: &[F]) -> Option<Vec<F>> {
    let distinct = (1..numbers.len()).all(|i| !numbers[..i].contains(&numbers[i]));
    let (x, y) = numbers.split_at(numbers.len() / 2);
    let entries = x.iter().flat_map(|x| y.iter().map(move |y| (*x + y).inverse()));
    if distinct { entries.collect() } else { None }
}

/// The conditions of Grassi, Rechberger, Schofnegger, "Proving Resistance Against Infinitely Long Subspace Trails" (ToSC 2021), as statements about ranks,
/// for all periods `l` up to twice the width.
///
/// A trail of period `l` whose S-box stays inactive is a subspace of the kernel of the first coordinate that `M^l` maps to itself: there is none but 0 if
/// `e₀ᵀ, e₀ᵀ M^l, e₀ᵀ M^2l, ...` span everything. One whose S-box is active contains `e₀` once in each period, hence `e₀, M^l e₀, M^2l e₀, ...`:
/// it is the whole space if these span everything.
pub(super) fn withstands_trails<F: PrimeField>(matrix: &[F], width: usize) -> bool {
    let mut power = matrix.to_vec();
    for _ in 0..2 * width {
        let transposed: Vec<F> = (0..width * width).map(|i| power[i % width * width + i / width]).collect();
        if !spans(&power, width) || !spans(&transposed, width) {
            return false;
        }
        power = multiply(&power, matrix, width);
    }
    true
}

fn multiply<F: PrimeField>(a: &[F], b: &[F], width: usize) -> Vec<F> {
    let entry = |i: usize| (0..width).map(|k| a[i / width * width + k] * b[k * width + i % width]).sum();
    (0..width * width).map(entry).collect()
}

/// Do `e₀, A e₀, A² e₀, ...` span the space?
fn spans<F: PrimeField>(a: &[F], width: usize) -> bool {
    let mut vector = vec![F::ZERO; width];
    vector[0] = F::ONE;
    // Vectors in echelon form, each with the position of its leading 1.
    let mut basis: Vec<(usize, Vec<F>)> = vec![];
    for _ in 0..width {
        let mut rest = vector.clone();
        for (lead, row) in &basis {
            let scale = rest[*lead];
            rest.iter_mut().zip(row).for_each(|(x, y)| *x -= scale * y);
        }
        let Some(lead) = rest.iter().position(|x| !x.is_zero()) else { return false };
        let scale = rest[lead].inverse().expect("not zero");
        rest.iter_mut().for_each(|x| *x *= scale);
        basis.push((lead, rest));
        vector =
            a.chunks_exact(width).map(|row| row.iter().zip(&vector).map(|(m, x)| *m * x).sum()).collect();
    }
    true
}
