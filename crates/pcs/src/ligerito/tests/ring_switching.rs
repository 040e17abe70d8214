//! Packed entries: values against the plain sum over the entries, and malicious provers.

use super::*;
use iop::error::Invalid;

const PARTS: Invalid = Invalid("the parts of a claim do not make its value");
const POINT: Invalid = Invalid("the value at the point does not make the claimed sum");

fn packed(fields: Fields, entries: Entries, regime: Regime) -> Params {
    Params { entries, ..small(fields, 0, regime) }
}

/// The entries that the bytes hold, as elements of the challenge field: an entry's bits at the lowest place of an element of
/// the alphabet.
fn unpacked<B: FoldFibres, E: ExtensionOf<B>>(data: &[B], bits: usize) -> Vec<E> {
    let bytes = iop::poly::to_bytes(data);
    let entry = |i: usize| {
        let mut element = vec![0; B::BYTES];
        for bit in 0..bits {
            let at = i * bits + bit;
            element[bit / 8] |= (bytes[at / 8] >> (at % 8) & 1) << (bit % 8);
        }
        E::lift(B::from_bytes(&element).unwrap())
    };
    (0..8 * bytes.len() / bits).map(entry).collect()
}

fn roundtrip<B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let bits = 1 << params.entries.log_bits().unwrap();
    let (variables, size) = (params.variables(), 1 << params.log_size);
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let forms = vec![
        TensorForm::point(&point(variables)),
        TensorForm::index(1234 % (1 << variables), variables),
        TensorForm::sum(variables),
    ];
    let (commitment, claims, proof) = opened(&scheme, forms.clone());
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{params:?}");
    let table: Vec<E> = unpacked(&elements::<B>(size, 1), bits);
    assert_eq!(table.len(), 1 << variables);
    for (form, values) in forms.iter().zip(&claims.values) {
        assert_eq!(values, &[form.apply(&table)], "{:?}", params.entries);
    }
    let mut prover = Prover::new(&scheme);
    let witness = prover.commit(elements(size, 1));
    assert_eq!(prover.evaluate(&witness, &forms), claims.values);
}

#[test]
fn every_packing_of_every_alphabet_opens() {
    for fields in tested::BINARY {
        for entries in [Entries::Bits, Entries::Bytes, Entries::Words32, Entries::Words64] {
            let params = packed(fields, entries, JOHNSON);
            with_tested_binary_fields!(fields, B, E => {
                if params.log_packed() == 0 {
                    assert!(Scheme::<B, E>::new(params, &ANY).is_err(), "nothing to pack");
                } else {
                    roundtrip::<B, E>(params);
                }
            });
        }
    }
}

#[test]
fn single_packed_elements_open() {
    let base = packed(Fields::Gf128, Entries::Bits, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 0, ..base.level };
    for log_size in [0, 1] {
        roundtrip::<Tower128, Gf128>(Params {
            log_size,
            level,
            inner: Inner::Recursion(vec![]),
            ..base.clone()
        });
    }
}

#[test]
fn packed_batches_and_hiding_are_refused() {
    let refused = |params: Params| Scheme::<Tower128, Gf128>::new(params, &ANY).unwrap_err().to_string();
    let base = || packed(Fields::Gf128, Entries::Bytes, Regime::UniqueDecoding);
    assert!(refused(Params { polynomials: 2, ..base() }).contains("one polynomial at a time"));
    assert!(refused(Params { hidden_openings: 1, ..base() }).contains("do not hide"));
}

/// The verdict on a prover that deviates in one thing, about a packed entry.
fn verdict(deviation: Deviation, entries: Entries) -> Result<(), Invalid> {
    verdict_about(deviation, entries, &[5])
}

/// The same about some entries.
fn verdict_about(deviation: Deviation, entries: Entries, indices: &[u64]) -> Result<(), Invalid> {
    let params = packed(Fields::Gf128, entries, Regime::UniqueDecoding);
    let scheme = Scheme::<Tower128, Gf128>::new(params.clone(), &ANY).unwrap();
    let forms = indices.iter().map(|&index| TensorForm::index(index, params.variables())).collect();
    let (commitment, claims, proof) = deviating(deviation, &scheme, forms);
    scheme.verify(&commitment, &claims, &proof)
}

#[test]
fn malicious_prover_deviates_in_the_value_of_a_packed_entry() {
    assert_eq!(verdict(Deviation::PackedValue, Entries::Bits), Err(PARTS));
    assert_eq!(verdict(Deviation::PackedValue, Entries::Words32), Err(PARTS));
}

#[test]
fn malicious_prover_deviates_in_a_part_of_a_packed_claim() {
    assert_eq!(verdict(Deviation::Part, Entries::Bits), Err(POINT));
    assert_eq!(verdict(Deviation::Part, Entries::Words32), Err(POINT));
}

/// A deviation in the second of two claims: each has parts of its own.
#[test]
fn malicious_prover_deviates_in_the_last_of_packed_claims() {
    for entries in [Entries::Bits, Entries::Words32] {
        assert_eq!(verdict_about(Deviation::PackedValue, entries, &[5, 6]), Err(PARTS));
        assert_eq!(verdict_about(Deviation::Part, entries, &[5, 6]), Err(POINT));
    }
}

/// Two claims with the same error cancel unless each has a random factor of its own.
#[test]
fn malicious_prover_deviates_in_two_packed_claims_at_once() {
    for entries in [Entries::Bits, Entries::Words32] {
        assert_eq!(verdict_about(Deviation::PartOfAll, entries, &[5, 5]), Err(POINT));
    }
}

/// An error in two coordinates cancels unless each coordinate has a random factor of its own.
#[test]
fn malicious_prover_deviates_in_two_coordinates_of_a_part() {
    for entries in [Entries::Bits, Entries::Words32] {
        assert_eq!(verdict(Deviation::PartOfTwoCoordinates, entries), Err(POINT));
    }
}

#[test]
fn malicious_prover_deviates_in_the_value_at_the_point() {
    assert_eq!(verdict(Deviation::ValueAtThePoint, Entries::Bits), Err(POINT));
}

/// What packed claims are switched to is proven like any other claim.
#[test]
fn malicious_provers_behind_the_switch() {
    for (deviation, refused) in
        [(Deviation::Root, TREE), (Deviation::FinalMessage, ROWS), (Deviation::Opposite, CLAIMS)]
    {
        assert_eq!(verdict(deviation, Entries::Bits), Err(refused), "{deviation:?}");
    }
}
