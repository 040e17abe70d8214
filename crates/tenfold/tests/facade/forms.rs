//! Forms and their tensors.

use field::Field;
use field::{Gf128, Goldilocks2};
use iop::poly::TensorForm;
use tenfold::any::{Form, Product};

fn come_back<E: Field>() {
    let point: Vec<E> = (3..8).map(|byte| E::from_bytes(&vec![byte; E::BYTES]).unwrap()).collect();
    let mut other = TensorForm::point(&point).factors().to_vec();
    other[2][0] += E::ONE;
    let block = TensorForm::new([&[[E::ONE; 2]; 2][..], TensorForm::index(5, 3).factors()].concat());
    let cases = [
        (TensorForm::index(19, 5), Form::Entry(19)),
        (TensorForm::sum(5), Form::Block { start: 0, log_length: 5 }),
        (block, Form::Block { start: 20, log_length: 2 }),
    ];
    for (tensor, form) in cases {
        assert_eq!(Form::from_tensor::<E>(&tensor), form);
        assert_eq!(form.to_tensor::<E>(5), Some(tensor));
    }
    for (tensor, shape) in
        [(TensorForm::point(&point), Product::Point), (TensorForm::new(other), Product::Other)]
    {
        let form = Form::from_tensor::<E>(&tensor);
        assert!(matches!(&form, Form::Product(_, found) if *found == shape), "{form:?}");
        assert_eq!(form.to_tensor::<E>(5), Some(tensor));
        assert_eq!(form.to_tensor::<E>(6), None);
    }
}

#[test]
fn forms_come_back() {
    come_back::<Goldilocks2>();
    come_back::<Gf128>();
}

#[test]
fn what_is_no_form_of_so_many_variables_is_none() {
    let none = [
        Form::Entry(32),
        Form::Entry(u64::MAX),
        Form::Block { start: 32, log_length: 2 },
        Form::Block { start: 0, log_length: 6 },
        Form::Block { start: 0, log_length: u32::MAX },
        Form::Weights([0; 32].into()),
        Form::Product(vec![[vec![0xff; 16], vec![0; 16]]; 5], Product::Other),
    ];
    for form in none {
        assert_eq!(form.to_tensor::<Goldilocks2>(5), None, "{form:?}");
    }
}

/// The blocks cover the first rows, each of them once.
#[test]
fn blocks_tile_the_rows() {
    for rows in 0..=32u64 {
        let mut next = 0;
        for form in Form::first(rows, 5) {
            let (start, length) = match form {
                Form::Entry(start) => (start, 1),
                Form::Block { start, log_length } => (start, 1 << log_length),
                other => panic!("{other:?}"),
            };
            assert!(start == next && start % length == 0);
            next = start + length;
        }
        assert_eq!(next, rows);
    }
}
