//! Air-FRI of bytes: hidden words, and univariate evaluations.

use field::{ExtensionOf, Field, Gf192, Tower64};
use iop::poly::to_bytes;
use pcs::file::SchemeId;
use pcs::ligerito::Fields;
use tenfold::statement::Description;
use tenfold::verdict::{Claimed, Value};
use tenfold::verify::{Form, Product};
use tenfold::{Claim, Dataset, EntrySize, Error, Options, Policy, verify};

fn options(hidden_openings: u32) -> Options {
    Options { scheme: Some(SchemeId::Air), hidden_openings, ..Options::proven_bits(128) }
}

fn data() -> Dataset {
    Dataset::from_bytes((0..100).collect()).named("x")
}

/// A word of the data, of which the last is padded.
fn word(row: u8) -> u64 {
    let byte = |i: usize| Some(8 * row + i as u8).filter(|&byte| byte < 100).unwrap_or(0);
    u64::from_le_bytes(core::array::from_fn(byte))
}

#[test]
fn hidden_words_are_opened_one_by_one() {
    let (commitment, mut witness) = tenfold::commit(&data(), &options(2)).unwrap();
    let Description::Bytes(description) = &commitment.description else { panic!("{commitment:?}") };
    assert_eq!((description.length, description.source), (100, [0; 32]), "no digest of what is hidden");
    assert_eq!(witness.open(&[Claim::Row(0), Claim::Row(1)]), Err(Error::OneHidden(2)));
    assert_eq!(witness.open(&[Claim::Weighted(&data())]), Err(Error::HiddenWeights));
    for row in [3, 11] {
        let proof = witness.open(&[Claim::Row(row.into())]).unwrap().to_bytes();
        let verdict = verify(&proof, &Policy::at_least(128).about(&commitment)).unwrap();
        assert_eq!(verdict.claims[0].value, Value::Entry(word(row).into()));
        assert_eq!(verdict.proven.hidden_openings, 2);
        assert_eq!(verdict.proven.mask, Some(u8::from(row == 11)));
    }
    assert_eq!(witness.open(&[Claim::Row(0)]), Err(Error::NoOpening(2)));
    let again = tenfold::commit(&data(), &options(2)).unwrap().0;
    assert_ne!(again.commitment, commitment.commitment, "a mask of its own");
}

/// Parts of packed entries are sums over others beside the one that is opened.
#[test]
fn entries_that_are_packed_are_not_hidden() {
    let refused = |options: Options| tenfold::commit(&data(), &options).unwrap_err();
    for size in [EntrySize::Bits, EntrySize::Bytes, EntrySize::Words32] {
        assert_eq!(refused(options(1).entries(size)), Error::HiddenEntries, "{size:?}");
    }
    assert_eq!(refused(Options { over: Some(Fields::Gf256), ..options(1) }), Error::HiddenEntries);
    let ligerito = Options { scheme: Some(SchemeId::Ligerito), ..options(1) };
    assert_eq!(refused(ligerito), Error::HiddenBytes);
    let whole = Options { over: Some(Fields::Gf320), bits: Some(192), ..options(1) };
    let (commitment, _) = tenfold::commit(&data(), &whole.entries(EntrySize::Words64)).unwrap();
    assert!(commitment.params.report().proven_bits() >= 192.0);
}

/// Several points in one proof, beside a row; hidden ones one by one.
#[test]
fn polynomials_are_evaluated_at_points() {
    let over = Options { over: Some(Fields::Gf192), ..options(0) }.entries(EntrySize::Words64);
    let element = |bits: u64| {
        let word = Tower64::from_bytes(&bits.to_le_bytes()).unwrap();
        <Gf192 as ExtensionOf<Tower64>>::lift(word)
    };
    let value = |z: u64| {
        // The bits of a coordinate are those of the challenge field, the bits of a word the tower's.
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&z.to_le_bytes());
        let z = Gf192::from_bytes(&bytes).unwrap();
        let coefficient = |row| element(word(row));
        Value::Element(to_bytes(&[(0..13).rev().fold(Gf192::ZERO, |acc, row| acc * z + coefficient(row))]))
    };
    let (commitment, mut witness) = tenfold::commit(&data(), &over).unwrap();
    let claims = [Claim::Evaluation(2), Claim::Row(3), Claim::Evaluation(1 << 40)];
    let proof = witness.open(&claims).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(128).about(&commitment)).unwrap();
    let [two, row, far] = &verdict.claims[..] else { panic!("{:?}", verdict.claims) };
    assert_eq!(
        [&two.value, &row.value, &far.value],
        [&value(2), &Value::Entry(word(3).into()), &value(1 << 40)]
    );
    assert!(matches!(&two.claimed, Claimed::Form(Form::Product(_, Product::Powers))));
    let said = two.to_string();
    assert!(
        said.starts_with("the polynomial with the 64-bit words of x and its padding as coefficients at 0x"),
        "{said}"
    );
    let (commitment, mut witness) =
        tenfold::commit(&data(), &Options { over: over.over, ..options(1) }).unwrap();
    let proof = witness.open(&[Claim::Evaluation(2)]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(128).about(&commitment)).unwrap();
    assert_eq!(verdict.claims[0].value, value(2));
    let numbers = Dataset::from_u64s(vec![3, 1, 4]);
    let (commitment, mut witness) = tenfold::commit(&numbers, &Options::proven_bits(100)).unwrap();
    let proof = witness.open(&[Claim::Evaluation(10)]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    assert!(verdict.claims[0].value.to_string().starts_with("413 modulo "), "{}", verdict.claims[0]);
}
