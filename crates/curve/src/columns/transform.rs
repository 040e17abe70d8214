//! Transforms between coefficients and values on roots of unity.

use super::{All, Blocks, Column, FORMS, Form, Single, Vector};
use crate::bls12_381::Fr;
use crate::{FftField, Field, One};

/// The transform between coefficients and values on the roots of unity of an order: value `i` is that at `w^i` with the `w` of arkworks.
pub struct Transform {
    size: usize,
    /// There and back.
    tables: [Tables; 2],
}

enum Tables {
    Single(<Single as Blocks>::Tables),
    Vector(Box<<Vector as Blocks>::Tables>),
}

impl Transform {
    /// The transform of columns of `size` entries in this form.
    ///
    /// # Panics
    /// If `size` is no power of two from 64 on that the field has roots for.
    #[must_use]
    pub fn new(size: usize, form: Form) -> Self {
        assert!(size.is_power_of_two() && size >= 64, "a power of two from 64 on");
        let root = Fr::get_root_of_unity(size as u64).expect("the field has roots of this order");
        let inverse = |x: Fr| x.inverse().expect("not zero");
        let ways = [(root, Fr::one()), (inverse(root), inverse(Fr::from(size as u64)))];
        let tables = ways.map(|(root, scale)| match form {
            Form::Single => Tables::Single(Single::tables(size, root, scale)),
            Form::Vector => Tables::Vector(Box::new(Vector::tables(size, root, scale))),
        });
        Self { size, tables }
    }

    /// From coefficients to values.
    ///
    /// # Panics
    /// If there are more or fewer than the transform is for.
    #[must_use]
    pub fn values(&self, coefficients: &Column) -> Column {
        self.run(&self.tables[0], coefficients)
    }

    /// From values to coefficients.
    ///
    /// # Panics
    /// As [`Self::values`].
    #[must_use]
    pub fn coefficients(&self, values: &Column) -> Column {
        self.run(&self.tables[1], values)
    }

    fn run(&self, tables: &Tables, column: &Column) -> Column {
        assert_eq!(column.len, self.size, "as many entries as the transform is for");
        let all = match (tables, &column.all) {
            (Tables::Single(t), All::Single(a)) => All::Single(Single::transform(t, a)),
            (Tables::Vector(t), All::Vector(a)) => All::Vector(Vector::transform(t, a)),
            _ => panic!("{FORMS}"),
        };
        Column { len: column.len, all }
    }
}
