//! The search for cells that no constraint binds.

use curve::PrimeField;

use super::{Assignment, R1cs};

impl<F: PrimeField> R1cs<F> {
    /// The columns of committed and witness cells that can be changed alone without violating a constraint.
    ///
    /// Each cell `x` is changed, by itself, to `x + step`, to `-x` and to `1 - x`. Of a sound circuit without free cells none of these satisfies,
    /// and the list is empty. One pass over the matrices: linear time.
    ///
    /// # Panics
    /// If the assignment has another shape or does not satisfy the system.
    #[must_use]
    pub fn free_cells(&self, assignment: &Assignment<F>, step: F) -> Vec<usize> {
        let z = self.vector(assignment);
        let changes = |x: F| [step, -x.double(), F::ONE - x.double()];
        let mut caught = vec![[false; 3]; z.len()];
        let mut coefficients = vec![[F::ZERO; 3]; z.len()];
        for constraint in 0..self.constraints() {
            let [a, b, c] = self.matrices().map(|matrix| self.product(matrix, constraint, &z));
            assert!(a * b == c, "constraint {constraint} ({}) is violated", self.label(constraint));
            let mut cells = vec![];
            for (side, matrix) in self.matrices().into_iter().enumerate() {
                for (column, x) in self.row(matrix, constraint) {
                    cells.push(column);
                    coefficients[column][side] = x;
                }
            }
            for column in cells {
                let [da, db, dc] = core::mem::take(&mut coefficients[column]);
                for (caught, change) in caught[column].iter_mut().zip(changes(z[column])) {
                    *caught |= (a + da * change) * (b + db * change) != c + dc * change;
                }
            }
        }
        let free = |&column: &usize| {
            let changes = changes(z[column]).into_iter().zip(caught[column]);
            changes.into_iter().any(|(change, caught)| !change.is_zero() && !caught)
        };
        (1 + self.public()..z.len()).filter(free).collect()
    }
}
