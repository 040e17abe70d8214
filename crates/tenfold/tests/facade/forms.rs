//! Forms and their tensors.

use field::{Field, Gf128, Goldilocks2, KoalaBear5};
use iop::poly::TensorForm;
use tenfold::any::{Form, Product};
use tenfold::statement::{ColumnContext, Description, Sums};
use tenfold::verdict::Value;
use tenfold::{Dataset, Options, Policy, ProofFile, commit, search, verify};

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
        Form::Block { start: 3, log_length: 1 },
        Form::Block { start: 4, log_length: 3 },
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

/// A value in the challenge field is no number modulo its prime.
#[test]
fn values_of_forms_say_which_field_they_are_of() {
    let options = Options::proven_bits(128).field(tenfold::dataset::Base::KoalaBear);
    let (commitment, _) = commit(&Dataset::from_u64s((0..64).collect()), &options).unwrap();
    let scheme = commitment.params.clone().build(&search::policy(&options, false).unwrap()).unwrap();
    let Description::Column(column) = commitment.description.clone() else {
        unreachable!("numbers are a column")
    };
    let context = ColumnContext { column, weights_scale: None, sums: Sums::of(false) }.encode();
    let value = |coordinate: KoalaBear5| {
        let mut prover = scheme.prover();
        let mut witness = prover.commit(prover.integers(&mut (0..64i128)).unwrap());
        let form = Form::from_tensor(&TensorForm::point(&[coordinate; 6]));
        let file = prover.open(&mut witness, &[form], &context).unwrap().file;
        let policy = Policy::at_least(128).about(&commitment);
        verify(&ProofFile { file }.to_bytes(), &policy).unwrap().claims[0].value.clone()
    };
    assert!(
        matches!(value(KoalaBear5::from_u64(7)), Value::Modular(number) if number.integer() == Some(7 * 63))
    );
    let element = value(
        KoalaBear5::from_bytes(
            &[[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [4, 0, 0, 0], [5, 0, 0, 0]].concat(),
        )
        .unwrap(),
    );
    let text = element.to_string();
    assert!(matches!(element, Value::Element(bytes) if bytes.len() == 20), "{text}");
    assert!(text.starts_with("0x") && !text.contains("modulo"), "{text}");
}
